// How literal fields are spelled in text and what their codes mean, one place for both directions. It knows
// no syntax: dots, brackets and where a word stands belong to text/.
#pragma once

#include "isa/row.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace visor::isa {

// The word of a code, without a leading dot or colon, as the compiler prints it; several words are joined by
// dots (flags, ".64" of an atomic, dpas). Empty when there is nothing to write (`modified` 0, no flags). A
// code without a word comes back as a decimal number, which `parse` refuses wherever the compiler does.
[[nodiscard]] std::string spell(Codec codec, uint64_t value);

// The code of a word; nothing when the codec has no such word. Accepts what `spell` writes and every other
// spelling that the compiler accepts. Plain numbers are decimal or 0x hexadecimal.
[[nodiscard]] std::optional<uint64_t> parse(Codec codec, std::string_view text);

// The code without the bits that no word says. A code that has no word at all comes back as it is.
[[nodiscard]] uint64_t said(Codec codec, uint64_t value);

// The number behind a code that stands for one: blocks, bytes, owords, elements, bits of an address or datum.
// Nothing for a reserved code.
[[nodiscard]] std::optional<uint32_t> amount(Codec codec, uint64_t value);

// Codec::svm_block. Bit 3 is written; bit 7 is what the compiler wrote for the same (ruling 15).
inline constexpr uint64_t svm_block_unaligned = 0x08;
inline constexpr uint64_t svm_block_unaligned_read = 0x88;

// Codec::element_count: bits 7..4 are the exec byte's mask bits.
inline constexpr unsigned element_count_mask_shift = 4;

// Codec::atomic_op.
enum class AtomicOp : uint8_t {
    add = 0x00,
    sub = 0x01,
    inc = 0x02,
    dec = 0x03,
    umin = 0x04,
    umax = 0x05,
    xchg = 0x06,
    cmpxchg = 0x07,
    bit_and = 0x08,
    bit_or = 0x09,
    bit_xor = 0x0a,
    smin = 0x0b,
    smax = 0x0c,
    predec = 0x0d,
    fmax = 0x10,
    fmin = 0x11,
    fcmpwr = 0x12,
    fadd = 0x13, // not on the pages (ruling 36)
    fsub = 0x14,
};
// Nothing for a reserved operation.
[[nodiscard]] std::optional<AtomicOp> atomic_op(uint64_t value);
// 16, 32 or 64; 0 for the invalid width 3 (ruling 26).
[[nodiscard]] constexpr unsigned atomic_bits(uint64_t value) {
    constexpr unsigned widths[]{32, 16, 64, 0};
    return widths[(value >> 5U) & 3U];
}
// The code's width bits for a ".16", ".32" or ".64" suffix; nothing for another number.
[[nodiscard]] constexpr std::optional<uint64_t> atomic_width_code(uint64_t bits) {
    if (bits == 32)
        return 0;
    if (bits == 16)
        return 0x20;
    return bits == 64 ? std::optional<uint64_t>(0x40) : std::nullopt;
}
// Operands that an operation reads besides memory: 0, 1 or 2.
[[nodiscard]] unsigned atomic_sources(AtomicOp op);
[[nodiscard]] bool atomic_is_float(AtomicOp op);

// Codec::fence_mask. The mnemonic carries two bits, the letters the others.
inline constexpr uint64_t fence_local_bit = 0x20;
inline constexpr uint64_t fence_sw_bit = 0x80;
[[nodiscard]] std::string_view fence_mnemonic(uint64_t mask);
[[nodiscard]] std::optional<uint64_t> fence_mnemonic_bits(std::string_view mnemonic);

// Codec::dpas_info: bytes from the lowest: precision of src1 (W), of src2 (A), systolic depth, repeat count.
struct DpasInfo {
    uint8_t src1_precision;
    uint8_t src2_precision;
    uint8_t depth;
    uint8_t repeat;
};
[[nodiscard]] constexpr DpasInfo dpas_info(uint64_t value) {
    return {static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8U),
            static_cast<uint8_t>(value >> 16U), static_cast<uint8_t>(value >> 24U)};
}

} // namespace visor::isa
