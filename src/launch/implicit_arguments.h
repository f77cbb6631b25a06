// Implicit arguments of called functions: the launch's sizes, ids and printf buffer, in one block outside of
// the kernel's payload (launch ABI 2.10). The kernel itself never reads it.
#pragma once

#include "isa/device.h"
#include "launch/geometry.h"
#include "launch/signature.h"
#include "machine/memory.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace visor::launch {

struct ImplicitArguments {
    std::vector<std::byte> block;
    uint64_t address = 0; // of a copy in device memory, to be freed; the table of local ids follows it
};

[[nodiscard]] std::expected<ImplicitArguments, std::string>
place_implicit_arguments(const Signature& signature, const isa::Device& device, const Shape& shape,
                         const Region& region, uint64_t printf_buffer, machine::Memory& memory);

} // namespace visor::launch
