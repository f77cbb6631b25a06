// Non-temporal stores (streaming stores): where a launch fills arrays that no cache holds, a line that is
// written whole need not be read first. `!nontemporal` marks the candidates (memory/store.cpp); at run time
// the launch has to be large, and the lines whole.
#pragma once

#include <llvm/IR/Function.h>

#include <cstdint>

namespace visor::jit {

// `no` leaves stores as they are; `large`: of launches that store at least `nontemporal_bytes` at one place
// of the code; `any`: of all launches, for tests.
enum class NontemporalStores : uint8_t { no, large, any };

inline constexpr uint64_t nontemporal_bytes = uint64_t{32} << 20U;

// Of a function whose first argument is a State (jit/engine/runtime_abi.h). Before it returns, its stores are
// where others see them. Time: linear.
void use_nontemporal_stores(llvm::Function& function, NontemporalStores which);

} // namespace visor::jit
