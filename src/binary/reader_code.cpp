// The Reader's half of instructions and operands.
#include "binary/reader.h"

#include "isa/codec.h"
#include "isa/opcode.h"
#include "isa/table.h"
#include "module/canonical.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace visor::binary {

namespace {

// Bytes of the fields that may stand in front of a sub-opcode.
uint8_t bytes_before_sub(const isa::Field& field) {
    return field.kind == isa::FieldKind::predicate ? 2 : 1;
}

bool is_sub(const isa::Field& field) {
    return field.kind == isa::FieldKind::sub_opcode || field.kind == isa::FieldKind::sub_opcode16;
}

OperandKind kind_of(WireClass klass) {
    switch (klass) {
    case WireClass::general:
        return OperandKind::general;
    case WireClass::address:
        return OperandKind::address;
    case WireClass::predicate:
        return OperandKind::predicate;
    case WireClass::indirect:
        return OperandKind::indirect;
    case WireClass::immediate:
        return OperandKind::immediate;
    case WireClass::state:
        return OperandKind::state_surface; // or a sampler: the next byte says
    }
    return OperandKind::absent;
}

bool repeats(const isa::Row& row) {
    return std::ranges::any_of(row.format,
                               [](const isa::Field& field) { return field.kind == isa::FieldKind::counted; });
}

bool exists_id(const Function& function, Space space, uint64_t id) {
    switch (space) {
    case Space::general:
        return id <= std::numeric_limits<uint32_t>::max() &&
               general_exists(function, static_cast<uint32_t>(id));
    case Space::address:
        return id < function.addresses.size();
    case Space::predicate:
        return id >= isa::first_user_predicate && id - isa::first_user_predicate < function.predicates.size();
    case Space::sampler:
        return id == isa::bindless_sampler || id < function.samplers.size();
    case Space::surface:
        return id < isa::first_user_surface || id - isa::first_user_surface < function.surfaces.size();
    case Space::label:
        return id < function.labels.size();
    }
    return false;
}

} // namespace

// ---- rows

void Reader::build_dispatch() {
    for (const isa::Row* row : isa::table()) {
        Dispatch& entry = dispatch_[row->opcode];
        entry.only = row;
        entry.sub_offset = 0;
        for (const isa::Field& field : row->format) {
            if (is_sub(field)) {
                entry.has_sub = true;
                entry.wide_sub = field.kind == isa::FieldKind::sub_opcode16;
                break;
            }
            entry.sub_offset = static_cast<uint8_t>(entry.sub_offset + bytes_before_sub(field));
        }
    }
}

// Behind the opcode.
const isa::Row* Reader::row_here() {
    const size_t begin = at_ - 1;
    const uint8_t opcode = std::to_integer<uint8_t>(file_[begin]);
    const Dispatch& entry = dispatch_[opcode];
    if (entry.only == nullptr)
        fatal(since(begin), "unknown-opcode", fmt::format("0x{:02x} is no opcode", opcode));
    if (entry.only == nullptr || !entry.has_sub)
        return entry.only;
    if (end_ - at_ <= entry.sub_offset) {
        fatal(since(begin), "truncated", "the code ends inside an instruction");
        return nullptr;
    }
    constexpr unsigned narrow_sampler_bits = 0x1f; // before 4.0, with flags above
    const bool narrow = entry.wide_sub && version_.before(4, 0);
    const unsigned sub = std::to_integer<unsigned>(file_[at_ + entry.sub_offset]);
    const isa::Row* row = isa::find(opcode, static_cast<int>(narrow ? sub & narrow_sampler_bits : sub));
    if (row == nullptr)
        fatal(since(begin), "unknown-opcode",
              fmt::format("0x{:02x} has no sub-opcode 0x{:02x}", opcode, sub));
    return row;
}

// ---- code

void Reader::code(std::vector<Instruction>& code) {
    if (!ok_)
        return;
    if (at_ != code_begin_)
        warn(since(at_), "ignored-field",
             fmt::format("the code begins at 0x{:x}, not behind the attributes; what lies between is lost",
                         code_begin_));
    at_ = code_begin_;
    end_ = code_end_;
    constexpr size_t usual_bytes = 24; // of an instruction
    code.reserve((end_ - at_) / usual_bytes);
    while (ok_ && at_ < end_) {
        if (!instruction(*this, code.emplace_back()))
            code.pop_back();
    }
}

bool Reader::begin_instruction(Instruction& instruction) {
    instruction_at_ = at_;
    static_cast<void>(bytes(1, "opcode"));
    instruction.row = row_here();
    instruction_ = &instruction;
    mode_ = 0;
    lifetime_class_ = 0;
    if (instruction.row == nullptr)
        return false;
    const bool typed_messages = instruction.row->family == isa::Family::typed;
    if (typed_messages && version_.before(3, 2))
        fatal(since(instruction_at_), "unsupported-version",
              fmt::format("`{}` of version {}.{} has no known form", instruction.row->mnemonic,
                          version_.major, version_.minor));
    instruction.operands.reserve(instruction.row->format.size());
    return ok_;
}

// Text has at least one, and of a sampler message no more than have names: more would be a paired resource.
size_t Reader::repetitions() {
    const isa::Row& row = *instruction_->row;
    const size_t most = row.form == isa::TextForm::sample_3d ? isa::most_parameters(row)
                                                             : std::numeric_limits<uint8_t>::max();
    const auto count = static_cast<size_t>(last_literal_);
    if (count == 0 || count > most)
        fatal(since(instruction_at_), "bad-operand",
              fmt::format("`{}` takes 1 to {} of its last operands, not {}", row.mnemonic, most, count));
    return count;
}

bool Reader::end_instruction() {
    instruction_->where = since(instruction_at_);
    if (ok_) {
        for (const Dropped& dropped : make_canonical(*instruction_))
            warn_ignored(dropped.where, dropped.field);
    }
    const uint8_t opcode = instruction_->row->opcode;
    if (ok_ && (opcode == isa::opcode::label || opcode == isa::opcode::subroutine))
        define_label(instruction_->operands.front());
    return ok_;
}

void Reader::define_label(const Operand& operand) {
    if (operand.id >= function_->labels.size())
        return;
    Label& label = function_->labels[operand.id];
    if (label.defined) {
        error(since(instruction_at_), "label-redefined",
              fmt::format("label `{}` is defined twice", label.name));
        return;
    }
    label.defined = true;
    label.where = since(instruction_at_);
}

void Reader::execution(Execution& execution) {
    const size_t begin = at_;
    const auto byte = static_cast<uint8_t>(bytes(1, "exec_size"));
    const auto decoded = decode_execution(byte, version_);
    if (!decoded)
        return error(since(begin), "bad-exec-size", fmt::format("0x{:02x} is no execution size", byte));
    execution = decoded->value;
    if (decoded->ignored)
        warn_ignored(begin, "exec_size");
}

void Reader::predicate(Predicate& predicate) {
    const size_t begin = at_;
    const auto decoded = decode_predicate(static_cast<uint16_t>(bytes(2, "pred")));
    predicate = decoded.value;
    if (decoded.ignored)
        warn_ignored(begin, "pred");
    if (predicate.id != 0 && !exists_id(*function_, Space::predicate, predicate.id))
        error(since(begin), "unknown-id", fmt::format("predicate {} is not declared", predicate.id));
}

void Reader::sub_opcode() {
    static_cast<void>(bytes(1, "sub_opcode")); // it chose the row
}

// ---- operands

// Compilers since 2024 write a paired resource, under the version that older ones write as well. It begins
// with the number of a variable, 0 for the null variable; without it a count of 1 to 15 parameters stands
// here (3D_SAMPLE, NumParams).
bool Reader::has_paired_resource() {
    constexpr unsigned most = 15;
    constexpr size_t bytes_of_null = 6;
    const auto byte = [this](size_t ahead) {
        return at_ + ahead < end_ ? std::to_integer<unsigned>(file_[at_ + ahead]) : 0;
    };
    if (byte(0) != 0 && byte(0) <= most)
        return false;
    bool null = end_ - at_ > bytes_of_null;
    for (size_t i = 0; i < bytes_of_null; ++i)
        null = null && byte(i) == 0;
    if (!null && ok_) {
        diagnostics_.unsupported(
            since(at_), "paired-resource",
            fmt::format("`{}` has no count of 1 to 15 parameters here: a paired resource "
                        "other than the null variable is not supported yet",
                        instruction_->row->mnemonic));
        ok_ = false;
    }
    if (null && ok_ && (byte(bytes_of_null) == 0 || byte(bytes_of_null) > most))
        fatal(since(at_), "bad-operand",
              fmt::format("behind its paired resource `{}` has no count of 1 to 15 parameters",
                          instruction_->row->mnemonic));
    return null;
}

bool Reader::is_present(const isa::Field& field) {
    if (field.newer)
        return !version_.before(3, 8) && has_paired_resource();
    if (field.text_only || (field.present_if != 0 && (mode_ & field.present_if) == 0))
        return false;
    return version_ == Version{} || exists(*instruction_->row, field, version_);
}

// As text leaves an operand that it does not mention.
void Reader::leave_out(const isa::Field& field, size_t /*index*/) {
    Operand& operand = instruction_->operands.emplace_back();
    operand.where = since(at_);
    switch (field.kind) {
    case isa::FieldKind::literal8:
    case isa::FieldKind::literal16:
    case isa::FieldKind::literal32:
        operand.kind = OperandKind::literal;
        operand.value = field.fallback;
        break;
    default:
        break;
    }
}

Operand& Reader::begin_operand(const isa::Field& field, size_t /*index*/) {
    operand_at_ = at_;
    Operand& operand = instruction_->operands.emplace_back();
    switch (field.kind) {
    case isa::FieldKind::raw_dst:
    case isa::FieldKind::raw_src:
        operand.kind = OperandKind::raw;
        break;
    case isa::FieldKind::surface:
        operand.kind = OperandKind::surface;
        break;
    case isa::FieldKind::sampler:
        operand.kind = OperandKind::sampler;
        break;
    case isa::FieldKind::label:
        operand.kind = OperandKind::label;
        break;
    case isa::FieldKind::string16:
    case isa::FieldKind::string32:
        operand.kind = OperandKind::string;
        break;
    case isa::FieldKind::variable:
        operand.kind = OperandKind::variable;
        break;
    default:
        operand.kind = OperandKind::literal; // a vector operand's kind is in its tag
        break;
    }
    return operand;
}

void Reader::end_operand(const isa::Field& field) {
    Operand& operand = instruction_->operands.back();
    operand.where = since(operand_at_);
    if ((field.classes & isa::class_address_of) != 0 && ok_)
        to_address_of(operand);
    const isa::Row& row = *instruction_->row;
    if (!may_be_absent(row, field))
        return;
    const std::optional<Operand> unsaid = filler(row, field, instruction_->operands);
    if (!unsaid)
        return;
    const bool says_nothing = operand.same(*unsaid);
    // What text has no place for cannot stay.
    if (!says_nothing && row.form == isa::TextForm::nbarrier)
        warn_ignored(operand_at_, field.name);
    if (says_nothing || row.form == isa::TextForm::nbarrier) {
        operand = {};
        operand.where = since(operand_at_);
    }
}

// On the wire an address-of is a general or a state operand.
void Reader::to_address_of(Operand& operand) {
    if (operand.kind == OperandKind::general) {
        const uint32_t element = isa::size_of(general_type(*function_, operand.id));
        operand.offset = static_cast<int32_t>(operand.row * options_.grf_bytes + operand.column * element);
        operand.klass = 0;
    } else if (operand.kind == OperandKind::state_surface || operand.kind == OperandKind::state_sampler) {
        operand.offset = static_cast<int32_t>(operand.column * bytes_per_address_element);
        operand.klass = operand.kind == OperandKind::state_sampler ? sampler_class : surface_class;
    } else {
        return;
    }
    operand.kind = OperandKind::address_of;
    operand.row = 0;
    operand.column = 0;
    operand.region = {};
}

void Reader::id(Space space, Width width, uint32_t& id) {
    const size_t begin = at_;
    id = static_cast<uint32_t>(bytes(bytes_of(width, version_), "id"));
    if (!ok_ || exists_id(*function_, space, id))
        return;
    error(since(begin), "unknown-id", fmt::format("{} {} is not declared", describe(space), id));
}

void Reader::string(Width width, uint32_t& index) {
    const size_t begin = at_;
    const uint64_t pool_index = bytes(bytes_of(width, version_), "name_index");
    if (!ok_)
        return;
    if (pool_index >= pool_.size())
        return error(since(begin), "unknown-string",
                     fmt::format("string {} of a pool of {}", pool_index, pool_.size()));
    // A pool may have a string twice.
    index = strings_.add(pool_[pool_index]);
    if (index == function_->strings.size() && afford(pool_[pool_index].size()))
        function_->strings.emplace_back(pool_[pool_index]);
}

void Reader::literal(const isa::Field& field, Width width, Operand& operand) {
    const size_t begin = at_;
    uint64_t value = bytes(bytes_of(width, version_), field.name);
    if (field.codec == isa::Codec::lifetime)
        lifetime_class_ = static_cast<uint8_t>(value >> 4U);
    if (field.codec == isa::Codec::element_count)
        value = (value & 0x0fU) | uint64_t{modern_mask(static_cast<uint8_t>(value >> 4U), version_)} << 4U;
    const Decoded<uint64_t> decoded = decode_literal(field.codec, value);
    operand.value = decoded.value;
    if (decoded.ignored && field.codec == isa::Codec::svm_block && (value & 0x70U) == 0)
        note(since(begin), "old-unaligned-bit",
             "bit 7 is read as bit 3: the address is unaligned (ruling 15)");
    else if (decoded.ignored)
        warn_ignored(begin, field.name);
    if (field.place == isa::Place::hidden && value != field.fallback && !repeats(*instruction_->row))
        warn(since(begin), "ignored-field", // rulings 8
             fmt::format("`{}` is {}; it is kept, and nobody reads it", field.name, value));
    last_literal_ = operand.value;
    if (width == Width::word)
        mode_ = static_cast<uint16_t>(operand.value);
}

// Operation and flags: a word whose halves they are; before 4.0 a byte, with the operation in bits 4..0.
void Reader::sampler_operation(Operand& operand) {
    operand.value = version_.before(4, 0) ? bytes(1, "op") >> 5U : bytes(2, "op") >> 8U;
}

void Reader::lifetime_variable(Operand& operand) {
    constexpr std::array spaces{Space::general, Space::address, Space::predicate};
    if (lifetime_class_ >= spaces.size())
        return fatal(since(operand_at_), "bad-operand",
                     fmt::format("{} is no class of a variable with a lifetime", lifetime_class_));
    operand.klass = lifetime_class_;
    id(spaces[lifetime_class_], Width::id, operand.id);
}

void Reader::plain_word(Operand& operand) {
    operand.kind = OperandKind::immediate;
    operand.type = isa::Type::uw;
    operand.value = bytes(2, "aoffimmi");
}

void Reader::tag(const isa::Field& field, Operand& operand) {
    const size_t begin = at_;
    const auto byte = static_cast<uint8_t>(bytes(1, "tag"));
    const auto decoded = decode_tag(byte);
    if (!decoded)
        return fatal(since(begin), "bad-operand", fmt::format("0x{:02x} is no tag of an operand", byte));
    operand.kind = kind_of(decoded->value.klass);
    if (decoded->value.modifier == SourceModifier::saturate && field.kind == isa::FieldKind::vector_dst)
        instruction_->saturate = true;
    else
        operand.modifier = decoded->value.modifier;
    if (decoded->ignored)
        warn_ignored(begin, "tag");
}

void Reader::region(Region& region) {
    const size_t begin = at_;
    const auto word = static_cast<uint16_t>(bytes(2, "region"));
    const auto decoded = decode_region(word);
    if (!decoded)
        return error(since(begin), "bad-region", fmt::format("0x{:04x} is no region", word));
    region = decoded->value;
    if (decoded->ignored)
        warn_ignored(begin, "region");
}

void Reader::type(isa::Type& type) {
    const size_t begin = at_;
    const auto decoded = decode_type(static_cast<uint8_t>(bytes(1, "type")));
    type = decoded.value;
    if (decoded.ignored)
        warn_ignored(begin, "type");
}

void Reader::lanes(uint8_t& width) {
    const size_t begin = at_;
    const uint64_t code = bytes(1, "width");
    if (code > 5)
        return error(since(begin), "bad-operand", fmt::format("{} is no width of an address operand", code));
    width = static_cast<uint8_t>(1U << code);
}

void Reader::predicate_id(uint32_t& id) {
    const size_t begin = at_;
    const uint64_t word = bytes(2, "id");
    id = static_cast<uint32_t>(word & last_predicate);
    if (!ok_)
        return;
    if (!exists_id(*function_, Space::predicate, id))
        error(since(begin), "unknown-id", fmt::format("predicate {} is not declared", id));
    if (word > last_predicate)
        warn_ignored(begin, "id");
}

void Reader::immediate(Operand& operand) {
    const size_t begin = at_;
    if (is_wide(operand.type)) {
        operand.value = bytes(8, "immediate");
        return;
    }
    const auto decoded = decode_immediate(operand.type, static_cast<uint32_t>(bytes(4, "immediate")));
    operand.value = decoded.value;
    if (decoded.ignored)
        warn_ignored(begin, "immediate");
}

void Reader::state_class(OperandKind& kind) {
    const size_t begin = at_;
    const uint64_t klass = bytes(1, "opnd_class");
    if (klass > 1)
        return fatal(since(begin), "bad-operand", fmt::format("{} is no class of a state operand", klass));
    kind = klass == 0 ? OperandKind::state_surface : OperandKind::state_sampler;
}

} // namespace visor::binary
