// Code that stores whole lines, written as LLVM's text.
#include "jit/target/nontemporal_stores.h"

#include "assembled.h"

#include "jit/engine/runtime_abi.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr size_t line_words = 16;
constexpr size_t words = 4 * line_words;
using Words = std::array<uint32_t, words>;

// Moves that many words, aligned to nothing.
std::string moving(size_t count, const std::string& mark = ", !nontemporal !0") {
    return fmt::format("define void @f(ptr %state, ptr %to, ptr %from) {{\n"
                       "  %values = load <{0} x i32>, ptr %from, align 4\n"
                       "  store <{0} x i32> %values, ptr %to, align 1{1}\n"
                       "  ret void\n}}\n!0 = !{{i32 1}}\n",
                       count, mark);
}

struct Ran {
    Words to{};
    size_t lines = 0; // stores non-temporal in the code
};

struct Given {
    NontemporalStores which = NontemporalStores::any;
    uint64_t launch_threads = 0;
    size_t first = 0;           // word that the values go to
    bool without_lines = false; // non-temporal stores are removed: missing values were stored by them
};

std::vector<llvm::StoreInst*> nontemporal(llvm::Function& function) {
    std::vector<llvm::StoreInst*> found;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store != nullptr && store->hasMetadata(llvm::LLVMContext::MD_nontemporal)) {
            EXPECT_EQ(store->getAlign(), llvm::Align(64));
            found.push_back(store);
        }
    return found;
}

// Of words 1, 2, ... .
Ran run(const std::string& text, const Given& given) {
    Ran ran;
    Assembled code;
    if (!code.parse(text))
        return ran;
    use_nontemporal_stores(code.function(), given.which);
    code.verify();
    const std::vector<llvm::StoreInst*> stores = nontemporal(code.function());
    ran.lines = stores.size();
    if (given.without_lines)
        for (llvm::StoreInst* const store : stores)
            store->eraseFromParent();
    code.link();
    State state;
    state.launch_threads = given.launch_threads;
    alignas(64) Words from{};
    alignas(64) Words to{};
    std::iota(from.begin(), from.end(), 1U);
    code.linked<void(State*, uint32_t*, const uint32_t*)>()(&state, to.data() + given.first, from.data());
    ran.to = to;
    return ran;
}

Words moved(size_t count, size_t first) {
    Words made{};
    std::iota(made.begin() + static_cast<ptrdiff_t>(first),
              made.begin() + static_cast<ptrdiff_t>(first + count), 1U);
    return made;
}

TEST(NontemporalStores, WhatIsStoredIsTheSameWhereverItBegins) {
    for (const size_t count : {line_words, 2 * line_words})
        for (const size_t first : {size_t{0}, size_t{1}, size_t{15}, line_words}) {
            const Ran ran = run(moving(count), {.first = first});
            EXPECT_EQ(ran.to, moved(count, first)) << count << " words from " << first;
            EXPECT_EQ(ran.lines, count / line_words);
        }
}

TEST(NontemporalStores, LinesThatAreNotWholeGoToTheCaches) {
    for (const size_t first : {size_t{0}, size_t{4}, line_words}) {
        const Ran ran = run(moving(line_words), {.first = first, .without_lines = true});
        EXPECT_EQ(ran.to, first % line_words == 0 ? Words{} : moved(line_words, first)) << first;
    }
}

// 64 bytes of each of 2^19 threads, or 128 of 2^18, are 32 MiB.
TEST(NontemporalStores, SmallLaunchesStayInTheCaches) {
    constexpr uint64_t enough = uint64_t{1} << 19U;
    const auto is_past = [](size_t count, uint64_t threads) {
        const Given given{
            .which = NontemporalStores::large, .launch_threads = threads, .without_lines = true};
        return run(moving(count), given).to == Words{};
    };
    EXPECT_TRUE(is_past(line_words, enough));
    EXPECT_FALSE(is_past(line_words, enough - 1));
    EXPECT_TRUE(is_past(2 * line_words, enough / 2));
    EXPECT_FALSE(is_past(2 * line_words, enough / 2 - 1));
}

TEST(NontemporalStores, OnlyWhatIsMarkedAndWholeIsChanged) {
    EXPECT_EQ(run(moving(line_words, ""), {}).lines, 0);
    EXPECT_EQ(run(moving(line_words / 2), {}).lines, 0);
    EXPECT_EQ(run(moving(line_words + 4), {}).lines, 0);
    const Ran ran = run(moving(line_words), {.which = NontemporalStores::no});
    EXPECT_EQ(ran.lines, 0);
    EXPECT_EQ(ran.to, moved(line_words, 0));
}

#if defined(__x86_64__)
// Each return has a fence; code without such stores has none.
TEST(NontemporalStores, EachReturnWaits) {
    const auto waits = [](const std::string& mark) {
        Assembled code;
        EXPECT_TRUE(code.parse(fmt::format("target triple = \"x86_64-pc-linux-gnu\"\n"
                                           "define void @f(ptr %state, ptr %to, i1 %more) {{\n"
                                           "  store <16 x i32> zeroinitializer, ptr %to, align 1{}\n"
                                           "  br i1 %more, label %one, label %other\n"
                                           "one:\n  ret void\nother:\n  ret void\n}}\n!0 = !{{i32 1}}\n",
                                           mark)));
        use_nontemporal_stores(code.function(), NontemporalStores::large);
        code.verify();
        return std::ranges::count_if(llvm::instructions(code.function()), [](const llvm::Instruction& made) {
            const auto* const call = llvm::dyn_cast<llvm::CallInst>(&made);
            return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::x86_sse_sfence;
        });
    };
    EXPECT_EQ(waits(", !nontemporal !0"), 2);
    EXPECT_EQ(waits(""), 0);
}
#endif

} // namespace
} // namespace visor::jit
