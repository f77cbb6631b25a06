// Code for LLVM's FastISel: LLVM reports what it does not select. Code is written as LLVM's text; results
// were computed by hand.
#include "jit/target/prepare_fastisel.h"

#include "assembled.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <gtest/gtest.h>

#include <array>

namespace visor::jit {
namespace {

constexpr unsigned register_bits = 128;

using Lanes = std::array<uint32_t, 4>;

// Blocks, and calls, that fell back to SelectionDAG.
class Misses : public llvm::DiagnosticHandler {
public:
    explicit Misses(size_t& count) : count_(count) {}
    [[nodiscard]] bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
        return pass == "sdagisel";
    }
    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
        count_ += info.getKind() == llvm::DK_OptimizationRemarkMissed ? 1 : 0;
        return true;
    }

private:
    size_t& count_;
};

size_t misses(llvm::Module& module) {
    std::string error;
    const std::string triple = llvm::sys::getProcessTriple();
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
    const std::unique_ptr<llvm::TargetMachine> machine(
        target->createTargetMachine(triple, "", "", {}, llvm::Reloc::PIC_, {}, llvm::CodeGenOptLevel::None));
    module.setDataLayout(machine->createDataLayout());
    size_t count = 0;
    module.getContext().setDiagnosticHandler(std::make_unique<Misses>(count));
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager passes;
    EXPECT_FALSE(machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile));
    passes.run(module);
    module.getContext().setDiagnosticHandler(nullptr);
    return count;
}

std::string text(const std::string& body) {
    return "define void @f(ptr %as, ptr %out, i32 %number) {\n"
           "  %a = load <4 x i32>, ptr %as, align 4\n" +
           body + "  ret void\n}\n";
}

// False: it is no code.
bool suited(Assembled& code, const std::string& body, unsigned bits = register_bits) {
    if (!code.parse(text(body)))
        return false;
    prepare_for_fastisel(code.function(), bits);
    code.verify();
    return true;
}

size_t misses_of(const std::string& body, bool suits) {
    Assembled code;
    return (suits ? suited(code, body) : code.parse(text(body))) ? misses(code.module()) : 0;
}

Lanes run(const std::string& body, const Lanes& a, uint32_t number, unsigned bits = register_bits) {
    Lanes out{};
    Assembled code;
    if (!suited(code, body, bits))
        return out;
    code.link();
    code.linked<void(const uint32_t*, uint32_t*, uint32_t)>()(a.data(), out.data(), number);
    return out;
}

struct Way {
    const char* name;
    std::string body;
    Lanes expected; // of lanes 1, 2, 3, 4 and the number 7
};

const std::array ways{
    Way{"a constant",
        "  %sum = add <4 x i32> %a, <i32 10, i32 20, i32 30, i32 40>\n"
        "  store <4 x i32> %sum, ptr %out, align 4\n",
        {11, 22, 33, 44}},
    Way{"a constant whose elements are computed",
        "  %sum = add <4 x i32> %a,\n"
        "      <i32 extractelement (<4 x i32> bitcast (<2 x i64> <i64 1, i64 0> to <4 x i32>), i32 0),\n"
        "       i32 0, i32 0, i32 trunc (i64 12884901889 to i32)>\n"
        "  store <4 x i32> %sum, ptr %out, align 4\n",
        {2, 2, 3, 5}},
    Way{"zeros", "  store <4 x i32> zeroinitializer, ptr %out, align 4\n", {0, 0, 0, 0}},
    Way{"a short shift",
        "  %far = shl <4 x i32> %a, <i32 3, i32 3, i32 3, i32 3>\n"
        "  store <4 x i32> %far, ptr %out, align 4\n",
        {8, 16, 24, 32}},
    Way{"a lane",
        "  %sum = add <4 x i32> %a, %a\n"
        "  %third = extractelement <4 x i32> %sum, i64 2\n"
        "  store i32 %third, ptr %out, align 4\n",
        {6, 0, 0, 0}},
    Way{"a lane of what was loaded",
        "  %fourth = extractelement <4 x i32> %a, i64 3\n"
        "  store i32 %fourth, ptr %out, align 4\n",
        {4, 0, 0, 0}},
    Way{"all of it as one number",
        "  %pair = load <2 x i32>, ptr %as, align 4\n"
        "  %one = bitcast <2 x i32> %pair to i64\n"
        "  store i64 %one, ptr %out, align 4\n",
        {1, 2, 0, 0}},
};

TEST(FastSelection, WhatItIsGivenItTakes) {
#if defined(__x86_64__) // other targets take other things
    for (const Way& way : ways) {
        EXPECT_GT(misses_of(way.body, false), 0U) << way.name;
        EXPECT_EQ(misses_of(way.body, true), 0U) << way.name;
    }
#endif
}

TEST(FastSelection, AndItMeansTheSame) {
    for (const Way& way : ways)
        EXPECT_EQ(run(way.body, {1, 2, 3, 4}, 7), way.expected) << way.name;
}

TEST(FastSelection, AConstantThatComesInFromAnotherBlock) {
    const std::string body = "  %is = icmp eq i32 %number, 7\n"
                             "  br i1 %is, label %yes, label %no\n"
                             "no:\n"
                             "  br label %yes\n"
                             "yes:\n"
                             "  %both = phi <4 x i32> [ %a, %0 ], [ <i32 5, i32 6, i32 7, i32 8>, %no ]\n"
                             "  store <4 x i32> %both, ptr %out, align 4\n";
    EXPECT_EQ(run(body, {1, 2, 3, 4}, 7), (Lanes{1, 2, 3, 4}));
    EXPECT_EQ(run(body, {1, 2, 3, 4}, 8), (Lanes{5, 6, 7, 8}));
}

// Two halves to and fro.
TEST(FastSelection, LanesThatMoveTogether) {
    const std::string body = "  %low = zext <4 x i32> %a to <4 x i64>\n"
                             "  %pairs = bitcast <4 x i64> %low to <8 x i32>\n"
                             "  %upper = shufflevector <8 x i32> %pairs, <8 x i32> poison, <4 x i32> <i32 4, "
                             "i32 5, i32 6, i32 7>\n"
                             "  store <4 x i32> %upper, ptr %out, align 4\n";
    EXPECT_EQ(run(body, {1, 2, 3, 4}, 0, 256), (Lanes{3, 0, 4, 0}));
}

// FastISel does not select splats: they are hoisted above what it does.
TEST(FastSelection, WhatIsSlowMovesOutOfTheWay) {
    const std::string body =
        "  %more = add <4 x i32> %a, <i32 10, i32 20, i32 30, i32 40>\n"
        "  %one = insertelement <4 x i32> poison, i32 %number, i64 0\n"
        "  %all = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer\n"
        "  %sum = add <4 x i32> %all, %more\n"
        "  store <4 x i32> %sum, ptr %out, align 4\n";
    Assembled code;
    ASSERT_TRUE(suited(code, body));
    const llvm::BasicBlock& block = code.function().getEntryBlock();
    EXPECT_EQ(block.front().getOpcode(), llvm::Instruction::InsertElement);
    EXPECT_EQ(block.front().getNextNode()->getOpcode(), llvm::Instruction::ShuffleVector);
    EXPECT_EQ(run(body, {1, 2, 3, 4}, 7), (Lanes{18, 29, 40, 51}));
}

// Unsupported instructions that cannot be hoisted end FastISel: the code before them stays as it is.
TEST(FastSelection, NothingInFrontOfWhatIsSlow) {
    Assembled code;
    ASSERT_TRUE(code.parse(text("  %sum = add <4 x i32> %a, <i32 10, i32 20, i32 30, i32 40>\n"
                                "  %less = icmp ult <4 x i32> %sum, %a\n"
                                "  %bits = bitcast <4 x i1> %less to i4\n"
                                "  %byte = zext i4 %bits to i8\n"
                                "  store i8 %byte, ptr %out\n")));
    const auto before = code.function().getInstructionCount();
    prepare_for_fastisel(code.function(), register_bits);
    code.verify();
    EXPECT_EQ(code.function().getInstructionCount(), before);
}

} // namespace
} // namespace visor::jit
