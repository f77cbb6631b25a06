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
    std::istringstream stream(copy);
    YAML::Parser parser(stream);
    AliasFinder aliases;
    parser.HandleNextDocument(aliases);
    if (aliases.found)
        throw YAML::ParserException(*aliases.found, "an alias (`*`), which no compiler writes");
    return YAML::Load(copy);
}

} // namespace visor::launch
