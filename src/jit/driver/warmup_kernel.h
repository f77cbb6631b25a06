// A small warm-up kernel for skl with something of what most kernels have. Parts of LLVM initialize
// themselves when they are first used: an idle worker compiles it (driver/worker_main.cpp).
#pragma once

#include <string_view>

namespace visor::jit {

inline constexpr std::string_view exercise = R"(.version 4.1
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
