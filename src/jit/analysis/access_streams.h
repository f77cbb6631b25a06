// Access streams: messages with a common base at constant distances. The extent of a stream can be computed
// before the accesses (transform/demand_prefetch.h, transform/next_thread_prefetch.h).
#pragma once

#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <vector>

namespace visor::jit {

// Messages whose addresses differ by constants, with lanes in ascending order.
struct AccessStream {
    llvm::Value* base = nullptr; // lane 0 of the first message
    int64_t step = 0;            // bytes from lane to lane in the first message, on average
    bool even = true;            // the step is constant in all messages
    uint32_t lanes = 0;          // of the first message
    int64_t at = 0;              // distance of the first message from the root
    int64_t low = 0;             // the minimum over all messages
    int64_t high = 0;            // the end of the last lane, over all messages
    int64_t bytes = 0;           // sum of the messages' extents
    int64_t moved = 0;           // bytes of one lane that they access
    size_t units = 0;            // a flat message counts once
    // Their first units, in program order: accesses of one surface, or range checks of flat memory.
    std::vector<LaneIntrinsic*> messages;

    [[nodiscard]] LaneIntrinsic* first() const { return messages.front(); }
    [[nodiscard]] bool flat() const;
    // The pointer that identifies the surface; null: flat.
    [[nodiscard]] llvm::Value* surface() const;
    // The lowest address at the builder's insertion point, as i64: relative to the surface's begin.
    [[nodiscard]] llvm::Value* begin(llvm::IRBuilder<>& ir) const;
    [[nodiscard]] llvm::Value* pointer(llvm::IRBuilder<>& ir) const; // to it
};

// Sorted by their first messages: the generated code is deterministic. `stores`: include stores to surfaces.
// Flat range checks count for loads and stores alike, as stores read their lines as well. Needs memory
// intrinsics (ir/memory_intrinsics.h); inserts scalar code (analysis/lane_affine.h).
[[nodiscard]] std::vector<AccessStream> find_access_streams(llvm::Function& function, bool stores);

// The streams outside the kernel's loops. Only the translator's loop over threads encloses them.
[[nodiscard]] std::vector<AccessStream> once_per_thread(std::vector<AccessStream> streams,
                                                        const llvm::DominatorTree& dominators);

// Longer streams do not fit the L1 and L2 caches.
inline constexpr int64_t max_stream_bytes = 256 << 10;

} // namespace visor::jit
