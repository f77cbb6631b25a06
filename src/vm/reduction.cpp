#include "vm/reduction.h"

#include "launch/annotation.h"
#include "vm/translate.h"
#include "vm/units.h"

#include <fmt/format.h>

namespace visor::vm {

namespace {

enum class State : uint8_t { unreadable, refused, clean };

struct Judged {
    State state = State::unreadable;
    const isa::Device* device = nullptr;
};

Judged judge(std::string_view name, std::string_view content, std::optional<const isa::Device*> device) {
    UnitsRequest request;
    request.device = device;
    request.max_errors = 1;
    auto read = read_units(name, content, request);
    if (!read || read->units.empty() || !read->units.front().module)
        return {};
    Unit& unit = read->units.front();
    check(unit, default_profile(unit), read->device);
    return {unit.diagnostics.ok() ? State::clean : State::refused, read->device};
}

} // namespace

std::expected<reduce::Reduced, Error> reduce_text(std::string_view name, std::string_view content,
                                                  const ReductionRequest& request) {
    if (identify(content, name) != InputKind::visa_text)
        return std::unexpected(Error{
            ErrorKind::invalid,
            fmt::format("{}: only vISA text is reduced; `visor cc --emit visaasm` and `visor dis` make it",
                        name)});
    const Judged first = judge(name, content, request.device);
    // The same device for every candidate: what is left must not turn into another one's text.
    const std::optional<const isa::Device*> device =
        first.state == State::unreadable ? request.device : first.device;
    reduce::Options options;
    options.parse = {.grf_bytes = grf_bytes(first.device), .from_compiler = launch::is_annotated(content)};
    options.kept_lines = launch::annotation_mark;
    options.most_tests = request.most_tests;
    options.on_progress = request.on_progress;
    const auto is_valid = [&](std::string_view text) {
        return first.state == State::unreadable || judge(name, text, device).state >= first.state;
    };
    auto reduced = reduce::minimize(content, options, {is_valid, request.ask});
    if (reduced)
        return std::move(*reduced);
    return std::unexpected(
        reduced.error() == reduce::Refusal::boring
            ? Error{ErrorKind::invalid, fmt::format("{}: is not interesting as it is", name)}
            : Error{ErrorKind::time, fmt::format("{}: stopped before the first answer", name)});
}

} // namespace visor::vm
