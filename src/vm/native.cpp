#include "vm/native.h"

#include "compile/cache.h"
#include "compile/compile.h"
#include "compile/worker.h"
#include "text/text.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace visor::vm {

namespace {

using namespace compile;

constexpr const char* worker_file = "visor-jit-worker";

// The worker counts its CPU time; by the clock it may take longer, since the machine has more to do.
constexpr double clock_for_cpu = 4;

// Lines of the first processor that say what it can do; "" where there is no such file.
std::string cpu_identity() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    std::string found;
    while (std::getline(file, line) && !line.empty())
        if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
            found += line + '\n';
    return found;
}

std::string worker_identity(const std::string& path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    const auto written = std::filesystem::last_write_time(path, error);
    return fmt::format("{} {} {} {}", VISOR_VERSION, path, bytes, written.time_since_epoch().count());
}

std::string bytes_of(const std::vector<uint32_t>& numbers) {
    std::string bytes(numbers.size() * sizeof(uint32_t), '\0');
    if (!numbers.empty())
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

Message question_of(const visor::Program& program, const jit::CompileOptions& options) {
    Module module;
    module.functions.push_back(*program.function);
    return {MessageKind::generate,
            {text::print(module), program.device->name, std::to_string(options.simd),
             options.full ? "1" : "0", options.lowered ? "1" : "0",
             std::to_string(static_cast<unsigned>(options.level)),
             bytes_of(machine::numbers_of(options.inputs)), std::to_string(options.told.bits())}};
}

bool read_list(const std::string& bytes, std::vector<uint32_t>& numbers) {
    if (bytes.size() % sizeof(uint32_t) != 0)
        return false;
    numbers.resize(bytes.size() / sizeof(uint32_t));
    if (!bytes.empty())
        std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return true;
}

// The answer as an object; nothing when it is not one of this program.
std::optional<jit::Object> object_of(const Message& answer, const visor::Program& program) {
    jit::Object object;
    std::vector<uint32_t> counts;
    if (answer.kind != MessageKind::generated || answer.fields.size() != generated_field_count ||
        !read_list(answer.fields[generated_counts], counts) || counts.size() != 3 ||
        !read_list(answer.fields[generated_surfaces], object.surfaces) ||
        !read_list(answer.fields[generated_named_surfaces], object.named_surfaces) ||
        !read_list(answer.fields[generated_pinned], object.pinned) || object.pinned.size() % 2 != 0)
        return std::nullopt;
    for (size_t k = 0; k < object.pinned.size(); k += 2)
        if (uint64_t{object.pinned[k]} + object.pinned[k + 1] > program.register_bytes)
            return std::nullopt;
    if (counts[0] != program.register_bytes || counts[1] != program.code.size())
        return std::nullopt;
    object.bytes = answer.fields[generated_object];
    object.sites = counts[2];
    return object;
}

std::optional<Message> message_in(const std::string& bytes) {
    if (bytes.size() < header_bytes)
        return std::nullopt;
    const std::span<const char, header_bytes> header(bytes.data(), header_bytes);
    const auto expected = body_bytes(header);
    if (!expected || *expected != bytes.size() - header_bytes)
        return std::nullopt;
    return decode(header, std::span(bytes).subspan(header_bytes));
}

} // namespace

std::expected<jit::Object, std::string> make_object(const visor::Program& program,
                                                    const jit::CompileOptions& options) {
    const auto worker = find_part(worker_file);
    if (!worker)
        return std::unexpected(worker.error());
    const Message question = question_of(program, options);
    const std::string folder = cache_folder();
    const Cache cache(std::filesystem::path(folder) / "native");
    std::string key = worker_identity(*worker) + '\0' + cpu_identity() + '\0' + encode(question);
    if (!folder.empty())
        if (const auto found = cache.find(key))
            if (const auto answer = message_in(found->zebin))
                if (auto object = object_of(*answer, program))
                    return std::move(*object);
    const double seconds = clock_for_cpu * jit::compile_seconds(program.code.size());
    const auto limit = std::chrono::duration_cast<Deadline::duration>(std::chrono::duration<double>(seconds));
    const auto answer =
        ask_worker(*worker, question, std::chrono::steady_clock::now() + limit, "code generation");
    if (!answer)
        return std::unexpected(answer.error().message);
    if (answer->kind == MessageKind::missing)
        return std::unexpected(answer->fields.empty() ? "no code" : answer->fields.front());
    auto object = object_of(*answer, program);
    if (!object)
        return std::unexpected("the code generator compiled something else");
    if (!folder.empty())
        cache.store(key, {encode(*answer), ""});
    return std::move(*object);
}

} // namespace visor::vm
