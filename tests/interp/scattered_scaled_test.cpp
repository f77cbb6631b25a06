// SCATTER_SCALED and GATHER_SCALED: what the pages say byte by byte, and what the rulings decide where they
// are silent.
#include "surface_messages.h"

namespace visor::interp {
namespace {

using isa::DeviceId;
using isa::Type;
using machine::AccessKind;
using machine::Space;
using machine::UndefinedKind;

// One scatter or gather of up to 32 lanes: V32 element offsets, V33 data.
struct Scaled {
    Bench bench;
    uint32_t offsets;
    uint32_t data;

    Scaled(uint8_t opcode, uint64_t blocks, Execution execution, Operand offset = immediate(0),
           uint32_t surface = t6, DeviceId device = DeviceId::skl, uint32_t surface_bytes = 256,
           Predicate by = {})
        : bench(device), offsets(bench.variable(Type::ud, 32)), data(bench.variable(Type::ud, 32)) {
        for (uint32_t i = 0; i < by.id; ++i)
            bench.predicate();
        bench.instruction(opcode, -1, execution,
                          scaled(blocks, surface, offset, raw_operand(offsets), raw_operand(data)), by);
        bench.start(surface_bytes);
    }
};

TEST(ScatterScaled, WritesTheLowBytesOfEachDword) {
    for (const auto& [blocks, bytes] : {std::pair{blocks_1, 1U}, {blocks_2, 2U}, {blocks_4, 4U}}) {
        Scaled it(scatter_scaled, blocks, lanes(8), immediate(0x10));
        it.bench.set<uint32_t>(it.offsets, {0, 8, 16, 24, 32, 40, 48, 56});
        it.bench.set<uint32_t>(it.data, {0x04030201, 0x14131211, 0x24232221, 0x34333231, 0x44434241,
                                         0x54535251, 0x64636261, 0x74737271});
        it.bench.run();
        for (uint32_t at = 0; at < 256; ++at) {
            const uint32_t lane = (at - 0x10) / 8;
            const uint32_t byte = (at - 0x10) % 8;
            const bool written = at >= 0x10 && lane < 8 && byte < bytes;
            const uint32_t expected = written ? lane * 0x10 + byte + 1 : untouched;
            EXPECT_EQ(peek<uint8_t>(it.bench.surface_bytes(), at), expected) << bytes << " bytes, at " << at;
        }
    }
}

TEST(ScatterScaled, EveryByteAddressIsFine) {
    Scaled it(scatter_scaled, blocks_4, lanes(4), immediate(1));
    it.bench.set<uint32_t>(it.offsets, {0, 6, 12, 18});
    it.bench.set<uint32_t>(it.data, {0xa0a1a2a3, 0xb0b1b2b3, 0xc0c1c2c3, 0xd0d1d2d3});
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 1), 0xa0a1a2a3U);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 7), 0xb0b1b2b3U);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 13), 0xc0c1c2c3U);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 19), 0xd0d1d2d3U);
    EXPECT_EQ(peek<uint8_t>(it.bench.surface_bytes(), 0), untouched);
    EXPECT_EQ(peek<uint16_t>(it.bench.surface_bytes(), 5), 0xcdcd);
}

TEST(ScatterScaled, EveryExecSize) {
    for (const DeviceId device : both_grf_sizes)
        for (const uint8_t size : every_size) { // 32: ruling 6
            Scaled it(scatter_scaled, blocks_4, lanes(size), immediate(0), t6, device);
            it.bench.set(it.offsets, ramp<uint32_t>(32, 0, 4));
            it.bench.set(it.data, ramp<uint32_t>(32, 100, 1));
            it.bench.run();
            for (uint32_t i = 0; i < 64; ++i)
                EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), i * 4),
                          i < size ? 100 + i : untouched_dword)
                    << "exec size " << int{size} << ", dword " << i;
        }
}

TEST(ScatterScaled, OneLaneNeedsNoMoreThanOneElement) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 1);
    const uint32_t data = bench.variable(Type::ud, 1);
    bench.instruction(scatter_scaled, -1, lanes(1, 1, true),
                      scaled(blocks_4, t6, immediate(0), raw_operand(offsets), raw_operand(data)));
    bench.start();
    bench.set<uint32_t>(offsets, {12});
    bench.set<uint32_t>(data, {7});
    bench.run();
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 12), 7U);
}

TEST(ScatterScaled, EveryMaskOfTheExecutionMask) {
    for (uint8_t mask = 1; mask <= 8; ++mask)
        for (const uint8_t size : every_size) {
            if ((mask - 1) * 4 + size > 32)
                continue;
            for (const bool no_mask : {false, true}) {
                Scaled it(scatter_scaled, blocks_4, lanes(size, mask, no_mask));
                it.bench.thread.execution_mask = some_channels;
                it.bench.set(it.offsets, ramp<uint32_t>(32, 0, 4));
                it.bench.set(it.data, ramp<uint32_t>(32, 100, 1));
                it.bench.run();
                for (uint32_t i = 0; i < 32; ++i) {
                    const bool on = no_mask || is_on(some_channels, mask, i);
                    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), i * 4),
                              i < size && on ? 100 + i : untouched_dword)
                        << "M" << int{mask} << " size " << int{size} << " lane " << i;
                }
            }
        }
}

TEST(ScatterScaled, PredicateSwitchesLanesOff) {
    struct Case {
        PredicateControl control;
        bool inverted;
        uint32_t predicate;
        uint32_t expected; // lanes of a SIMD8 message at M3
    };
    const std::vector<Case> cases{
        {PredicateControl::none, false, 0x0000'a500, 0xa5}, {PredicateControl::none, true, 0x0000'a500, 0x5a},
        {PredicateControl::any, false, 0x0000'0100, 0xff},  {PredicateControl::any, false, 0xffff'00ff, 0x00},
        {PredicateControl::any, true, 0x0000'0100, 0x00},   {PredicateControl::any, true, 0xffff'00ff, 0xff},
        {PredicateControl::all, false, 0x0000'ff00, 0xff},  {PredicateControl::all, false, 0x0000'fe00, 0x00},
        {PredicateControl::all, true, 0x0000'fe00, 0xff},
    };
    for (const Case& one : cases) {
        const Predicate by{.id = 1, .control = one.control, .inverted = one.inverted};
        Scaled it(scatter_scaled, blocks_4, lanes(8, 3), immediate(0), t6, DeviceId::skl, 256, by);
        it.bench.thread.predicates[1] = one.predicate;
        it.bench.set(it.offsets, ramp<uint32_t>(32, 0, 4));
        it.bench.set(it.data, ramp<uint32_t>(32, 100, 1));
        it.bench.run();
        for (uint32_t i = 0; i < 8; ++i)
            EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), i * 4),
                      (one.expected >> i & 1) != 0 ? 100 + i : untouched_dword);
    }
}

TEST(ScatterScaled, WhatReachesPastTheEndIsDroppedWhole) {
    Scaled it(scatter_scaled, blocks_4, lanes(8), immediate(0), t6, DeviceId::skl, 100);
    it.bench.set<uint32_t>(it.offsets, {96, 97, 98, 99, 100, 0xffff'ffff, 0xffff'fffc, 0x8000'0000});
    it.bench.set(it.data, ramp<uint32_t>(8, 1, 1));
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 96),
              1U); // the last that fits, and nothing of the others
    for (uint32_t at = 0; at < 96; ++at)
        EXPECT_EQ(peek<uint8_t>(it.bench.surface_bytes(), at), untouched) << at;
}

TEST(ScatterScaled, AddressWrapsAtFourGigabytesAndAnAccessDoesNot) {
    Scaled it(scatter_scaled, blocks_4, lanes(4), immediate(0xffff'fff0));
    it.bench.set<uint32_t>(it.offsets,
                           {0x10, 0x14, 0xe, 0xc}); // 0, 4, and two that straddle the end of 32 bits
    it.bench.set<uint32_t>(it.data, {1, 2, 3, 4});
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0), 1U);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 4), 2U);
    for (uint32_t at = 8; at < 256; ++at)
        EXPECT_EQ(peek<uint8_t>(it.bench.surface_bytes(), at), untouched) << at;
}

TEST(ScatterScaled, TheLastLaneWinsAndTheConflictIsReported) {
    Scaled it(scatter_scaled, blocks_4, lanes(8));
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {0, 16, 16, 32, 16, 48, 50, 64}); // 1, 2, 4 the same; 5 and 6 overlap
    it.bench.set(it.data, ramp<uint32_t>(8, 0x01010101, 0x01010101));
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 16), 0x05050505U);
    EXPECT_EQ(peek<uint16_t>(it.bench.surface_bytes(), 48), 0x0606);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 50), 0x07070707U);
    ASSERT_EQ(it.bench.seen.undefineds.size(), 1U);
    EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::write_conflict);
    EXPECT_EQ(it.bench.seen.undefineds[0].lanes, 0b0111'0110U);
    EXPECT_EQ(it.bench.seen.undefineds[0].address, 16U);
}

TEST(ScatterScaled, NeighboursAndDroppedLanesAreNoConflict) {
    Scaled it(scatter_scaled, blocks_4, lanes(4));
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {0, 4, 1000, 1000});
    it.bench.set<uint32_t>(it.data, {1, 2, 3, 4});
    it.bench.run();
    EXPECT_TRUE(it.bench.seen.undefineds.empty());
}

TEST(ScatterScaled, MemoryEventNamesLanesAddressesAndWhatWasDropped) {
    Scaled it(scatter_scaled, blocks_2, lanes(4), immediate(6));
    it.bench.watch();
    it.bench.thread.execution_mask = 0b1101;
    it.bench.set<uint32_t>(it.offsets, {0, 4, 249, 250});
    it.bench.run();
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    const SeenAccess& seen = it.bench.seen.accesses[0];
    EXPECT_EQ(seen.space, Space::surface);
    EXPECT_EQ(seen.kind, AccessKind::write);
    EXPECT_EQ(seen.surface, 0U);
    EXPECT_EQ(seen.lanes, 0b1101U);
    EXPECT_EQ(seen.dropped, 0b1100U);
    EXPECT_EQ(seen.bytes, 2U);
    EXPECT_EQ(seen.addresses, (std::vector<uint64_t>{6, 10, 255, 256}));
}

TEST(ScatterScaled, SourcesMayBeOneVariable) {
    Bench bench;
    const uint32_t both = bench.variable(Type::ud, 16);
    bench.instruction(scatter_scaled, -1, lanes(8),
                      scaled(blocks_4, t6, general(both, 1), raw_operand(both), raw_operand(both)));
    bench.start();
    bench.set(both, ramp<uint32_t>(16, 0, 8));
    bench.run();
    for (uint32_t i = 0; i < 8; ++i)
        EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 8 + i * 8), i * 8); // offset 8 = element 1
}

TEST(ScatterScaled, SharedLocalMemoryIgnoresBit28) {
    Scaled it(scatter_scaled, blocks_4, lanes(4), immediate(0x1000'0000), slm);
    it.bench.set<uint32_t>(it.offsets,
                           {0, 252, 0xf000'0008, 0x2000'0000}); // the third without the bit, the last out
    it.bench.set<uint32_t>(it.data, {1, 2, 3, 4});
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 0), 1U);
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 252), 2U);
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 8), 3U);
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 4), untouched_dword);
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0), untouched_dword);
}

TEST(ScatterScaled, ABufferKeepsBit28) {
    Scaled it(scatter_scaled, blocks_4, lanes(1), immediate(0x1000'0000));
    it.bench.set<uint32_t>(it.offsets, {0});
    it.bench.run();
    EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0), untouched_dword);
}

TEST(ScatterScaled, ScratchSurfacesAreTheThreadsOwnBlock) {
    for (const uint32_t surface : {scratch, tss}) {
        Scaled it(scatter_scaled, blocks_4, lanes(1), immediate(8), surface);
        it.bench.watch();
        it.bench.set<uint32_t>(it.offsets, {4});
        it.bench.set<uint32_t>(it.data, {99});
        it.bench.run();
        EXPECT_EQ(peek<uint32_t>(it.bench.scratch_bytes(), 12), 99U);
        ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
        EXPECT_EQ(it.bench.seen.accesses[0].space, Space::scratch);
    }
}

TEST(ScatterScaled, AnUnboundSurfaceHoldsNothing) {
    for (const uint32_t index : {1U, 251U, 252U, UINT32_MAX}) {
        Scaled it(scatter_scaled, blocks_4, lanes(8));
        it.bench.thread.surfaces[t6] = index;
        it.bench.watch();
        it.bench.set(it.offsets, ramp<uint32_t>(8, 0, 4));
        it.bench.run();
        EXPECT_EQ(peek<uint32_t>(it.bench.surface_bytes(), 0), untouched_dword);
        ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
        EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0xffU);
        const bool never_set = index == UINT32_MAX;
        ASSERT_EQ(it.bench.seen.undefineds.size(), never_set ? 1U : 0U);
        if (never_set) {
            EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::unset_surface);
        }
    }
}

TEST(ScatterScaled, OffsetFromARegisterAndThroughAnAddress) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 8);
    const uint32_t data = bench.variable(Type::ud, 8);
    const uint32_t scalars = bench.variable(Type::ud, 8);
    Operand indirect;
    indirect.kind = OperandKind::indirect;
    indirect.id = bench.address_variable();
    indirect.offset = 4;
    indirect.type = Type::ud;
    indirect.region = {0, 1, 0};
    bench.instruction(scatter_scaled, -1, lanes(1),
                      scaled(blocks_4, t6, general(scalars, 3), raw_operand(offsets), raw_operand(data)));
    bench.instruction(scatter_scaled, -1, lanes(1),
                      scaled(blocks_4, t6, indirect, raw_operand(offsets), raw_operand(data)));
    // What takes the address (ruling 147); the test sets the address register itself.
    constexpr uint8_t addr_add = 0x28;
    Operand to = indirect;
    to.kind = OperandKind::address;
    Operand taken;
    taken.kind = OperandKind::address_of;
    taken.id = scalars;
    bench.instruction(addr_add, -1, lanes(1), {to, taken, general(data)});
    bench.start();
    bench.set<uint32_t>(offsets, {0});
    bench.set<uint32_t>(data, {5});
    bench.set<uint32_t>(scalars, {0, 40, 80, 120});
    bench.run(0);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 120), 5U);
    bench.thread.addresses[0] = bench.register_offset(scalars) + 4;
    bench.run(1);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 80), 5U);

    for (const uint32_t wrong :
         {static_cast<uint32_t>(bench.registers().size()) - 7, 0x8000'0000U, UINT32_MAX - 3}) {
        bench.thread.status = machine::Status::running;
        bench.thread.addresses[0] = wrong;
        poke<uint32_t>(bench.surface_bytes(), 80, 0);
        bench.run(1);
        EXPECT_EQ(bench.thread.status, machine::Status::faulted) << wrong;
        EXPECT_EQ(bench.thread.fault.kind, machine::FaultKind::bad_register);
        EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 80), 0U);
    }
}

TEST(ScatterScaled, OffsetModifiersAreApplied) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 8);
    const uint32_t data = bench.variable(Type::ud, 8);
    const uint32_t signed_scalar = bench.variable(Type::d, 8);
    Operand negated = general(signed_scalar);
    negated.modifier = SourceModifier::neg;
    Operand magnitude = general(signed_scalar, 1);
    magnitude.modifier = SourceModifier::abs;
    bench.instruction(scatter_scaled, -1, lanes(1),
                      scaled(blocks_4, t6, negated, raw_operand(offsets), raw_operand(data)));
    bench.instruction(scatter_scaled, -1, lanes(1),
                      scaled(blocks_4, t6, magnitude, raw_operand(offsets), raw_operand(data)));
    bench.start();
    bench.set<uint32_t>(offsets, {100});
    bench.set<uint32_t>(data, {5});
    bench.set<int32_t>(signed_scalar, {60, -20});
    bench.run(0);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 40), 5U);
    bench.run(1);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 120), 5U);
}

TEST(ScatterScaled, NullOperandsReadAsZero) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 8);
    const uint32_t data = bench.variable(Type::ud, 8);
    bench.instruction(scatter_scaled, -1, lanes(2),
                      scaled(blocks_4, t6, immediate(0), raw_operand(offsets), null_operand()));
    bench.instruction(scatter_scaled, -1, lanes(1),
                      scaled(blocks_4, t6, immediate(12), null_operand(), raw_operand(data)));
    bench.start();
    bench.set<uint32_t>(offsets, {0, 4});
    bench.set<uint32_t>(data, {77});
    bench.run(0);
    EXPECT_EQ(peek<uint64_t>(bench.surface_bytes(), 0), 0U);
    bench.run(1);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 12), 77U);
}

TEST(ScatterScaled, IgnoredFieldsAreIgnoredAndCode3IsRefused) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 8);
    const uint32_t data = bench.variable(Type::ud, 8);
    std::vector<Operand> odd = scaled(blocks_4, t6, immediate(0), raw_operand(offsets), raw_operand(data));
    odd[0] = code(9); // block_size, ruling 8
    odd[2] = code(5); // scale
    bench.instruction(scatter_scaled, -1, lanes(4), odd);
    odd[1] = code(3); // ruling 7
    bench.instruction(scatter_scaled, -1, lanes(4), odd);
    bench.start();
    bench.set<uint32_t>(offsets, {0, 4, 8, 12});
    bench.set<uint32_t>(data, {1, 2, 3, 4});
    bench.run(0);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 12), 4U);
    EXPECT_EQ(peek<uint32_t>(bench.surface_bytes(), 16), untouched_dword);
    EXPECT_EQ(bench.handler(1), nullptr);
}

TEST(ScatterScaled, RandomMessagesMatchTheModel) {
    const unsigned seed = 7902;
    SCOPED_TRACE(seed);
    Random random(seed);
    for (int round = 0; round < 300; ++round) {
        const uint64_t blocks = random() % 3;
        const auto size = static_cast<uint8_t>(1U << random() % 6);
        const uint32_t offset = random_offset(random, 64);
        Scaled it(scatter_scaled, blocks, lanes(size), immediate(offset), t6, both_grf_sizes[random() % 2],
                  200);
        it.bench.thread.execution_mask = random();
        const auto offsets = random_offsets(random, 32, 200);
        const auto data = random_dwords(random, 32);
        it.bench.set(it.offsets, offsets);
        it.bench.set(it.data, data);
        ByteModel model(it.bench.surface_bytes());
        for (uint32_t i = 0; i < size; ++i)
            if ((it.bench.thread.execution_mask >> i & 1) != 0)
                model.write(offset + offsets[i], data[i], 1U << blocks);
        it.bench.run();
        model.expect_same(it.bench.surface_bytes());
    }
}

// ---- GATHER_SCALED

TEST(GatherScaled, ZeroExtendsIntoEachDword) {
    for (const auto& [blocks, mask] :
         {std::pair{blocks_1, 0xffU}, {blocks_2, 0xffffU}, {blocks_4, 0xffff'ffffU}}) {
        Scaled it(gather_scaled, blocks, lanes(4), immediate(4));
        for (uint32_t i = 0; i < 4; ++i)
            poke<uint32_t>(it.bench.surface_bytes(), 4 + i * 5, 0xf1f2f3f4 + i);
        it.bench.set<uint32_t>(it.offsets, {0, 5, 10, 15});
        it.bench.run();
        EXPECT_EQ(it.bench.get<uint32_t>(it.data, 5),
                  (std::vector<uint32_t>{0xf1f2f3f4U & mask, 0xf1f2f3f5U & mask, 0xf1f2f3f6U & mask,
                                         0xf1f2f3f7U & mask, untouched_dword}));
    }
}

TEST(GatherScaled, LanesThatAreOffKeepTheirResult) {
    Scaled it(gather_scaled, blocks_4, lanes(8, 2));
    it.bench.thread.execution_mask = 0x0000'0a50; // lanes 0, 2 (bits 4, 6) and 5, 7 (bits 9, 11) of M2
    it.bench.set(it.offsets, ramp<uint32_t>(8, 0, 4));
    for (uint32_t i = 0; i < 8; ++i)
        poke<uint32_t>(it.bench.surface_bytes(), i * 4, i + 1);
    it.bench.run();
    const uint32_t no = untouched_dword;
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 8), (std::vector<uint32_t>{1, no, 3, no, no, 6, no, 8}));
}

TEST(GatherScaled, OutOfBoundsReadsZero) {
    Scaled it(gather_scaled, blocks_4, lanes(8), immediate(0), t6, DeviceId::skl, 100);
    it.bench.watch();
    it.bench.set<uint32_t>(it.offsets, {96, 97, 98, 99, 100, 0xffff'ffff, 0xffff'fffc, 0x8000'0000});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.data, 8),
              (std::vector<uint32_t>{untouched_dword, 0, 0, 0, 0, 0, 0, 0}));
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].kind, AccessKind::read);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0xfeU);
}

TEST(GatherScaled, ResultMayOverlapTheOffsets) {
    for (const int32_t shift : {0, 4, 8, -4}) {
        Bench bench;
        const uint32_t both = bench.variable(Type::ud, 32);
        bench.instruction(
            gather_scaled, -1, lanes(8),
            scaled(blocks_4, t6, general(both, 8), raw_operand(both, 32), raw_operand(both, 32 + shift)));
        bench.start();
        for (uint32_t i = 0; i < 8; ++i)
            poke<uint32_t>(bench.surface_bytes(), i * 4 + 4, 100 + i);
        bench.set<uint32_t>(both, {4, 0, 4, 8, 12, 16, 20, 24}, 32);
        bench.run();
        // Offset 4 (its own first lane) + 4, 0, 4, 8, ...
        EXPECT_EQ(bench.get<uint32_t>(both, 8, static_cast<uint32_t>(32 + shift)),
                  (std::vector<uint32_t>{101, 100, 101, 102, 103, 104, 105, 106}))
            << shift;
    }
}

TEST(GatherScaled, NullResultIsStillAnAccess) {
    Bench bench;
    const uint32_t offsets = bench.variable(Type::ud, 8);
    bench.instruction(gather_scaled, -1, lanes(8),
                      scaled(blocks_4, t6, immediate(0), raw_operand(offsets), null_operand()));
    bench.start();
    bench.watch();
    bench.set(offsets, ramp<uint32_t>(8, 0, 4));
    const std::vector<std::byte> before = bench.registers();
    bench.run();
    EXPECT_EQ(bench.registers(), before);
    EXPECT_EQ(bench.seen.accesses.size(), 1U);
}

} // namespace
} // namespace visor::interp
