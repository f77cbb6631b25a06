// What is read ahead for a group: code is written as LLVM's text, with the stand-ins of messages.
#include "jit/touch.h"

#include "jit/state.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace visor::jit {
namespace {

constexpr const char* load = "@visor.load.surface.4x32.4x32.4x1.0x32.0x0.0x64.0x64";

struct Reads {
    int count = 8;
    int apart = 1024;
    const char* mask = "%mask";
    bool turn = true; // groups come to barriers
    bool lanes_apart = true;
};

// Rows of four lanes at %x, %x + apart ...
std::string code_of(const Reads& reads) {
    std::string text =
        fmt::format("declare <4 x i32> {}(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)\n"
                    "define void @f(ptr %state, i32 %x, ptr %data, i64 %bytes, i64 %mask) {{\n"
                    "  %ended = getelementptr inbounds i8, ptr %state, i64 {}\n"
                    "  store i32 0, ptr %ended{}\n"
                    "  %first = insertelement <4 x i32> poison, i32 %x, i64 0\n"
                    "  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer\n"
                    "  %lanes = add <4 x i32> %all, {}\n",
                    load, offsetof(State, ended), reads.turn ? ", !visor.turn !0" : "",
                    reads.lanes_apart ? "<i32 0, i32 4, i32 8, i32 12>" : "zeroinitializer");
    for (int k = 0; k < reads.count; ++k) {
        const std::string by = fmt::format("i32 {}", k * reads.apart);
        text +=
            fmt::format("  %p{0} = add <4 x i32> %lanes, <{1}, {1}, {1}, {1}>\n"
                        "  %v{0} = call <4 x i32> {2}(<4 x i32> %p{0}, <4 x i1> <i1 1, i1 1, i1 1, i1 1>, "
                        "i32 0, ptr %data, i64 %bytes, i64 {3})\n",
                        k, by, load, reads.mask);
    }
    return text + "  ret void\n}\n!0 = !{}\n";
}

size_t touched(const Reads& reads) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const auto module = llvm::parseAssemblyString(code_of(reads), problem, context);
    EXPECT_NE(module, nullptr) << problem.getMessage().str();
    if (module == nullptr)
        return 0;
    llvm::Function& function = *module->getFunction("f");
    touch_ahead(function);
    EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
    size_t count = 0;
    for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block)
            count += instruction.isVolatile() ? 1 : 0;
    return count;
}

TEST(Touch, RowsFarApartAreReadAhead) {
    EXPECT_EQ(touched({}), 1U);
    EXPECT_EQ(touched({.count = 64}), 1U);
    EXPECT_EQ(touched({.mask = "-1"}), 1U); // a surface that the code names
}

TEST(Touch, NothingElseIs) {
    EXPECT_EQ(touched({.count = 7}), 0U);
    EXPECT_EQ(touched({.apart = 16}), 0U);          // in order anyhow
    EXPECT_EQ(touched({.apart = 1 << 20}), 0U);     // too far
    EXPECT_EQ(touched({.mask = "-268435457"}), 0U); // shared local memory
    EXPECT_EQ(touched({.turn = false}), 0U);        // no groups
    EXPECT_EQ(touched({.lanes_apart = false}), 0U); // one place for all lanes
}

} // namespace
} // namespace visor::jit
