// Every function that the platform has and tracing knows: its number, as the public header counts them, and
// its name. Each is called without arguments that are good for anything, which is enough to be traced.
#include "recorder.h"

#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <array>
#include <set>
#include <type_traits>

namespace visor::opencl_test {

namespace {

struct Row {
    cl_uint number;
    const char* name;
    void (*call)(const char* name);
};

template <class Result, class... Parameters>
void call_with_zeros(Result (*function)(Parameters...)) {
    ASSERT_NE(function, nullptr);
    function(Parameters{}...);
}
// Past the loader, which refuses null itself.
template <auto member>
void in_table(const char* /*name*/) {
    call_with_zeros((*reinterpret_cast<cl_icd_dispatch* const*>(platform()))->*member);
}
template <class Function>
void by_name(const char* name) {
    call_with_zeros(reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform(), name)));
}

constexpr std::array rows{
    Row{0, "clBuildProgram", in_table<&cl_icd_dispatch::clBuildProgram>},
    Row{1, "clCloneKernel", in_table<&cl_icd_dispatch::clCloneKernel>},
    Row{2, "clCompileProgram", in_table<&cl_icd_dispatch::clCompileProgram>},
    Row{3, "clCreateBuffer", in_table<&cl_icd_dispatch::clCreateBuffer>},
    Row{4, "clCreateCommandQueue", in_table<&cl_icd_dispatch::clCreateCommandQueue>},
    Row{5, "clCreateCommandQueueWithProperties",
        in_table<&cl_icd_dispatch::clCreateCommandQueueWithProperties>},
    Row{6, "clCreateContext", in_table<&cl_icd_dispatch::clCreateContext>},
    Row{7, "clCreateContextFromType", in_table<&cl_icd_dispatch::clCreateContextFromType>},
    Row{13, "clCreateImage", in_table<&cl_icd_dispatch::clCreateImage>},
    Row{14, "clCreateImage2D", in_table<&cl_icd_dispatch::clCreateImage2D>},
    Row{15, "clCreateImage3D", in_table<&cl_icd_dispatch::clCreateImage3D>},
    Row{16, "clCreateKernel", in_table<&cl_icd_dispatch::clCreateKernel>},
    Row{17, "clCreateKernelsInProgram", in_table<&cl_icd_dispatch::clCreateKernelsInProgram>},
    Row{18, "clCreatePipe", in_table<&cl_icd_dispatch::clCreatePipe>},
    Row{19, "clCreateProgramWithBinary", in_table<&cl_icd_dispatch::clCreateProgramWithBinary>},
    Row{20, "clCreateProgramWithBuiltInKernels",
        in_table<&cl_icd_dispatch::clCreateProgramWithBuiltInKernels>},
    Row{21, "clCreateProgramWithIL", in_table<&cl_icd_dispatch::clCreateProgramWithIL>},
    Row{22, "clCreateProgramWithSource", in_table<&cl_icd_dispatch::clCreateProgramWithSource>},
    Row{23, "clCreateSampler", in_table<&cl_icd_dispatch::clCreateSampler>},
    Row{24, "clCreateSamplerWithProperties", in_table<&cl_icd_dispatch::clCreateSamplerWithProperties>},
    Row{25, "clCreateSubBuffer", in_table<&cl_icd_dispatch::clCreateSubBuffer>},
    Row{26, "clCreateSubDevices", in_table<&cl_icd_dispatch::clCreateSubDevices>},
    Row{27, "clCreateUserEvent", in_table<&cl_icd_dispatch::clCreateUserEvent>},
    Row{29, "clEnqueueBarrier", in_table<&cl_icd_dispatch::clEnqueueBarrier>},
    Row{30, "clEnqueueBarrierWithWaitList", in_table<&cl_icd_dispatch::clEnqueueBarrierWithWaitList>},
    Row{31, "clEnqueueCopyBuffer", in_table<&cl_icd_dispatch::clEnqueueCopyBuffer>},
    Row{32, "clEnqueueCopyBufferRect", in_table<&cl_icd_dispatch::clEnqueueCopyBufferRect>},
    Row{33, "clEnqueueCopyBufferToImage", in_table<&cl_icd_dispatch::clEnqueueCopyBufferToImage>},
    Row{34, "clEnqueueCopyImage", in_table<&cl_icd_dispatch::clEnqueueCopyImage>},
    Row{35, "clEnqueueCopyImageToBuffer", in_table<&cl_icd_dispatch::clEnqueueCopyImageToBuffer>},
    Row{36, "clEnqueueFillBuffer", in_table<&cl_icd_dispatch::clEnqueueFillBuffer>},
    Row{37, "clEnqueueFillImage", in_table<&cl_icd_dispatch::clEnqueueFillImage>},
    Row{38, "clEnqueueMapBuffer", in_table<&cl_icd_dispatch::clEnqueueMapBuffer>},
    Row{39, "clEnqueueMapImage", in_table<&cl_icd_dispatch::clEnqueueMapImage>},
    Row{40, "clEnqueueMarker", in_table<&cl_icd_dispatch::clEnqueueMarker>},
    Row{41, "clEnqueueMarkerWithWaitList", in_table<&cl_icd_dispatch::clEnqueueMarkerWithWaitList>},
    Row{42, "clEnqueueMigrateMemObjects", in_table<&cl_icd_dispatch::clEnqueueMigrateMemObjects>},
    Row{43, "clEnqueueNDRangeKernel", in_table<&cl_icd_dispatch::clEnqueueNDRangeKernel>},
    Row{44, "clEnqueueNativeKernel", in_table<&cl_icd_dispatch::clEnqueueNativeKernel>},
    Row{45, "clEnqueueReadBuffer", in_table<&cl_icd_dispatch::clEnqueueReadBuffer>},
    Row{46, "clEnqueueReadBufferRect", in_table<&cl_icd_dispatch::clEnqueueReadBufferRect>},
    Row{47, "clEnqueueReadImage", in_table<&cl_icd_dispatch::clEnqueueReadImage>},
    Row{49, "clEnqueueSVMFree", in_table<&cl_icd_dispatch::clEnqueueSVMFree>},
    Row{50, "clEnqueueSVMMap", in_table<&cl_icd_dispatch::clEnqueueSVMMap>},
    Row{51, "clEnqueueSVMMemFill", in_table<&cl_icd_dispatch::clEnqueueSVMMemFill>},
    Row{52, "clEnqueueSVMMemcpy", in_table<&cl_icd_dispatch::clEnqueueSVMMemcpy>},
    Row{53, "clEnqueueSVMMigrateMem", in_table<&cl_icd_dispatch::clEnqueueSVMMigrateMem>},
    Row{54, "clEnqueueSVMUnmap", in_table<&cl_icd_dispatch::clEnqueueSVMUnmap>},
    Row{55, "clEnqueueTask", in_table<&cl_icd_dispatch::clEnqueueTask>},
    Row{56, "clEnqueueUnmapMemObject", in_table<&cl_icd_dispatch::clEnqueueUnmapMemObject>},
    Row{57, "clEnqueueWaitForEvents", in_table<&cl_icd_dispatch::clEnqueueWaitForEvents>},
    Row{58, "clEnqueueWriteBuffer", in_table<&cl_icd_dispatch::clEnqueueWriteBuffer>},
    Row{59, "clEnqueueWriteBufferRect", in_table<&cl_icd_dispatch::clEnqueueWriteBufferRect>},
    Row{60, "clEnqueueWriteImage", in_table<&cl_icd_dispatch::clEnqueueWriteImage>},
    Row{61, "clFinish", in_table<&cl_icd_dispatch::clFinish>},
    Row{62, "clFlush", in_table<&cl_icd_dispatch::clFlush>},
    Row{63, "clGetCommandQueueInfo", in_table<&cl_icd_dispatch::clGetCommandQueueInfo>},
    Row{64, "clGetContextInfo", in_table<&cl_icd_dispatch::clGetContextInfo>},
    Row{65, "clGetDeviceAndHostTimer", in_table<&cl_icd_dispatch::clGetDeviceAndHostTimer>},
    Row{66, "clGetDeviceIDs", in_table<&cl_icd_dispatch::clGetDeviceIDs>},
    Row{67, "clGetDeviceInfo", in_table<&cl_icd_dispatch::clGetDeviceInfo>},
    Row{68, "clGetEventInfo", in_table<&cl_icd_dispatch::clGetEventInfo>},
    Row{69, "clGetEventProfilingInfo", in_table<&cl_icd_dispatch::clGetEventProfilingInfo>},
    Row{70, "clGetExtensionFunctionAddress", in_table<&cl_icd_dispatch::clGetExtensionFunctionAddress>},
    Row{71, "clGetExtensionFunctionAddressForPlatform",
        in_table<&cl_icd_dispatch::clGetExtensionFunctionAddressForPlatform>},
    Row{74, "clGetHostTimer", in_table<&cl_icd_dispatch::clGetHostTimer>},
    Row{75, "clGetImageInfo", in_table<&cl_icd_dispatch::clGetImageInfo>},
    Row{76, "clGetKernelArgInfo", in_table<&cl_icd_dispatch::clGetKernelArgInfo>},
    Row{77, "clGetKernelInfo", in_table<&cl_icd_dispatch::clGetKernelInfo>},
    Row{78, "clGetKernelSubGroupInfo", in_table<&cl_icd_dispatch::clGetKernelSubGroupInfo>},
    Row{79, "clGetKernelWorkGroupInfo", in_table<&cl_icd_dispatch::clGetKernelWorkGroupInfo>},
    Row{80, "clGetMemObjectInfo", in_table<&cl_icd_dispatch::clGetMemObjectInfo>},
    Row{81, "clGetPipeInfo", in_table<&cl_icd_dispatch::clGetPipeInfo>},
    Row{82, "clGetPlatformIDs", in_table<&cl_icd_dispatch::clGetPlatformIDs>},
    Row{83, "clGetPlatformInfo", in_table<&cl_icd_dispatch::clGetPlatformInfo>},
    Row{84, "clGetProgramBuildInfo", in_table<&cl_icd_dispatch::clGetProgramBuildInfo>},
    Row{85, "clGetProgramInfo", in_table<&cl_icd_dispatch::clGetProgramInfo>},
    Row{86, "clGetSamplerInfo", in_table<&cl_icd_dispatch::clGetSamplerInfo>},
    Row{87, "clGetSupportedImageFormats", in_table<&cl_icd_dispatch::clGetSupportedImageFormats>},
    Row{88, "clLinkProgram", in_table<&cl_icd_dispatch::clLinkProgram>},
    Row{89, "clReleaseCommandQueue", in_table<&cl_icd_dispatch::clReleaseCommandQueue>},
    Row{90, "clReleaseContext", in_table<&cl_icd_dispatch::clReleaseContext>},
    Row{91, "clReleaseDevice", in_table<&cl_icd_dispatch::clReleaseDevice>},
    Row{92, "clReleaseEvent", in_table<&cl_icd_dispatch::clReleaseEvent>},
    Row{93, "clReleaseKernel", in_table<&cl_icd_dispatch::clReleaseKernel>},
    Row{94, "clReleaseMemObject", in_table<&cl_icd_dispatch::clReleaseMemObject>},
    Row{95, "clReleaseProgram", in_table<&cl_icd_dispatch::clReleaseProgram>},
    Row{96, "clReleaseSampler", in_table<&cl_icd_dispatch::clReleaseSampler>},
    Row{97, "clRetainCommandQueue", in_table<&cl_icd_dispatch::clRetainCommandQueue>},
    Row{98, "clRetainContext", in_table<&cl_icd_dispatch::clRetainContext>},
    Row{99, "clRetainDevice", in_table<&cl_icd_dispatch::clRetainDevice>},
    Row{100, "clRetainEvent", in_table<&cl_icd_dispatch::clRetainEvent>},
    Row{101, "clRetainKernel", in_table<&cl_icd_dispatch::clRetainKernel>},
    Row{102, "clRetainMemObject", in_table<&cl_icd_dispatch::clRetainMemObject>},
    Row{103, "clRetainProgram", in_table<&cl_icd_dispatch::clRetainProgram>},
    Row{104, "clRetainSampler", in_table<&cl_icd_dispatch::clRetainSampler>},
    Row{105, "clSVMAlloc", in_table<&cl_icd_dispatch::clSVMAlloc>},
    Row{106, "clSVMFree", in_table<&cl_icd_dispatch::clSVMFree>},
    Row{107, "clSetCommandQueueProperty", in_table<&cl_icd_dispatch::clSetCommandQueueProperty>},
    Row{108, "clSetDefaultDeviceCommandQueue", in_table<&cl_icd_dispatch::clSetDefaultDeviceCommandQueue>},
    Row{109, "clSetEventCallback", in_table<&cl_icd_dispatch::clSetEventCallback>},
    Row{110, "clSetKernelArg", in_table<&cl_icd_dispatch::clSetKernelArg>},
    Row{111, "clSetKernelArgSVMPointer", in_table<&cl_icd_dispatch::clSetKernelArgSVMPointer>},
    Row{112, "clSetKernelExecInfo", in_table<&cl_icd_dispatch::clSetKernelExecInfo>},
    Row{113, "clSetMemObjectDestructorCallback",
        in_table<&cl_icd_dispatch::clSetMemObjectDestructorCallback>},
    Row{114, "clSetUserEventStatus", in_table<&cl_icd_dispatch::clSetUserEventStatus>},
    Row{115, "clUnloadCompiler", in_table<&cl_icd_dispatch::clUnloadCompiler>},
    Row{116, "clUnloadPlatformCompiler", in_table<&cl_icd_dispatch::clUnloadPlatformCompiler>},
    Row{117, "clWaitForEvents", in_table<&cl_icd_dispatch::clWaitForEvents>},
    Row{118, "clMemFreeINTEL", by_name<clMemFreeINTEL_fn>},
    Row{119, "clIcdGetPlatformIDsKHR", by_name<clIcdGetPlatformIDsKHR_fn>},
    Row{120, "clCreateBufferWithProperties", in_table<&cl_icd_dispatch::clCreateBufferWithProperties>},
    Row{121, "clCreateBufferWithPropertiesINTEL", by_name<clCreateBufferWithPropertiesINTEL_fn>},
    Row{122, "clCreateImageWithProperties", in_table<&cl_icd_dispatch::clCreateImageWithProperties>},
    Row{126, "clHostMemAllocINTEL", by_name<clHostMemAllocINTEL_fn>},
    Row{127, "clDeviceMemAllocINTEL", by_name<clDeviceMemAllocINTEL_fn>},
    Row{128, "clSharedMemAllocINTEL", by_name<clSharedMemAllocINTEL_fn>},
    Row{129, "clMemBlockingFreeINTEL", by_name<clMemBlockingFreeINTEL_fn>},
    Row{130, "clGetMemAllocInfoINTEL", by_name<clGetMemAllocInfoINTEL_fn>},
    Row{131, "clSetKernelArgMemPointerINTEL", by_name<clSetKernelArgMemPointerINTEL_fn>},
    Row{132, "clEnqueueMemsetINTEL", by_name<clEnqueueMemsetINTEL_fn>},
    Row{133, "clEnqueueMemFillINTEL", by_name<clEnqueueMemFillINTEL_fn>},
    Row{134, "clEnqueueMemcpyINTEL", by_name<clEnqueueMemcpyINTEL_fn>},
    Row{135, "clEnqueueMigrateMemINTEL", by_name<clEnqueueMigrateMemINTEL_fn>},
    Row{136, "clEnqueueMemAdviseINTEL", by_name<clEnqueueMemAdviseINTEL_fn>},
    Row{137, "clCreateCommandQueueWithPropertiesKHR", by_name<clCreateCommandQueueWithPropertiesKHR_fn>},
    Row{142, "clCreateProgramWithILKHR", by_name<clCreateProgramWithILKHR_fn>},
    Row{143, "clGetKernelSuggestedLocalWorkSizeKHR", by_name<clGetKernelSuggestedLocalWorkSizeKHR_fn>},
    Row{144, "clGetKernelSubGroupInfoKHR", in_table<&cl_icd_dispatch::clGetKernelSubGroupInfoKHR>},
    Row{149, "clSetProgramReleaseCallback", in_table<&cl_icd_dispatch::clSetProgramReleaseCallback>},
    Row{150, "clSetProgramSpecializationConstant",
        in_table<&cl_icd_dispatch::clSetProgramSpecializationConstant>},
    Row{154, "clSetContextDestructorCallback", in_table<&cl_icd_dispatch::clSetContextDestructorCallback>},
};

bool is_void(std::string_view name) {
    return name == "clSVMFree"; // the only one
}

class TracedFunctions : public OpenCl {};

TEST_F(TracedFunctions, EachHasItsNumberAndItsName) {
    Recorder recorder(device);
    for (cl_uint function = 0; function < traced_functions; ++function)
        ASSERT_EQ(recorder.api.set_point(recorder.handle, function, CL_TRUE), CL_SUCCESS);
    std::set<cl_uint> correlations;
    for (const Row& row : rows) {
        // By-name rows look their function up before it is called, which is traced as well.
        recorder.take();
        ASSERT_EQ(recorder.api.enable(recorder.handle), CL_SUCCESS);
        row.call(row.name);
        ASSERT_EQ(recorder.api.disable(recorder.handle), CL_SUCCESS);
        const std::vector<Seen> seen = recorder.take();
        ASSERT_GE(seen.size(), 2U) << row.name;
        const Seen& enter = seen[seen.size() - 2];
        const Seen& exit = seen.back();
        EXPECT_EQ(enter.function, row.number) << row.name;
        EXPECT_EQ(exit.function, row.number) << row.name;
        EXPECT_EQ(enter.name, row.name);
        EXPECT_EQ(exit.name, row.name);
        EXPECT_EQ(enter.site, site_enter) << row.name;
        EXPECT_EQ(exit.site, site_exit) << row.name;
        EXPECT_EQ(enter.correlation, exit.correlation) << row.name;
        EXPECT_TRUE(correlations.insert(exit.correlation).second) << row.name;
        EXPECT_FALSE(enter.has_result) << row.name;
        EXPECT_EQ(exit.has_result, !is_void(row.name)) << row.name;
        const bool is_looked_up = seen.size() == 4;
        EXPECT_TRUE(seen.size() == 2 ||
                    (is_looked_up && seen[0].function == traced::get_function_for_platform))
            << row.name;
    }
}

TEST_F(TracedFunctions, OthersAreNotTraced) {
    using RetainCommandBuffer = cl_int (*)(void*);
    const auto retain = reinterpret_cast<RetainCommandBuffer>(
        clGetExtensionFunctionAddressForPlatform(platform(), "clRetainCommandBufferKHR"));
    ASSERT_NE(retain, nullptr);
    Recorder recorder(device);
    for (cl_uint function = 0; function < traced_functions; ++function)
        ASSERT_EQ(recorder.api.set_point(recorder.handle, function, CL_TRUE), CL_SUCCESS);
    recorder.enable({});
    EXPECT_NE(retain(nullptr), CL_SUCCESS);
    in_table<&cl_icd_dispatch::clRetainDeviceEXT>("");
    in_table<&cl_icd_dispatch::clCreateFromGLBuffer>("");
    cl_bool enabled = CL_FALSE;
    EXPECT_EQ(recorder.api.get_state(recorder.handle, &enabled), CL_SUCCESS);
    recorder.disable();
    EXPECT_EQ(recorder.take().size(), 0U);
}

} // namespace

} // namespace visor::opencl_test
