#include "jit/next_thread.h"

#include "jit/line.h"
#include "jit/stretch.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>

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

void fetch(const Stretch& stretch, uint32_t simd) {
    llvm::IRBuilder<> ir(stretch.first);
    const int64_t span = stretch.step * stretch.lanes;
    const int64_t ahead = stretch.step * simd;
    Value* const data = ir.CreateGEP(ir.getInt8Ty(), stretch.surface(), stretch.begin(ir));
    for (int64_t at = ahead; at < ahead + span; at += line_bytes)
        fetch_line(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), data, static_cast<uint64_t>(at)));
}

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
    for (const auto& [key, stretch] : stretches)
        if (depth(stretch) == least && is_of_structures(stretch))
            fetch(stretch, simd);
}

} // namespace visor::jit
