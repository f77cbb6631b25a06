#include "programs.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace visor::opencl_extensions {

namespace {

// Bytes of item i: signed ones from -128 up, others from 0.
constexpr int signed_byte(int i, int j) {
    return (i * 37 + j * 91 + 5) % 256 - 128;
}
constexpr int plain_byte(int i, int j) {
    return (i * 53 + j * 67 + 11) % 256;
}
int64_t products(int i, bool first_signed, bool second_signed) {
    int64_t sum = 0;
    for (int j = 0; j < 4; ++j) {
        const int64_t first = first_signed ? signed_byte(i, j) : plain_byte(i, j);
        const int64_t second = second_signed ? signed_byte(i + 1, j) : plain_byte(i + 1, j);
        sum += first * second;
    }
    return sum;
}
int64_t clamped(int64_t value, int64_t least, int64_t most) {
    return std::min(std::max(value, least), most);
}
std::vector<int64_t> dots(int i) {
    return {products(i, true, true), products(i, false, false), products(i, true, false),
            products(i, false, true)};
}
// Accumulators close to the ends, so that half of the sums saturate.
std::vector<int64_t> sums(int i) {
    const int64_t most = INT32_MAX;
    const int64_t least = INT32_MIN;
    const int64_t start = i % 2 == 0 ? most - 9000 : least + 9000;
    const auto accumulated = [&](bool first, bool second) {
        return clamped(start + products(i, first, second), least, most);
    };
    return {accumulated(true, true),
            clamped(int64_t{UINT32_MAX} - 90000 + products(i, false, false), 0, UINT32_MAX),
            accumulated(true, false), accumulated(false, true)};
}

constexpr std::string_view dot_source = R"(
#define S(i) (char4)(((i)*37+5)%256-128, ((i)*37+96)%256-128, ((i)*37+187)%256-128, ((i)*37+278)%256-128)
#define U(i) (uchar4)(((i)*53+11)%256, ((i)*53+78)%256, ((i)*53+145)%256, ((i)*53+212)%256)
#define START ((i & 1) ? INT_MIN + 9000 : INT_MAX - 9000)
#define ITEM int i = get_global_id(0); char4 s = S(i), t = S(i + 1); uchar4 u = U(i), v = U(i + 1)
)";
constexpr std::string_view vectors_source = R"(
KERNEL(dots) { ITEM; PUT(0, dot(s, t)); PUT(1, dot(u, v)); PUT(2, dot(s, v)); PUT(3, dot(u, t)); }
KERNEL(sums) { ITEM; PUT(0, dot_acc_sat(s, t, START)); PUT(1, dot_acc_sat(u, v, UINT_MAX - 90000u));
               PUT(2, dot_acc_sat(s, v, START)); PUT(3, dot_acc_sat(u, t, START)); }
)";
constexpr std::string_view packed_source = R"(
#define P as_uint
KERNEL(dots) { ITEM; PUT(0, dot_4x8packed_ss_int(P(s), P(t))); PUT(1, dot_4x8packed_uu_uint(P(u), P(v)));
               PUT(2, dot_4x8packed_su_int(P(s), P(v))); PUT(3, dot_4x8packed_us_int(P(u), P(t))); }
KERNEL(sums) { ITEM; PUT(0, dot_acc_sat_4x8packed_ss_int(P(s), P(t), START));
               PUT(1, dot_acc_sat_4x8packed_uu_uint(P(u), P(v), UINT_MAX - 90000u));
               PUT(2, dot_acc_sat_4x8packed_su_int(P(s), P(v), START));
               PUT(3, dot_acc_sat_4x8packed_us_int(P(u), P(t), START)); }
)";

// ---- bits: each type's own width

template <class T>
std::vector<int64_t> bits_of(int i) {
    using Unsigned = std::make_unsigned_t<T>;
    constexpr int width = sizeof(T) * 8;
    const auto value = static_cast<Unsigned>(static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15u);
    const auto other = static_cast<Unsigned>(static_cast<uint64_t>(i) * 0xc2b2ae3d27d4eb4fu + 1);
    const int offset = i % (width - 3);
    const int count = i % (width - offset + 1);
    const Unsigned mask =
        count == 0 ? 0 : static_cast<Unsigned>(static_cast<Unsigned>(~Unsigned{0}) >> (width - count));
    const auto inserted = static_cast<Unsigned>((value & ~static_cast<Unsigned>(mask << offset)) |
                                                static_cast<Unsigned>((other & mask) << offset));
    const auto field = static_cast<Unsigned>((value >> offset) & mask);
    const bool negative = count != 0 && ((field >> (count - 1)) & 1) != 0;
    const auto extended = static_cast<Unsigned>(negative ? field | static_cast<Unsigned>(~mask) : field);
    Unsigned reversed = 0;
    for (int bit = 0; bit < width; ++bit)
        reversed = static_cast<Unsigned>(reversed | (((value >> bit) & 1) << (width - 1 - bit)));
    return {static_cast<int64_t>(static_cast<T>(inserted)),
            static_cast<int64_t>(static_cast<std::make_signed_t<T>>(extended)), static_cast<int64_t>(field),
            static_cast<int64_t>(static_cast<T>(reversed))};
}

constexpr std::string_view bits_source = R"(
#define VALUE (get_global_id(0) * 0x9e3779b97f4a7c15ul)
#define OTHER (get_global_id(0) * 0xc2b2ae3d27d4eb4ful + 1ul)
#define BITS(T, V, LAST) { uint i = get_global_id(0); uint width = sizeof(T) * 8; uint offset = i % (width - 3), \
    count = i % (width - offset + 1); V v = (V)((T)VALUE); V w = (V)((T)OTHER); \
    PUT(0, bitfield_insert(v, w, offset, count)LAST); PUT(1, bitfield_extract_signed(v, offset, count)LAST); \
    PUT(2, bitfield_extract_unsigned(v, offset, count)LAST); PUT(3, bit_reverse(v)LAST); }
#define SIZES(T) KERNEL(T##__1) BITS(T, T, ) KERNEL(T##__2) BITS(T, T##2, .s1) KERNEL(T##__3) BITS(T, T##3, .s2) \
    KERNEL(T##__4) BITS(T, T##4, .s3) KERNEL(T##__8) BITS(T, T##8, .s7) KERNEL(T##__16) BITS(T, T##16, .sf)
SIZES(char) SIZES(uchar) SIZES(short) SIZES(ushort) SIZES(int) SIZES(uint) SIZES(long) SIZES(ulong)
)";

constexpr std::string_view bytes_source = R"(
KERNEL(bytes) { int i = get_global_id(0); out[i * 16 + 1] = 0; global uchar* at = (global uchar*)&out[i * 16];
    at[0] = 1; at[3] = (uchar)i; ((global ushort*)at)[3] = 0x1234; at[9] = 7;
    PUT(2, at[3] + ((global ushort*)at)[3]); PUT(3, *(global uchar*)(at + 9)); }
)";
std::vector<int64_t> bytes(int i) {
    // The first number keeps the bytes of -77 that nothing was stored to.
    const uint64_t kept = 0xffffffffffffffb3u & 0x0000ffff00ffff00u;
    return {static_cast<int64_t>(kept | 1u | static_cast<uint64_t>(i) << 24 | 0x1234000000000000u), 0x700,
            i + 0x1234, 7};
}

constexpr std::string_view long_source = R"(
KERNEL(longs) { long i = get_global_id(0); ulong u = i * 0x123456789abul; PUT(0, u); PUT(1, i * -3000000000l);
    PUT(2, u / 12345ul); PUT(3, u % 12345ul); PUT(4, u >> (i % 64)); PUT(5, mul_hi(u, ~0ul)); }
)";
std::vector<int64_t> longs(int i) {
    const uint64_t value = static_cast<uint64_t>(i) * 0x123456789abu;
    return {static_cast<int64_t>(value),
            i * -3000000000,
            static_cast<int64_t>(value / 12345),
            static_cast<int64_t>(value % 12345),
            static_cast<int64_t>(value >> (i % 64)),
            value == 0 ? 0 : static_cast<int64_t>(value - 1)};
}

constexpr std::string_view expect_source = R"(
KERNEL(expected) { int i = get_global_id(0); if (__builtin_expect(i % 2 == 0, 1)) PUT(0, i * 3); else PUT(0, i * 5);
    __builtin_assume(i >= 0); PUT(1, i / 4); PUT(2, __builtin_expect((long)i, 7l)); }
)";
std::vector<int64_t> expected(int i) {
    return {i % 2 == 0 ? i * 3 : i * 5, i / 4, i};
}

std::string joined(std::string_view first, std::string_view second) {
    return std::string(first) + std::string(second);
}

} // namespace

std::vector<Program> integer_programs() {
    const std::string vectors = joined(dot_source, vectors_source);
    const std::string packed = joined(dot_source, packed_source);
    const std::string both =
        vectors + "\n#define dots packed_dots\n#define sums packed_sums\n" + std::string(packed_source);
    return {
        {{"__opencl_c_integer_dot_product_input_4x8bit",
          "CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR"},
         vectors,
         {{"dots", dots}, {"sums", sums}}},
        {{"__opencl_c_integer_dot_product_input_4x8bit_packed",
          "CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: "
          "CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR"},
         packed,
         {{"dots", dots}, {"sums", sums}}},
        {{"cl_khr_integer_dot_product"},
         both,
         {{"dots", dots}, {"sums", sums}, {"packed_dots", dots}, {"packed_sums", sums}}},
        {{"cl_khr_extended_bit_ops"},
         std::string(bits_source),
         {{"char", bits_of<int8_t>},
          {"uchar", bits_of<uint8_t>},
          {"short", bits_of<int16_t>},
          {"ushort", bits_of<uint16_t>},
          {"int", bits_of<int32_t>},
          {"uint", bits_of<uint32_t>},
          {"long", bits_of<int64_t>},
          {"ulong", bits_of<uint64_t>}}},
        {{"cl_khr_byte_addressable_store"}, std::string(bytes_source), {{"bytes", bytes}}},
        {{"cl_khr_expect_assume"}, std::string(expect_source), {{"expected", expected}}},
        {{"__opencl_c_int64"}, std::string(long_source), {{"longs", longs}}},
    };
}

} // namespace visor::opencl_extensions
