#include "replay.h"

#include "observers.h"

#include "cli/image.h"
#include "launch/arguments.h"
#include "process/process.h"
#include "vm/loaded.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace visor::seeded {

namespace {

using test::Argument;

struct Bound {
    std::vector<launch::ArgumentValue> values;
    std::vector<launch::Buffer> buffers; // by argument; of no bytes where there is none
    std::string problem;
};

launch::ArgumentValue image_of(const Argument& argument, const vm::Parameter& parameter,
                               const launch::Buffer& buffer) {
    cli::ImageFacts facts{.format = *machine::format_named(argument.type)};
    facts.size.dimensions = 2;
    facts.size.size = {static_cast<uint32_t>(argument.width), static_cast<uint32_t>(argument.height), 1};
    auto image = cli::image_of(facts, launch::shape_of(parameter.type_name));
    if (!image)
        return std::monostate{};
    image->address = buffer.address;
    return *image;
}

// Arrays are allocations of exactly their bytes, so that what is behind them is outside.
Bound bind(vm::Context& context, const vm::KernelFacts& kernel, const test::Launch& launch) {
    Bound bound;
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
        const Argument& argument = launch.arguments[i];
        launch::Buffer& buffer = bound.buffers.emplace_back();
        const bool array = argument.kind == Argument::Kind::array;
        if (array || argument.kind == Argument::Kind::image) {
            const auto allocated = context.allocate(argument.data.size(), fmt::format("argument {}", i));
            if (!allocated) {
                bound.problem = allocated.error().text;
                return bound;
            }
            buffer = *allocated;
            std::ranges::copy(argument.data, context.bytes_of(buffer).begin());
        }
        if (array)
            bound.values.emplace_back(buffer);
        else if (argument.kind == Argument::Kind::image)
            bound.values.push_back(image_of(argument, kernel.parameters.at(i), buffer));
        else if (argument.kind == Argument::Kind::local)
            bound.values.emplace_back(launch::LocalBytes{argument.local_bytes});
        else if (argument.kind == Argument::Kind::sampler)
            bound.values.emplace_back(cli::parse_sampler(argument.type).value_or(machine::Sampler{}));
        else
            bound.values.emplace_back(argument.data);
    }
    return bound;
}

launch::Geometry geometry_of(const test::Launch& launch) {
    launch::Geometry geometry{.dimensions = launch.dimensions};
    for (size_t d = 0; d < 3; ++d) {
        geometry.global[d] = launch.global[d];
        geometry.local[d] = static_cast<uint32_t>(launch.local[d]);
        geometry.offset[d] = launch.offset[d];
    }
    return geometry;
}

Bytes copy_of(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
}

} // namespace

Replay::Replay(const isa::Device& device) : device_(device), context_(device) {}

std::expected<std::shared_ptr<const vm::Program>, std::string>
Replay::program_of(const test::Place& place, const std::string& options) {
    if (const auto known = programs_.find(options); known != programs_.end())
        return known->second;
    std::string warnings;
    vm::LoadOptions load;
    load.device = device_.name;
    load.compiler_options = options;
    auto program = context_.load(place.source, test::read_file(place.source), load, warnings);
    if (!program)
        return std::unexpected(program.error().text);
    // Between launches nothing else is allocated: what there is is the programs' data.
    data_.clear();
    for (const machine::Allocation& allocation : context_.memory().allocations())
        data_.push_back({allocation.address, allocation.bytes});
    return programs_.emplace(options, *program).first->second;
}

std::vector<Bytes> Replay::data() const {
    std::vector<Bytes> all;
    for (const launch::Buffer& buffer : data_)
        all.push_back(copy_of({machine::Memory::host(buffer.address), buffer.bytes}));
    return all;
}

Outcome Replay::carry_out(const test::Launch& launch, const vm::Program& program, const Settings& settings) {
    const auto kernel = vm::kernel(program, launch.kernel);
    if (!kernel)
        return {.error = kernel.error().text};
    const Bound bound = bind(context_, *kernel, launch);
    vm::RunSettings run{.engine = vm::EngineKind::interpreter, .watcher = settings.watcher};
    run.options.seed = settings.seed;
    run.options.fuel = settings.fuel;
    run.options.timeout = 20;
    run.options.stop = settings.stop;
    Outcome outcome;
    outcome.error = bound.problem;
    if (outcome.error.empty()) {
        const auto report = context_.run(program, launch.kernel, bound.values, geometry_of(launch), run);
        if (report) {
            outcome.fault = report->fault;
            outcome.printed = report->printf_output;
        } else {
            outcome.error = report.error().text;
        }
    }
    for (const launch::Buffer& buffer : bound.buffers) {
        outcome.memory.push_back(buffer.address == 0 ? Bytes{} : copy_of(context_.bytes_of(buffer)));
        if (buffer.address != 0)
            context_.memory().free(buffer.address);
    }
    for (Bytes& bytes : data())
        outcome.memory.push_back(std::move(bytes));
    return outcome;
}

bool Replay::run(const test::Place& place, test::Launch& launch) {
    std::string options = launch.options;
    const auto program = program_of(place, options);
    if (!program) {
        problem_ = program.error();
        return false;
    }
    Recorded recorded{.program = *program, .kernel = launch.kernel, .launch = launch, .data = data()};
    if (recorded.kernel.empty() && !vm::kernels(**program).empty())
        recorded.kernel = vm::kernels(**program).front().name;
    Observer observer(**program);
    recorded.outcome = carry_out(launch, **program, {.watcher = &observer});
    observer.tell(recorded);
    if (!recorded.outcome.error.empty() || recorded.outcome.fault.kind != machine::FaultKind::none) {
        problem_ = recorded.outcome.error.empty() ? "a fault" : recorded.outcome.error;
        return false;
    }
    for (size_t i = 0; i < launch.arguments.size(); ++i)
        if (!recorded.outcome.memory[i].empty())
            launch.arguments[i].data = recorded.outcome.memory[i];
    launch.said = recorded.outcome.printed;
    recorded_.push_back(std::move(recorded));
    return true;
}

Outcome Replay::play(const Recorded& recorded, const vm::Program& program, const Settings& settings) {
    for (size_t i = 0; i < recorded.data.size(); ++i)
        std::ranges::copy(recorded.data[i], machine::Memory::host(data_[i].address));
    return carry_out(recorded.launch, program, settings);
}

std::shared_ptr<const vm::Program> replaced(const vm::Program& program, const FunctionName& name,
                                            Function function) {
    auto copy = std::make_shared<vm::Program>();
    auto changed = std::make_shared<const Function>(std::move(function));
    copy->device = program.device;
    copy->kernels = program.kernels;
    copy->symbols = program.symbols;
    copy->addressed = program.addressed;
    copy->non_uniform_groups = program.non_uniform_groups;
    for (const vm::LoadedFunction& known : program.functions)
        copy->add_function(known);
    if (name.index == 0) {
        for (vm::LoadedKernel& kernel : copy->kernels)
            if (kernel.facts.name == name.kernel)
                kernel.function = std::move(changed);
    } else {
        copy->functions[name.index - 1].function = std::move(changed);
    }
    return copy;
}

std::shared_ptr<const Function> function_of(const vm::Program& program, const FunctionName& name) {
    if (name.index != 0)
        return program.functions[name.index - 1].function;
    const auto kernel =
        std::ranges::find(program.kernels, name.kernel, [](const auto& one) { return one.facts.name; });
    return kernel->function;
}

FunctionName name_of(const vm::Program& program, const Function* function) {
    for (uint32_t i = 0; i < program.functions.size(); ++i)
        if (program.functions[i].function.get() == function)
            return {"", i + 1};
    for (const vm::LoadedKernel& kernel : program.kernels)
        if (kernel.function.get() == function)
            return {kernel.facts.name, 0};
    return {};
}

} // namespace visor::seeded
