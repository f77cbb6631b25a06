// Where an instruction keeps what a row names: operands by place, by order of text, by name.
#include "text/instruction.h"

#include <algorithm>

namespace visor::text {

using isa::Field;
using isa::FieldKind;
using isa::Place;
using isa::Row;

size_t fixed_operands(const Row& row) {
    size_t count = 0;
    for (const Field& field : row.format) {
        if (field.kind == FieldKind::counted)
            break;
        count += isa::is_operand(field.kind) ? 1 : 0;
    }
    return count;
}

const Field* repeated_field(const Row& row) {
    const auto mark = std::ranges::find(row.format, FieldKind::counted, &Field::kind);
    return mark == row.format.end() || mark + 1 == row.format.end() ? nullptr : &*(mark + 1);
}

Slots slots_of(const Row& row, Place place) {
    Slots slots;
    size_t index = 0;
    for (const Field& field : row.format) {
        if (field.kind == FieldKind::counted)
            break;
        if (!isa::is_operand(field.kind))
            continue;
        if (field.place == place)
            slots.add(field, index);
        ++index;
    }
    return slots;
}

Slots operands_in_text_order(const Row& row, const Instruction& instruction) {
    Slots slots = slots_of(row, Place::operand);
    if (*row.text_order != '\0') {
        const Slots wire = slots;
        slots.count = 0;
        for (const char* order = row.text_order; *order != '\0'; ++order) {
            const auto position = static_cast<size_t>(*order - '0');
            if (position < wire.count)
                slots.add(*wire.slots[position].field, wire.slots[position].index);
        }
    }
    const bool switched =
        std::ranges::any_of(row.format, [](const Field& field) { return field.present_if != 0; });
    if (const Operand* mode = switched ? operand_named(instruction, "mode") : nullptr) {
        const auto switched_off = [mode](const Slot& slot) {
            return slot.field->present_if != 0 && (mode->value & slot.field->present_if) == 0;
        };
        const auto kept = std::remove_if(
            slots.slots.begin(), slots.slots.begin() + static_cast<ptrdiff_t>(slots.count), switched_off);
        slots.count = static_cast<size_t>(kept - slots.slots.begin());
    }
    return slots;
}

Operand* operand_named(Instruction& instruction, std::string_view name) {
    const int index = isa::operand_index(*instruction.row, name);
    const bool there = index >= 0 && static_cast<size_t>(index) < instruction.operands.size();
    return there ? &instruction.operands[static_cast<size_t>(index)] : nullptr;
}

const Operand* operand_named(const Instruction& instruction, std::string_view name) {
    const int index = isa::operand_index(*instruction.row, name);
    const bool there = index >= 0 && static_cast<size_t>(index) < instruction.operands.size();
    return there ? &instruction.operands[static_cast<size_t>(index)] : nullptr;
}

Operand* form_operand(Instruction& instruction, size_t position) {
    const Slots slots = slots_of(*instruction.row, Place::form);
    return position < slots.count ? &instruction.operands[slots.slots[position].index] : nullptr;
}

uint64_t form_value(const Instruction& instruction, size_t position) {
    const Slots slots = slots_of(*instruction.row, Place::form);
    const bool there = position < slots.count && slots.slots[position].index < instruction.operands.size();
    return there ? instruction.operands[slots.slots[position].index].value : 0;
}

} // namespace visor::text
