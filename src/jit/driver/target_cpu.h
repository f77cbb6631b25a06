// The CPU that code is generated for, and LLVM's description of it.
#pragma once

#include "jit/engine/object.h"
#include "jit/target/nontemporal_stores.h"

#include <llvm/Target/TargetMachine.h>

#include <expected>
#include <memory>
#include <string>

namespace visor::jit {

struct TargetCpu {
    std::string name;
    std::string features;      // as LLVM's -mattr
    bool half_convert = false; // converts between half and single
    bool fma = false;          // fused multiplications
    NontemporalStores nontemporal = NontemporalStores::no;
    bool avx512 = false; // BW, DQ and VL: fast gathers, masks, embedded rounding, estimates
};

[[nodiscard]] TargetCpu target_cpu(Level level);

// Error: LLVM's reason. Needs initialize_target() (driver/pipeline.h).
[[nodiscard]] std::expected<std::unique_ptr<llvm::TargetMachine>, std::string>
create_target_machine(const TargetCpu& cpu, Tier tier);

} // namespace visor::jit
