// Launches through the OpenCL API on PoCL: a second, independent witness of what a kernel means.
#include "examples/launch.h"

#include "process/process.h"

#include <CL/cl.h>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace visor::test {

namespace {

// Says what went wrong; true when nothing did.
bool fine(cl_int code, const char* call) {
    if (code != CL_SUCCESS)
        std::cout << call << " failed with code " << code << '\n';
    return code == CL_SUCCESS;
}

template <auto Release>
struct Releaser {
    template <class T>
    void operator()(T* object) const {
        Release(object);
    }
};
using Context = std::unique_ptr<std::remove_pointer_t<cl_context>, Releaser<clReleaseContext>>;
using Queue = std::unique_ptr<std::remove_pointer_t<cl_command_queue>, Releaser<clReleaseCommandQueue>>;
using Program = std::unique_ptr<std::remove_pointer_t<cl_program>, Releaser<clReleaseProgram>>;
using Kernel = std::unique_ptr<std::remove_pointer_t<cl_kernel>, Releaser<clReleaseKernel>>;
using Buffer = std::unique_ptr<std::remove_pointer_t<cl_mem>, Releaser<clReleaseMemObject>>;

std::optional<cl_device_id> find_device() {
    // No other platform is loaded, one thread is enough, and the user's own cache stays as it is.
    static const TemporaryFolder cache;
    setenv("OCL_ICD_VENDORS", "pocl.icd", 0);
    setenv("POCL_CACHE_DIR", cache.path().c_str(), 0);
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    if (!fine(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs") ||
        !fine(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr), "clGetDeviceIDs"))
        return std::nullopt;
    return device;
}

// Standard output of the process, of which kernel printf makes use, kept in a file.
class KeptOutput {
public:
    KeptOutput() : saved_(dup(1)) {
        std::cout.flush();
        if (std::freopen(path().c_str(), "w", stdout) == nullptr)
            std::abort();
    }
    std::string end() {
        std::fflush(stdout);
        dup2(saved_, 1);
        close(saved_);
        return read_file(path());
    }

private:
    [[nodiscard]] std::string path() const { return folder_.file("said"); }
    TemporaryFolder folder_;
    int saved_;
};

// One launch, with what must live as long as it.
class Run {
public:
    Run(cl_device_id device, Launch& launch) : device_(device), launch_(launch) {}

    [[nodiscard]] bool build(const std::string& source);
    [[nodiscard]] bool set_arguments();
    [[nodiscard]] bool enqueue();
    [[nodiscard]] bool read_arrays();

private:
    [[nodiscard]] bool set_argument(cl_uint index, Argument& argument);

    cl_device_id device_;
    Launch& launch_;
    Context context_;
    Queue queue_;
    Program program_;
    Kernel kernel_;
    std::vector<Buffer> buffers_;
};

bool Run::build(const std::string& source) {
    cl_int code = CL_SUCCESS;
    context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    if (!fine(code, "clCreateContext"))
        return false;
    queue_.reset(clCreateCommandQueueWithProperties(context_.get(), device_, nullptr, &code));
    if (!fine(code, "clCreateCommandQueueWithProperties"))
        return false;
    const char* text = source.c_str();
    program_.reset(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
    if (!fine(code, "clCreateProgramWithSource"))
        return false;
    code = clBuildProgram(program_.get(), 1, &device_, launch_.options.c_str(), nullptr, nullptr);
    if (!fine(code, "clBuildProgram")) {
        std::string log(65536, '\0');
        clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
        std::cout << log.c_str() << '\n';
        return false;
    }
    if (launch_.kernel.empty()) {
        cl_kernel only = nullptr;
        code = clCreateKernelsInProgram(program_.get(), 1, &only, nullptr);
        kernel_.reset(only);
    } else {
        kernel_.reset(clCreateKernel(program_.get(), launch_.kernel.c_str(), &code));
    }
    return fine(code, "clCreateKernel");
}

bool Run::set_argument(cl_uint index, Argument& argument) {
    if (argument.kind == Argument::Kind::local)
        return fine(clSetKernelArg(kernel_.get(), index, argument.local_bytes, nullptr), "clSetKernelArg");
    if (argument.kind == Argument::Kind::value)
        return fine(clSetKernelArg(kernel_.get(), index, argument.data.size(), argument.data.data()),
                    "clSetKernelArg");
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   argument.data.size(), argument.data.data(), &code);
    buffers_[index].reset(buffer);
    return fine(code, "clCreateBuffer") &&
           fine(clSetKernelArg(kernel_.get(), index, sizeof buffer, &buffer), "clSetKernelArg");
}

bool Run::set_arguments() {
    buffers_.resize(launch_.arguments.size());
    for (size_t i = 0; i < launch_.arguments.size(); ++i) {
        if (!set_argument(static_cast<cl_uint>(i), launch_.arguments[i]))
            return false;
    }
    return true;
}

bool Run::enqueue() {
    KeptOutput output;
    const cl_int enqueued =
        clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), launch_.dimensions, launch_.offset.data(),
                               launch_.global.data(), launch_.local.data(), 0, nullptr, nullptr);
    const cl_int finished = clFinish(queue_.get());
    launch_.said = output.end();
    return fine(enqueued, "clEnqueueNDRangeKernel") && fine(finished, "clFinish");
}

bool Run::read_arrays() {
    for (size_t i = 0; i < buffers_.size(); ++i) {
        std::vector<std::byte>& data = launch_.arguments[i].data;
        if (buffers_[i] != nullptr &&
            !fine(clEnqueueReadBuffer(queue_.get(), buffers_[i].get(), CL_TRUE, 0, data.size(), data.data(),
                                      0, nullptr, nullptr),
                  "clEnqueueReadBuffer"))
            return false;
    }
    return true;
}

} // namespace

bool pocl_is_there() {
    return find_device().has_value();
}

bool run_on_pocl(const Place& place, Launch& launch) {
    const auto device = find_device();
    if (!device)
        return false;
    Run run(*device, launch);
    return run.build(read_file(place.source)) && run.set_arguments() && run.enqueue() && run.read_arrays();
}

} // namespace visor::test
