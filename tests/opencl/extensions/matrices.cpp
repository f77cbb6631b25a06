// Products of matrices by a sub-group, and prefetches of blocks. The elements are small whole numbers, so
// that every product and sum is exact in each type.
#include "programs.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace visor::opencl_extensions {

namespace {

constexpr int element_a(int row, int k) {
    return (row * 7 + k * 3) % 5 - 2;
}
constexpr int element_b(int k, int column) {
    return (k * 2 + column * 3) % 5 - 2;
}
// `more_a`, `more_b`: what is added to each element, so that the highest bit of unsigned bytes is set.
struct Shape {
    int k;
    int more_a = 0;
    int more_b = 0;
};
// The rows that one function gives to the item, the column of which is the item's lane.
void add_column(std::vector<int64_t>& out, const Shape& shape, int rows, int column) {
    for (int row = 0; row < rows; ++row) {
        int64_t sum = row * 3 - column + rows * 100;
        for (int k = 0; k < shape.k; ++k)
            sum += int64_t{element_a(row, k) + shape.more_a} * (element_b(k, column) + shape.more_b);
        out.push_back(sum);
    }
}
std::vector<int64_t> columns(const Shape& shape, std::span<const int> all_rows, int column) {
    std::vector<int64_t> out;
    for (const int rows : all_rows)
        add_column(out, shape, rows, column);
    return out;
}
constexpr std::array whole_rows{1, 2, 4, 8};
constexpr std::array split_rows{2, 4, 8};

template <int width, int k, int more_a = 0, int more_b = 0>
std::vector<int64_t> whole(int item) {
    return columns({.k = k, .more_a = more_a, .more_b = more_b}, whole_rows, item % width);
}
template <int k, int more_a = 0, int more_b = 0>
std::vector<int64_t> split(int item) {
    return columns({.k = k, .more_a = more_a, .more_b = more_b}, split_rows, item % 8);
}

// KIND: 8 for bytes, 16 for half, 17 for bfloat16. ROW: what each lane has of a row of a, 32 bits in
// sub-groups of eight lanes and 16 in those of sixteen. N and M: empty, 2, 4 or 8; components of a and of the
// result.
constexpr std::string_view common_source = R"(
#define MATRIX(name) __attribute__((intel_reqd_sub_group_size(LANES))) kernel void name(global long* out)
#define A(row, k) (((row) * 7 + (k) * 3) % 5 - 2)
#define B(k, column) (((k) * 2 + (column) * 3) % 5 - 2)
#define C(row, rows) ((row) * 3 - lane + (rows) * 100)
#define LOAD(p) (p)[0]
#define LOAD2(p) vload2(0, p)
#define LOAD4(p) vload4(0, p)
#define LOAD8(p) vload8(0, p)
#define STORE(v, p) (p)[0] = v
#define STORE2(v, p) vstore2(v, 0, p)
#define STORE4(v, p) vstore4(v, 0, p)
#define STORE8(v, p) vstore8(v, 0, p)
uint code(int value, int kind) {
    return kind == 8 ? (uint)(value & 255) : kind == 16 ? as_ushort((half)value) : as_uint((float)value) >> 16;
}
#define EACH(KIND) ((KIND) == 8 ? 8 : 16)
uint part_of_row(int row, int first, int kind, int more, int bits) {
    uint out = 0;
    for (int i = 0; i * EACH(kind) < bits; ++i) out |= code(A(row, first + i) + more, kind) << (i * EACH(kind));
    return out;
}
uint part_of_column(int first, int column, int kind, int more) {
    uint out = 0;
    for (int i = 0; i * EACH(kind) < 32; ++i) out |= code(B(first + i, column) + more, kind) << (i * EACH(kind));
    return out;
}
#define OPERANDS(KIND, MORE_B, ROW, PART, SUM) int lane = get_sub_group_local_id(), at = 0; \
    ROW a[8]; PART b[8]; SUM c[8]; int bits = 8 * sizeof(ROW); \
    for (int i = 0; i < 8; ++i) b[i] = (PART)part_of_column(i * 32 / EACH(KIND), lane, KIND, MORE_B);
#define MULTIPLY(F, FIRST, KIND, MORE_A, ROW, N, M, ROWS) for (int i = 0; i < 8; ++i) c[i] = C(i, ROWS); \
    for (int i = 0; i < 8; ++i) a[i] = (ROW)part_of_row((FIRST) + i, lane * bits / EACH(KIND), KIND, MORE_A, bits); \
    STORE##M(F(LOAD##N(a), LOAD8(b), LOAD##M(c)), c); for (int i = 0; i < ROWS; ++i) PUT(at + i, c[i]); at += ROWS;
)";
constexpr std::string_view whole_source = R"(
#define WHOLE(NAME, K, KIND, MORE_A, MORE_B, ROW, PART, SUM) MATRIX(NAME) { OPERANDS(KIND, MORE_B, ROW, PART, SUM) \
    MULTIPLY(intel_sub_group_##NAME##_matrix_mad_##K, 0, KIND, MORE_A, ROW, , , 1) \
    MULTIPLY(intel_sub_group_##NAME##_matrix_mad_##K, 0, KIND, MORE_A, ROW, 2, 2, 2) \
    MULTIPLY(intel_sub_group_##NAME##_matrix_mad_##K, 0, KIND, MORE_A, ROW, 4, 4, 4) \
    MULTIPLY(intel_sub_group_##NAME##_matrix_mad_##K, 0, KIND, MORE_A, ROW, 8, 8, 8) }
WHOLE(i8_i8, k32, 8, 0, 0, SIGNED, int, int) WHOLE(i8_u8, k32, 8, 0, 200, SIGNED, uint, int)
WHOLE(u8_i8, k32, 8, 200, 0, UNSIGNED, int, int) WHOLE(u8_u8, k32, 8, 200, 200, UNSIGNED, uint, int)
WHOLE(f16_f16, k16, 16, 0, 0, SIGNED, int, float) WHOLE(bf16_bf16, k16, 17, 0, 0, SIGNED, int, float)
)";
// Each sub-group of a pair has half of the rows of a.
constexpr std::string_view split_source = R"(
#define FIRST(ROWS) (get_sub_group_id() % 2 * (ROWS))
#define SPLIT(NAME, K, KIND, MORE_A, MORE_B, ROW, PART, SUM) MATRIX(NAME) { OPERANDS(KIND, MORE_B, ROW, PART, SUM) \
    MULTIPLY(intel_sub_group_##NAME##_split_matrix_mad_##K, FIRST(1), KIND, MORE_A, ROW, , 2, 2) \
    MULTIPLY(intel_sub_group_##NAME##_split_matrix_mad_##K, FIRST(2), KIND, MORE_A, ROW, 2, 4, 4) \
    MULTIPLY(intel_sub_group_##NAME##_split_matrix_mad_##K, FIRST(4), KIND, MORE_A, ROW, 4, 8, 8) }
SPLIT(i8_i8, k32, 8, 0, 0, int, int, int) SPLIT(i8_u8, k32, 8, 0, 200, int, uint, int)
SPLIT(u8_i8, k32, 8, 200, 0, uint, int, int) SPLIT(u8_u8, k32, 8, 200, 200, uint, uint, int)
SPLIT(f16_f16, k16, 16, 0, 0, int, int, float) SPLIT(bf16_bf16, k16, 17, 0, 0, int, int, float)
)";

// Lanes 0 to 7 have the even rows of a, the others the odd ones, which there are none of when a has one row.
constexpr std::string_view tf32_source = R"(
#define TENSOR(N, M, ROWS) for (int i = 0; i < 4; ++i) a[i] = A(2 * i + lane / 8, lane % 8); \
    if (ROWS == 1 && lane >= 8) a[0] = NAN; for (int i = 0; i < 8; ++i) c[i] = C(i, ROWS); \
    STORE##M(intel_sub_group_tf32_tf32_matrix_mad_k8(LOAD##N(a), LOAD8(b), LOAD##M(c)), c); \
    for (int i = 0; i < ROWS; ++i) PUT(at + i, c[i]); at += ROWS;
MATRIX(tf32) { int lane = get_sub_group_local_id(), at = 0; float a[4], b[8], c[8];
    for (int i = 0; i < 8; ++i) b[i] = B(i, lane); TENSOR(, , 1) TENSOR(, 2, 2) TENSOR(2, 4, 4) TENSOR(4, 8, 8) }
#define ROUNDED(at, f, V, LAST) PUT(at, as_uint((f((V)(x))) LAST))
MATRIX(rounded) { float x = as_float(0x3f800000u + (uint)get_global_id(0) * 0x800u + 0x3e8000u);
    ROUNDED(0, intel_convert_tfloat32_as_float, float, ); ROUNDED(1, intel_convert_tfloat322_as_float2, float2, .s1);
    ROUNDED(2, intel_convert_tfloat323_as_float3, float3, .s2); ROUNDED(3, intel_convert_tfloat324_as_float4, float4, .s3);
    ROUNDED(4, intel_convert_tfloat328_as_float8, float8, .s7); ROUNDED(5, intel_convert_tfloat3216_as_float16, float16, .sf); }
)";
std::vector<int64_t> tf32(int item) {
    return whole<16, 8>(item);
}
// Ten bits behind the point, to the nearest, halves to the even one.
std::vector<int64_t> rounded(int item) {
    const uint32_t exact = 0x3f800000 + static_cast<uint32_t>(item) * 0x800 + 0x3e8000;
    const uint32_t below = exact & 0x1fff;
    const uint32_t kept = exact - below;
    const bool up = below > 0x1000 || (below == 0x1000 && (kept & 0x2000) != 0);
    return std::vector<int64_t>(6, int64_t{kept} + (up ? 0x2000 : 0));
}

// Nothing can be seen of a prefetch: what it names is still there, and readable.
constexpr std::string_view prefetch_source = R"(
#define FETCH(NAME, T) intel_sub_group_block_prefetch_##NAME((const global T*)row);
KERNEL(prefetched) { int i = get_global_id(0); global long* row = out + i / 16 * 256;
    for (int k = 0; k < 16; ++k) out[i * 16 + k] = i * 16 + k;
    barrier(CLK_GLOBAL_MEM_FENCE);
    FETCH(uc, uchar) FETCH(uc2, uchar) FETCH(uc4, uchar) FETCH(uc8, uchar) FETCH(uc16, uchar)
    FETCH(us, ushort) FETCH(us2, ushort) FETCH(us4, ushort) FETCH(us8, ushort) FETCH(us16, ushort)
    FETCH(ui, uint) FETCH(ui2, uint) FETCH(ui4, uint) FETCH(ui8, uint)
    FETCH(ul, ulong) FETCH(ul2, ulong) FETCH(ul4, ulong) FETCH(ul8, ulong)
    ulong first = intel_sub_group_block_read_ul((const global ulong*)row);
    barrier(CLK_GLOBAL_MEM_FENCE); PUT(15, first); }
)";
std::vector<int64_t> prefetched(int item) {
    std::vector<int64_t> out;
    for (int k = 0; k + 1 < room; ++k)
        out.push_back(item * room + k);
    out.push_back(item / lanes * lanes * room + item % lanes);
    return out;
}

Program of_matrices(std::string name, std::string_view source, std::string options,
                    std::vector<Kernel> kernels) {
    return {.proves = {std::move(name)},
            .source = std::string(common_source) + std::string(source),
            .kernels = std::move(kernels),
            .options = "-cl-std=CL3.0 " + std::move(options)};
}
template <int width>
std::vector<Kernel> whole_kernels() {
    return {{"i8_i8", whole<width, 32>},      {"i8_u8", whole<width, 32, 0, 200>},
            {"u8_i8", whole<width, 32, 200>}, {"u8_u8", whole<width, 32, 200, 200>},
            {"f16_f16", whole<width, 16>},    {"bf16_bf16", whole<width, 16>}};
}

} // namespace

std::vector<Program> matrix_programs(size_t least_sub_group) {
    // The functions are of sub-groups of the least size, and their operands differ.
    const std::string name = "cl_intel_subgroup_matrix_multiply_accumulate";
    const std::string_view eight = "-DLANES=8 -DSIGNED=int -DUNSIGNED=uint";
    const std::string_view sixteen = "-DLANES=16 -DSIGNED=short -DUNSIGNED=ushort";
    std::vector<Program> out;
    out.push_back(least_sub_group == 8
                      ? of_matrices(name, whole_source, std::string(eight), whole_kernels<8>())
                      : of_matrices(name, whole_source, std::string(sixteen), whole_kernels<16>()));
    out.push_back(of_matrices("cl_intel_subgroup_split_matrix_multiply_accumulate", split_source, "-DLANES=8",
                              {{"i8_i8", split<32>},
                               {"i8_u8", split<32, 0, 200>},
                               {"u8_i8", split<32, 200>},
                               {"u8_u8", split<32, 200, 200>},
                               {"f16_f16", split<16>},
                               {"bf16_bf16", split<16>}}));
    out.push_back(
        of_matrices(name + "_tf32", tf32_source, "-DLANES=16", {{"tf32", tf32}, {"rounded", rounded}}));
    out.push_back(of_matrices("cl_intel_subgroup_buffer_prefetch", prefetch_source, "-DLANES=16",
                              {{"prefetched", prefetched}}));
    return out;
}

} // namespace visor::opencl_extensions
