// The checkers: listeners on the machine's events, each with one kind of mistake to find. None of them
// interprets an instruction or changes a run; `docs/checkers.md` says what each finds and what it cannot see.
#pragma once

#include "check/finding.h"
#include "machine/multicast_watcher.h"
#include "machine/watch.h"
#include "machine/watch_filter.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace visor::check {

// Accesses past a surface, shared local or scratch memory, and through a surface that nothing was moved to.
// What is outside every allocation ends the run as a fault.
class MemoryWatcher : public machine::Watcher, public machine::FlatAccessFilter {};
[[nodiscard]] std::unique_ptr<MemoryWatcher> memory_checker(Findings& findings);
// Indirect operands outside their variable; of the same kind.
[[nodiscard]] std::unique_ptr<machine::Watcher> bounds_checker(Findings& findings);
// Reads of registers, predicates, shared local, private and scratch memory that nobody wrote, told where the
// value matters: as an address, in a branch, in a store to global memory.
[[nodiscard]] std::unique_ptr<machine::Watcher> init_checker(Findings& findings);
// Accesses of two threads to one place, one of them a write, with nothing that orders them: one
// happens-before relation over barriers, fences and atomics. A barrier whose fence is missing is told as
// such.
[[nodiscard]] std::unique_ptr<machine::Watcher> race_checker(Findings& findings);
// Lanes of one message that write one place (ruling 10).
[[nodiscard]] std::unique_ptr<machine::Watcher> conflict_checker(Findings& findings);
// Addresses that a page wants aligned.
[[nodiscard]] std::unique_ptr<machine::Watcher> align_checker(Findings& findings);
// Barriers that not all threads or lanes of a group come to.
[[nodiscard]] std::unique_ptr<machine::Watcher> sync_checker(Findings& findings);
// Integer division by zero, conversions out of range, shift counts past the width, sources that overlap a
// destination where the page leaves the result undefined.
[[nodiscard]] std::unique_ptr<machine::Watcher> arith_checker(Findings& findings);

// The chosen checkers as one listener.
class Checkers {
public:
    explicit Checkers(const std::array<bool, kinds>& chosen); // by Kind
    // nullptr when none was chosen. Lives as long as this.
    [[nodiscard]] machine::Watcher* listener() { return several_.listener(); }
    // What it wants to hear of, when those were chosen that need not be told everything.
    [[nodiscard]] const std::optional<machine::WatchFilter>& watch_filter() const { return watch_filter_; }
    [[nodiscard]] Findings& findings() { return findings_; }

private:
    Findings findings_;
    std::vector<std::unique_ptr<machine::Watcher>> checkers_;
    machine::MulticastWatcher several_;
    std::optional<machine::WatchFilter> watch_filter_;
};

} // namespace visor::check
