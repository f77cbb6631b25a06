#include "damage.h"
#include "difference.h"
#include "marks.h"
#include "property.h"

#include "binary/binary.h"
#include "isa/device.h"
#include "isa/opcode.h"
#include "text/text.h"
#include "verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <expected>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace visor::generator {

namespace {

using Bytes = std::vector<std::byte>;

std::string rendered(const Diagnostics& diagnostics) {
    return render(diagnostics, {"binary", {}, true}, Color::off);
}

std::string first_difference(const Bytes& a, const Bytes& b) {
    const auto [at, unused] = std::ranges::mismatch(a, b);
    return fmt::format("byte 0x{:x}, of {} and {} bytes", at - a.begin(), a.size(), b.size());
}

// What a binary loses without a word: version, v_name, and the order of kernels among functions.
Module as_in_binary(Module module) {
    module.major = 4;
    module.minor = 1;
    module.modern_suffixes = false;
    std::vector<Function> ordered;
    for (const FunctionKind kind : {FunctionKind::kernel, FunctionKind::global_function})
        std::ranges::copy_if(module.functions, std::back_inserter(ordered),
                             [kind](const Function& function) { return function.kind == kind; });
    module.functions = std::move(ordered);
    for (Function& function : module.functions) {
        for (OtherVariable& variable : function.samplers)
            variable.v_name.clear();
        for (OtherVariable& variable : function.surfaces)
            variable.v_name.clear();
    }
    return module;
}

// In text the null variable in front of other parameters is a paired resource, so that one is printed before
// it.
void add_paired_resource(Instruction& instruction) {
    const int paired = isa::operand_index(*instruction.row, "paired_resource");
    const size_t first = static_cast<size_t>(paired) + 2;
    if (paired >= 0 && instruction.operands.size() > first + 1 && is_null(instruction.operands[first]))
        instruction.operands[static_cast<size_t>(paired)].kind = OperandKind::raw;
}

// In text a label's kind is what its last mark or call says, or else what its name says.
void take_kinds_of_text(Function& function) {
    const std::vector<Label> before = function.labels;
    for (Label& label : function.labels) {
        const bool divergent = label.name.find("__opt_resource_loo") != std::string::npos;
        label.kind = divergent ? LabelKind::divergent_resource_loop : LabelKind::block;
    }
    for (const Instruction& instruction : function.code) {
        const bool call = instruction.row->opcode == isa::opcode::call;
        if (!call && instruction.row->opcode != isa::opcode::subroutine)
            continue;
        for (const Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::label)
                function.labels[operand.id].kind =
                    call && before[operand.id].kind == LabelKind::fc ? LabelKind::fc : LabelKind::subroutine;
        }
    }
}

// What text loses: literals that nobody reads, the order in which labels are declared, labels that nothing
// names, and a
// kind of label that neither its use nor its name says.
Module as_in_text(Module module) {
    for (Function& function : module.functions) {
        number_marks(function);
        take_kinds_of_text(function);
        for (Instruction& instruction : function.code) {
            add_paired_resource(instruction);
            const bool counts = std::ranges::any_of(instruction.row->format, [](const isa::Field& field) {
                return field.kind == isa::FieldKind::counted;
            });
            for (size_t i = 0; i < instruction.operands.size() && !counts; ++i) {
                const isa::Field& field = isa::field_of_operand(*instruction.row, i);
                Operand& operand = instruction.operands[i];
                if (operand.kind == OperandKind::literal && field.place == isa::Place::hidden)
                    operand.value = field.fallback;
            }
        }
    }
    return module;
}

struct Back {
    Bytes written;
    Module found;
};
// The error says what went wrong.
std::expected<Back, std::string> written_and_read(const Module& module) {
    Diagnostics diagnostics;
    std::optional<Bytes> written = binary::write(module, {}, diagnostics);
    if (!written)
        return std::unexpected("it cannot be written:\n" + rendered(diagnostics));
    std::optional<Module> found = binary::read(*written, {}, diagnostics);
    if (!found)
        return std::unexpected("what was written cannot be read:\n" + rendered(diagnostics));
    return Back{std::move(*written), std::move(*found)};
}

// write -> read gives the same module, and writes again identically.
std::string same_in_binary(const Module& module) {
    const auto back = written_and_read(module);
    if (!back)
        return back.error();
    const auto& [written, found] = *back;
    Diagnostics diagnostics;
    if (!same(module, found))
        return "what was written reads as another module: " + difference(module, found);
    const std::optional<Bytes> again = binary::write(found, {}, diagnostics);
    if (!again)
        return "it cannot be written a second time:\n" + rendered(diagnostics);
    return *again == written
               ? ""
               : "it is written differently the second time: " + first_difference(written, *again);
}

} // namespace

std::string disassembly_round_trip(const Module& module) {
    return text_round_trip(as_in_text(module));
}

std::string allowed_disassembly_round_trip(const Module& module) {
    std::string wrong = disassembly_round_trip(module);
    if (wrong.empty())
        return wrong;
    const std::array<const isa::Device*, 3> devices{nullptr, isa::device_named("skl"),
                                                    isa::device_named("pvc")};
    const bool allowed = std::ranges::any_of(devices, [&module](const isa::Device* device) {
        Diagnostics checked;
        verify::verify(module, {.profile = verify::Profile::igc, .device = device}, checked);
        return checked.ok();
    });
    return allowed ? wrong : "";
}

std::string binary_round_trip(const Module& module) {
    return same_in_binary(as_in_binary(module));
}

std::string assembly_round_trip(const Module& module) {
    Diagnostics diagnostics;
    if (!binary::write(module, {}, diagnostics))
        return !diagnostics.ok() ? "" : "it was refused without a word";
    return binary_round_trip(module);
}

std::string generated_binary(uint64_t seed, const Texts& /*texts*/, Seen& seen) {
    const Module module = generate(seed, {.medium = Medium::binary});
    seen.add(module);
    std::string wrong = same_in_binary(module);
    if (wrong.empty())
        wrong = disassembly_round_trip(module);
    return wrong;
}

std::string damaged_names(uint64_t seed, const Texts& /*texts*/, Seen& seen) {
    Random random(seed);
    Module module = generate(random.bits(), {.medium = Medium::binary, .most_instructions = 8});
    damage_names(random, module);
    seen.add(module);
    const auto back = written_and_read(module);
    if (!back)
        return back.error();
    const Module& found = back->found;
    std::string wrong = binary_round_trip(found);
    if (wrong.empty())
        wrong = disassembly_round_trip(found);
    return wrong;
}

std::string assembled_text(uint64_t seed, const Texts& /*texts*/, Seen& seen) {
    const Module module = generate(seed, {.most_functions = 1, .most_instructions = 2});
    seen.add(module);
    Diagnostics diagnostics;
    const std::optional<Bytes> written = binary::write(module, {}, diagnostics);
    if (!written)
        return !diagnostics.ok() ? "" : "it was refused without a word";
    ++seen.accepted;
    return binary_round_trip(module);
}

std::string damaged_binary(uint64_t seed, const Texts& /*texts*/, Seen& seen) {
    Random random(seed);
    Diagnostics written_without;
    const GeneratorOptions small{.medium = Medium::binary, .most_functions = 2, .most_instructions = 8};
    const std::optional<Bytes> whole = binary::write(generate(seed, small), {}, written_without);
    if (!whole)
        return "the undamaged module cannot be written:\n" + rendered(written_without);
    const Bytes damaged = damage_bytes(random, *whole);
    Diagnostics diagnostics;
    const std::optional<Module> module = binary::read(damaged, {}, diagnostics);
    if (!module)
        return !diagnostics.ok() ? "" : "it was refused without a word";
    ++seen.accepted;
    seen.add(*module);
    std::string wrong = binary_round_trip(*module);
    return wrong.empty() ? allowed_disassembly_round_trip(*module) : wrong;
}

} // namespace visor::generator
