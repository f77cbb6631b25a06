// One flat atomic on a bench, and the codes and float bits that the tests of atomics share.
#pragma once

#include "memory_fixture.h"

namespace visor::interp {

inline constexpr uint8_t svm = 0x4e;
inline constexpr int svm_atomic = 5;

enum AtomicCode : uint8_t {
    add = 0x00,
    sub = 0x01,
    inc = 0x02,
    dec = 0x03,
    min = 0x04,
    max = 0x05,
    xchg = 0x06,
    cmpxchg = 0x07,
    and_ = 0x08,
    or_ = 0x09,
    xor_ = 0x0a,
    imin = 0x0b,
    imax = 0x0c,
    predec = 0x0d,
    fmax = 0x10,
    fmin = 0x11,
    fcmpwr = 0x12,
    fadd = 0x13,
    fsub = 0x14,
};
inline constexpr uint64_t width_32 = 0x00;
inline constexpr uint64_t width_16 = 0x20;
inline constexpr uint64_t width_64 = 0x40;

// One atomic over flat memory: V32 addresses, V33 src0, V34 src1, V35 dst.
struct Flat {
    Bench bench;
    uint32_t addresses;
    uint32_t src0;
    uint32_t src1;
    uint32_t dst;

    explicit Flat(uint64_t op, Execution execution = lanes(1), isa::DeviceId device = isa::DeviceId::skl,
                  bool keep = true, Predicate by = {})
        : bench(device), addresses(bench.variable(isa::Type::uq, 32)),
          src0(bench.variable(isa::Type::uq, 32)), src1(bench.variable(isa::Type::uq, 32)),
          dst(bench.variable(isa::Type::uq, 32)) {
        if (by.id != 0)
            bench.predicate();
        const bool unary = (op & 0x1f) == inc || (op & 0x1f) == dec || (op & 0x1f) == predec;
        const bool ternary = (op & 0x1f) == cmpxchg || (op & 0x1f) == fcmpwr;
        bench.instruction(svm, svm_atomic, execution,
                          {code(op), raw_operand(addresses), unary ? null_operand() : raw_operand(src0),
                           ternary ? raw_operand(src1) : null_operand(),
                           keep ? raw_operand(dst) : null_operand()},
                          by);
        bench.start(512);
        bench.set(addresses, ramp<uint64_t>(32, bench.buffer(), 8));
    }
};

// Floats by their bits. f: 1.0 = 3f800000, 2.0 = 40000000, quiet NaN = 7fc00000. hf: 3c00, 4000, 7e00.
// df: 3ff0..., 4000..., 7ff8....
inline constexpr uint32_t f_one = 0x3f80'0000;
inline constexpr uint32_t f_two = 0x4000'0000;
inline constexpr uint32_t f_three = 0x4040'0000;
inline constexpr uint32_t f_minus_one = 0xbf80'0000;
inline constexpr uint32_t f_minus_two = 0xc000'0000;
inline constexpr uint32_t f_nan = 0x7fc0'0000;
inline constexpr uint32_t f_negative_nan = 0xffc0'0001;
inline constexpr uint32_t f_infinity = 0x7f80'0000;
inline constexpr uint32_t f_minus_zero = 0x8000'0000;

} // namespace visor::interp
