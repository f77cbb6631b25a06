#include "isa/reference.h"

#include "isa/codec.h"
#include "isa/spelling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

namespace visor::isa {

namespace {

std::string hex_byte(int value) {
    constexpr std::string_view digits = "0123456789abcdef";
    return {'0', 'x', digits[static_cast<size_t>(value >> 4 & 0xf)],
            digits[static_cast<size_t>(value & 0xf)]};
}

// Appends `part`, with `between` in front of it when something stands there already.
void join(std::string& list, std::string_view part, std::string_view between) {
    if (part.empty())
        return;
    if (!list.empty())
        list += between;
    list += part;
}

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(at), text.size());
        if (end > 0)
            parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// ---- types and operands

// Small before large, as people look for them.
constexpr std::array type_order{Type::ub,  Type::b,    Type::uw, Type::w,  Type::ud, Type::d,      Type::uq,
                                Type::q,   Type::hf,   Type::bf, Type::f,  Type::df, Type::tf32,   Type::hf8,
                                Type::bf8, Type::e2m1, Type::v,  Type::uv, Type::vf, Type::boolean};

std::string list_types(TypeSet set) {
    std::string list;
    for (const Type type : type_order) {
        if (contains(set, type))
            join(list, facts(type).name, " ");
    }
    return list;
}

struct ClassName {
    OperandClass klass;
    const char* name;
    unsigned least; // bytes on the wire
    unsigned most;
};
constexpr std::array class_names{ClassName{class_general, "general", 9, 9},
                                 ClassName{class_indirect, "indirect", 9, 9},
                                 ClassName{class_immediate, "immediate", 6, 10},
                                 ClassName{class_address, "address", 5, 5},
                                 ClassName{class_address_of, "address-of", 5, 9},
                                 ClassName{class_predicate, "predicate", 3, 3},
                                 ClassName{class_state, "state", 5, 5}};

std::string list_classes(OperandClasses classes) {
    std::string list;
    for (const ClassName& entry : class_names) {
        if ((classes & entry.klass) != 0)
            join(list, entry.name, ", ");
    }
    return list;
}

std::string vector_bytes(OperandClasses classes) {
    unsigned least = 10;
    unsigned most = 0;
    for (const ClassName& entry : class_names) {
        if ((classes & entry.klass) == 0)
            continue;
        least = std::min(least, entry.least);
        most = std::max(most, entry.most);
    }
    return least >= most ? std::to_string(most) : std::to_string(least) + "-" + std::to_string(most);
}

const char* words_of(Extent extent) {
    switch (extent) {
    case Extent::none:
    case Extent::instruction:
        return "";
    case Extent::lanes_1:
        return "1 byte a lane";
    case Extent::lanes_2:
        return "2 bytes a lane";
    case Extent::lanes_4:
        return "4 bytes a lane";
    case Extent::lanes_8:
        return "8 bytes a lane";
    case Extent::channels_4:
        return "pitch dwords a channel";
    case Extent::blocks_8:
        return "pitch qwords a block";
    case Extent::svm_blocks:
        return "the blocks of all lanes";
    case Extent::owords:
        return "16 bytes an oword";
    case Extent::atomic_lanes:
        return "4 bytes a lane, 8 with .64";
    case Extent::lsc_address:
        return "an address a lane";
    case Extent::lsc_base:
        return "one address";
    case Extent::lsc_data:
        return "as the data's shape says";
    case Extent::lsc_status:
        return "as the data's shape says, and a dword of status behind it";
    case Extent::lsc_block:
        return "the blocks, each from a register on";
    case Extent::wide_pair:
        return "two blocks of whole registers";
    }
    return "";
}

// ---- literals

// "add sub inc (0 to 2), fmax (16)": the words of codes that follow each other stand together. `wanted`: bit
// k = code k is among them.
std::string list_codes(Codec codec, uint64_t end, uint32_t wanted) {
    std::string list;
    std::string run;
    uint64_t first = 0;
    const auto close = [&](uint64_t last) {
        if (run.empty())
            return;
        const std::string codes =
            first == last ? std::to_string(first) : std::to_string(first) + " to " + std::to_string(last);
        join(list, run + " (" + codes + ")", ", ");
        run.clear();
    };
    for (uint64_t code = 0; code < end; ++code) {
        const std::string word = spell(codec, code);
        const bool is_wanted = code >= 32 || (wanted >> code & 1U) != 0;
        if (!is_wanted || word.empty() || parse(codec, word) != code) {
            close(code - 1);
            continue;
        }
        if (run.empty())
            first = code;
        join(run, word, " ");
    }
    close(end - 1);
    return list;
}

// Those of the page, then those that only the compiler takes.
std::string list_codes(const Field& field, Codec codec) {
    constexpr uint64_t byte_codes = 256;
    if (field.codes == 0)
        return list_codes(codec, byte_codes, UINT32_MAX);
    std::string list = list_codes(codec, 32, field.codes);
    if (field.emitted_codes != 0)
        list += "; the compiler also: " + list_codes(codec, 32, field.emitted_codes);
    return list;
}

// Literals whose bits have to be explained; nothing for those that are a list of words.
const char* bits_of(Codec codec) {
    switch (codec) {
    case Codec::plain:
        return "number";
    case Codec::hex:
        return "number, hexadecimal in text";
    case Codec::hex_byte:
        return "truth table, as x96 in text";
    case Codec::channel_mask:
        return "bits 0 to 3: channels R G B A";
    case Codec::lsc_channel_mask:
        return "bits 0 to 3: channels x y z w";
    case Codec::element_count:
        return "bits 1..0: 8 16 1 elements (0 to 2); bits 7..4: mask";
    case Codec::fence_mask:
        return "bits 0 to 4: E commit, I S C R caches; 5: local; 6: L1; 7: sw";
    case Codec::lifetime:
        return "bit 0: start end; bits 5..4: general, address, predicate variable";
    case Codec::call_flags:
        return "bit 0: .uniform; bit 1: .noreturn";
    case Codec::unorm_output:
        return "bits 3..0: channels R G B A; bits 5..4: 16-full 16-downsampled 8-full 8-downsampled";
    case Codec::rt_write_mode:
        return "a bit each: <RTI> 2, <A> 3, <O> 4, <Z> 5, <ST> 6, <LRTW> 7, <CPS> 8, <PS> 9, <CM> 10, <SI> "
               "11, "
               "<NULLRT> 12";
    case Codec::channels_simd:
        return "bits 3..0: channels R G B A; bits 5..4: 8 16 lanes (0 1)";
    case Codec::send_modifiers:
        return "bit 0: c, conditional; bit 1: _eot, ends the thread";
    case Codec::dpas_info:
        return "bytes: precision of src1, of src2, depth 1 2 4 8, repeat count 1 to 8";
    case Codec::modified:
        return "1: .mod";
    default:
        return "";
    }
}

std::string meaning_of(const Field& field) {
    if (const std::string_view bits = bits_of(field.codec); !bits.empty())
        return std::string(bits);
    if (field.codec == Codec::svm_block)
        return "bits 2..0: owords, " + list_codes(field, Codec::oword_count) +
               "; bit 3: .unaligned, else the address is oword-aligned";
    if (field.codec == Codec::atomic_op)
        return list_codes(Codec::atomic_op, 32, UINT32_MAX) + "; bits 6..5: 32, 16, 64 bits (0 to 2)";
    return list_codes(field, field.codec);
}

const char* literal_bytes(FieldKind kind) {
    if (kind == FieldKind::literal8)
        return "1";
    return kind == FieldKind::literal16 ? "2" : "4";
}

// ---- fields

std::string operand_words(const Field& field, std::string_view kind) {
    std::string words(kind);
    join(words, list_classes(field.classes), ": ");
    join(words, field.types == 0 ? std::string("any type") : list_types(field.types), "; ");
    if (field.emitted != 0)
        words += " (the compiler also: " + list_types(field.emitted) + ")";
    join(words, words_of(field.extent), "; ");
    if (field.nullable)
        words += "; may be %null";
    return words;
}

std::string field_words(const Row& row, const Field& field) {
    switch (field.kind) {
    case FieldKind::exec:
        return "execution size (bits 2..0) and mask (bits 7..4)";
    case FieldKind::predicate:
        return "predicate: id, .any or .all, inversion; 0: none";
    case FieldKind::sub_opcode:
        return hex_byte(row.sub);
    case FieldKind::sub_opcode16:
        return hex_byte(row.sub) + "; bits 8 to 10: .pixel_null_mask .cps .divS";
    case FieldKind::vector_dst:
        return operand_words(field, "destination");
    case FieldKind::vector_src:
        return operand_words(field, "source");
    case FieldKind::scalar_src:
        return operand_words(field, "scalar");
    case FieldKind::raw_dst:
        return operand_words(field, "raw destination");
    case FieldKind::raw_src:
        return operand_words(field, "raw source");
    case FieldKind::surface:
        return "surface";
    case FieldKind::sampler:
        return "sampler";
    case FieldKind::label:
        return "label";
    case FieldKind::string16:
    case FieldKind::string32:
        return "string, by its index in the pool";
    case FieldKind::variable:
        return "variable";
    case FieldKind::counted:
        return "what follows is there as often as the number before says";
    default:
        return meaning_of(field);
    }
}

std::string field_bytes(const Field& field) {
    if (field.text_only)
        return "-";
    switch (field.kind) {
    case FieldKind::exec:
    case FieldKind::sub_opcode:
    case FieldKind::surface:
    case FieldKind::sampler:
        return "1";
    case FieldKind::predicate:
    case FieldKind::sub_opcode16:
    case FieldKind::label:
    case FieldKind::string16:
        return "2";
    case FieldKind::string32:
    case FieldKind::variable:
        return "4";
    case FieldKind::raw_dst:
    case FieldKind::raw_src:
        return "6";
    case FieldKind::vector_dst:
    case FieldKind::vector_src:
    case FieldKind::scalar_src:
        return vector_bytes(field.classes);
    case FieldKind::counted:
        return "";
    default:
        return literal_bytes(field.kind);
    }
}

ReferenceField describe(const Row& row, const Field& field) {
    ReferenceField entry{field.name, field_bytes(field), field_words(row, field)};
    if (field.text_only)
        entry.meaning += "; in text alone";
    else if (field.place == Place::hidden)
        entry.meaning += "; not in text";
    if (field.newer)
        entry.meaning += "; only of compilers since 2024, and the null variable";
    if (field.present_if != 0)
        entry.meaning += "; only where mode has bit " +
                         std::to_string(std::countr_zero(static_cast<unsigned>(field.present_if)));
    return entry;
}

// ---- the row as a whole

const char* name_of(Family family) {
    static constexpr std::array names{
        "arith",  "logic", "compare", "move", "address", "flow",  "scattered", "block", "svm",    "lsc",
        "atomic", "typed", "sampler", "sync", "matrix",  "debug", "media",     "vme",   "render", "raw"};
    return names[static_cast<size_t>(family)];
}

std::string predicate_words(const Row& row) {
    if (has(row, predicate_in_text))
        return "in text only: a binary has no place for it";
    if (!has_predicate(row))
        return "none";
    if (has(row, predicate_selects))
        return "chooses for each lane";
    return has(row, writes_predicate) ? "is a result" : "switches lanes off";
}

std::string saturation_words(const Row& row) {
    if (!has(row, can_saturate))
        return "no";
    return has(row, saturates_floats_only) ? ".sat, on float types" : ".sat";
}

std::string modifier_words(const Row& row) {
    if (has(row, arithmetic_modifiers))
        return "(-) (abs) (-abs)";
    return has(row, logic_modifiers) ? "(~)" : "none";
}

std::vector<std::string> effects_of(const Row& row) {
    struct Effect {
        RowFlag flag;
        const char* words;
    };
    static constexpr std::array effects{Effect{implicit_no_mask, "every lane, whatever the mask"},
                                        Effect{reads_memory, "reads memory"},
                                        Effect{writes_memory, "writes memory"},
                                        Effect{atomic_access, "atomic"},
                                        Effect{can_fault, "can fault"},
                                        Effect{ends_block, "control may go elsewhere"},
                                        Effect{group_sync, "may wait for other threads"}};
    std::vector<std::string> list;
    for (const Effect& effect : effects) {
        if (has(row, effect.flag))
            list.emplace_back(effect.words);
    }
    return list;
}

std::string outside_words(const Row& row, std::string_view zero) {
    std::string words;
    if (has(row, reads_memory))
        words = "reads give " + std::string(zero);
    if (has(row, writes_memory))
        join(words, "writes are dropped", ", ");
    return words;
}

std::string out_of_bounds_words(const Row& row) {
    switch (row.out_of_bounds) {
    case OutOfBounds::not_applicable:
        return "";
    case OutOfBounds::zero_or_dropped:
        return outside_words(row, "zero");
    case OutOfBounds::fault:
        return "a fault";
    case OutOfBounds::by_address_type:
        return "flat: a fault; surfaces: " + outside_words(row, "zero");
    case OutOfBounds::pixel:
        return outside_words(row, "0 0 0 1");
    case OutOfBounds::edge:
        return outside_words(row, "the dword at the edge");
    case OutOfBounds::undefined:
        return "undefined";
    }
    return "";
}

std::string opcode_words(const Row& row) {
    std::string words = hex_byte(row.opcode);
    if (row.sub >= 0)
        words += " " + hex_byte(row.sub);
    return words;
}

} // namespace

Reference reference(const Row& row) {
    Reference entry;
    entry.mnemonic = row.mnemonic;
    entry.spellings = split(row.spellings, ' ');
    entry.opcode = opcode_words(row);
    entry.family = name_of(row.family);
    entry.semantics = split(row.semantics, '\n');
    entry.syntax = syntax(row);
    entry.example = example(row);
    for (const Field& field : row.format)
        entry.fields.push_back(describe(row, field));
    for (unsigned power = 0; power < 6; ++power) {
        if ((row.exec_sizes >> power & 1U) != 0)
            entry.exec_sizes.push_back(1U << power);
    }
    entry.predicate = predicate_words(row);
    entry.saturation = saturation_words(row);
    entry.modifiers = modifier_words(row);
    entry.effects = effects_of(row);
    entry.out_of_bounds = out_of_bounds_words(row);
    for (const Device& device : devices()) {
        if (contains(row.devices, device.id))
            entry.devices.emplace_back(device.name);
    }
    entry.fidelity = name_of(fidelity(row));
    entry.page = row.page;
    entry.unsupported = row.unsupported;
    return entry;
}

} // namespace visor::isa
