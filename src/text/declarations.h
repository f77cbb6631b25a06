// Directives that declare: .decl, .input, .implicit_*, .kernel_attr; reading and writing next to each other. Each
// reader is called behind the directive's name and returns false when the rest of the line is to be skipped.
#pragma once

#include "text/reader.h"
#include "text/writer.h"

namespace visor::text {

[[nodiscard]] bool read_declaration(Reader& reader);
[[nodiscard]] bool read_input(Reader& reader, uint8_t implicit);
[[nodiscard]] bool read_kernel_attribute(Reader& reader);

// The kind behind ".implicit_"; reports an unknown one.
[[nodiscard]] std::optional<uint8_t> implicit_kind(Lexer& lex, std::string_view name, Location where);

void write_declarations(Writer& writer);

} // namespace visor::text
