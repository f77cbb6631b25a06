// Command buffer objects: creation, finalization, enqueueing, queries.
#include "opencl/commands/command_buffer.h"

#include "opencl/api.h"
#include "opencl/limits.h"
#include "opencl/query.h"

#include <algorithm>
#include <span>

namespace visor::opencl {

namespace {

// One enqueued instance of a buffer, until its command is over.
class Instance {
public:
    explicit Instance(_cl_command_buffer_khr& buffer) : buffer_(&buffer) { ++buffer.unfinished; }
    ~Instance() {
        if (buffer_)
            --buffer_->unfinished;
    }
    Instance(Instance&&) = default;
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    Instance& operator=(Instance&&) = delete;

    // Stops at the first failing command.
    cl_int replay() {
        for (Work& command : buffer_->commands) {
            if (!command)
                continue;
            if (const cl_int problem = command(); problem != CL_SUCCESS)
                return problem;
        }
        return CL_SUCCESS;
    }

private:
    Ref<_cl_command_buffer_khr> buffer_;
};

// Flags of dependent extensions are valid, but not supported.
cl_int check_command_buffer_flags(cl_command_buffer_flags_khr flags) {
    constexpr cl_command_buffer_flags_khr unsupported = (1U << 1U) | (1U << 2U); // mutable; sync of devices
    if ((flags & ~(command_buffer_simultaneous | unsupported)) != 0)
        return CL_INVALID_VALUE;
    return (flags & unsupported) != 0 ? CL_INVALID_PROPERTY : CL_SUCCESS;
}

cl_int read_command_buffer_properties(const cl_command_buffer_properties_khr* from,
                                      std::vector<cl_command_buffer_properties_khr>& kept) {
    for (const auto* at = from; at != nullptr && *at != 0; at += 2) {
        if (at[0] != CL_COMMAND_BUFFER_FLAGS_KHR || !kept.empty())
            return CL_INVALID_VALUE;
        if (const cl_int problem = check_command_buffer_flags(at[1]); problem != CL_SUCCESS)
            return problem;
        kept.insert(kept.end(), {at[0], at[1]});
    }
    if (from != nullptr)
        kept.push_back(0);
    return CL_SUCCESS;
}

// Headers since 0.9.8 have no pending state, and reuse its number: applications with such headers never see
// it (ruling 211).
cl_command_buffer_state_khr state_of(_cl_command_buffer_khr& buffer) {
    if (!buffer.is_finalized())
        return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
    if (buffer.unfinished != 0 && buffer.form != RecordForm::with_properties)
        return command_buffer_pending;
    return CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
}

} // namespace

cl_int check_sync_points(const Recording& recording) {
    if ((recording.wait_list == nullptr) != (recording.wait_count == 0))
        return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
    const std::lock_guard guard(recording.buffer.recording);
    const size_t count = recording.buffer.commands.size();
    const bool are_known =
        std::ranges::all_of(std::span(recording.wait_list, recording.wait_count),
                            [count](cl_sync_point_khr one) { return one != 0 && one <= count; });
    return are_known ? CL_SUCCESS : CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
}

cl_int append(const Recording& recording, Work work) {
    const std::lock_guard guard(recording.buffer.recording);
    if (recording.buffer.finalized)
        return CL_INVALID_OPERATION;
    auto& commands = recording.buffer.commands;
    if (commands.size() == most_recorded_commands)
        return CL_OUT_OF_RESOURCES;
    commands.push_back(std::move(work));
    if (recording.sync_point != nullptr)
        *recording.sync_point = static_cast<cl_sync_point_khr>(commands.size());
    return CL_SUCCESS;
}

cl_command_buffer_khr create_command_buffer(cl_uint count, const cl_command_queue* queues,
                                            const cl_command_buffer_properties_khr* properties,
                                            cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (count != 1 || queues == nullptr)
        return outcome.fail(CL_INVALID_VALUE);
    Ref<_cl_command_queue> queue = hold_if_handle(queues[0]);
    if (!queue)
        return outcome.fail(CL_INVALID_COMMAND_QUEUE);
    std::vector<cl_command_buffer_properties_khr> kept;
    if (const cl_int problem = read_command_buffer_properties(properties, kept); problem != CL_SUCCESS)
        return outcome.fail(problem);
    return outcome.done(new _cl_command_buffer_khr(std::move(queue), std::move(kept)));
}

cl_int retain_command_buffer(cl_command_buffer_khr buffer) {
    return retain(buffer, CL_INVALID_COMMAND_BUFFER_KHR);
}
cl_int release_command_buffer(cl_command_buffer_khr buffer) {
    return release(buffer, CL_INVALID_COMMAND_BUFFER_KHR);
}

cl_int finalize_command_buffer(cl_command_buffer_khr buffer) {
    if (!is_valid(buffer))
        return CL_INVALID_COMMAND_BUFFER_KHR;
    const std::lock_guard guard(buffer->recording);
    return std::exchange(buffer->finalized, true) ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int enqueue_command_buffer(cl_uint number, cl_command_queue* queues, cl_command_buffer_khr buffer,
                              cl_uint count, const cl_event* list, cl_event* event) {
    if (!is_valid(buffer))
        return CL_INVALID_COMMAND_BUFFER_KHR;
    if (!buffer->is_finalized())
        return CL_INVALID_OPERATION;
    if ((queues == nullptr) != (number == 0) || number > 1)
        return CL_INVALID_VALUE;
    const Ref<_cl_command_queue> queue = number == 0 ? buffer->queue : hold_if_handle(queues[0]);
    if (!queue)
        return CL_INVALID_COMMAND_QUEUE;
    if (queue->context.get() != buffer->queue->context.get())
        return CL_INVALID_CONTEXT;
    const EnqueueRequest request{
        .command = CL_COMMAND_COMMAND_BUFFER_KHR, .wait_count = count, .wait_list = list, .event = event};
    return enqueue(queue.get(), request,
                   [instance = Instance(*buffer)]() mutable { return instance.replay(); });
}

cl_int get_command_buffer_info(cl_command_buffer_khr buffer, cl_command_buffer_info_khr what,
                               size_t param_value_size, void* value, size_t* needed) {
    if (!is_valid(buffer))
        return CL_INVALID_COMMAND_BUFFER_KHR;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
        return answer.number(1);
    case CL_COMMAND_BUFFER_QUEUES_KHR:
        return answer.value(buffer->queue.get());
    case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
        return answer.number(buffer->references());
    case CL_COMMAND_BUFFER_STATE_KHR:
        return answer.value(state_of(*buffer));
    case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
        return answer.list<cl_command_buffer_properties_khr>(buffer->given);
    case command_buffer_context:
        return answer.value(buffer->queue->context.get());
    default:
        return CL_INVALID_VALUE;
    }
}

} // namespace visor::opencl
