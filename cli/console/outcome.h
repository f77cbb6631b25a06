// How a verb ends: exit codes as scripts know them, and a failure with the words for it.
#pragma once

#include "vm/vm.h"

#include <cstdint>
#include <expected>
#include <set>
#include <string>
#include <string_view>

namespace visor::cli {

enum class ExitCode : uint8_t {
    clean = 0,
    invalid = 1,     // input, build, fault
    usage = 2,       // the command line itself
    unsupported = 3, // or incomplete, or the outside compiler missing or crashed
    internal = 4,
    spent = 124, // fuel or time
};

// Of several at once: the first of 4, 124, 3, 1.
[[nodiscard]] ExitCode worse(ExitCode a, ExitCode b);
[[nodiscard]] ExitCode exit_code(vm::ErrorKind kind);

struct Failure {
    ExitCode code = ExitCode::invalid;
    std::string text; // sentences for people, without a newline at the end
};

[[nodiscard]] inline std::unexpected<Failure> invalid(std::string text) {
    return std::unexpected(Failure{ExitCode::invalid, std::move(text)});
}
[[nodiscard]] inline std::unexpected<Failure> usage(std::string text) {
    return std::unexpected(Failure{ExitCode::usage, std::move(text)});
}
// Adds the names of such a list as "sin, inv": a launch's instructions that are not exact.
void add_names(std::string_view list, std::set<std::string, std::less<>>& names);
// "WHAT is not supported yet", as something that is not the user's fault.
[[nodiscard]] std::unexpected<Failure> not_yet(const std::string& what);
[[nodiscard]] Failure failure(const vm::Error& error);

} // namespace visor::cli
