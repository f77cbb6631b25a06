#include "jit/transform/loop_data_prefetch.h"

#include "jit/analysis/access_streams.h"
#include "jit/analysis/induction_step.h"
#include "jit/ir/prefetch.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

// Of a loop, in LLVM IR, mostly vector operations: misses of shorter ones overlap
// (docs/dev/jit-experiments.md).
constexpr size_t min_instructions = 256;
constexpr unsigned loops_over_threads = 2; // of groups, and of a group's threads (translate/thread_loop.h)
constexpr int64_t min_step = 2048;         // bytes: hardware prefetchers follow shorter ones
constexpr int64_t max_row_bytes = 256;     // of all lanes

// One loop, which must not change during queries.
class LoopSteps {
public:
    explicit LoopSteps(const llvm::Loop& loop) : loop_(loop), constant_(loop) {}

    std::optional<int64_t> constant(Value* value) { return constant_.of(value); }

    // Whether a value moves by the same in each iteration, if by how much is unknown: computed from invariant
    // values and phis alone, and not from what is loaded. A guess, in cycles: what is wrong costs a prefetch.
    bool is_regular(Value* value, unsigned depth = 0) {
        auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
        if (instruction == nullptr || !loop_.contains(instruction))
            return true;
        if (depth == max_depth || instruction->mayReadOrWriteMemory() ||
            llvm::isa<llvm::CallBase>(instruction))
            return false;
        if (const auto [found, is_new] = regular_.try_emplace(value, true); !is_new) // true ends cycles
            return found->second;
        auto operands = instruction->operands();
        if (llvm::isa<llvm::SelectInst>(instruction))
            operands = llvm::drop_begin(operands); // a lane that has ended keeps its value
        const bool result =
            llvm::all_of(operands, [&](const llvm::Use& use) { return is_regular(use.get(), depth + 1); });
        regular_[value] = result;
        return result;
    }

private:
    static constexpr unsigned max_depth = 24;

    const llvm::Loop& loop_;
    InductionSteps constant_;
    std::map<Value*, bool> regular_;
};

// One of the kernel's own loops.
bool is_long(const llvm::Loop& loop, size_t least) {
    size_t instructions = 0;
    for (const llvm::BasicBlock* const block : loop.blocks())
        instructions += block->size();
    return loop.getLoopDepth() > loops_over_threads && instructions >= least;
}

// Where the loop is entered.
void store_at_entries(const llvm::Loop& loop, Value* value, llvm::AllocaInst* to) {
    for (llvm::BasicBlock* const before : llvm::predecessors(loop.getHeader()))
        if (!loop.contains(before))
            llvm::IRBuilder<>(before->getTerminator()).CreateStore(value, to);
}

// From this iteration's address to the next one's. Where no constant is known it is what lies behind the last
// one's, and nothing in the first iteration: addresses of no page cost as much as those that are needed.
Value* distance_to_next(llvm::IRBuilder<>& ir, const llvm::Loop& loop, Value* address,
                        std::optional<int64_t> step) {
    if (step)
        return ir.getInt64(static_cast<uint64_t>(*step));
    llvm::BasicBlock& entry = loop.getHeader()->getParent()->getEntryBlock();
    llvm::AllocaInst* const kept =
        llvm::IRBuilder<>(&*entry.getFirstInsertionPt()).CreateAlloca(ir.getInt64Ty());
    store_at_entries(loop, ir.getInt64(0), kept);
    Value* const last = ir.CreateLoad(ir.getInt64Ty(), kept);
    ir.CreateStore(address, kept);
    Value* const is_first = ir.CreateICmpEQ(last, ir.getInt64(0));
    return ir.CreateSelect(is_first, last, ir.CreateSub(address, last));
}

void prefetch_next(const AccessStream& stream, const llvm::Loop& loop, std::optional<int64_t> step) {
    llvm::IRBuilder<> ir(stream.first());
    Value* const begin = stream.begin(ir);
    Value* const distance = distance_to_next(ir, loop, begin, step);
    Value* const row = ir.CreateGEP(ir.getInt8Ty(), stream.pointer(ir), distance);
    prefetch_row(ir, row, 0, stream.step * stream.lanes);
}

} // namespace

void prefetch_next_iterations(llvm::Function& function, bool eager) {
    const size_t least = eager ? 0 : min_instructions;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    std::map<const llvm::Loop*, LoopSteps> long_loops;
    for (const llvm::Loop* const loop : loops.getLoopsInPreorder())
        if (is_long(*loop, least))
            long_loops.try_emplace(loop, *loop);
    if (long_loops.empty())
        return;
    struct Far {
        AccessStream stream;
        const llvm::Loop* loop;
        std::optional<int64_t> step;
    };
    std::vector<Far> all; // before anything changes
    for (AccessStream& stream : find_access_streams(function, false)) {
        const auto found = long_loops.find(loops.getLoopFor(stream.first()->getParent()));
        if (found == long_loops.end() || !stream.even || stream.step * stream.lanes > max_row_bytes)
            continue;
        const auto step = found->second.constant(stream.base);
        if (step ? std::abs(*step) >= min_step : found->second.is_regular(stream.base))
            all.push_back({std::move(stream), found->first, step});
    }
    for (const Far& one : all)
        prefetch_next(one.stream, *one.loop, one.step);
}

} // namespace visor::jit
