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

constexpr unsigned long_code = 150;   // instructions of LLVM
constexpr int64_t longest_unit = 16;  // bytes from lane to lane
constexpr int64_t bytes_ahead = 2048; // measured: docs/performance.md

// Sites of flat messages that store (ir/memory_intrinsics.h).
std::set<const Value*> sites_of_stores(llvm::Function& function) {
    std::set<const Value*> sites;
    for (llvm::Instruction& code : llvm::instructions(function))
        if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&code);
            call != nullptr && is_stand_in(*call, stand_in::store_flat))
            sites.insert(call->getArgOperand(3));
    return sites;
}

// Rows that all lanes store may go past the caches (target/nontemporal_stores.h): such code is short mostly,
// and what is read beside them comes more slowly when it is asked for.
bool may_go_past_caches(const Stretch& stretch, const std::set<const Value*>& sites) {
    return llvm::any_of(stretch.messages, [&](const llvm::CallInst* message) {
        const bool stores = stretch.flat() ? sites.contains(message->getArgOperand(5))
                                           : is_stand_in(*message, stand_in::any_store);
        return stores && is_all(message->getArgOperand(1));
    });
}

// Lanes next to each other, and messages that lie in about the same lines.
bool is_row(const Stretch& stretch) {
    const int64_t row = stretch.step * stretch.lanes;
    return stretch.even && stretch.step <= longest_unit && stretch.high - stretch.low <= row + 2 * line_bytes;
}

void fetch(const Stretch& stretch) {
    llvm::IRBuilder<> ir(stretch.first());
    Value* const data = stretch.pointer(ir);
    for (int64_t at = 0; at < stretch.step * stretch.lanes; at += line_bytes)
        fetch_line(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), data, static_cast<uint64_t>(bytes_ahead + at)));
}

} // namespace

void fetch_rows_ahead(llvm::Function& function, bool eager) {
    if (!eager && function.getInstructionCount() < long_code)
        return;
    std::vector<Stretch> stretches = find_stretches(function, true);
    const std::set<const Value*> sites = sites_of_stores(function);
    if (llvm::any_of(stretches, [&](const Stretch& one) { return may_go_past_caches(one, sites); }))
        return;
    const llvm::DominatorTree dominators(function);
    for (const Stretch& stretch : once_a_thread(std::move(stretches), dominators))
        if (is_row(stretch))
            fetch(stretch);
}

} // namespace visor::jit
