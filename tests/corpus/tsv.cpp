#include "tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace visor::test {

std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> parts;
    for (size_t start = 0; start <= line.size();) {
        const size_t end = std::min(line.find(separator, start), line.size());
        parts.push_back(line.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

void read_tsv(const std::string& path, const std::function<void(const std::vector<std::string>&)>& row) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    std::string line;
    bool names_seen = false;
    for (size_t number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line.starts_with('#'))
            continue;
        if (!std::exchange(names_seen, true))
            continue;
        try {
            row(split(line, '\t'));
        } catch (const std::exception& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", path, number, error.what()));
        }
    }
}

} // namespace visor::test
