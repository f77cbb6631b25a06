// The devices as rows: what of the machine differs from one to the next.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace visor::isa {

// In the order of generations, as the documentation's platform table has them.
enum class DeviceId : uint8_t {
    skl,
    icllp,
    tgllp,
    adl,
    dg1,
    xehp,
    dg2,
    mtl,
    arl,
    pvc,
    bmg,
    lnl,
    ptl,
    wcl,
    nvl_s,
    cri,
    nvl_p
};
inline constexpr unsigned device_count = 17;

// A set of devices, as a row's availability names them.
using DeviceSet = uint32_t;
[[nodiscard]] constexpr DeviceSet only(DeviceId device) {
    return DeviceSet{1} << static_cast<uint8_t>(device);
}
[[nodiscard]] constexpr DeviceSet from(DeviceId first) {
    return ((DeviceSet{1} << device_count) - 1U) & ~(only(first) - 1U);
}
[[nodiscard]] constexpr DeviceSet until(DeviceId last) {
    return (DeviceSet{2} << static_cast<uint8_t>(last)) - 1U;
}
inline constexpr DeviceSet every_device = from(DeviceId::skl);
[[nodiscard]] constexpr bool contains(DeviceSet set, DeviceId device) {
    return (set & only(device)) != 0;
}

struct Device {
    DeviceId id;
    const char* name;
    const char* other_names; // of the same device, and of kin whose code and limits are the same: "rpl rpl-s"
    const char* compiler_names; // what compilers call it, the most usual first
    const char* description;
    DeviceId code;      // the first device with the same instructions, this one or an older one
    uint16_t grf_bytes; // 32 or 64
    bool int64;         // native 64-bit integers
    bool fp64;
    uint32_t slm_bytes;         // of one work-group, at most
    uint16_t max_threads_group; // hardware threads of one work-group, at most
    uint16_t max_group_size;    // work-items of one work-group, at most
    bool lsc;                   // has the LSC messages
    bool executes;              // Visor executes its code
    uint8_t gen_platform;       // the platform byte of a binary
    uint8_t ip_sr0_thread_bits; // bits of sr0.0 that number a thread (launch ABI 2.7)
};

[[nodiscard]] std::span<const Device> devices();
[[nodiscard]] const Device& device(DeviceId id);
// Case folded, other names as well; nullptr when unknown.
[[nodiscard]] const Device* device_named(std::string_view name);
[[nodiscard]] std::vector<std::string_view> device_names();
// Whether code that was compiled for one of them runs on the other: the same instructions and registers.
[[nodiscard]] bool same_code(DeviceId one, DeviceId other);

} // namespace visor::isa
