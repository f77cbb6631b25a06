#include "jit/transform/next_thread_prefetch.h"

#include "jit/analysis/access_streams.h"
#include "jit/ir/prefetch.h"

#include <llvm/ADT/MapVector.h>
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
// Of rows, a lane's each, that are moved by so many messages.
constexpr int64_t longest_row = 1024;
constexpr size_t least_messages = 4;

// Whether its messages move half of what they lie in, or more.
bool is_dense(const Stretch& stretch) {
    return stretch.even && stretch.moved >= stretch.step / 2 &&
           stretch.high - stretch.low <= 2 * stretch.step * stretch.lanes;
}

bool is_of_structures(const Stretch& stretch) {
    return !stretch.flat() && stretch.step >= least_bytes && stretch.step <= most_bytes && is_dense(stretch);
}

// No CPU reads ahead in so many rows at a time, however short the thread.
bool is_of_rows(const Stretch& stretch, const llvm::DominatorTree& dominators) {
    const auto& all = stretch.messages;
    return stretch.step >= line_bytes && stretch.step <= longest_row && all.size() >= least_messages &&
           is_dense(stretch) && llvm::all_of(llvm::drop_begin(all), [&](const llvm::CallInst* message) {
               return dominators.dominates(stretch.first(), message);
           });
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

using Line = std::pair<Value*, int64_t>; // bytes behind

// Of the next thread, in `span` bytes from where its part begins.
std::vector<Line> lines_of(const Stretch& stretch, int64_t span, uint32_t simd) {
    llvm::IRBuilder<> ir(stretch.first());
    Value* const data = stretch.pointer(ir);
    const int64_t ahead = stretch.step * simd;
    std::vector<Line> lines;
    for (int64_t at = ahead; at < ahead + span; at += line_bytes)
        lines.emplace_back(data, at);
    return lines;
}

void fetch(llvm::Instruction* before, const Line& line) {
    llvm::IRBuilder<> ir(before);
    fetch_line(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), line.first, static_cast<uint64_t>(line.second)));
}

// A thread's lines are more than a CPU waits for at a time: one is asked for now and then, while it computes.
class Asking {
public:
    explicit Asking(llvm::Instruction& first) : run_(longest_run_behind(first)) {}

    void add(const Stretch& stretch) {
        const bool in_time = !run_.empty() && stretch.first()->comesBefore(run_.front());
        (in_time ? early_ : late_).push_back(&stretch);
    }

    void ask(uint32_t simd) {
        const auto all = [&](const Stretch& stretch) {
            return lines_of(stretch, stretch.step * stretch.lanes, simd);
        };
        for (const Stretch* const stretch : late_)
            for (const Line& line : all(*stretch))
                fetch(stretch->first(), line);
        std::vector<Line> lines;
        for (const Stretch* const stretch : early_)
            std::ranges::copy(all(*stretch), std::back_inserter(lines));
        for (size_t k = 0; k < lines.size(); ++k)
            fetch(run_[k * run_.size() / lines.size()], lines[k]);
    }

private:
    std::vector<llvm::Instruction*> run_;
    std::vector<const Stretch*> early_; // known before the run
    std::vector<const Stretch*> late_;
};

// Each message of rows asks for its share.
void ask_by_messages(const Stretch& stretch, uint32_t simd) {
    const int64_t rows = (stretch.high - stretch.low) / stretch.step;
    const std::vector<Line> lines = lines_of(stretch, rows * stretch.step, simd);
    for (size_t k = 0; k < lines.size(); ++k)
        fetch(stretch.messages[k * stretch.messages.size() / lines.size()], lines[k]);
}

} // namespace

void fetch_for_next_thread(llvm::Function& function, uint32_t simd, bool eager) {
    const bool is_long = eager || function.getInstructionCount() >= long_thread;
    std::vector<Stretch> all = find_stretches(function, true);
    const llvm::DominatorTree dominators(function);
    const std::vector<Stretch> stretches = once_a_thread(std::move(all), dominators);
    llvm::MapVector<llvm::BasicBlock*, Asking> asking;
    for (const Stretch& stretch : stretches) {
        if (is_long && is_of_structures(stretch))
            asking.try_emplace(stretch.first()->getParent(), *stretch.first()).first->second.add(stretch);
        else if (is_of_rows(stretch, dominators))
            ask_by_messages(stretch, simd);
    }
    for (auto& [block, lines] : asking)
        lines.ask(simd);
}

} // namespace visor::jit
