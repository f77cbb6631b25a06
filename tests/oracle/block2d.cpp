#include "oracle/block2d.h"

#include <algorithm>

namespace oracle {

namespace {

// An element of a register, and where on the plane it belongs. `padding`: nowhere.
struct Cell {
    size_t slot;
    bool padding;
    int row;
    int column;
};

int power_of_two(int value) {
    int power = 1;
    while (power < value)
        power *= 2;
    return power;
}

class Walk {
public:
    Walk(const Block2d& block, unsigned grf) : block_(block) {
        per_dword_ = block.transformed && block.element < 4 ? static_cast<int>(4 / block.element) : 1;
        const int row_size = block.transposed ? block.height : block.width;
        const int rows = block.transposed ? block.width : block.height;
        row_pitch_ = power_of_two(row_size);
        const int whole_rows = (rows + per_dword_ - 1) / per_dword_ * per_dword_;
        const int per_register = static_cast<int>(grf / block.element);
        block_size_ = row_pitch_ * whole_rows;
        block_pitch_ = (block_size_ + per_register - 1) / per_register * per_register;
    }

    std::vector<Cell> cells() {
        for (int b = 0; b < block_.blocks; ++b) {
            if (!block_.transposed)
                rows(b);
            else
                columns(b);
            pad(b * block_pitch_ + block_size_, block_pitch_ - block_size_);
        }
        return cells_;
    }
    [[nodiscard]] size_t size() const { return static_cast<size_t>(block_pitch_ * block_.blocks); }

private:
    Block2d block_;
    int per_dword_ = 1;
    int row_pitch_ = 1;
    int block_size_ = 0;
    int block_pitch_ = 0;
    std::vector<Cell> cells_;

    void put(int slot, int b, int y, int x) {
        const bool inside = y < block_.height && x < block_.width;
        cells_.push_back({static_cast<size_t>(slot), !inside, block_.y + y, block_.x + b * block_.width + x});
    }
    void pad(int slot, int count) {
        for (int i = 0; i < count; ++i)
            cells_.push_back({static_cast<size_t>(slot + i), true, 0, 0});
    }
    // Without VNNI a dword's column is one element high.
    void rows(int b) {
        for (int y = 0; y < block_.height; y += per_dword_) {
            const int start = b * block_pitch_ + y * row_pitch_;
            for (int x = 0; x < block_.width; ++x) {
                for (int i = 0; i < per_dword_; ++i)
                    put(start + x * per_dword_ + i, b, y + i, x);
            }
            pad(start + block_.width * per_dword_, per_dword_ * (row_pitch_ - block_.width));
        }
    }
    void columns(int b) {
        for (int x = 0; x < block_.width; x += per_dword_) {
            const int start = b * block_pitch_ + x * row_pitch_;
            for (int y = 0; y < block_.height; ++y) {
                for (int i = 0; i < per_dword_; ++i)
                    put(start + y * per_dword_ + i, b, y, x + i);
            }
            pad(start + block_.height * per_dword_, per_dword_ * (row_pitch_ - block_.height));
        }
    }
};

// Byte offset in the plane; -1 outside.
long place(const Cell& cell, const Block2d& block, const Plane& plane) {
    const long begin = long{cell.column} * static_cast<long>(block.element);
    const bool inside = !cell.padding && cell.row >= 0 && cell.row < plane.height && begin >= 0 &&
                        begin + static_cast<long>(block.element) <= plane.width;
    return inside ? long{cell.row} * plane.pitch + begin : -1;
}

} // namespace

std::vector<std::byte> load_block2d(const Block2d& block, const Plane& plane, unsigned grf) {
    Walk walk(block, grf);
    std::vector<std::byte> registers(walk.size() * block.element);
    for (const Cell& cell : walk.cells()) {
        const long at = place(cell, block, plane);
        const auto to = registers.begin() + static_cast<std::ptrdiff_t>(cell.slot * block.element);
        if (at < 0)
            std::fill_n(to, block.element, std::byte{0});
        else
            std::copy_n(plane.bytes.begin() + at, block.element, to);
    }
    return registers;
}

void store_block2d(const Block2d& block, const Plane& plane, std::span<const std::byte> registers,
                   unsigned grf) {
    Walk walk(block, grf);
    for (const Cell& cell : walk.cells()) {
        const long at = place(cell, block, plane);
        if (at >= 0)
            std::copy_n(registers.begin() + static_cast<std::ptrdiff_t>(cell.slot * block.element),
                        block.element, plane.bytes.begin() + at);
    }
}

} // namespace oracle
