// Access streams: messages of lanes with a common base, apart from known distances. What they read together
// can be computed before they do (transform/demand_prefetch.h, transform/next_thread_prefetch.h).
#pragma once

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <vector>

namespace visor::jit {

// Messages at one place, apart from numbers, whose lanes lie one behind the other.
struct AccessStream {
    llvm::Value* base = nullptr;           // of the first one's lanes
    int64_t step = 0;                      // bytes from lane to lane, of the first one, in the mean
    bool even = true;                      // and of each lane in each of them
    uint32_t lanes = 0;                    // of the first one
    int64_t at = 0;                        // the first one's distance from the root
    int64_t low = 0;                       // the least one of all
    int64_t high = 0;                      // behind the last lane's of all
    int64_t bytes = 0;                     // that all of them reach over, each for itself
    int64_t moved = 0;                     // of those the ones that a lane moves
    size_t units = 0;                      // of flat messages, which are asked for once each, messages
    std::vector<llvm::CallInst*> messages; // the first unit of each, as they run

    [[nodiscard]] llvm::CallInst* first() const { return messages.front(); }
    [[nodiscard]] bool flat() const;
    // What tells the surface; null: flat.
    [[nodiscard]] llvm::Value* surface() const;
    // Where the lowest lane of all begins, at the builder's place: an i64, from the surface's begin.
    [[nodiscard]] llvm::Value* begin(llvm::IRBuilder<>& ir) const;
    [[nodiscard]] llvm::Value* pointer(llvm::IRBuilder<>& ir) const; // there
};

// In the order of their first messages, so that the same program is the same code. `stores`: of surfaces,
// too; flat ones are asked for as loads are, and read their lines as well. Wants memory intrinsics
// (ir/memory_intrinsics.h); adds numbers to the code (analysis/lane_affine.h).
[[nodiscard]] std::vector<AccessStream> find_access_streams(llvm::Function& function, bool stores);

// Those of them that are in no loop of the kernel's: threads follow each other in loops of the code's own.
[[nodiscard]] std::vector<AccessStream> once_per_thread(std::vector<AccessStream> streams,
                                                        const llvm::DominatorTree& dominators);

// Longer ones do not fit the nearest caches.
inline constexpr int64_t max_stream_bytes = 256 << 10;

} // namespace visor::jit
