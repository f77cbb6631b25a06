#include "opencl/extensions.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace visor::opencl {

namespace {

enum class Needs : uint8_t { nothing, fp64, images };

struct Entry {
    std::string_view name;
    Needs needs = Needs::nothing;
    cl_version version = 0; // 0: what all of the list have
};

constexpr std::array extension_rows{
    Entry{"cl_khr_icd"},
    Entry{"cl_khr_byte_addressable_store"},
    Entry{"cl_khr_global_int32_base_atomics"},
    Entry{"cl_khr_global_int32_extended_atomics"},
    Entry{"cl_khr_local_int32_base_atomics"},
    Entry{"cl_khr_local_int32_extended_atomics"},
    Entry{"cl_khr_int64_base_atomics"},
    Entry{"cl_khr_int64_extended_atomics"},
    Entry{"cl_khr_fp16"},
    Entry{"cl_khr_fp64", Needs::fp64},
    Entry{"cl_khr_3d_image_writes", Needs::images},
    Entry{"cl_khr_depth_images", Needs::images},
    Entry{"cl_khr_image2d_from_buffer", Needs::images},
    Entry{"cl_khr_il_program"},
    Entry{"cl_khr_create_command_queue"},
    Entry{"cl_khr_extended_versioning"},
    Entry{"cl_khr_suggested_local_work_size"},
    Entry{"cl_khr_subgroups"},
    Entry{"cl_khr_subgroup_extended_types"},
    Entry{"cl_khr_subgroup_non_uniform_vote"},
    Entry{"cl_khr_subgroup_ballot"},
    Entry{"cl_khr_subgroup_non_uniform_arithmetic"},
    Entry{"cl_khr_subgroup_shuffle"},
    Entry{"cl_khr_subgroup_shuffle_relative"},
    Entry{"cl_khr_subgroup_clustered_reduce"},
    Entry{"cl_khr_extended_bit_ops"},
    Entry{"cl_khr_integer_dot_product"},
    Entry{"cl_intel_subgroups"},
    Entry{"cl_intel_subgroups_char"},
    Entry{"cl_intel_subgroups_short"},
    Entry{"cl_intel_subgroups_long"},
    Entry{"cl_intel_required_subgroup_size"},
    Entry{"cl_intel_spirv_subgroups"},
    Entry{"cl_intel_split_work_group_barrier"},
    Entry{"cl_intel_unified_shared_memory"},
    Entry{"cl_intel_create_buffer_with_properties"},
    Entry{"cl_intel_device_attribute_query"},
    Entry{"cl_khr_device_uuid"},
    Entry{"cl_khr_pci_bus_info"},
    Entry{"cl_khr_command_buffer", Needs::nothing, CL_MAKE_VERSION(0, 9, 8)},
};

constexpr std::array feature_rows{
    Entry{"__opencl_c_atomic_order_acq_rel"},
    Entry{"__opencl_c_atomic_order_seq_cst"},
    Entry{"__opencl_c_atomic_scope_device"},
    Entry{"__opencl_c_atomic_scope_all_devices"},
    Entry{"__opencl_c_generic_address_space"},
    Entry{"__opencl_c_int64"},
    Entry{"__opencl_c_integer_dot_product_input_4x8bit"},
    Entry{"__opencl_c_integer_dot_product_input_4x8bit_packed"},
    Entry{"__opencl_c_program_scope_global_variables"},
    Entry{"__opencl_c_subgroups"},
    Entry{"__opencl_c_work_group_collective_functions"},
    Entry{"__opencl_c_fp64", Needs::fp64},
    Entry{"__opencl_c_images", Needs::images},
    Entry{"__opencl_c_read_write_images", Needs::images},
    Entry{"__opencl_c_3d_image_writes", Needs::images},
};

template <size_t count>
std::vector<cl_name_version> offered(const std::array<Entry, count>& rows, const isa::Device& device,
                                     cl_version version) {
    std::vector<cl_name_version> out;
    for (const Entry& entry : rows) {
        const bool has = entry.needs == Needs::nothing || (entry.needs == Needs::fp64 && device.fp64) ||
                         (entry.needs == Needs::images && has_images(device));
        if (has)
            out.push_back(named(entry.name, entry.version == 0 ? version : entry.version));
    }
    return out;
}

} // namespace

cl_name_version named(std::string_view name, cl_version version) {
    cl_name_version out{};
    out.version = version;
    std::memcpy(out.name, name.data(), std::min(name.size(), sizeof out.name - 1));
    return out;
}

bool has_images(const isa::Device& device) {
    return device.id != isa::DeviceId::pvc;
}

std::vector<cl_name_version> extensions(const isa::Device& device) {
    return offered(extension_rows, device, CL_MAKE_VERSION(1, 0, 0));
}

std::string extension_text(const isa::Device& device) {
    std::string out;
    for (const cl_name_version& extension : extensions(device))
        out += fmt::format("{}{}", out.empty() ? "" : " ", extension.name);
    return out;
}

std::vector<cl_name_version> language_features(const isa::Device& device) {
    return offered(feature_rows, device, CL_MAKE_VERSION(3, 0, 0));
}

std::string_view compiler_switches() {
    // The compiler has more for them than a platform without queues of devices can offer.
    return "-cl-ext=-__opencl_c_device_enqueue,-__opencl_c_ext_fp32_global_atomic_add,"
           "-cl_ext_float_atomics";
}

} // namespace visor::opencl
