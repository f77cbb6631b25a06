// Runs the outside reader, GenX_IR of Debian's libigc-tools, on a binary with one kernel and takes what it
// says. It knows nothing of ours but the bytes.
#pragma once

#include "isa/device.h"

#include <cstddef>
#include <expected>
#include <span>
#include <string>

namespace visor::oracle {

struct Reading {
    std::string text;
    std::string objections; // of its verifier, "" when it has none
};

// The error says what the reader did in place of printing a text.
[[nodiscard]] std::expected<Reading, std::string> read_outside(std::span<const std::byte> binary,
                                                               const isa::Device& device);

// The listing of the machine code that it generates; "" when there is none.
[[nodiscard]] std::string machine_code(std::span<const std::byte> binary, const isa::Device& device);

} // namespace visor::oracle
