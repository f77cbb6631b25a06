// Compiles the warm-up kernel of an idle worker.
#include "jit/driver/pipeline.h"
#include "jit/driver/warmup_kernel.h"
#include "text/text.h"

#include <gtest/gtest.h>

namespace visor::jit {
namespace {

std::expected<Object, std::string> compile_warmup_kernel(const std::function<bool()>& is_cancelled) {
    const isa::Device& device = *isa::device_named("skl");
    Diagnostics diagnostics;
    auto module = text::parse(warmup_kernel, {device.grf_bytes}, diagnostics);
    if (!module)
        return std::unexpected("it does not parse");
    const auto program = program::prepare(
        std::make_shared<const Function>(std::move(module->functions.front())), device, diagnostics);
    if (!program)
        return std::unexpected("it cannot be prepared");
    return compile(*program, {.tier = Tier::quick}, is_cancelled);
}

TEST(Object, TheExerciseIsCode) {
    const auto object = compile_warmup_kernel({});
    ASSERT_TRUE(object) << object.error();
    EXPECT_EQ(object->bytes.substr(0, 4), "\x7f"
                                          "ELF");
    EXPECT_EQ(object->surfaces.size(), 1U);
}

TEST(Object, MakingItCanBeGivenUp) {
    int asked = 0;
    const auto object = compile_warmup_kernel([&] { return ++asked > 0; });
    ASSERT_FALSE(object);
    EXPECT_EQ(object.error(), "cancelled");
    EXPECT_EQ(asked, 1);
}

} // namespace
} // namespace visor::jit
