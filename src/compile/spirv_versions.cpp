#include "compile/spirv_versions.h"

#include "compile/cache.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <sys/wait.h>

namespace visor::compile {

namespace {

constexpr std::chrono::seconds patience{60}; // for one empty kernel

std::optional<bool> reads(const Command& program, const Compiler& compiler, spirv::Version version) {
    Message question{MessageKind::build, std::vector<std::string>(build_field_count)};
    question.fields[build_device] = compiler.targets.front().name;
    question.fields[build_language] = language_spirv;
    question.fields[build_product] = product_zebin;
    question.fields[build_source] = empty_kernel(version);
    question.fields[build_seconds] = fmt::format("{}", patience.count());
    const auto answer = ask_worker(program, question, std::chrono::steady_clock::now() + patience);
    if (!answer) {
        const int status = answer.error().status;
        return status != -1 && WIFEXITED(status) ? std::optional(false) : std::nullopt;
    }
    constexpr size_t code = 0, zebin = 2;
    if (answer->kind != MessageKind::built || answer->fields.size() != 3)
        return std::nullopt;
    return answer->fields[code] == "0" && !answer->fields[zebin].empty();
}

std::string written(const spirv::VersionRange& range) {
    return fmt::format("{} {} {} {}", range.oldest.major, range.oldest.minor, range.newest.major,
                       range.newest.minor);
}
std::optional<spirv::VersionRange> read(const std::string& text) {
    std::istringstream in(text);
    spirv::VersionRange range;
    in >> range.oldest.major >> range.oldest.minor >> range.newest.major >> range.newest.minor;
    return in ? std::optional(range) : std::nullopt;
}

} // namespace

std::string empty_kernel(spirv::Version version) {
    enum Id : uint32_t { main_id = 1, void_id, function_id, label_id, bound };
    constexpr uint32_t physical64 = 2, opencl = 2, kernel = 6, name = 'k';
    const auto head = [](uint32_t words, uint32_t opcode) { return words << 16U | opcode; };
    const std::array words{spirv::magic,
                           version.major << 16U | version.minor << 8U,
                           0U,
                           uint32_t{bound},
                           0U,
                           head(2, 17), // OpCapability Addresses
                           4U,
                           head(2, 17), // OpCapability Kernel
                           6U,
                           head(3, 14), // OpMemoryModel
                           physical64,
                           opencl,
                           head(4, 15), // OpEntryPoint
                           kernel,
                           uint32_t{main_id},
                           name,
                           head(2, 19), // OpTypeVoid
                           uint32_t{void_id},
                           head(3, 33), // OpTypeFunction
                           uint32_t{function_id},
                           uint32_t{void_id},
                           head(5, 54), // OpFunction
                           uint32_t{void_id},
                           uint32_t{main_id},
                           0U,
                           uint32_t{function_id},
                           head(2, 248), // OpLabel
                           uint32_t{label_id},
                           head(1, 253), // OpReturn
                           head(1, 56)}; // OpFunctionEnd
    return {reinterpret_cast<const char*>(words.data()), sizeof words};
}

std::optional<spirv::VersionRange> range_of(const std::function<std::optional<bool>(spirv::Version)>& reads) {
    constexpr uint32_t most_minor = 15; // there are 1.0 to 1.6
    std::optional<spirv::VersionRange> range;
    for (uint32_t minor = 0; minor <= most_minor; ++minor) {
        const spirv::Version version{1, minor};
        const std::optional<bool> is_read = reads(version);
        if (!is_read)
            return std::nullopt;
        if (*is_read)
            range = {range ? range->oldest : version, version};
        else if (range)
            break;
    }
    return range;
}

std::optional<spirv::VersionRange> spirv_versions(const Command& program, const Compiler& compiler) {
    const std::string folder = cache_folder();
    const Cache cache(folder, "compilers");
    const std::string key = fmt::format("spirv 1\n{}\n{}", compiler.version, compiler.identity);
    if (const auto kept = folder.empty() ? std::nullopt : cache.find(key))
        if (const auto known = read(kept->zebin))
            return known;
    const auto range = range_of([&](spirv::Version version) { return reads(program, compiler, version); });
    if (range && !folder.empty())
        cache.store(key, {.zebin = written(*range), .log = {}});
    return range;
}

} // namespace visor::compile
