// Thread entry: where a thread's time slice begins in code whose groups come to barriers; passes put there
// what is for the whole group.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace visor::jit {

// On the store to a thread's State that its turn begins with, where groups come to barriers.
inline constexpr const char* thread_entry_mark = "visor.thread_entry";

class ThreadEntry {
public:
    // Nothing: groups come to no barriers.
    [[nodiscard]] static std::optional<ThreadEntry> of(llvm::Function& function);

    // i64: how many threads the group has, in its first one's turn; 0 in the others'. Wherever code of the
    // thread looks at it.
    llvm::Value* group_threads_if_first();
    // Of the State of the thread whose turn it is, and of the group's first one: where a member lies, at the
    // builder's place.
    llvm::Value* member(llvm::IRBuilder<>& ir, size_t offset) const;
    llvm::Value* member_of_first(llvm::IRBuilder<>& ir, size_t offset) const;

    // Memory rests while threads compute and come to barriers: where streams follow each other, those of
    // groups or, in a loop, those of its turns, every thread's turn asks for some lines of the next one. It
    // is taken to be as far away as this one is from the last. `begin` (a pointer) and `span` bytes: the one
    // that is read in front of `before`. For one stream of the function: of a second one nothing is asked.
    void prefetch_next_stream(llvm::Value* begin, int64_t span, llvm::Instruction* before);

private:
    explicit ThreadEntry(llvm::StoreInst& store) : store_(&store) {}
    [[nodiscard]] llvm::Value* state() const;

    llvm::StoreInst* store_;
    llvm::Value* group_threads_ = nullptr;
    bool prefetches_ = false;
};

} // namespace visor::jit
