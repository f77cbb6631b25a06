// Every atomic operation at every width, through SVM_ATOMIC with one lane, against values worked out by hand
// from the table DWORD_ATOMIC_OP and the rulings.
#include "atomic_messages.h"

#include <ostream>
#include <type_traits>

namespace visor::interp {
namespace {

// What one lane makes of `old`: the new memory and the result.
struct Outcome {
    uint64_t memory;
    uint64_t result;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};
std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
    return out << std::hex << "memory " << outcome.memory << ", result " << outcome.result;
}

template <class T>
Outcome one(uint64_t op, T old, T first, T second) {
    using Slot = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    Flat it(op);
    poke<T>(it.bench.buffer(), old);
    // 16-bit data: the upper half of the dword is not looked at.
    const Slot noise = sizeof(T) == 2 ? static_cast<Slot>(0xdead'0000) : 0;
    it.bench.set<Slot>(it.src0, {static_cast<Slot>(first | noise)});
    it.bench.set<Slot>(it.src1, {static_cast<Slot>(second | noise)});
    it.bench.run();
    // Behind the access nothing changes.
    EXPECT_EQ(peek<uint8_t>(it.bench.buffer() + sizeof(T)), untouched);
    return {peek<T>(it.bench.buffer()), it.bench.get<Slot>(it.dst, 1)[0]};
}
Outcome word(uint64_t op, uint16_t old, uint16_t first = 0, uint16_t second = 0) {
    return one<uint16_t>(op | width_16, old, first, second);
}
Outcome dword(uint64_t op, uint32_t old, uint32_t first = 0, uint32_t second = 0) {
    return one<uint32_t>(op | width_32, old, first, second);
}
Outcome qword(uint64_t op, uint64_t old, uint64_t first = 0, uint64_t second = 0) {
    return one<uint64_t>(op | width_64, old, first, second);
}

TEST(AtomicOps, AddAndSubWrap) {
    EXPECT_EQ(dword(add, 7, 5), (Outcome{12, 7}));
    EXPECT_EQ(dword(add, 0xffff'ffff, 2), (Outcome{1, 0xffff'ffff}));
    EXPECT_EQ(dword(sub, 7, 5), (Outcome{2, 7}));
    EXPECT_EQ(dword(sub, 1, 2), (Outcome{0xffff'ffff, 1}));
    EXPECT_EQ(word(add, 0xffff, 2), (Outcome{1, 0xffff}));
    EXPECT_EQ(word(sub, 1, 2), (Outcome{0xffff, 1}));
    EXPECT_EQ(qword(add, UINT64_MAX, 2), (Outcome{1, UINT64_MAX}));
    EXPECT_EQ(qword(add, 0xffff'ffff, 1), (Outcome{0x1'0000'0000, 0xffff'ffff}));
    EXPECT_EQ(qword(sub, 1, 2), (Outcome{UINT64_MAX, 1}));
}

TEST(AtomicOps, IncAndDecWrapAndReturnTheOldValue) { // ruling 23
    EXPECT_EQ(dword(inc, 41), (Outcome{42, 41}));
    EXPECT_EQ(dword(inc, 0xffff'ffff), (Outcome{0, 0xffff'ffff}));
    EXPECT_EQ(dword(dec, 42), (Outcome{41, 42}));
    EXPECT_EQ(dword(dec, 0), (Outcome{0xffff'ffff, 0}));
    EXPECT_EQ(word(inc, 0xffff), (Outcome{0, 0xffff}));
    EXPECT_EQ(word(dec, 0), (Outcome{0xffff, 0}));
    EXPECT_EQ(qword(inc, UINT64_MAX), (Outcome{0, UINT64_MAX}));
    EXPECT_EQ(qword(dec, 0), (Outcome{UINT64_MAX, 0}));
}

TEST(AtomicOps, PredecReturnsTheNewValue) { // ruling 23
    EXPECT_EQ(dword(predec, 42), (Outcome{41, 41}));
    EXPECT_EQ(dword(predec, 0), (Outcome{0xffff'ffff, 0xffff'ffff}));
    EXPECT_EQ(word(predec, 0), (Outcome{0xffff, 0xffff})); // the upper half of dst is zero: ruling 24
    EXPECT_EQ(qword(predec, 0), (Outcome{UINT64_MAX, UINT64_MAX}));
}

TEST(AtomicOps, MinAndMaxAreUnsigned) {
    EXPECT_EQ(dword(min, 3, 0xffff'fffe), (Outcome{3, 3}));
    EXPECT_EQ(dword(min, 0xffff'fffe, 3), (Outcome{3, 0xffff'fffe}));
    EXPECT_EQ(dword(max, 3, 0xffff'fffe), (Outcome{0xffff'fffe, 3}));
    EXPECT_EQ(dword(max, 0xffff'fffe, 3), (Outcome{0xffff'fffe, 0xffff'fffe}));
    EXPECT_EQ(word(min, 0x8000, 0x7fff), (Outcome{0x7fff, 0x8000}));
    EXPECT_EQ(word(max, 0x7fff, 0x8000), (Outcome{0x8000, 0x7fff}));
    EXPECT_EQ(qword(min, 1ULL << 63U, 5), (Outcome{5, 1ULL << 63U}));
    EXPECT_EQ(qword(max, 5, 1ULL << 63U), (Outcome{1ULL << 63U, 5}));
}

TEST(AtomicOps, IminAndImaxAreSigned) {
    EXPECT_EQ(dword(imin, 3, 0xffff'fffe), (Outcome{0xffff'fffe, 3}));
    EXPECT_EQ(dword(imin, 0x8000'0000, 3), (Outcome{0x8000'0000, 0x8000'0000}));
    EXPECT_EQ(dword(imax, 3, 0xffff'fffe), (Outcome{3, 3}));
    EXPECT_EQ(dword(imax, 0x8000'0000, 3), (Outcome{3, 0x8000'0000}));
    EXPECT_EQ(word(imin, 0x7fff, 0x8000), (Outcome{0x8000, 0x7fff}));
    EXPECT_EQ(word(imax, 0x8000, 0x7fff), (Outcome{0x7fff, 0x8000}));
    EXPECT_EQ(qword(imin, 5, 1ULL << 63U), (Outcome{1ULL << 63U, 5}));
    EXPECT_EQ(qword(imax, 1ULL << 63U, 5), (Outcome{5, 1ULL << 63U}));
}

TEST(AtomicOps, ExchangeAndBits) {
    EXPECT_EQ(dword(xchg, 1, 2), (Outcome{2, 1}));
    EXPECT_EQ(word(xchg, 1, 2), (Outcome{2, 1}));
    EXPECT_EQ(qword(xchg, 1, 2), (Outcome{2, 1}));
    EXPECT_EQ(dword(and_, 0b1100, 0b1010), (Outcome{0b1000, 0b1100}));
    EXPECT_EQ(dword(or_, 0b1100, 0b1010), (Outcome{0b1110, 0b1100}));
    EXPECT_EQ(dword(xor_, 0b1100, 0b1010), (Outcome{0b0110, 0b1100}));
    EXPECT_EQ(word(and_, 0xff00, 0xf0f0), (Outcome{0xf000, 0xff00}));
    EXPECT_EQ(word(or_, 0xff00, 0xf0f0), (Outcome{0xfff0, 0xff00}));
    EXPECT_EQ(word(xor_, 0xff00, 0xf0f0), (Outcome{0x0ff0, 0xff00}));
    EXPECT_EQ(qword(and_, 0xff00'0000'0000'000c, 0xf0f0'0000'0000'000a),
              (Outcome{0xf000'0000'0000'0008, 0xff00'0000'0000'000c}));
    EXPECT_EQ(qword(or_, 0xff00'0000'0000'000c, 0xf0f0'0000'0000'000a),
              (Outcome{0xfff0'0000'0000'000e, 0xff00'0000'0000'000c}));
    EXPECT_EQ(qword(xor_, 0xff00'0000'0000'000c, 0xf0f0'0000'0000'000a),
              (Outcome{0x0ff0'0000'0000'0006, 0xff00'0000'0000'000c}));
}

// CMPXCHG: new = (old == src1) ? src0 : old (ruling 22).
TEST(AtomicOps, CmpxchgStoresSrc0WhereSrc1Matches) {
    EXPECT_EQ(dword(cmpxchg, 5, 9, 5), (Outcome{9, 5}));
    EXPECT_EQ(dword(cmpxchg, 5, 9, 6), (Outcome{5, 5}));
    EXPECT_EQ(dword(cmpxchg, 5, 5, 9), (Outcome{5, 5})); // the other way round does nothing
    EXPECT_EQ(word(cmpxchg, 5, 9, 5), (Outcome{9, 5}));
    EXPECT_EQ(word(cmpxchg, 5, 9, 6), (Outcome{5, 5}));
    EXPECT_EQ(qword(cmpxchg, 1ULL << 40U, 9, 1ULL << 40U), (Outcome{9, 1ULL << 40U}));
    EXPECT_EQ(qword(cmpxchg, 1ULL << 40U, 9, 0), (Outcome{1ULL << 40U, 1ULL << 40U}));
}

TEST(AtomicOps, FminAndFmax) { // ruling 25
    EXPECT_EQ(dword(fmin, f_two, f_one), (Outcome{f_one, f_two}));
    EXPECT_EQ(dword(fmin, f_one, f_two), (Outcome{f_one, f_one}));
    EXPECT_EQ(dword(fmax, f_one, f_two), (Outcome{f_two, f_one}));
    EXPECT_EQ(dword(fmax, f_two, f_one), (Outcome{f_two, f_two}));
    EXPECT_EQ(dword(fmin, f_minus_one, f_minus_two), (Outcome{f_minus_two, f_minus_one}));
    EXPECT_EQ(dword(fmax, f_minus_two, f_minus_one), (Outcome{f_minus_one, f_minus_two}));
    EXPECT_EQ(dword(fmin, f_one, f_minus_one), (Outcome{f_minus_one, f_one}));
    EXPECT_EQ(dword(fmax, f_minus_one, f_one), (Outcome{f_one, f_minus_one}));
    // The number wins over NaN, on either side and of either sign.
    EXPECT_EQ(dword(fmin, f_nan, f_one), (Outcome{f_one, f_nan}));
    EXPECT_EQ(dword(fmin, f_one, f_nan), (Outcome{f_one, f_one}));
    EXPECT_EQ(dword(fmax, f_negative_nan, f_one), (Outcome{f_one, f_negative_nan}));
    EXPECT_EQ(dword(fmax, f_one, f_negative_nan), (Outcome{f_one, f_one}));
    EXPECT_EQ(dword(fmax, f_infinity, f_nan), (Outcome{f_infinity, f_infinity}));
    EXPECT_EQ(dword(fmax, f_one, f_infinity), (Outcome{f_infinity, f_one}));
    // -0 < +0.
    EXPECT_EQ(dword(fmin, 0, f_minus_zero), (Outcome{f_minus_zero, 0}));
    EXPECT_EQ(dword(fmin, f_minus_zero, 0), (Outcome{f_minus_zero, f_minus_zero}));
    EXPECT_EQ(dword(fmax, f_minus_zero, 0), (Outcome{0, f_minus_zero}));
    EXPECT_EQ(dword(fmax, 0, f_minus_zero), (Outcome{0, 0}));

    EXPECT_EQ(word(fmin, 0x4000, 0x3c00), (Outcome{0x3c00, 0x4000}));
    EXPECT_EQ(word(fmax, 0xbc00, 0x3c00), (Outcome{0x3c00, 0xbc00}));
    EXPECT_EQ(word(fmin, 0x7e00, 0x3c00), (Outcome{0x3c00, 0x7e00}));
    EXPECT_EQ(word(fmax, 0x7c00, 0x7c01), (Outcome{0x7c00, 0x7c00})); // infinity against a NaN
    EXPECT_EQ(word(fmin, 0x0000, 0x8000), (Outcome{0x8000, 0x0000}));

    EXPECT_EQ(qword(fmin, 0x4000'0000'0000'0000, 0x3ff0'0000'0000'0000),
              (Outcome{0x3ff0'0000'0000'0000, 0x4000'0000'0000'0000}));
    EXPECT_EQ(qword(fmax, 0xbff0'0000'0000'0000, 0xc000'0000'0000'0000),
              (Outcome{0xbff0'0000'0000'0000, 0xbff0'0000'0000'0000}));
    EXPECT_EQ(qword(fmax, 0x7ff8'0000'0000'0000, 0xc000'0000'0000'0000),
              (Outcome{0xc000'0000'0000'0000, 0x7ff8'0000'0000'0000}));
    EXPECT_EQ(qword(fmax, 0x8000'0000'0000'0000, 0), (Outcome{0, 0x8000'0000'0000'0000}));
}

// FCMPWR: new = (src0 == old) ? src1 : old, as floats compare.
TEST(AtomicOps, FcmpwrStoresSrc1WhereSrc0Matches) {
    EXPECT_EQ(dword(fcmpwr, f_one, f_one, f_two), (Outcome{f_two, f_one}));
    EXPECT_EQ(dword(fcmpwr, f_one, f_two, f_one), (Outcome{f_one, f_one}));
    EXPECT_EQ(dword(fcmpwr, 0, f_minus_zero, f_two), (Outcome{f_two, 0}));
    EXPECT_EQ(dword(fcmpwr, f_minus_zero, 0, f_two), (Outcome{f_two, f_minus_zero}));
    EXPECT_EQ(dword(fcmpwr, f_nan, f_nan, f_two), (Outcome{f_nan, f_nan}));
    EXPECT_EQ(dword(fcmpwr, f_one, f_minus_one, f_two), (Outcome{f_one, f_one}));
    EXPECT_EQ(dword(fcmpwr, f_infinity, f_infinity, f_two), (Outcome{f_two, f_infinity}));
    EXPECT_EQ(word(fcmpwr, 0x3c00, 0x3c00, 0x4000), (Outcome{0x4000, 0x3c00}));
    EXPECT_EQ(word(fcmpwr, 0x7e00, 0x7e00, 0x4000), (Outcome{0x7e00, 0x7e00}));
    EXPECT_EQ(word(fcmpwr, 0x8000, 0x0000, 0x4000), (Outcome{0x4000, 0x8000}));
    EXPECT_EQ(qword(fcmpwr, 0x3ff0'0000'0000'0000, 0x3ff0'0000'0000'0000, 7),
              (Outcome{7, 0x3ff0'0000'0000'0000}));
    EXPECT_EQ(qword(fcmpwr, 0x7ff8'0000'0000'0000, 0x7ff8'0000'0000'0000, 7),
              (Outcome{0x7ff8'0000'0000'0000, 0x7ff8'0000'0000'0000}));
}

TEST(AtomicOps, FaddAndFsub) { // ruling 36
    EXPECT_EQ(dword(fadd, f_one, f_two), (Outcome{f_three, f_one}));
    EXPECT_EQ(dword(fsub, f_one, f_two), (Outcome{f_minus_one, f_one}));
    EXPECT_EQ(dword(fsub, f_three, f_one), (Outcome{f_two, f_three}));
    EXPECT_EQ(dword(fadd, 0x4b80'0000, f_one),
              (Outcome{0x4b80'0000, 0x4b80'0000}));                   // 2^24 + 1: a tie, to even
    EXPECT_EQ(word(fadd, 0x3c00, 0x4000), (Outcome{0x4200, 0x3c00})); // 1 + 2 = 3
    EXPECT_EQ(word(fsub, 0x3c00, 0x4000), (Outcome{0xbc00, 0x3c00}));
    EXPECT_EQ(word(fadd, 0x6800, 0x3c00), (Outcome{0x6800, 0x6800})); // 2048 + 1: a tie, to even
    EXPECT_EQ(word(fadd, 0x6801, 0x3c00), (Outcome{0x6802, 0x6801})); // 2050 + 1: a tie, to even, which is up
    EXPECT_EQ(word(fadd, 0x7bff, 0x7bff), (Outcome{0x7c00, 0x7bff})); // 65504 twice: infinity
    EXPECT_EQ(qword(fadd, 0x3ff0'0000'0000'0000, 0x4000'0000'0000'0000),
              (Outcome{0x4008'0000'0000'0000, 0x3ff0'0000'0000'0000}));
    EXPECT_EQ(qword(fsub, 0x3ff0'0000'0000'0000, 0x4000'0000'0000'0000),
              (Outcome{0xbff0'0000'0000'0000, 0x3ff0'0000'0000'0000}));
}

} // namespace
} // namespace visor::interp
