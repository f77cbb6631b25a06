// What the outside compiler does not survive or does not read, as the users of `visor run` see it.
#include "../compile/spirv_module.h"
#include "end_to_end.h"

#include <gtest/gtest.h>

namespace visor::cli {
namespace {

constexpr int bad_input = 1;
constexpr int no_compiler = 3;

class CompilerSide : public EndToEnd {
protected:
    [[nodiscard]] test::Finished number(const std::string& module) const {
        return visor(
            {"run", source("number.spv", module), "-g", "16", "-a", "zeros:u32:16", "--print", "0:16"});
    }
    // The sources in compiler_exit/: this compiler ends on each of them.
    [[nodiscard]] test::Finished ends(const std::string& name, std::vector<std::string> more) const {
        more.insert(more.begin(),
                    {"run", std::string(VISOR_TEST_SOURCES "/compiler_exit/") + name, "-g", "8"});
        return visor(more);
    }
};

TEST_F(CompilerSide, SpirvThatTheCompilerDiesOf) {
    for (const std::string& module : {test::spirv::number_by_bitcast(), test::spirv::number_by_extract()}) {
        const auto ran = number(module);
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.out, "0 = 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n");
    }
}

TEST_F(CompilerSide, SpirvThatTheCompilerDoesNotRead) {
    const auto ran = number(test::spirv::number_by_extract(0x00010500));
    EXPECT_EQ(ran.exit_code, bad_input) << ran.err;
    EXPECT_TRUE(has(ran.err, "SPIR-V 1.5: the compiler reads 1.0 to 1.4\n")) << ran.err;
    EXPECT_TRUE(has(ran.err, "number.spv` does not build for skl\n")) << ran.err;
}

TEST_F(CompilerSide, AnOptionOfTheCodeGeneratorIsToldInItsWords) {
    const auto ran = ends("bad_igc_option.cl", {"--options", "-igc_opts 'VISAOptions=-nonsense'", "-a",
                                                "zeros:i32:16", "zeros:i32:8", "zeros:u32:8"});
    EXPECT_EQ(ran.exit_code, bad_input) << ran.err;
    EXPECT_TRUE(has(ran.err, "bad_igc_option.cl` (kernel votes): -nonsense: unrecognized option\n"))
        << ran.err;
}

TEST_F(CompilerSide, ACompilerThatGivesUpIsToldWithTheKernel) {
    const auto bits =
        ends("bitfield_insert.cl",
             {"--options", "-cl-std=CL3.0 -cl-ext=+cl_khr_extended_bit_ops", "-a", "zeros:u32:8"});
    EXPECT_EQ(bits.exit_code, no_compiler) << bits.err;
    EXPECT_TRUE(has(bits.err, "the OpenCL compiler gave up by itself (exit status 1) on `")) << bits.err;
    EXPECT_TRUE(has(bits.err, "bitfield_insert.cl` (kernel k) and said nothing; worth trying are "
                              "-cl-opt-disable, -cl-intel-256-GRF-per-thread and another device\n"))
        << bits.err;
    const std::vector<std::string> keccak{"--device", "pvc", "-a", "zeros:u32:128", "zeros:u32:16", "1", "1"};
    const auto ended = ends("keccak_pvc.cl", keccak);
    EXPECT_EQ(ended.exit_code, no_compiler) << ended.err;
    EXPECT_TRUE(has(ended.err, "keccak_pvc.cl` (kernel dag) and said nothing; worth trying are "))
        << ended.err;
    // What is worth trying helps here.
    std::vector<std::string> advised = keccak;
    advised.insert(advised.end(), {"--options", "-cl-intel-256-GRF-per-thread"});
    const auto ran = ends("keccak_pvc.cl", advised);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

} // namespace
} // namespace visor::cli
