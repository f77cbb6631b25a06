// The real compiler through the real worker: needs the package intel-opencl-icd, as the command line does.
#include "compile/compile.h"
#include "compile/parts.h"
#include "scratch_folder.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>

namespace visor::compile {
namespace {

constexpr const char* fill = "kernel void fill(global int* p, int v) { p[get_global_id(0)] = v; }\n";

// Every test has a cache of its own.
class Compile : public testing::Test {
protected:
    ScratchFolder folder_;
    Environment cache_{"VISOR_CACHE_DIR", folder_ / "cache"};

    [[nodiscard]] Request request(std::string source) const {
        return {.name = folder_ / "k.cl", .source = std::move(source)};
    }
    static Failure failure_of(const Request& request) {
        const auto output = compile(request);
        EXPECT_FALSE(output);
        return output ? Failure{} : output.error();
    }
    static bool contains(const Output& output, std::string_view text) {
        const std::string_view zebin(reinterpret_cast<const char*>(output.zebin.data()), output.zebin.size());
        return zebin.contains(text);
    }
};

TEST_F(Compile, GivesAZebinWithText) {
    const auto output = compile(request(fill));
    ASSERT_TRUE(output) << output.error().message << output.error().log;
    EXPECT_TRUE(contains(*output, "\177ELF"));
    EXPECT_TRUE(contains(*output, ".kernel \"kernel\""));
    EXPECT_TRUE(contains(*output, "name:            v")) << "argument names";
    EXPECT_EQ(output->log, "");
    EXPECT_FALSE(output->from_cache);
}

TEST_F(Compile, EveryDeviceThatTheCompilerKnows) {
    for (const char* device : {"skl", "icllp", "tgllp", "dg2", "pvc"}) {
        Request one = request(fill);
        one.device = device;
        const auto output = compile(one);
        EXPECT_TRUE(output) << device << ": " << output.error().message;
    }
    Request unknown = request(fill);
    unknown.device = "bmg";
    unknown.compiler = "system";
    EXPECT_EQ(failure_of(unknown).kind, FailureKind::no_target);
    unknown.device = "skl;rm";
    EXPECT_EQ(failure_of(unknown).message, "`skl;rm` is no device name");
}

// The compiler's own header does not compile as OpenCL C 1.1 unless an extension is taken from it.
TEST_F(Compile, OpenClC11WithItsExtensions) {
    constexpr std::string_view source = "#if __OPENCL_C_VERSION__ != 110 || !defined(cl_khr_fp16)\n"
                                        "#error another language\n"
                                        "#endif\n"
                                        "#ifdef DOUBLES\n"
                                        "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                                        "kernel void d(global double* v) { v[get_global_id(0)] *= 2; }\n"
                                        "#endif\n"
                                        "kernel void f(global half* v) { v[get_global_id(0)] = 1; }\n";
    for (const char* device : {"skl", "icllp", "tgllp", "dg2", "pvc"}) {
        Request one = request(std::string(source));
        one.device = device;
        const bool doubles = one.device == "skl" || one.device == "pvc";
        one.options = doubles ? "-cl-std=CL1.1 -DDOUBLES" : "-cl-std=CL1.1";
        const auto output = compile(one);
        EXPECT_TRUE(output) << device << ": " << output.error().message << output.error().log;
    }
}

TEST_F(Compile, ErrorsNameTheUsersFileAndLine) {
    const Failure failure = failure_of(request("kernel void f(global int* p) {\n  p[0] = nothing;\n}\n"));
    EXPECT_EQ(failure.kind, FailureKind::build_error);
    EXPECT_EQ(failure.message, fmt::format("`{}` does not build for skl", folder_ / "k.cl"));
    EXPECT_TRUE(failure.log.starts_with(
        fmt::format("{}:2:10: error: use of undeclared identifier 'nothing'\n", folder_ / "k.cl")))
        << failure.log;
    EXPECT_EQ(failure.log.find("error code"), std::string::npos) << failure.log;
}

TEST_F(Compile, WarningsComeWithTheResult) {
    const auto output = compile(request(std::string("#warning look here\n") + fill));
    ASSERT_TRUE(output);
    EXPECT_TRUE(output->log.starts_with(folder_ / "k.cl:1:2: warning: look here\n")) << output->log;
    const auto again = compile(request(std::string("#warning look here\n") + fill));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->from_cache);
    EXPECT_EQ(again->log, output->log);
}

TEST_F(Compile, OptionsAreToldAndChecked) {
    Request one = request("kernel void f(global int* p) { p[0] = N; }\n");
    EXPECT_EQ(failure_of(one).kind, FailureKind::build_error);
    one.options = "'-DN=3 + 4' -cl-std=CL2.0";
    EXPECT_TRUE(compile(one));
    one.options = "-DN=1 -bogus";
    EXPECT_EQ(failure_of(one).message, "the OpenCL compiler does not know the option `-bogus`");
    one.options = "-DN='";
    EXPECT_EQ(failure_of(one).kind, FailureKind::bad_option);
}

TEST_F(Compile, IncludesBesideTheSourceAndInFolders) {
    folder_.write("beside.h", "#define A 1\n");
    folder_.write("with blank/b.h", "#define B 2\n");
    folder_.write("other/c.h", "#define C 3\n");
    Request one = request("#include \"beside.h\"\n#include <b.h>\n#include \"c.h\"\n"
                          "kernel void f(global int* p) { p[0] = A + B + C; }\n");
    one.include_folders = {folder_ / "with blank"};
    EXPECT_EQ(failure_of(one).kind, FailureKind::build_error) << "c.h is nowhere";
    one.options = fmt::format("-I {}", folder_ / "other");
    const auto output = compile(one);
    EXPECT_TRUE(output) << output.error().log;
}

// Wherever the user may read: the source says what it includes, the user where from.
TEST_F(Compile, NothingElseIsIncluded) {
    if (worker_confinement().landlock == 0)
        GTEST_SKIP() << "this system has no Landlock";
    folder_.write("headers/h.h", "#define H 1\n");
    folder_.write("sources/k.cl", "");
    std::filesystem::create_symlink(folder_ / "headers/h.h", folder_ / "sources/link.h");
    const std::string kernel = "kernel void f(global int* p) { p[0] = H; }\n";
    for (const std::string& name :
         {std::string("../headers/h.h"), folder_ / "headers/h.h", std::string("link.h")}) {
        Request one{.name = folder_ / "sources/k.cl",
                    .source = fmt::format("#include \"{}\"\n{}", name, kernel)};
        const Failure failure = failure_of(one);
        EXPECT_EQ(failure.kind, FailureKind::build_error) << name;
        EXPECT_TRUE(failure.log.contains("Permission denied")) << failure.log;
        EXPECT_TRUE(failure.message.contains("-I")) << failure.message;
        one.options = "-I " + (folder_ / "headers");
        EXPECT_TRUE(compile(one)) << name;
    }
    const Failure secret = failure_of(request(std::string("#include \"/etc/passwd\"\n") + fill));
    EXPECT_FALSE(secret.log.contains("root:")) << secret.log;
    const Environment home("HOME", folder_ / "sources");
    folder_.write("sources/own.h", "#define H 1\n");
    EXPECT_FALSE(compile({.name = folder_ / "sources/k.cl", .source = "#include \"own.h\"\n" + kernel}))
        << "the home folder";
}

TEST_F(Compile, AChangedHeaderIsBuiltAnew) {
    folder_.write("n.h", "#define N 11\n");
    const Request one = request("#include \"n.h\"\nkernel void f(global int* p) { p[0] = N; }\n");
    ASSERT_TRUE(compile(one));
    EXPECT_TRUE(compile(one)->from_cache);
    folder_.write("n.h", "#define N 22\n");
    const auto output = compile(one);
    ASSERT_TRUE(output);
    EXPECT_FALSE(output->from_cache);
    EXPECT_TRUE(contains(*output, "0x16:d")) << "22";
}

TEST_F(Compile, ErrorsInHeadersNameTheHeader) {
    const std::string header = folder_.write("bad.h", "\nint f( { }\n");
    const Failure failure = failure_of(request(std::string("#include \"bad.h\"\n") + fill));
    EXPECT_NE(failure.log.find(header + ":2:8: error:"), std::string::npos) << failure.log;
}

TEST_F(Compile, SpirvGoesInWhereSourceDoes) {
    const auto first = compile(request(fill));
    ASSERT_TRUE(first);
    // The zebin carries the SPIR-V that it was made of: magic 0x07230203 up to the next section.
    const std::string_view zebin(reinterpret_cast<const char*>(first->zebin.data()), first->zebin.size());
    const size_t at = zebin.find("\x03\x02\x23\x07");
    ASSERT_NE(at, std::string_view::npos);
    const size_t end = zebin.find(".version", at); // of the text, which follows
    ASSERT_NE(end, std::string_view::npos);
    // Ends with the last instruction, OpFunctionEnd: one word, 0x00010038.
    const size_t last = zebin.rfind(std::string_view("\x38\x00\x01\x00", 4), end);
    Request one{
        .language = Language::spirv, .name = "k.spv", .source = std::string(zebin.substr(at, last + 4 - at))};
    const auto output = compile(one);
    ASSERT_TRUE(output) << output.error().message << output.error().log;
    EXPECT_TRUE(contains(*output, ".kernel \"kernel\""));
    EXPECT_TRUE(compile(one)->from_cache);
}

TEST_F(Compile, NoKernelIsAnError) {
    const Failure failure = failure_of(request("int f(int a) { return a; }\n"));
    EXPECT_EQ(failure.kind, FailureKind::build_error);
    EXPECT_EQ(failure.message, fmt::format("`{}` has no kernel", folder_ / "k.cl"));
    EXPECT_EQ(failure_of(request("constant int t[2] = {1, 2};\n")).kind, FailureKind::build_error);
    EXPECT_EQ(failure_of(request("")).kind, FailureKind::bad_option) << "nothing to build";
}

// This compiler aborts its process on a recursive function that asks for its ids.
TEST_F(Compile, ARealCrashIsSurvived) {
    const Failure failure = failure_of(
        request("int g(global int* p, int n) {\n"
                "  return n <= 0 ? (int)get_local_id(0) : g(p, n - 1) + p[get_global_id(0)] + g(p, n - 2);\n"
                "}\n"
                "kernel void f(global int* p, int n) {\n"
                "  p[get_global_id(0)] = g(p, n) + get_global_size(0);\n"
                "}\n"));
    EXPECT_EQ(failure.kind, FailureKind::compiler_crashed);
    EXPECT_EQ(
        failure.message,
        fmt::format("the OpenCL compiler crashed (SIGABRT) on `{}` (kernel f) and said nothing; worth trying "
                    "are -cl-opt-disable, -cl-intel-256-GRF-per-thread and another device",
                    folder_ / "k.cl"));
    EXPECT_TRUE(compile(request(fill)));
}

TEST_F(Compile, TimeIsLimited) {
    Request one = request(fill);
    one.time_limit = 0.001;
    const Failure failure = failure_of(one);
    EXPECT_EQ(failure.kind, FailureKind::time_limit);
    EXPECT_TRUE(failure.message.contains("used more than 0.001 s of CPU time")) << failure.message;
    EXPECT_TRUE(failure.message.contains("k.cl` (kernel")) << failure.message;
}

TEST_F(Compile, AMissingCompilerIsNamed) {
    {
        const Environment empty("VISOR_LIBEXEC", folder_ / "nothing");
        EXPECT_EQ(failure_of(request(fill)).kind, FailureKind::compiler_missing);
        EXPECT_TRUE(list_compilers().found.empty());
    }
    const std::string library = folder_.write("broken/libocloc.so", "no library");
    Request one = request(fill);
    one.compiler = folder_ / "broken";
    const Failure broken = failure_of(one);
    EXPECT_EQ(broken.kind, FailureKind::compiler_missing);
    EXPECT_TRUE(broken.message.contains("`" + library + "` does not work: ")) << broken.message;
    EXPECT_TRUE(broken.message.contains("there is ocloc ")) << broken.message;
    one.compiler = "no version";
    const Failure unknown = failure_of(one);
    EXPECT_EQ(unknown.kind, FailureKind::compiler_missing);
    EXPECT_TRUE(unknown.message.starts_with("there is no OpenCL compiler `no version`; there is ocloc "))
        << unknown.message;
}

// As where a compiler is installed without the libraries that it opens.
TEST_F(Compile, ADeviceThatNoneKnowsNamesThoseThatDoNotWork) {
    const std::string library = folder_.write("compilers/one/libocloc.so", "no library");
    const Environment folder("VISOR_COMPILER_DIR", folder_ / "compilers");
    Request one = request(fill);
    one.device = "xehp"; // no release of the compiler that Debian has had knows it
    const Failure failure = failure_of(one);
    EXPECT_EQ(failure.kind, FailureKind::no_target);
    EXPECT_TRUE(failure.message.contains("(`" + library + "` does not work: ")) << failure.message;
}

TEST_F(Compile, NothingIsWrittenButTheCache) {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::create_directories(folder_ / "work");
    std::filesystem::current_path(folder_ / "work");
    const auto output = compile(request(fill));
    std::filesystem::current_path(before);
    ASSERT_TRUE(output);
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "work"));
}

TEST_F(Compile, CacheHitsGiveTheSameBytes) {
    const auto first = compile(request(fill));
    const auto second = compile(request(fill));
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(first->from_cache);
    EXPECT_TRUE(second->from_cache);
    EXPECT_EQ(first->zebin, second->zebin);
    Request one = request(fill);
    one.use_cache = false;
    EXPECT_FALSE(compile(one)->from_cache);
    one = request(fill);
    one.device = "dg2";
    EXPECT_FALSE(compile(one)->from_cache);
    one = request(fill);
    one.options = "-DX";
    EXPECT_FALSE(compile(one)->from_cache);
    const Environment flag("IGC_ForceOCLSIMDWidth", "8");
    const auto narrow = compile(request(fill));
    ASSERT_TRUE(narrow);
    EXPECT_FALSE(narrow->from_cache) << "the compiler's flags in the environment are part of the key";
    EXPECT_TRUE(contains(*narrow, "SimdSize=8"));
}

TEST_F(Compile, DamagedEntriesAreBuiltAnew) {
    ASSERT_TRUE(compile(request(fill)));
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache/zebin")) {
        std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-10, std::ios::end);
        file.put('\x5a');
    }
    const auto output = compile(request(fill));
    ASSERT_TRUE(output);
    EXPECT_FALSE(output->from_cache);
    EXPECT_TRUE(compile(request(fill))->from_cache);
}

TEST_F(Compile, AnUnusableCacheFolderIsNoMatter) {
    const Environment unusable("VISOR_CACHE_DIR", folder_.write("file", "") + "/under");
    const auto output = compile(request(fill));
    ASSERT_TRUE(output);
    EXPECT_FALSE(output->from_cache);
}

TEST_F(Compile, EightThreadsAtOnce) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            // Pairs build the same source.
            const auto output =
                compile(request(fmt::format("kernel void f{0}(global int* p) {{ p[0] = {0}; }}\n", i / 2)));
            ASSERT_TRUE(output) << output.error().message;
            EXPECT_TRUE(contains(*output, fmt::format("name:            f{}\n", i / 2)));
        });
    }
}

// Each worker waits until there are two of them: one at a time would wait for ever.
TEST_F(Compile, TwoThreadsHaveTwoCompilersAtWork) {
    const auto worker = find_worker();
    ASSERT_TRUE(worker);
    const std::string meeting = folder_ / "meeting";
    std::filesystem::create_directories(meeting);
    folder_.write_program("slow/visor-compile-worker", fmt::format("#!/bin/sh\n"
                                                                   ": > {0}/$$\n"
                                                                   "i=0\n"
                                                                   "until [ $(ls {0} | wc -l) -ge 2 ]; do\n"
                                                                   "  i=$((i+1)); [ $i -gt 600 ] && exit 9\n"
                                                                   "  sleep 0.05\n"
                                                                   "done\n"
                                                                   "exec {1}\n",
                                                                   meeting, *worker));
    const Environment slow("VISOR_LIBEXEC", folder_ / "slow");
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            Request one = request(fill);
            one.use_cache = false;
            const auto output = compile(one);
            EXPECT_TRUE(output) << output.error().message;
        });
    }
}

TEST_F(Compile, WhatOthersCouldHavePutIntoTheCacheIsNotTaken) {
    using std::filesystem::perms;
    ASSERT_TRUE(compile(request(fill)));
    for (const char* const name : {"cache", "cache/zebin", "cache/compilers"}) {
        std::filesystem::permissions(folder_ / name, perms::owner_all | perms::others_write);
        const auto output = compile(request(fill));
        ASSERT_TRUE(output);
        EXPECT_EQ(output->from_cache, std::string_view(name) == "cache/compilers") << name;
        std::filesystem::permissions(folder_ / name, perms::owner_all);
    }
}

TEST(CacheFolder, GoesByTheEnvironment) {
    const Environment home("HOME", "/h");
    const Environment none("XDG_CACHE_HOME", "");
    const Environment unset("VISOR_CACHE_DIR", "");
    EXPECT_EQ(cache_folder(), "/h/.cache/visor");
    const Environment caches("XDG_CACHE_HOME", "/x");
    EXPECT_EQ(cache_folder(), "/x/visor");
    const Environment chosen("VISOR_CACHE_DIR", "/v");
    EXPECT_EQ(cache_folder(), "/v");
}

TEST(ListCompilers, HasTheSystems) {
    const CompilerList list = list_compilers("system");
    ASSERT_FALSE(list.found.empty());
    const CompilerFacts& first = list.found.front();
    EXPECT_TRUE(first.title.starts_with("ocloc ")) << first.title;
    EXPECT_GE(std::ranges::count(first.version, '.'), 2) << first.version;
    EXPECT_TRUE(list.knows("skl"));
    EXPECT_FALSE(list.knows("no device"));
}

} // namespace
} // namespace visor::compile
