#include "programs.h"

#include <array>
#include <fmt/format.h>
#include <utility>

namespace visor::opencl_extensions {

namespace {

// Each group shares a number, in global or local memory, that its items change; what they leave does not
// depend on who comes first.
constexpr std::string_view shared_source = R"(
#define FIRST (get_local_id(0) == 0)
#define ROW (out + get_global_id(0) / 32 * 512)
#define SYNC barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define global_PLACE(T) volatile global T* a = (volatile global T*)(ROW + 15)
#define local_PLACE(T) local T place; volatile local T* a = &place
#define START(value) SYNC; if (FIRST) *(PLAIN)a = value; SYNC
#define RESULT(at) SYNC; PUT(at, *(PLAIN)a)
#define END SYNC; if (FIRST) ROW[15] = 0
)";
constexpr std::string_view base_source = R"(
#define BASE(T, SPACE) KERNEL(base__##T) { SPACE##_PLACE(T); int l = get_local_id(0); \
    START(0); T old = P(add)(a, (T)2); RESULT(0); PUT(1, old >= 0 && old < 64 && old % 2 == 0); \
    START(100); P(sub)(a, (T)1); RESULT(2); START(7); P(inc)(a); RESULT(3); START(40); P(dec)(a); RESULT(4); \
    START(77); old = P(xchg)(a, (T)77); PUT(5, old); START(5); old = P(cmpxchg)(a, (T)5, (T)6); RESULT(6); PUT(7, old == 5 || old == 6); END; }
)";
constexpr std::string_view extended_source = R"(
#define MORE(T, SPACE) KERNEL(more__##T) { SPACE##_PLACE(T); int l = get_local_id(0); \
    START(90); P(min)(a, (T)(40 - l)); RESULT(0); START(3); P(max)(a, (T)(40 - l)); RESULT(1); \
    START(-1); P(and)(a, ~((T)1 << l)); RESULT(2); START(0); P(or)(a, (T)1 << l); RESULT(3); \
    START(0); P(xor)(a, (T)3 << l); RESULT(4); END; }
)";
// All 32 bits of an int are taken away and set; xor of 3 << l leaves the first and, in 64 bits, the last + 1.
template <int bits, bool is_signed>
std::vector<int64_t> extended_results() {
    const uint64_t all = uint64_t{0xffffffff};
    const uint64_t wide = bits == 64 ? uint64_t{1} << 32 | 1 : 1;
    const auto number = [](uint64_t value) {
        return bits == 32 && is_signed ? int64_t{static_cast<int32_t>(value)} : static_cast<int64_t>(value);
    };
    return {9, 40, number(bits == 32 ? 0 : ~all), number(all), number(wide)};
}
std::vector<int64_t> with_end(int i, std::vector<int64_t> out) {
    if (i % group_size == 0) {
        out.resize(room, untouched);
        out.back() = 0;
    }
    return out;
}
std::vector<int64_t> base(int i) {
    return with_end(i, {64, 1, 68, 39, 8, 77, 6, 1});
}

Program legacy(std::string_view name, std::string_view types, std::string_view space, bool more) {
    const bool wide = types == "long";
    std::string source(shared_source);
    source += "#define PLAIN volatile " + std::string(space) + (wide ? " long*\n" : " int*\n");
    source += wide ? "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n#pragma OPENCL EXTENSION "
                     "cl_khr_int64_extended_atomics : enable\n"
                   : "";
    source += "#define P(name) atom_##name\n";
    source += more ? extended_source : base_source;
    const std::string macro = more ? "MORE(" : "BASE(";
    const std::string first = wide ? "long" : "int";
    source += macro + first + ", " + std::string(space) + ")\n";
    Program out{.proves = {std::string(name)}, .source = source, .kernels = {}, .options = "-cl-std=CL1.2"};
    if (more)
        out.kernels = {{"more", wide ? +[](int i) { return with_end(i, extended_results<64, true>()); }
                                     : +[](int i) { return with_end(i, extended_results<32, true>()); }}};
    else
        out.kernels = {{"base", base}};
    return out;
}

// ---- orders and scopes of OpenCL C 3.0: what one item releases, another one acquires

constexpr std::string_view order_source = R"(
KERNEL(order) { global_PLACE(atomic_int); local atomic_int near; volatile local atomic_int* n = &near; int l = get_local_id(0);
    if (FIRST) { atomic_init(a, 0); atomic_init(n, 0); } SYNC;
    atomic_fetch_add_explicit(a, 1, ACQUIRE_RELEASE, SCOPE); atomic_fetch_add_explicit(n, 2, ACQUIRE_RELEASE, SCOPE);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, ACQUIRE_RELEASE, SCOPE); SYNC;
    PUT(0, atomic_load_explicit(a, ACQUIRE, SCOPE)); PUT(1, atomic_load_explicit(n, ACQUIRE, SCOPE)); SYNC;
    if (FIRST) { int expected = 32; PUT(2, atomic_compare_exchange_strong_explicit(a, &expected, 5, ACQUIRE_RELEASE, memory_order_relaxed, SCOPE));
        expected = 1; PUT(3, atomic_compare_exchange_strong_explicit(a, &expected, 6, ACQUIRE_RELEASE, ACQUIRE, SCOPE)); PUT(4, expected);
        PUT(5, atomic_exchange_explicit(a, 9, ACQUIRE_RELEASE, SCOPE)); atomic_store_explicit(a, 11, RELEASE, SCOPE);
        PUT(6, atomic_fetch_max_explicit(a, 20, ACQUIRE_RELEASE, SCOPE)); PUT(7, atomic_load_explicit(a, ACQUIRE, SCOPE)); }
    END; }
)";
std::vector<int64_t> order(int i) {
    std::vector<int64_t> out{32, 64};
    if (i % group_size == 0)
        out.insert(out.end(), {1, 0, 5, 5, 11, 20});
    return with_end(i, std::move(out));
}
Program ordered(std::vector<std::string> names, std::string_view orders, std::string_view scope) {
    std::string source(shared_source);
    if (orders == "seq_cst")
        source += "#define ACQUIRE memory_order_seq_cst\n#define RELEASE memory_order_seq_cst\n"
                  "#define ACQUIRE_RELEASE memory_order_seq_cst\n";
    else if (orders == "acq_rel")
        source += "#define ACQUIRE memory_order_acquire\n#define RELEASE memory_order_release\n"
                  "#define ACQUIRE_RELEASE memory_order_acq_rel\n";
    else
        source += "#define ACQUIRE memory_order_relaxed\n#define RELEASE memory_order_relaxed\n"
                  "#define ACQUIRE_RELEASE memory_order_relaxed\n";
    source += "#define SCOPE memory_scope_" + std::string(scope) + "\n" + std::string(order_source);
    return {.proves = std::move(names), .source = source, .kernels = {{"order", order}}};
}

constexpr std::string_view item_source = R"(
KERNEL(fence) { int i = get_global_id(0); out[i * 16] = i; atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    PUT(1, out[i * 16] + 1); }
)";
std::vector<int64_t> fence(int i) {
    return {i, i + 1};
}

// ---- cl_ext_float_atomics

constexpr std::string_view float_kernels = R"(
#if KIND == 0
KERNEL(moves) { OWN_PLACE; int i = get_global_id(0); atomic_store_explicit(a, (T)i, memory_order_relaxed, memory_scope_device);
    PUT(0, atomic_exchange_explicit(a, (T)(i + 1), memory_order_relaxed, memory_scope_device));
    PUT(1, atomic_load_explicit(a, memory_order_relaxed, memory_scope_device)); atomic_store(a, (T)(i + 2));
    PUT(2, atomic_exchange(a, (T)(i + 3))); PUT(3, atomic_load(a)); atomic_store_explicit(a, (T)i, memory_order_release);
    PUT(4, atomic_load_explicit(a, memory_order_acquire)); PUT(5, atomic_exchange_explicit(a, (T)1, memory_order_acq_rel));
    OWN_END; }
#elif KIND == 1
KERNEL(sums) { PLACE; START(0); T old = atomic_fetch_add_explicit(a, (T)2, memory_order_relaxed, memory_scope_device); RESULT(0);
    PUT(1, old >= 0 && old < 64); START(100); atomic_fetch_sub_explicit(a, (T)1, memory_order_relaxed, memory_scope_work_group); RESULT(2);
    START((T)0.5f); atomic_fetch_add(a, (T)1); RESULT(3); START(100); atomic_fetch_sub(a, (T)2); RESULT(4);
    START(1); atomic_fetch_add_explicit(a, (T)0.25f, memory_order_acq_rel); RESULT(5);
    START(50); atomic_fetch_sub_explicit(a, (T)0.5f, memory_order_acq_rel); RESULT(6); END; }
#else
KERNEL(ends) { PLACE; int l = get_local_id(0); START(90); atomic_fetch_min_explicit(a, (T)(40 - l), memory_order_relaxed, memory_scope_device); RESULT(0);
    START(-3); T old = atomic_fetch_max_explicit(a, (T)(l - 20), memory_order_relaxed, memory_scope_work_group); RESULT(1); PUT(2, old >= -3 && old <= 11);
    START(90); atomic_fetch_min(a, (T)(10 - l)); RESULT(3); START(-90); atomic_fetch_max(a, (T)(-l)); RESULT(4);
    START(1); atomic_fetch_min_explicit(a, (T)l, memory_order_acq_rel); RESULT(5); START(1); atomic_fetch_max_explicit(a, (T)l, memory_order_acq_rel); RESULT(6); END; }
#endif
)";
std::vector<int64_t> moves(int i) {
    std::vector<int64_t> out{i, i + 1, i + 2, i + 3, i, i};
    out.resize(room, untouched);
    out[14] = 0;
    out.pop_back();
    return out;
}
std::vector<int64_t> float_sums(int i) {
    return with_end(i, {64, 1, 68, 32, 36, 9, 34});
}
std::vector<int64_t> ends(int i) {
    return with_end(i, {9, 11, 1, -21, 0, 0, 31});
}

struct FloatType {
    std::string_view name;    // in OpenCL C
    std::string_view feature; // in names of features
    std::string_view query;   // in the name of the query of capabilities
};
struct FloatKind {
    std::string_view feature;
    std::string_view bit;
    Kernel kernel;
};
constexpr std::array float_types{FloatType{"half", "fp16", "HALF"}, FloatType{"float", "fp32", "SINGLE"},
                                 FloatType{"double", "fp64", "DOUBLE"}};
constexpr std::array float_kinds{FloatKind{"load_store", "LOAD_STORE", {"moves", moves}},
                                 FloatKind{"add", "ADD", {"sums", float_sums}},
                                 FloatKind{"min_max", "MIN_MAX", {"ends", ends}}};

// `kind`: an index.
Program float_program(const FloatType& type, bool global, size_t kind) {
    const std::string_view space = global ? "global" : "local";
    std::string source(shared_source);
    source += fmt::format("#define T {}\n#define KIND {}\n", type.name, kind);
    source +=
        fmt::format("#define PLAIN volatile {0} T*\n#define PLACE {0}_PLACE(atomic_{1})\n", space, type.name);
    source += global
                  ? fmt::format("#define OWN_PLACE volatile global atomic_{0}* a = (volatile global "
                                "atomic_{0}*)(out + get_global_id(0) * 16 + 14)\n",
                                type.name)
                  : fmt::format("#define OWN_PLACE local atomic_{0} places[32]; volatile local atomic_{0}* a "
                                "= places + get_local_id(0)\n",
                                type.name);
    source += "#define OWN_END PUT(14, 0)\n";
    source += float_kernels;
    std::vector<std::string> names{
        fmt::format("CL_DEVICE_{}_FP_ATOMIC_CAPABILITIES_EXT: CL_DEVICE_{}_FP_ATOMIC_{}_EXT", type.query,
                    global ? "GLOBAL" : "LOCAL", float_kinds[kind].bit)};
    if (kind != 0 || type.name == "half")
        names.push_back(
            fmt::format("__opencl_c_ext_{}_{}_atomic_{}", type.feature, space, float_kinds[kind].feature));
    if (kind == 0 && type.name == "float") // what every device has
        names.emplace_back("cl_ext_float_atomics");
    return {.proves = std::move(names), .source = std::move(source), .kernels = {float_kinds[kind].kernel}};
}

} // namespace

std::vector<Program> atomic_programs() {
    std::vector<Program> out{
        legacy("cl_khr_global_int32_base_atomics", "int", "global", false),
        legacy("cl_khr_global_int32_extended_atomics", "int", "global", true),
        legacy("cl_khr_local_int32_base_atomics", "int", "local", false),
        legacy("cl_khr_local_int32_extended_atomics", "int", "local", true),
        legacy("cl_khr_int64_base_atomics", "long", "global", false),
        legacy("cl_khr_int64_base_atomics", "long", "local", false),
        legacy("cl_khr_int64_extended_atomics", "long", "global", true),
        legacy("cl_khr_int64_extended_atomics", "long", "local", true),
        ordered({"CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_RELAXED",
                 "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP",
                 "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_RELAXED",
                 "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP"},
                "relaxed", "work_group"),
        ordered({"__opencl_c_atomic_order_acq_rel",
                 "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_ACQ_REL",
                 "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_ACQ_REL",
                 "__opencl_c_atomic_scope_device",
                 "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_DEVICE",
                 "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_DEVICE"},
                "acq_rel", "device"),
        ordered({"__opencl_c_atomic_order_seq_cst",
                 "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_SEQ_CST",
                 "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_ORDER_SEQ_CST",
                 "__opencl_c_atomic_scope_all_devices",
                 "CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES",
                 "CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES"},
                "seq_cst", "all_devices"),
        {{"CL_DEVICE_ATOMIC_FENCE_CAPABILITIES: CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM"},
         std::string(item_source),
         {{"fence", fence}}},
    };
    for (const FloatType& type : float_types)
        for (const bool global : {true, false})
            for (size_t kind = 0; kind < float_kinds.size(); ++kind)
                out.push_back(float_program(type, global, kind));
    return out;
}

} // namespace visor::opencl_extensions
