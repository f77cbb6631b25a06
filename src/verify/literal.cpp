// Literal fields of the pages: codes that exist, and what a literal says about the other operands.
#include "isa/codec.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace visor::verify {

namespace {

using isa::Codec;

constexpr size_t codec_count = static_cast<size_t>(Codec::dpas_info) + 1;

// Codecs that number things: one word a code.
bool is_enumeration(Codec codec) {
    switch (codec) {
    case Codec::block_count:
    case Codec::block_type:
    case Codec::oword_count:
    case Codec::source_channel:
    case Codec::relation:
    case Codec::modified:
    case Codec::element_bytes:
    case Codec::lsc_sfid:
    case Codec::lsc_cache:
    case Codec::lsc_address_type:
    case Codec::lsc_address_size:
    case Codec::lsc_data_size:
    case Codec::lsc_data_order:
    case Codec::lsc_data_elements:
    case Codec::lsc_fence_op:
    case Codec::lsc_scope:
    case Codec::lsc_cache_operation:
    case Codec::lsc_cache_bytes:
    case Codec::element_count:
    case Codec::lfsr_format:
    case Codec::media_modifier:
    case Codec::avs_output:
    case Codec::avs_mode:
    case Codec::dnscl_type:
    case Codec::dnscl_mode:
    case Codec::dnscl_rounding:
        return true;
    default:
        return false;
    }
}

// The codes that have a word, bit by bit: those that text can give back.
std::array<uint32_t, codec_count> build_known_codes() {
    std::array<uint32_t, codec_count> known{};
    for (size_t index = 0; index < codec_count; ++index) {
        const auto codec = static_cast<Codec>(index);
        for (uint32_t code = 0; is_enumeration(codec) && code < 32; ++code) {
            const std::string word = isa::spell(codec, code);
            const bool has_word = word.empty() || isa::parse(codec, word) == std::optional<uint64_t>(code);
            known[index] |= has_word ? uint32_t{1} << code : 0;
        }
    }
    return known;
}

uint32_t known_codes(Codec codec) {
    static const std::array<uint32_t, codec_count> known = build_known_codes();
    return known[static_cast<size_t>(codec)];
}

bool has_code(uint32_t set, uint64_t code) {
    return code < 32 && (set >> code & 1U) != 0;
}

std::string list_codes(const isa::Field& field, uint32_t codes) {
    std::string items;
    for (uint32_t code = 0; code < 32; ++code) {
        if (!has_code(codes, code))
            continue;
        items += (items.empty() ? "" : ", ") + isa::spell(field.codec, code);
    }
    return items;
}

// Messages with a channel mask count their channels, not elements.
bool counts_channels(const OperandSite& site, uint64_t code) {
    const int mask = isa::operand_index(site.site.row(), "ch_mask");
    const std::vector<Operand>& operands = site.site.instruction.operands;
    return code == 0 && site.field.codec == Codec::lsc_data_elements && mask >= 0 &&
           static_cast<size_t>(mask) < operands.size() && operands[static_cast<size_t>(mask)].value != 0;
}

void check_code(const OperandSite& site, uint64_t code) {
    if (counts_channels(site, code))
        return;
    const uint32_t known =
        known_codes(site.field.codec == Codec::svm_block ? Codec::oword_count : site.field.codec);
    const uint32_t page = site.field.codes != 0 ? site.field.codes : known;
    if (page == 0 || has_code(page, code))
        return;
    const Levels levels = has_code(site.field.emitted_codes, code) ? habitual : refused;
    const std::string found =
        has_code(known, code) ? isa::spell(site.field.codec, code) : "code " + std::to_string(code);
    site.diag(rule("<instruction>-<operand>-code"), levels)
        << name(site) << " is " << found << "; allowed: " << list_codes(site.field, page);
}

// Ruling 36: fadd and fsub are the compiler's; rulings 26: width code 3. Bit 7 has no meaning.
void check_atomic_op(const OperandSite& site, uint64_t value) {
    const auto op = isa::atomic_op(value);
    const unsigned bits = isa::atomic_bits(value);
    if (!op) {
        site.diag(rule("<instruction>-<operand>-code"), refused)
            << name(site) << " is code " << (value & 0x1fU) << ", which no operation has";
        return;
    }
    if (bits == 0 || value > 0x7f) {
        site.diag(rule("<instruction>-<operand>-code"), refused)
            << name(site) << " has " << (bits == 0 ? "width code 3" : "bit 7 set")
            << "; widths are 16, 32, 64";
        return;
    }
    const bool flat = site.site.row().out_of_bounds == isa::OutOfBounds::fault;
    if (bits == 64 && !flat)
        site.diag(rule("<instruction>-<operand>-code"), refused)
            << site.site.row().mnemonic << " works on 16 and 32 bits; only svm_atomic has .64";
    if (op == isa::AtomicOp::fadd || op == isa::AtomicOp::fsub)
        site.diag(rule("<instruction>-<operand>-code"), habitual)
            << name(site) << " is " << isa::spell(Codec::atomic_op, value)
            << ", which the page does not have";
}

// wait and signal; a named barrier's signal has two forms.
void check_signal(const OperandSite& site, uint64_t value) {
    const uint64_t last = site.site.row().form == isa::TextForm::nbarrier ? 2 : 1;
    if (value > last)
        site.diag(rule("<instruction>-<operand>-code"), refused)
            << name(site) << " is code " << value << "; the last one is " << last;
}

// Precisions that have names, a depth of 1, 2, 4 or 8, a repeat count of 1 to 8.
void check_dpas(const OperandSite& site, uint64_t value) {
    if (!isa::parse(Codec::dpas_info, isa::spell(Codec::dpas_info, value)))
        site.diag(rule("<instruction>-<operand>-code"), refused)
            << name(site) << " is " << isa::spell(Codec::dpas_info, value)
            << "; it has two precisions, a depth of 1, 2, 4 or 8 and a repeat count of 1 to 8";
}

void check_channels(const OperandSite& site, uint64_t value) {
    if ((value & 15U) == 0)
        site.diag(rule("<instruction>-<operand>-code"))
            << name(site) << " enables no channel; at least one is needed";
}

// ---- what follows from literals

std::optional<uint64_t> literal(const Site& site, Codec codec) {
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        const Operand& operand = site.instruction.operands[index];
        if (operand.kind == OperandKind::literal && isa::field_of_operand(site.row(), index).codec == codec)
            return operand.value;
    }
    return std::nullopt;
}

// SVM_GATHER, SVM_SCATTER: the data's type has the block's size; several blocks need eight lanes or more.
void check_svm_blocks(const Site& site) {
    const auto type_code = literal(site, Codec::block_type);
    const auto count_code = literal(site, Codec::block_count);
    if (!type_code || !count_code)
        return;
    const uint32_t block = isa::amount(Codec::block_type, *type_code).value_or(0);
    const uint32_t count = isa::amount(Codec::block_count, *count_code).value_or(0);
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        const OperandSite operand = site_of(site, index);
        const bool data = operand.field.extent == isa::Extent::svm_blocks && !is_null(operand.operand) &&
                          site.context.declared(operand.operand.id);
        if (operand.field.codec == Codec::block_count && count > 1 && site.lanes() < 8)
            operand.diag(rule("<instruction>-<operand>-code"), habitual)
                << count << " blocks need an execution size of 8 or more; it is " << site.lanes();
        if (operand.field.codec == Codec::block_count && count == 8 && (block != 4 || site.lanes() != 8))
            operand.diag(rule("<instruction>-<operand>-code"), habitual)
                << "8 blocks exist for blocks of 4 bytes and an execution size of 8 only";
        // Bytes lie in slots of a dword or qword, as the pages' figures have it: no type is "of the block's
        // size".
        if (data && block != 1 && isa::size_of(type_of(operand)) != block)
            operand.diag(rule("<instruction>-<operand>-type"), habitual)
                << name(operand) << " has type " << isa::facts(type_of(operand)).name << "; its size must be "
                << block << ", the size of a block";
    }
}

// Pages of the block, media and typed messages: which predefined surfaces they take.
bool takes_surface(const isa::Row& row, uint32_t id, const isa::Device* device) {
    const bool shared = id == static_cast<uint32_t>(isa::PredefinedSurface::slm);
    const bool stateless = id == static_cast<uint32_t>(isa::PredefinedSurface::scratch);
    switch (row.family) {
    case isa::Family::typed:
        return !shared && !stateless;
    case isa::Family::media:
        return !shared;
    case isa::Family::block: // {ICLLP+}
        return !shared || device == nullptr || device->id >= isa::DeviceId::icllp;
    default:
        return true;
    }
}

void check_surface(const OperandSite& site) {
    const uint32_t id = site.operand.id;
    if (!takes_surface(site.site.row(), id, site.context().options.device))
        site.diag(rule("surface-not-allowed"))
            << site.site.row().mnemonic << " does not take " << variable_name(site);
    const Attribute* size = site.context().slm_size;
    const bool none = size != nullptr && size->has_number && size->number == 0;
    if (none && id == static_cast<uint32_t>(isa::PredefinedSurface::slm))
        site.diag(rule("surface-not-allowed"), doubtful).note_at(size->where, "SLMSize is 0 here")
            << "the kernel has no shared local memory";
}

// {XEHP+} 16 owords, T0 only.
void check_owords(const Site& site) {
    const auto size = literal(site, Codec::oword_count);
    if (!size || *size != 4)
        return;
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        const OperandSite operand = site_of(site, index);
        const isa::Device* device = site.context.options.device;
        if (operand.field.codec == Codec::oword_count && device != nullptr &&
            device->id < isa::DeviceId::xehp)
            operand.diag(rule("<instruction>-<operand>-code"), refused) << "16 owords exist from xehp on";
        if (operand.field.kind == isa::FieldKind::surface && operand.operand.id != 0)
            operand.diag(rule("surface-not-allowed"), refused) << "16 owords exist for T0 only";
    }
}

// Plain numbers that their pages limit: SWITCHJMP; FCALL and IFCALL, where %arg has 32 registers and
// %retval 12.
struct Limits {
    std::string_view field;
    uint64_t least;
    uint64_t most;
    Levels levels = doubtful;
};
// Of the words behind media_st the implementation refuses those that only loads have.
void check_media_modifier(const OperandSite& site, uint64_t value) {
    constexpr uint64_t last_of_stores = 3;
    const bool store = isa::has(site.site.row(), isa::writes_memory);
    if (store && value > last_of_stores)
        site.diag(rule("<instruction>-<operand>-code"), refused)
            << name(site) << " is " << isa::spell(site.field.codec, value) << ", which only loads have";
}

constexpr std::array limited_numbers{Limits{"num_labels", 1, 32},
                                     Limits{"arg_size", 0, 32},
                                     Limits{"return_size", 0, 12},
                                     Limits{"num_src", 1, 15, unwritten},
                                     Limits{"num_src0", 1, 32, unwritten},
                                     Limits{"num_src1", 0, 32, unwritten},
                                     Limits{"plane", 0, 3, refused},
                                     Limits{"dst_length", 0, 65535, refused},
                                     Limits{"src0_length", 0, 65535, refused},
                                     Limits{"src1_length", 0, 65535, refused}};

void check_number(const OperandSite& site, uint64_t value) {
    const auto limits = std::ranges::find(limited_numbers, std::string_view(site.field.name), &Limits::field);
    if (limits == limited_numbers.end() || (value >= limits->least && value <= limits->most))
        return;
    site.diag(rule("<instruction>-<operand>-code"), limits->levels)
        << name(site) << " is " << value << "; allowed: " << limits->least << " to " << limits->most;
}

// MEDIA_LD, MEDIA_ST: a block of at most 64 rows and 256 bytes, the wider the lower.
void check_media_block(const Site& site) {
    const int width_index = isa::operand_index(site.row(), "block_width");
    const int height_index = isa::operand_index(site.row(), "block_height");
    if (isa::operand_index(site.row(), "plane") < 0 || width_index < 0 || height_index < 0)
        return;
    constexpr uint64_t most = 64;
    constexpr uint64_t most_bytes = 256;
    const uint64_t width = site.instruction.operands[static_cast<size_t>(width_index)].value;
    const uint64_t height = site.instruction.operands[static_cast<size_t>(height_index)].value;
    const uint64_t rounded = std::bit_ceil(std::max<uint64_t>(width, 4));
    if (width == 0 || width > most || height == 0 || height > most || rounded * height > most_bytes)
        site.diag(rule("media-block"))
            << "a block of " << width << " x " << height << "; at most " << most << " x " << most << " and "
            << most_bytes << " bytes, rows rounded up to a power of two, are allowed";
}

} // namespace

void check_literal(const OperandSite& site) {
    const uint64_t value = site.operand.value;
    switch (site.field.codec) {
    case Codec::atomic_op:
        check_atomic_op(site, value);
        return;
    case Codec::channel_mask:
        check_channels(site, value);
        return;
    case Codec::svm_block:
        check_code(site, value & 7U);
        return;
    case Codec::media_modifier:
        check_media_modifier(site, value);
        check_code(site, value);
        return;
    case Codec::plain:
        check_number(site, value);
        if (site.field.codes != 0)
            check_code(site, value);
        return;
    case Codec::element_count:
        check_code(site, value & 3U);
        return;
    case Codec::signal:
        check_signal(site, value);
        return;
    case Codec::dpas_info:
        check_dpas(site, value);
        return;
    default:
        check_code(site, value);
    }
}

void check_messages(const Site& site) {
    switch (site.row().family) {
    case isa::Family::svm:
        check_svm_blocks(site);
        return;
    case isa::Family::block:
        check_owords(site);
        break;
    case isa::Family::media:
        check_media_block(site);
        break;
    default:
        break;
    }
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        if (site.instruction.operands[index].kind == OperandKind::surface)
            check_surface(site_of(site, index));
    }
}

} // namespace visor::verify
