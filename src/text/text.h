// vISA text (.visaasm): what the compiler's own parser accepts and prints, read with located diagnostics and
// printed so that it re-parses to the same module.
#pragma once

#include "diagnostic/diagnostic.h"
#include "module/module.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::text {

struct Options {
    uint32_t grf_bytes = 32; // what %sizeof(GRF) and default alignments mean
    // A load of blocks is unaligned where it says nothing, whatever the version (ruling 144), and functions
    // know of it.
    bool from_compiler = false;
};

// All errors of the text go to `diagnostics`; a module comes back when there was none. Never throws; time
// linear in the text's size; no recursion on input depth.
[[nodiscard]] std::optional<Module> parse(std::string_view source, const Options& options,
                                          Diagnostics& diagnostics);

// What is left of a text whose errors all lie inside of kernels.
struct PartialModule {
    Module module;                    // without those kernels; it may have none
    std::vector<std::string> refused; // those kernels, by name
};
// As `parse`; `partial` is given what is left when there was an error.
[[nodiscard]] std::optional<Module> parse(std::string_view source, const Options& options,
                                          Diagnostics& diagnostics, std::optional<PartialModule>& partial);

// One line an instruction, in the compiler's spelling.
[[nodiscard]] std::string print(const Module& module);

// One instruction as `print` would show it, without indentation; for messages and traces.
[[nodiscard]] std::string print(const Function& function, const Instruction& instruction);

} // namespace visor::text
