// The range of SPIR-V versions that a compiler reads, of answers that are made up; and of real compilers,
// what they say of each version.
#include "compile/spirv_versions.h"

#include "scratch_folder.h"

#include <gtest/gtest.h>
#include <vector>

namespace visor::compile {
namespace {

// What `answers` say of 1.0, 1.1 ...: y, n, ? (could not be found out); behind them n.
std::string range(std::string_view answers, std::vector<uint32_t>* asked = nullptr) {
    const auto found = range_of([&](spirv::Version version) -> std::optional<bool> {
        if (asked != nullptr)
            asked->push_back(version.minor);
        const char answer = version.minor < answers.size() ? answers[version.minor] : 'n';
        return answer == '?' ? std::nullopt : std::optional(answer == 'y');
    });
    return found ? std::to_string(found->oldest.minor) + " to " + std::to_string(found->newest.minor) : "";
}

TEST(SpirvVersions, AreTheFirstRun) {
    EXPECT_EQ(range("yyyyy"), "0 to 4");
    EXPECT_EQ(range("nyyn"), "1 to 2");
    EXPECT_EQ(range("y"), "0 to 0");
    EXPECT_EQ(range("yny"), "0 to 0");
    EXPECT_EQ(range("nnn"), "");
    EXPECT_EQ(range("yy?"), "") << "an end that is not known";
    std::vector<uint32_t> asked;
    EXPECT_EQ(range("yy", &asked), "0 to 1");
    EXPECT_EQ(asked, (std::vector<uint32_t>{0, 1, 2}));
}

// 5 words of header, 25 of 10 instructions, of which the version is the second (SPIR-V 2.3).
TEST(SpirvVersions, TheEmptyKernel) {
    const std::string module = empty_kernel({1, 3});
    ASSERT_TRUE(spirv::is_module(module));
    EXPECT_EQ(module.size(), 30U * 4);
    EXPECT_EQ(spirv::Words(module).at(1), 0x00010300U);
    size_t instructions = 0;
    EXPECT_EQ(spirv::Words(module).each([&](size_t, uint32_t, uint32_t) { ++instructions; }), 30U);
    EXPECT_EQ(instructions, 10U);
}

// Of every compiler of this machine: a version that it does not read is refused with the range of those that
// it does, as its own builds have it.
TEST(SpirvVersions, EachCompilerTellsItsOwn) {
    const ScratchFolder folder;
    const Environment cache("VISOR_CACHE_DIR", folder / "cache");
    const CompilerList all = list_compilers();
    ASSERT_FALSE(all.found.empty());
    for (const CompilerFacts& compiler : all.found) {
        Request request;
        request.language = Language::spirv;
        request.name = "k.spv";
        request.compiler = compiler.version;
        request.device = compiler.devices.front();
        uint32_t minor = 0;
        for (; minor < 16; ++minor) {
            request.source = empty_kernel({1, minor});
            const auto output = compile(request);
            if (output)
                continue;
            EXPECT_EQ(output.error().kind, FailureKind::build_error) << compiler.title;
            EXPECT_EQ(output.error().log, "SPIR-V 1." + std::to_string(minor) +
                                              ": the compiler reads 1.0 to 1." + std::to_string(minor - 1) +
                                              "\n")
                << compiler.title;
            break;
        }
        EXPECT_GE(minor, 5U) << compiler.title;
        EXPECT_LT(minor, 16U) << compiler.title;
    }
}

} // namespace
} // namespace visor::compile
