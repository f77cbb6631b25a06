// Launch files as their users run them. Every number expected here is worked out by hand from the kernels,
// which stand in the files themselves.
#include "end_to_end.h"

namespace visor::cli {
namespace {

// y[i] += a * x[i] for i < n
constexpr const char* two_launches = R"({
  "version": 1,
  "program": {"source": [
    "__kernel void saxpy(__global float* y, __global const float* x, float a, int n) {",
    "  int i = get_global_id(0); if (i < n) y[i] = fma(a, x[i], y[i]); }"
  ]},
  "arrays": {
    "result": "fill:f32:4:1",
    "x": {"type": "f32", "values": [0, 1, 2, 3]}
  },
  "launches": [
    {"kernel": "saxpy", "global": 4, "arguments": {"y": "result", "x": "x", "a": 2.5, "n": 4}},
    {"kernel": "saxpy", "global": [4], "local": 2, "arguments": ["result", "x", -0.5, 3]}
  ],
  "print": ["result"],
  "expect": [{"array": "result", "equals": [1, 3, 5, 8.5]}, {"array": "x", "equals": "iota:f32:4"}]
})";

class LaunchFile : public EndToEnd {
protected:
    [[nodiscard]] test::Finished run(const std::string& content,
                                     const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"run", source("t.json", content)};
        words.insert(words.end(), more.begin(), more.end());
        return visor(words);
    }
};

TEST_F(LaunchFile, TwoLaunchesShareTheirArrays) {
    const auto ran = run(two_launches);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "result = 1 3 5 8.5\n");
    EXPECT_EQ(last_line(ran.err).rfind("visor: 2 kernels, 3 work-groups, ", 0), 0U) << ran.err;
    EXPECT_TRUE(has(last_line(ran.err), "finished, 2 expectations met")) << ran.err;
}

TEST_F(LaunchFile, OfAnotherFolder) {
    std::filesystem::create_directory(file("inside"));
    test::write_file(file("inside/k.cl"),
                     "#include \"k.h\"\n__kernel void k(__global int* p) { p[0] += N; }");
    test::write_file(file("inside/k.h"), "#define N 7\n");
    test::write_file(file("inside/p.bin"), std::string("\x05\0\0\0", 4));
    const auto ran = run(R"({"version": 1, "program": "inside/k.cl", "arrays": {"p": "@inside/p.bin:i32"},
        "launches": [{"global": 1, "arguments": {"p": "p"}}], "out": ["p=inside/out.bin"],
        "expect": [{"array": "p", "equals": 12}]})");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(test::read_file(file("inside/out.bin")), std::string("\x0c\0\0\0", 4));
}

// out[i] = in[i], so that what a pointer leads to is seen.
constexpr const char* copies =
    R"({"version": 1, "program": {"source": "__kernel void k(__global int* to, __global int* from) {
    to[get_global_id(0)] = from[get_global_id(0)]; }"},
    "arrays": {"a": "iota:i32:16", "b": "zeros:i32:4"}, "launches": [{"global": 4, "arguments": [
    "b", PART]}], "expect": [{"array": "b", "equals": VALUES}]})";

std::string copies_of(const std::string& part, const std::string& values) {
    std::string text = copies;
    std::erase(text, '\n');
    text.replace(text.find("PART"), 4, part);
    return text.replace(text.find("VALUES"), 6, values);
}

TEST_F(LaunchFile, AnArgumentMayBeAPartOfAnArray) {
    for (const char* device : {"skl", "pvc"})
        for (const auto& [part, values] :
             {std::pair{R"({"array": "a", "offset": 8})", "[2, 3, 4, 5]"},
              std::pair{R"({"array": "a"})", "[0, 1, 2, 3]"},
              std::pair{R"({"array": "a", "offset": 48, "bytes": 16})", "[12, 13, 14, 15]"}}) {
            const auto ran = run(copies_of(part, values), {"--device", device});
            EXPECT_EQ(ran.exit_code, 0) << part << ran.err;
        }
    // What lies behind a part of so many bytes is not read, where surfaces have bounds.
    EXPECT_EQ(run(copies_of(R"({"array": "a", "offset": 8, "bytes": 8})", "[2, 3, 0, 0]")).exit_code, 0);
}

TEST_F(LaunchFile, APartThatIsNotThereIsRefused) {
    for (const auto& [part, why] :
         {std::pair{R"({"array": "a", "offset": 65})", "has 64 bytes, fewer than the part that begins at 65"},
          std::pair{R"({"array": "a", "offset": 60, "bytes": 8})", "begins at 60 and has 8"},
          std::pair{R"({"array": "a", "offset": 9223372036854775807, "bytes": 9223372036854775807})",
                    "has 64 bytes"},
          std::pair{R"({"array": "c"})", "`c` is no array of this file"},
          std::pair{R"({"offset": 8})", "array"}, std::pair{R"({"array": "a", "bytes": 0})", "bytes"},
          std::pair{R"({"array": "a", "length": 8})", "length"}}) {
        const auto ran = run(copies_of(part, "0"));
        EXPECT_EQ(ran.exit_code, 1) << part;
        EXPECT_TRUE(has(ran.err, why)) << ran.err;
    }
}

TEST_F(LaunchFile, TheSameBitsMayBeExpected) {
    const auto with = [](const std::string& first, const std::string& wanted) {
        return R"({"version": 1, "program": {"source": "__kernel void k(__global float* p) { }"},
            "arrays": {"p": {"type": "f32", "values": [)" +
               first + R"(]}, "q": {"type": "f32", "values": [)" + wanted +
               R"(]}}, "launches": [{"global": 1, "arguments": ["p"]}],
            "expect": [{"array": "p", "equals": "q", "bits": true}]})";
    };
    EXPECT_EQ(run(with("1", "1")).exit_code, 0);
    EXPECT_EQ(run(with("\"nan\"", "\"nan\"")).exit_code, 0);
    EXPECT_EQ(run(with("0", "\"-0\"")).exit_code, 1);
    const auto both = run(R"({"version": 1, "program": {"source": "__kernel void k(__global float* p) { }"},
        "arrays": {"p": "zeros:f32:1"}, "launches": [{"global": 1, "arguments": ["p"]}],
        "expect": [{"array": "p", "equals": 0, "bits": true, "abs": 1}]})");
    EXPECT_EQ(both.exit_code, 1);
    EXPECT_TRUE(has(both.err, "leave nothing to `abs`")) << both.err;
}

TEST_F(LaunchFile, VariablesOfTheProgramMayBeAnArray) {
    const auto with = [](const std::string& values) {
        return R"({"version": 1, "program": {"options": "-cl-std=CL2.0", "variables": "v",
            "source": "__global int calls = 40; __kernel void k(__global int* p) { calls += 1; p[0] = calls; }"},
            "arrays": {"p": "zeros:i32:1", "v": {"type": "i32", "values": )" +
               values + R"(}}, "launches": [{"global": 1, "arguments": ["p"]}],
            "expect": [{"array": "p", "equals": 8}, {"array": "v", "equals": 8}]})";
    };
    const auto ran = run(with("[7]"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto wrong = run(with("[7, 7]"));
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_TRUE(has(wrong.err, "`v` has 8 bytes, the program's variables have 4")) << wrong.err;
    EXPECT_EQ(run(R"({"version": 1, "program": {"source": "__kernel void k() { }", "variables": "w"},
        "launches": [{"global": 1}]})")
                  .exit_code,
              1);
}

TEST_F(LaunchFile, ProgramScopeVariablesLiveOn) {
    const auto ran = run(R"({"version": 1, "program": {"options": "-cl-std=CL2.0",
        "source": "__global int calls = 40; __kernel void k(__global int* p) { calls += 1; p[0] = calls; }"},
        "arrays": {"p": "zeros:i32:1", "q": "zeros:i32:1"},
        "launches": [{"global": 1, "arguments": ["p"]}, {"global": 1, "arguments": ["q"]}],
        "expect": [{"array": "p", "equals": [41]}, {"array": "q", "equals": [42]}]})");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(LaunchFile, EveryWayToGiveAnArgument) {
    const auto ran = run(R"({"version": 1, "program": {"source":
        "struct S { char a; int b; };
         __kernel void k(__global int* p, int n, int2 v, struct S s, __local int* t, __global int* none,
                         __global int* same) {
           t[0] = n + v.x + v.y + s.a + s.b; p[0] = t[0]; p[1] = none == 0; same[2] = 5; }"},
        "arrays": {"array": "zeros:i32:3"},
        "launches": [{"global": 1, "arguments": {"p": "array", "n": "0x10", "v": [1, 2],
            "s": ["i8:-4", "i32:100"], "t": "local:4", "none": "null", "same": "@=p"}}],
        "expect": [{"array": "array", "equals": [115, 1, 5]}]})");
    EXPECT_EQ(ran.exit_code, 1) << "newlines in a JSON text";
    std::string content = test::read_file(file("t.json"));
    std::erase(content, '\n');
    const auto again = run(content);
    EXPECT_EQ(again.exit_code, 0) << again.err;
}

TEST_F(LaunchFile, HandWrittenText) {
    source("add5.visaasm", hand_written);
    const auto ran = run(R"({"version": 1, "program": "add5.visaasm", "arrays": {"a": "iota:i32:8"},
        "launches": [{"groups": 1, "hw_threads": 1, "arguments": {"to": "a", "amount": 5}},
                     {"global": 8, "local": 8, "arguments": {"to": "a", "amount": -1}}],
        "expect": [{"array": "a", "equals": "iota:i32:8:4"}]})");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(LaunchFile, AMismatchFailsAndNamesTheFirst) {
    const auto ran = run(replaced(two_launches, "[1, 3, 5, 8.5]", "[1, 3, 5.5, 8]"));
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_EQ(ran.out, "result = 1 3 5 8.5\n") << "results are shown all the same";
    EXPECT_TRUE(
        has(ran.err, "t.json: error: expect[0]: result[2] is 5, expected 5.5 (2 of 4 elements differ)"))
        << ran.err;
    EXPECT_TRUE(has(last_line(ran.err), "1 of 2 expectations not met")) << ran.err;
}

TEST_F(LaunchFile, PlacesInArraysOfMoreDimensions) {
    const auto ran =
        run(R"({"version": 1, "program": {"source": "__kernel void k(__global int* p) { p[5] = 1; }"},
        "arrays": {"p": "zeros:i32:2x4"}, "launches": [{"global": 1, "arguments": ["p"]}],
        "expect": [{"array": "p", "equals": 0}]})");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "p[1,1] is 1, expected 0")) << ran.err;
}

// 1 + 2^-23 is the float behind 1.
TEST_F(LaunchFile, Tolerances) {
    const auto with = [&](const std::string& tolerance) {
        return run(R"({"version": 1, "program": {"source": "__kernel void k(__global float* p) { p[1] = 100.5f; }"},
            "arrays": {"p": {"type": "f32", "values": ["0x1.000002p0", 0]}},
            "launches": [{"global": 1, "arguments": ["p"]}],
            "expect": [{"array": "p", "equals": [1, 100])" +
                   tolerance + "}]}")
            .exit_code;
    };
    EXPECT_EQ(with(""), 1);
    EXPECT_EQ(with(R"(, "abs": 0.5)"), 0);
    EXPECT_EQ(with(R"(, "abs": 0.49)"), 1);
    EXPECT_EQ(with(R"(, "rel": 0.005)"), 0);
    EXPECT_EQ(with(R"(, "rel": 0.0049)"), 1);
    EXPECT_EQ(with(R"(, "ulps": 1)"), 1) << "100.5 is 65536 floats behind 100";
    EXPECT_EQ(with(R"(, "ulps": 65536)"), 0);
    EXPECT_EQ(with(R"(, "ulps": 65535)"), 1);
}

TEST_F(LaunchFile, OptionsThatGoWithIt) {
    const auto more = run(two_launches, {"--print", "x:2", "--device", "tgllp", "--time"});
    EXPECT_EQ(more.out, "result = 1 3 5 8.5\nx = 0 1\n") << more.err;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"-g", "4"}, {"-k", "saxpy"}, {"-a", "1"}, {"--groups", "1"}}) {
        const auto refused = run(two_launches, words);
        EXPECT_EQ(refused.exit_code, 2) << words[0];
        EXPECT_TRUE(has(refused.err, "does not go with a launch file")) << refused.err;
    }
}

TEST_F(LaunchFile, InfoTellsOfItsProgram) {
    const auto told = visor({"info", source("t.json", two_launches)});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_TRUE(has(told.out, "saxpy(float* y, float* x, float a, int n)")) << told.out;
}

struct Mistake {
    const char* what;
    const char* with;
    const char* told;
};

TEST_F(LaunchFile, MistakesHaveAPath) {
    for (const Mistake& mistake : {
             Mistake{"\"version\": 1", "\"version\": 0", "version: expected a whole number from 1"},
             Mistake{"\"version\": 1,", "", "`version` is missing"},
             Mistake{"\"launches\"", "\"lunches\"", "unknown key `lunches` (did you mean `launches`"},
             Mistake{"\"version\": 1", "\"version\": 1, \"device\": \"sky\"",
                     "device: `sky` is no device (did you"},
             Mistake{"\"source\"", "\"path\": \"k.cl\", \"source\"", "program: needs either"},
             Mistake{"fill:f32:4:1", "fill:f33:4:1",
                     "arrays.result: `fill:f33:4:1`: `f33` is no element type"},
             Mistake{"\"fill:f32:4:1\"", "7", "arrays.result: expected a text, found 7"},
             Mistake{"\"type\": \"f32\"", "\"type\": \"f31\"", "arrays.x.type: `f31` is no element type"},
             Mistake{"[0, 1, 2, 3]", "[0, 1, [], 3]", "arrays.x.values: element 2: expected a number"},
             Mistake{"[0, 1, 2, 3]", "[0, 1, 2, 3], \"shape\": [3]", "arrays.x.shape: 4 values do not make"},
             Mistake{"[0, 1, 2, 3]", "[0, 1, 2, 3], \"shape\": [4294967295, 4294967295, 4294967295, 4]",
                     "arrays.x.shape: 4 values do not make"},
             Mistake{"\"fill:f32:4:1\"", "\"@/dev/zero\"",
                     "arrays.result: cannot read `/dev/zero`: a launch file names regular files alone"},
             Mistake{"\"fill:f32:4:1\"", "\"image:rgba8:4x4:@/dev/zero\"",
                     "arrays.result: cannot read `/dev/zero`: a launch file names regular files alone"},
             Mistake{"\"global\": [4]", "\"global\": [1, 1, 1, 1]",
                     "launches[1].global: expected one to three"},
             Mistake{"\"global\": [4]", "\"global\": [0]",
                     "launches[1].global[0]: expected a whole number from 1"},
             Mistake{"\"local\": 2", "\"locl\": 2", "launches[1]: unknown key `locl` (did you mean `local`"},
             Mistake{"\"a\": 2.5", "\"a\": true", "launches[0].arguments.a: expected a text, found true"},
             Mistake{"\"a\": 2.5", "\"b\": 2.5", "launches[0]: kernel `saxpy` has no argument `b`"},
             Mistake{"\"x\": \"x\"", "\"x\": \"xx\"",
                     "launches[0].arguments.x: `xx` is no array of this file (did you mean `x`"},
             Mistake{"\"print\": [\"result\"]", "\"print\": [\"results\"]", "(did you mean `result`"},
             Mistake{"[1, 3, 5, 8.5]", "[1, 3, 5]", "expect[0]: `result` has 4 elements, expected are 3"},
             Mistake{"[1, 3, 5, 8.5]", "\"zeros:i32:4\"",
                     "expect[0]: `result` is an array of f32, expected are i32"},
             Mistake{"[1, 3, 5, 8.5]", "[1, 3, 5, 8.5], \"ulp\": 1",
                     "unknown key `ulp` (did you mean `ulps`"},
             Mistake{"[1, 3, 5, 8.5]", "[1, 3, 5, 8.5], \"abs\": -1",
                     "expect[0].abs: expected a number that is not"},
         }) {
        const auto ran = run(replaced(two_launches, mistake.what, mistake.with));
        EXPECT_EQ(ran.exit_code, 1) << mistake.with << '\n' << ran.err;
        EXPECT_TRUE(has(ran.err, mistake.told)) << mistake.with << '\n' << ran.err;
        EXPECT_TRUE(has(ran.err, "t.json")) << ran.err;
        EXPECT_EQ(last_line(ran.err), "visor: no kernel was run");
    }
}

TEST_F(LaunchFile, AllMistakesAreTold) {
    std::string wrong = replaced(two_launches, "\"print\"", "\"prints\"");
    wrong = replaced(wrong, "\"kernel\"", "\"kernl\"");
    const auto ran = run(wrong);
    EXPECT_TRUE(has(ran.err, "did you mean `print`") && has(ran.err, "did you mean `kernel`")) << ran.err;
}

TEST_F(LaunchFile, BadJsonIsLocated) {
    const auto cut = run("{\n  \"version\": 1,\n  \"program\" \"k.cl\"\n}");
    EXPECT_EQ(cut.exit_code, 1);
    EXPECT_TRUE(has(cut.err, "t.json:3:18: error: ")) << "where the token that is wrong ends" << cut.err;
    const auto twice = run("{\n  \"version\": 1,\n  \"version\": 1\n}");
    EXPECT_EQ(twice.exit_code, 1);
    EXPECT_TRUE(has(twice.err, "t.json:3:") && has(twice.err, "`version` stands twice")) << twice.err;
    EXPECT_EQ(run("{").exit_code, 1);
    EXPECT_EQ(run("[]").exit_code, 1);
    EXPECT_EQ(run("{\"version\": 1e999}").exit_code, 1);
    EXPECT_EQ(run("{\"version\": \"\xff\"}").exit_code, 1);
    EXPECT_EQ(run(std::string(100'000, '[')).exit_code, 1);
    std::string deep = "{\"version\": 1, \"comment\": ";
    deep += std::string(100'000, '[') + std::string(100'000, ']') + "}";
    const auto nested = run(deep);
    EXPECT_EQ(nested.exit_code, 1);
    EXPECT_TRUE(has(nested.err, "`program` is missing")) << nested.err;
}

TEST_F(LaunchFile, ANewerVersionIsNotGuessedAt) {
    const auto ran = run(replaced(two_launches, "\"version\": 1", "\"version\": 2, \"shiny\": 1"));
    EXPECT_EQ(ran.exit_code, 3) << ran.err;
}

TEST_F(LaunchFile, AFaultNamesItsLaunch) {
    const auto ran = run(replaced(two_launches, "[\"result\", \"x\", -0.5, 3]", "[\"null\", \"x\", -0.5, 3]"),
                         {"--device", "pvc"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "outside every allocation") && has(ran.err, "in launches[1] of ")) << ran.err;
    EXPECT_TRUE(has(last_line(ran.err), "broken off")) << ran.err;
}

} // namespace
} // namespace visor::cli
