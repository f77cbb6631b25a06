// Compiles the warm-up kernel of an idle worker.
#include "jit/driver/pipeline.h"
#include "jit/driver/program_text.h"
#include "jit/driver/warmup_kernel.h"

#include <gtest/gtest.h>

namespace visor::jit {
namespace {

std::expected<Object, std::string> compile_warmup_kernel(const std::function<bool()>& is_cancelled) {
    const auto program = program_of_text(warmup_kernel, *isa::device_named("skl"));
    if (!program)
        return std::unexpected(program.error());
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
