#include "growing.h"

#include <algorithm>

namespace visor::fuzz {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

} // namespace

Growing::Growing(std::string_view text, unsigned part) {
    const size_t at = text.size() * part / 256;
    const size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    before = text.substr(0, newline == std::string_view::npos ? 0 : newline + 1);
    line = text.substr(before.size());
    line = line.substr(0, line.find('\n'));
    after = text.substr(std::min(before.size() + line.size() + 1, text.size()));
}

std::string Growing::text_of(size_t bytes) const {
    std::string out(before);
    for (size_t number = 0; out.size() < bytes; ++number) {
        for (size_t i = 0; i < line.size(); ++i) {
            if (i > 0 && is_digit(line[i]) && is_letter(line[i - 1]))
                out += std::to_string(number);
            else
                out += line[i];
        }
        out += '\n';
    }
    out += after;
    return out;
}

} // namespace visor::fuzz
