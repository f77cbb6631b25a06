// Tables of tab-separated cells: a line with the columns' names, lines of remarks that begin with `#`, rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace visor::test {

[[nodiscard]] std::vector<std::string> split(const std::string& line, char separator);

// Calls `row` for each row. Throws std::runtime_error; what `row` throws is given the file and the line.
void read_tsv(const std::string& path, const std::function<void(const std::vector<std::string>&)>& row);

} // namespace visor::test
