// How often which part of an array was touched when: a picture of few cells, whatever the size of either.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace visor::profile {

class HeatMap {
public:
    static constexpr size_t columns = 64; // of the array, from its begin on
    static constexpr size_t rows = 32;    // of time, from the first access on

    // Of an array of so many bytes, at least one.
    explicit HeatMap(uint64_t bytes) : bytes_(bytes) {}

    // Bytes from `offset` on, which may lie outside: that is left out. `time` never goes back.
    void add(uint64_t offset, uint64_t bytes, uint64_t time);

    [[nodiscard]] bool empty() const { return cells_.empty(); }
    // Bytes touched, each time anew.
    [[nodiscard]] uint64_t at(size_t row, size_t column) const { return cells_[row * columns + column]; }
    [[nodiscard]] uint64_t most() const;
    [[nodiscard]] size_t used_rows() const { return last_row_ + 1; }
    // Units of time in a row.
    [[nodiscard]] uint64_t time_of_row() const { return span_; }

private:
    void halve();

    uint64_t bytes_;
    uint64_t first_ = 0;
    uint64_t span_ = 1;
    size_t last_row_ = 0;
    std::vector<uint64_t> cells_; // empty: nothing touched it
};

} // namespace visor::profile
