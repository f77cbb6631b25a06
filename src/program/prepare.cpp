// A function's instructions made flat: labels and notes for debuggers gone, operands resolved against the
// variable layout, branch targets and the points where parked lanes rejoin found.
#include "isa/marks.h"
#include "isa/opcode.h"
#include "program/indices.h"
#include "program/layout.h"
#include "program/program.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::program {

namespace {

namespace opcode = isa::opcode;

constexpr uint8_t sampler_class = 3; // of `Operand::klass`

bool is_function_call(const Instruction& instruction) {
    return instruction.row->opcode == opcode::fcall || instruction.row->opcode == opcode::ifcall;
}

uint32_t stride(uint8_t part) {
    return part == region_absent ? 0 : part;
}

bool is_destination(const isa::Field& field) {
    return field.kind == isa::FieldKind::vector_dst || field.kind == isa::FieldKind::raw_dst;
}

class Preparation {
public:
    Preparation(std::shared_ptr<const Function> function, const isa::Device& device, Diagnostics& diagnostics)
        : function_(*function), diagnostics_(diagnostics), layout_(*function, device.grf_bytes) {
        program_.function = std::move(function);
        program_.device = &device;
        program_.simd =
            static_cast<uint32_t>(std::clamp<int64_t>(function_.attribute_number("SimdSize", 0), 0, 32));
    }

    std::optional<Program> run() {
        if (!check_indices(function_, diagnostics_))
            return std::nullopt;
        number_files();
        find_labels();
        find_needs();
        if (const auto placed = layout_.place(); !placed) {
            diagnostics_.error(std::nullopt, "register-file-size", placed.error());
            return std::nullopt;
        }
        program_.variables = layout_.slots();
        program_.register_bytes = layout_.register_bytes();
        program_.addressable = layout_.addressable();
        emit();
        find_joins();
        if (!diagnostics_.ok())
            return std::nullopt;
        return std::move(program_);
    }

private:
    [[nodiscard]] uint32_t grf() const { return program_.device->grf_bytes; }

    // Elements of the address, surface and sampler files, by id.
    void number_files() {
        const auto number = [](const std::vector<OtherVariable>& variables, std::vector<uint32_t>& base,
                               uint32_t next) {
            for (const OtherVariable& variable : variables) {
                base.push_back(next);
                next += std::clamp<uint32_t>(variable.elements, 1, max_file_elements);
            }
            return next;
        };
        program_.address_elements = number(function_.addresses, program_.address_base, 0) + file_slack;
        program_.sampler_elements = number(function_.samplers, program_.sampler_base, 0) + file_slack;
        program_.bindless_sampler = program_.sampler_elements++;
        for (uint32_t id = 0; id < isa::first_user_surface; ++id)
            program_.surface_base.push_back(id);
        program_.surface_elements =
            number(function_.surfaces, program_.surface_base, isa::first_user_surface) + file_slack;
        program_.predicate_count = static_cast<uint32_t>(function_.predicates.size()) + 1;
    }

    void find_labels() {
        label_target_.assign(function_.labels.size(), no_target);
        uint32_t index = 0;
        for (const Instruction& instruction : function_.code) {
            if (is_mark(*instruction.row)) {
                if (!instruction.operands.empty() && instruction.operands[0].id < label_target_.size())
                    label_target_[instruction.operands[0].id] = index;
            } else if (!is_note(*instruction.row)) {
                ++index;
            }
        }
    }

    // ---- storage
    // -------------------------------------------------------------------------------------------------

    void find_needs() {
        using isa::Predefined;
        for (const Predefined always :
             {Predefined::thread_x, Predefined::thread_y, Predefined::group_id_x, Predefined::group_id_y,
              Predefined::group_id_z, Predefined::tsc, Predefined::r0, Predefined::hw_id, Predefined::sr0,
              Predefined::cr0, Predefined::ce0})
            layout_.need(isa::id(always), 0, 0);
        program_.calls = function_.kind == FunctionKind::global_function ||
                         std::ranges::any_of(function_.code, is_function_call);
        // A function hands on to those it calls what it does not name itself.
        for (uint32_t id = isa::id(Predefined::null) + 1; program_.calls && id < isa::predefined_count; ++id)
            layout_.need(id, 0, 0);
        for (const Input& input : function_.inputs) {
            if (input.klass == InputClass::general)
                layout_.need(input.id, 0, input.size);
        }
        for (const Instruction& instruction : function_.code) {
            if (is_mark(*instruction.row) || is_note(*instruction.row))
                continue;
            for (size_t i = 0; i < instruction.operands.size(); ++i)
                need_operand(instruction, i);
        }
    }

    void need_operand(const Instruction& instruction, size_t index) {
        const Operand& operand = instruction.operands[index];
        if (takes_address(instruction, index))
            layout_.take_address(operand.id);
        switch (operand.kind) {
        case OperandKind::general:
            layout_.need(operand.id, general_offset(function_, operand, grf()),
                         general_extent(function_, instruction, index, grf()));
            break;
        case OperandKind::raw:
            layout_.need(operand.id, static_cast<uint32_t>(operand.offset),
                         extent(instruction, index, grf()));
            break;
        default:
            break;
        }
    }

    // ---- code
    // ----------------------------------------------------------------------------------------------------

    void emit() {
        for (size_t i = 0; i < function_.code.size(); ++i) {
            const Instruction& instruction = function_.code[i];
            if (is_mark(*instruction.row) || is_note(*instruction.row))
                continue;
            PreparedInstruction prepared;
            prepared.row = instruction.row;
            prepared.execution = instruction.execution;
            prepared.predicate = instruction.predicate;
            prepared.saturate = instruction.saturate;
            prepared.first_operand = static_cast<uint32_t>(program_.operands.size());
            prepared.operand_count =
                static_cast<uint8_t>(std::min<size_t>(instruction.operands.size(), UINT8_MAX));
            prepared.source = static_cast<uint32_t>(i);
            for (size_t k = 0; k < prepared.operand_count; ++k) {
                const PreparedOperand& operand = program_.operands.emplace_back(resolve(instruction, k));
                if (operand.kind == OperandKind::label)
                    prepared.target = operand.base;
            }
            program_.code.push_back(prepared);
        }
    }

    [[nodiscard]] PreparedOperand resolve(const Instruction& instruction, size_t index) const {
        const Operand& operand = instruction.operands[index];
        const isa::Field& field = isa::field_of_operand(*instruction.row, index);
        PreparedOperand out;
        out.kind = operand.kind;
        out.type = operand.type;
        out.modifier = operand.modifier;
        out.value = operand.value;
        out.offset = operand.offset;
        out.null = is_null(operand);
        set_region(out, operand, field);
        switch (operand.kind) {
        case OperandKind::general:
            out.type = general_type(function_, operand.id);
            if (instruction.row->opcode == opcode::bfrev && out.type == isa::Type::f)
                out.type = isa::Type::ud; // its bits as they are (ruling 183)
            out.base =
                layout_.base(operand.id) + static_cast<uint32_t>(general_offset(function_, operand, grf()));
            out.limit = layout_.limit(operand.id);
            break;
        case OperandKind::raw:
            out.type = general_type(function_, operand.id);
            out.base = layout_.base(operand.id) + static_cast<uint32_t>(operand.offset);
            out.limit = layout_.limit(operand.id);
            break;
        case OperandKind::address_of:
            out.base = operand.klass == 0               ? layout_.base(operand.id)
                       : operand.klass == sampler_class ? sampler(operand)
                                                        : program_.surface_base[operand.id];
            break;
        case OperandKind::address:
            out.width = std::max<uint8_t>(operand.width, 1); // elements; lanes past them start again
            [[fallthrough]];
        case OperandKind::indirect:
            out.base = program_.address_base[operand.id] + operand.column;
            break;
        case OperandKind::surface:
        case OperandKind::state_surface:
            out.base = program_.surface_base[operand.id] + operand.column;
            break;
        case OperandKind::sampler:
        case OperandKind::state_sampler:
            out.base = sampler(operand);
            break;
        case OperandKind::label:
            out.base = label_target_[operand.id];
            break;
        default:
            out.base = operand.id;
            break;
        }
        return out;
    }

    [[nodiscard]] uint32_t sampler(const Operand& operand) const {
        return operand.id < program_.sampler_base.size() ? program_.sampler_base[operand.id] + operand.column
                                                         : program_.bindless_sampler;
    }

    static void set_region(PreparedOperand& out, const Operand& operand, const isa::Field& field) {
        if (is_destination(field)) {
            out.vertical = static_cast<uint8_t>(std::max(stride(operand.region.horizontal), 1U));
            return;
        }
        out.vertical = static_cast<uint8_t>(stride(operand.region.vertical));
        out.width = static_cast<uint8_t>(std::max(stride(operand.region.width), 1U));
        out.horizontal = static_cast<uint8_t>(stride(operand.region.horizontal));
        out.multi_address = operand.kind == OperandKind::indirect &&
                            operand.region.vertical == region_absent && operand.region.width != region_absent;
    }

    // Lanes can wait at every label, and behind every backward goto for those that did not take it.
    void find_joins() {
        std::vector<uint32_t>& joins = program_.joins;
        for (const uint32_t target : label_target_) {
            if (target < program_.code.size())
                joins.push_back(target);
        }
        for (uint32_t i = 0; i + 1 < program_.code.size(); ++i) {
            const PreparedInstruction& instruction = program_.code[i];
            if (instruction.row->opcode == opcode::goto_ && instruction.target <= i)
                joins.push_back(i + 1);
        }
        std::ranges::sort(joins);
        const auto [first, last] = std::ranges::unique(joins);
        joins.erase(first, last);
        for (uint32_t i = 0; i < joins.size(); ++i)
            program_.code[joins[i]].join = i;
    }

    static constexpr uint32_t max_file_elements = 4096;
    // An element offset (ub) and 32 lanes past the last variable stay inside the file.
    static constexpr uint32_t file_slack = 256 + 32;

    const Function& function_;
    Diagnostics& diagnostics_;
    Layout layout_;
    Program program_;
    std::vector<uint32_t> label_target_; // by label id: code index
};

} // namespace

std::optional<Program> prepare(std::shared_ptr<const Function> function, const isa::Device& device,
                               Diagnostics& diagnostics) {
    return Preparation(std::move(function), device, diagnostics).run();
}

} // namespace visor::program
