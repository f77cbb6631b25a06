// The new value of each atomic operation: one table for DWORD_ATOMIC, SVM_ATOMIC and the atomics of LSC.
// All have the same order of sources here: `first` is src0 and `second` src1 of the legacy messages
// (DWORD_ATOMIC page, ruling 22). atomic_access.h has the atomic update of memory.
#pragma once

#include "isa/codec.h"

#include <cstdint>
#include <utility>

namespace visor::interp {

template <class T>
using Formula = T (*)(T old, T first, T second);

// The codes of the pages (bits 4..0 of op) by Visor's names; codes from 0x20 on are operations that only
// LSC has.
enum class AtomicOp : uint8_t {
    add = std::to_underlying(isa::AtomicOp::add),
    sub = std::to_underlying(isa::AtomicOp::sub),
    inc = std::to_underlying(isa::AtomicOp::inc),
    dec = std::to_underlying(isa::AtomicOp::dec),
    min = std::to_underlying(isa::AtomicOp::umin),
    max = std::to_underlying(isa::AtomicOp::umax),
    xchg = std::to_underlying(isa::AtomicOp::xchg),
    cmpxchg = std::to_underlying(isa::AtomicOp::cmpxchg),
    and_ = std::to_underlying(isa::AtomicOp::bit_and),
    or_ = std::to_underlying(isa::AtomicOp::bit_or),
    xor_ = std::to_underlying(isa::AtomicOp::bit_xor),
    imin = std::to_underlying(isa::AtomicOp::smin),
    imax = std::to_underlying(isa::AtomicOp::smax),
    predec = std::to_underlying(isa::AtomicOp::predec),
    fmax = std::to_underlying(isa::AtomicOp::fmax),
    fmin = std::to_underlying(isa::AtomicOp::fmin),
    fcmpwr = std::to_underlying(isa::AtomicOp::fcmpwr),
    fadd = std::to_underlying(isa::AtomicOp::fadd),
    fsub = std::to_underlying(isa::AtomicOp::fsub),
    load = 0x20,
    bf_add = 0x21,
    bf_sub = 0x22,
    bf_min = 0x23,
    bf_max = 0x24,
    bf_cas = 0x25,
};

struct AtomicRow {
    AtomicOp op;
    bool returns_new; // ruling 23: only predec
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
