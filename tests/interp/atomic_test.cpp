// SVM_ATOMIC and DWORD_ATOMIC: every operation at every width against values worked out by hand from the
// table DWORD_ATOMIC_OP, then lanes, masks, order, bounds and what several CPU threads do to one counter.
#include "atomic_messages.h"

#include <array>
#include <map>
#include <thread>

namespace visor::interp {
namespace {

using isa::DeviceId;
using isa::Type;
using machine::AccessKind;
using machine::FaultKind;
using machine::Space;
using machine::Status;
using machine::UndefinedKind;

constexpr uint8_t dword_atomic = 0x7d;

TEST(SvmAtomic, CodesWithoutAnOperationAreRefused) {
    for (const uint64_t op :
         {0x0eU, 0x0fU, 0x15U, 0x1fU, 0x60U, 0x67U, 0x80U, 0xe0U}) // 0x60: width 3, ruling 26
        EXPECT_EQ(Flat(op).bench.handler(), nullptr) << op;
    for (uint64_t op = 0; op <= 0x14; ++op)
        for (const uint64_t width : {width_16, width_32, width_64})
            EXPECT_EQ(Flat(op | width).bench.handler() == nullptr, op == 0x0e || op == 0x0f) << op;
}

TEST(SvmAtomic, EverySizeAndMask) {
    for (uint8_t mask = 1; mask <= 8; ++mask)
        for (const uint8_t size :
             {uint8_t{1}, uint8_t{2}, uint8_t{4}, uint8_t{8}, uint8_t{16}, uint8_t{32}}) {
            if ((mask - 1) * 4 + size > 32)
                continue;
            for (const bool no_mask : {false, true}) {
                Flat it(add | width_32, lanes(size, mask, no_mask), DeviceId::pvc);
                it.bench.thread.execution_mask = some_channels;
                for (uint32_t i = 0; i < 32; ++i)
                    poke<uint32_t>(it.bench.buffer() + i * 8, 100 + i);
                it.bench.set(it.src0, ramp<uint32_t>(32, 1000, 1000));
                it.bench.run();
                const auto result = it.bench.get<uint32_t>(it.dst, 33);
                for (uint32_t i = 0; i < 33; ++i) {
                    const bool on = i < size && (no_mask || is_on(some_channels, mask, i));
                    EXPECT_EQ(result[i], on ? 100 + i : untouched_dword) << int{mask} << " " << int{size};
                    if (i < 32) {
                        EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + i * 8),
                                  100 + i + (on ? 1000 * (i + 1) : 0));
                    }
                }
            }
        }
}

TEST(SvmAtomic, LaneWidths) {
    // 16- and 32-bit data in dwords, 64-bit data in qwords.
    for (const uint64_t width : {width_16, width_32, width_64}) {
        Flat it(add | width, lanes(8));
        for (uint32_t i = 0; i < 8; ++i)
            poke<uint64_t>(it.bench.buffer() + i * 8, 10 + i);
        if (width == width_64)
            it.bench.set(it.src0, ramp<uint64_t>(8, 1, 1));
        else
            it.bench.set(it.src0, ramp<uint32_t>(8, 1, 1));
        it.bench.run();
        for (uint32_t i = 0; i < 8; ++i)
            EXPECT_EQ(peek<uint64_t>(it.bench.buffer() + i * 8), 11 + 2 * i) << width;
        if (width == width_64) {
            EXPECT_EQ(it.bench.get<uint64_t>(it.dst, 8), ramp<uint64_t>(8, 10, 1));
        } else {
            EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 9)[8], untouched_dword);
            EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 8), ramp<uint32_t>(8, 10, 1)) << width;
        }
    }
}

TEST(SvmAtomic, Predicate) {
    Flat it(inc | width_32, lanes(8), DeviceId::skl, true,
            {.id = 1, .control = PredicateControl::none, .inverted = true});
    it.bench.thread.predicates[1] = 0xffff'ff5a;
    for (uint32_t i = 0; i < 8; ++i)
        poke<uint32_t>(it.bench.buffer() + i * 8, 0);
    it.bench.run();
    for (uint32_t i = 0; i < 8; ++i)
        EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + i * 8), 0xa5U >> i & 1);
}

TEST(SvmAtomic, OneAddressIsServedInLaneOrder) { // ruling 27
    Flat it(add | width_32, lanes(8));
    it.bench.watch();
    it.bench.set(it.addresses, std::vector<uint64_t>(8, it.bench.buffer() + 4));
    it.bench.set<uint32_t>(it.src0, {1, 2, 4, 8, 16, 32, 64, 128});
    poke<uint32_t>(it.bench.buffer() + 4, 0);
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 8), (std::vector<uint32_t>{0, 1, 3, 7, 15, 31, 63, 127}));
    EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + 4), 255U);
    EXPECT_TRUE(it.bench.seen.undefineds.empty());
}

TEST(SvmAtomic, NullResult) {
    Flat it(add | width_64, lanes(8), DeviceId::skl, false);
    it.bench.set(it.src0, ramp<uint64_t>(8, 1, 1));
    for (uint32_t i = 0; i < 8; ++i)
        poke<uint64_t>(it.bench.buffer() + i * 8, 5);
    const std::vector<std::byte> before = it.bench.registers();
    it.bench.run();
    EXPECT_EQ(it.bench.registers(), before);
    EXPECT_EQ(peek<uint64_t>(it.bench.buffer() + 56), 13U);
}

TEST(SvmAtomic, ResultMayOverlapEverySource) {
    struct Case {
        int32_t address, src0, src1, dst;
    };
    for (const Case at : {Case{0, 64, 96, 64},
                          {0, 64, 96, 96},
                          {0, 64, 96, 0},
                          {0, 64, 96, 68},
                          {0, 64, 96, 60},
                          {0, 64, 96, 4},
                          {0, 64, 64, 64}}) {
        Bench bench;
        const uint32_t all = bench.variable(Type::ud, 64);
        bench.instruction(svm, svm_atomic, lanes(8),
                          {code(cmpxchg), raw_operand(all, at.address), raw_operand(all, at.src0),
                           raw_operand(all, at.src1), raw_operand(all, at.dst)});
        bench.start();
        const auto first = ramp<uint32_t>(8, 50, 1);
        const auto compare = at.src0 == at.src1 ? first : std::vector<uint32_t>{0, 1, 99, 3, 99, 5, 6, 7};
        for (uint32_t i = 0; i < 8; ++i)
            poke<uint32_t>(bench.buffer() + i * 4, i);
        bench.set(all, ramp<uint64_t>(8, bench.buffer(), 4), static_cast<uint32_t>(at.address));
        bench.set(all, compare, static_cast<uint32_t>(at.src1));
        bench.set(all, first, static_cast<uint32_t>(at.src0));
        bench.run();
        EXPECT_EQ(bench.get<uint32_t>(all, 8, static_cast<uint32_t>(at.dst)), ramp<uint32_t>(8, 0, 1));
        for (uint32_t i = 0; i < 8; ++i)
            EXPECT_EQ(peek<uint32_t>(bench.buffer() + i * 4), compare[i] == i ? first[i] : i)
                << "dst " << at.dst;
    }
}

TEST(SvmAtomic, OutsideIsAFaultThatEndsTheThread) {
    Flat it(add | width_32, lanes(8, 3));
    it.bench.watch();
    it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 510}, 3 * 8); // 2 of its 4 bytes are inside
    it.bench.set(it.src0, ramp<uint32_t>(8, 1, 0));
    it.bench.run();
    EXPECT_EQ(it.bench.thread.status, Status::faulted);
    EXPECT_EQ(it.bench.thread.fault.kind, FaultKind::out_of_bounds);
    EXPECT_EQ(it.bench.thread.fault.lane, 11); // lane 3 of M3
    EXPECT_EQ(it.bench.thread.fault.address, it.bench.buffer() + 510);
    EXPECT_EQ(it.bench.thread.fault.bytes, 4U);
    for (uint32_t i = 0; i < 8; ++i)
        EXPECT_EQ(peek<uint32_t>(it.bench.buffer() + i * 8), i < 3 ? untouched_dword + 1 : untouched_dword)
            << i;
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].kind, AccessKind::atomic);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0b1111'1000U);
    EXPECT_EQ(it.bench.seen.accesses[0].bytes, 4U);
}

TEST(SvmAtomic, MisalignedWorksOnTheExactBytesAndIsReported) {
    for (const uint64_t width : {width_16, width_32, width_64}) {
        Flat it(inc | width, lanes(2));
        it.bench.watch();
        const uint64_t odd = it.bench.buffer() + 67;
        it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 16, odd});
        poke<uint64_t>(odd, 0xffff'ffff'ffff'ff41);
        it.bench.run();
        EXPECT_EQ(peek<uint8_t>(odd), 0x42);
        EXPECT_EQ(peek<uint8_t>(odd + 1), 0xff);
        ASSERT_EQ(it.bench.seen.undefineds.size(), 1U) << width;
        EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::misaligned);
        EXPECT_EQ(it.bench.seen.undefineds[0].lanes, 0b10U);
        EXPECT_EQ(it.bench.seen.undefineds[0].address, odd);
    }
}

TEST(SvmAtomic, CountsTowardsTheSchedulersTurn) {
    Flat it(inc | width_32, lanes(8));
    it.bench.run();
    it.bench.run();
    EXPECT_EQ(it.bench.thread.idle_atomics, 2U);
}

// Groups run on several CPU threads: none of their updates may be lost.
TEST(SvmAtomic, SeveralCpuThreadsLoseNothing) {
    constexpr int rounds = 2000;
    Flat first(add | width_32, lanes(8));
    Flat second(add | width_32, lanes(8));
    const uint64_t shared = first.bench.allocate(64);
    poke<uint32_t>(shared, 0);
    // The second bench works on the first one's memory, as two threads of one launch do.
    second.bench.launch().memory = &first.bench.memory();
    for (Flat* it : {&first, &second}) {
        it->bench.set(it->addresses, std::vector<uint64_t>(8, shared));
        it->bench.set(it->src0, std::vector<uint32_t>(8, 1));
    }
    const auto work = [](Flat& it) {
        for (int i = 0; i < rounds; ++i)
            it.bench.run();
    };
    std::thread other(work, std::ref(second));
    work(first);
    other.join();
    EXPECT_EQ(peek<uint32_t>(shared), 2U * rounds * 8U);
}

// ---- random, against the page's semantics in plain words

uint32_t plain_words(uint64_t op, uint32_t old, uint32_t src0, uint32_t src1) {
    const auto as_signed = [](uint32_t value) { return static_cast<int32_t>(value); };
    switch (op) {
    case add:
        return old + src0;
    case sub:
        return old - src0;
    case inc:
        return old + 1;
    case dec:
    case predec:
        return old - 1;
    case min:
        return old < src0 ? old : src0;
    case max:
        return old > src0 ? old : src0;
    case xchg:
        return src0;
    case cmpxchg:
        return old == src1 ? src0 : old;
    case and_:
        return old & src0;
    case or_:
        return old | src0;
    case xor_:
        return old ^ src0;
    case imin:
        return as_signed(old) < as_signed(src0) ? old : src0;
    default:
        return as_signed(old) > as_signed(src0) ? old : src0;
    }
}

TEST(SvmAtomic, RandomIntegerMessagesMatchTheModel) {
    const unsigned seed = 405;
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 500; ++round) {
        const uint64_t op = random() % 14;
        const auto size = static_cast<uint8_t>(1U << random() % 4);
        Flat it(op, lanes(size), round % 2 == 0 ? DeviceId::skl : DeviceId::pvc);
        it.bench.thread.execution_mask = random();
        std::map<uint64_t, uint32_t> memory;
        std::vector<uint64_t> addresses;
        std::vector<uint32_t> src0;
        std::vector<uint32_t> src1;
        for (uint32_t i = 0; i < size; ++i) {
            addresses.push_back(it.bench.buffer() + random() % 5 * 4); // collisions are the rule
            src0.push_back(random() % 4);
            src1.push_back(random() % 4);
            memory[addresses[i]] = random() % 4 - 2;
            poke<uint32_t>(addresses[i], memory[addresses[i]]);
        }
        it.bench.set(it.addresses, addresses);
        it.bench.set(it.src0, src0);
        it.bench.set(it.src1, src1);
        std::vector<uint32_t> expected(size, untouched_dword);
        for (uint32_t i = 0; i < size; ++i) {
            if ((it.bench.thread.execution_mask >> i & 1) == 0)
                continue;
            const uint32_t old = memory[addresses[i]];
            memory[addresses[i]] = plain_words(op, old, src0[i], src1[i]);
            expected[i] = op == predec ? memory[addresses[i]] : old;
        }
        it.bench.run();
        ASSERT_EQ(it.bench.get<uint32_t>(it.dst, size), expected) << "op " << op;
        for (const auto& [address, value] : memory)
            ASSERT_EQ(peek<uint32_t>(address), value) << "op " << op;
    }
}

// ---- DWORD_ATOMIC: the same operations at byte offsets of a surface

struct OnSurface {
    Bench bench;
    uint32_t offsets;
    uint32_t src0;
    uint32_t src1;
    uint32_t dst;

    OnSurface(uint64_t op, Execution execution, uint32_t surface = t6, uint32_t surface_bytes = 128)
        : offsets(bench.variable(Type::ud, 16)), src0(bench.variable(Type::ud, 16)),
          src1(bench.variable(Type::ud, 16)), dst(bench.variable(Type::ud, 16)) {
        bench.instruction(dword_atomic, -1, execution,
                          {code(op), surface_operand(surface), raw_operand(offsets), raw_operand(src0),
                           raw_operand(src1), raw_operand(dst)});
        bench.start(surface_bytes);
    }
};

TEST(DwordAtomic, AddsAndReturnsTheOldValue) {
    OnSurface it(add, lanes(16));
    it.bench.set(it.offsets, ramp<uint32_t>(16, 0, 4));
    it.bench.set(it.src0, ramp<uint32_t>(16, 1, 1));
    for (uint32_t i = 0; i < 16; ++i)
        poke<uint32_t>(it.bench.surface_bytes(), i * 4, 100);
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 16), std::vector<uint32_t>(16, 100));
    for (uint32_t i = 0; i < 16; ++i)
        EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), i * 4), 101 + i);
}

TEST(DwordAtomic, SourcesAsInTheTable) {
    OnSurface exchange(cmpxchg, lanes(1));
    exchange.bench.set<uint32_t>(exchange.offsets, {8});
    exchange.bench.set<uint32_t>(exchange.src0, {9});
    exchange.bench.set<uint32_t>(exchange.src1, {untouched_dword});
    exchange.bench.run();
    EXPECT_EQ(peek<uint32_t>(exchange.bench.surface_bytes(), 8), 9U);

    OnSurface write(fcmpwr, lanes(1));
    poke<uint32_t>(write.bench.surface_bytes(), 8, f_one);
    write.bench.set<uint32_t>(write.offsets, {8});
    write.bench.set<uint32_t>(write.src0, {f_one});
    write.bench.set<uint32_t>(write.src1, {f_two});
    write.bench.run();
    EXPECT_EQ(peek<uint32_t>(write.bench.surface_bytes(), 8), f_two);
}

TEST(DwordAtomic, OutOfBoundsReturnsZeroAndChangesNothing) {
    OnSurface it(add, lanes(8), t6, 30);
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {0, 24, 28, 32, 0xffff'fffc, 0x1000'0000, 4, 0x8000'0000});
    it.bench.set(it.src0, ramp<uint32_t>(8, 1, 0));
    it.bench.run();
    const uint32_t old = untouched_dword;
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 8), (std::vector<uint32_t>{old, old, 0, 0, 0, 0, old, 0}));
    EXPECT_EQ(peek<uint16_t>(it.bench.surface_bytes(), 28), 0xcdcd);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 24), untouched_dword + 1);
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].space, Space::surface);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0b1011'1100U);
    EXPECT_EQ(it.bench.thread.status, Status::running);
}

TEST(DwordAtomic, SixteenBitsInSharedLocalMemory) {
    OnSurface it(max | width_16, lanes(4), slm);
    it.bench.set<uint32_t>(it.offsets, {0x1000'0002, 2, 6, 10});
    it.bench.set<uint32_t>(it.src0, {0xffff'ce00, 0xce01, 1, 0xffff});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 4), (std::vector<uint32_t>{0xcdcd, 0xce00, 0xcdcd, 0xcdcd}));
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 0), 0xce01'cdcdU);
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 4), 0xcdcd'cdcdU);
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 8), 0xffff'cdcdU);
}

} // namespace
} // namespace visor::interp
