// Objects: made, retained, released, queried.
#include "player.h"

#include <algorithm>
#include <atomic>
#include <bit>

namespace visor::fuzz {

namespace {

constexpr size_t host_bytes = size_t{1} << 17U; // 17 * 17 * 17 pixels of 16 bytes, and 4096 bytes twice
constexpr size_t most_calls = 200;
// Larger objects are made and released at once: what they hold is memory that was asked for.
constexpr size_t most_bytes = 4096;
constexpr size_t most_pixels = size_t{17} * 17 * 17;
std::atomic<int> called = 0;

template <class Function>
Function extension(cl_platform_id platform, const char* name) {
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

// Every reference of a handle that is still valid.
template <class T, class Query, class Release>
void release_all(const std::vector<T>& handles, Query query, cl_uint count, Release release) {
    for (const T handle : handles) {
        cl_uint references = 0;
        while (query(handle, count, sizeof references, &references, nullptr) == CL_SUCCESS && references > 0)
            release(handle);
    }
}

} // namespace

const std::array<Player::Call, 48> Player::calls{&Player::make_context,
                                                 &Player::make_queue,
                                                 &Player::make_buffer,
                                                 &Player::make_part,
                                                 &Player::make_image,
                                                 &Player::make_sampler,
                                                 &Player::make_user_event,
                                                 &Player::make_program,
                                                 &Player::make_kernel,
                                                 &Player::set_status,
                                                 &Player::allocate_svm,
                                                 &Player::free_svm,
                                                 &Player::allocate_usm,
                                                 &Player::free_usm,
                                                 &Player::retain,
                                                 &Player::release,
                                                 &Player::query,
                                                 &Player::query_kernel,
                                                 &Player::query_handle,
                                                 &Player::callbacks,
                                                 &Player::set_argument,
                                                 &Player::launch,
                                                 &Player::read,
                                                 &Player::write,
                                                 &Player::copy,
                                                 &Player::fill,
                                                 &Player::read_rectangle,
                                                 &Player::write_rectangle,
                                                 &Player::copy_rectangle,
                                                 &Player::map,
                                                 &Player::map_image,
                                                 &Player::unmap,
                                                 &Player::read_image,
                                                 &Player::write_image,
                                                 &Player::copy_image,
                                                 &Player::image_to_buffer,
                                                 &Player::buffer_to_image,
                                                 &Player::fill_image,
                                                 &Player::copy_svm,
                                                 &Player::fill_svm,
                                                 &Player::map_svm,
                                                 &Player::use_usm,
                                                 &Player::migrate,
                                                 &Player::synchronize,
                                                 &Player::make_command_buffer,
                                                 &Player::record,
                                                 &Player::use_command_buffer,
                                                 &Player::replay};

Player::Player(const Platform& platform, std::span<const uint8_t> choices)
    : platform_(platform), choices_(choices), host_(host_bytes) {
    make_context();
    make_queue();
}

Player::~Player() {
    before_waiting();
    for (const cl_command_queue queue : queues_)
        clFinish(queue);
    choices_ = {};
    release_command_buffers();
    release_all(kernels_, clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT, clReleaseKernel);
    release_all(programs_, clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT, clReleaseProgram);
    release_all(events_, clGetEventInfo, CL_EVENT_REFERENCE_COUNT, clReleaseEvent);
    release_all(memories_, clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, clReleaseMemObject);
    release_all(samplers_, clGetSamplerInfo, CL_SAMPLER_REFERENCE_COUNT, clReleaseSampler);
    const auto free = extension<clMemBlockingFreeINTEL_fn>(platform_.id, "clMemBlockingFreeINTEL");
    for (const cl_context context : contexts_) {
        for (void* const memory : svm_)
            clSVMFree(context, memory);
        for (void* const memory : usm_)
            free(context, memory);
    }
    release_all(queues_, clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT, clReleaseCommandQueue);
    release_all(contexts_, clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT, clReleaseContext);
}

void Player::play() {
    for (size_t i = 0; i < most_calls && !choices_.empty(); ++i)
        (this->*calls.at(byte() % calls.size()))();
}

uint8_t Player::byte() {
    if (choices_.empty())
        return 0;
    const uint8_t first = choices_.front();
    choices_ = choices_.subspan(1);
    return first;
}

size_t Player::size() {
    constexpr std::array<size_t, 20> all{1,
                                         16,
                                         64,
                                         4096,
                                         0,
                                         2,
                                         3,
                                         4,
                                         15,
                                         17,
                                         63,
                                         4095,
                                         SIZE_MAX,
                                         SIZE_MAX - 3,
                                         SIZE_MAX / 2 + 1,
                                         SIZE_MAX / 4 + 1,
                                         0xffffffff,
                                         0x80000000,
                                         0x7fffffff,
                                         0x100000001};
    return all.at(byte() % all.size());
}
std::array<size_t, 3> Player::sizes() {
    return half() ? std::array{small(), small(), small()} : std::array{size(), size(), size()};
}

void* Player::pointer() {
    const uint8_t kind = byte();
    void* const base = kind % 8 == 0 ? nullptr : kind % 2 == 0 ? pick(svm_) : pick(usm_);
    if (base == nullptr || kind < 128)
        return base;
    // Perhaps outside, but of an address that can be no memory of the application's own.
    constexpr size_t farthest = 0x100000001;
    const size_t offset = size();
    return std::bit_cast<void*>(reinterpret_cast<uintptr_t>(base) + (offset > farthest ? 1 : offset));
}

std::vector<cl_event> Player::waits() {
    std::vector<cl_event> list;
    for (size_t count = byte() % 4U; count > 1; --count)
        list.push_back(pick(events_));
    std::erase(list, nullptr);
    return list;
}
cl_event* Player::event() {
    made_ = nullptr;
    return half() ? &made_ : nullptr;
}
void Player::keep_event() {
    keep(events_, made_);
    made_ = nullptr;
}
void Player::before_waiting() {
    for (const cl_event event : user_events_)
        clSetUserEventStatus(event, CL_COMPLETE);
}

void Player::make_context() {
    if (contexts_.size() < 3)
        keep(contexts_, clCreateContext(nullptr, 1, &platform_.device, nullptr, nullptr, nullptr));
}
void Player::make_queue() {
    const cl_context context = pick(contexts_);
    if (queues_.size() < 6)
        keep(queues_, clCreateCommandQueue(context, platform_.device, byte() % 4U, nullptr));
}
void Player::make_buffer() {
    constexpr std::array<cl_mem_flags, 8> flags{
        CL_MEM_READ_WRITE,     CL_MEM_USE_HOST_PTR,
        CL_MEM_COPY_HOST_PTR,  CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
        CL_MEM_READ_ONLY,      CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_NO_ACCESS, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR};
    const cl_mem_flags chosen = flags.at(byte() % flags.size());
    const size_t bytes = size();
    const bool hosts = (chosen & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0 && bytes <= host_.size();
    const cl_mem made =
        clCreateBuffer(pick(contexts_), chosen, bytes, hosts ? host_.data() : nullptr, nullptr);
    if (bytes <= most_bytes)
        keep(memories_, made);
    else
        clReleaseMemObject(made);
}
void Player::make_part() {
    const cl_buffer_region region{half() ? 0 : size(), size()};
    keep(memories_, clCreateSubBuffer(pick(memories_), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
}
void Player::make_image() {
    constexpr std::array<cl_mem_object_type, 7> types{
        CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE3D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE1D_BUFFER,
        CL_MEM_OBJECT_BUFFER};
    constexpr std::array<cl_image_format, 6> formats{{{CL_RGBA, CL_UNORM_INT8},
                                                      {CL_RGBA, CL_FLOAT},
                                                      {CL_R, CL_UNSIGNED_INT16},
                                                      {CL_DEPTH, CL_FLOAT},
                                                      {CL_RGBA, CL_HALF_FLOAT},
                                                      {CL_RGB, CL_UNORM_SHORT_565}}};
    cl_image_desc wish{};
    wish.image_type = types.at(byte() % types.size());
    const auto [width, height, depth] = sizes();
    wish.image_width = width;
    wish.image_height = height;
    wish.image_depth = wish.image_array_size = depth;
    wish.buffer = half() ? pick(memories_) : nullptr;
    if (wish.buffer != nullptr && half()) {
        wish.image_row_pitch = size();
        wish.image_slice_pitch = size();
    }
    const cl_image_format format = formats.at(byte() % formats.size());
    const cl_mem made = clCreateImage(pick(contexts_), CL_MEM_READ_WRITE, &format, &wish, nullptr, nullptr);
    size_t pixels = 1;
    for (const size_t side : {width, height, depth})
        if (__builtin_mul_overflow(pixels, std::max<size_t>(side, 1), &pixels))
            pixels = SIZE_MAX;
    if (pixels <= most_pixels)
        keep(memories_, made);
    else
        clReleaseMemObject(made);
}
void Player::make_sampler() {
    keep(samplers_, clCreateSampler(pick(contexts_), byte() % 2U, CL_ADDRESS_NONE + byte() % 6U,
                                    CL_FILTER_NEAREST + byte() % 3U, nullptr));
}
void Player::make_user_event() {
    const cl_event made = clCreateUserEvent(pick(contexts_), nullptr);
    keep(events_, made);
    keep(user_events_, made);
}
void Player::make_program() {
    if (programs_.size() > 2)
        return;
    const std::string& zebin = platform_.zebins[byte() % platform_.zebins.size()];
    const auto* bytes = reinterpret_cast<const unsigned char*>(zebin.data());
    const size_t length = zebin.size();
    const cl_program made =
        clCreateProgramWithBinary(pick(contexts_), 1, &platform_.device, &length, &bytes, nullptr, nullptr);
    keep(programs_, made);
    if (made != nullptr && byte() % 8 != 0)
        clBuildProgram(made, 1, &platform_.device, "", nullptr, nullptr);
}
void Player::make_kernel() {
    std::array<cl_kernel, 4> made{};
    cl_uint count = 0;
    if (half() && kernels_.size() > 1)
        keep(kernels_, clCloneKernel(pick(kernels_), nullptr));
    else if (clCreateKernelsInProgram(pick(programs_), made.size(), made.data(), &count) == CL_SUCCESS)
        for (const cl_kernel kernel : std::span(made).first(count))
            keep(kernels_, kernel);
}
void Player::set_status() {
    clSetUserEventStatus(pick(events_), half() ? CL_COMPLETE : static_cast<cl_int>(byte()) - 128);
}

void Player::allocate_svm() {
    constexpr std::array<cl_svm_mem_flags, 3> flags{
        CL_MEM_READ_WRITE, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_READ_ONLY};
    const size_t bytes = size();
    const cl_context context = pick(contexts_);
    void* const made = clSVMAlloc(context, flags.at(byte() % flags.size()), bytes, half() ? 0 : byte());
    if (bytes <= most_bytes)
        keep(svm_, made);
    else
        clSVMFree(context, made);
}
void Player::free_svm() {
    clSVMFree(pick(contexts_), pick(svm_));
}
void Player::allocate_usm() {
    const cl_context context = pick(contexts_);
    const uint8_t kind = byte();
    const size_t bytes = size();
    const cl_uint alignment = half() ? 0 : byte();
    void* made = nullptr;
    if (kind % 3 == 0)
        made = extension<clHostMemAllocINTEL_fn>(platform_.id, "clHostMemAllocINTEL")(context, nullptr, bytes,
                                                                                      alignment, nullptr);
    else if (kind % 3 == 1)
        made = extension<clDeviceMemAllocINTEL_fn>(platform_.id, "clDeviceMemAllocINTEL")(
            context, platform_.device, nullptr, bytes, alignment, nullptr);
    else
        made = extension<clSharedMemAllocINTEL_fn>(platform_.id, "clSharedMemAllocINTEL")(
            context, nullptr, nullptr, bytes, alignment, nullptr);
    if (bytes <= most_bytes)
        keep(usm_, made);
    else if (made != nullptr)
        extension<clMemFreeINTEL_fn>(platform_.id, "clMemFreeINTEL")(context, made);
}
void Player::free_usm() {
    if (half()) {
        before_waiting();
        extension<clMemBlockingFreeINTEL_fn>(platform_.id, "clMemBlockingFreeINTEL")(pick(contexts_),
                                                                                     pointer());
    } else {
        extension<clMemFreeINTEL_fn>(platform_.id, "clMemFreeINTEL")(pick(contexts_), pointer());
    }
}

void Player::retain() {
    switch (byte() % 7) {
    case 0:
        clRetainContext(pick(contexts_));
        break;
    case 1:
        clRetainCommandQueue(pick(queues_));
        break;
    case 2:
        clRetainEvent(pick(events_));
        break;
    case 3:
        clRetainSampler(pick(samplers_));
        break;
    case 4:
        clRetainProgram(pick(programs_));
        break;
    case 5:
        clRetainKernel(pick(kernels_));
        break;
    default:
        clRetainMemObject(pick(memories_));
        break;
    }
}
void Player::release() {
    switch (byte() % 7) {
    case 0:
        clReleaseContext(pick(contexts_));
        break;
    case 1:
        clReleaseCommandQueue(pick(queues_));
        break;
    case 2:
        clReleaseEvent(pick(events_));
        break;
    case 3:
        clReleaseSampler(pick(samplers_));
        break;
    case 4:
        clReleaseProgram(pick(programs_));
        break;
    case 5:
        clReleaseKernel(pick(kernels_));
        break;
    default:
        clReleaseMemObject(pick(memories_));
        break;
    }
}

void Player::query() {
    std::array<std::byte, 4096> room{};
    constexpr std::array<size_t, 4> rooms{4096, 8, 1, 0};
    const size_t bytes = rooms.at(byte() % rooms.size());
    void* const to = bytes == 0 ? nullptr : room.data();
    const cl_uint which = byte() % 20U;
    size_t needed = 0;
    switch (byte() % 9) {
    case 0:
        clGetContextInfo(pick(contexts_), CL_CONTEXT_REFERENCE_COUNT + which, bytes, to, &needed);
        break;
    case 1:
        clGetCommandQueueInfo(pick(queues_), CL_QUEUE_CONTEXT + which, bytes, to, &needed);
        break;
    case 2:
        clGetEventInfo(pick(events_), CL_EVENT_COMMAND_QUEUE + which, bytes, to, &needed);
        break;
    case 3:
        clGetEventProfilingInfo(pick(events_), CL_PROFILING_COMMAND_QUEUED + which, bytes, to, &needed);
        break;
    case 4:
        clGetSamplerInfo(pick(samplers_), CL_SAMPLER_REFERENCE_COUNT + which, bytes, to, &needed);
        break;
    case 5:
        clGetMemObjectInfo(pick(memories_), CL_MEM_TYPE + which, bytes, to, &needed);
        break;
    case 6:
        clGetImageInfo(pick(memories_), CL_IMAGE_FORMAT + which, bytes, to, &needed);
        break;
    case 7:
        clGetDeviceInfo(platform_.device, CL_DEVICE_TYPE + byte() % 128U, bytes, to, &needed);
        break;
    default:
        extension<clGetMemAllocInfoINTEL_fn>(platform_.id, "clGetMemAllocInfoINTEL")(
            pick(contexts_), pointer(), CL_MEM_ALLOC_TYPE_INTEL + which, bytes, to, &needed);
        break;
    }
}
void Player::query_kernel() {
    std::array<std::byte, 4096> room{};
    const size_t bytes = half() ? room.size() : byte();
    const cl_uint which = byte() % 12U;
    const std::array<size_t, 3> local = sizes();
    size_t needed = 0;
    switch (byte() % 6) {
    case 0:
        clGetProgramInfo(pick(programs_), CL_PROGRAM_REFERENCE_COUNT + which % 5, bytes, room.data(),
                         &needed);
        break;
    case 1:
        clGetProgramBuildInfo(pick(programs_), platform_.device, CL_PROGRAM_BUILD_STATUS + which, bytes,
                              room.data(), &needed);
        break;
    case 2:
        clGetKernelInfo(pick(kernels_), CL_KERNEL_FUNCTION_NAME + which, bytes, room.data(), &needed);
        break;
    case 3:
        clGetKernelArgInfo(pick(kernels_), byte(), CL_KERNEL_ARG_ADDRESS_QUALIFIER + which, bytes,
                           room.data(), &needed);
        break;
    case 4:
        clGetKernelWorkGroupInfo(pick(kernels_), platform_.device, CL_KERNEL_WORK_GROUP_SIZE + which, bytes,
                                 room.data(), &needed);
        break;
    default:
        clGetKernelSubGroupInfo(pick(kernels_), platform_.device,
                                CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE + which, byte() % 32U, local.data(),
                                bytes, room.data(), &needed);
        break;
    }
}
// Handles that queries give are as good as any.
void Player::query_handle() {
    cl_context context = nullptr;
    cl_mem whole = nullptr;
    cl_program program = nullptr;
    cl_command_queue queue = nullptr;
    clGetMemObjectInfo(pick(memories_), CL_MEM_CONTEXT, sizeof(void*), static_cast<void*>(&context), nullptr);
    clGetMemObjectInfo(pick(memories_), CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(void*),
                       static_cast<void*>(&whole), nullptr);
    clGetKernelInfo(pick(kernels_), CL_KERNEL_PROGRAM, sizeof(void*), static_cast<void*>(&program), nullptr);
    clGetEventInfo(pick(events_), CL_EVENT_COMMAND_QUEUE, sizeof(void*), static_cast<void*>(&queue), nullptr);
    clRetainContext(context);
    clRetainMemObject(whole);
    clRetainProgram(program);
    clRetainCommandQueue(queue);
}
void Player::callbacks() {
    const auto count = [](cl_mem, void*) { ++called; };
    const auto ask = [](cl_event event, cl_int, void*) {
        cl_int status = 0;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    };
    if (half())
        clSetMemObjectDestructorCallback(pick(memories_), count, nullptr);
    else
        clSetEventCallback(pick(events_), byte() % 5, ask, nullptr);
}

} // namespace visor::fuzz
