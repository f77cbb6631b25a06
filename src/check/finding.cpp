#include "check/finding.h"

#include "check/rules.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <fmt/format.h>

namespace visor::check {

std::optional<Findings::Number> Findings::claim(const machine::Thread& thread, std::string_view rule,
                                                uint32_t instruction, uint32_t other) {
    assert(rule_named(rule) != nullptr); // tests walk that list
    const auto [at, inserted] =
        known_.try_emplace(Key{thread.program->function.get(), rule, instruction, other}, claims_.size());
    if (inserted) {
        claims_.emplace_back();
        return at->second;
    }
    return count_again(at->second);
}

std::optional<Findings::Number> Findings::count_again(Number number) {
    Claim& claim = claims_[number];
    ++claim.count;
    if (claim.finding)
        findings_[*claim.finding].count = claim.count;
    return std::nullopt;
}

std::optional<Findings::Number> Findings::claim_conflict(const machine::Thread& thread, std::string_view rule,
                                                         uint32_t instruction, uint32_t other) {
    const std::shared_ptr<const Function>& function = thread.program->function;
    const Key key{function.get(), rule, std::min(instruction, other), std::max(instruction, other)};
    if (const auto known = known_.find(key); known != known_.end())
        return count_again(known->second);
    const std::string line = line_of(function, instruction);
    if (line.empty())
        return claim(thread, rule, key.instruction, key.other);
    const auto [at, inserted] = by_line_.try_emplace(Line{function.get(), rule, line}, claims_.size());
    if (inserted) {
        const auto number = claim(thread, rule, key.instruction, key.other);
        claims_[*number].lines.push_back(line_of(function, other));
        return number;
    }
    known_.emplace(key, at->second);
    Claim& claim = claims_[at->second];
    if (std::string with = line_of(function, other);
        std::ranges::find(claim.lines, with) == claim.lines.end()) {
        claim.lines.push_back(std::move(with));
        name_lines(claim);
    }
    return count_again(at->second);
}

void Findings::name_lines(Claim& claim) {
    constexpr size_t most = 8;
    if (!claim.finding || claim.lines.size() < 2)
        return;
    std::string text = "likewise with ";
    for (size_t k = 1; k < std::min(claim.lines.size(), most); ++k)
        text += (k == 1 ? "" : ", ") + (claim.lines[k].empty() ? "code without a line" : claim.lines[k]);
    if (claim.lines.size() > most)
        text += fmt::format(" and {} other lines", claim.lines.size() - most);
    std::vector<std::string>& notes = findings_[*claim.finding].notes;
    if (!claim.note) {
        claim.note = notes.size();
        notes.emplace_back();
    }
    notes[*claim.note] = std::move(text);
}

std::string Findings::line_of(const std::shared_ptr<const Function>& function, uint32_t instruction) {
    const auto [at, inserted] = source_lines_.try_emplace(function.get());
    if (inserted)
        at->second = {function, source_lines(*function)};
    const std::vector<SourceLine>& lines = at->second.lines;
    return instruction < lines.size() ? text_of(lines[instruction]) : std::string();
}

void Findings::add(Number number, const machine::Thread& thread, Finding finding) {
    Claim& claim = claims_[number];
    finding.function = thread.program->function;
    finding.launch = launch_;
    finding.count = claim.count;
    claim.finding = findings_.size();
    findings_.push_back(std::move(finding));
    name_lines(claim);
}

Party party(const machine::Thread& thread, const PreparedInstruction& instruction, int lane,
            std::string doing) {
    return {.group = thread.group->id,
            .thread = thread.index,
            .lane = lane,
            .instruction = instruction.source,
            .doing = std::move(doing)};
}

} // namespace visor::check
