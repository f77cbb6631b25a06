#include "fixture.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace visor::opencl_test {

namespace {

class Objects : public OpenCl {
protected:
    std::string text(cl_device_info what) {
        size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device, what, 0, nullptr, &bytes), CL_SUCCESS);
        std::string out(bytes, '\0');
        EXPECT_EQ(clGetDeviceInfo(device, what, bytes, out.data(), nullptr), CL_SUCCESS);
        if (!out.empty())
            out.pop_back();
        return out;
    }
    template <class T>
    T number(cl_device_info what) {
        T out{};
        size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device, what, sizeof out, &out, &bytes), CL_SUCCESS) << std::hex << what;
        EXPECT_EQ(bytes, sizeof out) << std::hex << what;
        return out;
    }
    std::vector<std::string> names(cl_device_info what) {
        size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device, what, 0, nullptr, &bytes), CL_SUCCESS);
        std::vector<cl_name_version> all(bytes / sizeof(cl_name_version));
        EXPECT_EQ(clGetDeviceInfo(device, what, bytes, all.data(), nullptr), CL_SUCCESS);
        std::vector<std::string> out;
        for (const cl_name_version& one : all)
            out.emplace_back(one.name);
        return out;
    }
};

// Table 5 of the OpenCL 3.0 API specification: what a device of version 3.0 has to answer.
constexpr std::array required_queries{CL_DEVICE_TYPE,
                                      CL_DEVICE_VENDOR_ID,
                                      CL_DEVICE_MAX_COMPUTE_UNITS,
                                      CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
                                      CL_DEVICE_MAX_WORK_ITEM_SIZES,
                                      CL_DEVICE_MAX_WORK_GROUP_SIZE,
                                      CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
                                      CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
                                      CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                                      CL_DEVICE_MAX_CLOCK_FREQUENCY,
                                      CL_DEVICE_ADDRESS_BITS,
                                      CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                      CL_DEVICE_IMAGE_SUPPORT,
                                      CL_DEVICE_MAX_READ_IMAGE_ARGS,
                                      CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
                                      CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
                                      CL_DEVICE_IL_VERSION,
                                      CL_DEVICE_ILS_WITH_VERSION,
                                      CL_DEVICE_IMAGE2D_MAX_WIDTH,
                                      CL_DEVICE_IMAGE2D_MAX_HEIGHT,
                                      CL_DEVICE_IMAGE3D_MAX_WIDTH,
                                      CL_DEVICE_IMAGE3D_MAX_HEIGHT,
                                      CL_DEVICE_IMAGE3D_MAX_DEPTH,
                                      CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
                                      CL_DEVICE_IMAGE_MAX_ARRAY_SIZE,
                                      CL_DEVICE_MAX_SAMPLERS,
                                      CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
                                      CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
                                      CL_DEVICE_MAX_PIPE_ARGS,
                                      CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
                                      CL_DEVICE_PIPE_MAX_PACKET_SIZE,
                                      CL_DEVICE_MAX_PARAMETER_SIZE,
                                      CL_DEVICE_MEM_BASE_ADDR_ALIGN,
                                      CL_DEVICE_SINGLE_FP_CONFIG,
                                      CL_DEVICE_DOUBLE_FP_CONFIG,
                                      CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
                                      CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE,
                                      CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
                                      CL_DEVICE_GLOBAL_MEM_SIZE,
                                      CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
                                      CL_DEVICE_MAX_CONSTANT_ARGS,
                                      CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
                                      CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
                                      CL_DEVICE_LOCAL_MEM_TYPE,
                                      CL_DEVICE_LOCAL_MEM_SIZE,
                                      CL_DEVICE_ERROR_CORRECTION_SUPPORT,
                                      CL_DEVICE_PROFILING_TIMER_RESOLUTION,
                                      CL_DEVICE_ENDIAN_LITTLE,
                                      CL_DEVICE_AVAILABLE,
                                      CL_DEVICE_COMPILER_AVAILABLE,
                                      CL_DEVICE_LINKER_AVAILABLE,
                                      CL_DEVICE_EXECUTION_CAPABILITIES,
                                      CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
                                      CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
                                      CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
                                      CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
                                      CL_DEVICE_MAX_ON_DEVICE_QUEUES,
                                      CL_DEVICE_MAX_ON_DEVICE_EVENTS,
                                      CL_DEVICE_BUILT_IN_KERNELS,
                                      CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
                                      CL_DEVICE_PLATFORM,
                                      CL_DEVICE_NAME,
                                      CL_DEVICE_VENDOR,
                                      CL_DRIVER_VERSION,
                                      CL_DEVICE_PROFILE,
                                      CL_DEVICE_VERSION,
                                      CL_DEVICE_NUMERIC_VERSION,
                                      CL_DEVICE_OPENCL_C_VERSION,
                                      CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                                      CL_DEVICE_OPENCL_C_FEATURES,
                                      CL_DEVICE_EXTENSIONS,
                                      CL_DEVICE_EXTENSIONS_WITH_VERSION,
                                      CL_DEVICE_PRINTF_BUFFER_SIZE,
                                      CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
                                      CL_DEVICE_PARENT_DEVICE,
                                      CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
                                      CL_DEVICE_PARTITION_PROPERTIES,
                                      CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
                                      CL_DEVICE_PARTITION_TYPE,
                                      CL_DEVICE_REFERENCE_COUNT,
                                      CL_DEVICE_SVM_CAPABILITIES,
                                      CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
                                      CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
                                      CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
                                      CL_DEVICE_MAX_NUM_SUB_GROUPS,
                                      CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                                      CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
                                      CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
                                      CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
                                      CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
                                      CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,
                                      CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
                                      CL_DEVICE_PIPE_SUPPORT,
                                      CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
                                      CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED};

TEST_F(Objects, EveryQueryOfTheCoreIsAnswered) {
    for (const auto what : required_queries) {
        size_t bytes = 9999;
        EXPECT_EQ(clGetDeviceInfo(device, static_cast<cl_device_info>(what), 0, nullptr, &bytes), CL_SUCCESS)
            << std::hex << what;
        EXPECT_NE(bytes, 9999U);
    }
    EXPECT_EQ(clGetDeviceInfo(device, 0x7777, 0, nullptr, nullptr), CL_INVALID_VALUE);
    cl_ulong small = 0;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, 4, &small, nullptr), CL_INVALID_VALUE);
}

TEST_F(Objects, TheDeviceIsTheOneOfTheEnvironment) {
    EXPECT_EQ(text(CL_DEVICE_NAME), "Visor skl (Intel Gen9: Skylake and kin)");
    EXPECT_EQ(number<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE), 65536U);
    EXPECT_EQ(number<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE), 256U);
    EXPECT_NE(number<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG), 0U);
    EXPECT_EQ(number<cl_version>(CL_DEVICE_NUMERIC_VERSION), CL_MAKE_VERSION(3, 0, 0));
    EXPECT_TRUE(text(CL_DEVICE_VERSION).starts_with("OpenCL 3.0 "));
    EXPECT_TRUE(text(CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 1.2 "));
    size_t bytes = 0;
    std::array<size_t, 8> sizes{};
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes.data(), &bytes),
              CL_SUCCESS);
    EXPECT_EQ(bytes, 3 * sizeof(size_t));
    EXPECT_EQ(sizes[0], 8U);
    EXPECT_EQ(sizes[2], 32U);
}

TEST_F(Objects, ExtensionsAreToldTwiceAlike) {
    std::string joined;
    for (const std::string& name : names(CL_DEVICE_EXTENSIONS_WITH_VERSION))
        joined += (joined.empty() ? "" : " ") + name;
    EXPECT_EQ(joined, text(CL_DEVICE_EXTENSIONS));
    EXPECT_NE(joined.find("cl_khr_icd"), std::string::npos);
}

TEST_F(Objects, VersionsOfSpirvAreToldTwiceAlike) {
    std::vector<cl_name_version> all(8);
    size_t bytes = 0;
    ASSERT_EQ(
        clGetDeviceInfo(device, CL_DEVICE_ILS_WITH_VERSION, all.size() * sizeof all[0], all.data(), &bytes),
        CL_SUCCESS);
    all.resize(bytes / sizeof all[0]);
    ASSERT_FALSE(all.empty());
    std::string joined;
    for (const cl_name_version& one : all)
        joined += (joined.empty() ? "" : " ") + std::string(one.name) + "_" +
                  std::to_string(CL_VERSION_MAJOR(one.version)) + "." +
                  std::to_string(CL_VERSION_MINOR(one.version));
    EXPECT_EQ(joined, text(CL_DEVICE_IL_VERSION));
}

// Each optional feature has a query of its own and a macro of the compiler: the three agree.
TEST_F(Objects, FeaturesAgreeWithTheCompilersMacros) {
    const auto features = names(CL_DEVICE_OPENCL_C_FEATURES);
    const auto has = [&](std::string_view name) {
        return std::ranges::find(features, name) != features.end();
    };
    EXPECT_EQ(has("__opencl_c_pipes"), number<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
    EXPECT_EQ(has("__opencl_c_generic_address_space"),
              number<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) == CL_TRUE);
    EXPECT_EQ(has("__opencl_c_fp64"), number<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) != 0);
    std::string text = "kernel void k(global int* a) { int n = 0;\n";
    constexpr std::array all{"__opencl_c_pipes",
                             "__opencl_c_device_enqueue",
                             "__opencl_c_generic_address_space",
                             "__opencl_c_fp64",
                             "__opencl_c_images",
                             "__opencl_c_3d_image_writes",
                             "__opencl_c_read_write_images",
                             "__opencl_c_int64",
                             "__opencl_c_subgroups",
                             "__opencl_c_program_scope_global_variables",
                             "__opencl_c_work_group_collective_functions",
                             "__opencl_c_atomic_order_acq_rel",
                             "__opencl_c_atomic_order_seq_cst",
                             "__opencl_c_atomic_scope_device",
                             "__opencl_c_atomic_scope_all_devices"};
    for (size_t i = 0; i < all.size(); ++i)
        text += std::string("#ifdef ") + all[i] + "\nn |= 1 << " + std::to_string(i) + ";\n#endif\n";
    const cl_kernel kernel = kernel_of((text + "a[0] = n; }").c_str(), "k", "-cl-std=CL3.0");
    const cl_mem out = buffer(std::vector<cl_int>{0});
    EXPECT_EQ(set(kernel, 0, out), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
    const cl_int found = content<cl_int>(out, 1)[0];
    for (size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ((found >> i & 1) == 1, has(all[i])) << all[i];
}

TEST_F(Objects, DevicesAreFoundByTheirType) {
    cl_uint count = 9;
    EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_CPU, 0, nullptr, &count), CL_DEVICE_NOT_FOUND);
    EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_GPU, 0, nullptr, &count), CL_SUCCESS);
    EXPECT_EQ(count, 1U);
    EXPECT_EQ(clGetDeviceIDs(platform(), 0, 0, nullptr, &count), CL_INVALID_DEVICE_TYPE);
    EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_GPU, 0, nullptr, nullptr), CL_INVALID_VALUE);
    const std::array<cl_device_partition_property, 3> equally{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    EXPECT_EQ(clCreateSubDevices(device, equally.data(), 0, nullptr, &count), CL_INVALID_VALUE);
}

TEST_F(Objects, ContextsAreChecked) {
    EXPECT_EQ(clCreateContext(nullptr, 0, &device, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    const std::array<cl_context_properties, 3> wrong{0x7777, 1, 0};
    EXPECT_EQ(clCreateContext(wrong.data(), 1, &device, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROPERTY);
    for (const cl_context_properties truth : {-1, 2}) { // neither CL_TRUE nor CL_FALSE
        const std::array<cl_context_properties, 3> neither{CL_CONTEXT_INTEROP_USER_SYNC, truth, 0};
        EXPECT_EQ(clCreateContext(neither.data(), 1, &device, nullptr, nullptr, &code), nullptr);
        EXPECT_EQ(code, CL_INVALID_PROPERTY);
    }
    const std::array<cl_context_properties, 3> good{CL_CONTEXT_PLATFORM,
                                                    reinterpret_cast<cl_context_properties>(platform()), 0};
    const cl_context made = clCreateContextFromType(good.data(), CL_DEVICE_TYPE_GPU, nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    std::array<cl_context_properties, 3> told{};
    EXPECT_EQ(clGetContextInfo(made, CL_CONTEXT_PROPERTIES, sizeof told, told.data(), nullptr), CL_SUCCESS);
    EXPECT_EQ(told, good);
    EXPECT_EQ(clRetainContext(made), CL_SUCCESS);
    cl_uint references = 0;
    EXPECT_EQ(clGetContextInfo(made, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(references, 2U);
    static int gone = 0;
    EXPECT_EQ(clSetContextDestructorCallback(made, [](cl_context, void*) { ++gone; }, nullptr), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
    EXPECT_EQ(gone, 0);
    EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
    EXPECT_EQ(gone, 1);
}

TEST_F(Objects, QueuesAreCheckedAndTellWhatTheyAre) {
    EXPECT_EQ(clCreateCommandQueue(context, device, 0x100, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    const std::array<cl_queue_properties, 3> on_device{
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    EXPECT_EQ(clCreateCommandQueueWithProperties(context, device, on_device.data(), &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_QUEUE_PROPERTIES);
    const std::array<cl_queue_properties, 3> good{CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                  0};
    const cl_command_queue made = clCreateCommandQueueWithProperties(context, device, good.data(), &code);
    ASSERT_EQ(code, CL_SUCCESS);
    std::array<cl_queue_properties, 3> told{};
    EXPECT_EQ(clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES_ARRAY, sizeof told, told.data(), nullptr),
              CL_SUCCESS);
    EXPECT_EQ(told, good);
    cl_context of = nullptr;
    EXPECT_EQ(clGetCommandQueueInfo(made, CL_QUEUE_CONTEXT, sizeof of, &of, nullptr), CL_SUCCESS);
    EXPECT_EQ(of, context);
    cl_uint size = 0;
    EXPECT_EQ(clGetCommandQueueInfo(made, CL_QUEUE_SIZE, sizeof size, &size, nullptr),
              CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(clReleaseCommandQueue(made), CL_SUCCESS);
}

TEST_F(Objects, WhatIsOfAnotherKindIsRefused) {
    const cl_mem memory = buffer(std::vector<cl_int>{1});
    EXPECT_EQ(clRetainKernel(reinterpret_cast<cl_kernel>(memory)), CL_INVALID_KERNEL);
    EXPECT_EQ(clReleaseEvent(reinterpret_cast<cl_event>(queue)), CL_INVALID_EVENT);
    EXPECT_EQ(clFinish(reinterpret_cast<cl_command_queue>(memory)), CL_INVALID_COMMAND_QUEUE);
}

TEST_F(Objects, SamplersAreChecked) {
    EXPECT_EQ(clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    const cl_sampler made =
        clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    cl_addressing_mode mode = 0;
    EXPECT_EQ(clGetSamplerInfo(made, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, nullptr), CL_SUCCESS);
    EXPECT_EQ(mode, cl_addressing_mode{CL_ADDRESS_CLAMP_TO_EDGE});
    EXPECT_EQ(clReleaseSampler(made), CL_SUCCESS);
}

TEST_F(Objects, TimersOfDeviceAndHostAreOne) {
    cl_ulong on_device = 0;
    cl_ulong on_host = 0;
    EXPECT_EQ(clGetDeviceAndHostTimer(device, &on_device, &on_host), CL_SUCCESS);
    EXPECT_EQ(on_device, on_host);
    cl_ulong later = 0;
    EXPECT_EQ(clGetHostTimer(device, &later), CL_SUCCESS);
    EXPECT_GE(later, on_host);
}

} // namespace

} // namespace visor::opencl_test
