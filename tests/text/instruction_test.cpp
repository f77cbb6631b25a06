// Instructions as module data: row, execution, predicate, order of operands, labels.
#include "reading.h"

#include "isa/opcode.h"
#include "isa/table.h"

#include <gtest/gtest.h>

namespace visor::text {
namespace {

TEST(Instruction, ExecutionMasks) {
    const auto execution = [](std::string_view spelling) {
        return read_one("mov " + std::string(spelling) + " V0036(0,0)<1> 0x0:d").execution;
    };
    EXPECT_EQ(execution("(M1, 16)"), (Execution{16, 0, false}));
    EXPECT_EQ(execution("(M5,16)"), (Execution{16, 16, false}));
    EXPECT_EQ(execution("( M8_NM , 4 )"), (Execution{4, 28, true}));
    EXPECT_EQ(execution("(32)"), (Execution{32, 0, false}));
    EXPECT_EQ(execution("(NoMask, 8)"), (Execution{8, 0, true}));
}

TEST(Instruction, Predicates) {
    const auto predicate = [](std::string_view spelling) {
        return read_one(std::string(spelling) + " mov (M1, 16) V0036(0,0)<1> 0x0:d").predicate;
    };
    EXPECT_EQ(predicate("(P1)"), (Predicate{1, PredicateControl::none, false}));
    EXPECT_EQ(predicate("(!P2)"), (Predicate{2, PredicateControl::none, true}));
    EXPECT_EQ(predicate("(!P1.any)"), (Predicate{1, PredicateControl::any, true}));
    EXPECT_EQ(predicate("( P1 .all )"), (Predicate{1, PredicateControl::all, false}));
    EXPECT_EQ(predicate(""), Predicate{});
}

TEST(Instruction, MinAndMaxKeepTheirPredicate) {
    const Instruction read = read_one("(P1) min (M1, 16) V0036(0,0)<1> V0036(0,0)<1;1,0> 0x1:d");
    EXPECT_EQ(read.row, isa::find("min"));
    EXPECT_EQ(read.row->sub, 0);
    EXPECT_EQ(read.predicate.id, 1);
}

TEST(Instruction, Saturation) {
    EXPECT_TRUE(read_one("add.sat (M1, 16) V0034(0,0)<1> V0034(0,0)<1;1,0> 1.0:f").saturate);
    EXPECT_FALSE(read_one("add (M1, 16) V0034(0,0)<1> V0034(0,0)<1;1,0> 1.0:f").saturate);
}

// Binary: addresses, src0, src1, dst. Text: addresses, dst, src0, src1.
TEST(Instruction, AtomicOperandsStandInWireOrder) {
    const Instruction read = read_one("svm_atomic.cmpxchg.64 (M1, 8) V0033.0 V0032.0 V0032.64 V0032.128");
    ASSERT_EQ(read.operands.size(), 5U);
    EXPECT_EQ(read.operands[0].value, 0x47U) << "cmpxchg 0x07, 64 bits 0x40";
    EXPECT_EQ(read.operands[1].id, 33U);
    EXPECT_EQ(read.operands[2].offset, 64);
    EXPECT_EQ(read.operands[3].offset, 128);
    EXPECT_EQ(read.operands[4].offset, 0);
}

TEST(Instruction, AtomicSpellings) {
    const std::pair<std::string_view, uint64_t> cases[] = {
        {"imin", 0x0b}, {"minsint", 0x0b}, {"imax", 0x0c},   {"maxsint", 0x0c}, {"predec", 0x0d},
        {"fmax", 0x10}, {"inc.16", 0x22},  {"add.32", 0x00}, {"fcmpwr", 0x12},
    };
    for (const auto& [op, code] : cases) {
        const Instruction read =
            read_one("svm_atomic." + std::string(op) + " (M1, 8) V0033.0 V0032.0 V0032.0 V0032.0");
        ASSERT_FALSE(read.operands.empty());
        EXPECT_EQ(read.operands[0].value, code) << op;
    }
}

TEST(Instruction, BlockSizesAreNoExecSize) {
    const Instruction load = read_one("svm_block_ld (4) V0033(0,0)<0;1,0> V0032.0");
    EXPECT_EQ(load.execution, Execution{});
    EXPECT_EQ(load.operands[0].value, 2U) << "code 2: four owords";
    EXPECT_EQ(read_one("svm_block_ld (M1, 8) V0033(0,0)<0;1,0> V0032.0").operands[0].value, 3U);
    EXPECT_EQ(read_one("svm_block_ld.unaligned (1) V0033(0,0)<0;1,0> V0032.0").operands[0].value, 8U);
    EXPECT_EQ(read_one("oword_ld.mod (2) T6 0x0:ud V0032.0").operands[0].value, 1U);
    EXPECT_EQ(read_one("oword_ld.mod (2) T6 0x0:ud V0032.0").operands[1].value, 1U);
}

// Ruling 16.
TEST(Instruction, BlockLoadsWithoutASuffixFollowTheTextsAge) {
    const auto first = [](std::string_view version, std::string_view more) {
        std::string text = kernel("svm_block_ld (4) V0033(0,0)<0;1,0> V0032.0\n"
                                  "svm_block_st (4) V0033(0,0)<0;1,0> V0032.0\n" +
                                  std::string(more));
        text.replace(text.find("4.1"), 3, version);
        const Reading reading = read(std::move(text));
        EXPECT_TRUE(reading.module.has_value()) << reading.rendered();
        EXPECT_EQ(reading.code(1).operands[0].value, 2U) << "the page has only aligned stores";
        return reading.code(0).operands[0].value;
    };
    EXPECT_EQ(first("4.1", ""), 2U);
    EXPECT_EQ(first("4.2", ""), 0xaU);
    EXPECT_EQ(first("4.1", "svm_block_ld.aligned (4) V0033(0,0)<0;1,0> V0032.0"), 0xaU);
    EXPECT_EQ(first("4.1", "// .aligned"), 2U) << "a comment says nothing";
    EXPECT_EQ(first("4.1", "svm_block_ld.unaligned (4) V0033(0,0)<0;1,0> V0032.0"), 2U);
}

// Ruling 144.
TEST(Instruction, BlockLoadsOfTheCompilersTextAreUnaligned) {
    const std::string text = kernel("svm_block_ld (4) V0033(0,0)<0;1,0> V0032.0\n"
                                    "svm_block_st (4) V0033(0,0)<0;1,0> V0032.0\n");
    for (const bool from_compiler : {false, true}) {
        Diagnostics diagnostics;
        const std::optional<Module> module = text::parse(text, {.from_compiler = from_compiler}, diagnostics);
        ASSERT_TRUE(module.has_value());
        const std::vector<Instruction>& code = module->functions.front().code;
        EXPECT_EQ(code.at(0).operands[0].value, from_compiler ? 0xaU : 2U);
        EXPECT_EQ(code.at(1).operands[0].value, 2U) << "the page has only aligned stores";
    }
}

TEST(Label, UsesAndDefinitions) {
    const Reading reading = read_lines("    goto (M1, 16) later\n"
                                       "first:\n"
                                       "    (P1) goto (M1, 16) first\n"
                                       "  later:\n"
                                       "    ret (M1, 1)\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const Function& function = reading.function();
    ASSERT_EQ(function.labels.size(), 2U);
    EXPECT_EQ(function.labels[0].name, "later") << "in order of appearance";
    EXPECT_EQ(function.labels[1].name, "first");
    EXPECT_TRUE(function.labels[0].defined);
    ASSERT_EQ(function.code.size(), 5U);
    EXPECT_EQ(function.code[0].operands[0].kind, OperandKind::label);
    EXPECT_EQ(function.code[0].operands[0].id, 0U);
    EXPECT_EQ(function.code[1].row->opcode, isa::opcode::label);
    EXPECT_EQ(function.code[1].operands[0].id, 1U);
    EXPECT_EQ(function.code[3].operands[0].id, 0U);
}

TEST(Label, ASubroutineAndItsLineAreOne) {
    const Reading reading = read_lines(".function \"_main_0\"\n\n_main_0:\n"
                                       "    call (M1, 16) sub\n"
                                       "    fccall (M1, 16) elsewhere\n"
                                       "    ret (M1, 1)\n"
                                       ".function sub\n"
                                       "sub:\n"
                                       "    ret (M1, 16)\n"
                                       "loop__opt_resource_loop:\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const Function& function = reading.function();
    ASSERT_EQ(function.code.size(), 7U);
    EXPECT_EQ(function.code[0].row->opcode, isa::opcode::subroutine);
    EXPECT_EQ(function.code[4].row->opcode, isa::opcode::subroutine);
    EXPECT_EQ(function.code[6].row->opcode, isa::opcode::label);
    EXPECT_EQ(function.labels[0].kind, LabelKind::subroutine);
    EXPECT_EQ(function.labels[1].kind, LabelKind::subroutine);
    EXPECT_EQ(function.labels[2].kind, LabelKind::fc);
    EXPECT_FALSE(function.labels[2].defined) << "another kernel's, for the linker";
    EXPECT_EQ(function.labels[3].kind, LabelKind::divergent_resource_loop);
}

TEST(Label, SwitchesCountTheirLabels) {
    const Reading reading = read_lines("switchjmp (M1, 1) V0032(0,0)<0;1,0> (a, b, a)\na:\nb:\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const std::vector<Operand>& operands = reading.code(0).operands;
    ASSERT_EQ(operands.size(), 5U);
    EXPECT_EQ(operands[0].value, 3U);
    EXPECT_EQ(operands[1].kind, OperandKind::general);
    EXPECT_EQ(operands[2].id, operands[4].id);
}

TEST(Calls, Strings) {
    const Reading reading = read_lines("fcall (M1, 16) foo 3 4\n"
                                       "fcall (M1, 16) \"odd name\" 1 0\n"
                                       "faddr foo V0033(0,0)<1>\n"
                                       "ifcall.uniform.noreturn (M1, 16) V0033(0,0)<0;1,0> 2 1\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().strings, (std::vector<std::string>{"foo", "odd name"}));
    EXPECT_EQ(reading.code(0).operands[0].kind, OperandKind::string);
    EXPECT_EQ(reading.code(0).operands[1].value, 3U);
    EXPECT_EQ(reading.code(1).operands[0].id, 1U);
    EXPECT_EQ(reading.code(2).operands[0].id, 0U);
    EXPECT_EQ(reading.code(3).operands[0].value, 3U) << "both flags";
}

TEST(Sampler, ParametersAreCounted) {
    const Instruction read =
        read_one("sample_3d.pixel_null_mask.divS.RGB (M1, 16) 0x0:uw S0 T6 V0034.0 V0034.64 V0034.128");
    ASSERT_EQ(read.operands.size(), 10U);
    EXPECT_EQ(read.operands[0].value, 5U) << "pixel_null_mask 1, divS 4";
    EXPECT_EQ(read.operands[1].value, 7U) << "channels R G B";
    EXPECT_EQ(read.operands[2].kind, OperandKind::immediate);
    EXPECT_EQ(read.operands[3].kind, OperandKind::sampler);
    EXPECT_EQ(read.operands[4].kind, OperandKind::surface);
    EXPECT_EQ(read.operands[6].kind, OperandKind::absent) << "no paired resource";
    EXPECT_EQ(read.operands[7].value, 2U) << "two parameters";
    EXPECT_EQ(read.operands[9].offset, 128);
}

TEST(Sync, NamedBarriers) {
    const Instruction wait = read_one("nbarrier.wait 0x1:ub");
    EXPECT_EQ(wait.operands[0].value, 0U);
    EXPECT_EQ(wait.operands[1].value, 1U);
    EXPECT_EQ(wait.operands[2].kind, OperandKind::absent);
    const Instruction baseline = read_one("nbarrier.signal 0x1:ub 0x8:ub");
    EXPECT_EQ(baseline.operands[0].value, 1U);
    EXPECT_EQ(baseline.operands[2].kind, OperandKind::absent);
    EXPECT_EQ(baseline.operands[3].value, 8U);
    EXPECT_EQ(baseline.operands[4].kind, OperandKind::absent);
    const Instruction general = read_one("nbarrier.signal 0x1:ub 0x0:uw 0x2:ub 0x3:ub");
    EXPECT_EQ(general.operands[0].value, 2U);
    EXPECT_EQ(general.operands[4].value, 3U);
}

TEST(Sync, FenceMasks) {
    const std::pair<std::string_view, uint64_t> cases[] = {
        {"fence_global", 0x00},   {"fence_global.E", 0x01},  {"fence_global.EL1", 0x41},
        {"fence_global.R", 0x10}, {"fence_global.ER", 0x11}, {"fence_global.EISCRL1", 0x5f},
        {"fence_local.E", 0x21},  {"fence_local", 0x20},     {"fence_sw", 0x80},
    };
    for (const auto& [line, mask] : cases) {
        const Instruction read = read_one(line);
        ASSERT_EQ(read.operands.size(), 1U) << line;
        EXPECT_EQ(read.operands[0].value, mask) << line;
    }
}

TEST(Lifetime, TheClassIsPartOfTheProperties) {
    EXPECT_EQ(read_one("lifetime.start V0032").operands[0].value, 0x00U);
    const Instruction end = read_one("lifetime.end P1");
    EXPECT_EQ(end.operands[0].value, 0x21U);
    EXPECT_EQ(end.operands[1].kind, OperandKind::variable);
    EXPECT_EQ(end.operands[1].klass, 2);
    EXPECT_EQ(end.operands[1].id, 1U);
}

TEST(Matrix, InfoWordAndImpliedRegion) {
    const Instruction read = read_one("dpas.bf.bf.8.4 (M1, 16) V0034.0 V0034.0 V0032.0 V0032(1,2)");
    ASSERT_EQ(read.operands.size(), 5U);
    EXPECT_EQ(read.operands[4].value, 0x04080909U);
    EXPECT_EQ(read.operands[3].kind, OperandKind::general);
    EXPECT_EQ(read.operands[3].region, (Region{1, 1, 0}));
    EXPECT_EQ(read.operands[3].row, 1);
}

TEST(Debug, FilesAndLines) {
    const Reading reading = read_lines("FILE \"a \\\"b\\\".cl\"\n.loc 7\nLOC 0x10\n.file \"a \\\"b\\\".cl\"");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().strings, std::vector<std::string>{"a \"b\".cl"});
    EXPECT_EQ(reading.code(1).operands[0].value, 7U);
    EXPECT_EQ(reading.code(2).operands[0].value, 16U);
    EXPECT_EQ(reading.code(3).row->opcode, isa::opcode::file);
}

} // namespace
} // namespace visor::text
