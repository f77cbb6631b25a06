// Directives that declare: .decl, .input, .implicit_*, .kernel_attr; reading and writing next to each other.
// Each reader is called behind the directive's name and returns false when the rest of the line is to be
// skipped.
#pragma once

#include "text/reader.h"
#include "text/writer.h"

namespace visor::text {

[[nodiscard]] bool read_declaration(Reader& reader);
// All declarations of a function, inputs and attributes.
void write_declarations(Writer& writer);

// inputs.cpp. The kind is what stands behind ".implicit_"; an unknown one is reported.
[[nodiscard]] std::optional<uint8_t> implicit_kind(Lexer& lex, std::string_view name, Location where);
[[nodiscard]] bool read_input(Reader& reader, uint8_t implicit);
void write_input(Writer& writer, const Input& input);

// attributes.cpp. A list stands in braces, behind `attrs=`.
[[nodiscard]] bool read_kernel_attribute(Reader& reader);
[[nodiscard]] bool read_attribute_list(Reader& reader, std::vector<Attribute>& attributes);
void write_attribute(Writer& writer, const Attribute& attribute);
void write_attribute_list(Writer& writer, const std::vector<Attribute>& attributes);

} // namespace visor::text
