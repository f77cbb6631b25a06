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

using llvm::Value;

constexpr unsigned min_instructions = 150; // of LLVM IR
constexpr int64_t max_lane_step = 16;      // bytes from lane to lane
constexpr int64_t bytes_ahead = 2048;      // measured: docs/dev/jit-experiments.md

// Sites of flat stores (ir/memory_intrinsics.h).
std::set<const Value*> sites_of_stores(llvm::Function& function) {
    std::set<const Value*> sites;
    for (llvm::Instruction& code : llvm::instructions(function))
        if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&code);
            call != nullptr && is_memory_intrinsic(*call, intrinsics::store_flat))
            sites.insert(call->getArgOperand(3));
    return sites;
}

// Stores of all lanes may become non-temporal (target/nontemporal_stores.h). Such code is mostly short, and
// prefetches slow its loads down.
bool may_be_nontemporal(const AccessStream& stream, const std::set<const Value*>& sites) {
    return llvm::any_of(stream.messages, [&](const llvm::CallInst* message) {
        const bool stores = stream.flat() ? sites.contains(message->getArgOperand(5))
                                          : is_memory_intrinsic(*message, intrinsics::any_store);
        return stores && is_all(message->getArgOperand(1));
    });
}

// Adjacent lanes, and messages within about the same lines.
bool is_row(const AccessStream& stream) {
    const int64_t row = stream.step * stream.lanes;
    return stream.even && stream.step <= max_lane_step && stream.high - stream.low <= row + 2 * line_bytes;
}

void prefetch(const AccessStream& stream) {
    llvm::IRBuilder<> ir(stream.first());
    Value* const data = stream.pointer(ir);
    for (int64_t at = 0; at < stream.step * stream.lanes; at += line_bytes)
        prefetch_line(ir,
                      ir.CreateConstGEP1_64(ir.getInt8Ty(), data, static_cast<uint64_t>(bytes_ahead + at)));
}

} // namespace

void prefetch_streams(llvm::Function& function, bool eager) {
    if (!eager && function.getInstructionCount() < min_instructions)
        return;
    std::vector<AccessStream> streams = find_access_streams(function, true);
    const std::set<const Value*> sites = sites_of_stores(function);
    if (llvm::any_of(streams, [&](const AccessStream& one) { return may_be_nontemporal(one, sites); }))
        return;
    const llvm::DominatorTree dominators(function);
    for (const AccessStream& stream : once_per_thread(std::move(streams), dominators))
        if (is_row(stream))
            prefetch(stream);
}

} // namespace visor::jit
