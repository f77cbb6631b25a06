#include "check/checkers.h"

namespace visor::check {

Checkers::Checkers(const std::array<bool, kinds>& chosen) {
    using Make = std::unique_ptr<machine::Watcher> (*)(Findings&);
    constexpr std::array<Make, kinds - 1> makers{init_checker,  race_checker, conflict_checker,
                                                 align_checker, sync_checker, arith_checker};
    static_assert(static_cast<size_t>(Kind::memory) == 0);
    const auto is_chosen = [&chosen](Kind kind) { return chosen[static_cast<size_t>(kind)]; };
    machine::WatchFilter watch_filter{.events = {.outside = is_chosen(Kind::memory),
                                                 .conflicts = is_chosen(Kind::conflict),
                                                 .alignment = is_chosen(Kind::align)}};
    if (is_chosen(Kind::memory)) {
        auto memory = memory_checker(findings_);
        watch_filter.flat = memory.get();
        checkers_.push_back(std::move(memory));
    }
    for (size_t kind = 1; kind < kinds; ++kind)
        if (chosen[kind])
            checkers_.push_back(makers[kind - 1](findings_));
    if (is_chosen(Kind::memory))
        checkers_.push_back(bounds_checker(findings_));
    const bool is_all =
        !is_chosen(Kind::init) && !is_chosen(Kind::race) && !is_chosen(Kind::sync) && !is_chosen(Kind::arith);
    if (is_all && watch_filter.events.any())
        watch_filter_ = watch_filter;
    for (const auto& checker : checkers_)
        several_.add(*checker);
}

} // namespace visor::check
