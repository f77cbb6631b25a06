// Command buffers (cl_khr_command_buffer): commands that are recorded once and replayed repeatedly as one
// command of a queue. Recorded commands depend only on earlier ones, so a replay in recording order satisfies
// all sync points and barriers.
//
// A buffer holds its queue and all objects that its commands use: kernels, memory, and argument objects.
// Enqueued instances hold the buffer.
#pragma once

#include "opencl/event.h"
#include "opencl/queue.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace visor::opencl {

// Definitions that some header versions lack: cl_ext.h dropped what later versions of the extension removed.
inline constexpr cl_device_info device_command_buffer_supported_queue_properties = 0x129A;
inline constexpr cl_command_buffer_info_khr command_buffer_context = 0x1299;
inline constexpr cl_command_buffer_state_khr command_buffer_pending = 2;      // up to 0.9.7
inline constexpr cl_command_buffer_flags_khr command_buffer_simultaneous = 1; // a flag
inline constexpr cl_device_command_buffer_capabilities_khr capability_simultaneous_use = 1U << 2U;
inline constexpr cl_device_command_buffer_capabilities_khr capability_out_of_order = 1U << 3U; // up to 0.9.5

// The form of the recording functions that an application calls: with a property list as of version 0.9.5.
enum class RecordForm : uint8_t { unknown, without_properties, with_properties };

} // namespace visor::opencl

struct _cl_command_buffer_khr : visor::opencl::Handle<visor::opencl::Kind::command_buffer> {
    _cl_command_buffer_khr(visor::opencl::Ref<_cl_command_queue> on,
                           std::vector<cl_command_buffer_properties_khr> wanted)
        : queue(std::move(on)), given(std::move(wanted)) {}

    const visor::opencl::Ref<_cl_command_queue> queue;
    const std::vector<cl_command_buffer_properties_khr> given; // with the closing zero; empty: none

    std::mutex recording; // guards the members below; immutable once finalized
    bool finalized = false;
    std::vector<visor::opencl::Work> commands; // an empty one does nothing

    std::atomic<size_t> unfinished = 0; // unfinished enqueued instances
    std::atomic<visor::opencl::RecordForm> form = visor::opencl::RecordForm::unknown;

    [[nodiscard]] bool is_finalized() {
        const std::lock_guard guard(recording);
        return finalized;
    }
};

namespace visor::opencl {

// A command being recorded. Sync points are numbers of commands, from 1 on.
struct Recording {
    _cl_command_buffer_khr& buffer;
    cl_uint wait_count = 0;
    const cl_sync_point_khr* wait_list = nullptr;
    cl_sync_point_khr* sync_point = nullptr; // out: its sync point; may be null
};

// CL_SUCCESS, or CL_INVALID_SYNC_POINT_WAIT_LIST_KHR.
[[nodiscard]] cl_int check_sync_points(const Recording& recording);
// CL_INVALID_OPERATION: the buffer was finalized meanwhile. CL_OUT_OF_RESOURCES: it is full.
[[nodiscard]] cl_int append(const Recording& recording, Work work);

} // namespace visor::opencl
