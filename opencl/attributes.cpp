#include "opencl/attributes.h"

#include <algorithm>
#include <array>

namespace visor::opencl {

namespace {

using isa::DeviceId;

constexpr cl_version ip(cl_uint architecture, cl_uint release, cl_uint revision) {
    return architecture << 22U | release << 14U | revision;
}

// The model with the most execution units of each generation: HD Graphics 530, Iris Plus, Iris Xe (96 units),
// UHD Graphics 770, Iris Xe MAX, Arc A770, Data Center GPU Max 1550 (a tile), Arc Graphics of Meteor Lake and
// Arrow Lake H, Arc B580, Arc 140V, and of Xe3 and later what is known of the largest.
constexpr std::array models{
    Attributes{.device = DeviceId::skl,
               .integrated = true,
               .pci_id = 0x1912,
               .ip_version = ip(9, 0, 9),
               .slices = 1,
               .sub_slices = 3,
               .units = 8,
               .threads = 7},
    Attributes{.device = DeviceId::icllp,
               .integrated = true,
               .pci_id = 0x8a52,
               .ip_version = ip(11, 0, 0),
               .slices = 1,
               .sub_slices = 8,
               .units = 8,
               .threads = 7},
    Attributes{.device = DeviceId::tgllp,
               .integrated = true,
               .pci_id = 0x9a49,
               .ip_version = ip(12, 0, 0),
               .slices = 1,
               .sub_slices = 6,
               .units = 16,
               .threads = 7,
               .dp4a = true},
    Attributes{.device = DeviceId::adl,
               .integrated = true,
               .pci_id = 0x4680,
               .ip_version = ip(12, 2, 0),
               .slices = 1,
               .sub_slices = 2,
               .units = 16,
               .threads = 7,
               .dp4a = true},
    Attributes{.device = DeviceId::dg1,
               .pci_id = 0x4905,
               .ip_version = ip(12, 10, 0),
               .slices = 1,
               .sub_slices = 6,
               .units = 16,
               .threads = 7,
               .dp4a = true},
    Attributes{.device = DeviceId::dg2,
               .pci_id = 0x56a0,
               .ip_version = ip(12, 55, 8),
               .slices = 8,
               .sub_slices = 4,
               .units = 16,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::pvc,
               .pci_id = 0x0bd5,
               .ip_version = ip(12, 60, 7),
               .slices = 8,
               .sub_slices = 8,
               .units = 8,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::mtl,
               .integrated = true,
               .pci_id = 0x7d55,
               .ip_version = ip(12, 70, 4),
               .slices = 2,
               .sub_slices = 4,
               .units = 16,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::arl,
               .integrated = true,
               .pci_id = 0x7d51,
               .ip_version = ip(12, 74, 4),
               .slices = 2,
               .sub_slices = 4,
               .units = 16,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::bmg,
               .pci_id = 0xe20b,
               .ip_version = ip(20, 1, 0),
               .slices = 5,
               .sub_slices = 4,
               .units = 8,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::lnl,
               .integrated = true,
               .pci_id = 0x64a0,
               .ip_version = ip(20, 4, 4),
               .slices = 2,
               .sub_slices = 4,
               .units = 8,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::ptl,
               .integrated = true,
               .pci_id = 0xb080,
               .ip_version = ip(30, 0, 4),
               .slices = 3,
               .sub_slices = 4,
               .units = 8,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::wcl,
               .integrated = true,
               .pci_id = 0xfd80,
               .ip_version = ip(30, 3, 1),
               .slices = 1,
               .sub_slices = 2,
               .units = 8,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::nvl_s,
               .integrated = true,
               .pci_id = 0xd740,
               .ip_version = ip(30, 4, 4),
               .slices = 1,
               .sub_slices = 2,
               .units = 8,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::cri,
               .pci_id = 0x674c,
               .ip_version = ip(35, 11, 0),
               .slices = 4,
               .sub_slices = 8,
               .units = 8,
               .threads = 8,
               .dp4a = true},
    Attributes{.device = DeviceId::nvl_p,
               .integrated = true,
               .pci_id = 0xd750,
               .ip_version = ip(35, 10, 4),
               .slices = 3,
               .sub_slices = 4,
               .units = 8,
               .threads = 8,
               .dp4a = true},
};

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

// The same in every process: identifies a device across APIs.
Uuid device_uuid(const Attributes& model) {
    const auto low = [](cl_uint number) { return static_cast<cl_uchar>(number & 0xffU); };
    return {0x86, 0x80, low(model.pci_id), low(model.pci_id >> 8U), 'V', 'i', 's', 'o', 'r'};
}
Uuid driver_uuid() {
    Uuid out{'V', 'i', 's', 'o', 'r', ' '};
    std::ranges::copy(driver_version.substr(0, 8), out.begin() + 6);
    return out;
}

} // namespace

const Attributes& attributes_of(const isa::Device& device) {
    const auto found = std::ranges::find(models, device.id, &Attributes::device);
    return found == models.end() ? models.back() : *found;
}

std::optional<cl_int> answer_attribute(const isa::Device& device, cl_device_info what, const Query& answer) {
    const Attributes& model = attributes_of(device);
    switch (what) {
    case CL_DEVICE_IP_VERSION_INTEL:
        return answer.value(model.ip_version);
    case CL_DEVICE_ID_INTEL:
        return answer.number(model.pci_id);
    case CL_DEVICE_NUM_SLICES_INTEL:
        return answer.number(model.slices);
    case CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL:
        return answer.number(model.sub_slices);
    case CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL:
        return answer.number(model.units);
    case CL_DEVICE_NUM_THREADS_PER_EU_INTEL:
        return answer.number(model.threads);
    case CL_DEVICE_FEATURE_CAPABILITIES_INTEL:
        // Without the DPAS bit: libraries would load machine code, which Visor cannot run.
        return answer.value(
            cl_device_feature_capabilities_intel{model.dp4a ? CL_DEVICE_FEATURE_FLAG_DP4A_INTEL : 0U});
    case CL_DEVICE_UUID_KHR:
        return answer.value(device_uuid(model));
    case CL_DRIVER_UUID_KHR:
        return answer.value(driver_uuid());
    case CL_DEVICE_LUID_VALID_KHR:
        return answer.truth(false);
    case CL_DEVICE_LUID_KHR:
        return answer.value(std::array<cl_uchar, CL_LUID_SIZE_KHR>{});
    case CL_DEVICE_NODE_MASK_KHR:
        return answer.number(0);
    case CL_DEVICE_PCI_BUS_INFO_KHR: // as such devices mostly are
        return answer.value(model.integrated ? cl_device_pci_bus_info_khr{0, 0, 2, 0}
                                             : cl_device_pci_bus_info_khr{0, 3, 0, 0});
    default:
        return std::nullopt;
    }
}

} // namespace visor::opencl
