// Forms of vectors: code is written as LLVM's text, what its vector %v is was worked out by hand, and the
// scalar code and the conditions that come with a form are run.
#include "jit/analysis/lane_affine.h"

#include "jit/driver/pipeline.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <gtest/gtest.h>

namespace visor::jit {
namespace {

using Steps = std::vector<int64_t>;

// In every text: x by lane, and the lanes' numbers.
std::string whole(const std::string& body, const std::string& vector = "<4 x i32>") {
    return "define void @f(i32 %x, ptr %memory) {\n"
           "entry:\n"
           "  %one = insertelement <4 x i32> poison, i32 %x, i64 0\n"
           "  %splat = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer\n"
           "  %lanes = add <4 x i32> %splat, <i32 0, i32 1, i32 2, i32 3>\n" +
           body + "  store " + vector +
           " %v, ptr %memory\n"
           "  ret void\n"
           "}\n";
}

struct Ran {
    uint64_t base = 0; // as many bits as an element has
    bool holds = true; // all conditions
};

// The form of %v at the end of the function, whose code stores its first lane and its conditions.
class Asked {
public:
    explicit Asked(const std::string& text, uint32_t grain = 0, uint32_t chunk = 0, bool assumes = false) {
        initialize_target();
        auto context = std::make_unique<llvm::LLVMContext>();
        llvm::SMDiagnostic problem;
        auto module = llvm::parseAssemblyString(text, problem, *context);
        EXPECT_NE(module, nullptr) << problem.getMessage().str();
        if (module == nullptr)
            return;
        llvm::Function& function = *module->getFunction("f");
        llvm::Value* const vector = function.getValueSymbolTable()->lookup("v");
        llvm::Instruction* const end = function.back().getTerminator();
        {
            LaneAffine affine(function, grain, assumes);
            form_ = affine.form(vector, chunk, end);
        }
        if (!form_)
            return;
        steps_ = form_->steps;
        conditions_ = form_->conditions.size();
        llvm::IRBuilder<> ir(end);
        llvm::Value* holds = ir.getTrue();
        for (llvm::Value* const condition : form_->conditions)
            holds = ir.CreateAnd(holds, condition);
        const auto keep = [&](llvm::Value* value, uint64_t place) {
            ir.CreateStore(ir.CreateZExt(value, ir.getInt64Ty()),
                           ir.CreateConstGEP1_64(ir.getInt64Ty(), function.getArg(1), place));
        };
        keep(form_->base, base_place);
        keep(holds, holds_place);
        EXPECT_FALSE(llvm::verifyFunction(function, &llvm::errs()));
        link(std::move(module), std::move(context));
    }

    [[nodiscard]] bool found() const { return form_.has_value(); }
    [[nodiscard]] const Steps& steps() const { return steps_; }
    [[nodiscard]] size_t conditions() const { return conditions_; }

    Ran run(uint32_t x) {
        if (code_ == nullptr)
            return {};
        alignas(64) std::array<uint64_t, 64> memory{}; // as LLVM wants vectors
        code_(x, memory.data());
        return {memory.at(base_place), memory.at(holds_place) != 0};
    }

private:
    static constexpr uint64_t base_place = 40;
    static constexpr uint64_t holds_place = 41;

    void link(std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context) {
        auto made = llvm::orc::LLJITBuilder().create();
        ASSERT_TRUE(static_cast<bool>(made));
        linked_ = std::move(*made);
        ASSERT_FALSE(
            linked_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
        auto symbol = linked_->lookup("f");
        ASSERT_TRUE(static_cast<bool>(symbol));
        code_ = symbol->toPtr<void (*)(uint32_t, uint64_t*)>();
    }

    std::optional<LaneAffine::Form> form_; // of values that the linker owns by now: not to be followed
    Steps steps_;
    size_t conditions_ = 0;
    std::unique_ptr<llvm::orc::LLJIT> linked_;
    void (*code_)(uint32_t, uint64_t*) = nullptr;
};

TEST(LaneAffine, ANumberAndTheLanes) {
    Asked asked(whole("  %v = add <4 x i32> %lanes, <i32 7, i32 7, i32 7, i32 7>\n"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 1, 2, 3}));
    EXPECT_EQ(asked.conditions(), 0U);
    EXPECT_EQ(asked.run(10).base, 17U);
    EXPECT_EQ(asked.run(0xffff'ffff).base, 6U);
}

TEST(LaneAffine, ConstantsAlone) {
    Asked asked(whole("  %v = add <4 x i32> <i32 5, i32 3, i32 9, i32 5>, zeroinitializer\n"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, -2, 4, 0}));
    EXPECT_EQ(asked.run(0).base, 5U);
}

TEST(LaneAffine, ScaledAndTakenFromANumber) {
    Asked shifted(whole("  %v = shl <4 x i32> %lanes, <i32 2, i32 2, i32 2, i32 2>\n"));
    ASSERT_TRUE(shifted.found());
    EXPECT_EQ(shifted.steps(), (Steps{0, 4, 8, 12}));
    EXPECT_EQ(shifted.run(10).base, 40U);
    Asked scaled(whole("  %v = mul <4 x i32> <i32 -3, i32 -3, i32 -3, i32 -3>, %lanes\n"));
    ASSERT_TRUE(scaled.found());
    EXPECT_EQ(scaled.steps(), (Steps{0, -3, -6, -9}));
    EXPECT_EQ(scaled.run(2).base, 0xffff'fffaU);
    Asked taken(whole("  %v = sub <4 x i32> <i32 100, i32 100, i32 100, i32 100>, %lanes\n"));
    ASSERT_TRUE(taken.found());
    EXPECT_EQ(taken.steps(), (Steps{0, -1, -2, -3}));
    EXPECT_EQ(taken.run(30).base, 70U);
}

TEST(LaneAffine, AProductOfTwoThatAreNoConstantsHasAFormWhereLanesAreEqual) {
    EXPECT_FALSE(Asked(whole("  %v = mul <4 x i32> %splat, %lanes\n")).found());
    Asked flat(whole("  %v = mul <4 x i32> %splat, %splat\n"));
    ASSERT_TRUE(flat.found());
    EXPECT_EQ(flat.steps(), (Steps{0, 0, 0, 0}));
    EXPECT_EQ(flat.run(9).base, 81U);
}

TEST(LaneAffine, ShiftsByTooMuchAndByLanesHaveNone) {
    EXPECT_FALSE(Asked(whole("  %v = shl <4 x i32> %lanes, <i32 32, i32 32, i32 32, i32 32>\n")).found());
    EXPECT_FALSE(Asked(whole("  %v = shl <4 x i32> %splat, %lanes\n")).found());
    EXPECT_FALSE(Asked(whole("  %v = lshr <4 x i32> %lanes, <i32 1, i32 1, i32 1, i32 1>\n")).found());
}

TEST(LaneAffine, StepsAreModuloTheWidth) {
    Asked asked(whole("  %m = mul <4 x i32> %lanes, <i32 100, i32 100, i32 100, i32 100>\n"
                      "  %v = trunc <4 x i32> %m to <4 x i8>\n",
                      "<4 x i8>"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 100, -56, 44})); // 100, 200, 300
    EXPECT_EQ(asked.conditions(), 0U);
    EXPECT_EQ(asked.run(3).base, 44U); // 300
}

TEST(LaneAffine, WideningAsksWhetherALaneWraps) {
    Asked asked(whole("  %v = zext <4 x i32> %lanes to <4 x i64>\n", "<4 x i64>"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 1, 2, 3}));
    ASSERT_EQ(asked.conditions(), 1U);
    EXPECT_EQ(asked.run(10).base, 10U);
    EXPECT_TRUE(asked.run(10).holds);
    EXPECT_TRUE(asked.run(0x7fff'ffff).holds);
    EXPECT_TRUE(asked.run(0xffff'fffc).holds); // the last lane is 0xffffffff
    EXPECT_FALSE(asked.run(0xffff'fffd).holds);
    EXPECT_FALSE(asked.run(0xffff'ffff).holds);
}

TEST(LaneAffine, SteppingDownWrapsBelowZero) {
    Asked asked(whole("  %d = sub <4 x i32> %splat, <i32 0, i32 1, i32 2, i32 3>\n"
                      "  %v = zext <4 x i32> %d to <4 x i64>\n",
                      "<4 x i64>"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, -1, -2, -3}));
    EXPECT_TRUE(asked.run(3).holds);
    EXPECT_FALSE(asked.run(2).holds);
}

TEST(LaneAffine, SignedWideningAsksLikewise) {
    Asked asked(whole("  %v = sext <4 x i32> %lanes to <4 x i64>\n", "<4 x i64>"));
    ASSERT_TRUE(asked.found());
    ASSERT_EQ(asked.conditions(), 1U);
    EXPECT_EQ(asked.run(0xffff'ffff).base, UINT64_MAX);
    EXPECT_TRUE(asked.run(0xffff'ffff).holds); // -1, 0, 1, 2
    EXPECT_TRUE(asked.run(0x7fff'fffc).holds);
    EXPECT_FALSE(asked.run(0x7fff'fffd).holds);
}

TEST(LaneAffine, SumsThatSayTheyDoNotWrapAreNotAsked) {
    Asked asked(whole("  %s = add nuw nsw <4 x i32> %splat, <i32 0, i32 2, i32 4, i32 6>\n"
                      "  %v = zext <4 x i32> %s to <4 x i64>\n",
                      "<4 x i64>"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 2, 4, 6}));
    EXPECT_EQ(asked.conditions(), 0U);
    EXPECT_EQ(asked.run(5).base, 5U);
}

TEST(LaneAffine, ClearedBitsThatNoStepHas) {
    Asked asked(whole("  %q = add <4 x i32> %splat, <i32 0, i32 4, i32 8, i32 12>\n"
                      "  %v = and <4 x i32> %q, <i32 -4, i32 -4, i32 -4, i32 -4>\n"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 4, 8, 12}));
    EXPECT_EQ(asked.conditions(), 0U);
    EXPECT_EQ(asked.run(7).base, 4U);
    EXPECT_EQ(asked.run(8).base, 8U);
    EXPECT_FALSE(Asked(whole("  %v = and <4 x i32> %lanes, <i32 -4, i32 -4, i32 -4, i32 -4>\n")).found());
    EXPECT_FALSE(Asked(whole("  %q = shl <4 x i32> %lanes, <i32 2, i32 2, i32 2, i32 2>\n"
                             "  %v = and <4 x i32> %q, <i32 12, i32 12, i32 12, i32 12>\n"))
                     .found());
}

TEST(LaneAffine, BitsThatAreSetAskForRoomBelow) {
    Asked asked(whole("  %v = or <4 x i32> %lanes, <i32 48, i32 48, i32 48, i32 48>\n"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 1, 2, 3}));
    ASSERT_EQ(asked.conditions(), 1U);
    EXPECT_EQ(asked.run(64).base, 112U);
    EXPECT_TRUE(asked.run(64).holds);
    EXPECT_TRUE(asked.run(12).holds); // 12, 13, 14, 15
    EXPECT_FALSE(asked.run(13).holds);
    EXPECT_FALSE(Asked(whole("  %v = or <4 x i32> %lanes, %splat\n")).found());
}

// Lanes are 64 apart: lower bits are uniform and carry nothing.
TEST(LaneAffine, BitsBelowAllStepsMayBeWhateverTheyAre) {
    const auto with = [](const std::string& change) {
        return whole("  %q = shl <4 x i32> %lanes, <i32 6, i32 6, i32 6, i32 6>\n" + change);
    };
    const Steps steps{0, 64, 128, 192};
    Asked set(with("  %v = or <4 x i32> %q, <i32 48, i32 48, i32 48, i32 48>\n"));
    ASSERT_TRUE(set.found());
    EXPECT_EQ(set.steps(), steps);
    EXPECT_EQ(set.conditions(), 0U);
    EXPECT_EQ(set.run(3).base, 240U); // 192 | 48
    Asked changed(with("  %p = or <4 x i32> %q, <i32 5, i32 5, i32 5, i32 5>\n"
                       "  %v = xor <4 x i32> %p, <i32 63, i32 63, i32 63, i32 63>\n"));
    ASSERT_TRUE(changed.found());
    EXPECT_EQ(changed.steps(), steps);
    EXPECT_EQ(changed.conditions(), 0U);
    EXPECT_EQ(changed.run(1).base, 122U); // 69 ^ 63
    Asked cleared(with("  %p = or <4 x i32> %q, <i32 63, i32 63, i32 63, i32 63>\n"
                       "  %v = and <4 x i32> %p, <i32 -6, i32 -6, i32 -6, i32 -6>\n"));
    ASSERT_TRUE(cleared.found());
    EXPECT_EQ(cleared.steps(), steps);
    EXPECT_EQ(cleared.run(1).base, 122U); // 127 without 5
    EXPECT_FALSE(Asked(with("  %v = xor <4 x i32> %q, <i32 64, i32 64, i32 64, i32 64>\n")).found());
    EXPECT_FALSE(Asked(with("  %v = and <4 x i32> %q, <i32 -65, i32 -65, i32 -65, i32 -65>\n")).found());
    Asked reaching(with("  %v = or <4 x i32> %q, <i32 64, i32 64, i32 64, i32 64>\n"));
    ASSERT_TRUE(reaching.found());
    EXPECT_EQ(reaching.conditions(), 1U);
    EXPECT_FALSE(reaching.run(0).holds);
}

TEST(LaneAffine, RoundALoop) {
    const char* const loop = "  br label %again\n"
                             "again:\n"
                             "  %v = phi <4 x i32> [ %lanes, %entry ], [ %next, %again ]\n"
                             "  %round = phi i32 [ 0, %entry ], [ %more, %again ]\n"
                             "  %next = add <4 x i32> %v, <i32 8, i32 8, i32 8, i32 STEP>\n"
                             "  %more = add i32 %round, 1\n"
                             "  %goes = icmp ult i32 %more, 4\n"
                             "  br i1 %goes, label %again, label %out\n"
                             "out:\n";
    const auto with = [&](const char* step) {
        std::string text = loop;
        text.replace(text.find("STEP"), 4, step);
        return whole(text);
    };
    Asked asked(with("8"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 1, 2, 3}));
    EXPECT_EQ(asked.run(5).base, 29U); // 5 + 3 * 8
    EXPECT_FALSE(Asked(with("9")).found());
}

TEST(LaneAffine, WhereTwoWaysMeet) {
    const auto meeting = [](const char* other) {
        return whole(std::string("  %less = icmp ult i32 %x, 10\n"
                                 "  br i1 %less, label %here, label %there\n"
                                 "here:\n"
                                 "  %a = add <4 x i32> %lanes, <i32 1, i32 1, i32 1, i32 1>\n"
                                 "  br label %out\n"
                                 "there:\n"
                                 "  %b = ") +
                     other +
                     "\n  br label %out\n"
                     "out:\n"
                     "  %v = phi <4 x i32> [ %a, %here ], [ %b, %there ]\n");
    };
    Asked same(meeting("sub <4 x i32> %lanes, <i32 2, i32 2, i32 2, i32 2>"));
    ASSERT_TRUE(same.found());
    EXPECT_EQ(same.steps(), (Steps{0, 1, 2, 3}));
    EXPECT_EQ(same.run(4).base, 5U);
    EXPECT_EQ(same.run(20).base, 18U);
    EXPECT_FALSE(Asked(meeting("shl <4 x i32> %lanes, <i32 1, i32 1, i32 1, i32 1>")).found());
}

TEST(LaneAffine, LanesInAnotherOrder) {
    Asked turned(
        whole("  %v = shufflevector <4 x i32> %lanes, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 "
              "1, i32 0>\n"));
    ASSERT_TRUE(turned.found());
    EXPECT_EQ(turned.steps(), (Steps{0, -1, -2, -3}));
    EXPECT_EQ(turned.run(10).base, 13U);
    Asked two(
        whole("  %w = shl <4 x i32> %lanes, <i32 1, i32 1, i32 1, i32 1>\n"
              "  %v = shufflevector <4 x i32> %lanes, <4 x i32> %w, <4 x i32> <i32 0, i32 1, i32 4, i32 "
              "5>\n"));
    EXPECT_FALSE(two.found()) << "lanes of two vectors";
}

TEST(LaneAffine, OneElementForAllLanesWhateverItIs) {
    Asked asked(
        whole("  %at = getelementptr i8, ptr %memory, i64 64\n"
              "  store <4 x i32> <i32 11, i32 22, i32 33, i32 44>, ptr %at\n"
              "  %loaded = load <4 x i32>, ptr %at\n"
              "  %v = shufflevector <4 x i32> %loaded, <4 x i32> poison, <4 x i32> <i32 2, i32 2, i32 2, "
              "i32 2>\n"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 0, 0, 0}));
    EXPECT_EQ(asked.run(0).base, 33U);
    EXPECT_FALSE(Asked(whole("  %v = load <4 x i32>, ptr %memory\n")).found());
}

TEST(LaneAffine, HalvesOfAVectorHaveFormsOfTheirOwn) {
    const std::string text = whole(
        "  %low = shl <4 x i32> %lanes, <i32 1, i32 1, i32 1, i32 1>\n"
        "  %v = shufflevector <4 x i32> %low, <4 x i32> %lanes, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 "
        "4, i32 5, i32 6, i32 7>\n",
        "<8 x i32>");
    Asked first(text, 4, 0);
    ASSERT_TRUE(first.found());
    EXPECT_EQ(first.steps(), (Steps{0, 2, 4, 6}));
    EXPECT_EQ(first.run(10).base, 20U);
    Asked second(text, 4, 1);
    ASSERT_TRUE(second.found());
    EXPECT_EQ(second.steps(), (Steps{0, 1, 2, 3}));
    EXPECT_EQ(second.run(10).base, 10U);
    EXPECT_FALSE(Asked(text).found());
}

TEST(LaneAffine, PartsOfElementsHaveNone) {
    EXPECT_FALSE(Asked(whole("  %v = bitcast <4 x i32> %lanes to <8 x i16>\n", "<8 x i16>")).found());
    EXPECT_FALSE(Asked(whole("  %v = bitcast <4 x i32> %lanes to <2 x i64>\n", "<2 x i64>")).found());
}

// As compilers write it that have no arithmetic of 64 bits: low halves, high halves, one by one.
TEST(LaneAffine, QwordsPutTogetherOfHalves) {
    const auto joined = [](const std::string& low, const std::string& high) {
        return whole("  %pairs = shufflevector <4 x i32> " + low + ", <4 x i32> " + high +
                         ", <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>\n"
                         "  %v = bitcast <8 x i32> %pairs to <4 x i64>\n",
                     "<4 x i64>");
    };
    Asked same(joined("%splat", "splat (i32 3)"));
    ASSERT_TRUE(same.found());
    EXPECT_EQ(same.steps(), (Steps{0, 0, 0, 0}));
    EXPECT_EQ(same.conditions(), 0U);
    EXPECT_EQ(same.run(5).base, (uint64_t{3} << 32U) + 5);
    EXPECT_FALSE(Asked(joined("%lanes", "zeroinitializer")).found());
    EXPECT_FALSE(Asked(joined("%splat", "%lanes")).found());
}

// Its halves may be taken out of the very vector.
TEST(LaneAffine, QwordsOfDwordsThatAreEqual) {
    Asked asked(
        whole("  %w = zext <4 x i32> %splat to <4 x i64>\n"
              "  %more = add <4 x i64> %w, splat (i64 4294967298)\n"
              "  %dwords = bitcast <4 x i64> %more to <8 x i32>\n"
              "  %kept = select <8 x i1> splat (i1 true), <8 x i32> %dwords, <8 x i32> zeroinitializer\n"
              "  %v = bitcast <8 x i32> %kept to <4 x i64>\n",
              "<4 x i64>"));
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 0, 0, 0}));
    EXPECT_EQ(asked.run(5).base, (uint64_t{1} << 32U) + 7);
}

TEST(LaneAffine, HalvesOfQwords) {
    const auto half = [](const std::string& qwords, const std::string& order) {
        return whole("  %w = zext <4 x i32> %splat to <4 x i64>\n"
                     "  %q = add <4 x i64> %w, " +
                     qwords +
                     "\n  %dwords = bitcast <4 x i64> %q to <8 x i32>\n"
                     "  %v = shufflevector <8 x i32> %dwords, <8 x i32> poison, <4 x i32> " +
                     order + "\n");
    };
    Asked low(half("<i64 0, i64 5, i64 10, i64 15>", "<i32 0, i32 2, i32 4, i32 6>"));
    ASSERT_TRUE(low.found());
    EXPECT_EQ(low.steps(), (Steps{0, 5, 10, 15}));
    EXPECT_EQ(low.run(9).base, 9U);
    Asked high(half("splat (i64 12884901888)", "<i32 1, i32 3, i32 5, i32 7>")); // 3 * 2^32
    ASSERT_TRUE(high.found());
    EXPECT_EQ(high.steps(), (Steps{0, 0, 0, 0}));
    EXPECT_EQ(high.run(9).base, 3U);
    EXPECT_FALSE(Asked(half("<i64 0, i64 5, i64 10, i64 15>", "<i32 1, i32 3, i32 5, i32 7>")).found())
        << "lanes may carry";
    EXPECT_FALSE(Asked(half("<i64 0, i64 5, i64 10, i64 15>", "<i32 0, i32 3, i32 4, i32 7>")).found());
}

TEST(LaneAffine, LanesTooFarFromEachOtherHaveNone) {
    EXPECT_FALSE(
        Asked(whole("  %w = zext <4 x i32> %splat to <4 x i64>\n"
                    "  %v = add <4 x i64> %w, <i64 0, i64 1, i64 2, i64 1099511627777>\n", // 2^40 + 1
                    "<4 x i64>"))
            .found());
    EXPECT_TRUE(Asked(whole("  %w = zext <4 x i32> %splat to <4 x i64>\n"
                            "  %v = add <4 x i64> %w, <i64 0, i64 1, i64 2, i64 1099511627776>\n",
                            "<4 x i64>"))
                    .found());
}

TEST(LaneAffine, NoMoreThanSixConditions) {
    std::string body = "  %o0 = or <4 x i32> %lanes, <i32 16, i32 16, i32 16, i32 16>\n";
    const auto next = [&](int k) {
        const std::string bit = std::to_string(16 << k);
        body += "  %" + (k == 6 ? std::string("v") : "o" + std::to_string(k)) + " = or <4 x i32> %o" +
                std::to_string(k - 1) + ", <i32 " + bit + ", i32 " + bit + ", i32 " + bit + ", i32 " + bit +
                ">\n";
    };
    for (int k = 1; k < 6; ++k)
        next(k);
    Asked six(whole(body + "  %v = add <4 x i32> %o5, zeroinitializer\n"));
    ASSERT_TRUE(six.found());
    EXPECT_EQ(six.conditions(), 6U);
    next(6);
    EXPECT_FALSE(Asked(whole(body)).found());
}

// ---- what most threads have

const Steps row{0, 1, 2, 3};

Asked assumed(const std::string& body) {
    return Asked(whole(body) + "declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)\n"
                               "declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>)\n"
                               "declare <4 x i32> @llvm.umin.v4i32(<4 x i32>, <4 x i32>)\n",
                 0, 0, true);
}
const std::string larger_than_4 =
    "  %v = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %lanes, <4 x i32> <i32 4, i32 4, i32 4, i32 4>)\n";

TEST(LaneAffine, ARowThatNoLaneLeavesAtItsLowerEdge) {
    EXPECT_FALSE(
        Asked(whole(larger_than_4) + "declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)\n").found());
    Asked asked = assumed(larger_than_4);
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), row);
    EXPECT_EQ(asked.conditions(), 1U);
    const Ran inside = asked.run(4);
    EXPECT_TRUE(inside.holds);
    EXPECT_EQ(inside.base, 4U);
    EXPECT_FALSE(asked.run(3).holds);          // 4, 4, 5, 6
    EXPECT_FALSE(asked.run(0x7FFFFFFD).holds); // lane 3 is the least number
    EXPECT_TRUE(asked.run(0x7FFFFFFC).holds);
    EXPECT_FALSE(asked.run(0xFFFFFFFF).holds); // 4, 4, 4, 4
}

// The outer one is that of the row only where the inner one is, too.
TEST(LaneAffine, ARowBetweenTwoEdges) {
    Asked asked = assumed(
        "  %u = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %lanes, <4 x i32> zeroinitializer)\n"
        "  %v = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %u, <4 x i32> <i32 9, i32 9, i32 9, i32 9>)\n");
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), row);
    EXPECT_EQ(asked.conditions(), 2U);
    EXPECT_FALSE(asked.run(0xFFFFFFFF).holds); // 0, 0, 1, 2
    EXPECT_TRUE(asked.run(0).holds);
    EXPECT_TRUE(asked.run(6).holds);
    EXPECT_EQ(asked.run(6).base, 6U);
    EXPECT_FALSE(asked.run(7).holds); // 7, 8, 9, 9
}

TEST(LaneAffine, ARowBelowAnUnsignedEdge) {
    Asked asked = assumed("  %v = call <4 x i32> @llvm.umin.v4i32(<4 x i32> <i32 9, i32 9, i32 9, i32 9>, "
                          "<4 x i32> %lanes)\n");
    ASSERT_TRUE(asked.found());
    EXPECT_TRUE(asked.run(6).holds);
    EXPECT_FALSE(asked.run(7).holds);
    EXPECT_FALSE(asked.run(0xFFFFFFFE).holds); // 9, 9, 0, 1
}

// Four bits of x choose 7 instead of a lane.
TEST(LaneAffine, ARowWhoseLanesNoMaskReplaces) {
    Asked asked =
        assumed("  %high = lshr i32 %x, 28\n"
                "  %four = trunc i32 %high to i4\n"
                "  %mask = bitcast i4 %four to <4 x i1>\n"
                "  %v = select <4 x i1> %mask, <4 x i32> <i32 7, i32 7, i32 7, i32 7>, <4 x i32> %lanes\n");
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), row);
    EXPECT_TRUE(asked.run(5).holds);
    EXPECT_EQ(asked.run(5).base, 5U);
    EXPECT_FALSE(asked.run(0x10000005).holds);
    EXPECT_FALSE(asked.run(0xF0000005).holds); // 7, 7, 7, 7
}

TEST(LaneAffine, LowBitsOfARow) {
    Asked asked = assumed("  %v = and <4 x i32> %lanes, <i32 1023, i32 1023, i32 1023, i32 1023>\n");
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), row);
    EXPECT_TRUE(asked.run(1020).holds);
    EXPECT_FALSE(asked.run(1021).holds); // the last lane is 0
    EXPECT_TRUE(asked.run(2056).holds);
    EXPECT_EQ(asked.run(2056).base, 8U);
    EXPECT_FALSE(assumed("  %v = and <4 x i32> %lanes, <i32 1, i32 1, i32 1, i32 1>\n").found());
}

// A window that begins at the same place for all lanes, but at an edge; its counter in the third iteration.
TEST(LaneAffine, ACounterThatStartsAtAClampedRow) {
    Asked asked("define void @f(i32 %x, ptr %memory) {\n"
                "entry:\n"
                "  %one = insertelement <4 x i32> poison, i32 %x, i64 0\n"
                "  %splat = shufflevector <4 x i32> %one, <4 x i32> poison, <4 x i32> zeroinitializer\n"
                "  %lanes = add <4 x i32> %splat, <i32 0, i32 1, i32 2, i32 3>\n"
                "  %start = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %lanes, "
                "<4 x i32> <i32 100, i32 100, i32 100, i32 100>)\n"
                "  br label %loop\n"
                "loop:\n"
                "  %v = phi <4 x i32> [ %start, %entry ], [ %next, %loop ]\n"
                "  %n = phi i32 [ 0, %entry ], [ %m, %loop ]\n"
                "  %next = add <4 x i32> %v, <i32 1, i32 1, i32 1, i32 1>\n"
                "  %m = add i32 %n, 1\n"
                "  %again = icmp ult i32 %m, 3\n"
                "  br i1 %again, label %loop, label %exit\n"
                "exit:\n"
                "  ret void\n"
                "}\n"
                "declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)\n",
                0, 0, true);
    ASSERT_TRUE(asked.found());
    EXPECT_EQ(asked.steps(), (Steps{0, 0, 0, 0}));
    EXPECT_TRUE(asked.run(5).holds);
    EXPECT_EQ(asked.run(5).base, 102U);
    EXPECT_TRUE(asked.run(97).holds);
    EXPECT_FALSE(asked.run(98).holds); // 100, 100, 100, 101
}

} // namespace
} // namespace visor::jit
