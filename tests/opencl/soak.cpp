// Random sequences of calls, valid and invalid, by several threads on one context. What a thread's own queue
// does is mirrored on the host, so that wrong content is seen; sanitizers see the rest. Seeded: one seed, one
// sequence of calls for each thread.
#include "usm.h"

#include <CL/cl.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr size_t elements = 1024;
constexpr const char* program_text = "kernel void add(global int* a, int n) { a[get_global_id(0)] += n; }\n"
                                     "kernel void copy(global const int* a, global int* b, local int* l) {\n"
                                     "  int i = get_local_id(0); l[i] = a[get_global_id(0)];\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE); b[get_global_id(0)] = l[i]; }\n";

std::atomic<int> failures{0};

void expect(bool good, const char* what, int seed) {
    if (good)
        return;
    if (failures.fetch_add(1) < 20)
        std::fprintf(stderr, "soak: %s (thread seed %d)\n", what, seed);
}

struct Shared {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_program program = nullptr;
    cl_command_queue free = nullptr; // out of order, of all threads
};

struct Piece {
    cl_mem memory = nullptr;
    std::vector<cl_int> mirror;
    std::vector<cl_int> host; // in use by the buffer, if not empty
};

class Player {
public:
    Player(const Shared& shared, int seed)
        : shared_(shared), seed_(seed), random_(static_cast<unsigned>(seed)), usm_(shared.platform) {
        cl_int code = 0;
        queue_ = clCreateCommandQueue(shared.context, shared.device, 0, &code);
        add_ = clCreateKernel(shared.program, "add", &code);
        copy_ = clCreateKernel(shared.program, "copy", &code);
        expect(code == CL_SUCCESS, "set-up", seed_);
        for (int i = 0; i < 4; ++i)
            make();
    }
    ~Player() {
        clFinish(queue_);
        clFinish(shared_.free); // its markers may wait for our events
        for (const cl_event event : events_)
            clReleaseEvent(event);
        for (const Piece& piece : pieces_)
            clReleaseMemObject(piece.memory);
        clReleaseKernel(add_);
        clReleaseKernel(copy_);
        clReleaseCommandQueue(queue_);
    }
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;
    Player(Player&&) = delete;
    Player& operator=(Player&&) = delete;

    void step() {
        switch (below(17)) {
        case 0:
            write();
            break;
        case 1:
        case 2:
            read();
            break;
        case 3:
        case 4:
            launch_add();
            break;
        case 5:
            launch_copy();
            break;
        case 6:
            fill();
            break;
        case 7:
            map();
            break;
        case 8:
            replace();
            break;
        case 9:
            markers();
            break;
        case 10:
            gate();
            break;
        case 11:
            nonsense();
            break;
        case 12:
            copy_buffer();
            break;
        case 13:
            revive();
            break;
        case 14:
        case 15:
            unified();
            break;
        default:
            forget();
            break;
        }
    }

private:
    size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(random_); }
    Piece& any() { return pieces_[below(pieces_.size())]; }
    void good(cl_int code, const char* what) { expect(code == CL_SUCCESS, what, seed_); }
    cl_event* keep() {
        if (below(3) != 0)
            return nullptr;
        events_.push_back(nullptr);
        return &events_.back();
    }

    void make() {
        Piece piece;
        piece.mirror.assign(elements, static_cast<cl_int>(below(1000)));
        cl_int code = 0;
        const bool uses = below(2) == 0;
        if (uses)
            piece.host = piece.mirror;
        piece.memory = clCreateBuffer(shared_.context, uses ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR,
                                      elements * 4, uses ? piece.host.data() : piece.mirror.data(), &code);
        good(code, "clCreateBuffer");
        pieces_.push_back(std::move(piece));
    }
    void replace() {
        const size_t index = below(pieces_.size());
        good(clFinish(queue_), "clFinish");
        good(clReleaseMemObject(pieces_[index].memory), "clReleaseMemObject");
        pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(index));
        make();
    }
    void write() {
        Piece& piece = any();
        const size_t at = below(elements);
        const size_t count = 1 + below(elements - at);
        const std::vector<cl_int> values(count, static_cast<cl_int>(below(1 << 20)));
        std::copy(values.begin(), values.end(), piece.mirror.begin() + static_cast<std::ptrdiff_t>(at));
        good(clEnqueueWriteBuffer(queue_, piece.memory, CL_TRUE, at * 4, count * 4, values.data(), 0, nullptr,
                                  keep()),
             "write");
    }
    void read() {
        const Piece& piece = any();
        std::vector<cl_int> out(elements);
        good(clEnqueueReadBuffer(queue_, piece.memory, CL_TRUE, 0, elements * 4, out.data(), 0, nullptr,
                                 keep()),
             "read");
        expect(out == piece.mirror, "content", seed_);
    }
    void fill() {
        Piece& piece = any();
        const auto value = static_cast<cl_int>(below(1 << 20));
        piece.mirror.assign(elements, value);
        good(clEnqueueFillBuffer(queue_, piece.memory, &value, 4, 0, elements * 4, 0, nullptr, keep()),
             "fill");
    }
    void copy_buffer() {
        const Piece& from = pieces_.front();
        Piece& to = pieces_.back();
        to.mirror = from.mirror;
        good(clEnqueueCopyBuffer(queue_, from.memory, to.memory, 0, 0, elements * 4, 0, nullptr, keep()),
             "copy");
    }
    void launch_add() {
        Piece& piece = any();
        const auto n = static_cast<cl_int>(below(100));
        for (cl_int& value : piece.mirror)
            value += n;
        clSetKernelArg(add_, 0, sizeof piece.memory, &piece.memory);
        clSetKernelArg(add_, 1, sizeof n, &n);
        const size_t global = elements;
        good(clEnqueueNDRangeKernel(queue_, add_, 1, nullptr, &global, nullptr, 0, nullptr, keep()),
             "launch");
    }
    void launch_copy() {
        const Piece& from = pieces_.front();
        Piece& to = pieces_.back();
        to.mirror = from.mirror;
        clSetKernelArg(copy_, 0, sizeof from.memory, &from.memory);
        clSetKernelArg(copy_, 1, sizeof to.memory, &to.memory);
        clSetKernelArg(copy_, 2, size_t{64} * 4, nullptr);
        const size_t global = elements;
        const size_t local = 64;
        good(clEnqueueNDRangeKernel(queue_, copy_, 1, nullptr, &global, &local, 0, nullptr, keep()),
             "launch");
    }
    void map() {
        Piece& piece = any();
        cl_int code = 0;
        auto* shown =
            static_cast<cl_int*>(clEnqueueMapBuffer(queue_, piece.memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                                    0, elements * 4, 0, nullptr, nullptr, &code));
        good(code, "map");
        if (shown == nullptr)
            return;
        expect(std::memcmp(shown, piece.mirror.data(), elements * 4) == 0, "mapped content", seed_);
        const size_t at = below(elements);
        shown[at] = piece.mirror[at] = 77;
        good(clEnqueueUnmapMemObject(queue_, piece.memory, shown, 0, nullptr, keep()), "unmap");
    }
    void markers() {
        const cl_uint count = static_cast<cl_uint>(events_.size());
        good(clEnqueueMarkerWithWaitList(shared_.free, count, count == 0 ? nullptr : events_.data(), nullptr),
             "marker");
        good(clEnqueueBarrierWithWaitList(below(2) == 0 ? shared_.free : queue_, 0, nullptr, nullptr),
             "barrier");
        good(clFlush(queue_), "clFlush");
        if (below(4) == 0)
            good(clFinish(shared_.free), "clFinish");
    }
    // Commands wait for an event of our own, which comes, or fails, later.
    void gate() {
        cl_int code = 0;
        const cl_event event = clCreateUserEvent(shared_.context, &code);
        static std::atomic<int> called{0};
        cl_event marker = nullptr;
        good(clEnqueueMarkerWithWaitList(shared_.free, 1, &event, &marker), "marker");
        good(clSetEventCallback(
                 marker, CL_COMPLETE,
                 [](cl_event, cl_int, void* data) { ++*static_cast<std::atomic<int>*>(data); }, &called),
             "callback");
        const bool fails = below(2) == 0;
        good(clSetUserEventStatus(event, fails ? -3 : CL_COMPLETE), "status");
        expect(clWaitForEvents(1, &marker) ==
                   (fails ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS),
               "wait", seed_);
        clReleaseEvent(marker);
        clReleaseEvent(event);
    }
    // A buffer that its part holds alone, and the program of all, by the handles that queries give.
    void revive() {
        cl_int code = 0;
        const cl_mem whole = clCreateBuffer(shared_.context, 0, 64, nullptr, &code);
        const cl_buffer_region region{0, 64};
        const cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
        const cl_int value = static_cast<cl_int>(below(1000));
        good(clEnqueueWriteBuffer(queue_, part, CL_FALSE, 0, sizeof value, &value, 0, nullptr, nullptr),
             "write of a part");
        good(clReleaseMemObject(whole), "release of the whole");
        for (size_t i = below(4); i > 0; --i) {
            cl_mem found = nullptr;
            good(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof found, &found, nullptr),
                 "whole");
            good(clRetainMemObject(found), "retain of the whole");
            good(clReleaseMemObject(found), "second release of the whole");
            cl_program program = nullptr;
            good(clGetKernelInfo(add_, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr), "program");
            good(clRetainProgram(program), "retain of the program");
            good(clReleaseProgram(program), "release of the program");
        }
        cl_int read = -1;
        good(clEnqueueReadBuffer(queue_, whole, CL_TRUE, 0, sizeof read, &read, 0, nullptr, nullptr),
             "read of the whole");
        expect(read == value, "a revived buffer's content", seed_);
        good(clReleaseMemObject(part), "release of the part");
    }
    void* allocate(size_t kind, size_t bytes) {
        cl_int code = 0;
        void* const memory = kind == 0 ? usm_.host(shared_.context, nullptr, bytes, 0, &code)
                             : kind == 1
                                 ? usm_.device(shared_.context, shared_.device, nullptr, bytes, 0, &code)
                                 : usm_.shared(shared_.context, nullptr, nullptr, bytes, 0, &code);
        good(code, "allocation of unified shared memory");
        return memory;
    }
    // Memory by pointers: allocated, asked about and freed while the others' kernels run.
    void unified() {
        const size_t kind = below(3);
        const size_t bytes = elements * 4;
        void* const memory = allocate(kind, bytes);
        void* const other = allocate(below(3), 1 + below(100'000));
        const auto value = static_cast<cl_int>(below(1000));
        const auto n = static_cast<cl_int>(below(1000));
        const size_t global = elements;
        good(usm_.fill(queue_, memory, &value, sizeof value, bytes, 0, nullptr, keep()), "fill");
        good(usm_.set_argument(add_, 0, memory), "pointer");
        good(clSetKernelArg(add_, 1, sizeof n, &n), "value");
        good(clEnqueueNDRangeKernel(queue_, add_, 1, nullptr, &global, nullptr, 0, nullptr, keep()),
             "launch on a pointer");
        cl_unified_shared_memory_type_intel type = 0;
        good(usm_.info(shared_.context, static_cast<std::byte*>(memory) + below(bytes),
                       CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, nullptr),
             "info");
        expect(type == CL_MEM_TYPE_HOST_INTEL + kind, "kind of an allocation", seed_);
        std::vector<cl_int> out(elements);
        good(usm_.copy(queue_, CL_TRUE, out.data(), memory, bytes, 0, nullptr, nullptr), "copy to the host");
        expect(out == std::vector<cl_int>(elements, value + n), "content of unified shared memory", seed_);
        good(usm_.free(shared_.context, other), "free");
        expect(usm_.free(shared_.context, other) == CL_INVALID_VALUE, "freed twice", seed_);
        good(below(4) == 0 ? usm_.blocking_free(shared_.context, memory) : usm_.free(shared_.context, memory),
             "free");
        const Piece& piece = any(); // the kernel's argument is a buffer again
        good(clSetKernelArg(add_, 0, sizeof piece.memory, &piece.memory), "buffer");
    }
    void nonsense() {
        const Piece& piece = any();
        cl_int code = 0;
        std::array<char, 16> room{};
        size_t size = below(3);
        const bool refused =
            clEnqueueReadBuffer(queue_, piece.memory, CL_TRUE, elements * 4, 4, room.data(), 0, nullptr,
                                nullptr) != CL_SUCCESS &&
            clEnqueueReadBuffer(queue_, reinterpret_cast<cl_mem>(add_), CL_TRUE, 0, 4, room.data(), 0,
                                nullptr, nullptr) == CL_INVALID_MEM_OBJECT &&
            clSetKernelArg(add_, 7, 4, room.data()) == CL_INVALID_ARG_INDEX &&
            clCreateBuffer(shared_.context, ~cl_mem_flags{0}, 16, nullptr, &code) == nullptr &&
            clCreateKernel(shared_.program, "none", &code) == nullptr &&
            clEnqueueNDRangeKernel(queue_, copy_, 9, nullptr, &size, nullptr, 0, nullptr, nullptr) !=
                CL_SUCCESS &&
            clEnqueueUnmapMemObject(queue_, piece.memory, room.data(), 0, nullptr, nullptr) ==
                CL_INVALID_VALUE &&
            clGetDeviceInfo(shared_.device, CL_DEVICE_NAME, 1, room.data(), nullptr) == CL_INVALID_VALUE &&
            clBuildProgram(shared_.program, 0, nullptr, "", nullptr, nullptr) == CL_INVALID_OPERATION;
        expect(refused, "an invalid call was taken", seed_);
    }
    void forget() {
        if (events_.size() > 64)
            good(clWaitForEvents(static_cast<cl_uint>(events_.size()), events_.data()), "wait for all");
        while (!events_.empty() && below(4) != 0) {
            clReleaseEvent(events_.back());
            events_.pop_back();
        }
    }

    const Shared& shared_;
    int seed_;
    std::mt19937 random_;
    visor::opencl_test::Usm usm_;
    cl_command_queue queue_ = nullptr;
    cl_kernel add_ = nullptr;
    cl_kernel copy_ = nullptr;
    std::vector<Piece> pieces_;
    std::vector<cl_event> events_;
};

struct EnqueueRequest {
    int seed = 1;
    int steps = 0; // of each thread; 0: no limit
    int seconds = 0;
    int threads = 4;
};

EnqueueRequest read_wish(int count, char** words) {
    EnqueueRequest wish;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view name = words[i];
        const int value = std::atoi(words[i + 1]);
        if (name == "--seed")
            wish.seed = value;
        else if (name == "--steps")
            wish.steps = value;
        else if (name == "--seconds")
            wish.seconds = value;
        else if (name == "--threads")
            wish.threads = value;
    }
    return wish;
}

void play(const Shared& shared, const EnqueueRequest& wish, int thread) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wish.seconds);
    // Any seed will do, so that the product may wrap.
    Player player(shared, static_cast<int>(static_cast<unsigned>(wish.seed) * 1000U) + thread);
    for (int i = 0; wish.steps == 0 || i < wish.steps; ++i) {
        player.step();
        if (failures > 0 || (wish.seconds != 0 && std::chrono::steady_clock::now() > end))
            return;
    }
}

} // namespace

int main(int count, char** words) {
    setenv("OCL_ICD_VENDORS", VISOR_VENDORS, 1);
    const EnqueueRequest wish = read_wish(count, words);
    cl_platform_id platform = nullptr;
    Shared shared;
    cl_int code = clGetPlatformIDs(1, &platform, nullptr);
    shared.platform = platform;
    if (code == CL_SUCCESS)
        code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &shared.device, nullptr);
    if (code != CL_SUCCESS) {
        std::fprintf(stderr, "soak: no platform (%d)\n", code);
        return 1;
    }
    shared.context = clCreateContext(nullptr, 1, &shared.device, nullptr, nullptr, &code);
    shared.free =
        clCreateCommandQueue(shared.context, shared.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    const char* text = program_text;
    shared.program = clCreateProgramWithSource(shared.context, 1, &text, nullptr, &code);
    expect(clBuildProgram(shared.program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS, "build", 0);
    if (failures == 0) {
        std::vector<std::thread> threads;
        for (int i = 0; i < wish.threads; ++i)
            threads.emplace_back([&, i] { play(shared, wish, i); });
        for (std::thread& thread : threads)
            thread.join();
    }
    clReleaseProgram(shared.program);
    clReleaseCommandQueue(shared.free);
    clReleaseContext(shared.context);
    std::printf("soak: seed %d, %d threads: %s\n", wish.seed, wish.threads,
                failures == 0 ? "good" : "FAILED");
    return failures == 0 ? 0 : 1;
}
