#include "check/checkers.h"

namespace visor::check {

Checkers::Checkers(const std::array<bool, kinds>& chosen) {
    using Make = std::unique_ptr<machine::Watcher> (*)(Findings&);
    constexpr std::array<Make, kinds> makers{memory_checker, init_checker, race_checker, conflict_checker,
                                             align_checker,  sync_checker, arith_checker};
    for (size_t kind = 0; kind < kinds; ++kind)
        if (chosen[kind])
            checkers_.push_back(makers[kind](findings_));
    if (chosen[static_cast<size_t>(Kind::memory)])
        checkers_.push_back(bounds_checker(findings_));
    for (const auto& checker : checkers_)
        several_.add(*checker);
}

} // namespace visor::check
