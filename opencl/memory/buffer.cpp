// Commands on buffers.
#include "number/checked_size.h"
#include "opencl/api.h"
#include "opencl/memory/commands.h"
#include "opencl/memory/content.h"
#include "opencl/memory/memory.h"
#include "opencl/memory/usm.h"

#include <span>

namespace visor::opencl {

namespace {

constexpr cl_mem_flags unreadable = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags unwritable = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

// Queue, wait list and buffer.
cl_int check_all(cl_command_queue queue, const EnqueueRequest& request, cl_mem memory) {
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    if (!is_buffer(memory))
        return CL_INVALID_MEM_OBJECT;
    return memory->context.get() == queue->context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

bool is_within(const _cl_mem& memory, size_t offset, size_t bytes) {
    return number::lies_within(offset, bytes, memory.bytes);
}

bool overlap(const _cl_mem& a, size_t a_offset, const _cl_mem& b, size_t b_offset, size_t bytes) {
    const uint64_t from = a.address + a_offset;
    const uint64_t to = b.address + b_offset;
    return from < to + bytes && to < from + bytes;
}

bool is_box(const size_t* origin, const size_t* region) {
    return origin != nullptr && region != nullptr && region[0] != 0 && region[1] != 0 && region[2] != 0;
}

Rectangle rectangle(const size_t* origin, const size_t* region, size_t row, size_t slice) {
    return {{origin[0], origin[1], origin[2]}, {region[0], region[1], region[2]}, {row, slice}};
}

struct HostRectangle {
    const size_t* buffer_origin;
    const size_t* host_origin;
    const size_t* region;
    Pitch buffer;
    Pitch host;
};

// A rectangle between a buffer and the host, one way or the other.
cl_int move_rectangle(cl_command_queue queue, const EnqueueRequest& request, cl_mem memory,
                      const HostRectangle& what, std::byte* host, bool to_host) {
    if (const cl_int problem = check_all(queue, request, memory); problem != CL_SUCCESS)
        return problem;
    if (host == nullptr || what.host_origin == nullptr || !is_box(what.buffer_origin, what.region))
        return CL_INVALID_VALUE;
    Rectangle own = rectangle(what.buffer_origin, what.region, what.buffer.row, what.buffer.slice);
    Rectangle other = rectangle(what.host_origin, what.region, what.host.row, what.host.slice);
    if (!own.settle() || !other.settle() || !own.is_within(memory->bytes) ||
        !other.is_within(addresses_from(host)))
        return CL_INVALID_VALUE;
    if ((memory->flags & (to_host ? unreadable : unwritable)) != 0)
        return CL_INVALID_OPERATION;
    const std::string_view call = to_host ? "clEnqueueReadBufferRect" : "clEnqueueWriteBufferRect";
    const size_t host_bytes = other.box().extent(other.pitch).or_most(); // it is within the addresses
    std::byte* const outside = host + other.offset().or_most();
    if (const cl_int problem = check_bytes(*queue->context, call, outside, host_bytes); problem != CL_SUCCESS)
        return problem;
    return enqueue(queue, request, [held = Ref(memory), own, other, outside, host_bytes, to_host, call] {
        std::byte* device = held->content() + own.offset().or_most(); // inside: checked above
        const BytesInUse used(*held->context, call, outside, host_bytes);
        if (used.problem() != CL_SUCCESS)
            return used.problem();
        if (to_host)
            copy_box(outside, other.pitch, device, own.pitch, own.box());
        else
            copy_box(device, own.pitch, outside, other.pitch, own.box());
        return cl_int{CL_SUCCESS};
    });
}

} // namespace

cl_int enqueue_read_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                           size_t bytes, void* to, cl_uint count, const cl_event* list, cl_event* event) {
    const EnqueueRequest request{.command = CL_COMMAND_READ_BUFFER,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    if (const cl_int problem = check_all(queue, request, memory); problem != CL_SUCCESS)
        return problem;
    if (to == nullptr || !is_within(*memory, offset, bytes))
        return CL_INVALID_VALUE;
    if ((memory->flags & unreadable) != 0)
        return CL_INVALID_OPERATION;
    static constexpr std::string_view call = "clEnqueueReadBuffer";
    if (const cl_int problem = check_bytes(*queue->context, call, to, bytes); problem != CL_SUCCESS)
        return problem;
    return enqueue(queue, request, [held = Ref(memory), offset, bytes, to] {
        return copy_bytes(*held->context, call, to, held->content() + offset, bytes);
    });
}

cl_int enqueue_write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset,
                            size_t bytes, const void* from, cl_uint count, const cl_event* list,
                            cl_event* event) {
    const EnqueueRequest request{.command = CL_COMMAND_WRITE_BUFFER,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    if (const cl_int problem = check_all(queue, request, memory); problem != CL_SUCCESS)
        return problem;
    if (from == nullptr || !is_within(*memory, offset, bytes))
        return CL_INVALID_VALUE;
    if ((memory->flags & unwritable) != 0)
        return CL_INVALID_OPERATION;
    static constexpr std::string_view call = "clEnqueueWriteBuffer";
    if (const cl_int problem = check_bytes(*queue->context, call, from, bytes); problem != CL_SUCCESS)
        return problem;
    return enqueue(queue, request, [held = Ref(memory), offset, bytes, from] {
        return copy_bytes(*held->context, call, held->content() + offset, from, bytes);
    });
}

cl_int enqueue_read_buffer_rect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                                void* host, cl_uint count, const cl_event* list, cl_event* event) {
    const EnqueueRequest request{.command = CL_COMMAND_READ_BUFFER_RECT,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    return move_rectangle(
        queue, request, memory,
        {buffer_origin, host_origin, region, {buffer_row, buffer_slice}, {host_row, host_slice}},
        static_cast<std::byte*>(host), true);
}

cl_int enqueue_write_buffer_rect(cl_command_queue queue, cl_mem memory, cl_bool blocking,
                                 const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                                 size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                                 const void* host, cl_uint count, const cl_event* list, cl_event* event) {
    const EnqueueRequest request{.command = CL_COMMAND_WRITE_BUFFER_RECT,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    return move_rectangle(
        queue, request, memory,
        {buffer_origin, host_origin, region, {buffer_row, buffer_slice}, {host_row, host_slice}},
        static_cast<std::byte*>(const_cast<void*>(host)), false);
}

cl_int copy_buffer(cl_command_queue queue, const EnqueueRequest& request, cl_mem from, cl_mem to,
                   size_t from_offset, size_t to_offset, size_t bytes) {
    for (const cl_mem one : {from, to}) {
        if (const cl_int problem = check_all(queue, request, one); problem != CL_SUCCESS)
            return problem;
    }
    if (!is_within(*from, from_offset, bytes) || !is_within(*to, to_offset, bytes))
        return CL_INVALID_VALUE;
    if (overlap(*from, from_offset, *to, to_offset, bytes))
        return CL_MEM_COPY_OVERLAP;
    return enqueue(queue, request, [source = Ref(from), target = Ref(to), from_offset, to_offset, bytes] {
        move_content(target->content() + to_offset, source->content() + from_offset, bytes);
        return CL_SUCCESS;
    });
}

cl_int enqueue_copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t bytes, cl_uint count, const cl_event* list,
                           cl_event* event) {
    return copy_buffer(
        queue, {.command = CL_COMMAND_COPY_BUFFER, .wait_count = count, .wait_list = list, .event = event},
        from, to, from_offset, to_offset, bytes);
}

namespace {

// Whether boxes of the same memory and pitches have a byte in common.
bool boxes_overlap(const Rectangle& a, const Rectangle& b) {
    for (size_t d = 0; d < 3; ++d) {
        if (a.origin[d] + a.region[d] <= b.origin[d] || b.origin[d] + b.region[d] <= a.origin[d])
            return false;
    }
    return true;
}

} // namespace

cl_int copy_buffer_rect(cl_command_queue queue, const EnqueueRequest& request, cl_mem from, cl_mem to,
                        const RectangleCopy& what) {
    for (const cl_mem one : {from, to}) {
        if (const cl_int problem = check_all(queue, request, one); problem != CL_SUCCESS)
            return problem;
    }
    if (what.to_origin == nullptr || !is_box(what.from_origin, what.region))
        return CL_INVALID_VALUE;
    Rectangle source = rectangle(what.from_origin, what.region, what.from.row, what.from.slice);
    Rectangle target = rectangle(what.to_origin, what.region, what.to.row, what.to.slice);
    if (!source.settle() || !target.settle() || !source.is_within(from->bytes) ||
        !target.is_within(to->bytes))
        return CL_INVALID_VALUE;
    if (from == to) {
        if (source.pitch.row != target.pitch.row || source.pitch.slice != target.pitch.slice)
            return CL_INVALID_VALUE;
        if (boxes_overlap(source, target))
            return CL_MEM_COPY_OVERLAP;
    }
    return enqueue(queue, request, [held = Ref(from), other = Ref(to), source, target] {
        copy_box(other->content() + target.offset().or_most(), target.pitch, // inside: checked above
                 held->content() + source.offset().or_most(), source.pitch, source.box());
        return CL_SUCCESS;
    });
}

cl_int enqueue_copy_buffer_rect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* from_origin,
                                const size_t* to_origin, const size_t* region, size_t from_row,
                                size_t from_slice, size_t to_row, size_t to_slice, cl_uint count,
                                const cl_event* list, cl_event* event) {
    return copy_buffer_rect(
        queue,
        {.command = CL_COMMAND_COPY_BUFFER_RECT, .wait_count = count, .wait_list = list, .event = event},
        from, to, {from_origin, to_origin, region, {from_row, from_slice}, {to_row, to_slice}});
}

cl_int fill_buffer(cl_command_queue queue, std::string_view call, const EnqueueRequest& request,
                   cl_mem memory, const Pattern& pattern, size_t offset, size_t bytes) {
    if (const cl_int problem = check_all(queue, request, memory); problem != CL_SUCCESS)
        return problem;
    constexpr size_t most = 128;
    const bool is_pattern = pattern.at != nullptr && pattern.bytes != 0 && pattern.bytes <= most &&
                            (pattern.bytes & (pattern.bytes - 1)) == 0;
    if (!is_pattern || !is_within(*memory, offset, bytes) || offset % pattern.bytes != 0 ||
        bytes % pattern.bytes != 0)
        return CL_INVALID_VALUE;
    if (const cl_int problem = check_bytes(*queue->context, call, pattern.at, pattern.bytes);
        problem != CL_SUCCESS)
        return problem;
    const auto* first = static_cast<const std::byte*>(pattern.at);
    return enqueue(queue, request,
                   [call, held = Ref(memory), offset, bytes,
                    copy = std::vector<std::byte>(first, first + pattern.bytes)] {
                       return fill_bytes(*held->context, call, held->content() + offset, copy, bytes);
                   });
}

cl_int enqueue_fill_buffer(cl_command_queue queue, cl_mem memory, const void* pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, cl_uint count, const cl_event* list,
                           cl_event* event) {
    return fill_buffer(
        queue, "clEnqueueFillBuffer",
        {.command = CL_COMMAND_FILL_BUFFER, .wait_count = count, .wait_list = list, .event = event}, memory,
        {pattern, pattern_bytes}, offset, bytes);
}

} // namespace visor::opencl
