#include "capture/folder.h"

#include "capture/layout.h"
#include "file/file.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace visor::capture {

namespace {

namespace fs = std::filesystem;
using Done = std::expected<void, std::string>;

// Writes files into a folder until one cannot be written.
class Writer {
public:
    explicit Writer(std::string folder) : folder_(std::move(folder)) {}

    void put(const std::string& name, std::span<const std::byte> bytes) {
        if (done_)
            done_ = write_file(folder_ + "/" + name, bytes, Content::binary);
    }
    void put(const std::string& name, std::string_view text) { put(name, std::as_bytes(std::span(text))); }
    void make(const std::string& name) {
        std::error_code problem;
        if (done_ && !fs::create_directory(folder_ + "/" + name, problem) && problem)
            done_ = std::unexpected(fmt::format("{}/{}: {}", folder_, name, problem.message()));
    }
    [[nodiscard]] const Done& done() const { return done_; }

private:
    std::string folder_;
    Done done_;
};

// Pixels without gaps between rows and slices.
std::vector<std::byte> packed(const Pixels& pixels) {
    const machine::Image& from = pixels.image;
    const machine::Image to = machine::packed_image(from.shape, from.format, from.size, from.layers);
    std::vector<std::byte> out(to.bytes());
    const uint64_t slices = uint64_t{from.size[2]} * from.layers;
    const uint64_t row = uint64_t{from.size[0]} * machine::bytes_of_pixel(from.format);
    for (uint64_t slice = 0; slice < slices; ++slice)
        for (uint64_t y = 0; y < from.size[1]; ++y)
            std::memcpy(out.data() + slice * to.slice_pitch + y * to.row_pitch,
                        pixels.bytes.data() + slice * from.slice_pitch + y * from.row_pitch, row);
    return out;
}

// Memory as it is now: the arguments' objects each, blocks that are none of them, and images.
void put_memory(Writer& writer, const std::string& folder, const Launch& launch, const Blocks& blocks) {
    writer.make(folder);
    for (size_t k = 0; k < launch.arguments.size(); ++k) {
        const Value& value = launch.arguments[k].value;
        if (const auto* object = std::get_if<Object>(&value))
            writer.put(
                fmt::format("{}/{}", folder, buffer_file(launch.number, launch.kernel, k, object->number)),
                object->bytes);
        if (const auto* pixels = std::get_if<Pixels>(&value))
            writer.put(fmt::format("{}/{}", folder, pixels_file(launch, k)), packed(*pixels));
    }
    for (size_t k = 0; k < blocks.all.size(); ++k)
        if (!blocks.all[k].argument)
            writer.put(fmt::format("{}/{}", folder, block_file(launch, blocks, k)), blocks.all[k].bytes);
    if (!launch.variables.empty())
        writer.put(fmt::format("{}/{}", folder, variables_file), launch.variables);
}

// Handles as they are given to clSetKernelArg: equal numbers are one object.
void put_handle(Writer& writer, size_t argument, uint64_t number) {
    writer.put(fmt::format("Argument{}.bin", argument), std::as_bytes(std::span(&number, 1)));
}

void put_argument(Writer& writer, size_t k, const Value& value) {
    constexpr uint64_t sampler_handle = 1;
    if (const auto* bytes = std::get_if<std::vector<std::byte>>(&value))
        writer.put(fmt::format("Argument{}.bin", k), *bytes);
    else if (const auto* local = std::get_if<Local>(&value))
        writer.put(fmt::format("Local{}.txt", k), fmt::format("{}", local->bytes));
    else if (std::holds_alternative<machine::Filler>(value))
        return; // in the launch file alone
    else if (const auto* object = std::get_if<Object>(&value)) {
        put_handle(writer, k, object->number);
        writer.put(fmt::format("SVM_Arg_Offset_{}.txt", k), fmt::format("{}\n", object->offset));
    } else if (const auto* pixels = std::get_if<Pixels>(&value)) {
        put_handle(writer, k, pixels->number);
        writer.put(fmt::format("Image_MetaData_{}.txt", k), metadata_of(pixels->image));
    } else if (const auto* sampler = std::get_if<machine::Sampler>(&value)) {
        put_handle(writer, k, sampler_handle);
        writer.put(fmt::format("Sampler{}.txt", k), text_of(*sampler));
    } else
        put_handle(writer, k, 0);
}

void put_program(Writer& writer, const Launch& launch) {
    if (!launch.source.empty())
        writer.put(source_file, launch.source);
    if (!launch.spirv.empty())
        writer.put(spirv_file, launch.spirv);
    writer.put(launch.code_file, launch.code);
    for (size_t k = 0; k < launch.texts.size(); ++k)
        writer.put(replaced_text_file(k), launch.texts[k].content);
    writer.put(options_file, launch.options + "\n");
    writer.put(kernel_name_file, launch.kernel);
}

void put_before(Writer& writer, const Launch& launch, const Blocks& blocks) {
    put_program(writer, launch);
    writer.put(number_file, fmt::format("{}\n", launch.number));
    writer.put(sizes_file, text_of(Sizes{launch.dimensions, launch.global, launch.local, launch.offset}));
    std::vector<std::string> types;
    for (size_t k = 0; k < launch.arguments.size(); ++k) {
        put_argument(writer, k, launch.arguments[k].value);
        types.push_back(launch.arguments[k].type_name);
    }
    if (!types.empty())
        writer.put(types_file, fmt::format("{}\n", fmt::join(types, "\n")));
    put_memory(writer, before_folder, launch, blocks);
    writer.put(launch_file_name, launch_file_of(launch, blocks, {}));
}

} // namespace

uint64_t size_of(const Launch& launch) {
    uint64_t bytes =
        launch.source.size() + launch.spirv.size() + launch.code.size() + 2 * launch.variables.size();
    for (const Argument& argument : launch.arguments) {
        if (const auto* object = std::get_if<Object>(&argument.value))
            bytes += 2 * object->bytes.size();
        if (const auto* pixels = std::get_if<Pixels>(&argument.value))
            bytes += 2 * pixels->bytes.size();
    }
    return bytes;
}

bool is_in_use(const std::string& folder) {
    std::error_code problem;
    if (folder.empty() || !fs::exists(folder, problem))
        return false;
    const bool empty = fs::is_empty(folder, problem);
    return problem || !empty;
}

std::expected<Folder, std::string> Folder::create(const std::string& parent, const Launch& launch) {
    const std::string path = fmt::format("{}/{}", parent, folder_name(launch.number, launch.kernel));
    const std::string unfinished = fmt::format("{}.{}.unfinished", path, getpid());
    std::error_code problem;
    fs::create_directories(parent, problem);
    if (!fs::create_directory(unfinished, problem))
        return std::unexpected(
            fmt::format("{}: {}", unfinished, problem ? problem.message() : "it is there already"));
    Blocks blocks = blocks_of(launch);
    Writer writer(unfinished);
    put_before(writer, launch, blocks);
    Done done = writer.done();
    if (done && fs::exists(path, problem))
        done = std::unexpected(fmt::format("{} is there already", path));
    if (done) {
        fs::rename(unfinished, path, problem);
        if (problem)
            done = std::unexpected(fmt::format("{}: {}", path, problem.message()));
    }
    if (done)
        return Folder(path, std::move(blocks));
    fs::remove_all(unfinished, problem);
    return std::unexpected(done.error());
}

std::expected<void, std::string> Folder::finish(const Launch& launch, const Outcome& outcome) const {
    Writer writer(path_);
    const bool has_results = outcome.failure.empty();
    if (has_results)
        put_memory(writer, after_folder, launch, blocks_);
    if (writer.done())
        writer.put(launch_file_name, launch_file_of(launch, blocks_, outcome));
    if (!writer.done() && has_results) {
        std::error_code ignored;
        fs::remove_all(path_ + "/" + after_folder, ignored);
    }
    return writer.done();
}

} // namespace visor::capture
