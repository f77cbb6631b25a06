// Asks the platform what it tells of this device, builds and runs the program of each name, and compares.
// Told and not right is a failure, and so is a told name without a program. What is right and not told is
// listed (`more`), and what is neither (`less`). Each is one line; extensions_test.py reads them.
#include "programs.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <set>

namespace visor::opencl_extensions {

bool Told::has(std::string_view name) const {
    return std::ranges::find(names, name) != names.end();
}

namespace {

constexpr std::string_view preamble = R"(
#define KERNEL(name) __attribute__((intel_reqd_sub_group_size(16))) kernel void name(global long* out)
#define PUT(at, value) out[get_global_id(0) * 16 + (at)] = (long)(value)
)";

std::string log_of(cl_program program, cl_device_id device) {
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    return log.c_str();
}

// The lines that say what is wrong, the first few.
std::string gist(const std::string& log) {
    std::string out;
    int lines = 0;
    for (size_t at = 0; at < log.size() && lines < 4;) {
        const size_t end = std::min(log.find('\n', at), log.size());
        const std::string line = log.substr(at, end - at);
        at = end + 1;
        if (line.contains("error") || line.contains("undefined") || line.contains("nothing defines")) {
            out += (out.empty() ? "" : " / ") + line;
            ++lines;
        }
    }
    out = out.empty() ? log : out;
    std::ranges::replace(out, '\n', ' ');
    return out;
}

std::vector<std::string> kernel_names(cl_program program) {
    size_t bytes = 0;
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &bytes);
    std::string text(bytes, '\0');
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, text.data(), nullptr);
    text = text.c_str();
    std::vector<std::string> out;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(';', at), text.size());
        out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

std::string compare(const std::string& name, const Kernel& kernel, const std::vector<int64_t>& out) {
    for (int item = 0; item < items; ++item) {
        std::vector<int64_t> expected = kernel.expected(item);
        expected.resize(room, untouched);
        for (int at = 0; at < room; ++at) {
            const int64_t got = out[static_cast<size_t>(item) * room + static_cast<size_t>(at)];
            if (got != expected[static_cast<size_t>(at)])
                return fmt::format("kernel {}: item {}, number {}: expected {}, got {}", name, item, at,
                                   expected[static_cast<size_t>(at)], got);
        }
    }
    return "";
}

std::string try_kernels(const Session& session, const Program& tried, cl_program program) {
    std::set<std::string_view> seen;
    for (const std::string& name : kernel_names(program)) {
        const std::string base = name.substr(0, name.find("__"));
        const auto known = std::ranges::find(tried.kernels, base, &Kernel::name);
        if (known == tried.kernels.end())
            return fmt::format("nothing says what kernel {} gives", name);
        seen.insert(known->name);
        cl_int code = CL_SUCCESS;
        const cl_kernel kernel = clCreateKernel(program, name.c_str(), &code);
        if (code != CL_SUCCESS)
            return fmt::format("kernel {} cannot be created: {}", name, code);
        std::vector<int64_t> out(static_cast<size_t>(items * room), untouched);
        std::string problem = session.run(kernel, out);
        clReleaseKernel(kernel);
        if (problem.empty())
            problem = compare(name, *known, out);
        if (!problem.empty())
            return problem;
    }
    for (const Kernel& kernel : tried.kernels)
        if (!seen.contains(kernel.name))
            return fmt::format("no kernel {}", kernel.name);
    return "";
}

std::string try_program(const Session& session, const Program& tried) {
    cl_program program = nullptr;
    std::string problem = session.build(std::string(preamble) + tried.source, tried.options, program);
    if (problem.empty())
        problem = try_kernels(session, tried, program);
    else
        problem = "does not build: " + problem;
    if (program != nullptr)
        clReleaseProgram(program);
    return problem;
}

std::vector<std::string> named_list(cl_device_id device, cl_device_info query) {
    size_t bytes = 0;
    clGetDeviceInfo(device, query, 0, nullptr, &bytes);
    std::vector<cl_name_version> all(bytes / sizeof(cl_name_version));
    clGetDeviceInfo(device, query, bytes, all.data(), nullptr);
    std::vector<std::string> out;
    for (const cl_name_version& one : all)
        out.emplace_back(one.name);
    return out;
}

// ---- macros: defined for what is told, and for nothing else that has a program, or that some compiler names

constexpr std::array others{"__opencl_c_pipes",
                            "__opencl_c_device_enqueue",
                            "__opencl_c_kernel_clock_scope_device",
                            "cl_khr_spir",
                            "cl_khr_mipmap_image",
                            "cl_khr_mipmap_image_writes",
                            "cl_khr_gl_sharing",
                            "cl_khr_gl_msaa_sharing",
                            "cl_khr_gl_depth_images",
                            "cl_khr_priority_hints",
                            "cl_khr_throttle_hints",
                            "cl_khr_external_memory",
                            "cl_khr_subgroup_named_barrier",
                            "cl_khr_kernel_clock",
                            "cl_khr_work_group_uniform_arithmetic",
                            "cl_intel_accelerator",
                            "cl_intel_motion_estimation",
                            "cl_intel_advanced_motion_estimation",
                            "cl_intel_device_side_avc_motion_estimation",
                            "cl_intel_spirv_device_side_avc_motion_estimation",
                            "cl_intel_media_block_io",
                            "cl_intel_spirv_media_block_io",
                            "cl_intel_planar_yuv",
                            "cl_intel_packed_yuv",
                            "cl_intel_subgroup_extended_block_read",
                            "cl_intel_driver_diagnostics",
                            "cl_intel_command_queue_families",
                            "cl_intel_mem_force_host_memory"};

std::vector<std::string> wrong_macros(const Session& session, const std::set<std::string>& names,
                                      const Told& told) {
    std::vector<std::string> asked(others.begin(), others.end());
    for (const std::string& name : names)
        if (!name.contains(':'))
            asked.push_back(name);
    std::string source = "kernel void macros(global long* out) {\n";
    for (size_t i = 0; i < asked.size(); ++i)
        source += fmt::format("#ifdef {}\nout[{}] = 1;\n#else\nout[{}] = 0;\n#endif\n", asked[i], i, i);
    source += "}\n";
    cl_program program = nullptr;
    std::string problem = session.build(source, "-cl-std=CL3.0", program);
    std::vector<int64_t> out(static_cast<size_t>(items * room), untouched);
    if (problem.empty()) {
        const cl_kernel kernel = clCreateKernel(program, "macros", nullptr);
        problem = session.run(kernel, out);
        clReleaseKernel(kernel);
    }
    if (program != nullptr)
        clReleaseProgram(program);
    if (!problem.empty())
        return {"macros: " + problem};
    std::vector<std::string> wrong;
    for (size_t i = 0; i < asked.size(); ++i)
        if ((out[i] == 1) != told.has(asked[i]))
            wrong.push_back(fmt::format("{}: {}, and its macro is {}", asked[i],
                                        told.has(asked[i]) ? "told" : "not told",
                                        out[i] == 1 ? "defined" : "not defined"));
    return wrong;
}

// ---- the whole of it

class Trial {
public:
    Trial(const Session& session, Told told) : session_(session), told_(std::move(told)) {}

    void take(const Program& program) {
        const std::string problem = try_program(session_, program);
        for (const std::string& name : program.proves) {
            of_language_.insert(name);
            note(name, problem);
        }
    }
    void take(const HostProgram& program) { note(std::string(program.proves), program.run(session_)); }

    // How many failures there are; all are told.
    int report() {
        int failures = 0;
        const auto fail = [&](const std::string& text) {
            fmt::print("FAILED {}\n", text);
            ++failures;
        };
        for (const std::string& name : told_.names)
            if (!problems_.contains(name))
                fail(name + ": told, and no program proves it");
        for (const auto& [name, problems] : problems_) {
            const bool told = told_.has(name);
            if (problems.empty())
                fmt::print("{} {}\n", told ? "true  " : "more  ", name);
            for (const std::string& problem : problems) {
                if (told)
                    fail(fmt::format("{}: told, and {}", name, problem));
                else
                    fmt::print("less   {}: {}\n", name, problem);
            }
        }
        for (const std::string& wrong : wrong_macros(session_, of_language_, told_))
            fail(wrong);
        return failures;
    }

private:
    void note(const std::string& name, const std::string& problem) {
        std::vector<std::string>& kept = problems_[name];
        if (!problem.empty())
            kept.push_back(problem);
    }

    const Session& session_;
    Told told_;
    std::map<std::string, std::vector<std::string>> problems_; // nothing: right
    std::set<std::string> of_language_;
};

// CL_DEVICE_SUB_GROUP_SIZES_INTEL, the least.
size_t least_sub_group(cl_device_id device) {
    std::array<size_t, 8> sizes{};
    size_t bytes = 0;
    clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes.data(), &bytes);
    const auto end = sizes.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof(size_t));
    return bytes == 0 ? 0 : *std::min_element(sizes.begin(), end);
}

std::vector<Program> all_programs(cl_device_id device) {
    std::vector<Program> out;
    for (const auto& family : {integer_programs, float_programs, atomic_programs, sub_group_programs,
                               intel_programs, group_programs, block_programs})
        for (Program& program : family())
            out.push_back(std::move(program));
    std::ranges::move(matrix_programs(least_sub_group(device)), std::back_inserter(out));
    return out;
}

} // namespace

std::string Session::build(std::string_view source, const std::string& options, cl_program& program) const {
    const char* text = source.data();
    const size_t length = source.size();
    cl_int code = CL_SUCCESS;
    program = clCreateProgramWithSource(context, 1, &text, &length, &code);
    if (code != CL_SUCCESS)
        return fmt::format("clCreateProgramWithSource: {}", code);
    code = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
    return code == CL_SUCCESS ? "" : gist(log_of(program, device));
}

std::string Session::run(cl_kernel kernel, std::vector<int64_t>& out) const {
    const size_t bytes = out.size() * sizeof(int64_t);
    cl_int code = CL_SUCCESS;
    const cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, out.data(), &code);
    if (code != CL_SUCCESS)
        return fmt::format("clCreateBuffer: {}", code);
    const size_t global = items;
    const size_t local = group_size;
    cl_event launched = nullptr;
    code = clSetKernelArg(kernel, 0, sizeof memory, &memory);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, &launched);
    if (code == CL_SUCCESS)
        code = clWaitForEvents(1, &launched);
    if (launched != nullptr)
        clReleaseEvent(launched);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, out.data(), 0, nullptr, nullptr);
    clReleaseMemObject(memory);
    return code == CL_SUCCESS ? "" : fmt::format("a launch ends with {}", code);
}

namespace {

int run_all() {
    setenv("OCL_ICD_VENDORS", VISOR_VENDORS, 1);
    Session session;
    cl_platform_id platform = nullptr;
    cl_int code = clGetPlatformIDs(1, &platform, nullptr);
    if (code != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &session.device, nullptr) != CL_SUCCESS)
        return std::puts("there is no device"), EXIT_FAILURE;
    session.context = clCreateContext(nullptr, 1, &session.device, nullptr, nullptr, &code);
    session.queue = clCreateCommandQueueWithProperties(session.context, session.device, nullptr, &code);
    cl_program program = nullptr;
    if (const std::string problem = session.build("kernel void empty() {}", "", program); !problem.empty())
        return fmt::print("nothing builds: {}\n", problem), EXIT_FAILURE;
    clReleaseProgram(program);
    Told told;
    for (const cl_device_info query :
         std::to_array<cl_device_info>({CL_DEVICE_EXTENSIONS_WITH_VERSION, CL_DEVICE_OPENCL_C_FEATURES}))
        std::ranges::move(named_list(session.device, query), std::back_inserter(told.names));
    std::ranges::move(told_bits(session.device), std::back_inserter(told.names));
    Trial trial(session, told);
    for (const Program& one : all_programs(session.device))
        trial.take(one);
    for (const HostProgram& one : host_programs())
        trial.take(one);
    const int failures = trial.report();
    fmt::print("{} told, {} failed\n", told.names.size(), failures);
    clReleaseCommandQueue(session.queue);
    clReleaseContext(session.context);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

} // namespace visor::opencl_extensions

int main() {
    return visor::opencl_extensions::run_all();
}
