// A small warm-up kernel for skl with constructs that most kernels have. LLVM initializes parts of itself at
// their first use, so an idle worker compiles this kernel (driver/worker_main.cpp).
#pragma once

#include <string_view>

namespace visor::jit {

inline constexpr std::string_view warmup_kernel = R"(.version 4.1
.kernel "exercise"
.decl V v_type=G type=ud num_elts=16 align=GRF
.decl F v_type=G type=f num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.decl S v_type=T num_elts=1
.input V offset=32 size=64
    mul (M1, 16) V(0,0)<1> V(0,0)<1;1,0> 0x4:ud
    gather_scaled.4 (M1, 16) S 0x0:ud V.0 F.0
    add (M1, 16) F(0,0)<1> F(0,0)<1;1,0> 0x3f800000:f
    cmp.lt (M1, 16) P1 F(0,0)<1;1,0> 0x0:f
    (P1) sel (M1, 16) V(0,0)<1> V(0,0)<1;1,0> 0x0:ud
    scatter_scaled.4 (M1, 16) S 0x0:ud V.0 F.0
    ret (M1, 1)
)";

} // namespace visor::jit
