// The Writer's half of instructions and operands.
#include "binary/writer.h"

#include "isa/codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace visor::binary {

namespace {

bool is_literal(isa::FieldKind kind) {
    return kind == isa::FieldKind::literal8 || kind == isa::FieldKind::literal16 ||
           kind == isa::FieldKind::literal32 || kind == isa::FieldKind::sub_opcode16;
}
bool is_raw(isa::FieldKind kind) {
    return kind == isa::FieldKind::raw_dst || kind == isa::FieldKind::raw_src;
}
bool is_vector(isa::FieldKind kind) {
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::vector_src ||
           kind == isa::FieldKind::scalar_src;
}

WireClass class_of(OperandKind kind) {
    switch (kind) {
    case OperandKind::address:
        return WireClass::address;
    case OperandKind::predicate:
        return WireClass::predicate;
    case OperandKind::indirect:
        return WireClass::indirect;
    case OperandKind::immediate:
        return WireClass::immediate;
    case OperandKind::state_surface:
    case OperandKind::state_sampler:
        return WireClass::state;
    default:
        return WireClass::general;
    }
}

bool takes_modifier(OperandKind kind) {
    return kind == OperandKind::general || kind == OperandKind::indirect;
}

uint64_t largest(Width width) {
    return (uint64_t{1} << (8 * bytes_of(width, {}))) - 1;
}

} // namespace

void Writer::code(const std::vector<Instruction>& code) {
    code_at_ = out_.size();
    for (const Instruction& item : code)
        static_cast<void>(instruction(*this, item));
}

bool Writer::begin_instruction(const Instruction& instruction) {
    where_ = instruction.where;
    instruction_ = &instruction;
    if (instruction.row == nullptr) {
        subject_ = function_->name;
        error("no-binary-form", "an instruction without a row");
        return false;
    }
    const isa::Row& row = *instruction.row;
    subject_ = row.mnemonic;
    if (isa::has(row, isa::no_binary)) {
        error("no-binary-form", "this instruction exists in text alone: it has no binary form");
        return false;
    }
    if (instruction.predicate.id != 0 && !isa::has_predicate(row))
        error("no-binary-form", "a binary has no place for a predicate of this instruction");
    saturate_ = instruction.saturate;
    operands_written_ = 0;
    incomplete_ = false;
    mode_ = 0;
    count_repeated(instruction);
    put(row.opcode, 1);
    return true;
}

// The last literal in front of the repeated operands counts them.
void Writer::count_repeated(const Instruction& instruction) {
    count_operand_ = no_operand;
    repeated_ = 0;
    const std::span<const isa::Field> format = instruction.row->format;
    size_t index = 0;
    size_t literal = no_operand;
    for (size_t i = 0; i < format.size(); ++i) {
        if (format[i].kind == isa::FieldKind::counted) {
            const size_t group = format.size() - i - 1;
            const size_t rest = std::max(instruction.operands.size(), index) - index;
            repeated_ = rest / group;
            if (rest % group != 0)
                error("bad-operand", "an incomplete group of repeated operands");
            count_operand_ = literal;
            return;
        }
        if (!isa::is_operand(format[i].kind))
            continue;
        if (is_literal(format[i].kind))
            literal = index;
        ++index;
    }
}

bool Writer::end_instruction() {
    if (saturate_)
        error("no-binary-form", "a binary has no place for `.sat` here");
    if (instruction_->operands.size() > operands_written_)
        error("bad-operand", fmt::format("{} operands, where the format has {}",
                                         instruction_->operands.size(), operands_written_));
    return true;
}

void Writer::execution(const Execution& execution) {
    const std::optional<uint8_t> byte = encode_execution(execution);
    if (!byte)
        error("bad-exec-size",
              fmt::format("{} lanes from {} on cannot be encoded", execution.size, execution.offset));
    put(byte.value_or(0), 1);
}

void Writer::predicate(const Predicate& predicate) {
    const std::optional<uint16_t> word = encode_predicate(predicate);
    if (!word)
        out_of_range("predicate", predicate.id, 0, last_predicate);
    put(word.value_or(0), 2);
}

void Writer::sub_opcode() {
    put(static_cast<uint64_t>(instruction_->row->sub), 1);
}

// ---- operands

bool Writer::is_present(const isa::Field& field) const {
    if (field.newer) {
        const std::vector<Operand>& operands = instruction_->operands;
        return operands_written_ < operands.size() && operands[operands_written_].kind != OperandKind::absent;
    }
    return !field.text_only && (field.present_if == 0 || (mode_ & field.present_if) != 0);
}

void Writer::leave_out(const isa::Field& field, size_t index) {
    operands_written_ = index + 1;
    const std::vector<Operand>& operands = instruction_->operands;
    if (incomplete_ || index >= operands.size() || operands[index].kind == OperandKind::absent)
        return;
    const Operand& operand = operands[index];
    if (operand.kind == OperandKind::literal && (operand.value == field.fallback || index == count_operand_))
        return;
    where_ = operand.where.length == 0 ? instruction_->where : operand.where;
    error("no-binary-form",
          fmt::format("`{}` exists in text alone: a binary has no place for it", field.name));
    where_ = instruction_->where;
}

bool Writer::is_right_kind(const isa::Field& field, const Operand& operand) const {
    switch (operand.kind) {
    case OperandKind::literal:
        return is_literal(field.kind);
    case OperandKind::raw:
        return is_raw(field.kind);
    case OperandKind::surface:
        return field.kind == isa::FieldKind::surface;
    case OperandKind::sampler:
        return field.kind == isa::FieldKind::sampler;
    case OperandKind::label:
        return field.kind == isa::FieldKind::label;
    case OperandKind::string:
        return field.kind == isa::FieldKind::string16 || field.kind == isa::FieldKind::string32;
    case OperandKind::variable:
        return field.kind == isa::FieldKind::variable;
    case OperandKind::absent:
        return false;
    default:
        return is_vector(field.kind);
    }
}

const Operand& Writer::begin_operand(const isa::Field& field, size_t index) {
    operands_written_ = index + 1;
    operand_index_ = index;
    const std::vector<Operand>& operands = instruction_->operands;
    const bool there = index < operands.size() && operands[index].kind != OperandKind::absent;
    if (there && is_right_kind(field, operands[index]))
        return operands[index].kind == OperandKind::address_of ? wire_form(operands[index]) : operands[index];
    const std::optional<Operand> unsaid = filler(*instruction_->row, field, operands);
    if (!there && !unsaid && index < operands.size()) { // a form of the text's that does without
        if (!std::exchange(incomplete_, true))
            error("no-binary-form",
                  fmt::format("this form exists in text alone: a binary also has `{}`", field.name));
    } else if (there || !unsaid)
        error("bad-operand", there ? fmt::format("the operand `{}` is of the wrong kind", field.name)
                                   : fmt::format("the operand `{}` is missing", field.name));
    return scratch_ = unsaid.value_or(Operand{});
}

// On the wire an address-of is a general or a state operand.
const Operand& Writer::wire_form(const Operand& address_of) {
    scratch_ = address_of;
    scratch_.offset = 0;
    const bool general = address_of.klass == general_class;
    const uint32_t unit =
        general ? isa::size_of(general_type(*function_, address_of.id)) : bytes_per_address_element;
    const auto offset = static_cast<uint32_t>(address_of.offset);
    // What lies behind the last row that there is a number for is so many columns from it.
    const uint32_t row = general ? std::min<uint32_t>(offset / options_.grf_bytes, UINT8_MAX) : 0;
    const uint32_t rest = offset - row * options_.grf_bytes;
    if (address_of.offset < 0 || unit == 0 || rest % unit != 0 || rest / unit > UINT8_MAX) {
        error("no-binary-form",
              fmt::format("the byte offset {} of an address cannot be encoded", address_of.offset));
        return scratch_ = Operand{};
    }
    scratch_.row = static_cast<uint8_t>(row);
    scratch_.column = static_cast<uint8_t>(rest / unit);
    if (general) {
        scratch_.kind = OperandKind::general;
        scratch_.region = {0, 1, 0};
    } else {
        scratch_.kind =
            address_of.klass == sampler_class ? OperandKind::state_sampler : OperandKind::state_surface;
    }
    return scratch_;
}

void Writer::id(Space space, Width width, uint32_t id) {
    if (id > largest(width))
        out_of_range(std::string(describe(space)).c_str(), id, 0, static_cast<int64_t>(largest(width)));
    put(id, bytes_of(width, version()));
}

void Writer::string(Width width, uint32_t index) {
    if (index >= function_->strings.size())
        return error("bad-operand", fmt::format("string {} of {}", index, function_->strings.size()));
    const uint32_t place = pooled(function_->strings[index]);
    if (place > largest(width))
        out_of_range("string", place, 0, static_cast<int64_t>(largest(width)));
    put(place, bytes_of(width, version()));
}

void Writer::literal(const isa::Field& field, Width width, const Operand& operand) {
    uint64_t value = operand_index_ == count_operand_ ? repeated_ : operand.value;
    const std::vector<Operand>& operands = instruction_->operands;
    if (field.codec == isa::Codec::lifetime && operand_index_ + 1 < operands.size())
        value = (value & 0x0fU) | uint64_t{operands[operand_index_ + 1].klass} << 4U;
    if (value > largest(width))
        out_of_range(field.name, static_cast<int64_t>(value), 0, static_cast<int64_t>(largest(width)));
    put(value, bytes_of(width, version()));
    if (width == Width::word)
        mode_ = static_cast<uint16_t>(value);
}

void Writer::sampler_operation(const Operand& operand) {
    if (operand.value > UINT8_MAX)
        out_of_range("op", static_cast<int64_t>(operand.value), 0, UINT8_MAX);
    put(static_cast<uint64_t>(instruction_->row->sub) | operand.value << 8U, 2);
}

void Writer::lifetime_variable(const Operand& operand) {
    constexpr uint8_t predicate_class = 2;
    if (operand.klass > predicate_class)
        error("no-binary-form", "in a binary only general, address and predicate variables have a lifetime");
    put(operand.id, bytes_of(Width::id, version()));
}

void Writer::tag(const isa::Field& field, const Operand& operand) {
    const bool strides = operand.region.vertical != region_absent || operand.region.width != region_absent;
    if (field.kind == isa::FieldKind::vector_dst && takes_modifier(operand.kind) && strides)
        error("no-binary-form",
              fmt::format("`{}` is a result: its region has a horizontal stride alone", field.name));
    Tag tag{class_of(operand.kind), SourceModifier::none};
    if (field.kind == isa::FieldKind::vector_dst && saturate_) {
        tag.modifier = SourceModifier::saturate;
        saturate_ = false;
    } else if (operand.modifier != SourceModifier::none) {
        const bool source = field.kind != isa::FieldKind::vector_dst;
        if (source && takes_modifier(operand.kind) && operand.modifier != SourceModifier::saturate)
            tag.modifier = operand.modifier;
        else
            error("no-binary-form", fmt::format("the modifier of `{}` means nothing there", field.name));
    }
    put(encode_tag(tag), 1);
}

void Writer::region(const Region& region) {
    const std::optional<uint16_t> word = encode_region(region);
    if (!word)
        error("bad-region", fmt::format("the region <{};{},{}> cannot be encoded", region.vertical,
                                        region.width, region.horizontal));
    put(word.value_or(0), 2);
}

void Writer::type(isa::Type type) {
    const std::optional<uint8_t> code = encode_type(type);
    if (!code)
        error("no-binary-form", fmt::format("the type `{}` has no code in a binary", isa::facts(type).name));
    put(code.value_or(0), 1);
}

void Writer::lanes(uint8_t width) {
    if (!std::has_single_bit(width) || width > 32)
        error("bad-operand", fmt::format("{} is no width of an address operand", width));
    put(static_cast<uint64_t>(std::bit_width(width)) - (width == 0 ? 0U : 1U), 1);
}

void Writer::predicate_id(uint32_t id) {
    if (id > last_predicate)
        out_of_range("predicate", id, 0, last_predicate);
    put(id, 2);
}

void Writer::immediate(const Operand& operand) {
    if (is_wide(operand.type))
        put(operand.value, 8);
    else
        put(encode_immediate(operand.type, operand.value), 4);
}

void Writer::state_class(OperandKind kind) {
    put(kind == OperandKind::state_surface ? 0 : 1, 1);
}

} // namespace visor::binary
