// The codes of cl_intel_tracing's functions.
#include "recorder.h"

#include <memory>

namespace visor::opencl_test {

namespace {

void nothing(cl_uint /*function*/, CallbackData* /*data*/, void* /*user_data*/) {}

class TracingApiTest : public OpenCl {
protected:
    TracingApi api{platform()};
    TracingHandle* handle = nullptr;
};

TEST_F(TracingApiTest, ItsFunctionsAreFound) {
    EXPECT_TRUE(api.is_whole());
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform(), "clTracingINTEL"), nullptr);
}

TEST_F(TracingApiTest, Creating) {
    EXPECT_EQ(api.create(nullptr, nothing, nullptr, &handle), CL_INVALID_VALUE);
    EXPECT_EQ(api.create(device, nullptr, nullptr, &handle), CL_INVALID_VALUE);
    EXPECT_EQ(api.create(device, nothing, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.create(reinterpret_cast<cl_device_id>(context), nothing, nullptr, &handle),
              CL_INVALID_VALUE);
    EXPECT_EQ(handle, nullptr);
    EXPECT_EQ(api.create(device, nothing, nullptr, &handle), CL_SUCCESS);
    EXPECT_NE(handle, nullptr);
    EXPECT_EQ(api.destroy(handle), CL_SUCCESS);
}

TEST_F(TracingApiTest, Points) {
    ASSERT_EQ(api.create(device, nothing, nullptr, &handle), CL_SUCCESS);
    EXPECT_EQ(api.set_point(nullptr, 0, CL_TRUE), CL_INVALID_VALUE);
    EXPECT_EQ(api.set_point(handle, 0, CL_TRUE), CL_SUCCESS);
    EXPECT_EQ(api.set_point(handle, traced_functions - 1, CL_TRUE), CL_SUCCESS);
    EXPECT_EQ(api.set_point(handle, traced_functions, CL_TRUE), CL_INVALID_VALUE);
    EXPECT_EQ(api.set_point(handle, 0xFFFFFFFF, CL_TRUE), CL_INVALID_VALUE);
    EXPECT_EQ(api.destroy(handle), CL_SUCCESS);
}

TEST_F(TracingApiTest, States) {
    ASSERT_EQ(api.create(device, nothing, nullptr, &handle), CL_SUCCESS);
    cl_bool enabled = 77;
    EXPECT_EQ(api.get_state(nullptr, &enabled), CL_INVALID_VALUE);
    EXPECT_EQ(api.get_state(handle, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(enabled, 77U);
    EXPECT_EQ(api.get_state(handle, &enabled), CL_SUCCESS);
    EXPECT_EQ(enabled, cl_bool{CL_FALSE});
    EXPECT_EQ(api.enable(nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.disable(nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(api.disable(handle), CL_INVALID_VALUE);
    EXPECT_EQ(api.enable(handle), CL_SUCCESS);
    EXPECT_EQ(api.enable(handle), CL_INVALID_VALUE);
    EXPECT_EQ(api.get_state(handle, &enabled), CL_SUCCESS);
    EXPECT_EQ(enabled, cl_bool{CL_TRUE});
    EXPECT_EQ(api.disable(handle), CL_SUCCESS);
    EXPECT_EQ(api.disable(handle), CL_INVALID_VALUE);
    EXPECT_EQ(api.get_state(handle, &enabled), CL_SUCCESS);
    EXPECT_EQ(enabled, cl_bool{CL_FALSE});
    EXPECT_EQ(api.destroy(handle), CL_SUCCESS);
}

TEST_F(TracingApiTest, WhatIsNoHandle) {
    EXPECT_EQ(api.destroy(nullptr), CL_INVALID_VALUE);
    ASSERT_EQ(api.create(device, nothing, nullptr, &handle), CL_SUCCESS);
    EXPECT_EQ(api.enable(handle), CL_SUCCESS);
    EXPECT_EQ(api.destroy(handle), CL_SUCCESS); // enabled as it is
    cl_bool enabled = CL_FALSE;
    auto* const other = reinterpret_cast<TracingHandle*>(context);
    for (TracingHandle* const none : {handle, other}) {
        EXPECT_EQ(api.destroy(none), CL_INVALID_VALUE);
        EXPECT_EQ(api.enable(none), CL_INVALID_VALUE);
        EXPECT_EQ(api.disable(none), CL_INVALID_VALUE);
        EXPECT_EQ(api.set_point(none, 0, CL_TRUE), CL_INVALID_VALUE);
        EXPECT_EQ(api.get_state(none, &enabled), CL_INVALID_VALUE);
    }
}

TEST_F(TracingApiTest, SixteenAreEnabledAtOnce) {
    std::vector<std::unique_ptr<Recorder>> recorders;
    for (int i = 0; i < 17; ++i)
        recorders.push_back(std::make_unique<Recorder>(device));
    for (int i = 0; i < 16; ++i)
        recorders[static_cast<size_t>(i)]->enable({traced::finish});
    Recorder& last = *recorders.back();
    EXPECT_EQ(api.set_point(last.handle, traced::finish, CL_TRUE), CL_SUCCESS);
    EXPECT_EQ(api.enable(last.handle), CL_OUT_OF_RESOURCES);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (int i = 0; i < 17; ++i)
        EXPECT_EQ(recorders[static_cast<size_t>(i)]->take().size(), i < 16 ? 2U : 0U) << i;
    recorders.front()->disable();
    EXPECT_EQ(api.enable(last.handle), CL_SUCCESS);
}

} // namespace

} // namespace visor::opencl_test
