// Loads a file: from its bytes to functions with signatures.
#include "compile/compile.h"
#include "diagnostic/printable.h"
#include "isa/opcode.h"
#include "launch/annotation.h"
#include "module/source_line.h"
#include "text/text.h"
#include "vm/loaded.h"
#include "vm/parameter.h"
#include "vm/report.h"
#include "vm/units.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace visor::vm {

namespace {

Error invalid(std::string text) {
    return {ErrorKind::invalid, std::move(text)};
}

std::span<const std::byte> bytes_of(std::string_view content) {
    return std::as_bytes(std::span(content.data(), content.size()));
}

// Non-uniform groups of OpenCL C 2.0, unless the program's options disable them.
bool allows_non_uniform_groups(std::string_view compiler_options) {
    if (compiler_options.find("-cl-uniform-work-group-size") != std::string_view::npos)
        return false;
    return std::ranges::any_of(
        std::array{"-cl-std=CL2", "-cl-std=CL3", "-cl-std=CLC++"},
        [&](std::string_view standard) { return compiler_options.find(standard) != std::string_view::npos; });
}

constexpr uint32_t kib = 1024; // the unit of the SLMSize attribute

uint32_t count_instructions(const Function& function) {
    return static_cast<uint32_t>(std::ranges::count_if(function.code, [](const Instruction& instruction) {
        const uint8_t code = instruction.row->opcode;
        return code != isa::opcode::label && code != isa::opcode::subroutine;
    }));
}

std::string working_folder() {
    std::error_code ignored;
    return std::filesystem::current_path(ignored).string();
}

// Names that the compiler copies into the text unescaped: a quote or a line end would break it.
bool can_stand_in_text(std::string_view name) {
    return std::ranges::none_of(name, [](char c) { return c == '"' || c == '\\' || (c >= 0 && c < ' '); });
}

uint32_t attribute_in(const Function& function, std::string_view name, uint32_t limit) {
    return static_cast<uint32_t>(std::clamp<int64_t>(function.attribute_number(name, 0), 0, limit));
}

// Warnings about compiler output that are reported: forms that the finalizer accepts although no page has
// them, and forms that a ruling defines. Others are usual in compiler output.
bool has_compilers_mistake(const Unit& unit) {
    constexpr std::array<std::string_view, 2> mistakes{"bfrev-src0-type",
                                                       "never-written"}; // rulings 183, 185
    return std::ranges::any_of(unit.diagnostics.all(), [&](const Diagnostic& diagnostic) {
        return std::ranges::find(mistakes, diagnostic.rule) != mistakes.end();
    });
}

size_t count_kernels(const Unit& unit) {
    const Module* const module = readable(unit);
    const auto known =
        module == nullptr ? 0 : std::ranges::count(module->functions, FunctionKind::kernel, &Function::kind);
    return static_cast<size_t>(known) + (unit.partial ? unit.partial->refused.size() : 0);
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
        request.compiler = options_.compiler;
        request.options = options_.compiler_options;
        request.include_folders = options_.include_folders;
        compiled_from_ = name;
        folder_ = working_folder();
        const bool tellable = can_stand_in_text(name) && can_stand_in_text(folder_);
        if (options_.source_lines && tellable && language == compile::Language::opencl_c)
            request.options = "-gline-tables-only " + request.options;
        request.time_limit = options_.time_limit;
        request.use_cache = options_.use_cache;
        request.on_wait = options_.on_wait;
        const auto output = compile::compile(request);
        if (!output)
            return std::unexpected(error_of(output.error()));
        warnings_ += printable(output->log);
        program_->compiler = output->compiler;
        const std::string_view zebin_bytes{reinterpret_cast<const char*>(output->zebin.data()),
                                           output->zebin.size()};
        if (options_.keep_content) {
            const bool is_text = language == compile::Language::opencl_c;
            program_->content.kind = is_text ? InputKind::opencl_c : InputKind::spirv;
            program_->content.source = content;
        }
        return zebin(name, zebin_bytes);
    }

    Result zebin(std::string_view name, std::string_view content) {
        keep_code(InputKind::zebin, content);
        Diagnostics diagnostics;
        const SourceView source{name, content, true};
        const auto read = launch::read_zebin(bytes_of(content), diagnostics);
        if (!read)
            return std::unexpected(error_of(diagnostics, source, options_.color));
        if (read->device && !isa::same_code(*read->device, device_.id))
            return std::unexpected(other_device(name, *read->device, device_));
        if (compiled_from_.empty()) // a zebin that was compiled elsewhere mostly has the source's name
            compiled_from_ = name;
        for (const launch::ZebinFunction& function : read->functions)
            if (auto added = compiled_function(function); !added)
                return std::unexpected(added.error());
        if (auto taken = take_facts(*read); !taken)
            return std::unexpected(taken.error());
        for (const launch::ZebinKernel& kernel : read->kernels)
            if (auto added = add_compiled_kernel(kernel, read->kernels.size() > 1); !added)
                return std::unexpected(added.error());
        return with_texts();
    }

    // A rejected kernel does not block the others: the error is reported when it is used.
    std::expected<void, Error> add_compiled_kernel(const launch::ZebinKernel& kernel, bool has_others) {
        auto loaded = compiled_kernel(kernel);
        if (!loaded && !has_others)
            return std::unexpected(loaded.error());
        if (!loaded) {
            warnings_ += loaded.error().text + "\n";
            loaded = described(kernel.signature);
            refuse(*loaded);
        }
        program_->kernels.push_back(std::move(*loaded));
        return {};
    }

    // The compiler's text, edited or not, with its launch metadata.
    Result annotated(std::string_view name, std::string_view content) {
        keep_code(InputKind::visa_text, content);
        auto read = read_annotated(name, content, &device_);
        if (!read)
            return std::unexpected(read.error());
        std::vector<std::string> given; // kernels whose text comes later
        leave_out(read->unit, [&](std::string_view kernel) {
            if (replaced(kernel))
                given.emplace_back(kernel);
            return replaced(kernel);
        });
        auto module = checked_but_for(std::move(read->unit));
        if (!module)
            return std::unexpected(module.error());
        const auto text = std::make_shared<const std::string>(content);
        add_functions(*module, name, text);
        if (auto taken = take_facts(*read->facts); !taken)
            return std::unexpected(taken.error());
        Signatures signatures;
        for (const launch::ZebinKernel& kernel : read->facts->kernels)
            signatures.emplace(kernel.signature.name, &kernel.signature);
        for (Function& function : module->functions) {
            if (function.kind != FunctionKind::kernel)
                continue;
            LoadedKernel kernel = described_by(signatures, function.name);
            kernel.text_name = name;
            kernel.text = text;
            add_kernel_of_text(std::move(kernel), std::move(function));
        }
        for (const std::string& unread : unread_)
            add_refused(described_by(signatures, unread));
        for (const std::string& kernel : given)
            program_->kernels.push_back(described_by(signatures, kernel));
        return with_texts();
    }

    Result hand_written(std::string_view name, std::string_view content, bool binary) {
        if (!options_.texts.empty())
            return std::unexpected(invalid(
                fmt::format("{}: error: a kernel of hand-written vISA has no text to replace", name)));
        keep_code(binary ? InputKind::visa_binary : InputKind::visa_text, content);
        LoadedKernel source;
        source.text_name = name;
        if (!binary)
            source.text = std::make_shared<const std::string>(content);
        auto module = binary ? disassembled(name, content, source)
                             : checked_but_for(read_text(name, content, &device_));
        if (!module)
            return std::unexpected(module.error());
        add_functions(*module, source.text_name, source.text);
        for (Function& function : module->functions) {
            if (function.kind != FunctionKind::kernel)
                continue;
            LoadedKernel kernel = source;
            kernel.facts.hand_written = true;
            kernel.facts.name = function.name;
            kernel.facts.simd = attribute_in(function, "SimdSize", 32);
            kernel.facts.slm_bytes = attribute_in(function, "SLMSize", device_.slm_bytes / kib) * kib;
            for (const Input& input : function.inputs) {
                if (input.implicit == 0)
                    kernel.facts.parameters.push_back(parameter_of(function, input));
            }
            add_states(function, kernel.facts);
            add_kernel_of_text(std::move(kernel), std::move(function));
        }
        for (const std::string& unread : unread_) {
            LoadedKernel kernel = source;
            kernel.facts.hand_written = true;
            kernel.facts.name = unread;
            add_refused(std::move(kernel));
        }
        if (program_->kernels.empty())
            return std::unexpected(invalid(fmt::format("{}: error: there is no kernel in this file", name)));
        return program_;
    }

private:
    void keep_code(InputKind kind, std::string_view content) {
        if (!options_.keep_content)
            return;
        program_->content.device = device_.name;
        program_->content.options = options_.compiler_options;
        program_->content.code_kind = kind;
        program_->content.code = content;
        program_->content.texts = options_.texts;
    }

    // A surface or a sampler need not be an input to be bound by its name.
    static void add_states(const Function& function, KernelFacts& facts) {
        const auto add = [&](InputClass klass, uint32_t id) {
            const Input state{klass, 0, id, 0, 0, {}};
            const bool listed = std::ranges::any_of(function.inputs, [&](const Input& input) {
                return input.klass == state.klass && input.id == state.id;
            });
            if (listed)
                return;
            facts.parameters.push_back(parameter_of(function, state));
            facts.parameters.back().optional = true;
        };
        for (uint32_t i = 0; i < function.surfaces.size(); ++i)
            add(InputClass::surface, isa::first_user_surface + i);
        for (uint32_t i = 0; i < function.samplers.size(); ++i)
            add(InputClass::sampler, i);
    }

    // Rejects what the `igc` profile rejects. Violations of the pages alone are warnings, for hand-written
    // text.
    std::expected<Module, Error> checked(Unit unit) {
        check_before_use(unit, &device_);
        return settled(std::move(unit));
    }
    std::expected<Module, Error> settled(Unit unit) {
        if (!unit.module || !unit.diagnostics.ok())
            return std::unexpected(error_of(unit, options_.color));
        if (!unit.from_compiler || has_compilers_mistake(unit))
            warnings_ += render(unit, options_.color);
        return std::move(*unit.module);
    }

    // In a text with several kernels only the rejected ones are left out.
    std::expected<Module, Error> checked_but_for(Unit unit) {
        if (unit.partial) {
            unit.module = std::move(unit.partial->module);
            unread_ = std::move(unit.partial->refused);
        } else if (!unit.diagnostics.ok()) {
            return settled(std::move(unit));
        }
        check_before_use(unit, &device_);
        if (unit.module && !unit.diagnostics.ok())
            for (std::string& name : refused_kernels(*unit.module, &device_))
                refused_.insert(std::move(name));
        const auto is_refused = [&](const Function& function) { return refused_.contains(function.name); };
        const bool others_run =
            unit.module && std::ranges::any_of(unit.module->functions, [&](const Function& function) {
                return function.kind == FunctionKind::kernel && !is_refused(function);
            });
        if ((refused_.empty() && unread_.empty()) || !others_run)
            return settled(std::move(unit));
        Unit rest = unit;
        std::erase_if(rest.module->functions, is_refused);
        rest.diagnostics = Diagnostics();
        check(rest, verify::Profile::run, &device_);
        if (!rest.diagnostics.ok()) // a function that kernels call
            return settled(std::move(unit));
        warnings_ += render(unit, options_.color);
        return std::move(*unit.module);
    }

    void add_kernel_of_text(LoadedKernel kernel, Function function) {
        if (!refused_.contains(function.name))
            set_function(kernel, std::move(function));
        else
            refuse(kernel);
        program_->kernels.push_back(std::move(kernel));
    }
    void add_refused(LoadedKernel kernel) {
        refuse(kernel);
        program_->kernels.push_back(std::move(kernel));
    }

    // The reason was reported in full.
    void refuse(LoadedKernel& kernel) {
        const std::string& name = kernel.facts.name;
        warnings_ += fmt::format("warning: kernel `{}` cannot run; others of the file can\n", name);
        kernel.refusal =
            Error{ErrorKind::invalid, fmt::format("error: kernel `{}` was refused when it was loaded", name)};
    }

    // Messages about a binary that runs show its disassembly.
    std::expected<Module, Error> disassembled(std::string_view name, std::string_view content,
                                              LoadedKernel& source) {
        auto module = checked(read_binary(name, content, &device_));
        if (!module)
            return module;
        source.text_name = fmt::format("{}(disassembled)", name);
        source.text = std::make_shared<const std::string>(text::print(*module));
        Unit again = read_text(source.text_name, *source.text, &device_);
        if (!again.module)
            return std::unexpected(
                Error{ErrorKind::internal, "internal error: a disassembly does not assemble again\n" +
                                               render(again, options_.color)});
        return std::move(*again.module);
    }

    static LoadedKernel described(const launch::Signature& signature) {
        LoadedKernel kernel;
        kernel.signature = signature;
        kernel.facts.name = signature.name;
        kernel.facts.simd = signature.simd;
        kernel.facts.slm_bytes = signature.slm_bytes;
        kernel.facts.required_group_size = signature.required_group_size;
        for (const launch::Argument& argument : signature.arguments)
            kernel.facts.parameters.push_back(parameter_of(argument));
        return kernel;
    }

    // A kernel without metadata is rejected in any case: read_annotated matches the others.
    using Signatures = std::map<std::string_view, const launch::Signature*>; // the first of a name
    static LoadedKernel described_by(const Signatures& signatures, const std::string& name) {
        const auto known = signatures.find(name);
        LoadedKernel kernel;
        kernel.facts.name = name;
        return known == signatures.end() ? kernel : described(*known->second);
    }

    static void set_function(LoadedKernel& kernel, Function function) {
        function.name = kernel.facts.name;
        kernel.facts.instructions = count_instructions(function);
        kernel.function = std::make_shared<const Function>(std::move(function));
    }

    void add_functions(const Module& module, std::string_view text_name, const SharedText& text) {
        for (const Function& function : module.functions)
            if (function.kind == FunctionKind::global_function)
                program_->add_function(
                    {std::make_shared<const Function>(function), std::string(text_name), text});
    }

    Unit compiled(std::string_view name, std::string_view text) const {
        return read_text(name, text, &device_, Diagnostics::default_max_errors, Author::compiler);
    }

    // Compiled code has at least its end: IGC 2.40 writes nothing but the declarations of explicit SIMD.
    static Error no_instructions(std::string_view what, std::string_view name) {
        return {
            ErrorKind::unsupported,
            fmt::format("unsupported by Visor: {} `{}`: the compiler wrote its declarations and none of its "
                        "instructions, as it does with explicit SIMD code",
                        what, name)};
    }

    std::expected<void, Error> compiled_function(const launch::ZebinFunction& from) {
        const std::string text_name = from.name + ".visaasm";
        auto module = checked(compiled(text_name, from.text));
        if (!module)
            return std::unexpected(module.error());
        for (Function& function : module->functions) {
            if (function.kind == FunctionKind::global_function)
                function.name = from.name;
            if (count_instructions(function) == 0)
                return std::unexpected(no_instructions("function", from.name));
            name_files(function, compiled_from_, folder_);
        }
        add_functions(*module, text_name, std::make_shared<const std::string>(from.text));
        return {};
    }

    std::expected<LoadedKernel, Error> compiled_kernel(const launch::ZebinKernel& from) {
        LoadedKernel kernel = described(from.signature);
        if (replaced(kernel.facts.name))
            return kernel; // its text comes later
        kernel.text_name = from.signature.name + ".visaasm";
        kernel.text = std::make_shared<const std::string>(from.text);
        auto module = checked(compiled(kernel.text_name, *kernel.text));
        if (!module)
            return std::unexpected(module.error());
        if (module->functions.empty())
            return std::unexpected(
                invalid(fmt::format("{}: error: there is no kernel in the text", kernel.text_name)));
        name_files(module->functions.front(), compiled_from_, folder_);
        set_function(kernel, std::move(module->functions.front()));
        if (kernel.facts.instructions == 0)
            return std::unexpected(no_instructions("kernel", from.signature.name));
        return kernel;
    }

    // ---- texts that replace the file's own ----

    bool replaced(std::string_view kernel) const {
        return std::ranges::find(options_.texts, kernel, &KernelText::kernel) != options_.texts.end();
    }

    Result with_texts() {
        for (const KernelText& text : options_.texts) {
            const auto index = find_kernel(*program_, text.kernel);
            if (!index)
                return std::unexpected(index.error());
            auto function = function_of(text);
            if (!function)
                return std::unexpected(function.error());
            LoadedKernel& kernel = program_->kernels[*index];
            kernel.text_name = text.name;
            kernel.text = std::make_shared<const std::string>(text.content);
            set_function(kernel, std::move(*function));
        }
        return program_;
    }

    // The only kernel of the text, with any name, or the kernel of this name; others are ignored.
    std::expected<Function, Error> function_of(const KernelText& text) {
        if (const isa::Device* own = device_named_in(text.content); own != nullptr && own != &device_)
            return std::unexpected(other_device(text.name, own->id, device_));
        Unit unit = read_text(text.name, text.content, &device_);
        if (count_kernels(unit) > 1)
            leave_out(unit, [&](std::string_view kernel) { return kernel != text.kernel; });
        auto module = checked(std::move(unit));
        if (!module)
            return std::unexpected(module.error());
        add_functions(*module, text.name, std::make_shared<const std::string>(text.content));
        const auto wanted = std::ranges::find(module->functions, FunctionKind::kernel, &Function::kind);
        if (wanted == module->functions.end())
            return std::unexpected(invalid(
                fmt::format("{}: error: there is no kernel `{}` in this text", text.name, text.kernel)));
        return std::move(*wanted);
    }

    // ---- what belongs to the whole program ----

    std::expected<void, Error> take_facts(const launch::Zebin& zebin) {
        program_->non_uniform_groups =
            allows_non_uniform_groups(options_.compiler_options + " " + zebin.build_options);
        if (auto placed = place_data(zebin); !placed)
            return placed;
        return {};
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
            const bool has_bytes = section.bytes != 0; // zero-filled ones follow the others
            if (has_bytes && (section.name == ".data.const" || section.name == ".bss.const"))
                program_->data.constants = {*address, section.bytes};
            if (has_bytes && (section.name == ".data.global" || section.name == ".bss.global"))
                program_->data.variables = {*address, section.bytes};
        }
        for (const launch::Symbol& symbol : zebin.symbols) {
            if (symbol.defined && symbol.section >= 0)
                program_->symbols[symbol.name] =
                    addresses[static_cast<size_t>(symbol.section)] + symbol.offset;
        }
        for (const launch::Relocation& relocation : zebin.relocations) {
            const auto found = program_->symbols.find(relocation.symbol);
            if (found == program_->symbols.end())
                continue; // stays zero, which is no function's address
            if (const uint32_t index = program_->function_named(relocation.symbol); index != no_target)
                program_->addressed.push_back(index);
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
    std::set<std::string> refused_;   // kernels of a text, by name
    std::vector<std::string> unread_; // likewise, of which there is no function
    std::string compiled_from_;       // the OpenCL C file as it was named, or the zebin
    std::string folder_;              // that it was compiled in
};

} // namespace

const std::string& compiler_of(const Program& program) {
    return program.compiler;
}

const ProgramContent& content_of(const Program& program) {
    return program.content;
}

const isa::Device* device_named_in(std::string_view content) {
    if (launch::is_elf(bytes_of(content))) {
        const auto product = launch::product_of(bytes_of(content));
        return product ? &isa::device(*product) : nullptr;
    }
    if (!launch::is_annotated(content))
        return nullptr;
    Diagnostics ignored; // the actual reader reports them
    const auto facts = launch::read_annotations(content, ignored);
    return facts ? &isa::device(*facts->device) : nullptr;
}

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
        return launch::is_annotated(content) ? loader.annotated(name, content)
                                             : loader.hand_written(name, content, false);
    case InputKind::visa_binary:
        return loader.hand_written(name, content, true);
    case InputKind::launch_file: // their reader loads the program that they name
    case InputKind::unknown:
        break;
    }
    return std::unexpected(unknown_file(name));
}

} // namespace visor::vm
