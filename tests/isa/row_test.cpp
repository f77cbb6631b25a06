// Rows against their pages: opcodes, devices, and what holds for kinds of rows. The literals are the pages'.
#include "isa/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace visor::isa {
namespace {

struct Opcode {
    const char* mnemonic;
    int opcode;
    int sub = -1;
};

class OpcodeOfThePage : public testing::TestWithParam<Opcode> {};

TEST_P(OpcodeOfThePage, IsTheRows) {
    const Opcode& expected = GetParam();
    const Row* row = find(expected.mnemonic);
    ASSERT_NE(row, nullptr) << expected.mnemonic;
    EXPECT_EQ(row->opcode, expected.opcode) << expected.mnemonic;
    EXPECT_EQ(row->sub, expected.sub) << expected.mnemonic;
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, OpcodeOfThePage,
    testing::Values(Opcode{"add", 0x01}, Opcode{"avg", 0x02}, Opcode{"div", 0x03}, Opcode{"exp", 0x08},
                    Opcode{"frc", 0x09}, Opcode{"log", 0x0b}, Opcode{"mad", 0x0c}, Opcode{"mulh", 0x0d},
                    Opcode{"lrp", 0x0e}, Opcode{"mod", 0x0f}, Opcode{"mul", 0x10}, Opcode{"pow", 0x11},
                    Opcode{"rndd", 0x12}, Opcode{"rndu", 0x13}, Opcode{"rnde", 0x14}, Opcode{"rndz", 0x15},
                    Opcode{"sad2", 0x16}, Opcode{"sin", 0x17}, Opcode{"cos", 0x18}, Opcode{"sqrt", 0x19},
                    Opcode{"rsqrt", 0x1a}, Opcode{"inv", 0x1b}, Opcode{"srnd", 0x1e}, Opcode{"lzd", 0x1f},
                    Opcode{"addc", 0x49}, Opcode{"subb", 0x4a}, Opcode{"sad2add", 0x6a},
                    Opcode{"plane", 0x6b}, Opcode{"sqrtm", 0x7e}, Opcode{"divm", 0x7f}, Opcode{"dp4a", 0x82},
                    Opcode{"add3", 0x84}, Opcode{"madw", 0x91}, Opcode{"add3.o", 0x92}, Opcode{"invm", 0x9b},
                    Opcode{"rsqtm", 0x9c}));
INSTANTIATE_TEST_SUITE_P(LogicAndMoves, OpcodeOfThePage,
                         testing::Values(Opcode{"and", 0x20}, Opcode{"or", 0x21}, Opcode{"xor", 0x22},
                                         Opcode{"not", 0x23}, Opcode{"shl", 0x24}, Opcode{"shr", 0x25},
                                         Opcode{"asr", 0x26}, Opcode{"cbit", 0x27}, Opcode{"fbl", 0x2e},
                                         Opcode{"fbh", 0x2f}, Opcode{"bfe", 0x46}, Opcode{"bfi", 0x47},
                                         Opcode{"bfrev", 0x48}, Opcode{"rol", 0x80}, Opcode{"ror", 0x81},
                                         Opcode{"bfn", 0x85}, Opcode{"fcvt", 0x1d}, Opcode{"addr_add", 0x28},
                                         Opcode{"mov", 0x29}, Opcode{"sel", 0x2a}, Opcode{"setp", 0x2b},
                                         Opcode{"cmp", 0x2c}, Opcode{"movs", 0x2d}, Opcode{"min", 0x45, 0},
                                         Opcode{"max", 0x45, 1}));
INSTANTIATE_TEST_SUITE_P(
    FlowAndSync, OpcodeOfThePage,
    testing::Values(Opcode{"subroutine", 0x30}, Opcode{"label", 0x31}, Opcode{"jmp", 0x32},
                    Opcode{"call", 0x33}, Opcode{"fccall", 0x33}, Opcode{"ret", 0x34}, Opcode{"ifcall", 0x4f},
                    Opcode{"faddr", 0x50}, Opcode{"fcall", 0x67}, Opcode{"fret", 0x68},
                    Opcode{"switchjmp", 0x69}, Opcode{"goto", 0x6c}, Opcode{"file", 0x51},
                    Opcode{"loc", 0x52}, Opcode{"barrier", 0x59}, Opcode{"sampler_cache_flush", 0x5a},
                    Opcode{"wait", 0x5b}, Opcode{"fence_global", 0x5c}, Opcode{"fence_local", 0x5c},
                    Opcode{"fence_sw", 0x5c}, Opcode{"yield", 0x5f}, Opcode{"nbarrier", 0x60},
                    Opcode{"lifetime", 0x7b}, Opcode{"sbarrier", 0x7c}));
INSTANTIATE_TEST_SUITE_P(
    Memory, OpcodeOfThePage,
    testing::Values(Opcode{"oword_ld", 0x35}, Opcode{"oword_st", 0x36}, Opcode{"media_ld", 0x37},
                    Opcode{"media_st", 0x38}, Opcode{"gather", 0x39}, Opcode{"scatter", 0x3a},
                    Opcode{"oword_ld_unaligned", 0x3c}, Opcode{"gather4_typed", 0x4b},
                    Opcode{"scatter4_typed", 0x4c}, Opcode{"svm_block_st", 0x4e, 0x02},
                    Opcode{"svm_gather", 0x4e, 0x03}, Opcode{"svm_scatter", 0x4e, 0x04},
                    Opcode{"svm_gather4scaled", 0x4e, 0x06}, Opcode{"svm_scatter4scaled", 0x4e, 0x07},
                    Opcode{"typed_atomic", 0x73}, Opcode{"gather4_scaled", 0x74},
                    Opcode{"gather_scaled", 0x78}, Opcode{"dword_atomic", 0x7d}, Opcode{"qw_scatter", 0x87},
                    Opcode{"lsc_load", 0x89, 0x00}, Opcode{"lsc_load_block2d", 0x89, 0x03},
                    Opcode{"lsc_store", 0x89, 0x04}, Opcode{"lsc_atomic_iinc", 0x89, 0x08},
                    Opcode{"lsc_atomic_iadd", 0x89, 0x0c}, Opcode{"lsc_atomic_icas", 0x89, 0x12},
                    Opcode{"lsc_atomic_xor", 0x89, 0x1a}, Opcode{"lsc_load_status", 0x89, 0x1b},
                    Opcode{"lsc_extended_cache_ctrl", 0x89, 0x33},
                    Opcode{"lsc_apndctr_atomic_add", 0x89, 0x28}, Opcode{"lsc_read_surface_info", 0x8a, 0x1e},
                    Opcode{"lsc_fence", 0x8b}));
INSTANTIATE_TEST_SUITE_P(
    Others, OpcodeOfThePage,
    testing::Values(
        Opcode{"sample_unorm", 0x41}, Opcode{"avs", 0x43}, Opcode{"vme_ime", 0x54}, Opcode{"vme_sic", 0x55},
        Opcode{"vme_fbr", 0x56}, Opcode{"vme_idm", 0x57}, Opcode{"raw_send", 0x5d}, Opcode{"raw_sendc", 0x5d},
        Opcode{"raw_sendsc_eot", 0x7a}, Opcode{"sample_3d", 0x6d, 0x00}, Opcode{"sample_l", 0x6d, 0x02},
        Opcode{"lod", 0x6d, 0x09}, Opcode{"sample_d_c", 0x6d, 0x14}, Opcode{"sample_lz", 0x6d, 0x18},
        Opcode{"sample_po_l_c", 0x6d, 0x26}, Opcode{"load_3d", 0x6e, 0x07}, Opcode{"load_lz", 0x6e, 0x1a},
        Opcode{"load_2dms_w", 0x6e, 0x1c}, Opcode{"load_mcs", 0x6e, 0x1d}, Opcode{"sample4", 0x6f, 0x08},
        Opcode{"sample4_c", 0x6f, 0x10}, Opcode{"sample4_po", 0x6f, 0x11}, Opcode{"sample4_l", 0x6f, 0x0d},
        Opcode{"resinfo", 0x70, 0x0a}, Opcode{"sampleinfo", 0x70, 0x0b}, Opcode{"rt_write_3d", 0x71},
        Opcode{"urb_write_3d", 0x72}, Opcode{"dpas", 0x83}, Opcode{"dpasw", 0x1c}, Opcode{"rt_read", 0x90}));

// The devices, oldest first: skl icllp tgllp adl dg1 xehp dg2 mtl arl pvc bmg lnl ptl wcl nvl-s cri nvl-p. Of
// dpas and dpasw the newer ones are as the compiler has them (IGC, HWCaps.inc: hasDPAS, hasFusedEU).
struct Availability {
    const char* mnemonic;
    const char* devices; // a letter for each device in that order: y or n
};
class DevicesOfTheIndex : public testing::TestWithParam<Availability> {};

TEST_P(DevicesOfTheIndex, AreTheRows) {
    const Row* row = find(GetParam().mnemonic);
    ASSERT_NE(row, nullptr);
    std::string has;
    for (const Device& device : devices())
        has += contains(row->devices, device.id) ? 'y' : 'n';
    EXPECT_EQ(has, GetParam().devices) << GetParam().mnemonic;
}

INSTANTIATE_TEST_SUITE_P(Index, DevicesOfTheIndex,
                         testing::Values(Availability{"add", "yyyyyyyyyyyyyyyyy"},
                                         Availability{"goto", "yyyyyyyyyyyyyyyyy"},
                                         Availability{"rol", "nyyyyyyyyyyyyyyyy"},       // {ICLLP+}
                                         Availability{"dp4a", "nnyyyyyyyyyyyyyyy"},      // {TGLLP+}
                                         Availability{"add3", "nnnnnyyyyyyyyyyyy"},      // {XEHP+}
                                         Availability{"bfn", "nnnnnyyyyyyyyyyyy"},       //
                                         Availability{"dpas", "nnnnnyynyyyyyyyyy"},      //
                                         Availability{"dpasw", "nnnnnyynynnnnnnnn"},     // {DG2,XEHP}
                                         Availability{"lrp", "ynnnnnnnnnnnnnnnn"},       // {-ICLLP}
                                         Availability{"plane", "ynnnnnnnnnnnnnnnn"},     //
                                         Availability{"sad2", "ynnnnnnnnnnnnnnnn"},      //
                                         Availability{"mod", "yyyyynnnnnnnnnnnn"},       // {-XEHP}
                                         Availability{"divm", "ynnnnyyyyyyyyyyyy"},      // {XEHP+,SKL}
                                         Availability{"invm", "ynnnnyyyyyyyyyyyy"},      //
                                         Availability{"switchjmp", "yynnnnnnnyyyyyyyy"}, // {PVC+,-TGLLP}
                                         Availability{"avs", "yynnnnnnnnnnnnnnn"},       // {-TGLLP}
                                         Availability{"vme_ime", "yynnnnnnnnnnnnnnn"},   //
                                         Availability{"fcvt", "nnnnnnnnnyyyyyyyy"},      // {PVC+}
                                         Availability{"nbarrier", "nnnnnnnnnyyyyyyyy"},  //
                                         Availability{"lsc_load", "nnnnnnyyyyyyyyyyy"},  // {DG2+}
                                         Availability{"lsc_fence", "nnnnnnyyyyyyyyyyy"},
                                         // Xe3P
                                         Availability{"lsc_extended_cache_ctrl", "nnnnnnnnnnnnnnnyy"},
                                         // ruling 34: legacy messages from their first device on
                                         Availability{"gather4_scaled", "yyyyyyyyyyyyyyyyy"},
                                         Availability{"svm_gather", "yyyyyyyyyyyyyyyyy"},
                                         Availability{"dword_atomic", "yyyyyyyyyyyyyyyyy"},
                                         Availability{"qw_scatter", "nnnnnyyyyyyyyyyyy"},
                                         // pvc has no sampler
                                         Availability{"sample_lz", "yyyyyyyyynyyyyyyy"}));

TEST(Device, KinRunEachOthersCode) {
    using enum DeviceId;
    EXPECT_TRUE(same_code(tgllp, adl));
    EXPECT_TRUE(same_code(dg1, adl));
    EXPECT_TRUE(same_code(bmg, lnl));
    EXPECT_TRUE(same_code(ptl, nvl_s));
    EXPECT_TRUE(same_code(wcl, ptl));
    EXPECT_TRUE(same_code(cri, nvl_p));
    EXPECT_FALSE(same_code(mtl, arl)) << "dpas";
    EXPECT_FALSE(same_code(dg2, mtl)) << "64-bit floats";
    EXPECT_FALSE(same_code(bmg, ptl));
}

TEST(Device, HasOtherNames) {
    EXPECT_EQ(device_named("RPL-S"), &device(DeviceId::adl));
    EXPECT_EQ(device_named("nvl-p"), &device(DeviceId::nvl_p));
    EXPECT_EQ(device_named("arl-h"), &device(DeviceId::arl));
    EXPECT_EQ(device_named("adl-"), nullptr);
}

std::string names_in_order(const Row& row) {
    std::string names;
    for (const Field& field : row.format) {
        if (field.text_only)
            continue;
        names += names.empty() ? "" : " ";
        names += field.name;
    }
    return names;
}

struct Format {
    const char* mnemonic;
    const char* fields; // in wire order
};
class FormatOfThePage : public testing::TestWithParam<Format> {};

TEST_P(FormatOfThePage, IsTheRows) {
    const Row* row = find(GetParam().mnemonic);
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(names_in_order(*row), GetParam().fields) << GetParam().mnemonic;
}

INSTANTIATE_TEST_SUITE_P(
    Pages, FormatOfThePage,
    testing::Values(
        Format{"add", "exec_size pred dst src0 src1"}, Format{"mad", "exec_size pred dst src0 src1 src2"},
        Format{"bfi", "exec_size pred dst src0 src1 src2 src3"},
        Format{"bfn", "exec_size pred dst src0 src1 src2 boolean_func_ctrl"},
        Format{"addc", "exec_size pred dst carry src0 src1"},
        Format{"subb", "exec_size pred dst borrow src0 src1"},
        Format{"invm", "exec_size pred dst pred_dst src0 src1"},
        Format{"cmp", "exec_size rel_op dst src0 src1"}, Format{"max", "exec_size sub_opcode dst src0 src1"},
        Format{"srnd", "exec_size dst src0 src1"}, Format{"movs", "exec_size dst src0"},
        Format{"addr_add", "exec_size dst src0 src1"}, Format{"jmp", "exec_size pred label"},
        Format{"ret", "exec_size pred"}, Format{"fcall", "exec_size pred func_id arg_size return_size"},
        Format{"ifcall", "exec_size pred func_addr arg_size return_size"}, Format{"faddr", "func_id dst"},
        Format{"switchjmp", "exec_size num_labels index labels label"},
        Format{"gather", "elt_size is_modified num_elts surface global_offset element_offset dst"},
        Format{"scatter", "elt_size num_elts surface global_offset element_offset src"},
        Format{"gather_scaled",
               "exec_size pred block_size num_blocks scale surface offset element_offset dst"},
        Format{"gather4_scaled", "exec_size pred channels scale surface offset element_offset dst"},
        Format{"qw_scatter", "exec_size pred num_blocks surface offset src"},
        Format{"oword_ld", "size is_modified surface offset dst"},
        Format{"oword_st", "size surface offset src"},
        Format{"svm_gather", "sub_opcode exec_size pred block_size num_blocks addresses dst"},
        Format{"svm_scatter4scaled", "sub_opcode exec_size pred channels scale address element_offset src"},
        Format{"dword_atomic", "op exec_size pred surface element_offset src0 src1 dst"},
        Format{"typed_atomic", "op exec_size pred surface u v r lod src0 src1 dst"},
        Format{"gather4_typed", "exec_size pred channels surface u v r lod dst"},
        Format{"lsc_load",
               "sub_opcode exec_size pred lsc_sfid caching_l1 caching_l3 addr_type addr_scale "
               "addr_imm_offset addr_size data_size data_order data_elems_per_addr ch_mask surface "
               "dst_data src0_addrs src1_data src2_data"},
        Format{"lsc_load_strided",
               "sub_opcode exec_size pred lsc_sfid caching_l1 caching_l3 addr_type addr_scale "
               "addr_imm_offset addr_size data_size data_order data_elems_per_addr ch_mask "
               "surface dst_data src0_addr_base src0_addr_pitch src1_data"},
        Format{"lsc_load_block2d",
               "sub_opcode exec_size pred lsc_sfid caching_l1 caching_l3 data_size data_order "
               "blocks block_width block_height vnni dst_data surface_base_addr surface_width "
               "surface_height surface_pitch src0_addr_x src0_addr_y src1_data"},
        Format{"lsc_apndctr_atomic_add", "sub_opcode exec_size pred lsc_sfid caching_l1 caching_l3 addr_type "
                                         "data_size data_order data_elems_per_addr ch_mask surface dst_data "
                                         "src0_data"},
        Format{"lsc_read_state_info",
               "sub_opcode exec_size pred caching_l1 caching_l3 addr_type addr_size "
               "data_size data_order data_elems_per_addr ch_mask surface dst_data "
               "src0_addrs_u src0_addrs_v src0_addrs_r src0_addrs_lod src1_data src2_data"},
        Format{"lsc_extended_cache_ctrl",
               "sub_opcode exec_size pred lsc_sfid caching_l1 caching_l2 caching_l3 "
               "operation size addr_type addr_size src0_addrs"},
        Format{"lsc_fence", "exec_size pred lsc_sfid lsc_fence_op lsc_scope"},
        Format{"nbarrier", "mode id type num_producers num_consumers"}, Format{"barrier", ""},
        Format{"sample_b", "op exec_size pred channels aoffimmi sampler surface dst paired_resource "
                           "num_params bias u v r ai param"},
        Format{"load_lz",
               "op exec_size pred channels aoffimmi surface dst paired_resource num_params u v r param"},
        Format{"sample4_po", "op exec_size pred src_channel aoffimmi sampler surface dst paired_resource "
                             "num_params u v offu offv r "
                             "param"},
        Format{"dpas", "exec_size dst src0 src1 src2 info"},
        Format{"raw_send", "modifiers exec_size pred ex_msg_desc num_src num_dst desc src dst"},
        Format{"media_ld", "modifiers surface plane block_width block_height x_offset y_offset dst"},
        Format{"vme_fbr",
               "uni_input fbr_input surface fbr_mb_mode fbr_sub_mb_shape fbr_sub_pred_mode output"},
        Format{"urb_write_3d", "exec_size pred num_out channel_mask global_offset urb_handle per_slot_offset "
                               "vertex_data"}));

// A reader chooses the row once it has seen the sub-opcode, so what stands before that must be the same for
// all.
TEST(Row, SubOpcodesStandBehindTheSameFields) {
    const auto prefix = [](const Row& row) {
        std::vector<FieldKind> kinds;
        for (const Field& field : row.format) {
            kinds.push_back(field.kind);
            if (field.kind == FieldKind::sub_opcode || field.kind == FieldKind::sub_opcode16)
                break;
        }
        return kinds;
    };
    for (const Row* row : table()) {
        if (row->sub < 0)
            continue;
        for (const Row* other : table()) {
            if (other->opcode == row->opcode) {
                EXPECT_EQ(prefix(*row), prefix(*other)) << row->mnemonic << ' ' << other->mnemonic;
            }
        }
    }
}

TEST(Row, SaysWhatItDoesToMemory) {
    for (const Row* row : table()) {
        const bool reads = has(*row, reads_memory);
        const bool writes = has(*row, writes_memory);
        if (has(*row, atomic_access)) {
            EXPECT_TRUE(reads && writes) << row->mnemonic;
        }
        const std::string name = row->mnemonic;
        if (name.find("gather") != std::string::npos || name.starts_with("oword_ld") ||
            name == "svm_block_ld") {
            EXPECT_TRUE(reads && !writes) << name;
        }
        if (name.find("scatter") != std::string::npos || name == "oword_st" || name == "svm_block_st") {
            EXPECT_TRUE(writes && !reads) << name;
        }
        if (row->family == Family::arith || row->family == Family::logic || row->family == Family::flow) {
            EXPECT_FALSE(reads || writes) << name;
        }
        if (row->out_of_bounds == OutOfBounds::fault) {
            EXPECT_EQ(row->opcode, 0x4e) << name;
            EXPECT_TRUE(has(*row, can_fault)) << name;
        }
    }
}

TEST(Row, EndsABlockExactlyWhereControlMayLeave) {
    const std::vector<std::string> leave{"jmp",   "call", "ret",       "ifcall",
                                         "fcall", "fret", "switchjmp", "goto"};
    for (const Row* row : table())
        EXPECT_EQ(has(*row, ends_block), std::ranges::find(leave, row->mnemonic) != leave.end())
            << row->mnemonic;
}

// "Saturation" and "Source Modifier" of the pages.
TEST(Row, TakesTheModifiersOfItsPage) {
    EXPECT_TRUE(has(*find("add"), can_saturate));
    EXPECT_FALSE(has(*find("add"), saturates_floats_only));
    EXPECT_TRUE(has(*find("mul"), saturates_floats_only));
    EXPECT_TRUE(has(*find("div"), saturates_floats_only));
    EXPECT_TRUE(has(*find("mad"), saturates_floats_only));
    EXPECT_FALSE(has(*find("mulh"), can_saturate));
    EXPECT_FALSE(has(*find("addc"), can_saturate));
    EXPECT_FALSE(has(*find("cmp"), can_saturate));
    EXPECT_FALSE(has(*find("and"), can_saturate));
    EXPECT_TRUE(has(*find("and"), logic_modifiers));
    EXPECT_FALSE(has(*find("and"), arithmetic_modifiers));
    EXPECT_TRUE(has(*find("shl"), arithmetic_modifiers));
    EXPECT_FALSE(has(*find("bfe"), arithmetic_modifiers));
    EXPECT_FALSE(has(*find("dp4a"), arithmetic_modifiers));
    EXPECT_TRUE(has(*find("sel"), predicate_selects));
    EXPECT_TRUE(has(*find("add3.o"), writes_predicate));
}

TEST(Row, HasTheTypesOfItsPage) {
    const Row& add = *find("add");
    for (const Type type : {Type::b, Type::d, Type::df, Type::f, Type::hf, Type::q, Type::ub, Type::ud,
                            Type::uq, Type::uw, Type::w, Type::bf})
        EXPECT_TRUE(contains(add.format[2].types, type)) << facts(type).name;
    EXPECT_FALSE(contains(add.format[2].types, Type::boolean));
    EXPECT_FALSE(contains(add.format[2].types, Type::v));
    EXPECT_TRUE(contains(add.format[3].types, Type::v));
    EXPECT_TRUE(contains(add.format[3].types, Type::vf));
    EXPECT_FALSE(contains(find("avg")->format[2].types, Type::q));
    EXPECT_FALSE(contains(find("mul")->format[3].types, Type::q));
    EXPECT_TRUE(contains(find("mul")->format[2].types, Type::q));
    EXPECT_EQ(find("lzd")->format[2].types, types(Type::ud));
    EXPECT_EQ(find("shr")->format[2].types, types(Type::ub, Type::uw, Type::ud, Type::uq));
    EXPECT_TRUE(contains(find("shr")->format[2].emitted, Type::d));
    EXPECT_EQ(find("asr")->format[2].types, types(Type::b, Type::w, Type::d, Type::q));
    EXPECT_EQ(find("cbit")->format[3].types, types(Type::ub, Type::uw, Type::ud));
}

TEST(Row, FindsItsOperandsByName) {
    const Row& atomic = *find("dword_atomic");
    EXPECT_EQ(operand_index(atomic, "op"), 0); // exec_size and pred are no operands
    EXPECT_EQ(operand_index(atomic, "surface"), 1);
    EXPECT_EQ(operand_index(atomic, "dst"), 5);
    EXPECT_EQ(operand_index(atomic, "exec_size"), -1);
    EXPECT_EQ(operand_index(atomic, "nothing"), -1);
    EXPECT_TRUE(has_exec(atomic));
    EXPECT_TRUE(has_predicate(atomic));
    EXPECT_FALSE(has_predicate(*find("cmp")));
    EXPECT_FALSE(has_predicate(*find("min")));
    EXPECT_FALSE(has_exec(*find("svm_block_ld")));
    EXPECT_FALSE(has_exec(*find("gather")));
}

} // namespace
} // namespace visor::isa
