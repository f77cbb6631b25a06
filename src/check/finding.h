// What a checker found, as data: which instruction of which lane, where in memory, and the other party of a
// conflict. Folded by instruction, and conflicts by source line: one finding, however often it happened.
#pragma once

#include "machine/thread.h"
#include "module/module.h"
#include "module/source_line.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace visor::check {

enum class Kind : uint8_t { memory, init, race, conflict, align, sync, arith };
inline constexpr size_t kinds = 7;
inline constexpr std::array<std::string_view, kinds> kind_names{"memory", "init", "race", "conflict",
                                                                "align",  "sync", "arith"};

// A note says something worth knowing and is no fault of the kernel: it changes no exit code.
enum class Severity : uint8_t { error, note };

// One who did something.
struct Party {
    std::array<uint32_t, 3> group{};
    uint32_t thread = 0;      // in its group
    int lane = -1;            // channel; -1: no single one
    uint32_t instruction = 0; // index in Function::code
    std::string doing;        // "writes 4 bytes"
};

struct Finding {
    Kind kind = Kind::memory;
    Severity severity = Severity::error;
    std::string_view rule; // "data-race"; a literal
    std::string message;   // a line without a full stop
    std::string place;     // "arg 1 `out` + 0x7c"; "" = no memory is meant
    Party party;
    std::optional<Party> other;
    std::vector<std::string> notes;
    std::shared_ptr<const Function> function;
    uint64_t launch = 0; // number of the launch it was first seen in
    uint64_t count = 1;
};

// Collects findings of a whole job. One thread at a time.
class Findings {
public:
    void begin_launch(uint64_t number) { launch_ = number; }

    // The first of its rule and instruction pair gets a number, for `add`; others are counted, and that is
    // all: a finding is made once.
    using Number = size_t;
    [[nodiscard]] std::optional<Number> claim(const machine::Thread& thread, std::string_view rule,
                                              uint32_t instruction, uint32_t other = UINT32_MAX);
    // The same of a conflict of two instructions, in either order: the first at a source line gets a number,
    // and others there, whatever lines they conflict with, are counted and named in a note. `instruction` is
    // the finding's party. Without source lines, as claim().
    [[nodiscard]] std::optional<Number> claim_conflict(const machine::Thread& thread, std::string_view rule,
                                                       uint32_t instruction, uint32_t other);
    void add(Number number, const machine::Thread& thread, Finding finding);

    // In the order of their first sight.
    [[nodiscard]] const std::vector<Finding>& all() const { return findings_; }

private:
    struct Key {
        const Function* function;
        std::string_view rule;
        uint32_t instruction;
        uint32_t other;
        auto operator<=>(const Key&) const = default;
    };
    // A claim: how often, the finding once it was added, the source lines that its party conflicts with ("":
    // not known), the first one in the finding itself, and which of its notes names the rest.
    struct Claim {
        uint64_t count = 1;
        std::optional<size_t> finding;
        std::vector<std::string> lines;
        std::optional<size_t> note;
    };
    using Line = std::tuple<const Function*, std::string_view, std::string>; // of a rule
    std::optional<Number> count_again(Number number);
    void name_lines(Claim& claim);
    // "k.cl:12"; "" when the text does not say.
    std::string line_of(const std::shared_ptr<const Function>& function, uint32_t instruction);

    // Of functions with conflicts, which live as long: lines are views into them, and nobody else gets their
    // address.
    struct Lines {
        std::shared_ptr<const Function> function;
        std::vector<SourceLine> lines;
    };
    std::map<const Function*, Lines> source_lines_;
    std::map<Line, Number> by_line_;
    std::map<Key, Number> known_;
    std::vector<Claim> claims_;
    std::vector<Finding> findings_;
    uint64_t launch_ = 0;
};

[[nodiscard]] Party party(const machine::Thread& thread, const PreparedInstruction& instruction, int lane,
                          std::string doing = {});
// The channel of an instruction's lane with this number.
[[nodiscard]] inline int channel(const PreparedInstruction& instruction, unsigned lane) {
    return static_cast<int>(lane + instruction.execution.offset);
}

} // namespace visor::check
