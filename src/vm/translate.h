// Converts code without running it: text to a binary, any file with vISA to text, OpenCL C through the
// external compiler. For the command line and the C API; writes no file.
#pragma once

#include "vm/units.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::vm {

// The units, each checked up to the first unusable one.
struct Translated {
    Units read;
    std::optional<Error> error;   // of the last unit checked; there is no result then
    size_t checked = 0;           // units
    Module module;                // all units as one
    std::vector<std::byte> bytes; // the binary
    std::string text;             // the disassembly
};
// Error: the input as a whole is not what it should be.
[[nodiscard]] std::expected<Translated, Error> assemble(std::string_view name, std::string_view content,
                                                        const UnitsRequest& request);
[[nodiscard]] std::expected<Translated, Error> disassemble(std::string_view name, std::string_view content,
                                                           const UnitsRequest& request);

// A fragment: .decl lines, then instructions. Its unit has the fragment's own places; it has been checked.
[[nodiscard]] Unit check_snippet(std::string_view name, std::string_view content, verify::Profile profile,
                                 const isa::Device* device, size_t max_errors);
// The default profile of a unit.
[[nodiscard]] verify::Profile default_profile(const Unit& unit);
// The unit's messages with its warnings made errors, where that is wanted.
[[nodiscard]] Diagnostics with_warnings_as_errors(const Unit& unit, bool wanted, size_t max_errors);

enum class Emit : uint8_t { zebin, spirv, visa_text };
struct CompileRequest {
    Emit emit = Emit::zebin;
    std::string kernel; // visa_text: this one only; "": all
    const isa::Device* device = nullptr;
    std::string compiler; // as LoadOptions has it
    double time_limit = 60;
    std::string options;
    std::vector<std::string> include_folders;
    Color color = Color::off;
};
struct Compiled {
    std::vector<std::byte> content;
    std::string log; // the compiler's warnings
    size_t kernels = 0;
    double seconds = 0;
    bool from_cache = false;
};
// OpenCL C or SPIR-V. `log` gets the compiler's warnings even if the requested output fails.
[[nodiscard]] std::expected<Compiled, Error> compile_to(std::string_view name, std::string_view content,
                                                        const CompileRequest& request, std::string& log);

} // namespace visor::vm
