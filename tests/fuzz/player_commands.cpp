// Commands, their arguments, and waiting for them.
#include "player.h"

#include <cstring>

namespace visor::fuzz {

namespace {

// A wait list as the API takes it.
struct Waits {
    explicit Waits(const std::vector<cl_event>& of)
        : count(static_cast<cl_uint>(of.size())), list(of.empty() ? nullptr : of.data()) {}
    cl_uint count;
    const cl_event* list;
};

} // namespace

void Player::set_argument() {
    const cl_kernel kernel = pick(kernels_);
    const cl_uint index = byte() % 10U;
    switch (byte() % 6) {
    case 0: {
        const cl_mem memory = pick(memories_);
        clSetKernelArg(kernel, index, sizeof(void*), static_cast<const void*>(&memory));
        break;
    }
    case 1: {
        const cl_sampler sampler = pick(samplers_);
        clSetKernelArg(kernel, index, sizeof(void*), static_cast<const void*>(&sampler));
        break;
    }
    case 2:
        clSetKernelArgSVMPointer(kernel, index, pointer());
        break;
    case 3:
        clSetKernelArg(kernel, index, size(), nullptr); // local memory
        break;
    case 4: {
        const auto set = reinterpret_cast<clSetKernelArgMemPointerINTEL_fn>(
            clGetExtensionFunctionAddressForPlatform(platform_.id, "clSetKernelArgMemPointerINTEL"));
        set(kernel, index, pointer());
        break;
    }
    default: {
        std::array<uint8_t, 64> value{};
        value.fill(byte());
        clSetKernelArg(kernel, index, byte() % value.size(), value.data());
        break;
    }
    }
}

void Player::launch() {
    const std::array<size_t, 3> global{small(), small(), small()}; // more would take long
    const std::array<size_t, 3> local = sizes();
    const std::array<size_t, 3> offset = half() ? std::array<size_t, 3>{} : sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueNDRangeKernel(pick(queues_), pick(kernels_), byte() % 5U, offset.data(), global.data(),
                           half() ? nullptr : local.data(), wait.count, wait.list, event());
    keep_event();
}

void Player::read() {
    const auto list = waits();
    const Waits wait(list);
    clEnqueueReadBuffer(pick(queues_), pick(memories_), CL_FALSE, half() ? 0 : size(), size(), host_.data(),
                        wait.count, wait.list, event());
    keep_event();
}
void Player::write() {
    const auto list = waits();
    const Waits wait(list);
    clEnqueueWriteBuffer(pick(queues_), pick(memories_), CL_FALSE, half() ? 0 : size(), size(), host_.data(),
                         wait.count, wait.list, event());
    keep_event();
}
void Player::copy() {
    const auto list = waits();
    const Waits wait(list);
    clEnqueueCopyBuffer(pick(queues_), pick(memories_), pick(memories_), half() ? 0 : size(),
                        half() ? 0 : size(), size(), wait.count, wait.list, event());
    keep_event();
}
void Player::fill() {
    const auto list = waits();
    const Waits wait(list);
    clEnqueueFillBuffer(pick(queues_), pick(memories_), host_.data(), byte(), half() ? 0 : size(), size(),
                        wait.count, wait.list, event());
    keep_event();
}

// The host's side is tight: other pitches could be wrong only of the application.
void Player::read_rectangle() {
    const auto from = sizes();
    const auto region = sizes();
    const std::array<size_t, 3> host{};
    const auto list = waits();
    const Waits wait(list);
    clEnqueueReadBufferRect(pick(queues_), pick(memories_), CL_FALSE, from.data(), host.data(), region.data(),
                            half() ? 0 : size(), half() ? 0 : size(), 0, 0, host_.data(), wait.count,
                            wait.list, event());
    keep_event();
}
void Player::write_rectangle() {
    const auto to = sizes();
    const auto region = sizes();
    const std::array<size_t, 3> host{};
    const auto list = waits();
    const Waits wait(list);
    clEnqueueWriteBufferRect(pick(queues_), pick(memories_), CL_FALSE, to.data(), host.data(), region.data(),
                             half() ? 0 : size(), half() ? 0 : size(), 0, 0, host_.data(), wait.count,
                             wait.list, event());
    keep_event();
}
void Player::copy_rectangle() {
    const auto from = sizes();
    const auto to = sizes();
    const auto region = sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueCopyBufferRect(pick(queues_), pick(memories_), pick(memories_), from.data(), to.data(),
                            region.data(), half() ? 0 : size(), half() ? 0 : size(), half() ? 0 : size(),
                            half() ? 0 : size(), wait.count, wait.list, event());
    keep_event();
}

void Player::map() {
    const cl_mem memory = pick(memories_);
    const size_t bytes = size();
    const bool blocks = half();
    if (blocks)
        before_waiting();
    const auto list = waits();
    const Waits wait(list);
    void* const at = clEnqueueMapBuffer(pick(queues_), memory, blocks ? CL_TRUE : CL_FALSE, 1U << byte() % 4U,
                                        half() ? 0 : size(), bytes, wait.count, wait.list, event(), nullptr);
    keep_event();
    if (at == nullptr)
        return;
    mappings_.push_back({memory, at});
    // Maps hold nothing: without a reference the object may have ended with the command.
    cl_uint references = 0;
    const bool lives = clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof references, &references,
                                          nullptr) == CL_SUCCESS &&
                       references > 0;
    if (blocks && lives)
        std::memset(at, 1, bytes);
}
void Player::map_image() {
    const cl_mem memory = pick(memories_);
    const auto origin = sizes();
    const auto region = sizes();
    size_t row = 0;
    size_t slice = 0;
    const auto list = waits();
    const Waits wait(list);
    void* const at = clEnqueueMapImage(pick(queues_), memory, CL_FALSE, 1U << byte() % 3U, origin.data(),
                                       region.data(), &row, &slice, wait.count, wait.list, event(), nullptr);
    keep_event();
    if (at != nullptr)
        mappings_.push_back({memory, at});
}
void Player::unmap() {
    const Mapping mapping = pick(mappings_);
    const auto list = waits();
    const Waits wait(list);
    clEnqueueUnmapMemObject(pick(queues_), half() ? mapping.memory : pick(memories_), mapping.at, wait.count,
                            wait.list, event());
    keep_event();
}

void Player::read_image() {
    const auto origin = sizes();
    const auto region = sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueReadImage(pick(queues_), pick(memories_), CL_FALSE, origin.data(), region.data(), 0, 0,
                       host_.data(), wait.count, wait.list, event());
    keep_event();
}
void Player::write_image() {
    const auto origin = sizes();
    const auto region = sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueWriteImage(pick(queues_), pick(memories_), CL_FALSE, origin.data(), region.data(), 0, 0,
                        host_.data(), wait.count, wait.list, event());
    keep_event();
}
void Player::copy_image() {
    const auto from = sizes();
    const auto to = sizes();
    const auto region = sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueCopyImage(pick(queues_), pick(memories_), pick(memories_), from.data(), to.data(), region.data(),
                       wait.count, wait.list, event());
    keep_event();
}
void Player::image_to_buffer() {
    const auto from = sizes();
    const auto region = sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueCopyImageToBuffer(pick(queues_), pick(memories_), pick(memories_), from.data(), region.data(),
                               half() ? 0 : size(), wait.count, wait.list, event());
    keep_event();
}
void Player::buffer_to_image() {
    const auto to = sizes();
    const auto region = sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueCopyBufferToImage(pick(queues_), pick(memories_), pick(memories_), half() ? 0 : size(),
                               to.data(), region.data(), wait.count, wait.list, event());
    keep_event();
}
void Player::fill_image() {
    const std::array<cl_float, 4> color{0, 0.5F, 1, 2};
    const auto origin = sizes();
    const auto region = sizes();
    const auto list = waits();
    const Waits wait(list);
    clEnqueueFillImage(pick(queues_), pick(memories_), color.data(), origin.data(), region.data(), wait.count,
                       wait.list, event());
    keep_event();
}

// One side is memory of the platform's: of the other the platform cannot know how long it is.
void Player::copy_svm() {
    void* const one = pointer();
    void* const other = pointer();
    const auto list = waits();
    const Waits wait(list);
    const bool from_host = half();
    if (from_host)
        clEnqueueSVMMemcpy(pick(queues_), CL_FALSE, one, host_.data(), size() % 4097, wait.count, wait.list,
                           event());
    else
        clEnqueueSVMMemcpy(pick(queues_), CL_FALSE, one, other, size(), wait.count, wait.list, event());
    keep_event();
}
void Player::fill_svm() {
    const auto list = waits();
    const Waits wait(list);
    clEnqueueSVMMemFill(pick(queues_), pointer(), host_.data(), byte(), size(), wait.count, wait.list,
                        event());
    keep_event();
}
void Player::map_svm() {
    const auto list = waits();
    const Waits wait(list);
    if (half())
        clEnqueueSVMMap(pick(queues_), CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, pointer(), size(), wait.count,
                        wait.list, event());
    else
        clEnqueueSVMUnmap(pick(queues_), pointer(), wait.count, wait.list, event());
    keep_event();
}
void Player::use_usm() {
    const auto function = [&]<class Function>(Function& to, const char* name) {
        to = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_.id, name));
    };
    const auto list = waits();
    const Waits wait(list);
    clEnqueueMemFillINTEL_fn fill_memory = nullptr;
    clEnqueueMemcpyINTEL_fn copy_memory = nullptr;
    clEnqueueMigrateMemINTEL_fn move = nullptr;
    clEnqueueMemAdviseINTEL_fn advise = nullptr;
    switch (byte() % 4) {
    case 0:
        function(fill_memory, "clEnqueueMemFillINTEL");
        fill_memory(pick(queues_), pointer(), host_.data(), byte(), size(), wait.count, wait.list, event());
        break;
    case 1:
        function(copy_memory, "clEnqueueMemcpyINTEL");
        copy_memory(pick(queues_), CL_FALSE, pointer(), pointer(), size(), wait.count, wait.list, event());
        break;
    case 2:
        function(move, "clEnqueueMigrateMemINTEL");
        move(pick(queues_), pointer(), size(), CL_MIGRATE_MEM_OBJECT_HOST, wait.count, wait.list, event());
        break;
    default:
        function(advise, "clEnqueueMemAdviseINTEL");
        advise(pick(queues_), pointer(), size(), 0, wait.count, wait.list, event());
        break;
    }
    keep_event();
}

void Player::migrate() {
    const cl_mem memory = pick(memories_);
    const auto list = waits();
    const Waits wait(list);
    clEnqueueMigrateMemObjects(pick(queues_), 1, &memory, byte() % 4U, wait.count, wait.list, event());
    keep_event();
}

void Player::synchronize() {
    const auto list = waits();
    const Waits wait(list);
    switch (byte() % 5) {
    case 0:
        clEnqueueMarkerWithWaitList(pick(queues_), wait.count, wait.list, event());
        break;
    case 1:
        clEnqueueBarrierWithWaitList(pick(queues_), wait.count, wait.list, event());
        break;
    case 2:
        clFlush(pick(queues_));
        break;
    case 3:
        before_waiting();
        clFinish(pick(queues_));
        break;
    default:
        before_waiting();
        clWaitForEvents(wait.count, wait.list);
        break;
    }
    keep_event();
}

} // namespace visor::fuzz
