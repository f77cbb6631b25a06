#include "cli/report/units.h"

#include "isa/opcode.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::cli {

std::expected<void, Failure> tell(const vm::Translated& translated, const Console& console) {
    console.warning(translated.read.warnings);
    for (size_t i = 0; i < translated.checked; ++i) {
        const vm::Unit& unit = translated.read.units[i];
        const bool usable = !translated.error || i + 1 < translated.checked;
        if (usable && !unit.from_compiler) // compilers have their habits
            console.warning(vm::render(unit, console.color()));
    }
    if (translated.error)
        return std::unexpected(failure(*translated.error));
    return {};
}

std::string device_text(const isa::Device* device) {
    return device == nullptr ? "any device" : device->name;
}

Size size_of(const Module& module) {
    Size size;
    for (const Function& function : module.functions) {
        ++(function.kind == FunctionKind::kernel ? size.kernels : size.functions);
        size.instructions +=
            static_cast<uint64_t>(std::ranges::count_if(function.code, [](const Instruction& instruction) {
                return instruction.row->opcode != isa::opcode::label &&
                       instruction.row->opcode != isa::opcode::subroutine;
            }));
    }
    return size;
}

std::string size_text(const Size& size) {
    std::string text = count_text(size.kernels, "kernel");
    if (size.functions > 0)
        text += ", " + count_text(size.functions, "function");
    return text + ", " + count_text(size.instructions, "instruction");
}

std::string size_text(const Module& module) {
    return size_text(size_of(module));
}

std::string count_text(uint64_t count, std::string_view thing) {
    return fmt::format("{} {}{}", grouped(count), thing, count == 1 ? "" : "s");
}

} // namespace visor::cli
