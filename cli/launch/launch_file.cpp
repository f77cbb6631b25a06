#include "cli/launch/launch_file.h"

#include "cli/launch/json_view.h"
#include "file/file.h"
#include "isa/device.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>

namespace visor::cli {

namespace {

using nlohmann::json;

constexpr uint64_t newest_version = 1;
constexpr uint64_t most_launches = 100'000;
constexpr size_t most_problems = 50;      // that are shown
constexpr uint64_t highest_surface = 239; // what the hardware keeps for surfaces of the user
constexpr uint64_t highest_sampler = 15;

class Reader {
public:
    Reader(const std::string& path, const json& document)
        : path_(path), folder_(path == "-" ? "" : std::filesystem::path(path).parent_path()),
          root_(document, problems_) {}

    std::expected<Job, Failure> read() {
        if (auto readable = check_version(); !readable)
            return std::unexpected(readable.error());
        root_.has_only(
            {"version", "comment", "device", "program", "arrays", "launches", "out", "print", "expect"});
        read_device();
        read_program(root_.needed("program"));
        for (const auto& [name, value] : section("arrays").members())
            read_array(name, value);
        const auto launches = root_.needed("launches").elements();
        if (launches.size() > most_launches)
            root_["launches"].problem(fmt::format("more than {} launches", most_launches));
        else
            for (const JsonView& launch : launches)
                read_launch(launch);
        read_results();
        for (const JsonView& expectation : root_["expect"].elements())
            read_expectation(expectation);
        if (!problems_.empty())
            return std::unexpected(all_problems());
        return std::move(job_);
    }

private:
    // ---- the document ----

    std::expected<void, Failure> check_version() {
        if (!root_.is_object())
            return std::unexpected(Failure{ExitCode::invalid, fmt::format("{}: error: a launch file is one "
                                                                          "JSON object",
                                                                          path_)});
        const JsonView version = root_.needed("version");
        const auto number = version.count(1, UINT32_MAX);
        if (number && *number > newest_version)
            return std::unexpected(Failure{
                ExitCode::unsupported,
                fmt::format("unsupported by Visor: {} is a launch file of version {}; this Visor knows {}",
                            path_, *number, newest_version)});
        return {};
    }

    Failure all_problems() const {
        std::string text;
        for (size_t i = 0; i < problems_.size() && i < most_problems; ++i)
            text += fmt::format("{}{}: error: {}", i == 0 ? "" : "\n", path_, problems_[i]);
        if (problems_.size() > most_problems)
            text += fmt::format("\n{}: note: {} further errors not shown", path_,
                                problems_.size() - most_problems);
        return {ExitCode::invalid, std::move(text)};
    }

    // An optional object.
    JsonView section(const std::string& key) const {
        JsonView view = root_[key];
        if (view.present() && !view.is_object())
            view.expected("an object");
        return view;
    }

    // A path as it is opened.
    std::string located(const std::string& path) const {
        if (path == "-" || path.empty() || std::filesystem::path(path).is_absolute())
            return path;
        return (folder_ / path).string();
    }

    void read_device() {
        const JsonView view = root_["device"];
        job_.device = view.text().value_or("");
        if (!job_.device.empty() && isa::device_named(job_.device) == nullptr)
            view.problem(fmt::format("`{}` is no device{}", job_.device,
                                     did_you_mean(job_.device, isa::device_names())));
    }

    // ---- the program ----

    void read_program(const JsonView& view) {
        if (view.is_text())
            return read_program_file(view);
        if (!view.has_only({"path", "source", "options", "texts", "variables"}))
            return;
        const JsonView variables = view["variables"];
        job_.variables = variables.text().value_or("");
        if (!job_.variables.empty() && !is_named(job_.variables))
            variables.problem(fmt::format("`{}` is no array of this file", job_.variables));
        const JsonView file = view["path"];
        const JsonView source = view["source"];
        if (file.present() == source.present())
            view.problem("needs either a `path` or a `source`");
        else if (file.present())
            read_program_file(file);
        else
            read_source(source);
        job_.load.compiler_options = view["options"].text().value_or("");
        const JsonView texts = view["texts"];
        if (texts.present() && !texts.is_object())
            texts.expected("an object: kernels with the files of their texts");
        for (const auto& [kernel, text] : texts.members()) {
            const auto path = text.text();
            auto content = path ? content_of(text, *path) : std::nullopt;
            if (content)
                job_.load.texts.push_back({kernel, located(*path), std::move(*content)});
        }
    }

    void read_program_file(const JsonView& view) {
        const auto path = view.text();
        auto content = path ? content_of(view, *path) : std::nullopt;
        if (!content)
            return;
        job_.program_name = located(*path);
        job_.program = std::move(*content);
        if (vm::identify(job_.program, job_.program_name) == vm::InputKind::launch_file)
            view.problem("a launch file cannot be another one's program");
    }

    // A text, or a list of its lines.
    void read_source(const JsonView& view) {
        if (view.is_list()) {
            for (const JsonView& line : view.elements())
                job_.program += line.text().value_or("") + "\n";
        } else {
            job_.program = view.text().value_or("");
        }
        job_.program_name = path_ + "(source)";
        job_.load.include_folders.push_back(folder_.empty() ? "." : folder_.string());
        const vm::InputKind kind = vm::identify(job_.program, "");
        if (kind != vm::InputKind::opencl_c && kind != vm::InputKind::visa_text)
            view.problem("this is neither OpenCL C nor vISA text");
    }

    static bool names_file(const std::string& path, const JsonView& view) {
        const auto regular = check_regular(path);
        if (!regular)
            view.problem(regular.error());
        return regular.has_value();
    }
    static std::optional<std::string> content_of_file(const std::string& path, const JsonView& view) {
        if (!names_file(path, view))
            return std::nullopt;
        auto content = read_file(path);
        if (content)
            return std::move(*content);
        view.problem(content.error());
        return std::nullopt;
    }
    std::optional<std::string> content_of(const JsonView& view, const std::string& path) const {
        return content_of_file(located(path), view);
    }

    // ---- values ----

    // A VALUE of the command line; what it names stands relative to the file.
    std::optional<Value> parsed(const JsonView& view, const std::string& text) const {
        auto value = parse_value(text);
        if (!value) {
            view.problem(value.error());
            return std::nullopt;
        }
        std::string* path = nullptr;
        if (auto* file = std::get_if<ArrayFile>(&*value))
            path = &file->path;
        if (auto* bytes = std::get_if<FileBytes>(&*value))
            path = &bytes->path;
        if (auto* image = std::get_if<ImageValue>(&*value))
            path = &image->path;
        if (path == nullptr)
            return std::move(*value);
        *path = located(*path);
        return names_file(*path, view) ? std::optional(std::move(*value)) : std::nullopt;
    }

    // JSON has neither infinities nor hexadecimal: numbers may be texts.
    static std::optional<std::string> number_text(const json& value) {
        if (value.is_string())
            return value.get<std::string>();
        if (value.is_number_float())
            return fmt::format("{}", value.get<double>());
        if (value.is_number())
            return value.dump();
        if (value.is_boolean())
            return value.get<bool>() ? "1" : "0";
        return std::nullopt;
    }

    // `elements` is a list of numbers.
    std::optional<Array> listed(const JsonView& view, const json& elements, Element element) const {
        Array array{element, {elements.size()}, {}};
        if (elements.empty()) {
            view.problem("an array needs at least one element");
            return std::nullopt;
        }
        array.bytes.resize(elements.size() * size_of(element));
        for (size_t i = 0; i < elements.size(); ++i) {
            const auto text = number_text(elements[i]);
            const auto bits =
                text ? parse_number(*text, element) : std::unexpected(std::string("expected a number"));
            if (!bits) {
                view.problem(fmt::format("element {}: {}", i, bits.error()));
                return std::nullopt;
            }
            std::memcpy(array.bytes.data() + i * size_of(element), &*bits, size_of(element));
        }
        return array;
    }

    // {"type": "f32", "shape": [2, 2], "values": [1, 2, 3, 4]}
    std::optional<Array> literal(const JsonView& view) const {
        if (!view.has_only({"type", "shape", "values"}))
            return std::nullopt;
        const JsonView type = view.needed("type");
        const JsonView values = view.needed("values");
        const auto name = type.text();
        const auto element = name ? element_named(*name) : std::nullopt;
        if (name && !element)
            type.problem(unknown_element(*name));
        if (values.present() && !values.is_list())
            values.expected("a list of numbers");
        if (!element || !values.is_list())
            return std::nullopt;
        auto array = listed(values, values.value(), *element);
        if (array && view["shape"].present())
            set_shape(view["shape"], *array);
        return array;
    }

    // {"image": "rgba8", "size": [2, 2], "values": [...]}; the values are the pixels' numbers as they lie in
    // memory, and zeros when they are left out.
    std::optional<ImageValue> literal_image(const JsonView& view) const {
        if (!view.has_only({"image", "size", "layers", "values"}))
            return std::nullopt;
        const auto name = view["image"].text();
        auto format = name ? parse_format(*name) : std::unexpected(std::string());
        if (name && !format)
            view["image"].problem(format.error());
        std::string size;
        const JsonView sides = view.needed("size");
        if (sides.is_number())
            size = sides.value().dump();
        for (const JsonView& side : sides.is_number() ? std::vector<JsonView>{} : sides.elements())
            size += fmt::format("{}{}", size.empty() ? "" : "x", side.count(1, UINT32_MAX).value_or(0));
        if (const auto layers = view["layers"].count(1, UINT32_MAX))
            size += fmt::format("/{}", *layers);
        const auto parsed_size = parse_image_size(size);
        if (!parsed_size && sides.present())
            sides.problem(parsed_size.error());
        if (!format || !parsed_size)
            return std::nullopt;
        ImageValue out{*format, *parsed_size, {}, {}};
        const JsonView values = view["values"];
        if (!values.present())
            return out;
        if (!values.is_list())
            values.expected("a list of numbers");
        auto array = values.is_list() ? listed(values, values.value(), element_of(*format)) : std::nullopt;
        if (!array)
            return std::nullopt;
        const ImageFacts facts{*format, *parsed_size};
        if (array->bytes.size() != bytes_of(facts)) {
            values.problem(
                fmt::format("{} values do not make an image of {}", array->shape.front(), facts_text(facts)));
            return std::nullopt;
        }
        out.bytes = std::move(array->bytes);
        return out;
    }

    static void set_shape(const JsonView& view, Array& array) {
        Shape shape;
        for (const JsonView& size : view.elements())
            shape.push_back(size.count(1, UINT32_MAX).value_or(1));
        const auto elements = elements_of(shape);
        const uint64_t given = array.shape.front();
        if (shape.empty() || !elements || *elements != given)
            return view.problem(fmt::format("{} values do not make this shape", given));
        array.shape = std::move(shape);
    }

    void read_array(const std::string& name, const JsonView& view) {
        if (name.empty())
            view.problem("an array needs a name");
        std::optional<Value> value;
        std::string text = "the list";
        if (view.is_object() && view["image"].present()) {
            if (auto image = literal_image(view))
                value = std::move(*image);
        } else if (view.is_object()) {
            if (auto array = literal(view))
                value = std::move(*array);
        } else if (const auto words = view.text()) {
            text = *words;
            value = parsed(view, text);
            if (value && !is_array(*value) && !is_image(*value)) {
                view.problem(
                    fmt::format("`{}` is no array, as zeros:f32:64 or @x.npy are, and no image", text));
                value.reset();
            }
        }
        if (value)
            job_.arrays.push_back({name, std::move(text), std::move(*value)});
    }

    // What the grammar takes for a number and is none.
    static bool is_word(const Value& value) {
        const auto* numbers = std::get_if<Numbers>(&value);
        return numbers != nullptr && numbers->size() == 1 && !numbers->front().element &&
               !parse_number(numbers->front().text, Element::f64) &&
               !parse_number(numbers->front().text, Element::i64);
    }

    bool is_named(const std::string& name) const { return section("arrays")[name].present(); }

    // What an argument is given: a number, a list of numbers, the name of an array, or a VALUE.
    std::optional<ArgumentText> argument(const std::string& target, const JsonView& view) const {
        ArgumentText out{.target = target, .text = {}, .value = Null{}};
        if (view.is_number() || view.is_list()) {
            Numbers numbers;
            const auto add = [&](const json& value) {
                const auto text = value.is_structured() ? std::nullopt : number_text(value);
                if (!text)
                    return view.expected("numbers");
                auto parsed_numbers = parse_value(*text); // a text may have its type: "i8:1"
                auto* one = parsed_numbers ? std::get_if<Numbers>(&*parsed_numbers) : nullptr;
                if (one == nullptr || one->size() != 1)
                    return view.problem(fmt::format("`{}` is no number", *text));
                numbers.push_back(one->front());
                out.text += (out.text.empty() ? "" : ",") + *text;
            };
            if (view.is_number())
                add(view.value());
            else
                for (const json& value : view.value())
                    add(value);
            out.value = std::move(numbers);
            return out;
        }
        if (view.is_object())
            return part(target, view);
        const auto text = view.text();
        if (!text)
            return std::nullopt;
        out.text = *text;
        if (is_named(*text)) {
            out.value = Named{.name = *text};
            return out;
        }
        auto value = parsed(view, *text);
        if (!value)
            return std::nullopt;
        if (is_word(*value)) {
            std::vector<std::string> arrays; // none, when nobody will see the message
            if (problems_.size() <= most_problems)
                for (const auto& [name, array] : section("arrays").members())
                    arrays.push_back(name);
            view.problem(fmt::format("`{}` is no array of this file{}, and no number", *text,
                                     did_you_mean(*text, {arrays.begin(), arrays.end()})));
            return std::nullopt;
        }
        out.value = std::move(*value);
        return out;
    }

    // {"array": "y", "offset": 64, "bytes": 128}
    std::optional<ArgumentText> part(const std::string& target, const JsonView& view) const {
        if (!view.has_only({"array", "offset", "bytes"}))
            return std::nullopt;
        const JsonView array = view.needed("array");
        const auto name = array.text();
        if (name && !is_named(*name))
            array.problem(fmt::format("`{}` is no array of this file", *name));
        const uint64_t offset = view["offset"].present() ? view["offset"].count(0, INT64_MAX).value_or(0) : 0;
        const auto bytes = view["bytes"].count(1, INT64_MAX);
        if (!name)
            return std::nullopt;
        return ArgumentText{.target = target, .text = *name, .value = Named{*name, offset, bytes}};
    }

    // ---- launches ----

    static Extent extent(const JsonView& view, uint64_t least) {
        Extent out;
        if (view.is_number()) {
            out.dimensions = 1;
            out.size[0] = view.count(least, UINT32_MAX).value_or(1);
            return out;
        }
        const auto sizes = view.elements();
        if (view.is_list() && (sizes.empty() || sizes.size() > out.size.size()))
            view.problem("expected one to three sizes");
        for (size_t i = 0; i < sizes.size() && i < out.size.size(); ++i) {
            out.dimensions = static_cast<uint32_t>(i) + 1;
            out.size[i] = sizes[i].count(least, UINT32_MAX).value_or(1);
        }
        return out;
    }

    static std::optional<uint32_t> small(const JsonView& view, uint64_t least) {
        const auto number = view.count(least, UINT32_MAX);
        return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
    }

    void read_launch(const JsonView& view) {
        LaunchRequest launch;
        launch.place = view.path();
        if (!view.has_only({"kernel", "global", "local", "offset", "arguments", "groups", "hw_threads",
                            "simd", "slm", "bti", "samplers"}))
            return;
        launch.kernel = view["kernel"].text().value_or("");
        launch.global = extent(view["global"], 1);
        launch.local = extent(view["local"], 1);
        launch.offset = extent(view["offset"], 0);
        launch.groups = extent(view["groups"], 1);
        launch.hardware_threads = small(view["hw_threads"], 1);
        launch.simd = small(view["simd"], 8);
        if (launch.simd && *launch.simd != 8 && *launch.simd != 16 && *launch.simd != 32)
            view["simd"].problem("expected 8, 16 or 32");
        launch.slm_bytes = small(view["slm"], 0);
        const JsonView arguments = view["arguments"];
        if (arguments.is_object()) {
            for (const auto& [name, value] : arguments.members())
                if (auto given = argument(name, value))
                    launch.arguments.push_back(std::move(*given));
        } else {
            for (const JsonView& value : arguments.elements())
                if (auto given = argument("", value))
                    launch.arguments.push_back(std::move(*given));
        }
        for (const auto& [index, value] : view["bti"].members())
            read_surface(index, value, launch);
        for (const auto& [index, value] : view["samplers"].members())
            read_sampler(index, value, launch);
        job_.launches.push_back(std::move(launch));
    }

    static void read_sampler(const std::string& name, const JsonView& view, LaunchRequest& launch) {
        const auto index = parse_unsigned(name);
        if (!index || *index > highest_sampler)
            return view.problem(fmt::format("a sampler index is 0 to {}", highest_sampler));
        const auto text = view.text();
        const auto value = text ? parse_value(*text) : std::unexpected(std::string());
        const auto* sampler = value ? std::get_if<machine::Sampler>(&*value) : nullptr;
        if (sampler != nullptr)
            launch.samplers.push_back({static_cast<uint32_t>(*index), *text, *sampler});
        else if (text)
            view.problem(value ? fmt::format("`{}` is no sampler", *text) : value.error());
    }

    void read_surface(const std::string& name, const JsonView& view, LaunchRequest& launch) const {
        const auto index = parse_unsigned(name);
        if (!index || *index > highest_surface)
            return view.problem(fmt::format("a binding-table index is 0 to {}", highest_surface));
        if (auto given = argument("", view))
            launch.surfaces.push_back(
                {static_cast<uint32_t>(*index), std::move(given->text), std::move(given->value)});
    }

    // ---- results ----

    void read_results() {
        for (const JsonView& view : root_["out"].elements()) {
            const auto text = view.text();
            auto output = text ? parse_output(*text) : std::unexpected(std::string());
            if (!output) {
                if (text)
                    view.problem(output.error());
                continue;
            }
            output->path = located(output->path);
            job_.outputs.push_back(std::move(*output));
        }
        for (const JsonView& view : root_["print"].elements()) {
            const auto text = view.text();
            auto print = text ? parse_print(*text) : std::unexpected(std::string());
            if (print)
                job_.prints.push_back(std::move(*print));
            else if (text)
                view.problem(print.error());
        }
    }

    void read_expectation(const JsonView& view) {
        if (!view.has_only({"array", "equals", "abs", "rel", "ulps", "bits"}))
            return;
        Expectation out{.place = view.path(),
                        .array = {},
                        .text = "the list",
                        .value = Null{},
                        .every = false,
                        .tolerance = {}};
        out.array = view.needed("array").text().value_or("");
        out.tolerance.absolute = view["abs"].amount();
        out.tolerance.relative = view["rel"].amount();
        out.tolerance.ulps = view["ulps"].count(0, UINT32_MAX);
        out.tolerance.bits = view["bits"].flag().value_or(false);
        if (out.tolerance.bits && (out.tolerance.absolute || out.tolerance.relative || out.tolerance.ulps))
            view["bits"].problem("the same bits leave nothing to `abs`, `rel` or `ulps`");
        const JsonView equals = view.needed("equals");
        if (equals.is_number()) {
            out.value = Numbers{{std::nullopt, *number_text(equals.value())}};
            out.every = true;
        } else if (equals.is_list()) {
            Numbers numbers;
            for (const json& value : equals.value()) {
                const auto text = value.is_structured() ? std::nullopt : number_text(value);
                if (!text)
                    return equals.expected("a list of numbers");
                numbers.push_back({std::nullopt, *text});
            }
            out.value = std::move(numbers);
        } else if (const auto text = equals.text()) {
            auto value = is_named(*text) ? std::optional<Value>(Named{.name = *text}) : parsed(equals, *text);
            if (!value)
                return;
            if (!is_array(*value) && !is_image(*value))
                return equals.problem("expected a number, a list of numbers, or an array such as @x.npy");
            out.text = *text;
            out.value = std::move(*value);
        }
        job_.expectations.push_back(std::move(out));
    }

    std::string path_;
    std::filesystem::path folder_;
    std::vector<std::string> problems_;
    JsonView root_;
    Job job_;
};

} // namespace

std::expected<Job, Failure> parse_launch_file(const std::string& path, std::string_view content) {
    constexpr size_t most_bytes = size_t{256} << 20U;
    if (content.size() > most_bytes)
        return invalid(fmt::format("{}: error: a launch file has at most {} MiB; put large arrays into files",
                                   path, most_bytes >> 20U));
    const auto document = parse_json(path, content);
    if (!document)
        return invalid(document.error());
    return Reader(path, *document).read();
}

} // namespace visor::cli
