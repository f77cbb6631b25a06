#include "debug/code.h"

#include "diagnostic/diagnostic.h"
#include "isa/marks.h"
#include "module/source_line.h"

#include <algorithm>

namespace visor::debug {

Code::Code(std::shared_ptr<const Function> function, std::string text_name, std::string text)
    : function_(std::move(function)), text_name_(std::move(text_name)), text_(std::move(text)) {
    const LineStarts starts(text_);
    for (const Instruction& instruction : function_->code) {
        text_lines_.push_back(starts.place_of(instruction.where.offset).line);
        runs_.push_back(!isa::is_mark(*instruction.row) && !isa::is_note(*instruction.row));
    }
    for (const SourceLine& line : source_lines(*function_)) {
        source_.push_back(line.known() ? Line{line.file, line.line} : Line{});
        has_source_ = has_source_ || line.known();
    }
    if (!has_source_)
        source_.clear();
}

Line Code::source_line(uint32_t instruction) const {
    return instruction < source_.size() ? source_[instruction] : Line{};
}

Line Code::text_line(uint32_t instruction) const {
    return instruction < text_lines_.size() ? Line{text_name_, text_lines_[instruction]} : Line{};
}

Line Code::line(uint32_t instruction) const {
    const Line source = source_line(instruction);
    return has_source_ ? source : text_line(instruction);
}

std::string_view Code::words(uint32_t instruction) const {
    if (instruction >= function_->code.size())
        return "";
    const uint32_t offset = function_->code[instruction].where.offset;
    if (offset >= text_.size())
        return "";
    const std::string_view text = text_;
    const size_t before = text.rfind('\n', offset);
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::string_view line = text.substr(begin, text.find('\n', offset) - begin);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

uint32_t Code::entry() const {
    const auto found = std::ranges::find(runs_, true);
    return found == runs_.end() ? 0 : static_cast<uint32_t>(found - runs_.begin());
}

std::vector<uint32_t> Code::begins_of(std::string_view file, uint32_t& line) const {
    const bool in_text = is_file(text_name_, file);
    const auto line_of = [&](uint32_t k) { return in_text ? text_line(k) : source_line(k); };
    const auto is_in_file = [&](const Line& one) { return in_text || is_file(one.file, file); };
    uint32_t nearest = UINT32_MAX;
    for (uint32_t k = 0; k < runs_.size(); ++k)
        if (const Line one = line_of(k); runs_[k] && one.line >= line && is_in_file(one))
            nearest = std::min(nearest, one.line);
    std::vector<uint32_t> begins;
    if (nearest == UINT32_MAX)
        return begins;
    line = nearest;
    Line before;
    for (uint32_t k = 0; k < runs_.size(); ++k) {
        if (!runs_[k])
            continue;
        const Line one = line_of(k);
        if (one.line == nearest && is_in_file(one) && one != before)
            begins.push_back(k);
        before = one;
    }
    return begins;
}

bool is_file(std::string_view path, std::string_view wanted) {
    if (wanted.empty() || !path.ends_with(wanted))
        return path.ends_with('/') ? false
                                   : wanted.ends_with(path) && !path.empty() && wanted.size() > path.size() &&
                                         wanted[wanted.size() - path.size() - 1] == '/';
    return path.size() == wanted.size() || wanted.starts_with('/') ||
           path[path.size() - wanted.size() - 1] == '/';
}

} // namespace visor::debug
