// What each atomic operation makes of the old value: one table for DWORD_ATOMIC, SVM_ATOMIC and the atomics
// of LSC, whose sources come in the same order here: `first` is src0 and `second` src1 of the legacy messages
// (DWORD_ATOMIC page, ruling 22). How the memory is changed in one step stands in atomic_access.h.
#pragma once

#include <cstdint>

namespace visor::interp {

template <class T>
using Formula = T (*)(T old, T first, T second);

// The codes of the pages (bits 4..0 of op); those from 0x20 on are our own names for operations that only LSC
// has.
enum class AtomicOp : uint8_t {
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
    fadd = 0x13, // ruling 36
    fsub = 0x14,
    load = 0x20,
    bf_add = 0x21,
    bf_sub = 0x22,
    bf_min = 0x23,
    bf_max = 0x24,
    bf_cas = 0x25,
};

struct AtomicRow {
    AtomicOp op;
    bool returns_new; // ruling 23: predec alone
    Formula<uint16_t> word;
    Formula<uint32_t> dword; // nullptr: the operation has no such width
    Formula<uint64_t> qword;

    template <class T>
    [[nodiscard]] Formula<T> formula() const {
        if constexpr (sizeof(T) == 2)
            return word;
        else if constexpr (sizeof(T) == 4)
            return dword;
        else
            return qword;
    }
};

// nullptr for a code that names no operation.
[[nodiscard]] const AtomicRow* atomic_row(uint8_t code);
[[nodiscard]] inline const AtomicRow* atomic_row(AtomicOp op) {
    return atomic_row(static_cast<uint8_t>(op));
}

} // namespace visor::interp
