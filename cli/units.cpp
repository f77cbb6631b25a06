#include "cli/units.h"

#include "isa/opcode.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>

namespace visor::cli {

std::expected<void, Failure> check_before_use(vm::Unit& unit, const isa::Device* device,
                                              const Console& console) {
    vm::check_before_use(unit, device);
    if (!unit.module || !unit.diagnostics.ok())
        return std::unexpected(failure(vm::error_of(unit, console.color())));
    if (!unit.from_compiler) // compilers have their habits
        console.warning(vm::render(unit, console.color()));
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

void append(Module& all, Module more) {
    if (all.functions.empty() || std::tie(more.major, more.minor) > std::tie(all.major, all.minor)) {
        all.major = more.major;
        all.minor = more.minor;
    }
    all.modern_suffixes = all.modern_suffixes || more.modern_suffixes;
    std::ranges::move(more.functions, std::back_inserter(all.functions));
}

} // namespace visor::cli
