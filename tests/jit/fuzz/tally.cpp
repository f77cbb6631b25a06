#include "tally.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::jit_fuzz {

namespace {

void increase(volatile uint64_t& counter, uint64_t by) {
    counter = counter + by;
}

// Says whether two runs had the same programs, whatever level they ran at.
uint64_t digest_of(Recipe recipe) {
    recipe.setting.level = 0;
    uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : text_of(recipe))
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return hash;
}

} // namespace

void Tally::count(const Trial& trial, const Recipe& recipe) {
    increase(programs, 1);
    increase(instructions, instruction_count(recipe));
    increase(executed, trial.instructions);
    increase(called_out, trial.called_out);
    increase(faulted, trial.faulted ? 1 : 0);
    increase(endless, trial.verdict == Verdict::endless ? 1 : 0);
    increase(no_code, trial.verdict == Verdict::no_code ? 1 : 0);
    increase(refused, trial.verdict == Verdict::refused ? 1 : 0);
    increase(lines_refused, trial.lines_refused);
    increase(nan_bits, trial.nan_bits ? 1 : 0);
    increase(findings, trial.findings);
    increase(digest, digest_of(recipe));
    increase(levels.at(recipe.setting.level), 1);
    increase(tiers.at(recipe.setting.tiers), 1);
}

void Tally::add(const Tally& other) {
    constexpr std::array counters{
        &Tally::programs, &Tally::instructions, &Tally::executed, &Tally::called_out,    &Tally::faulted,
        &Tally::endless,  &Tally::no_code,      &Tally::refused,  &Tally::lines_refused, &Tally::nan_bits,
        &Tally::findings, &Tally::mismatches,   &Tally::digest};
    for (const auto counter : counters)
        increase(this->*counter, other.*counter);
    for (size_t i = 0; i < levels.size(); ++i)
        increase(levels.at(i), other.levels.at(i));
    for (size_t i = 0; i < tiers.size(); ++i)
        increase(tiers.at(i), other.tiers.at(i));
}

std::string words_of(const Tally& tally, uint64_t seed, double seconds) {
    std::string text = fmt::format(
        "{} programs from seed {} on, {} instructions in them, {} executed, {} of these called out; {} "
        "programs faulted, {} had other NaN bits, {} were endless, {} had no code, {} were refused; "
        "{} mismatches; {:.1f} s, {:.1f} programs a second\n",
        tally.programs + 0, seed, tally.instructions + 0, tally.executed + 0, tally.called_out + 0,
        tally.faulted + 0, tally.nan_bits + 0, tally.endless + 0, tally.no_code + 0, tally.refused + 0,
        tally.mismatches + 0, seconds, static_cast<double>(tally.programs + 0) / std::max(seconds, 0.001));
    text += "  levels:";
    for (size_t i = 0; i < level_names.size(); ++i)
        text += fmt::format(" {} {}", level_names.at(i), tally.levels.at(i) + 0);
    text += fmt::format("; tiers: 2 {}, 1 {}, first 1 then 2 {}; {} drawn lines refused; digest {:016x}\n",
                        tally.tiers[0] + 0, tally.tiers[1] + 0, tally.tiers[2] + 0, tally.lines_refused + 0,
                        tally.digest + 0);
    return text;
}

} // namespace visor::jit_fuzz
