// SPIR-V through the real compiler: what it does not survive, and what it does not read.
#include "compile/compile.h"
#include "scratch_folder.h"
#include "spirv_module.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

class CompileSpirv : public testing::Test {
protected:
    static Request request(std::string module) {
        Request out;
        out.language = Language::spirv;
        out.name = "k.spv";
        out.source = std::move(module);
        return out;
    }

    ScratchFolder folder_;
    Environment cache_{"VISOR_CACHE_DIR", folder_ / "cache"};
};

// This compiler aborts on the module as it is.
TEST_F(CompileSpirv, BuiltinsReadThroughABitcast) {
    for (const char* device : {"skl", "icllp", "tgllp", "dg2", "pvc"}) {
        Request one = request(test::spirv::number_by_bitcast());
        one.device = device;
        const auto output = compile(one);
        EXPECT_TRUE(output) << device << ": " << output.error().message;
    }
}

TEST_F(CompileSpirv, BuiltinsOfModulesThatAreLinked) {
    Request one = request("");
    one.language = Language::modules;
    one.modules = {test::spirv::number_by_bitcast()};
    const auto output = compile(one);
    EXPECT_TRUE(output) << output.error().message;
}

TEST_F(CompileSpirv, VersionsUpTo14) {
    for (uint32_t minor = 0; minor <= 4; ++minor)
        EXPECT_TRUE(compile(request(test::spirv::number_by_extract(0x00010000U | minor << 8U)))) << minor;
    for (uint32_t minor = 5; minor <= 6; ++minor) {
        const auto output = compile(request(test::spirv::number_by_extract(0x00010000U | minor << 8U)));
        ASSERT_FALSE(output);
        EXPECT_EQ(output.error().kind, FailureKind::build_error);
        EXPECT_EQ(output.error().log,
                  "SPIR-V 1." + std::to_string(minor) + ": the compiler reads 1.0 to 1.4\n");
    }
}

TEST_F(CompileSpirv, NewerModulesThatAreLinked) {
    Request one = request("");
    one.language = Language::modules;
    one.modules = {test::spirv::number_by_extract(0x00010500)};
    const auto output = compile(one);
    ASSERT_FALSE(output);
    EXPECT_TRUE(output.error().log.contains("module 1: SPIR-V 1.5: the compiler reads 1.0 to 1.4"))
        << output.error().message << output.error().log;
}

TEST_F(CompileSpirv, ExplicitSimdWithWhatFrontEndsAddForOthers) {
    Request one = request(test::spirv::number_by_extract());
    one.device = "pvc";
    one.needs_kernels = false;
    one.options = "-vc-codegen -ze-intel-enable-auto-large-GRF-mode -cl-intel-256-GRF-per-thread";
    const auto output = compile(one);
    EXPECT_TRUE(output) << output.error().message << output.error().log;
}

} // namespace
} // namespace visor::compile
