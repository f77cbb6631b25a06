// The rows of the five core instructions against literals read off their pages.
#include "isa/table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace visor::isa {
namespace {

struct Expected {
    FieldKind kind;
    const char* name;
    TypeSet types = 0;
    Extent extent = Extent::none;
    Place place = Place::operand;
    Codec codec = Codec::plain;
    bool nullable = false;
};

void expect_format(const Row& row, const std::vector<Expected>& expected) {
    ASSERT_EQ(row.format.size(), expected.size()) << row.mnemonic;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        SCOPED_TRACE(std::string(row.mnemonic) + " field " + expected[i].name);
        const Field& field = row.format[i];
        EXPECT_EQ(field.kind, expected[i].kind);
        EXPECT_STREQ(field.name, expected[i].name);
        EXPECT_EQ(field.types, expected[i].types);
        EXPECT_EQ(field.emitted, 0U);
        EXPECT_EQ(field.extent, expected[i].extent);
        EXPECT_EQ(field.place, expected[i].place);
        EXPECT_EQ(field.codec, expected[i].codec);
        EXPECT_EQ(field.nullable, expected[i].nullable);
        EXPECT_EQ(field.fallback, 0U);
        EXPECT_FALSE(field.text_only);
    }
}

// Types by their codes in a binary: ud 0, d 1, df 6, f 7, uq 11, q 13.
constexpr TypeSet ud = 1U << 0U;
constexpr TypeSet ud_d_f = 1U << 0U | 1U << 1U | 1U << 7U;
constexpr TypeSet uq = 1U << 11U;
constexpr TypeSet q_uq_df = 1U << 13U | 1U << 11U | 1U << 6U;
constexpr TypeSet atomic_data = ud_d_f | q_uq_df; // D Q; F (and DF, ruling 35); UD UQ

constexpr Expected exec{FieldKind::exec, "exec_size"};
constexpr Expected pred{FieldKind::predicate, "pred"};
constexpr Expected surface{FieldKind::surface, "surface"};

TEST(CoreFive, AreFlaggedAndNoOthers) {
    std::vector<std::string> flagged;
    for (const Row* row : table()) {
        if (has(*row, core_five))
            flagged.emplace_back(row->mnemonic);
    }
    EXPECT_EQ(flagged, (std::vector<std::string>{"svm_block_ld", "svm_atomic", "scatter4_scaled",
                                                 "scatter_scaled", "qw_gather"}));
}

TEST(CoreFive, ScatterScaled) {
    const Row* row = find("scatter_scaled");
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->opcode, 0x79);
    EXPECT_EQ(row->sub, -1);
    EXPECT_STREQ(row->page, "SCATTER_SCALED");
    expect_format(*row,
                  {exec,
                   pred,
                   {FieldKind::literal8, "block_size", 0, Extent::none, Place::hidden},
                   {FieldKind::literal8, "num_blocks", 0, Extent::none, Place::suffix, Codec::block_count},
                   {FieldKind::literal16, "scale", 0, Extent::none, Place::hidden},
                   surface,
                   {FieldKind::scalar_src, "offset", ud},
                   {FieldKind::raw_src, "element_offset", ud, Extent::lanes_4},
                   {FieldKind::raw_src, "src", ud_d_f, Extent::lanes_4}});
    EXPECT_EQ(row->exec_sizes, 0x3f); // 1 2 4 8 16 32
    EXPECT_STREQ(row->text_order, "");
    EXPECT_EQ(row->form, TextForm::regular);
    EXPECT_EQ(row->flags, static_cast<uint32_t>(writes_memory | core_five));
    EXPECT_EQ(row->devices, every_device);
    EXPECT_EQ(row->out_of_bounds, OutOfBounds::zero_or_dropped);
    EXPECT_STREQ(row->unsupported, "");
}

TEST(CoreFive, Scatter4Scaled) {
    const Row* row = find("scatter4_scaled");
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->opcode, 0x75);
    EXPECT_EQ(row->sub, -1);
    EXPECT_STREQ(row->page, "SCATTER4_SCALED");
    expect_format(*row,
                  {exec,
                   pred,
                   {FieldKind::literal8, "channels", 0, Extent::none, Place::suffix, Codec::channel_mask},
                   {FieldKind::literal16, "scale", 0, Extent::none, Place::hidden},
                   surface,
                   {FieldKind::scalar_src, "offset", ud},
                   {FieldKind::raw_src, "element_offset", ud, Extent::lanes_4},
                   {FieldKind::raw_src, "src", ud_d_f, Extent::channels_4}});
    EXPECT_EQ(row->exec_sizes, 0x18); // 8 16, ruling 4
    EXPECT_STREQ(row->text_order, "");
    EXPECT_EQ(row->form, TextForm::regular);
    EXPECT_EQ(row->flags, static_cast<uint32_t>(writes_memory | core_five));
    EXPECT_EQ(row->devices, every_device);
    EXPECT_EQ(row->out_of_bounds, OutOfBounds::zero_or_dropped);
    EXPECT_STREQ(row->unsupported, "");
}

TEST(CoreFive, QwGather) {
    const Row* row = find("qw_gather");
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->opcode, 0x86);
    EXPECT_EQ(row->sub, -1);
    EXPECT_STREQ(row->page, "QW_GATHER");
    expect_format(*row,
                  {exec,
                   pred,
                   {FieldKind::literal8, "num_blocks", 0, Extent::none, Place::suffix, Codec::block_count},
                   surface,
                   {FieldKind::raw_src, "offset", ud, Extent::lanes_4},
                   {FieldKind::raw_dst, "dst", q_uq_df, Extent::blocks_8}});
    EXPECT_EQ(row->exec_sizes, 0x1f); // 1 2 4 8 16
    EXPECT_STREQ(row->text_order, "");
    EXPECT_EQ(row->form, TextForm::regular);
    EXPECT_EQ(row->flags, static_cast<uint32_t>(reads_memory | core_five));
    EXPECT_EQ(row->devices, from(DeviceId::xehp)); // ruling 13
    EXPECT_FALSE(contains(row->devices, DeviceId::tgllp));
    EXPECT_EQ(row->out_of_bounds, OutOfBounds::zero_or_dropped);
    EXPECT_STREQ(row->unsupported, "");
}

TEST(CoreFive, SvmBlockLd) {
    const Row* row = find("svm_block_ld");
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->opcode, 0x4e);
    EXPECT_EQ(row->sub, 0x01);
    EXPECT_STREQ(row->page, "SVM_BLOCK_LD");
    expect_format(*row, {{FieldKind::sub_opcode, "sub_opcode"},
                         {FieldKind::literal8, "properties", 0, Extent::none, Place::paren, Codec::svm_block},
                         {FieldKind::scalar_src, "address", uq},
                         {FieldKind::raw_dst, "dst", 0, Extent::owords}});
    EXPECT_EQ(row->exec_sizes, 0);
    EXPECT_STREQ(row->text_order, "");
    EXPECT_EQ(row->form, TextForm::regular);
    EXPECT_EQ(row->flags, static_cast<uint32_t>(reads_memory | can_fault | implicit_no_mask | core_five));
    EXPECT_EQ(row->devices, every_device);
    EXPECT_EQ(row->out_of_bounds, OutOfBounds::fault);
    EXPECT_STREQ(row->unsupported, "");
}

TEST(CoreFive, SvmAtomic) {
    const Row* row = find("svm_atomic");
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(row->opcode, 0x4e);
    EXPECT_EQ(row->sub, 0x05);
    EXPECT_STREQ(row->page, "SVM_ATOMIC");
    expect_format(
        *row,
        {{FieldKind::sub_opcode, "sub_opcode"},
         exec,
         pred,
         {FieldKind::literal8, "op", 0, Extent::none, Place::suffix, Codec::atomic_op},
         {FieldKind::raw_src, "addresses", uq, Extent::lanes_8},
         {FieldKind::raw_src, "src0", atomic_data, Extent::atomic_lanes, Place::operand, Codec::plain, true},
         {FieldKind::raw_src, "src1", atomic_data, Extent::atomic_lanes, Place::operand, Codec::plain, true},
         {FieldKind::raw_dst, "dst", atomic_data, Extent::atomic_lanes, Place::operand, Codec::plain, true}});
    EXPECT_EQ(row->exec_sizes, 0x0f);      // 1 2 4 8, ruling 20
    EXPECT_STREQ(row->text_order, "0312"); // addresses dst src0 src1
    EXPECT_EQ(row->form, TextForm::regular);
    EXPECT_EQ(row->flags,
              static_cast<uint32_t>(reads_memory | writes_memory | atomic_access | can_fault | core_five));
    EXPECT_EQ(row->devices, every_device);
    EXPECT_EQ(row->out_of_bounds, OutOfBounds::fault);
    EXPECT_STREQ(row->unsupported, "");
}

} // namespace
} // namespace visor::isa
