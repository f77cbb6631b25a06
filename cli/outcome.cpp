#include "cli/outcome.h"

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
