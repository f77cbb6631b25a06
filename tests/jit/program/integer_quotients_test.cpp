#include "jit/program/integer_quotients.h"

#include "isa/opcode.h"
#include "planned.h"

namespace visor::jit {
namespace {

// One quotient of dwords, as the compiler writes it for pvc: X / D of all lanes.
constexpr const char* variables = ".decl X v_type=G type=ud num_elts=16 align=GRF\n"
                                  ".decl D v_type=G type=ud num_elts=16 align=GRF\n"
                                  ".decl QUOTIENT v_type=G type=ud num_elts=16 align=GRF\n"
                                  ".decl SINGLE v_type=G type=f num_elts=16 align=GRF\n"
                                  ".decl INVERSE v_type=G type=f num_elts=16 align=GRF\n"
                                  ".decl DIVISOR v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl NEGATED v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl R v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl DIVIDEND v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl E v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl T v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl Q v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl OTHER v_type=G type=df num_elts=16 align=GRF\n"
                                  ".decl P1 v_type=P num_elts=16\n"
                                  ".input X offset=64 size=64\n"
                                  ".input D offset=128 size=64\n";
constexpr const char* begin = "    mov (M1_NM, 1) %cr0(0,0)<1> 0x4c0:ud\n";
constexpr const char* reciprocal = "    mov (M1, 16) SINGLE(0,0)<1> D(0,0)<1;1,0>\n"
                                   "    inv (M1, 16) INVERSE(0,0)<1> SINGLE(0,0)<1;1,0>\n"
                                   "    mov (M1, 16) DIVISOR(0,0)<1> D(0,0)<1;1,0>\n"
                                   "    mov (M1, 16) NEGATED(0,0)<1> (-)DIVISOR(0,0)<1;1,0>\n"
                                   "    mov (M1, 16) R(0,0)<1> INVERSE(0,0)<1;1,0>\n"
                                   "    mov (M1, 16) DIVIDEND(0,0)<1> X(0,0)<1;1,0>\n";
constexpr const char* to_zero = "    mov (M1_NM, 1) %cr0(0,0)<1> 0x4f0:ud\n";
constexpr const char* correction =
    "    mad (M1, 16) E(0,0)<1> NEGATED(0,0)<1;1,0> R(0,0)<1;1,0> 0x3ff0000000004000:df\n";
constexpr const char* product = "    mul (M1, 16) T(0,0)<1> R(0,0)<1;1,0> DIVIDEND(0,0)<1;1,0>\n";
constexpr const char* sum = "    mad (M1, 16) Q(0,0)<1> T(0,0)<1;1,0> E(0,0)<1;1,0> T(0,0)<1;1,0>\n";
constexpr const char* end = "    mov (M1_NM, 1) %cr0(0,0)<1> 0x4c0:ud\n"
                            "    mov (M1, 16) QUOTIENT(0,0)<1> Q(0,0)<1;1,0>\n";

// The numbers of instructions that compute doubles rounded to zero, and to nearest.
struct Modes {
    int to_zero = 0;
    int to_nearest = 0;
    bool operator==(const Modes&) const = default;
};

Modes modes(const std::string& code) {
    const Planned planned = planned_text(variables + code);
    Modes counts;
    for (size_t k = 0; k < planned.program.code.size(); ++k) {
        const PreparedInstruction& instruction = planned.program.code[k];
        const uint8_t opcode = instruction.row->opcode;
        if ((opcode != isa::opcode::mad && opcode != isa::opcode::mul && opcode != isa::opcode::add) ||
            !planned.plan.float_mode[k])
            continue;
        ++((*planned.plan.float_mode[k] & 0x30U) == 0x30U ? counts.to_zero : counts.to_nearest);
    }
    return counts;
}

std::string quotient() {
    return std::string(begin) + reciprocal + to_zero + correction + product + sum + end;
}

// `code` with one piece of text in the place of another.
std::string with(const std::string& old, const std::string& instead) {
    std::string code = quotient();
    const size_t at = code.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    return code.replace(at, old.size(), instead);
}

TEST(IntegerQuotients, AreRoundedToNearest) {
    EXPECT_EQ(modes(quotient()), (Modes{.to_zero = 0, .to_nearest = 3}));
}

TEST(IntegerQuotients, InAnyOrderOfFactors) {
    EXPECT_EQ(modes(with("NEGATED(0,0)<1;1,0> R(0,0)<1;1,0> 0x", "R(0,0)<1;1,0> NEGATED(0,0)<1;1,0> 0x")),
              (Modes{.to_zero = 0, .to_nearest = 3}));
    EXPECT_EQ(modes(with("R(0,0)<1;1,0> DIVIDEND(0,0)<1;1,0>", "DIVIDEND(0,0)<1;1,0> R(0,0)<1;1,0>")),
              (Modes{.to_zero = 0, .to_nearest = 3}));
}

TEST(IntegerQuotients, OfOneDivisorForAllLanes) {
    std::string code = quotient();
    for (const char* const name : {"SINGLE", "INVERSE", "DIVISOR", "NEGATED", "R", "E", "D"}) {
        const std::string old = std::string(name) + "(0,0)<1;1,0>";
        for (size_t at = code.find(old); at != std::string::npos; at = code.find(old, at + 1))
            if (code[at - 1] == ' ' || code[at - 1] == ')')
                code.replace(at, old.size(), std::string(name) + "(0,0)<0;1,0>");
        for (const char* const row : {"mov", "inv", "mad"}) {
            const std::string all = std::string(row) + " (M1, 16) " + name + "(0,0)<1>";
            if (const size_t at = code.find(all); at != std::string::npos)
                code.replace(at, all.size(), std::string(row) + " (M1_NM, 1) " + name + "(0,0)<1>");
        }
    }
    EXPECT_EQ(modes(code), (Modes{.to_zero = 0, .to_nearest = 3})) << code;
}

// The last bits of these doubles are seen, or another number is divided by.
TEST(IntegerQuotients, OthersKeepTheirMode) {
    const Modes none{.to_zero = 3, .to_nearest = 0};
    EXPECT_EQ(modes(with("0x3ff0000000004000", "0x3ff0000000000000")), none);
    EXPECT_EQ(modes(with("DIVISOR(0,0)<1> D(0,0)", "DIVISOR(0,0)<1> X(0,0)")), none); // 1 / D, but - X
    EXPECT_EQ(modes(with("(-)DIVISOR", "DIVISOR")), none);
    EXPECT_EQ(modes(with("(-)DIVISOR", "(-abs)DIVISOR")), none);
    EXPECT_EQ(modes(with("DIVIDEND(0,0)<1> X(0,0)<1;1,0>", "DIVIDEND(0,0)<1> OTHER(0,0)<1;1,0>")), none);
    EXPECT_EQ(modes(with("mov (M1, 16) SINGLE(0,0)<1> D", "(P1) mov (M1, 16) SINGLE(0,0)<1> D")), none);
    EXPECT_EQ(
        modes(with(sum, "    mad (M1, 16) Q(0,0)<1> T(0,0)<1;1,0> E(0,0)<1;1,0> DIVIDEND(0,0)<1;1,0>\n")),
        none);
    EXPECT_EQ(modes(std::string(quotient()) + "    mov (M1, 16) OTHER(0,0)<1> Q(0,0)<1;1,0>\n"), none);
    EXPECT_EQ(modes(std::string(quotient()) + "    mov (M1, 16) OTHER(0,0)<1> T(0,0)<1;1,0>\n"), none);
    EXPECT_EQ(modes(std::string(quotient()) + "    mov (M1, 16) D(0,0)<1> X(0,0)<1;1,0>\n"), none);
    EXPECT_EQ(modes(std::string(quotient()) + "    mov (M1, 16) R(0,0)<1> OTHER(0,0)<1;1,0>\n"), none);
    EXPECT_EQ(modes(with("mov (M1, 16) QUOTIENT(0,0)<1> Q", "mov (M1, 16) OTHER(0,0)<1> Q")), none);
    // Lanes that did not compute it are read.
    EXPECT_EQ(
        modes(with("mov (M1, 16) QUOTIENT", "(P1) goto (M1, 16) skip\n    mov (M1, 16) OTHER(0,0)<1> "
                                            "DIVIDEND(0,0)<1;1,0>\nskip:\n    mov (M1_NM, 8) QUOTIENT")),
        none);
}

// What an indirect operand reads may change between the conversions of the divisor.
TEST(IntegerQuotients, DivisorsAreNotIndirect) {
    std::string code = quotient();
    for (const char* const name : {"SINGLE", "DIVISOR"}) {
        const std::string direct = std::string(name) + "(0,0)<1> D(0,0)<1;1,0>";
        const size_t at = code.find(direct);
        ASSERT_NE(at, std::string::npos) << name;
        code.replace(at, direct.size(), std::string(name) + "(0,0)<1> r[A0(0),0]<0;1,0>:ud");
    }
    const std::string address = ".decl A0 v_type=A num_elts=16\n";
    const std::string taken = "    addr_add (M1_NM, 1) A0(0)<1> &D 0x0:uw\n";
    EXPECT_EQ(modes(address + taken + code), (Modes{.to_zero = 3, .to_nearest = 0}));
}

TEST(IntegerQuotients, TheCorrectionsOtherUsesAreSeen) {
    EXPECT_EQ(modes(std::string(quotient()) + "    mov (M1, 16) OTHER(0,0)<1> E(0,0)<1;1,0>\n"),
              (Modes{.to_zero = 1, .to_nearest = 2}));
}

// Where a lane may not have computed what it reads.
TEST(IntegerQuotients, DefinitionsDominate) {
    const std::string skipped = "    (P1) goto (M1, 16) skip\n";
    const std::string code =
        begin + skipped + reciprocal + "skip:\n" + to_zero + correction + product + sum + end;
    EXPECT_EQ(modes(code), (Modes{.to_zero = 3, .to_nearest = 0}));
    const std::string hoisted = std::string(begin) + reciprocal + to_zero + skipped + correction + product +
                                sum +
                                "    mov (M1, 16) QUOTIENT(0,0)<1> Q(0,0)<1;1,0>\nskip:\n"
                                "    mov (M1_NM, 1) %cr0(0,0)<1> 0x4c0:ud\n";
    EXPECT_EQ(modes(hoisted), (Modes{.to_zero = 0, .to_nearest = 3}));
}

} // namespace
} // namespace visor::jit
