#include "jit/program/single_lane_moves.h"

#include "planned.h"

namespace visor::jit {
namespace {

constexpr const char* variables = ".decl ARRAY v_type=G type=ud num_elts=64 align=GRF\n"
                                  ".decl V v_type=G type=ud num_elts=32 align=GRF\n"
                                  ".decl A0 v_type=A num_elts=16\n"
                                  ".decl P1 v_type=P num_elts=32\n"
                                  "    addr_add (M1_NM, 1) A0(0)<1> &ARRAY 0x0:uw\n";

// The last instruction of `code`, as it is executed.
struct Last {
    PreparedInstruction instruction;
    PreparedOperand to;
    PreparedOperand from;
    uint32_t v = 0; // where V begins
};

Last last(const std::string& code) {
    const auto program = prepared(variables + code);
    EXPECT_TRUE(program.has_value()) << code;
    if (!program)
        return {};
    const auto shorter = narrowed(*program);
    const Program& executed = shorter ? *shorter : *program;
    EXPECT_EQ(executed.code.size(), program->code.size());
    const PreparedInstruction& instruction = executed.code.back();
    const auto operands = executed.operands_of(instruction);
    return {instruction, operands[0], operands[1], program->variables[33].base};
}

TEST(Narrow, TheOneLanesElementIsStored) {
    const Last found = last("    setp (M1_NM, 32) P1 0x20:ud\n" // lane 5
                            "    (P1) mov (M1, 16) r[A0(2),8]<1>:ud V(0,3)<0;1,0>\n");
    EXPECT_EQ(found.instruction.execution, (Execution{.size = 1, .offset = 5, .no_mask = false}));
    EXPECT_EQ(found.instruction.predicate.id, 1U); // the interpreter fallback uses it
    EXPECT_EQ(found.to.base, 2U);
    EXPECT_EQ(found.to.offset, 8 + 5 * 4);
    EXPECT_EQ(found.from.base, found.v + 3 * 4);
}

TEST(Narrow, OfTheUpperHalf) {
    const Last found = last("    setp (M5_NM, 16) P1 0x20:ud\n"
                            "    (P1) mov (M5, 16) r[A0(0),0]<2>:ud V(0,0)<1;1,0>\n");
    EXPECT_EQ(found.instruction.execution.offset, 16 + 5);
    EXPECT_EQ(found.to.offset, 5 * 2 * 4);
    EXPECT_EQ(found.from.base, found.v + 5 * 4);
}

TEST(Narrow, ARegionsElement) { // rows of 4 from 8 to 8, every second one: lane 6 is the third of row 1
    const Last found = last("    setp (M1_NM, 16) P1 0x40:uw\n"
                            "    (P1) mov (M1, 8) r[A0(0),0]<1>:ud V(0,0)<8;4,2>\n");
    EXPECT_EQ(found.from.base, found.v + (8 + 2 * 2) * 4);
}

TEST(Narrow, BitsThatAreNotLanesDoNotCount) {
    EXPECT_EQ(last("    setp (M1_NM, 32) P1 0x30020:ud\n"
                   "    (P1) mov (M1, 16) r[A0(0),0]<1>:ud V(0,0)<0;1,0>\n")
                  .instruction.execution.offset,
              5);
    EXPECT_EQ(last("    setp (M1_NM, 32) P1 0xffffffdf:ud\n"
                   "    (!P1) mov (M1, 16) r[A0(0),0]<1>:ud 0x7:ud\n")
                  .instruction.execution.offset,
              5);
}

// Several lanes, none, all by `any`, a predicate of another instruction or of another block.
TEST(Narrow, OthersStay) {
    const std::string store = "    (P1) mov (M1, 16) r[A0(0),0]<1>:ud V(0,0)<0;1,0>\n";
    for (const std::string& code :
         {"    setp (M1_NM, 32) P1 0x21:ud\n" + store, "    setp (M1_NM, 32) P1 0x0:ud\n" + store,
          std::string("    setp (M1_NM, 32) P1 0x20:ud\n"
                      "    (P1.any) mov (M1, 16) r[A0(0),0]<1>:ud V(0,0)<0;1,0>\n"),
          std::string("    setp (M1_NM, 32) P1 0x20:ud\n"
                      "    (P1) mov (M1, 16) V(0,0)<1> V(0,0)<0;1,0>\n"),
          "    setp (M1_NM, 32) P1 V(0,0)<0;1,0>\n" + store,
          "    setp (M1_NM, 8) P1 0x20:ud\n" + store, // other lanes' bits are unknown
          "    setp (M1_NM, 32) P1 0x20:ud\n    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:ud\n" + store,
          "    setp (M1_NM, 32) P1 0x20:ud\n    goto (M1, 1) L\nL:\n" + store})
        EXPECT_GT(last(code).instruction.execution.size, 1) << code;
}

} // namespace
} // namespace visor::jit
