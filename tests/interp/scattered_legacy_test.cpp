// GATHER and SCATTER, which say their size and mask in an operand and count offsets in elements.
#include "surface_messages.h"

namespace visor::interp {
namespace {

using isa::Type;

std::vector<Operand> legacy_gather(uint64_t element, uint64_t count, Operand offset, uint32_t offsets,
                                   uint32_t dst) {
    return {code(element),        code(0),         code(count), surface_operand(t6), offset,
            raw_operand(offsets), raw_operand(dst)};
}
std::vector<Operand> legacy_scatter(uint64_t element, uint64_t count, Operand offset, uint32_t offsets,
                                    uint32_t src) {
    return {code(element), code(count), surface_operand(t6), offset, raw_operand(offsets), raw_operand(src)};
}

TEST(LegacyGather, OffsetsCountElements) {
    for (const auto& [element, bytes] : {std::pair{0U, 1U}, {1U, 2U}, {2U, 4U}})
        for (const auto& [count, size] : {std::pair{0U, 8U}, {1U, 16U}, {2U, 1U}}) {
            Bench bench;
            const uint32_t offsets = bench.variable(Type::ud, 16);
            const uint32_t dst = bench.variable(Type::ud, 32);
            bench.instruction(gather, -1, lanes(1),
                              legacy_gather(element, count, immediate(2), offsets, dst));
            bench.start();
            for (uint32_t k = 0; k < 64; ++k)
                poke<uint8_t>(bench.surface_bytes(), k * bytes, static_cast<uint8_t>(k));
            for (uint32_t k = 0; k < 64 && bytes > 1; ++k)
                poke<uint8_t>(bench.surface_bytes(), k * bytes + bytes - 1, 0x80);
            bench.set(offsets, ramp<uint32_t>(16, 0, 3));
            bench.run();
            const uint32_t top = bytes > 1 ? 0x80U << (8 * (bytes - 1)) : 0;
            const uint32_t middle = bytes == 4 ? 0x00cd'cd00 : 0;
            std::vector<uint32_t> expected(32, untouched_dword);
            for (uint32_t i = 0; i < size; ++i)
                expected[i] = (2 + 3 * i) | top | middle;
            EXPECT_EQ(bench.get<uint32_t>(dst, 32), expected) << bytes << " x " << size;
        }
}

TEST(LegacyGather, MaskStandsInTheCount) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 16);
    const uint32_t dst = bench.variable(Type::ud, 16);
    bench.instruction(gather, -1, lanes(1), legacy_gather(2, 0x20, immediate(0), offsets, dst)); // M3
    bench.instruction(gather, -1, lanes(1), legacy_gather(2, 0xa0, immediate(0), offsets, dst)); // M3_NM
    bench.start();
    bench.thread.execution_mask = 0x0000'8100;
    bench.set(offsets, ramp<uint32_t>(16, 0, 1));
    for (uint32_t k = 0; k < 16; ++k)
        poke<uint32_t>(bench.surface_bytes(), k * 4, k + 1);
    bench.run(0);
    const uint32_t no = untouched_dword;
    EXPECT_EQ(bench.get<uint32_t>(dst, 8), (std::vector<uint32_t>{1, no, no, no, no, no, no, 8}));
    bench.run(1);
    EXPECT_EQ(bench.get<uint32_t>(dst, 8), ramp<uint32_t>(8, 1, 1));
}

TEST(LegacyScatter, OffsetsCountElementsAndTheEndHolds) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 16);
    const uint32_t src = bench.variable(Type::ud, 16);
    bench.instruction(scatter, -1, lanes(1), legacy_scatter(1, 0, immediate(1), offsets, src));
    bench.instruction(scatter, -1, lanes(1), legacy_scatter(3, 0, immediate(1), offsets, src));
    bench.instruction(scatter, -1, lanes(1), legacy_scatter(1, 3, immediate(1), offsets, src));
    bench.instruction(scatter, -1, lanes(1),
                      legacy_scatter(1, 0x61, immediate(1), offsets, src)); // 16 lanes at M7
    bench.start(15);
    bench.set<uint32_t>(offsets, {0, 1, 2, 3, 5, 6, 0xffff'ffff, 0x7fff'ffff});
    bench.set(src, ramp<uint32_t>(8, 0x1111'0101, 1));
    bench.run(0);
    EXPECT_EQ(peek<uint16_t>(bench.surface_bytes(), 0), 0x0107); // index 2^32 - 1 + 1 = 0
    EXPECT_EQ(peek<uint16_t>(bench.surface_bytes(), 2), 0x0101);
    EXPECT_EQ(peek<uint16_t>(bench.surface_bytes(), 8), 0x0104);
    EXPECT_EQ(peek<uint16_t>(bench.surface_bytes(), 10), 0xcdcd);
    EXPECT_EQ(peek<uint16_t>(bench.surface_bytes(), 12), 0x0105);
    EXPECT_EQ(peek<uint8_t>(bench.surface_bytes(), 14), untouched); // index 7 straddles, 2^31 is far out
    EXPECT_EQ(bench.handler(1), nullptr);
    EXPECT_EQ(bench.handler(2), nullptr);
    EXPECT_EQ(bench.handler(3), nullptr);
}

} // namespace
} // namespace visor::interp
