#include "programs.h"

#include <bit>
#include <cmath>

namespace visor::opencl_extensions {

namespace {

// What gives whole numbers of whole numbers, so that no error is in the way.
constexpr std::string_view math_source = R"(
#define CALLS(T, V, LAST) KERNEL(calls__##V) { int i = get_global_id(0); V x = (V)((T)(i % 8)); V y = (V)((T)3); V two = (V)((T)2); \
    PUT(0, (mad(x, two, y) - x * y)LAST); PUT(1, (fmin(x, y) * 100 + fmax(x, y) + fdim(x, y) * 10)LAST); \
    PUT(2, (floor(x / two) + ceil(x / two) * 10 + trunc(x / two) * 100 + rint(x) * 0)LAST); \
    PUT(3, (sqrt(x * x) + fabs(-x) * 10)LAST); PUT(4, (copysign(x, -y) + round(x) * 2)LAST); \
    PUT(5, (ldexp(x, 3) + x)LAST); PUT(6, (clamp(x, y, y + two) + mix(x, y, (V)((T)0.5)) * 2 + sign(x))LAST); \
    PUT(7, rint(exp2(x) + sin(x * 0) + cos(x * 0) + exp(x * 0) + log(x * 0 + 1) + pown(two, 3) + rsqrt(y * y + 7))LAST); \
    V whole; V part = modf(x / two, &whole); PUT(8, (whole + part * 2)LAST); PUT(9, (fmod(x, y) + maxmag(x, y) * 10)LAST); \
    PUT(10, (native_or_not(x) + step(y, x) * 10)LAST); }
#define native_or_not(x) hypot((x) * 3, (x) * 4)
)";
constexpr std::string_view fused_source = R"(
#define FUSED(T, V, LAST) KERNEL(fused__##V) { int i = get_global_id(0); V x = (V)((T)(i % 32)); PUT(0, fma(x, x, (V)((T)3))LAST); }
)";
constexpr std::string_view half_fused_source = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
FUSED(half, half, ) FUSED(half, half2, .s1) FUSED(half, half3, .s2) FUSED(half, half4, .s3) FUSED(half, half8, .s7)
FUSED(half, half16, .sf)
)";
constexpr std::string_view double_fused_source = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
FUSED(double, double, ) FUSED(double, double2, .s1) FUSED(double, double3, .s2) FUSED(double, double4, .s3)
FUSED(double, double8, .s7) FUSED(double, double16, .sf)
)";
constexpr std::string_view half_source = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
CALLS(half, half, ) CALLS(half, half2, .s1) CALLS(half, half3, .s2) CALLS(half, half4, .s3) CALLS(half, half8, .s7)
CALLS(half, half16, .sf)
KERNEL(conversions) { int i = get_global_id(0); half h = (half)i + 0.5h; PUT(0, convert_int_rte(h)); PUT(1, convert_int_rtz(h));
    PUT(2, convert_int_rtp(h)); PUT(3, convert_int_rtn(h)); PUT(4, as_ushort((half)i)); PUT(5, convert_half_rtz(2049 + i) );
    PUT(6, (float)h * 2); half v[2]; v[0] = h; v[1] = 1.0h; PUT(7, vload_half(0, v) * 2); PUT(8, isnan(nan((ushort)1)) + 2 * isinf((h + 1) / 0.0h)); PUT(9, (h > 3) + (h < 3) * 2);
    local half shared[32]; shared[get_local_id(0)] = h; barrier(CLK_LOCAL_MEM_FENCE); PUT(10, shared[get_local_id(0) ^ 1] * 2); }
)";
constexpr std::string_view double_source = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
CALLS(double, double, ) CALLS(double, double2, .s1) CALLS(double, double3, .s2) CALLS(double, double4, .s3)
CALLS(double, double8, .s7) CALLS(double, double16, .sf)
KERNEL(conversions) { int i = get_global_id(0); double d = i + 0.5; PUT(0, convert_int_rte(d)); PUT(1, convert_int_rtz(d));
    PUT(2, convert_int_rtp(d)); PUT(3, convert_int_rtn(d)); PUT(4, as_long((double)i)); PUT(5, d * 9007199254740992.0);
    PUT(6, (float)d * 2); PUT(7, (half)d * 2); PUT(8, isnan(nan(1ul)) + 2 * isinf((d + 1) / 0.0)); PUT(9, (d > 3) + (d < 3) * 2);
    local double shared[32]; shared[get_local_id(0)] = d; barrier(CLK_LOCAL_MEM_FENCE); PUT(10, shared[get_local_id(0) ^ 1] * 2); }
)";

std::vector<int64_t> calls(int i) {
    const int64_t x = i % 8;
    const int64_t y = 3;
    const int64_t least = std::min(x, y);
    const int64_t most = std::max(x, y);
    const int64_t clamped = x < 3 ? 3 : (x > 5 ? 5 : x);
    return {2 * x + y - x * y, least * 100 + most + std::max(x - y, int64_t{0}) * 10,
            x / 2 + (x + 1) / 2 * 10 + x / 2 * 100, x + x * 10, -x + x * 2, x * 9,
            clamped + (x + y) + int{x > 0},
            // 2^x + 0 + 1 + 1 + 0 + 8 + 1/4
            (int64_t{1} << x) + 10, x / 2 + x % 2, x % y + most * 10, x * 5 + int64_t{x >= y} * 10};
}
std::vector<int64_t> fused(int i) {
    return {i % 32 * (i % 32) + 3};
}
int64_t half_up(int i) { // of i + 0.5, to the even one
    return i % 2 == 0 ? i : i + 1;
}
// Bits of a half for a whole number below 64.
int64_t half_bits(int i) {
    if (i == 0)
        return 0;
    const int exponent = static_cast<int>(std::bit_width(static_cast<unsigned>(i))) - 1;
    return (exponent + 15) << 10 | ((i << (10 - exponent)) & 0x3ff);
}
std::vector<int64_t> half_conversions(int i) {
    const int64_t twice = int64_t{2} * i + 1;
    return {half_up(i),
            i,
            i + 1,
            i,
            half_bits(i),
            (int64_t{2049} + i) / 2 * 2,
            twice,
            twice,
            3,
            i >= 3 ? 1 : 2,
            int64_t{2} * (i ^ 1) + 1};
}
std::vector<int64_t> double_conversions(int i) {
    const int64_t twice = int64_t{2} * i + 1;
    return {half_up(i),
            i,
            i + 1,
            i,
            std::bit_cast<int64_t>(static_cast<double>(i)),
            twice << 52,
            twice,
            twice,
            3,
            i >= 3 ? 1 : 2,
            int64_t{2} * (i ^ 1) + 1};
}

constexpr std::string_view bfloat_source = R"(
#define FLOATS(V, TO, FROM, W, LAST, ONE) KERNEL(bfloats__##V) { int i = get_global_id(0); \
    W u = TO((V)(as_float(0x3f800000 + i * 0x1777 + (i & 1) * 0x80000000))); PUT(0, u LAST); \
    PUT(1, as_uint((FROM((W)((ushort)(0x4000 + i))))LAST)); PUT(2, TO((V)(i / 4.0f))LAST); PUT(3, u ONE); }
FLOATS(float, intel_convert_bfloat16_as_ushort, intel_convert_as_bfloat16_float, ushort, , )
FLOATS(float2, intel_convert_bfloat162_as_ushort2, intel_convert_as_bfloat162_float2, ushort2, .s1, .s0)
FLOATS(float3, intel_convert_bfloat163_as_ushort3, intel_convert_as_bfloat163_float3, ushort3, .s2, .s0)
FLOATS(float4, intel_convert_bfloat164_as_ushort4, intel_convert_as_bfloat164_float4, ushort4, .s3, .s0)
FLOATS(float8, intel_convert_bfloat168_as_ushort8, intel_convert_as_bfloat168_float8, ushort8, .s7, .s0)
FLOATS(float16, intel_convert_bfloat1616_as_ushort16, intel_convert_as_bfloat1616_float16, ushort16, .sf, .s0)
)";
// The upper half, rounded to nearest, ties to even.
int64_t rounded(uint32_t bits) {
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
std::vector<int64_t> bfloats(int i) {
    const auto item = static_cast<uint32_t>(i);
    const int64_t value = rounded(0x3f800000 + item * 0x1777 + (item & 1) * 0x80000000);
    return {value, (0x4000 + int64_t{i}) << 16,
            rounded(std::bit_cast<uint32_t>(static_cast<float>(i) / 4.0f)), value};
}

} // namespace

std::vector<Program> float_programs() {
    const std::string halves = std::string(math_source) + std::string(half_source);
    const std::string doubles = std::string(math_source) + std::string(double_source);
    return {
        {{"cl_khr_fp16"}, halves, {{"calls", calls}, {"conversions", half_conversions}}},
        {{"cl_khr_fp64", "__opencl_c_fp64"},
         doubles,
         {{"calls", calls}, {"conversions", double_conversions}}},
        {{"cl_khr_fp16"}, std::string(fused_source) + std::string(half_fused_source), {{"fused", fused}}},
        {{"cl_khr_fp64", "__opencl_c_fp64"},
         std::string(fused_source) + std::string(double_fused_source),
         {{"fused", fused}}},
        {{"cl_intel_bfloat16_conversions"}, std::string(bfloat_source), {{"bfloats", bfloats}}},
    };
}

} // namespace visor::opencl_extensions
