// Every call that takes a pointer into shared virtual or unified shared memory, given one that was freed, one
// that leads past the end, and one whose memory goes between the call and the command: an error, the queue
// goes on, and nothing is touched.
#include "fixture.h"
#include "saxpy.h"
#include "usm.h"

#include <array>
#include <functional>
#include <string>

namespace visor::opencl_test {

namespace {

constexpr size_t most_bytes = 4096;

class FreedMemory : public OpenCl {
protected:
    void SetUp() override {
        OpenCl::SetUp();
        program = program_of(context, device, zebin("saxpy"));
        ASSERT_NE(program, nullptr);
        programs.push_back(program);
        kernel = kernel_of(program, "saxpy");
        buffer_ = keep(clCreateBuffer(context, 0, 2 * most_bytes, nullptr, &code));
        const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
        cl_image_desc wish{};
        wish.image_type = CL_MEM_OBJECT_IMAGE2D;
        wish.image_width = 32;
        wish.image_height = 32; // 4096 most_bytes
        image_ = keep(clCreateImage(context, 0, &format, &wish, nullptr, &code));
    }

    enum class Kind : uint8_t { svm, host, device, shared };
    static constexpr std::array<Kind, 4> kinds{Kind::svm, Kind::host, Kind::device, Kind::shared};

    void* allocate(Kind kind) {
        switch (kind) {
        case Kind::svm:
            return clSVMAlloc(context, CL_MEM_READ_WRITE, most_bytes, 0);
        case Kind::host:
            return usm.host(context, nullptr, most_bytes, 0, &code);
        case Kind::device:
            return usm.device(context, device, nullptr, most_bytes, 0, &code);
        default:
            return usm.shared(context, device, nullptr, most_bytes, 0, &code);
        }
    }
    void free(Kind kind, void* memory) {
        if (kind == Kind::svm)
            clSVMFree(context, memory);
        else
            EXPECT_EQ(usm.free(context, memory), CL_SUCCESS);
    }

    // A command by its pointer, and by the event that it waits for (or none).
    struct Command {
        std::string name;
        std::function<cl_int(void*, cl_uint, const cl_event*, cl_event*)> call;
        bool hints = false; // nothing is touched when it runs
    };
    std::vector<Command> commands();
    std::vector<Command> svm_commands();
    std::vector<Command> usm_commands();
    std::vector<Command> object_commands();

    Usm usm{platform()};
    cl_program program = nullptr;
    cl_kernel kernel = nullptr;
    cl_mem buffer_ = nullptr;
    cl_mem image_ = nullptr;
    std::vector<unsigned char> host = std::vector<unsigned char>(2 * most_bytes);
};

namespace {

constexpr std::array<unsigned char, 4> one{1, 2, 3, 4};

} // namespace

std::vector<FreedMemory::Command> FreedMemory::commands() {
    std::vector<Command> all = svm_commands();
    for (const std::vector<Command>& more : {usm_commands(), object_commands()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::vector<FreedMemory::Command> FreedMemory::svm_commands() {
    return {
        {"clEnqueueSVMMemcpy from",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueSVMMemcpy(queue, CL_FALSE, host.data(), p, most_bytes, n, list, event);
         }},
        {"clEnqueueSVMMemcpy to",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueSVMMemcpy(queue, CL_FALSE, p, host.data(), most_bytes, n, list, event);
         }},
        {"clEnqueueSVMMemFill",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueSVMMemFill(queue, p, one.data(), 4, most_bytes, n, list, event);
         }},
        {"clEnqueueSVMMap",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, p, most_bytes, n, list, event);
         }},
        {"clEnqueueSVMMigrateMem",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             const void* pointer = p;
             return clEnqueueSVMMigrateMem(queue, 1, &pointer, &most_bytes, 0, n, list, event);
         },
         true},
    };
}

std::vector<FreedMemory::Command> FreedMemory::usm_commands() {
    return {
        {"clEnqueueMemcpyINTEL from",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return usm.copy(queue, CL_FALSE, host.data(), p, most_bytes, n, list, event);
         }},
        {"clEnqueueMemcpyINTEL to",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return usm.copy(queue, CL_FALSE, p, host.data(), most_bytes, n, list, event);
         }},
        {"clEnqueueMemFillINTEL",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return usm.fill(queue, p, one.data(), 4, most_bytes, n, list, event);
         }},
        {"clEnqueueMemsetINTEL",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return usm.set(queue, p, 7, most_bytes, n, list, event);
         }},
        {"clEnqueueMigrateMemINTEL",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return usm.migrate(queue, p, most_bytes, 0, n, list, event);
         },
         true},
        {"clEnqueueMemAdviseINTEL",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return usm.advise(queue, p, most_bytes, 0, n, list, event);
         },
         true},
    };
}

// The pointer is the host's side.
std::vector<FreedMemory::Command> FreedMemory::object_commands() {
    static const std::array<size_t, 3> origin{};
    static const std::array<size_t, 3> pixels{32, 32, 1};
    static const std::array<size_t, 3> box{64, 64, 1};
    return {
        {"clEnqueueReadBuffer",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueReadBuffer(queue, buffer_, CL_FALSE, 0, most_bytes, p, n, list, event);
         }},
        {"clEnqueueWriteBuffer",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueWriteBuffer(queue, buffer_, CL_FALSE, 0, most_bytes, p, n, list, event);
         }},
        {"clEnqueueReadBufferRect",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueReadBufferRect(queue, buffer_, CL_FALSE, origin.data(), origin.data(),
                                            box.data(), 0, 0, 0, 0, p, n, list, event);
         }},
        {"clEnqueueWriteBufferRect",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueWriteBufferRect(queue, buffer_, CL_FALSE, origin.data(), origin.data(),
                                             box.data(), 0, 0, 0, 0, p, n, list, event);
         }},
        {"clEnqueueReadImage",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueReadImage(queue, image_, CL_FALSE, origin.data(), pixels.data(), 0, 0, p, n,
                                       list, event);
         }},
        {"clEnqueueWriteImage",
         [&](void* p, cl_uint n, const cl_event* list, cl_event* event) {
             return clEnqueueWriteImage(queue, image_, CL_FALSE, origin.data(), pixels.data(), 0, 0, p, n,
                                        list, event);
         }},
    };
}

TEST_F(FreedMemory, CommandsAreRefused) {
    for (const Kind kind : kinds) {
        void* const memory = allocate(kind);
        ASSERT_NE(memory, nullptr);
        for (const Command& command : commands())
            EXPECT_EQ(command.call(memory, 0, nullptr, nullptr), CL_SUCCESS) << command.name;
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        // One byte less than they take; where a pattern lies is a multiple of four.
        for (const Command& command : commands())
            EXPECT_EQ(command.call(static_cast<std::byte*>(memory) + 4, 0, nullptr, nullptr),
                      CL_INVALID_VALUE)
                << command.name;
        free(kind, memory);
        for (const Command& command : commands())
            EXPECT_EQ(command.call(memory, 0, nullptr, nullptr), CL_INVALID_VALUE) << command.name;
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    }
}

TEST_F(FreedMemory, CommandsFailWhenTheirTurnComes) {
    for (const Kind kind : kinds)
        for (const Command& command : commands()) {
            void* const memory = allocate(kind);
            const cl_event gate = clCreateUserEvent(context, &code);
            cl_event event = nullptr;
            ASSERT_EQ(command.call(memory, 1, &gate, &event), CL_SUCCESS) << command.name;
            free(kind, memory);
            EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
            EXPECT_EQ(clFinish(queue), CL_SUCCESS);
            cl_int status = 1;
            EXPECT_EQ(
                clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
                CL_SUCCESS);
            EXPECT_EQ(status, command.hints ? CL_COMPLETE : CL_INVALID_VALUE) << command.name;
            EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
            EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
        }
}

// What a call reads itself, before it returns.
TEST_F(FreedMemory, PatternsColoursAndValuesAreLookedUp) {
    const std::array<size_t, 3> origin{};
    const std::array<size_t, 3> pixels{32, 32, 1};
    for (const Kind kind : kinds) {
        void* const memory = allocate(kind);
        void* const target = allocate(kind);
        const auto expect = [&](cl_int wanted, cl_int wanted_of_argument, void* at) {
            EXPECT_EQ(clEnqueueFillBuffer(queue, buffer_, at, 64, 0, most_bytes, 0, nullptr, nullptr),
                      wanted);
            EXPECT_EQ(
                clEnqueueFillImage(queue, image_, at, origin.data(), pixels.data(), 0, nullptr, nullptr),
                wanted);
            EXPECT_EQ(clEnqueueSVMMemFill(queue, target, at, 64, most_bytes, 0, nullptr, nullptr), wanted);
            EXPECT_EQ(usm.fill(queue, target, at, 64, most_bytes, 0, nullptr, nullptr), wanted);
            EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof(float), at), wanted_of_argument);
        };
        std::fill_n(static_cast<unsigned char*>(memory), most_bytes, static_cast<unsigned char>(0));
        expect(CL_SUCCESS, CL_SUCCESS, memory);
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), memory), CL_SUCCESS); // null
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        expect(CL_INVALID_VALUE, CL_INVALID_ARG_VALUE, static_cast<std::byte*>(memory) + most_bytes - 2);
        free(kind, memory);
        expect(CL_INVALID_VALUE, CL_INVALID_ARG_VALUE, memory);
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), memory), CL_INVALID_ARG_VALUE);
        EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, memory), CL_INVALID_ARG_VALUE);
        EXPECT_EQ(usm.set_argument(kernel, 0, memory), CL_INVALID_ARG_VALUE);
        free(kind, target);
    }
}

// A memory object's argument is eight bytes, and those of a pointer are no handle.
TEST_F(FreedMemory, PointersAreNoHandles) {
    for (const Kind kind : kinds) {
        void* const memory = allocate(kind);
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(void*), static_cast<const void*>(&memory)),
                  CL_INVALID_MEM_OBJECT);
        free(kind, memory);
        EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(void*), static_cast<const void*>(&memory)),
                  CL_INVALID_MEM_OBJECT);
    }
    const std::array<unsigned char, 8> odd{7, 7, 7, 7, 7, 7, 7, 7};
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof odd, odd.data()), CL_INVALID_MEM_OBJECT);
}

TEST_F(FreedMemory, ObjectsAreNotMadeOfIt) {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc wish{};
    wish.image_type = CL_MEM_OBJECT_IMAGE2D;
    wish.image_width = 32;
    wish.image_height = 32;
    for (const Kind kind : kinds) {
        void* const memory = allocate(kind);
        free(kind, memory);
        for (const cl_mem_flags flag :
             {cl_mem_flags{CL_MEM_USE_HOST_PTR}, cl_mem_flags{CL_MEM_COPY_HOST_PTR}}) {
            EXPECT_EQ(clCreateBuffer(context, flag, most_bytes, memory, &code), nullptr);
            EXPECT_EQ(code, CL_INVALID_HOST_PTR);
            EXPECT_EQ(clCreateImage(context, flag, &format, &wish, memory, &code), nullptr);
            EXPECT_EQ(code, CL_INVALID_HOST_PTR);
        }
    }
}

// Copies between it and the host are refused by the pointer; the memory is there until the buffer goes.
TEST_F(FreedMemory, BuffersOverItOutliveIt) {
    for (const Kind kind : kinds) {
        void* const memory = allocate(kind);
        const cl_mem over = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, most_bytes, memory, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        free(kind, memory);
        EXPECT_EQ(clEnqueueWriteBuffer(queue, over, CL_TRUE, 0, most_bytes, host.data(), 0, nullptr, nullptr),
                  CL_INVALID_VALUE);
        EXPECT_EQ(clEnqueueReadBuffer(queue, over, CL_TRUE, 0, most_bytes, host.data(), 0, nullptr, nullptr),
                  CL_INVALID_VALUE);
        EXPECT_EQ(clEnqueueCopyBuffer(queue, over, buffer_, 0, 0, most_bytes, 0, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clFinish(queue), CL_SUCCESS);
        EXPECT_EQ(clReleaseMemObject(over), CL_SUCCESS);
        EXPECT_EQ(clEnqueueReadBuffer(queue, buffer_, CL_TRUE, 0, most_bytes, memory, 0, nullptr, nullptr),
                  CL_INVALID_VALUE);
    }
}

// Of a context that has ended, before the call and between the call and the command: that one holds its own
// context alone.
TEST_F(FreedMemory, MemoryOfAContextThatEnded) {
    for (const bool waits : {false, true})
        for (const Command& command : commands()) {
            const cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
            void* const memory = clSVMAlloc(other, CL_MEM_READ_WRITE, most_bytes, 0);
            const cl_event gate = clCreateUserEvent(context, &code);
            cl_event event = nullptr;
            if (waits) {
                const cl_int result = command.call(memory, 1, &gate, &event);
                EXPECT_TRUE(result == CL_SUCCESS || result == CL_INVALID_VALUE) << command.name;
            }
            EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
            if (!waits) {
                EXPECT_EQ(command.call(memory, 0, nullptr, nullptr), CL_INVALID_VALUE) << command.name;
            }
            EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
            EXPECT_EQ(clFinish(queue), CL_SUCCESS);
            cl_int status = CL_INVALID_VALUE;
            if (event != nullptr) {
                EXPECT_EQ(
                    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
                    CL_SUCCESS);
                EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
            }
            EXPECT_EQ(status, command.hints && event != nullptr ? CL_COMPLETE : CL_INVALID_VALUE)
                << command.name;
            EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
        }
}

// By either call, by a command, and in a command: the second time is an error where it can be one.
TEST_F(FreedMemory, FreedTwice) {
    for (const Kind kind : kinds) {
        void* memory = allocate(kind);
        free(kind, memory);
        clSVMFree(context, memory);
        EXPECT_EQ(usm.free(context, memory), CL_INVALID_VALUE);
        EXPECT_EQ(usm.blocking_free(context, memory), CL_INVALID_VALUE);
        cl_event event = nullptr;
        EXPECT_EQ(clEnqueueSVMFree(queue, 1, &memory, nullptr, nullptr, 0, nullptr, &event), CL_SUCCESS);
        EXPECT_EQ(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
        cl_unified_shared_memory_type_intel type = 0;
        EXPECT_EQ(usm.info(context, memory, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(type, cl_uint{CL_MEM_TYPE_UNKNOWN_INTEL});
    }
}

} // namespace

} // namespace visor::opencl_test
