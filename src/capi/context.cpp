// Contexts, programs and kernels.
#include "capi/objects.h"
#include "diagnostic/diagnostic.h"
#include "vm/match.h"
#include "vm/target.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace visor::capi {

Settings settings_of(const visor_settings& given) {
    constexpr uint32_t most_threads = 1024;
    Settings out;
    out.engine = static_cast<vm::EngineKind>(number_in(given.engine, VISOR_ENGINE_JIT, "settings: `engine`"));
    if (given.threads > most_threads)
        refuse(VISOR_ERROR_ARGUMENT, "settings: `threads` is more than 1024");
    if (std::isnan(given.timeout) || given.timeout < 0)
        refuse(VISOR_ERROR_ARGUMENT, "settings: `timeout` is no number of seconds");
    out.workers = std::max(given.threads, 1U);
    out.seed = given.seed;
    if (given.fuel != 0)
        out.fuel = given.fuel == UINT64_MAX ? 0 : given.fuel;
    constexpr double longest = 1e9; // thirty years are as good as none
    out.timeout = given.timeout > longest ? 0 : given.timeout;
    return out;
}

launch::Buffer ContextObject::allocate(uint64_t bytes, std::string label) {
    if (bytes > memory_limit || used_ > memory_limit - bytes)
        refuse(VISOR_ERROR_MEMORY, std::to_string(bytes) + " bytes more than " + std::to_string(used_) +
                                       " would be over the context's limit of " +
                                       std::to_string(memory_limit));
    const auto made = vm.allocate(bytes, std::move(label));
    if (!made)
        refuse(VISOR_ERROR_MEMORY, made.error().text);
    {
        const std::lock_guard lock(returned_mutex_); // room, so that giving back cannot fail
        returned_.reserve(vm.memory().count() + returned_.size());
    }
    used_ += bytes;
    return *made;
}

void ContextObject::give_back(const launch::Buffer& buffer) noexcept {
    const std::lock_guard lock(returned_mutex_);
    returned_.push_back(buffer);
}

void ContextObject::free_returned() {
    const std::lock_guard lock(returned_mutex_);
    for (const launch::Buffer& buffer : returned_) {
        vm.memory().free(buffer.address);
        used_ -= buffer.bytes;
    }
    returned_.clear();
}

void ContextObject::log(visor_severity severity, const std::string& text) const {
    if (options.message != nullptr && !text.empty())
        options.message(options.message_user, severity, text.c_str());
}

namespace {

vm::LoadOptions load_options_of(const visor_program_options& given, const isa::Device& device) {
    vm::LoadOptions out;
    out.keep_content = true; // any launch may be captured
    out.device = device.name;
    out.compiler = text_of(given.compiler);
    out.compiler_options = text_of(given.compiler_options);
    if (given.include_folder_count != 0)
        needed(given.include_folders, "options: `include_folders`");
    for (size_t i = 0; i < given.include_folder_count; ++i)
        out.include_folders.emplace_back(
            needed(given.include_folders[i], "an include folder") == '\0' ? "." : given.include_folders[i]);
    if (given.text_count != 0)
        needed(given.texts, "options: `texts`");
    for (size_t i = 0; i < given.text_count; ++i) {
        const visor_kernel_text& text = given.texts[i];
        needed(text.kernel, "a text's kernel");
        out.texts.push_back({.kernel = text.kernel,
                             .name = text.name == nullptr ? text.kernel : text.name,
                             .content = std::string(content_of(text.text, text.bytes, "a kernel's text"))});
    }
    out.source_lines = given.source_lines != 0;
    out.use_cache = given.no_cache == 0;
    if (std::isnan(given.time_limit) || given.time_limit < 0)
        refuse(VISOR_ERROR_ARGUMENT, "options: `time_limit` is no number of seconds");
    if (given.time_limit > 0)
        out.time_limit = given.time_limit;
    return out;
}

// The messages as data: of vISA in any form; what the outside compiler says stays text.
std::shared_ptr<DiagnosticsObject> messages_about(std::string_view name, std::string_view content,
                                                  const isa::Device& device, const vm::Error* error) {
    const vm::InputKind kind = vm::identify(content, name);
    const bool is_code = kind == vm::InputKind::visa_text || kind == vm::InputKind::visa_binary ||
                         kind == vm::InputKind::zebin;
    if (is_code) {
        auto units = vm::read_units(name, content, {.device = &device});
        if (units) {
            for (vm::Unit& unit : units->units)
                vm::check_before_use(unit, &device);
            auto found = diagnostics_of(std::move(units->units));
            if (error == nullptr || !found->entries.empty())
                return found;
        }
    }
    return error == nullptr ? diagnostics_of({}) : diagnostics_of(name, *error);
}

} // namespace

} // namespace visor::capi

using namespace visor;
using namespace visor::capi;

visor_status visor_context_create(const visor_context_options* options, visor_context* context) {
    return call([&] {
        result(context, "`context`");
        const auto given = read_struct(options, "visor_context_options");
        const std::string_view name = given.device == nullptr ? vm::default_device : given.device;
        const isa::Device* const device = isa::device_named(name);
        if (device == nullptr)
            refuse(VISOR_ERROR_ARGUMENT, "there is no device `" + std::string(name) + "`" +
                                             did_you_mean(name, isa::device_names()));
        const Settings settings = settings_of(read_struct(given.settings, "visor_settings"));
        auto made = std::make_shared<ContextObject>(*device);
        made->settings = settings;
        made->options = given;
        made->names_device = given.device != nullptr;
        if (given.memory_limit != 0)
            made->memory_limit = given.memory_limit;
        give(context, std::move(made));
    });
}

visor_status visor_context_release(visor_context context) {
    return call([&] { static_cast<void>(take<ContextObject>(context)); });
}

visor_status visor_context_memory(visor_context context, visor_memory_info* info) {
    return call([&] {
        const auto found = find<ContextObject>(context);
        needed(info, "`info`");
        const ContextLock context_lock(*found);
        visor_memory_info out{};
        for (const machine::Allocation& allocation : found->vm.memory().allocations()) {
            ++out.allocations;
            out.bytes += allocation.bytes;
        }
        out.reserved = found->vm.memory().reserved();
        write_struct(info, out, "visor_memory_info");
    });
}

visor_status visor_program_create(visor_context context, const char* name, const void* content, size_t bytes,
                                  const visor_program_options* options, visor_program* program,
                                  visor_diagnostics* diagnostics) {
    return call([&] {
        result(program, "`program`");
        if (diagnostics != nullptr)
            *diagnostics = nullptr;
        const auto owner = find<ContextObject>(context);
        needed(name, "`name`");
        const std::string_view text = content_of(content, bytes, "`content`");
        const vm::FoundDevice found =
            owner->names_device
                ? vm::FoundDevice{&owner->vm.device(), ""}
                : vm::find_device(name, text, "`device` of the context's options names another");
        const isa::Device& device = *found.device;
        owner->log(VISOR_NOTE, found.remark);
        const vm::LoadOptions load = load_options_of(read_struct(options, "visor_program_options"), device);
        std::string warnings;
        std::expected<std::shared_ptr<const vm::Program>, vm::Error> loaded;
        {
            const ContextLock context_lock(*owner);
            loaded = owner->vm.load(name, text, load, warnings);
        }
        if (diagnostics != nullptr)
            give(diagnostics, messages_about(name, text, device, loaded ? nullptr : &loaded.error()));
        owner->log(VISOR_WARNING, warnings);
        if (!loaded)
            refuse(loaded.error());
        auto made = std::make_shared<ProgramObject>();
        made->context = owner;
        made->program = std::move(*loaded);
        made->kernels = vm::kernels(*made->program);
        give(program, std::move(made));
    });
}

visor_status visor_program_release(visor_program program) {
    return call([&] { static_cast<void>(take<ProgramObject>(program)); });
}

visor_status visor_program_kernel_count(visor_program program, uint32_t* count) {
    return call([&] {
        result(count, "`count`") = static_cast<uint32_t>(find<ProgramObject>(program)->kernels.size());
    });
}

visor_status visor_program_kernel_name(visor_program program, uint32_t index, const char** name) {
    return call([&] {
        result(name, "`name`");
        const auto found = find<ProgramObject>(program);
        if (index >= found->kernels.size())
            refuse(VISOR_ERROR_ARGUMENT, "the program has " + std::to_string(found->kernels.size()) +
                                             " kernels, none is number " + std::to_string(index));
        *name = found->kernels[index].name.c_str();
    });
}

visor_status visor_kernel_create(visor_program program, const char* name, visor_kernel* kernel) {
    return call([&] {
        result(kernel, "`kernel`");
        auto made = std::make_shared<KernelObject>();
        made->program = find<ProgramObject>(program);
        auto facts = vm::kernel(*made->program->program, text_of(name));
        if (!facts)
            refuse(facts.error());
        made->facts = std::move(*facts);
        made->signature = vm::signature_text(made->facts);
        give(kernel, std::move(made));
    });
}

visor_status visor_kernel_release(visor_kernel kernel) {
    return call([&] { static_cast<void>(take<KernelObject>(kernel)); });
}

visor_status visor_kernel_facts(visor_kernel kernel, visor_kernel_info* info) {
    return call([&] {
        const auto found = find<KernelObject>(kernel);
        const vm::KernelFacts& facts = found->facts;
        visor_kernel_info out{};
        out.name = facts.name.c_str();
        out.signature = found->signature.c_str();
        out.hand_written = facts.hand_written ? 1 : 0;
        out.simd = facts.simd;
        out.slm_bytes = facts.slm_bytes;
        std::ranges::copy(facts.required_group_size, out.required_group_size);
        out.instructions = facts.instructions;
        out.parameter_count = static_cast<uint32_t>(facts.parameters.size());
        write_struct(info, out, "visor_kernel_info");
    });
}

visor_status visor_kernel_parameter(visor_kernel kernel, uint32_t index, visor_parameter_info* info) {
    return call([&] {
        const auto found = find<KernelObject>(kernel);
        if (index >= found->facts.parameters.size())
            refuse(VISOR_ERROR_ARGUMENT, "the kernel has " + std::to_string(found->facts.parameters.size()) +
                                             " parameters, none is number " + std::to_string(index));
        const vm::Parameter& parameter = found->facts.parameters[index];
        visor_parameter_info out{};
        out.name = parameter.name.c_str();
        out.type_name = parameter.type_name.c_str();
        out.element = parameter.element_known ? isa::facts(parameter.element).name : "";
        out.access = parameter.access.c_str();
        out.kind = static_cast<int32_t>(parameter.kind);
        out.optional = parameter.optional ? 1 : 0;
        out.bytes = parameter.bytes;
        out.elements = parameter.elements;
        write_struct(info, out, "visor_parameter_info");
    });
}

visor_status visor_kernel_not_executed(visor_kernel kernel, visor_bytes* lines) {
    return call([&] {
        result(lines, "`lines`");
        const auto found = find<KernelObject>(kernel);
        const auto missing = vm::not_executed(*found->program->program, found->facts.name);
        if (!missing)
            refuse(missing.error());
        auto text = std::make_shared<BytesObject>();
        for (const std::string& line : *missing)
            text->content += line + '\n';
        give(lines, std::move(text));
    });
}
