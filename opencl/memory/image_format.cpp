// Supported image formats: those that the machine reads and writes as OpenCL requires.
#include "opencl/api.h"
#include "opencl/memory/image.h"

#include <algorithm>
#include <span>

namespace visor::opencl {

namespace {

constexpr std::array plain_types{CL_SNORM_INT8,     CL_SNORM_INT16,    CL_UNORM_INT8,   CL_UNORM_INT16,
                                 CL_SIGNED_INT8,    CL_SIGNED_INT16,   CL_SIGNED_INT32, CL_UNSIGNED_INT8,
                                 CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};

constexpr std::array<cl_channel_order, 3> plain_orders{CL_R, CL_RG, CL_RGBA};
constexpr std::array<cl_channel_order, 3> older_orders{CL_A, CL_LUMINANCE, CL_INTENSITY};
constexpr std::array<cl_channel_type, 4> older_types{CL_UNORM_INT8, CL_UNORM_INT16, CL_HALF_FLOAT, CL_FLOAT};

bool is_two_dimensional(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

std::vector<cl_image_format> formats_of(cl_mem_object_type type, cl_mem_flags flags) {
    std::vector<cl_image_format> out;
    const bool both_ways = (flags & CL_MEM_KERNEL_READ_AND_WRITE) != 0;
    const bool read_only = (flags & CL_MEM_READ_ONLY) != 0;
    for (const cl_channel_order order : plain_orders) {
        for (const auto channel : plain_types)
            out.push_back({order, static_cast<cl_channel_type>(channel)});
    }
    if (both_ways)
        return out;
    out.push_back({CL_BGRA, CL_UNORM_INT8});
    if (read_only) {
        for (const cl_channel_order order : older_orders) {
            for (const cl_channel_type channel : older_types)
                out.push_back({order, channel});
        }
        out.push_back({CL_sRGBA, CL_UNORM_INT8});
    }
    if (is_two_dimensional(type)) {
        out.push_back({CL_DEPTH, CL_UNORM_INT16});
        out.push_back({CL_DEPTH, CL_FLOAT});
    }
    return out;
}

} // namespace

bool is_supported(cl_mem_object_type type, const cl_image_format& format, cl_mem_flags flags) {
    return std::ranges::any_of(formats_of(type, flags), [&](const cl_image_format& one) {
        return one.image_channel_order == format.image_channel_order &&
               one.image_channel_data_type == format.image_channel_data_type;
    });
}

cl_int get_supported_image_formats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                   cl_uint num_entries, cl_image_format* formats, cl_uint* count) {
    if (!is_valid(context))
        return CL_INVALID_CONTEXT;
    const bool is_type = type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if (!is_type || (num_entries == 0 && formats != nullptr) ||
        check_flags(flags & ~cl_mem_flags{CL_MEM_KERNEL_READ_AND_WRITE}) != CL_SUCCESS)
        return CL_INVALID_VALUE;
    const std::vector<cl_image_format> all = formats_of(type, flags);
    if (formats != nullptr)
        std::ranges::copy(std::span(all).first(std::min<size_t>(num_entries, all.size())), formats);
    if (count != nullptr)
        *count = static_cast<cl_uint>(all.size());
    return CL_SUCCESS;
}

} // namespace visor::opencl
