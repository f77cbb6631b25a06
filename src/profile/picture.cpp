#include "profile/picture.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace visor::profile {

namespace {

constexpr double cell = 6; // pixels

std::string rectangle(double x, double y, double width, double height, std::string_view style) {
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>", x, y, width,
                       height, style);
}

std::string frame(double width, double height, std::string_view kind, const std::string& body) {
    return fmt::format("<svg class=\"{}\" width=\"{:.0f}\" height=\"{:.0f}\" viewBox=\"0 0 {:.0f} {:.0f}\" "
                       "role=\"img\">{}</svg>",
                       kind, width, height, width, height, body);
}

// Lines between units, where they are few enough to be seen.
std::string limits(uint64_t begin, uint64_t end, uint64_t unit, double width, double height) {
    constexpr uint64_t most = 96;
    std::string out;
    if ((end - begin) / unit > most)
        return out;
    for (uint64_t at = (begin / unit + 1) * unit; at < end; at += unit)
        out += rectangle(width * static_cast<double>(at - begin) / static_cast<double>(end - begin), 0, 0.5,
                         height, "class=\"limit\"");
    return out;
}

} // namespace

std::string heat_picture(const ArrayCosts& array) {
    const HeatMap& heat = array.heat;
    if (heat.empty())
        return "";
    const double most = std::log2(1.0 + static_cast<double>(heat.most()));
    std::string body;
    for (size_t row = 0; row < heat.used_rows(); ++row)
        for (size_t column = 0; column < HeatMap::columns; ++column)
            if (const uint64_t bytes = heat.at(row, column); bytes != 0)
                body +=
                    rectangle(cell * static_cast<double>(column), cell * static_cast<double>(row), cell, cell,
                              fmt::format("class=\"heat\" opacity=\"{:.2f}\"",
                                          0.15 + 0.85 * std::log2(1.0 + static_cast<double>(bytes)) / most));
    return frame(cell * HeatMap::columns, cell * static_cast<double>(heat.used_rows()), "map", body);
}

std::string lane_picture(const ArraySite& site, bool local) {
    if (site.first.empty())
        return "";
    constexpr double width = 360;
    constexpr double most_offset = 1e15; // beyond it the picture says nothing
    const uint64_t unit = local ? uint64_t{slm_bank_bytes} * slm_banks : line_bytes;
    const auto [low, high] = std::ranges::minmax(site.first, {}, &LaneAccess::offset);
    if (static_cast<double>(high.offset) > most_offset)
        return "";
    const uint64_t begin = low.offset / unit * unit;
    const uint64_t end = (high.offset + std::max(high.bytes, 1U) + unit - 1) / unit * unit;
    const auto scale = width / static_cast<double>(end - begin);
    const auto rows = std::ranges::max(site.first, {}, &LaneAccess::lane).lane + 1;
    const double height = cell * rows;
    std::string body = limits(begin, end, unit, width, height);
    for (const LaneAccess& lane : site.first)
        body += rectangle(scale * static_cast<double>(lane.offset - begin), cell * lane.lane,
                          std::max(scale * lane.bytes, 1.5), cell - 1, "class=\"lane\"");
    return frame(width, height, "lanes", body);
}

} // namespace visor::profile
