#include "cli/launch/json_view.h"

#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace visor::cli {

namespace {

using nlohmann::json;

// A text's characters, which remembers how far they were taken.
class Cursor {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    Cursor(const char* at, const char** farthest) : at_(at), farthest_(farthest) {}

    reference operator*() const { return *at_; }
    Cursor& operator++() {
        *farthest_ = ++at_;
        return *this;
    }
    Cursor operator++(int) {
        const Cursor before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const Cursor& a, const Cursor& b) { return a.at_ == b.at_; }

private:
    const char* at_;
    const char** farthest_;
};

// The parser keeps the last of several members of one name: that would pass over what the user wrote.
class Repetitions {
public:
    // The key that stands twice, when it does.
    bool see(json::parse_event_t event, const json& value) {
        if (event == json::parse_event_t::object_start)
            keys_.emplace_back();
        else if (event == json::parse_event_t::object_end)
            keys_.pop_back();
        else if (event == json::parse_event_t::key && !keys_.back().insert(value.get<std::string>()).second)
            return false;
        return true;
    }

private:
    std::vector<std::set<std::string>> keys_;
};

// Thrown and caught within parse_json.
struct Repeated {
    std::string key;
};

// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ...": the last part.
std::string reason(std::string_view what) {
    if (const size_t place = what.find(", column "); place != std::string_view::npos)
        what.remove_prefix(std::min(what.find(": ", place) + 2, what.size()));
    else if (what.starts_with('['))
        what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
    return std::string(what);
}

std::string kind_of(const json& value) {
    switch (value.type()) {
    case json::value_t::null:
        return "null";
    case json::value_t::object:
        return "an object";
    case json::value_t::array:
        return "a list";
    case json::value_t::string: {
        constexpr size_t shown = 40;
        const auto& text = value.get_ref<const std::string&>();
        return fmt::format("\"{}{}\"", text.substr(0, shown), text.size() > shown ? "..." : "");
    }
    default:
        return value.dump();
    }
}

} // namespace

std::expected<json, std::string> parse_json(std::string_view name, std::string_view content) {
    const char* farthest = content.data();
    const auto wrong = [&](std::string message, size_t offset) {
        const Diagnostic found{.where = Location{static_cast<uint32_t>(std::min(offset, content.size())), 1},
                               .message = std::move(message),
                               .rule = "json"};
        std::string text = render(found, {name, content, false}, Color::off);
        while (text.ends_with('\n'))
            text.pop_back();
        return std::unexpected(std::move(text));
    };
    const auto position = [&] { return static_cast<size_t>(farthest - content.data()); };
    try {
        Repetitions repetitions;
        return json::parse(Cursor(std::to_address(content.begin()), &farthest),
                           Cursor(std::to_address(content.end()), &farthest),
                           [&](int /*depth*/, json::parse_event_t event, json& value) {
                               if (!repetitions.see(event, value))
                                   throw Repeated{value.get<std::string>()};
                               return true;
                           });
    } catch (const Repeated& twice) {
        return wrong(fmt::format("the key `{}` stands twice in its object", twice.key),
                     std::max<size_t>(position(), 1) - 1);
    } catch (const json::parse_error& error) {
        return wrong(reason(error.what()), std::max<size_t>(error.byte, 1) - 1);
    } catch (const json::exception& error) {
        return wrong(reason(error.what()), std::max<size_t>(position(), 1) - 1);
    }
}

JsonView JsonView::operator[](const std::string& key) const {
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (!is_object())
        return {nullptr, path, problems_};
    const auto found = value_->find(key);
    return {found == value_->end() ? nullptr : &*found, path, problems_};
}

JsonView JsonView::needed(const std::string& key) const {
    JsonView member = (*this)[key];
    if (!member.present() && is_object())
        problem(fmt::format("`{}` is missing", key));
    return member;
}

bool JsonView::has_only(std::initializer_list<std::string_view> known) const {
    if (!present())
        return false;
    if (!is_object()) {
        expected("an object");
        return false;
    }
    for (const auto& [key, value] : value_->items())
        if (std::ranges::find(known, key) == known.end())
            problem(fmt::format("unknown key `{}`{}", key, did_you_mean(key, known)));
    return true;
}

std::vector<std::pair<std::string, JsonView>> JsonView::members() const {
    std::vector<std::pair<std::string, JsonView>> out;
    if (is_object())
        for (const auto& [key, value] : value_->items())
            out.emplace_back(key, JsonView(&value, path_.empty() ? key : path_ + "." + key, problems_));
    return out;
}

std::vector<JsonView> JsonView::elements() const {
    std::vector<JsonView> out;
    if (!present())
        return out;
    if (!is_list()) {
        expected("a list");
        return out;
    }
    out.reserve(value_->size());
    for (size_t i = 0; i < value_->size(); ++i)
        out.push_back(JsonView(&(*value_)[i], fmt::format("{}[{}]", path_, i), problems_));
    return out;
}

std::optional<std::string> JsonView::text() const {
    if (!present())
        return std::nullopt;
    if (!is_text()) {
        expected("a text");
        return std::nullopt;
    }
    return value_->get<std::string>();
}

std::optional<uint64_t> JsonView::count(uint64_t least, uint64_t most) const {
    if (!present())
        return std::nullopt;
    if (!value_->is_number_unsigned() || value_->get<uint64_t>() < least || value_->get<uint64_t>() > most) {
        expected(fmt::format("a whole number from {} to {}", least, most));
        return std::nullopt;
    }
    return value_->get<uint64_t>();
}

std::optional<bool> JsonView::flag() const {
    if (!present())
        return std::nullopt;
    if (value_->is_boolean())
        return value_->get<bool>();
    expected("true or false");
    return std::nullopt;
}

std::optional<double> JsonView::amount() const {
    if (!present())
        return std::nullopt;
    if (!is_number() || !(value_->get<double>() >= 0)) {
        expected("a number that is not negative");
        return std::nullopt;
    }
    return value_->get<double>();
}

void JsonView::problem(const std::string& why) const {
    problems_->push_back(path_.empty() ? why : fmt::format("{}: {}", path_, why));
}

void JsonView::expected(std::string_view what) const {
    problem(fmt::format("expected {}, found {}", what, kind_of(*value_)));
}

} // namespace visor::cli
