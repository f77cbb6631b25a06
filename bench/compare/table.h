// What was measured, as a table and as a picture.
#pragma once

#include "results.h"

#include <string>
#include <vector>

namespace visor::compare {

struct Row {
    std::string name{};
    double pocl_ms = 0;
    double native_ratio = 0;            // PoCL's time / native's
    double wanted_ratio = 0;            // native's on record; 0: none
    bool all_fine = false;              // everyone ran, with PoCL's results
    std::vector<double> ratios{};       // by column; 0: did not run
    std::vector<std::string> stories{}; // likewise
    std::vector<Series> series{};       // of those that ran
};

// `columns`: beside PoCL and native.
[[nodiscard]] std::string markdown(const std::vector<std::string>& columns, const std::vector<Row>& rows);
[[nodiscard]] std::string svg(const std::vector<std::string>& columns, const std::vector<Row>& rows);

} // namespace visor::compare
