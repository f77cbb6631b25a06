#include "programs.h"

#include <algorithm>
#include <array>

namespace visor::opencl_extensions {

namespace {

constexpr std::string_view collective_source = R"(
#ifdef cl_khr_fp64
#define DOUBLE(F) F(double)
#else
#define DOUBLE(F)
#endif
#define TYPES(F) F(int) F(uint) F(long) F(ulong) F(half) F(float) DOUBLE(F)
#define ALL(T) KERNEL(collective__##T) { uint l = get_local_id(0); T v = (T)(l % 4); T w = (T)(40 - l); \
    PUT(0, work_group_broadcast((T)(l * 3), 5)); PUT(1, work_group_reduce_add(v)); PUT(2, work_group_reduce_min(w)); \
    PUT(3, work_group_reduce_max(w)); PUT(4, work_group_scan_exclusive_add(v)); PUT(5, work_group_scan_inclusive_add(v)); \
    T least = work_group_scan_exclusive_min(w), most = work_group_scan_exclusive_max(v); \
    PUT(6, l == 0 ? (T)0 : least); PUT(7, work_group_scan_inclusive_min(w)); PUT(8, l == 0 ? (T)0 : most); \
    PUT(9, work_group_scan_inclusive_max(v)); }
TYPES(ALL)
KERNEL(votes) { uint l = get_local_id(0); PUT(0, work_group_all(l < 32) != 0); PUT(1, work_group_all(l < 31) != 0);
    PUT(2, work_group_any(l == 3) != 0); PUT(3, work_group_any(l == 32) != 0); }
)";
std::vector<int64_t> collective(int i) {
    const int l = i % group_size;
    int64_t before = 0;
    for (int item = 0; item < l; ++item)
        before += item % 4;
    const int64_t most_before = std::min(l - 1, 3);
    return {15,
            48,
            9,
            40,
            before,
            before + l % 4,
            l == 0 ? 0 : 40 - (l - 1),
            40 - l,
            l == 0 ? 0 : most_before,
            std::min(l, 3)};
}
std::vector<int64_t> votes(int /*i*/) {
    return {1, 0, 1, 0};
}

constexpr std::string_view generic_source = R"(
int twice(int* p) { return *p * 2; }
KERNEL(pointers) { int i = get_global_id(0); local int shared[32]; shared[get_local_id(0)] = i; int own = i + 1;
    global int* there = (global int*)(out + i * 16 + 15); *there = i + 2; int kind = i % 3;
    int* p = kind == 0 ? (int*)&shared[get_local_id(0)] : kind == 1 ? &own : (int*)there;
    PUT(0, twice(p)); *p += 100; PUT(1, shared[get_local_id(0)] + own + *there);
    PUT(2, kind == 1 ? 2 : (to_local(p) != 0) + (to_private(p) != 0) * 2 + (to_global(p) != 0) * 4);
    PUT(3, (get_fence(p) & (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)) == (kind == 0 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE) || kind == 1);
    PUT(15, 0); }
)";
constexpr std::string_view private_source = R"(
KERNEL(own) { int i = get_global_id(0); int own = i; local int shared[32]; int* p = i % 3 == 0 ? &own : i % 3 == 1 ? (int*)&shared[get_local_id(0)] : (int*)(out + i * 16 + 1);
    PUT(0, (to_local(p) != 0) + (to_private(p) != 0) * 2 + (to_global(p) != 0) * 4); }
)";
std::vector<int64_t> own(int i) {
    constexpr std::array<int64_t, 3> spaces{2, 1, 4};
    return {spaces[static_cast<size_t>(i % 3)]};
}
std::vector<int64_t> generic(int i) {
    std::vector<int64_t> out{int64_t{2} * (i + i % 3), int64_t{3} * i + 3 + 100, int64_t{1} << (i % 3), 1};
    out.resize(room, untouched);
    out.back() = 0;
    return out;
}

constexpr std::string_view variables_source = R"(
global int table[4] = {5, 6, 7, 8}; global int kept = 9; static global long sum; global int* global pointer = &table[1];
constant float half_of[2] = {0.5f, 1.5f};
KERNEL(variables) { int i = get_global_id(0); PUT(0, table[i % 4] + kept); PUT(1, sum); PUT(2, pointer[1]); PUT(3, half_of[i % 2] * 2); }
)";
std::vector<int64_t> variables(int i) {
    return {5 + i % 4 + 9, 0, 7, i % 2 == 0 ? 1 : 3};
}

constexpr std::string_view split_source = R"(
KERNEL(barriers) { local int shared[32]; int l = get_local_id(0); int i = get_global_id(0); shared[l] = i;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE); int own = i * 3;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE); PUT(0, shared[31 - l] + own);
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
    shared[l] = i * 2; barrier(CLK_LOCAL_MEM_FENCE); PUT(1, shared[l ^ 17]); }
)";
std::vector<int64_t> barriers(int i) {
    const int first = i - i % group_size;
    return {first + 31 - i % group_size + int64_t{3} * i, int64_t{2} * (first + (i % group_size ^ 17))};
}

} // namespace

std::vector<Program> group_programs() {
    return {
        {{"__opencl_c_work_group_collective_functions",
          "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: CL_TRUE"},
         std::string(collective_source),
         {{"collective", collective}, {"votes", votes}}},
        {{"__opencl_c_generic_address_space", "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: CL_TRUE"},
         std::string(generic_source),
         {{"pointers", generic}}},
        {{"__opencl_c_generic_address_space", "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: CL_TRUE"},
         std::string(private_source),
         {{"own", own}}},
        {{"__opencl_c_program_scope_global_variables"},
         std::string(variables_source),
         {{"variables", variables}}},
        {{"cl_intel_split_work_group_barrier"}, std::string(split_source), {{"barriers", barriers}}},
    };
}

} // namespace visor::opencl_extensions
