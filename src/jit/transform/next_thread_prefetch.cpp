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

// Of LLVM IR, mostly vector operations: some hundred nanoseconds.
constexpr unsigned min_instructions = 1000;
// Of a lane. Shorter structures share few lines; the last lines of longer ones are read late anyway.
constexpr int64_t min_struct_bytes = 16;
constexpr int64_t max_struct_bytes = 128;
// Of one row per lane, which several messages access.
constexpr int64_t max_row_bytes = 1024;
constexpr size_t min_messages = 4;

// True if messages access at least half of the stream's extent.
bool is_dense(const AccessStream& stream) {
    return stream.even && stream.moved >= stream.step / 2 &&
           stream.high - stream.low <= 2 * stream.step * stream.lanes;
}

bool is_of_structures(const AccessStream& stream) {
    return !stream.flat() && stream.step >= min_struct_bytes && stream.step <= max_struct_bytes &&
           is_dense(stream);
}

// No hardware prefetcher follows so many rows at a time, however short the thread.
bool is_of_rows(const AccessStream& stream, const llvm::DominatorTree& dominators) {
    const auto& all = stream.messages;
    return stream.step >= line_bytes && stream.step <= max_row_bytes && all.size() >= min_messages &&
           is_dense(stream) && llvm::all_of(llvm::drop_begin(all), [&](const llvm::CallInst* message) {
               return dominators.dominates(stream.first(), message);
           });
}

// The longest run of instructions after `first`, in its block, without memory accesses.
std::vector<llvm::Instruction*> longest_run_after(llvm::Instruction& first) {
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

using Line = std::pair<Value*, int64_t>; // from it

// The next thread's lines, in `span` bytes of its part.
std::vector<Line> lines_of(const AccessStream& stream, int64_t span, uint32_t simd) {
    llvm::IRBuilder<> ir(stream.first());
    Value* const data = stream.pointer(ir);
    const int64_t ahead = stream.step * simd;
    std::vector<Line> lines;
    for (int64_t at = ahead; at < ahead + span; at += line_bytes)
        lines.emplace_back(data, at);
    return lines;
}

void prefetch(llvm::Instruction* before, const Line& line) {
    llvm::IRBuilder<> ir(before);
    prefetch_line(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), line.first, static_cast<uint64_t>(line.second)));
}

// A thread's lines exceed the CPU's outstanding misses: spreads prefetches over the computation.
class PrefetchPlacement {
public:
    explicit PrefetchPlacement(llvm::Instruction& first) : run_(longest_run_after(first)) {}

    void add(const AccessStream& stream) {
        const bool is_known_before_run = !run_.empty() && stream.first()->comesBefore(run_.front());
        (is_known_before_run ? before_run_ : after_run_).push_back(&stream);
    }

    void place(uint32_t simd) {
        const auto all = [&](const AccessStream& stream) {
            return lines_of(stream, stream.step * stream.lanes, simd);
        };
        for (const AccessStream* const stream : after_run_)
            for (const Line& line : all(*stream))
                prefetch(stream->first(), line);
        std::vector<Line> lines;
        for (const AccessStream* const stream : before_run_)
            std::ranges::copy(all(*stream), std::back_inserter(lines));
        for (size_t k = 0; k < lines.size(); ++k)
            prefetch(run_[k * run_.size() / lines.size()], lines[k]);
    }

private:
    std::vector<llvm::Instruction*> run_;
    std::vector<const AccessStream*> before_run_; // address available before the run
    std::vector<const AccessStream*> after_run_;
};

// Distributes the prefetches over the messages.
void prefetch_at_messages(const AccessStream& stream, uint32_t simd) {
    const int64_t rows = (stream.high - stream.low) / stream.step;
    const std::vector<Line> lines = lines_of(stream, rows * stream.step, simd);
    for (size_t k = 0; k < lines.size(); ++k)
        prefetch(stream.messages[k * stream.messages.size() / lines.size()], lines[k]);
}

} // namespace

void prefetch_for_next_thread(llvm::Function& function, uint32_t simd, bool eager) {
    const bool is_long = eager || function.getInstructionCount() >= min_instructions;
    std::vector<AccessStream> all = find_access_streams(function, true);
    const llvm::DominatorTree dominators(function);
    const std::vector<AccessStream> streams = once_per_thread(std::move(all), dominators);
    llvm::MapVector<llvm::BasicBlock*, PrefetchPlacement> placements;
    for (const AccessStream& stream : streams) {
        if (is_long && is_of_structures(stream))
            placements.try_emplace(stream.first()->getParent(), *stream.first()).first->second.add(stream);
        else if (is_of_rows(stream, dominators))
            prefetch_at_messages(stream, simd);
    }
    for (auto& [block, lines] : placements)
        lines.place(simd);
}

} // namespace visor::jit
