#include "vm/run_comparison.h"

#include "launch/arguments.h"
#include "vm/target.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace visor::vm {

namespace {

constexpr uint64_t buffer_bytes = uint64_t{256}
                                  << 10U; // indices that kernels make of small numbers stay inside
constexpr uint64_t local_bytes = 4096;
constexpr uint32_t image_side = 16;
constexpr uint64_t most_instructions = 10'000'000; // of a hardware thread
constexpr double most_seconds = 10;                // of a run
constexpr uint64_t groups = 4;

// SplitMix64.
class Drawn {
public:
    explicit Drawn(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15) {}

    uint64_t next() {
        uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31U);
    }
    uint64_t below(uint64_t limit) { return next() % limit; }

    // Small whole numbers, and a few of any value, as `type` has them.
    void fill(std::span<std::byte> bytes, isa::Type type, bool any_values) {
        const size_t size = std::max<size_t>(isa::size_of(type), 1);
        for (size_t at = 0; at + size <= bytes.size(); at += size) {
            const uint64_t bits = any_values && below(8) == 0 ? next() : small(type);
            std::memcpy(bytes.data() + at, &bits, size);
        }
    }

private:
    uint64_t small(isa::Type type) {
        constexpr uint64_t limit = 61;
        const uint64_t number = below(limit);
        const auto value = static_cast<double>(number) / 4;
        uint64_t bits = number;
        if (type == isa::Type::f) {
            const auto narrow = static_cast<float>(value);
            std::memcpy(&bits, &narrow, sizeof narrow);
        } else if (type == isa::Type::df) {
            std::memcpy(&bits, &value, sizeof value);
        } else if (type == isa::Type::hf) {
            const auto half = static_cast<_Float16>(value);
            bits = 0;
            std::memcpy(&bits, &half, sizeof half);
        }
        return bits;
    }

    uint64_t state_;
};

// Memory that a launch can change.
struct Watched {
    std::string name;
    launch::Buffer buffer;
};

// A file with its device memory, loaded once.
class Side {
public:
    Side(const File& file, const isa::Device& device) : file_(file), context_(device) {}

    [[nodiscard]] std::expected<void, Error> load(const ComparisonRequest& request, std::string& warnings) {
        LoadOptions options;
        options.compiler = request.units.compiler;
        options.compiler_options = request.units.compiler_options;
        options.color = request.units.color;
        auto program = context_.load(file_.name, file_.content, options, warnings);
        if (!program)
            return std::unexpected(program.error());
        program_ = std::move(*program);
        return {};
    }

    [[nodiscard]] std::vector<KernelFacts> kernels() const {
        std::vector<KernelFacts> out = vm::kernels(*program_);
        for (KernelFacts& kernel : out)
            sort_inputs(kernel);
        return out;
    }

    // What there is after a run of the kernel on the inputs of this seed; error: why it did not finish.
    [[nodiscard]] std::expected<std::vector<Watched>, Error> run(const KernelFacts& kernel, uint64_t seed);

    [[nodiscard]] std::span<const std::byte> bytes_of(const Watched& watched) {
        return context_.bytes_of(watched.buffer);
    }

private:
    using Ran = std::expected<RunReport, Error>;

    // Those of text by hand are given by name: the same input is the one that lies in the same registers.
    void sort_inputs(KernelFacts& kernel) const {
        const auto source = source_of(*program_, kernel.name);
        if (!kernel.hand_written || !source || source->function->inputs.size() > kernel.parameters.size())
            return;
        const std::vector<Input>& inputs = source->function->inputs;
        std::vector<size_t> order(inputs.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::ranges::sort(order, {}, [&](size_t k) { return std::pair(inputs[k].offset, k); });
        const std::vector<Parameter> given = kernel.parameters;
        for (size_t k = 0; k < order.size(); ++k)
            kernel.parameters[k] = given[order[k]];
    }
    std::expected<launch::Buffer, Error> memory(const std::string& name, uint64_t bytes) {
        // The same in all runs: a context keeps what it allocates.
        const auto known = std::ranges::find(memory_, name, &Watched::name);
        if (known != memory_.end())
            return known->buffer;
        auto made = context_.allocate(bytes, name);
        if (made)
            memory_.push_back({name, *made});
        return made;
    }
    std::expected<launch::Buffer, Error> drawn_buffer(const Parameter& parameter, size_t index, Drawn& drawn);
    std::expected<machine::Image, Error> drawn_image(const Parameter& parameter, size_t index, Drawn& drawn);
    Ran run_compiled(const KernelFacts& kernel, Drawn& drawn);
    Ran run_hand_written(const KernelFacts& kernel, Drawn& drawn);

    const File& file_;
    Context context_;
    std::shared_ptr<const Program> program_;
    std::vector<Watched> memory_;
    std::vector<Watched> used_; // of the run
};

RunSettings settings() {
    RunSettings settings;
    settings.engine = EngineKind::interpreter;
    settings.options.fuel = most_instructions;
    settings.options.timeout = most_seconds;
    return settings;
}

std::string name_of(const Parameter& parameter, size_t index) {
    return parameter.name.empty() ? fmt::format("argument {}", index)
                                  : fmt::format("argument {} `{}`", index, parameter.name);
}

std::expected<launch::Buffer, Error> Side::drawn_buffer(const Parameter& parameter, size_t index,
                                                        Drawn& drawn) {
    const auto buffer = memory(name_of(parameter, index), buffer_bytes);
    if (!buffer)
        return buffer;
    const isa::Type type = parameter.element_known ? parameter.element : isa::Type::ud;
    drawn.fill(context_.bytes_of(*buffer), type, isa::is_float(type));
    used_.push_back({name_of(parameter, index), *buffer});
    return buffer;
}

std::expected<machine::Image, Error> Side::drawn_image(const Parameter& parameter, size_t index,
                                                       Drawn& drawn) {
    const auto shape = launch::shape_of(parameter.type_name);
    if (!shape)
        return std::unexpected(Error{ErrorKind::unsupported,
                                     fmt::format("unsupported by Visor: a drawn {}", parameter.type_name)});
    std::array<uint32_t, 3> size{image_side, 1, 1};
    if (*shape == machine::ImageShape::d2 || *shape == machine::ImageShape::d2_array ||
        *shape == machine::ImageShape::d3)
        size[1] = image_side;
    if (*shape == machine::ImageShape::d3)
        size[2] = image_side;
    const bool is_array = *shape == machine::ImageShape::d1_array || *shape == machine::ImageShape::d2_array;
    machine::Image image = machine::packed_image(
        *shape, {machine::ChannelOrder::rgba, machine::ChannelType::unorm_int8}, size, is_array ? 2 : 1);
    const auto pixels = memory(name_of(parameter, index), image.bytes());
    if (!pixels)
        return std::unexpected(pixels.error());
    for (std::byte& byte : context_.bytes_of(*pixels))
        byte = static_cast<std::byte>(drawn.next());
    used_.push_back({name_of(parameter, index), *pixels});
    image.address = pixels->address;
    return image;
}

Side::Ran Side::run_compiled(const KernelFacts& kernel, Drawn& drawn) {
    std::vector<launch::ArgumentValue> values;
    for (size_t k = 0; k < kernel.parameters.size(); ++k) {
        const Parameter& parameter = kernel.parameters[k];
        switch (parameter.kind) {
        case ParameterKind::buffer: {
            const auto buffer = drawn_buffer(parameter, k, drawn);
            if (!buffer)
                return std::unexpected(buffer.error());
            values.emplace_back(*buffer);
            break;
        }
        case ParameterKind::image: {
            const auto image = drawn_image(parameter, k, drawn);
            if (!image)
                return std::unexpected(image.error());
            values.emplace_back(*image);
            break;
        }
        case ParameterKind::local:
            values.emplace_back(launch::LocalBytes{local_bytes});
            break;
        case ParameterKind::sampler:
            values.emplace_back(machine::Sampler{.address = machine::AddressMode::clamp_to_edge});
            break;
        default: {
            std::vector<std::byte> bytes(parameter.bytes);
            drawn.fill(bytes, parameter.element_known ? parameter.element : isa::Type::ud, false);
            values.emplace_back(std::move(bytes));
        }
        }
    }
    constexpr uint32_t usual_size = 16;
    launch::Geometry geometry;
    geometry.dimensions = 3;
    const bool required = kernel.required_group_size[0] != 0;
    geometry.local = required ? kernel.required_group_size : std::array<uint32_t, 3>{usual_size, 1, 1};
    for (size_t d = 0; d < 3; ++d)
        geometry.global[d] = geometry.local[d];
    geometry.global[0] *= groups;
    return context_.run(*program_, kernel.name, values, geometry, settings());
}

Side::Ran Side::run_hand_written(const KernelFacts& kernel, Drawn& drawn) {
    std::vector<launch::HandInput> inputs;
    for (size_t k = 0; k < kernel.parameters.size(); ++k) {
        const Parameter& parameter = kernel.parameters[k];
        const bool is_address = parameter.kind == ParameterKind::variable && parameter.elements == 1 &&
                                (parameter.element == isa::Type::uq || parameter.element == isa::Type::q);
        if (parameter.kind == ParameterKind::state_sampler) {
            inputs.push_back(
                {parameter.name, machine::Sampler{.address = machine::AddressMode::clamp_to_edge}});
        } else if (parameter.kind == ParameterKind::surface || is_address) {
            if (parameter.optional)
                continue;
            const auto buffer = drawn_buffer(parameter, k, drawn);
            if (!buffer)
                return std::unexpected(buffer.error());
            inputs.push_back({parameter.name, *buffer});
        } else {
            launch::InputBytes input{std::vector<std::byte>(parameter.bytes)};
            drawn.fill(input.content, parameter.element, false);
            inputs.push_back({parameter.name, std::move(input)});
        }
    }
    constexpr uint32_t usual_simd = 16;
    launch::HandGeometry geometry;
    geometry.simd = kernel.simd == 0 ? usual_simd : kernel.simd;
    geometry.in_threads = true;
    geometry.groups = {2, 1, 1};
    geometry.threads = 2;
    return context_.run(*program_, kernel.name, inputs, {}, geometry, settings());
}

std::expected<std::vector<Watched>, Error> Side::run(const KernelFacts& kernel, uint64_t seed) {
    Drawn drawn(seed);
    used_.clear();
    const launch::Buffer variables = variables_of(*program_);
    if (variables.bytes != 0)
        used_.push_back({"variables of the program", variables});
    const auto report = kernel.hand_written ? run_hand_written(kernel, drawn) : run_compiled(kernel, drawn);
    if (!report)
        return std::unexpected(report.error());
    if (report->error)
        return std::unexpected(*report->error);
    return used_;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// Why the inputs of one cannot be the other's; "": they can.
std::string other_parameters(const KernelFacts& a, const KernelFacts& b) {
    if (a.hand_written != b.hand_written)
        return "one is compiled, the other written by hand";
    if (a.parameters.size() != b.parameters.size())
        return fmt::format("it has {} parameters here and {} there", a.parameters.size(),
                           b.parameters.size());
    for (size_t k = 0; k < a.parameters.size(); ++k) {
        const Parameter& here = a.parameters[k];
        const Parameter& there = b.parameters[k];
        if (here.kind != there.kind || here.bytes != there.bytes)
            return fmt::format("{} is another here and there", name_of(here, k));
    }
    return "";
}

// "argument 0 `y`: byte 17 is 0x04 here, 0x05 there"; "": the same.
std::string difference_in(Side& first, const std::vector<Watched>& a, Side& second,
                          const std::vector<Watched>& b) {
    constexpr size_t dword = 4;
    for (size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
        const auto here = first.bytes_of(a[k]);
        const auto there = second.bytes_of(b[k]);
        const auto [at, other] = std::ranges::mismatch(here, there);
        if (at == here.end() && other == there.end())
            continue;
        if (at == here.end() || other == there.end())
            return fmt::format("{}: {} bytes here, {} there", a[k].name, here.size(), there.size());
        const auto offset = static_cast<size_t>(at - here.begin()) / dword * dword;
        const auto shown = [&](std::span<const std::byte> bytes) {
            uint32_t bits = 0;
            std::memcpy(&bits, bytes.data() + offset, std::min(dword, bytes.size() - offset));
            return bits;
        };
        float left = 0;
        float right = 0;
        const uint32_t a_bits = shown(here);
        const uint32_t b_bits = shown(there);
        std::memcpy(&left, &a_bits, sizeof left);
        std::memcpy(&right, &b_bits, sizeof right);
        return fmt::format(
            "{}: the dword at byte {} is {:#010x} here and {:#010x} there (as floats {} and {})", a[k].name,
            offset, a_bits, b_bits, left, right);
    }
    return "";
}

// Runs one kernel of both sides until a run tells them apart.
void run_pair(Side& first, const KernelFacts& a, Side& second, const KernelFacts& b, uint32_t runs,
              ComparedFunction& out) {
    if (std::string other = other_parameters(a, b); !other.empty())
        out.differences.push_back({std::move(other), {}, {}});
    for (uint32_t seed = 0; seed < runs && out.untold.empty() && out.differences.empty(); ++seed) {
        const auto here = first.run(a, seed);
        const auto there = second.run(b, seed);
        std::string message;
        if (here && there) {
            ++out.runs;
            message = difference_in(first, *here, second, *there);
        } else if (here) {
            message = "it finishes here, and there: " + first_line(there.error().text);
        } else if (there) {
            message = "it finishes there, and here: " + first_line(here.error().text);
        }
        if (!message.empty())
            out.differences.push_back({fmt::format("with input {}: {}", seed, message), {}, {}});
        else if (!here && seed + 1 == runs && out.runs == 0)
            out.untold = "no run finished: " + first_line(here.error().text);
    }
}

const isa::Device& device_of_both(const File& first, const File& second, const ComparisonRequest& request) {
    if (request.units.device && *request.units.device != nullptr)
        return **request.units.device;
    const isa::Device* const a = find_device(first.name, first.content, "").device;
    const isa::Device* const b = find_device(second.name, second.content, "").device;
    return b->grf_bytes > a->grf_bytes ? *b : *a;
}

} // namespace

std::expected<ComparedFiles, Error> compare_by_running(const File& first, const File& second,
                                                       const ComparisonRequest& request) {
    const isa::Device& device = device_of_both(first, second, request);
    Side a(first, device);
    Side b(second, device);
    ComparedFiles out;
    for (Side* side : {&a, &b})
        if (auto loaded = side->load(request, out.warnings); !loaded)
            return std::unexpected(loaded.error());
    const std::vector<KernelFacts> of_first = a.kernels();
    const std::vector<KernelFacts> of_second = b.kernels();
    std::set<std::string> seen;
    const auto add = [&](const std::string& name) {
        if ((!request.kernel.empty() && name != request.kernel) || !seen.insert(name).second)
            return;
        const auto here = std::ranges::find(of_first, name, &KernelFacts::name);
        const auto there = std::ranges::find(of_second, name, &KernelFacts::name);
        ComparedFunction& function = out.functions.emplace_back();
        function.name = name;
        function.in_first = here != of_first.end();
        function.in_second = there != of_second.end();
        if (function.in_first && function.in_second)
            run_pair(a, *here, b, *there, request.runs, function);
    };
    for (const auto* kernels : {&of_first, &of_second})
        for (const KernelFacts& kernel : *kernels)
            add(kernel.name);
    if (out.functions.empty())
        return std::unexpected(
            Error{ErrorKind::invalid,
                  fmt::format("neither {} nor {} has a kernel{}", first.name, second.name,
                              request.kernel.empty() ? "" : fmt::format(" `{}`", request.kernel))});
    return out;
}

} // namespace visor::vm
