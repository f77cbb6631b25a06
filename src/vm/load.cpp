// From a file's bytes to functions with signatures: the first half of the walk.
#include "compile/compile.h"
#include "isa/opcode.h"
#include "text/text.h"
#include "vm/loaded.h"
#include "vm/report.h"
#include "vm/units.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>

namespace visor::vm {

namespace {

Error invalid(std::string text) {
    return {ErrorKind::invalid, std::move(text)};
}

std::span<const std::byte> bytes_of(std::string_view content) {
    return std::as_bytes(std::span(content.data(), content.size()));
}

// Names that faddr and fcall use: program-scope data and functions.
std::vector<std::string> unresolved_names(const Function& function, const Program& program,
                                          const launch::Zebin& zebin) {
    std::vector<std::string> missing;
    const auto is_defined = [&](const std::string& name) {
        return program.symbols.contains(name) ||
               std::ranges::any_of(zebin.functions, [&](const auto& other) { return other.name == name; }) ||
               std::ranges::any_of(zebin.symbols,
                                   [&](const auto& symbol) { return symbol.defined && symbol.name == name; });
    };
    for (const Instruction& instruction : function.code) {
        const uint8_t code = instruction.row->opcode;
        if (code != isa::opcode::faddr && code != isa::opcode::fcall)
            continue;
        for (const Operand& operand : instruction.operands) {
            if (operand.kind != OperandKind::string || operand.id >= function.strings.size())
                continue;
            const std::string& name = function.strings[operand.id];
            if (!is_defined(name) && std::ranges::find(missing, name) == missing.end())
                missing.push_back(name);
        }
    }
    return missing;
}

// The scalar that an OpenCL type name is made of: "float4" -> float, 4.
struct ScalarType {
    const char* name;
    isa::Type type;
};
constexpr std::array<ScalarType, 22> scalar_types{{
    {"char", isa::Type::b},        {"uchar", isa::Type::ub},     {"unsigned char", isa::Type::ub},
    {"short", isa::Type::w},       {"ushort", isa::Type::uw},    {"unsigned short", isa::Type::uw},
    {"int", isa::Type::d},         {"uint", isa::Type::ud},      {"unsigned int", isa::Type::ud},
    {"long", isa::Type::q},        {"ulong", isa::Type::uq},     {"unsigned long", isa::Type::uq},
    {"float", isa::Type::f},       {"double", isa::Type::df},    {"half", isa::Type::hf},
    {"size_t", isa::Type::uq},     {"bool", isa::Type::ub},      {"ptrdiff_t", isa::Type::q},
    {"intptr_t", isa::Type::q},    {"uintptr_t", isa::Type::uq}, {"unsigned", isa::Type::ud},
    {"signed char", isa::Type::b},
}};

void set_element(Parameter& parameter) {
    std::string_view base = parameter.type_name;
    while (!base.empty() && (base.back() == '*' || base.back() == ' '))
        base.remove_suffix(1);
    size_t digits = base.size();
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(base[digits - 1])) != 0)
        --digits;
    const std::string_view count = base.substr(digits);
    const auto found = std::ranges::find_if(
        scalar_types, [&](const ScalarType& scalar) { return base.substr(0, digits) == scalar.name; });
    if (found == scalar_types.end() || count.size() > 2)
        return;
    parameter.element = found->type;
    parameter.element_known = true;
    parameter.elements = count.empty() ? 1 : static_cast<uint32_t>(std::stoul(std::string(count)));
}

Parameter parameter_of(const launch::Argument& argument) {
    Parameter out;
    out.name = argument.name;
    out.type_name = argument.type_name;
    out.bytes = argument.bytes;
    switch (argument.kind) {
    case launch::ArgumentKind::value:
        out.kind = ParameterKind::value;
        break;
    case launch::ArgumentKind::global_pointer:
    case launch::ArgumentKind::constant_pointer:
        out.kind = ParameterKind::buffer;
        break;
    case launch::ArgumentKind::local_pointer:
        out.kind = ParameterKind::local;
        break;
    case launch::ArgumentKind::image:
        out.kind = ParameterKind::image;
        break;
    case launch::ArgumentKind::sampler:
        out.kind = ParameterKind::sampler;
        break;
    }
    set_element(out);
    return out;
}

Parameter parameter_of(const Function& function, const Input& input) {
    Parameter out;
    switch (input.klass) {
    case InputClass::general:
        out.kind = ParameterKind::variable;
        out.name = general_name(function, input.id);
        out.element = general_type(function, input.id);
        out.type_name = isa::facts(out.element).name;
        out.element_known = true;
        out.elements = general_elements(function, input.id, 32);
        out.bytes = input.size;
        break;
    case InputClass::surface:
        out.kind = ParameterKind::surface;
        out.name = surface_name(function, input.id);
        out.type_name = "surface";
        break;
    case InputClass::sampler:
        out.kind = ParameterKind::state_sampler;
        out.name = input.id < function.samplers.size() ? function.samplers[input.id].name : "S";
        out.type_name = "sampler";
        break;
    }
    return out;
}

constexpr uint32_t kib = 1024; // what the SLMSize attribute counts

uint32_t count_instructions(const Function& function) {
    return static_cast<uint32_t>(std::ranges::count_if(function.code, [](const Instruction& instruction) {
        const uint8_t code = instruction.row->opcode;
        return code != isa::opcode::label && code != isa::opcode::subroutine;
    }));
}

uint32_t attribute_in(const Function& function, std::string_view name, uint32_t limit) {
    return static_cast<uint32_t>(std::clamp<int64_t>(function.attribute_number(name, 0), 0, limit));
}

class Loader {
public:
    Loader(const LoadOptions& options, const isa::Device& device, machine::Memory& memory,
           std::string& warnings)
        : options_(options), device_(device), memory_(memory), warnings_(warnings),
          program_(std::make_shared<Program>()) {
        program_->device = &device;
    }

    using Result = std::expected<std::shared_ptr<const Program>, Error>;

    Result compiled(std::string_view name, std::string_view content, compile::Language language) {
        compile::Request request;
        request.language = language;
        request.name = name;
        request.source = content;
        request.device = device_.name;
        request.options = options_.compiler_options;
        request.include_folders = options_.include_folders;
        request.time_limit = options_.time_limit;
        request.use_cache = options_.use_cache;
        const auto output = compile::compile(request);
        if (!output)
            return std::unexpected(error_of(output.error()));
        warnings_ += output->log;
        for (const std::string_view standard : {"-cl-std=CL2", "-cl-std=CL3"}) {
            if (options_.compiler_options.find(standard) != std::string::npos)
                program_->non_uniform_groups = true;
        }
        const std::string_view zebin_bytes{reinterpret_cast<const char*>(output->zebin.data()),
                                           output->zebin.size()};
        return zebin(name, zebin_bytes);
    }

    Result zebin(std::string_view name, std::string_view content) {
        Diagnostics diagnostics;
        const SourceView source{name, content, true};
        const auto read = launch::read_zebin(bytes_of(content), diagnostics);
        if (!read)
            return std::unexpected(error_of(diagnostics, source, options_.color));
        if (read->device && *read->device != device_.id)
            return std::unexpected(other_device(name, *read->device, device_));
        if (auto placed = place_data(*read); !placed)
            return std::unexpected(placed.error());
        for (const launch::ZebinKernel& kernel : read->kernels) {
            auto loaded = compiled_kernel(kernel, *read);
            if (!loaded)
                return std::unexpected(loaded.error());
            program_->kernels.push_back(std::move(*loaded));
        }
        return program_;
    }

    Result hand_written(std::string_view name, std::string_view content, bool binary) {
        LoadedKernel source;
        source.text_name = name;
        if (!binary)
            source.text = content;
        auto module =
            binary ? disassembled(name, content, source) : checked(read_text(name, content, &device_));
        if (!module)
            return std::unexpected(module.error());
        for (Function& function : module->functions) {
            if (function.kind != FunctionKind::kernel)
                continue;
            LoadedKernel kernel = source;
            kernel.facts.hand_written = true;
            kernel.facts.name = function.name;
            kernel.facts.simd = attribute_in(function, "SimdSize", 32);
            kernel.facts.slm_bytes = attribute_in(function, "SLMSize", device_.slm_bytes / kib) * kib;
            kernel.facts.instructions = count_instructions(function);
            for (const Input& input : function.inputs) {
                if (input.implicit == 0)
                    kernel.facts.parameters.push_back(parameter_of(function, input));
            }
            // A surface need not be an input to be bound by its name.
            for (uint32_t i = 0; i < function.surfaces.size(); ++i) {
                const Input surface{InputClass::surface, 0, isa::first_user_surface + i, 0, 0, {}};
                const bool listed = std::ranges::any_of(function.inputs, [&](const Input& input) {
                    return input.klass == InputClass::surface && input.id == surface.id;
                });
                if (listed)
                    continue;
                kernel.facts.parameters.push_back(parameter_of(function, surface));
                kernel.facts.parameters.back().optional = true;
            }
            kernel.unresolved = unresolved_names(function, *program_, {});
            kernel.function = std::make_shared<const Function>(std::move(function));
            program_->kernels.push_back(std::move(kernel));
        }
        if (program_->kernels.empty())
            return std::unexpected(invalid(fmt::format("{}: error: there is no kernel in this file", name)));
        return program_;
    }

private:
    // Refuses what the `igc` profile refuses. What only the pages forbid is a warning, for text written by
    // hand: compilers have their habits.
    std::expected<Module, Error> checked(Unit unit) {
        check_before_use(unit, &device_);
        if (!unit.module || !unit.diagnostics.ok())
            return std::unexpected(error_of(unit, options_.color));
        if (!unit.from_compiler)
            warnings_ += render(unit, options_.color);
        return std::move(*unit.module);
    }

    // Messages about a binary that runs show its disassembly.
    std::expected<Module, Error> disassembled(std::string_view name, std::string_view content,
                                              LoadedKernel& source) {
        auto module = checked(read_binary(name, content, &device_));
        if (!module)
            return module;
        source.text_name = fmt::format("{}(disassembled)", name);
        source.text = text::print(*module);
        Unit again = read_text(source.text_name, source.text, &device_);
        if (!again.module)
            return std::unexpected(
                Error{ErrorKind::internal, "internal error: a disassembly does not assemble again\n" +
                                               render(again, options_.color)});
        return std::move(*again.module);
    }

    std::expected<LoadedKernel, Error> compiled_kernel(const launch::ZebinKernel& from,
                                                       const launch::Zebin& zebin) {
        LoadedKernel kernel;
        kernel.text_name = from.signature.name + ".visaasm";
        kernel.text = from.text;
        kernel.signature = from.signature;
        Unit unit = read_text(kernel.text_name, kernel.text, &device_);
        unit.from_compiler = true;
        auto module = checked(std::move(unit));
        if (!module)
            return std::unexpected(module.error());
        if (module->functions.empty())
            return std::unexpected(
                invalid(fmt::format("{}: error: there is no kernel in the text", kernel.text_name)));
        Function& function = module->functions.front();
        function.name = from.signature.name;
        kernel.facts.name = from.signature.name;
        kernel.facts.simd = from.signature.simd;
        kernel.facts.slm_bytes = from.signature.slm_bytes;
        kernel.facts.required_group_size = from.signature.required_group_size;
        kernel.facts.instructions = count_instructions(function);
        for (const launch::Argument& argument : from.signature.arguments)
            kernel.facts.parameters.push_back(parameter_of(argument));
        kernel.unresolved = unresolved_names(function, *program_, zebin);
        kernel.function = std::make_shared<const Function>(std::move(function));
        return kernel;
    }

    // Program-scope data: allocated once, symbols resolved, pointers inside patched (launch ABI 2.12).
    std::expected<void, Error> place_data(const launch::Zebin& zebin) {
        std::vector<uint64_t> addresses;
        for (const launch::DataSection& section : zebin.sections) {
            const auto address = memory_.allocate(section.bytes, fmt::format("section {}", section.name));
            if (!address)
                return std::unexpected(invalid(address.error()));
            if (!section.content.empty())
                std::memcpy(machine::Memory::host(*address), section.content.data(), section.content.size());
            addresses.push_back(*address);
        }
        for (const launch::Symbol& symbol : zebin.symbols) {
            if (symbol.defined && symbol.section >= 0)
                program_->symbols[symbol.name] =
                    addresses[static_cast<size_t>(symbol.section)] + symbol.offset;
        }
        for (const launch::Relocation& relocation : zebin.relocations) {
            const auto found = program_->symbols.find(relocation.symbol);
            if (found == program_->symbols.end())
                continue; // the address of a function: nothing reads it before calls are executed
            patch(machine::Memory::host(addresses[relocation.section]) + relocation.offset, relocation.kind,
                  found->second);
        }
        return {};
    }

    static void patch(std::byte* where, launch::RelocationKind kind, uint64_t value) {
        const size_t bytes = kind == launch::RelocationKind::address64 ? 8 : 4;
        uint64_t addend = 0;
        std::memcpy(&addend, where, bytes);
        uint64_t sum = value + addend;
        if (kind == launch::RelocationKind::high32)
            sum = (value >> 32U) + addend;
        std::memcpy(where, &sum, bytes);
    }

    const LoadOptions& options_;
    const isa::Device& device_;
    machine::Memory& memory_;
    std::string& warnings_;
    std::shared_ptr<Program> program_;
};

} // namespace

std::expected<std::shared_ptr<const Program>, Error>
load_program(std::string_view name, std::string_view content, const LoadOptions& options,
             const isa::Device& device, machine::Memory& memory, std::string& warnings) {
    Loader loader(options, device, memory, warnings);
    switch (identify(content, name)) {
    case InputKind::opencl_c:
        return loader.compiled(name, content, compile::Language::opencl_c);
    case InputKind::spirv:
        return loader.compiled(name, content, compile::Language::spirv);
    case InputKind::zebin:
        return loader.zebin(name, content);
    case InputKind::visa_text:
        return loader.hand_written(name, content, false);
    case InputKind::visa_binary:
        return loader.hand_written(name, content, true);
    case InputKind::launch_file:
        return std::unexpected(Error{ErrorKind::unsupported,
                                     fmt::format("{}: launch files (.json) are not supported yet", name)});
    case InputKind::unknown:
        break;
    }
    return std::unexpected(unknown_file(name));
}

} // namespace visor::vm
