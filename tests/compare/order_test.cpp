#include "compare/order.h"

#include "parsed.h"

namespace visor::compare {
namespace {

using Before = std::vector<uint32_t>;

// What each instruction comes after.
std::vector<Before> order_of(std::string_view instructions, uint64_t most_steps = 1000) {
    const Module module = code(instructions);
    const Canonical made = canonical(module.functions.front(), 32);
    Steps steps(most_steps);
    const Order order(made, steps);
    std::vector<Before> out;
    for (uint32_t at = 0; at < made.code.size(); ++at)
        out.emplace_back(order.before(at).begin(), order.before(at).end());
    return out;
}

TEST(Order, OfReadsAndWrites) {
    EXPECT_EQ(order_of("mov (M1, 8) A(0,0)<1> 1:d\n"
                       "mov (M1, 8) B(0,0)<1> A(0,0)<1;1,0>\n"
                       "mov (M1, 8) C(0,0)<1> A(0,0)<1;1,0>\n"
                       "mov (M1, 8) A(0,0)<1> 2:d\n"
                       "mov (M1, 8) A(1,0)<1> 3:d\n"),
              (std::vector<Before>{{}, {0}, {0}, {0, 1, 2}, {}}));
}

TEST(Order, WhatAWriteCoversIsNotBeforeTheNext) {
    EXPECT_EQ(order_of("mov (M1, 8) A(0,0)<1> 1:d\n"
                       "mov (M1, 8) A(0,0)<1> 2:d\n"
                       "mov (M1, 8) A(0,0)<1> 3:d\n"),
              (std::vector<Before>{{}, {0}, {1}}));
    // Half of it is left.
    EXPECT_EQ(order_of("mov (M1, 8) A(0,0)<1> 1:d\n"
                       "mov (M1, 4) A(0,0)<1> 2:d\n"
                       "mov (M1, 8) A(0,0)<1> 3:d\n"),
              (std::vector<Before>{{}, {0}, {0, 1}}));
}

TEST(Order, OfMemory) {
    EXPECT_EQ(order_of("gather_scaled.4 (M1, 8) T6 0x0:ud A.0 B.0\n"
                       "gather_scaled.4 (M1, 8) T6 0x0:ud A.0 C.0\n"
                       "scatter_scaled.4 (M1, 8) T6 0x0:ud A.0 F.0\n"
                       "gather_scaled.4 (M1, 8) T6 0x0:ud A.0 L.0\n"
                       "barrier\n"
                       "mov (M1, 8) C(0,0)<1> 1:d\n"),
              (std::vector<Before>{{}, {}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3}, {4}}));
}

TEST(Order, NothingAcrossBlocks) {
    EXPECT_EQ(order_of("mov (M1, 8) A(0,0)<1> 1:d\nret (M1, 1)\nmov (M1, 8) A(0,0)<1> 2:d\n")[2], Before{});
}

TEST(Order, WithoutStepsAsItStands) {
    EXPECT_EQ(
        order_of("mov (M1, 8) A(0,0)<1> 1:d\nmov (M1, 8) B(0,0)<1> 1:d\nmov (M1, 8) C(0,0)<1> 1:d\n", 1),
        (std::vector<Before>{{}, {0}, {1}}));
}

} // namespace
} // namespace visor::compare
