// Loads a file as `visor run` does, and prepares each of its kernels; runs none.
#pragma once

#include "finding.h"

#include "vm/vm.h"

#include <string>
#include <string_view>

namespace visor::fuzz {

inline void load(std::string_view name, std::string_view content, const isa::Device& device) {
    vm::Context context(device);
    std::string warnings;
    vm::LoadOptions options;
    options.device = device.name;
    const auto program = context.load(name, content, options, warnings);
    if (!program) {
        require(!program.error().text.empty(), "the file is refused without a word");
        return require(program.error().kind != vm::ErrorKind::internal, program.error().text);
    }
    for (const vm::KernelFacts& kernel : vm::kernels(**program)) {
        const auto missing = vm::not_executed(**program, kernel.name);
        require(missing || missing.error().kind != vm::ErrorKind::internal, "an internal error");
    }
}

} // namespace visor::fuzz
