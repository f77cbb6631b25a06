// LSC messages: their text, and where its parts end up.
#include "reading.h"

#include "isa/opcode.h"
#include "text/instruction.h"

#include <gtest/gtest.h>

namespace visor::text {
namespace {

uint64_t literal(const Instruction& instruction, std::string_view name) {
    const Operand* operand = operand_named(instruction, name);
    return operand == nullptr ? UINT64_MAX : operand->value;
}

TEST(Lsc, LoadFromAFlatAddress) {
    const Instruction read =
        read_one("lsc_load.ugm.ca.wb (M1, 32) V0032.64:d32x4t flat[4*V0033.128-0x10]:a64");
    EXPECT_EQ(literal(read, "lsc_sfid"), 0U);
    EXPECT_EQ(literal(read, "caching_l1"), 2U);
    EXPECT_EQ(literal(read, "caching_l3"), 3U);
    EXPECT_EQ(literal(read, "addr_type"), 1U);
    EXPECT_EQ(literal(read, "addr_scale"), 4U);
    EXPECT_EQ(literal(read, "addr_imm_offset"), 0xfffffff0U);
    EXPECT_EQ(literal(read, "addr_size"), 3U);
    EXPECT_EQ(literal(read, "data_size"), 3U);
    EXPECT_EQ(literal(read, "data_order"), 2U);
    EXPECT_EQ(literal(read, "data_elems_per_addr"), 4U) << "code of 4 elements";
    EXPECT_EQ(literal(read, "ch_mask"), 0U);
    EXPECT_EQ(operand_named(read, "surface")->kind, OperandKind::absent);
    EXPECT_EQ(operand_named(read, "dst_data")->offset, 64);
    EXPECT_EQ(operand_named(read, "src0_addrs")->id, 33U);
    EXPECT_EQ(operand_named(read, "src0_addrs")->offset, 128);
    EXPECT_TRUE(is_null(*operand_named(read, "src1_data")));
}

TEST(Lsc, DefaultsOfWhatTextLeavesOut) {
    const Instruction read = read_one("lsc_load.slm (M1, 16) V0032:d32 [V0032]:a32");
    EXPECT_EQ(literal(read, "lsc_sfid"), 3U);
    EXPECT_EQ(literal(read, "caching_l1"), 0U);
    EXPECT_EQ(literal(read, "addr_type"), 1U);
    EXPECT_EQ(literal(read, "addr_scale"), 1U);
    EXPECT_EQ(literal(read, "addr_imm_offset"), 0U);
    EXPECT_EQ(literal(read, "data_order"), 1U);
    EXPECT_EQ(literal(read, "data_elems_per_addr"), 1U);
}

TEST(Lsc, SurfacesAndChannels) {
    const Instruction read =
        read_one("lsc_store_quad.ugm (M1, 16) bss(V0032(1,2), 3)[V0032]:a32 V0034:d32.xzw");
    EXPECT_EQ(literal(read, "addr_type"), 2U);
    const Operand& surface = *operand_named(read, "surface");
    EXPECT_EQ(surface.kind, OperandKind::general);
    EXPECT_EQ(surface.row, 1);
    EXPECT_EQ(surface.column, 2);
    EXPECT_EQ(surface.region, (Region{0, 1, 0}));
    EXPECT_EQ(literal(read, "surface_index"), 3U);
    EXPECT_EQ(literal(read, "ch_mask"), 0xdU);
    EXPECT_EQ(literal(read, "data_elems_per_addr"), 0U);
    const Instruction number = read_one("lsc_load.ugm (M1, 16) V0032:d32 bti(0x10)[V0032]:a32");
    EXPECT_EQ(operand_named(number, "surface")->kind, OperandKind::immediate);
    EXPECT_EQ(operand_named(number, "surface")->value, 16U);
    EXPECT_EQ(operand_named(number, "surface")->type, isa::Type::ud);
}

TEST(Lsc, ChannelsOfOneLaneMayBeTransposed) {
    const Instruction read = read_one("lsc_load_quad.ugm (M1, 1) V0032:d32.xyt flat[V0033]:a64");
    EXPECT_EQ(literal(read, "ch_mask"), 3U);
    EXPECT_EQ(literal(read, "data_order"), 2U);
    EXPECT_EQ(literal(read, "data_elems_per_addr"), 0U);
}

// LSC_UNTYPED: the surface is a vector operand of the classes general, address and immediate.
TEST(Lsc, ASurfaceMayBeAnAddressOperand) {
    const Instruction read = read_one("lsc_load.ugm (M1, 16) V0032:d32 bti(A0(2)<1>)[V0032]:a32");
    const Operand& surface = *operand_named(read, "surface");
    EXPECT_EQ(surface.kind, OperandKind::address);
    EXPECT_EQ(surface.column, 2);
    EXPECT_EQ(surface.width, 1);
}

TEST(Lsc, NullIsNoBase) {
    const Instruction read = read_one("lsc_load.ugm (M1, 16) V0032:d32 flat(%null)[V0033]:a64");
    EXPECT_EQ(operand_named(read, "surface")->kind, OperandKind::absent);
}

TEST(Lsc, AtomicSources) {
    const Instruction read =
        read_one("lsc_atomic_icas.ugm (M1, 16) %null:d32 flat[V0033]:a64 V0032 V0032.64");
    EXPECT_TRUE(is_null(*operand_named(read, "dst_data")));
    EXPECT_EQ(operand_named(read, "src1_data")->offset, 0);
    EXPECT_EQ(operand_named(read, "src2_data")->offset, 64);
}

TEST(Lsc, BlocksHaveTwoAddressForms) {
    const Instruction read = read_one(
        "lsc_load_block2d.ugm (M1, 1) V0032:d16.2x32x4nt flat[V0033,0x40,V0032(0,1),V0032,V0032.4+16,7]");
    EXPECT_EQ(literal(read, "data_size"), 2U);
    EXPECT_EQ(literal(read, "blocks"), 2U);
    EXPECT_EQ(literal(read, "block_width"), 32U);
    EXPECT_EQ(literal(read, "block_height"), 4U);
    EXPECT_EQ(literal(read, "data_order"), 1U);
    EXPECT_EQ(literal(read, "vnni"), 1U);
    EXPECT_EQ(operand_named(read, "surface_width")->value, 0x40U);
    EXPECT_EQ(operand_named(read, "surface_height")->column, 1);
    EXPECT_EQ(operand_named(read, "src0_addr_x")->column, 4);
    EXPECT_EQ(literal(read, "x_offset"), 16U);
    EXPECT_EQ(operand_named(read, "src0_addr_y")->value, 7U);
    const Instruction payload = read_one("lsc_store_block2d.ugm (M1, 1) flat[V0033+(4,-3)] V0032:d32.8x4");
    EXPECT_EQ(operand_named(payload, "surface_width")->kind, OperandKind::absent);
    EXPECT_EQ(literal(payload, "x_offset"), 4U);
    EXPECT_EQ(literal(payload, "y_offset"), 0xfffffffdU);
    EXPECT_EQ(literal(payload, "blocks"), 1U);
}

TEST(Lsc, TypedMessagesHaveARowOfTheirOwn) {
    const Instruction read =
        read_one("lsc_load_quad.tgm (M1, 16) V0034:d32.xyzw bti(4)[V0032+5,V0032.64]:a32");
    EXPECT_EQ(read.row->opcode, isa::opcode::lsc_typed);
    EXPECT_EQ(literal(read, "u_offset"), 5U);
    EXPECT_EQ(operand_named(read, "src0_addrs_v")->offset, 64);
    EXPECT_TRUE(is_null(*operand_named(read, "src0_addrs_r")));
    EXPECT_EQ(read_one("lsc_load_quad.ugm (M1, 16) V0034:d32.xyzw flat[V0033]:a64").row->opcode,
              isa::opcode::lsc_untyped);
}

// IGC's formatExtendedCacheCtrlInst has the levels in front of what is done.
TEST(Lsc, CacheControl) {
    const Instruction read =
        read_one("(P1) lsc_extended_cache_ctrl.ugm.ca.uc.wb.reset.64B (M1, 16) flat[V0033.64]:a64");
    EXPECT_EQ(read.row->sub, 0x33);
    EXPECT_EQ(literal(read, "caching_l1"), 2U);
    EXPECT_EQ(literal(read, "caching_l2"), 1U);
    EXPECT_EQ(literal(read, "caching_l3"), 3U);
    EXPECT_EQ(literal(read, "operation"), 1U);
    EXPECT_EQ(literal(read, "size"), 0U);
    EXPECT_EQ(literal(read, "addr_type"), 1U);
    EXPECT_EQ(literal(read, "addr_size"), 3U);
    EXPECT_EQ(operand_named(read, "src0_addrs")->offset, 64);
}

TEST(Lsc, Spellings) {
    constexpr std::pair<std::string_view, std::string_view> cases[] = {
        {"lsc_load.ugm (M1, 32)  V0032:d32  flat[V0033]:a64", ""},
        {"lsc_load.ugm.ca (M1, 32)  V0032:d32  flat[V0033]:a64",
         "lsc_load.ugm.ca.df (M1, 32)  V0032:d32  flat[V0033]:a64"},
        {"(P1) lsc_load.ugm.ca.ca (M1, 16) V0032.64:d32x4 ss(V0032(0,1))[4*V0032+0x100]:a32",
         "(P1) lsc_load.ugm.ca.ca (M1, 16)  V0032.64:d32x4  ss(V0032(0,1))[4*V0032+0x100]:a32"},
        {"lsc_load.slm (M1_NM, 1)  V0032:d32x64t  flat[V0032-0x10]:a32", ""},
        {"lsc_load_quad.ugm (M1, 1)  V0032:d32.xyt  flat[V0033]:a64", ""},
        {"lsc_load.ugm (M1, 16)  V0032:d32  bti(A0(2)<1>)[V0032]:a32", ""},
        {"lsc_load.ugm (M1, 16) V0032:d8u32 [V0033+2*8]:a64",
         "lsc_load.ugm (M1, 16)  V0032:d8c32  flat[V0033+0x10]:a64"},
        {"lsc_load.ugm (M1, 16) V0032:u16c32h arg[V0032]:a32u",
         "lsc_load.ugm (M1, 16)  V0032:d16c32h  arg[V0032]:a32u"},
        {"lsc_load.ugm (M1, 16)  V0032:d64x2  surf(0x123456789a,0x3)[V0032]:a32s", ""},
        {"lsc_load.ugm (M1, 16)  V0032:d32  flat(V0033)[V0033]:a64", ""},
        {"lsc_load.ugm (M1, 16)  V0032:d32  ss(T6)[V0032]:a32", ""},
        {"lsc_store.ugm.wb.wb (M1, 16)  ss(V0032)[V0032]:a32  V0032:d32x2", ""},
        {"lsc_load_strided.ugm (M1, 16)  V0032:d32  flat[V0033,0x20]:a64", ""},
        {"lsc_store_strided.ugm (M1, 16)  flat[2*V0033+0x10,V0032]:a64  V0032:d32", ""},
        {"lsc_atomic_iadd.slm (M1, 16)  V0032:d32  flat[V0032]:a32  V0032  %null", ""},
        {"lsc_atomic_iinc.ugm (M1, 16) %null.0:d32 flat[V0033]:a64 %null.0 %null.0",
         "lsc_atomic_iinc.ugm (M1, 16)  %null:d32  flat[V0033]:a64  %null  %null"},
        {"lsc_load_block2d.ugm (M1, 1)  V0032:d16.1x32x4nn  flat[V0033+(0,0)]", ""},
        {"lsc_load_block2d.ugm (M1, 1) V0032:u8.32x4t flat[V0033+(-1,2)]",
         "lsc_load_block2d.ugm (M1, 1)  V0032:d8.1x32x4tn  flat[V0033+(-1,2)]"},
        {"lsc_store_block2d.ugm (M1, 1)  flat[V0033,0x40,0x40,0x40,V0032-0x1,0x1]  V0032:d32.1x8x4nn", ""},
        {"lsc_load_quad.tgm (M1, 8)  V0034:d32.xyzw  bti(0x4)[V0032,V0032.32,V0032,V0032]:a32", ""},
        {"lsc_store_quad.tgm.uc.uc (M1, 8)  bss(V0032)[V0032+0x4,V0032]:a32  V0034:d32.x", ""},
        {"lsc_atomic_iinc.tgm (M1, 8)  %null:d32  bti(0x0)[V0032]:a32  %null  %null", ""},
        {"lsc_load_block2d.tgm  V0032:64x4  bti(0x1)[V0032,V0032(0,1)+0x4]", ""},
        {"lsc_store_block2d.tgm  bti(0x1)[0x0,0x4]  V0032:64x4", ""},
        {"lsc_read_state_info.tgm V0032.0 bti(0x4)[V0032.0]",
         "lsc_read_state_info.tgm  V0032  bti(0x4)[V0032]"},
        {"lsc_apndctr_atomic_add.ugm (M1, 16)  V0032:d32  bti(0xa0)  V0032:d32", ""},
        {"lsc_extended_cache_ctrl.ugm.reset.64B (M1, 32)  flat[V0033]:a64", ""},
        {"(P1) lsc_extended_cache_ctrl.ugm.st.uc.df.reset.64B (M1, 16) flat[ V0033.64 ]:a64",
         "(P1) lsc_extended_cache_ctrl.ugm.st.uc.df.reset.64B (M1, 16)  flat[V0033.64]:a64"},
        {"lsc_fence.ugm.invalidate.sysacq", ""},
        {"lsc_fence.tgm.none.gpu", ""},
        {"lsc_fence.slm.none.group (M1_NM, 1)", ""},
    };
    for (const auto& [written, printed] : cases)
        EXPECT_EQ(reprinted(written), printed.empty() ? written : printed);
}

} // namespace
} // namespace visor::text
