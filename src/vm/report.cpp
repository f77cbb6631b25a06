#include "vm/report.h"

#include "diagnostic/printable.h"

#include <fmt/format.h>

namespace visor::vm {

namespace {

std::string without_last_newlines(std::string text) {
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

ErrorKind kind_of(compile::FailureKind kind) {
    switch (kind) {
    case compile::FailureKind::compiler_missing:
    case compile::FailureKind::compiler_crashed:
        return ErrorKind::compiler;
    case compile::FailureKind::no_target:
        return ErrorKind::unsupported;
    case compile::FailureKind::time_limit:
        return ErrorKind::time;
    case compile::FailureKind::build_error:
    case compile::FailureKind::bad_option:
        break;
    }
    return ErrorKind::invalid;
}

} // namespace

Error error_of(const compile::Failure& failure) {
    std::string text = without_last_newlines(printable(failure.log));
    if (!text.empty())
        text += '\n';
    return {kind_of(failure.kind), text + failure.message};
}

Error error_of(const Diagnostics& diagnostics, const SourceView& source, Color color) {
    const bool only_unsupported = diagnostics.errors() == 0 && diagnostics.unsupported_count() > 0;
    return {only_unsupported ? ErrorKind::unsupported : ErrorKind::invalid,
            without_last_newlines(render(diagnostics, source, color))};
}

Error other_device(std::string_view file, isa::DeviceId built_for, const isa::Device& asked) {
    const char* name = isa::device(built_for).name;
    return {ErrorKind::invalid,
            fmt::format("{}: error: this was compiled for {}, not for {}: use --device {}", file, name,
                        asked.name, name)};
}

Error unknown_file(std::string_view name) {
    return {
        ErrorKind::invalid,
        fmt::format("{}: this is neither OpenCL C, SPIR-V, a zebin nor vISA text or binary, by its content "
                    "or its name",
                    name)};
}

} // namespace visor::vm
