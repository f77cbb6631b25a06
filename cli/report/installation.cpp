#include "cli/report/installation.h"

#include "compile/compile.h"
#include "isa/device.h"
#include "isa/features.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

namespace visor::cli {

namespace {

// The version of the one that is taken.
std::string compiler_for(const compile::CompilerList& compilers, std::string_view device) {
    for (const compile::CompilerFacts& one : compilers.found)
        if (std::ranges::find(one.devices, device) != one.devices.end())
            return one.version;
    return "none";
}

} // namespace

std::string device_table() {
    constexpr const char* row = "  {:<6} {:>4} {:<7} {:>5} {:>4} {:>4} {:>6} {:>6} {:>5} {:>8}  {}\n";
    std::string text = fmt::format(row, "name", "GRF", "SIMD", "int64", "fp64", "dpas", "images", "SLM",
                                   "group", "messages", "compiler here; description");
    const auto word = [](bool yes) { return yes ? "yes" : "no"; };
    const compile::CompilerList compilers = compile::list_compilers();
    for (const isa::Device& device : isa::devices())
        text += fmt::format(row, device.name, device.grf_bytes,
                            fmt::format("{}", fmt::join(isa::simd_widths(device), " ")), word(device.int64),
                            word(device.fp64), word(!isa::matrix_instructions(device).empty()),
                            word(isa::compiles_images(device)), device.slm_bytes, device.max_group_size,
                            device.lsc ? "LSC" : "legacy",
                            fmt::format("{}; {}", compiler_for(compilers, device.name), device.description));
    return text;
}

} // namespace visor::cli
