#include "host.h"

#include <array>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace visor::opencl_extensions {

namespace {

constexpr size_t side = 8;

// An image of `side` pixels each way, of ints unless depth is asked for.
cl_mem image(const Session& session, cl_mem_object_type type,
             cl_image_format format = {CL_R, CL_SIGNED_INT32}) {
    cl_image_desc wish{};
    wish.image_type = type;
    wish.image_width = side;
    wish.image_height = side;
    wish.image_depth = type == CL_MEM_OBJECT_IMAGE3D ? side : 0;
    wish.image_array_size = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? side : 0;
    return clCreateImage(session.context, CL_MEM_READ_WRITE, &format, &wish, nullptr, nullptr);
}

// A launch over all pixels with these arguments; "": done.
std::string launch(const Session& session, const char* source, std::initializer_list<cl_mem> arguments,
                   cl_uint dimensions, const char* name = "k") {
    cl_program program = nullptr;
    std::string problem = session.build(source, "-cl-std=CL3.0", program);
    if (!problem.empty())
        return "does not build: " + problem;
    cl_int code = CL_SUCCESS;
    const cl_kernel kernel = clCreateKernel(program, name, &code);
    cl_uint index = 0;
    for (const cl_mem argument : arguments)
        if (code == CL_SUCCESS)
            code = clSetKernelArg(kernel, index++, sizeof argument, &argument);
    const std::array<size_t, 3> global{side, side, side};
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(session.queue, kernel, dimensions, nullptr, global.data(), nullptr, 0,
                                      nullptr, nullptr);
    if (code == CL_SUCCESS)
        code = clFinish(session.queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return code == CL_SUCCESS ? "" : fmt::format("a launch ends with {}", code);
}

template <class T>
std::string pixels_are(const Session& session, cl_mem memory, size_t depth,
                       T (*expected)(size_t x, size_t y, size_t z)) {
    std::vector<T> out(side * side * depth);
    const std::array<size_t, 3> origin{};
    const std::array<size_t, 3> region{side, side, depth};
    const cl_int code = clEnqueueReadImage(session.queue, memory, CL_TRUE, origin.data(), region.data(), 0, 0,
                                           out.data(), 0, nullptr, nullptr);
    if (code != CL_SUCCESS)
        return fmt::format("clEnqueueReadImage: {}", code);
    for (size_t at = 0; at < out.size(); ++at) {
        const T want = expected(at % side, at / side % side, at / side / side);
        if (out[at] != want)
            return fmt::format("pixel {}: expected {}, got {}", at, want, out[at]);
    }
    return "";
}

std::string images(const Session& session) {
    const cl_mem from = image(session, CL_MEM_OBJECT_IMAGE2D);
    const cl_mem to = image(session, CL_MEM_OBJECT_IMAGE2D);
    std::string problem = launch(
        session,
        "kernel void k(write_only image2d_t to) { int2 at = (int2)(get_global_id(0), get_global_id(1));"
        " write_imagei(to, at, (int4)(at.x + at.y * 100, 0, 0, 0)); }",
        {from}, 2);
    if (problem.empty())
        problem =
            launch(session,
                   "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
                   "CLK_FILTER_NEAREST;"
                   "kernel void k(read_only image2d_t from, write_only image2d_t to) { int2 at = "
                   "(int2)(get_global_id(0), get_global_id(1));"
                   " int one = read_imagei(from, at).x; int other = read_imagei(from, nearest, at + 1).x;"
                   " write_imagei(to, at, (int4)(one + other * 10000 + get_image_width(from) * 10000000, 0, "
                   "0, 0)); }",
                   {from, to}, 2);
    if (problem.empty())
        problem = pixels_are<int>(session, to, 1, [](size_t x, size_t y, size_t) {
            const size_t other = x + 1 < side && y + 1 < side ? x + 1 + (y + 1) * 100 : 0;
            return static_cast<int>(x + y * 100 + other * 10000 + side * 10000000);
        });
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    return problem;
}

std::string read_write(const Session& session) {
    const cl_mem both = image(session, CL_MEM_OBJECT_IMAGE2D);
    std::string problem = launch(
        session,
        "kernel void k(read_write image2d_t both) { int2 at = (int2)(get_global_id(0), get_global_id(1));"
        " write_imagei(both, at, (int4)(at.x * 2 + at.y * 200, 0, 0, 0)); "
        "atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, "
        "memory_order_acq_rel, memory_scope_work_item); int own = read_imagei(both, at).x; "
        "write_imagei(both, at, (int4)(own + 1, 0, 0, 0)); }",
        {both}, 2);
    if (problem.empty())
        problem = pixels_are<int>(session, both, 1, [](size_t x, size_t y, size_t) {
            return static_cast<int>(x * 2 + y * 200 + 1);
        });
    clReleaseMemObject(both);
    return problem;
}

std::string volumes(const Session& session) {
    std::string problem;
    for (const auto& [pixel, format] :
         {std::pair{"i", CL_SIGNED_INT32}, {"ui", CL_UNSIGNED_INT32}, {"f", CL_FLOAT}}) {
        const cl_mem volume =
            image(session, CL_MEM_OBJECT_IMAGE3D, {CL_R, static_cast<cl_channel_type>(format)});
        const std::string type = pixel[0] == 'i' ? "int4" : pixel[0] == 'u' ? "uint4" : "float4";
        const std::string source = "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\nkernel void "
                                   "k(write_only image3d_t to) { int4 at = (int4)(get_global_id(0), "
                                   "get_global_id(1), get_global_id(2), 0); write_image" +
                                   std::string(pixel) + "(to, at, (" + type +
                                   ")(at.x + at.y * 10 + at.z * 100, 0, 0, 0)); }";
        problem = launch(session, source.c_str(), {volume}, 3);
        if (problem.empty() && pixel[0] == 'f')
            problem = pixels_are<float>(session, volume, side, [](size_t x, size_t y, size_t z) {
                return static_cast<float>(x + y * 10 + z * 100);
            });
        else if (problem.empty())
            problem = pixels_are<int>(session, volume, side, [](size_t x, size_t y, size_t z) {
                return static_cast<int>(x + y * 10 + z * 100);
            });
        clReleaseMemObject(volume);
        if (!problem.empty())
            break;
    }
    return problem;
}

std::string depths(const Session& session) {
    const cl_image_format format{CL_DEPTH, CL_FLOAT};
    const cl_mem flat = image(session, CL_MEM_OBJECT_IMAGE2D, format);
    const cl_mem layers = image(session, CL_MEM_OBJECT_IMAGE2D_ARRAY, format);
    const cl_mem to = image(session, CL_MEM_OBJECT_IMAGE2D);
    std::string problem =
        launch(session,
               "kernel void k(write_only image2d_depth_t flat, write_only image2d_array_depth_t layers) {"
               " int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);"
               " if (at.z == 0) write_imagef(flat, at.xy, at.x * 0.125f); write_imagef(layers, at, at.y * "
               "0.125f + at.z); }",
               {flat, layers}, 3);
    if (problem.empty())
        problem =
            launch(session,
                   "constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
                   "CLK_FILTER_NEAREST;"
                   "kernel void k(read_only image2d_depth_t flat, read_only image2d_array_depth_t layers, "
                   "write_only image2d_t to) {"
                   " int2 at = (int2)(get_global_id(0), get_global_id(1)); int4 deep = (int4)(at, at.x, 0);"
                   " float sum = read_imagef(flat, at) + read_imagef(flat, nearest, at) * 10 + "
                   "read_imagef(layers, deep) * 100 + read_imagef(layers, nearest, deep) * 1000;"
                   " write_imagei(to, at, (int4)((int)(sum * 8) + (int)get_image_array_size(layers) * "
                   "1000000, 0, 0, 0)); }",
                   {flat, layers, to}, 2);
    if (problem.empty())
        problem = pixels_are<int>(session, to, 1, [](size_t x, size_t y, size_t) {
            return static_cast<int>(x * 11 + (y + x * 8) * 1100 + side * 1000000);
        });
    for (const cl_mem memory : {flat, layers, to})
        clReleaseMemObject(memory);
    return problem;
}

std::string from_buffer(const Session& session) {
    cl_uint pitch = 0;
    cl_uint alignment = 0;
    clGetDeviceInfo(session.device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT, sizeof pitch, &pitch, nullptr);
    clGetDeviceInfo(session.device, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, sizeof alignment, &alignment,
                    nullptr);
    if (pitch == 0 || alignment == 0)
        return "an alignment of 0";
    const size_t row = (side + pitch - 1) / pitch * pitch; // pixels
    std::vector<int> content(row * side);
    for (size_t at = 0; at < content.size(); ++at)
        content[at] = static_cast<int>(at % row + at / row * 100);
    cl_int code = CL_SUCCESS;
    const cl_mem buffer = clCreateBuffer(session.context, CL_MEM_COPY_HOST_PTR, content.size() * sizeof(int),
                                         content.data(), &code);
    const cl_image_format format{CL_R, CL_SIGNED_INT32};
    cl_image_desc wish{};
    wish.image_type = CL_MEM_OBJECT_IMAGE2D;
    wish.image_width = side;
    wish.image_height = side;
    wish.image_row_pitch = row * sizeof(int);
    wish.buffer = buffer;
    const cl_mem from = clCreateImage(session.context, CL_MEM_READ_WRITE, &format, &wish, nullptr, &code);
    if (code != CL_SUCCESS)
        return fmt::format("clCreateImage: {}", code);
    const cl_mem to = image(session, CL_MEM_OBJECT_IMAGE2D);
    std::string problem = launch(session,
                                 "kernel void k(read_only image2d_t from, write_only image2d_t to) { int2 at "
                                 "= (int2)(get_global_id(0), get_global_id(1));"
                                 " write_imagei(to, at, read_imagei(from, at) * 2); }",
                                 {from, to}, 2);
    if (problem.empty())
        problem = pixels_are<int>(
            session, to, 1, [](size_t x, size_t y, size_t) { return static_cast<int>(2 * (x + y * 100)); });
    for (const cl_mem memory : {from, buffer, to})
        clReleaseMemObject(memory);
    return problem;
}

// ---- blocks of images: each lane has elements of a row, and each element of a vector a row

constexpr size_t row_bytes = 128; // 32 pixels of four bytes
constexpr size_t rows = 16;

constexpr std::string_view block_source = R"(
#define BLOCK(T, V, LAST, S, N) __attribute__((intel_reqd_sub_group_size(16))) \
kernel void blocks__##T##N##S(read_only image2d_t from, write_only image2d_t to, global long* out) { \
    V v = intel_sub_group_block_read##S(from, (int2)(0, 0)); intel_sub_group_block_write##S(to, (int2)(0, 0), v + (V)((T)1)); \
    out[get_sub_group_local_id()] = (long)(v LAST); }
)";

struct Blocks {
    std::string_view type;
    std::string_view suffix; // of the functions, "" or "_us"
    size_t bytes;            // of an element
    std::vector<size_t> counts;
};

uint64_t element(const std::vector<uint8_t>& content, size_t row, size_t lane, size_t bytes) {
    uint64_t value = 0;
    for (size_t at = 0; at < bytes; ++at)
        value |= uint64_t{content[row * row_bytes + lane * bytes + at]} << (8 * at);
    return value;
}

cl_mem image_of(const Session& session, const std::vector<uint8_t>& content) {
    const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
    cl_image_desc wish{};
    wish.image_type = CL_MEM_OBJECT_IMAGE2D;
    wish.image_width = row_bytes / 4;
    wish.image_height = rows;
    return clCreateImage(session.context, CL_MEM_COPY_HOST_PTR, &format, &wish,
                         const_cast<uint8_t*>(content.data()), nullptr);
}

// One kernel: elements of `count` rows, and what it writes, one more each.
std::string try_block(const Session& session, cl_kernel kernel, const Blocks& blocks, size_t count) {
    std::vector<uint8_t> content(row_bytes * rows);
    for (size_t at = 0; at < content.size(); ++at)
        content[at] = static_cast<uint8_t>(at * 7 + at / row_bytes * 31 + 1);
    const cl_mem from = image_of(session, content);
    const cl_mem to = image_of(session, std::vector<uint8_t>(row_bytes * rows));
    std::array<int64_t, lanes> out{};
    const cl_mem memory = clCreateBuffer(session.context, 0, sizeof out, nullptr, nullptr);
    for (cl_uint index = 0; const cl_mem argument : {from, to, memory})
        clSetKernelArg(kernel, index++, sizeof argument, &argument);
    const size_t items_of_group = lanes;
    std::vector<uint8_t> written(row_bytes * rows);
    const std::array<size_t, 3> origin{};
    const std::array<size_t, 3> region{row_bytes / 4, rows, 1};
    cl_event launched = nullptr;
    cl_int code = clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items_of_group, &items_of_group,
                                         0, nullptr, &launched);
    if (code == CL_SUCCESS)
        code = clWaitForEvents(1, &launched);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(session.queue, memory, CL_TRUE, 0, sizeof out, out.data(), 0, nullptr,
                                   nullptr);
    if (code == CL_SUCCESS)
        code = clEnqueueReadImage(session.queue, to, CL_TRUE, origin.data(), region.data(), 0, 0,
                                  written.data(), 0, nullptr, nullptr);
    if (launched != nullptr)
        clReleaseEvent(launched);
    for (const cl_mem one : {from, to, memory})
        clReleaseMemObject(one);
    if (code != CL_SUCCESS)
        return fmt::format("a launch ends with {}", code);
    const uint64_t mask = blocks.bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << (8 * blocks.bytes)) - 1;
    for (size_t lane = 0; lane < lanes; ++lane) {
        if (static_cast<uint64_t>(out[lane]) != element(content, count - 1, lane, blocks.bytes))
            return fmt::format("lane {}: read {:#x}", lane, out[lane]);
        for (size_t row = 0; row < count; ++row)
            if (element(written, row, lane, blocks.bytes) !=
                ((element(content, row, lane, blocks.bytes) + 1) & mask))
                return fmt::format("lane {}, row {}: wrote {:#x}", lane, row,
                                   element(written, row, lane, blocks.bytes));
    }
    return "";
}

std::string try_blocks(const Session& session, const Blocks& blocks) {
    cl_bool has_images = CL_FALSE;
    clGetDeviceInfo(session.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, nullptr);
    if (has_images == CL_FALSE) // then the extension has no such functions
        return "";
    std::string source(block_source);
    for (const size_t count : blocks.counts) {
        const std::string number = count == 1 ? "" : std::to_string(count);
        source += fmt::format("BLOCK({0}, {0}{1}, {2}, {3}{1}, {4})\n", blocks.type, number,
                              count == 1 ? "" : fmt::format(".s{:x}", count - 1), blocks.suffix, count);
    }
    cl_program program = nullptr;
    std::string problem = session.build(source, "-cl-std=CL3.0", program);
    if (!problem.empty())
        problem = "does not build: " + problem;
    for (const size_t count : blocks.counts) {
        if (!problem.empty())
            break;
        const std::string name = fmt::format("blocks__{}{}{}{}", blocks.type, count, blocks.suffix,
                                             count == 1 ? "" : std::to_string(count));
        const cl_kernel kernel = clCreateKernel(program, name.c_str(), nullptr);
        problem = try_block(session, kernel, blocks, count);
        if (!problem.empty())
            problem = fmt::format("{}: {}", name, problem);
        clReleaseKernel(kernel);
    }
    if (program != nullptr)
        clReleaseProgram(program);
    return problem.empty() ? "" : "blocks of images: " + problem;
}

std::string int_blocks(const Session& session) {
    return try_blocks(session, {"uint", "", 4, {1, 2, 4, 8}});
}
std::string named_int_blocks(const Session& session) {
    return try_blocks(session, {"uint", "_ui", 4, {1, 2, 4, 8}});
}
std::string short_blocks(const Session& session) {
    return try_blocks(session, {"ushort", "_us", 2, {1, 2, 4, 8}});
}
std::string char_blocks(const Session& session) {
    return try_blocks(session, {"uchar", "_uc", 1, {1, 2, 4, 8, 16}});
}
std::string long_blocks(const Session& session) {
    return try_blocks(session, {"ulong", "_ul", 8, {1, 2, 4, 8}});
}

constexpr std::array programs{
    HostProgram{"cl_intel_subgroups", int_blocks},
    HostProgram{"cl_intel_subgroups_short", named_int_blocks},
    HostProgram{"cl_intel_subgroups_short", short_blocks},
    HostProgram{"cl_intel_subgroups_char", char_blocks},
    HostProgram{"cl_intel_subgroups_long", long_blocks},
    HostProgram{"__opencl_c_images", images},
    HostProgram{"CL_DEVICE_IMAGE_SUPPORT: CL_TRUE", images},
    HostProgram{"__opencl_c_read_write_images", read_write},
    HostProgram{"__opencl_c_3d_image_writes", volumes},
    HostProgram{"cl_khr_3d_image_writes", volumes},
    HostProgram{"cl_khr_depth_images", depths},
    HostProgram{"cl_khr_image2d_from_buffer", from_buffer},
};

} // namespace

std::span<const HostProgram> image_programs() {
    return programs;
}

} // namespace visor::opencl_extensions
