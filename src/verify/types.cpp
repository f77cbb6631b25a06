// 2_datatypes, Type Conversion, and the type maps of the pages: which types an operand may have, which may
// meet in one instruction, and what the device computes with.
#include "isa/opcode.h"
#include "isa/row.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace visor::verify {

namespace {

using isa::DeviceId;
using isa::Family;
using isa::Type;
namespace opcode = isa::opcode;

constexpr isa::TypeSet byte_or_word = isa::types(Type::b, Type::ub, Type::w, Type::uw);
constexpr isa::TypeSet long_integers = isa::types(Type::q, Type::uq);

// The types of results that the implementation's verifier takes (IGC, IsaVerification.cpp: arithmetic).
struct Computed {
    uint8_t code;
    isa::TypeSet types;
};
constexpr isa::TypeSet dwords = isa::types(Type::d, Type::ud);
constexpr isa::TypeSet small_integers = byte_or_word | dwords;
constexpr isa::TypeSet all_integers = small_integers | long_integers;
constexpr isa::TypeSet singles = isa::types(Type::f);
constexpr isa::TypeSet singles_and_halves = isa::types(Type::f, Type::hf);
constexpr isa::TypeSet float_types = isa::types(Type::f, Type::hf, Type::df);
constexpr std::array computed{
    Computed{opcode::cos, singles_and_halves},
    Computed{opcode::exp, singles_and_halves},
    Computed{opcode::log, singles_and_halves},
    Computed{opcode::pow, singles_and_halves},
    Computed{opcode::sin, singles_and_halves},
    Computed{opcode::tanh, singles_and_halves},
    Computed{opcode::sigm, singles_and_halves},
    Computed{opcode::rndd, singles},
    Computed{opcode::rndu, singles},
    Computed{opcode::rnde, singles},
    Computed{opcode::rndz, singles},
    Computed{opcode::plane, singles},
    Computed{opcode::dp2, singles},
    Computed{opcode::dp3, singles},
    Computed{opcode::dp4, singles},
    Computed{opcode::dph, singles},
    Computed{opcode::frc, singles},
    Computed{opcode::lrp, singles},
    Computed{opcode::line, singles | all_integers},
    Computed{opcode::avg, small_integers},
    Computed{opcode::mod, small_integers},
    Computed{opcode::lzd, isa::types(Type::ud)},
    Computed{opcode::mulh, dwords},
    Computed{opcode::dp4a, dwords},
    Computed{opcode::madw, dwords},
    Computed{opcode::sad2, isa::types(Type::w, Type::uw)},
    Computed{opcode::sad2add, isa::types(Type::w, Type::uw)},
    Computed{opcode::addc, isa::types(Type::ud)},
    Computed{opcode::subb, isa::types(Type::ud)},
    Computed{opcode::add3, dwords | isa::types(Type::w, Type::uw)},
};
// Those whose sources it looks at as well; it takes any integers of the others, beside integers.
constexpr std::array narrow_sources{
    Computed{opcode::div, small_integers | float_types},
    Computed{opcode::mul, small_integers | float_types},
    Computed{opcode::divm, isa::types(Type::f, Type::df)},
    Computed{opcode::sqrtm, isa::types(Type::f, Type::df)},
    Computed{opcode::invm, isa::types(Type::f, Type::df)},
    Computed{opcode::rsqtm, isa::types(Type::f, Type::df)},
    Computed{opcode::addc, isa::types(Type::ud)},
    Computed{opcode::subb, isa::types(Type::ud)},
    Computed{opcode::dp4a, dwords},
    Computed{opcode::add3, dwords | isa::types(Type::w, Type::uw)},
    Computed{opcode::sad2, isa::types(Type::b, Type::ub)},
    Computed{opcode::sad2add, isa::types(Type::b, Type::ub)},
};
constexpr std::array computes_doubles{opcode::mul,   opcode::add,  opcode::mad,  opcode::div,  opcode::inv,
                                      opcode::sqrtm, opcode::sqrt, opcode::divm, opcode::invm, opcode::rsqtm};

isa::TypeSet types_for(std::span<const Computed> table, uint8_t code, isa::TypeSet otherwise) {
    const auto found = std::ranges::find(table, code, &Computed::code);
    return found == table.end() ? otherwise : found->types;
}

// Whether it takes what no page lists. Of sources beside a result of the other kind check_mixing knows
// nothing.
bool compiler_takes(const OperandSite& site, Type type) {
    const uint8_t code = site.site.row().opcode;
    if (type == Type::df && std::ranges::find(computes_doubles, code) == computes_doubles.end())
        return false;
    if (site.field.kind == isa::FieldKind::vector_dst)
        return isa::contains(types_for(computed, code, float_types | all_integers), type);
    const Operand& result = site.site.instruction.operands[0];
    const bool as_result = result.kind == OperandKind::general && site.context().declared(result.id) &&
                           isa::is_float(site.context().variable(result.id).type) == isa::is_float(type);
    return as_result && isa::contains(types_for(narrow_sources, code, float_types | all_integers), type);
}

// What the implementation refuses of the types that no page lists.
Levels type_levels(const OperandSite& site, Type type) {
    if (isa::contains(site.field.emitted, type))
        return habitual;
    const uint8_t code = site.site.row().opcode;
    if (code == opcode::bfrev &&
        type == Type::f) // which the compiler writes by mistake, and takes (ruling 183)
        return doubtful;
    const bool of_dwords = code == opcode::gather || code == opcode::scatter;
    if (of_dwords && isa::size_of(type) != 4 &&
        (site.field.name == std::string_view("dst") || site.field.name == std::string_view("src")))
        return executed;
    if (code == opcode::dword_atomic && site.field.extent != isa::Extent::atomic_lanes)
        return executed;
    switch (site.site.row().family) {
    case Family::arith:
        return compiler_takes(site, type) ? doubtful : refused;
    case Family::matrix:
        return executed;
    case Family::logic:
        return isa::is_float(type) || is_of_newest_device(site.site.row()) ? refused : doubtful;
    case Family::address:
        return isa::contains(byte_or_word, type) ? doubtful : refused;
    default:
        return doubtful;
    }
}

// ---- types that may meet

bool is_bfloat_pair(Type a, Type b) {
    return (a == Type::bf || a == Type::f) && (b == Type::bf || b == Type::f);
}
bool is_half_pair(Type a, Type b) {
    return (a == Type::hf || a == Type::f) && (b == Type::hf || b == Type::f);
}

// V goes with integers, UV likewise, VF with F.
bool may_meet(Type execution, Type source) {
    if (source == Type::vf)
        return execution == Type::f;
    if (!isa::is_float(execution) && !isa::is_float(source))
        return true;
    return execution == source || is_bfloat_pair(execution, source) || is_half_pair(execution, source);
}

// Rows whose sources are all of one set of types compute in one type; the others say what meets what by
// themselves.
bool computes_in_one_type(const isa::Row& row) {
    const bool computes =
        row.family == Family::arith || row.family == Family::compare || isa::has(row, isa::predicate_selects);
    isa::TypeSet common = 0;
    for (const isa::Field& field : row.format) {
        if (field.kind != isa::FieldKind::vector_src)
            continue;
        if (common != 0 && field.types != common)
            return false;
        common = field.types;
    }
    return computes && common != 0;
}

bool has_type(const Operand& operand) {
    return operand.kind == OperandKind::general || operand.kind == OperandKind::indirect ||
           operand.kind == OperandKind::immediate;
}

Type type_in(const Context& context, const Operand& operand) {
    if (operand.kind != OperandKind::general && operand.kind != OperandKind::raw)
        return operand.type;
    return context.declared(operand.id) ? context.variable(operand.id).type : Type::ud;
}

// CMP's type maps: integers may be compared into an F or HF destination.
bool compares_into_float(const isa::Row& row, Type destination, Type source) {
    const bool narrow = !isa::is_float(source) && !isa::contains(long_integers, source);
    return row.family == Family::compare && row.sub < 0 && narrow &&
           (destination == Type::f || destination == Type::hf);
}

// Every operand against the first that has a type: the destination, or the first source where that is a
// predicate.
void check_mixing(const Site& site) {
    const Operand* first = nullptr;
    bool into = false; // `first` is the destination
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        const Operand& operand = site.instruction.operands[index];
        const isa::Field& field = isa::field_of_operand(site.row(), index);
        if (!has_type(operand) || is_null(operand) || field.kind == isa::FieldKind::scalar_src)
            continue;
        if (first == nullptr) {
            first = &operand;
            into = field.kind == isa::FieldKind::vector_dst;
            continue;
        }
        const Type execution = type_in(site.context, *first);
        const Type source = type_in(site.context, operand);
        if (may_meet(execution, source) || may_meet(source, execution) ||
            (into && compares_into_float(site.row(), execution, source)))
            continue;
        const OperandSite at{site, field, operand, index};
        const bool of_bfloats = execution == Type::bf || source == Type::bf;
        at.diag(rule("types-mixed"), site.row().family == Family::arith ? refused
                                     : of_bfloats                       ? executed
                                                                        : doubtful)
            << name(at) << " has type " << isa::facts(source).name << " beside " << isa::facts(execution).name
            << "; convert one with mov";
    }
}

// ---- what the device computes with

// Moves carry 64 bits everywhere, and so do messages.
bool computes(Family family) {
    return family == Family::arith || family == Family::logic || family == Family::compare;
}

// Of the types that pages list, what the implementation's verifier refuses (IGC, IsaVerification.cpp).
struct NotCompiled {
    uint8_t code;
    isa::TypeSet types;
    isa::DeviceSet devices;
    enum Where : uint8_t { anywhere, destination, source } where = anywhere;
};
constexpr isa::TypeSet integers =
    byte_or_word | isa::types(Type::d, Type::ud) | long_integers | isa::types(Type::v, Type::uv);
constexpr isa::TypeSet floats = isa::types(Type::f, Type::df);
constexpr isa::TypeSet doubles = isa::types(Type::df);
constexpr isa::DeviceSet since_xehp = isa::from(DeviceId::xehp);
// Those without the instructions that division and roots of IEEE 754 are made of.
constexpr isa::DeviceSet without_macros =
    isa::from(DeviceId::icllp) & isa::until(DeviceId::arl) & ~isa::only(DeviceId::xehp);
constexpr isa::DeviceSet without_long_shift =
    isa::only(DeviceId::dg2) | isa::only(DeviceId::mtl) | isa::only(DeviceId::arl);
constexpr std::array not_compiled{
    NotCompiled{opcode::div, long_integers, isa::every_device, NotCompiled::source},
    NotCompiled{opcode::div, integers, since_xehp},
    NotCompiled{opcode::div, doubles, without_macros},
    NotCompiled{opcode::inv, doubles, without_macros},
    NotCompiled{opcode::sqrt, doubles, without_macros},
    NotCompiled{opcode::divm, floats, without_macros},
    NotCompiled{opcode::sqrtm, floats, without_macros},
    NotCompiled{opcode::invm, floats, without_macros},
    NotCompiled{opcode::rsqtm, floats, without_macros},
    NotCompiled{opcode::line, doubles, isa::every_device},
    NotCompiled{opcode::cbit, long_integers, isa::every_device},
    NotCompiled{opcode::fbh, long_integers, isa::every_device},
    NotCompiled{opcode::fbl, long_integers, isa::every_device},
    NotCompiled{opcode::rol, isa::types(Type::b, Type::ub), isa::every_device},
    NotCompiled{opcode::ror, isa::types(Type::b, Type::ub), isa::every_device},
    NotCompiled{opcode::rol, long_integers, isa::until(DeviceId::arl)},
    NotCompiled{opcode::ror, long_integers, isa::until(DeviceId::arl)},
    NotCompiled{opcode::shl, long_integers, without_long_shift, NotCompiled::destination},
    NotCompiled{opcode::shr, isa::types(Type::uq), without_long_shift, NotCompiled::destination},
};

bool is_compiled(const OperandSite& site, Type type, const isa::Device& device) {
    const bool destination = site.field.kind == isa::FieldKind::vector_dst;
    return std::ranges::none_of(not_compiled, [&](const NotCompiled& one) {
        return one.code == site.site.row().opcode && isa::contains(one.types, type) &&
               (one.where == NotCompiled::anywhere ||
                (one.where == NotCompiled::destination) == destination) &&
               isa::contains(one.devices, device.id);
    });
}

bool mixes_bfloats(uint8_t code) {
    constexpr std::array these{opcode::mul, opcode::mad, opcode::add, opcode::sel, opcode::cmp, opcode::srnd};
    return std::ranges::find(these, code) != these.end();
}

// Of bfloat16 nothing but moves, before what has matrix units; the page's xehp is the first.
void check_bfloat(const OperandSite& site, const isa::Device& device) {
    const bool before = device.id < DeviceId::xehp;
    if (device.id < DeviceId::tgllp) {
        site.diag(rule("type-device"), computes(site.site.row().family) ? executed : unwritten)
            << name(site) << " has type bf, which " << device.name << " does not compute with";
        return;
    }
    const bool moves =
        site.site.row().family == Family::move && !isa::has(site.site.row(), isa::predicate_selects);
    if (!moves && !before && device.id < DeviceId::cri && !mixes_bfloats(site.site.row().opcode))
        site.diag(rule("type-device"), unwritten)
            << name(site) << " has type bf, which " << site.site.row().mnemonic << " does not compute with";
    else if (!moves && (before || device.id == DeviceId::mtl))
        site.diag(rule("type-device"), before ? executed : unwritten)
            << name(site) << " has type bf, which " << device.name << " does not compute with";
}

// Halves and bfloat16 are summed from pvc on.
void check_accumulator(const OperandSite& site, Type type, const isa::Device& device) {
    const bool half = type == Type::hf || type == Type::bf;
    const std::string_view field = site.field.name;
    if (half && device.id < DeviceId::pvc && (field == "dst" || field == "src0"))
        site.diag(rule("type-device"), unwritten) << name(site) << " has type " << isa::facts(type).name
                                                  << ", in which " << device.name << " does not sum";
}

void check_device_type(const OperandSite& site, Type type) {
    const isa::Device* device = site.context().options.device;
    if (device == nullptr)
        return;
    if (site.site.row().family == Family::matrix)
        check_accumulator(site, type, *device);
    else if (type == Type::bf)
        check_bfloat(site, *device);
    if (!computes(site.site.row().family))
        return;
    const bool is_mad = site.site.row().opcode == opcode::mad; // of qwords from Xe3P on
    const bool missing = (isa::contains(long_integers, type) && !device->int64) ||
                         (type == Type::df && !device->fp64) ||
                         (isa::contains(long_integers, type) && is_mad && device->id < DeviceId::cri);
    const RuleRow& broken = rule("type-device");
    const bool compiled = is_compiled(site, type, *device) && !is_mad;
    if (missing)
        site.diag(broken, compiled ? broken.levels
                          : is_mad ? refused
                                   : executed)
            << name(site) << " has type " << isa::facts(type).name << ", which " << device->name
            << " does not compute with";
    else if (!compiled && !is_mad)
        site.diag(broken, unwritten) << name(site) << " has type " << isa::facts(type).name
                                     << ", which the compiler does not take for " << device->name;
}

// Whatever the pages say of them, the implementation's verifier refuses .sat here.
bool is_compiled_saturated(const Site& site, bool is_int) {
    constexpr std::array never{opcode::frc,  opcode::lzd,  opcode::mod,  opcode::mulh,
                               opcode::madw, opcode::invm, opcode::rsqtm};
    const uint8_t code = site.row().opcode;
    return std::ranges::find(never, code) == never.end() &&
           !(is_int && (code == opcode::div || code == opcode::mad));
}

void check_saturation(const Site& site) {
    const Instruction& instruction = site.instruction;
    const bool can = isa::has(site.row(), isa::can_saturate);
    const bool floats_only = isa::has(site.row(), isa::saturates_floats_only);
    const bool is_int = !instruction.operands.empty() && has_type(instruction.operands[0]) &&
                        !isa::is_float(type_in(site.context, instruction.operands[0]));
    const bool compiled = is_compiled_saturated(site, is_int);
    const Levels levels = compiled ? doubtful : executed;
    if (!can)
        site.diag(rule("saturation"), levels) << site.row().mnemonic << " does not saturate";
    else if (floats_only && is_int)
        site.diag(rule("saturation"), levels)
            << site.row().mnemonic << " saturates only when its type is float";
    else if (!compiled)
        site.diag(rule("saturation"), unwritten)
            << "the compiler does not take .sat of " << site.row().mnemonic;
}

} // namespace

Type type_of(const OperandSite& site) {
    return type_in(site.context(), site.operand);
}

void check_type(const OperandSite& site) {
    if (is_null(site.operand))
        return;
    const Type type = type_of(site);
    check_device_type(site, type);
    const bool by_operation = site.field.extent == isa::Extent::atomic_lanes; // check_atomic knows better
    if (site.field.types == 0 || by_operation || isa::contains(site.field.types, type))
        return;
    site.diag(rule("<instruction>-<operand>-type"), type_levels(site, type))
        << name(site) << " has type " << isa::facts(type).name << "; allowed: " << list(site.field.types);
}

void check_types(const Site& site) {
    const Instruction& instruction = site.instruction;
    if (computes_in_one_type(site.row()))
        check_mixing(site);
    if (instruction.saturate)
        check_saturation(site);
}

} // namespace visor::verify
