// A 64-bit hash of a context's memory, to compare runs of an application. It is not cryptographic.
#pragma once

#include "machine/memory.h"

#include <cstdint>

namespace visor::opencl {

// Hashes sizes and bytes of the allocations, by ascending addresses. No concurrent writes.
[[nodiscard]] uint64_t digest_of(const machine::Memory& memory);

} // namespace visor::opencl
