// What bindings, libraries and front ends do that the specification does not have, or has otherwise, and what
// they are told.
#include "../compile/spirv_module.h"
#include "fixture.h"

#include <array>

namespace visor::opencl_test {

namespace {

class Clients : public OpenCl {
protected:
    cl_program from_il(const std::string& module) {
        const cl_program program = clCreateProgramWithIL(context, module.data(), module.size(), &code);
        EXPECT_EQ(code, CL_SUCCESS);
        programs.push_back(program);
        return program;
    }
    cl_int build(cl_program program, const char* options = "") {
        return clBuildProgram(program, 1, &device, options, nullptr, nullptr);
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
    // What standard error says of a binary that is refused.
    std::string refusal(const std::string& bytes) {
        const size_t length = bytes.size();
        const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
        cl_int status = CL_SUCCESS;
        testing::internal::CaptureStderr();
        EXPECT_EQ(clCreateProgramWithBinary(context, 1, &device, &length, &at, &status, &code), nullptr);
        EXPECT_EQ(code, CL_INVALID_BINARY);
        EXPECT_EQ(status, CL_INVALID_BINARY);
        return testing::internal::GetCapturedStderr();
    }
    std::string text(cl_device_info what) {
        size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device, what, 0, nullptr, &bytes), CL_SUCCESS);
        std::string out(bytes, '\0');
        EXPECT_EQ(clGetDeviceInfo(device, what, bytes, out.data(), nullptr), CL_SUCCESS);
        return out;
    }
};

// CL_DEVICE_TYPE_ALL read as a signed number of 32 bits.
TEST_F(Clients, AllDevicesWithAll64Bits) {
    struct Case {
        cl_device_type type;
        cl_int wanted;
    };
    for (const Case& one : {Case{CL_DEVICE_TYPE_ALL, CL_SUCCESS}, Case{~cl_device_type{0}, CL_SUCCESS},
                            Case{CL_DEVICE_TYPE_GPU, CL_SUCCESS},
                            Case{CL_DEVICE_TYPE_GPU | cl_device_type{1} << 40U, CL_SUCCESS},
                            Case{cl_device_type{1} << 40U, CL_INVALID_DEVICE_TYPE},
                            Case{0, CL_INVALID_DEVICE_TYPE}, Case{CL_DEVICE_TYPE_CPU, CL_DEVICE_NOT_FOUND}}) {
        cl_uint count = 0;
        EXPECT_EQ(clGetDeviceIDs(platform(), one.type, 0, nullptr, &count), one.wanted) << one.type;
        const std::array<cl_context_properties, 3> on{CL_CONTEXT_PLATFORM,
                                                      reinterpret_cast<cl_context_properties>(platform()), 0};
        const cl_context made = clCreateContextFromType(on.data(), one.type, nullptr, nullptr, &code);
        EXPECT_EQ(code, one.wanted) << one.type;
        if (made != nullptr) {
            EXPECT_EQ(clReleaseContext(made), CL_SUCCESS);
        }
    }
}

// oneMKL gives 8 bytes for a uint.
TEST_F(Clients, TooWideAnArgumentGivesItsLowBytes) {
    const cl_kernel kernel = kernel_of("kernel void put(global int* p, uint v) { p[0] = v; }", "put");
    const cl_mem out = buffer(std::vector<cl_int>{0});
    EXPECT_EQ(set(kernel, 0, out), CL_SUCCESS);
    EXPECT_EQ(set(kernel, 1, cl_ulong{0x9900000007}), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
    EXPECT_EQ(content<cl_int>(out, 1)[0], 7);
    EXPECT_EQ(set(kernel, 1, cl_ushort{1}), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(kernel, 1, 0, &code), CL_INVALID_ARG_SIZE);
}

// JavaCL gives arrays of three.
TEST_F(Clients, ThreeElementsAreAVectorOfThree) {
    const cl_kernel kernel =
        kernel_of("kernel void sum(int3 v, global int* out) { *out = v.x + 10 * v.y + 100 * v.z; }", "sum");
    const cl_mem out = buffer(std::vector<cl_int>{0});
    EXPECT_EQ(set(kernel, 1, out), CL_SUCCESS);
    const std::array<cl_int, 5> values{1, 2, 3, 77, 77};
    for (const size_t bytes : {16U, 12U, 20U}) {
        ASSERT_EQ(clSetKernelArg(kernel, 0, bytes, values.data()), CL_SUCCESS) << bytes;
        EXPECT_EQ(run(kernel, 1), CL_SUCCESS);
        EXPECT_EQ(content<cl_int>(out, 1)[0], 321) << bytes;
    }
    EXPECT_EQ(clSetKernelArg(kernel, 0, 8, values.data()), CL_INVALID_ARG_SIZE);
    const cl_kernel four = kernel_of("kernel void k(int4 v, global int* out) { *out = v.w; }", "k");
    EXPECT_EQ(clSetKernelArg(four, 0, 12, values.data()), CL_INVALID_ARG_SIZE);
}

TEST_F(Clients, BuiltinsReadThroughABitcast) {
    const cl_program program = from_il(test::spirv::number_by_bitcast());
    ASSERT_EQ(build(program), CL_SUCCESS) << log_of(program);
    const cl_kernel kernel = kernel_of(program, "number");
    const cl_mem out = buffer(std::vector<cl_uint>(4, 9));
    EXPECT_EQ(set(kernel, 0, out), CL_SUCCESS);
    EXPECT_EQ(run(kernel, 4), CL_SUCCESS);
    EXPECT_EQ(content<cl_uint>(out, 4), (std::vector<cl_uint>{0, 1, 2, 3}));
    size_t bytes = 0;
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &bytes), CL_SUCCESS);
    std::string il(bytes, '\0');
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, bytes, il.data(), nullptr), CL_SUCCESS);
    EXPECT_EQ(il, test::spirv::number_by_bitcast()) << "the application's own stays as it is";
}

TEST_F(Clients, VersionsOfSpirV) {
    EXPECT_STREQ(text(CL_DEVICE_IL_VERSION).c_str(),
                 "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4");
    std::array<cl_name_version, 8> versions{};
    size_t bytes = 0;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_ILS_WITH_VERSION, sizeof versions, versions.data(), &bytes),
              CL_SUCCESS);
    ASSERT_EQ(bytes, 5 * sizeof(cl_name_version));
    EXPECT_EQ(versions[4].version, cl_version{CL_MAKE_VERSION(1, 4, 0)});
    EXPECT_EQ(build(from_il(test::spirv::number_by_extract(0x00010400))), CL_SUCCESS);
    const cl_program newer = from_il(test::spirv::number_by_extract(0x00010500));
    EXPECT_EQ(build(newer), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(log_of(newer).find("SPIR-V 1.5: the compiler reads 1.0 to 1.4\n"), std::string::npos)
        << log_of(newer);
}

TEST_F(Clients, MachineCodeIsRefusedByName) {
    const std::string zebin = binary(built("kernel void k(global int* a) { a[0] = 17; }"));
    std::string code_alone = zebin;
    for (size_t at = code_alone.find(".visaasm"); at != std::string::npos; at = code_alone.find(".visaasm"))
        code_alone.replace(at, 8, ".xisaasm");
    EXPECT_EQ(refusal(code_alone), "visor: this binary is machine code for skl; there is no vISA in it, and "
                                   "Visor runs vISA (CL_INVALID_BINARY)\n");
    EXPECT_EQ(refusal(code_alone), "") << "the same words are said once";
    EXPECT_EQ(refusal("no binary at all"),
              "visor: this binary is none that Visor made, and no ELF file (CL_INVALID_BINARY)\n");
    EXPECT_TRUE(refusal(zebin.substr(0, 100)).starts_with("visor: this binary cannot be used: "));
}

// The compiler's own name for its options comes through, and what it refuses is refused.
TEST_F(Clients, OptionsOfIntelsDriver) {
    constexpr const char* text = "kernel void k(global int* a) { a[0] = 17; }";
    const cl_program program = source(text);
    EXPECT_EQ(build(program, "-cl-intel-256-GRF-per-thread -ze-opt-level=2 -cl-intel-128-GRF-per-thread"),
              CL_SUCCESS)
        << log_of(program);
    EXPECT_EQ(build(program, "-ze-unheardof"), CL_INVALID_BUILD_OPTIONS);
    EXPECT_NE(log_of(program).find("does not know the option `-ze-unheardof`"), std::string::npos)
        << log_of(program);
    EXPECT_EQ(build(program, "-igc_opts 'VISAOptions=-nonsense'"), CL_INVALID_BUILD_OPTIONS);
    EXPECT_NE(log_of(program).find("-nonsense: unrecognized option"), std::string::npos) << log_of(program);
}

// This compiler aborts its process on a recursive function that asks for its ids.
TEST_F(Clients, ACompilerThatEndsIsToldWithTheKernel) {
    const cl_program program =
        source("int g(global int* p, int n) {\n"
               "  return n <= 0 ? (int)get_local_id(0) : g(p, n - 1) + p[get_global_id(0)] + g(p, n - 2);\n"
               "}\n"
               "kernel void f(global int* p, int n) {\n"
               "  p[get_global_id(0)] = g(p, n) + get_global_size(0);\n"
               "}\n");
    testing::internal::CaptureStderr();
    EXPECT_EQ(build(program), CL_BUILD_PROGRAM_FAILURE);
    const std::string told = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(
        told.starts_with("visor: error: the OpenCL compiler crashed (SIGABRT) on `program.cl` (kernel f)"))
        << told;
    EXPECT_NE(log_of(program).find("(kernel f) and said nothing; worth trying are -cl-opt-disable"),
              std::string::npos)
        << log_of(program);
}

} // namespace

} // namespace visor::opencl_test
