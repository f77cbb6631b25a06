#include "jit/next_thread.h"

#include "jit/line.h"
#include "jit/stretch.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <iterator>
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

// The longest run of instructions behind `first`, in its block, that have nothing to do with memory.
std::vector<llvm::Instruction*> longest_run_behind(llvm::Instruction& first) {
    std::vector<llvm::Instruction*> longest;
    std::vector<llvm::Instruction*> run;
    for (llvm::Instruction* at = &first; at != nullptr; at = at->getNextNode()) {
        if (!at->mayReadOrWriteMemory() && !at->isTerminator()) {
            run.push_back(at);
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
    explicit Asking(llvm::Instruction& first) : run_(longest_run_behind(first)) {}

    void add(const Stretch& stretch) {
        const bool in_time = !run_.empty() && stretch.first->comesBefore(run_.front());
        (in_time ? early_ : late_).push_back(&stretch);
    }

    void ask(uint32_t simd) {
        for (const Stretch* const stretch : late_)
            for (const auto& [data, at] : lines_of(*stretch, simd))
                fetch(stretch->first, data, at);
        std::vector<Line> lines;
        for (const Stretch* const stretch : early_)
            std::ranges::copy(lines_of(*stretch, simd), std::back_inserter(lines));
        for (size_t k = 0; k < lines.size(); ++k)
            fetch(run_[k * run_.size() / lines.size()], lines[k].first, lines[k].second);
    }

private:
    using Line = std::pair<Value*, int64_t>; // bytes behind

    static std::vector<Line> lines_of(const Stretch& stretch, uint32_t simd) {
        llvm::IRBuilder<> ir(stretch.first);
        const int64_t span = stretch.step * stretch.lanes;
        const int64_t ahead = stretch.step * simd;
        Value* const data = ir.CreateGEP(ir.getInt8Ty(), stretch.surface(), stretch.begin(ir));
        std::vector<Line> lines;
        for (int64_t at = ahead; at < ahead + span; at += line_bytes)
            lines.emplace_back(data, at);
        return lines;
    }
    static void fetch(llvm::Instruction* before, Value* data, int64_t at) {
        llvm::IRBuilder<> ir(before);
        fetch_line(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), data, static_cast<uint64_t>(at)));
    }

    std::vector<llvm::Instruction*> run_;
    std::vector<const Stretch*> early_; // known before the run
    std::vector<const Stretch*> late_;
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
    llvm::MapVector<llvm::BasicBlock*, Asking> asking;
    for (const auto& [key, stretch] : stretches)
        if (depth(stretch) == least && is_of_structures(stretch))
            asking.try_emplace(stretch.first->getParent(), *stretch.first).first->second.add(stretch);
    for (auto& [block, lines] : asking)
        lines.ask(simd);
}

} // namespace visor::jit
