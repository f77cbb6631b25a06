// Launches through the OpenCL API on PoCL: a second, independent witness of what a kernel means.
#include "examples/launch.h"

#include "opencl/pocl.h"
#include "process/process.h"

#include <array>
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

using opencl::Context;
using opencl::Kernel;
using opencl::Memory;
using opencl::Program;
using opencl::Queue;
using opencl::Sampler;

std::optional<cl_device_id> find_device() {
    static const TemporaryFolder cache; // the user's own stays as it is
    setenv("POCL_CACHE_DIR", cache.path().c_str(), 0);
    // Its default, work-items in vectors, computes examples/aes wrongly on CPUs with AVX-512; this way is
    // plain.
    setenv("POCL_WORK_GROUP_METHOD", "loops", 0);
    return opencl::pocl_device();
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
    [[nodiscard]] bool set_image(cl_uint index, Argument& argument);
    [[nodiscard]] bool set_sampler(cl_uint index, const Argument& argument);
    [[nodiscard]] cl_int read(cl_mem memory, Argument& argument);

    cl_device_id device_;
    Launch& launch_;
    Context context_;
    Queue queue_;
    Program program_;
    Kernel kernel_;
    std::vector<Memory> buffers_; // and images
    std::vector<Sampler> samplers_;
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

bool Run::set_image(cl_uint index, Argument& argument) {
    if (argument.type != "rgba8") {
        std::cout << "no example has images of " << argument.type << " so far\n";
        return false;
    }
    const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = argument.width;
    shape.image_height = argument.height;
    cl_int code = CL_SUCCESS;
    cl_mem image = clCreateImage(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &shape,
                                 argument.data.data(), &code);
    buffers_[index].reset(image);
    return fine(code, "clCreateImage") &&
           fine(clSetKernelArg(kernel_.get(), index, sizeof(cl_mem), static_cast<const void*>(&image)),
                "clSetKernelArg");
}

bool Run::set_sampler(cl_uint index, const Argument& argument) {
    const auto has = [&](const char* word) { return argument.type.find(word) != std::string::npos; };
    const cl_addressing_mode mode = has("clamp_edge") ? CL_ADDRESS_CLAMP_TO_EDGE
                                    : has("clamp")    ? CL_ADDRESS_CLAMP
                                    : has("repeat")   ? CL_ADDRESS_REPEAT
                                    : has("mirror")   ? CL_ADDRESS_MIRRORED_REPEAT
                                                      : CL_ADDRESS_NONE;
    const cl_filter_mode filter = has("linear") ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
    const std::array<cl_sampler_properties, 7> wanted{CL_SAMPLER_NORMALIZED_COORDS,
                                                      has("normalized") ? 1U : 0U,
                                                      CL_SAMPLER_ADDRESSING_MODE,
                                                      mode,
                                                      CL_SAMPLER_FILTER_MODE,
                                                      filter,
                                                      0};
    cl_int code = CL_SUCCESS;
    cl_sampler sampler = clCreateSamplerWithProperties(context_.get(), wanted.data(), &code);
    samplers_.emplace_back(sampler);
    return fine(code, "clCreateSampler") &&
           fine(clSetKernelArg(kernel_.get(), index, sizeof(cl_sampler), static_cast<const void*>(&sampler)),
                "clSetKernelArg");
}

bool Run::set_argument(cl_uint index, Argument& argument) {
    if (argument.kind == Argument::Kind::image)
        return set_image(index, argument);
    if (argument.kind == Argument::Kind::sampler)
        return set_sampler(index, argument);
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
           fine(clSetKernelArg(kernel_.get(), index, sizeof(cl_mem), static_cast<const void*>(&buffer)),
                "clSetKernelArg");
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

cl_int Run::read(cl_mem memory, Argument& argument) {
    if (argument.kind != Argument::Kind::image)
        return clEnqueueReadBuffer(queue_.get(), memory, CL_TRUE, 0, argument.data.size(),
                                   argument.data.data(), 0, nullptr, nullptr);
    const std::array<size_t, 3> origin{0, 0, 0};
    const std::array<size_t, 3> region{argument.width, argument.height, 1};
    return clEnqueueReadImage(queue_.get(), memory, CL_TRUE, origin.data(), region.data(), 0, 0,
                              argument.data.data(), 0, nullptr, nullptr);
}

bool Run::read_arrays() {
    for (size_t i = 0; i < buffers_.size(); ++i) {
        if (buffers_[i] != nullptr && !fine(read(buffers_[i].get(), launch_.arguments[i]), "reading"))
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
