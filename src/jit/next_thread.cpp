#include "jit/next_thread.h"

#include "jit/line.h"
#include "jit/stretch.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

// Instructions of LLVM, of lanes most of them: some hundred nanoseconds.
constexpr unsigned long_thread = 1000;
// Of a lane. Shorter structures are in few lines, and the last ones of longer ones are read late.
constexpr int64_t least_bytes = 16;
constexpr int64_t most_bytes = 128;
constexpr int64_t unit_bytes = 4;

// Whether its messages move half of each structure, or more. Flat ones are asked for once a message.
bool is_of_structures(const Stretch& stretch) {
    const auto units = static_cast<int64_t>(stretch.count);
    return !stretch.flat() && stretch.step >= least_bytes && stretch.step <= most_bytes &&
           units * unit_bytes >= stretch.step / 2 &&
           stretch.high - stretch.low <= 2 * stretch.step * stretch.lanes;
}

// The longest run of instructions of a block that have nothing to do with memory.
std::vector<llvm::Instruction*> longest_run(llvm::BasicBlock& block) {
    std::vector<llvm::Instruction*> longest;
    std::vector<llvm::Instruction*> run;
    for (llvm::Instruction& instruction : block) {
        if (llvm::isa<llvm::PHINode>(instruction))
            continue;
        if (!instruction.mayReadOrWriteMemory() && !instruction.isTerminator()) {
            run.push_back(&instruction);
            continue;
        }
        if (run.size() > longest.size())
            longest.swap(run);
        run.clear();
    }
    return longest;
}

// A thread's lines are more than a CPU waits for at a time: one is asked for now and then, while it computes.
class Asking {
public:
    explicit Asking(llvm::BasicBlock& block) : run_(longest_run(block)) {}

    void ask_for(const Stretch& stretch, uint32_t simd) {
        llvm::IRBuilder<> ir(stretch.first);
        const int64_t span = stretch.step * stretch.lanes;
        const int64_t ahead = stretch.step * simd;
        Value* const data = ir.CreateGEP(ir.getInt8Ty(), stretch.surface(), stretch.begin(ir));
        const bool comes_before = !run_.empty() && stretch.first->comesBefore(run_.front());
        for (int64_t at = ahead; at < ahead + span; at += line_bytes)
            if (comes_before)
                later_.emplace_back(data, at);
            else
                fetch(ir, data, at);
    }
    void spread() {
        for (size_t k = 0; k < later_.size(); ++k) {
            llvm::IRBuilder<> ir(run_[k * run_.size() / later_.size()]);
            fetch(ir, later_[k].first, later_[k].second);
        }
    }

private:
    static void fetch(llvm::IRBuilder<>& ir, Value* data, int64_t at) {
        fetch_line(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), data, static_cast<uint64_t>(at)));
    }

    std::vector<llvm::Instruction*> run_;
    std::vector<std::pair<Value*, int64_t>> later_; // what is asked for there
};

} // namespace

void fetch_for_next_thread(llvm::Function& function, uint32_t simd, bool eager) {
    if (!eager && function.getInstructionCount() < long_thread)
        return;
    const Stretches stretches = find_stretches(function, true);
    llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    const auto depth = [&](const Stretch& stretch) { return loops.getLoopDepth(stretch.first->getParent()); };
    unsigned least = UINT32_MAX; // threads follow each other in loops of the code's own
    for (const auto& [key, stretch] : stretches)
        least = std::min(least, depth(stretch));
    std::map<llvm::BasicBlock*, Asking> asking;
    for (const auto& [key, stretch] : stretches)
        if (depth(stretch) == least && is_of_structures(stretch)) {
            llvm::BasicBlock* const block = stretch.first->getParent();
            asking.try_emplace(block, *block).first->second.ask_for(stretch, simd);
        }
    for (auto& [block, lines] : asking)
        lines.spread();
}

} // namespace visor::jit
