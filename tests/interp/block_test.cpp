// OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST: contiguous owords of a surface, whatever the execution mask.
#include "memory_fixture.h"

namespace visor::interp {
namespace {

using isa::Type;
using machine::AccessKind;
using machine::UndefinedKind;

constexpr uint8_t oword_ld = 0x35;
constexpr uint8_t oword_st = 0x36;
constexpr uint8_t oword_ld_unaligned = 0x3c;

// V32 holds the data: 288 bytes, more than the largest message.
struct Owords {
    Bench bench;
    uint32_t data;

    Owords(uint8_t opcode, uint64_t size_code, Operand offset, uint32_t surface = t6,
           uint32_t surface_bytes = 512)
        : data(bench.variable(Type::ud, 72)) {
        std::vector<Operand> operands{code(size_code)};
        if (opcode != oword_st)
            operands.push_back(code(0));
        operands.insert(operands.end(), {surface_operand(surface), offset, raw_operand(data)});
        bench.instruction(opcode, -1, {}, operands);
        bench.start(surface_bytes, 512, 512);
        bench.thread.execution_mask = 0; // blocks know no mask
    }
    void number_surface() {
        for (uint32_t k = 0; k < bench.surface_bytes().size() / 4; ++k)
            poke<uint32_t>(bench.surface_bytes(), k * 4, k);
    }
};

TEST(OwordLoad, SizesOffsetInOwordsAndUntouchedRest) {
    for (uint64_t size = 0; size <= 4; ++size) {
        Owords it(oword_ld, size, immediate(3));
        it.number_surface();
        it.bench.run();
        std::vector<uint32_t> expected(72, untouched_dword);
        for (uint32_t k = 0; k < (1U << size) * 4; ++k)
            expected[k] = 12 + k;
        EXPECT_EQ(it.bench.get<uint32_t>(it.data, 72), expected) << size;
    }
}

TEST(OwordLoad, LargerSizesAreRefused) {
    for (uint64_t size = 5; size < 8; ++size) {
        const Owords it(oword_ld, size, immediate(0));
        EXPECT_EQ(it.bench.handler(), nullptr) << size;
    }
}

TEST(OwordLoad, DwordsOutsideReadZero) {
    Owords it(oword_ld, 2, immediate(1), t6, 40); // owords 1..4 of 2.5
    it.bench.watch();
    it.number_surface();
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 17),
              (std::vector<uint32_t>{4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, untouched_dword}));
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].kind, AccessKind::read);
    EXPECT_EQ(it.bench.seen.accesses[0].lanes, 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].addresses, std::vector<uint64_t>{16});
    EXPECT_EQ(it.bench.seen.accesses[0].bytes, 64U);
}

TEST(OwordLoad, DwordsThatStraddleTheEndReadZero) {
    Owords it(oword_ld, 4, immediate(16), t6, 258); // 16 owords: two bytes are inside
    it.number_surface();
    it.bench.run();
    std::vector<uint32_t> expected(72, untouched_dword);
    std::fill_n(expected.begin(), 64, 0);
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 72), expected);
}

TEST(OwordLoad, AnOffsetOfFourGigabytesDoesNotWrap) {
    Owords it(oword_ld, 0, immediate(0x1000'0000));
    it.number_surface();
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 4), (std::vector<uint32_t>{0, 0, 0, 0}));
}

TEST(OwordLoadUnaligned, OffsetInBytes) {
    Owords it(oword_ld_unaligned, 1, immediate(20));
    it.bench.watch();
    it.number_surface();
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 9),
              (std::vector<uint32_t>{5, 6, 7, 8, 9, 10, 11, 12, untouched_dword}));
    EXPECT_TRUE(it.bench.seen.undefineds.empty());
}

TEST(OwordLoadUnaligned, LessThanDwordAlignmentIsByteExactAndReported) {
    Owords it(oword_ld_unaligned, 0, immediate(2));
    it.bench.watch();
    it.number_surface();
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 4),
              (std::vector<uint32_t>{0x0001'0000, 0x0002'0000, 0x0003'0000, 0x0004'0000}));
    ASSERT_EQ(it.bench.seen.undefineds.size(), 1U);
    EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::misaligned);
    EXPECT_EQ(it.bench.seen.undefineds[0].address, 2U);
}

TEST(OwordStore, WritesDwordsAndDropsThoseOutside) {
    Owords it(oword_st, 2, immediate(1), t6, 62); // owords 1..4; a dword of 3 straddles the end
    it.bench.set(it.data, ramp<uint32_t>(16, 100, 1));
    it.bench.run();
    for (uint32_t k = 0; k < 15; ++k)
        EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), k * 4), k >= 4 ? 96 + k : untouched_dword) << k;
}

TEST(OwordStore, EverySurface) {
    for (const uint32_t surface : {slm, scratch, t6}) {
        Owords it(oword_st, 0, immediate(2), surface);
        it.bench.set(it.data, ramp<uint32_t>(4, 7, 1));
        it.bench.run();
        const auto bytes = surface == slm       ? it.bench.slm_bytes()
                           : surface == scratch ? it.bench.scratch_bytes()
                                                : it.bench.surface_bytes();
        for (uint32_t k = 0; k < 4; ++k)
            EXPECT_EQ(peek<uint32_t>(bytes, 32 + k * 4), 7 + k) << surface;
    }
}

TEST(OwordLoad, ResultMayOverlapTheOffset) {
    Bench bench;
    const uint32_t both = bench.variable(Type::ud, 16);
    bench.instruction(oword_ld, -1, {},
                      {code(1), code(0), surface_operand(t6), general(both, 3), raw_operand(both)});
    bench.start();
    for (uint32_t k = 0; k < 64; ++k)
        poke<uint32_t>(bench.surface_bytes(), k * 4, k);
    bench.set<uint32_t>(both, {0, 0, 0, 2});
    bench.run();
    EXPECT_EQ(bench.get<uint32_t>(both, 8), ramp<uint32_t>(8, 8, 1));
}

} // namespace
} // namespace visor::interp
