// Every file of tests/data/modern, what people write by hand for newer devices: parses without a word,
// verifies as its file says, and comes back the same from text and, where there is a form of it, from a
// binary.
#include "described_text.h"

#include "binary/binary.h"
#include "text/text.h"
#include "verify/verify.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iterator>

namespace visor {
namespace {

constexpr const char* folder = VISOR_TEST_DATA "/modern";

const isa::Device& device_of(const DescribedText& one) {
    const isa::Device* named = isa::device_named(one.device);
    return named == nullptr ? isa::device(isa::DeviceId::skl) : *named;
}

std::optional<Module> parsed(const DescribedText& one, const std::string& text) {
    Diagnostics diagnostics;
    auto module = text::parse(text, {.grf_bytes = device_of(one).grf_bytes}, diagnostics);
    EXPECT_TRUE(diagnostics.all().empty()) << one.name << '\n' << shown(diagnostics, text) << text;
    return module;
}

// What a binary loses without a word: the version, v_name, and the order of kernels among functions.
Module as_in_binary(Module module) {
    module.major = 4;
    module.minor = 1;
    std::vector<Function> ordered;
    for (const FunctionKind kind : {FunctionKind::kernel, FunctionKind::global_function})
        std::ranges::copy_if(module.functions, std::back_inserter(ordered),
                             [kind](const Function& function) { return function.kind == kind; });
    module.functions = std::move(ordered);
    for (Function& function : module.functions) {
        for (OtherVariable& variable : function.samplers)
            variable.v_name.clear();
        for (OtherVariable& variable : function.surfaces)
            variable.v_name.clear();
    }
    return module;
}

void verifies(const DescribedText& one, const Module& module) {
    for (const auto profile : {verify::Profile::spec, verify::Profile::igc}) {
        std::vector<Expected> wanted;
        std::ranges::copy_if(one.expected, std::back_inserter(wanted), [profile](const Expected& expected) {
            return profile == verify::Profile::spec ? expected.spec : expected.igc;
        });
        Diagnostics found;
        verify::verify(module, {.profile = profile, .device = &device_of(one)}, found);
        const std::string wrong = differences(found, wanted, one.text);
        EXPECT_TRUE(wrong.empty()) << one.name
                                   << (profile == verify::Profile::spec ? " under spec\n" : " under igc\n")
                                   << wrong;
    }
}

void comes_back_from_text(const DescribedText& one, const Module& module) {
    const std::string printed = text::print(module);
    const auto again = parsed(one, printed);
    ASSERT_TRUE(again.has_value()) << one.name;
    EXPECT_TRUE(same(module, *again)) << one.name << '\n' << printed;
    EXPECT_EQ(text::print(*again), printed) << one.name;
}

void comes_back_from_a_binary(const DescribedText& one, const Module& module) {
    const uint32_t grf = device_of(one).grf_bytes;
    Diagnostics diagnostics;
    const auto bytes = binary::write(module, {.grf_bytes = grf}, diagnostics);
    const std::string wrong = differences(diagnostics, one.refused, one.text);
    EXPECT_TRUE(wrong.empty()) << one.name << '\n' << wrong;
    EXPECT_EQ(bytes.has_value(), one.refused.empty()) << one.name;
    if (!bytes)
        return;
    const auto found = binary::read(*bytes, {.grf_bytes = grf}, diagnostics);
    ASSERT_TRUE(found.has_value()) << one.name << '\n'
                                   << render(diagnostics, {one.name, {}, true}, Color::off);
    EXPECT_TRUE(diagnostics.all().empty()) << one.name;
    const Module wanted = as_in_binary(module);
    EXPECT_TRUE(same(wanted, *found)) << one.name << '\n' << text::print(*found);
    const auto again = parsed(one, text::print(*found));
    ASSERT_TRUE(again.has_value()) << one.name;
    EXPECT_TRUE(same(wanted, *again)) << one.name;
}

TEST(Modern, ParsesVerifiesAndComesBack) {
    const std::vector<std::filesystem::path> files = texts_in(folder);
    EXPECT_GE(files.size(), 20U);
    for (const std::filesystem::path& file : files) {
        const DescribedText one = read_described_text(file, Directives::anywhere);
        EXPECT_TRUE(one.text.starts_with("// DEVICE " + std::string(device_of(one).name) + "\n")) << one.name;
        EXPECT_TRUE(one.mistakes.empty()) << one.name << ": " << one.mistakes[0];
        const auto module = parsed(one, one.text);
        if (!module)
            continue;
        verifies(one, *module);
        comes_back_from_text(one, *module);
        comes_back_from_a_binary(one, *module);
    }
}

} // namespace
} // namespace visor
