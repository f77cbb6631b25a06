// Flat messages: SVM_BLOCK_LD and _ST, SVM_GATHER and _SCATTER, their 4_SCALED forms. What is outside every
// allocation ends the thread and names lane and address (ruling 30).
#include "memory_fixture.h"

#include <array>

namespace visor::interp {
namespace {

using isa::DeviceId;
using isa::Type;
using machine::AccessKind;
using machine::FaultKind;
using machine::Space;
using machine::Status;
using machine::UndefinedKind;

constexpr uint8_t svm = 0x4e;
enum : int { block_ld = 1, block_st = 2, gather = 3, scatter = 4, gather4 = 6, scatter4 = 7 };

constexpr std::array both_grf_sizes{DeviceId::skl, DeviceId::pvc};
constexpr std::array<uint8_t, 5> up_to_16{1, 2, 4, 8, 16};

// ---- blocks

struct Block {
    Bench bench;
    uint32_t address;
    uint32_t data;

    Block(int sub, uint64_t properties, DeviceId device = DeviceId::skl)
        : bench(device), address(bench.variable(Type::uq, 1)), data(bench.variable(Type::ud, 72)) {
        bench.instruction(svm, sub, {}, {code(properties), general(address), raw_operand(data)});
        bench.start(512);
        bench.thread.execution_mask = 0; // "the execution mask is set to NoMask"
        for (uint32_t k = 0; k < 128; ++k)
            poke<uint32_t>(bench.buffer() + k * 4, k);
    }
};

TEST(SvmBlockLoad, SizesContiguousAndUntouchedRest) { // rulings 18, 19
    for (const DeviceId device : both_grf_sizes)
        for (uint64_t size = 0; size <= 4; ++size) {
            Block it(block_ld, size, device);
            it.bench.set<uint64_t>(it.address, {it.bench.buffer() + 48});
            it.bench.run();
            std::vector<uint32_t> expected(72, untouched_dword);
            for (uint32_t k = 0; k < (1U << size) * 4; ++k)
                expected[k] = 12 + k;
            EXPECT_EQ(it.bench.get<uint32_t>(it.data, 72), expected) << size;
        }
}

TEST(SvmBlockLoad, LargerSizesAreRefused) {
    for (uint64_t size = 5; size < 8; ++size)
        EXPECT_EQ(Block(block_ld, size).bench.handler(), nullptr) << size;
}

TEST(SvmBlockLoad, AlignmentAsDeclared) { // rulings 15, 17
    struct Case {
        uint64_t properties;
        uint32_t at;
        bool misaligned;
    };
    for (const Case one : {Case{0x00, 32, false},
                           {0x00, 36, true},
                           {0x00, 40, true},
                           {0x08, 36, false},
                           {0x80, 36, false},
                           {0x88, 36, false},
                           {0x08, 38, true},
                           {0x00, 33, true}}) {
        Block it(block_ld, one.properties);
        it.bench.watch();
        for (uint32_t at = 0; at < 512; ++at)
            poke<uint8_t>(it.bench.buffer() + at, static_cast<uint8_t>(at));
        it.bench.set<uint64_t>(it.address, {it.bench.buffer() + one.at});
        it.bench.run();
        EXPECT_EQ(it.bench.get<uint8_t>(it.data, 16), ramp<uint8_t>(16, static_cast<uint8_t>(one.at), 1))
            << one.at;
        ASSERT_EQ(it.bench.seen.undefineds.size(), one.misaligned ? 1U : 0U)
            << one.properties << " at " << one.at;
        if (one.misaligned) {
            EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::misaligned);
            EXPECT_EQ(it.bench.seen.undefineds[0].address, it.bench.buffer() + one.at);
        }
    }
}

TEST(SvmBlockLoad, TheLastBytesFitAndOneMoreIsAFault) {
    for (const uint32_t at : {480U, 484U, 496U}) {
        Block it(block_ld, 0x09); // 2 owords
        it.bench.watch();
        it.bench.set<uint64_t>(it.address, {it.bench.buffer() + at});
        it.bench.run();
        const bool fits = at == 480;
        EXPECT_EQ(it.bench.thread.status == Status::faulted, !fits) << at;
        EXPECT_EQ(it.bench.get<uint32_t>(it.data, 1)[0], fits ? 120 : untouched_dword) << "all or nothing";
        ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
        EXPECT_EQ(it.bench.seen.accesses[0].dropped, fits ? 0U : 1U);
        if (!fits) {
            EXPECT_EQ(it.bench.thread.fault.kind, FaultKind::out_of_bounds);
            EXPECT_EQ(it.bench.thread.fault.lane, -1);
            EXPECT_EQ(it.bench.thread.fault.address, it.bench.buffer() + at);
            EXPECT_EQ(it.bench.thread.fault.bytes, 32U);
        }
    }
}

TEST(SvmBlockLoad, WildAddressesAreFaults) {
    for (const uint64_t address : {uint64_t{0}, uint64_t{16}, UINT64_MAX - 15, uint64_t{1} << 63U}) {
        Block it(block_ld, 0);
        it.bench.set<uint64_t>(it.address, {address});
        it.bench.run();
        EXPECT_EQ(it.bench.thread.fault.kind, FaultKind::out_of_bounds) << address;
        EXPECT_EQ(it.bench.thread.fault.address, address);
    }
}

TEST(SvmBlockLoad, ResultMayOverlapTheAddress) {
    Bench bench;
    const uint32_t both = bench.variable(Type::uq, 8);
    bench.instruction(svm, block_ld, {}, {code(1), general(both, 1), raw_operand(both)});
    bench.start();
    for (uint32_t k = 0; k < 32; ++k)
        poke<uint64_t>(bench.buffer() + k * 8, k);
    bench.set<uint64_t>(both, {0, bench.buffer() + 64});
    bench.run();
    EXPECT_EQ(bench.get<uint64_t>(both, 5), (std::vector<uint64_t>{8, 9, 10, 11, untouched_qword}));
}

TEST(SvmBlockLoad, NullResultIsStillAnAccess) {
    Bench bench;
    const uint32_t address = bench.variable(Type::uq, 1);
    bench.instruction(svm, block_ld, {}, {code(3), general(address), null_operand()});
    bench.start();
    bench.watch();
    bench.set<uint64_t>(address, {bench.buffer()});
    const std::vector<std::byte> before = bench.registers();
    bench.run();
    EXPECT_EQ(bench.registers(), before);
    ASSERT_EQ(bench.seen.accesses.size(), 1U);
    EXPECT_EQ(bench.seen.accesses[0].bytes, 128U);
}

TEST(SvmBlockLoad, EventIsOneReadOfOneLane) {
    Block it(block_ld, 2);
    it.bench.watch();
    it.bench.set<uint64_t>(it.address, {it.bench.buffer() + 16});
    it.bench.run();
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    const SeenAccess& seen = it.bench.seen.accesses[0];
    EXPECT_EQ(seen.space, Space::flat);
    EXPECT_EQ(seen.kind, AccessKind::read);
    EXPECT_EQ(seen.lanes, 1U);
    EXPECT_EQ(seen.dropped, 0U);
    EXPECT_EQ(seen.bytes, 64U);
    EXPECT_EQ(seen.addresses, std::vector<uint64_t>{it.bench.buffer() + 16});
}

TEST(SvmBlockStore, SizesAndFault) {
    for (uint64_t size = 0; size <= 4; ++size) {
        Block it(block_st, size);
        it.bench.set(it.data, ramp<uint32_t>(72, 1000, 1));
        it.bench.set<uint64_t>(it.address, {it.bench.buffer() + 32});
        it.bench.run();
        for (uint32_t k = 0; k < 128; ++k)
            EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + k * 4),
                      k >= 8 && k < 8 + (4U << size) ? 1000 + k - 8 : k)
                << size;
    }
    Block it(block_st, 1);
    it.bench.set<uint64_t>(it.address, {it.bench.buffer() + 496});
    it.bench.run();
    EXPECT_EQ(it.bench.thread.fault.kind, FaultKind::out_of_bounds);
    EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + 496), 124U); // nothing of it was written
}

// ---- SVM_GATHER and SVM_SCATTER

struct Lanes {
    Bench bench;
    uint32_t addresses;
    uint32_t data;

    Lanes(int sub, uint64_t block, uint64_t count, Execution execution, DeviceId device = DeviceId::skl)
        : bench(device), addresses(bench.variable(Type::uq, 32)), data(bench.variable(Type::ud, 512)) {
        bench.instruction(svm, sub, execution,
                          {code(block), code(count), raw_operand(addresses), raw_operand(data)});
        bench.start(2048);
        for (uint32_t k = 0; k < 2048; ++k)
            poke<uint8_t>(bench.buffer() + k, static_cast<uint8_t>(k * 7 + (k >> 8U)));
    }
    void address_each(uint64_t step) { bench.set(addresses, ramp<uint64_t>(32, bench.buffer(), step)); }
    [[nodiscard]] uint8_t byte(uint64_t at) const { return peek<uint8_t>(bench.buffer() + at); }
};

// The page's tables: 4- and 8-byte blocks stand block by block, R lanes apart.
TEST(SvmGather, BlocksOf4And8Bytes) {
    for (const DeviceId device : both_grf_sizes)
        for (const uint8_t size : up_to_16)
            for (uint64_t block = 1; block <= 3; ++block) // 3: the code of the SVM_GATHER page for 8
                for (uint64_t count = 0; count < 4; ++count) {
                    Lanes it(gather, block, count, lanes(size), device);
                    it.address_each(64);
                    it.bench.run();
                    const uint32_t bytes = block == 1 ? 4 : 8;
                    const uint32_t stride = std::max<uint32_t>(size, device == DeviceId::skl ? 8 : 16);
                    std::vector<uint8_t> expected(2048, untouched);
                    for (uint32_t j = 0; j < 1U << count; ++j)
                        for (uint32_t i = 0; i < size; ++i)
                            for (uint32_t b = 0; b < bytes; ++b)
                                expected[(j * stride + i) * bytes + b] = it.byte(i * 64 + j * bytes + b);
                    ASSERT_EQ(it.bench.get<uint8_t>(it.data, 2048), expected)
                        << "block " << bytes << " count " << count << " size " << int{size};
                }
}

// 1-byte blocks: lane i owns max(4, count) bytes, of which those past the count are zero (ruling 29).
TEST(SvmGather, BlocksOf1Byte) {
    for (const uint8_t size : up_to_16)
        for (uint64_t count = 0; count < 4; ++count) {
            Lanes it(gather, 0, count, lanes(size));
            it.address_each(13); // any byte address
            it.bench.run();
            const uint32_t blocks = 1U << count;
            const uint32_t slot = blocks == 8 ? 8 : 4;
            std::vector<uint8_t> expected(256, untouched);
            for (uint32_t i = 0; i < size; ++i)
                for (uint32_t b = 0; b < slot; ++b)
                    expected[i * slot + b] = b < blocks ? it.byte(i * 13 + b) : 0;
            ASSERT_EQ(it.bench.get<uint8_t>(it.data, 256), expected)
                << "count " << count << " size " << int{size};
        }
}

TEST(SvmGather, LanesThatAreOffAreLeftAlone) {
    Lanes it(gather, 1, 0, lanes(8, 2));
    it.bench.thread.execution_mask = 0x0000'0810; // lanes 0 and 7 of M2
    std::vector<uint64_t> addresses(8, 1);        // wild
    addresses[0] = it.bench.buffer();
    addresses[7] = it.bench.buffer() + 4;
    it.bench.set(it.addresses, addresses);
    it.bench.run();
    EXPECT_EQ(it.bench.thread.status, Status::running);
    const uint32_t no = untouched_dword;
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 9),
              (std::vector<uint32_t>{peek<uint32_t>(it.bench.buffer()), no, no, no, no, no, no,
                                     peek<uint32_t>(it.bench.buffer() + 4), no}));
}

TEST(SvmGather, FaultNamesTheChannelAndStopsThere) {
    Lanes it(gather, 1, 1, lanes(8, 3));
    it.bench.watch();
    it.address_each(8);
    it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 2044}, 5 * 8); // its second block is outside
    it.bench.run();
    EXPECT_EQ(it.bench.thread.status, Status::faulted);
    EXPECT_EQ(it.bench.thread.fault.kind, FaultKind::out_of_bounds);
    EXPECT_EQ(it.bench.thread.fault.lane, 13); // lane 5 of M3
    EXPECT_EQ(it.bench.thread.fault.address, it.bench.buffer() + 2044);
    EXPECT_EQ(it.bench.thread.fault.bytes, 8U);
    EXPECT_EQ(it.bench.thread.fault.group, (std::array<uint32_t, 3>{3, 2, 1}));
    const auto result = it.bench.get<uint32_t>(it.data, 16);
    EXPECT_EQ(result[4], peek<uint32_t>(it.bench.buffer() + 32));
    for (const uint32_t i : {5U, 6U, 7U, 13U, 14U, 15U})
        EXPECT_EQ(result[i], untouched_dword) << i;
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0b1110'0000U);
}

TEST(SvmGather, MisalignedIsByteExactAndReported) {
    Lanes it(gather, 2, 0, lanes(2));
    it.bench.watch();
    it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 8, it.bench.buffer() + 20});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint64_t>(it.data, 2)[1], peek<uint64_t>(it.bench.buffer() + 20));
    ASSERT_EQ(it.bench.seen.undefineds.size(), 1U);
    EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::misaligned);
    EXPECT_EQ(it.bench.seen.undefineds[0].lanes, 0b10U);
}

TEST(SvmGather, ResultMayOverlapTheAddresses) {
    for (const int32_t at : {0, 4, 32, 64}) {
        Bench bench;
        const uint32_t both = bench.variable(Type::uq, 32);
        bench.instruction(svm, gather, lanes(8),
                          {code(1), code(1), raw_operand(both, 32), raw_operand(both, at)});
        bench.start();
        for (uint32_t k = 0; k < 64; ++k)
            poke<uint32_t>(bench.buffer() + k * 4, k);
        bench.set(both, ramp<uint64_t>(8, bench.buffer(), 8), 32);
        bench.run();
        EXPECT_EQ(bench.get<uint32_t>(both, 16, static_cast<uint32_t>(at)),
                  (std::vector<uint32_t>{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15}));
    }
}

TEST(SvmScatter, BlocksOf4And8Bytes) {
    for (const DeviceId device : both_grf_sizes)
        for (const uint8_t size : up_to_16)
            for (uint64_t block = 1; block <= 2; ++block)
                for (uint64_t count = 0; count < 4; ++count) {
                    Lanes it(scatter, block, count, lanes(size), device);
                    it.address_each(64);
                    const auto data = ramp<uint32_t>(512, 0x1000'0000, 0x0001'0203);
                    it.bench.set(it.data, data);
                    std::vector<uint8_t> expected(2048);
                    for (uint32_t at = 0; at < 2048; ++at)
                        expected[at] = it.byte(at);
                    const uint32_t words = block == 1 ? 1 : 2; // dwords of a block
                    const uint32_t stride = std::max<uint32_t>(size, device == DeviceId::skl ? 8 : 16);
                    for (uint32_t j = 0; j < 1U << count; ++j)
                        for (uint32_t i = 0; i < size; ++i)
                            std::memcpy(&expected[i * 64 + j * words * 4], &data[(j * stride + i) * words],
                                        words * 4);
                    it.bench.run();
                    for (uint32_t at = 0; at < 2048; ++at)
                        ASSERT_EQ(it.byte(at), expected[at]) << at;
                }
}

TEST(SvmScatter, BlocksOf1Byte) {
    for (uint64_t count = 0; count < 4; ++count) {
        Lanes it(scatter, 0, count, lanes(4));
        it.address_each(13);
        it.bench.set(it.data, ramp<uint8_t>(64, 1, 1));
        std::vector<uint8_t> expected(64);
        for (uint32_t at = 0; at < 64; ++at)
            expected[at] = it.byte(at);
        const uint32_t blocks = 1U << count;
        for (uint32_t i = 0; i < 4; ++i)
            for (uint32_t b = 0; b < blocks; ++b)
                expected[i * 13 + b] = static_cast<uint8_t>(i * (blocks == 8 ? 8 : 4) + b + 1);
        it.bench.run();
        for (uint32_t at = 0; at < 64; ++at)
            EXPECT_EQ(it.byte(at), expected[at]) << "count " << count << " at " << at;
    }
}

TEST(SvmScatter, ConflictAndFault) {
    Lanes it(scatter, 1, 0, lanes(4));
    it.bench.watch();
    it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 8, it.bench.buffer() + 8,
                                          it.bench.buffer() + 2045, it.bench.buffer()});
    it.bench.set<uint32_t>(it.data, {1, 2, 3, 4});
    const auto first = peek<uint32_t>(it.bench.buffer());
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + 8), 2U); // lanes before the fault ran, in order
    EXPECT_EQ(peek<uint32_t>(it.bench.buffer()), first);  // the one behind it did not
    EXPECT_EQ(it.bench.thread.fault.lane, 2);
    const auto conflict =
        std::ranges::find(it.bench.seen.undefineds, UndefinedKind::write_conflict, &SeenUndefined::kind);
    ASSERT_NE(conflict, it.bench.seen.undefineds.end());
    EXPECT_EQ(conflict->lanes, 0b11U);
    EXPECT_EQ(conflict->address, it.bench.buffer() + 8);
}

// ---- SVM_GATHER4_SCALED and SVM_SCATTER4_SCALED

struct Flat4 {
    Bench bench;
    uint32_t address;
    uint32_t offsets;
    uint32_t data;

    Flat4(int sub, uint64_t channels, Execution execution, DeviceId device = DeviceId::skl)
        : bench(device), address(bench.variable(Type::uq, 1)), offsets(bench.variable(Type::uq, 16)),
          data(bench.variable(Type::ud, 64)) {
        bench.instruction(
            svm, sub, execution,
            {code(channels), code(0), general(address), raw_operand(offsets), raw_operand(data)});
        bench.start(512);
    }
};

TEST(SvmGather4Scaled, EveryMaskAndRegisterWidth) {
    for (const DeviceId device : both_grf_sizes)
        for (const uint8_t size : {uint8_t{8}, uint8_t{16}})
            for (uint64_t channels = 1; channels < 16; ++channels) {
                Flat4 it(gather4, channels, lanes(size), device);
                for (uint32_t k = 0; k < 128; ++k)
                    poke<uint32_t>(it.bench.buffer() + k * 4, k);
                it.bench.set<uint64_t>(it.address, {it.bench.buffer() + 256 + 16}); // offsets are modulo 2^64
                it.bench.set(it.offsets, ramp<uint64_t>(16, 0ULL - 256, 16));
                it.bench.run();
                const uint32_t stride = std::max<uint32_t>(size, device == DeviceId::skl ? 8 : 16);
                std::vector<uint32_t> expected(64, untouched_dword);
                uint32_t position = 0;
                for (uint32_t c = 0; c < 4; ++c)
                    if ((channels >> c & 1) != 0) {
                        for (uint32_t i = 0; i < size; ++i)
                            expected[position * stride + i] = 4 + i * 4 + c;
                        ++position;
                    }
                ASSERT_EQ(it.bench.get<uint32_t>(it.data, 64), expected) << channels;
            }
}

TEST(SvmScatter4Scaled, WritesEnabledChannelsOnly) {
    Flat4 it(scatter4, 0b1010, lanes(8, 1));
    it.bench.thread.execution_mask = 0b1111'1101;
    it.bench.set<uint64_t>(it.address, {it.bench.buffer()});
    it.bench.set(it.offsets, ramp<uint64_t>(8, 0, 16));
    it.bench.set(it.data, ramp<uint32_t>(16, 100, 1));
    it.bench.run();
    for (uint32_t i = 0; i < 8; ++i) {
        EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + i * 16), untouched_dword);
        EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + i * 16 + 4), i == 1 ? untouched_dword : 100 + i);
        EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + i * 16 + 8), untouched_dword);
        EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + i * 16 + 12), i == 1 ? untouched_dword : 108 + i);
    }
}

// Only what the enabled channels touch must be there: A alone reads the four bytes at + 12.
TEST(SvmGather4Scaled, BoundsAreThoseOfTheEnabledChannels) {
    Flat4 inside(gather4, 0b0001, lanes(8));
    inside.bench.set<uint64_t>(inside.address, {inside.bench.buffer() + 508});
    inside.bench.set(inside.offsets, ramp<uint64_t>(8, 0, 0));
    inside.bench.run();
    EXPECT_EQ(inside.bench.thread.status, Status::running);

    Flat4 before(gather4, 0b1000, lanes(8));
    before.bench.set<uint64_t>(before.address, {before.bench.buffer() - 12});
    before.bench.set(before.offsets, ramp<uint64_t>(8, 0, 0));
    before.bench.run();
    EXPECT_EQ(before.bench.thread.status, Status::running);

    Flat4 outside(gather4, 0b1010, lanes(8));
    outside.bench.set<uint64_t>(outside.address, {outside.bench.buffer() + 500});
    outside.bench.set(outside.offsets, ramp<uint64_t>(8, 0, 0));
    outside.bench.run();
    EXPECT_EQ(outside.bench.thread.status, Status::faulted);
    EXPECT_EQ(outside.bench.thread.fault.address, outside.bench.buffer() + 504);
    EXPECT_EQ(outside.bench.thread.fault.bytes, 12U); // from G to the end of A
    EXPECT_EQ(outside.bench.get<uint32_t>(outside.data, 1)[0], untouched_dword);
}

} // namespace
} // namespace visor::interp
