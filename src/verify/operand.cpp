// 5_operands: what stands in an operand's place. Whether it exists, whether the instruction takes its class
// there, and what its class asks for beyond regions.
#include "isa/opcode.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <bit>

namespace visor::verify {

namespace {

using isa::FieldKind;

// The fields that an instruction's operands stand for, one after another; those past a `counted` mark come
// again.
class FieldWalk {
public:
    explicit FieldWalk(const isa::Row& row) : format_(row.format) {}

    // nullptr when the row has no further operand.
    [[nodiscard]] const isa::Field* next() {
        skip();
        if (at_ == format_.size() && group_ != none && group_ < format_.size())
            at_ = group_;
        return at_ < format_.size() ? &format_[at_++] : nullptr;
    }
    // Whether the operands may end here.
    [[nodiscard]] bool complete() {
        skip();
        return at_ == format_.size() || at_ == group_;
    }

private:
    static constexpr size_t none = SIZE_MAX;

    void skip() {
        while (at_ < format_.size() && !isa::is_operand(format_[at_].kind)) {
            group_ = format_[at_].kind == FieldKind::counted ? at_ + 1 : group_;
            ++at_;
        }
    }

    std::span<const isa::Field> format_;
    size_t at_ = 0;
    size_t group_ = none; // first field of the repeated ones
};

isa::OperandClasses class_of(OperandKind kind) {
    switch (kind) {
    case OperandKind::general:
        return isa::class_general;
    case OperandKind::address:
        return isa::class_address;
    case OperandKind::predicate:
        return isa::class_predicate;
    case OperandKind::indirect:
        return isa::class_indirect;
    case OperandKind::address_of:
        return isa::class_address_of;
    case OperandKind::immediate:
        return isa::class_immediate;
    case OperandKind::state_surface:
    case OperandKind::state_sampler:
        return isa::class_state;
    default:
        return 0;
    }
}

std::string_view describe(OperandKind kind) {
    switch (kind) {
    case OperandKind::absent:
        return "missing";
    case OperandKind::general:
        return "a general operand";
    case OperandKind::address:
        return "an address operand";
    case OperandKind::predicate:
        return "a predicate";
    case OperandKind::indirect:
        return "an indirect operand";
    case OperandKind::address_of:
        return "the address of a variable";
    case OperandKind::immediate:
        return "an immediate";
    case OperandKind::state_surface:
    case OperandKind::surface:
        return "a surface";
    case OperandKind::state_sampler:
    case OperandKind::sampler:
        return "a sampler";
    case OperandKind::raw:
        return "a raw operand";
    case OperandKind::label:
        return "a label";
    case OperandKind::string:
        return "a string";
    case OperandKind::variable:
        return "a variable";
    case OperandKind::literal:
        return "a literal";
    }
    return "nothing known";
}

std::string list_classes(const isa::Field& field) {
    std::string items;
    for (const OperandKind kind :
         {OperandKind::general, OperandKind::indirect, OperandKind::immediate, OperandKind::predicate,
          OperandKind::address, OperandKind::address_of, OperandKind::state_surface}) {
        if ((field.classes & class_of(kind)) != 0)
            items += (items.empty() ? "" : ", ") + std::string(describe(kind));
    }
    return items;
}

bool is_vector(FieldKind kind) {
    return kind == FieldKind::vector_dst || kind == FieldKind::vector_src || kind == FieldKind::scalar_src;
}
bool is_raw(FieldKind kind) {
    return kind == FieldKind::raw_dst || kind == FieldKind::raw_src;
}
bool is_destination(FieldKind kind) {
    return kind == FieldKind::vector_dst || kind == FieldKind::raw_dst;
}

// The one kind that fits a field which is no vector operand.
OperandKind kind_of(FieldKind kind) {
    switch (kind) {
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        return OperandKind::raw;
    case FieldKind::surface:
        return OperandKind::surface;
    case FieldKind::sampler:
        return OperandKind::sampler;
    case FieldKind::label:
        return OperandKind::label;
    case FieldKind::string16:
    case FieldKind::string32:
        return OperandKind::string;
    case FieldKind::variable:
        return OperandKind::variable;
    default:
        return OperandKind::literal;
    }
}

// From Xe3P on the handle of a surface or sampler may stand in a general variable.
bool is_handle(const OperandSite& site) {
    const isa::Device* device = site.context().options.device;
    const bool state = site.field.kind == FieldKind::surface || site.field.kind == FieldKind::sampler;
    return state && site.operand.kind == OperandKind::general &&
           site.site.row().family == isa::Family::sampler &&
           (device == nullptr || device->id >= isa::DeviceId::cri);
}

bool check_class(const OperandSite& site) {
    const OperandKind kind = site.operand.kind;
    if (is_handle(site))
        return true;
    if (!is_vector(site.field.kind))
        return kind == kind_of(site.field.kind) || site.diag(rule("<instruction>-<operand>-class"))
                                                       << name(site) << " is " << describe(kind) << ", not "
                                                       << describe(kind_of(site.field.kind));
    const isa::OperandClasses found = class_of(kind);
    const bool fits = found != 0 && (site.field.classes == 0 || (site.field.classes & found) != 0);
    return fits || site.diag(rule("<instruction>-<operand>-class"))
                       << name(site) << " is " << describe(kind) << "; allowed: " << list_classes(site.field);
}

// ---- existence

bool check_general_exists(const OperandSite& site) {
    return site.context().declared(site.operand.id) || site.diag(rule("undeclared-variable"))
                                                           << variable_name(site) << " is not declared";
}

bool check_surface_exists(const OperandSite& site) {
    const size_t count = isa::first_user_surface + site.context().function.surfaces.size();
    return site.operand.id < count || site.diag(rule("undeclared-variable"))
                                          << "surface " << variable_name(site) << " is not declared";
}

bool check_sampler_exists(const OperandSite& site) {
    const bool exists =
        site.operand.id < site.context().function.samplers.size() || site.operand.id == isa::bindless_sampler;
    return exists || site.diag(rule("undeclared-variable"))
                         << "sampler " << variable_name(site) << " is not declared";
}

const OtherVariable* find_address(const OperandSite& site) {
    const std::vector<OtherVariable>& addresses = site.context().function.addresses;
    if (site.operand.id < addresses.size())
        return &addresses[site.operand.id];
    site.diag(rule("undeclared-variable"))
        << "address variable " << variable_name(site) << " is not declared";
    return nullptr;
}

bool check_string(const OperandSite& site) {
    return site.operand.id < site.context().function.strings.size() ||
           site.diag(rule("string-index")) << name(site) << " is string " << site.operand.id << "; there are "
                                           << site.context().function.strings.size();
}

bool check_label(const OperandSite& site) {
    return site.operand.id < site.context().function.labels.size() ||
           site.diag(rule("undefined-label")) << "label " << site.operand.id << " does not exist; there are "
                                              << site.context().function.labels.size();
}

// ---- vector operands

bool is_arithmetic(SourceModifier modifier) {
    return modifier == SourceModifier::abs || modifier == SourceModifier::neg ||
           modifier == SourceModifier::neg_abs;
}

bool check_modifier(const OperandSite& site) {
    const SourceModifier modifier = site.operand.modifier;
    const isa::Row& row = site.site.row();
    if (modifier == SourceModifier::none)
        return true;
    if (site.operand.kind != OperandKind::general && site.operand.kind != OperandKind::indirect)
        return site.diag(rule("source-modifier"), refused)
               << "only general and indirect operands have modifiers; " << name(site) << " is "
               << describe(site.operand.kind);
    if (is_destination(site.field.kind))
        return site.diag(rule("source-modifier"), refused) << "a destination has no source modifier";
    const bool allowed = is_arithmetic(modifier)
                             ? isa::has(row, isa::arithmetic_modifiers)
                             : modifier == SourceModifier::bit_not && isa::has(row, isa::logic_modifiers);
    const bool wrong_kind = is_arithmetic(modifier) == (row.family == isa::Family::logic) &&
                            !(is_arithmetic(modifier) && isa::has(row, isa::emitted_modifiers));
    const bool compiled = row.opcode != isa::opcode::lzd && !wrong_kind;
    return allowed || site.diag(rule("source-modifier"), compiled     ? doubtful
                                                         : wrong_kind ? refused
                                                                      : executed)
                          << row.mnemonic << " takes no "
                          << (is_arithmetic(modifier) ? "(-), (abs), (-abs)" : "(~)");
}

// The pause counter and two words of the state register may be written although the rest may not.
bool is_writable(const Context& context, const Operand& operand) {
    if (!isa::is_predefined(operand.id) || isa::predefined_variables[operand.id].writable)
        return true;
    const uint64_t byte = uint64_t{operand.row} * context.grf_bytes + uint64_t{operand.column} * 4;
    const bool pause = operand.id == isa::id(isa::Predefined::tsc) && byte == 16;
    return pause || (operand.id == isa::id(isa::Predefined::sr0) && (byte == 4 || byte == 8));
}

void check_writable(const OperandSite& site) {
    if (!is_destination(site.field.kind) || is_writable(site.context(), site.operand))
        return;
    // The implementation does not look at raw operands.
    site.diag(rule("read-only-variable"), is_raw(site.field.kind) ? doubtful : refused)
        << variable_name(site) << " cannot be written";
}

// Of one instruction (IGC, HWCaps.inc: getNumAddrRegisters).
uint32_t address_registers(const OperandSite& site) {
    const isa::Device* device = site.context().options.device;
    return device == nullptr || device->id >= isa::DeviceId::cri ? 32 : 16;
}

void check_address(const OperandSite& site) {
    const OtherVariable* declared = find_address(site);
    if (declared == nullptr)
        return;
    const bool destination = site.field.kind == FieldKind::vector_dst;
    const uint32_t width = destination ? site.site.lanes() : site.operand.width; // a destination's is ignored
    if (!destination && (width > 16 || !std::has_single_bit(width))) {
        site.diag(rule("address-bounds"))
            << "the width of " << variable_name(site) << " is " << width << "; allowed: 1, 2, 4, 8, 16";
        return;
    }
    if (site.operand.column + width > declared->elements)
        site.diag(rule("address-bounds"),
                  destination && site.operand.column + width > address_registers(site) ? refused : doubtful)
                .note_at(declared->where, "declared here")
            << variable_name(site) << " has " << declared->elements << " elements; this uses "
            << elements(site.operand.column, width);
}

void check_indirect(const OperandSite& site) {
    const Operand& operand = site.operand;
    if (isa::is_packed_immediate(operand.type) || isa::size_of(operand.type) == 0)
        site.diag(rule("immediate-type"))
            << "an indirect operand cannot have type " << isa::facts(operand.type).name;
    if (operand.offset < -512 || operand.offset > 511)
        site.diag(rule("indirect-offset"))
            << "the immediate offset is " << operand.offset << "; it must be -512 to 511";
    const OtherVariable* declared = find_address(site);
    if (declared == nullptr || !check_region(site))
        return;
    const bool many = operand.region.vertical == region_absent && site.field.kind == FieldKind::vector_src;
    const uint32_t width = std::max<uint32_t>(operand.region.width, 1);
    const uint32_t count = many ? site.site.lanes() / width : 1;
    const uint32_t most = address_registers(site);
    if (operand.column + count > declared->elements || count > most)
        site.diag(rule("indirect-addresses"), count > most ? refused : doubtful)
                .note_at(declared->where, "declared here")
            << variable_name(site) << " has " << declared->elements << " elements; this uses "
            << elements(operand.column, count);
}

void check_immediate(const OperandSite& site) {
    const isa::Type type = site.operand.type;
    if (isa::size_of(type) == 0 || static_cast<unsigned>(type) > static_cast<unsigned>(isa::Type::bf)) {
        site.diag(rule("immediate-type")) << "an immediate cannot have type " << isa::facts(type).name;
        return;
    }
    if (type == isa::Type::bf) // the parser has no way to say it
        site.diag(rule("immediate-type"), unwritten) << "the compiler has no immediates of type bf";
    const isa::Device* device = site.context().options.device;
    const bool newer = device != nullptr && device->id >= isa::DeviceId::bmg;
    if (type == isa::Type::vf && newer && site.site.row().family == isa::Family::arith)
        site.diag(rule("type-device"), unwritten) << device->name << " does not compute with vf";
    if (!isa::is_packed_immediate(type))
        return;
    const uint32_t elements = type == isa::Type::vf ? 4 : 8;
    if (site.site.lanes() > elements)
        site.diag(rule("packed-immediate")) << "an immediate of type " << isa::facts(type).name << " has "
                                            << elements << " elements for " << site.site.lanes() << " lanes";
}

void check_predicate_operand(const OperandSite& site) {
    const std::vector<OtherVariable>& declared = site.context().function.predicates;
    const size_t index = size_t{site.operand.id} - isa::first_user_predicate;
    if (index >= declared.size()) {
        site.diag(rule("undeclared-variable")) << "predicate " << variable_name(site) << " is not declared";
        return;
    }
    const uint32_t end = site.site.instruction.execution.offset + site.site.lanes();
    if (end > declared[index].elements)
        site.diag(rule("predicate-size")).note_at(declared[index].where, "declared here")
            << "predicate " << variable_name(site) << " has " << declared[index].elements
            << " elements; the last lane's is " << end - 1;
}

void check_state(const OperandSite& site) {
    const bool surface = site.operand.kind == OperandKind::state_surface;
    if (surface ? !check_surface_exists(site) : !check_sampler_exists(site))
        return;
    const Function& function = site.context().function;
    const uint32_t first = surface ? isa::first_user_surface : 0;
    const std::vector<OtherVariable>& states = surface ? function.surfaces : function.samplers;
    if (site.operand.id < first || site.operand.id - first >= states.size())
        return; // predefined ones have as many elements as somebody needs
    const OtherVariable& declared = states[site.operand.id - first];
    if (site.operand.column + site.site.lanes() > declared.elements)
        site.diag(rule("state-bounds")).note_at(declared.where, "declared here")
            << variable_name(site) << " has " << declared.elements << " elements; this uses "
            << elements(site.operand.column, site.site.lanes());
}

// ADDR_ADD's page allows %arg and %retval; the implementation no predefined variable.
void check_address_of(const OperandSite& site) {
    constexpr uint8_t surface_class = 4;
    const uint32_t id = site.operand.id;
    if (site.operand.klass == surface_class) {
        if (check_surface_exists(site) && id < isa::first_user_surface)
            site.diag(rule("address-of")) << "the address of a predefined surface cannot be taken";
        return;
    }
    if (site.operand.klass != 0 || !check_general_exists(site))
        return;
    const bool passed_on = id == isa::id(isa::Predefined::arg) || id == isa::id(isa::Predefined::retval);
    if (isa::is_predefined(id)) {
        site.diag(rule("address-of"), passed_on ? Levels{Level::off, Level::error} : refused)
            << "the address of the predefined " << variable_name(site) << " cannot be taken";
        return;
    }
    const uint64_t bytes = site.context().variable(id).bytes;
    if (site.operand.offset < 0 || static_cast<uint64_t>(site.operand.offset) >= bytes)
        site.diag(rule("address-of"), doubtful) << "byte " << site.operand.offset << " of "
                                                << variable_name(site) << " does not exist; it has " << bytes;
}

void check_vector(const OperandSite& site) {
    if (!check_class(site) || !check_modifier(site))
        return;
    switch (site.operand.kind) {
    case OperandKind::general:
        if (!check_general_exists(site))
            return;
        check_writable(site);
        static_cast<void>(check_region(site));
        break;
    case OperandKind::indirect:
        check_indirect(site);
        break;
    case OperandKind::address:
        check_address(site);
        return;
    case OperandKind::predicate:
        check_predicate_operand(site);
        return;
    case OperandKind::immediate:
        check_immediate(site);
        break;
    case OperandKind::address_of:
        check_address_of(site);
        return;
    default:
        check_state(site);
        return;
    }
    check_type(site);
}

// ---- the others

void check_lifetime(const OperandSite& site) {
    const Function& function = site.context().function;
    const uint32_t id = site.operand.id;
    switch (site.operand.klass) {
    case 0:
        static_cast<void>(check_general_exists(site));
        return;
    case 1:
        static_cast<void>(find_address(site));
        return;
    case 2:
        if (id == 0 || id > function.predicates.size())
            site.diag(rule("undeclared-variable")) << "predicate `P" << id << "` is not declared";
        return;
    default:
        site.diag(rule("<instruction>-<operand>-class"))
            << "only general, address and predicate variables have a lifetime";
    }
}

void check_one(const OperandSite& site) {
    switch (site.field.kind) {
    case FieldKind::surface:
        static_cast<void>(is_handle(site) ? check_general_exists(site) : check_surface_exists(site));
        return;
    case FieldKind::sampler:
        static_cast<void>(is_handle(site) ? check_general_exists(site) : check_sampler_exists(site));
        return;
    case FieldKind::label:
        static_cast<void>(check_label(site));
        return;
    case FieldKind::string16:
    case FieldKind::string32:
        static_cast<void>(check_string(site));
        return;
    case FieldKind::variable:
        check_lifetime(site);
        return;
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        if (!check_general_exists(site))
            return;
        check_writable(site);
        check_raw(site);
        check_type(site);
        return;
    default:
        check_literal(site);
    }
}

} // namespace

void check_operand(const OperandSite& site) {
    if (site.operand.kind == OperandKind::absent)
        return; // a form of the instruction that does without
    if (is_vector(site.field.kind))
        check_vector(site);
    else if (check_class(site))
        check_one(site);
}

bool check_operands(const Site& site) {
    FieldWalk fields(site.row());
    const std::vector<Operand>& operands = site.instruction.operands;
    for (size_t index = 0; index < operands.size(); ++index) {
        const isa::Field* field = fields.next();
        if (field == nullptr)
            return site.diag(rule("operand-count")) << site.row().mnemonic << " has " << operands.size()
                                                    << " operands; its format has " << index;
        check_operand({site, *field, operands[index], index});
    }
    return fields.complete() || site.diag(rule("operand-count"))
                                    << site.row().mnemonic << " has only " << operands.size() << " operands";
}

} // namespace visor::verify
