// vISA binaries (.isa, "CISA"): read with located diagnostics into the same plain data as text, and written
// in version 4.1, the newest that has a binary form. What an instruction's fields are comes from the rows of
// isa/; what a file and an operand consist of stands once, in layout.h, for both directions.
#pragma once

#include "diagnostic/diagnostic.h"
#include "module/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace visor::binary {

struct Options {
    uint32_t grf_bytes = 32; // what a row of an address-of operand means
};

// Whether the file begins as a vISA binary does.
[[nodiscard]] bool is_binary(std::span<const std::byte> file);

// Every error that can be told apart goes to `diagnostics`, located by its byte offset; a module comes back
// when there was none. Versions 3.0 to 4.1. The kernels come first, then the functions. Never throws; time
// and memory are linear in the file's size.
[[nodiscard]] std::optional<Module> read(std::span<const std::byte> file, const Options& options,
                                         Diagnostics& diagnostics);

// Always version 4.1. What the format cannot hold is an error that names it, at the location that the module
// has for it. Lost without a word: locations, the module's version, v_name, and the order of kernels among
// functions.
[[nodiscard]] std::optional<std::vector<std::byte>> write(const Module& module, const Options& options,
                                                          Diagnostics& diagnostics);

} // namespace visor::binary
