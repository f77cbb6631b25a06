// A number for all that is in a context's memory, to compare runs of an application: bytes that differ give
// another number, except by a chance of one in 2^64. It is no protection against who wants them to agree.
#pragma once

#include "machine/memory.h"

#include <cstdint>

namespace visor::opencl {

// Of sizes and bytes of the allocations, by ascending addresses. Nothing may write there meanwhile.
[[nodiscard]] uint64_t digest_of(const machine::Memory& memory);

} // namespace visor::opencl
