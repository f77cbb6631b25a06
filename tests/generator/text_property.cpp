#include "damage.h"
#include "difference.h"
#include "property.h"

#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace visor::generator {

namespace {

// The line where two texts part.
std::string first_difference(std::string_view a, std::string_view b) {
    const auto [at, unused] = std::ranges::mismatch(a, b);
    const auto offset = static_cast<size_t>(at - a.begin());
    const size_t start = offset == 0 ? 0 : a.rfind('\n', offset - 1) + 1;
    const auto line = [start](std::string_view text) {
        return text.substr(start, text.find('\n', start) - start);
    };
    return fmt::format("\n  {}\n  {}", line(a), line(b));
}

} // namespace

void Seen::add(const Module& module) {
    for (const Function& function : module.functions) {
        instructions += function.code.size();
        for (const Instruction& instruction : function.code)
            rows.insert(instruction.row);
    }
}

std::string text_round_trip(const Module& module) {
    const std::string printed = text::print(module);
    Diagnostics diagnostics;
    const std::optional<Module> parsed = text::parse(printed, {}, diagnostics);
    if (!parsed)
        return "the printed text does not parse:\n" + render(diagnostics, {"printed", printed}, Color::off);
    if (!same(module, *parsed))
        return "the printed text parses to another module: " + difference(module, *parsed);
    const std::string again = text::print(*parsed);
    return again == printed ? ""
                            : "it prints differently the second time:" + first_difference(printed, again);
}

std::string generated_text(uint64_t seed, const Texts& /*texts*/, Seen& seen) {
    const Module module = generate(seed, {});
    seen.add(module);
    return text_round_trip(module);
}

std::string damaged_text(uint64_t seed, const Texts& texts, Seen& seen) {
    Random random(seed);
    const bool is_real = !texts.empty() && random.one_in(2);
    const std::string whole = is_real ? random.pick(texts) : text::print(generate(seed, {}));
    const std::string damaged = damage_text(random, whole);
    Diagnostics diagnostics;
    const std::optional<Module> module = text::parse(damaged, {}, diagnostics);
    if (!module)
        return !diagnostics.ok() ? "" : "it was refused without a word";
    ++seen.accepted;
    seen.add(*module);
    return text_round_trip(*module);
}

} // namespace visor::generator
