// Shared by the LSC messages: the surface that an address model names, and the layout of payloads. The
// messages are in lsc.cpp, lsc_block2d.cpp, lsc_counter.cpp and lsc_typed.cpp.
#pragma once

#include "interp/interp.h"
#include "interp/memory_access.h"
#include "isa/lsc_code.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace visor::interp {

struct AtomicRow;

namespace lsc {

using namespace isa::lsc;

[[nodiscard]] constexpr uint32_t address_bytes(uint64_t size) {
    return size == a16 ? 2 : size == a64 ? 8 : 4;
}

[[nodiscard]] constexpr bool is_stateful(uint64_t type) {
    return type == type_bss || type == type_ss || type == type_bti || type == type_surf;
}

// The number of the surface. A small handle is one, and an index after it is added (rulings 58, 70); other
// handles name states (176). Handle 0 of the surface states is the thread's scratch block: compiled code
// uses ss(r0.5 >> 4). A number of more than 32 bits names no surface.
[[nodiscard]] inline uint32_t surface_number(machine::Thread& thread, const PreparedInstruction& instruction,
                                             uint64_t type, uint64_t handle, uint64_t index) {
    if (type == type_ss && handle == 0 && index == 0)
        return machine::bti_scratch_surface;
    if (type == type_bti)
        return static_cast<uint32_t>(std::min<uint64_t>(handle + index, UINT32_MAX));
    return surface_state(thread, instruction, handle + index);
}

// Each component of a payload begins at the start of a register.
[[nodiscard]] constexpr uint32_t component_bytes(uint32_t lanes, uint32_t slot, uint32_t grf) {
    return (lanes * slot + grf - 1) / grf * grf;
}

// Addresses or coordinates of `count` lanes, extended by their size; null: zeros.
void read_addresses(std::array<uint64_t, max_lanes>& values, const std::byte* from, uint32_t count,
                    uint64_t size);

// The operation of an atomic's row, typed or not; nullptr for other rows. Compare-and-swap of integers has
// the sources of the legacy message in reverse order: first compare, then new.
[[nodiscard]] const AtomicRow* atomic_of(const isa::Row& row);
[[nodiscard]] bool compares_first(const isa::Row& row);

// The handlers of the other files; nullptr when Visor does not execute the form.
[[nodiscard]] Handler block2d(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler counter(const Program& program, const PreparedInstruction& instruction);
[[nodiscard]] Handler typed(const Program& program, const PreparedInstruction& instruction);

} // namespace lsc

} // namespace visor::interp
