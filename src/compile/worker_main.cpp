// The process that runs the outside OpenCL compiler for one request. It exists because the compiler installs
// signal handlers of its own and aborts the process when it crashes. It loads the compiler at run time, so
// that nothing of Visor links it, and leaves nothing behind: it works in a folder where no file can be made
// (the compiler writes a copy of the text it emits into the working folder), and what it prints goes to its
// caller alone.
#include "compile/serve.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
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

constexpr const char* library_name = "libocloc.so";

// ---- the compiler
// ----------------------------------------------------------------------------------------------

struct Compiler {
    void* handle = nullptr;
    InvokeFunction invoke = nullptr;
    std::string problem;
};

Compiler load_compiler() {
    Compiler compiler;
    compiler.handle = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (compiler.handle == nullptr) {
        const char* text = dlerror();
        compiler.problem = text != nullptr ? text : library_name;
        return compiler;
    }
    compiler.invoke = reinterpret_cast<InvokeFunction>(dlsym(compiler.handle, "oclocInvoke"));
    if (compiler.invoke == nullptr)
        compiler.problem = std::string(library_name) + " has no oclocInvoke";
    return compiler;
}

std::string path_of(void* handle) {
    const link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || map == nullptr)
        return "";
    std::error_code ignored;
    return std::filesystem::canonical(map->l_name, ignored).string();
}

// The real path of a library that the compiler will load: next to it as a rule, else where the loader finds
// it.
std::string find_library(const std::filesystem::path& folder, const char* name) {
    std::error_code missing;
    std::string beside = std::filesystem::canonical(folder / name, missing).string();
    if (!missing)
        return beside;
    void* handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    return handle == nullptr ? "" : path_of(handle);
}

std::string identity_of(const std::string& path) {
    struct stat facts{};
    if (path.empty() || stat(path.c_str(), &facts) != 0)
        return path + " ?\n";
    return path + ' ' + std::to_string(facts.st_size) + ' ' + std::to_string(facts.st_mtim.tv_sec) + '.' +
           std::to_string(facts.st_mtim.tv_nsec) + '\n';
}

struct Invocation {
    int code = 0;
    std::string log;
    std::string zebin;
    std::string other; // of `query`: the answer
};

// A file of the compiler's world: it lives in memory alone.
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
    return result; // the outputs go with the process
}

Message describe() {
    const Compiler compiler = load_compiler();
    if (compiler.invoke == nullptr)
        return {MessageKind::missing, {compiler.problem}};
    const std::string driver = path_of(compiler.handle);
    const std::filesystem::path folder = std::filesystem::path(driver).parent_path();
    const std::string back_end = find_library(folder, "libigc.so.1");
    const std::string front_end = find_library(folder, "libigdfcl.so.1");

    std::string version = invoke(compiler, {"ocloc", "query", "OCL_DRIVER_VERSION"}, {}).other;
    std::erase_if(version, [](char c) { return c <= ' ' || c > '~'; });
    version = "ocloc " + (version.empty() ? std::string("of unknown version") : version);
    return {MessageKind::described,
            {version + '\n' + identity_of(driver) + identity_of(back_end) + identity_of(front_end), version}};
}

std::string internal_options(const std::string& further) {
    const std::string own = "-ze-emit-zebin-visa-sections";
    return further.empty() ? own : own + " " + further;
}

// What all compilations to a zebin have in common.
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

Message build(const Message& request) {
    const Compiler compiler = load_compiler();
    if (compiler.invoke == nullptr)
        return {MessageKind::missing, {compiler.problem}};
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

// Modules to one, and this to a zebin.
Message link(const Message& request) {
    const Compiler compiler = load_compiler();
    if (compiler.invoke == nullptr)
        return {MessageKind::missing, {compiler.problem}};
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

Message answer(const Message& request) {
    switch (request.kind) {
    case MessageKind::build:
        return build(request);
    case MessageKind::link:
        return link(request);
    default:
        return describe();
    }
}

bool is_whole(const Message& request) {
    switch (request.kind) {
    case MessageKind::describe:
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

int main() {
    if (!settle(Prints::to_caller)) // what the compiler says before it dies is all that there is to tell
        return 2;
    const std::optional<Message> request = receive();
    if (!request)
        return 2;
    if (!is_whole(*request))
        return 2;
    const bool answered = reply(answer(*request));
    _exit(answered ? 0 : 2); // skips the compiler's own clean-up, which has nothing to add
}
