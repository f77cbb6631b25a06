// Which tier runs, and when. The objects are of vISA that stores a number, compiled in this process.
#include "jit/engine/tiered_code.h"

#include "jit/driver/pipeline.h"

#include "isa/device.h"
#include "text/text.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>

namespace visor::jit {
namespace {

struct Given {
    TierUp tier_up{.groups = 16, .instructions = 1000, .per_instruction = 0};
    std::optional<Tier> has_kept{};
    bool can_start = true;
    bool is_ready = false; // what was started
    std::string mistake;   // of what was started; "": none
    std::string first_mistake;
    std::string quick_mistake;
    std::string best_mistake;
};

class TestMaker final : public CodeProvider {
public:
    [[nodiscard]] TierUp tier_up() const override { return given.tier_up; }
    [[nodiscard]] ProvidedObject make(const Program& program, const CompileOptions& options) const override {
        ++(options.tier == Tier::quick ? quick : best);
        waited = waited || options.waits;
        if (!given.first_mistake.empty())
            return std::unexpected(given.first_mistake);
        if (options.tier == Tier::quick && !given.quick_mistake.empty())
            return std::unexpected(given.quick_mistake);
        if (options.tier == Tier::best && !given.best_mistake.empty())
            return std::unexpected(given.best_mistake);
        return compile(program, options);
    }
    [[nodiscard]] std::optional<Object> kept(const Program& program,
                                             const CompileOptions& options) const override {
        return given.has_kept == options.tier ? std::optional(*compile(program, options)) : std::nullopt;
    }
    void keep(const Program& /*program*/, const CompileOptions& options,
              const Object& object) const override {
        EXPECT_EQ(options.tier, Tier::quick);
        EXPECT_FALSE(object.bytes.empty());
        ++kept_count;
    }
    [[nodiscard]] std::unique_ptr<Pending> start(const Program& program,
                                                 const CompileOptions& options) const override {
        EXPECT_EQ(options.tier, Tier::best);
        EXPECT_FALSE(options.waits);
        ++started;
        return given.can_start ? std::make_unique<Later>(*this, compile(program, options)) : nullptr;
    }

    Given given;
    mutable bool waited = false; // whether a launch did
    mutable uint32_t quick = 0;
    mutable uint32_t best = 0;
    mutable uint32_t started = 0;
    mutable uint32_t abandoned = 0;
    mutable uint32_t awaited = 0;
    mutable uint32_t kept_count = 0;

private:
    class Later final : public Pending {
    public:
        Later(const TestMaker& provider, ProvidedObject object)
            : provider_(provider), object_(std::move(object)) {}
        ~Later() override { provider_.abandoned += taken_ ? 0 : 1; }
        std::optional<ProvidedObject> take() override {
            if (!provider_.given.is_ready)
                return std::nullopt;
            taken_ = true;
            if (!provider_.given.mistake.empty())
                return std::unexpected(provider_.given.mistake);
            return std::move(object_);
        }
        std::optional<ProvidedObject> take_within(std::chrono::milliseconds patience) override {
            EXPECT_GT(patience.count(), 0);
            ++provider_.awaited;
            return take();
        }

    private:
        const TestMaker& provider_;
        ProvidedObject object_;
        bool taken_ = false;
    };
};

class TieredCodeTest : public testing::Test {
protected:
    void prepare(const std::string& code) {
        const isa::Device* const device = isa::device_named("skl");
        Diagnostics diagnostics;
        auto module =
            text::parse(".version 3.6\n.kernel \"k\"\n.decl V v_type=G type=ud num_elts=8 align=GRF\n" + code,
                        {device->grf_bytes}, diagnostics);
        ASSERT_TRUE(module);
        program_ = program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                    *device, diagnostics);
        ASSERT_TRUE(program_);
        launch_.program = &*program_;
        launch_.groups = {100, 1, 1};
        launch_.simd = 8;
        version_.emplace(provider_, *program_, CompileOptions{.simd = 8, .tier = Tier::quick});
    }
    // Tier 1 code exists and stays; tier 2 was requested once.
    void run_few_groups_that_loop() {
        prepare(loop);
        launch_.groups = {15, 1, 1};
        EXPECT_NE(version_->code(launch_), nullptr);
        EXPECT_EQ(provider_.best, 1U);
        version_->ran(1'000'000);
        EXPECT_EQ(provider_.started, 0U);
    }
    static constexpr const char* straight = "mov (M1, 8) V(0,0)<1> 0x7:ud\nret (M1, 1)\n";
    static constexpr const char* loop =
        "again:\nadd (M1, 8) V(0,0)<1> V(0,0)<1;1,0> 0x1:ud\njmp (M1, 1) again\nret (M1, 1)\n";

    TestMaker provider_;
    std::optional<Program> program_;
    machine::Launch launch_;
    std::optional<TieredCode> version_;
};

TEST_F(TieredCodeTest, QuickCodeComesFirstAndBetterWhenItHasRun) {
    prepare(straight);
    const Code* const first = version_->code(launch_);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(provider_.quick, 1U);
    EXPECT_EQ(provider_.best, 0U);
    EXPECT_EQ(provider_.started, 0U);
    version_->ran(999);
    EXPECT_EQ(provider_.started, 0U);
    version_->ran(1); // 1000 now
    EXPECT_EQ(provider_.started, 1U);
    EXPECT_EQ(version_->present(), first);
    version_->ran(1); // not ready yet
    EXPECT_EQ(version_->present(), first);
    EXPECT_FALSE(version_->stats().tiered_up);
    provider_.given.is_ready = true;
    version_->ran(1);
    EXPECT_NE(version_->present(), first);
    EXPECT_NE(version_->present(), nullptr);
    EXPECT_TRUE(version_->stats().tiered_up);
    version_->ran(1'000'000);
    EXPECT_EQ(provider_.started, 1U);
}

TEST_F(TieredCodeTest, ALargeLaunchAsksForBetterCodeAtOnce) {
    prepare(straight);
    launch_.groups = {10, 100, 1}; // two instructions each: 2000
    EXPECT_NE(version_->code(launch_), nullptr);
    EXPECT_EQ(provider_.quick, 1U);
    EXPECT_EQ(provider_.started, 1U);
}

TEST_F(TieredCodeTest, WhatWasKeptIsTakenAtOnce) {
    prepare(straight);
    provider_.given.has_kept = Tier::best;
    EXPECT_NE(version_->code(launch_), nullptr);
    version_->ran(1'000'000);
    EXPECT_EQ(provider_.quick + provider_.best + provider_.started, 0U);
}

TEST_F(TieredCodeTest, QuickCodeThatWasKeptRises) {
    prepare(straight);
    provider_.given.has_kept = Tier::quick;
    provider_.given.is_ready = true;
    const Code* const first = version_->code(launch_);
    EXPECT_EQ(provider_.quick, 0U);
    version_->ran(1000);
    EXPECT_NE(version_->present(), first);
    version_.reset();
    EXPECT_EQ(provider_.kept_count, 0U);
}

TEST_F(TieredCodeTest, QuickCodeIsKeptInTheEnd) {
    prepare(straight);
    EXPECT_NE(version_->code(launch_), nullptr);
    EXPECT_EQ(provider_.kept_count, 0U);
    version_.reset();
    EXPECT_EQ(provider_.kept_count, 1U);
}

TEST_F(TieredCodeTest, OrWhenALaunchEnds) {
    prepare(straight);
    version_->launch_ended(); // nothing to cache yet
    EXPECT_EQ(provider_.kept_count, 0U);
    EXPECT_NE(version_->code(launch_), nullptr);
    version_->launch_ended();
    EXPECT_EQ(provider_.kept_count, 1U);
    version_->launch_ended();
    version_.reset();
    EXPECT_EQ(provider_.kept_count, 1U);
}

TEST_F(TieredCodeTest, AlsoWhenBetterCodeIsOnItsWay) { // the process may end before it is ready
    prepare(straight);
    EXPECT_NE(version_->code(launch_), nullptr);
    version_->ran(1000);
    version_->launch_ended();
    EXPECT_EQ(provider_.kept_count, 1U);
}

TEST_F(TieredCodeTest, UnlessBetterCodeCame) {
    prepare(straight);
    provider_.given.is_ready = true;
    EXPECT_NE(version_->code(launch_), nullptr);
    version_->ran(1000);
    EXPECT_TRUE(version_->stats().tiered_up);
    version_.reset();
    EXPECT_EQ(provider_.kept_count, 0U);
}

TEST_F(TieredCodeTest, FewGroupsThatLoopWaitForTheBest) {
    run_few_groups_that_loop();
    EXPECT_EQ(provider_.quick, 0U);
}

// A launch waits for little; in the background tier 2 may take its time.
TEST_F(TieredCodeTest, WhereTheBestTakesTooLongQuickCodeRunsUntilItIsThere) {
    provider_.given.best_mistake = "its code is too long";
    prepare(loop);
    launch_.groups = {15, 1, 1};
    const Code* const first = version_->code(launch_);
    EXPECT_NE(first, nullptr);
    EXPECT_EQ(provider_.best, 1U);
    EXPECT_TRUE(provider_.waited);
    EXPECT_EQ(provider_.quick, 1U);
    version_->launch_ended();
    EXPECT_EQ(provider_.kept_count, 1U);
    version_->ran(1000);
    EXPECT_EQ(provider_.started, 1U);
    provider_.given.is_ready = true;
    version_->ran(1);
    EXPECT_NE(version_->present(), first);
    EXPECT_TRUE(version_->stats().tiered_up);
}

TEST_F(TieredCodeTest, EnoughGroupsThatLoopDoNot) {
    prepare(loop);
    launch_.groups = {16, 1, 1};
    EXPECT_NE(version_->code(launch_), nullptr);
    EXPECT_EQ(provider_.quick, 1U);
}

TEST_F(TieredCodeTest, WithoutBetterCodeTheFirstStays) {
    prepare(straight);
    provider_.given.is_ready = true;
    provider_.given.mistake = "the code generator crashed";
    const Code* const first = version_->code(launch_);
    version_->ran(1000);
    EXPECT_EQ(version_->present(), first);
    EXPECT_EQ(version_->stats().refused, "the code generator crashed");
    EXPECT_FALSE(version_->stats().tiered_up);
}

TEST_F(TieredCodeTest, NobodyIsAskedTwiceWhoCannotStart) {
    prepare(straight);
    provider_.given.can_start = false;
    const Code* const first = version_->code(launch_);
    version_->ran(1000);
    version_->ran(1000);
    EXPECT_EQ(provider_.started, 1U);
    EXPECT_EQ(version_->present(), first);
    EXPECT_EQ(version_->stats().refused, "");
}

TEST_F(TieredCodeTest, NoCodeIsNoCode) {
    prepare(straight);
    provider_.given.first_mistake = "too long";
    EXPECT_EQ(version_->code(launch_), nullptr);
    EXPECT_EQ(version_->code(launch_), nullptr); // and is requested once
    EXPECT_EQ(provider_.quick, 1U);
    EXPECT_EQ(provider_.best, 1U);
    version_->ran(1'000'000);
    EXPECT_EQ(provider_.started, 0U);
    EXPECT_EQ(version_->stats().refused, "too long");
}

TEST_F(TieredCodeTest, WhereQuickCodeFailsTheBestIsMade) {
    prepare(straight);
    provider_.given.quick_mistake = "the code generator crashed";
    EXPECT_NE(version_->code(launch_), nullptr);
    EXPECT_EQ(provider_.quick, 1U);
    EXPECT_EQ(provider_.best, 1U);
    version_->ran(1'000'000);
    version_.reset();
    EXPECT_EQ(provider_.started + provider_.kept_count, 0U); // tier 2 code, cached by its compilation
}

// Some optimizations take more than linear time.
TEST_F(TieredCodeTest, WhatIsTooLongIsMadeQuicklyOrNotAtAll) {
    std::string text = "again:\n";
    for (int k = 0; k < 12'001; ++k)
        text += "mov (M1, 8) V(0,0)<1> 0x7:ud\n";
    text += "jmp (M1, 1) again\nret (M1, 1)\n";
    provider_.given.has_kept = Tier::best; // is not looked up
    provider_.given.quick_mistake = "too many registers";
    prepare(text);
    launch_.groups = {1, 1, 1}; // a shorter one would wait for tier 2
    EXPECT_EQ(version_->code(launch_), nullptr);
    EXPECT_EQ(version_->stats().refused, "too many registers");
    provider_.given = {};
    prepare(text);
    EXPECT_NE(version_->code(launch_), nullptr);
    version_->ran(1'000'000'000);
    EXPECT_EQ(provider_.quick, 2U);
    EXPECT_EQ(provider_.best + provider_.started, 0U);
    version_->launch_ended();
    EXPECT_EQ(provider_.kept_count, 1U);
}

TEST_F(TieredCodeTest, WhatIsPendingEndsWithIt) {
    prepare(straight);
    EXPECT_NE(version_->code(launch_), nullptr);
    version_->ran(1000);
    version_.reset();
    EXPECT_EQ(provider_.abandoned, 1U);
    EXPECT_EQ(provider_.awaited, 0U);
}

TEST_F(TieredCodeTest, WhatAnEarlierProcessStartedInVainIsAwaited) {
    prepare(straight);
    provider_.given.has_kept = Tier::quick;
    launch_.groups = {10, 100, 1}; // enough to start tier 2 at once
    EXPECT_NE(version_->code(launch_), nullptr);
    EXPECT_EQ(provider_.started, 1U);
    provider_.given.is_ready = true;
    version_.reset();
    EXPECT_EQ(provider_.awaited, 1U);
    EXPECT_EQ(provider_.abandoned, 0U);
}

TEST_F(TieredCodeTest, ALongFunctionIsNotAwaited) {
    std::string text;
    for (int i = 0; i < 1001; ++i)
        text += "mov (M1, 8) V(0,0)<1> 0x7:ud\n";
    prepare(text + "ret (M1, 1)\n");
    provider_.given.has_kept = Tier::quick;
    EXPECT_NE(version_->code(launch_), nullptr);
    version_->ran(1000);
    EXPECT_EQ(provider_.started, 1U);
    version_.reset();
    EXPECT_EQ(provider_.awaited, 0U);
    EXPECT_EQ(provider_.abandoned, 1U);
}

TEST_F(TieredCodeTest, NothingIsAwaitedThatWasNotStarted) {
    prepare(straight);
    provider_.given.has_kept = Tier::quick;
    EXPECT_NE(version_->code(launch_), nullptr);
    version_.reset();
    EXPECT_EQ(provider_.started + provider_.awaited, 0U);
}

} // namespace
} // namespace visor::jit
