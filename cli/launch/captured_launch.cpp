#include "cli/launch/captured_launch.h"

#include "capture/layout.h"
#include "cli/launch/launch_file.h"
#include "file/file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace visor::cli {

namespace {

namespace fs = std::filesystem;

constexpr size_t most_small_bytes = size_t{1} << 20U; // of a file that is a few lines
constexpr size_t most_files = 10'000;                 // in Pre

// "Enqueue_0003_Kernel_saxpy_Arg_1_Buffer_0002.bin"
struct MemoryFile {
    size_t argument = 0;
    bool is_image = false;
};
std::optional<MemoryFile> memory_file(std::string_view name) {
    constexpr std::string_view mark = "_Arg_";
    const size_t at = name.rfind(mark);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = name.substr(at + mark.size());
    MemoryFile file;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), file.argument);
    const std::string_view kind = rest.substr(static_cast<size_t>(end - rest.data()));
    file.is_image = kind.starts_with("_Image_");
    const bool good = problem == std::errc{} && (file.is_image || kind.starts_with("_Buffer_"));
    return good ? std::optional(file) : std::nullopt;
}

// Reads the folder of the Intercept Layer. The first problem ends it.
class Reader {
public:
    explicit Reader(std::string folder) : folder_(std::move(folder)) {}

    std::expected<Job, Failure> read() {
        read_program();
        read_kernel();
        read_types();
        find_memory();
        for (const auto& [argument, file] : memory_)
            read_memory(argument, file.first, file.second);
        read_other_arguments();
        if (!problem_.empty())
            return invalid(fmt::format("{}: error: {}", folder_, problem_));
        job_.launches.push_back(std::move(launch_));
        return std::move(job_);
    }

private:
    void wrong(std::string why) {
        if (problem_.empty())
            problem_ = std::move(why);
    }
    [[nodiscard]] std::string path_of(std::string_view name) const {
        return fmt::format("{}/{}", folder_, name);
    }
    [[nodiscard]] bool has(std::string_view name) const {
        std::error_code ignored;
        return fs::is_regular_file(path_of(name), ignored);
    }
    std::string text_of(std::string_view name, size_t most = most_small_bytes) {
        auto content = read_file(path_of(name), most);
        if (!content) {
            wrong(content.error());
            return "";
        }
        return std::move(*content);
    }
    std::optional<uint64_t> number_in(std::string_view name) {
        const std::string text = text_of(name);
        uint64_t number = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{})
            return number;
        wrong(fmt::format("{} holds no number", name));
        return std::nullopt;
    }

    // What a replay of that layout takes first, too: the source.
    void read_program() {
        const char* name = has(capture::source_file)  ? capture::source_file
                           : has(capture::spirv_file) ? capture::spirv_file
                                                      : capture::binary_file;
        job_.program_name = path_of(name);
        job_.program = text_of(name, most_file_bytes);
        if (name == capture::source_file)
            while (job_.program.ends_with('\0'))
                job_.program.pop_back();
        if (name == capture::binary_file || !has(capture::options_file))
            return;
        std::string options = text_of(capture::options_file);
        options.erase(std::min(options.find_last_not_of(" \n\r") + 1, options.size()));
        job_.load.compiler_options = std::move(options);
    }

    void read_kernel() {
        launch_.place = "the launch";
        launch_.kernel = text_of(capture::kernel_name_file);
        launch_.kernel.erase(std::min(launch_.kernel.find_first_of("\r\n"), launch_.kernel.size()));
        if (!problem_.empty())
            return;
        const auto sizes = capture::parse_sizes(text_of(capture::sizes_file));
        if (!sizes)
            return wrong(sizes.error());
        const auto extent = [&](const std::array<uint64_t, 3>& size) {
            if (std::ranges::any_of(size, [](uint64_t one) { return one > UINT32_MAX; }))
                wrong(fmt::format("{} has a size above {}", capture::sizes_file, UINT32_MAX));
            return Extent{sizes->dimensions, size};
        };
        launch_.global = extent(sizes->global);
        if (sizes->local[0] != 0)
            launch_.local = extent(sizes->local);
        launch_.offset = extent(sizes->offset);
    }

    void read_types() {
        if (!has(capture::types_file))
            return;
        const std::string text = text_of(capture::types_file);
        for (std::string_view rest = text; !rest.empty();) {
            const size_t end = std::min(rest.find('\n'), rest.size() - 1);
            types_.emplace_back(rest.substr(0, end));
            rest.remove_prefix(end + 1);
        }
    }
    [[nodiscard]] std::string type_of(size_t argument) const {
        return argument < types_.size() ? types_[argument] : "";
    }

    void find_memory() {
        std::error_code problem;
        size_t files = 0;
        for (fs::directory_iterator entry(path_of(capture::before_folder), problem), end;
             !problem && entry != end; entry.increment(problem)) {
            const std::string name = entry->path().filename().string();
            const auto file = memory_file(name);
            if (++files > most_files)
                return wrong(fmt::format("{} has more than {} files", capture::before_folder, most_files));
            if (file)
                memory_[file->argument] = {name, file->is_image};
        }
    }

    static std::string name_of(size_t argument) { return fmt::format("argument {}", argument); }

    void give(size_t argument, std::string text, Value value) {
        launch_.arguments.push_back({std::to_string(argument), std::move(text), std::move(value)});
    }

    // A buffer, an allocation or an image, from its file in Pre; what it is after the launch, in Post.
    void read_memory(size_t argument, const std::string& file, bool is_image) {
        const std::string handle_file = fmt::format("Argument{}.bin", argument);
        const std::string handle = has(handle_file) ? text_of(handle_file) : name_of(argument);
        const std::string offset_file = fmt::format("SVM_Arg_Offset_{}.txt", argument);
        const uint64_t offset = !is_image && has(offset_file) ? number_in(offset_file).value_or(0) : 0;
        const auto [first, is_new] = arrays_.emplace(handle, name_of(argument));
        give(argument, first->second, Named{.name = first->second, .offset = offset});
        if (!is_new)
            return;
        const std::string before = path_of(fmt::format("{}/{}", capture::before_folder, file));
        const std::string after = fmt::format("{}/{}", capture::after_folder, file);
        auto value = is_image ? image_value(argument, before) : array_value(argument, before);
        job_.arrays.push_back({first->second, before, value});
        if (!has(after))
            return;
        if (auto* array = std::get_if<ArrayFile>(&value))
            array->path = path_of(after);
        else
            std::get<ImageValue>(value).path = path_of(after);
        job_.expectations.push_back(
            {.place = after,
             .array = first->second,
             .text = after,
             .value = std::move(value),
             .every = false,
             .tolerance = {.absolute = {}, .relative = {}, .ulps = {}, .bits = true}});
    }

    [[nodiscard]] Value array_value(size_t argument, const std::string& path) const {
        std::error_code ignored;
        const std::string_view element =
            capture::element_behind(type_of(argument), fs::file_size(path, ignored));
        return ArrayFile{.path = path, .element = element_named(element)};
    }

    Value image_value(size_t argument, const std::string& path) {
        using machine::ImageShape;
        const auto image = capture::parse_metadata(text_of(fmt::format("Image_MetaData_{}.txt", argument)));
        if (!image) {
            wrong(fmt::format("argument {}: {}", argument, image.error()));
            return ImageValue{};
        }
        const bool is_flat = image->shape == ImageShape::d1 || image->shape == ImageShape::d1_array ||
                             image->shape == ImageShape::d1_buffer;
        const bool has_layers = image->shape == ImageShape::d1_array || image->shape == ImageShape::d2_array;
        return ImageValue{image->format,
                          {.dimensions = is_flat                          ? 1U
                                         : image->shape == ImageShape::d3 ? 3U
                                                                          : 2U,
                           .size = image->size,
                           .layers = has_layers ? image->layers : 0},
                          path,
                          {}};
    }

    // By value, local memory, samplers, null pointers.
    void read_other_arguments() {
        constexpr size_t most_arguments = 4096;
        constexpr size_t pointer_bytes = 8;
        for (size_t k = 0; k < most_arguments && problem_.empty(); ++k) {
            const std::string value = fmt::format("Argument{}.bin", k);
            const std::string local = fmt::format("Local{}.txt", k);
            const std::string sampler = fmt::format("Sampler{}.txt", k);
            if (memory_.contains(k))
                continue;
            if (has(local))
                give(k, local, LocalMemory{number_in(local).value_or(0)});
            else if (has(sampler))
                give(k, sampler, capture::parse_sampler(text_of(sampler)));
            else if (has(value) && type_of(k).ends_with('*') &&
                     text_of(value) == std::string(pointer_bytes, '\0'))
                give(k, "null", Null{});
            else if (has(value))
                give(k, value, FileBytes{path_of(value)});
        }
    }

    std::string folder_;
    std::string problem_; // the first
    std::vector<std::string> types_;
    std::map<size_t, std::pair<std::string, bool>>
        memory_;                                // by argument: a file of Pre, whether it is an image
    std::map<std::string, std::string> arrays_; // by handle: the array's name
    LaunchRequest launch_;
    Job job_;
};

} // namespace

std::expected<Job, Failure> read_captured_launch(const std::string& folder) {
    std::error_code ignored;
    const std::string own = fmt::format("{}/{}", folder, capture::launch_file_name);
    if (fs::exists(own, ignored)) {
        const auto content = read_file(own);
        if (!content)
            return invalid(content.error());
        return parse_launch_file(own, *content);
    }
    if (!fs::exists(fmt::format("{}/{}", folder, capture::kernel_name_file), ignored))
        return invalid(
            fmt::format("{}: error: this folder holds no captured launch: there is neither {} nor {}", folder,
                        capture::launch_file_name, capture::kernel_name_file));
    return Reader(folder).read();
}

} // namespace visor::cli
