#include "table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace visor::compare {

namespace {

// Of those that ran; 0 when one did not.
double geometric_mean(const std::vector<Row>& rows, size_t column) {
    double logarithms = 0;
    for (const Row& row : rows) {
        if (row.ratios[column] <= 0)
            return 0;
        logarithms += std::log(row.ratios[column]);
    }
    return rows.empty() ? 0 : std::exp(logarithms / static_cast<double>(rows.size()));
}

std::string ratio_text(double ratio) {
    return ratio <= 0 ? "-" : fmt::format("{:.2f}", ratio);
}

} // namespace

std::string markdown(const std::vector<std::string>& columns, const std::vector<Row>& rows) {
    std::string out = "| kernel | PoCL, ms | native |";
    std::string line = "|---|---|---|";
    for (const std::string& column : columns) {
        out += fmt::format(" {} |", column);
        line += "---|";
    }
    out += "\n" + line + "\n";
    for (const Row& row : rows) {
        out += fmt::format("| {} | {:.3g} | {}{} |", row.name, row.pocl_ms, ratio_text(row.native_ratio),
                           row.wanted_ratio > 0 ? fmt::format(" ({:.2f})", row.wanted_ratio) : "");
        for (const double ratio : row.ratios)
            out += fmt::format(" {} |", ratio_text(ratio));
        out += "\n";
    }
    out += "| geometric mean | | |";
    for (size_t column = 0; column < columns.size(); ++column)
        out += fmt::format(" {} |", ratio_text(geometric_mean(rows, column)));
    return out + "\n";
}

// Bars from 1 to either side, on a logarithmic scale.
std::string svg(const std::vector<std::string>& columns, const std::vector<Row>& rows) {
    constexpr double left = 190;
    constexpr double unit = 150; // a factor of ten
    constexpr double zero = left + 0.7 * unit;
    constexpr double bar = 10;
    const double row_height = bar * static_cast<double>(columns.size() + 1) + 8;
    const double height = 40 + row_height * static_cast<double>(rows.size());
    constexpr std::array colors{"#888888", "#2a6fb0", "#d07a1f", "#3a9a4a", "#a04080", "#7a6a20"};
    std::string out = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"560\" height=\"{:.0f}\" "
                                  "font-family=\"sans-serif\" font-size=\"11\">\n",
                                  height);
    out += "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    out += fmt::format("<text x=\"{}\" y=\"14\">times as fast as PoCL: native", left);
    for (const std::string& column : columns)
        out += "; " + column;
    out += "</text>\n";
    for (const double mark : {0.5, 1.0, 2.0, 5.0, 10.0, 20.0}) {
        const double x = zero + unit * std::log10(mark);
        out += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"30\" y2=\"{1:.0f}\" stroke=\"{2}\"/>"
                           "<text x=\"{0:.1f}\" y=\"27\" text-anchor=\"middle\">{3:g}</text>\n",
                           x, height, mark == 1.0 ? "#444" : "#ddd", mark);
    }
    double y = 36;
    for (const Row& row : rows) {
        out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, y + 14,
                           row.name);
        std::vector<double> ratios{row.native_ratio};
        ratios.insert(ratios.end(), row.ratios.begin(), row.ratios.end());
        for (size_t i = 0; i < ratios.size(); ++i, y += bar) {
            if (ratios[i] <= 0)
                continue;
            const double end = zero + unit * std::log10(ratios[i]);
            out +=
                fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
                            std::min(end, zero), y, std::abs(end - zero), bar - 1,
                            colors.at(std::min(i, colors.size() - 1)));
        }
        y += 8;
    }
    return out + "</svg>\n";
}

} // namespace visor::compare
