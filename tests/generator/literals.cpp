#include "literals.h"

#include "isa/codec.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace visor::generator {

namespace {

using isa::Codec;
using isa::FieldKind;

constexpr unsigned codec_count = static_cast<unsigned>(Codec::dpas_info) + 1;

// A fence's mnemonic holds two bits of its mask; the third mnemonic has no letters beside it.
bool is_fence(uint64_t code) {
    if ((code & isa::fence_sw_bit) != 0)
        return code == isa::fence_sw_bit;
    const auto letters = isa::parse(Codec::fence_mask, isa::spell(Codec::fence_mask, code));
    const auto bits = isa::fence_mnemonic_bits(isa::fence_mnemonic(code));
    return letters && bits && (*letters | *bits) == code;
}

bool has_word(Codec codec, uint64_t code) {
    return codec == Codec::fence_mask ? is_fence(code) : isa::parse(codec, isa::spell(codec, code)) == code;
}

bool is_number(Codec codec) {
    return codec == Codec::plain || codec == Codec::hex;
}

// Four bytes: two precisions, a depth, a repeat count.
void add_dpas(std::vector<uint64_t>& list) {
    constexpr uint64_t most = 16;
    for (uint64_t code = 0; code < most * most * most * most; ++code) {
        const uint64_t value =
            (code & 0xfU) | (code & 0xf0U) << 4U | (code & 0xf00U) << 8U | (code & 0xf000U) << 12U;
        if (has_word(Codec::dpas_info, value))
            list.push_back(value);
    }
}

std::vector<uint64_t> codes_with_words(Codec codec) {
    std::vector<uint64_t> list;
    if (is_number(codec))
        return list;
    if (codec == Codec::dpas_info) {
        add_dpas(list);
        return list;
    }
    const uint64_t end = codec == Codec::rt_write_mode ? 0x10000 : 0x100;
    for (uint64_t code = 0; code < end; ++code) {
        if (has_word(codec, code))
            list.push_back(code);
    }
    return list;
}

using Lists = std::array<std::vector<uint64_t>, codec_count>;

Lists all_codes() {
    Lists lists;
    for (unsigned codec = 0; codec < codec_count; ++codec)
        lists[codec] = codes_with_words(static_cast<Codec>(codec));
    return lists;
}

// GATHER and SCATTER have the mask in the byte of their element count.
uint64_t with_mask(Random& random, uint64_t code) {
    const unsigned lanes = isa::amount(Codec::element_count, code).value_or(1);
    const unsigned mask = mask_offset(random, lanes) / 4U + (random.one_in(2) ? 8U : 0U);
    return code | uint64_t{mask} << isa::element_count_mask_shift;
}

} // namespace

bool is_literal(FieldKind kind) {
    return kind == FieldKind::literal8 || kind == FieldKind::literal16 || kind == FieldKind::literal32 ||
           kind == FieldKind::sub_opcode16;
}

uint64_t largest(FieldKind kind) {
    if (kind == FieldKind::literal16)
        return 0xffff;
    return kind == FieldKind::literal32 ? 0xffffffff : 0xff;
}

std::span<const uint64_t> codes(Codec codec) {
    static const Lists lists = all_codes();
    return lists[static_cast<unsigned>(codec)];
}

uint64_t literal(Random& random, const isa::Field& field) {
    const std::span<const uint64_t> list = codes(field.codec);
    if (list.empty())
        return random.number(largest(field.kind));
    uint64_t code = random.pick(list);
    for (const uint32_t page = field.codes | field.emitted_codes; page != 0 && (page >> code & 1U) == 0;)
        code = random.pick(list);
    if (field.codec == Codec::element_count)
        return with_mask(random, code);
    if (field.codec == Codec::svm_block && random.one_in(2))
        return code | isa::svm_block_unaligned;
    return code;
}

uint8_t mask_offset(Random& random, unsigned lanes) {
    const unsigned step = std::max(lanes, 4U);
    return static_cast<uint8_t>(step * random.below(32 / step));
}

} // namespace visor::generator
