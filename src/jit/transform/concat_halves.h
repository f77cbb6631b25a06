// Re-concatenates split vectors: compilers split vectors into halves where instructions have fewer lanes
// than the thread. Where both halves are computed in the same way from halves, the whole vector is computed
// instead.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <utility>

namespace visor::jit {

// For one place in the code: what was made there for one whole serves the next.
class HalfConcatenation {
public:
    using Value = llvm::Value;

    // `low` and then `high`, two vectors of one type; made with `ir`, where both are known. Null: they were
    // not made alike, or of too much, or the whole would not fit a register.
    Value* join(llvm::IRBuilder<>& ir, Value* low, Value* high);

private:
    [[nodiscard]] bool can_concatenate(Value* low, Value* high, unsigned depth);
    Value* build(llvm::IRBuilder<>& ir, Value* low, Value* high);

    std::map<std::pair<Value*, Value*>, bool> known_;
    std::map<std::pair<Value*, Value*>, Value*> wholes_;
};

} // namespace visor::jit
