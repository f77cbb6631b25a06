// A program for each extension, feature and capability of the platform: it uses all that is promised, and
// plain C++ says what comes out.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::opencl_extensions {

constexpr int items = 64;      // of a launch
constexpr int group_size = 32; // items of a work-group
constexpr int lanes = 16;      // of a sub-group
constexpr int room = 16;       // numbers that an item may write
constexpr int64_t untouched = -77;

// What the platform tells: names of extensions and features, and of bits of queries as `told_bits` calls
// them.
struct Told {
    std::vector<std::string> names;

    [[nodiscard]] bool has(std::string_view name) const;
};

struct Session {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;

    // "": built; else what the compiler says, or what went wrong.
    [[nodiscard]] std::string build(std::string_view source, const std::string& options,
                                    cl_program& program) const;
    // One launch of `items` in groups; "": done.
    [[nodiscard]] std::string run(cl_kernel kernel, std::vector<int64_t>& out) const;
};

// What the kernels write whose name, up to "__", is this one: the numbers of an item, from the first.
struct Kernel {
    std::string_view name;
    std::vector<int64_t> (*expected)(int item);
};

struct Program {
    std::vector<std::string> proves; // names that are true if it builds and is right
    std::string source;              // behind a preamble that defines KERNEL and PUT
    std::vector<Kernel> kernels;
    std::string options = "-cl-std=CL3.0";
};

// What the host does with the platform's functions; "": right.
struct HostProgram {
    std::string_view proves;
    std::string (*run)(const Session& session);
};

[[nodiscard]] std::vector<Program> integer_programs();
[[nodiscard]] std::vector<Program> float_programs();
[[nodiscard]] std::vector<Program> atomic_programs();
[[nodiscard]] std::vector<Program> sub_group_programs();
[[nodiscard]] std::vector<Program> intel_programs();
[[nodiscard]] std::vector<Program> group_programs();
[[nodiscard]] std::vector<Program> block_programs();
// `least_sub_group`: the lanes of the device's smallest sub-group.
[[nodiscard]] std::vector<Program> matrix_programs(size_t least_sub_group);
[[nodiscard]] std::vector<HostProgram> host_programs();

// Bits of queries, each by a name of its own: "CL_DEVICE_...: BIT".
[[nodiscard]] std::vector<std::string> told_bits(cl_device_id device);

} // namespace visor::opencl_extensions
