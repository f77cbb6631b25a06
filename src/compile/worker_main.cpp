// The worker process that runs the external OpenCL compiler for one request, because the compiler installs
// signal handlers and aborts when it crashes. It loads the compiler at run time, so Visor does not link it.
// It leaves no files: its working folder is not writable (the compiler would write a copy of its output
// there), and its output goes to its caller.
#include "compile/confine.h"
#include "compile/serve.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <iterator>
#include <link.h>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using namespace visor::compile;

// The compiler's C interface (ocloc_api.h), declared here so that the build does not need the header.
using InvokeFunction = int (*)(unsigned argument_count, const char** arguments, uint32_t source_count,
                               const uint8_t** sources, const uint64_t* source_bytes,
                               const char** source_names, uint32_t header_count, const uint8_t** headers,
                               const uint64_t* header_bytes, const char** header_names,
                               uint32_t* output_count, uint8_t*** outputs, uint64_t** output_bytes,
                               char*** output_names);

// ---- the compiler
// ----------------------------------------------------------------------------------------------

// Files of libraries that this process has loaded.
std::vector<std::string> loaded_files() {
    std::vector<std::string> files;
    const auto add = [](dl_phdr_info* one, size_t, void* to) {
        if (one->dlpi_name != nullptr && one->dlpi_name[0] == '/')
            static_cast<std::vector<std::string>*>(to)->push_back(
                std::filesystem::path(one->dlpi_name).lexically_normal().string());
        return 0;
    };
    dl_iterate_phdr(add, &files);
    return files;
}

struct Compiler {
    std::vector<std::string> before; // libraries loaded before the compiler
    void* handle = nullptr;
    InvokeFunction invoke = nullptr;
    std::string problem;
};

Compiler load_compiler(const char* library) {
    Compiler compiler;
    compiler.before = loaded_files();
    compiler.handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (compiler.handle == nullptr) {
        const char* text = dlerror();
        compiler.problem = text != nullptr ? text : library;
        return compiler;
    }
    compiler.invoke = reinterpret_cast<InvokeFunction>(dlsym(compiler.handle, "oclocInvoke"));
    if (compiler.invoke == nullptr)
        compiler.problem = std::string(library) + " has no oclocInvoke";
    return compiler;
}

struct Invocation {
    int code = 0;
    std::string log;
    std::string zebin;
    std::string other; // of `query`: the answer
};

// A virtual file for the compiler, in memory.
struct SourceFile {
    std::string name;
    const std::string* content = nullptr;
    uint64_t bytes = 0;
};

Invocation invoke(const Compiler& compiler, std::vector<const char*> arguments,
                  const std::vector<SourceFile>& files) {
    std::vector<const uint8_t*> contents;
    std::vector<uint64_t> sizes;
    std::vector<const char*> file_names;
    for (const SourceFile& file : files) {
        contents.push_back(reinterpret_cast<const uint8_t*>(file.content->c_str()));
        sizes.push_back(file.bytes);
        file_names.push_back(file.name.c_str());
    }
    uint32_t count = 0;
    uint8_t** outputs = nullptr;
    uint64_t* bytes = nullptr;
    char** names = nullptr;
    Invocation result;
    result.code =
        compiler.invoke(static_cast<unsigned>(arguments.size()), arguments.data(),
                        static_cast<uint32_t>(files.size()), contents.data(), sizes.data(), file_names.data(),
                        0, nullptr, nullptr, nullptr, &count, &outputs, &bytes, &names);
    for (uint32_t i = 0; i < count; ++i) {
        std::string content(reinterpret_cast<const char*>(outputs[i]), bytes[i]);
        if (std::strcmp(names[i], "stdout.log") == 0)
            result.log = std::move(content);
        else if (content.starts_with("\177ELF"))
            result.zebin = std::move(content);
        else
            result.other = std::move(content);
    }
    return result; // outputs are freed with the process
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

bool is_known_name(const Compiler& compiler, const std::string& name) {
    return invoke(compiler, {"ocloc", "ids", name.c_str()}, {}).code == 0;
}

// Tests a device by compiling for it, since lists are incomplete.
Invocation try_to_compile(const Compiler& compiler, const std::string& name) {
    const std::string source = "kernel void k(global int* p) { p[0] = 1; }\n";
    return invoke(compiler,
                  {"ocloc", "compile", "-q", "-file", "k.cl", "-device", name.c_str(), "--format", "zebin"},
                  {{"k.cl", &source, source.size() + 1}});
}

// The compiler's name of each supported device. Its product lists omit some accepted names.
std::vector<std::string> names_of_devices(const Compiler& compiler,
                                          const std::vector<std::string>& candidates) {
    std::vector<std::string> names;
    for (const std::string& one : candidates) {
        std::string found;
        for (const std::string& name : words_of(one))
            if (found.empty() && is_known_name(compiler, name))
                found = name;
        for (const std::string& name : words_of(one))
            if (found.empty() && try_to_compile(compiler, name).code == 0)
                found = name;
        names.push_back(std::move(found));
    }
    return names;
}

// The first line of its output.
std::string first_line(const std::string& log) {
    const size_t end = log.find('\n');
    return log.empty() ? "it compiles nothing and says nothing" : log.substr(0, end);
}

Message describe(const Compiler& compiler, const Message& request) {
    const std::string version = invoke(compiler, {"ocloc", "query", "OCL_DRIVER_VERSION"}, {}).other;
    std::vector<std::string> names = names_of_devices(compiler, request.fields);
    const auto first = std::ranges::find_if(names, [](const std::string& name) { return !name.empty(); });
    if (first == names.end())
        return {MessageKind::missing, {"it makes code for no device that Visor knows"}};
    // It loads further libraries when it compiles.
    if (const Invocation tried = try_to_compile(compiler, *first); tried.code != 0)
        return {MessageKind::missing, {first_line(tried.log)}};
    std::string libraries;
    for (const std::string& file : loaded_files())
        if (std::ranges::find(compiler.before, file) == compiler.before.end())
            libraries += file + '\n';
    std::vector<std::string> fields{version, libraries};
    std::ranges::move(names, std::back_inserter(fields));
    return {MessageKind::described, std::move(fields)};
}

std::string internal_options(const std::string& further) {
    const std::string own = "-ze-emit-zebin-visa-sections";
    return further.empty() ? own : own + " " + further;
}

// Common options of all compilations to a zebin.
std::vector<const char*> arguments_for(const char* file, const std::string& device,
                                       const std::string& internal, const std::string& options) {
    std::vector<const char*> arguments{
        "ocloc",         "compile",      "-q",       "-file", file,
        "-device",       device.c_str(), "--format", "zebin", "-internal_options",
        internal.c_str()};
    if (!options.empty()) {
        arguments.push_back("-options");
        arguments.push_back(options.c_str());
    }
    return arguments;
}

Message build(const Compiler& compiler, const Message& request) {
    const bool spirv = request.fields[build_language] == language_spirv;
    const bool stops_at_spirv = request.fields[build_product] == product_spirv;
    const char* name = spirv ? "main.spv" : "main.cl";
    const std::string internal = internal_options(request.fields[build_internal_options]);
    std::vector<const char*> arguments =
        arguments_for(name, request.fields[build_device], internal, request.fields[build_options]);
    if (spirv)
        arguments.push_back("-spirv_input");
    if (stops_at_spirv)
        arguments.push_back("-spv_only");
    const std::string& source = request.fields[build_source];
    const uint64_t bytes = source.size() + (spirv ? 0 : 1); // text counts its closing NUL
    Invocation result = invoke(compiler, std::move(arguments), {{name, &source, bytes}});
    return {MessageKind::built,
            {std::to_string(result.code), std::move(result.log),
             stops_at_spirv ? std::move(result.other) : std::move(result.zebin)}};
}

// Links modules to one, and compiles that to a zebin.
Message link(const Compiler& compiler, const Message& request) {
    std::vector<SourceFile> files;
    for (size_t i = link_field_count; i < request.fields.size(); ++i)
        files.push_back({"m" + std::to_string(i) + ".spv", &request.fields[i], request.fields[i].size()});
    std::vector<const char*> arguments{"ocloc", "link"};
    for (const SourceFile& file : files) {
        arguments.push_back("-file");
        arguments.push_back(file.name.c_str());
    }
    arguments.insert(arguments.end(), {"-out_format", "LLVM_BC", "-out", "linked.bc"});
    Invocation linked = invoke(compiler, std::move(arguments), files);
    if (linked.code != 0 || linked.other.empty())
        return {MessageKind::built,
                {std::to_string(linked.code == 0 ? -11 : linked.code), std::move(linked.log), ""}};
    const std::string internal = internal_options(request.fields[link_internal_options]);
    arguments =
        arguments_for("linked.bc", request.fields[link_device], internal, request.fields[link_options]);
    arguments.push_back("-llvm_input");
    Invocation result =
        invoke(compiler, std::move(arguments), {{"linked.bc", &linked.other, linked.other.size()}});
    return {MessageKind::built,
            {std::to_string(result.code), std::move(result.log), std::move(result.zebin)}};
}

// Confines the process as the request permits.
void limit_time(const Message& request) {
    const size_t field = request.kind == MessageKind::build ? size_t{build_seconds} : size_t{link_seconds};
    if (request.kind == MessageKind::describe)
        return;
    if (const double seconds = std::strtod(request.fields[field].c_str(), nullptr); seconds > 0)
        end_after_cpu_time(seconds);
}

// Each NUL-terminated.
void append_paths(std::vector<std::string>& to, std::string_view paths) {
    while (!paths.empty()) {
        const std::string_view path = paths.substr(0, paths.find('\0'));
        to.emplace_back(path);
        paths.remove_prefix(std::min(path.size() + 1, paths.size()));
    }
}

// For a description the compiler reads only built-in programs, but its libraries may be anywhere.
std::vector<std::string> readable_for(const char* library, const Message& request) {
    if (request.kind == MessageKind::describe)
        return {"/"};
    std::vector<std::string> readable = files_of_compiler(library);
    append_paths(
        readable,
        request.fields[request.kind == MessageKind::build ? size_t{build_readable} : size_t{link_readable}]);
    return readable;
}

Message examine() {
    const Confinement found = confine({});
    const auto flag = [](bool value) { return std::string(value ? "1" : "0"); };
    return {MessageKind::examined,
            {flag(found.limited), flag(found.no_new_privs), flag(found.system_calls),
             std::to_string(found.landlock)}};
}

Message answer(const char* library, const Message& request) {
    if (request.kind == MessageKind::examine)
        return examine();
    limit_time(request);
    [[maybe_unused]] const Confinement in_force = confine(readable_for(library, request));
    const Compiler compiler = load_compiler(library);
    if (compiler.invoke == nullptr)
        return {MessageKind::missing, {compiler.problem}};
    switch (request.kind) {
    case MessageKind::build:
        return build(compiler, request);
    case MessageKind::link:
        return link(compiler, request);
    default:
        return describe(compiler, request);
    }
}

bool is_whole(const Message& request) {
    switch (request.kind) {
    case MessageKind::describe:
    case MessageKind::examine:
        return true;
    case MessageKind::build:
        return request.fields.size() == build_field_count;
    case MessageKind::link:
        return request.fields.size() > link_field_count;
    default:
        return false;
    }
}

} // namespace

// The compiler's library is its argument.
int main(int argc, char** argv) {
    if (!settle(Prints::to_caller)) // a dying compiler's output is the only diagnostic
        return 2;
    const std::optional<Message> request = receive();
    if (!request)
        return 2;
    if (!is_whole(*request))
        return 2;
    const bool answered = reply(answer(argc > 1 ? argv[1] : "libocloc.so", *request));
    _exit(answered ? 0 : 2); // skips the compiler's clean-up
}
