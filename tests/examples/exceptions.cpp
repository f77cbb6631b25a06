#include "examples/exceptions.h"

#include <array>
#include <sstream>

namespace visor::test {

namespace {

std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

} // namespace

std::expected<std::vector<Exception>, std::string> read_exceptions(const std::string& text) {
    std::vector<Exception> exceptions;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.starts_with('#'))
            continue;
        std::istringstream columns(line);
        std::array<std::string, 4> fields;
        for (std::string& field : fields) {
            std::getline(columns, field, '|');
            field = trimmed(field);
            if (field.empty())
                return std::unexpected(line);
        }
        std::istringstream devices(fields[1]);
        for (std::string device; devices >> device;)
            exceptions.push_back({fields[0], device, fields[2], fields[3]});
    }
    return exceptions;
}

} // namespace visor::test
