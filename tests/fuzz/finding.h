// What targets of the fuzzer share: an input as text or bytes, and how to tell that something does not hold.
// libFuzzer keeps the input of a process that aborts.
#pragma once

#include "diagnostic/diagnostic.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace visor::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}
inline std::span<const std::byte> bytes_of(const uint8_t* data, size_t size) {
    return std::as_bytes(std::span(data, size));
}

inline void require(bool holds, std::string_view what) {
    if (holds)
        return;
    std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}
// For properties that say what is wrong, or nothing.
inline void require_none(std::string_view wrong) {
    require(wrong.empty(), wrong);
}

// Whatever has no result has a reason; reasons lie inside the input, and can be shown.
inline void require_told(bool result, const Diagnostics& diagnostics, const SourceView& source,
                         size_t bytes) {
    require(result || !diagnostics.ok(), "the input is refused without a word");
    const auto inside = [bytes](const std::optional<Location>& where) {
        require(!where || where->offset <= bytes, "a message is about a place behind the input");
    };
    for (const Diagnostic& found : diagnostics.all()) {
        inside(found.where);
        for (const Note& note : found.notes)
            inside(note.where);
    }
    require(diagnostics.all().empty() || !render(diagnostics, source, Color::on).empty(), "no message");
}

} // namespace visor::fuzz
