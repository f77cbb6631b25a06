// The program with --engine jit: the same results, and the right ones whatever happens to the code generator
// and to what it left on disk.
#include "cli/end_to_end.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

namespace fs = std::filesystem;

class Jit : public EndToEnd {
protected:
    // 2.5 * x + y of three items out of four: 1, 2.5 + 1, 5 + 1, and what was there.
    [[nodiscard]] test::Finished
    run(const std::vector<std::pair<std::string, std::string>>& environment) const {
        return test::run({VISOR_PROGRAM, "run", saxpy, "-k", "saxpy", "-g", "4", "--engine", "jit", "-v",
                          "-a", "fill:f32:4:1", "iota:f32:4", "2.5", "3", "--print", "y"},
                         environment);
    }
};

constexpr const char* right = "y = 1 3.5 6 1\n";

TEST_F(Jit, GivesTheSameFromTheGeneratorAndFromTheCache) {
    for (int i = 0; i < 2; ++i) {
        const auto ran = run({{"VISOR_CACHE_DIR", file("cache")}});
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.out, right);
        EXPECT_TRUE(has(ran.err, "jit engine: code in")) << ran.err;
        EXPECT_FALSE(has(ran.err, "no code for")) << ran.err;
    }
}

TEST_F(Jit, RunsRightWithDamagedCacheFiles) {
    ASSERT_EQ(run({{"VISOR_CACHE_DIR", file("cache")}}).out, right);
    size_t damaged = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(file("cache")) / "native")) {
        std::fstream stream(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
        stream << "damage";
        ++damaged;
    }
    EXPECT_GT(damaged, 0U);
    const auto ran = run({{"VISOR_CACHE_DIR", file("cache")}});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, right);
}

// A worker that dies at once: the interpreter runs the kernel, and -v says why.
TEST_F(Jit, RunsWithoutTheCodeGenerator) {
    const fs::path parts = fs::path(VISOR_PROGRAM).parent_path().parent_path() / "libexec/visor";
    const fs::path own = file("libexec");
    fs::create_directory(own);
    for (const char* const part : {"visor-compile-worker", "visor-jit.so"})
        fs::create_symlink(parts / part, own / part);
    fs::create_symlink("/bin/false", own / "visor-jit-worker");
    const auto ran = run({{"VISOR_CACHE_DIR", file("fresh")}, {"VISOR_LIBEXEC", own.string()}});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, right);
    EXPECT_TRUE(has(ran.err, "code generation's process ended without an answer")) << ran.err;
}

// 1023 * 1024 / 2, from four CPU threads; every group adds once for each of its lanes.
TEST_F(Jit, AtomicsOfSeveralThreads) {
    const std::string kernel =
        source("a.cl", "__kernel void a(__global int* sum) { atomic_add(sum, (int)get_global_id(0)); }");
    const auto ran = visor({"run", kernel, "-g", "1024", "-l", "16", "--threads", "4", "--engine", "jit",
                            "-a", "zeros:i32:1", "--print", "sum"});
    EXPECT_EQ(ran.out, "sum = 523776\n") << ran.err;
}

// `auto`: a launch of many threads is worth its code, a small one is not.
TEST_F(Jit, AutoTakesItForLargeLaunches) {
    const std::string kernel =
        source("s.cl", "__kernel void s(__global int* y) { y[get_global_id(0)] += 1; }");
    const auto launch = [&](const char* items, const std::string& array) {
        return visor({"run", kernel, "-g", items, "-l", "256", "-v", "-a", array, "--print", "y:1"});
    };
    const auto large = launch("8388608", "zeros:i32:8388608");
    EXPECT_EQ(large.out, "y = 1\n") << large.err;
    EXPECT_TRUE(has(large.err, "jit engine")) << large.err;
    EXPECT_TRUE(has(launch("256", "zeros:i32:256").err, "the launch is small"));
}

// Few threads may loop for long: how often is not known before.
TEST_F(Jit, AutoTakesItForLoops) {
    const std::string kernel =
        source("l.cl", "__kernel void l(__global const int* x, __global int* y, int n) {\n"
                       "    int sum = 0;\n"
                       "    for (int i = 0; i < n; ++i)\n"
                       "        for (int j = 0; j < n; ++j)\n"
                       "            sum += x[i * j & 255] + 1;\n"
                       "    y[get_global_id(0)] = sum;\n"
                       "}\n");
    const auto ran = visor({"run", kernel, "-g", "1024", "-l", "256", "-v", "-a", "zeros:i32:256", "-a",
                            "zeros:i32:1024", "-a", "2", "--print", "y:1"});
    EXPECT_EQ(ran.out, "y = 4\n") << ran.err;
    EXPECT_TRUE(has(ran.err, "jit engine")) << ran.err;
}

// An endless loop ends by its fuel, and by its time.
TEST_F(Jit, EndlessLoopsEnd) {
    const std::string text = ".version 4.1\n.kernel \"k\"\n.kernel_attr SimdSize=16\n"
                             ".decl V v_type=G type=d num_elts=16 align=GRF\n"
                             "L:\n    add (M1, 16) V(0,0)<1> V(0,0)<1;1,0> 0x1:d\n    goto (M1, 16) L\n"
                             "    ret (M1, 1)\n";
    const std::string path = file("loop.visaasm");
    std::ofstream(path) << text;
    const auto by_fuel = visor({"run", path, "--engine", "jit", "--fuel", "100000", "--groups", "1"});
    EXPECT_EQ(by_fuel.exit_code, 124) << by_fuel.err;
    EXPECT_TRUE(has(by_fuel.err, "100000 instructions")) << by_fuel.err;
    const auto by_time =
        visor({"run", path, "--engine", "jit", "--fuel", "0", "--timeout", "2", "--groups", "1"});
    EXPECT_EQ(by_time.exit_code, 124) << by_time.err;
}

} // namespace
} // namespace visor::cli
