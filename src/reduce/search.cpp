#include "reduce/search.h"

#include "diagnostic/diagnostic.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace visor::reduce {

namespace {

Lines without(const Lines& lines, const std::vector<bool>& gone) {
    Lines out;
    out.reserve(lines.size());
    for (size_t i = 0; i < lines.size(); ++i)
        if (!gone[i])
            out.push_back(lines[i]);
    return out;
}

} // namespace

Search::Search(Lines lines, const Options& options, const Judge& judge)
    : lines_(std::move(lines)), options_(options), judge_(judge) {}

LineKind Search::kind(size_t line) const {
    const std::string_view kept = options_.kept_lines;
    const std::string_view text = lines_[line];
    const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    return !kept.empty() && text.substr(begin).starts_with(kept) ? LineKind::kept : kind_of(text);
}

void Search::parse(const std::string& text) {
    Diagnostics ignored(1);
    module_ = text::parse(text, options_.parse, ignored);
}

Answer Search::ask(const std::string& text) {
    if (options_.most_tests != 0 && counts_.tests == options_.most_tests)
        return Answer::stop;
    ++counts_.tests;
    return judge_.ask(text);
}

Answer Search::first() {
    const std::string text = join(lines_);
    seen_.insert(std::hash<std::string>{}(text));
    parse(text);
    return ask(text);
}

bool Search::is_valid(const Lines& candidate) {
    const bool valid = judge_.is_valid(join(candidate));
    if (!valid)
        ++counts_.invalid;
    return valid;
}

bool Search::take(const Lines& candidate) {
    if (stopped_)
        return false;
    const std::string text = join(candidate);
    if (!seen_.insert(std::hash<std::string>{}(text)).second)
        return false;
    if (!judge_.is_valid(text)) {
        ++counts_.invalid;
        return false;
    }
    const Answer answer = ask(text);
    stopped_ = answer == Answer::stop;
    if (answer != Answer::interesting)
        return false;
    ++counts_.kept;
    lines_ = candidate;
    parse(text);
    return true;
}

Reduced Search::result() const {
    Reduced out = counts_;
    out.text = join(lines_);
    out.lines = lines_.size();
    out.complete = !stopped_;
    return out;
}

void remove_lines(const Lines& lines, std::vector<size_t> removable,
                  const std::function<bool(const Lines& candidate)>& accept) {
    std::vector<bool> gone(lines.size());
    for (size_t size = removable.size(); size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
        for (size_t end = removable.size(); end > 0;) {
            const size_t begin = end > size ? end - size : 0;
            for (size_t i = begin; i < end; ++i)
                gone[removable[i]] = true;
            if (accept(without(lines, gone))) {
                removable.erase(removable.begin() + static_cast<ptrdiff_t>(begin),
                                removable.begin() + static_cast<ptrdiff_t>(end));
            } else {
                for (size_t i = begin; i < end; ++i)
                    gone[removable[i]] = false;
            }
            end = begin;
        }
    }
}

} // namespace visor::reduce
