// Inter-thread prefetches: code is written in LLVM IR with memory intrinsics.
#include "jit/transform/next_thread_prefetch.h"

#include "assembled.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr uint32_t simd = 32;

struct Structures {
    int bytes = 64; // from lane to lane
    int units = 8;  // of 4 bytes that are loaded of each
    const char* mask = "-1";
    int before = 0;  // sums before the structures
    int sums = 1100; // and after them
    int last = 0;    // and after a store
    bool eager = false;
    bool stores = false;
    bool in_loop = false;
    int third = 0;               // how much further the third lane is
    bool each_a_message = false; // units: separate addresses for each
    bool flat = false;           // likewise, with a range check
};

// Of four lanes, the first one at %x.
std::string code_of(const Structures& given) {
    const std::string types = "(<4 x i32>, <4 x i1>, i32, ptr, i64, i64";
    std::string text =
        fmt::format("declare <4 x i32> @visor.load.surface.4{0})\n"
                    "declare void @visor.store.surface.4{0}, <4 x i32>)\n"
                    "declare i1 @visor.range_check(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)\n"
                    "define void @f(i32 %x, ptr %data, i64 %bytes, ptr %near, i64 %mask) {{\n"
                    "  %v = call <4 x i32> @visor.load.surface.4(<4 x i32> <i32 0, i32 4, i32 8, i32 12>, <4 "
                    "x i1> splat (i1 1), "
                    "i32 0, ptr %near, i64 %bytes, i64 -1)\n"
                    "{1}"
                    "  %first = insertelement <4 x i32> poison, i32 %x, i64 0\n"
                    "  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer\n"
                    "  %lanes = add <4 x i32> %all, <i32 0, i32 {2}, i32 {3}, i32 {4}>\n",
                    types, given.in_loop ? "  br label %loop\nloop:\n" : "", given.bytes,
                    2 * given.bytes + given.third, 3 * given.bytes);
    for (int k = 0; k < given.before; ++k)
        text += fmt::format("  %b{} = add <4 x i32> %lanes, splat (i32 {})\n", k, k);
    for (int k = 0; k < given.units; ++k) {
        if (given.flat) {
            text += fmt::format(
                "  %l{0} = add <4 x i32> %lanes, splat (i32 {1})\n"
                "  %w{0} = zext <4 x i32> %l{0} to <4 x i64>\n"
                "  %a{0} = call i1 @visor.range_check(<4 x i64> %w{0}, <4 x i1> splat (i1 1), i32 0, "
                "i64 0, i64 %bytes, i32 {2}, i32 4)\n",
                k, 4 * k, k);
            continue;
        }
        if (given.each_a_message)
            text += fmt::format("  %l{0} = add <4 x i32> %lanes, splat (i32 {1})\n", k, 4 * k);
        const std::string arguments =
            fmt::format("(<4 x i32> {}, <4 x i1> splat (i1 1), i32 {}, ptr %data, i64 %bytes, i64 {}",
                        given.each_a_message ? fmt::format("%l{}", k) : "%lanes",
                        given.each_a_message ? 0 : 4 * k, given.mask);
        text += given.stores
                    ? fmt::format("  call void @visor.store.surface.4{}, <4 x i32> %v)\n", arguments)
                    : fmt::format("  %u{} = call <4 x i32> @visor.load.surface.4{})\n", k, arguments);
    }
    for (int k = 0; k < given.sums; ++k)
        text +=
            fmt::format("  %s{} = add <4 x i32> %v, {}\n", k, k == 0 ? "%lanes" : fmt::format("%s{}", k - 1));
    if (given.last > 0)
        text += "  store i32 1, ptr %near\n";
    for (int k = 0; k < given.last; ++k)
        text += fmt::format("  %t{} = add <4 x i32> %lanes, splat (i32 {})\n", k, k);
    text +=
        given.in_loop ? "  %more = icmp ne i32 %x, 0\n  br i1 %more, label %loop, label %end\nend:\n" : "";
    return text + "  ret void\n}\n";
}

struct Asked {
    std::vector<int64_t> bytes; // from where a thread's own structures begin
    std::vector<int> sums;      // that stand before each
};

Asked lines_of(const Structures& given) {
    Asked found;
    Assembled code;
    if (!code.parse(code_of(given)))
        return found;
    prefetch_for_next_thread(code.function(), simd, given.eager);
    code.verify();
    int sums = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(code.function())) {
        sums += instruction.getName().starts_with("s") ? 1 : 0;
        if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::prefetch) {
            llvm::APInt offset(64, 0);
            call->getArgOperand(0)->stripAndAccumulateConstantOffsets(code.module().getDataLayout(), offset,
                                                                      true);
            found.bytes.push_back(offset.getSExtValue());
            found.sums.push_back(sums);
        }
    }
    return found;
}

// The number of messages before each prefetch.
std::vector<int> messages_before(const Structures& given) {
    std::vector<int> found;
    Assembled code;
    if (!code.parse(code_of(given)))
        return found;
    prefetch_for_next_thread(code.function(), simd, given.eager);
    code.verify();
    int messages = -1; // the first one is of another surface
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction); call != nullptr) {
            if (call->getIntrinsicID() == llvm::Intrinsic::prefetch)
                found.push_back(messages);
            else
                ++messages;
        }
    return found;
}

std::vector<int64_t> prefetched(const Structures& given) {
    return lines_of(given).bytes;
}

// True if the units of one message stay consecutive, as the interleaved lowering requires. Lanes are extended
// from 16 bits, which needs a no-wrap condition.
bool keeps_units_together() {
    std::string text =
        "declare <4 x i32> @visor.load.surface.4(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)\n"
        "define void @f(i16 %x, ptr %data, i64 %bytes) {\n"
        "  %first = insertelement <4 x i16> poison, i16 %x, i64 0\n"
        "  %all = shufflevector <4 x i16> %first, <4 x i16> poison, <4 x i32> zeroinitializer\n"
        "  %ids = add <4 x i16> %all, <i16 0, i16 1, i16 2, i16 3>\n"
        "  %wide = zext <4 x i16> %ids to <4 x i32>\n"
        "  %lanes = shl <4 x i32> %wide, splat (i32 4)\n";
    for (int k = 0; k < 4; ++k)
        text +=
            fmt::format("  %u{} = call <4 x i32> @visor.load.surface.4(<4 x i32> %lanes, <4 x i1> splat (i1 "
                        "1), i32 {}, ptr %data, i64 %bytes, i64 -1)\n",
                        k, 4 * k);
    Assembled code;
    if (!code.parse(text + "  ret void\n}\n"))
        return false;
    prefetch_for_next_thread(code.function(), simd, true);
    code.verify();
    std::vector<const llvm::Instruction*> units;
    size_t asked = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
            if (call->getIntrinsicID() == llvm::Intrinsic::prefetch)
                ++asked;
            else
                units.push_back(call);
        }
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(units.size(), 4);
    for (size_t k = 1; k < units.size(); ++k)
        if (units[k - 1]->getNextNode() != units[k])
            return false;
    return true;
}

using Places = std::vector<int64_t>;

// The next thread's lanes are simd structures further on; a line is 64 bytes.
TEST(NextThread, ItsLinesAreAskedFor) {
    const Places lines{2048, 2112, 2176, 2240};
    EXPECT_EQ(prefetched({}), lines);
    EXPECT_EQ(prefetched({.units = 16}), lines);
    EXPECT_EQ(prefetched({.stores = true}), lines);
    EXPECT_EQ(prefetched({.bytes = 32}), (Places{1024, 1088}));
    EXPECT_EQ(prefetched({.bytes = 16, .units = 4}), Places{512});
}

// Four lines among 1,100 sums.
TEST(NextThread, LinesAreAskedForWhileItComputes) {
    EXPECT_EQ(lines_of({}).sums, (std::vector{0, 275, 550, 825}));
    EXPECT_EQ(lines_of({.stores = true}).sums, (std::vector{0, 275, 550, 825}));
    EXPECT_EQ(lines_of({.before = 2000, .last = 1000}).sums, (std::vector{0, 275, 550, 825}));
    EXPECT_EQ(lines_of({.sums = 2, .eager = true}).sums, (std::vector{0, 0, 1, 1}));
    EXPECT_EQ(lines_of({.sums = 0, .eager = true}).sums, (std::vector{0, 0, 0, 0}));
}

// Rows of 256 bytes, 32 messages of which each moves a word of a lane: four rows of the next thread's are
// sixteen lines, one before every second message.
TEST(NextThread, RowsAreAskedForMessageByMessage) {
    const Structures rows{.bytes = 256, .units = 32, .sums = 0, .each_a_message = true};
    Places lines;
    for (int64_t at = 0; at < 1024; at += 64)
        lines.push_back(int64_t{simd} * 256 + at);
    EXPECT_EQ(prefetched(rows), lines);
    EXPECT_EQ(messages_before(rows),
              (std::vector{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30}));
    Structures flat = rows;
    flat.flat = true;
    EXPECT_EQ(messages_before(flat), messages_before(rows));
    Structures few = rows;
    few.units = 31; // less than half of each
    EXPECT_EQ(prefetched(few), Places{});
    few = rows;
    few.bytes = 2048;
    few.units = 256; // too long
    EXPECT_EQ(prefetched(few), Places{});
}

// One message prefetches nothing, however many units it has.
TEST(NextThread, UnitsOfAMessageStaySideBySide) {
    EXPECT_TRUE(keeps_units_together());
}

TEST(NextThread, NothingElseIs) {
    EXPECT_EQ(prefetched({.bytes = 8, .units = 2}), Places{});    // few lines
    EXPECT_EQ(prefetched({.bytes = 256, .units = 32}), Places{}); // the last ones are read late
    EXPECT_EQ(prefetched({.units = 7}), Places{});                // less than half of each
    EXPECT_EQ(prefetched({.mask = "-268435457"}), Places{});      // shared local memory
    EXPECT_EQ(prefetched({.mask = "%mask"}).size(), 4);           // a surface that the code does not name
    EXPECT_EQ(prefetched({.sums = 100}), Places{});               // the next thread begins soon
    EXPECT_EQ(prefetched({.third = 16}), Places{});               // no row of structures
    EXPECT_EQ(prefetched({.in_loop = true}), Places{});           // it is where this one was long ago
}

} // namespace
} // namespace visor::jit
