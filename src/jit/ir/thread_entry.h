// Where threads begin. Thread entry: where a thread's time slice begins in code whose groups come to
// barriers. Passes insert code there that serves the whole group.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace visor::jit {

// The store to a thread's State that begins its time slice.
class ThreadStart : public llvm::StoreInst {
public:
    ThreadStart() = delete;
    static bool classof(const llvm::Value* value);

    [[nodiscard]] llvm::Value* state() const;
};
// `has_barrier`: in code whose groups come to barriers.
ThreadStart* mark_thread_start(llvm::StoreInst& store, bool has_barrier);

class ThreadEntry {
public:
    // None in code without barriers.
    [[nodiscard]] static std::optional<ThreadEntry> of(llvm::Function& function);

    // i64: the group's number of threads in a time slice of its first thread, else 0. Available in all code
    // of the thread.
    llvm::Value* group_threads_if_first();
    // The address of a State member, at the builder's insertion point: of the current thread, and of the
    // group's first one.
    llvm::Value* member(llvm::IRBuilder<>& ir, size_t offset) const;
    llvm::Value* member_of_first(llvm::IRBuilder<>& ir, size_t offset) const;

    // Prefetches the next stream while threads compute, a few lines in each time slice. Consecutive streams
    // are those of groups, or of a loop's iterations. The next one is expected at the distance between the
    // last two. `begin` (a pointer) and `span` bytes: the stream that is read before the instruction
    // `before`. Serves one stream of the function; later calls do nothing.
    void prefetch_next_stream(llvm::Value* begin, int64_t span, llvm::Instruction* before);

private:
    explicit ThreadEntry(llvm::StoreInst& store) : store_(&store) {}
    [[nodiscard]] llvm::Value* state() const;

    llvm::StoreInst* store_;
    llvm::Value* group_threads_ = nullptr;
    bool prefetches_ = false;
};

} // namespace visor::jit
