// Expected values are by hand: from the operations of DWARF and of Intel's emitter, and from the kernels'
// text.
#include "debug/source_variables.h"

#include "compile/compile.h"
#include "compile/compilers.h"
#include "debug/c_value.h"
#include "debug/location.h"
#include "debug/private_memory.h"
#include "text/text.h"

#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace visor::debug {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(std::initializer_list<int> values) {
    Bytes out;
    for (const int value : values)
        out.push_back(static_cast<std::byte>(value));
    return out;
}

std::string shown(std::initializer_list<Bytes> locations, bool local = false) {
    const std::vector<Bytes> all(locations);
    const auto place = place_of(all, local);
    if (!place)
        return place.error().substr(0, place.error().find(':'));
    const char* const kinds[] = {"private", "stack", "local"};
    return fmt::format("{} {}", kinds[static_cast<size_t>(place->kind)], place->offset);
}

// What IGC 2.40 writes: registers r5 and r27 at bits 128 and 0, 576 bytes, 8 for each lane.
const Bytes in_private = bytes({0x45, 0x08, 0x80, 0xfe, 0x40, 0x10, 0x2b, 0x30, 0xfe, 0x20, 0x22, 0x23, 0xc0,
                                0x04, 0xed, 0x38, 0x1e, 0x22});
// Register r127 at bit 128, 16 bytes, 8 for each lane, and 192 bytes.
const Bytes on_stack =
    bytes({0x08, 0x8f, 0x08, 0x80, 0xfe, 0x40, 0x23, 0x10, 0xed, 0x38, 0x1e, 0x22, 0x23, 0xc0, 0x01});
// A float of a lane, in registers.
const Bytes in_register =
    bytes({0xed, 0x33, 0x25, 0x23, 0x40, 0xed, 0x37, 0x1a, 0x08, 0x20, 0x1e, 0xfe, 0x20, 0x9f});

TEST(Locations, AreSumsThatCodeComputes) {
    EXPECT_EQ(shown({in_private}), "private 576");
    EXPECT_EQ(shown({in_private, in_private}), "private 576");
    EXPECT_EQ(shown({on_stack}), "stack 208");
    EXPECT_EQ(shown({bytes({0x03, 64, 0, 0, 0x10, 0, 0, 0, 0})}, true), "local 64");
}

TEST(Locations, AreNotGuessed) {
    EXPECT_EQ(shown({}), "optimized away");
    EXPECT_EQ(shown({in_register}), "not known here");
    EXPECT_EQ(shown({in_private, in_register}), "not known here");
    EXPECT_EQ(shown({in_private, on_stack}), "not known here");
    EXPECT_EQ(shown({Bytes{}}), "not known here");
    EXPECT_EQ(shown({bytes({0x03, 64, 0, 0, 0x10, 0, 0, 0, 0})}), "not known here"); // an address of nothing
    EXPECT_EQ(shown({bytes({0x9e, 4, 1, 0, 0, 0})}), "not known here");              // a constant, somewhere
}

TEST(Locations, AreBounded) {
    EXPECT_EQ(shown({Bytes(100'000, std::byte{0x30})}), "not known here");
    EXPECT_EQ(shown({bytes({0x22, 0x22, 0x1e, 0xfe})}), "not known here");
    EXPECT_EQ(shown({bytes({0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})}),
              "not known here");
    for (size_t end = 0; end < in_private.size(); ++end)
        EXPECT_EQ(shown({Bytes(in_private.begin(), in_private.begin() + static_cast<ptrdiff_t>(end))}),
                  "not known here")
            << end;
    std::mt19937 random(1);
    for (int k = 0; k < 20'000; ++k) {
        Bytes one = k % 2 == 0 ? in_private : on_stack;
        one[random() % one.size()] = static_cast<std::byte>(random());
        (void)shown({one}, k % 3 == 0);
    }
}

Function function_of(std::string_view code) {
    Diagnostics diagnostics;
    const auto module =
        text::parse(fmt::format(".version 4.2\n.kernel \"k\"\n"
                                ".decl B v_type=G type=uq num_elts=1 align=qword attrs={{Output}}\n"
                                ".decl I v_type=G type=d num_elts=1 align=dword\n"
                                ".decl O v_type=G type=d num_elts=1 align=dword attrs={{Output}}\n"
                                ".decl L v_type=G type=w num_elts=8 align=hword\n"
                                ".decl U v_type=G type=uw num_elts=8 align=hword alias=<L, 0>\n"
                                ".decl N v_type=G type=d num_elts=8 align=hword\n"
                                ".decl S v_type=G type=d num_elts=8 align=hword\n"
                                ".decl A v_type=G type=d num_elts=8 align=hword\n"
                                ".decl Q v_type=G type=q num_elts=8 align=hword\n"
                                ".decl D v_type=G type=d num_elts=8 align=hword\n"
                                ".input B offset=64 size=8\n.kernel_attr SimdSize=8\n{}    ret (M1, 1)\n",
                                code),
                    {}, diagnostics);
    EXPECT_TRUE(module) << code;
    return module ? module->functions.front() : Function{};
}

constexpr std::string_view lanes = "    mov (M1_NM, 8) L(0,0)<1> 0x76543210:v\n"
                                   "    mov (M1, 8) N(0,0)<1> U(0,0)<1;1,0>\n"
                                   "    mul (M1_NM, 1) O(0,0)<1> I(0,0)<0;1,0> 0x400:d\n"; // instruction 2

TEST(PrivateMemory, HasTheStridesOfTheCode) {
    const Function function =
        function_of(std::string(lanes) + "    mul (M1, 8) S(0,0)<1> N(0,0)<1;1,0> 0x4:w\n"
                                         "    add (M1, 8) S(0,0)<1> 0xc0:d S(0,0)<1;1,0>\n"
                                         "    add (M1, 8) A(0,0)<1> O(0,0)<0;1,0> S(0,0)<1;1,0>\n"
                                         "    mov (M1, 8) Q(0,0)<1> A(0,0)<1;1,0>\n"
                                         "    add (M1, 8) Q(0,0)<1> B(0,0)<0;1,0> Q(0,0)<1;1,0>\n"
                                         "    svm_scatter.4.1 (M1, 8) Q.0 D.0\n"); // instruction 8
    const PrivateMemory memory(function, 32);
    ASSERT_TRUE(memory.bases());
    EXPECT_FALSE(memory.has_base(Place::Kind::private_memory, 2)); // is about to be computed
    EXPECT_TRUE(memory.has_base(Place::Kind::private_memory, 3));
    EXPECT_EQ(memory.stride_of({Place::Kind::private_memory, 0xc0}), 4);
    EXPECT_FALSE(memory.stride_of({Place::Kind::private_memory, 0xc4}));
    EXPECT_FALSE(memory.stride_of({Place::Kind::stack, 0xc0}));
    EXPECT_EQ(memory.first_store({Place::Kind::private_memory, 0xc0}, 32), 8);
    EXPECT_FALSE(memory.first_store({Place::Kind::private_memory, 0xe0}, 32));
}

TEST(PrivateMemory, IsNotKnownWhereTheCodeDiffers) {
    const std::string twice = "    mul (M1, 8) S(0,0)<1> N(0,0)<1;1,0> 0x8:w\n"
                              "    add3 (M1, 8) A(0,0)<1> O(0,0)<0;1,0> 0x40:d S(0,0)<1;1,0>\n"
                              "    mul (M1, 8) S(0,0)<1> N(0,0)<1;1,0> 0x4:w\n"
                              "    add3 (M1, 8) A(0,0)<1> O(0,0)<0;1,0> 0x40:d S(0,0)<1;1,0>\n";
    const Function two = function_of(std::string(lanes) + twice);
    EXPECT_FALSE(PrivateMemory(two, 32).stride_of({Place::Kind::private_memory, 0x40})); // 8 and 4
    const Function again = function_of(std::string(lanes) + "    mov (M1_NM, 1) O(0,0)<1> 0x0:d\n");
    EXPECT_FALSE(PrivateMemory(again, 32).has_base(Place::Kind::private_memory, 9)); // the offset changes
}

TEST(CValues, AreWrittenAsInC) {
    using Kind = SourceType::Kind;
    std::vector<SourceType> types{
        {.kind = Kind::signed_integer, .name = "int", .bytes = 4},
        {.kind = Kind::real, .name = "float", .bytes = 4},
        {.kind = Kind::vector, .name = "float3", .bytes = 16, .element = 1, .count = 3},
        {.kind = Kind::structure,
         .name = "struct pt",
         .bytes = 8,
         .members = {{"x", 0, 0}, {"y", 4, 1}, {"far", 400, 0}}},
        {.kind = Kind::array, .name = "int[100]", .bytes = 400, .element = 0, .count = 100},
        {.kind = Kind::enumeration,
         .name = "enum color",
         .bytes = 4,
         .enumerators = {{"red", 0}, {"green", -7}}},
        {.kind = Kind::array, .name = "itself", .bytes = 8, .element = 6, .count = 1},
        {.kind = Kind::pointer, .name = "int*", .bytes = 8, .element = 0}};
    const auto text = [&](uint32_t type, const auto& values) {
        return value_text(types, type, std::as_bytes(std::span(values)));
    };
    EXPECT_EQ(text(0, std::array{-5}), "-5");
    EXPECT_EQ(text(2, std::array{1.5F, -2.0F, 0.1F, 9.0F}), "{1.5, -2, 0.1}");
    EXPECT_EQ(text(3, std::array{7, 0x40200000}), "{x = 7, y = 2.5, far = ...}");
    EXPECT_EQ(text(5, std::array{-7}), "green");
    EXPECT_EQ(text(5, std::array{5}), "5");
    EXPECT_EQ(text(7, std::array{uint64_t{0x1234}}), "0x1234");
    EXPECT_EQ(shown_bytes(types, 4), 256); // 64 elements
    EXPECT_TRUE(text(4, std::array<int, 64>{}).ends_with("0 ...}"));
    EXPECT_EQ(text(6, std::array<int, 2>{}), "{{{{{...}}}}}");
    EXPECT_EQ(text(0, std::array<char, 2>{}), "..."); // too few bytes
    EXPECT_EQ(text(99, std::array{1}), "...");
}

// ---- what a compiler wrote

constexpr std::string_view source = "struct pt { int x; float y; };\n"
                                    "kernel void steps(global int* a, int n) {\n"
                                    "    int i = get_global_id(0);\n"
                                    "    struct pt p;\n"
                                    "    p.x = i; p.y = n;\n"
                                    "    for (int k = 0; k < n; ++k) {\n"
                                    "        int sq = k * k;\n"
                                    "        a[i] += sq + p.x;\n"
                                    "    }\n"
                                    "}\n";

// Nothing: no compiler here takes it.
std::optional<Bytes> compiled(std::string_view options) {
    compile::Request request;
    request.name = "steps.cl";
    request.source = source;
    request.options = options;
    for (const char* const device : {"dg2", "skl"}) {
        request.device = device;
        if (auto output = compile::compile(request))
            return std::move(output->zebin);
    }
    return std::nullopt;
}

const SourceVariableInfo* variable_of(const DebugInformation& all, std::string_view name) {
    for (const SourceScope& scope : all.scopes)
        for (const SourceVariableInfo& variable : scope.variables)
            if (variable.name == name)
                return &variable;
    return nullptr;
}

TEST(Dwarf, HasNamesTypesAndScopes) {
    const auto zebin = compiled("-g -cl-opt-disable");
    if (!zebin)
        GTEST_SKIP() << "no OpenCL compiler here";
    const auto all = read_dwarf(*zebin);
    if (!all && all.error().contains("libdw"))
        GTEST_SKIP() << all.error();
    ASSERT_TRUE(all) << all.error();
    ASSERT_FALSE(all->scopes.empty());
    EXPECT_EQ(all->scopes.front().name, "steps");
    const struct {
        const char* name;
        const char* type;
        uint32_t line;
        bool parameter;
    } expected[] = {{"a", "int*", 2, true},       {"n", "int", 2, true},  {"i", "int", 3, false},
                    {"p", "struct pt", 4, false}, {"k", "int", 6, false}, {"sq", "int", 7, false}};
    for (const auto& one : expected) {
        const SourceVariableInfo* const found = variable_of(*all, one.name);
        ASSERT_NE(found, nullptr) << one.name;
        ASSERT_LT(found->type, all->types.size());
        EXPECT_EQ(all->types[found->type].name, one.type);
        EXPECT_EQ(found->line, one.line);
        EXPECT_EQ(found->is_parameter, one.parameter);
        const auto place = place_of(found->locations, found->in_local_memory);
        if (!place && place.error().contains("in registers of the machine code"))
            GTEST_SKIP() << "this compiler keeps variables in registers (`scripts/test compilers-tenth` asks "
                            "newer ones)";
        EXPECT_TRUE(place) << one.name << " " << place.error();
    }
    EXPECT_EQ(variable_of(*all, "get_global_id"), nullptr);
    const auto block = std::ranges::find_if(all->scopes, [](const SourceScope& scope) {
        return !scope.variables.empty() && scope.variables.front().name == "sq";
    });
    ASSERT_NE(block, all->scopes.end());
    EXPECT_TRUE(std::ranges::any_of(block->lines, [](const FileLine& line) { return line.line == 8; }));
    EXPECT_FALSE(std::ranges::any_of(block->lines, [](const FileLine& line) { return line.line == 3; }));
}

TEST(Dwarf, SaysWhyThereIsNone) {
    EXPECT_FALSE(read_dwarf({}));
    EXPECT_FALSE(read_dwarf(Bytes(1'000, std::byte{7})));
    if (const auto zebin = compiled(""); !zebin)
        GTEST_SKIP() << "no OpenCL compiler here";
    else
        EXPECT_FALSE(read_dwarf(*zebin));
}

// A few bytes of those can name a size of many gigabytes.
TEST(Dwarf, RefusesCompressedSections) {
    auto zebin = compiled("-g -cl-opt-disable");
    if (!zebin)
        GTEST_SKIP() << "no OpenCL compiler here";
    constexpr size_t header_table = 0x28; // of a 64-bit ELF file: its offset, then sizes and their number
    constexpr size_t header_count = 0x3c;
    constexpr size_t header_bytes = 64;
    constexpr size_t flags = 8; // of a section's header
    uint64_t table = 0;
    uint16_t count = 0;
    std::memcpy(&table, zebin->data() + header_table, sizeof table);
    std::memcpy(&count, zebin->data() + header_count, sizeof count);
    ASSERT_GT(count, 1);
    ASSERT_LE(table + count * header_bytes, zebin->size());
    (*zebin)[table + header_bytes + flags + 1] |= std::byte{0x08}; // SHF_COMPRESSED
    const auto all = read_dwarf(*zebin);
    ASSERT_FALSE(all);
    if (all.error().contains("libdw"))
        GTEST_SKIP() << all.error();
    EXPECT_NE(all.error().find("compressed"), std::string::npos) << all.error();
}

TEST(Dwarf, OutlivesDamage) {
    const auto zebin = compiled("-g -cl-opt-disable");
    if (!zebin)
        GTEST_SKIP() << "no OpenCL compiler here";
    std::mt19937 random(7);
    const std::string_view text(reinterpret_cast<const char*>(zebin->data()), zebin->size());
    const size_t begin = text.find("clang version"); // .debug_info and what follows
    ASSERT_NE(begin, std::string_view::npos);
    for (int round = 0; round < 2'000; ++round) {
        Bytes damaged = *zebin;
        const size_t from = round % 4 == 0 ? 0 : begin - 64;
        for (uint32_t k = 0; k < 1 + random() % 8; ++k)
            damaged[from + random() % (damaged.size() - from)] = static_cast<std::byte>(random());
        if (round % 16 == 0)
            damaged.resize(random() % damaged.size());
        const auto all = read_dwarf(damaged);
        for (const SourceScope& scope : all ? all->scopes : std::vector<SourceScope>{})
            for (const SourceVariableInfo& variable : scope.variables) {
                ASSERT_LE(scope.parent, all->scopes.size());
                [[maybe_unused]] const auto place = place_of(variable.locations, variable.in_local_memory);
                [[maybe_unused]] const auto text_of_it =
                    value_text(all->types, variable.type, Bytes(shown_bytes(all->types, variable.type)));
            }
    }
}

} // namespace
} // namespace visor::debug
