// How large %v can be: code is written as LLVM's text.
#include "jit/ir/value_range.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/Support/SourceMgr.h>

#include <gtest/gtest.h>

namespace visor::jit {
namespace {

struct Bounds {
    uint64_t least = 0;
    uint64_t most = 0;
    bool operator==(const Bounds&) const = default;
};

// %x is at least 2 and at most 15, of %any nothing is known.
Bounds bounds_of_v(const std::string& body) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const auto module = llvm::parseAssemblyString("define void @f(ptr %memory, i32 %any) {\n"
                                                  "  %x = load i16, ptr %memory, !range !0\n"
                                                  "  %wide = zext i16 %x to i32\n" +
                                                      body + "  ret void\n}\n!0 = !{i16 2, i16 16}\n",
                                                  problem, context);
    EXPECT_NE(module, nullptr) << problem.getMessage().str();
    if (module == nullptr)
        return {};
    const llvm::ConstantRange range =
        value_range(module->getFunction("f")->getValueSymbolTable()->lookup("v"));
    return {range.getUnsignedMin().getZExtValue(), range.getUnsignedMax().getZExtValue()};
}

TEST(Range, FollowsWhatANumberIsMadeOf) {
    EXPECT_EQ(bounds_of_v("%v = add i16 %x, 0\n"), (Bounds{2, 15}));
    EXPECT_EQ(bounds_of_v("%v = shl i32 %wide, 6\n"), (Bounds{128, 960}));
    EXPECT_EQ(bounds_of_v("%a = mul i32 %wide, 12\n%v = add i32 %a, 1024\n"), (Bounds{1048, 1204}));
    EXPECT_EQ(bounds_of_v("%v = and i32 %any, 255\n"), (Bounds{0, 255}));
    EXPECT_EQ(bounds_of_v("%v = lshr i32 %wide, 1\n"), (Bounds{1, 7}));
    EXPECT_EQ(bounds_of_v("%v = sext i16 %x to i64\n"), (Bounds{2, 15}));
    EXPECT_EQ(bounds_of_v("%a = shl i32 %wide, 6\n%v = trunc i32 %a to i16\n"), (Bounds{128, 960}));
    EXPECT_EQ(bounds_of_v("%v = load i16, ptr %memory, !range !0\n"), (Bounds{2, 15}));
}

TEST(Range, DoesNotGuess) {
    constexpr Bounds all{0, UINT32_MAX};
    EXPECT_EQ(bounds_of_v("%v = add i32 %any, 1\n"), all);
    EXPECT_EQ(bounds_of_v("%v = load i32, ptr %memory\n"), all);
    EXPECT_EQ(bounds_of_v("%v = add i32 %wide, -4\n"), all); // some wrap
    // 2 to 4 keep their bits: 0x40000000 to 0x80000000; from 8 on none are left.
    EXPECT_EQ(bounds_of_v("%v = shl i32 %wide, 29\n").most, UINT32_MAX - 0x1fffffffU);
    EXPECT_EQ(bounds_of_v("%v = shl i32 %wide, %any\n").least, 0U);
}

} // namespace
} // namespace visor::jit
