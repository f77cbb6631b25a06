// What lanes of one message do to each other, and addresses that a page wants aligned: the engine knows of
// both when it executes the message.
#include "check/checkers.h"
#include "check/place.h"

#include <bit>
#include <fmt/format.h>

namespace visor::check {

namespace {

using machine::UndefinedEvent;
using machine::UndefinedKind;

std::string lanes_text(const PreparedInstruction& instruction, uint32_t lanes) {
    std::string text;
    for (; lanes != 0; lanes &= lanes - 1)
        text += fmt::format("{}{}", text.empty() ? "" : ", ",
                            channel(instruction, static_cast<unsigned>(std::countr_zero(lanes))));
    return text;
}

class ConflictChecker final : public machine::Watcher {
public:
    explicit ConflictChecker(Findings& findings) : findings_(findings) {}

    void undefined(const UndefinedEvent& event) override {
        if (event.kind != UndefinedKind::write_conflict)
            return;
        const std::string_view rule = event.harmless ? "same-value-conflict" : "write-conflict";
        const auto number = findings_.claim(event.thread, rule, event.instruction.source);
        if (!number)
            return;
        Finding finding{.kind = Kind::conflict,
                        .severity = event.harmless ? Severity::note : Severity::error,
                        .rule = rule};
        finding.message = fmt::format("lanes {} of one message write the same place{}",
                                      lanes_text(event.instruction, event.lanes),
                                      event.harmless ? ", the same value" : " with different values");
        finding.place = fmt::format("address 0x{:x} of the message", event.address);
        finding.party =
            party(event.thread, event.instruction,
                  channel(event.instruction, static_cast<unsigned>(std::countr_zero(event.lanes))));
        finding.notes.emplace_back("the pages leave the order undefined: Visor lets the highest lane win");
        findings_.add(*number, event.thread, std::move(finding));
    }

private:
    Findings& findings_;
};

// The compiler makes LSC messages of accesses with any alignment: vloadn, neighbouring shorts.
bool is_tolerated(const UndefinedEvent& event) {
    return event.instruction.row->family == isa::Family::lsc;
}

class AlignChecker final : public machine::Watcher {
public:
    explicit AlignChecker(Findings& findings) : findings_(findings) {}

    void undefined(const UndefinedEvent& event) override {
        if (event.kind != UndefinedKind::misaligned)
            return;
        const auto number = findings_.claim(event.thread, "misaligned", event.instruction.source);
        if (!number)
            return;
        const bool tolerated = is_tolerated(event);
        Finding finding{.kind = Kind::align,
                        .severity = tolerated ? Severity::note : Severity::error,
                        .rule = "misaligned"};
        finding.message = fmt::format("lanes {} access an address that the page wants aligned",
                                      lanes_text(event.instruction, event.lanes));
        finding.place = fmt::format("address 0x{:x} of the message", event.address);
        finding.party =
            party(event.thread, event.instruction,
                  channel(event.instruction, static_cast<unsigned>(std::countr_zero(event.lanes))));
        findings_.add(*number, event.thread, std::move(finding));
    }

private:
    Findings& findings_;
};

} // namespace

std::unique_ptr<machine::Watcher> conflict_checker(Findings& findings) {
    return std::make_unique<ConflictChecker>(findings);
}

std::unique_ptr<machine::Watcher> align_checker(Findings& findings) {
    return std::make_unique<AlignChecker>(findings);
}

} // namespace visor::check
