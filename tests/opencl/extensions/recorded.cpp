// Command buffers: one with every function that records, replayed twice.
#include "host.h"

#include "../command_buffer_api.h"

#include <array>
#include <numeric>

namespace visor::opencl_extensions {

namespace {

using opencl_test::CommandBufferApi;

constexpr size_t numbers = 64;
constexpr size_t bytes = numbers * sizeof(cl_int);
constexpr size_t side = 8; // of an image with as many pixels

cl_platform_id platform_of(cl_device_id device) {
    cl_platform_id platform = nullptr;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr);
    return platform;
}

// The first call that failed, by its number; 0: none has.
class Steps {
public:
    void operator()(cl_int code) {
        ++count_;
        if (code != CL_SUCCESS && failed_ == 0)
            failed_ = count_;
    }
    [[nodiscard]] std::string text() const {
        return failed_ == 0 ? "" : fmt::format("call {} of a command buffer failed", failed_);
    }

private:
    int count_ = 0;
    int failed_ = 0;
};

struct Recorded {
    const CommandBufferApi& api;
    const Session& session;
    cl_command_buffer_khr buffer;
    Steps& step;
};

cl_mem image_of(const Session& session) {
    const cl_image_format format{CL_R, CL_SIGNED_INT32};
    cl_image_desc shape{};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = shape.image_height = side;
    return clCreateImage(session.context, CL_MEM_READ_WRITE, &format, &shape, nullptr, nullptr);
}

// `to` from `from`, by way of two images.
void record_images(const Recorded& to, cl_mem from, cl_mem into, const Memory& first, const Memory& second) {
    const std::array<size_t, 3> origin{};
    const std::array<size_t, 3> region{side, side, 1};
    const std::array<cl_int, 4> color{-1, 0, 0, 0};
    const auto& [api, session, buffer, step] = to;
    step(api.fill_image(buffer, nullptr, nullptr, first.get(), color.data(), origin.data(), region.data(), 0,
                        nullptr, nullptr, nullptr));
    step(api.to_image(buffer, nullptr, nullptr, from, first.get(), 0, origin.data(), region.data(), 0,
                      nullptr, nullptr, nullptr));
    step(api.copy_image(buffer, nullptr, nullptr, first.get(), second.get(), origin.data(), origin.data(),
                        region.data(), 0, nullptr, nullptr, nullptr));
    step(api.from_image(buffer, nullptr, nullptr, second.get(), into, origin.data(), region.data(), 0, 0,
                        nullptr, nullptr, nullptr));
}

std::string replayed(const Recorded& to, cl_mem last, const cl_int* shared) {
    const auto& [api, session, buffer, step] = to;
    step(api.finalize(buffer));
    for (int k = 0; k < 2; ++k)
        step(api.enqueue(0, nullptr, buffer, 0, nullptr, nullptr));
    step(clFinish(session.queue));
    cl_command_buffer_state_khr state = 0;
    step(api.info(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, nullptr));
    std::array<cl_int, numbers> found{};
    step(clEnqueueReadBuffer(session.queue, last, CL_TRUE, 0, bytes, found.data(), 0, nullptr, nullptr));
    step(clEnqueueSVMMap(session.queue, CL_TRUE, CL_MAP_READ, const_cast<cl_int*>(shared), bytes, 0, nullptr,
                         nullptr));
    const int sum = std::accumulate(shared, shared + numbers, 0);
    step(clEnqueueSVMUnmap(session.queue, const_cast<cl_int*>(shared), 0, nullptr, nullptr));
    step(clFinish(session.queue));
    if (std::string failed = step.text(); !failed.empty())
        return failed;
    // A fill of 7, tripled by the kernel.
    if (std::string wrong = same("sum", std::accumulate(found.begin(), found.end(), 0), 64 * 21);
        !wrong.empty())
        return wrong;
    return same("sum of shared memory", sum, 64 * 9);
}

std::string command_buffer(const Session& session) {
    const CommandBufferApi api(platform_of(session.device));
    if (api.create == nullptr || api.svm_fill == nullptr)
        return "its functions are not there";
    cl_program built = nullptr;
    std::string problem =
        session.build("kernel void triple(global int* a) { a[get_global_id(0)] *= 3; }", "", built);
    const OwnedProgram program(built);
    if (!problem.empty())
        return problem;
    const OwnedKernel kernel(clCreateKernel(program.get(), "triple", nullptr));
    const Memory first(clCreateBuffer(session.context, 0, bytes, nullptr, nullptr));
    const Memory second(clCreateBuffer(session.context, 0, bytes, nullptr, nullptr));
    const Memory third(clCreateBuffer(session.context, 0, bytes, nullptr, nullptr));
    const Memory image(image_of(session));
    const Memory other(image_of(session));
    auto* shared = static_cast<cl_int*>(clSVMAlloc(session.context, CL_MEM_READ_WRITE, 2 * bytes, 0));
    Steps step;
    cl_int code = CL_SUCCESS;
    const cl_command_buffer_khr buffer = api.create(1, &session.queue, nullptr, &code);
    step(code);
    step(api.retain(buffer));
    const cl_int seven = 7;
    const cl_int nine = 9;
    const std::array<size_t, 3> origin{};
    const std::array<size_t, 3> region{bytes, 1, 1};
    cl_sync_point_khr point = 0;
    step(api.fill(buffer, nullptr, nullptr, first.get(), &seven, sizeof seven, 0, bytes, 0, nullptr, &point,
                  nullptr));
    step(api.copy(buffer, nullptr, nullptr, first.get(), second.get(), 0, 0, bytes, 1, &point, nullptr,
                  nullptr));
    step(api.barrier(buffer, nullptr, nullptr, 0, nullptr, nullptr, nullptr));
    step(clSetKernelArg(kernel.get(), 0, sizeof(cl_mem), second.at()));
    step(api.kernel(buffer, nullptr, nullptr, kernel.get(), 1, nullptr, &numbers, nullptr, 0, nullptr,
                    nullptr, nullptr));
    const Recorded recorded{api, session, buffer, step};
    if (image.get() != nullptr)
        record_images(recorded, second.get(), first.get(), image, other);
    step(api.copy_rect(buffer, nullptr, nullptr, image.get() != nullptr ? first.get() : second.get(),
                       third.get(), origin.data(), origin.data(), region.data(), 0, 0, 0, 0, 0, nullptr,
                       nullptr, nullptr));
    step(api.svm_fill(buffer, nullptr, nullptr, shared + numbers, &nine, sizeof nine, bytes, 0, nullptr,
                      nullptr, nullptr));
    step(api.svm_copy(buffer, nullptr, nullptr, shared, shared + numbers, bytes, 0, nullptr, nullptr,
                      nullptr));
    const std::string result = replayed(recorded, third.get(), shared);
    step(api.release(buffer));
    step(api.release(buffer));
    clSVMFree(session.context, shared);
    return result.empty() ? step.text() : result;
}

constexpr std::array recorded_programs{HostProgram{"cl_khr_command_buffer", command_buffer}};

} // namespace

std::span<const HostProgram> command_buffer_programs() {
    return recorded_programs;
}

} // namespace visor::opencl_extensions
