// Spellings of literal fields, both ways, against the pages and the compiler's grammar.
#include "isa/codec.h"

#include <gtest/gtest.h>

#include <string>

namespace visor::isa {
namespace {

struct Spelling {
    Codec codec;
    uint64_t value;
    const char* text;
};

// What is printed and what reads back to the same code.
class Canonical : public testing::TestWithParam<Spelling> {};

TEST_P(Canonical, GoesBothWays) {
    const auto [codec, value, text] = GetParam();
    EXPECT_EQ(spell(codec, value), text);
    EXPECT_EQ(parse(codec, text), value) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, Canonical,
    testing::Values(Spelling{Codec::plain, 0, "0"}, Spelling{Codec::plain, 4294967295U, "4294967295"},
                    Spelling{Codec::hex, 0x219e, "0x219e"}, Spelling{Codec::hex_byte, 0x96, "x96"},
                    Spelling{Codec::hex_byte, 0x08, "x8"}, Spelling{Codec::block_count, 0, "1"},
                    Spelling{Codec::block_count, 1, "2"}, Spelling{Codec::block_count, 2, "4"},
                    Spelling{Codec::block_count, 3, "8"}, Spelling{Codec::block_type, 0, "1"},
                    Spelling{Codec::block_type, 1, "4"}, Spelling{Codec::block_type, 2, "8"},
                    Spelling{Codec::oword_count, 0, "1"}, Spelling{Codec::oword_count, 4, "16"},
                    Spelling{Codec::svm_block, 3, "8"}, Spelling{Codec::element_bytes, 2, "4"},
                    Spelling{Codec::element_count, 0, "8"}, Spelling{Codec::element_count, 1, "16"},
                    Spelling{Codec::element_count, 2, "1"}, Spelling{Codec::lsc_data_elements, 1, "1"},
                    Spelling{Codec::lsc_data_elements, 3, "3"}, Spelling{Codec::lsc_data_elements, 5, "8"},
                    Spelling{Codec::lsc_data_elements, 8, "64"}));
INSTANTIATE_TEST_SUITE_P(
    Words, Canonical,
    testing::Values(
        Spelling{Codec::relation, 0, "eq"}, Spelling{Codec::relation, 1, "ne"},
        Spelling{Codec::relation, 2, "gt"}, Spelling{Codec::relation, 3, "ge"},
        Spelling{Codec::relation, 4, "lt"}, Spelling{Codec::relation, 5, "le"},
        Spelling{Codec::modified, 0, ""}, Spelling{Codec::modified, 1, "mod"},
        Spelling{Codec::lifetime, 0, "start"}, Spelling{Codec::lifetime, 1, "end"},
        Spelling{Codec::signal, 0, "wait"}, Spelling{Codec::signal, 1, "signal"},
        Spelling{Codec::call_flags, 0, ""}, Spelling{Codec::call_flags, 1, "uniform"},
        Spelling{Codec::call_flags, 3, "uniform.noreturn"}, Spelling{Codec::lfsr_format, 1, "b16v2"},
        Spelling{Codec::sampler_flags, 0, ""}, Spelling{Codec::sampler_flags, 5, "pixel_null_mask.divS"},
        Spelling{Codec::media_modifier, 4, "top_mod"}, Spelling{Codec::unorm_output, 0x2f, "RGBA.8-full"},
        Spelling{Codec::avs_output, 1, "AVS_16_DOWN_SAMPLE"}, Spelling{Codec::avs_mode, 3, "AVS_4x4"},
        Spelling{Codec::rt_write_mode, 0, ""}, Spelling{Codec::rt_write_mode, 0x38, "<A><O><Z>"},
        Spelling{Codec::channels_simd, 0x1f, "RGBA.16"}, Spelling{Codec::send_modifiers, 0, ""},
        Spelling{Codec::send_modifiers, 3, "c_eot"}, Spelling{Codec::dnscl_type, 4, "hftoe2m1"},
        Spelling{Codec::dnscl_rounding, 1, "rne"}, Spelling{Codec::source_channel, 2, "B"}));
INSTANTIATE_TEST_SUITE_P(
    Masks, Canonical,
    testing::Values(Spelling{Codec::channel_mask, 1, "R"}, Spelling{Codec::channel_mask, 3, "RG"},
                    Spelling{Codec::channel_mask, 5, "RB"}, Spelling{Codec::channel_mask, 8, "A"},
                    Spelling{Codec::channel_mask, 14, "GBA"}, Spelling{Codec::channel_mask, 15, "RGBA"},
                    Spelling{Codec::lsc_channel_mask, 13, "xzw"}, Spelling{Codec::fence_mask, 0, ""},
                    Spelling{Codec::fence_mask, 0x01, "E"}, Spelling{Codec::fence_mask, 0x41, "EL1"},
                    Spelling{Codec::fence_mask, 0x40, "L1"}, Spelling{Codec::fence_mask, 0x5f, "EISCRL1"}));
INSTANTIATE_TEST_SUITE_P(
    Atomics, Canonical,
    testing::Values(Spelling{Codec::atomic_op, 0x00, "add"}, Spelling{Codec::atomic_op, 0x01, "sub"},
                    Spelling{Codec::atomic_op, 0x02, "inc"}, Spelling{Codec::atomic_op, 0x03, "dec"},
                    Spelling{Codec::atomic_op, 0x04, "min"}, Spelling{Codec::atomic_op, 0x05, "max"},
                    Spelling{Codec::atomic_op, 0x06, "xchg"}, Spelling{Codec::atomic_op, 0x07, "cmpxchg"},
                    Spelling{Codec::atomic_op, 0x08, "and"}, Spelling{Codec::atomic_op, 0x09, "or"},
                    Spelling{Codec::atomic_op, 0x0a, "xor"}, Spelling{Codec::atomic_op, 0x0b, "minsint"},
                    Spelling{Codec::atomic_op, 0x0c, "maxsint"}, Spelling{Codec::atomic_op, 0x0d, "predec"},
                    Spelling{Codec::atomic_op, 0x10, "fmax"}, Spelling{Codec::atomic_op, 0x11, "fmin"},
                    Spelling{Codec::atomic_op, 0x12, "fcmpwr"}, Spelling{Codec::atomic_op, 0x13, "fadd"},
                    Spelling{Codec::atomic_op, 0x14, "fsub"}, Spelling{Codec::atomic_op, 0x22, "inc.16"},
                    Spelling{Codec::atomic_op, 0x47, "cmpxchg.64"}));
INSTANTIATE_TEST_SUITE_P(
    Lsc, Canonical,
    testing::Values(Spelling{Codec::lsc_sfid, 0, "ugm"}, Spelling{Codec::lsc_sfid, 1, "ugml"},
                    Spelling{Codec::lsc_sfid, 2, "tgm"}, Spelling{Codec::lsc_sfid, 3, "slm"},
                    Spelling{Codec::lsc_cache, 0, "df"}, Spelling{Codec::lsc_cache, 6, "ri"},
                    Spelling{Codec::lsc_cache, 7, "cc"}, Spelling{Codec::lsc_address_type, 1, "flat"},
                    Spelling{Codec::lsc_address_type, 4, "bti"}, Spelling{Codec::lsc_address_size, 3, "a64"},
                    Spelling{Codec::lsc_address_size, 5, "a32s"}, Spelling{Codec::lsc_data_size, 1, "d8"},
                    Spelling{Codec::lsc_data_size, 4, "d64"}, Spelling{Codec::lsc_data_size, 5, "d8c32"},
                    Spelling{Codec::lsc_data_size, 7, "d16c32h"}, Spelling{Codec::lsc_data_order, 1, "n"},
                    Spelling{Codec::lsc_data_order, 2, "t"}, Spelling{Codec::lsc_fence_op, 2, "invalidate"},
                    Spelling{Codec::lsc_fence_op, 5, "flushl3"}, Spelling{Codec::lsc_scope, 0, "group"},
                    Spelling{Codec::lsc_scope, 5, "sysrel"}, Spelling{Codec::lsc_scope, 6, "sysacq"},
                    Spelling{Codec::lsc_cache_operation, 1, "reset"},
                    Spelling{Codec::lsc_cache_bytes, 0, "64B"}));
// Bytes W A SD RC: u8 is 7, s8 is 8, bf is 9, hf is 10 (DPAS page).
INSTANTIATE_TEST_SUITE_P(Dpas, Canonical,
                         testing::Values(Spelling{Codec::dpas_info, 0x08080807, "u8.s8.8.8"},
                                         Spelling{Codec::dpas_info, 0x01080909, "bf.bf.8.1"},
                                         Spelling{Codec::dpas_info, 0x07080a0a, "hf.hf.8.7"}));

// Accepted, printed otherwise.
class Accepted : public testing::TestWithParam<Spelling> {};

TEST_P(Accepted, ReadsAsTheSameCode) {
    const auto [codec, value, text] = GetParam();
    EXPECT_EQ(parse(codec, text), value) << text;
    EXPECT_NE(spell(codec, value), text);
}

INSTANTIATE_TEST_SUITE_P(
    All, Accepted,
    testing::Values(Spelling{Codec::atomic_op, 0x0b, "imin"}, Spelling{Codec::atomic_op, 0x0c, "imax"},
                    Spelling{Codec::atomic_op, 0x00, "add.32"}, Spelling{Codec::atomic_op, 0x2b, "imin.16"},
                    Spelling{Codec::channel_mask, 15, "rgba"}, Spelling{Codec::channel_mask, 5, "rB"},
                    Spelling{Codec::lsc_data_size, 5, "d8u32"}, Spelling{Codec::lsc_data_size, 6, "d16u32"},
                    Spelling{Codec::lsc_data_size, 7, "d16u32h"}, Spelling{Codec::lsc_data_size, 3, "u32"},
                    Spelling{Codec::lsc_scope, 5, "system"}, Spelling{Codec::hex, 12, "12"},
                    Spelling{Codec::plain, 16, "0x10"}, Spelling{Codec::dpas_info, 0x08080807, "U8.S8.8.8"},
                    Spelling{Codec::rt_write_mode, 0x38, "<Z><A><O>"}, Spelling{Codec::hex_byte, 0xca, "xCA"},
                    Spelling{Codec::call_flags, 3, "noreturn.uniform"}));

struct Refused {
    Codec codec;
    const char* text;
};
class NoSpelling : public testing::TestWithParam<Refused> {};

TEST_P(NoSpelling, IsRefused) {
    EXPECT_EQ(parse(GetParam().codec, GetParam().text), std::nullopt) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    All, NoSpelling,
    testing::Values(
        Refused{Codec::block_count, "3"}, Refused{Codec::block_count, "16"}, Refused{Codec::block_count, ""},
        Refused{Codec::block_count, "0"}, Refused{Codec::block_count, "4x"}, Refused{Codec::block_type, "2"},
        Refused{Codec::oword_count, "32"}, Refused{Codec::channel_mask, ""},
        Refused{Codec::channel_mask, "GR"}, Refused{Codec::channel_mask, "RR"},
        Refused{Codec::channel_mask, "RGBAX"}, Refused{Codec::channel_mask, "0"},
        Refused{Codec::atomic_op, ""}, Refused{Codec::atomic_op, "ADD"}, Refused{Codec::atomic_op, "add.8"},
        Refused{Codec::atomic_op, "add."}, Refused{Codec::atomic_op, "add.16.16"},
        Refused{Codec::atomic_op, "nand"}, Refused{Codec::relation, "un"},
        Refused{Codec::modified, "modified"}, Refused{Codec::fence_mask, "IE"},
        Refused{Codec::fence_mask, "EE"}, Refused{Codec::fence_mask, "L1E"}, Refused{Codec::fence_mask, "L"},
        Refused{Codec::lsc_data_elements, "0"}, Refused{Codec::lsc_data_elements, "5"},
        Refused{Codec::lsc_channel_mask, "X"}, Refused{Codec::lsc_channel_mask, "yx"},
        Refused{Codec::lsc_cache_operation, "set"}, Refused{Codec::lsc_cache_bytes, "128B"},
        Refused{Codec::dpas_info, "u8.s8.8"}, Refused{Codec::dpas_info, "u8.s8.3.8"},
        Refused{Codec::dpas_info, "u8.s8.8.9"}, Refused{Codec::dpas_info, "u8.s8.8.0"},
        Refused{Codec::dpas_info, "u9.s8.8.8"}, Refused{Codec::dpas_info, ""}, Refused{Codec::hex_byte, "96"},
        Refused{Codec::hex_byte, "x"}, Refused{Codec::plain, ""}, Refused{Codec::plain, "-1"},
        Refused{Codec::plain, "18446744073709551616"}, Refused{Codec::plain, "0x"},
        Refused{Codec::rt_write_mode, "A"}, Refused{Codec::rt_write_mode, "<A"},
        Refused{Codec::rt_write_mode, "<B>"}, Refused{Codec::unorm_output, "RGBA"},
        Refused{Codec::channels_simd, "RGBA.32"}, Refused{Codec::send_modifiers, "eot"},
        Refused{Codec::call_flags, "uniform."}, Refused{Codec::call_flags, "noinline"}));

// Whatever stands in a binary has a text; nothing is read past.
TEST(Codec, SpellsEveryByteOfEveryCodec) {
    for (int codec = 0; codec <= static_cast<int>(Codec::dpas_info); ++codec) {
        for (uint64_t value = 0; value < 256; ++value) {
            const std::string text = spell(static_cast<Codec>(codec), value);
            const auto read = parse(static_cast<Codec>(codec), text);
            if (read) {
                EXPECT_EQ(spell(static_cast<Codec>(codec), *read), text) << codec << ' ' << value;
            }
        }
    }
}

TEST(Codec, GivesTheNumberBehindACode) {
    EXPECT_EQ(amount(Codec::block_count, 3), 8U);
    EXPECT_EQ(amount(Codec::block_count, 4), std::nullopt);
    EXPECT_EQ(amount(Codec::block_type, 2), 8U);
    EXPECT_EQ(amount(Codec::block_type, 3), std::nullopt);
    EXPECT_EQ(amount(Codec::svm_block, 0x0a), 4U); // bit 3: unaligned
    EXPECT_EQ(amount(Codec::svm_block, 0x82), 4U); // bit 7: the same, as compilers wrote it
    EXPECT_EQ(amount(Codec::svm_block, 4), 16U);
    EXPECT_EQ(amount(Codec::svm_block, 5), std::nullopt);
    EXPECT_EQ(amount(Codec::element_count, 0x51), 16U); // M6 in the upper bits
    EXPECT_EQ(amount(Codec::element_count, 3), std::nullopt);
    EXPECT_EQ(amount(Codec::lsc_data_elements, 0), std::nullopt);
    EXPECT_EQ(amount(Codec::lsc_data_elements, 8), 64U);
    EXPECT_EQ(amount(Codec::lsc_address_size, 3), 64U);
    EXPECT_EQ(amount(Codec::lsc_address_size, 6), std::nullopt);
    EXPECT_EQ(amount(Codec::lsc_data_size, 5), 8U);
    EXPECT_EQ(amount(Codec::lsc_data_size, 0), std::nullopt);
    EXPECT_EQ(amount(Codec::relation, 0), std::nullopt);
    EXPECT_EQ(amount(Codec::block_count, ~uint64_t{0}), std::nullopt);
}

TEST(Codec, TakesAtomicsApart) {
    EXPECT_EQ(atomic_op(0x07), AtomicOp::cmpxchg);
    EXPECT_EQ(atomic_op(0x10), AtomicOp::fmax); // five bits: not an alias of add
    EXPECT_EQ(atomic_op(0x0e), std::nullopt);
    EXPECT_EQ(atomic_op(0x0f), std::nullopt);
    EXPECT_EQ(atomic_op(0x15), std::nullopt);
    EXPECT_EQ(atomic_bits(0x00), 32U);
    EXPECT_EQ(atomic_bits(0x20), 16U);
    EXPECT_EQ(atomic_bits(0x40), 64U);
    EXPECT_EQ(atomic_bits(0x60), 0U); // ruling 26
    EXPECT_EQ(atomic_width_code(64), 0x40U);
    EXPECT_EQ(atomic_width_code(8), std::nullopt);
    EXPECT_EQ(atomic_sources(AtomicOp::inc), 0U);
    EXPECT_EQ(atomic_sources(AtomicOp::predec), 0U);
    EXPECT_EQ(atomic_sources(AtomicOp::xchg), 1U);
    EXPECT_EQ(atomic_sources(AtomicOp::fcmpwr), 2U);
    EXPECT_TRUE(atomic_is_float(AtomicOp::fmin));
    EXPECT_TRUE(atomic_is_float(AtomicOp::fsub));
    EXPECT_FALSE(atomic_is_float(AtomicOp::smax));
    EXPECT_FALSE(atomic_is_float(AtomicOp::predec));
}

TEST(Codec, TakesFencesApart) {
    EXPECT_EQ(fence_mnemonic(0x01), "fence_global");
    EXPECT_EQ(fence_mnemonic(0x21), "fence_local");
    EXPECT_EQ(fence_mnemonic(0x80), "fence_sw");
    EXPECT_EQ(fence_mnemonic_bits("fence_local"), 0x20U);
    EXPECT_EQ(fence_mnemonic_bits("fence_sw"), 0x80U);
    EXPECT_EQ(fence_mnemonic_bits("fence_global"), 0U);
    EXPECT_EQ(fence_mnemonic_bits("fence"), std::nullopt);
}

} // namespace
} // namespace visor::isa
