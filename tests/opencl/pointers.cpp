// An application whose kernels are given pointers into the middle of shared memory and parts of buffers, and
// go from there in both directions. It prints of each case how many numbers are not what the same loop on the
// host makes of them. `outside` is a run of its own: its kernel leaves what it was given.
#include <CL/cl.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

namespace {

constexpr const char* program_text = R"(
kernel void back(global int* p) { int i = get_global_id(0); p[-i] = i + 1; }
kernel void below(global int* p) { int i = get_global_id(0); p[-1 - i] = i + 1; }
kernel void both(global int* p) {
    int l = get_local_id(0), i = get_global_id(0);
    p[1 + l] = 100 + l;
    p[-i] += i + 1;
}
kernel void ahead(global int* p) { p[get_local_id(0)] = 1 + get_local_id(0); }
kernel void bytes(global uchar* p) { int i = get_global_id(0); p[-i] = i + 1; p[1 + i] = 50 + i; }
kernel void odd(global uchar* p) {
    int l = get_local_id(0);
    vstore4(vload4(l, p + 128) + (uchar4)1, l, p);
}
kernel void loads(global const int* from, constant int* table, global long* to) {
    int i = get_global_id(0);
    to[-(long)i] = from[-i] + table[-i] + vload4(0, from - 4 - i).y;
}
kernel void atomics(global int* p) { int i = get_global_id(0); atomic_add(p - i % 4, i); }
kernel void null(global int* p, global int* q) { if (p == 0) q[-(int)get_global_id(0)] = 3; }
kernel void part(global int* p, int from) { int i = get_global_id(0) + from; p[i] = i + 1; }
)";

constexpr size_t items = 32;
constexpr size_t ints = 128;

class Application {
public:
    bool start() {
        cl_platform_id platform = nullptr;
        clGetPlatformIDs(1, &platform, nullptr);
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr) != CL_SUCCESS)
            return false;
        context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
        queue_ = clCreateCommandQueue(context_, device_, 0, nullptr);
        const char* text = program_text;
        program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
        shared_ = static_cast<cl_int*>(clSVMAlloc(context_, CL_MEM_READ_WRITE, ints * sizeof(cl_int), 0));
        return clBuildProgram(program_, 1, &device_, "", nullptr, nullptr) == CL_SUCCESS &&
               shared_ != nullptr;
    }
    void stop() {
        for (const cl_kernel kernel : kernels_)
            clReleaseKernel(kernel);
        clSVMFree(context_, shared_);
        clReleaseProgram(program_);
        clReleaseCommandQueue(queue_);
        clReleaseContext(context_);
    }

    // ---- shared memory ----

    // `expected` does to a copy of the memory what the kernel does to the memory.
    template <class Host>
    void shared(const char* name, size_t middle, const Host& expected) {
        reset();
        std::vector<cl_int> wanted(shared_, shared_ + ints);
        expected(wanted.data() + middle);
        run(kernel_of(name), {shared_ + middle});
        tell(name, wanted);
    }

    void all_shared() {
        shared("back", 40, [](cl_int* p) {
            for (int i = 0; i < 32; ++i)
                p[-i] = i + 1;
        });
        shared("below", ints, [](cl_int* p) { // one past the end
            for (int i = 0; i < 32; ++i)
                p[-1 - i] = i + 1;
        });
        shared("both", 64, [](cl_int* p) {
            for (int i = 0; i < 32; ++i) {
                p[1 + i] = 100 + i;
                p[-i] += i + 1;
            }
        });
        shared("ahead", 17, [](cl_int* p) {
            for (int i = 0; i < 32; ++i)
                p[i] = 1 + i;
        });
        shared("atomics", 64, [](cl_int* p) {
            for (int i = 0; i < 32; ++i)
                p[-(i % 4)] += i;
        });
        bytes();
        odd();
        loads();
        null();
    }

    void bytes() { // from an odd address
        reset();
        std::vector<cl_int> wanted(shared_, shared_ + ints);
        auto* const middle = reinterpret_cast<unsigned char*>(wanted.data()) + 77;
        for (int i = 0; i < 32; ++i) {
            middle[-i] = static_cast<unsigned char>(i + 1);
            middle[1 + i] = static_cast<unsigned char>(50 + i);
        }
        run(kernel_of("bytes"), {reinterpret_cast<unsigned char*>(shared_) + 77});
        tell("bytes", wanted);
    }

    void odd() { // likewise, and only forwards: without an offset
        reset();
        std::vector<cl_int> wanted(shared_, shared_ + ints);
        auto* const middle = reinterpret_cast<unsigned char*>(wanted.data()) + 131;
        for (int i = 0; i < 128; ++i)
            middle[i] = static_cast<unsigned char>(middle[128 + i] + 1);
        run(kernel_of("odd"), {reinterpret_cast<unsigned char*>(shared_) + 131});
        tell("odd", wanted);
    }

    void loads() {
        reset();
        std::vector<cl_int> wanted(shared_, shared_ + ints);
        auto* const to = reinterpret_cast<cl_long*>(shared_ + 64);
        auto* const wanted_to = reinterpret_cast<cl_long*>(wanted.data() + 64);
        const cl_int* const from = wanted.data() + 60;
        const cl_int* const table = wanted.data() + 40;
        for (int i = 0; i < 31; ++i)
            wanted_to[31 - i] = from[-i] + table[-i] + from[-i - 4 + 1];
        run(kernel_of("loads"), {shared_ + 60, shared_ + 40, to + 31}, 31);
        tell("loads", wanted);
    }

    void null() {
        reset();
        std::vector<cl_int> wanted(shared_, shared_ + ints);
        for (size_t i = 0; i < items; ++i)
            wanted[50 - i] = 3;
        run(kernel_of("null"), {nullptr, shared_ + 50});
        tell("null", wanted);
    }

    // ---- parts of buffers ----

    // What lies below and above a part is not the kernel's, where it reaches memory through surfaces.
    void part(cl_int from) {
        std::vector<cl_int> content = numbers();
        const cl_mem whole = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                            ints * sizeof(cl_int), content.data(), nullptr);
        const cl_buffer_region region{.origin = 128, .size = 128}; // 32 of them from the 32nd on
        const cl_mem middle =
            clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
        for (int i = from; i < from + 32; ++i) {
            if (i >= 0 && i < 32)
                content[static_cast<size_t>(32 + i)] = i + 1;
        }
        const cl_kernel kernel = kernel_of("part");
        clSetKernelArg(kernel, 0, sizeof middle, &middle);
        clSetKernelArg(kernel, 1, sizeof from, &from);
        launch(kernel, items);
        std::vector<cl_int> found(ints);
        clEnqueueReadBuffer(queue_, whole, CL_TRUE, 0, ints * sizeof(cl_int), found.data(), 0, nullptr,
                            nullptr);
        tell("part", content, found.data());
        clReleaseMemObject(middle);
        clReleaseMemObject(whole);
    }

    // Below the allocation: nothing must change.
    void outside() {
        reset();
        const std::vector<cl_int> wanted(shared_, shared_ + ints);
        run(kernel_of("below"), {shared_});
        tell("outside", wanted);
    }

private:
    static std::vector<cl_int> numbers() {
        std::vector<cl_int> out(ints);
        for (size_t i = 0; i < ints; ++i)
            out[i] = static_cast<cl_int>(1000 + 7 * i);
        return out;
    }
    void reset() {
        clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_WRITE, shared_, ints * sizeof(cl_int), 0, nullptr, nullptr);
        const std::vector<cl_int> content = numbers();
        std::copy(content.begin(), content.end(), shared_);
        clEnqueueSVMUnmap(queue_, shared_, 0, nullptr, nullptr);
        clFinish(queue_);
    }
    cl_kernel kernel_of(const char* name) {
        kernels_.push_back(clCreateKernel(program_, name, nullptr));
        return kernels_.back();
    }
    void run(cl_kernel kernel, const std::vector<void*>& pointers, size_t size = items) {
        for (size_t i = 0; i < pointers.size(); ++i) {
            if (clSetKernelArgSVMPointer(kernel, static_cast<cl_uint>(i), pointers[i]) != CL_SUCCESS)
                std::printf("argument %zu is refused\n", i);
        }
        launch(kernel, size);
        clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_READ, shared_, ints * sizeof(cl_int), 0, nullptr, nullptr);
    }
    void launch(cl_kernel kernel, size_t size) {
        if (clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &size, &size, 0, nullptr, nullptr) !=
            CL_SUCCESS)
            std::printf("the launch is refused\n");
        clFinish(queue_);
    }
    void tell(const char* name, const std::vector<cl_int>& wanted) { tell(name, wanted, shared_); }
    static void tell(const char* name, const std::vector<cl_int>& wanted, const cl_int* found) {
        int wrong = 0;
        for (size_t i = 0; i < ints; ++i)
            wrong += found[i] != wanted[i] ? 1 : 0;
        std::printf("%s %d\n", name, wrong);
    }

    cl_device_id device_ = nullptr;
    cl_context context_ = nullptr;
    cl_command_queue queue_ = nullptr;
    cl_program program_ = nullptr;
    cl_int* shared_ = nullptr;
    std::vector<cl_kernel> kernels_;
};

} // namespace

int main(int count, char** words) {
    const std::string_view what = count > 1 ? words[1] : "shared";
    Application application;
    if (!application.start())
        return 10;
    if (what == "shared")
        application.all_shared();
    else if (what == "parts") // within, across the beginning, across the end
        for (const cl_int from : {0, -20, 20})
            application.part(from);
    else if (what == "part")
        application.part(0);
    else
        application.outside();
    application.stop();
    return 0;
}
