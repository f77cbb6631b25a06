// How large %v can be: code is written as LLVM's text.
#include "jit/range.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

namespace visor::jit {
namespace {

// %x is at least 2 and at most 15, of %any nothing is known.
template <class Question>
auto asked_of_v(const std::string& body, Question question) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const auto module = llvm::parseAssemblyString("define void @f(ptr %memory, i32 %any) {\n"
                                                  "  %x = load i16, ptr %memory, !range !0\n"
                                                  "  %wide = zext i16 %x to i32\n" +
                                                      body + "  ret void\n}\n!0 = !{i16 2, i16 16}\n",
                                                  problem, context);
    EXPECT_NE(module, nullptr) << problem.getMessage().str();
    using Answer = decltype(question(nullptr));
    return module == nullptr ? Answer{}
                             : question(module->getFunction("f")->getValueSymbolTable()->lookup("v"));
}
std::optional<uint64_t> largest_v(const std::string& body) {
    return asked_of_v(body, [](const llvm::Value* v) { return largest(v); });
}

TEST(Range, FollowsWhatANumberIsMadeOf) {
    EXPECT_EQ(largest_v("%v = add i16 %x, 0\n"), 15U);
    EXPECT_EQ(largest_v("%v = shl i32 %wide, 6\n"), 960U);
    EXPECT_EQ(largest_v("%a = mul i32 %wide, 12\n%v = add i32 %a, 1024\n"), 1204U);
    EXPECT_EQ(largest_v("%a = shl i32 %wide, 6\n%v = or i32 %a, 63\n"), 1023U);
    EXPECT_EQ(largest_v("%v = and i32 %any, 255\n"), 255U);
    EXPECT_EQ(largest_v("%v = lshr i32 %wide, 1\n"), 7U);
    EXPECT_EQ(largest_v("%v = sext i16 %x to i64\n"), 15U);
    EXPECT_EQ(largest_v("%a = shl i32 %wide, 6\n%v = trunc i32 %a to i16\n"), 960U);
}

TEST(Range, DoesNotGuess) {
    EXPECT_EQ(largest_v("%v = add i32 %any, 1\n"), std::nullopt);
    EXPECT_EQ(largest_v("%v = sub i32 %wide, 1\n"), std::nullopt);
    EXPECT_EQ(largest_v("%v = add i32 %wide, -4\n"), std::nullopt); // may wrap
    EXPECT_EQ(largest_v("%v = shl i32 %wide, 29\n"), std::nullopt); // loses bits
    EXPECT_EQ(largest_v("%v = shl i32 %wide, %any\n"), std::nullopt);
    EXPECT_EQ(largest_v("%a = add i16 %x, 32760\n%v = sext i16 %a to i32\n"), std::nullopt);
    EXPECT_EQ(largest_v("%v = trunc i16 %x to i3\n"), std::nullopt);
}

TEST(Range, LeastOfALoad) {
    const auto least = [](const llvm::Value* v) { return smallest(v); };
    EXPECT_EQ(asked_of_v("%v = load i16, ptr %memory, !range !0\n", least), 2U);
    EXPECT_EQ(asked_of_v("%v = load i16, ptr %memory\n", least), 0U);
    EXPECT_EQ(asked_of_v("%v = add i16 %x, 1\n", least), 0U);
}

} // namespace
} // namespace visor::jit
