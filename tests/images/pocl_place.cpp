#include "images/place.h"

#include "opencl/pocl.h"

#include <algorithm>
#include <array>

namespace visor::images {

namespace {

using oracle::Dimension;

using test::opencl::Context;
using test::opencl::Kernel;
using test::opencl::Memory;
using test::opencl::Program;
using test::opencl::Queue;
using test::opencl::Sampler;

cl_mem_object_type type_of(Dimension dimension) {
    constexpr std::array<cl_mem_object_type, 6> types{
        CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
    return types.at(static_cast<size_t>(dimension));
}

class PoclPlace : public Place {
public:
    // "" or what went wrong.
    std::string open(cl_device_id device, const std::string& source) {
        device_ = device;
        cl_int code = CL_SUCCESS;
        context_.reset(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
        if (code == CL_SUCCESS)
            queue_.reset(clCreateCommandQueueWithProperties(context_.get(), device, nullptr, &code));
        const char* text = source.c_str();
        if (code == CL_SUCCESS)
            program_.reset(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
        if (code == CL_SUCCESS)
            code = clBuildProgram(program_.get(), 1, &device, "-cl-std=CL1.2", nullptr, nullptr);
        if (code == CL_SUCCESS)
            return "";
        std::string log(65536, '\0');
        if (program_ != nullptr)
            clGetProgramBuildInfo(program_.get(), device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                                  nullptr);
        return "PoCL does not build the kernels, code " + std::to_string(code) + '\n' + log.c_str();
    }

    [[nodiscard]] bool has(const oracle::ImageFormat& format, Dimension dimension,
                           bool writes) const override {
        cl_uint count = 0;
        const cl_mem_flags flags = writes ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY;
        clGetSupportedImageFormats(context_.get(), flags, type_of(dimension), 0, nullptr, &count);
        std::vector<cl_image_format> all(count);
        clGetSupportedImageFormats(context_.get(), flags, type_of(dimension), count, all.data(), nullptr);
        return std::ranges::any_of(all, [&](const cl_image_format& one) {
            return one.image_channel_order == format.order && one.image_channel_data_type == format.type;
        });
    }
    [[nodiscard]] bool has_depth() const override { return false; }
    [[nodiscard]] bool rounds_exactly() const override { return false; }
    // Its border is transparent for every format, and so are integers that have no alpha.
    [[nodiscard]] bool knows_alpha(const Run& run) const override {
        using namespace oracle::cl;
        const Order order = run.image->format.order;
        const bool opaque = order == R || order == RG || order == RGB || order == LUMINANCE;
        const bool border = run.sampler && run.sampler->address == oracle::Address::clamp;
        const bool floats = oracle::numbers_of(run.image->format) == oracle::Numbers::floats;
        return !opaque || (floats && !border);
    }
    [[nodiscard]] std::string excuse(const Run& run) const override {
        if (run.image->has_layers() && run.sampler && run.sampler->normalized)
            return "PoCL takes normalized coordinates of arrays for layers, too";
        if (run.image->format.order == oracle::cl::R && run.image->format.type == oracle::cl::HALF_FLOAT)
            return "PoCL does not convert halves of a single channel";
        if (run.kernel == "ask_d1_buffer")
            return "PoCL's library lacks the questions to buffer images";
        return "";
    }

    [[nodiscard]] std::string run(Run& run) override {
        cl_int code = CL_SUCCESS;
        const Kernel kernel(clCreateKernel(program_.get(), run.kernel.c_str(), &code));
        if (code != CL_SUCCESS)
            return "clCreateKernel: " + std::to_string(code);
        Memory pixels;
        const Memory image = make_image(*run.image, pixels, code);
        if (code != CL_SUCCESS)
            return "clCreateImage: " + std::to_string(code);
        cl_uint index = 0;
        cl_mem given = image.get();
        code |= clSetKernelArg(kernel.get(), index++, sizeof given, &given);
        Sampler sampler;
        if (run.sampler) {
            constexpr std::array<cl_addressing_mode, 5> modes{CL_ADDRESS_NONE, CL_ADDRESS_CLAMP,
                                                              CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_REPEAT,
                                                              CL_ADDRESS_MIRRORED_REPEAT};
            const cl_filter_mode filter = run.sampler->linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
            const std::array<cl_sampler_properties, 7> wanted{
                CL_SAMPLER_NORMALIZED_COORDS,
                run.sampler->normalized ? 1U : 0U,
                CL_SAMPLER_ADDRESSING_MODE,
                modes.at(static_cast<size_t>(run.sampler->address)),
                CL_SAMPLER_FILTER_MODE,
                filter,
                0};
            sampler.reset(clCreateSamplerWithProperties(context_.get(), wanted.data(), &code));
            cl_sampler one = sampler.get();
            code |= clSetKernelArg(kernel.get(), index++, sizeof one, &one);
        }
        std::vector<Memory> buffers;
        for (auto& array : run.arrays) {
            cl_mem buffer = clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                           array.size(), array.data(), &code);
            buffers.emplace_back(buffer);
            code |= clSetKernelArg(kernel.get(), index++, sizeof buffer, &buffer);
        }
        const size_t items = run.items;
        code |= clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 1, nullptr, &items, nullptr, 0, nullptr,
                                       nullptr);
        for (size_t i = 0; i < buffers.size(); ++i)
            code |= clEnqueueReadBuffer(queue_.get(), buffers[i].get(), CL_TRUE, 0, run.arrays[i].size(),
                                        run.arrays[i].data(), 0, nullptr, nullptr);
        code |= read_back(*run.image, image.get(), pixels.get());
        return code == CL_SUCCESS ? "" : "an OpenCL call failed: " + std::to_string(code);
    }

private:
    cl_device_id device_ = nullptr;
    Context context_;
    Queue queue_;
    Program program_;

    Memory make_image(oracle::HostImage& image, Memory& pixels, cl_int& code) const {
        const cl_image_format format{image.format.order, image.format.type};
        cl_image_desc shape{};
        shape.image_type = type_of(image.dimension);
        shape.image_width = image.size[0];
        shape.image_height = image.size[1];
        shape.image_depth = image.size[2];
        shape.image_array_size = image.layers;
        if (image.dimension == Dimension::d1_buffer) {
            pixels.reset(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                        image.pixels.size(), image.pixels.data(), &code));
            shape.buffer = pixels.get();
            return Memory(clCreateImage(context_.get(), CL_MEM_READ_WRITE, &format, &shape, nullptr, &code));
        }
        return Memory(clCreateImage(context_.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &shape,
                                    image.pixels.data(), &code));
    }

    cl_int read_back(oracle::HostImage& image, cl_mem memory, cl_mem pixels) const {
        if (pixels != nullptr)
            return clEnqueueReadBuffer(queue_.get(), pixels, CL_TRUE, 0, image.pixels.size(),
                                       image.pixels.data(), 0, nullptr, nullptr);
        const std::array<size_t, 3> origin{0, 0, 0};
        std::array<size_t, 3> region = image.size;
        if (image.dimension == Dimension::d1_array)
            region[1] = image.layers;
        if (image.dimension == Dimension::d2_array)
            region[2] = image.layers;
        return clEnqueueReadImage(queue_.get(), memory, CL_TRUE, origin.data(), region.data(), 0, 0,
                                  image.pixels.data(), 0, nullptr, nullptr);
    }
};

} // namespace

std::unique_ptr<Place> pocl_place(const std::string& source, std::string& problem) {
    problem = "";
    const auto device = test::opencl::pocl_device();
    if (!device)
        return nullptr;
    auto place = std::make_unique<PoclPlace>();
    problem = place->open(*device, source);
    return problem.empty() ? std::move(place) : nullptr;
}

} // namespace visor::images
