// Attributes of kernels and variables: NAME, NAME=number, NAME="text".
#include "text/declarations.h"

#include <algorithm>

#include <fmt/format.h>

namespace visor::text {

namespace {

constexpr std::array targets = std::to_array<std::string_view>({"cm", "3d"}); // the number 0, 1 of a binary

bool attribute_value(Reader& reader, Attribute& attribute, Precedence from) {
    Lexer& lex = reader.lex;
    if (lex.at_line_end()) // `NAME =` is a flag
        return true;
    if (lex.peek() == '"') {
        const std::optional<std::string_view> text = lex.string();
        if (!text.has_value())
            return false;
        const auto target = std::ranges::find(targets, *text);
        if (attribute.name == "Target" && target != targets.end()) {
            attribute.has_number = true;
            attribute.number = target - targets.begin();
            return true;
        }
        attribute.has_text = true;
        attribute.text = *text;
        return true;
    }
    const std::optional<int64_t> number = reader.expression(from);
    attribute.has_number = number.has_value();
    attribute.number = number.value_or(0);
    return number.has_value();
}

bool read_attribute(Reader& reader, std::vector<Attribute>& attributes, Precedence from) {
    reader.lex.skip_blanks();
    const uint32_t start = reader.lex.offset();
    Attribute attribute;
    attribute.name = reader.lex.name();
    if (attribute.name.empty())
        return reader.lex.expected("an attribute's name");
    attribute.where = reader.lex.since(start);
    if (reader.lex.accept('=') && !attribute_value(reader, attribute, from))
        return false;
    attributes.push_back(std::move(attribute));
    return true;
}

} // namespace

bool read_attribute_list(Reader& reader, std::vector<Attribute>& attributes) {
    if (!reader.mark('{'))
        return false;
    do {
        if (!read_attribute(reader, attributes, Precedence::shift))
            return false;
    } while (reader.lex.accept(','));
    return reader.mark('}');
}

void write_attribute(Writer& writer, const Attribute& attribute) {
    writer.text(attribute.name);
    const bool target = attribute.name == "Target" && attribute.has_number && attribute.number >= 0 &&
                        attribute.number < static_cast<int64_t>(targets.size());
    if (target)
        writer.text(fmt::format("=\"{}\"", targets[static_cast<size_t>(attribute.number)]));
    else if (attribute.has_number)
        writer.text(fmt::format("={}", attribute.number));
    else if (attribute.has_text)
        writer.text(fmt::format("={}", quoted(attribute.text)));
}

void write_attribute_list(Writer& writer, const std::vector<Attribute>& attributes) {
    if (attributes.empty())
        return;
    writer.text(" attrs={");
    for (size_t index = 0; index < attributes.size(); ++index) {
        writer.text(index == 0 ? "" : ", ");
        write_attribute(writer, attributes[index]);
    }
    writer.text("}");
}

bool read_kernel_attribute(Reader& reader) {
    std::vector<Attribute>& attributes = reader.function->attributes;
    if (!read_attribute(reader, attributes, Precedence::conditional))
        return false;
    const Attribute& added = attributes.back();
    const Attribute* first = reader.note_attribute();
    if (first == nullptr || (added.name != "SLMSize" && added.name != "NBarrierCnt"))
        return true;
    reader.lex.diagnostics()
        .error(added.where, "duplicate-attribute", fmt::format("`{}` is given twice", added.name))
        .notes.push_back({first->where, "first given here"});
    return true;
}

} // namespace visor::text
