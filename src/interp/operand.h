// Handlers' access to a thread's operands: raw bytes and scalars here; lanes with regions and conversions
// in lanes.h.
#pragma once

#include "machine/surface.h"
#include "machine/thread.h"
#include "program/program.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace visor::interp {

[[nodiscard]] inline const PreparedOperand& operand(const machine::Thread& thread,
                                                    const PreparedInstruction& instruction, size_t index) {
    return thread.program->operands[instruction.first_operand + index];
}

// First byte of a raw or general operand. The program's layout reserves all bytes of the row's extent. Not
// for the null variable.
[[nodiscard]] inline std::byte* registers(machine::Thread& thread, const PreparedOperand& operand) {
    return thread.registers + operand.base;
}
[[nodiscard]] inline const std::byte* registers(const machine::Thread& thread,
                                                const PreparedOperand& operand) {
    return thread.registers + operand.base;
}

template <class T>
[[nodiscard]] T read_as(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
template <class T>
void write_as(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof value);
}

// The first element of a scalar integer source (general, indirect or immediate), sign- or zero-extended by
// its type, with its modifier applied.
[[nodiscard]] uint64_t scalar(machine::Thread& thread, const PreparedInstruction& instruction,
                              const PreparedOperand& operand);

// The surface that an operand selects, resolved for this thread.
using machine::SurfaceView;
[[nodiscard]] SurfaceView surface(machine::Thread& thread, const PreparedInstruction& instruction,
                                  const PreparedOperand& operand);
// The number of the surface that a handle names, for surface_at(); if it names none, a fault and
// UINT32_MAX.
[[nodiscard]] uint32_t surface_state(machine::Thread& thread, const PreparedInstruction& instruction,
                                     uint64_t handle);
// The same for a binding-table index (lsc bti).
using machine::surface_at;

} // namespace visor::interp
