// What every kernel has without declaring it: general variables 0..31, surfaces 0..5, the bindless sampler 31
// (5_operands.md; facts of the implementation where it differs).
#pragma once

#include "isa/type.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace visor::isa {

inline constexpr uint32_t first_user_general = 32;
inline constexpr uint32_t first_user_predicate = 1; // predicate 0 = none
inline constexpr uint32_t first_user_surface = 6;
inline constexpr uint32_t bindless_sampler = 31;

// Ids of predefined general variables.
enum class Predefined : uint8_t {
    null = 0,
    thread_x,
    thread_y,
    group_id_x,
    group_id_y,
    group_id_z,
    tsc,
    r0,
    arg,
    retval,
    sp,
    fp,
    hw_id,
    sr0,
    cr0,
    ce0,
    dbg0,
    color,
    impl_arg_buf_ptr,
    local_id_buf_ptr,
    msg0,
    scratchloc,
};
inline constexpr uint32_t predefined_count = 22;

struct PredefinedVariable {
    const char* name;
    Type type;
    uint16_t elements;   // on 32-byte GRF
    bool grows_with_grf; // twice the elements on 64-byte GRF
    bool writable;       // a destination may name it
};

inline constexpr std::array<PredefinedVariable, predefined_count> predefined_variables{{
    {"%null", Type::ud, 1, false, true},
    {"%thread_x", Type::uw, 1, false, false},
    {"%thread_y", Type::uw, 1, false, false},
    {"%group_id_x", Type::ud, 1, false, false},
    {"%group_id_y", Type::ud, 1, false, false},
    {"%group_id_z", Type::ud, 1, false, false},
    {"%tsc", Type::ud, 5, false, false},
    {"%r0", Type::ud, 8, true, false},
    {"%arg", Type::ud, 256, true, true},
    {"%retval", Type::ud, 96, true, true},
    {"%sp", Type::uq, 1, false, true},
    {"%fp", Type::uq, 1, false, true},
    {"%hw_id", Type::ud, 1, false, false},
    {"%sr0", Type::ud, 4, false, false},
    {"%cr0", Type::ud, 1, false, true},
    {"%ce0", Type::ud, 1, false, false},
    {"%dbg0", Type::ud, 2, false, true},
    {"%color", Type::uw, 1, false, false},
    {"%impl_arg_buf_ptr", Type::uq, 1, false, true},
    {"%local_id_buf_ptr", Type::uq, 1, false, true},
    {"%msg0", Type::ud, 3, false, false},
    {"%scratchloc", Type::uq, 1, false, false},
}};

[[nodiscard]] constexpr uint32_t id(Predefined variable) {
    return static_cast<uint32_t>(variable);
}
[[nodiscard]] constexpr bool is_predefined(uint32_t general_id) {
    return general_id < first_user_general;
}

// Elements of a predefined variable on a device of this GRF size.
[[nodiscard]] constexpr uint32_t elements(const PredefinedVariable& variable, uint32_t grf_bytes) {
    return variable.grows_with_grf && grf_bytes == 64 ? variable.elements * 2U : variable.elements;
}

// Surface ids that need no declaration, by the names that text uses; T0, T3, T4, T5 are accepted as well.
enum class PredefinedSurface : uint8_t { slm = 0, t1 = 1, t2 = 2, tss = 3, bss = 4, scratch = 5 };
inline constexpr std::array<const char*, first_user_surface> predefined_surfaces{"%slm", "T1",   "T2",
                                                                                 "TSS",  "%bss", "%scratch"};

// Binding-table indices with a fixed meaning.
inline constexpr uint32_t bti_bindless = 252;
inline constexpr uint32_t bti_slm = 254;
inline constexpr uint32_t bti_stateless = 255;

[[nodiscard]] std::optional<uint32_t> predefined_general(std::string_view name);
[[nodiscard]] std::optional<uint32_t> predefined_surface(std::string_view name);

} // namespace visor::isa
