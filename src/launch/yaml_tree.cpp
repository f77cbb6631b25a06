#include "launch/yaml_tree.h"

#include "diagnostic/printable.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <yaml-cpp/eventhandler.h>

namespace visor::launch {

namespace {

class AliasFinder final : public YAML::EventHandler {
public:
    std::optional<YAML::Mark> found; // the first one

    void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        if (!found)
            found = mark;
    }
    void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  const std::string& /*value*/) override {}
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

void refuse_aliases(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    AliasFinder aliases;
    parser.HandleNextDocument(aliases);
    if (aliases.found)
        throw YAML::ParserException(*aliases.found, "an alias (`*`), which no compiler writes");
}

} // namespace

YAML::Node tree_of(std::string_view text) {
    // yaml-cpp accepts characters that YAML forbids (5.1, character set), but cannot emit them.
    if (!is_utf8(text))
        throw YAML::ParserException(YAML::Mark(), "it is not UTF-8");
    const auto is_control = [](char c) {
        return (c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
    };
    if (std::ranges::any_of(text, is_control))
        throw YAML::ParserException(YAML::Mark(), "it has control characters");
    const std::string copy(text);
    if (may_have_aliases(text)) // parsing twice takes most of the time that loading a large zebin takes
        refuse_aliases(copy);
    return YAML::Load(copy);
}

} // namespace visor::launch
