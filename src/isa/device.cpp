#include "isa/device.h"

#include <algorithm>
#include <array>

namespace visor::isa {

namespace {

constexpr std::array<Device, device_count> all_devices{{
    {.id = DeviceId::skl,
     .name = "skl",
     .description = "Gen9: Skylake and kin",
     .grf_bytes = 32,
     .int64 = true,
     .fp64 = true,
     .slm_bytes = 64 << 10,
     .max_threads_group = 64,
     .max_group_size = 256,
     .lsc = false,
     .compiles = true,
     .executes = true,
     .gen_platform = 5,
     .ip_sr0_thread_bits = 0},
    {.id = DeviceId::icllp,
     .name = "icllp",
     .description = "Gen11: Ice Lake",
     .grf_bytes = 32,
     .int64 = false,
     .fp64 = false,
     .slm_bytes = 64 << 10,
     .max_threads_group = 64,
     .max_group_size = 256,
     .lsc = false,
     .compiles = true,
     .executes = true,
     .gen_platform = 10,
     .ip_sr0_thread_bits = 0},
    {.id = DeviceId::tgllp,
     .name = "tgllp",
     .description = "Xe-LP: Tiger Lake, DG1, Alder Lake",
     .grf_bytes = 32,
     .int64 = false,
     .fp64 = false,
     .slm_bytes = 64 << 10,
     .max_threads_group = 64,
     .max_group_size = 512,
     .lsc = false,
     .compiles = true,
     .executes = true,
     .gen_platform = 12,
     .ip_sr0_thread_bits = 0},
    {.id = DeviceId::xehp,
     .name = "xehp",
     .description = "Xe-HP",
     .grf_bytes = 32,
     .int64 = true,
     .fp64 = true,
     .slm_bytes = 64 << 10,
     .max_threads_group = 64,
     .max_group_size = 1024,
     .lsc = false,
     .compiles = false,
     .executes = true,
     .gen_platform = 11,
     .ip_sr0_thread_bits = 14},
    {.id = DeviceId::dg2,
     .name = "dg2",
     .description = "Xe-HPG: Arc A series",
     .grf_bytes = 32,
     .int64 = false,
     .fp64 = false,
     .slm_bytes = 64 << 10,
     .max_threads_group = 128,
     .max_group_size = 1024,
     .lsc = true,
     .compiles = true,
     .executes = true,
     .gen_platform = 13,
     .ip_sr0_thread_bits = 14},
    {.id = DeviceId::pvc,
     .name = "pvc",
     .description = "Xe-HPC: Data Center GPU Max",
     .grf_bytes = 64,
     .int64 = true,
     .fp64 = true,
     .slm_bytes = 128 << 10,
     .max_threads_group = 64,
     .max_group_size = 1024,
     .lsc = true,
     .compiles = true,
     .executes = true,
     .gen_platform = 14,
     .ip_sr0_thread_bits = 15},
    {.id = DeviceId::bmg,
     .name = "bmg",
     .description = "Xe2: Arc B series",
     .grf_bytes = 64,
     .int64 = true,
     .fp64 = true,
     .slm_bytes = 128 << 10,
     .max_threads_group = 64,
     .max_group_size = 1024,
     .lsc = true,
     .compiles = false,
     .executes = true,
     .gen_platform = 18,
     .ip_sr0_thread_bits = 15},
    {.id = DeviceId::lnl,
     .name = "lnl",
     .description = "Xe2: Lunar Lake",
     .grf_bytes = 64,
     .int64 = true,
     .fp64 = true,
     .slm_bytes = 128 << 10,
     .max_threads_group = 64,
     .max_group_size = 1024,
     .lsc = true,
     .compiles = false,
     .executes = true,
     .gen_platform = 18,
     .ip_sr0_thread_bits = 15},
    {.id = DeviceId::cri,
     .name = "cri",
     .description = "Xe3P: Crescent Island",
     .grf_bytes = 64,
     .int64 = true,
     .fp64 = true,
     .slm_bytes = 128 << 10,
     .max_threads_group = 64,
     .max_group_size = 1024,
     .lsc = true,
     .compiles = false,
     .executes = true,
     .gen_platform = 21,
     .ip_sr0_thread_bits = 15},
}};

char lower(char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

} // namespace

std::span<const Device> devices() {
    return all_devices;
}

const Device& device(DeviceId id) {
    return all_devices[static_cast<uint8_t>(id)];
}

const Device* device_named(std::string_view name) {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    for (const Device& candidate : all_devices) {
        if (std::ranges::equal(name, std::string_view(candidate.name), same))
            return &candidate;
    }
    return nullptr;
}

std::vector<std::string_view> device_names() {
    std::vector<std::string_view> names;
    for (const Device& one : all_devices)
        names.emplace_back(one.name);
    return names;
}

} // namespace visor::isa
