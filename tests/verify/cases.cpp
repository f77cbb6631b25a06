#include "cases.h"

#include "text/text.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

namespace visor::verify {

namespace {

struct Marked {
    std::string source;
    std::optional<Location> place;
};

Marked unmark(const Case& one, std::string_view snippet) {
    Marked marked{prologue, std::nullopt};
    const size_t open = snippet.find("{{");
    const size_t close = snippet.find("}}");
    if (open == std::string_view::npos) {
        marked.source += snippet;
    } else {
        const size_t length = close - open - 2;
        marked.place =
            Location{static_cast<uint32_t>(marked.source.size() + open), static_cast<uint32_t>(length)};
        marked.source += snippet.substr(0, open);
        marked.source += snippet.substr(open + 2, length);
        marked.source += snippet.substr(close + 2);
    }
    marked.source += one.ends_itself ? "\n" : "\nret (M1, 1)\n";
    return marked;
}

std::optional<Module> parsed(const std::string& source, const char* device) {
    Diagnostics diagnostics;
    const uint32_t grf = device == nullptr ? 32 : isa::device_named(device)->grf_bytes;
    auto module = text::parse(source, {.grf_bytes = grf}, diagnostics);
    EXPECT_TRUE(module.has_value()) << render(diagnostics, {"snippet", source, false}, Color::off);
    return module;
}

Diagnostics verified(const Module& module, Profile profile, const char* device) {
    Diagnostics diagnostics;
    verify(module, {.profile = profile, .device = device == nullptr ? nullptr : isa::device_named(device)},
           diagnostics);
    return diagnostics;
}

std::string shown(const Diagnostics& diagnostics, const std::string& source) {
    return render(diagnostics, {"snippet", source, false}, Color::off);
}

bool has_note(const Diagnostic& diagnostic, std::string_view note) {
    return std::ranges::any_of(diagnostic.notes, [&](const Note& one) { return one.message == note; });
}

void check_broken(const Case& one, const Module& module, const Marked& marked, Profile profile) {
    const Expect expected = profile == Profile::spec ? one.spec : one.igc;
    const Diagnostics diagnostics = verified(module, profile, one.device);
    const std::string found = shown(diagnostics, marked.source);
    if (expected == Expect::nothing) {
        EXPECT_TRUE(diagnostics.all().empty()) << found;
        return;
    }
    ASSERT_EQ(diagnostics.all().size(), 1U) << found;
    const Diagnostic& diagnostic = diagnostics.all()[0];
    EXPECT_EQ(diagnostic.rule, one.id == nullptr ? one.rule : one.id);
    EXPECT_EQ(diagnostic.message, one.message);
    EXPECT_EQ(diagnostic.severity, expected == Expect::error ? Severity::error : Severity::warning) << found;
    EXPECT_EQ(diagnostic.where, marked.place) << found;
    EXPECT_TRUE(diagnostic.notes.back().message.starts_with("see ")) << found;
    EXPECT_TRUE(one.note == nullptr || has_note(diagnostic, one.note)) << found;
    const Rule* rule = rule_of(diagnostic.rule);
    ASSERT_NE(rule, nullptr) << found;
    EXPECT_STREQ(rule->id, one.rule);
}

} // namespace

void check(const Case& one) {
    SCOPED_TRACE(one.broken);
    const Marked broken = unmark(one, one.broken);
    auto module = parsed(broken.source, one.device);
    if (!module)
        return;
    const char* fixed_device = one.fixed_device == nullptr ? one.device : one.fixed_device;
    const Marked twin = unmark(one, one.fixed == nullptr ? one.broken : one.fixed);
    const auto fixed = parsed(twin.source, fixed_device);
    if (fixed) {
        const Diagnostics diagnostics = verified(*fixed, Profile::spec, fixed_device);
        EXPECT_TRUE(diagnostics.all().empty()) << "the twin: " << shown(diagnostics, twin.source);
    }
    if (one.damage != nullptr)
        one.damage(*module);
    check_broken(one, *module, broken, Profile::spec);
    check_broken(one, *module, broken, Profile::igc);
}

void check(std::span<const Case> all) {
    for (const Case& one : all)
        check(one);
}

} // namespace visor::verify
