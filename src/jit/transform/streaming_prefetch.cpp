#include "jit/transform/streaming_prefetch.h"

#include "jit/analysis/access_streams.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/prefetch.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <set>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

constexpr unsigned min_instructions = 150; // of LLVM IR
constexpr int64_t max_lane_step = 16;      // bytes from lane to lane
constexpr int64_t bytes_ahead = 2048;      // measured: docs/dev/jit-experiments.md

// Sites of flat stores (ir/memory_intrinsics.h).
std::set<uint32_t> sites_of_stores(llvm::Function& function) {
    std::set<uint32_t> sites;
    for (llvm::Instruction& code : llvm::instructions(function))
        if (const auto* const store = llvm::dyn_cast<MemStore>(&code); store != nullptr && store->flat())
            sites.insert(store->site());
    return sites;
}

// Stores of all lanes may become non-temporal (target/nontemporal_stores.h). Such code is mostly short, and
// prefetches slow its loads down.
bool may_be_nontemporal(const AccessStream& stream, const std::set<uint32_t>& sites) {
    return llvm::any_of(stream.messages, [&](const LaneIntrinsic* message) {
        const auto* const check = llvm::dyn_cast<RangeCheck>(message);
        const bool stores = check != nullptr ? sites.contains(check->site()) : llvm::isa<MemStore>(message);
        return stores && is_all(message->on());
    });
}

// Adjacent lanes, and messages within about the same lines.
bool is_row(const AccessStream& stream) {
    const int64_t row = stream.step * stream.lanes;
    return stream.even && stream.step <= max_lane_step && stream.high - stream.low <= row + 2 * line_bytes;
}

void prefetch(const AccessStream& stream) {
    llvm::IRBuilder<> ir(stream.first());
    prefetch_row(ir, stream.pointer(ir), bytes_ahead, stream.step * stream.lanes);
}

} // namespace

void prefetch_streams(llvm::Function& function, bool eager) {
    if (!eager && function.getInstructionCount() < min_instructions)
        return;
    std::vector<AccessStream> streams = find_access_streams(function, true);
    const std::set<uint32_t> sites = sites_of_stores(function);
    if (llvm::any_of(streams, [&](const AccessStream& one) { return may_be_nontemporal(one, sites); }))
        return;
    const llvm::DominatorTree dominators(function);
    for (const AccessStream& stream : once_per_thread(std::move(streams), dominators))
        if (is_row(stream))
            prefetch(stream);
}

} // namespace visor::jit
