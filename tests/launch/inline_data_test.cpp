// Where a newer compiler's kernels find their arguments: places worked out by hand. With P bytes of local ids
// in registers of G bytes and I bytes of inline data, payload byte b lies at G + P + b below I, and at G + P
// + G + b - I from there on.
#include "launch/bind.h"
#include "launch/inline_data.h"
#include "sample.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::launch {
namespace {

using Dwords = std::vector<uint32_t>;

TEST(InlineData, PlacesByHand) {
    const InlineData pvc(32, 64);
    EXPECT_EQ(pvc.place(0), 0U);
    EXPECT_EQ(pvc.place(28), 28U);
    EXPECT_EQ(pvc.place(32), 64U);
    EXPECT_EQ(pvc.place(40), 72U);
    EXPECT_EQ(pvc.piece_at(24)->offset, 24U);
    EXPECT_EQ(pvc.piece_at(24)->bytes, 8U) << "what follows lies elsewhere";
    EXPECT_FALSE(pvc.piece_at(32));
    EXPECT_FALSE(pvc.piece_at(63));
    EXPECT_EQ(pvc.piece_at(64)->offset, 32U);
    EXPECT_TRUE(pvc.holds_together(24, 8));
    EXPECT_FALSE(pvc.holds_together(28, 8));
    for (const auto& [bytes, grf] : {std::pair{32U, 32U}, {64U, 64U}, {0U, 64U}}) {
        const InlineData whole(bytes, grf);
        for (uint32_t at = 0; at < 256; at += 4) {
            EXPECT_EQ(whole.place(at), at);
            EXPECT_EQ(whole.piece_at(at)->offset, at);
        }
        EXPECT_TRUE(whole.holds_together(0, 128));
    }
}

// global_id_offset, local_size, a pointer at 32, a number at 40, enqueued_local_size at 48.
class InlineInputs : public testing::Test {
protected:
    Signature signature(uint32_t inline_bytes) const {
        Signature out;
        out.name = "k";
        out.simd = 32;
        out.inline_bytes = inline_bytes;
        out.per_thread_bytes = 192;
        out.has_local_ids = true;
        out.payload = {
            {.kind = PayloadKind::global_id_offset, .property = "global_id_offset", .offset = 0, .bytes = 12},
            {.kind = PayloadKind::local_size, .property = "local_size", .offset = 12, .bytes = 12},
            {.kind = PayloadKind::argument_pointer,
             .property = "arg_bypointer",
             .offset = 32,
             .bytes = 8,
             .argument = 0,
             .mode = AddressMode::stateless},
            {.kind = PayloadKind::argument_value,
             .property = "arg_byvalue",
             .offset = 40,
             .bytes = 4,
             .argument = 1},
            {.kind = PayloadKind::enqueued_local_size,
             .property = "enqueued_local_size",
             .offset = 48,
             .bytes = 12}};
        out.arguments = {{.index = 0, .kind = ArgumentKind::global_pointer},
                         {.index = 1, .kind = ArgumentKind::value, .bytes = 4}};
        return out;
    }
    static Program program(isa::DeviceId device, std::array<int, 4> places) {
        return program_of(fmt::format(".decl V32 v_type=G type=d num_elts=8\n"
                                      ".decl V33 v_type=G type=uq num_elts=1\n"
                                      ".decl V34 v_type=G type=d num_elts=1\n"
                                      ".decl V35 v_type=G type=d num_elts=3\n"
                                      ".input V32 offset={} size=32\n"
                                      ".input V33 offset={} size=8\n"
                                      ".input V34 offset={} size=4\n"
                                      ".input V35 offset={} size=12\n",
                                      places[0], places[1], places[2], places[3]),
                          device);
    }
    std::expected<Plan, BindError> bind(const Signature& signature, const Program& program) {
        const std::vector<ArgumentValue> values{Buffer{buffer_, 400}, bytes_of(77)};
        return launch::bind(signature, program, values,
                            {.dimensions = 1, .global = {64, 1, 1}, .local = {32, 1, 1}, .offset = {9, 0, 0}},
                            1, 0, memory_);
    }
    void expect_places(isa::DeviceId device, uint32_t inline_bytes, std::array<int, 4> places) {
        SCOPED_TRACE(fmt::format("{} {}", isa::device(device).name, inline_bytes));
        const Program code = program(device, places);
        const auto plan = bind(signature(inline_bytes), code);
        ASSERT_TRUE(plan) << plan.error().message;
        const StartState state(plan->launches[0]);
        Dwords header = state.dwords(places[0]);
        header.resize(6); // behind them nothing is read
        EXPECT_EQ(header, (Dwords{9, 0, 0, 32, 1, 1}));
        EXPECT_EQ(state.qword(places[1]), buffer_);
        EXPECT_EQ(state.dwords(places[2]), Dwords{77});
        EXPECT_EQ(state.dwords(places[3]), (Dwords{32, 1, 1}));
    }

    machine::Memory memory_{uint64_t{1} << 30U};
    uint64_t buffer_ = memory_.allocate(400, "y").value();
};

TEST_F(InlineInputs, PlacesByHand) {
    using enum isa::DeviceId;
    for (const isa::DeviceId device : {pvc, bmg, lnl, cri}) {
        expect_places(device, 0, {256, 288, 296, 304});  // 64 + 192 + b
        expect_places(device, 32, {256, 320, 328, 336}); // from byte 32 on 64 + 192 + 64 + b - 32
        expect_places(device, 64, {256, 288, 296, 304}); // all of it inline: no gap
    }
    expect_places(dg2, 32, {224, 256, 264, 272}); // 32 + 192 + b: the register is full
    expect_places(bmg, 24, {256, 328, 336, 344}); // 64 + 192 + 64 + b - 24
}

// The first arguments need not be read; places count from the ids all the same.
TEST_F(InlineInputs, AnArgumentThatIsNotReadMovesNothing) {
    const Program code = program_of(".decl V32 v_type=G type=d num_elts=1\n.input V32 offset=328 size=4\n",
                                    isa::DeviceId::bmg);
    const auto plan = bind(signature(32), code);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(StartState(plan->launches[0]).dwords(328), Dwords{77});
}

TEST_F(InlineInputs, WhatCannotBeIsRefused) {
    const Program bmg = program(isa::DeviceId::bmg, {256, 320, 328, 336});
    for (const uint32_t bytes : {96U, 30U}) {
        const auto plan = bind(signature(bytes), bmg);
        ASSERT_FALSE(plan) << bytes;
        EXPECT_TRUE(plan.error().unsupported);
        EXPECT_EQ(
            plan.error().message,
            fmt::format("kernel `k` comes with {} bytes of inline data, and bmg has registers of 64: that "
                        "is not supported yet",
                        bytes));
    }
    const auto small = bind(signature(64), program(isa::DeviceId::dg2, {224, 256, 264, 272}));
    ASSERT_FALSE(small);
    EXPECT_TRUE(small.error().unsupported);
    const auto across = bind(signature(36), bmg);
    ASSERT_FALSE(across);
    EXPECT_TRUE(across.error().unsupported);
    EXPECT_EQ(across.error().message, "kernel `k`: `arg_bypointer` lies across the end of the inline data: "
                                      "that is not supported yet");
    const auto gap = bind(signature(32), program(isa::DeviceId::bmg, {256, 296, 328, 336}));
    ASSERT_FALSE(gap) << "296 is byte 40 of a register that has 32";
    EXPECT_EQ(gap.error().message,
              "kernel `k`: its text and its metadata disagree about where arguments lie");
}

} // namespace
} // namespace visor::launch
