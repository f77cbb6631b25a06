// What a context keeps of programs: a host may build and release them as long as it runs.
#include "vm/loaded.h"
#include "vm/vm.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace visor::vm {
namespace {

constexpr std::string_view kernel = ".version 4.1\n.kernel \"k\"\n.kernel_attr SimdSize=8\n    ret (M1, 1)\n";

class Lifetime : public testing::TestWithParam<EngineKind> {
protected:
    std::shared_ptr<const Program> program() {
        std::string warnings;
        auto loaded = context_.load("k.visaasm", kernel, {}, warnings);
        EXPECT_TRUE(loaded);
        return *loaded;
    }
    void run(const Program& program) {
        launch::HandGeometry geometry;
        geometry.in_threads = true;
        RunSettings settings;
        settings.engine = GetParam();
        const auto report = context_.run(program, "", {}, {}, geometry, settings);
        EXPECT_TRUE(report && !report->error);
        EXPECT_EQ(report->instructions, 1U);
    }

    Context context_{*isa::device_named("skl")};
};

TEST_P(Lifetime, KernelsGoWithTheirProgramsButForTheLastOnes) {
    const auto lasting = program();
    run(*lasting);
    const std::weak_ptr<const Linked> of_lasting = *lasting->linked(0);
    std::vector<std::weak_ptr<const Linked>> others;
    for (int i = 0; i < 40; ++i) {
        const auto passing = program();
        run(*passing);
        others.push_back(*passing->linked(0));
    }
    const auto left = std::ranges::count_if(others, [](const auto& one) { return !one.expired(); });
    EXPECT_GT(left, 0);
    EXPECT_LE(left, 10);
    EXPECT_FALSE(of_lasting.expired());
    run(*lasting);
}

// What it is told of.
class Counted final : public machine::Watcher {
public:
    Counted(bool memory, bool undefined) : memory_(memory), undefined_(undefined) {}
    [[nodiscard]] bool wants_memory() const override { return memory_; }
    [[nodiscard]] bool wants_undefined() const override { return undefined_; }
    void memory(const machine::MemoryEvent& /*event*/) override { ++accesses; }
    void undefined(const machine::UndefinedEvent& /*event*/) override { ++conflicts; }

    int accesses = 0;
    int conflicts = 0;

private:
    bool memory_;
    bool undefined_;
};

// Threads are used again by the next launch: what listened to the last one has gone.
TEST_P(Lifetime, AWatcherIsForgottenAfterItsLaunch) {
    // All lanes write one place: a conflict.
    constexpr std::string_view writes =
        ".version 4.1\n.kernel \"k\"\n.decl at v_type=G type=ud num_elts=8 align=GRF\n"
        ".decl T6 v_type=T num_elts=1\n.kernel_attr SimdSize=8\n"
        "    mov (M1, 8) at(0,0)<1> 0x0:ud\n"
        "    scatter_scaled.4 (M1, 8) T6 0x0:ud at.0 at.0\n    ret (M1, 1)\n";
    std::string warnings;
    const auto loaded = context_.load("k.visaasm", writes, {}, warnings);
    ASSERT_TRUE(loaded);
    const auto buffer = context_.allocate(64, "buffer");
    const std::vector<launch::HandState> states{{6, *buffer}};
    const auto launch = [&](machine::Watcher* watcher) {
        launch::HandGeometry geometry;
        geometry.in_threads = true;
        RunSettings settings;
        settings.engine = GetParam();
        settings.watcher = watcher;
        const std::vector<launch::HandInput> inputs{};
        const auto report = context_.run(**loaded, "", inputs, states, geometry, settings);
        EXPECT_TRUE(report && !report->error);
    };
    for (const bool memory : {true, false})
        for (const bool undefined : {true, false}) {
            auto watcher = std::make_unique<Counted>(memory, undefined);
            launch(watcher.get());
            EXPECT_EQ(watcher->accesses, memory ? 1 : 0);
            EXPECT_EQ(watcher->conflicts, undefined ? 1 : 0);
            watcher.reset();
            launch(nullptr);
        }
}

INSTANTIATE_TEST_SUITE_P(Engines, Lifetime, testing::Values(EngineKind::interpreter, EngineKind::automatic));

} // namespace
} // namespace visor::vm
