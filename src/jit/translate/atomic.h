// Atomic updates of memory by lane, for the legacy messages and those of LSC.
#pragma once

#include "jit/translate/memory_message.h"

#include <algorithm>
#include <optional>

namespace visor::jit {

// The update. The float operations, those after `load`, are compare-and-exchange loops.
enum class AtomicOp : uint8_t {
    add,
    sub,
    inc,
    dec,
    predec, // returns the new value
    umin,
    umax,
    smin,
    smax,
    exchange,
    compare_exchange, // first: new, second: compared
    bit_and,
    bit_or,
    bit_xor,
    load,
    fadd,
    fsub,
    fmin,
    fmax,
    fcompare_exchange, // first: compared, second: new
};

[[nodiscard]] constexpr bool is_real(AtomicOp update) {
    return update >= AtomicOp::fadd;
}

// Which sources an update reads.
[[nodiscard]] constexpr bool has_first(AtomicOp update) {
    return update != AtomicOp::inc && update != AtomicOp::dec && update != AtomicOp::predec &&
           update != AtomicOp::load;
}
[[nodiscard]] constexpr bool has_second(AtomicOp update) {
    return update == AtomicOp::compare_exchange || update == AtomicOp::fcompare_exchange;
}

// By the code of the legacy messages (DWORD_ATOMIC page).
[[nodiscard]] std::optional<AtomicOp> atomic_op_of_code(uint64_t code);

struct AtomicMessage {
    AtomicOp update = AtomicOp::add;
    uint32_t bits = 32;  // of a datum; 16 bits are in the lower half of a dword (ruling 24)
    bool bfloat = false; // 16 bits are a bfloat16, not a half
    [[nodiscard]] uint32_t slot_bits() const { return std::max(bits, 32U); }
    const PreparedOperand* first = nullptr;
    const PreparedOperand* second = nullptr;
    const PreparedOperand* result = nullptr;
};

// Whether the target has what the operation needs.
[[nodiscard]] bool can_lower(const Translator& translator, const AtomicMessage& message);

// At 32-bit offsets in a surface, or at 64-bit flat addresses.
bool lower_atomic(Translator& translator, const PreparedInstruction& instruction, const SurfaceWindow& window,
                  llvm::Value* offsets, const AtomicMessage& message);
bool lower_atomic(Translator& translator, const PreparedInstruction& instruction, llvm::Value* addresses,
                  const AtomicMessage& message);

} // namespace visor::jit
