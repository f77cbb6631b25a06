// A program: its source and its build. Its lock guards all members that a build changes; compilation runs
// without locks.
#pragma once

#include "opencl/context.h"
#include "opencl/object.h"
#include "vm/loaded.h"

#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace visor::opencl {

// What messages call the source of a program that an application gives as text.
inline constexpr const char* built_source_name = "program.cl";

enum class Origin : uint8_t { source, il, binary, linked };

// An executable, or modules to be linked.
struct Built {
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    std::string zebin;
    std::vector<std::string> modules; // SPIR-V
    std::shared_ptr<const vm::Program> loaded;
};

} // namespace visor::opencl

struct _cl_program : visor::opencl::Handle<visor::opencl::Kind::program> {
    _cl_program(visor::opencl::Ref<_cl_context> of, visor::opencl::Origin from)
        : context(std::move(of)), origin(from), number(++visor::opencl::platform().programs) {}

    const visor::opencl::Ref<_cl_context> context;
    const visor::opencl::Origin origin;
    const uint64_t number; // 1: the first that the application made
    std::string source;    // OpenCL C, or the SPIR-V that it was made from

    std::mutex facts;
    cl_build_status status = CL_BUILD_NONE;
    std::string options;
    std::string log;
    visor::opencl::Built built;
    cl_uint kernels = 0;                      // live ones
    std::map<cl_uint, std::string> constants; // specialized: id -> bytes
};

namespace visor::opencl {

// The result of a build step; on failure the code to return, with a log.
struct BuildResult {
    cl_int code = CL_SUCCESS;
    std::string log;
    Built built;
};
[[nodiscard]] BuildResult build_executable(_cl_program& program, const std::string& options);
[[nodiscard]] BuildResult compile_module(_cl_program& program, const std::string& options,
                                         const std::map<std::string, std::string>& headers);
[[nodiscard]] BuildResult link_modules(_cl_context& context, const std::vector<std::string>& modules,
                                       const std::string& options);

// Serializes for clCreateProgramWithBinary.
[[nodiscard]] std::string to_binary(const Built& built);
// Error: one sentence.
[[nodiscard]] std::expected<Built, std::string> from_binary(std::string_view binary,
                                                            const isa::Device& device);

// ---- SPIR-V as words

[[nodiscard]] bool is_spirv(std::string_view module);
// Bytes of the constant with this id; 0: there is none.
[[nodiscard]] size_t constant_bytes(std::string_view module, cl_uint id);
[[nodiscard]] std::string specialized(std::string_view module,
                                      const std::map<cl_uint, std::string>& constants);

} // namespace visor::opencl
