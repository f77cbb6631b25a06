#include "programs.h"

namespace visor::opencl_extensions {

namespace {

// T: an element, V: a type of one or more, P: its suffix, N: how many elements each lane has.
constexpr std::string_view common_source = R"(
#ifdef cl_khr_fp64
#define DOUBLE(F) F(double, double, )
#else
#define DOUBLE(F)
#endif
#define LANE get_sub_group_local_id()
#define SIZED(F, T) F(T, T, ) F(T, T##2, .s1) F(T, T##3, .s2) F(T, T##4, .s3) F(T, T##8, .s7) F(T, T##16, .sf)
#define SHUFFLES(T, V, LAST) KERNEL(shuffles__##V) { uint lane = LANE; V v = (V)((T)(lane * 3)); V w = (V)((T)(lane * 3 + 64)); \
    PUT(0, intel_sub_group_shuffle(v, 15 - lane)LAST); PUT(1, intel_sub_group_shuffle_down(v, w, 2u)LAST); \
    PUT(2, intel_sub_group_shuffle_up(v, w, 3u)LAST); PUT(3, intel_sub_group_shuffle_xor(v, 6u)LAST); }
#define BLOCK(T, V, LAST, S, N) KERNEL(blocks##N##__##V##S) { int i = get_global_id(0); uint lane = LANE; \
    global T* row = (global T*)(out + i / 16 * 256); \
    barrier(CLK_GLOBAL_MEM_FENCE); for (int k = 0; k < N; ++k) row[k * 16 + lane] = (T)(k * 16 + lane); \
    barrier(CLK_GLOBAL_MEM_FENCE); V v = intel_sub_group_block_read##S(row); \
    intel_sub_group_block_write##S(row + N * 16, v + (V)((T)1)); barrier(CLK_GLOBAL_MEM_FENCE); \
    T last = v LAST; T written = row[N * 16 + (N - 1) * 16 + lane]; T at = row[N * 16 + 5]; barrier(CLK_GLOBAL_MEM_FENCE); \
    for (int k = 0; k < 16; ++k) out[i * 16 + k] = 0; barrier(CLK_GLOBAL_MEM_FENCE); \
    PUT(0, last); PUT(1, written); PUT(2, at); }
)";
constexpr std::string_view subgroups_source = R"(
SIZED(SHUFFLES, int) SIZED(SHUFFLES, uint) SIZED(SHUFFLES, float) SHUFFLES(long, long, ) SHUFFLES(ulong, ulong, )
SHUFFLES(half, half, ) DOUBLE(SHUFFLES)
BLOCK(uint, uint, , , 1) BLOCK(uint, uint2, .s1, 2, 2) BLOCK(uint, uint4, .s3, 4, 4) BLOCK(uint, uint8, .s7, 8, 8)
)";
constexpr std::string_view char_source = R"(
SIZED(SHUFFLES, char) SIZED(SHUFFLES, uchar)
BLOCK(uchar, uchar, , _uc, 1) BLOCK(uchar, uchar2, .s1, _uc2, 2) BLOCK(uchar, uchar4, .s3, _uc4, 4) BLOCK(uchar, uchar8, .s7, _uc8, 8)
BLOCK(uchar, uchar16, .sf, _uc16, 16)
#define SUMS(T) KERNEL(sums__##T) { uint lane = LANE; T v = (T)(lane % 4); PUT(0, intel_sub_group_broadcast((T)(lane * 3), 5)); \
    PUT(1, intel_sub_group_reduce_add(v)); PUT(2, intel_sub_group_reduce_min(v)); PUT(3, intel_sub_group_reduce_max(v)); \
    PUT(4, intel_sub_group_scan_exclusive_add(v)); PUT(5, intel_sub_group_scan_inclusive_add(v)); \
    T least = intel_sub_group_scan_exclusive_min(v), most = intel_sub_group_scan_exclusive_max(v); \
    PUT(6, lane == 0 ? (T)0 : least); PUT(7, lane == 0 ? (T)0 : most); \
    PUT(8, intel_sub_group_scan_inclusive_min(v)); PUT(9, intel_sub_group_scan_inclusive_max(v)); }
SUMS(char) SUMS(uchar)
)";
constexpr std::string_view short_source = R"(
SIZED(SHUFFLES, short) SIZED(SHUFFLES, ushort)
BLOCK(ushort, ushort, , _us, 1) BLOCK(ushort, ushort2, .s1, _us2, 2) BLOCK(ushort, ushort4, .s3, _us4, 4) BLOCK(ushort, ushort8, .s7, _us8, 8)
BLOCK(uint, uint, , _ui, 1) BLOCK(uint, uint2, .s1, _ui2, 2) BLOCK(uint, uint4, .s3, _ui4, 4) BLOCK(uint, uint8, .s7, _ui8, 8)
#define SUMS(T) KERNEL(sums__##T) { uint lane = LANE; T v = (T)(lane % 4); PUT(0, intel_sub_group_broadcast((T)(lane * 3), 5)); \
    PUT(1, intel_sub_group_reduce_add(v)); PUT(2, intel_sub_group_reduce_min(v)); PUT(3, intel_sub_group_reduce_max(v)); \
    PUT(4, intel_sub_group_scan_exclusive_add(v)); PUT(5, intel_sub_group_scan_inclusive_add(v)); \
    T least = intel_sub_group_scan_exclusive_min(v), most = intel_sub_group_scan_exclusive_max(v); \
    PUT(6, lane == 0 ? (T)0 : least); PUT(7, lane == 0 ? (T)0 : most); \
    PUT(8, intel_sub_group_scan_inclusive_min(v)); PUT(9, intel_sub_group_scan_inclusive_max(v)); }
SUMS(short) SUMS(ushort)
)";
constexpr std::string_view long_source = R"(
SHUFFLES(long, long, ) SHUFFLES(ulong, ulong, )
BLOCK(ulong, ulong, , _ul, 1) BLOCK(ulong, ulong2, .s1, _ul2, 2) BLOCK(ulong, ulong4, .s3, _ul4, 4) BLOCK(ulong, ulong8, .s7, _ul8, 8)
)";

// Each sub-group has its own part of the array; what is read, written and read again.
constexpr std::string_view local_source = R"(
#define TILE(T, V, LAST, S, N) KERNEL(blocks##N##__##V##S) { uint lane = LANE; local T tiles[1024]; \
    local T* row = tiles + get_sub_group_id() * 512; for (int k = 0; k < N; ++k) row[k * 16 + lane] = (T)(k * 16 + lane); \
    barrier(CLK_LOCAL_MEM_FENCE); V v = intel_sub_group_block_read##S(row); \
    intel_sub_group_block_write##S(row + N * 16, v + (V)((T)1)); barrier(CLK_LOCAL_MEM_FENCE); \
    for (int k = 0; k < 16; ++k) PUT(k, 0); \
    PUT(0, v LAST); PUT(1, row[N * 16 + (N - 1) * 16 + lane]); PUT(2, row[N * 16 + 5]); }
TILE(uint, uint, , , 1) TILE(uint, uint2, .s1, 2, 2) TILE(uint, uint4, .s3, 4, 4) TILE(uint, uint8, .s7, 8, 8)
TILE(uint, uint, , _ui, 1) TILE(uint, uint2, .s1, _ui2, 2) TILE(uint, uint4, .s3, _ui4, 4) TILE(uint, uint8, .s7, _ui8, 8)
TILE(ushort, ushort, , _us, 1) TILE(ushort, ushort2, .s1, _us2, 2) TILE(ushort, ushort4, .s3, _us4, 4) TILE(ushort, ushort8, .s7, _us8, 8)
TILE(ulong, ulong, , _ul, 1) TILE(ulong, ulong2, .s1, _ul2, 2) TILE(ulong, ulong4, .s3, _ul4, 4) TILE(ulong, ulong8, .s7, _ul8, 8)
TILE(uchar, uchar, , _uc, 1) TILE(uchar, uchar2, .s1, _uc2, 2) TILE(uchar, uchar4, .s3, _uc4, 4) TILE(uchar, uchar8, .s7, _uc8, 8)
TILE(uchar, uchar16, .sf, _uc16, 16)
)";

std::vector<int64_t> shuffles(int i) {
    const int64_t lane = i % lanes;
    const int64_t down = lane + 2;
    const int64_t up = lane - 3;
    return {(15 - lane) * 3, down < lanes ? down * 3 : (down - lanes) * 3 + 64,
            // up reads the last lanes of the first operand and the first ones of the second
            up < 0 ? (up + lanes) * 3 : up * 3 + 64, (lane ^ 6) * 3};
}
template <int count>
std::vector<int64_t> blocks(int i) {
    std::vector<int64_t> out(room, 0);
    out[0] = (count - 1) * 16 + i % lanes;
    out[1] = (out[0] + 1) % (count == 16 ? 256 : 1024); // sixteen are of bytes alone
    out[2] = 6;
    return out;
}
std::vector<int64_t> sums(int i) {
    const int lane = i % lanes;
    int64_t before = 0;
    for (int at = 0; at < lane; ++at)
        before += at % 4;
    const int64_t most = lane < 4 ? lane - 1 : 3;
    return {15, 24, 0, 3, before, before + lane % 4, 0, lane == 0 ? 0 : most, 0, lane < 4 ? lane : 3};
}

Program with_common(std::string_view name, std::string_view source, std::vector<Kernel> kernels) {
    return {.proves = {std::string(name)},
            .source = std::string(common_source) + std::string(source),
            .kernels = std::move(kernels)};
}

} // namespace

std::vector<Program> intel_programs() {
    const Kernel moved{"shuffles", shuffles};
    const Kernel one{"blocks1", blocks<1>};
    const Kernel two{"blocks2", blocks<2>};
    const Kernel four{"blocks4", blocks<4>};
    const Kernel eight{"blocks8", blocks<8>};
    return {
        with_common("cl_intel_subgroups", subgroups_source, {moved, one, two, four, eight}),
        with_common("cl_intel_subgroups_char", char_source,
                    {moved, one, two, four, eight, {"blocks16", blocks<16>}, {"sums", sums}}),
        with_common("cl_intel_subgroups_short", short_source, {moved, one, two, four, eight, {"sums", sums}}),
        with_common("cl_intel_subgroup_local_block_io", local_source,
                    {one, two, four, eight, {"blocks16", blocks<16>}}),
        with_common("cl_intel_subgroups_long", long_source, {moved, one, two, four, eight}),
    };
}

} // namespace visor::opencl_extensions
