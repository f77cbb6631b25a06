#include "binary/encoding.h"

#include "isa/codec.h"

#include <bit>

namespace visor::binary {

namespace {

constexpr unsigned mask_bits = 4;
constexpr uint8_t no_mask_bit = 0x08;
constexpr uint8_t lanes_per_mask = 4;
constexpr uint8_t last_mask_3_0 = 9;

constexpr uint8_t region_code(uint8_t value) {
    if (value == region_absent)
        return 0;
    return static_cast<uint8_t>(value == 0 ? 1 : std::bit_width(value) + 1);
}
constexpr bool has_region_code(uint8_t value) {
    return value == region_absent || value == 0 || (std::has_single_bit(value) && value <= 32);
}
constexpr uint8_t region_value(unsigned code) {
    return static_cast<uint8_t>(code == 0 ? region_absent : (1U << code) >> 2U);
}
constexpr unsigned last_region_code = 7;

} // namespace

uint8_t modern_mask(uint8_t mask, Version version) {
    if (version != Version{3, 0} || mask < no_mask_bit)
        return mask;
    return mask == no_mask_bit ? no_mask_bit : 0; // 8 said "no mask", 9 "the default mask"
}

std::optional<uint8_t> encode_execution(const Execution& execution) {
    if (!std::has_single_bit(execution.size) || execution.size > 32 ||
        execution.offset % lanes_per_mask != 0 || execution.offset > 28)
        return std::nullopt;
    const auto size = static_cast<unsigned>(std::countr_zero(execution.size));
    const unsigned mask = execution.offset / lanes_per_mask | (execution.no_mask ? no_mask_bit : 0U);
    return static_cast<uint8_t>(mask << mask_bits | size);
}

std::optional<Decoded<Execution>> decode_execution(uint8_t byte, Version version) {
    const unsigned size = byte & 0x07U; // bit 3 is unused on the page
    if (size > 5)
        return std::nullopt;
    const auto raw_mask = static_cast<uint8_t>(byte >> mask_bits);
    const uint8_t mask = modern_mask(raw_mask, version);
    const bool unknown_mask = version == Version{3, 0} && raw_mask > last_mask_3_0;
    Decoded<Execution> out;
    out.value.size = static_cast<uint8_t>(1U << size);
    out.value.offset = static_cast<uint8_t>((mask & 0x07U) * lanes_per_mask);
    out.value.no_mask = (mask & no_mask_bit) != 0;
    out.ignored = (byte & 0x08U) != 0 || unknown_mask;
    return out;
}

std::optional<uint16_t> encode_predicate(const Predicate& predicate) {
    if (predicate.id > last_predicate)
        return std::nullopt;
    if (predicate.id == 0)
        return uint16_t{0};
    const unsigned control = static_cast<unsigned>(predicate.control) << 13U;
    return static_cast<uint16_t>(predicate.id | control | (predicate.inverted ? 0x8000U : 0U));
}

Decoded<Predicate> decode_predicate(uint16_t word) {
    Decoded<Predicate> out;
    out.value.id = word & last_predicate;
    if (out.value.id == 0) {
        out.ignored = word != 0;
        return out;
    }
    const unsigned control = word >> 13U & 3U; // 3 is read as none
    out.value.control = control == 3 ? PredicateControl::none : static_cast<PredicateControl>(control);
    out.value.inverted = (word & 0x8000U) != 0;
    out.ignored = control == 3 || (word & 0x1000U) != 0;
    return out;
}

std::optional<uint16_t> encode_region(const Region& region) {
    if (!has_region_code(region.vertical) || !has_region_code(region.width) ||
        !has_region_code(region.horizontal))
        return std::nullopt;
    return static_cast<uint16_t>(region_code(region.vertical) | region_code(region.width) << 4U |
                                 region_code(region.horizontal) << 8U);
}

std::optional<Decoded<Region>> decode_region(uint16_t word) {
    const unsigned vertical = word & 0xfU;
    const unsigned width = word >> 4U & 0xfU;
    const unsigned horizontal = word >> 8U & 0xfU;
    if (vertical > last_region_code || width > last_region_code || horizontal > last_region_code)
        return std::nullopt;
    return Decoded<Region>{{region_value(vertical), region_value(width), region_value(horizontal)},
                           word >> 12U != 0};
}

uint8_t encode_tag(const Tag& tag) {
    return static_cast<uint8_t>(static_cast<unsigned>(tag.klass) | static_cast<unsigned>(tag.modifier) << 3U);
}

std::optional<Decoded<Tag>> decode_tag(uint8_t byte) {
    const unsigned klass = byte & 7U;
    const unsigned modifier = byte >> 3U & 7U;
    // An address-of never reaches a binary as such.
    if (klass == 4 || klass == 7 || modifier > static_cast<unsigned>(SourceModifier::bit_not))
        return std::nullopt;
    return Decoded<Tag>{{static_cast<WireClass>(klass), static_cast<SourceModifier>(modifier)},
                        byte >> 6U != 0};
}

std::optional<uint8_t> encode_type(isa::Type type) {
    const auto code = static_cast<uint8_t>(type);
    return code < 16 ? std::optional<uint8_t>(code) : std::nullopt;
}

Decoded<isa::Type> decode_type(uint8_t byte) {
    return {static_cast<isa::Type>(byte & 0x0fU), byte > 0x0f};
}

std::optional<uint8_t> encode_properties(isa::Type type, Align align) {
    const std::optional<uint8_t> code = encode_type(type);
    if (!code)
        return std::nullopt;
    return static_cast<uint8_t>(*code | static_cast<unsigned>(align) << 4U);
}

std::optional<Properties> decode_properties(uint8_t byte) {
    const unsigned align = byte >> 4U;
    if (align > static_cast<unsigned>(Align::word64))
        return std::nullopt;
    return Properties{decode_type(byte & 0x0fU).value, static_cast<Align>(align)};
}

uint32_t encode_immediate(isa::Type type, uint64_t value) {
    const auto word = static_cast<uint32_t>(value);
    if (type == isa::Type::w)
        return static_cast<uint32_t>(int32_t{static_cast<int16_t>(word)});
    if (type == isa::Type::b)
        return static_cast<uint32_t>(int32_t{static_cast<int8_t>(word)});
    return word;
}

Decoded<uint64_t> decode_immediate(isa::Type type, uint32_t word) {
    const unsigned bits = type == isa::Type::boolean ? 1U : isa::size_of(type) * 8U;
    const uint64_t value = bits >= 32 ? word : word & ((1U << bits) - 1U);
    return {value, encode_immediate(type, value) != word};
}

Decoded<uint64_t> decode_literal(isa::Codec codec, uint64_t value) {
    const bool old_bit = codec == isa::Codec::svm_block && (value & isa::svm_block_unaligned_read) != 0;
    const uint64_t said = isa::said(codec, value) | (old_bit ? isa::svm_block_unaligned : 0);
    return {said, said != value};
}

} // namespace visor::binary
