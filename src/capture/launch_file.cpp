#include "capture/launch_file.h"

#include "capture/layout.h"

#include <array>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace visor::capture {

namespace {

using nlohmann::ordered_json;

constexpr const char* variables_name = "variables of the program"; // no argument's name has spaces

std::string image_text(const machine::Image& image) {
    using machine::ImageShape;
    std::string size = fmt::format("{}", image.size[0]);
    if (image.shape == ImageShape::d2 || image.shape == ImageShape::d2_array || image.shape == ImageShape::d3)
        size += fmt::format("x{}", image.size[1]);
    if (image.shape == ImageShape::d3)
        size += fmt::format("x{}", image.size[2]);
    if (image.shape == ImageShape::d1_array || image.shape == ImageShape::d2_array)
        size += fmt::format("/{}", image.layers);
    return fmt::format("image:{}:{}", machine::name_of(image.format), size);
}

std::string sampler_text(const machine::Sampler& sampler) {
    using machine::AddressMode;
    const auto address = [&] {
        switch (sampler.address) {
        case AddressMode::none:
            return "none";
        case AddressMode::clamp:
            return "clamp";
        case AddressMode::clamp_to_edge:
            return "clamp_edge";
        case AddressMode::repeat:
            return "repeat";
        case AddressMode::mirrored_repeat:
            return "mirror";
        }
        return "none";
    }();
    constexpr std::array<std::string_view, 8> comparisons{"",
                                                          ",compare_less",
                                                          ",compare_equal",
                                                          ",compare_less_equal",
                                                          ",compare_greater",
                                                          ",compare_not_equal",
                                                          ",compare_greater_equal",
                                                          ",compare_always"};
    return fmt::format(
        "sampler:{},{}{}{}", sampler.filter == machine::FilterMode::linear ? "linear" : "nearest", address,
        sampler.normalized ? ",normalized" : "", comparisons.at(static_cast<size_t>(sampler.comparison)));
}

std::string_view filler_text(machine::Filler filler) {
    switch (filler) {
    case machine::Filler::local_id_x:
        return "lid.x";
    case machine::Filler::local_id_y:
        return "lid.y";
    case machine::Filler::local_id_z:
        return "lid.z";
    case machine::Filler::thread:
        return "tid";
    case machine::Filler::lane:
    case machine::Filler::private_base: // of compiled kernels alone
        break;
    }
    return "lane";
}

// An array of the document: where it is before and after, as VALUEs.
struct Array {
    std::string name;
    std::string kind; // what stands before the file's name
    std::string file;
    std::string type; // behind the file's name

    [[nodiscard]] std::string value(std::string_view folder) const {
        return fmt::format("{}@{}/{}{}", kind, folder, file, type);
    }
};

std::vector<Array> arrays_of(const Launch& launch, const Blocks& blocks) {
    std::vector<Array> arrays;
    for (size_t k = 0; k < blocks.all.size(); ++k) {
        const Block& block = blocks.all[k];
        const std::string type_name = block.argument ? launch.arguments[*block.argument].type_name : "";
        arrays.push_back({block_name(launch, blocks, k), "", block_file(launch, blocks, k),
                          fmt::format(":{}", element_behind(type_name, block.bytes.size()))});
    }
    std::map<uint64_t, size_t> images; // the first argument of each
    for (size_t k = 0; k < launch.arguments.size(); ++k) {
        const auto* pixels = std::get_if<Pixels>(&launch.arguments[k].value);
        if (pixels != nullptr && images.emplace(pixels->number, k).second)
            arrays.push_back(
                {array_name(launch, k), image_text(pixels->image) + ":", pixels_file(launch, k), ""});
    }
    if (!launch.variables.empty())
        arrays.push_back({variables_name, "", variables_file, ":u8"});
    return arrays;
}

ordered_json object_value(const Launch& launch, const Blocks& blocks, size_t argument) {
    const auto& object = std::get<Object>(launch.arguments[argument].value);
    const Place& place = *blocks.places[argument];
    std::string name = block_name(launch, blocks, place.block);
    const bool whole = object.bytes.size() == blocks.all[place.block].bytes.size();
    if (whole && object.offset == 0)
        return name;
    ordered_json part{{"array", name}, {"offset", place.offset + object.offset}};
    if (!object.is_pointer)
        part["bytes"] = object.bytes.size();
    return part;
}

// The first argument with the same image.
size_t first_with(const Launch& launch, const Pixels& wanted) {
    for (size_t k = 0; k < launch.arguments.size(); ++k)
        if (const auto* pixels = std::get_if<Pixels>(&launch.arguments[k].value))
            if (pixels->number == wanted.number)
                return k;
    return 0;
}

ordered_json argument_value(const Launch& launch, const Blocks& blocks, size_t k) {
    const Value& value = launch.arguments[k].value;
    if (std::holds_alternative<Null>(value))
        return "null";
    if (std::holds_alternative<Object>(value))
        return object_value(launch, blocks, k);
    if (const auto* local = std::get_if<Local>(&value))
        return fmt::format("local:{}", local->bytes);
    if (const auto* pixels = std::get_if<Pixels>(&value))
        return array_name(launch, first_with(launch, *pixels));
    if (const auto* sampler = std::get_if<machine::Sampler>(&value))
        return sampler_text(*sampler);
    if (const auto* filler = std::get_if<machine::Filler>(&value))
        return filler_text(*filler);
    return fmt::format("bytes:@Argument{}.bin", k);
}

template <class Numbers>
ordered_json first_of(const Numbers& numbers, uint32_t dimensions) {
    auto list = ordered_json::array();
    for (uint32_t d = 0; d < dimensions; ++d)
        list.push_back(numbers[d]);
    return list;
}

std::string comment_of(const Launch& launch, const Outcome& outcome) {
    std::string text = fmt::format("launch {} of `{}`, captured by Visor", launch.number, launch.kernel);
    if (!outcome.over)
        text += "; its end was not seen";
    else if (!outcome.failure.empty())
        text += fmt::format("; it ended so: {}", outcome.failure);
    return launch.remark.empty() ? text : fmt::format("{}; {}", text, launch.remark);
}

// Arguments in order; of hand-written kernels by name, since surfaces and samplers may be left out.
void put_arguments(const Launch& launch, const Blocks& blocks, ordered_json& out) {
    auto arguments = launch.by_hand ? ordered_json::object() : ordered_json::array();
    for (size_t k = 0; k < launch.arguments.size(); ++k) {
        const Argument& argument = launch.arguments[k];
        auto value = argument_value(launch, blocks, k);
        if (argument.target == Target::surface)
            out["bti"][std::to_string(argument.index)] = std::move(value);
        else if (argument.target == Target::sampler)
            out["samplers"][std::to_string(argument.index)] = std::move(value);
        else if (launch.by_hand)
            arguments[argument.name] = std::move(value);
        else
            arguments.push_back(std::move(value));
    }
    out["arguments"] = std::move(arguments);
}

void put_sizes(const Launch& launch, const Outcome& outcome, ordered_json& out) {
    if (launch.by_hand) {
        out["simd"] = launch.by_hand->simd;
        out["slm"] = launch.by_hand->slm_bytes;
    }
    if (launch.by_hand && launch.by_hand->in_threads) {
        out["groups"] = launch.by_hand->groups;
        out["hw_threads"] = launch.by_hand->threads;
        return;
    }
    out["global"] = first_of(launch.global, launch.dimensions);
    if (launch.local[0] != 0)
        out["local"] = first_of(launch.local, launch.dimensions);
    else if (outcome.over && outcome.local[0] != 0)
        out["local"] = first_of(outcome.local, launch.dimensions);
    out["offset"] = first_of(launch.offset, launch.dimensions);
}

ordered_json launch_of(const Launch& launch, const Blocks& blocks, const Outcome& outcome) {
    ordered_json out{{"kernel", launch.kernel}};
    put_sizes(launch, outcome, out);
    put_arguments(launch, blocks, out);
    return out;
}

ordered_json program_of(const Launch& launch) {
    ordered_json program{{"path", launch.code_file}};
    for (size_t k = 0; k < launch.texts.size(); ++k)
        program["texts"][launch.texts[k].kernel] = replaced_text_file(k);
    if (!launch.variables.empty())
        program["variables"] = variables_name;
    return program;
}

} // namespace

std::string array_name(const Launch& launch, size_t argument) {
    const std::string& name = launch.arguments[argument].name;
    return name.empty() ? fmt::format("argument {}", argument) : name;
}

std::string block_name(const Launch& launch, const Blocks& blocks, size_t block) {
    const auto& argument = blocks.all[block].argument;
    return argument ? array_name(launch, *argument) : fmt::format("memory {}", block);
}

std::string block_file(const Launch& launch, const Blocks& blocks, size_t block) {
    const auto& argument = blocks.all[block].argument;
    if (!argument)
        return fmt::format("Memory_{}.bin", block);
    return buffer_file(launch.number, launch.kernel, *argument,
                       std::get<Object>(launch.arguments[*argument].value).number);
}

std::string pixels_file(const Launch& launch, size_t argument) {
    const auto& pixels = std::get<Pixels>(launch.arguments[argument].value);
    return image_file(launch.number, launch.kernel, argument, pixels.number, pixels.image);
}

std::string replaced_text_file(size_t text) {
    return fmt::format("Text_{}.visaasm", text);
}

std::string untellable(const Launch& launch) {
    const bool in_threads = launch.by_hand && launch.by_hand->in_threads;
    for (uint32_t d = 0; d < launch.dimensions && !in_threads; ++d)
        if (launch.global[d] == 0)
            return "it has no work-items";
    for (const Argument& argument : launch.arguments) {
        if (argument.target == Target::surface && std::holds_alternative<Null>(argument.value))
            return fmt::format("the surface of binding-table index {} is null", argument.index);
        using machine::AddressMode;
        const auto* sampler = std::get_if<machine::Sampler>(&argument.value);
        if (sampler != nullptr && !sampler->normalized &&
            (sampler->address == AddressMode::repeat || sampler->address == AddressMode::mirrored_repeat))
            return "a sampler repeats, and its coordinates are not normalized";
    }
    return "";
}

std::string launch_file_of(const Launch& launch, const Blocks& blocks, const Outcome& outcome) {
    auto arrays = ordered_json::object();
    auto expected = ordered_json::array();
    for (const Array& array : arrays_of(launch, blocks)) {
        arrays[array.name] = array.value(before_folder);
        expected.push_back({{"array", array.name}, {"equals", array.value(after_folder)}, {"bits", true}});
    }
    ordered_json document{{"version", 1},
                          {"comment", comment_of(launch, outcome)},
                          {"device", launch.device},
                          {"program", program_of(launch)},
                          {"arrays", std::move(arrays)},
                          {"launches", ordered_json::array({launch_of(launch, blocks, outcome)})}};
    if (outcome.over && outcome.failure.empty())
        document["expect"] = std::move(expected);
    // Names may hold any bytes: what is no UTF-8 is replaced.
    return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace visor::capture
