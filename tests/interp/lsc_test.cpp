// LSC_UNTYPED: address forms, data shapes, strided and quad accesses, atomics, and what is outside.
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

constexpr uint8_t lsc_untyped = 0x89;
enum : int {
    load = 0x00,
    load_strided = 0x01,
    load_quad = 0x02,
    store = 0x04,
    store_strided = 0x05,
    store_quad = 0x06,
    iinc = 0x08,
    idec = 0x09,
    atomic_load = 0x0a,
    atomic_store = 0x0b,
    iadd = 0x0c,
    isub = 0x0d,
    smin = 0x0e,
    smax = 0x0f,
    umin = 0x10,
    umax = 0x11,
    icas = 0x12,
    fadd = 0x13,
    fsub = 0x14,
    fmin = 0x15,
    fmax = 0x16,
    fcas = 0x17,
    and_ = 0x18,
    or_ = 0x19,
    xor_ = 0x1a,
    load_status = 0x1b,
    store_uncompressed = 0x1c,
    bfadd = 0x21,
    bfmax = 0x24,
    bfcas = 0x25,
    load_quad_status = 0x36,
};
enum : uint64_t { ugm = 0, ugml = 1, tgm = 2, slm_unit = 3, urb = 4 };
enum : uint64_t { flat = 1, by_bss = 2, by_ss = 3, bti = 4, arg = 5, surf = 6 };
enum : uint64_t { a16 = 1, a32 = 2, a64 = 3, a32u = 4, a32s = 5 };
enum : uint64_t { d8 = 1, d16 = 2, d32 = 3, d64 = 4, d8u32 = 5, d16u32 = 6, d16u32h = 7 };

constexpr std::array both_grf_sizes{DeviceId::dg2, DeviceId::pvc};

// The literals of a message, with what text would give them where it says nothing.
struct Message {
    int sub = load;
    Execution execution = lanes(1);
    uint64_t sfid = ugm;
    uint64_t type = flat;
    uint64_t scale = 1;
    int32_t immediate_offset = 0;
    uint64_t address_size = a64;
    uint64_t data_size = d32;
    bool transposed = false;
    uint64_t elements = 1; // code
    uint64_t mask = 0;
    uint64_t surface = 0;
    uint64_t surface_index = 0;
    std::optional<Operand> pitch; // strided
    bool null_data = false;
    bool null_second = true;
};

// V32 addresses, V33 dst, V34 src1, V35 src2.
struct Lsc {
    Bench bench;
    uint32_t addresses;
    uint32_t dst;
    uint32_t src1;
    uint32_t src2;

    explicit Lsc(const Message& message, DeviceId device = DeviceId::pvc)
        : bench(device), addresses(bench.variable(Type::uq, 32)), dst(bench.variable(Type::ud, 1024)),
          src1(bench.variable(Type::ud, 1024)), src2(bench.variable(Type::ud, 64)) {
        std::vector<Operand> operands{
            code(message.sfid),
            code(0),
            code(0),
            code(message.type),
            code(message.scale),
            code(static_cast<uint32_t>(message.immediate_offset)),
            code(message.address_size),
            code(message.data_size),
            code(message.transposed ? 2 : 1),
            code(message.elements),
            code(message.mask),
            immediate(message.surface, message.surface > UINT32_MAX ? Type::uq : Type::ud),
            code(message.surface_index),
            message.null_data ? null_operand() : raw_operand(dst),
            raw_operand(addresses)};
        if (message.sub == load_strided || message.sub == store_strided)
            operands.push_back(message.pitch.value_or(absent()));
        operands.push_back(raw_operand(src1));
        if (message.sub != load_strided && message.sub != store_strided)
            operands.push_back(message.null_second ? null_operand() : raw_operand(src2));
        bench.instruction(lsc_untyped, message.sub, message.execution, operands);
        bench.start(2048, 512, 512);
        for (uint32_t k = 0; k < 2048; ++k)
            poke<uint8_t>(bench.buffer() + k, static_cast<uint8_t>(k * 5 + (k >> 8U)));
    }
    [[nodiscard]] uint8_t byte(uint64_t at) const { return peek<uint8_t>(bench.buffer() + at); }
    [[nodiscard]] uint32_t dword(uint64_t at) const { return peek<uint32_t>(bench.buffer() + at); }
};

// ---- shapes of data

struct Size {
    uint64_t size;
    uint32_t memory;
    uint32_t slot;
    uint32_t shift; // bytes
};
constexpr std::array<Size, 7> sizes{Size{d8, 1, 1, 0}, {d16, 2, 2, 0},    {d32, 4, 4, 0},    {d64, 8, 8, 0},
                                    {d8u32, 1, 4, 0},  {d16u32, 2, 4, 0}, {d16u32h, 2, 4, 2}};
constexpr std::array<uint32_t, 9> counts{0, 1, 2, 3, 4, 8, 16, 32, 64};

// Component v of lane n stands in block v; a block is the lanes' elements rounded up to whole registers.
TEST(LscLoad, ComponentsStandInBlocksOfRegisters) {
    for (const DeviceId device : both_grf_sizes)
        for (const Size& size : sizes)
            for (uint64_t elements = 1; elements <= 4; ++elements)
                for (const uint8_t width : {uint8_t{1}, uint8_t{4}, uint8_t{16}, uint8_t{32}}) {
                    Lsc it({.execution = lanes(width), .data_size = size.size, .elements = elements}, device);
                    it.bench.set(it.addresses, ramp<uint64_t>(32, it.bench.buffer(), 40));
                    it.bench.run();
                    const uint32_t grf = it.bench.grf();
                    const uint32_t block = (width * size.slot + grf - 1) / grf * grf;
                    std::vector<uint8_t> expected(4096, untouched);
                    for (uint32_t v = 0; v < counts[elements]; ++v)
                        for (uint32_t n = 0; n < width; ++n)
                            for (uint32_t b = 0; b < size.slot; ++b) {
                                const bool data = b >= size.shift && b < size.shift + size.memory;
                                expected[v * block + n * size.slot + b] =
                                    data ? it.byte(n * 40 + v * size.memory + b - size.shift) : 0;
                            }
                    ASSERT_EQ(it.bench.get<uint8_t>(it.dst, 4096), expected)
                        << "size " << size.size << " elements " << elements << " lanes " << int{width};
                }
}

TEST(LscStore, TakesTheLowBytesOfEachSlot) {
    for (const DeviceId device : both_grf_sizes)
        for (const Size& size : sizes)
            for (const int sub : {int{store}, int{store_uncompressed}}) {
                Lsc it({.sub = sub, .execution = lanes(16), .data_size = size.size, .elements = 2}, device);
                it.bench.set(it.addresses, ramp<uint64_t>(32, it.bench.buffer(), 40));
                const auto data = ramp<uint8_t>(1024, 3, 7);
                it.bench.set(it.src1, data);
                std::vector<uint8_t> expected(2048);
                for (uint32_t at = 0; at < 2048; ++at)
                    expected[at] = it.byte(at);
                const uint32_t grf = it.bench.grf();
                const uint32_t block = (16 * size.slot + grf - 1) / grf * grf;
                for (uint32_t v = 0; v < 2; ++v)
                    for (uint32_t n = 0; n < 16; ++n)
                        for (uint32_t b = 0; b < size.memory; ++b)
                            expected[n * 40 + v * size.memory + b] =
                                data[v * block + n * size.slot + b + size.shift];
                it.bench.run();
                for (uint32_t at = 0; at < 2048; ++at)
                    ASSERT_EQ(it.byte(at), expected[at]) << "size " << size.size << " at " << at;
            }
}

TEST(LscLoad, TransposedIsContiguous) {
    for (const Size& size : {sizes[2], sizes[3]})
        for (uint64_t elements = 1; elements <= 8; ++elements) {
            Lsc it({.data_size = size.size, .transposed = true, .elements = elements});
            it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 24});
            it.bench.run();
            std::vector<uint8_t> expected(4096, untouched);
            for (uint32_t b = 0; b < counts[elements] * size.memory; ++b)
                expected[b] = it.byte(24 + b);
            EXPECT_EQ(it.bench.get<uint8_t>(it.dst, 4096), expected) << elements;
        }
}

TEST(LscStore, TransposedIsContiguous) {
    Lsc it({.sub = store, .transposed = true, .elements = 7}); // d32x32t
    it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 16});
    it.bench.set(it.src1, ramp<uint32_t>(32, 500, 1));
    const uint32_t before = it.dword(12);
    const uint32_t behind = it.dword(144);
    it.bench.run();
    for (uint32_t k = 0; k < 32; ++k)
        EXPECT_EQ(it.dword(16 + k * 4), 500 + k);
    EXPECT_EQ(it.dword(12), before);
    EXPECT_EQ(it.dword(144), behind);
}

TEST(LscLoad, QuadHasTheElementsOfItsMask) {
    for (uint64_t mask = 1; mask < 16; ++mask) {
        Lsc it({.sub = load_quad, .execution = lanes(8), .elements = 0, .mask = mask}, DeviceId::dg2);
        it.bench.set(it.addresses, ramp<uint64_t>(8, it.bench.buffer(), 16));
        it.bench.run();
        std::vector<uint32_t> expected(32, untouched_dword);
        uint32_t position = 0;
        for (uint32_t v = 0; v < 4; ++v)
            if ((mask >> v & 1) != 0) {
                for (uint32_t n = 0; n < 8; ++n)
                    expected[position * 8 + n] = it.dword(n * 16 + v * 4);
                ++position;
            }
        EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 32), expected) << mask;
    }
}

TEST(LscStore, QuadLeavesTheOthersAlone) {
    Lsc it({.sub = store_quad, .execution = lanes(8), .elements = 0, .mask = 0b0101}, DeviceId::dg2);
    it.bench.set(it.addresses, ramp<uint64_t>(8, it.bench.buffer(), 16));
    it.bench.set(it.src1, ramp<uint32_t>(16, 100, 1));
    std::vector<uint32_t> before;
    for (uint32_t k = 0; k < 32; ++k)
        before.push_back(it.dword(k * 4));
    it.bench.run();
    for (uint32_t n = 0; n < 8; ++n) {
        EXPECT_EQ(it.dword(n * 16), 100 + n);
        EXPECT_EQ(it.dword(n * 16 + 4), before[n * 4 + 1]);
        EXPECT_EQ(it.dword(n * 16 + 8), 108 + n);
        EXPECT_EQ(it.dword(n * 16 + 12), before[n * 4 + 3]);
    }
}

// ---- addresses

TEST(LscLoad, ScaleAndImmediateOffset) {
    Lsc it({.execution = lanes(4), .type = bti, .scale = 4, .immediate_offset = -16, .address_size = a32});
    it.bench.set<uint32_t>(it.addresses, {4, 5, 10, 3}); // the last one: 12 - 16, modulo 2^32
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 4),
              (std::vector<uint32_t>{it.dword(0), it.dword(4), it.dword(24), 0}));
}

TEST(LscLoad, AScaleOfZeroSaysNothing) {
    Lsc it({.type = bti, .scale = 0, .address_size = a32});
    it.bench.set<uint32_t>(it.addresses, {8});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 1)[0], it.dword(8));
}

TEST(LscLoad, AddressSizes) {
    Lsc words({.execution = lanes(2), .type = bti, .address_size = a16});
    words.bench.set<uint16_t>(words.addresses, {4, 0x7fc});
    words.bench.run();
    EXPECT_EQ(words.bench.get<uint32_t>(words.dst, 2),
              (std::vector<uint32_t>{words.dword(4), words.dword(0x7fc)}));

    Lsc wrap({.type = bti, .immediate_offset = 16, .address_size = a32});
    wrap.bench.set<uint32_t>(wrap.addresses, {0xffff'fff4});
    wrap.bench.run();
    EXPECT_EQ(wrap.bench.get<uint32_t>(wrap.dst, 1)[0], wrap.dword(4));

    Lsc wide({.execution = lanes(2), .type = bti, .address_size = a64});
    wide.bench.set<uint64_t>(wide.addresses, {0x1'0000'0004, 4});
    wide.bench.run();
    EXPECT_EQ(wide.bench.get<uint32_t>(wide.dst, 2), (std::vector<uint32_t>{0, wide.dword(4)}));
}

// A flat message may name a 64-bit base; 32-bit offsets from it are signed or not.
TEST(LscLoad, FlatBaseWith32BitOffsets) {
    for (const uint64_t size : {uint64_t{a32s}, uint64_t{a32u}}) {
        Bench bench(DeviceId::pvc);
        const uint32_t base = bench.variable(Type::uq, 1);
        const uint32_t offsets = bench.variable(Type::ud, 8);
        const uint32_t dst = bench.variable(Type::ud, 32);
        bench.instruction(lsc_untyped, load, lanes(2),
                          {code(ugm), code(0), code(0), code(flat), code(1), code(0), code(size), code(d32),
                           code(1), code(1), code(0), general(base), code(0), raw_operand(dst),
                           raw_operand(offsets), null_operand(), null_operand()});
        bench.start(1024);
        for (uint32_t k = 0; k < 256; ++k)
            poke<uint32_t>(bench.buffer() + k * 4, k);
        const bool is_signed = size == a32s;
        bench.set<uint64_t>(base, {is_signed ? bench.buffer() + 512 : bench.buffer() - 0xffff'ff00});
        bench.set<uint32_t>(offsets, {0xffff'ff04, is_signed ? 8 : 0xffff'ff08});
        bench.run();
        EXPECT_EQ(bench.thread.status, Status::running);
        EXPECT_EQ(bench.get<uint32_t>(dst, 2),
                  is_signed ? (std::vector<uint32_t>{(512 - 252) / 4, 130}) : (std::vector<uint32_t>{1, 2}));
    }
}

TEST(LscLoad, SharedLocalMemory) {
    Lsc it({.execution = lanes(4), .sfid = slm_unit, .address_size = a32});
    it.bench.watch();
    poke<uint32_t>(it.bench.slm_bytes(), 508, 11);
    poke<uint32_t>(it.bench.slm_bytes(), 8, 12);
    it.bench.set<uint32_t>(it.addresses, {508, 0x1000'0008, 509, 512});
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 4), (std::vector<uint32_t>{11, 12, 0, 0}));
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].space, Space::slm);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0b1100U);
    EXPECT_EQ(it.bench.thread.status, Status::running);
}

TEST(LscLoad, SurfaceStates) {
    // Handle 0 of ss is scratch: ss(r0.5 >> 4).
    Lsc own({.type = by_ss, .address_size = a32});
    poke<uint32_t>(own.bench.scratch_bytes(), 16, 99);
    own.bench.set<uint32_t>(own.addresses, {16});
    own.bench.run();
    EXPECT_EQ(own.bench.get<uint32_t>(own.dst, 1)[0], 99U);

    // Other handles are binding-table indices here.
    for (const uint64_t type : {uint64_t{by_ss}, uint64_t{by_bss}, uint64_t{bti}}) {
        Lsc other({.type = type, .address_size = a32, .surface = 1});
        const uint64_t second = other.bench.allocate(64);
        other.bench.launch().surfaces.push_back(
            {.kind = machine::SurfaceKind::buffer, .address = second, .bytes = 64});
        poke<uint32_t>(second + 8, 1234);
        other.bench.set<uint32_t>(other.addresses, {8});
        other.bench.run();
        EXPECT_EQ(other.bench.get<uint32_t>(other.dst, 1)[0], 1234U) << type;
    }
}

TEST(LscLoad, PlacesThatAreNotKnownAreRefused) {
    EXPECT_EQ(Lsc({.sub = store, .type = arg}).bench.handler(), nullptr) << "arguments are only read";
    EXPECT_EQ(Lsc({.sub = iadd, .type = arg}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.type = 7}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.type = 0}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.sfid = tgm}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.sfid = urb}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.address_size = 0}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.address_size = 6}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.data_size = 0}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.data_size = 8}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.elements = 0}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.elements = 9}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.type = flat, .surface_index = 1}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.execution = lanes(2), .transposed = true}).bench.handler(), nullptr);
    EXPECT_NE(Lsc({.sfid = ugml}).bench.handler(), nullptr);
}

TEST(LscLoad, Strided) {
    struct Case {
        std::optional<Operand> pitch;
        uint32_t step;
    };
    for (const Case& one : {Case{std::nullopt, 8}, {immediate(0), 0}, {immediate(20), 20}}) {
        Lsc it({.sub = load_strided,
                .execution = lanes(8),
                .type = bti,
                .immediate_offset = 4,
                .address_size = a32,
                .elements = 2,
                .pitch = one.pitch},
               DeviceId::dg2);
        it.bench.thread.execution_mask = 0b1111'1011; // lane 2 is off and still counts
        it.bench.set<uint32_t>(it.addresses, {12, 0xdead, 0xdead});
        it.bench.run();
        std::vector<uint32_t> expected(16, untouched_dword);
        for (uint32_t n = 0; n < 8; ++n)
            for (uint32_t v = 0; v < 2 && n != 2; ++v)
                expected[v * 8 + n] = it.dword(16 + n * one.step + v * 4);
        EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 16), expected) << one.step;
    }
}

TEST(LscStore, Strided) {
    Lsc it({.sub = store_strided, .execution = lanes(4), .pitch = immediate(12)});
    it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 100});
    it.bench.set<uint32_t>(it.src1, {1, 2, 3, 4});
    const uint32_t between = it.dword(104);
    it.bench.run();
    for (uint32_t n = 0; n < 4; ++n)
        EXPECT_EQ(it.dword(100 + n * 12), n + 1);
    EXPECT_EQ(it.dword(104), between);
}

// ---- bounds, masks, events

TEST(LscLoad, OutsideASurfaceByElement) {
    Lsc it({.execution = lanes(2), .type = bti, .address_size = a32, .elements = 4}, DeviceId::dg2);
    it.bench.watch();
    it.bench.set<uint32_t>(it.addresses, {2040, 0xffff'fffc});
    it.bench.run();
    std::vector<uint32_t> lane0;
    for (uint32_t v = 0; v < 4; ++v)
        lane0.push_back(it.bench.get<uint32_t>(it.dst, 1, v * 32)[0]);
    EXPECT_EQ(lane0, (std::vector<uint32_t>{it.dword(2040), it.dword(2044), 0, 0}));
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 2)[1], 0U);
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].bytes, 16U);
    EXPECT_EQ(it.bench.seen.accesses[0].dropped, 0b11U);
}

TEST(LscLoad, OutsideFlatMemoryIsAFault) {
    Lsc it({.execution = lanes(8, 3), .elements = 2});
    it.bench.set(it.addresses, ramp<uint64_t>(8, it.bench.buffer() + 2024, 8));
    it.bench.run();
    EXPECT_EQ(it.bench.thread.status, Status::faulted);
    EXPECT_EQ(it.bench.thread.fault.kind, FaultKind::out_of_bounds);
    EXPECT_EQ(it.bench.thread.fault.lane, 11); // 2024 + 3 * 8 = 2048
    EXPECT_EQ(it.bench.thread.fault.address, it.bench.buffer() + 2048);
    EXPECT_EQ(it.bench.thread.fault.bytes, 8U);
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 4),
              (std::vector<uint32_t>{it.dword(2024), it.dword(2032), it.dword(2040), untouched_dword}));
}

TEST(LscLoad, APrefetchAsksForNothing) {
    Lsc it({.execution = lanes(8), .null_data = true});
    it.bench.watch();
    it.bench.set<uint64_t>(it.addresses, std::vector<uint64_t>(8, 3));
    const std::vector<std::byte> before = it.bench.registers();
    it.bench.run();
    EXPECT_EQ(it.bench.thread.status, Status::running);
    EXPECT_EQ(it.bench.registers(), before);
    EXPECT_TRUE(it.bench.seen.accesses.empty());
}

TEST(LscStore, MasksConflictsAndAlignment) {
    Lsc it({.sub = store, .execution = lanes(8)});
    it.bench.watch();
    it.bench.thread.execution_mask = 0b1110;
    it.bench.set<uint64_t>(it.addresses,
                           {1, it.bench.buffer() + 8, it.bench.buffer() + 8, it.bench.buffer() + 33});
    it.bench.set<uint32_t>(it.src1, {1, 2, 3, 4});
    it.bench.run();
    EXPECT_EQ(it.bench.thread.status, Status::running);
    EXPECT_EQ(it.dword(8), 3U);
    EXPECT_EQ(it.dword(33), 4U);
    ASSERT_EQ(it.bench.seen.undefineds.size(), 2U);
    EXPECT_EQ(it.bench.seen.undefineds[0].kind, UndefinedKind::misaligned);
    EXPECT_EQ(it.bench.seen.undefineds[0].lanes, 0b1000U);
    EXPECT_EQ(it.bench.seen.undefineds[1].kind, UndefinedKind::write_conflict);
    EXPECT_EQ(it.bench.seen.undefineds[1].lanes, 0b0110U);
}

TEST(LscLoad, StatusIsABitForEachLaneThatIsThere) {
    for (const uint64_t type : {uint64_t{flat}, uint64_t{bti}}) {
        Lsc it({.sub = load_status, .execution = lanes(8), .type = type, .elements = 2});
        it.bench.thread.execution_mask = 0b0111'1111;
        const uint64_t base = type == flat ? it.bench.buffer() : 0;
        it.bench.set<uint64_t>(it.addresses, {base, base + 2040, base + 2044, base + 2048, base + 8,
                                              1ULL << 50U, base + 16, base});
        it.bench.run();
        EXPECT_EQ(it.bench.thread.status, Status::running);
        EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 2), (std::vector<uint32_t>{0b0101'0011, untouched_dword}));
    }
}

// ---- atomics

struct Outcome {
    uint64_t memory;
    uint64_t result;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};
std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
    return out << std::hex << "memory " << outcome.memory << ", result " << outcome.result;
}

Outcome atomic(int sub, uint64_t size, uint64_t old, uint64_t src1 = 0, uint64_t src2 = 0) {
    Lsc it({.sub = sub, .data_size = size, .null_second = false});
    it.bench.set<uint64_t>(it.addresses, {it.bench.buffer() + 64});
    poke<uint64_t>(it.bench.buffer() + 64, old);
    it.bench.set<uint64_t>(it.src1, {src1});
    it.bench.set<uint64_t>(it.src2, {src2});
    it.bench.run();
    const uint64_t result =
        size == d64 ? it.bench.get<uint64_t>(it.dst, 1)[0] : it.bench.get<uint32_t>(it.dst, 1)[0];
    return {peek<uint64_t>(it.bench.buffer() + 64), result};
}

TEST(LscAtomic, EveryOperation) {
    EXPECT_EQ(atomic(iinc, d32, 0xffff'ffff), (Outcome{0, 0xffff'ffff}));
    EXPECT_EQ(atomic(idec, d32, 0), (Outcome{0xffff'ffff, 0}));
    EXPECT_EQ(atomic(atomic_load, d32, 7, 9), (Outcome{7, 7}));
    EXPECT_EQ(atomic(atomic_store, d32, 7, 9), (Outcome{9, 7}));
    EXPECT_EQ(atomic(iadd, d32, 7, 9), (Outcome{16, 7}));
    EXPECT_EQ(atomic(isub, d32, 7, 9), (Outcome{0xffff'fffe, 7}));
    EXPECT_EQ(atomic(smin, d32, 7, 0xffff'ffff), (Outcome{0xffff'ffff, 7}));
    EXPECT_EQ(atomic(smax, d32, 7, 0xffff'ffff), (Outcome{7, 7}));
    EXPECT_EQ(atomic(umin, d32, 7, 0xffff'ffff), (Outcome{7, 7}));
    EXPECT_EQ(atomic(umax, d32, 7, 0xffff'ffff), (Outcome{0xffff'ffff, 7}));
    EXPECT_EQ(atomic(fadd, d32, 0x3f80'0000, 0x4000'0000), (Outcome{0x4040'0000, 0x3f80'0000}));
    EXPECT_EQ(atomic(fsub, d32, 0x3f80'0000, 0x4000'0000), (Outcome{0xbf80'0000, 0x3f80'0000}));
    EXPECT_EQ(atomic(fmin, d32, 0x3f80'0000, 0xc000'0000), (Outcome{0xc000'0000, 0x3f80'0000}));
    EXPECT_EQ(atomic(fmax, d32, 0x3f80'0000, 0xc000'0000), (Outcome{0x3f80'0000, 0x3f80'0000}));
    EXPECT_EQ(atomic(and_, d32, 0b1100, 0b1010), (Outcome{0b1000, 0b1100}));
    EXPECT_EQ(atomic(or_, d32, 0b1100, 0b1010), (Outcome{0b1110, 0b1100}));
    EXPECT_EQ(atomic(xor_, d32, 0b1100, 0b1010), (Outcome{0b0110, 0b1100}));
}

// The reverse of CMPXCHG: src1 is compared, src2 is stored.
TEST(LscAtomic, CompareComesFirst) {
    EXPECT_EQ(atomic(icas, d32, 5, 5, 9), (Outcome{9, 5}));
    EXPECT_EQ(atomic(icas, d32, 5, 9, 5), (Outcome{5, 5}));
    EXPECT_EQ(atomic(icas, d64, 1ULL << 40U, 1ULL << 40U, 9), (Outcome{9, 1ULL << 40U}));
    EXPECT_EQ(atomic(fcas, d32, 0x8000'0000, 0, 9), (Outcome{9, 0x8000'0000}));
    EXPECT_EQ(atomic(fcas, d32, 0x7fc0'0000, 0x7fc0'0000, 9), (Outcome{0x7fc0'0000, 0x7fc0'0000}));
}

TEST(LscAtomic, Widths) {
    EXPECT_EQ(atomic(iadd, d64, UINT64_MAX, 2), (Outcome{1, UINT64_MAX}));
    EXPECT_EQ(atomic(iadd, d16u32, 0x1111'ffff, 0xdead'0002), (Outcome{0x1111'0001, 0xffff}));
    for (const uint64_t size : {uint64_t{d8}, uint64_t{d16}, uint64_t{d8u32}, uint64_t{d16u32h}})
        EXPECT_EQ(Lsc({.sub = iadd, .data_size = size}).bench.handler(), nullptr) << size;
    EXPECT_EQ(Lsc({.sub = iadd, .elements = 2}).bench.handler(), nullptr);
    EXPECT_EQ(Lsc({.sub = iadd, .transposed = true}).bench.handler(), nullptr);
}

// bfloat16: 1.0 = 3f80, 2.0 = 4000, 3.0 = 4040, 256 = 4380.
TEST(LscAtomic, Bfloat) {
    EXPECT_EQ(atomic(bfadd, d16u32, 0x3f80, 0x4000), (Outcome{0x4040, 0x3f80}));
    EXPECT_EQ(atomic(bfadd, d16u32, 0x4380, 0x3f80), (Outcome{0x4380, 0x4380})); // 257: a tie, to even
    EXPECT_EQ(atomic(bfmax, d16u32, 0x7fc0, 0x3f80), (Outcome{0x3f80, 0x7fc0}));
    EXPECT_EQ(atomic(bfcas, d16u32, 0x3f80, 0x3f80, 0x4000), (Outcome{0x4000, 0x3f80}));
    EXPECT_EQ(Lsc({.sub = bfadd, .data_size = d32}).bench.handler(), nullptr);
}

TEST(LscAtomic, LanesOnSharedLocalMemory) {
    Lsc it({.sub = iadd, .execution = lanes(32), .sfid = slm_unit, .address_size = a32});
    it.bench.watch();
    poke<uint32_t>(it.bench.slm_bytes(), 4, 0);
    it.bench.set(it.addresses, std::vector<uint32_t>(32, 4));
    it.bench.set(it.src1, std::vector<uint32_t>(32, 3));
    it.bench.run();
    EXPECT_EQ(it.bench.get<uint32_t>(it.dst, 32), ramp<uint32_t>(32, 0, 3));
    EXPECT_EQ(peek<uint32_t>(it.bench.slm_bytes(), 4), 96U);
    EXPECT_EQ(it.bench.thread.idle_atomics, 1U);
    ASSERT_EQ(it.bench.seen.accesses.size(), 1U);
    EXPECT_EQ(it.bench.seen.accesses[0].kind, AccessKind::atomic);
    EXPECT_EQ(it.bench.seen.accesses[0].space, Space::slm);
}

TEST(LscAtomic, NullResultAndOutside) {
    Lsc it({.sub = iinc, .execution = lanes(2), .type = bti, .address_size = a32, .null_data = true});
    it.bench.set<uint32_t>(it.addresses, {0, 2046});
    poke<uint32_t>(it.bench.surface_bytes(), 0, 1);
    const std::vector<std::byte> before = it.bench.registers();
    const auto last = peek<uint16_t>(it.bench.surface_bytes(), 2046);
    it.bench.run();
    EXPECT_EQ(it.bench.registers(), before);
    EXPECT_EQ(it.dword(0), 2U);
    EXPECT_EQ(peek<uint16_t>(it.bench.surface_bytes(), 2046), last);
}

TEST(LscLoad, ResultMayOverlapTheAddresses) {
    for (const int32_t at : {0, 8, 64}) {
        Bench bench(DeviceId::pvc);
        const uint32_t both = bench.variable(Type::uq, 64);
        bench.instruction(lsc_untyped, load, lanes(16),
                          {code(ugm), code(0), code(0), code(flat), code(1), code(0), code(a64), code(d32),
                           code(1), code(2), code(0), immediate(0), code(0), raw_operand(both, at),
                           raw_operand(both, 64), null_operand(), null_operand()});
        bench.start(1024);
        for (uint32_t k = 0; k < 64; ++k)
            poke<uint32_t>(bench.buffer() + k * 4, k);
        bench.set(both, ramp<uint64_t>(16, bench.buffer(), 8), 64);
        bench.run();
        EXPECT_EQ(bench.get<uint32_t>(both, 16, static_cast<uint32_t>(at)), ramp<uint32_t>(16, 0, 2));
        EXPECT_EQ(bench.get<uint32_t>(both, 16, static_cast<uint32_t>(at) + 64), ramp<uint32_t>(16, 1, 2));
    }
}

// Ruling 73.
TEST(LscLoadQuadStatus, FlatLanesThatAreNotThereReadZeroAndAreNoFault) {
    Lsc lsc({.sub = load_quad_status, .execution = lanes(4), .elements = 0, .mask = 0b0101}, DeviceId::dg2);
    const uint64_t end = lsc.bench.buffer() + 2048;
    lsc.bench.set<uint64_t>(lsc.addresses, {lsc.bench.buffer(), end - 12, end - 8, 0});
    lsc.bench.run();
    EXPECT_EQ(lsc.bench.thread.status, Status::running);
    EXPECT_EQ(lsc.bench.get<uint32_t>(lsc.dst, 4),
              (std::vector<uint32_t>{lsc.dword(0), lsc.dword(2036), 0, 0}));
    EXPECT_EQ(lsc.bench.get<uint32_t>(lsc.dst, 4, 32),
              (std::vector<uint32_t>{lsc.dword(8), lsc.dword(2044), 0, 0}));
    EXPECT_EQ(lsc.bench.get<uint32_t>(lsc.dst, 2, 64), (std::vector<uint32_t>{0b0011, untouched_dword}));
}

TEST(LscLoadQuadStatus, OnASurfaceEachChannelIsThereOrNot) {
    Lsc lsc({load_quad_status, lanes(4), ugm, bti, 1, 0, a32, d32, false, 0, 0b0101});
    lsc.bench.set<uint32_t>(lsc.addresses, {0, 2036, 2040, 4096});
    lsc.bench.thread.execution_mask = 0b1101;
    lsc.bench.run();
    EXPECT_EQ(lsc.bench.get<uint32_t>(lsc.dst, 4),
              (std::vector<uint32_t>{lsc.dword(0), untouched_dword, lsc.dword(2040), 0}));
    EXPECT_EQ(lsc.bench.get<uint32_t>(lsc.dst, 4, 64),
              (std::vector<uint32_t>{lsc.dword(8), untouched_dword, 0, 0}));
    EXPECT_EQ(lsc.bench.get<uint32_t>(lsc.dst, 1, 128), (std::vector<uint32_t>{0b0001}));
}

} // namespace
} // namespace visor::interp
