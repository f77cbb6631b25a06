// Commands on images.
#include "opencl/api.h"
#include "opencl/memory/commands.h"
#include "opencl/memory/content.h"
#include "opencl/memory/image.h"
#include "opencl/query.h"

#include <algorithm>

namespace visor::opencl {

namespace {

cl_int check_object(cl_command_queue queue, cl_mem memory, bool wants_image) {
    if (wants_image ? !is_image(memory) : !is_buffer(memory))
        return CL_INVALID_MEM_OBJECT;
    return memory->context.get() == queue->context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

cl_int check_image(cl_command_queue queue, const EnqueueRequest& request, cl_mem memory) {
    if (const cl_int problem = check(queue, request); problem != CL_SUCCESS)
        return problem;
    return check_object(queue, memory, true);
}

struct HostPixels {
    const size_t* origin;
    const size_t* region;
    size_t row;
    size_t slice;
    std::byte* at;
};

// Copies pixels between an image and the host, in either direction.
cl_int move_pixels(cl_command_queue queue, const EnqueueRequest& request, cl_mem memory,
                   const HostPixels& pixels, bool to_host) {
    if (const cl_int problem = check_image(queue, request, memory); problem != CL_SUCCESS)
        return problem;
    const auto area = area_of(*memory, pixels.origin, pixels.region);
    if (!area || pixels.at == nullptr)
        return CL_INVALID_VALUE;
    const auto pitch = host_pitch(*memory, *area, pixels.row, pixels.slice);
    if (!pitch)
        return CL_INVALID_VALUE;
    const cl_mem_flags hidden =
        (to_host ? CL_MEM_HOST_WRITE_ONLY : CL_MEM_HOST_READ_ONLY) | CL_MEM_HOST_NO_ACCESS;
    if ((memory->flags & hidden) != 0)
        return CL_INVALID_OPERATION;
    const std::string_view call = to_host ? "clEnqueueReadImage" : "clEnqueueWriteImage";
    const auto bytes = area->box.extent_at(pixels.at, *pitch);
    if (!bytes)
        return CL_INVALID_VALUE;
    if (const cl_int problem = check_bytes(*queue->context, call, pixels.at, *bytes); problem != CL_SUCCESS)
        return problem;
    return enqueue(
        queue, request,
        [held = Ref(memory), area = *area, pitch = *pitch, host = pixels.at, bytes = *bytes, call, to_host] {
            const BytesInUse used(*held->context, call, host, bytes);
            if (used.problem() != CL_SUCCESS)
                return used.problem();
            std::byte* device = held->content() + area.offset;
            if (to_host)
                copy_box(host, pitch, device, area.pitch, area.box);
            else
                copy_box(device, area.pitch, host, pitch, area.box);
            return cl_int{CL_SUCCESS};
        });
}

bool has_format(const _cl_mem& a, const _cl_mem& b) {
    return a.image.format == b.image.format;
}

bool overlap(const size_t* a, const size_t* b, const size_t* region) {
    for (size_t d = 0; d < 3; ++d) {
        if (a[d] + region[d] <= b[d] || b[d] + region[d] <= a[d])
            return false;
    }
    return true;
}

// The size of the application's fill color.
size_t color_bytes(const _cl_mem& memory) {
    const bool is_depth = memory.image.format.order == machine::ChannelOrder::depth;
    return is_depth ? sizeof(float) : sizeof(machine::Pixel); // one number, or four
}

machine::Pixel pixel_of(const _cl_mem& memory, const void* color) {
    machine::Pixel pixel{};
    std::memcpy(pixel.data(), color, color_bytes(memory));
    return pixel;
}

} // namespace

cl_int transfer(cl_command_queue queue, const EnqueueRequest& request, const Transfer& what, bool to_buffer) {
    if (const cl_int problem = check_image(queue, request, what.image); problem != CL_SUCCESS)
        return problem;
    if (const cl_int problem = check_object(queue, what.buffer, false); problem != CL_SUCCESS)
        return problem;
    const auto area = area_of(*what.image, what.origin, what.region);
    if (!area)
        return CL_INVALID_VALUE;
    const Pitch packed{area->box.bytes, area->box.bytes * area->box.rows}; // of an image's own bytes
    const number::CheckedSize end = number::CheckedSize(packed.slice) * area->box.slices + what.offset;
    if (!end.is_within(what.buffer->bytes))
        return CL_INVALID_VALUE;
    return enqueue(queue, request,
                   [image = Ref(what.image), buffer = Ref(what.buffer), area = *area, packed,
                    offset = what.offset, to_buffer] {
                       std::byte* pixels = image->content() + area.offset;
                       std::byte* bytes_there = buffer->content() + offset;
                       if (to_buffer)
                           copy_box(bytes_there, packed, pixels, area.pitch, area.box);
                       else
                           copy_box(pixels, area.pitch, bytes_there, packed, area.box);
                       return CL_SUCCESS;
                   });
}

cl_int enqueue_read_image(cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t* origin,
                          const size_t* region, size_t row, size_t slice, void* to, cl_uint count,
                          const cl_event* list, cl_event* event) {
    const EnqueueRequest request{.command = CL_COMMAND_READ_IMAGE,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    return move_pixels(queue, request, memory, {origin, region, row, slice, static_cast<std::byte*>(to)},
                       true);
}

cl_int enqueue_write_image(cl_command_queue queue, cl_mem memory, cl_bool blocking, const size_t* origin,
                           const size_t* region, size_t row, size_t slice, const void* from, cl_uint count,
                           const cl_event* list, cl_event* event) {
    const EnqueueRequest request{.command = CL_COMMAND_WRITE_IMAGE,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    return move_pixels(queue, request, memory,
                       {origin, region, row, slice, static_cast<std::byte*>(const_cast<void*>(from))}, false);
}

cl_int copy_image(cl_command_queue queue, const EnqueueRequest& request, cl_mem from, cl_mem to,
                  const size_t* from_origin, const size_t* to_origin, const size_t* region) {
    for (const cl_mem one : {from, to}) {
        if (const cl_int problem = check_image(queue, request, one); problem != CL_SUCCESS)
            return problem;
    }
    if (!has_format(*from, *to))
        return CL_IMAGE_FORMAT_MISMATCH;
    const auto source = area_of(*from, from_origin, region);
    const auto target = area_of(*to, to_origin, region);
    if (!source || !target)
        return CL_INVALID_VALUE;
    if (from == to && overlap(from_origin, to_origin, region))
        return CL_MEM_COPY_OVERLAP;
    // Layers of an array correspond to rows or slices of the other image: the source gives the counts, the
    // target their order.
    Box box = source->box;
    Pitch there = target->pitch;
    if (target->box.rows != box.rows)
        std::swap(there.row, there.slice);
    return enqueue(queue, request,
                   [held = Ref(from), other = Ref(to), source = *source, target = *target, box, there] {
                       copy_box(other->content() + target.offset, there, held->content() + source.offset,
                                source.pitch, box);
                       return CL_SUCCESS;
                   });
}

cl_int enqueue_copy_image(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* from_origin,
                          const size_t* to_origin, const size_t* region, cl_uint count, const cl_event* list,
                          cl_event* event) {
    return copy_image(
        queue, {.command = CL_COMMAND_COPY_IMAGE, .wait_count = count, .wait_list = list, .event = event},
        from, to, from_origin, to_origin, region);
}

cl_int enqueue_copy_image_to_buffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* origin,
                                    const size_t* region, size_t offset, cl_uint count, const cl_event* list,
                                    cl_event* event) {
    return transfer(
        queue,
        {.command = CL_COMMAND_COPY_IMAGE_TO_BUFFER, .wait_count = count, .wait_list = list, .event = event},
        {from, to, origin, region, offset}, true);
}

cl_int enqueue_copy_buffer_to_image(cl_command_queue queue, cl_mem from, cl_mem to, size_t offset,
                                    const size_t* origin, const size_t* region, cl_uint count,
                                    const cl_event* list, cl_event* event) {
    return transfer(
        queue,
        {.command = CL_COMMAND_COPY_BUFFER_TO_IMAGE, .wait_count = count, .wait_list = list, .event = event},
        {to, from, origin, region, offset}, false);
}

cl_int fill_image(cl_command_queue queue, std::string_view call, const EnqueueRequest& request, cl_mem memory,
                  const void* color, const size_t* origin, const size_t* region) {
    if (const cl_int problem = check_image(queue, request, memory); problem != CL_SUCCESS)
        return problem;
    const auto area = area_of(*memory, origin, region);
    if (color == nullptr || !area)
        return CL_INVALID_VALUE;
    if (const cl_int problem = check_bytes(*queue->context, call, color, color_bytes(*memory));
        problem != CL_SUCCESS)
        return problem;
    return enqueue(queue, request, [held = Ref(memory), area = *area, pixel = pixel_of(*memory, color)] {
        const size_t size = machine::bytes_of_pixel(held->image.format);
        std::array<std::byte, 16> bytes{};
        machine::pack(held->image.format, pixel, bytes.data());
        const Box box = merged(area.box, area.pitch, area.pitch);
        for (size_t z = 0; z < box.slices; ++z)
            for (size_t y = 0; y < box.rows; ++y)
                fill_repeating(held->content() + area.offset + z * area.pitch.slice + y * area.pitch.row,
                               std::span(bytes).first(size), box.bytes);
        return CL_SUCCESS;
    });
}

cl_int enqueue_fill_image(cl_command_queue queue, cl_mem memory, const void* color, const size_t* origin,
                          const size_t* region, cl_uint count, const cl_event* list, cl_event* event) {
    return fill_image(
        queue, "clEnqueueFillImage",
        {.command = CL_COMMAND_FILL_IMAGE, .wait_count = count, .wait_list = list, .event = event}, memory,
        color, origin, region);
}

void* enqueue_map_image(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags,
                        const size_t* origin, const size_t* region, size_t* row, size_t* slice, cl_uint count,
                        const cl_event* list, cl_event* event, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    const EnqueueRequest request{.command = CL_COMMAND_MAP_IMAGE,
                                 .wait_count = count,
                                 .wait_list = list,
                                 .event = event,
                                 .blocking = blocking != CL_FALSE};
    if (const cl_int problem = check_image(queue, request, memory); problem != CL_SUCCESS)
        return outcome.fail(problem);
    const bool has_slices =
        machine::is_array(memory->image.shape) || memory->image.shape == machine::ImageShape::d3;
    const auto area = area_of(*memory, origin, region);
    if (!area || row == nullptr || (has_slices && slice == nullptr))
        return outcome.fail(CL_INVALID_VALUE);
    if (const cl_int problem = check_map_flags(*memory, flags); problem != CL_SUCCESS)
        return outcome.fail(problem);
    std::byte* device = memory->content() + area->offset;
    std::byte* shown = memory->is_shadowed() ? memory->host + area->offset : device;
    const _cl_mem::Mapping mapping{shown, device, area->pitch, area->box,
                                   (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0};
    if (const cl_int problem = enqueue_map(queue, request, memory, mapping, flags); problem != CL_SUCCESS)
        return outcome.fail(problem);
    *row = memory->image.row_pitch;
    if (slice != nullptr)
        *slice = has_slices ? memory->image.slice_pitch : 0;
    return outcome.done(static_cast<void*>(shown));
}

} // namespace visor::opencl
