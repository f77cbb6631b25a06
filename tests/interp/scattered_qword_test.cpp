// QW_GATHER and QW_SCATTER: the documented single block, and the further ones of ruling 11.
#include "surface_messages.h"

namespace visor::interp {
namespace {

using isa::DeviceId;
using isa::Type;
using machine::AccessKind;
using machine::Space;
using machine::UndefinedKind;

struct Qwords {
    Bench bench;
    uint32_t offsets;
    uint32_t data;

    Qwords(uint8_t opcode, uint64_t blocks, Execution execution, uint32_t surface = t6,
           DeviceId device = DeviceId::pvc, uint32_t surface_bytes = 512)
        : bench(device), offsets(bench.variable(Type::ud, 32)), data(bench.variable(Type::uq, 256)) {
        bench.instruction(opcode, -1, execution,
                          qwords(blocks, surface, raw_operand(offsets), raw_operand(data)));
        bench.start(surface_bytes);
    }
};

TEST(QwGather, EightBytesForEachLane) {
    for (const DeviceId device : {DeviceId::dg2, DeviceId::pvc})
        for (const uint8_t size : up_to_16) {
            Qwords it(qw_gather, 0, lanes(size), t6, device);
            it.bench.set(it.offsets, ramp<uint32_t>(16, 8, 24));
            for (uint32_t i = 0; i < 16; ++i)
                poke<uint64_t>(it.bench.surface_bytes(), 8 + i * 24, 0x0102'0304'0506'0700 + i);
            it.bench.run();
            std::vector<uint64_t> expected(32, untouched_qword);
            for (uint32_t i = 0; i < size; ++i)
                expected[i] = 0x0102'0304'0506'0700 + i;
            EXPECT_EQ(it.bench.get<uint64_t>(it.data, 32), expected) << int{size};
        }
}

TEST(QwGather, MasksAndPredicate) {
    for (uint8_t mask = 1; mask <= 8; ++mask)
        for (const uint8_t size : up_to_16) {
            if ((mask - 1) * 4 + size > 32)
                continue;
            for (const bool no_mask : {false, true}) {
                Qwords it(qw_gather, 0, lanes(size, mask, no_mask));
                it.bench.thread.execution_mask = some_channels;
                it.bench.set(it.offsets, ramp<uint32_t>(16, 0, 8));
                for (uint32_t i = 0; i < 16; ++i)
                    poke<uint64_t>(it.bench.surface_bytes(), i * 8, i + 1);
                it.bench.run();
                const auto result = it.bench.get<uint64_t>(it.data, 16);
                for (uint32_t i = 0; i < 16; ++i) {
                    const bool on = no_mask || is_on(some_channels, mask, i);
                    EXPECT_EQ(result[i], i < size && on ? i + 1 : untouched_qword);
                }
            }
        }
}

// Ruling 11: block j at address + 8 * j, its data max(exec size, GRF / 4) qwords further.
TEST(QwGather, FurtherBlocks) {
    struct Case {
        DeviceId device;
        uint8_t size;
        uint32_t stride;
    };
    for (const Case one : {Case{DeviceId::dg2, 8, 8},
                           {DeviceId::dg2, 16, 16},
                           {DeviceId::dg2, 4, 8},
                           {DeviceId::pvc, 8, 16},
                           {DeviceId::pvc, 16, 16},
                           {DeviceId::pvc, 1, 16}})
        for (uint64_t blocks = 0; blocks < 4; ++blocks) {
            Qwords it(qw_gather, blocks, lanes(one.size), t6, one.device, 1024);
            it.bench.set(it.offsets, ramp<uint32_t>(16, 0, 64));
            for (uint32_t k = 0; k < 128; ++k)
                poke<uint64_t>(it.bench.surface_bytes(), k * 8, k + 1); // lane i, block j: i * 8 + j + 1
            it.bench.run();
            std::vector<uint64_t> expected(128, untouched_qword);
            for (uint32_t j = 0; j < 1U << blocks; ++j)
                for (uint32_t i = 0; i < one.size; ++i)
                    expected[j * one.stride + i] = i * 8 + j + 1;
            EXPECT_EQ(it.bench.get<uint64_t>(it.data, 128), expected)
                << int{one.size} << " blocks " << blocks;
        }
}

TEST(QwGather, OutOfBoundsReadsZero) {
    Qwords it(qw_gather, 0, lanes(8), t6, DeviceId::pvc, 100);
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {92, 93, 96, 99, 100, 0xffff'fff8, 0xffff'ffff, 0x8000'0000});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint64_t>(it.data, 8),
              (std::vector<uint64_t>{untouched_qword, 0, 0, 0, 0, 0, 0, 0}));
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0xfeU);
    EXPECT_EQ(it.bench.seen.accesses[0].bytes, 8U);
}

TEST(QwGather, MisalignedIsByteExactAndReported) {
    Qwords it(qw_gather, 0, lanes(4));
    it.bench.watch();
    poke<uint64_t>(it.bench.surface_bytes(), 13, 0x8877'6655'4433'2211);
    it.bench.set<uint32_t>(it.offsets, {13, 16, 4, 24});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint64_t>(it.data, 1)[0], 0x8877'6655'4433'2211U);
    ASSERT_EQ(it.bench.seen.undefineds.size(), 1U);
    EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::misaligned);
    EXPECT_EQ(it.bench.seen.undefineds[0].lanes, 0b0101U);
    EXPECT_EQ(it.bench.seen.undefineds[0].address, 13U);
}

TEST(QwGather, SharedLocalMemory) { // ruling 14
    Qwords it(qw_gather, 0, lanes(4), slm);
    it.bench.watch();
    poke<uint64_t>(it.bench.slm_bytes(), 248, 42);
    it.bench.set<uint32_t>(it.offsets, {0x1000'0000 + 248, 248, 256, 249});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint64_t>(it.data, 4), (std::vector<uint64_t>{42, 42, 0, 0}));
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].space, Space::slm);
    EXPECT_EQ(it.bench.seen.accesses[0].addresses, (std::vector<uint64_t>{248, 248, 256, 249}));
}

TEST(QwGather, ResultMayOverlapTheOffsets) {
    for (const int32_t at : {0, 8, 32}) {
        Bench bench(DeviceId::pvc);
        const uint32_t both = bench.variable(Type::ud, 64);
        bench.instruction(qw_gather, -1, lanes(8),
                          qwords(0, t6, raw_operand(both, 32), raw_operand(both, at)));
        bench.start();
        for (uint32_t i = 0; i < 8; ++i)
            poke<uint64_t>(bench.surface_bytes(), i * 8, i + 1);
        bench.set(both, ramp<uint32_t>(8, 0, 8), 32);
        bench.run();
        EXPECT_EQ(bench.get<uint64_t>(both, 8, static_cast<uint32_t>(at)), ramp<uint64_t>(8, 1, 1));
    }
}

TEST(QwGather, NullResult) {
    Bench bench(DeviceId::pvc);
    const uint32_t offsets = bench.variable(Type::ud, 16);
    bench.instruction(qw_gather, -1, lanes(16), qwords(3, t6, raw_operand(offsets), null_operand()));
    bench.start();
    bench.set(offsets, ramp<uint32_t>(16, 0, 8));
    const std::vector<std::byte> before = bench.registers();
    bench.run();
    EXPECT_EQ(bench.registers(), before);
}

TEST(QwGather, RandomMessagesMatchTheModel) {
    const unsigned seed = 8602;
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        const uint64_t blocks = random() % 4;
        const auto size = static_cast<uint8_t>(1U << random() % 5);
        Qwords it(qw_gather, blocks, lanes(size), t6, both_grf_sizes[random() % 2], 200);
        it.bench.thread.execution_mask = random();
        const auto offsets = random_offsets(random, 32, 200);
        it.bench.set(it.offsets, offsets);
        for (std::byte& byte : it.bench.surface_bytes())
            byte = static_cast<std::byte>(random());
        const ByteModel model(it.bench.surface_bytes());
        const uint32_t stride = std::max<uint32_t>(size, it.bench.grf() / 4);
        std::vector<uint64_t> expected(256, untouched_qword);
        for (uint32_t i = 0; i < size; ++i)
            for (uint32_t j = 0; j < 1U << blocks; ++j)
                if ((it.bench.thread.execution_mask >> i & 1) != 0)
                    expected[j * stride + i] = model.read(uint64_t{offsets[i]} + 8ULL * j, 8);
        it.bench.run();
        ASSERT_EQ(it.bench.get<uint64_t>(it.data, 256), expected);
    }
}

TEST(QwScatter, EightBytesFromEachLane) {
    Qwords it(qw_scatter, 1, lanes(8), t6, DeviceId::dg2, 140);
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {0, 16, 32, 48, 64, 80, 128, 400});
    it.bench.set(it.data, ramp<uint64_t>(16, 0xa000'0000'0000'0001, 1)); // block 1 stands 8 qwords further
    it.bench.run();
    for (uint32_t i = 0; i < 7; ++i) {
        EXPECT_EQ(peek<uint64_t>(it.bench.surface_bytes(), i == 6 ? 128 : i * 16), 0xa000'0000'0000'0001 + i);
        if (i < 6) {
            EXPECT_EQ(peek<uint64_t>(it.bench.surface_bytes(), i * 16 + 8), 0xa000'0000'0000'0009 + i);
        }
    }
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 136),
              untouched_dword); // lane 6's second block does not fit
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].kind, AccessKind::write);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0b1100'0000U);
}

} // namespace
} // namespace visor::interp
