#include "every_row.h"

#include "isa/codec.h"
#include "module/canonical.h"

#include <fmt/format.h>

#include <array>

namespace visor::test {

namespace {

using isa::Codec;
using isa::Field;
using isa::FieldKind;
using isa::Type;

constexpr std::array declared_types{Type::ud, Type::d, Type::uw, Type::w, Type::ub, Type::b,
                                    Type::df, Type::f, Type::uq, Type::q, Type::hf, Type::bf};
constexpr std::array immediate_types{Type::ud, Type::d, Type::uw, Type::w,  Type::ub, Type::b, Type::df,
                                     Type::f,  Type::v, Type::vf, Type::uq, Type::uv, Type::q, Type::hf};

bool is_lsc(const isa::Row& row) {
    return row.family == isa::Family::lsc;
}

uint64_t mask_of(FieldKind kind) {
    if (kind == FieldKind::literal16)
        return 0xffff;
    return kind == FieldKind::literal32 ? 0xffffffff : 0xff;
}

} // namespace

Function workshop() {
    Function function;
    function.name = "workshop";
    for (const Type type : declared_types) {
        GeneralVariable variable;
        variable.name = fmt::format("V_{}", isa::facts(type).name);
        variable.type = type;
        variable.elements = 256;
        variable.align = Align::grf;
        function.general.push_back(variable);
    }
    const auto others = [](const char* letter, uint32_t count, uint32_t elements) {
        std::vector<OtherVariable> list(count);
        for (uint32_t i = 0; i < count; ++i) {
            list[i].name = fmt::format("{}_{}", letter, i);
            list[i].elements = elements;
        }
        return list;
    };
    function.addresses = others("A", 3, 16);
    function.predicates = others("P", 4, 32);
    function.samplers = others("S", 2, 1);
    function.surfaces = others("T", 3, 1);
    for (const LabelKind kind : {LabelKind::block, LabelKind::subroutine, LabelKind::fc})
        function.labels.push_back({fmt::format("L_{}", static_cast<int>(kind)), kind, {}, false});
    return function;
}

uint32_t RowPlay::general_id() {
    if (one_in(4))
        return below(isa::predefined_count);
    return isa::first_user_general + below(static_cast<uint32_t>(function_.general.size()));
}

uint8_t RowPlay::stride() {
    constexpr std::array<uint8_t, 7> values{0, 1, 2, 4, 8, 16, 32};
    return values[below(values.size())];
}

// As text can say it: an indirect source may have two parts, or one.
Region RowPlay::region(bool destination, bool indirect) {
    const bool has_vertical = !destination && (!indirect || !one_in(3));
    const bool has_width = has_vertical || (!destination && indirect && !one_in(3));
    return {has_vertical ? stride() : region_absent, has_width ? stride() : region_absent, stride()};
}

Operand RowPlay::literal(const Field& field) {
    Operand operand;
    operand.kind = OperandKind::literal;
    const uint64_t any = random_() & mask_of(field.kind);
    operand.value = field.codec == Codec::lsc_address_type ? 1 + any % 6
                    : field.codec == Codec::lifetime       ? any & 1U
                                                           : any;
    return operand;
}

Operand RowPlay::immediate() {
    Operand operand;
    operand.kind = OperandKind::immediate;
    operand.type = immediate_types[below(immediate_types.size())];
    const unsigned bits = isa::size_of(operand.type) * 8U;
    operand.value = uint64_t{random_()} << 32U | random_();
    operand.value &= bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    return operand;
}

Operand RowPlay::address_of() {
    Operand operand;
    operand.kind = OperandKind::address_of;
    constexpr std::array<uint8_t, 3> classes{0, 3, 4};
    operand.klass = classes[below(3)];
    if (operand.klass == 0) {
        operand.id = general_id();
        operand.offset = static_cast<int32_t>(below(1024) * 8);
    } else {
        operand.id = operand.klass == 3 ? below(2) : below(isa::first_user_surface + 3);
        operand.offset = static_cast<int32_t>(below(256) * 2);
    }
    return operand;
}

Operand RowPlay::vector(const Field& field) {
    const bool destination = field.kind == FieldKind::vector_dst;
    const unsigned classes = field.classes == 0 ? unsigned{isa::class_general} : field.classes;
    Operand operand;
    const bool addressing = (classes & isa::class_address_of) != 0; // general and state stand for it there
    for (;;) {
        const unsigned klass = 1U << below(7);
        if ((classes & klass) == 0 ||
            (addressing && (klass == isa::class_general || klass == isa::class_state)))
            continue;
        switch (klass) {
        case isa::class_general:
            operand.kind = OperandKind::general;
            operand.id = general_id();
            operand.row = static_cast<uint8_t>(below(256));
            operand.column = static_cast<uint8_t>(below(256));
            operand.region = region(destination, false);
            break;
        case isa::class_address:
            operand.kind = OperandKind::address;
            operand.id = below(3);
            operand.column = static_cast<uint8_t>(below(16));
            operand.width = static_cast<uint8_t>(1U << below(6));
            return operand;
        case isa::class_predicate:
            operand.kind = OperandKind::predicate;
            operand.id = 1 + below(4);
            return operand;
        case isa::class_indirect:
            operand.kind = OperandKind::indirect;
            operand.id = below(3);
            operand.column = static_cast<uint8_t>(below(16));
            operand.offset = static_cast<int32_t>(below(65536)) - 32768;
            operand.type = declared_types[below(declared_types.size())];
            operand.region = region(destination, true);
            break;
        case isa::class_address_of:
            return address_of();
        case isa::class_immediate:
            return immediate();
        default:
            operand.kind = one_in(2) ? OperandKind::state_surface : OperandKind::state_sampler;
            operand.id = operand.kind == OperandKind::state_surface ? below(9) : below(2);
            operand.column = static_cast<uint8_t>(below(256));
            return operand;
        }
        constexpr std::array modifiers{SourceModifier::none, SourceModifier::abs, SourceModifier::neg,
                                       SourceModifier::neg_abs, SourceModifier::bit_not};
        if (!destination)
            operand.modifier = modifiers[below(modifiers.size())];
        return operand;
    }
}

Operand RowPlay::raw(const Field& field) {
    Operand operand;
    operand.kind = OperandKind::raw;
    if (field.place == isa::Place::hidden)
        return operand;
    operand.id = 1 + below(isa::predefined_count - 1);
    operand.offset = static_cast<int32_t>(below(65536));
    return operand;
}

namespace {

// Whether the instruction has no vector operand at this field.
bool leaves_out(const Field& field, const Instruction& so_far) {
    if (field.text_only)
        return true;
    if (is_lsc(*so_far.row) && field.place == isa::Place::form) {
        const int type = isa::operand_index(*so_far.row, "addr_type");
        const uint64_t code = type < 0 ? 0 : so_far.operands[static_cast<size_t>(type)].value;
        if (code == 1 || code == 5) // flat and arg have no surface
            return true;
    }
    // A wait has an id alone, mode 1 also the number of producers.
    if (so_far.row->form == isa::TextForm::nbarrier && so_far.operands[0].value < 2) {
        const bool is_there =
            so_far.operands[0].value == 1 && field.name == std::string_view("num_producers");
        return !is_there && field.name != std::string_view("id");
    }
    return false;
}

} // namespace

Operand RowPlay::operand(const Field& field, const Instruction& so_far) {
    Operand operand;
    if (field.present_if != 0 && (mode_ & field.present_if) == 0)
        return operand;
    if (field.newer) { // the null variable, or nothing
        operand.kind = one_in(2) ? OperandKind::raw : OperandKind::absent;
        return operand;
    }
    switch (field.kind) {
    case FieldKind::surface:
        operand.kind = OperandKind::surface;
        operand.id = below(isa::first_user_surface + 3);
        return operand;
    case FieldKind::sampler:
        operand.kind = OperandKind::sampler;
        operand.id = one_in(3) ? isa::bindless_sampler : below(2);
        return operand;
    case FieldKind::label:
        operand.kind = OperandKind::label;
        operand.id = below(3);
        return operand;
    case FieldKind::string16:
    case FieldKind::string32:
        operand.kind = OperandKind::string; // the one string there is
        return operand;
    case FieldKind::variable:
        operand.kind = OperandKind::variable;
        operand.klass = static_cast<uint8_t>(below(3));
        operand.id = operand.klass == 0 ? general_id() : 1 + below(2);
        return operand;
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        return raw(field);
    case FieldKind::vector_dst:
    case FieldKind::vector_src:
    case FieldKind::scalar_src:
        break;
    default:
        operand = literal(field);
        if (field.text_only)
            operand.value = field.fallback;
        if (field.kind == FieldKind::literal16)
            mode_ = operand.value;
        return operand;
    }
    return leaves_out(field, so_far) ? operand : vector(field);
}

Instruction RowPlay::play(const isa::Row& row) {
    Instruction instruction;
    instruction.row = &row;
    mode_ = 0;
    bool has_vector_dst = false;
    size_t count_at = 0;
    for (size_t i = 0; i < row.format.size(); ++i) {
        const Field& field = row.format[i];
        has_vector_dst = has_vector_dst || field.kind == FieldKind::vector_dst;
        if (field.kind == FieldKind::exec)
            instruction.execution = {static_cast<uint8_t>(1U << below(6)), static_cast<uint8_t>(4 * below(8)),
                                     one_in(2)};
        if (field.kind == FieldKind::predicate && one_in(2))
            instruction.predicate = {static_cast<uint16_t>(1 + below(4)),
                                     static_cast<PredicateControl>(below(3)), one_in(2)};
        if (field.kind == FieldKind::counted) {
            const bool sampler = row.form == isa::TextForm::sample_3d;
            const uint32_t count = 1 + below(sampler ? static_cast<uint32_t>(isa::most_parameters(row)) : 4);
            instruction.operands[count_at].value = count;
            for (uint32_t n = 0; n < count; ++n)
                instruction.operands.push_back(operand(row.format[i + 1], instruction));
            break;
        }
        if (!isa::is_operand(field.kind))
            continue;
        instruction.operands.push_back(operand(field, instruction));
        if (instruction.operands.back().kind == OperandKind::literal)
            count_at = instruction.operands.size() - 1;
    }
    if (!row.format.empty() && row.format[0].codec == Codec::lifetime)
        instruction.operands[0].value |= uint64_t{instruction.operands[1].klass} << 4U;
    instruction.saturate = has_vector_dst && isa::has(row, isa::can_saturate) && one_in(2);
    static_cast<void>(make_canonical(instruction));
    return instruction;
}

} // namespace visor::test
