#include "profile/heat_map.h"

#include <algorithm>

namespace visor::profile {

// Two rows become one.
void HeatMap::halve() {
    for (size_t row = 0; row < rows; ++row)
        for (size_t column = 0; column < columns; ++column) {
            const size_t from = 2 * row;
            uint64_t sum = 0;
            for (size_t k = from; k < from + 2 && k < rows; ++k)
                sum += at(k, column);
            cells_[row * columns + column] = sum;
        }
    span_ *= 2;
    last_row_ /= 2;
}

void HeatMap::add(uint64_t offset, uint64_t bytes, uint64_t time) {
    if (offset >= bytes_ || bytes == 0)
        return;
    if (cells_.empty()) {
        cells_.resize(rows * columns);
        first_ = time;
    }
    while ((time - first_) / span_ >= rows)
        halve();
    const auto row = static_cast<size_t>((time - first_) / span_);
    last_row_ = std::max(last_row_, row);
    // The column's width may be a fraction of a byte.
    const auto column_of = [&](uint64_t byte) {
        const auto column =
            static_cast<size_t>(static_cast<double>(byte) * columns / static_cast<double>(bytes_));
        return std::min(column, columns - 1);
    };
    const uint64_t end = offset + std::min(bytes, bytes_ - offset);
    const size_t first = column_of(offset);
    const size_t last = column_of(end - 1);
    const uint64_t share = std::max<uint64_t>((end - offset) / (last - first + 1), 1);
    for (size_t column = first; column <= last; ++column)
        cells_[row * columns + column] += share;
}

uint64_t HeatMap::most() const {
    return cells_.empty() ? 0 : *std::ranges::max_element(cells_);
}

} // namespace visor::profile
