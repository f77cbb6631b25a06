#include "jit/analysis/branch_weights.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/ProfDataUtils.h>

namespace visor::jit {

namespace {

// A cold edge is taken this many times less often than the other one.
constexpr uint64_t cold_ratio = 100;

} // namespace

bool is_cold_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
    const llvm::Instruction* const end = from.getTerminator();
    uint64_t first = 0;
    uint64_t second = 0;
    if (end->getNumSuccessors() != 2 || end->getSuccessor(0) == end->getSuccessor(1) ||
        !llvm::extractBranchWeights(*end, first, second))
        return false;
    const bool is_first = end->getSuccessor(0) == &to;
    return (is_first ? first : second) * cold_ratio < (is_first ? second : first);
}

} // namespace visor::jit
