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

INSTANTIATE_TEST_SUITE_P(Engines, Lifetime, testing::Values(EngineKind::interpreter, EngineKind::automatic));

} // namespace
} // namespace visor::vm
