#include "fixture.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <sstream>
#include <thread>

namespace visor::opencl_test {

namespace {

class Programs : public OpenCl {
protected:
    template <class T>
    T told(cl_program program, cl_program_build_info what) {
        T out{};
        EXPECT_EQ(clGetProgramBuildInfo(program, device, what, sizeof out, &out, nullptr), CL_SUCCESS);
        return out;
    }
    std::string text(cl_program program, cl_program_info what) {
        size_t bytes = 0;
        EXPECT_EQ(clGetProgramInfo(program, what, 0, nullptr, &bytes), CL_SUCCESS);
        std::string out(bytes, '\0');
        EXPECT_EQ(clGetProgramInfo(program, what, bytes, out.data(), nullptr), CL_SUCCESS);
        return out;
    }
    std::string binary(cl_program program) {
        size_t bytes = 0;
        EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr),
                  CL_SUCCESS);
        std::string out(bytes, '\0');
        auto* at = reinterpret_cast<unsigned char*>(out.data());
        EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(unsigned char*),
                                   static_cast<void*>(&at), nullptr),
                  CL_SUCCESS);
        return out;
    }
    cl_program from_binary(const std::string& bytes) {
        const size_t length = bytes.size();
        const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
        const cl_program program =
            clCreateProgramWithBinary(context, 1, &device, &length, &at, nullptr, &code);
        if (program != nullptr)
            programs.push_back(program);
        return program;
    }
    cl_int result_of(cl_program program) {
        const cl_kernel kernel = kernel_of(program, "k");
        const cl_mem out = buffer(std::vector<cl_int>{0});
        EXPECT_EQ(set(kernel, 0, out), CL_SUCCESS);
        EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
        return content<cl_int>(out, 1)[0];
    }
};

TEST_F(Programs, ALogTellsWhatIsWrong) {
    const cl_program program = source("kernel void k(global int* a) {\n  a[0] = nothing;\n}\n");
    EXPECT_EQ(told<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_NONE);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_EQ(told<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_ERROR);
    EXPECT_NE(log_of(program).find(":2:"), std::string::npos) << log_of(program);
    EXPECT_EQ(clCreateKernel(program, "k", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "-no-such-option", nullptr, nullptr),
              CL_INVALID_BUILD_OPTIONS);
}

TEST_F(Programs, WhatNothingDefinesIsAnErrorOfTheBuild) {
    const cl_program program =
        source("int absent(int x);\nkernel void k(global int* a) { *a = absent(*a); }\n");
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(log_of(program).find("nothing defines `absent`"), std::string::npos) << log_of(program);
}

// With relaxed mathematics the compiler drops a power by whole numbers (tests/cases/compiled/lost_value.cl).
TEST_F(Programs, TellWhatTheCompilerLost) {
    const cl_program program =
        source("kernel void powers(global const float* x, global const int* n, global float* out) {\n"
               "  int i = get_global_id(0);\n  out[i] = pow(x[i], (float)n[i]);\n}\n");
    testing::internal::CaptureStderr();
    const cl_int built = clBuildProgram(program, 0, nullptr, "-cl-fast-relaxed-math", nullptr, nullptr);
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_EQ(built, CL_SUCCESS) << log_of(program);
    for (const std::string& text : {log_of(program), told}) {
        EXPECT_NE(text.find("no instruction writes `V"), std::string::npos) << text;
        EXPECT_NE(text.find("[never-written]"), std::string::npos) << text;
    }
}

// The compile stage has the list once more, as OpenCL C 1.1 needs it.
TEST_F(Programs, OpenClC11SeesTheExtensionsThatLaterVersionsSee) {
    size_t bytes = 0;
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &bytes), CL_SUCCESS);
    std::string names(bytes - 1, '\0');
    ASSERT_EQ(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, names.data(), nullptr), CL_SUCCESS);
    std::istringstream words(names);
    std::string lines;
    cl_int count = 0;
    for (std::string word; words >> word; ++count)
        lines += fmt::format("#ifdef {}\n  a[{}] = 1;\n#endif\n", word, count);
    ASSERT_GT(count, 20);
    const std::string program = fmt::format("kernel void k(global int* a) {{\n{}}}\n", lines);
    const auto seen = [&](const char* version) {
        const cl_kernel kernel = kernel_of(program.c_str(), "k", version);
        const cl_mem out = buffer(std::vector<cl_int>(static_cast<size_t>(count), 0));
        EXPECT_EQ(set(kernel, 0, out), CL_SUCCESS);
        EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
        return content<cl_int>(out, static_cast<size_t>(count));
    };
    EXPECT_EQ(seen("-cl-std=CL1.1"), seen("-cl-std=CL1.2")) << names;
}

TEST_F(Programs, AProgramWithoutKernelsBuilds) {
    const cl_program program = built("int f(int x) { return x; }");
    size_t count = 9;
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr), CL_SUCCESS);
    EXPECT_EQ(count, 0U);
}

TEST_F(Programs, KernelsAreTold) {
    const cl_program program =
        built("kernel void a(global int* p) { *p = 1; } kernel void b(global int* p) { *p = 2; }");
    EXPECT_STREQ(text(program, CL_PROGRAM_KERNEL_NAMES).c_str(), "a;b");
    std::array<cl_kernel, 2> both{};
    cl_uint count = 0;
    EXPECT_EQ(clCreateKernelsInProgram(program, 1, both.data(), &count), CL_INVALID_VALUE);
    EXPECT_EQ(clCreateKernelsInProgram(program, 2, both.data(), &count), CL_SUCCESS);
    EXPECT_EQ(count, 2U);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_INVALID_OPERATION);
    for (const cl_kernel kernel : both)
        EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clCreateKernel(program, "c", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
}

TEST_F(Programs, BinariesComeBack) {
    const std::string bytes = binary(built("kernel void k(global int* a) { a[0] = 17; }"));
    const cl_program again = from_binary(bytes);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(told<cl_program_binary_type>(again, CL_PROGRAM_BINARY_TYPE),
              cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
    EXPECT_EQ(clBuildProgram(again, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(result_of(again), 17);
    EXPECT_EQ(from_binary("\177ELF and no more"), nullptr);
    EXPECT_EQ(code, CL_INVALID_BINARY);
    EXPECT_EQ(from_binary("VISOR object 1\nand no module"), nullptr);
    EXPECT_EQ(code, CL_INVALID_BINARY);
}

TEST_F(Programs, ModulesAreCompiledWithHeadersAndLinked) {
    const cl_program header = source("int helper(int x);\n#define BASE 40\n");
    const cl_program user =
        source("#include \"inner/helper.h\"\nkernel void k(global int* a) { a[0] = helper(BASE); }");
    const cl_program helper = source("int helper(int x) { return x + EXTRA; }");
    const char* name = "inner/helper.h";
    ASSERT_EQ(clCompileProgram(user, 1, &device, "", 1, &header, &name, nullptr, nullptr), CL_SUCCESS)
        << log_of(user);
    ASSERT_EQ(clCompileProgram(helper, 1, &device, "-DEXTRA=2", 0, nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS)
        << log_of(helper);
    EXPECT_EQ(told<cl_program_binary_type>(user, CL_PROGRAM_BINARY_TYPE),
              cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
    const cl_program library =
        clLinkProgram(context, 1, &device, "-create-library", 1, &helper, nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    programs.push_back(library);
    EXPECT_EQ(told<cl_program_binary_type>(library, CL_PROGRAM_BINARY_TYPE),
              cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
    const cl_program stored = from_binary(binary(library));
    ASSERT_EQ(code, CL_SUCCESS);
    const std::array<cl_program, 2> parts{user, stored};
    const cl_program linked =
        clLinkProgram(context, 1, &device, "", 2, parts.data(), nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS) << log_of(linked);
    programs.push_back(linked);
    EXPECT_EQ(result_of(linked), 42);
    const cl_program alone = clLinkProgram(context, 1, &device, "", 1, &header, nullptr, nullptr, &code);
    EXPECT_EQ(alone, nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    const char* outside = "../helper.h";
    EXPECT_EQ(clCompileProgram(user, 1, &device, "", 1, &header, &outside, nullptr, nullptr),
              CL_COMPILE_PROGRAM_FAILURE);
}

TEST_F(Programs, SpirvIsTakenAndGivenBack) {
    const cl_program object = source("kernel void k(global int* a) { a[0] = 23; }");
    ASSERT_EQ(clCompileProgram(object, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
    const std::string stored = binary(object);
    const size_t at = stored.find("\x03\x02\x23\x07");
    ASSERT_NE(at, std::string::npos);
    const std::string module = stored.substr(at);
    const cl_program program = clCreateProgramWithIL(context, module.data(), module.size(), &code);
    ASSERT_EQ(code, CL_SUCCESS);
    programs.push_back(program);
    EXPECT_EQ(text(program, CL_PROGRAM_IL), module);
    EXPECT_EQ(clSetProgramSpecializationConstant(program, 77, 4, module.data()), CL_INVALID_SPEC_ID);
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS) << log_of(program);
    EXPECT_EQ(result_of(program), 23);
    EXPECT_EQ(clCreateProgramWithIL(context, "no module", 9, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(Programs, BuildsCanBeWaitedForByACallback) {
    std::atomic<bool> done{false};
    const cl_program program = source("kernel void k(global int* a) { a[0] = 3; }");
    EXPECT_EQ(clBuildProgram(
                  program, 1, &device, "-DCALLED_BACK",
                  [](cl_program, void* data) { static_cast<std::atomic<bool>*>(data)->store(true); }, &done),
              CL_SUCCESS);
    for (int i = 0; i < 6000 && !done; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_TRUE(done);
    EXPECT_EQ(told<cl_build_status>(program, CL_PROGRAM_BUILD_STATUS), CL_BUILD_SUCCESS);
    EXPECT_EQ(result_of(program), 3);
}

TEST_F(Programs, KernelsTellTheirArguments) {
    const cl_kernel kernel = kernel_of("__attribute__((reqd_work_group_size(8,1,1))) kernel void k(const "
                                       "global float* restrict a, volatile global "
                                       "int* b, constant float4* c, local int* d, read_only image2d_t e, "
                                       "sampler_t f, float3 g, const uint h) {"
                                       " b[get_global_id(0)] = a[0] + c[0].x + h + g.x; d[0] = 1; }",
                                       "k");
    const auto name = [&](cl_uint i, cl_kernel_arg_info what) {
        std::array<char, 64> out{};
        EXPECT_EQ(clGetKernelArgInfo(kernel, i, what, out.size(), out.data(), nullptr), CL_SUCCESS);
        return std::string(out.data());
    };
    const auto address = [&](cl_uint i) {
        cl_kernel_arg_address_qualifier out = 0;
        EXPECT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof out, &out, nullptr),
                  CL_SUCCESS);
        return out;
    };
    const auto type = [&](cl_uint i) {
        cl_kernel_arg_type_qualifier out = 0;
        EXPECT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof out, &out, nullptr),
                  CL_SUCCESS);
        return out;
    };
    EXPECT_EQ(name(0, CL_KERNEL_ARG_NAME), "a");
    EXPECT_EQ(name(0, CL_KERNEL_ARG_TYPE_NAME), "float*");
    EXPECT_EQ(name(7, CL_KERNEL_ARG_TYPE_NAME), "uint");
    EXPECT_EQ(address(0), cl_uint{CL_KERNEL_ARG_ADDRESS_GLOBAL});
    EXPECT_EQ(address(2), cl_uint{CL_KERNEL_ARG_ADDRESS_CONSTANT});
    EXPECT_EQ(address(3), cl_uint{CL_KERNEL_ARG_ADDRESS_LOCAL});
    EXPECT_EQ(address(6), cl_uint{CL_KERNEL_ARG_ADDRESS_PRIVATE});
    EXPECT_EQ(type(0), cl_bitfield{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT});
    EXPECT_EQ(type(1), cl_bitfield{CL_KERNEL_ARG_TYPE_VOLATILE});
    EXPECT_EQ(type(6), cl_bitfield{CL_KERNEL_ARG_TYPE_NONE});
    cl_kernel_arg_access_qualifier access = 0;
    EXPECT_EQ(clGetKernelArgInfo(kernel, 4, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(access, cl_uint{CL_KERNEL_ARG_ACCESS_READ_ONLY});
    std::array<char, 64> attributes{};
    EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, attributes.size(), attributes.data(), nullptr),
              CL_SUCCESS);
    EXPECT_STREQ(attributes.data(), "reqd_work_group_size(8,1,1)");
    EXPECT_EQ(clGetKernelArgInfo(kernel, 8, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_INVALID_ARG_INDEX);
}

} // namespace

} // namespace visor::opencl_test
