// SCATTER4_SCALED and GATHER4_SCALED: which channel's dword goes where, and what is dropped of it.
#include "surface_messages.h"

namespace visor::interp {
namespace {

using isa::DeviceId;
using isa::Type;
using machine::UndefinedKind;

struct Scaled4 {
    Bench bench;
    uint32_t offsets;
    uint32_t data;

    Scaled4(uint8_t opcode, uint64_t channels, Execution execution, Operand offset = immediate(0),
            DeviceId device = DeviceId::skl, uint32_t surface_bytes = 1024)
        : bench(device), offsets(bench.variable(Type::ud, 32)), data(bench.variable(Type::ud, 128)) {
        bench.instruction(opcode, -1, execution,
                          scaled4(channels, t6, offset, raw_operand(offsets), raw_operand(data)));
        bench.start(surface_bytes);
    }
};

// The page's example of a sparse mask: R and A enabled. Data of A stands at position 1, memory at channel 3.
TEST(Scatter4Scaled, ChannelNumberInMemoryPositionInRegisters) {
    Scaled4 it(scatter4_scaled, 0b1001, lanes(8), immediate(0x20));
    it.bench.set(it.offsets, ramp<uint32_t>(8, 0, 16));
    it.bench.set(it.data, ramp<uint32_t>(16, 1000, 1)); // R: 1000..1007, A: 1008..1015
    it.bench.run();
    for (uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0x20 + i * 16), 1000 + i);
        EXPECT_EQ(peek<uint64_t>(it.bench.surface_bytes(), 0x20 + i * 16 + 4), untouched_qword);
        EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0x20 + i * 16 + 12), 1008 + i);
    }
}

// The stride from channel to channel: max(exec size, GRF / 4) dwords.
TEST(Scatter4Scaled, EveryMaskSizeAndRegisterWidth) {
    for (const DeviceId device : both_grf_sizes)
        for (const uint8_t size : every_size)
            for (uint64_t channels = 1; channels < 16; ++channels) {
                Scaled4 it(scatter4_scaled, channels, lanes(size), immediate(0), device);
                it.bench.set(it.offsets, ramp<uint32_t>(32, 0, 16));
                it.bench.set(it.data, ramp<uint32_t>(128, 1, 1)); // dword k holds k + 1
                it.bench.run();
                const uint32_t native = device == DeviceId::skl ? 8 : 16;
                const uint32_t stride = size > native ? size : native;
                uint32_t position = 0;
                for (uint32_t c = 0; c < 4; ++c) {
                    const bool on = (channels >> c & 1) != 0;
                    for (uint32_t i = 0; i < 32; ++i)
                        ASSERT_EQ(peek<uint32_t>(it.bench.surface_bytes(), i * 16 + c * 4),
                                  on && i < size ? position * stride + i + 1 : untouched_dword)
                            << "channel " << c << " lane " << i << " mask " << channels << " size "
                            << int{size};
                    position += on ? 1 : 0;
                }
            }
}

TEST(Gather4Scaled, EveryMaskSizeAndRegisterWidth) {
    for (const DeviceId device : both_grf_sizes)
        for (const uint8_t size : up_to_16)
            for (uint64_t channels = 1; channels < 16; ++channels) {
                Scaled4 it(gather4_scaled, channels, lanes(size), immediate(0), device);
                it.bench.set(it.offsets, ramp<uint32_t>(32, 0, 16));
                for (uint32_t k = 0; k < 256; ++k)
                    poke<uint32_t>(it.bench.surface_bytes(), k * 4,
                                   k + 1); // lane i, channel c: i * 4 + c + 1
                it.bench.run();
                const uint32_t stride = std::max<uint32_t>(size, device == DeviceId::skl ? 8 : 16);
                std::vector<uint32_t> expected(128, untouched_dword);
                uint32_t position = 0;
                for (uint32_t c = 0; c < 4; ++c)
                    if ((channels >> c & 1) != 0) {
                        for (uint32_t i = 0; i < size; ++i)
                            expected[position * stride + i] = i * 4 + c + 1;
                        ++position;
                    }
                ASSERT_EQ(it.bench.get<uint32_t>(it.data, 128), expected)
                    << channels << " size " << int{size};
            }
}

TEST(Scatter4Scaled, MasksOfTheExecutionMask) {
    for (uint8_t mask = 1; mask <= 8; ++mask)
        for (const uint8_t size : eight_and_16) {
            if ((mask - 1) * 4 + size > 32)
                continue;
            for (const bool no_mask : {false, true}) {
                Scaled4 it(scatter4_scaled, 0b0011, lanes(size, mask, no_mask));
                it.bench.thread.execution_mask = some_channels;
                it.bench.set(it.offsets, ramp<uint32_t>(32, 0, 16));
                it.bench.set(it.data, ramp<uint32_t>(32, 1, 1));
                it.bench.run();
                const uint32_t stride = size;
                for (uint32_t i = 0; i < size; ++i) {
                    const bool on = no_mask || is_on(some_channels, mask, i);
                    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), i * 16), on ? i + 1 : untouched_dword);
                    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), i * 16 + 4),
                              on ? stride + i + 1 : untouched_dword);
                }
            }
        }
}

// surface[(address / 4) + c]: the low two bits have no place there (ruling 3).
TEST(Scatter4Scaled, LowAddressBitsAreClearedAndReported) {
    Scaled4 it(scatter4_scaled, 0b0001, lanes(8), immediate(1));
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets,
                           {7, 16, 33, 50, 63, 79, 95, 111}); // + 1: 8, 17, 34, 51, 64, 80, 96, 112
    it.bench.set(it.data, ramp<uint32_t>(8, 1, 1));
    it.bench.run();
    const std::vector<uint32_t> at{8, 16, 32, 48, 64, 80, 96, 112};
    for (uint32_t i = 0; i < 8; ++i)
        EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), at[i]), i + 1);
    ASSERT_EQ(it.bench.seen.undefineds.size(), 1U);
    EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::misaligned);
    EXPECT_EQ(it.bench.seen.undefineds[0].lanes, 0b0000'1110U);
    EXPECT_EQ(it.bench.seen.undefineds[0].address, 17U);
}

// Each channel's dword is an access: what of a lane's four fits is written.
TEST(Scatter4Scaled, OutOfBoundsByChannel) {
    Scaled4 it(scatter4_scaled, 0b1111, lanes(8), immediate(0), DeviceId::skl, 102);
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {92, 0, 104, 0xffff'fff8, 16, 32, 48, 64});
    it.bench.set(it.data, ramp<uint32_t>(32, 1, 1));
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 92), 1U);      // R of lane 0
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 96), 9U);      // G
    EXPECT_EQ(peek<uint16_t>(it.bench.surface_bytes(), 100), 0xcdcd); // B straddles the end, A is behind it
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0), 2U);       // lane 3 did not wrap around to here
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 4), 10U);
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].bytes, 16U);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0b0000'1101U);
}

TEST(Gather4Scaled, OutOfBoundsByChannel) {
    Scaled4 it(gather4_scaled, 0b1111, lanes(8), immediate(0), DeviceId::skl, 102);
    it.bench.set<uint32_t>(it.offsets, {92, 0, 104, 0xffff'fff8, 16, 32, 48, 64});
    it.bench.run();
    const auto lane = [&](uint32_t i) {
        return std::vector<uint32_t>{it.bench.get<uint32_t>(it.data, 1, i * 4)[0],
                                     it.bench.get<uint32_t>(it.data, 1, 32 + i * 4)[0],
                                     it.bench.get<uint32_t>(it.data, 1, 64 + i * 4)[0],
                                     it.bench.get<uint32_t>(it.data, 1, 96 + i * 4)[0]};
    };
    const uint32_t full = untouched_dword;
    EXPECT_EQ(lane(0), (std::vector<uint32_t>{full, full, 0, 0}));
    EXPECT_EQ(lane(1), (std::vector<uint32_t>{full, full, full, full}));
    EXPECT_EQ(lane(2), (std::vector<uint32_t>{0, 0, 0, 0}));
    EXPECT_EQ(lane(3), (std::vector<uint32_t>{0, 0, 0, 0}));
}

TEST(Scatter4Scaled, ASparseMaskReportsWhatItTouches) {
    Scaled4 it(scatter4_scaled, 0b1011, lanes(8));
    it.bench.watch();
    it.bench.set(it.offsets, ramp<uint32_t>(8, 0, 16));
    it.bench.run();
    ASSERT_EQ(it.bench.seen.accesses.size(), 2U);
    EXPECT_EQ(it.bench.seen.accesses[0].bytes, 8U);
    EXPECT_EQ(it.bench.seen.accesses[0].addresses[1], 16U);
    EXPECT_EQ(it.bench.seen.accesses[1].bytes, 4U);
    EXPECT_EQ(it.bench.seen.accesses[1].addresses[1], 28U);
}

// Lane 1's R is lane 0's G: the later lane wins whichever channel it came from (ruling 10).
TEST(Scatter4Scaled, TheLastLaneWinsAcrossChannels) {
    Scaled4 it(scatter4_scaled, 0b0011, lanes(2));
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {0, 4});
    it.bench.set<uint32_t>(it.data, {1, 2, 0, 0, 0, 0, 0, 0, 11, 12});
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0), 1U);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 4), 2U);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 8), 12U);
    ASSERT_EQ(it.bench.seen.undefineds.size(), 1U);
    EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::write_conflict);
    EXPECT_EQ(it.bench.seen.undefineds[0].lanes, 0b11U);
    EXPECT_EQ(it.bench.seen.undefineds[0].address, 4U);
}

TEST(Scatter4Scaled, AddressIsTheSumModulo32Bits) {
    Scaled4 it(scatter4_scaled, 0b0001, lanes(2), immediate(0xffff'ff00));
    it.bench.set<uint32_t>(it.offsets, {0x100, 0x120});
    it.bench.set<uint32_t>(it.data, {5, 6});
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0), 5U);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 32), 6U);
}

TEST(Scatter4Scaled, ScaleIsIgnoredAndNoChannelIsNoWork) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 8);
    const uint32_t data = bench.variable(Type::ud, 32);
    std::vector<Operand> operands = scaled4(1, t6, immediate(0), raw_operand(offsets), raw_operand(data));
    operands[1] = code(3); // ruling 8
    bench.instruction(scatter4_scaled, -1, lanes(8), operands);
    operands[0] = code(0);
    bench.instruction(scatter4_scaled, -1, lanes(8), operands);
    bench.start();
    bench.watch();
    bench.set(offsets, ramp<uint32_t>(8, 0, 4));
    bench.set(data, ramp<uint32_t>(8, 1, 1));
    bench.run(1);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 0), untouched_dword);
    EXPECT_TRUE(bench.seen.accesses.empty());
    bench.run(0);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 28), 8U);
}

TEST(Gather4Scaled, ResultMayOverlapTheOffsets) {
    for (const int32_t shift : {0, 4, 32}) {
        Bench bench;
        const uint32_t both = bench.variable(Type::ud, 64);
        bench.instruction(gather4_scaled, -1, lanes(8),
                          scaled4(0b0011, t6, immediate(0), raw_operand(both, 32), raw_operand(both, shift)));
        bench.start();
        for (uint32_t k = 0; k < 64; ++k)
            poke<uint32_t>(bench.surface_bytes(), k * 4, k);
        bench.set(both, ramp<uint32_t>(8, 0, 8), 32);
        bench.run();
        EXPECT_EQ(bench.get<uint32_t>(both, 16, static_cast<uint32_t>(shift)),
                  (std::vector<uint32_t>{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}));
    }
}

TEST(Scatter4Scaled, RandomMessagesMatchTheModel) {
    const unsigned seed = 7502;
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        const uint64_t channels = 1 + random() % 15;
        const auto size = static_cast<uint8_t>(1U << random() % 5);
        const uint32_t offset = random_offset(random, 64);
        const DeviceId device = both_grf_sizes[random() % 2];
        Scaled4 it(scatter4_scaled, channels, lanes(size), immediate(offset), device, 200);
        it.bench.thread.execution_mask = random();
        const auto offsets = random_offsets(random, 32, 200);
        const auto data = random_dwords(random, 128);
        it.bench.set(it.offsets, offsets);
        it.bench.set(it.data, data);
        ByteModel model(it.bench.surface_bytes());
        const uint32_t stride = std::max<uint32_t>(size, it.bench.grf() / 4);
        for (uint32_t i = 0; i < size; ++i) {
            uint32_t position = 0;
            for (uint32_t c = 0; c < 4; ++c) {
                if ((channels >> c & 1) == 0)
                    continue;
                const uint32_t address = (offset + offsets[i]) & ~3U;
                if ((it.bench.thread.execution_mask >> i & 1) != 0)
                    model.write(uint64_t{address} + 4ULL * c, data[position * stride + i], 4);
                ++position;
            }
        }
        it.bench.run();
        model.expect_same(it.bench.surface_bytes());
    }
}

} // namespace
} // namespace visor::interp
