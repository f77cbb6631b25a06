#include "programs.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace visor::opencl_extensions {

namespace {

constexpr int lane_of(int i) {
    return i % lanes;
}

// Of the lanes from `from` to before `to` that `active` takes: `value` of each, joined by `join`.
template <class Active, class Value, class Join>
int64_t joined(int from, int to, int64_t start, Active active, Value value, Join join) {
    int64_t out = start;
    for (int lane = from; lane < to; ++lane)
        out = active(lane) ? join(out, int64_t{value(lane)}) : out;
    return out;
}
constexpr auto every = [](int) { return true; };
constexpr auto smaller = [](int64_t one, int64_t other) { return std::min(one, other); };
constexpr auto greater = [](int64_t one, int64_t other) { return std::max(one, other); };

// Every type of a number, and the vectors of each.
constexpr std::string_view types_source = R"(
#ifdef cl_khr_fp64
#define DOUBLE(F) F(double)
#else
#define DOUBLE(F)
#endif
#define INTEGERS(F) F(char) F(uchar) F(short) F(ushort) F(int) F(uint) F(long) F(ulong)
#define NUMBERS(F) INTEGERS(F) F(half) F(float) DOUBLE(F)
#define WIDE(F) F(int) F(uint) F(long) F(ulong) F(half) F(float) DOUBLE(F)
#define NARROW(F) F(char) F(uchar) F(short) F(ushort)
#define SIZED(F, T) F(T, T##2, .s1) F(T, T##3, .s2) F(T, T##4, .s3) F(T, T##8, .s7) F(T, T##16, .sf)
#define LANE get_sub_group_local_id()
#define ITEM uint lane = LANE, i = get_global_id(0)
)";

// ---- cl_khr_subgroups, and the types that cl_khr_subgroup_extended_types adds

constexpr std::string_view core_source = R"(
KERNEL(sizes) { PUT(0, get_sub_group_size()); PUT(1, get_max_sub_group_size()); PUT(2, get_num_sub_groups());
    PUT(3, get_enqueued_num_sub_groups()); PUT(4, get_sub_group_id()); PUT(5, get_sub_group_local_id()); }
KERNEL(votes) { ITEM; PUT(0, sub_group_all(lane < 16) != 0); PUT(1, sub_group_all(lane < 15) != 0);
    PUT(2, sub_group_any(lane == 3) != 0); PUT(3, sub_group_any(lane == 16) != 0); }
KERNEL(exchange) { ITEM; local int shared[32]; uint l = get_local_id(0); shared[l] = i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE); PUT(0, shared[l ^ 15]);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group); shared[l] = 2 * i;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group); PUT(1, shared[l ^ 1]); }
WIDE(ALL)
)";
constexpr std::string_view collective_source = R"(
#define ALL(T) KERNEL(collective__##T) { ITEM; T v = (T)(lane % 4); T w = (T)(20 - lane); \
    PUT(0, sub_group_broadcast((T)(lane * 3), 5)); PUT(1, sub_group_reduce_add(v)); PUT(2, sub_group_reduce_min(w)); \
    PUT(3, sub_group_reduce_max(w)); PUT(4, sub_group_scan_exclusive_add(v)); PUT(5, sub_group_scan_inclusive_add(v)); \
    T least = sub_group_scan_exclusive_min(w), most = sub_group_scan_exclusive_max(v); \
    PUT(6, lane == 0 ? (T)0 : least); PUT(7, sub_group_scan_inclusive_min(w)); PUT(8, lane == 0 ? (T)0 : most); \
    PUT(9, sub_group_scan_inclusive_max(v)); }
)";
std::vector<int64_t> sizes(int i) {
    return {lanes, lanes, group_size / lanes, group_size / lanes, i % group_size / lanes, lane_of(i)};
}
std::vector<int64_t> votes(int /*i*/) {
    return {1, 0, 1, 0};
}
std::vector<int64_t> exchange(int i) {
    return {i ^ 15, int64_t{2} * (i ^ 1)};
}
std::vector<int64_t> collective(int i) {
    const int lane = lane_of(i);
    const auto value = [](int at) { return at % 4; };
    const int64_t before = joined(0, lane, 0, every, value, std::plus());
    const int64_t most_before = joined(0, lane, 0, every, value, greater);
    return {15,
            24,
            5,
            20,
            before,
            before + lane % 4,
            lane == 0 ? 0 : 20 - (lane - 1),
            20 - lane,
            lane == 0 ? 0 : most_before,
            std::max<int64_t>(most_before, lane % 4)};
}

constexpr std::string_view extended_source = R"(
NARROW(ALL)
#define SPREAD(T, V, LAST) KERNEL(spread__##V) { ITEM; V v = (V)((T)(lane * 3)); V w = sub_group_broadcast(v, 4); \
    PUT(0, w LAST); PUT(1, w.s0); }
#define VECTORS(T) SIZED(SPREAD, T)
NUMBERS(VECTORS)
)";
std::vector<int64_t> spread(int /*i*/) {
    return {12, 12};
}

// ---- votes and ballots in divergent code

constexpr std::string_view vote_source = R"(
KERNEL(elect) { ITEM; PUT(0, sub_group_elect() != 0); if (lane >= 5) PUT(1, sub_group_elect() != 0); }
KERNEL(votes) { ITEM; if (lane & 1) { PUT(0, sub_group_non_uniform_all(lane > 0) != 0);
    PUT(1, sub_group_non_uniform_all(lane > 1) != 0); PUT(2, sub_group_non_uniform_any(lane > 14) != 0);
    PUT(3, sub_group_non_uniform_any(lane == 2) != 0); } }
#define EQUAL(T) KERNEL(equal__##T) { ITEM; if (lane > 2) { PUT(0, sub_group_non_uniform_all_equal((T)(lane > 2)) != 0); \
    PUT(1, sub_group_non_uniform_all_equal((T)(lane > 3)) != 0); } }
NUMBERS(EQUAL)
)";
std::vector<int64_t> elect(int i) {
    const int lane = lane_of(i);
    return {int64_t{lane == 0}, lane >= 5 ? int64_t{lane == 5} : untouched};
}
std::vector<int64_t> divergent_votes(int i) {
    return lane_of(i) % 2 == 1 ? std::vector<int64_t>{1, 0, 1, 0} : std::vector<int64_t>{};
}
std::vector<int64_t> equal(int i) {
    return lane_of(i) > 2 ? std::vector<int64_t>{1, 0} : std::vector<int64_t>{};
}

constexpr std::string_view ballot_source = R"(
KERNEL(ballot) { ITEM; uint4 b = sub_group_ballot(lane % 3 == 0); PUT(0, b.x); PUT(1, b.y | b.z | b.w);
    if (lane < 10) { uint4 c = sub_group_ballot(lane > 2); PUT(2, c.x); PUT(3, c.y | c.z | c.w); } }
KERNEL(bits) { ITEM; uint4 b = (uint4)(0x5a50, 0, 0, 0); PUT(0, sub_group_inverse_ballot(b) != 0);
    PUT(1, sub_group_ballot_bit_extract(b, lane) != 0); PUT(2, sub_group_ballot_bit_count(b));
    PUT(3, sub_group_ballot_inclusive_scan(b)); PUT(4, sub_group_ballot_exclusive_scan(b));
    PUT(5, sub_group_ballot_find_lsb(b)); PUT(6, sub_group_ballot_find_msb(b)); }
KERNEL(masks) { PUT(0, get_sub_group_eq_mask().x); PUT(1, get_sub_group_le_mask().x); PUT(2, get_sub_group_lt_mask().x);
    PUT(3, get_sub_group_ge_mask().x & 0xffff); PUT(4, get_sub_group_gt_mask().x & 0xffff); }
#define FIRST(T) KERNEL(first__##T) { ITEM; if (lane > 3) { PUT(0, sub_group_broadcast_first((T)(lane * 3))); \
    PUT(1, sub_group_non_uniform_broadcast((T)(lane * 3), 6)); } }
NUMBERS(FIRST)
#define SPREAD(T, V, LAST) KERNEL(spread__##V) { ITEM; V v = (V)((T)(lane * 3)); \
    V w = sub_group_non_uniform_broadcast(v, 4); PUT(0, w LAST); PUT(1, w.s0); }
#define VECTORS(T) SIZED(SPREAD, T)
NUMBERS(VECTORS)
)";
std::vector<int64_t> ballot(int i) {
    std::vector<int64_t> out{0x9249, 0};
    if (lane_of(i) < 10)
        out.insert(out.end(), {0x3f8, 0});
    return out;
}
std::vector<int64_t> ballot_bits(int i) {
    constexpr unsigned bits = 0x5a50;
    const int lane = lane_of(i);
    const int64_t own = bits >> lane & 1;
    const int64_t before = std::popcount(bits & ((1u << lane) - 1));
    return {own, own, 6, before + own, before, 4, 14};
}
std::vector<int64_t> masks(int i) {
    const int64_t own = int64_t{1} << lane_of(i);
    const int64_t below = own - 1;
    return {own, below | own, below, 0xffff & ~below, 0xffff & ~below & ~own};
}
constexpr std::string_view mask_source = R"(
KERNEL(upper) { uint4 ge = get_sub_group_ge_mask(), gt = get_sub_group_gt_mask(); PUT(0, ge.x); PUT(1, gt.x);
    PUT(2, ge.y | ge.z | ge.w | gt.y | gt.z | gt.w); }
)";
std::vector<int64_t> upper(int i) {
    const int64_t ge = 0xffff & ~((int64_t{1} << lane_of(i)) - 1);
    return {ge, ge & (ge - 1), 0};
}
std::vector<int64_t> first(int i) {
    return lane_of(i) > 3 ? std::vector<int64_t>{12, 18} : std::vector<int64_t>{};
}

// ---- arithmetic of the lanes that take part, and of clusters

constexpr std::string_view arithmetic_source = R"(
#define ON (lane % 2 == 1)
#define OP(at, NAME, v) PUT(at, sub_group_non_uniform_reduce_##NAME(v)); \
    PUT(at + 1, sub_group_non_uniform_scan_inclusive_##NAME(v)); \
    { int e = (int)sub_group_non_uniform_scan_exclusive_##NAME(v); PUT(at + 2, lane == 1 ? 0 : e); }
#define SUMS(T) KERNEL(arithmetic__##T) { ITEM; if (ON) { T v = (T)(lane % 4 + (lane > 12)); T m = (T)(lane < 6 ? 2 : 1); \
    T w = (T)(20 - lane); OP(0, add, v) OP(3, mul, m) OP(6, min, w) OP(9, max, v) } }
NUMBERS(SUMS)
#define BITS(T) KERNEL(bitwise__##T) { ITEM; if (ON) { T v = (T)(lane | 64); OP(0, and, v) OP(3, or, v) OP(6, xor, v) } }
INTEGERS(BITS)
KERNEL(logical) { ITEM; if (ON) { int v = lane != 7; int w = lane == 7; OP(0, logical_and, v) OP(3, logical_or, w) OP(6, logical_xor, v) } }
)";
constexpr auto odd = [](int lane) { return lane % 2 == 1; };
// A reduction, and both scans, of the odd lanes: as the kernels put them.
template <class Value, class Join>
void three(std::vector<int64_t>& out, int i, int64_t start, Value value, Join join) {
    const int lane = lane_of(i);
    out.push_back(joined(0, lanes, start, odd, value, join));
    out.push_back(joined(0, lane + 1, start, odd, value, join));
    out.push_back(lane == 1 ? 0 : joined(0, lane, start, odd, value, join));
}
std::vector<int64_t> arithmetic(int i) {
    std::vector<int64_t> out;
    if (!odd(lane_of(i)))
        return out;
    const auto value = [](int lane) { return lane % 4 + int{lane > 12}; };
    three(out, i, 0, value, std::plus());
    three(out, i, 1, [](int lane) { return lane < 6 ? 2 : 1; }, std::multiplies());
    three(out, i, 100, [](int lane) { return 20 - lane; }, smaller);
    three(out, i, 0, value, greater);
    return out;
}
std::vector<int64_t> bitwise(int i) {
    std::vector<int64_t> out;
    if (!odd(lane_of(i)))
        return out;
    const auto value = [](int lane) { return lane | 64; };
    three(out, i, -1, value, std::bit_and());
    three(out, i, 0, value, std::bit_or());
    three(out, i, 0, value, std::bit_xor());
    return out;
}
std::vector<int64_t> logical(int i) {
    std::vector<int64_t> out;
    if (!odd(lane_of(i)))
        return out;
    three(out, i, 1, [](int lane) { return int{lane != 7}; }, std::bit_and());
    three(out, i, 0, [](int lane) { return int{lane == 7}; }, std::bit_or());
    three(out, i, 0, [](int lane) { return int{lane != 7}; }, std::bit_xor());
    return out;
}

constexpr std::string_view cluster_source = R"(
#define EACH(at, NAME, v) PUT(at, sub_group_clustered_reduce_##NAME(v, 1u)); PUT(at + 1, sub_group_clustered_reduce_##NAME(v, 4u)); \
    PUT(at + 2, sub_group_clustered_reduce_##NAME(v, 8u)); PUT(at + 3, sub_group_clustered_reduce_##NAME(v, 16u));
#define SUMS(T) KERNEL(arithmetic__##T) { ITEM; T v = (T)(lane % 4 + (lane > 12)); T m = (T)(lane % 5 == 0 ? 2 : 1); \
    T w = (T)(20 - lane); EACH(0, add, v) EACH(4, mul, m) EACH(8, min, w) EACH(12, max, v) }
NUMBERS(SUMS)
#define BITS(T) KERNEL(bitwise__##T) { ITEM; T v = (T)(lane | 64); EACH(0, and, v) EACH(4, or, v) EACH(8, xor, v) }
INTEGERS(BITS)
KERNEL(logical) { ITEM; int v = lane != 7; int w = lane == 7; EACH(0, logical_and, v) EACH(4, logical_or, w) EACH(8, logical_xor, v) }
KERNEL(pairs) { ITEM; PUT(0, sub_group_clustered_reduce_add((int)i, 2u)); }
)";
template <class Value, class Join>
void clusters(std::vector<int64_t>& out, int i, int64_t start, Value value, Join join) {
    for (const int size : {1, 4, 8, 16}) {
        const int from = lane_of(i) / size * size;
        out.push_back(joined(from, from + size, start, every, value, join));
    }
}
std::vector<int64_t> cluster_arithmetic(int i) {
    std::vector<int64_t> out;
    const auto value = [](int lane) { return lane % 4 + int{lane > 12}; };
    clusters(out, i, 0, value, std::plus());
    clusters(out, i, 1, [](int lane) { return lane % 5 == 0 ? 2 : 1; }, std::multiplies());
    clusters(out, i, 100, [](int lane) { return 20 - lane; }, smaller);
    clusters(out, i, 0, value, greater);
    return out;
}
std::vector<int64_t> cluster_bitwise(int i) {
    std::vector<int64_t> out;
    const auto value = [](int lane) { return lane | 64; };
    clusters(out, i, -1, value, std::bit_and());
    clusters(out, i, 0, value, std::bit_or());
    clusters(out, i, 0, value, std::bit_xor());
    return out;
}
std::vector<int64_t> cluster_logical(int i) {
    std::vector<int64_t> out;
    clusters(out, i, 1, [](int lane) { return int{lane != 7}; }, std::bit_and());
    clusters(out, i, 0, [](int lane) { return int{lane == 7}; }, std::bit_or());
    clusters(out, i, 0, [](int lane) { return int{lane != 7}; }, std::bit_xor());
    return out;
}
std::vector<int64_t> pairs(int i) {
    return {i / 2 * 4 + 1};
}

// ---- shuffles

constexpr std::string_view shuffle_source = R"(
#define MOVE(T) KERNEL(moved__##T) { ITEM; T v = (T)(lane * 3); PUT(0, sub_group_shuffle(v, 15 - lane)); \
    PUT(1, sub_group_shuffle_xor(v, 5)); }
NUMBERS(MOVE)
)";
std::vector<int64_t> shuffled(int i) {
    constexpr int64_t three = 3;
    return {(15 - lane_of(i)) * three, (lane_of(i) ^ 5) * three};
}
constexpr std::string_view relative_source = R"(
#define MOVE(T) KERNEL(moved__##T) { ITEM; T v = (T)(lane * 3); T up = sub_group_shuffle_up(v, 3); \
    T down = sub_group_shuffle_down(v, 3); PUT(0, lane < 3 ? (T)0 : up); PUT(1, lane > 12 ? (T)0 : down); }
NUMBERS(MOVE)
)";
std::vector<int64_t> moved(int i) {
    const int lane = lane_of(i);
    return {lane < 3 ? 0 : (lane - 3) * 3, lane > 12 ? 0 : (lane + 3) * 3};
}
constexpr std::string_view rotate_source = R"(
#define TURN(T) KERNEL(turned__##T) { ITEM; T v = (T)(lane * 3); PUT(0, sub_group_rotate(v, 3)); \
    PUT(1, sub_group_clustered_rotate(v, 1, 4)); }
NUMBERS(TURN)
)";
std::vector<int64_t> turned(int i) {
    const int lane = lane_of(i);
    constexpr int64_t three = 3;
    return {(lane + 3) % lanes * three, (lane / 4 * 4 + (lane + 1) % 4) * three};
}

std::string source_of(std::initializer_list<std::string_view> parts) {
    std::string out(types_source);
    for (const std::string_view part : parts)
        out += part;
    return out;
}

} // namespace

std::vector<Program> sub_group_programs() {
    const std::string core = source_of({collective_source, core_source});
    const std::string extended = source_of({collective_source, extended_source});
    const std::string vote = source_of({vote_source});
    const std::string ballots = source_of({ballot_source});
    const std::string arithmetics = source_of({arithmetic_source});
    const std::string clustered = source_of({cluster_source});
    const std::string shuffle = source_of({shuffle_source});
    const std::string relative = source_of({relative_source});
    const std::string rotate = source_of({rotate_source});
    return {
        {{"cl_khr_subgroups", "__opencl_c_subgroups"},
         core,
         {{"sizes", sizes}, {"votes", votes}, {"exchange", exchange}, {"collective", collective}}},
        {{"cl_khr_subgroup_extended_types"}, extended, {{"collective", collective}, {"spread", spread}}},
        {{"cl_khr_subgroup_non_uniform_vote"},
         vote,
         {{"elect", elect}, {"votes", divergent_votes}, {"equal", equal}}},
        {{"cl_khr_subgroup_ballot"},
         ballots,
         {{"ballot", ballot}, {"bits", ballot_bits}, {"masks", masks}, {"first", first}, {"spread", spread}}},
        {{"cl_khr_subgroup_ballot"}, std::string(mask_source), {{"upper", upper}}},
        {{"cl_khr_subgroup_non_uniform_arithmetic"},
         arithmetics,
         {{"arithmetic", arithmetic}, {"bitwise", bitwise}, {"logical", logical}}},
        {{"cl_khr_subgroup_clustered_reduce"},
         clustered,
         {{"arithmetic", cluster_arithmetic},
          {"bitwise", cluster_bitwise},
          {"logical", cluster_logical},
          {"pairs", pairs}}},
        {{"cl_khr_subgroup_shuffle"}, shuffle, {{"moved", shuffled}}},
        {{"cl_khr_subgroup_shuffle_relative"}, relative, {{"moved", moved}}},
        {{"cl_khr_subgroup_rotate"}, rotate, {{"turned", turned}}},
    };
}

} // namespace visor::opencl_extensions
