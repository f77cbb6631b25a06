// An application for captures: it launches every kind of argument. `all` launches them once each; `fault`
// ends with a kernel that faults; `fork` launches before and in a child; `many` launches one kernel ten
// times.
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <cstdio>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr const char* program_text = R"(
global int counter = 5;
typedef struct { int a; float b; } pair;
kernel void add(global float* y, global const float* x, float a, global int* none) {
    int i = get_global_id(0);
    if (none == 0) y[i] = a * x[i] + y[i];
}
kernel void same(global int* a, global int* b) { b[get_global_id(0)] = a[get_global_id(0) ^ 16] + 1; }
kernel void parts(global int* first, global int* second) {
    int i = get_global_id(0);
    second[i] = first[i] * 2;
}
kernel void inside(global int* p) { p[-1 - (int)get_global_id(0)] = p[get_global_id(0)]; }
kernel void local_sum(global int* out, local int* l, pair p) {
    int i = get_local_id(0);
    l[i] = i + p.a;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l[get_local_size(0) - 1 - i] + (int)p.b;
}
kernel void count(global int* out) { if (get_global_id(0) == 0) { out[0] = counter; counter += 2; } }
#ifdef __IMAGE_SUPPORT__
kernel void picture(read_only image2d_t from, sampler_t s, write_only image2d_t to) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, p, read_imagef(from, s, convert_float2(p) + 0.25f));
}
#endif
kernel void nothing(global float* y) { y[get_global_id(0)] = nan(7u) * y[get_global_id(0)]; }
kernel void fault(global int* a) { *(global int*)(ulong)(a[0] + 16) = 1; }
)";

constexpr size_t items = 16;

struct Application {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;

    bool start() {
        cl_platform_id platform = nullptr;
        clGetPlatformIDs(1, &platform, nullptr);
        if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
            return false;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
        queue = clCreateCommandQueue(context, device, 0, nullptr);
        const char* text = program_text;
        program = clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
        return clBuildProgram(program, 1, &device, "-cl-std=CL2.0 -cl-kernel-arg-info", nullptr, nullptr) ==
               CL_SUCCESS;
    }

    template <class T>
    cl_mem buffer(const std::vector<T>& values) const {
        return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, values.size() * sizeof(T),
                              const_cast<T*>(values.data()), nullptr);
    }

    template <class... Arguments>
    void run(const char* name, size_t local, const Arguments&... arguments) const {
        const cl_kernel kernel = clCreateKernel(program, name, nullptr);
        cl_uint index = 0;
        (clSetKernelArg(kernel, index++, sizeof arguments, &arguments), ...);
        enqueue(kernel, local);
    }
    void enqueue(cl_kernel kernel, size_t local) const {
        const size_t size = items;
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, local == 0 ? nullptr : &local, 0, nullptr,
                               nullptr);
        clFinish(queue);
        clReleaseKernel(kernel);
    }

    void buffers() const {
        std::vector<float> numbers(items);
        for (size_t i = 0; i < items; ++i)
            numbers[i] = static_cast<float>(i);
        const cl_mem y = buffer(numbers);
        const cl_mem x = buffer(numbers);
        run("add", 0, y, x, 2.5F, cl_mem{nullptr});
        run("nothing", 0, y);
        const cl_mem both = buffer(std::vector<int>(2 * items, 3));
        run("same", items, both, both);
        run("count", 0, both);
        run("count", 0, both);
    }
    void parts() const {
        std::vector<int> numbers(size_t{3} * 64);
        for (size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = static_cast<int>(i);
        const cl_mem whole = buffer(numbers);
        const cl_buffer_region low{0, 512};
        const cl_buffer_region high{256, 512};
        run("parts", 0, clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, nullptr),
            clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, nullptr));
    }
    void shared() const {
        auto* memory = static_cast<int*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * items * sizeof(int), 0));
        for (size_t i = 0; i < 2 * items; ++i)
            memory[i] = static_cast<int>(i);
        const cl_kernel kernel = clCreateKernel(program, "inside", nullptr);
        clSetKernelArgSVMPointer(kernel, 0, memory + items);
        enqueue(kernel, 0);
        std::printf("inside %d %d\n", memory[0], memory[items - 1]);
    }
    void local_memory() const {
        struct Pair {
            int a;
            float b;
        };
        const cl_kernel kernel = clCreateKernel(program, "local_sum", nullptr);
        const cl_mem out = buffer(std::vector<int>(items));
        const Pair pair{10, 0.5F};
        clSetKernelArg(kernel, 0, sizeof out, &out);
        clSetKernelArg(kernel, 1, 8 * sizeof(int), nullptr);
        clSetKernelArg(kernel, 2, sizeof pair, &pair);
        enqueue(kernel, 8);
    }
    void images() const {
        const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
        cl_image_desc desc{};
        desc.image_type = CL_MEM_OBJECT_IMAGE2D;
        desc.image_width = 5;
        desc.image_height = 3;
        std::array<unsigned char, 60> pixels{};
        for (size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = static_cast<unsigned char>(4 * i);
        const cl_mem from =
            clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels.data(), nullptr);
        const cl_mem to = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, nullptr);
        const cl_sampler sampler =
            clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, nullptr);
        const cl_kernel kernel = clCreateKernel(program, "picture", nullptr);
        clSetKernelArg(kernel, 0, sizeof from, &from);
        clSetKernelArg(kernel, 1, sizeof sampler, &sampler);
        clSetKernelArg(kernel, 2, sizeof to, &to);
        const std::array<size_t, 2> size{5, 3};
        clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, size.data(), nullptr, 0, nullptr, nullptr);
        clFinish(queue);
    }
    void fault() const { run("fault", 0, buffer(std::vector<int>(items))); }
    void many() const {
        const cl_mem out = buffer(std::vector<int>(items));
        for (int i = 0; i < 10; ++i)
            run("count", 0, out);
    }
};

} // namespace

int main(int /*count*/, char** words) {
    const std::string_view what = words[1];
    Application application;
    if (!application.start())
        return 10;
    if (what == "all") {
        application.buffers();
        application.parts();
        application.shared();
        application.local_memory();
        application.images();
    } else if (what == "fault") {
        application.fault();
    } else if (what == "many") {
        application.many();
    } else if (what == "fork") {
        application.shared();
        const pid_t child = fork();
        if (child == 0) {
            Application other;
            if (!other.start())
                return 11;
            other.local_memory();
            _exit(0); // a sanitizer would take what other threads had before the fork for leaks
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WEXITSTATUS(status);
    }
    return 0;
}
