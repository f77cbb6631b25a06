// Commands, wait lists, events of the application, maps, and memory by pointers.
#include "driver.h"

#include <algorithm>
#include <utility>

namespace visor::opencl_model {

namespace {

constexpr size_t moved_bytes = 256; // in every buffer and part
constexpr size_t items = 64;        // of a launch: 256 bytes

void CL_CALLBACK event_is_over(cl_event event, cl_int status, void* data) {
    const auto& call = *static_cast<const Called*>(data);
    cl_context context = nullptr;
    cl_int code = CL_SUCCESS;
    const bool good = clRetainEvent(event) == CL_SUCCESS && clReleaseEvent(event) == CL_SUCCESS &&
                      clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(void*), static_cast<void*>(&context),
                                     nullptr) == CL_SUCCESS;
    const cl_mem made = clCreateBuffer(context, 0, moved_bytes, nullptr, &code);
    if (!good || code != CL_SUCCESS || clReleaseMemObject(made) != CL_SUCCESS)
        call.log->add_problem("an event or its context is not valid in a callback");
    if (call.completes != nullptr)
        clSetUserEventStatus(static_cast<cl_event>(call.completes), CL_COMPLETE);
    call.log->add({call.token, status});
}

} // namespace

Driver::Waits Driver::waits(std::optional<Id> queue) {
    Waits out;
    for (uint32_t count = pick() % 4; count > 1; --count) {
        auto event = any(Kind::event);
        // Half of them wait, if there are such events.
        for (int tries = 0; tries < 4 && event && model_.at(*event).is_over() && one_of(2); ++tries)
            event = any(Kind::event);
        if (!event || model_.at(*event).handle == nullptr)
            continue;
        out.ids.push_back(*event);
        out.list.push_back(handle<cl_event>(event));
        if (out.problem != CL_SUCCESS || !is_alive(queue))
            continue;
        if (!is_alive(event))
            out.problem = CL_INVALID_EVENT_WAIT_LIST;
        else if (model_.at(*event).context != model_.at(*queue).context)
            out.problem = CL_INVALID_CONTEXT;
    }
    return out;
}

// `problem`: of what is looked at after the queue and the wait list.
template <class Enqueue>
bool Driver::enqueue(const char* name, std::optional<Id> queue, cl_int problem, const Command& command,
                     Enqueue call) {
    const Waits waits = this->waits(queue);
    const bool wants_event = !one_of(3);
    say(name, queue, command.uses.empty() ? std::nullopt : std::optional(command.uses.front()));
    for (const Id first : waits.ids)
        say("  after", first);
    cl_event event = nullptr;
    const cl_int code =
        call(static_cast<cl_uint>(waits.list.size()), waits.list.empty() ? nullptr : waits.list.data(),
             wants_event ? &event : nullptr);
    expect(code,
           !is_alive(queue)              ? CL_INVALID_COMMAND_QUEUE
           : waits.problem != CL_SUCCESS ? waits.problem
                                         : problem,
           name);
    if (code != CL_SUCCESS)
        return false;
    Command whole = command;
    whole.queue = *queue;
    whole.waits = waits.ids;
    const Id id = model_.add_event(whole);
    model_.at(id).handle = event;
    if (!wants_event)
        model_.release(id);
    say("  is", id);
    return true;
}

cl_int Driver::memory_problem(std::optional<Id> queue, std::optional<Id> memory) const {
    if (!is_alive(memory) || model_.at(*memory).is_image)
        return CL_INVALID_MEM_OBJECT;
    return is_alive(queue) && model_.at(*memory).context != model_.at(*queue).context ? CL_INVALID_CONTEXT
                                                                                      : CL_SUCCESS;
}

// How a copy between it and the host ends: memory that it uses may be freed by then.
std::function<int()> Driver::touches(Id memory) {
    const auto over = model_.at(memory).over;
    return [this, over] { return over && model_.pointers()[*over].is_freed ? CL_INVALID_VALUE : CL_SUCCESS; };
}

void Driver::move_bytes() {
    const auto queue = any(Kind::queue);
    const auto memory = any(Kind::memory);
    if (!memory)
        return;
    const uint32_t way = pick() % 3;
    const cl_command_queue on = handle<cl_command_queue>(queue);
    const cl_mem of = handle<cl_mem>(memory);
    const cl_int pattern = 7;
    enqueue(way == 0   ? "clEnqueueReadBuffer"
            : way == 1 ? "clEnqueueWriteBuffer"
                       : "clEnqueueFillBuffer",
            queue, memory_problem(queue, memory), {.uses = {*memory}, .outcome = touches(*memory)},
            [&](cl_uint count, const cl_event* list, cl_event* event) {
                return way == 0   ? clEnqueueReadBuffer(on, of, CL_FALSE, 0, moved_bytes, host_.data(), count,
                                                        list, event)
                       : way == 1 ? clEnqueueWriteBuffer(on, of, CL_FALSE, 0, moved_bytes,
                                                         host_.data() + moved_bytes, count, list, event)
                                  : clEnqueueFillBuffer(on, of, &pattern, sizeof pattern, 0, moved_bytes,
                                                        count, list, event);
            });
}

void Driver::copy_buffer() {
    const auto queue = any(Kind::queue);
    const auto from = any(Kind::memory);
    const auto to = any(Kind::memory);
    // Buffers that may share bytes are left out: whether they overlap is no matter of lives.
    if (!from || !to || from == to || model_.at(*from).parent || model_.at(*to).parent ||
        model_.at(*from).over || model_.at(*to).over)
        return;
    const cl_int first = memory_problem(queue, from);
    enqueue("clEnqueueCopyBuffer", queue, first != CL_SUCCESS ? first : memory_problem(queue, to),
            {.uses = {*from, *to}}, [&](cl_uint count, const cl_event* list, cl_event* event) {
                return clEnqueueCopyBuffer(handle<cl_command_queue>(queue), handle<cl_mem>(from),
                                           handle<cl_mem>(to), 0, 0, moved_bytes, count, list, event);
            });
}

void Driver::marker() {
    const auto queue = any(Kind::queue);
    const bool fence = one_of(2);
    enqueue(fence ? "clEnqueueBarrierWithWaitList" : "clEnqueueMarkerWithWaitList", queue, CL_SUCCESS,
            {.is_fence = fence, .gathers = true}, [&](cl_uint count, const cl_event* list, cl_event* event) {
                const cl_command_queue on = handle<cl_command_queue>(queue);
                return fence ? clEnqueueBarrierWithWaitList(on, count, list, event)
                             : clEnqueueMarkerWithWaitList(on, count, list, event);
            });
}

// ---- kernels

void Driver::set_argument() {
    const auto kernel = any(Kind::kernel);
    if (!kernel)
        return;
    const auto index = static_cast<cl_uint>(pick() % 5);
    const cl_kernel of = handle<cl_kernel>(kernel);
    cl_int wanted = CL_SUCCESS;
    cl_int code = 1;
    Argument made{.is_set = true};
    if (index >= 2) {
        const cl_int value = items;
        wanted = index == 4 ? CL_INVALID_ARG_INDEX : CL_SUCCESS;
        say("clSetKernelArg with a value, of", kernel);
        code = clSetKernelArg(of, index, sizeof value, &value);
    } else if (const auto pointer = one_of(3) ? any_pointer(model_.at(*kernel).context) : std::nullopt) {
        const Pointer& chosen = model_.pointers()[*pointer];
        wanted = chosen.is_freed ? CL_INVALID_ARG_VALUE : CL_SUCCESS;
        made.pointer = pointer;
        say("a pointer as argument of", kernel);
        code = chosen.is_usm ? usm_.set_argument(of, index, chosen.at)
                             : clSetKernelArgSVMPointer(of, index, chosen.at);
    } else {
        const auto memory = any(Kind::memory);
        if (!memory)
            return;
        const bool good = is_alive(memory) && !model_.at(*memory).is_image &&
                          model_.at(*memory).context == model_.at(*kernel).context;
        wanted = good ? CL_SUCCESS : CL_INVALID_MEM_OBJECT;
        made.memory = memory;
        const cl_mem value = handle<cl_mem>(memory);
        say("clSetKernelArg", kernel, memory);
        code = clSetKernelArg(of, index, sizeof(void*), static_cast<const void*>(&value));
    }
    expect(code, is_alive(kernel) ? wanted : CL_INVALID_KERNEL, "an argument");
    if (code == CL_SUCCESS)
        model_.at(*kernel).arguments[index] = made;
}

void Driver::launch() {
    const auto queue = any(Kind::queue);
    const auto kernel = any(Kind::kernel);
    if (!kernel)
        return;
    cl_int problem = CL_SUCCESS;
    std::vector<Id> uses{*kernel};
    std::vector<Id> pointers;
    for (const Argument& argument : model_.at(*kernel).arguments) {
        const bool is_there = argument.is_set &&
                              (!argument.memory || model_.at(*argument.memory).is_alive()) &&
                              (!argument.pointer || !model_.pointers()[*argument.pointer].is_freed);
        if (!is_there)
            problem = CL_INVALID_KERNEL_ARGS;
        if (argument.memory)
            uses.push_back(*argument.memory);
        if (argument.pointer)
            pointers.push_back(*argument.pointer);
    }
    if (!is_alive(kernel))
        problem = CL_INVALID_KERNEL;
    else if (is_alive(queue) && model_.at(*kernel).context != model_.at(*queue).context)
        problem = CL_INVALID_CONTEXT;
    const auto outcome = [this, pointers] {
        return std::ranges::any_of(pointers, [this](Id one) { return model_.pointers()[one].is_freed; })
                   ? CL_OUT_OF_RESOURCES
                   : CL_SUCCESS;
    };
    enqueue("clEnqueueNDRangeKernel", queue, problem, {.uses = uses, .outcome = outcome},
            [&](cl_uint count, const cl_event* list, cl_event* event) {
                return clEnqueueNDRangeKernel(handle<cl_command_queue>(queue), handle<cl_kernel>(kernel), 1,
                                              nullptr, &items, nullptr, count, list, event);
            });
}

// ---- maps

void Driver::map() {
    const auto queue = any(Kind::queue);
    const auto memory = any(Kind::memory);
    if (!memory)
        return;
    void* shown = nullptr;
    const bool good = enqueue("clEnqueueMapBuffer", queue, memory_problem(queue, memory), {.uses = {*memory}},
                              [&](cl_uint count, const cl_event* list, cl_event* event) {
                                  cl_int code = 1;
                                  shown = clEnqueueMapBuffer(
                                      handle<cl_command_queue>(queue), handle<cl_mem>(memory), CL_FALSE,
                                      CL_MAP_READ | CL_MAP_WRITE, 0, moved_bytes, count, list, event, &code);
                                  return code;
                              });
    if (good != (shown != nullptr))
        throw Difference("clEnqueueMapBuffer gives a pointer, and none");
    if (good)
        model_.at(*memory).maps.push_back(shown);
}

void Driver::unmap() {
    const auto queue = any(Kind::queue);
    const auto memory = any(Kind::memory);
    if (!memory)
        return;
    const auto& maps = model_.at(*memory).maps;
    const uint32_t choice = pick();
    void* const shown = maps.empty() || choice % 8 == 0 ? host_.data() : maps[choice / 8 % maps.size()];
    cl_int problem = CL_SUCCESS;
    if (!is_alive(memory))
        problem = CL_INVALID_MEM_OBJECT;
    else if (is_alive(queue) && model_.at(*memory).context != model_.at(*queue).context)
        problem = CL_INVALID_CONTEXT;
    else if (std::ranges::find(maps, shown) == maps.end())
        problem = CL_INVALID_VALUE;
    const bool good =
        enqueue("clEnqueueUnmapMemObject", queue, problem, {.uses = {*memory}},
                [&](cl_uint count, const cl_event* list, cl_event* event) {
                    return clEnqueueUnmapMemObject(handle<cl_command_queue>(queue), handle<cl_mem>(memory),
                                                   shown, count, list, event);
                });
    if (good) {
        auto& all = model_.at(*memory).maps;
        all.erase(std::ranges::find(all, shown));
    }
}

// ---- memory by pointers

void Driver::use_pointer() {
    const auto queue = any(Kind::queue);
    const auto pointer = queue ? any_pointer(model_.at(*queue).context) : std::nullopt;
    if (!pointer)
        return;
    const cl_command_queue on = handle<cl_command_queue>(queue);
    void* const at = model_.pointers()[*pointer].at;
    const bool is_usm = model_.pointers()[*pointer].is_usm;
    const uint32_t way = pick() % 4;
    const cl_int pattern = 9;
    const auto outcome = [this, pointer] {
        return model_.pointers()[*pointer].is_freed ? CL_INVALID_VALUE : CL_SUCCESS;
    };
    constexpr std::array<const char*, 4> names{"a copy to a pointer on", "a copy from a pointer on",
                                               "a fill of a pointer on", "a map of a pointer on"};
    enqueue(names.at(way), queue, outcome(), {.outcome = outcome},
            [&](cl_uint count, const cl_event* list, cl_event* event) {
                switch (way) {
                case 0:
                    return is_usm ? usm_.copy(on, CL_FALSE, at, host_.data(), moved_bytes, count, list, event)
                                  : clEnqueueSVMMemcpy(on, CL_FALSE, at, host_.data(), moved_bytes, count,
                                                       list, event);
                case 1:
                    return is_usm ? usm_.copy(on, CL_FALSE, host_.data(), at, moved_bytes, count, list, event)
                                  : clEnqueueSVMMemcpy(on, CL_FALSE, host_.data(), at, moved_bytes, count,
                                                       list, event);
                case 2:
                    return is_usm
                               ? usm_.fill(on, at, &pattern, sizeof pattern, moved_bytes, count, list, event)
                               : clEnqueueSVMMemFill(on, at, &pattern, sizeof pattern, moved_bytes, count,
                                                     list, event);
                default:
                    return clEnqueueSVMMap(on, CL_FALSE, CL_MAP_READ, at, moved_bytes, count, list, event);
                }
            });
}

// Nothing else uses it that could run before or after, as luck has it.
void Driver::enqueue_free() {
    const auto queue = any(Kind::queue);
    if (!is_alive(queue))
        return;
    const Id context = model_.at(*queue).context;
    const auto pointer = any_pointer(context);
    if (!pointer || model_.pointers()[*pointer].is_usm || model_.is_blocked(context))
        return;
    for (const Thing& thing : model_.all())
        if (thing.over == pointer ||
            std::ranges::find(thing.arguments, pointer, &Argument::pointer) != thing.arguments.end())
            return;
    void* at = model_.pointers()[*pointer].at;
    const auto outcome = [this, pointer] {
        return std::exchange(model_.pointers()[*pointer].is_freed, true) ? CL_INVALID_VALUE : CL_SUCCESS;
    };
    if (enqueue("clEnqueueSVMFree", queue, CL_SUCCESS, {.outcome = outcome},
                [&](cl_uint count, const cl_event* list, cl_event* event) {
                    return clEnqueueSVMFree(handle<cl_command_queue>(queue), 1, &at, nullptr, nullptr, count,
                                            list, event);
                }))
        model_.pointers()[*pointer].is_doomed = true;
}

void Driver::migrate() {
    const auto queue = any(Kind::queue);
    const auto memory = any(Kind::memory);
    if (!memory)
        return;
    const cl_mem of = handle<cl_mem>(memory);
    // The list is looked at before the wait list.
    const bool foreign =
        is_alive(queue) && is_alive(memory) && model_.at(*memory).context != model_.at(*queue).context;
    if (!is_alive(memory) || foreign) {
        say("clEnqueueMigrateMemObjects", queue, memory);
        expect(clEnqueueMigrateMemObjects(handle<cl_command_queue>(queue), 1, &of, 0, 0, nullptr, nullptr),
               !is_alive(queue) ? CL_INVALID_COMMAND_QUEUE
               : foreign        ? CL_INVALID_CONTEXT
                                : CL_INVALID_MEM_OBJECT,
               "clEnqueueMigrateMemObjects");
        return;
    }
    enqueue("clEnqueueMigrateMemObjects", queue, CL_SUCCESS, {},
            [&](cl_uint count, const cl_event* list, cl_event* event) {
                return clEnqueueMigrateMemObjects(handle<cl_command_queue>(queue), 1, &of, 0, count, list,
                                                  event);
            });
}

// ---- events

void Driver::set_status() {
    const auto event = any(Kind::event);
    if (!event || model_.at(*event).handle == nullptr)
        return;
    constexpr std::array<cl_int, 4> statuses{CL_COMPLETE, CL_COMPLETE, -7, CL_RUNNING};
    const cl_int status = statuses.at(pick() % statuses.size());
    say("clSetUserEventStatus", event);
    const cl_int code = clSetUserEventStatus(handle<cl_event>(event), status);
    cl_int wanted = CL_SUCCESS;
    if (!is_alive(event) || model_.at(*event).queue)
        wanted = CL_INVALID_EVENT;
    else if (status > CL_COMPLETE)
        wanted = CL_INVALID_VALUE;
    else if (!model_.set_status(*event, status))
        wanted = CL_INVALID_OPERATION;
    expect(code, wanted, "clSetUserEventStatus");
}

void Driver::event_callback() {
    const auto event = any(Kind::event);
    if (!event || model_.at(*event).handle == nullptr)
        return;
    auto completes = one_of(3) ? any(Kind::event) : std::nullopt;
    if (!is_alive(completes) || model_.at(*completes).queue || completes == event)
        completes.reset();
    const uint64_t token = model_.next_token++;
    say(completes ? "clSetEventCallback that completes another event:" : "clSetEventCallback", event,
        completes);
    const cl_int code = clSetEventCallback(handle<cl_event>(event), CL_COMPLETE, event_is_over,
                                           keep({&log_, token, handle<void*>(completes)}));
    expect(code, is_alive(event) ? CL_SUCCESS : CL_INVALID_EVENT, "clSetEventCallback");
    if (code == CL_SUCCESS)
        model_.listen(*event, {token, completes});
}

// Only where nobody would wait for good.
void Driver::wait() {
    const auto queue = any(Kind::queue);
    if (one_of(2)) {
        const bool blocked = is_alive(queue) && model_.is_blocked(*queue);
        say(blocked ? "clFlush" : "clFinish", queue);
        const cl_command_queue on = handle<cl_command_queue>(queue);
        expect(blocked ? clFlush(on) : clFinish(on), is_alive(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE,
               "clFinish");
        return;
    }
    const std::vector<Id> ids = waits(queue).ids;
    std::vector<cl_event> list;
    cl_int wanted = ids.empty() ? CL_INVALID_VALUE : CL_SUCCESS;
    bool failed = false;
    for (const Id id : ids) {
        list.push_back(handle<cl_event>(id));
        failed = failed || model_.at(id).status < 0;
        if (wanted != CL_SUCCESS)
            continue;
        if (!is_alive(id))
            wanted = CL_INVALID_EVENT;
        else if (model_.at(id).context != model_.at(ids.front()).context)
            wanted = CL_INVALID_CONTEXT;
        else if (!model_.at(id).is_over())
            return;
    }
    if (wanted == CL_SUCCESS && failed)
        wanted = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    for (const Id id : ids)
        say("clWaitForEvents", id);
    expect(clWaitForEvents(static_cast<cl_uint>(list.size()), list.data()), wanted, "clWaitForEvents");
}

} // namespace visor::opencl_model
