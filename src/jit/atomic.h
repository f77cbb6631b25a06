// Atomic updates of memory by lane, for the legacy messages and those of LSC.
#pragma once

#include "jit/message.h"

#include <optional>

namespace visor::jit {

// Operations that have an instruction of their own on CPUs, or make one of compare-and-exchange.
enum class Update : uint8_t {
    add,
    sub,
    inc,
    dec,
    predec, // gives the new value
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
};

// By the code of the legacy messages (DWORD_ATOMIC page).
[[nodiscard]] std::optional<Update> update_of_code(uint64_t code);

struct AtomicMessage {
    Update update = Update::add;
    uint32_t bits = 32; // of a datum
    const PreparedOperand* first = nullptr;
    const PreparedOperand* second = nullptr;
    const PreparedOperand* result = nullptr;
};

// At offsets of 32 bits in a surface, or at flat addresses of 64.
bool lower_atomic(Emitter& emitter, const PreparedInstruction& instruction, const SurfaceWindow& window,
                  llvm::Value* offsets, const AtomicMessage& message);
bool lower_atomic(Emitter& emitter, const PreparedInstruction& instruction, llvm::Value* addresses,
                  const AtomicMessage& message);

} // namespace visor::jit
