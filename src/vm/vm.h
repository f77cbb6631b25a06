// The facade: load a file, prepare its kernels, run them, read the results. The command line, the C API and
// the OpenCL library use it.
#pragma once

#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "isa/row.h"
#include "launch/bind.h"
#include "launch/signature.h"
#include "machine/fault.h"
#include "machine/launch.h"
#include "machine/memory.h"
#include "machine/watch.h"
#include "machine/watch_filter.h"
#include "module/module.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::vm {

enum class InputKind : uint8_t { opencl_c, spirv, zebin, visa_text, visa_binary, launch_file, unknown };

// By content first, then by the extension.
[[nodiscard]] InputKind identify(std::string_view content, std::string_view name);

// The device that a text with launch metadata names; nullptr when it has none.
[[nodiscard]] const isa::Device* device_named_in(std::string_view content);

enum class ErrorKind : uint8_t {
    invalid,     // input, argument or build: exit 1
    unsupported, // exit 3
    compiler,    // missing or crashed: exit 3
    time,        // fuel or time spent: exit 124
    fault,       // the kernel: exit 1
    internal,    // exit 4
};
struct Error {
    ErrorKind kind = ErrorKind::invalid;
    std::string text; // the message, possibly several lines, without a final newline
};

enum class EngineKind : uint8_t { automatic, interpreter, jit };

// Text that replaces a compiled kernel's.
struct KernelText {
    std::string kernel;
    std::string name; // what messages call it
    std::string content;
};

struct LoadOptions {
    std::string device;   // "": the context's
    std::string compiler; // a version or a folder (compile/compilers.h); "": the newest that knows the device
    std::string compiler_options;
    std::vector<std::string> include_folders;
    std::vector<KernelText> texts;
    // OpenCL C: requests source lines of instructions from the compiler (FILE and LOC in the text).
    // The code is the same with and without (ruling 94).
    bool source_lines = false;
    bool use_cache = true;
    bool keep_content = false; // for content_of()
    double time_limit = 60;    // of the compiler, seconds of CPU time; 0: none
    Color color = Color::off;
    // Called with a progress message of a long compilation; empty: none.
    std::function<void(std::string_view)> on_wait;
};

// One parameter of a kernel: an OpenCL argument, or an explicit input of hand-written text.
enum class ParameterKind : uint8_t {
    value,         // OpenCL, by value
    buffer,        // global or constant pointer
    local,         // local pointer
    image,         //
    sampler,       //
    variable,      // hand-written: a general variable
    surface,       // hand-written: a surface variable
    state_sampler, // hand-written: a sampler variable
};
struct Parameter {
    ParameterKind kind = ParameterKind::value;
    bool optional =
        false;        // hand-written: a surface that is no input; unbound when it is not given, only by name
    std::string name; // may be "" for compiled kernels without names
    std::string type_name; // "float*", "int4"; vISA type for variables
    isa::Type element =
        isa::Type::ud; // of a value, a variable, or what a pointer points to when that is a scalar type
    bool element_known = false; // false: struct or opaque
    uint32_t bytes = 0;         // of a value or variable
    uint32_t elements = 1;      // of a vector value or variable
    std::string access;         // of an image: "read_only", "write_only", "read_write"
};

struct KernelFacts {
    std::string name;
    bool hand_written = false;
    uint32_t simd = 0;
    uint32_t slm_bytes = 0;
    std::array<uint32_t, 3> required_group_size{};
    uint32_t instructions = 0;
    std::vector<Parameter> parameters;
};

// A loaded file: its kernels, ready to prepare. Immutable; shared by launches.
class Program;

// Default fuel of a hardware thread, in instructions: stops endless loops.
inline constexpr uint64_t default_fuel = 1'000'000'000;
inline constexpr const char* default_device = "skl";

struct RunSettings {
    EngineKind engine = EngineKind::automatic;
    machine::RunOptions options;
    machine::Watcher* watcher = nullptr;
    std::optional<machine::WatchFilter> watch_filter{};    // events that the watcher needs; nothing: all
    std::shared_ptr<const machine::DeclaredReach> reach{}; // for the watcher; null: not declared
};

struct RunReport {
    std::array<uint32_t, 3> local{};
    std::array<uint64_t, 3> groups{};
    uint64_t hardware_threads = 0;
    uint64_t work_groups = 0; // finished
    uint64_t instructions = 0;
    double prepare_seconds = 0;
    double run_seconds = 0;
    std::string printf_output;
    std::optional<Error> error; // a fault, fuel, time, unsupported: counters include everything before
    machine::Fault fault;       // kind none when there was none
    std::string fault_function; // the function of the fault; "" = the kernel
    std::string fault_file;     // the source line of the fault; "" = unknown
    uint32_t fault_line = 0;
    // The worst of the kernel's instructions, and which have it ("" when all are exact).
    isa::Fidelity fidelity = isa::Fidelity::exact;
    std::string fidelity_names; // "sin, inv"
    bool native = false;        // the JIT's code ran
    double code_seconds = 0;    // until the first code was ready, of all launches so far
    std::string engine_story;   // the JIT's statistics, or why it did not run
    // Why the interpreter ran a launch that was to have machine code: the JIT was requested, or compiled
    // nothing. "": it had code, or was not to have any.
    std::string no_code;
    bool engine_failed = false; // a bug of its code generator: the interpreter ran instead
};

// Device memory and settings that launches share. One thread at a time.
class Context {
public:
    explicit Context(const isa::Device& device);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    Context(Context&&) = delete;
    Context& operator=(Context&&) = delete;

    // Compiles (OpenCL C, SPIR-V) or reads (zebin, text). `name`: the file's name in messages. Warnings of
    // the compiler and the checker go to `warnings`, ready to print.
    [[nodiscard]] std::expected<std::shared_ptr<const Program>, Error>
    load(std::string_view name, std::string_view content, const LoadOptions& options, std::string& warnings);

    [[nodiscard]] std::expected<launch::Buffer, Error> allocate(uint64_t bytes, std::string label);
    [[nodiscard]] std::span<std::byte> bytes_of(const launch::Buffer& buffer);

    // Compiled kernels; `arguments` by index.
    [[nodiscard]] std::expected<RunReport, Error> run(const Program& program, std::string_view kernel,
                                                      std::span<const launch::ArgumentValue> arguments,
                                                      const launch::Geometry& geometry,
                                                      const RunSettings& settings);
    // Hand-written kernels.
    [[nodiscard]] std::expected<RunReport, Error> run(const Program& program, std::string_view kernel,
                                                      std::span<const launch::HandInput> inputs,
                                                      std::span<const launch::HandState> states,
                                                      const launch::HandGeometry& geometry,
                                                      const RunSettings& settings);

    [[nodiscard]] const isa::Device& device() const;
    [[nodiscard]] machine::Memory& memory();

private:
    struct State;
    std::unique_ptr<State> state_;
};

[[nodiscard]] std::vector<KernelFacts> kernels(const Program& program);
// The kernel of this name ("" = the only one). Error: names the kernels there are, the nearest first.
[[nodiscard]] std::expected<KernelFacts, Error> kernel(const Program& program, std::string_view name);

// The program's variables, which launches share, in the memory of its context; none: no bytes.
[[nodiscard]] launch::Buffer variables_of(const Program& program);

// The compiler that made the program: "ocloc 26.27.39122 (IGC 2.40.14)"; "" when it came as code.
[[nodiscard]] const std::string& compiler_of(const Program& program);

// Unsupported instructions of a kernel, each text form once, with the reason; empty when all are supported.
// Prepares the kernel. Error: it cannot be prepared.
[[nodiscard]] std::expected<std::vector<std::string>, Error> not_executed(const Program& program,
                                                                          std::string_view kernel);

// What a program was loaded from, and what runs. Empty without LoadOptions::keep_content.
struct ProgramContent {
    std::string device;                  // "skl"
    InputKind kind = InputKind::unknown; // of `source`
    std::string source;                  // OpenCL C or SPIR-V; "": it came as code
    std::string options;                 // of the compiler
    InputKind code_kind = InputKind::unknown;
    std::string code;              // a zebin, vISA text or a vISA binary
    std::vector<KernelText> texts; // that replace kernels' own
};
[[nodiscard]] const ProgramContent& content_of(const Program& program);

// A kernel's code and the text that its locations refer to. The views live as long as the program.
struct KernelSource {
    std::shared_ptr<const Function> function;
    std::string_view name; // the text's name in messages
    std::string_view text;
};
[[nodiscard]] std::expected<KernelSource, Error> source_of(const Program& program, std::string_view kernel);

// Likewise, for the kernel, then every function that it can call. Prepares the kernel.
[[nodiscard]] std::expected<std::vector<KernelSource>, Error> sources_of(const Program& program,
                                                                         std::string_view kernel);

// Undefined names that kernels and functions of the program call, or take the address of; each once.
[[nodiscard]] std::vector<std::string> undefined_names(const Program& program);

// Whether this build has a JIT.
[[nodiscard]] bool has_jit();
// Prestarts the code generator's process for a launch that is expected within seconds. The process exits when
// no request arrives. Thread-safe.
void expect_native();
// Constructs the library's process-lifetime objects: functions registered with atexit() after this call can
// still use them.
void make_lasting();

[[nodiscard]] std::string_view version();

} // namespace visor::vm
