// The devices as rows: what of the machine differs from one to the next.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace visor::isa {

// In the order of generations, as the documentation's platform table has them.
enum class DeviceId : uint8_t { skl, icllp, tgllp, xehp, dg2, pvc, bmg, lnl, cri };
inline constexpr unsigned device_count = 9;

// A set of devices, as a row's availability names them.
using DeviceSet = uint16_t;
[[nodiscard]] constexpr DeviceSet only(DeviceId device) {
    return static_cast<DeviceSet>(1U << static_cast<uint8_t>(device));
}
[[nodiscard]] constexpr DeviceSet from(DeviceId first) {
    return static_cast<DeviceSet>(((1U << device_count) - 1U) & ~(only(first) - 1U));
}
[[nodiscard]] constexpr DeviceSet until(DeviceId last) {
    return static_cast<DeviceSet>((2U << static_cast<uint8_t>(last)) - 1U);
}
inline constexpr DeviceSet every_device = from(DeviceId::skl);
[[nodiscard]] constexpr bool contains(DeviceSet set, DeviceId device) {
    return (set & only(device)) != 0;
}

struct Device {
    DeviceId id;
    const char* name;        // the compiler's
    const char* description; //
    uint16_t grf_bytes;      // 32 or 64
    bool int64;              // native 64-bit integers
    bool fp64;
    uint32_t slm_bytes;         // of one work-group, at most
    uint16_t max_threads_group; // hardware threads of one work-group, at most
    uint16_t max_group_size;    // work-items of one work-group, at most
    bool lsc;                   // has the LSC messages
    bool compiles;              // the outside compiler produces code for it
    bool executes;              // Visor executes its code
    uint8_t gen_platform;       // the platform byte of a binary
    uint8_t ip_sr0_thread_bits; // bits of sr0.0 that number a thread (launch ABI 2.7)
};

[[nodiscard]] std::span<const Device> devices();
[[nodiscard]] const Device& device(DeviceId id);
[[nodiscard]] const Device* device_named(std::string_view name); // case folded; nullptr when unknown
[[nodiscard]] std::vector<std::string_view> device_names();

} // namespace visor::isa
