// Kept values: what a thread saves where it stops and reloads where it resumes.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include <cstdint>
#include <utility>

namespace visor::jit {

// The store that saves a value at an entry, or the load that reloads it.
class KeptCopy : public llvm::Instruction {
public:
    KeptCopy() = delete;
    static bool classof(const llvm::Value* value);

    // What is saved in the same memory: variable and piece. Of all entries.
    using Slot = std::pair<const llvm::Metadata*, const llvm::Metadata*>;
    [[nodiscard]] Slot slot() const;
    // Equal for the saves and the reloads of a slot at one entry.
    [[nodiscard]] const llvm::MDNode* identity() const;
};

void mark_kept_copy(llvm::Instruction& copy, uint64_t entry, uint64_t variable, uint64_t piece);

} // namespace visor::jit
