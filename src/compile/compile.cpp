#include "compile/compile.h"

#include "compile/cache.h"
#include "compile/compilers.h"
#include "compile/crash.h"
#include "compile/includes.h"
#include "compile/log.h"
#include "compile/names.h"
#include "compile/notice.h"
#include "compile/options.h"
#include "compile/parts.h"
#include "compile/search_path.h"
#include "compile/spirv_builtins.h"
#include "compile/spirv_versions.h"
#include "compile/worker.h"
#include "isa/device.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::compile {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t max_source_bytes = size_t{128} << 20U;

// A prepared request: the message to the worker, and the cache key ("" = not cacheable).
struct Job {
    Message question;
    std::string key;
    std::vector<std::string> readable; // what an #include may read
};

Failure failure(FailureKind kind, std::string message, std::string log = {}) {
    return {kind, std::move(message), std::move(log)};
}

// The wall-clock limit: for a compiler that blocks, and for loaded machines.
Deadline deadline_of(double cpu_seconds) {
    constexpr double longest = 1e8; // three years
    const double seconds = cpu_seconds > 0 ? 60 + 10 * cpu_seconds : 0;
    if (!(seconds > 0) || seconds > longest)
        return Deadline::max();
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

std::optional<std::string> problem_of(const Request& request) {
    const auto in_device_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_';
    };
    if (request.device.empty() || !std::ranges::all_of(request.device, in_device_name))
        return fmt::format("`{}` is no device name", request.device);
    const bool links = request.language == Language::modules;
    if (request.source.empty() && !links)
        return fmt::format("`{}` is empty", request.name);
    if (request.source.size() > max_source_bytes)
        return fmt::format("`{}` has {} bytes; the limit is {}", request.name, request.source.size(),
                           max_source_bytes);
    constexpr size_t most_modules = 4096;
    if (links && (request.modules.empty() || request.modules.size() > most_modules))
        return fmt::format("`{}` has {} modules to link", request.name, request.modules.size());
    return std::nullopt;
}

std::string folder_of(const std::string& source_name) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(source_name).parent_path();
    return std::filesystem::absolute(folder.empty() ? "." : folder, ignored).lexically_normal().string();
}

// Whether a source's folder may be read for #include without -I: not the root or the user's home, which hold
// more than programs.
bool is_for_sources(const std::string& folder) {
    const char* const home = std::getenv("HOME");
    std::error_code missing;
    const std::filesystem::path real = std::filesystem::weakly_canonical(folder, missing);
    return real != real.root_path() &&
           (home == nullptr || *home == '\0' || real != std::filesystem::weakly_canonical(home, missing));
}

void add_to_key(std::string& key, std::string_view part) {
    key += std::to_string(part.size()) + ':';
    key += part;
}

// The compiler reads flags of its own from the environment.
void add_environment(std::string& key) {
    constexpr std::array<std::string_view, 6> prefixes{"IGC_",           "NEO",  "VC_", "CPATH",
                                                       "C_INCLUDE_PATH", "LLVM_"};
    std::vector<std::string_view> relevant;
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        if (std::ranges::any_of(prefixes,
                                [text](std::string_view prefix) { return text.starts_with(prefix); }))
            relevant.push_back(text);
    }
    std::ranges::sort(relevant);
    for (const std::string_view text : relevant)
        add_to_key(key, text);
}

// The compiler's header declares functions that some language versions lack, and then no program compiles:
// image reads on pvc with OpenCL C 3.0; motion estimation with OpenCL C 1.1. Removing that extension alone
// keeps its declarations, so this removes all, and adds those that the compiler has for OpenCL C 1.2.
std::string extensions_for_header(std::string_view device, std::string_view text) {
    if (device == "pvc" && text.contains("-cl-std=CL3"))
        return "-cl-ext=+__opencl_c_images,+__opencl_c_read_write_images,+__opencl_c_3d_image_writes,"
               "+cl_khr_3d_image_writes";
    if (!text.contains("-cl-std=CL1.1"))
        return {};
    std::string out =
        "-cl-ext=-all,+cl_khr_icd,+cl_khr_il_program,+cl_khr_create_command_queue,"
        "+cl_khr_suggested_local_work_size,+cl_khr_byte_addressable_store,+cl_khr_global_int32_base_atomics,"
        "+cl_khr_global_int32_extended_atomics,+cl_khr_local_int32_base_atomics,"
        "+cl_khr_local_int32_extended_atomics,+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
        "+cl_khr_fp16,+cl_khr_3d_image_writes,+cl_khr_subgroups,+cl_khr_subgroup_extended_types,"
        "+cl_khr_subgroup_non_uniform_vote,+cl_khr_subgroup_ballot,+cl_khr_subgroup_non_uniform_arithmetic,"
        "+cl_khr_subgroup_shuffle,+cl_khr_subgroup_shuffle_relative,+cl_khr_subgroup_clustered_reduce,"
        "+cl_intel_subgroups,+cl_intel_subgroups_char,+cl_intel_subgroups_short,+cl_intel_subgroups_long,"
        "+cl_intel_required_subgroup_size,+cl_intel_spirv_subgroups,+cl_intel_split_work_group_barrier,"
        "+cl_intel_device_attribute_query,+cl_khr_device_uuid";
    if (const isa::Device* known = isa::device_named(device); known != nullptr && known->fp64)
        out += ",+cl_khr_fp64";
    return out;
}

void correct_extensions(std::string_view device, Options& options) {
    const std::string extensions = extensions_for_header(device, options.text);
    if (!extensions.empty())
        options.internal =
            fmt::format("{}{}{}", extensions, options.internal.empty() ? "" : " ", options.internal);
}

// Rewritten so that the compiler does not crash.
std::string taken_module(const std::string& module) {
    return with_builtins_loaded_whole(module).value_or(module);
}

std::string seconds_of(const Request& request) {
    return fmt::format("{}", std::max(request.time_limit, 0.0));
}

Job prepare_link(const Request& request, const Options& options) {
    Job job;
    job.question = {MessageKind::link,
                    {request.device, options.text, options.internal, seconds_of(request), ""}};
    for (const std::string& module : request.modules)
        job.question.fields.push_back(taken_module(module));
    add_to_key(job.key, "link");
    for (const std::string& part : {request.device, options.text, options.internal})
        add_to_key(job.key, part);
    for (size_t i = link_field_count; i < job.question.fields.size(); ++i)
        add_to_key(job.key, job.question.fields[i]);
    add_environment(job.key);
    return job;
}

std::expected<Job, Failure> prepare(const Request& request) {
    if (const std::optional<std::string> problem = problem_of(request))
        return std::unexpected(failure(FailureKind::bad_option, *problem));
    std::expected<Options, std::string> options =
        read_options(request.options, request.language == Language::opencl_c);
    if (!options)
        return std::unexpected(failure(FailureKind::bad_option, options.error()));
    if (request.language == Language::modules)
        return prepare_link(request, *options);
    const bool spirv = request.language == Language::spirv;
    if (!spirv)
        correct_extensions(request.device, *options);
    Job job;
    std::optional<std::string> included = "";
    std::string options_text = options->text;
    if (!spirv) {
        std::vector<std::string> folders{folder_of(request.name)};
        folders.insert(folders.end(), options->include_folders.begin(), options->include_folders.end());
        for (const std::string& folder : request.include_folders) {
            std::error_code ignored;
            folders.push_back(std::filesystem::absolute(folder, ignored).string());
        }
        for (const std::string& folder : folders) {
            const std::expected<std::string, std::string> option = include_option(folder);
            if (!option)
                return std::unexpected(failure(FailureKind::bad_option, option.error()));
            options_text += (options_text.empty() ? "" : " ") + *option;
        }
        included = included_files(request.source, folders.front(), folders);
        const bool opens_own = is_for_sources(folders.front());
        job.readable.assign(folders.begin() + (opens_own ? 0 : 1), folders.end());
        std::ranges::move(options->named, std::back_inserter(job.readable));
        for (const char* const variable : {"CPATH", "C_INCLUDE_PATH"}) // which the compiler reads itself
            std::ranges::move(folders_of_variable(variable), std::back_inserter(job.readable));
    }
    job.question = {MessageKind::build,
                    {request.device, options_text, options->internal,
                     spirv ? language_spirv : language_opencl_c,
                     request.product == Product::spirv ? product_spirv : product_zebin,
                     spirv ? taken_module(request.source) : named_source(request.name, request.source),
                     seconds_of(request), ""}};
    if (included && (spirv || !options->reads_files)) {
        // The key has the included files, not the folders searched.
        for (const std::string& part : {request.device, options->text, options->internal,
                                        job.question.fields[build_language], *included})
            add_to_key(job.key, part);
        if (request.product == Product::spirv)
            add_to_key(job.key, product_spirv);
        add_environment(job.key);
        add_to_key(job.key, job.question.fields[build_source]);
    }
    return job;
}

// With the folders of the compiler's libraries, each NUL-terminated.
std::string paths_to_read(const Compiler& compiler, std::vector<std::string> paths) {
    for (const std::string& library : compiler.libraries)
        paths.push_back(std::filesystem::path(library).parent_path().string());
    std::ranges::sort(paths);
    paths.erase(std::ranges::unique(paths).begin(), paths.end());
    std::string out;
    for (const std::string& path : paths)
        out += path + '\0';
    return out;
}

// Parameters of an exchange with the worker, for builds and for queries before them.
struct Talk {
    const Request& request;
    const Command& program;
    const Compiler& compiler;
    Clock::time_point start;
    Deadline deadline;
};

Failure too_slow(const Request& request, const Compiler& compiler) {
    return failure(
        FailureKind::time_limit,
        fmt::format("the OpenCL compiler ({}) used more than {} s of CPU time for {}: --compiler-time, or "
                    "`time_limit` of the library, gives it more",
                    compiler.title(), request.time_limit, described(request)));
}

Failure failure_of(const WorkerFailure& problem, const Talk& talk) {
    const bool killed_for_time =
        problem.status != -1 && WIFSIGNALED(problem.status) && WTERMSIG(problem.status) == SIGXCPU;
    if (killed_for_time || problem.kind == WorkerFailure::Kind::time_limit)
        return too_slow(talk.request, talk.compiler);
    if (problem.kind == WorkerFailure::Kind::not_started)
        return failure(FailureKind::compiler_missing, problem.message);
    return explain_end(problem, talk.request, [&] { return spirv_versions(talk.program, talk.compiler); });
}

// Whether the answer has this kind and number of fields.
std::expected<Message, Failure> expect(Message answer, MessageKind wanted, size_t fields) {
    if (answer.kind == MessageKind::missing && answer.fields.size() == 1) {
        return std::unexpected(
            failure(FailureKind::compiler_missing,
                    fmt::format("the OpenCL compiler does not load: {}", answer.fields[0])));
    }
    if (answer.kind != wanted || answer.fields.size() != fields)
        return std::unexpected(
            failure(FailureKind::compiler_crashed, "the OpenCL compiler's process sent a damaged answer"));
    return answer;
}

// Waits for the build, and reports progress of a long one.
std::expected<Message, WorkerFailure> request_build(const Talk& talk, const Message& question) {
    const auto inquiry = start_inquiry(talk.program, question, talk.deadline);
    if (!inquiry)
        return std::unexpected(inquiry.error());
    if (const auto notice = notice_time(talk.start, talk.request.on_wait != nullptr)) {
        if (Inquiry::Answer answer = (*inquiry)->answer_before(*notice))
            return std::move(*answer);
        talk.request.on_wait(wait_text(talk.request, Clock::now() - talk.start));
    }
    return *(*inquiry)->answer(Inquiry::when_it_comes);
}

std::expected<CachedBuild, Failure> answered_build(const Request& request, Message answer) {
    CachedBuild result{.zebin = std::move(answer.fields[2]), .log = clean_log(answer.fields[1])};
    const int code = std::atoi(answer.fields[0].c_str());
    if (code != 0 || result.zebin.empty()) {
        Refusal refusal = explain(code, result.log, request.name, request.device);
        if (refusal.kind == FailureKind::build_error && result.log.empty()) {
            const isa::Device* const device = isa::device_named(request.device);
            refusal.message += ", and the compiler gives no reason";
            if (device != nullptr && !device->fp64) // which newer ones do not say
                refusal.message += fmt::format("; {} has no 64-bit floats", device->name);
        }
        if (refusal.kind == FailureKind::build_error && result.log.contains("Permission denied"))
            refusal.message +=
                ": an #include reads the source's folder and those that -I or a macro's value (-D X=/...) "
                "names, nothing else";
        return std::unexpected(failure(refusal.kind, refusal.message, std::move(result.log)));
    }
    if (request.product == Product::zebin && request.needs_kernels && kernel_count(result.zebin) == 0)
        return std::unexpected(failure(FailureKind::build_error,
                                       fmt::format("`{}` has no kernel", request.name),
                                       std::move(result.log)));
    return result;
}

std::expected<CachedBuild, Failure> build(const Talk& talk, const Message& question) {
    std::expected<Message, WorkerFailure> answer = request_build(talk, question);
    if (!answer)
        return std::unexpected(failure_of(answer.error(), talk));
    std::expected<Message, Failure> built = expect(std::move(*answer), MessageKind::built, 3);
    if (!built)
        return std::unexpected(std::move(built.error()));
    return answered_build(talk.request, std::move(*built));
}

Output output_of(const CachedBuild& build, const Compiler& compiler, bool from_cache,
                 Clock::time_point start) {
    Output output;
    output.zebin.resize(build.zebin.size());
    std::memcpy(output.zebin.data(), build.zebin.data(), build.zebin.size());
    output.log = build.log;
    output.compiler = compiler.title();
    output.from_cache = from_cache;
    output.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return output;
}

} // namespace

std::expected<Output, Failure> compile(const Request& request) {
    const Clock::time_point start = Clock::now();
    const std::expected<std::string, std::string> worker = find_worker();
    if (!worker)
        return std::unexpected(failure(FailureKind::compiler_missing, worker.error()));
    std::expected<Job, Failure> job = prepare(request);
    if (!job)
        return std::unexpected(job.error());
    const std::expected<Compiler, Failure> compiler =
        choose_compiler(*worker, request.device, request.compiler);
    if (!compiler)
        return std::unexpected(compiler.error());

    const std::string folder = cache_folder();
    const bool cached = request.use_cache && !job->key.empty() && !folder.empty();
    const Cache cache(folder, "zebin");
    std::string key;
    if (cached) {
        add_to_key(key, compiler->version + '\n' + compiler->identity);
        key += job->key;
        if (const std::optional<CachedBuild> found = cache.find(key))
            return output_of(*found, *compiler, true, start);
    }
    static_assert(build_device == 0 && link_device == 0);
    job->question
        .fields[request.language == Language::modules ? size_t{link_readable} : size_t{build_readable}] =
        paths_to_read(*compiler, job->readable);
    job->question.fields[build_device] = compiler->target_for(request.device)->name;
    const Command command = worker_command(*worker, compiler->location);
    const std::expected<CachedBuild, Failure> built =
        build({request, command, *compiler, start, deadline_of(request.time_limit)}, job->question);
    if (!built)
        return std::unexpected(built.error());
    // Recomputes the key: a header may have changed during the build.
    if (cached) {
        if (const std::expected<Job, Failure> again = prepare(request); again && again->key == job->key)
            cache.store(key, *built);
    }
    return output_of(*built, *compiler, false, start);
}

bool CompilerList::knows(std::string_view device) const {
    return std::ranges::any_of(found, [device](const CompilerFacts& compiler) {
        return std::ranges::find(compiler.devices, device) != compiler.devices.end();
    });
}

CompilerList list_compilers(std::string_view name) {
    CompilerList list;
    const std::expected<std::string, std::string> worker = find_worker();
    if (!worker)
        return {.found = {}, .problems = {worker.error()}};
    Compilers all = find_compilers(*worker, name);
    list.problems = std::move(all.problems);
    for (const Compiler& compiler : all.found) {
        CompilerFacts& facts = list.found.emplace_back();
        facts.title = compiler.title();
        facts.version = compiler.version;
        facts.library = compiler.location.library;
        for (const Target& target : compiler.targets)
            facts.devices.push_back(target.device);
    }
    return list;
}

WorkerConfinement worker_confinement() {
    const std::expected<std::string, std::string> worker = find_worker();
    if (!worker)
        return {};
    const auto answer =
        ask_worker(*worker, {MessageKind::examine, {}}, Clock::now() + std::chrono::seconds(10));
    if (!answer || answer->kind != MessageKind::examined || answer->fields.size() != examined_field_count)
        return {};
    return {.limits = answer->fields[examined_limits] == "1",
            .no_new_privs = answer->fields[examined_no_new_privs] == "1",
            .system_calls = answer->fields[examined_system_calls] == "1",
            .landlock = std::atoi(answer->fields[examined_landlock].c_str())};
}

std::string cache_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    if (const std::string chosen = variable("VISOR_CACHE_DIR"); !chosen.empty())
        return chosen;
    if (const std::string caches = variable("XDG_CACHE_HOME"); caches.starts_with('/'))
        return caches + "/visor";
    const std::string home = variable("HOME");
    return home.empty() ? "" : home + "/.cache/visor";
}

} // namespace visor::compile
