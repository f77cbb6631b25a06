// Non-temporal stores (streaming stores): a launch that fills arrays larger than the caches need not read a
// line before it writes all of it. `!nontemporal` marks the candidates (memory/store.cpp); at run time the
// launch has to be large, and the store line-aligned.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// `no` leaves stores as they are; `large`: in launches where one store instruction writes at least
// `nontemporal_bytes`; `any`: in all launches, for tests.
enum class NontemporalStores : uint8_t { no, large, any };

inline constexpr uint64_t nontemporal_bytes = uint64_t{32} << 20U;

// The function's first argument is a State (jit/engine/runtime_abi.h). Fences before its returns make the
// stores visible. Time: linear.
void use_nontemporal_stores(llvm::Function& function, NontemporalStores which);

} // namespace visor::jit
