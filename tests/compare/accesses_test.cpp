#include "compare/accesses.h"

#include "isa/table.h"
#include "parsed.h"

#include <algorithm>
#include <array>

namespace visor::compare {
namespace {

// Of one instruction; its variables as parsed.h declares them: A is 32, H lies 64 bytes into it.
Accesses accesses(std::string_view instruction) {
    const Module module = code(std::string(instruction) + "\n");
    const Canonical made = canonical(module.functions.front(), 32);
    return accesses_of(made, 0);
}

TEST(Accesses, BytesOfTheRoot) {
    const Accesses found = accesses("mov (M1, 8) H(1,0)<1> A(0,2)<1;1,0>");
    ASSERT_EQ(found.list.size(), 2U);
    EXPECT_EQ(found.list[0].name, (Name{Space::general, 32}));
    EXPECT_TRUE(found.list[0].writes);
    EXPECT_EQ(found.list[0].begin, 96U); // 64 + 32
    EXPECT_EQ(found.list[0].end, 128U);
    EXPECT_FALSE(found.list[1].writes);
    EXPECT_EQ(found.list[1].begin, 8U);
    EXPECT_EQ(found.list[1].end, 40U);
    EXPECT_FALSE(found.stays || found.reads_memory || found.writes_memory);
}

TEST(Accesses, Predicates) {
    const Accesses found = accesses("(P) mov (M1, 8) A(0,0)<1> 1:d");
    EXPECT_EQ(found.list[0].name, (Name{Space::predicate, 1}));
    EXPECT_FALSE(found.list[0].writes);
    const Accesses set = accesses("cmp.lt (M1, 8) Q A(0,0)<1;1,0> 1:d");
    EXPECT_EQ(set.list[0].name, (Name{Space::predicate, 2}));
    EXPECT_TRUE(set.list[0].writes);
}

TEST(Accesses, Memory) {
    EXPECT_TRUE(accesses("gather_scaled.4 (M1, 8) T6 0x0:ud A.0 B.0").reads_memory);
    EXPECT_FALSE(accesses("gather_scaled.4 (M1, 8) T6 0x0:ud A.0 B.0").writes_memory);
    EXPECT_TRUE(accesses("scatter_scaled.4 (M1, 8) T6 0x0:ud A.0 B.0").writes_memory);
    EXPECT_TRUE(accesses("dword_atomic.add (M1, 8) T6 A.0 B.0 %null.0 C.0").writes_memory);
    EXPECT_TRUE(accesses("lsc_fence.ugm.none.group").writes_memory);
}

// Rows whose name says so write memory; a new one must not pass for a load.
TEST(Accesses, RowsThatWriteMemory) {
    size_t seen = 0;
    for (const isa::Row* const row : isa::table()) {
        const std::string_view name = row->mnemonic;
        const bool writes = std::ranges::any_of(
            std::to_array<std::string_view>({"atomic", "store", "scatter", "apnd"}),
            [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
        if ((!writes && !name.ends_with("_st")) || row->family == isa::Family::raw)
            continue;
        ++seen;
        EXPECT_TRUE(isa::has(*row, isa::writes_memory) || isa::has(*row, isa::atomic_access)) << name;
    }
    EXPECT_GT(seen, 15U);
}

TEST(Accesses, WhatNothingPasses) {
    for (const char* const instruction :
         {"barrier", "fence_global.E", "yield", "wait 0x0:ub", "mov (M1, 1) %cr0(0,0)<1> 0x0:ud",
          "mov (M1, 1) A(0,0)<1> %tsc(0,0)<0;1,0>", "mov (M1, 8) A(0,0)<1> r[X(0),0]<1;1,0>:d",
          "lifetime.start A"})
        EXPECT_TRUE(accesses(instruction).stays) << instruction;
    EXPECT_FALSE(accesses("addr_add (M1, 1) X(0)<1> &A[0] 0x0:uw").stays);
}

} // namespace
} // namespace visor::compare
