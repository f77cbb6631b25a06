#include "launch/yaml_tree.h"

#include "diagnostic/printable.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <yaml-cpp/eventhandler.h>

namespace visor::launch {

namespace {

bool is_control(char c) {
    return (c >= 0 && c < ' ') || c == '\x7f';
}

// Finds what tree_of refuses.
class Finder final : public YAML::EventHandler {
public:
    std::optional<YAML::Mark> alias;   // the first one
    std::optional<YAML::Mark> control; // the first scalar with a control character, by an escape sequence

    void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        if (!alias)
            alias = mark;
    }
    void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  const std::string& value) override {
        const auto is_refused = [](char c) { return is_control(c) && c != '\t' && c != '\n'; };
        if (!control && std::ranges::any_of(value, is_refused))
            control = mark;
    }
    void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                         YAML::EmitterStyle::value /*style*/) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                    YAML::EmitterStyle::value /*style*/) override {}
    void OnMapEnd() override {}
};

// Whether an alias can be in the text: its `*` begins a token. After a letter or digit it belongs to a
// scalar, as in the compiler's `float*`.
bool may_have_aliases(std::string_view text) {
    const auto continues_scalar = [](char before) {
        return (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
               (before >= '0' && before <= '9') || before == '_';
    };
    for (size_t at = text.find('*'); at != std::string_view::npos; at = text.find('*', at + 1))
        if (at == 0 || !continues_scalar(text[at - 1]))
            return true;
    return false;
}

constexpr const char* has_control = "it has control characters";

void refuse_found(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Finder finder;
    parser.HandleNextDocument(finder);
    if (finder.alias)
        throw YAML::ParserException(*finder.alias, "an alias (`*`), which no compiler writes");
    if (finder.control)
        throw YAML::ParserException(*finder.control, has_control);
}

// Tabulators and line breaks are none here; a carriage return without a line feed is.
bool has_control_characters(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
        const bool breaks = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if (is_control(text[i]) && text[i] != '\t' && text[i] != '\n' && !breaks)
            return true;
    }
    return false;
}

} // namespace

YAML::Node tree_of(std::string_view text) {
    // yaml-cpp accepts characters that YAML forbids (5.1, character set), but cannot emit them.
    if (!is_utf8(text))
        throw YAML::ParserException(YAML::Mark(), "it is not UTF-8");
    if (has_control_characters(text))
        throw YAML::ParserException(YAML::Mark(), has_control);
    const std::string copy(text);
    // Parsing twice takes most of the time that loading a large zebin takes.
    if (may_have_aliases(text) || text.contains('\\'))
        refuse_found(copy);
    return YAML::Load(copy);
}

} // namespace visor::launch
