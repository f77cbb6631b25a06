#include "program/program.h"

#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::program {
namespace {

struct Prepared {
    Diagnostics diagnostics;
    std::optional<Program> program;
};

// A kernel with these declarations and instructions.
Prepared prepare_text(const std::string& declarations, const std::string& code, const char* device = "skl") {
    const std::string text = ".version 4.1\n.kernel \"k\"\n" + declarations + "\n" + code + "\n";
    const isa::Device& target = *isa::device_named(device);
    Prepared out;
    auto module = text::parse(text, {target.grf_bytes}, out.diagnostics);
    if (module)
        out.program = prepare(std::make_shared<const Function>(std::move(module->functions.front())), target,
                              out.diagnostics);
    EXPECT_TRUE(out.program || !out.diagnostics.ok());
    return out;
}

const PreparedOperand& operand(const Program& program, size_t instruction, size_t index) {
    return program.operands[program.code[instruction].first_operand + index];
}

// 5_operands.md: row counts registers of the device's size, column counts elements.
TEST(Prepare, SubRegistersAreByteOffsets) {
    constexpr const char* declarations = ".decl V v_type=G type=d num_elts=32 align=GRF";
    const Prepared narrow = prepare_text(declarations, "    mov (M1, 8) V(1,2)<1> V(0,0)<1;1,0>");
    const uint32_t base = narrow.program->variables[32].base;
    EXPECT_EQ(operand(*narrow.program, 0, 0).base, base + 32 + 2 * 4);
    EXPECT_EQ(operand(*narrow.program, 0, 1).base, base);
    const Prepared wide = prepare_text(declarations, "    mov (M1, 8) V(1,2)<1> V(0,0)<1;1,0>", "pvc");
    EXPECT_EQ(operand(*wide.program, 0, 0).base, wide.program->variables[32].base + 64 + 2 * 4);
}

TEST(Prepare, AliasesShareStorage) {
    const Prepared prepared = prepare_text(".decl A v_type=G type=d num_elts=16 align=GRF\n"
                                           ".decl B v_type=G type=uw num_elts=8 align=word alias=<A, 4>\n"
                                           ".decl C v_type=G type=ub num_elts=4 align=byte alias=<B, 6>",
                                           "    mov (M1, 1) C(0,1)<1> B(0,0)<0;1,0>\n    ret (M1, 1)");
    const uint32_t base = prepared.program->variables[32].base;
    EXPECT_EQ(prepared.program->variables[33].base, base + 4);
    EXPECT_EQ(operand(*prepared.program, 0, 0).base, base + 4 + 6 + 1);
}

// Storage is widened to what static accesses reach: lane 15 of a stride of 2 is element 30 of a variable
// of 8.
TEST(Prepare, StorageCoversEveryStaticAccess) {
    const Prepared prepared = prepare_text(".decl V v_type=G type=d num_elts=8 align=GRF\n"
                                           ".decl W v_type=G type=d num_elts=16 align=GRF",
                                           "    mov (M1, 16) V(0,0)<2> W(0,0)<1;1,0>");
    const PreparedOperand& destination = operand(*prepared.program, 0, 0);
    EXPECT_GE(destination.limit - destination.base, 31U * 4);
    EXPECT_LE(destination.limit, prepared.program->register_bytes);
    EXPECT_TRUE(operand(*prepared.program, 0, 1).base >= destination.limit ||
                operand(*prepared.program, 0, 1).limit <= destination.base)
        << "W does not overlap V";
}

TEST(Prepare, UnusedVariablesHaveNoStorage) {
    std::string declarations = ".decl V v_type=G type=d num_elts=8 align=GRF\n";
    for (int i = 0; i < 1000; ++i)
        declarations += ".decl U" + std::to_string(i) + " v_type=G type=d num_elts=128 align=GRF\n";
    const Prepared prepared = prepare_text(declarations, "    mov (M1, 8) V(0,0)<1> 0x0:d");
    EXPECT_LT(prepared.program->register_bytes, 2048U);
}

// Ruling 147: variables whose address is taken follow all others, without gaps, whole: an alias counts for
// the variable whose storage it shares.
TEST(Prepare, VariablesWhoseAddressIsTakenAreTogether) {
    const Prepared prepared = prepare_text(".decl A0 v_type=A num_elts=2\n"
                                           ".decl TAKEN v_type=G type=d num_elts=8 align=GRF\n"
                                           ".decl PLAIN v_type=G type=d num_elts=16 align=GRF\n"
                                           ".decl ROOT v_type=G type=ud num_elts=20 align=GRF\n"
                                           ".decl PART v_type=G type=ub num_elts=4 alias=<ROOT, 8>",
                                           "    addr_add (M1, 1) A0(0)<1> &TAKEN 0x0:uw\n"
                                           "    addr_add (M1, 1) A0(1)<1> &PART 0x0:uw\n"
                                           "    mov (M1, 16) PLAIN(0,0)<1> 0x0:d\n"
                                           "    mov (M1, 1) r[A0(0),0]<1>:d 0x0:d\n"
                                           "    ret (M1, 1)");
    const Program& program = *prepared.program;
    const RegisterRange& range = program.addressable;
    EXPECT_EQ(range.end - range.begin, 64U + 128U) << "8 and 20 dwords, each in whole 64 bytes";
    EXPECT_EQ(program.variables[32].base, range.begin);
    EXPECT_EQ(program.variables[34].base, range.begin + 64);
    EXPECT_LE(program.variables[33].base + 64, range.begin);
    EXPECT_GE(range.begin, program.register_base(isa::Predefined::ce0) + 4);
    EXPECT_EQ(program.register_bytes, range.end + 64);
}

TEST(Prepare, WithoutAddressesNothingIsAddressable) {
    const Prepared prepared = prepare_text(".decl V v_type=G type=d num_elts=16 align=GRF",
                                           "    mov (M1, 16) V(0,0)<1> 0x0:d\n    ret (M1, 1)");
    EXPECT_TRUE(prepared.program->addressable.empty());
    EXPECT_FALSE(prepared.program->addressable.contains(prepared.program->addressable.begin, 1));
}

TEST(RegisterRange, ContainsWhatLiesInsideAsAWhole) {
    constexpr RegisterRange range{64, 128};
    EXPECT_TRUE(range.contains(64, 64));
    EXPECT_TRUE(range.contains(127, 1));
    EXPECT_FALSE(range.contains(63, 1));
    EXPECT_FALSE(range.contains(127, 2));
    EXPECT_FALSE(range.contains(128, 1));
    EXPECT_FALSE(range.contains(64, 65));
    EXPECT_FALSE(range.contains(-1, 1));
    EXPECT_FALSE(range.contains(INT64_MIN, 8));
    EXPECT_FALSE(range.contains(INT64_MAX, 8));
    EXPECT_FALSE(range.contains(64, UINT64_MAX));
}

TEST(Prepare, LabelsBecomeCodeIndices) {
    const Prepared prepared =
        prepare_text(".decl P1 v_type=P num_elts=16\n.decl V v_type=G type=d num_elts=16 align=GRF",
                     "top:\n"
                     "    mov (M1, 16) V(0,0)<1> 0x0:d\n"
                     "    (P1) goto (M1, 16) bottom\n"
                     "    (P1) goto (M1, 16) top\n"
                     "    mov (M1, 16) V(0,0)<1> 0x1:d\n"
                     "bottom:\n"
                     "    ret (M1, 1)");
    const Program& program = *prepared.program;
    ASSERT_EQ(program.code.size(), 5U);
    EXPECT_EQ(program.code[1].target, 4U);
    EXPECT_EQ(program.code[2].target, 0U);
    // Joins: both labels, and behind the backward goto.
    EXPECT_EQ(program.joins, (std::vector<uint32_t>{0, 3, 4}));
    EXPECT_EQ(program.code[0].join, 0U);
    EXPECT_EQ(program.code[1].join, no_target);
    EXPECT_EQ(program.code[3].join, 1U);
    EXPECT_EQ(program.code[4].join, 2U);
}

TEST(Prepare, RegionsKeepTheirStrides) {
    const Prepared prepared = prepare_text(".decl V v_type=G type=uw num_elts=64 align=GRF",
                                           "    mov (M1, 16) V(0,0)<2> V(0,1)<8;4,2>");
    const PreparedOperand& destination = operand(*prepared.program, 0, 0);
    EXPECT_EQ(destination.width, 1);
    EXPECT_EQ(destination.vertical, 2);
    const PreparedOperand& source = operand(*prepared.program, 0, 1);
    EXPECT_EQ(source.vertical, 8);
    EXPECT_EQ(source.width, 4);
    EXPECT_EQ(source.horizontal, 2);
}

TEST(Prepare, RefusesLanesPastTheMask) {
    const Prepared prepared =
        prepare_text(".decl V v_type=G type=d num_elts=32 align=GRF", "    mov (M5, 32) V(0,0)<1> 0x0:d");
    EXPECT_FALSE(prepared.program);
}

TEST(Prepare, RefusesARegisterFileWithoutBounds) {
    std::string declarations;
    std::string code;
    for (int i = 0; i < 2100; ++i) {
        declarations += ".decl V" + std::to_string(i) + " v_type=G type=uq num_elts=1024 align=GRF\n";
        code += "    mov (M1, 1) V" + std::to_string(i) + "(0,0)<1> 0x0:ud\n";
    }
    const Prepared prepared = prepare_text(declarations, code);
    ASSERT_FALSE(prepared.program);
    EXPECT_EQ(prepared.diagnostics.all().front().rule, "register-file-size");
}

// 6_instructions: how far each raw operand reaches. R = max(exec size, GRF / 4) lanes.
struct ExtentCase {
    const char* code;
    size_t operand;
    uint32_t narrow; // bytes on a 32-byte GRF
    uint32_t wide;   // bytes on a 64-byte GRF
};

TEST(Extent, IsThePages) {
    constexpr const char* declarations = ".decl O v_type=G type=ud num_elts=64 align=GRF\n"
                                         ".decl Q v_type=G type=uq num_elts=64 align=GRF\n"
                                         ".decl D v_type=G type=ud num_elts=128 align=GRF\n"
                                         ".decl T6 v_type=T num_elts=1\n";
    const std::vector<ExtentCase> cases{
        {"scatter_scaled.1 (M1, 16) T6 0x0:ud O.0 D.0", 5, 64, 64},
        {"scatter_scaled.4 (M1, 1) T6 0x0:ud O.0 D.0", 6, 4, 4},
        {"scatter4_scaled.RGBA (M1, 8) T6 0x0:ud O.0 D.0", 5, 3 * 32 + 32, 3 * 64 + 32},
        {"scatter4_scaled.GA (M1, 16) T6 0x0:ud O.0 D.0", 5, 128, 128},
        {"qw_gather.1 (M1, 16) T6 O.0 Q.0", 3, 128, 128},
        {"qw_gather.2 (M1, 4) T6 O.0 Q.0", 3, 64 + 32, 128 + 32},
        {"svm_block_ld (8) Q(0,0)<0;1,0> D.0", 2, 128, 128},
        {"svm_atomic.add (M1, 8) Q.0 D.0 D.0 %null.0", 1, 64, 64},
        {"svm_atomic.add (M1, 8) Q.0 D.0 D.0 %null.0", 4, 32, 32},
        {"svm_atomic.add.64 (M1, 8) Q.0 Q.0 Q.0 %null.0", 4, 64, 64},
        {"svm_gather.4.4 (M1, 8) Q.0 D.0", 3, 3 * 32 + 32, 3 * 64 + 32},
        {"svm_gather.1.2 (M1, 8) Q.0 D.0", 3, 32, 32},
        {"svm_gather.8.1 (M1, 8) Q.0 Q.0", 3, 64, 64},
    };
    for (const ExtentCase& one : cases) {
        Diagnostics diagnostics;
        const std::string text =
            std::string(".version 4.1\n.kernel \"k\"\n") + declarations + "    " + one.code + "\n";
        const auto module = text::parse(text, {32}, diagnostics);
        ASSERT_TRUE(module) << one.code;
        const Instruction& instruction = module->functions.front().code.back();
        EXPECT_EQ(extent(instruction, one.operand, 32), one.narrow) << one.code << " operand " << one.operand;
        EXPECT_EQ(extent(instruction, one.operand, 64), one.wide) << one.code << " operand " << one.operand;
    }
}

} // namespace
} // namespace visor::program
