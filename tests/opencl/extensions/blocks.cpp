// Blocks of two dimensions. Each sub-group has a surface of its own, 64 bytes wide and 32 rows high: its part
// of the array of results. An item sums up what it got, each element with its place as a weight.
#include "programs.h"

#include <array>
#include <cstdint>
#include <span>

namespace visor::opencl_extensions {

namespace {

constexpr int surface_height = 32;

// As `fill` of the source.
constexpr int64_t byte_at(int row, int x) {
    return (row * 29 + x * 7 + 3) % 256;
}
// Bytes from x on, the first of them lowest.
int64_t bytes_at(int row, int x, int count) {
    int64_t out = 0;
    for (int i = count - 1; i >= 0; --i)
        out = out * 256 + byte_at(row, x + i);
    return out;
}

// Blocks beside each other, whose rows are the surface's last ones.
struct Block {
    int bits; // of an element
    int columns;
    int blocks;
};
int64_t weighted(std::span<const int64_t> elements) {
    int64_t sum = 0;
    for (size_t i = 0; i < elements.size(); ++i)
        sum += elements[i] * static_cast<int64_t>(i + 1);
    return sum;
}

// Each item has a part of each row. Blocks of eight columns give two rows to a sub-group at a time, and the
// last eight items nothing when there is but one.
int64_t plain(const Block& block, int rows, int lane) {
    const int bytes = block.bits / 8;
    const int top = surface_height - rows;
    std::vector<int64_t> out;
    for (int number = 0; number < block.blocks; ++number) {
        const int left = number * block.columns * bytes;
        if (block.columns == 8) {
            for (int row = lane / 8; row < rows; row += 2)
                out.push_back(bytes_at(top + row, left + lane % 8 * bytes, bytes));
        } else {
            const int part = block.columns / lanes * bytes;
            for (int row = 0; row < rows; ++row)
                out.push_back(bytes_at(top + row, left + lane * part, part));
        }
    }
    return weighted(out);
}
template <int bits, int columns, int blocks>
std::vector<int64_t> reads(int item) {
    std::vector<int64_t> out;
    for (const int rows : {1, 2, 4, 8, 16, 32})
        out.push_back(plain({.bits = bits, .columns = columns, .blocks = blocks}, rows, item % lanes));
    out.resize(room, 0);
    return out;
}
std::vector<int64_t> four_blocks(int item) {
    std::vector<int64_t> out;
    for (const int rows : {8, 16, 32})
        out.push_back(plain({.bits = 8, .columns = 16, .blocks = 4}, rows, item % lanes));
    out.resize(room, 0);
    return out;
}

// Each item has a column, of which as many elements as fill 32 bits are one.
int64_t packed(int bits, int rows, int blocks, int lane) {
    const int bytes = bits / 8;
    std::vector<int64_t> out;
    for (int number = 0; number < blocks; ++number)
        for (int row = 0; row < rows; row += 32 / bits) {
            int64_t word = 0;
            for (int i = 32 / bits - 1; i >= 0; --i)
                word = (word << bits) +
                       bytes_at(surface_height - rows + row + i, (number * lanes + lane) * bytes, bytes);
            out.push_back(word);
        }
    return weighted(out);
}
std::vector<int64_t> transforms(int item) {
    const int lane = item % lanes;
    std::vector<int64_t> out{packed(8, 32, 1, lane),  packed(8, 32, 2, lane),  packed(8, 32, 4, lane),
                             packed(16, 16, 1, lane), packed(16, 16, 2, lane), packed(16, 32, 1, lane),
                             packed(16, 32, 2, lane)};
    out.resize(room, 0);
    return out;
}

// Rows become columns: an item has its row, and of 32 rows the one sixteen further down as well.
std::vector<int64_t> transposes(int item) {
    std::vector<int64_t> out;
    for (const int rows : {16, 32}) {
        std::vector<int64_t> elements;
        for (int column = 0; column < 8; ++column)
            for (int row = item % lanes; row < rows; row += lanes)
                elements.push_back(bytes_at(surface_height - rows + row, column * 4, 4));
        out.push_back(weighted(elements));
    }
    out.resize(room, 0);
    return out;
}

// What is written is the bytes of 1000 * lane + row + 7.
constexpr int64_t written_byte(int lane, int row, int byte) {
    return ((1000 * lane + row + 7) >> (8 * byte)) & 255;
}
// Four bytes of each row, after `rows` rows were written at the surface's end, `bytes` of each item.
int64_t after_write(int rows, int bytes, int lane) {
    std::vector<int64_t> out;
    for (int row = 0; row < surface_height; ++row)
        for (int x = lane * 4; x < lane * 4 + 4; ++x) {
            const int top = surface_height - rows;
            const bool is_written = row >= top && x < lanes * bytes;
            out.push_back(is_written ? written_byte(x / bytes, row - top, x % bytes) : byte_at(row, x));
        }
    return weighted(out);
}
std::vector<int64_t> writes(int item) {
    std::vector<int64_t> out;
    for (const int bytes : {1, 2, 2, 4})
        for (const int rows : {1, 2, 4, 8})
            out.push_back(after_write(rows, bytes, item % lanes));
    return out;
}
std::vector<int64_t> prefetches(int item) {
    std::vector<int64_t> out{after_write(0, 1, item % lanes)};
    out.resize(room, 0);
    return out;
}

constexpr std::string_view source = R"(
#define WITHIN area, 64, 32, 64
#define BEGIN int lane = get_sub_group_local_id(), n = 0; long sums[16] = {0}; \
    global uchar* area = (global uchar*)(out + get_global_id(0) / 16 * 256); FILL
#define FILL barrier(CLK_GLOBAL_MEM_FENCE); fill(area, lane); barrier(CLK_GLOBAL_MEM_FENCE);
#define END barrier(CLK_GLOBAL_MEM_FENCE); for (int k = 0; k < 16; ++k) PUT(k, sums[k]);
void fill(global uchar* area, int lane) {
    for (int at = lane * 128; at < lane * 128 + 128; ++at) area[at] = (at / 64 * 29 + at % 64 * 7 + 3) % 256;
}
long strip(global uchar* area, int lane) {
    long sum = 0;
    for (int k = 0; k < 128; ++k) sum += (long)area[k / 4 * 64 + lane * 4 + k % 4] * (k + 1);
    return sum;
}
#define READ(NAME, ROWS, T, COUNT) { T v[COUNT]; long sum = 0; \
    intel_sub_group_2d_block_read_##NAME(WITHIN, (int2)(0, 32 - ROWS), v); \
    for (int k = 0; k < COUNT; ++k) sum += (long)v[k] * (k + 1); sums[n++] = sum; }
#define READS(KERNEL_NAME, BITS, COLUMNS, BLOCKS, T) KERNEL(KERNEL_NAME) { BEGIN \
    READ(BITS##b_1r##COLUMNS##x##BLOCKS##c, 1, T, 1 * BLOCKS) READ(BITS##b_2r##COLUMNS##x##BLOCKS##c, 2, T, 2 * BLOCKS) \
    READ(BITS##b_4r##COLUMNS##x##BLOCKS##c, 4, T, 4 * BLOCKS) READ(BITS##b_8r##COLUMNS##x##BLOCKS##c, 8, T, 8 * BLOCKS) \
    READ(BITS##b_16r##COLUMNS##x##BLOCKS##c, 16, T, 16 * BLOCKS) READ(BITS##b_32r##COLUMNS##x##BLOCKS##c, 32, T, 32 * BLOCKS) END }
#define HALVES(KERNEL_NAME, BLOCKS) KERNEL(KERNEL_NAME) { BEGIN \
    READ(32b_1r8x##BLOCKS##c, 1, uint, 1 * BLOCKS) if (lane >= 8) sums[0] = 0; READ(32b_2r8x##BLOCKS##c, 2, uint, 1 * BLOCKS) \
    READ(32b_4r8x##BLOCKS##c, 4, uint, 2 * BLOCKS) READ(32b_8r8x##BLOCKS##c, 8, uint, 4 * BLOCKS) \
    READ(32b_16r8x##BLOCKS##c, 16, uint, 8 * BLOCKS) READ(32b_32r8x##BLOCKS##c, 32, uint, 16 * BLOCKS) END }
READS(bytes, 8, 32, 1, ushort) READS(bytes2, 8, 32, 2, ushort) READS(shorts, 16, 16, 1, ushort) READS(shorts2, 16, 16, 2, ushort)
READS(words, 32, 16, 1, uint) HALVES(halves, 1) HALVES(halves2, 2)
KERNEL(bytes4) { BEGIN READ(8b_8r16x4c, 8, uchar, 32) READ(8b_16r16x4c, 16, uchar, 64) READ(8b_32r16x4c, 32, uchar, 128) END }
KERNEL(transforms) { BEGIN READ(transform_8b_32r16x1c, 32, uint, 8) READ(transform_8b_32r16x2c, 32, uint, 16)
    READ(transform_8b_32r16x4c, 32, uint, 32) READ(transform_16b_16r16x1c, 16, uint, 8)
    READ(transform_16b_16r16x2c, 16, uint, 16) READ(transform_16b_32r16x1c, 32, uint, 16)
    READ(transform_16b_32r16x2c, 32, uint, 32) END }
KERNEL(transposes) { BEGIN READ(transpose_32b_16r8x1c, 16, uint, 8) READ(transpose_32b_32r8x1c, 32, uint, 16) END }
#define WRITE(NAME, ROWS, T) { FILL T v[ROWS]; for (int row = 0; row < ROWS; ++row) v[row] = (T)(1000 * lane + row + 7); \
    intel_sub_group_2d_block_write_##NAME(WITHIN, (int2)(0, 32 - ROWS), v); \
    barrier(CLK_GLOBAL_MEM_FENCE); sums[n++] = strip(area, lane); }
#define WRITES(BITS, COLUMNS, T) WRITE(BITS##b_1r##COLUMNS##x1c, 1, T) WRITE(BITS##b_2r##COLUMNS##x1c, 2, T) \
    WRITE(BITS##b_4r##COLUMNS##x1c, 4, T) WRITE(BITS##b_8r##COLUMNS##x1c, 8, T)
KERNEL(writes) { BEGIN WRITES(8, 16, uchar) WRITES(8, 32, ushort) WRITES(16, 16, ushort) WRITES(32, 16, uint) END }
#define FETCH(NAME) intel_sub_group_2d_block_prefetch_##NAME(WITHIN, (int2)(0, 0));
#define FETCHES(BITS, SHAPE) FETCH(BITS##b_1r##SHAPE) FETCH(BITS##b_2r##SHAPE) FETCH(BITS##b_4r##SHAPE) FETCH(BITS##b_8r##SHAPE) \
    FETCH(BITS##b_16r##SHAPE) FETCH(BITS##b_32r##SHAPE)
KERNEL(prefetches) { BEGIN FETCHES(8, 32x1c) FETCHES(8, 32x2c) FETCH(8b_32r16x1c) FETCH(8b_32r16x2c)
    FETCH(8b_8r16x4c) FETCH(8b_16r16x4c) FETCH(8b_32r16x4c) FETCHES(16, 16x1c) FETCHES(16, 16x2c)
    FETCHES(32, 8x1c) FETCHES(32, 16x1c) FETCHES(32, 8x2c) sums[0] = strip(area, lane); END }
)";

} // namespace

std::vector<Program> block_programs() {
    return {{.proves = {"cl_intel_subgroup_2d_block_io"},
             .source = std::string(source),
             .kernels = {{"bytes", reads<8, 32, 1>},
                         {"bytes2", reads<8, 32, 2>},
                         {"bytes4", four_blocks},
                         {"shorts", reads<16, 16, 1>},
                         {"shorts2", reads<16, 16, 2>},
                         {"words", reads<32, 16, 1>},
                         {"halves", reads<32, 8, 1>},
                         {"halves2", reads<32, 8, 2>},
                         {"transforms", transforms},
                         {"transposes", transposes},
                         {"writes", writes},
                         {"prefetches", prefetches}}}};
}

} // namespace visor::opencl_extensions
