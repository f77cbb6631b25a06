// Stores that go past the caches: where a launch fills arrays that no cache holds, a line that is written
// whole need not be read first. Which stores these may be is told by `!nontemporal` (memory/store.cpp); at
// run time the launch has to be large, and the lines whole.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// `no` leaves stores as they are; `large`: of launches that store at least `past_caches_bytes` at one place
// of the code; `any`: of all launches, for tests.
enum class PastCaches : uint8_t { no, large, any };

inline constexpr uint64_t past_caches_bytes = uint64_t{32} << 20U;

// Of a function whose first argument is a State (jit/engine/runtime_abi.h). Before it returns, its stores are
// where others see them. Time: linear.
void store_past_caches(llvm::Function& function, PastCaches which);

} // namespace visor::jit
