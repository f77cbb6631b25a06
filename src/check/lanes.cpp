// What lanes of one message do to each other, and addresses that a page wants aligned: the engine knows of
// both when it executes the message.
#include "check/checkers.h"
#include "check/place.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <vector>

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

// The reads of a thread of late, to know a write that puts back what was read at the same place.
class RecentReads {
public:
    void add(const machine::MemoryEvent& event) {
        Read& read = reads_.at(next_++ % reads_.size());
        read = {.space = event.space,
                .base = event.base,
                .offset = event.instruction.execution.offset,
                .lanes = event.lanes & ~event.dropped};
        std::ranges::copy(event.addresses.first(std::min(event.addresses.size(), max_lanes)),
                          read.addresses.begin());
    }
    void clear() {
        for (Read& read : reads_)
            read.lanes = 0;
    }

    // The lanes of a write that have read its very place.
    [[nodiscard]] uint32_t lanes_of(const machine::MemoryEvent& write) const {
        uint32_t found = 0;
        for (const Read& read : reads_) {
            if (read.space != write.space || read.base != write.base ||
                read.offset != write.instruction.execution.offset)
                continue;
            for (uint32_t rest = read.lanes & write.lanes & ~write.dropped; rest != 0; rest &= rest - 1) {
                const auto lane = static_cast<size_t>(std::countr_zero(rest));
                if (lane < write.addresses.size() && read.addresses.at(lane) == write.addresses[lane])
                    found |= 1U << lane;
            }
        }
        return found;
    }

private:
    static constexpr size_t max_lanes = 32;
    struct Read {
        machine::Space space = machine::Space::flat;
        uint64_t base = 0;
        uint32_t offset = 0; // first channel
        uint32_t lanes = 0;
        std::array<uint64_t, max_lanes> addresses{};
    };
    std::array<Read, 4> reads_;
    size_t next_ = 0;
};

class ConflictChecker final : public machine::Watcher {
public:
    explicit ConflictChecker(Findings& findings) : findings_(findings) {}

    [[nodiscard]] bool wants_instructions() const override { return false; }

    void group_began(std::span<const machine::Thread> threads) override { reads_.assign(threads.size(), {}); }
    void barrier_passed(const machine::Thread& thread, int /*barrier*/) override {
        if (thread.index < reads_.size())
            reads_[thread.index].clear();
    }

    // Work-items that add to one number without an atomic are in step here: all read, and all write the same
    // sum. Elsewhere they are not.
    void memory(const machine::MemoryEvent& event) override {
        if (event.space == machine::Space::scratch || event.thread.index >= reads_.size() ||
            event.addresses.size() < 2)
            return;
        if (event.kind == machine::AccessKind::read)
            return reads_[event.thread.index].add(event);
        if (event.kind != machine::AccessKind::write || event.data.base == machine::no_register ||
            !shares_a_place(event))
            return;
        for (uint32_t rest = reads_[event.thread.index].lanes_of(event); rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            uint32_t same = 1U << lane;
            for (uint32_t others = rest & (rest - 1); others != 0; others &= others - 1) {
                const auto other = static_cast<unsigned>(std::countr_zero(others));
                if (event.addresses[lane] == event.addresses[other] && same_value(event, lane, other))
                    same |= 1U << other;
            }
            if (std::popcount(same) > 1)
                return lost_update(event, same);
        }
    }

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
    // Whether two lanes may be at one place: nearly always each is behind the one before.
    static bool shares_a_place(const machine::MemoryEvent& event) {
        uint64_t before = 0;
        bool first = true;
        for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1) {
            const uint64_t address = event.addresses[static_cast<size_t>(std::countr_zero(rest))];
            if (!first && address <= before)
                return true;
            before = address;
            first = false;
        }
        return false;
    }
    static bool same_value(const machine::MemoryEvent& event, unsigned a, unsigned b) {
        const machine::RegisterPlace& data = event.data;
        const auto value = [&](unsigned lane) {
            return event.thread.registers + data.base + size_t{lane} * data.lane_stride + data.shift_bytes;
        };
        return std::memcmp(value(a), value(b), data.unit_bytes) == 0;
    }

    void lost_update(const machine::MemoryEvent& event, uint32_t lanes) {
        const auto number = findings_.claim(event.thread, "lost-update", event.instruction.source);
        if (!number)
            return;
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        Finding finding{.kind = Kind::conflict, .rule = "lost-update"};
        finding.message = fmt::format("lanes {} read one place and write it back, without an atomic",
                                      lanes_text(event.instruction, lanes));
        finding.place = name_of(event.thread, place_of(event, lane));
        finding.party = party(event.thread, event.instruction, channel(event.instruction, lane));
        finding.notes.emplace_back("of several changes one is left; no barrier lies between read and write");
        findings_.add(*number, event.thread, std::move(finding));
    }

    Findings& findings_;
    std::vector<RecentReads> reads_; // by thread of the group
};

// The compiler makes LSC messages of accesses with any alignment: vloadn, neighbouring shorts.
bool is_tolerated(const UndefinedEvent& event) {
    return event.instruction.row->family == isa::Family::lsc;
}

class AlignChecker final : public machine::Watcher {
public:
    explicit AlignChecker(Findings& findings) : findings_(findings) {}

    [[nodiscard]] bool wants_instructions() const override { return false; }

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
