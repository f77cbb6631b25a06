#include "replay.h"

#include "observers.h"

#include "cli/launch/bindings.h"
#include "cli/value/image.h"
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
Replay::program_of(const std::string& path, const std::string& options) {
    if (const auto known = programs_.find(options); known != programs_.end())
        return known->second;
    std::string warnings;
    vm::LoadOptions load;
    load.device = device_.name;
    load.compiler_options = options;
    auto program = context_.load(path, test::read_file(path), load, warnings);
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

Replay::Report Replay::launch(const Recorded& recorded, const vm::Program& program,
                              const vm::RunSettings& run, std::vector<launch::Buffer>& buffers,
                              std::string& problem) {
    const auto kernel = vm::kernel(program, recorded.kernel);
    if (!kernel)
        return std::unexpected(kernel.error());
    Bound bound = bind(context_, *kernel, recorded.launch);
    buffers = std::move(bound.buffers);
    problem = std::move(bound.problem);
    if (!problem.empty())
        return vm::RunReport{};
    return context_.run(program, recorded.kernel, bound.values, geometry_of(recorded.launch), run);
}

Replay::Report Replay::launch(const ByHand& example, const vm::Program& program, const vm::RunSettings& run,
                              std::vector<launch::Buffer>& buffers, std::string& problem) {
    const auto kernel = vm::kernel(program, example.launch.kernel);
    if (!kernel)
        return std::unexpected(kernel.error());
    std::vector<cli::BoundArray> arrays;
    const auto keep = [&](const cli::BoundArray& array) {
        if (std::ranges::find(buffers, array.buffer.address, &launch::Buffer::address) == buffers.end())
            buffers.push_back(array.buffer);
    };
    for (const cli::NamedArray& array : example.arrays) {
        auto made = cli::make_array(context_, array.name, array.value, std::nullopt);
        if (!made) {
            problem = made.error().text;
            return vm::RunReport{};
        }
        made->name = array.name;
        keep(*made);
        arrays.push_back(std::move(*made));
    }
    const auto bindings = cli::bind(context_, *kernel, example.launch.arguments, {}, arrays);
    if (!bindings) {
        problem = bindings.error().text;
        return vm::RunReport{};
    }
    std::ranges::for_each(bindings->arrays, keep);
    launch::HandGeometry size;
    size.simd = example.launch.simd.value_or(kernel->simd);
    size.slm_bytes = example.launch.slm_bytes.value_or(kernel->slm_bytes);
    size.in_threads = true;
    for (size_t d = 0; d < size.groups.size(); ++d)
        size.groups.at(d) = static_cast<uint32_t>(example.launch.groups.size.at(d));
    size.threads = example.launch.hardware_threads.value_or(1);
    return context_.run(program, kernel->name, bindings->inputs, bindings->states, size, run);
}

Outcome Replay::carry_out(const Recorded& recorded, const vm::Program& program, const Settings& settings) {
    vm::RunSettings run{.engine = vm::EngineKind::interpreter, .watcher = settings.watcher};
    run.options.seed = settings.seed;
    run.options.fuel = settings.fuel;
    run.options.timeout = 20;
    run.options.stop = settings.stop;
    Outcome outcome;
    std::vector<launch::Buffer> buffers;
    const Report report = recorded.by_hand ? launch(*recorded.by_hand, program, run, buffers, outcome.error)
                                           : launch(recorded, program, run, buffers, outcome.error);
    if (!report) {
        outcome.error = report.error().text;
    } else {
        outcome.fault = report->fault;
        outcome.printed = report->printf_output;
    }
    for (const launch::Buffer& buffer : buffers) {
        outcome.memory.push_back(buffer.address == 0 ? Bytes{} : copy_of(context_.bytes_of(buffer)));
        if (buffer.address != 0)
            context_.memory().free(buffer.address);
    }
    for (Bytes& bytes : data())
        outcome.memory.push_back(std::move(bytes));
    return outcome;
}

// False: it did not run to its end.
bool Replay::record(Recorded recorded) {
    Observer observer(*recorded.program);
    recorded.outcome = carry_out(recorded, *recorded.program, {.watcher = &observer});
    observer.tell(recorded);
    if (!recorded.outcome.error.empty() || recorded.outcome.fault.kind != machine::FaultKind::none) {
        problem_ = recorded.outcome.error.empty() ? "a fault" : recorded.outcome.error;
        return false;
    }
    recorded_.push_back(std::move(recorded));
    return true;
}

bool Replay::run(const test::Place& place, test::Launch& launch) {
    const auto program = program_of(place.source, launch.options);
    if (!program) {
        problem_ = program.error();
        return false;
    }
    Recorded recorded{.program = *program, .kernel = launch.kernel, .launch = launch, .data = data()};
    if (recorded.kernel.empty() && !vm::kernels(**program).empty())
        recorded.kernel = vm::kernels(**program).front().name;
    if (!record(std::move(recorded)))
        return false;
    const Outcome& outcome = recorded_.back().outcome;
    for (size_t i = 0; i < launch.arguments.size(); ++i)
        if (!outcome.memory[i].empty())
            launch.arguments[i].data = outcome.memory[i];
    launch.said = outcome.printed;
    return true;
}

bool Replay::run(const ByHand& example) {
    const auto program = program_of(example.path, "");
    if (!program) {
        problem_ = program.error();
        return false;
    }
    Recorded recorded{.program = *program, .by_hand = example, .data = data()};
    const std::vector<vm::KernelFacts> kernels = vm::kernels(**program);
    if (!kernels.empty())
        recorded.kernel = kernels.front().name;
    return record(std::move(recorded));
}

Outcome Replay::play(const Recorded& recorded, const vm::Program& program, const Settings& settings) {
    for (size_t i = 0; i < recorded.data.size(); ++i)
        std::ranges::copy(recorded.data[i], machine::Memory::host(data_[i].address));
    return carry_out(recorded, program, settings);
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
