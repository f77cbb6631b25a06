// Command buffers: the two forms of the functions that record, and what each function refuses.
#include "command_buffers.h"

#include <array>

namespace visor::opencl_test {

namespace {

using Numbers = std::vector<cl_uint>;

constexpr cl_int invalid_buffer = -1138;
constexpr cl_int invalid_sync_points = -1139;

class CommandBufferForms : public CommandBuffers {
protected:
    cl_mem picture() {
        const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
        cl_image_desc description{};
        description.image_type = CL_MEM_OBJECT_IMAGE2D;
        description.image_width = 2;
        description.image_height = 2;
        return keep(clCreateImage(context, 0, &format, &description, nullptr, &code));
    }
    static constexpr std::array<size_t, 3> zero{0, 0, 0};
    static constexpr std::array<size_t, 3> row{2, 1, 1};
    static constexpr std::array<size_t, 3> second_row{0, 1, 0};
    static constexpr std::array<size_t, 3> all{2, 2, 1};
    static constexpr std::array<size_t, 3> bytes{4, 2, 1};
    static constexpr std::array<cl_uint, 4> color{1, 2, 3, 4};
};

// Pixels 0x04030201 in the first row of the one image, what the buffer has in the second one.
TEST_F(CommandBufferForms, ImagesWithProperties) {
    const cl_mem from = picture();
    const cl_mem to = picture();
    const cl_mem a = buffer(Numbers{7, 10, 20, 8});
    const cl_mem b = buffer(Numbers(5, 0));
    const cl_command_buffer_khr one = made();
    const cl_properties none = 0;
    cl_sync_point_khr point = 0;
    EXPECT_EQ(api.fill_image(one, nullptr, &none, from, color.data(), zero.data(), row.data(), 0, nullptr,
                             &point, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(api.to_image(one, nullptr, &none, a, from, 4, second_row.data(), row.data(), 1, &point, nullptr,
                           nullptr),
              CL_SUCCESS);
    EXPECT_EQ(api.copy_image(one, nullptr, nullptr, from, to, zero.data(), zero.data(), all.data(), 0,
                             nullptr, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(
        api.from_image(one, nullptr, nullptr, to, b, zero.data(), all.data(), 4, 0, nullptr, &point, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(point, 4U);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_uint>(b, 5), (Numbers{0, 0x04030201, 0x04030201, 10, 20}));
}

TEST_F(CommandBufferForms, ImagesWithoutProperties) {
    const cl_mem from = picture();
    const cl_mem to = picture();
    const cl_mem a = buffer(Numbers{7, 10, 20, 8});
    const cl_mem b = buffer(Numbers(5, 0));
    const cl_command_buffer_khr one = made();
    cl_sync_point_khr point = 0;
    EXPECT_EQ(api.old_fill_image(one, nullptr, from, color.data(), zero.data(), row.data(), 0, nullptr,
                                 &point, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(api.old_to_image(one, nullptr, a, from, 4, second_row.data(), row.data(), 1, &point, nullptr,
                               nullptr),
              CL_SUCCESS);
    EXPECT_EQ(api.old_copy_image(one, nullptr, from, to, zero.data(), zero.data(), all.data(), 0, nullptr,
                                 nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(
        api.old_from_image(one, nullptr, to, b, zero.data(), all.data(), 4, 0, nullptr, &point, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(point, 4U);
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    ASSERT_EQ(enqueue(one), CL_SUCCESS);
    EXPECT_EQ(content<cl_uint>(b, 5), (Numbers{0, 0x04030201, 0x04030201, 10, 20}));
}

TEST_F(CommandBufferForms, BuffersWithAndWithoutProperties) {
    for (const bool of_today : {true, false}) {
        const cl_mem a = buffer(Numbers(4, 0));
        const cl_mem b = buffer(Numbers(4, 0));
        const cl_command_buffer_khr one = made();
        const cl_uint pattern = 5;
        std::array<cl_sync_point_khr, 3> points{};
        if (of_today) {
            EXPECT_EQ(api.fill(one, nullptr, nullptr, a, &pattern, 4, 4, 12, 0, nullptr, &points[0], nullptr),
                      CL_SUCCESS);
            EXPECT_EQ(api.copy(one, nullptr, nullptr, a, b, 0, 8, 8, 1, points.data(), &points[1], nullptr),
                      CL_SUCCESS);
            EXPECT_EQ(api.barrier(one, nullptr, nullptr, 2, points.data(), &points[2], nullptr), CL_SUCCESS);
            EXPECT_EQ(api.copy_rect(one, nullptr, nullptr, b, b, second_row.data(), zero.data(), bytes.data(),
                                    4, 0, 4, 0, 0, nullptr, nullptr, nullptr),
                      CL_MEM_COPY_OVERLAP);
            EXPECT_EQ(api.copy_rect(one, nullptr, nullptr, a, b, second_row.data(), zero.data(), bytes.data(),
                                    4, 0, 4, 0, 0, nullptr, nullptr, nullptr),
                      CL_SUCCESS);
        } else {
            EXPECT_EQ(api.old_fill(one, nullptr, a, &pattern, 4, 4, 12, 0, nullptr, &points[0], nullptr),
                      CL_SUCCESS);
            EXPECT_EQ(api.old_copy(one, nullptr, a, b, 0, 8, 8, 1, points.data(), &points[1], nullptr),
                      CL_SUCCESS);
            EXPECT_EQ(api.old_barrier(one, nullptr, 2, points.data(), &points[2], nullptr), CL_SUCCESS);
            EXPECT_EQ(api.old_copy_rect(one, nullptr, b, b, second_row.data(), zero.data(), bytes.data(), 4,
                                        0, 4, 0, 0, nullptr, nullptr, nullptr),
                      CL_MEM_COPY_OVERLAP);
            EXPECT_EQ(api.old_copy_rect(one, nullptr, a, b, second_row.data(), zero.data(), bytes.data(), 4,
                                        0, 4, 0, 0, nullptr, nullptr, nullptr),
                      CL_SUCCESS);
        }
        EXPECT_EQ(points, (std::array<cl_sync_point_khr, 3>{1, 2, 3}));
        ASSERT_EQ(api.finalize(one), CL_SUCCESS);
        ASSERT_EQ(enqueue(one), CL_SUCCESS);
        EXPECT_EQ(content<cl_uint>(b, 4), (Numbers{5, 5, 0, 5}));
    }
}

// A barrier without list and properties has zeros alone before its sync point.
TEST_F(CommandBufferForms, BarriersOfAll) {
    cl_sync_point_khr point = 0;
    EXPECT_EQ(api.barrier(made(), nullptr, nullptr, 0, nullptr, &point, nullptr), CL_SUCCESS);
    EXPECT_EQ(point, 1U);
    point = 0;
    EXPECT_EQ(api.old_barrier(made(), nullptr, 0, nullptr, &point, nullptr), CL_SUCCESS);
    EXPECT_EQ(point, 1U);
    EXPECT_EQ(api.barrier(made(), nullptr, nullptr, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(api.old_barrier(made(), nullptr, 0, nullptr, nullptr, nullptr), CL_SUCCESS);
    // A list of none, in a buffer that has seen today's form:
    const cl_command_buffer_khr one = made();
    add_fill(one, buffer(Numbers(1, 0)), 0, 1);
    point = 1;
    EXPECT_EQ(api.barrier(one, nullptr, nullptr, 0, &point, nullptr, nullptr), invalid_sync_points);
    EXPECT_EQ(point, 1U);
}

class CommandBufferErrors : public CommandBufferForms {
protected:
    cl_command_queue nobody() { return reinterpret_cast<cl_command_queue>(words.data()); }

    std::array<cl_properties, 3> words{1, 2, 0}; // no handle, and no list of known properties
};

TEST_F(CommandBufferErrors, OfCreation) {
    const auto refused = [&](cl_uint count, const cl_command_queue* list,
                             const cl_command_buffer_properties_khr* properties = nullptr) {
        code = CL_SUCCESS;
        EXPECT_EQ(api.create(count, list, properties, &code), nullptr);
        EXPECT_EQ(api.create(count, list, properties, nullptr), nullptr);
        return code;
    };
    const std::array two{queue, queue};
    EXPECT_EQ(refused(0, &queue), CL_INVALID_VALUE);
    EXPECT_EQ(refused(2, two.data()), CL_INVALID_VALUE) << "one queue alone";
    EXPECT_EQ(refused(1, nullptr), CL_INVALID_VALUE);
    const cl_command_queue no_queue = nullptr;
    const cl_command_queue garbage = nobody();
    EXPECT_EQ(refused(1, &no_queue), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(refused(1, &garbage), CL_INVALID_COMMAND_QUEUE);
    using List = std::array<cl_command_buffer_properties_khr, 5>;
    const auto with = [&](const List& list) { return refused(1, &queue, list.data()); };
    EXPECT_EQ(with({0x1234, 0, 0}), CL_INVALID_VALUE) << "no such property";
    EXPECT_EQ(with({CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0}), CL_INVALID_VALUE);
    EXPECT_EQ(with({CL_COMMAND_BUFFER_FLAGS_KHR, 8, 0}), CL_INVALID_VALUE) << "no such flag";
    EXPECT_EQ(with({CL_COMMAND_BUFFER_FLAGS_KHR, 2, 0}), CL_INVALID_PROPERTY) << "mutable";
    EXPECT_EQ(with({CL_COMMAND_BUFFER_FLAGS_KHR, 5, 0}), CL_INVALID_PROPERTY) << "sync of devices";
}

TEST_F(CommandBufferErrors, OfHandles) {
    cl_uint value = 0;
    EXPECT_EQ(api.retain(nullptr), invalid_buffer);
    EXPECT_EQ(api.release(nullptr), invalid_buffer);
    EXPECT_EQ(api.finalize(nullptr), invalid_buffer);
    EXPECT_EQ(api.enqueue(0, nullptr, nullptr, 0, nullptr, nullptr), invalid_buffer);
    EXPECT_EQ(api.info(nullptr, CL_COMMAND_BUFFER_STATE_KHR, 4, &value, nullptr), invalid_buffer);
    const cl_command_buffer_khr ended = api.create(1, &queue, nullptr, &code);
    EXPECT_EQ(api.release(ended), CL_SUCCESS);
    EXPECT_EQ(api.release(ended), invalid_buffer);
    EXPECT_EQ(api.retain(ended), invalid_buffer);
    EXPECT_EQ(api.finalize(ended), invalid_buffer);
    EXPECT_EQ(api.barrier(ended, nullptr, nullptr, 0, nullptr, nullptr, nullptr), invalid_buffer);
    EXPECT_EQ(api.retain(reinterpret_cast<cl_command_buffer_khr>(queue)), invalid_buffer) << "a queue";
}

TEST_F(CommandBufferErrors, OfStates) {
    const cl_command_buffer_khr one = made();
    EXPECT_EQ(enqueue(one), CL_INVALID_OPERATION) << "still recording";
    EXPECT_EQ(api.finalize(one), CL_SUCCESS);
    EXPECT_EQ(api.finalize(one), CL_INVALID_OPERATION);
    const cl_mem a = buffer(Numbers(2, 0));
    const cl_uint pattern = 1;
    EXPECT_EQ(api.fill(one, nullptr, nullptr, a, &pattern, 4, 0, 4, 0, nullptr, nullptr, nullptr),
              CL_INVALID_OPERATION);
    EXPECT_EQ(api.barrier(one, nullptr, nullptr, 0, nullptr, nullptr, nullptr), CL_INVALID_OPERATION);
    EXPECT_EQ(enqueue(one), CL_SUCCESS);
}

TEST_F(CommandBufferErrors, OfEnqueueing) {
    const cl_command_buffer_khr one = made();
    ASSERT_EQ(api.finalize(one), CL_SUCCESS);
    std::array two{queue, queue};
    EXPECT_EQ(api.enqueue(1, nullptr, one, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.enqueue(0, two.data(), one, 0, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.enqueue(2, two.data(), one, 0, nullptr, nullptr), CL_INVALID_VALUE);
    two[0] = nullptr;
    EXPECT_EQ(api.enqueue(1, two.data(), one, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    two[0] = nobody();
    EXPECT_EQ(api.enqueue(1, two.data(), one, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    const cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    cl_command_queue strange = clCreateCommandQueue(other, device, 0, &code);
    const cl_event foreign = clCreateUserEvent(other, &code);
    EXPECT_EQ(api.enqueue(1, &strange, one, 0, nullptr, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(api.enqueue(0, nullptr, one, 1, &foreign, nullptr), CL_INVALID_CONTEXT);
    EXPECT_EQ(api.enqueue(0, nullptr, one, 1, nullptr, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(api.enqueue(0, nullptr, one, 0, &foreign, nullptr), CL_INVALID_EVENT_WAIT_LIST);
    EXPECT_EQ(ask<cl_uint>(one, CL_COMMAND_BUFFER_STATE_KHR), 1U) << "none of them is pending";
    EXPECT_EQ(clReleaseEvent(foreign), CL_SUCCESS);
    EXPECT_EQ(clReleaseCommandQueue(strange), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(CommandBufferErrors, OfQueries) {
    const cl_command_buffer_khr one = made();
    cl_uint value = 0;
    EXPECT_EQ(api.info(one, 0x1234, 4, &value, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.info(one, CL_COMMAND_BUFFER_STATE_KHR, 3, &value, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.info(one, CL_COMMAND_BUFFER_STATE_KHR, 0, nullptr, nullptr), CL_SUCCESS);
}

// What all functions that record refuse, by one of them each.
TEST_F(CommandBufferErrors, OfRecording) {
    const cl_command_buffer_khr one = made();
    const cl_mem a = buffer(Numbers(4, 0));
    const cl_mem b = buffer(Numbers(4, 0));
    const auto copy = [&](cl_command_queue on, const cl_properties* properties, cl_uint count,
                          const cl_sync_point_khr* list, cl_mutable_command_khr* handle) {
        return api.copy(one, on, properties, a, b, 0, 0, 8, count, list, nullptr, handle);
    };
    EXPECT_EQ(copy(queue, nullptr, 0, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE) << "it has to be null";
    EXPECT_EQ(copy(nullptr, words.data(), 0, nullptr, nullptr), CL_INVALID_VALUE)
        << "there are no properties";
    cl_mutable_command_khr handle = nullptr;
    EXPECT_EQ(copy(nullptr, nullptr, 0, nullptr, &handle), CL_INVALID_VALUE) << "there are no handles";
    const std::array<cl_sync_point_khr, 2> points{1, 2};
    EXPECT_EQ(copy(nullptr, nullptr, 1, nullptr, nullptr), invalid_sync_points);
    EXPECT_EQ(copy(nullptr, nullptr, 0, points.data(), nullptr), invalid_sync_points);
    EXPECT_EQ(copy(nullptr, nullptr, 1, points.data(), nullptr), invalid_sync_points)
        << "nothing is recorded";
    EXPECT_EQ(add_copy(one, a, b, 8), 1U);
    EXPECT_EQ(copy(nullptr, nullptr, 2, points.data(), nullptr), invalid_sync_points) << "the second one";
    EXPECT_EQ(copy(nullptr, nullptr, 1, points.data(), nullptr), CL_SUCCESS);
    const cl_sync_point_khr none = 0;
    EXPECT_EQ(copy(nullptr, nullptr, 1, &none, nullptr), invalid_sync_points);
    EXPECT_EQ(api.barrier(one, nullptr, words.data(), 0, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.barrier(one, nullptr, nullptr, 1, nullptr, nullptr, nullptr), invalid_sync_points);
    EXPECT_EQ(api.barrier(one, queue, nullptr, 0, nullptr, nullptr, nullptr), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(add_copy(one, a, b, 8), 3U) << "what was refused is not recorded";
}

TEST_F(CommandBufferErrors, OfBuffers) {
    const cl_command_buffer_khr one = made();
    const cl_mem a = buffer(Numbers(4, 0));
    const cl_mem image = picture();
    const auto copy = [&](cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t count) {
        return api.copy(one, nullptr, nullptr, from, to, from_offset, to_offset, count, 0, nullptr, nullptr,
                        nullptr);
    };
    const cl_mem b = buffer(Numbers(4, 0));
    EXPECT_EQ(copy(nullptr, b, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy(a, nullptr, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy(a, image, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy(a, b, 12, 0, 8), CL_INVALID_VALUE);
    EXPECT_EQ(copy(a, b, 0, SIZE_MAX, 8), CL_INVALID_VALUE);
    EXPECT_EQ(copy(a, a, 0, 4, 8), CL_MEM_COPY_OVERLAP);
    EXPECT_NE(api.old_copy(one, nullptr, nullptr, b, 0, 0, 4, 0, nullptr, nullptr, nullptr), CL_SUCCESS)
        << "null is a list of properties as well: by which code is open";
    const cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    const cl_mem strange = clCreateBuffer(other, 0, 16, nullptr, &code);
    EXPECT_EQ(copy(a, strange, 0, 0, 4), CL_INVALID_CONTEXT);
    EXPECT_EQ(clReleaseMemObject(strange), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
    EXPECT_EQ(copy(a, strange, 0, 0, 4), CL_INVALID_MEM_OBJECT) << "it has ended";
    const cl_uint pattern = 1;
    const auto fill = [&](cl_mem memory, const void* with, size_t size, size_t offset, size_t count) {
        return api.fill(one, nullptr, nullptr, memory, with, size, offset, count, 0, nullptr, nullptr,
                        nullptr);
    };
    EXPECT_EQ(fill(nullptr, &pattern, 4, 0, 4), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(fill(a, nullptr, 4, 0, 4), CL_INVALID_VALUE);
    EXPECT_EQ(fill(a, &pattern, 3, 0, 3), CL_INVALID_VALUE);
    EXPECT_EQ(fill(a, &pattern, 4, 2, 4), CL_INVALID_VALUE);
    EXPECT_EQ(fill(a, &pattern, 4, 16, 4), CL_INVALID_VALUE);
    const auto rect = [&](cl_mem from, const size_t* origin, const size_t* region) {
        return api.copy_rect(one, nullptr, nullptr, from, b, origin, zero.data(), region, 4, 0, 4, 0, 0,
                             nullptr, nullptr, nullptr);
    };
    EXPECT_EQ(rect(nullptr, zero.data(), bytes.data()), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(rect(a, nullptr, bytes.data()), CL_INVALID_VALUE);
    EXPECT_EQ(rect(a, zero.data(), nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(rect(a, zero.data(), zero.data()), CL_INVALID_VALUE);
}

TEST_F(CommandBufferErrors, OfImages) {
    const cl_command_buffer_khr one = made();
    const cl_mem a = buffer(Numbers(4, 0));
    const cl_mem image = picture();
    const cl_image_format format{CL_R, CL_UNSIGNED_INT8};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = description.image_height = 2;
    const cl_mem grey = keep(clCreateImage(context, 0, &format, &description, nullptr, &code));
    const auto copy = [&](cl_mem from, cl_mem to, const size_t* to_origin, const size_t* region) {
        return api.copy_image(one, nullptr, nullptr, from, to, zero.data(), to_origin, region, 0, nullptr,
                              nullptr, nullptr);
    };
    EXPECT_EQ(copy(nullptr, image, zero.data(), row.data()), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy(image, a, zero.data(), row.data()), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy(image, grey, zero.data(), row.data()), CL_IMAGE_FORMAT_MISMATCH);
    EXPECT_EQ(copy(image, image, zero.data(), row.data()), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(copy(image, image, second_row.data(), all.data()), CL_INVALID_VALUE);
    EXPECT_EQ(copy(image, image, second_row.data(), row.data()), CL_SUCCESS);
    EXPECT_EQ(api.fill_image(one, nullptr, nullptr, a, color.data(), zero.data(), row.data(), 0, nullptr,
                             nullptr, nullptr),
              CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(api.fill_image(one, nullptr, nullptr, image, nullptr, zero.data(), row.data(), 0, nullptr,
                             nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(api.to_image(one, nullptr, nullptr, a, image, 12, zero.data(), row.data(), 0, nullptr, nullptr,
                           nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(api.to_image(one, nullptr, nullptr, image, image, 0, zero.data(), row.data(), 0, nullptr,
                           nullptr, nullptr),
              CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(api.from_image(one, nullptr, nullptr, image, a, zero.data(), all.data(), 1, 0, nullptr, nullptr,
                             nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(
        api.from_image(one, nullptr, nullptr, a, a, zero.data(), all.data(), 0, 0, nullptr, nullptr, nullptr),
        CL_INVALID_MEM_OBJECT);
}

TEST_F(CommandBufferErrors, OfKernels) {
    const cl_command_buffer_khr one = made();
    const cl_kernel kernel = kernel_of(scale, "scale");
    const auto add = [&](cl_kernel what, cl_uint dimensions, size_t global, size_t local,
                         const cl_properties* properties = nullptr) {
        return api.kernel(one, nullptr, properties, what, dimensions, nullptr, &global, &local, 0, nullptr,
                          nullptr, nullptr);
    };
    EXPECT_EQ(add(nullptr, 1, 4, 4), CL_INVALID_KERNEL);
    EXPECT_EQ(add(kernel, 1, 4, 4), CL_INVALID_KERNEL_ARGS);
    set(kernel, 0, buffer(Numbers(4, 0)));
    set(kernel, 1, 1);
    set(kernel, 2, 1);
    EXPECT_EQ(add(kernel, 0, 4, 4), CL_INVALID_WORK_DIMENSION);
    EXPECT_EQ(add(kernel, 1, 4, 3), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(add(kernel, 1, 1 << 20, 1 << 20), CL_INVALID_WORK_ITEM_SIZE);
    EXPECT_EQ(add(kernel, 1, 4, 0), CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ(add(kernel, 1, 4, 4, words.data()), CL_INVALID_VALUE);
    EXPECT_EQ(add(kernel, 1, 4, 4, &words[2]), CL_SUCCESS) << "an empty list";
    const cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    cl_command_queue strange = clCreateCommandQueue(other, device, 0, &code);
    const cl_command_buffer_khr elsewhere = made(strange);
    const size_t four = 4;
    EXPECT_EQ(api.kernel(elsewhere, nullptr, nullptr, kernel, 1, nullptr, &four, nullptr, 0, nullptr, nullptr,
                         nullptr),
              CL_INVALID_CONTEXT);
    EXPECT_EQ(clReleaseCommandQueue(strange), CL_SUCCESS);
    EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(CommandBufferErrors, OfSharedVirtualMemory) {
    const cl_command_buffer_khr one = made();
    auto* const shared = static_cast<cl_uint*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    const auto copy = [&](void* to, const void* from, size_t count) {
        return api.svm_copy(one, nullptr, nullptr, to, from, count, 0, nullptr, nullptr, nullptr);
    };
    EXPECT_EQ(copy(nullptr, shared, 4), CL_INVALID_VALUE);
    EXPECT_EQ(copy(shared, nullptr, 4), CL_INVALID_VALUE);
    EXPECT_EQ(copy(shared, shared + 1, 8), CL_MEM_COPY_OVERLAP);
    EXPECT_EQ(api.old_svm_copy(one, nullptr, nullptr, shared, 4, 0, nullptr, nullptr, nullptr),
              CL_INVALID_VALUE);
    const auto fill = [&](void* to, const void* pattern, size_t size, size_t count) {
        return api.svm_fill(one, nullptr, nullptr, to, pattern, size, count, 0, nullptr, nullptr, nullptr);
    };
    const cl_uint pattern = 1;
    EXPECT_EQ(fill(nullptr, &pattern, 4, 4), CL_INVALID_VALUE);
    EXPECT_EQ(fill(shared, nullptr, 4, 4), CL_INVALID_VALUE);
    EXPECT_EQ(fill(shared, &pattern, 3, 3), CL_INVALID_VALUE);
    EXPECT_EQ(fill(shared, &pattern, 4, 6), CL_INVALID_VALUE);
    EXPECT_EQ(fill(shared, &pattern, 4, 8), CL_SUCCESS);
    clSVMFree(context, shared);
}

} // namespace

} // namespace visor::opencl_test
