#include "cli/console/outcome.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace visor::cli {

ExitCode worse(ExitCode a, ExitCode b) {
    for (const ExitCode code :
         {ExitCode::internal, ExitCode::spent, ExitCode::unsupported, ExitCode::usage, ExitCode::invalid})
        if (a == code || b == code)
            return code;
    return ExitCode::clean;
}

ExitCode exit_code(vm::ErrorKind kind) {
    switch (kind) {
    case vm::ErrorKind::unsupported:
    case vm::ErrorKind::compiler:
        return ExitCode::unsupported;
    case vm::ErrorKind::time:
        return ExitCode::spent;
    case vm::ErrorKind::internal:
        return ExitCode::internal;
    case vm::ErrorKind::invalid:
    case vm::ErrorKind::fault:
        break;
    }
    return ExitCode::invalid;
}

void add_names(std::string_view list, std::set<std::string, std::less<>>& names) {
    constexpr std::string_view between = ", ";
    while (!list.empty()) {
        const std::string_view name = list.substr(0, list.find(between));
        names.emplace(name);
        list.remove_prefix(std::min(list.size(), name.size() + between.size()));
    }
}

std::unexpected<Failure> not_yet(const std::string& what) {
    return std::unexpected(
        Failure{ExitCode::unsupported,
                fmt::format("unsupported by Visor: {} is not supported yet; nothing is wrong with your input",
                            what)});
}

Failure failure(const vm::Error& error) {
    return {exit_code(error.kind), error.text};
}

} // namespace visor::cli
