#include "diagnostic/diagnostic.h"

#include "diagnostic/limits.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace visor {

Diagnostic& Diagnostics::report(Severity severity, std::optional<Location> where, std::string rule,
                                std::string message) {
    Diagnostic diagnostic{severity, where, std::move(message), std::move(rule), {}};
    const bool failure = severity == Severity::error || severity == Severity::unsupported;
    errors_ += severity == Severity::error ? 1 : 0;
    unsupported_ += severity == Severity::unsupported ? 1 : 0;
    warnings_ += severity == Severity::warning ? 1 : 0;
    if (failure && errors_ + unsupported_ > max_errors_) {
        ++dropped_;
        overflow_ = std::move(diagnostic);
        return overflow_;
    }
    if (severity == Severity::warning && warnings_ > most_warnings && max_errors_ != SIZE_MAX) {
        overflow_ = std::move(diagnostic);
        return overflow_;
    }
    return all_.emplace_back(std::move(diagnostic));
}

size_t dropped_warnings(const Diagnostics& diagnostics) {
    const auto kept = std::ranges::count(diagnostics.all(), Severity::warning, &Diagnostic::severity);
    return diagnostics.warnings() - static_cast<size_t>(kept);
}

} // namespace visor
