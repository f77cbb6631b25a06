// Command buffers: made, recorded, finalized, replayed, in both forms of their functions.
#include "../opencl/command_buffer_api.h"
#include "player.h"

namespace visor::fuzz {

namespace {

opencl_test::CommandBufferApi api_of(const Platform& platform) {
    return opencl_test::CommandBufferApi(platform.id);
}

} // namespace

void Player::make_command_buffer() {
    const std::array<cl_command_buffer_properties_khr, 3> properties{CL_COMMAND_BUFFER_FLAGS_KHR,
                                                                     byte() % 16U, 0};
    const std::array queues{pick(queues_), pick(queues_)};
    const cl_uint count = byte() % 8 == 0 ? byte() % 3U : 1;
    const auto api = api_of(platform_);
    keep(command_buffers_,
         api.create(count, queues.data(), byte() % 4 == 0 ? properties.data() : nullptr, nullptr));
    for (int i = byte() % 8; i > 0; --i)
        record();
}

void Player::record() {
    const auto api = api_of(platform_);
    const cl_command_buffer_khr to =
        half() && !command_buffers_.empty() ? command_buffers_.back() : pick(command_buffers_);
    const std::array<cl_sync_point_khr, 2> list{byte() % 6U, byte() % 6U};
    const cl_uint count = half() ? 0 : byte() % 3U;
    const cl_sync_point_khr* points = count == 0 ? nullptr : list.data();
    cl_sync_point_khr point = 0;
    const cl_mem one = pick(memories_);
    const cl_mem other = pick(memories_);
    const auto from = sizes();
    const auto there = sizes();
    const auto region = sizes();
    const bool is_old = half();
    switch (byte() % 9) {
    case 0: {
        const std::array<size_t, 3> global{small(), small(), small()}; // more would take long
        api.kernel(to, nullptr, nullptr, pick(kernels_), byte() % 5U, from.data(), global.data(),
                   half() ? nullptr : there.data(), count, points, &point, nullptr);
        break;
    }
    case 1:
        is_old ? api.old_barrier(to, nullptr, count, points, &point, nullptr)
               : api.barrier(to, nullptr, nullptr, count, points, &point, nullptr);
        break;
    case 2:
        is_old ? api.old_copy(to, nullptr, one, other, from[0], there[0], region[0], count, points, &point,
                              nullptr)
               : api.copy(to, nullptr, nullptr, one, other, from[0], there[0], region[0], count, points,
                          &point, nullptr);
        break;
    case 3:
        is_old ? api.old_copy_rect(to, nullptr, one, other, from.data(), there.data(), region.data(), small(),
                                   0, small(), 0, count, points, &point, nullptr)
               : api.copy_rect(to, nullptr, nullptr, one, other, from.data(), there.data(), region.data(),
                               small(), 0, small(), 0, count, points, &point, nullptr);
        break;
    case 4:
        is_old ? api.old_to_image(to, nullptr, one, other, from[0], there.data(), region.data(), count,
                                  points, &point, nullptr)
               : api.to_image(to, nullptr, nullptr, one, other, from[0], there.data(), region.data(), count,
                              points, &point, nullptr);
        break;
    case 5:
        is_old ? api.old_copy_image(to, nullptr, one, other, from.data(), there.data(), region.data(), count,
                                    points, &point, nullptr)
               : api.copy_image(to, nullptr, nullptr, one, other, from.data(), there.data(), region.data(),
                                count, points, &point, nullptr);
        break;
    default:
        record_fill(to);
        break;
    }
}

// The pattern is the platform's own copy; the host's side of a copy lives as long as the player.
void Player::record_fill(cl_command_buffer_khr to) {
    const auto api = api_of(platform_);
    const cl_mem memory = pick(memories_);
    const auto origin = sizes();
    const auto region = sizes();
    const void* const pattern = host_.data();
    const bool is_old = half();
    switch (byte() % 5) {
    case 0:
        is_old ? api.old_from_image(to, nullptr, memory, pick(memories_), origin.data(), region.data(),
                                    small(), 0, nullptr, nullptr, nullptr)
               : api.from_image(to, nullptr, nullptr, memory, pick(memories_), origin.data(), region.data(),
                                small(), 0, nullptr, nullptr, nullptr);
        break;
    case 1:
        is_old ? api.old_fill(to, nullptr, memory, pattern, byte(), origin[0], region[0], 0, nullptr, nullptr,
                              nullptr)
               : api.fill(to, nullptr, nullptr, memory, pattern, byte(), origin[0], region[0], 0, nullptr,
                          nullptr, nullptr);
        break;
    case 2:
        is_old ? api.old_fill_image(to, nullptr, memory, pattern, origin.data(), region.data(), 0, nullptr,
                                    nullptr, nullptr)
               : api.fill_image(to, nullptr, nullptr, memory, pattern, origin.data(), region.data(), 0,
                                nullptr, nullptr, nullptr);
        break;
    case 3:
        if (half())
            api.svm_copy(to, nullptr, nullptr, pointer(), pattern, size() % 4097, 0, nullptr, nullptr,
                         nullptr);
        else
            api.svm_copy(to, nullptr, nullptr, pointer(), pointer(), size(), 0, nullptr, nullptr, nullptr);
        break;
    default:
        api.svm_fill(to, nullptr, nullptr, pointer(), pattern, byte(), size(), 0, nullptr, nullptr, nullptr);
        break;
    }
}

void Player::use_command_buffer() {
    const auto api = api_of(platform_);
    const cl_command_buffer_khr buffer = pick(command_buffers_);
    std::array<std::byte, 64> room{};
    size_t needed = 0;
    switch (byte() % 6) {
    case 0:
        api.retain(buffer);
        break;
    case 1:
        api.release(buffer);
        break;
    case 2:
        api.info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR + byte() % 8U, byte() % room.size(), room.data(),
                 &needed);
        break;
    default:
        api.finalize(buffer);
        break;
    }
}

void Player::replay() {
    const auto list = waits();
    cl_command_queue queue = pick(queues_);
    const bool elsewhere = half();
    const cl_command_buffer_khr buffer = pick(command_buffers_);
    if (half())
        api_of(platform_).finalize(buffer);
    api_of(platform_).enqueue(elsewhere ? 1 : 0, elsewhere ? &queue : nullptr, buffer,
                              static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data(),
                              event());
    keep_event();
}

void Player::release_command_buffers() {
    const auto api = api_of(platform_);
    for (const cl_command_buffer_khr buffer : command_buffers_) {
        cl_uint references = 0;
        while (api.info(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof references, &references,
                        nullptr) == CL_SUCCESS &&
               references > 0)
            api.release(buffer);
    }
}

} // namespace visor::fuzz
