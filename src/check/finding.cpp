#include "check/finding.h"

#include "check/rules.h"

#include <algorithm>
#include <cassert>

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
    Claim& claim = claims_[at->second];
    ++claim.count;
    if (claim.finding)
        findings_[*claim.finding].count = claim.count;
    return std::nullopt;
}

void Findings::add(Number number, const machine::Thread& thread, Finding finding) {
    Claim& claim = claims_[number];
    finding.function = thread.program->function;
    finding.launch = launch_;
    finding.count = claim.count;
    claim.finding = findings_.size();
    findings_.push_back(std::move(finding));
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
