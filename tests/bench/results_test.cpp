// bench/compare/results: a run as JSON, the machine, the command. run.json is written by hand.
#include "compare/results.h"

#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sstream>

namespace visor::compare {

namespace {

std::string file(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(std::string(VISOR_BENCH_TESTS) + "/" + name).rdbuf();
    return text.str();
}

Conditions example() {
    return {.date = "2026-11-28",
            .machine = {.cpu = "Example \"A\" CPU", .family = 25, .vector = "AVX-512", .cpus = 2},
            .command = R"(compare --only 'copy of a\b')"};
}

TEST(Json, ARunIsWrittenWithEachRoundsValue) {
    const std::array measured{Series{"copy", "PoCL", "ms", {8, 2, 4}},
                              Series{"copy", "Visor, skl", "speedup", {1.0 / 3, 0.5, 0.25}},
                              Series{"a\tb\xe9", "Visor, skl", "speedup", {1500}}};
    const std::array references{Reference{.kernel = "copy", .native = 1.25}};
    EXPECT_EQ(json(example(), measured, references), file("run.json"));
}

TEST(Json, WhatIsNoMeasurementIsLeftOut) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const std::array measured{Series{"a", "c", "ms", {}},         Series{"b", "c", "ms", {1, infinite}},
                              Series{"d", "c", "ms", {none, 1}},  Series{"e", "c", "ms", {1, 0}},
                              Series{"f", "c", "ms", {2, -1e-9}}, Series{"g", "c", "ms", {5}}};
    const std::string text = json(Conditions{}, measured, {});
    EXPECT_NE(text.find(R"("kernel": "g")"), std::string::npos);
    for (const char* const name : {"a", "b", "d", "e", "f"})
        EXPECT_EQ(text.find(std::string("\"kernel\": \"") + name), std::string::npos) << name;
    EXPECT_NE(text.find(R"("machine": {"cpu": null, "family": null, "vector": null, "cpus": 0})"),
              std::string::npos);
    EXPECT_EQ(text.find("references"), std::string::npos);
}

TEST(Machine, IsReadFromTheFirstCpu) {
    const Machine machine = machine_of("processor\t: 0\n"
                                       "cpu family\t: 26\n"
                                       "model name\t: Some CPU: 2 GHz\n"
                                       "flags\t\t: fpu sse4_2 avx2 avx512f avx512bw\n"
                                       "processor\t: 1\n"
                                       "cpu family\t: 6\n",
                                       2);
    EXPECT_EQ(machine.cpu, "Some CPU: 2 GHz");
    EXPECT_EQ(machine.family, 26U);
    EXPECT_EQ(machine.vector, "AVX-512");
    EXPECT_EQ(machine.cpus, 2U);
}

TEST(Machine, HasTheWidestVectorsOfItsFlags) {
    EXPECT_EQ(machine_of("flags : avx2 sse4_2", 1).vector, "AVX2");
    EXPECT_EQ(machine_of("flags : sse4_2 avx", 1).vector, "SSE4.2");
    EXPECT_EQ(machine_of("flags : avx512fp16 avx2x", 1).vector, ""); // names that begin like one
}

TEST(Machine, IsUnknownWhereNothingIsTold) {
    for (const char* const text : {"", "\n\n", ":", " : ", "model name", "model name:", "flags\nflags :"}) {
        const Machine machine = machine_of(text, 1);
        EXPECT_EQ(machine.cpu, "") << text;
        EXPECT_EQ(machine.family, 0U) << text;
        EXPECT_EQ(machine.vector, "") << text;
    }
    EXPECT_EQ(machine_of("cpu family : many", 1).family, 0U);
}

TEST(Command, IsQuotedWhereAShellWouldReadItOtherwise) {
    const std::array plain{"./compare", "--devices", "skl,pvc"};
    EXPECT_EQ(command_of(plain), "./compare --devices skl,pvc");
    const std::array odd{"compare", "--only", "it's $1", ""};
    EXPECT_EQ(command_of(odd), R"(compare --only 'it'\''s $1' '')");
}

} // namespace

} // namespace visor::compare
