// Each step on its own: what an instruction becomes, written as text.
#include "reduce/simplify.h"

#include "text/text.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace visor::reduce {
namespace {

// All that one step makes of an instruction.
std::set<std::string> steps_of(const std::string& instruction) {
    Diagnostics diagnostics;
    const auto module = text::parse(".version 4.1\n.kernel \"k\"\n"
                                    ".decl A v_type=G type=d num_elts=32 align=GRF\n"
                                    ".decl B v_type=G type=d num_elts=32 align=GRF\n"
                                    ".decl T6 v_type=T num_elts=1\n"
                                    ".decl P1 v_type=P num_elts=32\n" +
                                        instruction + "\n",
                                    {}, diagnostics);
    std::set<std::string> out;
    if (!module) {
        ADD_FAILURE() << diagnostics.all().front().message;
        return out;
    }
    const Function& function = module->functions.front();
    const Instruction& first = function.code.front();
    for (size_t step = 0; step < simplification_steps(first); ++step)
        if (const auto next = simplified(function, first, step))
            out.insert(text::print(function, *next));
    return out;
}

TEST(Simplify, PredicateSaturationAndLanes) {
    EXPECT_EQ(steps_of("(P1) add.sat (M1, 8) A(0,0)<1> 0x0:d 0x0:d"),
              (std::set<std::string>{
                  "add.sat (M1, 8) A(0,0)<1> 0x0:d 0x0:d", "(P1) add (M1, 8) A(0,0)<1> 0x0:d 0x0:d",
                  "(P1) add.sat (M1, 1) A(0,0)<1> 0x0:d 0x0:d", "(P1) add.sat (M1, 2) A(0,0)<1> 0x0:d 0x0:d",
                  "(P1) add.sat (M1, 4) A(0,0)<1> 0x0:d 0x0:d"}));
}

TEST(Simplify, Sources) {
    EXPECT_EQ(steps_of("mov (M1, 1) A(0,0)<1> (-)B(1,2)<8;8,1>"),
              (std::set<std::string>{"mov (M1, 1) A(0,0)<1> B(1,2)<8;8,1>", "mov (M1, 1) A(0,0)<1> 0x0:d",
                                     "mov (M1, 1) A(0,0)<1> 0x1:d", "mov (M1, 1) A(0,0)<1> (-)B(1,2)<0;1,0>",
                                     "mov (M1, 1) A(0,0)<1> (-)B(0,0)<8;8,1>"}));
    EXPECT_EQ(steps_of("mov (M1, 1) A(0,0)<1> 0x7:d"),
              (std::set<std::string>{"mov (M1, 1) A(0,0)<1> 0x0:d", "mov (M1, 1) A(0,0)<1> 0x1:d"}));
    EXPECT_EQ(steps_of("mov (M1, 1) A(0,0)<1> 0x1:d"),
              (std::set<std::string>{"mov (M1, 1) A(0,0)<1> 0x0:d"}));
    EXPECT_TRUE(steps_of("mov (M1, 1) A(0,0)<1> 0x0:d").empty());
}

TEST(Simplify, DestinationsAndRawOperands) {
    EXPECT_EQ(steps_of("mov (M1, 1) A(1,3)<2> 0x0:d"),
              (std::set<std::string>{"mov (M1, 1) A(1,3)<1> 0x0:d", "mov (M1, 1) A(0,0)<2> 0x0:d"}));
    EXPECT_EQ(steps_of("gather4_scaled.GB (M1, 1) T6 0x0:ud A.0 B.0"),
              (std::set<std::string>{"gather4_scaled.R (M1, 1) T6 0x0:ud A.0 B.0"}));
    EXPECT_EQ(steps_of("gather_scaled.1 (M1, 1) T6 0x0:ud A.32 B.0"),
              (std::set<std::string>{"gather_scaled.1 (M1, 1) T6 0x0:ud A.0 B.0"}));
}

} // namespace
} // namespace visor::reduce
