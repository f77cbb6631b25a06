// A synthetic x86-64 program, made in memory: symbols of kernels and functions and their DWARF, without code.
// gdb reads it over the connection.
#pragma once

#include "debug/gdb/addresses.h"
#include "debug/gdb/dwarf.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace visor::debug::gdb {

[[nodiscard]] std::vector<std::byte> elf_of(std::span<const FunctionImage> functions,
                                            const std::string& directory);

// What the code says of its lines: an instruction without a line has that of the one before it.
[[nodiscard]] FunctionImage image_of(const PlacedCode& placed);

} // namespace visor::debug::gdb
