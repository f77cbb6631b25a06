#include "host.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace visor::opencl_extensions {

namespace {

constexpr const char* empty_kernel = "kernel void k(global int* p) { p[get_global_id(0)] = 1; }";

std::string loader(const Session& session) {
    cl_platform_id platform = nullptr;
    clGetDeviceInfo(session.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    std::array<char, 32> suffix{};
    const cl_int code =
        clGetPlatformInfo(platform, CL_PLATFORM_ICD_SUFFIX_KHR, suffix.size(), suffix.data(), nullptr);
    if (code != CL_SUCCESS || suffix[0] == '\0')
        return "no suffix";
    const auto ids = reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR"));
    cl_uint count = 0;
    if (ids == nullptr || ids(0, nullptr, &count) != CL_SUCCESS || count != 1)
        return "clIcdGetPlatformIDsKHR";
    return "";
}

// The module's kernel, run over ints that hold their item.
std::string run_module(const Session& session, const std::vector<uint32_t>& module,
                       int (*expected)(int item)) {
    const auto create = function_of<clCreateProgramWithILKHR_fn>(session, "clCreateProgramWithILKHR");
    if (create == nullptr)
        return "no clCreateProgramWithILKHR";
    cl_int code = CL_SUCCESS;
    const cl_program program =
        create(session.context, module.data(), module.size() * sizeof(uint32_t), &code);
    if (code != CL_SUCCESS)
        return fmt::format("clCreateProgramWithILKHR: {}", code);
    code = clBuildProgram(program, 1, &session.device, "", nullptr, nullptr);
    std::array<char, 500> log{};
    if (code != CL_SUCCESS) {
        clGetProgramBuildInfo(program, session.device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
        clReleaseProgram(program);
        return fmt::format("SPIR-V does not build: {} {}", code, log.data());
    }
    size_t il_bytes = 0;
    code = clGetProgramInfo(program, CL_PROGRAM_IL_KHR, 0, nullptr, &il_bytes);
    if (code != CL_SUCCESS || il_bytes != module.size() * sizeof(uint32_t))
        return "CL_PROGRAM_IL_KHR";
    std::vector<int> content(items);
    for (size_t at = 0; at < content.size(); ++at)
        content[at] = static_cast<int>(at);
    const cl_mem memory =
        clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, sizeof(int) * items, content.data(), &code);
    const cl_kernel kernel = clCreateKernel(program, "k", &code);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    const size_t global = items;
    const size_t local = group_size;
    code = clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(session.queue, memory, CL_TRUE, 0, sizeof(int) * items, content.data(), 0,
                                   nullptr, nullptr);
    clReleaseKernel(kernel);
    clReleaseMemObject(memory);
    clReleaseProgram(program);
    if (code != CL_SUCCESS)
        return fmt::format("a launch ends with {}", code);
    for (int item = 0; item < items; ++item)
        if (content[static_cast<size_t>(item)] != expected(item))
            return fmt::format("item {}: expected {}, got {}", item, expected(item),
                               content[static_cast<size_t>(item)]);
    return "";
}

// In each version that the device tells.
std::string il_program(const Session& session) {
    size_t bytes = 0;
    clGetDeviceInfo(session.device, CL_DEVICE_ILS_WITH_VERSION, 0, nullptr, &bytes);
    std::vector<cl_name_version> all(bytes / sizeof(cl_name_version));
    clGetDeviceInfo(session.device, CL_DEVICE_ILS_WITH_VERSION, bytes, all.data(), nullptr);
    if (all.empty())
        return "no versions of SPIR-V";
    for (const cl_name_version& one : all) {
        const uint32_t version = CL_VERSION_MAJOR(one.version) << 16 | CL_VERSION_MINOR(one.version) << 8;
        const std::string problem =
            run_module(session, times_three_module(version), [](int item) { return 3 * item; });
        if (!problem.empty())
            return fmt::format("{} {:#x}: {}", one.name, version, problem);
    }
    return "";
}
std::string spirv_sub_groups(const Session& session) {
    return run_module(session, sub_group_module(), [](int item) { return 3 * item + (item ^ 1); });
}

// Modules that declare the extension are taken.
std::string declaring(const Session& session, const Declared& declared) {
    return run_module(session, times_three_module(0x10000, declared), [](int item) { return 3 * item; });
}
std::string spirv_matrices(const Session& session) {
    return declaring(session, {{6236}, {"SPV_INTEL_subgroup_matrix_multiply_accumulate"}});
}
std::string spirv_tf32(const Session& session) {
    return declaring(
        session, {{6236, 6425},
                  {"SPV_INTEL_subgroup_matrix_multiply_accumulate", "SPV_INTEL_tensor_float32_conversion"}});
}
std::string spirv_blocks(const Session& session) {
    return declaring(session, {{6228, 6229, 6230}, {"SPV_INTEL_2d_block_io"}});
}
std::string spirv_prefetches(const Session& session) {
    return declaring(session, {{6220}, {"SPV_INTEL_subgroup_buffer_prefetch"}});
}

std::string create_queue(const Session& session) {
    const auto create = function_of<clCreateCommandQueueWithPropertiesKHR_fn>(
        session, "clCreateCommandQueueWithPropertiesKHR");
    if (create == nullptr)
        return "no clCreateCommandQueueWithPropertiesKHR";
    const std::array<cl_queue_properties_khr, 3> wish{CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int code = CL_SUCCESS;
    const cl_command_queue queue = create(session.context, session.device, wish.data(), &code);
    if (code != CL_SUCCESS)
        return fmt::format("clCreateCommandQueueWithPropertiesKHR: {}", code);
    cl_command_queue_properties properties = 0;
    clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr);
    const cl_int ended = clFinish(queue);
    clReleaseCommandQueue(queue);
    return ended != CL_SUCCESS
               ? "clFinish"
               : same("its properties", properties, cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
}

// Names in a list with versions are those in the text.
std::string versions(const Session& session) {
    const cl_device_id device = session.device;
    cl_platform_id platform = nullptr;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    cl_version number = 0;
    for (const cl_device_info query : std::to_array<cl_device_info>(
             {CL_DEVICE_NUMERIC_VERSION_KHR, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR}))
        if (clGetDeviceInfo(device, query, sizeof number, &number, nullptr) != CL_SUCCESS || number == 0)
            return fmt::format("query {:#x}", query);
    if (clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION_KHR, sizeof number, &number, nullptr) !=
            CL_SUCCESS ||
        number == 0)
        return "CL_PLATFORM_NUMERIC_VERSION_KHR";
    size_t bytes = 0;
    for (const cl_device_info query : std::to_array<cl_device_info>(
             {CL_DEVICE_ILS_WITH_VERSION_KHR, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR}))
        if (clGetDeviceInfo(device, query, 0, nullptr, &bytes) != CL_SUCCESS)
            return fmt::format("query {:#x}", query);
    if (clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR, 0, nullptr, &bytes) !=
            CL_SUCCESS ||
        bytes == 0)
        return "CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR";
    std::vector<cl_name_version_khr> of_platform(bytes / sizeof(cl_name_version_khr));
    clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR, bytes, of_platform.data(), nullptr);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, 0, nullptr, &bytes);
    std::vector<cl_name_version_khr> all(bytes / sizeof(cl_name_version_khr));
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, bytes, all.data(), nullptr);
    // What the platform has each device has.
    for (const cl_name_version_khr& one : of_platform)
        if (std::ranges::none_of(all,
                                 [&](const auto& other) { return std::strcmp(one.name, other.name) == 0; }))
            return fmt::format("{}: of the platform and not of the device", one.name);
    std::string joined;
    for (const cl_name_version_khr& one : all)
        joined += (joined.empty() ? "" : " ") + std::string(one.name);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &bytes);
    std::string text(bytes, '\0');
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, text.data(), nullptr);
    return same("CL_DEVICE_EXTENSIONS", std::string(text.c_str()), joined);
}

std::string suggested_size(const Session& session) {
    const auto suggest =
        function_of<clGetKernelSuggestedLocalWorkSizeKHR_fn>(session, "clGetKernelSuggestedLocalWorkSizeKHR");
    if (suggest == nullptr)
        return "no clGetKernelSuggestedLocalWorkSizeKHR";
    cl_program program = nullptr;
    if (std::string problem = session.build(empty_kernel, "", program); !problem.empty())
        return problem;
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = clCreateKernel(program, "k", &code);
    const cl_mem memory = clCreateBuffer(session.context, 0, 96 * sizeof(int), nullptr, &code);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    const size_t global = 96;
    size_t local = 0;
    code = suggest(session.queue, kernel, 1, nullptr, &global, &local);
    const bool runs = code == CL_SUCCESS && local != 0 && global % local == 0 &&
                      clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, &local, 0, nullptr,
                                             nullptr) == CL_SUCCESS &&
                      clFinish(session.queue) == CL_SUCCESS;
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return runs ? "" : fmt::format("code {}, size {} of {}", code, local, global);
}

// Each size that is told, in kernels and by the query.
std::string sub_group_sizes(const Session& session) {
    size_t bytes = 0;
    clGetDeviceInfo(session.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, 0, nullptr, &bytes);
    std::vector<size_t> sizes(bytes / sizeof(size_t));
    clGetDeviceInfo(session.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, bytes, sizes.data(), nullptr);
    if (sizes.empty())
        return "no sizes";
    for (const size_t size : sizes) {
        const std::string source =
            fmt::format("__attribute__((intel_reqd_sub_group_size({}))) kernel void k(global long* out) {{ "
                        "int i = get_global_id(0) * 16;"
                        " out[i] = get_max_sub_group_size(); out[i + 1] = get_sub_group_local_id(); }}",
                        size);
        cl_program program = nullptr;
        if (std::string problem = session.build(source, "-cl-std=CL3.0", program); !problem.empty())
            return fmt::format("size {}: {}", size, problem);
        const cl_kernel kernel = clCreateKernel(program, "k", nullptr);
        cl_ulong spill = 1;
        const cl_int code = clGetKernelWorkGroupInfo(kernel, session.device, CL_KERNEL_SPILL_MEM_SIZE_INTEL,
                                                     sizeof spill, &spill, nullptr);
        size_t told = 0;
        size_t needed = 0;
        clGetKernelSubGroupInfo(kernel, session.device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr,
                                sizeof told, &told, &needed);
        std::vector<int64_t> out(static_cast<size_t>(items * room), untouched);
        std::string problem = session.run(kernel, out);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
        if (code != CL_SUCCESS)
            return fmt::format("CL_KERNEL_SPILL_MEM_SIZE_INTEL: {}", code);
        if (problem.empty())
            problem = same("the query's size", told, size);
        for (size_t item = 0; item < items && problem.empty(); ++item) {
            problem = same("size in the kernel", out[item * room], static_cast<int64_t>(size));
            if (problem.empty())
                problem = same("lane", out[item * room + 1], static_cast<int64_t>(item % size));
        }
        if (!problem.empty())
            return problem;
    }
    return "";
}

std::string shared_memory(const Session& session) {
    const auto host = function_of<clHostMemAllocINTEL_fn>(session, "clHostMemAllocINTEL");
    const auto on_device = function_of<clDeviceMemAllocINTEL_fn>(session, "clDeviceMemAllocINTEL");
    const auto shared = function_of<clSharedMemAllocINTEL_fn>(session, "clSharedMemAllocINTEL");
    const auto free = function_of<clMemFreeINTEL_fn>(session, "clMemFreeINTEL");
    const auto blocking_free = function_of<clMemBlockingFreeINTEL_fn>(session, "clMemBlockingFreeINTEL");
    const auto info = function_of<clGetMemAllocInfoINTEL_fn>(session, "clGetMemAllocInfoINTEL");
    const auto set = function_of<clSetKernelArgMemPointerINTEL_fn>(session, "clSetKernelArgMemPointerINTEL");
    const auto fill = function_of<clEnqueueMemFillINTEL_fn>(session, "clEnqueueMemFillINTEL");
    const auto copy = function_of<clEnqueueMemcpyINTEL_fn>(session, "clEnqueueMemcpyINTEL");
    const auto migrate = function_of<clEnqueueMigrateMemINTEL_fn>(session, "clEnqueueMigrateMemINTEL");
    const auto advise = function_of<clEnqueueMemAdviseINTEL_fn>(session, "clEnqueueMemAdviseINTEL");
    if (host == nullptr || on_device == nullptr || shared == nullptr || free == nullptr ||
        blocking_free == nullptr || info == nullptr || set == nullptr || fill == nullptr || copy == nullptr ||
        migrate == nullptr || advise == nullptr)
        return "a function is missing";
    const size_t bytes = items * sizeof(int);
    cl_int code = CL_SUCCESS;
    auto* first = static_cast<int*>(host(session.context, nullptr, bytes, 0, &code));
    void* second = on_device(session.context, session.device, nullptr, bytes, 0, &code);
    auto* third = static_cast<int*>(shared(session.context, session.device, nullptr, bytes, 0, &code));
    cl_unified_shared_memory_type_intel type = 0;
    info(session.context, second, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr);
    cl_program program = nullptr;
    std::string problem = session.build("kernel void k(global int* a, global int* b, global int* c) { int i "
                                        "= get_global_id(0); c[i] = a[i] + b[i] * 10; }",
                                        "", program);
    if (!problem.empty())
        return problem;
    const cl_kernel kernel = clCreateKernel(program, "k", &code);
    for (int item = 0; item < items; ++item)
        first[item] = item;
    const int seven = 7;
    const size_t global = items;
    bool good = fill(session.queue, second, &seven, sizeof seven, bytes, 0, nullptr, nullptr) == CL_SUCCESS;
    good = good && set(kernel, 0, first) == CL_SUCCESS && set(kernel, 1, second) == CL_SUCCESS &&
           set(kernel, 2, third) == CL_SUCCESS;
    good = good && migrate(session.queue, third, bytes, 0, 0, nullptr, nullptr) == CL_SUCCESS;
    good = good && advise(session.queue, third, bytes, 0, 0, nullptr, nullptr) == CL_SUCCESS;
    good = good && clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                          nullptr) == CL_SUCCESS;
    std::array<int, items> out{};
    good = good && clFinish(session.queue) == CL_SUCCESS &&
           copy(session.queue, CL_TRUE, out.data(), third, bytes, 0, nullptr, nullptr) == CL_SUCCESS;
    for (int item = 0; item < items && good; ++item)
        good = out[static_cast<size_t>(item)] == item + 70 && third[item] == item + 70;
    good = good && type == CL_MEM_TYPE_DEVICE_INTEL;
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    good = free(session.context, first) == CL_SUCCESS && free(session.context, second) == CL_SUCCESS &&
           blocking_free(session.context, third) == CL_SUCCESS && good;
    return good ? "" : "a result or a code is wrong";
}

std::string buffer_properties(const Session& session) {
    const auto create =
        function_of<clCreateBufferWithPropertiesINTEL_fn>(session, "clCreateBufferWithPropertiesINTEL");
    if (create == nullptr)
        return "no clCreateBufferWithPropertiesINTEL";
    cl_int code = CL_SUCCESS;
    const cl_mem memory = create(session.context, nullptr, CL_MEM_READ_WRITE, 64, nullptr, &code);
    if (code != CL_SUCCESS)
        return fmt::format("clCreateBufferWithPropertiesINTEL: {}", code);
    size_t bytes = 0;
    clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
    clReleaseMemObject(memory);
    return same("its size", bytes, size_t{64});
}

// Each of these queries has an answer of this size.
std::string answers(const Session& session,
                    std::initializer_list<std::pair<cl_device_info, size_t>> queries) {
    for (const auto& [query, expected] : queries) {
        size_t bytes = 0;
        const cl_int code = clGetDeviceInfo(session.device, query, 0, nullptr, &bytes);
        if (code != CL_SUCCESS || bytes != expected)
            return fmt::format("query {:#x}: code {}, {} bytes", query, code, bytes);
    }
    return "";
}
std::string attributes(const Session& session) {
    return answers(session, {{CL_DEVICE_IP_VERSION_INTEL, 4},
                             {CL_DEVICE_ID_INTEL, 4},
                             {CL_DEVICE_NUM_SLICES_INTEL, 4},
                             {CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL, 4},
                             {CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL, 4},
                             {CL_DEVICE_NUM_THREADS_PER_EU_INTEL, 4},
                             {CL_DEVICE_FEATURE_CAPABILITIES_INTEL, 8}});
}
std::string dot_queries(const Session& session) {
    using Properties = cl_device_integer_dot_product_acceleration_properties_khr;
    return answers(
        session,
        {{CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, 8},
         {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, sizeof(Properties)},
         {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, sizeof(Properties)}});
}
std::string uuid(const Session& session) {
    return answers(session, {{CL_DEVICE_UUID_KHR, 16},
                             {CL_DRIVER_UUID_KHR, 16},
                             {CL_DEVICE_LUID_VALID_KHR, 4},
                             {CL_DEVICE_LUID_KHR, 8},
                             {CL_DEVICE_NODE_MASK_KHR, 4}});
}
std::string bus(const Session& session) {
    return answers(session, {{CL_DEVICE_PCI_BUS_INFO_KHR, sizeof(cl_device_pci_bus_info_khr)}});
}

constexpr std::array programs{
    HostProgram{"cl_khr_icd", loader},
    HostProgram{"cl_khr_il_program", il_program},
    HostProgram{"cl_intel_spirv_subgroups", spirv_sub_groups},
    HostProgram{"cl_intel_subgroup_matrix_multiply_accumulate", spirv_matrices},
    HostProgram{"cl_intel_subgroup_matrix_multiply_accumulate_tf32", spirv_tf32},
    HostProgram{"cl_intel_subgroup_2d_block_io", spirv_blocks},
    HostProgram{"cl_intel_subgroup_buffer_prefetch", spirv_prefetches},
    HostProgram{"cl_khr_create_command_queue", create_queue},
    HostProgram{"cl_khr_extended_versioning", versions},
    HostProgram{"cl_khr_suggested_local_work_size", suggested_size},
    HostProgram{"cl_intel_required_subgroup_size", sub_group_sizes},
    HostProgram{"cl_intel_unified_shared_memory", shared_memory},
    HostProgram{"cl_intel_create_buffer_with_properties", buffer_properties},
    HostProgram{"cl_intel_device_attribute_query", attributes},
    HostProgram{"cl_khr_integer_dot_product", dot_queries},
    HostProgram{"cl_khr_device_uuid", uuid},
    HostProgram{"cl_khr_pci_bus_info", bus},
};

struct Bit {
    cl_device_info query;
    cl_ulong bit;
    const char* name;
};
constexpr std::array bits{
    Bit{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_ORDER_RELAXED,
        "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_RELAXED"},
    Bit{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_ORDER_ACQ_REL,
        "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_ACQ_REL"},
    Bit{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_ORDER_SEQ_CST,
        "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_SEQ_CST"},
    Bit{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM,
        "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM"},
    Bit{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP,
        "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP"},
    Bit{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_DEVICE,
        "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_DEVICE"},
    Bit{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
        "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES"},
    Bit{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_ATOMIC_ORDER_RELAXED,
        "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_RELAXED"},
    Bit{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_ATOMIC_ORDER_ACQ_REL,
        "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_ACQ_REL"},
    Bit{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_ATOMIC_ORDER_SEQ_CST,
        "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_SEQ_CST"},
    Bit{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM,
        "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM"},
    Bit{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP,
        "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP"},
    Bit{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_DEVICE,
        "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_DEVICE"},
    Bit{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
        "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES"},
    Bit{CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR,
        "CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: "
        "CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR"},
    Bit{CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR,
        "CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR"},
    Bit{CL_DEVICE_IMAGE_SUPPORT, CL_TRUE, "CL_DEVICE_IMAGE_SUPPORT: CL_TRUE"},
    Bit{CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, CL_TRUE, "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: CL_TRUE"},
    Bit{CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_TRUE,
        "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: CL_TRUE"},
};

} // namespace

std::vector<HostProgram> host_programs() {
    std::vector<HostProgram> out(programs.begin(), programs.end());
    std::ranges::copy(image_programs(), std::back_inserter(out));
    std::ranges::copy(address_programs(), std::back_inserter(out));
    std::ranges::copy(command_buffer_programs(), std::back_inserter(out));
    std::ranges::copy(tracing_programs(), std::back_inserter(out));
    return out;
}

std::vector<std::string> told_bits(cl_device_id device) {
    std::vector<std::string> out;
    const auto is_set = [device](cl_device_info query, cl_ulong bit) {
        cl_ulong value = 0; // queries are of four or eight bytes
        return clGetDeviceInfo(device, query, sizeof value, &value, nullptr) == CL_SUCCESS &&
               (value & bit) != 0;
    };
    for (const Bit& bit : bits)
        if (is_set(bit.query, bit.bit))
            out.emplace_back(bit.name);
    // Of cl_ext_float_atomics, whose names not every header has.
    for (const auto& [query, type] :
         {std::pair<cl_device_info, const char*>{0x4231, "SINGLE"}, {0x4232, "DOUBLE"}, {0x4233, "HALF"}})
        for (const auto& [place, space] : {std::pair{0, "GLOBAL"}, {16, "LOCAL"}})
            for (const auto& [offset, what] : {std::pair{0, "LOAD_STORE"}, {1, "ADD"}, {2, "MIN_MAX"}})
                if (is_set(query, cl_ulong{1} << (place + offset)))
                    out.push_back(
                        fmt::format("CL_DEVICE_{}_FP_ATOMIC_CAPABILITIES_EXT: CL_DEVICE_{}_FP_ATOMIC_{}_EXT",
                                    type, space, what));
    return out;
}

} // namespace visor::opencl_extensions
