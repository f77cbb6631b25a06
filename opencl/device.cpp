#include "isa/features.h"
#include "opencl/api.h"
#include "opencl/attributes.h"
#include "opencl/clock.h"
#include "opencl/commands/command_buffer.h"
#include "opencl/context.h"
#include "opencl/extensions.h"
#include "opencl/limits.h"
#include "opencl/newer_names.h"
#include "opencl/query.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace visor::opencl {

namespace {

constexpr cl_ulong kib = 1024;
constexpr cl_ulong mib = kib * 1024;
constexpr cl_ulong gib = mib * 1024;
constexpr cl_uint vendor_id = 0x8086; // Intel

constexpr cl_device_svm_capabilities svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
// No concurrent access of the host and a running kernel: compiled code keeps loaded values.
constexpr cl_device_unified_shared_memory_capabilities_intel usm =
    CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
constexpr cl_device_atomic_capabilities atomic_memory =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
    CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
constexpr cl_device_atomic_capabilities atomic_fences = atomic_memory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;
constexpr cl_device_fp_config full_float = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                           CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
// IL versions that the compiler reads; also for ILS_WITH_VERSION.
constexpr const char* il_versions = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4";

using Answer = std::optional<cl_int>;

Answer identity(const isa::Device& device, cl_device_info what, const Query& answer) {
    switch (what) {
    case CL_DEVICE_TYPE:
        return answer.value(cl_device_type{CL_DEVICE_TYPE_GPU});
    case CL_DEVICE_VENDOR_ID:
        return answer.number(vendor_id);
    case CL_DEVICE_NAME:
        return answer.text(fmt::format("Visor {} (Intel {})", device.name, device.description));
    case CL_DEVICE_VENDOR:
        return answer.text("Intel(R) Corporation");
    case CL_DRIVER_VERSION:
        return answer.text(driver_version);
    case CL_DEVICE_PROFILE:
        return answer.text("FULL_PROFILE");
    case CL_DEVICE_VERSION:
        return answer.text(fmt::format("OpenCL 3.0 Visor {}", vm::version()));
    case CL_DEVICE_NUMERIC_VERSION:
        return answer.value(platform_version);
    case CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR:
        return answer.value(cl_version{CL_MAKE_VERSION(1, 2, 0)});
    case CL_DEVICE_OPENCL_C_VERSION:
        return answer.text("OpenCL C 1.2 ");
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
        return answer.text("v0000-01-01-00"); // none has been
    case CL_DEVICE_EXTENSIONS:
        return answer.text(extension_text(target()));
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return answer.list<cl_name_version>(extensions(target()));
    case CL_DEVICE_BUILT_IN_KERNELS:
        return answer.text("");
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
        return answer.bytes(nullptr, 0);
    case CL_DEVICE_PLATFORM:
        return answer.value(cl_platform_id{&platform()});
    case CL_DEVICE_REFERENCE_COUNT:
        return answer.number(1);
    case CL_DEVICE_PARENT_DEVICE:
        return answer.value(cl_device_id{nullptr});
    default:
        return std::nullopt;
    }
}

Answer language(const isa::Device& device, cl_device_info what, const Query& answer) {
    switch (what) {
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS: {
        const std::array all{
            named("OpenCL C", CL_MAKE_VERSION(1, 0, 0)), named("OpenCL C", CL_MAKE_VERSION(1, 1, 0)),
            named("OpenCL C", CL_MAKE_VERSION(1, 2, 0)), named("OpenCL C", CL_MAKE_VERSION(3, 0, 0))};
        return answer.list<cl_name_version>(all);
    }
    case CL_DEVICE_OPENCL_C_FEATURES:
        return answer.list<cl_name_version>(language_features(target()));
    case CL_DEVICE_IL_VERSION:
        return answer.text(il_versions);
    case CL_DEVICE_ILS_WITH_VERSION: {
        const std::array all{
            named("SPIR-V", CL_MAKE_VERSION(1, 0, 0)), named("SPIR-V", CL_MAKE_VERSION(1, 1, 0)),
            named("SPIR-V", CL_MAKE_VERSION(1, 2, 0)), named("SPIR-V", CL_MAKE_VERSION(1, 3, 0)),
            named("SPIR-V", CL_MAKE_VERSION(1, 4, 0))};
        return answer.list<cl_name_version>(all);
    }
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE:
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
    case CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT:
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:
    case CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT:
        return answer.truth(what != CL_DEVICE_ERROR_CORRECTION_SUPPORT);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
        return answer.truth(attributes_of(device).integrated);
    case CL_DEVICE_PIPE_SUPPORT:
        return answer.truth(false);
    case CL_DEVICE_EXECUTION_CAPABILITIES:
        return answer.value(cl_device_exec_capabilities{CL_EXEC_KERNEL});
    case CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:
        return answer.value(atomic_memory);
    case CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:
        return answer.value(atomic_fences);
    case CL_DEVICE_SVM_CAPABILITIES:
        return answer.value(svm);
    case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
    case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
        return answer.value(usm);
    case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL: // kernels cannot access host memory
        return answer.value(cl_device_unified_shared_memory_capabilities_intel{0});
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return answer.value(cl_device_fp_config{full_float | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT});
    case CL_DEVICE_HALF_FP_CONFIG:
        return answer.value(cl_device_fp_config{full_float});
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return answer.value(cl_device_fp_config{device.fp64 ? full_float : 0});
    default:
        return std::nullopt;
    }
}

// Queries of an extension are unknown without it.
Answer of_extensions(const isa::Device& /*device*/, cl_device_info what, const Query& answer) {
    switch (what) {
    case CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR:
        if (!offers(target(), "cl_khr_integer_dot_product"))
            return std::nullopt;
        return answer.value(cl_device_integer_dot_product_capabilities_khr{
            CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
            CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR});
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR:
    case CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR:
        if (!offers(target(), "cl_khr_integer_dot_product"))
            return std::nullopt;
        return answer.value(cl_device_integer_dot_product_acceleration_properties_khr{});
    case device_single_fp_atomic_capabilities:
        return answer.value(float_atomics(target(), "fp32"));
    case device_double_fp_atomic_capabilities:
        return answer.value(float_atomics(target(), "fp64"));
    case device_half_fp_atomic_capabilities:
        return answer.value(float_atomics(target(), "fp16"));
    default:
        return std::nullopt;
    }
}

// Preferred widths as reported by Intel devices of these generations.
Answer vectors(const isa::Device& device, cl_device_info what, const Query& answer) {
    switch (what) {
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:
        return answer.number(16);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:
        return answer.number(8);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:
        return answer.number(4);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:
        return answer.number(1);
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:
        return answer.number(device.fp64 ? 1 : 0);
    default:
        return std::nullopt;
    }
}

Answer groups(const isa::Device& device, cl_device_info what, const Query& answer) {
    const size_t most = device.max_group_size;
    switch (what) {
    case CL_DEVICE_MAX_COMPUTE_UNITS:
        return answer.number(platform().settings.threads);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
        return answer.number(3);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return answer.list<size_t>(std::array{most, most, most});
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return answer.size(most);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return answer.size(sub_group_sizes(device).back());
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
        return answer.list(sub_group_sizes(device));
    case CL_DEVICE_MAX_NUM_SUB_GROUPS:
        return answer.number(static_cast<cl_uint>(
            std::min<size_t>(most / sub_group_sizes(device).front(), device.max_threads_group)));
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
        return answer.number(1000);
    case CL_DEVICE_ADDRESS_BITS:
        return answer.number(64);
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
        return answer.value(known_queue_properties);
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:
        return answer.value(cl_command_queue_properties{0});
    case CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:
        return answer.value(cl_device_device_enqueue_capabilities{0});
    case CL_DEVICE_PARTITION_PROPERTIES:
    case CL_DEVICE_PARTITION_TYPE:
        return answer.value(cl_device_partition_property{0});
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN:
        return answer.value(cl_device_affinity_domain{0});
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        return answer.size(1);
    // Device queues and pipes are not supported.
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES:
    case CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:
    case CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:
    case CL_DEVICE_MAX_ON_DEVICE_QUEUES:
    case CL_DEVICE_MAX_ON_DEVICE_EVENTS:
    case CL_DEVICE_MAX_PIPE_ARGS:
    case CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:
    case CL_DEVICE_PIPE_MAX_PACKET_SIZE:
    case CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:
    case CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:
        return answer.number(0);
    default:
        return std::nullopt;
    }
}

Answer command_buffers(const isa::Device& /*device*/, cl_device_info what, const Query& answer) {
    switch (what) {
    case CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:
        return answer.value(
            cl_device_command_buffer_capabilities_khr{CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                                                      capability_simultaneous_use | capability_out_of_order});
    case CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR:
        return answer.value(cl_command_queue_properties{0});
    case device_command_buffer_supported_queue_properties:
        return answer.value(known_queue_properties);
    default:
        return std::nullopt;
    }
}

Answer memory(const isa::Device& device, cl_device_info what, const Query& answer) {
    switch (what) {
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return answer.value(global_memory_bytes());
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return answer.value(most_allocation_bytes());
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:
        return answer.value(cl_device_mem_cache_type{CL_READ_WRITE_CACHE});
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:
        return answer.number(64);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
        return answer.value(512 * kib);
    case CL_DEVICE_LOCAL_MEM_TYPE:
        return answer.value(cl_device_local_mem_type{CL_LOCAL});
    case CL_DEVICE_LOCAL_MEM_SIZE:
        return answer.value(cl_ulong{device.slm_bytes});
    case CL_DEVICE_MAX_CONSTANT_ARGS:
        return answer.number(most_constant_arguments);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
        return answer.size(parameter_bytes);
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
        return answer.number(address_alignment * 8);
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:
        return answer.number(address_alignment);
    case CL_DEVICE_PRINTF_BUFFER_SIZE:
        return answer.size(4 * mib);
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
        return answer.size(variable_bytes);
    case CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE:
        return answer.size(most_allocation_bytes());
    default:
        return std::nullopt;
    }
}

Answer images(const isa::Device& device, cl_device_info what, const Query& answer) {
    const bool has = has_images(device);
    const auto size = [&](size_t bytes) { return answer.size(has ? bytes : 0); };
    const auto number = [&](cl_uint one) { return answer.number(has ? one : 0); };
    switch (what) {
    case CL_DEVICE_IMAGE_SUPPORT:
        return answer.truth(has);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
        return size(image_side);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
        return size(image_depth);
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
        return size(image_layers);
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
        return size(image_buffer_pixels);
    case CL_DEVICE_MAX_READ_IMAGE_ARGS:
        return number(most_read_images);
    case CL_DEVICE_MAX_WRITE_IMAGE_ARGS:
    case CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:
        return number(most_write_images);
    case CL_DEVICE_MAX_SAMPLERS:
        return number(most_samplers);
    case CL_DEVICE_IMAGE_PITCH_ALIGNMENT:
    case CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:
        return number(pitch_alignment);
    default:
        return std::nullopt;
    }
}

} // namespace

cl_ulong global_memory_bytes() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGE_SIZE);
    const cl_ulong all =
        pages > 0 && page > 0 ? static_cast<cl_ulong>(pages) * static_cast<cl_ulong>(page) : 2 * gib;
    return std::clamp<cl_ulong>(all / 2 / mib * mib, 256 * mib, 64 * gib);
}

cl_ulong most_allocation_bytes() {
    return std::min(global_memory_bytes() / 2, 4 * gib - 4 * kib);
}

size_t most_items(const isa::Device& device, uint32_t simd) {
    return std::min<size_t>(device.max_group_size, size_t{device.max_threads_group} * simd);
}

std::span<const size_t> sub_group_sizes(const isa::Device& device) {
    return isa::simd_widths(device);
}

cl_int get_device_ids(cl_platform_id platform_id, cl_device_type type, cl_uint num_entries,
                      cl_device_id* devices, cl_uint* count) {
    if (platform_id != nullptr && !is_valid(platform_id))
        return CL_INVALID_PLATFORM;
    constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                     CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    // Bindings that read CL_DEVICE_TYPE_ALL as a signed number set all 64 bits (ruling 160).
    if ((type & known) == 0)
        return CL_INVALID_DEVICE_TYPE;
    if ((devices == nullptr && count == nullptr) || (devices != nullptr && num_entries == 0))
        return CL_INVALID_VALUE;
    if ((type & (CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_GPU)) == 0) {
        if (count != nullptr)
            *count = 0;
        return CL_DEVICE_NOT_FOUND;
    }
    if (devices != nullptr)
        devices[0] = &platform().device;
    if (count != nullptr)
        *count = 1;
    return CL_SUCCESS;
}

cl_int get_device_info(cl_device_id device, cl_device_info what, size_t param_value_size, void* value,
                       size_t* needed) {
    if (!is_valid(device))
        return CL_INVALID_DEVICE;
    const Query answer(param_value_size, value, needed);
    for (const auto family : {identity, language, of_extensions, vectors, groups, command_buffers, memory,
                              images, answer_attribute}) {
        if (const Answer given = family(device->device, what, answer))
            return *given;
    }
    return CL_INVALID_VALUE;
}

// Root devices are not reference-counted.
cl_int retain_device(cl_device_id device) {
    return is_valid(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}
cl_int release_device(cl_device_id device) {
    return is_valid(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int create_sub_devices(cl_device_id device, const cl_device_partition_property* /*properties*/,
                          cl_uint /*num_entries*/, cl_device_id* /*devices*/, cl_uint* /*count*/) {
    return is_valid(device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE; // it cannot be partitioned
}
cl_int create_sub_devices_ext(cl_device_id device, const cl_device_partition_property_ext* /*properties*/,
                              cl_uint /*num_entries*/, cl_device_id* /*devices*/, cl_uint* /*count*/) {
    return is_valid(device) ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}

cl_int set_default_device_command_queue(cl_context context, cl_device_id device, cl_command_queue /*queue*/) {
    if (!is_valid(context))
        return CL_INVALID_CONTEXT;
    return is_valid(device) ? CL_INVALID_OPERATION : CL_INVALID_DEVICE; // no device queues
}

cl_int get_device_and_host_timer(cl_device_id device, cl_ulong* device_time, cl_ulong* host_time) {
    if (!is_valid(device))
        return CL_INVALID_DEVICE;
    if (device_time == nullptr || host_time == nullptr)
        return CL_INVALID_VALUE;
    *device_time = *host_time = now();
    return CL_SUCCESS;
}

cl_int get_host_timer(cl_device_id device, cl_ulong* host_time) {
    if (!is_valid(device))
        return CL_INVALID_DEVICE;
    if (host_time == nullptr)
        return CL_INVALID_VALUE;
    *host_time = now();
    return CL_SUCCESS;
}

} // namespace visor::opencl
