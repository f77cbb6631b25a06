#include "opencl/extensions.h"

#include "compile/compile.h"
#include "isa/features.h"
#include "opencl/attributes.h"
#include "opencl/platform.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace visor::opencl {

namespace {

// Untested releases count as the next older tested one.
constexpr Release igc_1_0_17791{24, 35};
constexpr Release igc_2_40{26, 27};

using Holds = bool (*)(const Target& target);

bool always(const Target& /*target*/) {
    return true;
}
bool fp64(const Target& target) {
    return target.device.fp64;
}
bool images(const Target& target) {
    return has_images(target.device);
}
// Built-in functions that older compilers declare and do not define.
bool newer_built_ins(const Target& target) {
    return target.compiler >= igc_1_0_17791;
}
// The compiler emits dp4a for each dot product, also for devices without it.
bool dot_products(const Target& target) {
    return newer_built_ins(target) && attributes_of(target.device).dp4a;
}

// From Xe3P on.
bool fp16_atomic_add(const Target& target) {
    const isa::DeviceId device = target.device.id;
    return target.compiler >= igc_2_40 && (device == isa::DeviceId::cri || device == isa::DeviceId::nvl_p);
}
// Includes subtraction: older compilers declare it, but define it only for floats in global memory.
bool more_atomics(const Target& target) {
    return newer_built_ins(target);
}
bool fp64_atomic_add(const Target& target) {
    return fp64(target) && newer_built_ins(target);
}
// For devices with systolic arrays, which Meteor Lake lacks.
bool systolic(const Target& target) {
    const isa::DeviceId device = target.device.id;
    return target.compiler >= igc_2_40 && device >= isa::DeviceId::dg2 && device != isa::DeviceId::mtl;
}
// For fused pairs of hardware threads.
bool systolic_pairs(const Target& target) {
    return systolic(target) && target.device.id == isa::DeviceId::dg2;
}
// From Xe-HPC on: sub-groups of sixteen, blocks of two dimensions.
bool systolic_sixteen(const Target& target) {
    return systolic(target) && target.device.grf_bytes == 64;
}

bool local_blocks(const Target& target) {
    return newer_built_ins(target) && target.device.id != isa::DeviceId::skl;
}
bool expectations(const Target& target) {
    return target.compiler >= igc_2_40;
}

struct Entry {
    std::string_view name;
    Holds holds = always;
    cl_version version = CL_MAKE_VERSION(1, 0, 0); // features have that of the language
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
    Entry{"cl_khr_fp64", fp64},
    Entry{"cl_khr_3d_image_writes", images},
    Entry{"cl_khr_depth_images", images},
    Entry{"cl_khr_image2d_from_buffer", images},
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
    Entry{"cl_khr_extended_bit_ops", newer_built_ins},
    Entry{"cl_khr_integer_dot_product", dot_products, CL_MAKE_VERSION(2, 0, 0)},
    Entry{"cl_khr_expect_assume", expectations},
    Entry{"cl_ext_float_atomics"},
    Entry{"cl_ext_buffer_device_address"},
    Entry{"cl_intel_subgroups"},
    Entry{"cl_intel_subgroups_char"},
    Entry{"cl_intel_subgroups_short"},
    Entry{"cl_intel_subgroups_long"},
    Entry{"cl_intel_subgroup_local_block_io", local_blocks},
    Entry{"cl_intel_required_subgroup_size"},
    Entry{"cl_intel_spirv_subgroups"},
    Entry{"cl_intel_bfloat16_conversions", systolic},
    Entry{"cl_intel_subgroup_matrix_multiply_accumulate", systolic},
    Entry{"cl_intel_subgroup_matrix_multiply_accumulate_tf32", systolic_sixteen},
    Entry{"cl_intel_subgroup_split_matrix_multiply_accumulate", systolic_pairs},
    Entry{"cl_intel_subgroup_2d_block_io", systolic_sixteen, CL_MAKE_VERSION(1, 1, 0)},
    Entry{"cl_intel_subgroup_buffer_prefetch", systolic_sixteen},
    Entry{"cl_intel_split_work_group_barrier", newer_built_ins},
    Entry{"cl_intel_unified_shared_memory"},
    Entry{"cl_intel_create_buffer_with_properties"},
    Entry{"cl_intel_device_attribute_query"},
    Entry{"cl_intel_tracing"},
    Entry{"cl_khr_device_uuid"},
    Entry{"cl_khr_pci_bus_info"},
    Entry{"cl_khr_command_buffer", always, CL_MAKE_VERSION(0, 9, 8)},
};

constexpr std::array feature_rows{
    Entry{"__opencl_c_atomic_order_acq_rel"},
    Entry{"__opencl_c_atomic_order_seq_cst"},
    Entry{"__opencl_c_atomic_scope_device"},
    Entry{"__opencl_c_atomic_scope_all_devices"},
    Entry{"__opencl_c_generic_address_space"},
    Entry{"__opencl_c_int64"},
    Entry{"__opencl_c_integer_dot_product_input_4x8bit", dot_products},
    Entry{"__opencl_c_integer_dot_product_input_4x8bit_packed", dot_products},
    Entry{"__opencl_c_program_scope_global_variables"},
    Entry{"__opencl_c_subgroups"},
    Entry{"__opencl_c_work_group_collective_functions"},
    Entry{"__opencl_c_fp64", fp64},
    Entry{"__opencl_c_images", images},
    Entry{"__opencl_c_read_write_images", images},
    Entry{"__opencl_c_3d_image_writes", images},
    // Of cl_ext_float_atomics.
    Entry{"__opencl_c_ext_fp16_global_atomic_add", fp16_atomic_add},
    Entry{"__opencl_c_ext_fp16_local_atomic_add", fp16_atomic_add},
    Entry{"__opencl_c_ext_fp16_global_atomic_load_store"},
    Entry{"__opencl_c_ext_fp16_local_atomic_load_store"},
    Entry{"__opencl_c_ext_fp16_global_atomic_min_max"},
    Entry{"__opencl_c_ext_fp16_local_atomic_min_max"},
    Entry{"__opencl_c_ext_fp32_global_atomic_add"},
    Entry{"__opencl_c_ext_fp32_local_atomic_add", more_atomics},
    Entry{"__opencl_c_ext_fp32_global_atomic_min_max"},
    Entry{"__opencl_c_ext_fp32_local_atomic_min_max"},
    Entry{"__opencl_c_ext_fp64_global_atomic_add", fp64_atomic_add},
    Entry{"__opencl_c_ext_fp64_local_atomic_add", fp64_atomic_add},
    Entry{"__opencl_c_ext_fp64_global_atomic_min_max", fp64},
    Entry{"__opencl_c_ext_fp64_local_atomic_min_max", fp64},
};

// Extensions in some compiler's headers or lists that the platform does not offer.
constexpr std::array absent_names{
    "__opencl_c_pipes",
    "__opencl_c_device_enqueue",
    "cl_khr_spir",
    "cl_khr_mipmap_image",
    "cl_khr_mipmap_image_writes",
    "cl_khr_gl_msaa_sharing",
    "cl_khr_gl_depth_images",
    "cl_khr_priority_hints",
    "cl_khr_throttle_hints",
    "cl_khr_external_memory",
    "cl_khr_subgroup_named_barrier",
    "cl_intel_accelerator",
    "cl_intel_motion_estimation",
    "cl_intel_advanced_motion_estimation",
    "cl_intel_device_side_avc_motion_estimation",
    "cl_intel_spirv_device_side_avc_motion_estimation",
    "cl_intel_media_block_io",
    "cl_intel_spirv_media_block_io",
    "cl_intel_planar_yuv",
    "cl_intel_packed_yuv",
    "cl_intel_subgroup_extended_block_read", // without a public specification
    "cl_intel_driver_diagnostics",
    "cl_intel_command_queue_families",
    "cl_intel_mem_force_host_memory",
};

template <size_t count>
std::vector<cl_name_version> offered(const std::array<Entry, count>& rows, const Target& target,
                                     std::optional<cl_version> version) {
    std::vector<cl_name_version> out;
    for (const Entry& entry : rows)
        if (entry.holds(target))
            out.push_back(named(entry.name, version.value_or(entry.version)));
    return out;
}

// "24.35.30872"
Release release_of(std::string_view version) {
    Release out;
    const char* const begin = std::to_address(version.begin());
    const char* const end = begin + version.size();
    const auto [behind, problem] = std::from_chars(begin, end, out.year);
    if (problem == std::errc() && behind != end && *behind == '.')
        std::from_chars(behind + 1, end, out.week);
    return out;
}

// The version of the compiler that builds use: the newest that supports the device.
Release release_for(const isa::Device& device) {
    for (const compile::CompilerFacts& compiler : compile::list_compilers().found)
        if (std::ranges::find(compiler.devices, device.name) != compiler.devices.end())
            return release_of(compiler.version);
    return {};
}

} // namespace

cl_bitfield float_atomics(const Target& target, std::string_view type) {
    const bool has_type = type != "fp64" || target.device.fp64;
    cl_bitfield out = 0;
    for (const auto& [space, first] : {std::pair{"global", 0}, {"local", 16}})
        for (const auto& [what, bit] : {std::pair{"load_store", 0}, {"add", 1}, {"min_max", 2}}) {
            // Those of core atomics need no feature.
            const bool core = bit == 0 && type != "fp16" && has_type;
            if (core || offers(target, fmt::format("__opencl_c_ext_{}_{}_atomic_{}", type, space, what)))
                out |= cl_bitfield{1} << (first + bit);
        }
    return out;
}

const Target& target() {
    static const Target only{platform().device.device, release_for(platform().device.device)};
    return only;
}

cl_name_version named(std::string_view name, cl_version version) {
    cl_name_version out{};
    out.version = version;
    std::memcpy(out.name, name.data(), std::min(name.size(), sizeof out.name - 1));
    return out;
}

bool has_images(const isa::Device& device) {
    return isa::compiles_images(device);
}

std::vector<cl_name_version> extensions(const Target& target) {
    return offered(extension_rows, target, std::nullopt);
}

std::string extension_text(const Target& target) {
    std::string out;
    for (const cl_name_version& extension : extensions(target))
        out += fmt::format("{}{}", out.empty() ? "" : " ", extension.name);
    return out;
}

std::vector<cl_name_version> language_features(const Target& target) {
    return offered(feature_rows, target, CL_MAKE_VERSION(3, 0, 0));
}

bool offers(const Target& target, std::string_view name) {
    const auto is_offered = [&](const Entry& entry) { return entry.name == name && entry.holds(target); };
    return std::ranges::any_of(extension_rows, is_offered) || std::ranges::any_of(feature_rows, is_offered);
}

std::string_view compiler_switches() {
    // Newer compilers disable sub-groups on GPUs without independent forward progress, and enable device
    // queues, which this platform lacks.
    return "-cl-ext=-__opencl_c_device_enqueue,+cl_khr_subgroups";
}

std::string source_preamble(const Target& target) {
    // Not by an option: the compiler's headers need some of them.
    std::string out;
    for (const std::string_view name : absent_names)
        out += fmt::format("#undef {}\n", name);
    const auto take_away = [&](const Entry& entry) {
        if (!entry.holds(target))
            out += fmt::format("#undef {}\n", entry.name);
    };
    std::ranges::for_each(extension_rows, take_away);
    std::ranges::for_each(feature_rows, take_away);
    if (!has_images(target.device))
        out += "#undef __IMAGE_SUPPORT__\n";
    return out + "#line 1\n"; // lines are counted from the program's first
}

} // namespace visor::opencl
