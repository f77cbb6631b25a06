// cl_intel_unified_shared_memory as its specification has it: codes, queries, commands, kernels.
#include "fixture.h"
#include "usm.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>

namespace visor::opencl_test {

namespace {

class UnifiedMemory : public OpenCl {
protected:
    Usm usm{platform()};

    // The three kinds with their calls.
    void* take(cl_unified_shared_memory_type_intel kind, size_t bytes, cl_uint alignment = 0,
               const cl_mem_properties_intel* properties = nullptr) {
        switch (kind) {
        case CL_MEM_TYPE_HOST_INTEL:
            return usm.host(context, properties, bytes, alignment, &code);
        case CL_MEM_TYPE_DEVICE_INTEL:
            return usm.device(context, device, properties, bytes, alignment, &code);
        default:
            return usm.shared(context, device, properties, bytes, alignment, &code);
        }
    }
    static constexpr std::array<cl_unified_shared_memory_type_intel, 3> kinds{
        CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_SHARED_INTEL};

    template <class T>
    T ask(const void* pointer, cl_mem_info_intel what) {
        T out{};
        size_t bytes = 0;
        EXPECT_EQ(usm.info(context, pointer, what, sizeof out, &out, &bytes), CL_SUCCESS);
        EXPECT_EQ(bytes, sizeof out);
        return out;
    }
};

TEST_F(UnifiedMemory, IsOfferedByPlatformAndDevice) {
    for (const bool of_platform : {true, false}) {
        std::array<char, 8192> text{};
        if (of_platform)
            EXPECT_EQ(
                clGetPlatformInfo(platform(), CL_PLATFORM_EXTENSIONS, text.size(), text.data(), nullptr),
                CL_SUCCESS);
        else
            EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, text.size(), text.data(), nullptr),
                      CL_SUCCESS);
        EXPECT_NE(std::string(text.data()).find("cl_intel_unified_shared_memory"), std::string::npos);
    }
    for (const int what : {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
                           CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
                           CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL}) {
        cl_device_unified_shared_memory_capabilities_intel can = 0;
        EXPECT_EQ(clGetDeviceInfo(device, static_cast<cl_device_info>(what), sizeof can, &can, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(can, 3U) << "access and atomics";
    }
    cl_device_unified_shared_memory_capabilities_intel system = 1;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, sizeof system, &system,
                              nullptr),
              CL_SUCCESS);
    EXPECT_EQ(system, 0U);
}

TEST_F(UnifiedMemory, AnswersWhatWasAskedFor) {
    for (const auto kind : kinds) {
        void* const pointer = take(kind, 1000);
        ASSERT_EQ(code, CL_SUCCESS);
        ASSERT_NE(pointer, nullptr);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 128, 0U);
        for (const size_t at : {size_t{0}, size_t{1}, size_t{999}}) {
            const void* const inside = static_cast<std::byte*>(pointer) + at;
            EXPECT_EQ(ask<cl_unified_shared_memory_type_intel>(inside, CL_MEM_ALLOC_TYPE_INTEL), kind);
            EXPECT_EQ(ask<void*>(inside, CL_MEM_ALLOC_BASE_PTR_INTEL), pointer);
            EXPECT_EQ(ask<size_t>(inside, CL_MEM_ALLOC_SIZE_INTEL), 1000U);
            EXPECT_EQ(ask<cl_device_id>(inside, CL_MEM_ALLOC_DEVICE_INTEL),
                      kind == CL_MEM_TYPE_HOST_INTEL ? nullptr : device);
            EXPECT_EQ(ask<cl_mem_alloc_flags_intel>(inside, CL_MEM_ALLOC_FLAGS_INTEL), 0U);
        }
        EXPECT_EQ(usm.free(context, pointer), CL_SUCCESS);
        EXPECT_EQ(ask<cl_unified_shared_memory_type_intel>(pointer, CL_MEM_ALLOC_TYPE_INTEL),
                  cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    }
}

TEST_F(UnifiedMemory, KnowsNothingOfOtherPointers) {
    void* const svm = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    const int own = 0;
    for (const void* pointer :
         {static_cast<const void*>(nullptr), static_cast<const void*>(&own), static_cast<const void*>(svm),
          static_cast<const void*>(static_cast<std::byte*>(svm) + (size_t{1} << 46U))}) {
        EXPECT_EQ(ask<cl_unified_shared_memory_type_intel>(pointer, CL_MEM_ALLOC_TYPE_INTEL),
                  cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
        EXPECT_EQ(ask<void*>(pointer, CL_MEM_ALLOC_BASE_PTR_INTEL), nullptr);
        EXPECT_EQ(ask<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL), 0U);
        EXPECT_EQ(ask<cl_device_id>(pointer, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
        EXPECT_EQ(ask<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), 0U);
    }
    cl_uint small = 0;
    EXPECT_EQ(usm.info(context, svm, CL_MEM_ALLOC_SIZE_INTEL, sizeof small, &small, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(usm.info(context, svm, 0x4190, sizeof small, &small, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(usm.info(nullptr, svm, CL_MEM_ALLOC_TYPE_INTEL, sizeof small, &small, nullptr),
              CL_INVALID_CONTEXT);
    clSVMFree(context, svm);
}

TEST_F(UnifiedMemory, AlignmentsAndSizesAreChecked) {
    cl_ulong most = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, nullptr), CL_SUCCESS);
    for (const auto kind : kinds) {
        for (cl_uint alignment = 1; alignment <= 128; alignment *= 2) {
            void* const pointer = take(kind, 3, alignment);
            EXPECT_EQ(code, CL_SUCCESS) << alignment;
            EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % alignment, 0U);
            EXPECT_EQ(usm.free(context, pointer), CL_SUCCESS);
        }
        for (const cl_uint alignment : {3U, 129U, 256U, ~0U}) {
            EXPECT_EQ(take(kind, 64, alignment), nullptr);
            EXPECT_EQ(code, CL_INVALID_VALUE) << alignment;
        }
        for (const size_t bytes : {size_t{0}, size_t{most + 1}, ~size_t{0}}) {
            EXPECT_EQ(take(kind, bytes), nullptr);
            EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE) << bytes;
        }
    }
}

TEST_F(UnifiedMemory, FlagsAreKeptOrRefused) {
    using Properties = std::vector<cl_mem_properties_intel>;
    const auto with = [](cl_mem_alloc_flags_intel flags) {
        return Properties{CL_MEM_ALLOC_FLAGS_INTEL, flags, 0};
    };
    constexpr cl_mem_alloc_flags_intel combined = CL_MEM_ALLOC_WRITE_COMBINED_INTEL;
    constexpr cl_mem_alloc_flags_intel on_device = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL;
    constexpr cl_mem_alloc_flags_intel on_host = CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    for (const auto kind : kinds) {
        const bool places = kind == CL_MEM_TYPE_SHARED_INTEL;
        for (const auto& [flags, good] : {std::pair{cl_mem_alloc_flags_intel{0}, true},
                                          {combined, true},
                                          {on_device, places},
                                          {on_host | combined, places},
                                          {on_device | on_host, false},
                                          {cl_mem_alloc_flags_intel{8}, false}}) {
            void* const pointer = take(kind, 64, 0, with(flags).data());
            EXPECT_EQ(code, good ? CL_SUCCESS : CL_INVALID_PROPERTY) << kind << ' ' << flags;
            EXPECT_EQ(pointer != nullptr, good);
            if (pointer == nullptr)
                continue;
            EXPECT_EQ(ask<cl_mem_alloc_flags_intel>(pointer, CL_MEM_ALLOC_FLAGS_INTEL), flags);
            EXPECT_EQ(usm.free(context, pointer), CL_SUCCESS);
        }
        for (const Properties& bad : {Properties{0x419e, 1, 0}, Properties{CL_MEM_ALLOC_FLAGS_INTEL, 0,
                                                                           CL_MEM_ALLOC_FLAGS_INTEL, 0, 0}}) {
            EXPECT_EQ(take(kind, 64, 0, bad.data()), nullptr);
            EXPECT_EQ(code, CL_INVALID_PROPERTY);
        }
        const Properties none{0};
        void* const pointer = take(kind, 64, 0, none.data());
        EXPECT_EQ(code, CL_SUCCESS);
        EXPECT_EQ(usm.blocking_free(context, pointer), CL_SUCCESS);
    }
}

TEST_F(UnifiedMemory, HandlesAreChecked) {
    auto* const bad_context = reinterpret_cast<cl_context>(device);
    auto* const bad_device = reinterpret_cast<cl_device_id>(context);
    EXPECT_EQ(usm.host(bad_context, nullptr, 64, 0, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_CONTEXT);
    EXPECT_EQ(usm.device(context, nullptr, nullptr, 64, 0, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_DEVICE);
    EXPECT_EQ(usm.shared(context, bad_device, nullptr, 64, 0, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_DEVICE);
    EXPECT_EQ(usm.device(bad_context, device, nullptr, 64, 0, nullptr), nullptr) << "no place for the code";
    void* const nobodys = usm.shared(context, nullptr, nullptr, 64, 0, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(ask<cl_device_id>(nobodys, CL_MEM_ALLOC_DEVICE_INTEL), nullptr);
    EXPECT_EQ(usm.free(bad_context, nobodys), CL_INVALID_CONTEXT);
    EXPECT_EQ(usm.free(context, nullptr), CL_SUCCESS);
    EXPECT_EQ(usm.blocking_free(context, nullptr), CL_SUCCESS);
    EXPECT_EQ(usm.free(context, static_cast<std::byte*>(nobodys) + 4), CL_INVALID_VALUE) << "not its begin";
    int own = 0;
    EXPECT_EQ(usm.free(context, &own), CL_INVALID_VALUE);
    EXPECT_EQ(usm.free(context, nobodys), CL_SUCCESS);
    EXPECT_EQ(usm.free(context, nobodys), CL_INVALID_VALUE) << "twice";
    clSVMFree(context, nobodys); // nothing
}

TEST_F(UnifiedMemory, PatternsOfAllSizesFill) {
    auto* const to = static_cast<unsigned char*>(usm.host(context, nullptr, 1024, 0, &code));
    std::array<unsigned char, 128> pattern{};
    std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(1));
    for (size_t bytes = 1; bytes <= pattern.size(); bytes *= 2) {
        EXPECT_EQ(usm.set(queue, to, 0x1ee, 1024, 0, nullptr, nullptr), CL_SUCCESS);
        cl_event event = nullptr;
        EXPECT_EQ(usm.fill(queue, to + bytes, pattern.data(), bytes, 3 * bytes, 0, nullptr, &event),
                  CL_SUCCESS);
        cl_command_type type = 0;
        EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
        EXPECT_EQ(type, cl_uint{CL_COMMAND_MEMFILL_INTEL});
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        for (size_t i = 0; i < 6 * bytes; ++i) {
            const bool filled = i >= bytes && i < 4 * bytes;
            EXPECT_EQ(to[i], filled ? pattern[i % bytes] : 0xee) << bytes << " at " << i;
        }
    }
    const auto refused = [&](void* at, const void* with, size_t each, size_t bytes) {
        return usm.fill(queue, at, with, each, bytes, 0, nullptr, nullptr) == CL_INVALID_VALUE;
    };
    EXPECT_TRUE(refused(nullptr, pattern.data(), 4, 16));
    EXPECT_TRUE(refused(to, nullptr, 4, 16));
    EXPECT_TRUE(refused(to, pattern.data(), 0, 16));
    EXPECT_TRUE(refused(to, pattern.data(), 12, 24)) << "no power of two";
    EXPECT_TRUE(refused(to, pattern.data(), 256, 256));
    EXPECT_TRUE(refused(to, pattern.data(), 4, 18)) << "no multiple";
    EXPECT_TRUE(refused(to + 2, pattern.data(), 4, 16)) << "not aligned";
    EXPECT_TRUE(refused(to + 1000, pattern.data(), 8, 32)) << "past the end";
    EXPECT_EQ(usm.fill(nullptr, to, pattern.data(), 4, 16, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(usm.fill(queue, to, pattern.data(), 4, 16, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(usm.free(context, to), CL_SUCCESS);
}

TEST_F(UnifiedMemory, CopiesFromAndToAnyMemory) {
    std::vector<cl_int> own(256);
    std::iota(own.begin(), own.end(), 5);
    auto* const on_device = static_cast<cl_int*>(usm.device(context, device, nullptr, 1024, 0, &code));
    auto* const shared = static_cast<cl_int*>(usm.shared(context, device, nullptr, 1024, 0, &code));
    void* const svm = clSVMAlloc(context, CL_MEM_READ_WRITE, 1024, 0);
    std::vector<cl_int> back(256);
    EXPECT_EQ(usm.copy(queue, CL_FALSE, on_device, own.data(), 1024, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(usm.copy(queue, CL_FALSE, svm, on_device, 1024, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(
        usm.copy(queue, CL_FALSE, shared + 128, static_cast<cl_int*>(svm) + 128, 512, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(usm.copy(queue, CL_FALSE, shared, shared + 128, 512, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(usm.copy(queue, CL_TRUE, back.data(), shared, 1024, 0, nullptr, nullptr), CL_SUCCESS);
    for (size_t i = 0; i < 256; ++i)
        EXPECT_EQ(back[i], own[128 + i % 128]);
    // Between two places of the application's own.
    EXPECT_EQ(usm.copy(queue, CL_TRUE, back.data(), own.data(), 1024, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(back, own);

    EXPECT_EQ(usm.copy(queue, CL_TRUE, nullptr, own.data(), 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(usm.copy(queue, CL_TRUE, shared, nullptr, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(usm.copy(queue, CL_TRUE, shared, shared + 1, 8, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(usm.copy(queue, CL_TRUE, shared + 1, shared, 8, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(usm.copy(queue, CL_TRUE, shared, shared + 2, 8, 0, nullptr, nullptr), CL_SUCCESS)
        << "side by side";
    EXPECT_EQ(usm.copy(queue, CL_TRUE, shared, own.data(), 1028, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(usm.copy(queue, CL_TRUE, own.data(), shared + 255, 8, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(usm.free(context, on_device), CL_SUCCESS);
    EXPECT_EQ(usm.copy(queue, CL_TRUE, own.data(), on_device, 8, 0, nullptr, nullptr), CL_INVALID_VALUE)
        << "freed";
    EXPECT_EQ(usm.free(context, shared), CL_SUCCESS);
    clSVMFree(context, svm);
}

TEST_F(UnifiedMemory, HintsAreCommands) {
    void* const shared = usm.shared(context, device, nullptr, 4096, 0, &code);
    cl_event event = nullptr;
    cl_command_type type = 0;
    for (const cl_mem_migration_flags flags :
         {cl_mem_migration_flags{0}, cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_HOST},
          cl_mem_migration_flags{CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED}}) {
        EXPECT_EQ(usm.migrate(queue, shared, 4096, flags, 0, nullptr, &event), CL_SUCCESS);
        EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
        EXPECT_EQ(type, cl_uint{CL_COMMAND_MIGRATEMEM_INTEL});
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    EXPECT_EQ(usm.migrate(queue, shared, 4096, 4, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(usm.advise(queue, shared, 4096, 0, 0, nullptr, &event), CL_SUCCESS);
    EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr), CL_SUCCESS);
    EXPECT_EQ(type, cl_uint{CL_COMMAND_MEMADVISE_INTEL});
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_EQ(usm.advise(nullptr, shared, 4096, 0, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(usm.blocking_free(context, shared), CL_SUCCESS);
}

constexpr const char* usm_kernels =
    "kernel void add(global int* a, global const int* b, int n) {\n"
    "  a[get_global_id(0)] = b[get_global_id(0)] + n; }\n"
    "typedef struct { global int* p; } box;\n"
    "kernel void follow(global const box* b) { b->p[get_global_id(0)] += 7; }\n"
    "kernel void turn(global int* a, int times) {\n"
    "  for (int i = 0; i < times; ++i) a[get_global_id(0)] = a[get_global_id(0)] * 3 + 1; }\n";

TEST_F(UnifiedMemory, KernelsTakePointers) {
    const cl_kernel kernel = kernel_of(usm_kernels, "add");
    auto* const host = static_cast<cl_int*>(usm.host(context, nullptr, 1024, 0, &code));
    auto* const on_device = static_cast<cl_int*>(usm.device(context, device, nullptr, 1024, 0, &code));
    auto* const shared = static_cast<cl_int*>(usm.shared(context, device, nullptr, 1024, 0, &code));
    std::iota(host, host + 256, 0);
    EXPECT_EQ(usm.set_argument(kernel, 0, on_device), CL_SUCCESS);
    EXPECT_EQ(usm.set_argument(kernel, 1, host), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 2, cl_int{10}), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 256), CL_SUCCESS);
    // Into the middle of both.
    EXPECT_EQ(usm.set_argument(kernel, 0, shared + 64), CL_SUCCESS);
    EXPECT_EQ(usm.set_argument(kernel, 1, on_device + 128), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 64), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (int i = 0; i < 64; ++i) {
        EXPECT_EQ(shared[i], 0);
        EXPECT_EQ(shared[64 + i], 128 + i + 20);
    }
    EXPECT_EQ(usm.set_argument(kernel, 0, nullptr), CL_SUCCESS);
    int own = 0;
    EXPECT_EQ(usm.set_argument(kernel, 0, &own), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(usm.set_argument(kernel, 2, shared), CL_INVALID_ARG_VALUE) << "no pointer";
    EXPECT_EQ(usm.set_argument(kernel, 3, shared), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(usm.set_argument(nullptr, 0, shared), CL_INVALID_KERNEL);
    for (void* pointer : {host, on_device, shared})
        EXPECT_EQ(usm.free(context, pointer), CL_SUCCESS);
}

TEST_F(UnifiedMemory, KernelsFollowPointersInMemory) {
    const cl_kernel kernel = kernel_of(usm_kernels, "follow");
    auto* const box = static_cast<cl_int**>(usm.host(context, nullptr, 8, 0, &code));
    auto* const behind = static_cast<cl_int*>(usm.shared(context, device, nullptr, 64, 0, &code));
    *box = behind;
    const cl_bool yes = CL_TRUE;
    for (const cl_uint what : std::array<cl_uint, 3>{CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                                     CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                                     CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
        EXPECT_EQ(clSetKernelExecInfo(kernel, what, sizeof yes, &yes), CL_SUCCESS);
        EXPECT_EQ(clSetKernelExecInfo(kernel, what, 1, &yes), CL_INVALID_VALUE);
        EXPECT_EQ(clSetKernelExecInfo(kernel, what, sizeof yes, nullptr), CL_INVALID_VALUE);
    }
    const std::array<void*, 1> list{behind};
    EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof list, list.data()),
              CL_SUCCESS);
    EXPECT_EQ(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 7, list.data()),
              CL_INVALID_VALUE);
    EXPECT_EQ(usm.set_argument(kernel, 0, box), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 16), CL_SUCCESS);
    EXPECT_EQ(usm.blocking_free(context, box), CL_SUCCESS) << "waits for the kernel";
    EXPECT_EQ(behind[15], 7);
    EXPECT_EQ(usm.free(context, behind), CL_SUCCESS);
}

TEST_F(UnifiedMemory, BlockingFreeWaitsForAllQueues) {
    const cl_kernel kernel = kernel_of(usm_kernels, "turn");
    auto* const shared = static_cast<cl_uint*>(usm.shared(context, device, nullptr, 256, 0, &code));
    auto* const other = static_cast<cl_uint*>(usm.shared(context, device, nullptr, 256, 0, &code));
    const cl_command_queue second =
        clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    EXPECT_EQ(usm.set_argument(kernel, 0, shared), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, cl_int{200000}), CL_SUCCESS);
    const size_t items = 64;
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(second, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event),
              CL_SUCCESS);
    EXPECT_EQ(usm.copy(second, CL_FALSE, other, shared, 256, 1, &event, nullptr), CL_SUCCESS);
    EXPECT_EQ(usm.blocking_free(context, shared), CL_SUCCESS);
    cl_uint wanted = 0;
    for (int i = 0; i < 200000; ++i)
        wanted = wanted * 3 + 1;
    EXPECT_EQ(other[63], wanted);
    EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(second), CL_SUCCESS);
    EXPECT_EQ(usm.free(context, other), CL_SUCCESS);
}

// What is freed before it is used leads nowhere, and nothing breaks.
TEST_F(UnifiedMemory, FreedBeforeItsTurnFailsTheCommand) {
    const cl_kernel kernel = kernel_of(usm_kernels, "add");
    auto* const shared = static_cast<cl_int*>(usm.shared(context, device, nullptr, 1024, 0, &code));
    auto* const other = static_cast<cl_int*>(usm.shared(context, device, nullptr, 1024, 0, &code));
    EXPECT_EQ(usm.set_argument(kernel, 0, shared), CL_SUCCESS);
    EXPECT_EQ(usm.set_argument(kernel, 1, other), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 2, cl_int{1}), CL_SUCCESS);
    const cl_event gate = clCreateUserEvent(context, &code);
    const size_t items = 16;
    std::array<cl_event, 3> events{};
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 1, &gate, events.data()),
              CL_SUCCESS);
    EXPECT_EQ(usm.copy(queue, CL_FALSE, other, shared, 64, 1, &gate, &events[1]), CL_SUCCESS);
    EXPECT_EQ(usm.set(queue, shared, 0, 64, 1, &gate, &events[2]), CL_SUCCESS);
    EXPECT_EQ(usm.free(context, shared), CL_SUCCESS);
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clWaitForEvents(3, events.data()), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    for (const cl_event event : events) {
        cl_int status = 1;
        EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
                  CL_SUCCESS);
        EXPECT_LT(status, 0);
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    EXPECT_EQ(run(kernel, 16), CL_INVALID_KERNEL_ARGS);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
    EXPECT_EQ(usm.free(context, other), CL_SUCCESS);
}

// The copy has begun, or has not: either way nothing breaks.
TEST_F(UnifiedMemory, FreedWhileACopyRunsHarmsNothing) {
    constexpr size_t bytes = size_t{64} << 20U;
    for (int i = 0; i < 4; ++i) {
        void* const from = usm.shared(context, device, nullptr, bytes, 0, &code);
        void* const to = usm.host(context, nullptr, bytes, 0, &code);
        cl_event event = nullptr;
        EXPECT_EQ(usm.copy(queue, CL_FALSE, to, from, bytes, 0, nullptr, &event), CL_SUCCESS);
        cl_int status = CL_QUEUED;
        while (i % 2 == 0 && status > CL_RUNNING)
            EXPECT_EQ(
                clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
                CL_SUCCESS);
        EXPECT_EQ(usm.free(context, from), CL_SUCCESS);
        EXPECT_EQ(usm.free(context, to), CL_SUCCESS);
        static_cast<void>(clWaitForEvents(1, &event));
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
}

// The moment at which freed memory goes falls anywhere in the copy's beginning: a copy has all of the memory,
// or fails.
TEST_F(UnifiedMemory, FreedWhileCopiesBeginHarmsNothing) {
    constexpr size_t bytes = 4096;
    std::array<char, bytes> out{};
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    while (std::chrono::steady_clock::now() < until) {
        void* const from = usm.shared(context, device, nullptr, bytes, 0, &code);
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(usm.copy(queue, CL_FALSE, out.data(), from, bytes, 0, nullptr, nullptr), CL_SUCCESS);
        EXPECT_EQ(usm.free(context, from), CL_SUCCESS);
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    }
}

// Its memory stays until the buffer goes, and reads of it say what happened.
TEST_F(UnifiedMemory, ABufferOutlivesTheMemoryThatItLiesIn) {
    auto* const memory = static_cast<cl_int*>(usm.host(context, nullptr, 4096, 0, &code));
    memory[5] = 77;
    const cl_mem whole = keep(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4096, memory, &code));
    const cl_mem part = keep(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, memory, &code));
    EXPECT_EQ(content<cl_int>(whole, 6)[5], 77);
    cl_bool is_svm = CL_TRUE;
    EXPECT_EQ(clGetMemObjectInfo(whole, CL_MEM_USES_SVM_POINTER, sizeof is_svm, &is_svm, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(is_svm, cl_bool{CL_FALSE});
    EXPECT_EQ(usm.free(context, memory), CL_SUCCESS);
    EXPECT_EQ(usm.free(context, memory), CL_INVALID_VALUE);
    auto* const other = static_cast<cl_int*>(usm.host(context, nullptr, 4096, 0, &code));
    EXPECT_NE(other, memory);
    std::array<cl_int, 6> out{};
    for (const cl_mem one : {whole, part})
        EXPECT_EQ(clEnqueueReadBuffer(queue, one, CL_TRUE, 0, sizeof out, out.data(), 0, nullptr, nullptr),
                  CL_INVALID_VALUE);
    const cl_kernel kernel = kernel_of(usm_kernels, "turn");
    EXPECT_EQ(set(kernel, 0, whole), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, cl_int{1}), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 64), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(usm.free(context, other), CL_SUCCESS);
}

TEST_F(UnifiedMemory, ManyAllocationsLeaveTheProcessItsMappings) {
    std::vector<void*> all;
    while (void* const one = usm.host(context, nullptr, 64, 0, &code))
        all.push_back(one);
    EXPECT_EQ(code, CL_OUT_OF_HOST_MEMORY);
    EXPECT_GT(all.size(), 20'000U);
    std::thread([] {}).join();
    for (void* const one : all)
        EXPECT_EQ(usm.free(context, one), CL_SUCCESS);
    void* const again = usm.host(context, nullptr, 64, 0, &code);
    EXPECT_NE(again, nullptr);
    EXPECT_EQ(usm.free(context, again), CL_SUCCESS);
}

TEST_F(UnifiedMemory, PointersOfAnotherContextAreNotTaken) {
    const cl_context second = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    void* const foreign = usm.shared(second, device, nullptr, 64, 0, &code);
    const cl_kernel kernel = kernel_of(usm_kernels, "add");
    EXPECT_EQ(usm.set_argument(kernel, 0, foreign), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(ask<cl_unified_shared_memory_type_intel>(foreign, CL_MEM_ALLOC_TYPE_INTEL),
              cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    EXPECT_EQ(usm.free(context, foreign), CL_INVALID_VALUE);
    EXPECT_EQ(usm.free(second, foreign), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(second), CL_SUCCESS);
}

// Some of it, in one of some tries, while the kernel runs: a kernel may be over before the test's thread has
// its turn.
TEST_F(UnifiedMemory, AllocationAndQueriesWaitForNoKernel) {
    const cl_kernel kernel = kernel_of(usm_kernels, "turn");
    void* const shared = usm.shared(context, device, nullptr, 256, 0, &code);
    EXPECT_EQ(usm.set_argument(kernel, 0, shared), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, cl_int{4'000'000}), CL_SUCCESS);
    const size_t items = 64;
    int during = 0;
    for (int tries = 0; tries < 20 && during == 0; ++tries) {
        cl_event event = nullptr;
        EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event),
                  CL_SUCCESS);
        const auto status = [&] {
            cl_int now = 0;
            EXPECT_EQ(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, nullptr),
                      CL_SUCCESS);
            return now;
        };
        while (status() > CL_RUNNING) {
        }
        for (int i = 0; i < 100; ++i) {
            for (const auto kind : kinds) {
                void* const pointer = take(kind, 5000);
                ASSERT_EQ(code, CL_SUCCESS);
                EXPECT_EQ(ask<size_t>(pointer, CL_MEM_ALLOC_SIZE_INTEL), 5000U);
                EXPECT_EQ(usm.free(context, pointer), CL_SUCCESS);
            }
            const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 5000, nullptr, &code);
            EXPECT_EQ(clReleaseMemObject(memory), CL_SUCCESS);
            during += status() == CL_RUNNING ? 1 : 0;
        }
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        EXPECT_EQ(status(), CL_COMPLETE);
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
    }
    EXPECT_GT(during, 0);
    EXPECT_EQ(usm.blocking_free(context, shared), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
