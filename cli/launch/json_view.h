// A JSON document taken apart with a path for every message: `launches[0].global: expected ...`. Problems are
// collected, so that one run tells all of them; what is asked of a value that is not there, or of another
// kind, is simply absent.
#pragma once

#include <cstdint>
#include <expected>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::cli {

// Error: a message ready to print, with file, line and column. A key that stands twice is one.
[[nodiscard]] std::expected<nlohmann::json, std::string> parse_json(std::string_view name,
                                                                    std::string_view content);

class JsonView {
public:
    // A document; it and the list outlive all views.
    JsonView(const nlohmann::json& value, std::vector<std::string>& problems)
        : value_(&value), problems_(&problems) {}

    [[nodiscard]] bool present() const { return value_ != nullptr; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const nlohmann::json& value() const { return *value_; }

    // The member of this name; present() says whether it is there.
    [[nodiscard]] JsonView operator[](const std::string& key) const;
    // The same, but its absence is a problem.
    [[nodiscard]] JsonView needed(const std::string& key) const;
    // Whether this is an object; keys that are not `known` are problems. An absent value is none.
    bool has_only(std::initializer_list<std::string_view> known) const;
    [[nodiscard]] std::vector<std::pair<std::string, JsonView>> members() const;
    [[nodiscard]] std::vector<JsonView> elements() const; // of a list

    [[nodiscard]] std::optional<std::string> text() const;
    [[nodiscard]] std::optional<uint64_t> count(uint64_t least, uint64_t most) const;
    [[nodiscard]] std::optional<double> amount() const; // not negative
    [[nodiscard]] std::optional<bool> flag() const;
    [[nodiscard]] bool is_text() const { return present() && value_->is_string(); }
    [[nodiscard]] bool is_list() const { return present() && value_->is_array(); }
    [[nodiscard]] bool is_object() const { return present() && value_->is_object(); }
    [[nodiscard]] bool is_number() const { return present() && value_->is_number(); }

    void problem(const std::string& why) const;
    // "expected WHAT, found a list"
    void expected(std::string_view what) const;

private:
    JsonView(const nlohmann::json* value, std::string path, std::vector<std::string>* problems)
        : value_(value), path_(std::move(path)), problems_(problems) {}

    const nlohmann::json* value_;
    std::string path_;
    std::vector<std::string>* problems_;
};

} // namespace visor::cli
