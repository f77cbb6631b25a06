// The codes of the LSC messages' literals (LSC_UNTYPED page).
#pragma once

#include <array>
#include <cstdint>

namespace visor::isa::lsc {

enum Sfid : uint8_t { sfid_ugm = 0, sfid_ugml = 1, sfid_tgm = 2, sfid_slm = 3 };
enum Cache : uint8_t { cache_df, cache_uc, cache_ca, cache_wb, cache_wt, cache_st, cache_ri, cache_cc };
enum AddressType : uint8_t {
    type_flat = 1,
    type_bss = 2,
    type_ss = 3,
    type_bti = 4,
    type_arg = 5,
    type_surf = 6,
};
enum AddressSize : uint8_t { a16 = 1, a32 = 2, a64 = 3, a32u = 4, a32s = 5 };
enum DataSize : uint8_t { d8 = 1, d16 = 2, d32 = 3, d64 = 4, d8u32 = 5, d16u32 = 6, d16u32h = 7 };
inline constexpr uint64_t order_transposed = 2;
inline constexpr uint64_t fence_discard = 3;

inline constexpr std::array<uint8_t, 8> memory_bytes{0, 1, 2, 4, 8, 1, 2, 2};   // of an element, by DataSize
inline constexpr std::array<uint8_t, 8> register_bytes{0, 1, 2, 4, 8, 4, 4, 4}; // likewise
inline constexpr std::array<uint32_t, 9> element_counts{0, 1, 2, 3, 4, 8, 16, 32, 64};

} // namespace visor::isa::lsc
