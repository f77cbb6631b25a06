// Work through the OpenCL API, on PoCL or on Visor: one host program for both; built before anything is
// measured.
#include "intel.h"
#include "kernel_arguments.h"
#include "work.h"

#include "opencl/pocl.h"

#include <iostream>
#include <utility>

namespace visor::compare {

namespace {

namespace opencl = test::opencl;

class ApiRunner final : public Runner {
public:
    ApiRunner(const Work& work, std::string name) : work_(work), name_(std::move(name)) {}

    [[nodiscard]] bool prepare(cl_device_id device) {
        cl_int code = CL_SUCCESS;
        context_.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
        if (!fine(code, "clCreateContext"))
            return false;
        queue_.reset(clCreateCommandQueueWithProperties(context_.get(), device, nullptr, &code));
        const std::string source = source_of(work_);
        const char* text = source.c_str();
        program_.reset(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
        if (!fine(clBuildProgram(program_.get(), 1, &device, work_.options.c_str(), nullptr, nullptr),
                  "clBuildProgram"))
            return false;
        cl_kernel kernel = nullptr;
        if (work_.kernel.empty())
            code = clCreateKernelsInProgram(program_.get(), 1, &kernel, nullptr);
        else
            kernel = clCreateKernel(program_.get(), work_.kernel.c_str(), &code);
        kernel_.reset(kernel);
        return fine(code, "creating the kernel") && prepare_arguments();
    }

    [[nodiscard]] bool run() override {
        return fine(clEnqueueNDRangeKernel(queue_.get(), kernel_.get(), work_.dimensions, nullptr,
                                           work_.global.data(), work_.local.data(), 0, nullptr, nullptr),
                    "clEnqueueNDRangeKernel") &&
               fine(clFinish(queue_.get()), "clFinish");
    }
    void reset() override {
        for (size_t i = 0; i < buffers_.size(); ++i) {
            const Buffer& buffer = work_.buffers[i];
            const cl_int code =
                buffer.image
                    ? clEnqueueWriteImage(queue_.get(), buffers_[i].get(), CL_TRUE, corner.data(),
                                          buffer.image->size.data(), 0, 0, buffer.content.data(), 0, nullptr,
                                          nullptr)
                    : clEnqueueWriteBuffer(queue_.get(), buffers_[i].get(), CL_TRUE, 0, buffer.content.size(),
                                           buffer.content.data(), 0, nullptr, nullptr);
            static_cast<void>(fine(code, "writing a buffer"));
        }
    }
    [[nodiscard]] std::vector<std::byte> content(size_t buffer) override {
        std::vector<std::byte> bytes(work_.buffers[buffer].content.size());
        const std::optional<ImageLayout>& image = work_.buffers[buffer].image;
        const cl_int code =
            image ? clEnqueueReadImage(queue_.get(), buffers_[buffer].get(), CL_TRUE, corner.data(),
                                       image->size.data(), 0, 0, bytes.data(), 0, nullptr, nullptr)
                  : clEnqueueReadBuffer(queue_.get(), buffers_[buffer].get(), CL_TRUE, 0, bytes.size(),
                                        bytes.data(), 0, nullptr, nullptr);
        static_cast<void>(fine(code, "reading a buffer"));
        return bytes;
    }

private:
    static constexpr Sizes corner{0, 0, 0};

    [[nodiscard]] cl_mem create_image(const ImageLayout& layout, cl_int& code) const {
        const cl_image_format format{.image_channel_order = layout.order,
                                     .image_channel_data_type = layout.type};
        cl_image_desc description{};
        description.image_type = layout.dimensions == 3 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
        description.image_width = layout.size[0];
        description.image_height = layout.size[1];
        description.image_depth = layout.size[2];
        return clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &description, nullptr, &code);
    }
    [[nodiscard]] bool fine(cl_int code, const char* call) const {
        if (code != CL_SUCCESS)
            std::cerr << work_.name << " on " << name_ << ": " << call << " failed with code " << code
                      << '\n';
        return code == CL_SUCCESS;
    }
    [[nodiscard]] bool prepare_arguments() {
        cl_int code = CL_SUCCESS;
        for (const Buffer& buffer : work_.buffers) {
            buffers_.emplace_back(buffer.image ? create_image(*buffer.image, code)
                                               : clCreateBuffer(context_.get(), CL_MEM_READ_WRITE,
                                                                buffer.content.size(), nullptr, &code));
            if (!fine(code, "creating a buffer"))
                return false;
        }
        reset();
        return fine(set_arguments(kernel_.get(), work_, buffers_), "clSetKernelArg");
    }

    const Work& work_;
    std::string name_; // of the platform
    opencl::Context context_;
    opencl::Queue queue_;
    opencl::Program program_;
    opencl::Kernel kernel_;
    std::vector<opencl::Memory> buffers_;
};

std::unique_ptr<Runner> runner_on(std::optional<cl_device_id> device, const Work& work, const char* name) {
    if (!device) {
        std::cerr << "there is no " << name << '\n';
        return nullptr;
    }
    auto runner = std::make_unique<ApiRunner>(work, name);
    if (!runner->prepare(*device))
        return nullptr;
    return runner;
}

} // namespace

std::unique_ptr<Runner> pocl_runner(const Work& work) {
    return runner_on(opencl::pocl_device(), work, "PoCL");
}

std::unique_ptr<Runner> intel_api_runner(const Work& work) {
    return runner_on(opencl::device_of("Intel(R) OpenCL"), work, intel_column);
}

std::unique_ptr<Runner> visor_api_runner(const Work& work) {
    return runner_on(opencl::device_of("Visor"), work, "Visor's platform");
}

} // namespace visor::compare
