// The pipeline from source to results:
//
//   OpenCL C, SPIR-V --compile--> zebin --launch--> functions + signatures     (load.cpp)
//   vISA text        --text-----> module --verify--> functions                 (load.cpp)
//   function --prepare--> program --bind--> launches --machine + engine--> results or a fault
#include "vm/vm.h"

#include "interp/interp.h"
#include "launch/known_keys.h"
#include "machine/worker_arena.h"
#include "machine/worker_pool.h"
#include "module/source_line.h"
#include "vm/engine.h"
#include "vm/fault.h"
#include "vm/loaded.h"
#include "vm/printf.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace visor::vm {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Frees a plan's device memory after the launch.
class Release {
public:
    Release(machine::Memory& memory, const launch::Resources& resources)
        : memory_(memory), resources_(resources) {}
    ~Release() {
        for (const uint64_t address : resources_.allocations)
            memory_.free(address);
    }
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;
    Release(Release&&) = delete;
    Release& operator=(Release&&) = delete;

private:
    machine::Memory& memory_;
    const launch::Resources& resources_;
};

Error from_bind(const launch::BindError& error) {
    if (error.unsupported)
        return {ErrorKind::unsupported, "unsupported by Visor: " + error.message};
    return {ErrorKind::invalid, "error: " + error.message};
}

// The buffer of a launch's printf output; the destructor frees it.
class PrintfBuffer {
public:
    explicit PrintfBuffer(machine::Memory& memory) : memory_(memory) {}
    ~PrintfBuffer() {
        if (address_ != 0)
            memory_.free(address_);
    }
    PrintfBuffer(const PrintfBuffer&) = delete;
    PrintfBuffer& operator=(const PrintfBuffer&) = delete;
    PrintfBuffer(PrintfBuffer&&) = delete;
    PrintfBuffer& operator=(PrintfBuffer&&) = delete;

    [[nodiscard]] bool allocate() {
        const auto address = memory_.allocate(printf_buffer_bytes, "printf buffer");
        if (!address)
            return false;
        address_ = *address;
        std::memcpy(machine::Memory::host(address_), &printf_buffer_header, sizeof printf_buffer_header);
        return true;
    }
    [[nodiscard]] uint64_t address() const { return address_; }

    [[nodiscard]] std::string text() const {
        if (address_ == 0)
            return "";
        return format_printf({machine::Memory::host(address_), printf_buffer_bytes},
                             [this](uint64_t address) { return string_at(address); });
    }

private:
    [[nodiscard]] std::optional<std::string_view> string_at(uint64_t address) const {
        const machine::Allocation* allocation = memory_.find(address, 1);
        if (allocation == nullptr)
            return std::nullopt;
        const auto* begin = reinterpret_cast<const char*>(machine::Memory::host(address));
        const size_t room = allocation->bytes - (address - allocation->address);
        const size_t length = strnlen(begin, std::min(room, longest_printed_string + 1));
        return length == room ? std::nullopt : std::optional(std::string_view(begin, length));
    }

    machine::Memory& memory_;
    uint64_t address_ = 0;
};

void set_fault_line(const Function& function, RunReport& report) {
    const std::vector<SourceLine> lines = source_lines(function);
    if (report.fault.instruction < lines.size() && lines[report.fault.instruction].known()) {
        report.fault_file = lines[report.fault.instruction].file;
        report.fault_line = lines[report.fault.instruction].line;
    }
}

std::string join(const std::vector<std::string>& names) {
    return fmt::format("`{}`", fmt::join(names, "`, `"));
}

std::expected<const LoadedKernel*, Error> runnable(const Program& program, size_t index, bool hand_written) {
    const LoadedKernel& kernel = program.kernels[index];
    if (kernel.facts.hand_written != hand_written)
        return std::unexpected(
            Error{ErrorKind::internal, "error: a kernel was launched as one of the other kind"});
    return &kernel;
}

std::expected<std::shared_ptr<const Linked>, Error> linked(const Program& program, size_t index) {
    auto code = program.linked(index);
    if (!code)
        return code;
    for (const auto& part : (*code)->programs) { // the kernel and the functions that it can call
        if (const auto attribute = launch::unknown_attribute(*part->function))
            return std::unexpected(Error{
                ErrorKind::unsupported,
                fmt::format("unsupported by Visor: the vISA text of `{}` has the attribute {}: that is not "
                            "supported yet",
                            part->function->name, *attribute)});
    }
    if (!(*code)->unresolved.empty())
        return std::unexpected(Error{
            ErrorKind::invalid, fmt::format("error: kernel `{}` uses {}, which nothing defines",
                                            program.kernels[index].facts.name, join((*code)->unresolved))});
    return code;
}

} // namespace

namespace {

// Unsupported instructions fault when they are executed; unreachable ones do no harm.
isa::Fidelity fidelity_of(const visor::Program& program, const PreparedInstruction& instruction) {
    const isa::Fidelity row = isa::fidelity(*instruction.row);
    if (row == isa::Fidelity::unsupported || instruction.operand_count == 0)
        return isa::Fidelity::exact;
    const bool is_float = isa::is_float(program.operands_of(instruction).front().type);
    return is_float ? row : isa::Fidelity::exact;
}

struct Judgement {
    isa::Fidelity fidelity = isa::Fidelity::exact;
    std::string names;
};
Judgement judge_fidelity(const Linked& code) {
    Judgement out;
    std::set<std::string_view> names;
    for (const auto& program : code.programs) {
        for (const PreparedInstruction& instruction : program->code) {
            const isa::Fidelity found = fidelity_of(*program, instruction);
            if (found == isa::Fidelity::exact)
                continue;
            out.fidelity = std::max(out.fidelity, found);
            names.insert(instruction.row->mnemonic);
        }
    }
    out.names = fmt::format("{}", fmt::join(names, ", "));
    return out;
}

// A program without linked functions.
bool is_alone(const Linked& code) {
    const machine::LaunchFunction& kernel = code.functions.front();
    return code.functions.size() == 1 &&
           std::ranges::all_of(kernel.symbols, [](uint64_t symbol) { return symbol == 0; }) &&
           std::ranges::all_of(kernel.callees, [](uint32_t callee) { return callee == no_target; });
}

} // namespace

// Kernels of programs that have gone, which a context keeps.
constexpr uint64_t kept_kernels = 8;

struct Context::State {
    const isa::Device& device;
    machine::Memory memory{};
    machine::WorkerArenas arenas{};
    machine::WorkerPool pool{};
    // Cached facts of a kernel, for its program's lifetime.
    struct Known {
        std::unique_ptr<Engines> engines;
        Judgement judgement;
        bool names_anything = false; // functions or data, by name
        std::weak_ptr<const void> program;
        uint64_t number = 0; // in the order in which they first ran
    };
    std::map<const Linked*, Known> known_kernels{}; // the engines hold the keys
    uint64_t next_number = 0;

    const Known& known(const Program& program, const std::shared_ptr<const Linked>& code) {
        Known& found = known_kernels[code.get()];
        if (found.engines == nullptr) {
            found = {make_engines(code), judge_fidelity(*code), !is_alone(*code), program.life,
                     next_number++};
            forget_old_kernels();
        }
        return found;
    }

    // Kernels of programs that have gone. The newest stay a while: code may still be made for them, whose end
    // would be waited for.
    void forget_old_kernels() {
        std::erase_if(known_kernels, [this](const auto& entry) {
            return entry.second.program.expired() && entry.second.number + kept_kernels < next_number;
        });
    }

    static EngineRequest request_of(const machine::Launch& launch, const RunSettings& settings) {
        return {.kind = settings.engine,
                .simd = launch.simd,
                .threads = machine::group_count(launch) * launch.threads,
                .watched = settings.watcher != nullptr,
                .watch_filter = settings.watch_filter,
                .seeded = settings.options.seed != 0};
    }

    // Runs a plan's launches in order, and reports.
    RunReport run(const Program& program, const LoadedKernel& kernel,
                  const std::shared_ptr<const Linked>& linked, launch::Plan& plan,
                  const RunSettings& settings, RunReport&& report) {
        const Linked& code = *linked;
        const Clock::time_point start = Clock::now();
        report.local = plan.local;
        const Known& kernel_facts = known(program, linked);
        report.fidelity = kernel_facts.judgement.fidelity;
        report.fidelity_names = kernel_facts.judgement.names;
        Engines& engines = *kernel_facts.engines;
        machine::RunOptions options = settings.options;
        options.pool = &pool;
        options.arenas = &arenas;
        const bool names_anything = kernel_facts.names_anything;
        for (machine::Launch& launch : plan.launches) {
            launch.reach = settings.reach;
            if (names_anything) {
                launch.functions = code.functions;
                launch.function_numbers = code.function_numbers;
            }
            for (size_t d = 0; d < 3; ++d)
                report.groups[d] =
                    std::max<uint64_t>(report.groups[d], launch.first_group[d] + launch.groups[d]);
            if (settings.options.timeout > 0)
                options.timeout = std::max(settings.options.timeout - seconds_since(start), 1e-6);
            const auto engine = engines.choose(request_of(launch, settings));
            if (!engine) {
                report.error = engine.error();
                break;
            }
            report.native = report.native || engine->native;
            report.engine_story = engine->why;
            if (engine->refused || (settings.engine == EngineKind::jit && !engine->native))
                report.no_code = engine->why;
            const machine::RunResult result =
                machine::run(launch, *engine->engine, options, settings.watcher);
            report.work_groups += result.groups;
            report.hardware_threads += result.threads;
            report.instructions += result.instructions;
            if (!engine->native)
                engines.interpreted(result.instructions);
            if (result.fault.kind != machine::FaultKind::none) {
                report.fault = result.fault;
                report.error = describe(result.fault, kernel, code, memory);
                set_fault_line(*code.programs[result.fault.function]->function, report);
                if (result.fault.function != 0)
                    report.fault_function = code.programs[result.fault.function]->function->name;
                break;
            }
        }
        report.run_seconds = seconds_since(start);
        if (report.native) {
            Engines::Story story = engines.story();
            report.native = story.has_code;
            report.code_seconds = story.code_seconds;
            report.engine_failed = story.failed;
            if (!story.has_code)
                report.no_code = std::move(story.refused);
            report.engine_story = std::move(story.text);
        }
        return std::move(report);
    }
};

Context::Context(const isa::Device& device) : state_(new State{device}) {}
Context::~Context() = default;

const isa::Device& Context::device() const {
    return state_->device;
}

machine::Memory& Context::memory() {
    return state_->memory;
}

std::expected<std::shared_ptr<const Program>, Error> Context::load(std::string_view name,
                                                                   std::string_view content,
                                                                   const LoadOptions& options,
                                                                   std::string& warnings) {
    const isa::Device* const device =
        options.device.empty() ? &state_->device : isa::device_named(options.device);
    if (device == nullptr)
        return std::unexpected(
            Error{ErrorKind::invalid, fmt::format("error: there is no device `{}`", options.device)});
    return load_program(name, content, options, *device, state_->memory, warnings);
}

std::expected<launch::Buffer, Error> Context::allocate(uint64_t bytes, std::string label) {
    const auto address = state_->memory.allocate(bytes, std::move(label));
    if (!address)
        return std::unexpected(Error{ErrorKind::invalid, "error: " + address.error()});
    return launch::Buffer{*address, bytes};
}

std::span<std::byte> Context::bytes_of(const launch::Buffer& buffer) {
    return {machine::Memory::host(buffer.address), buffer.bytes};
}

std::expected<RunReport, Error> Context::run(const Program& program, std::string_view kernel,
                                             std::span<const launch::ArgumentValue> arguments,
                                             const launch::Geometry& geometry, const RunSettings& settings) {
    const auto index = find_kernel(program, kernel);
    if (!index)
        return std::unexpected(index.error());
    const auto loaded = runnable(program, *index, false);
    if (!loaded)
        return std::unexpected(loaded.error());
    const Clock::time_point start = Clock::now();
    const auto code = linked(program, *index);
    if (!code)
        return std::unexpected(code.error());
    launch::Geometry space = geometry;
    space.allow_non_uniform = space.allow_non_uniform || program.non_uniform_groups;
    const launch::Signature& signature = *(*loaded)->signature;
    PrintfBuffer printf(state_->memory);
    if (std::ranges::any_of(signature.payload, [](const launch::PayloadItem& item) {
            return item.kind == launch::PayloadKind::printf_buffer;
        })) {
        if (!printf.allocate())
            return std::unexpected(Error{ErrorKind::invalid, "error: no memory for the printf buffer"});
    }
    auto plan =
        launch::bind(signature, *(*code)->programs.front(), arguments, space,
                     std::max(settings.options.workers, 1U), printf.address(), state_->memory, program.data);
    if (!plan)
        return std::unexpected(from_bind(plan.error()));
    const Release release(state_->memory, plan->resources);
    RunReport report;
    report.prepare_seconds = seconds_since(start);
    report = state_->run(program, **loaded, *code, *plan, settings, std::move(report));
    report.printf_output = printf.text();
    return report;
}

std::expected<RunReport, Error> Context::run(const Program& program, std::string_view kernel,
                                             std::span<const launch::HandInput> inputs,
                                             std::span<const launch::HandState> states,
                                             const launch::HandGeometry& geometry,
                                             const RunSettings& settings) {
    const auto index = find_kernel(program, kernel);
    if (!index)
        return std::unexpected(index.error());
    const auto loaded = runnable(program, *index, true);
    if (!loaded)
        return std::unexpected(loaded.error());
    const Clock::time_point start = Clock::now();
    const auto code = linked(program, *index);
    if (!code)
        return std::unexpected(code.error());
    auto plan =
        launch::bind_hand_written(*(*code)->programs.front(), inputs, states, geometry, state_->memory);
    if (!plan)
        return std::unexpected(from_bind(plan.error()));
    const Release release(state_->memory, plan->resources);
    RunReport report;
    report.prepare_seconds = seconds_since(start);
    return state_->run(program, **loaded, *code, *plan, settings, std::move(report));
}

std::vector<KernelFacts> kernels(const Program& program) {
    std::vector<KernelFacts> out;
    for (const LoadedKernel& kernel : program.kernels)
        out.push_back(kernel.facts);
    return out;
}

std::expected<size_t, Error> find_kernel(const Program& program, std::string_view name) {
    const auto found = std::ranges::find_if(
        program.kernels, [&](const LoadedKernel& kernel) { return kernel.facts.name == name; });
    if (found != program.kernels.end() && !name.empty()) {
        if (found->refusal)
            return std::unexpected(*found->refusal);
        return static_cast<size_t>(found - program.kernels.begin());
    }
    std::vector<std::string_view> names;
    for (const LoadedKernel& kernel : program.kernels)
        names.emplace_back(kernel.facts.name);
    if (names.empty())
        return std::unexpected(Error{ErrorKind::invalid, "error: the file has no kernel"});
    if (name.empty()) {
        if (names.size() == 1)
            return 0;
        return std::unexpected(
            Error{ErrorKind::invalid, fmt::format("error: the file has {} kernels, choose one with -k: {}",
                                                  names.size(), fmt::join(names, ", "))});
    }
    std::string hint = did_you_mean(name, names);
    if (hint.empty())
        hint = fmt::format(" (there {} {})", names.size() == 1 ? "is" : "are", fmt::join(names, ", "));
    return std::unexpected(
        Error{ErrorKind::invalid, fmt::format("error: there is no kernel `{}`{}", name, hint)});
}

std::expected<KernelFacts, Error> kernel(const Program& program, std::string_view name) {
    const auto index = find_kernel(program, name);
    if (!index)
        return std::unexpected(index.error());
    return program.kernels[*index].facts;
}

launch::Buffer variables_of(const Program& program) {
    return program.data.variables;
}

std::expected<std::vector<std::string>, Error> not_executed(const Program& program, std::string_view kernel) {
    const auto index = find_kernel(program, kernel);
    if (!index)
        return std::unexpected(index.error());
    const auto code = program.linked(*index);
    if (!code)
        return std::unexpected(code.error());
    std::set<std::string> found;
    for (const auto& flat : (*code)->programs) {
        for (const PreparedInstruction& instruction : flat->code) {
            if (interp::handler(*flat, instruction) != nullptr)
                continue;
            const std::string_view why = instruction.row->unsupported;
            found.insert(
                fmt::format("{}: {}", instruction.row->mnemonic, why.empty() ? "not in this form yet" : why));
        }
    }
    for (const std::string& name : (*code)->unresolved)
        found.insert(fmt::format("{}: nothing defines it", name));
    return std::vector<std::string>(found.begin(), found.end());
}

std::expected<KernelSource, Error> source_of(const Program& program, std::string_view kernel) {
    const auto index = find_kernel(program, kernel);
    if (!index)
        return std::unexpected(index.error());
    const LoadedKernel& found = program.kernels[*index];
    return KernelSource{found.function, found.text_name, *found.text};
}

std::expected<std::vector<KernelSource>, Error> sources_of(const Program& program, std::string_view kernel) {
    const auto index = find_kernel(program, kernel);
    if (!index)
        return std::unexpected(index.error());
    const auto code = program.linked(*index);
    if (!code)
        return std::unexpected(code.error());
    const LoadedKernel& own = program.kernels[*index];
    std::vector<KernelSource> out;
    for (const LoadedFunction* function : (*code)->loaded)
        out.push_back(function == nullptr
                          ? KernelSource{own.function, own.text_name, *own.text}
                          : KernelSource{function->function, function->text_name, *function->text});
    return out;
}

std::string_view version() {
    return VISOR_VERSION;
}

} // namespace visor::vm
