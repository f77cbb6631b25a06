#include "sample.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>

namespace visor::launch {

namespace {

// The value behind `key` in a declaration's line: "num_elts=" -> "8".
std::string field(const std::string& line, const std::string& key) {
    const size_t at = line.find(key);
    if (at == std::string::npos)
        return "";
    const size_t begin = at + key.size();
    return line.substr(begin, line.find_first_of(" \r", begin) - begin);
}

uint32_t number(const std::string& text) {
    return text.empty() ? 0 : static_cast<uint32_t>(std::stoul(text));
}

void read_line(const std::string& line, Function& function) {
    std::istringstream words(line);
    std::string directive;
    std::string name;
    words >> directive >> name;
    if (directive == ".decl" && field(line, "v_type=") == "G") {
        GeneralVariable& variable = function.general.emplace_back();
        variable.name = name;
        variable.type = isa::type_named(field(line, " type=")).value();
        variable.elements = number(field(line, "num_elts="));
    } else if (directive == ".decl" && field(line, "v_type=") == "T") {
        function.surfaces.push_back({.name = name, .elements = number(field(line, "num_elts="))});
    } else if (directive == ".decl" && field(line, "v_type=") == "S") {
        function.samplers.push_back({.name = name, .elements = number(field(line, "num_elts="))});
    } else if (directive == ".input" || directive.starts_with(".implicit_")) {
        for (uint32_t i = 0; i < function.general.size(); ++i) {
            if (function.general[i].name != name)
                continue;
            Input& input = function.inputs.emplace_back();
            input.id = isa::first_user_general + i;
            input.offset = static_cast<int32_t>(number(field(line, "offset=")));
            input.size = number(field(line, "size="));
            input.implicit = directive == ".implicit_LOCAL_SIZE"    ? 1
                             : directive == ".implicit_GROUP_COUNT" ? 2
                             : directive == ".implicit_LOCAL_ID"    ? 3
                                                                    : 0;
        }
    } else if (directive == ".kernel_attr" && name.starts_with("SLMSize=")) {
        Attribute& attribute = function.attributes.emplace_back();
        attribute.name = "SLMSize";
        attribute.has_number = true;
        attribute.number = number(field(line, "SLMSize="));
    }
}

} // namespace

std::vector<std::byte> sample_file(std::string_view name) {
    std::ifstream file(std::string(VISOR_TEST_DATA "/").append(name), std::ios::binary);
    EXPECT_TRUE(file) << name;
    const std::string content(std::istreambuf_iterator<char>(file), {});
    const auto bytes = std::as_bytes(std::span(content));
    return {bytes.begin(), bytes.end()};
}

Zebin sample(std::string_view name) {
    Diagnostics diagnostics;
    std::optional<Zebin> zebin = read_zebin(sample_file(name), diagnostics);
    EXPECT_TRUE(zebin) << name;
    for (const Diagnostic& diagnostic : diagnostics.all())
        ADD_FAILURE() << diagnostic.message;
    return zebin ? std::move(*zebin) : Zebin{};
}

Program program_of(std::string_view text, isa::DeviceId device) {
    auto function = std::make_shared<Function>();
    function->name = "sample";
    std::istringstream lines{std::string(text)};
    Program program;
    for (std::string line; std::getline(lines, line);) {
        read_line(line, *function);
        if (line.starts_with(".kernel_attr SimdSize="))
            program.simd = number(field(line, "SimdSize="));
    }
    program.device = &isa::device(device);
    const auto ids = static_cast<uint32_t>(isa::first_user_general + function->general.size());
    for (uint32_t id = 0; id < ids; ++id) {
        const uint32_t bytes = id < isa::first_user_general
                                   ? 0
                                   : general_elements(*function, id, program.device->grf_bytes) *
                                         isa::size_of(general_type(*function, id));
        program.variables.push_back({.base = program.register_bytes, .bytes = bytes, .used = bytes > 0});
        program.register_bytes += (bytes + 63) / 64 * 64;
    }
    for (uint32_t id = 0; id < isa::first_user_surface; ++id)
        program.surface_base.push_back(program.surface_elements++);
    for (const OtherVariable& surface : function->surfaces) {
        program.surface_base.push_back(program.surface_elements);
        program.surface_elements += surface.elements;
    }
    for (const OtherVariable& sampler : function->samplers) {
        program.sampler_base.push_back(program.sampler_elements);
        program.sampler_elements += sampler.elements;
    }
    program.function = std::move(function);
    return program;
}

uint32_t StartState::register_at(int32_t offset) const {
    for (const Input& input : launch_.program->function->inputs) {
        if (input.offset == offset)
            return launch_.program->variables[input.id].base;
    }
    ADD_FAILURE() << "no input at " << offset;
    return UINT32_MAX;
}

std::vector<uint32_t> StartState::dwords(int32_t offset) const {
    const uint32_t place = register_at(offset);
    for (const machine::ImageInput& input : launch_.image_inputs) {
        if (input.register_offset != place)
            continue;
        std::vector<uint32_t> out((input.bytes + 3) / 4);
        std::memcpy(out.data(), launch_.image.data() + input.image_offset, input.bytes);
        return out;
    }
    return {};
}

uint64_t StartState::qword(int32_t offset) const {
    const std::vector<uint32_t> two = dwords(offset);
    EXPECT_EQ(two.size(), 2U);
    return two.size() == 2 ? two[0] | uint64_t{two[1]} << 32U : 0;
}

machine::ComputedInput StartState::computed(int32_t offset) const {
    const uint32_t place = register_at(offset);
    for (const machine::ComputedInput& input : launch_.computed_inputs) {
        if (input.register_offset == place)
            return input;
    }
    return {.element_bytes = 0};
}

} // namespace visor::launch
