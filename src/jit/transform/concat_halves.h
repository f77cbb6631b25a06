// Re-concatenates split vectors: compilers split vectors into halves where instructions have fewer lanes than
// the thread. If the same operations compute both halves, the pass computes the whole vector instead.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <utility>

namespace visor::jit {

// For one insertion point: caches the whole vectors that it emits.
class HalfConcatenation {
public:
    using Value = llvm::Value;

    // Concatenates `low` and `high`, two vectors of one type; emits with `ir`, where both are available.
    // Null: different or too many operations, or the whole exceeds a thread of 32 lanes of dwords.
    Value* join(llvm::IRBuilder<>& ir, Value* low, Value* high);

private:
    [[nodiscard]] bool can_concatenate(Value* low, Value* high, unsigned depth);
    Value* build(llvm::IRBuilder<>& ir, Value* low, Value* high);

    std::map<std::pair<Value*, Value*>, bool> known_;
    std::map<std::pair<Value*, Value*>, Value*> wholes_;
};

} // namespace visor::jit
