#include "opencl/memory/image.h"

#include "opencl/api.h"
#include "opencl/extensions.h"
#include "opencl/limits.h"
#include "opencl/memory/content.h"
#include "opencl/query.h"

#include <algorithm>
#include <utility>

namespace visor::opencl {

namespace {

using machine::ImageShape;

std::optional<ImageShape> shape_of(cl_mem_object_type type) {
    switch (type) {
    case CL_MEM_OBJECT_IMAGE1D:
        return ImageShape::d1;
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        return ImageShape::d1_buffer;
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        return ImageShape::d1_array;
    case CL_MEM_OBJECT_IMAGE2D:
        return ImageShape::d2;
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        return ImageShape::d2_array;
    case CL_MEM_OBJECT_IMAGE3D:
        return ImageShape::d3;
    default:
        return std::nullopt;
    }
}

bool is_within(size_t size, size_t most) {
    return size != 0 && size <= most;
}

bool has_size(const cl_image_desc& desc) {
    switch (desc.image_type) {
    case CL_MEM_OBJECT_IMAGE1D:
        return is_within(desc.image_width, image_side);
    case CL_MEM_OBJECT_IMAGE1D_BUFFER:
        return is_within(desc.image_width, image_buffer_pixels);
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        return is_within(desc.image_width, image_side) && is_within(desc.image_array_size, image_layers);
    case CL_MEM_OBJECT_IMAGE2D:
        return is_within(desc.image_width, image_side) && is_within(desc.image_height, image_side);
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        return is_within(desc.image_width, image_side) && is_within(desc.image_height, image_side) &&
               is_within(desc.image_array_size, image_layers);
    default:
        return is_within(desc.image_width, image_depth) && is_within(desc.image_height, image_depth) &&
               is_within(desc.image_depth, image_depth);
    }
}

machine::Image packed(const cl_image_desc& desc, const cl_image_format& format, ImageShape shape) {
    const auto number = [](size_t size) { return static_cast<uint32_t>(size); };
    std::array<uint32_t, 3> size{number(desc.image_width), 1, 1};
    if (machine::dimensions_of(shape) > 1)
        size[1] = number(desc.image_height);
    if (machine::dimensions_of(shape) > 2)
        size[2] = number(desc.image_depth);
    return machine::packed_image(shape,
                                 {static_cast<machine::ChannelOrder>(format.image_channel_order),
                                  static_cast<machine::ChannelType>(format.image_channel_data_type)},
                                 size, machine::is_array(shape) ? number(desc.image_array_size) : 1);
}

size_t slices_of(const machine::Image& image) {
    return std::max<size_t>(image.size[2], image.layers);
}

// Pitches of host memory, or of the buffer that an image is made from: those given, else packed ones. False:
// they are too small, no multiples of what lies in them, or make an image longer than any memory.
bool settle_pitch(machine::Image& image, const cl_image_desc& desc, bool host) {
    const size_t pixel = machine::bytes_of_pixel(image.format);
    if (!host)
        return desc.image_row_pitch == 0 && desc.image_slice_pitch == 0;
    const bool has_slices =
        image.size[2] > 1 || machine::is_array(image.shape) || image.shape == ImageShape::d3;
    if (desc.image_row_pitch != 0) {
        if (desc.image_row_pitch < image.row_pitch || desc.image_row_pitch % pixel != 0)
            return false;
        image.row_pitch = desc.image_row_pitch;
        const auto slice = (number::CheckedSize(image.row_pitch) * image.size[1]).value();
        if (!slice)
            return false;
        image.slice_pitch = *slice;
    }
    if (desc.image_slice_pitch != 0 && has_slices) {
        if (desc.image_slice_pitch < image.slice_pitch || desc.image_slice_pitch % image.row_pitch != 0)
            return false;
        image.slice_pitch = desc.image_slice_pitch;
    }
    size_t all = 0;
    return !__builtin_mul_overflow(image.slice_pitch, slices_of(image), &all) &&
           all <= most_allocation_bytes();
}

Box whole_of(const machine::Image& image) {
    return {size_t{image.size[0]} * machine::bytes_of_pixel(image.format), image.size[1], slices_of(image)};
}

struct ImageRequest {
    cl_context context;
    const cl_mem_properties* properties;
    cl_mem_flags flags;
    const cl_image_format* format;
    const cl_image_desc* desc;
    void* host;
};

// The error code for an image that exceeds the memory that it is created from.
cl_int too_small(const cl_image_desc& desc) {
    return desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_INVALID_IMAGE_SIZE
                                                           : CL_INVALID_IMAGE_DESCRIPTOR;
}

// Whether an image can be created from another with this format (OpenCL 5.3.1.3): the same channel type and
// pixel size, and channel orders that differ only in interpretation.
bool are_compatible(machine::ImageFormat a, machine::ImageFormat b) {
    using Order = machine::ChannelOrder;
    constexpr std::array<std::pair<Order, Order>, 5> pairs{{{Order::sbgra, Order::bgra},
                                                            {Order::srgba, Order::rgba},
                                                            {Order::srgb, Order::rgb},
                                                            {Order::srgbx, Order::rgbx},
                                                            {Order::depth, Order::r}}};
    const bool orders = a.order == b.order || std::ranges::any_of(pairs, [&](const auto& pair) {
                            return pair == std::pair(a.order, b.order) || pair == std::pair(b.order, a.order);
                        });
    return orders && a.type == b.type && machine::bytes_of_pixel(a) == machine::bytes_of_pixel(b);
}

// Creates an image from a buffer, or a 2D image from another.
cl_int attach(_cl_mem& memory, cl_mem parent, const cl_image_desc& desc) {
    const bool from_buffer = parent->is_buffer();
    if (!from_buffer && !are_compatible(memory.image.format, parent->image.format))
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (memory.image.bytes() > parent->bytes)
        return too_small(desc);
    if (from_buffer && desc.image_row_pitch % machine::bytes_of_pixel(memory.image.format) != 0)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (from_buffer && !settle_pitch(memory.image, desc, true))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (!from_buffer) {
        memory.image.row_pitch = parent->image.row_pitch;
        memory.image.slice_pitch = parent->image.slice_pitch;
    }
    memory.bytes = memory.image.bytes();
    if (memory.bytes > parent->bytes)
        return too_small(desc);
    memory.parent = Ref(parent);
    memory.address = parent->address;
    memory.host = parent->host;
    return CL_SUCCESS;
}

cl_int check_parent(const ImageRequest& request) {
    const cl_mem parent = request.desc->buffer;
    const cl_mem_object_type type = request.desc->image_type;
    if (parent == nullptr)
        return type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? CL_INVALID_IMAGE_DESCRIPTOR : CL_SUCCESS;
    if (!hold_if_handle(parent) || parent->context.get() != request.context)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    const bool from_buffer =
        parent->is_buffer() && (type == CL_MEM_OBJECT_IMAGE1D_BUFFER || type == CL_MEM_OBJECT_IMAGE2D);
    const bool from_image = parent->type == CL_MEM_OBJECT_IMAGE2D && type == CL_MEM_OBJECT_IMAGE2D &&
                            parent->image.size[0] == request.desc->image_width &&
                            parent->image.size[1] == request.desc->image_height;
    return from_buffer || from_image ? CL_SUCCESS : CL_INVALID_IMAGE_DESCRIPTOR;
}

cl_int check_request(const ImageRequest& request) {
    if (check_flags(request.flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}) != CL_SUCCESS)
        return CL_INVALID_VALUE;
    if (!has_images(platform().device.device))
        return CL_INVALID_OPERATION;
    if (request.format == nullptr)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (request.desc == nullptr || !shape_of(request.desc->image_type) || request.desc->num_mip_levels != 0 ||
        request.desc->num_samples != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    const machine::ImageFormat format{
        static_cast<machine::ChannelOrder>(request.format->image_channel_order),
        static_cast<machine::ChannelType>(request.format->image_channel_data_type)};
    if (machine::bytes_of_pixel(format) == 0)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    if (const cl_int problem = check_parent(request); problem != CL_SUCCESS)
        return problem;
    if (!has_size(*request.desc))
        return CL_INVALID_IMAGE_SIZE;
    if (const cl_int problem = check_host(request.flags, request.host); problem != CL_SUCCESS)
        return problem;
    return is_supported(request.desc->image_type, *request.format, request.flags)
               ? CL_SUCCESS
               : CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

// Allocates device memory, and copies the host's pixels.
cl_int settle(_cl_mem& memory, const ImageRequest& request) {
    machine::Image& image = memory.image;
    const bool uses = (request.flags & CL_MEM_USE_HOST_PTR) != 0;
    if (image.bytes() > most_allocation_bytes())
        return CL_INVALID_IMAGE_SIZE;
    machine::Image outside = image;
    if (!settle_pitch(outside, *request.desc, request.host != nullptr))
        return CL_INVALID_IMAGE_DESCRIPTOR;
    if (uses) // a map exposes the host's memory with its pitches
        image = outside;
    memory.bytes = image.bytes();
    if (memory.bytes > most_allocation_bytes())
        return CL_INVALID_IMAGE_SIZE;
    if (request.host != nullptr) {
        const auto bytes =
            whole_of(outside).extent_at(request.host, {outside.row_pitch, outside.slice_pitch});
        if (!bytes || check_bytes(*memory.context, "clCreateImage", request.host, *bytes) != CL_SUCCESS)
            return CL_INVALID_HOST_PTR;
    }
    if (!allocate_content(memory, request.host, "image"))
        return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (request.host != nullptr && memory.owns)
        copy_box(memory.content(), {image.row_pitch, image.slice_pitch},
                 static_cast<const std::byte*>(request.host), {outside.row_pitch, outside.slice_pitch},
                 whole_of(image));
    return CL_SUCCESS;
}

cl_mem create(const ImageRequest& request, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(request.context))
        return outcome.fail(CL_INVALID_CONTEXT);
    const Ref<_cl_mem> held = hold_if_handle(request.desc == nullptr ? nullptr : request.desc->buffer);
    std::vector<cl_mem_properties> kept;
    if (const cl_int problem = read_properties(request.properties, kept, nullptr); problem != CL_SUCCESS)
        return outcome.fail(problem);
    if (const cl_int problem = check_request(request); problem != CL_SUCCESS)
        return outcome.fail(problem);
    cl_mem parent = request.desc->buffer;
    cl_mem_flags flags = request.flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE};
    if (parent != nullptr)
        flags = inherited(flags, parent->flags);
    else if ((flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)) == 0)
        flags |= CL_MEM_READ_WRITE;
    auto* memory = new _cl_mem(Ref(request.context), request.desc->image_type, flags);
    memory->properties = std::move(kept);
    memory->format = *request.format;
    memory->description = *request.desc;
    memory->image = packed(*request.desc, *request.format, *shape_of(request.desc->image_type));
    const cl_int problem =
        parent != nullptr ? attach(*memory, parent, *request.desc) : settle(*memory, request);
    if (problem != CL_SUCCESS) {
        static_cast<void>(release(memory, CL_INVALID_MEM_OBJECT));
        return outcome.fail(problem);
    }
    memory->image.address = memory->address;
    return outcome.done(memory);
}

size_t reported_height(const _cl_mem& memory) {
    return machine::dimensions_of(memory.image.shape) > 1 ? memory.image.size[1] : 0;
}

size_t reported_slice_pitch(const _cl_mem& memory) {
    const bool has = machine::is_array(memory.image.shape) || memory.image.shape == ImageShape::d3;
    return has ? memory.image.slice_pitch : 0;
}

} // namespace

std::optional<Area> area_of(const _cl_mem& memory, const size_t* origin, const size_t* region) {
    if (origin == nullptr || region == nullptr)
        return std::nullopt;
    const machine::Image& image = memory.image;
    std::array<size_t, 3> at{origin[0], origin[1], origin[2]};
    std::array<size_t, 3> count{region[0], region[1], region[2]};
    if (image.shape == ImageShape::d1_array) { // the layer is the second number
        std::swap(at[1], at[2]);
        std::swap(count[1], count[2]);
    }
    const std::array<size_t, 3> size{image.size[0], image.size[1], slices_of(image)};
    for (size_t d = 0; d < 3; ++d) {
        if (count[d] == 0 || at[d] > size[d] || count[d] > size[d] - at[d])
            return std::nullopt;
    }
    const size_t pixel = machine::bytes_of_pixel(image.format);
    return Area{at[0] * pixel + at[1] * image.row_pitch + at[2] * image.slice_pitch,
                {image.row_pitch, image.slice_pitch},
                {count[0] * pixel, count[1], count[2]}};
}

std::optional<Pitch> host_pitch(const _cl_mem& memory, const Area& area, size_t row, size_t slice) {
    Pitch pitch{row == 0 ? area.box.bytes : row, slice};
    if (pitch.row < area.box.bytes)
        return std::nullopt;
    const bool has_slices = machine::is_array(memory.image.shape) || memory.image.shape == ImageShape::d3;
    if (!has_slices && slice != 0)
        return std::nullopt;
    const size_t rows = memory.image.shape == ImageShape::d1_array ? 1 : area.box.rows;
    const auto least = (number::CheckedSize(pitch.row) * rows).value();
    if (!least)
        return std::nullopt;
    if (pitch.slice == 0)
        pitch.slice = *least;
    const bool good = pitch.slice >= *least && area.box.extent(pitch).fits();
    return good ? std::optional(pitch) : std::nullopt;
}

cl_mem create_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                    const cl_image_desc* desc, void* host, cl_int* errcode_ret) {
    return create({context, nullptr, flags, format, desc, host}, errcode_ret);
}

cl_mem create_image_with_properties(cl_context context, const cl_mem_properties* properties,
                                    cl_mem_flags flags, const cl_image_format* format,
                                    const cl_image_desc* desc, void* host, cl_int* errcode_ret) {
    return create({context, properties, flags, format, desc, host}, errcode_ret);
}

cl_mem create_image2d(cl_context context, cl_mem_flags flags, const cl_image_format* format, size_t width,
                      size_t height, size_t row_pitch, void* host, cl_int* errcode_ret) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_row_pitch = row_pitch;
    cl_int code = CL_SUCCESS;
    const cl_mem made = create({context, nullptr, flags, format, &desc, host}, &code);
    const Outcome outcome(errcode_ret);
    if (made == nullptr)
        return outcome.fail(code == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : code);
    return outcome.done(made);
}

cl_mem create_image3d(cl_context context, cl_mem_flags flags, const cl_image_format* format, size_t width,
                      size_t height, size_t depth, size_t row_pitch, size_t slice_pitch, void* host,
                      cl_int* errcode_ret) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_depth = depth;
    desc.image_row_pitch = row_pitch;
    desc.image_slice_pitch = slice_pitch;
    cl_int code = CL_SUCCESS;
    const cl_mem made = create({context, nullptr, flags, format, &desc, host}, &code);
    const Outcome outcome(errcode_ret);
    if (made == nullptr)
        return outcome.fail(code == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : code);
    return outcome.done(made);
}

cl_int get_image_info(cl_mem memory, cl_image_info what, size_t param_value_size, void* value,
                      size_t* needed) {
    if (!is_image(memory))
        return CL_INVALID_MEM_OBJECT;
    const Query answer(param_value_size, value, needed);
    const machine::Image& image = memory->image;
    switch (what) {
    case CL_IMAGE_FORMAT:
        return answer.value(memory->format);
    case CL_IMAGE_ELEMENT_SIZE:
        return answer.size(machine::bytes_of_pixel(image.format));
    case CL_IMAGE_ROW_PITCH:
        return answer.size(image.row_pitch);
    case CL_IMAGE_SLICE_PITCH:
        return answer.size(reported_slice_pitch(*memory));
    case CL_IMAGE_WIDTH:
        return answer.size(image.size[0]);
    case CL_IMAGE_HEIGHT:
        return answer.size(reported_height(*memory));
    case CL_IMAGE_DEPTH:
        return answer.size(image.shape == ImageShape::d3 ? image.size[2] : 0);
    case CL_IMAGE_ARRAY_SIZE:
        return answer.size(machine::is_array(image.shape) ? image.layers : 0);
    case CL_IMAGE_BUFFER:
        return answer.value(memory->parent && memory->parent->is_buffer() ? memory->parent.get() : nullptr);
    case CL_IMAGE_NUM_MIP_LEVELS:
    case CL_IMAGE_NUM_SAMPLES:
        return answer.number(0);
    default:
        return CL_INVALID_VALUE;
    }
}

} // namespace visor::opencl
