// The table as a whole: that keys and names are unique, that both indexes find every row, and how many rows
// there are.
#include "isa/opcode.h"
#include "isa/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace visor::isa {
namespace {

std::vector<std::string> names_of(const Row& row) {
    std::vector<std::string> names{row.mnemonic};
    std::istringstream spellings(row.spellings);
    for (std::string word; spellings >> word;)
        names.push_back(word);
    return names;
}

std::map<Family, int> count_by_family() {
    std::map<Family, int> counts;
    for (const Row* row : table())
        ++counts[row->family];
    return counts;
}

TEST(Table, HasEveryRowOnceInOrder) {
    ASSERT_FALSE(table().empty());
    const Row* before = nullptr;
    for (const Row* row : table()) {
        if (before != nullptr) {
            EXPECT_LT(std::pair(before->opcode, before->sub), std::pair(row->opcode, row->sub))
                << row->mnemonic;
        }
        before = row;
    }
}

TEST(Table, FindsEveryRowByItsKey) {
    for (const Row* row : table()) {
        EXPECT_EQ(find(row->opcode, row->sub), row) << row->mnemonic;
        EXPECT_EQ(has_sub_opcodes(row->opcode), row->sub >= 0) << row->mnemonic;
    }
}

TEST(Table, FindsNoRowByAKeyThatIsNone) {
    EXPECT_EQ(find(0x00, -1), nullptr);
    EXPECT_EQ(find(0x01, 0), nullptr);
    EXPECT_EQ(find(0x4e, -1), nullptr);
    EXPECT_EQ(find(0x4e, 0), nullptr);
    EXPECT_EQ(find(0x4e, 8), nullptr);
    EXPECT_EQ(find(0x89, 0x1f), nullptr); // the fence has an opcode of its own
    EXPECT_EQ(find(0x8a, 0x00), nullptr); // lsc_load is untyped only
    EXPECT_EQ(find(0x4d, 0x0e), nullptr);
    EXPECT_EQ(find(0xff, -1), nullptr);
    EXPECT_FALSE(has_sub_opcodes(0x00));
    EXPECT_FALSE(has_sub_opcodes(0xff));
}

// Opcodes that the documentation's list and the compiler's enumeration leave unused.
TEST(Table, LeavesReservedOpcodesFree) {
    const std::set<int> reserved{0x00, 0x3b, 0x3d, 0x3e, 0x3f, 0x53, 0x58, 0x5e, 0x61, 0x62, 0x63,
                                 0x64, 0x65, 0x66, 0x76, 0x77, 0x88, 0x8c, 0x8d, 0x8e, 0x8f};
    std::set<int> used;
    for (const Row* row : table())
        used.insert(row->opcode);
    for (int opcode = 0; opcode <= 0x9c; ++opcode)
        EXPECT_NE(used.contains(opcode), reserved.contains(opcode)) << std::hex << opcode;
    EXPECT_LE(*used.rbegin(), 0x9c);
}

TEST(Table, NamesAreUniqueButForTypedLsc) {
    std::map<std::string, const Row*> seen;
    for (const Row* row : table()) {
        for (const std::string& name : names_of(*row)) {
            const auto [first, inserted] = seen.emplace(name, row);
            if (inserted)
                continue;
            EXPECT_EQ(row->opcode, opcode::lsc_typed) << name;
            EXPECT_EQ(first->second->opcode, opcode::lsc_untyped) << name;
            EXPECT_EQ(first->second->sub, row->sub) << name;
        }
    }
    EXPECT_EQ(seen.size(), mnemonics().size());
}

TEST(Table, FindsEveryNameAndSpelling) {
    for (const Row* row : table()) {
        for (const std::string& name : names_of(*row)) {
            const Row* found = find(name);
            ASSERT_NE(found, nullptr) << name;
            if (found->opcode == opcode::lsc_untyped && row->opcode == opcode::lsc_typed)
                found = find(opcode::lsc_typed, found->sub);
            EXPECT_EQ(found, row) << name;
        }
    }
}

TEST(Table, FindsNoOtherName) {
    for (const char* name : {"", " ", "ADD", "Add", "ad", "addd", "scatter_scaled.4", "svm", "fence", "raw",
                             "if", "asin", "cmp.eq", "raw_sendc raw_send"})
        EXPECT_EQ(find(name), nullptr) << name;
}

TEST(Table, MnemonicsAreSorted) {
    const auto names = mnemonics();
    EXPECT_TRUE(std::ranges::is_sorted(names));
    EXPECT_TRUE(std::ranges::binary_search(names, std::string_view("scatter_scaled")));
    EXPECT_TRUE(std::ranges::binary_search(names, std::string_view("fence_sw")));
}

// Counted by hand from the instruction index of the documentation, the SVM and LSC sub-opcode tables and the
// list of sampler operations.
TEST(Table, HasAsManyRowsAsThereAreInstructions) {
    auto counts = count_by_family();
    EXPECT_EQ(counts[Family::arith], 27 + 16); // 0x01..0x1b, and those above
    EXPECT_EQ(counts[Family::logic], 17);
    EXPECT_EQ(counts[Family::compare], 3);
    EXPECT_EQ(counts[Family::move], 6);
    EXPECT_EQ(counts[Family::address], 1);
    EXPECT_EQ(counts[Family::flow], 11);
    EXPECT_EQ(counts[Family::scattered], 8);
    EXPECT_EQ(counts[Family::block], 3);
    EXPECT_EQ(counts[Family::svm], 6);
    EXPECT_EQ(counts[Family::atomic], 2);
    EXPECT_EQ(counts[Family::typed], 3);
    EXPECT_EQ(counts[Family::lsc], 40 + 30 + 1);
    EXPECT_EQ(counts[Family::sampler], 2 + 24 + 5 + 14 + 2);
    EXPECT_EQ(counts[Family::sync], 7);
    EXPECT_EQ(counts[Family::debug], 4);
    EXPECT_EQ(counts[Family::matrix], 4);
    EXPECT_EQ(counts[Family::media], 4 + 7 + 16);
    EXPECT_EQ(counts[Family::vme], 4);
    EXPECT_EQ(counts[Family::render], 3);
    EXPECT_EQ(counts[Family::raw], 3);
}

TEST(Table, WhatIsNotExecutedIsKnown) {
    const std::set<Family> families{Family::media, Family::vme, Family::render, Family::raw};
    std::set<std::string_view> found;
    for (const Row* row : table())
        if (*row->unsupported != '\0' && !families.contains(row->family))
            found.insert(row->mnemonic);
    EXPECT_TRUE(found.empty()) << *found.begin();
}

TEST(Table, EveryPageIsAPageOrASource) {
    const std::string page_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    for (const Row* row : table()) {
        const std::string page = row->page;
        EXPECT_FALSE(page.empty()) << row->mnemonic;
        if (!page.starts_with("source: ")) {
            EXPECT_EQ(page.find_first_not_of(page_letters), std::string::npos) << row->mnemonic;
        }
    }
}

// What no device here has comes from generations after the newest: it must not hide an instruction that has a
// page.
TEST(Table, EveryInstructionWithAPageExistsOnSomeDevice) {
    for (const Row* row : table()) {
        if (!std::string_view(row->page).starts_with("source: ")) {
            EXPECT_NE(row->devices, 0) << row->mnemonic;
        }
        EXPECT_EQ(row->devices & ~every_device, 0) << row->mnemonic;
    }
}

} // namespace
} // namespace visor::isa
