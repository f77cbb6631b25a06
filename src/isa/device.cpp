#include "isa/device.h"

#include "isa/speller.h"

#include <algorithm>
#include <array>

namespace visor::isa {

namespace {

constexpr Device skl{.id = DeviceId::skl,
                     .name = "skl",
                     .other_names = "kbl cfl",
                     .compiler_names = "skl",
                     .description = "Gen9: Skylake and kin",
                     .code = DeviceId::skl,
                     .grf_bytes = 32,
                     .int64 = true,
                     .fp64 = true,
                     .slm_bytes = 64 << 10,
                     .max_threads_group = 64,
                     .max_group_size = 256,
                     .lsc = false,
                     .executes = true,
                     .gen_platform = 5,
                     .ip_sr0_thread_bits = 0};

constexpr Device icllp{.id = DeviceId::icllp,
                       .name = "icllp",
                       .other_names = "icl",
                       .compiler_names = "icllp",
                       .description = "Gen11: Ice Lake",
                       .code = DeviceId::icllp,
                       .grf_bytes = 32,
                       .int64 = false,
                       .fp64 = false,
                       .slm_bytes = 64 << 10,
                       .max_threads_group = 64,
                       .max_group_size = 256,
                       .lsc = false,
                       .executes = true,
                       .gen_platform = 10,
                       .ip_sr0_thread_bits = 0};

constexpr Device tgllp{.id = DeviceId::tgllp,
                       .name = "tgllp",
                       .other_names = "tgl rkl",
                       .compiler_names = "tgllp",
                       .description = "Xe-LP: Tiger Lake, Rocket Lake",
                       .code = DeviceId::tgllp,
                       .grf_bytes = 32,
                       .int64 = false,
                       .fp64 = false,
                       .slm_bytes = 64 << 10,
                       .max_threads_group = 64,
                       .max_group_size = 512,
                       .lsc = false,
                       .executes = true,
                       .gen_platform = 12,
                       .ip_sr0_thread_bits = 0};

constexpr Device xehp{.id = DeviceId::xehp,
                      .name = "xehp",
                      .other_names = "",
                      .compiler_names = "xe-hp-sdv",
                      .description = "Xe-HP",
                      .code = DeviceId::xehp,
                      .grf_bytes = 32,
                      .int64 = true,
                      .fp64 = true,
                      .slm_bytes = 64 << 10,
                      .max_threads_group = 64,
                      .max_group_size = 1024,
                      .lsc = false,
                      .executes = true,
                      .gen_platform = 11,
                      .ip_sr0_thread_bits = 14};

constexpr Device dg2{.id = DeviceId::dg2,
                     .name = "dg2",
                     .other_names = "acm",
                     .compiler_names = "dg2",
                     .description = "Xe-HPG: Arc A series",
                     .code = DeviceId::dg2,
                     .grf_bytes = 32,
                     .int64 = false,
                     .fp64 = false,
                     .slm_bytes = 64 << 10,
                     .max_threads_group = 128,
                     .max_group_size = 1024,
                     .lsc = true,
                     .executes = true,
                     .gen_platform = 13,
                     .ip_sr0_thread_bits = 14};

constexpr Device pvc{.id = DeviceId::pvc,
                     .name = "pvc",
                     .other_names = "",
                     .compiler_names = "pvc",
                     .description = "Xe-HPC: Data Center GPU Max",
                     .code = DeviceId::pvc,
                     .grf_bytes = 64,
                     .int64 = true,
                     .fp64 = true,
                     .slm_bytes = 128 << 10,
                     .max_threads_group = 64,
                     .max_group_size = 1024,
                     .lsc = true,
                     .executes = true,
                     .gen_platform = 14,
                     .ip_sr0_thread_bits = 15};

// A device with the instructions of an older one.
constexpr Device like(Device model, DeviceId id, const char* name, const char* other_names,
                      const char* compiler_names, const char* description) {
    model.id = id;
    model.name = name;
    model.other_names = other_names;
    model.compiler_names = compiler_names;
    model.description = description;
    return model;
}

// Of Xe-LPG, which computes with 64-bit floats (IGC, HWCaps.inc: noFP64). Without dpas, or with it: code of
// its own.
constexpr Device xe_lpg(DeviceId id, const char* name, const char* other_names, const char* compiler_names,
                        const char* description) {
    Device device = like(dg2, id, name, other_names, compiler_names, description);
    device.code = id;
    device.fp64 = true;
    return device;
}

// Registers and messages as on pvc; each generation has instructions of its own.
constexpr Device after_pvc(DeviceId id, DeviceId code, uint8_t platform, const char* name,
                           const char* other_names, const char* compiler_names, const char* description) {
    Device device = like(pvc, id, name, other_names, compiler_names, description);
    device.code = code;
    device.gen_platform = platform;
    return device;
}

constexpr std::array<Device, device_count> all_devices{{
    skl,
    icllp,
    tgllp,
    like(tgllp, DeviceId::adl, "adl", "adl-s adl-p adl-n rpl rpl-s rpl-p", "adl-s adl-p rpl-s",
         "Xe-LP: Alder Lake, Raptor Lake"),
    like(tgllp, DeviceId::dg1, "dg1", "", "dg1", "Xe-LP: Iris Xe MAX"),
    xehp,
    dg2,
    xe_lpg(DeviceId::mtl, "mtl", "mtl-u mtl-h arl-u arl-s", "mtl", "Xe-LPG: Meteor Lake, Arrow Lake U and S"),
    xe_lpg(DeviceId::arl, "arl", "arl-h", "arl arl-h", "Xe-LPG+: Arrow Lake H"),
    pvc,
    after_pvc(DeviceId::bmg, DeviceId::bmg, 18, "bmg", "", "bmg", "Xe2: Arc B series"),
    after_pvc(DeviceId::lnl, DeviceId::bmg, 18, "lnl", "lnl-m", "lnl", "Xe2: Lunar Lake"),
    after_pvc(DeviceId::ptl, DeviceId::ptl, 19, "ptl", "ptl-h ptl-u", "ptl ptl-h", "Xe3: Panther Lake"),
    after_pvc(DeviceId::wcl, DeviceId::ptl, 19, "wcl", "", "wcl", "Xe3: Wildcat Lake"),
    after_pvc(DeviceId::nvl_s, DeviceId::ptl, 19, "nvl-s", "nvl-u nvl-h", "nvl-s",
              "Xe3: Nova Lake S, U and H"),
    after_pvc(DeviceId::cri, DeviceId::cri, 21, "cri", "", "cri", "Xe3P: Crescent Island"),
    after_pvc(DeviceId::nvl_p, DeviceId::cri, 22, "nvl-p", "", "nvl-p", "Xe3P: Nova Lake P"),
}};

char lower(char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool is_same_name(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, [](char a, char b) { return lower(a) == lower(b); });
}

} // namespace

std::span<const Device> devices() {
    return all_devices;
}

const Device& device(DeviceId id) {
    return all_devices[static_cast<uint8_t>(id)];
}

const Device* device_named(std::string_view name) {
    for (const Device& candidate : all_devices) {
        const auto is_it = [name](std::string_view word) { return is_same_name(name, word); };
        if (is_it(candidate.name) || std::ranges::any_of(words_of(candidate.other_names), is_it))
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

bool same_code(DeviceId one, DeviceId other) {
    return device(one).code == device(other).code;
}

} // namespace visor::isa
