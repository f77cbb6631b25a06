// JSON: what is accepted is written and read again as the same document; what is refused has a place.
#include "finding.h"
#include "limits.h"

#include "cli/launch/json_view.h"

#include <algorithm>

using namespace visor;
using nlohmann::json;

namespace {

constexpr size_t deepest = 200; // what json::dump, which recurses, is asked for

size_t depth_of(std::string_view text) {
    return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return c == '[' || c == '{'; }));
}

void look_at(const cli::JsonView& view) {
    static_cast<void>(view.text());
    static_cast<void>(view.count(1, UINT32_MAX));
    static_cast<void>(view.amount());
    view.has_only({"version", "launches"});
    for (const auto& [key, member] : view.members())
        static_cast<void>(member.elements());
    for (const cli::JsonView& element : view.elements())
        element.expected("something else");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const fuzz::Limits limits(size);
    const std::string_view text = fuzz::text_of(data, size);
    const auto document = cli::parse_json("fuzz.json", text);
    if (!document) {
        fuzz::require(document.error().starts_with("fuzz.json:"), "an error without a place");
        return 0;
    }
    std::vector<std::string> problems;
    look_at({*document, problems});
    if (depth_of(text) > deepest)
        return 0;
    const auto again = cli::parse_json("again.json", document->dump());
    fuzz::require(again.has_value() && *again == *document, "it reads as another document again");
    return 0;
}
