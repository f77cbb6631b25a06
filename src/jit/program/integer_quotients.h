// Quotients of integers that the compiler computes in double precision, with directed rounding: x * r and
// x * r * (1 + 2^-38 - d * r) + x * r, where r is 1 / d in single precision. For |x| and |d| of up to 32 bits
// the last value is greater than x / d by more than its part 2^-39 and by less than 1 / (32 * d), so that its
// integer part is the quotient's in every rounding mode: errors of single operations are 2^-52 of it at most.
// Other modes than to nearest are slow on CPUs without AVX-512.
#pragma once

#include "jit/program/function_info.h"

namespace visor::jit {

// Sets the mode of instructions of such quotients to nearest (FunctionInfo::float_mode); needs roots,
// leaders, convergence and plain branches. Nothing else reads their results. Time: linear in the code, and in
// the blocks for each of the first 64 blocks with divisors.
void relax_integer_quotients(const Program& program, FunctionInfo& info);

} // namespace visor::jit
