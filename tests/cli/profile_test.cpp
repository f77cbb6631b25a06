// --profile-out, --coverage-out and --timeline-out. Counts are by hand: from the text, the addresses and the
// size.
#include "end_to_end.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace visor::cli {
namespace {

// A read of global memory and a write of local memory, at addresses that are given.
constexpr const char* two_messages = R"(.version 4.1
.kernel "k"
.decl places v_type=G type=ud num_elts=8 align=GRF
.decl data v_type=G type=ud num_elts=8 align=GRF
.decl T6 v_type=T num_elts=1
.input places offset=32 size=32
.kernel_attr SimdSize=8
    gather_scaled.4 (M1, 8) T6 0x0:ud places.0 data.0
    scatter_scaled.4 (M1, 8) %slm 0x0:ud places.0 data.0
    barrier
    ret (M1, 1)
)";

class Profile : public EndToEnd {
protected:
    // Runs it with its addresses; what is written.
    [[nodiscard]] std::string profile_of(const std::string& places,
                                         const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"run",
                                       source("k.visaasm", two_messages),
                                       "--slm",
                                       "1024",
                                       "-a",
                                       "places=" + places,
                                       "-a",
                                       "T6=zeros:u32:256",
                                       "--profile-out",
                                       file("p.out"),
                                       "--hw-threads",
                                       "2",
                                       "--groups",
                                       "3"};
        words.insert(words.end(), more.begin(), more.end());
        const auto ran = visor(words);
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        return test::read_file(file("p.out"));
    }
};

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST_F(Profile, NeighboursTouchOneLineAndNoBankTwice) {
    const std::string text = profile_of("0,4,8,12,16,20,24,28");
    // 6 hardware threads, 8 lanes, 4 bytes a lane: 32 bytes in one line of 64, and in 8 banks.
    EXPECT_TRUE(has(text, "\n8 6 48 48 6 0 0 192 6 6 0 0\n")) << text;
    EXPECT_TRUE(has(text, "\n9 6 48 48 0 6 0 192 0 0 6 0\n")) << text;
    EXPECT_TRUE(has(text, "\n11 6 6 6 0 0 0 0 0 0 0 0\n")) << text;
    EXPECT_TRUE(has(text, "summary: 24 ")) << text;
}

TEST_F(Profile, AStrideOfALineTouchesEightAndOneBank) {
    // Of 64 bytes: each lane has a line of its own, and dword 16 k lies in bank 0.
    const std::string text = profile_of("0,64,128,192,256,320,384,448");
    EXPECT_TRUE(has(text, "\n8 6 48 48 6 0 0 192 48 6 0 0\n")) << text;
    EXPECT_TRUE(has(text, "\n9 6 48 48 0 6 0 192 0 0 48 0\n")) << text;
}

TEST_F(Profile, LanesOutsideTouchNothing) {
    // The surface and the local memory have 1024 bytes.
    const std::string text = profile_of("0,4,8,12,2000,2004,2008,2012");
    EXPECT_TRUE(has(text, "\n8 6 48 48 6 0 0 96 6 6 0 0\n")) << text;
    EXPECT_TRUE(has(text, "\n9 6 48 48 0 6 0 96 0 0 6 0\n")) << text;
}

TEST_F(Profile, AThreadWaitsForTheOther) {
    // Of each group's two threads the first waits while the second gather, scatter and barrier run: 3
    // instructions.
    const std::string text = profile_of("0,4,8,12,16,20,24,28");
    EXPECT_TRUE(has(text, "\n10 6 6 6 0 0 0 0 0 0 0 12\n")) << text;
}

TEST_F(Profile, LinesOfTheSourceAndTotalsOfTheSummary) {
    std::vector<std::string> words{"run", saxpy, "-k", "saxpy", "-g", "64", "-l", "16"};
    for (const char* word : {"-a", "zeros:f32:64", "iota:f32:64", "2", "64", "--json", "--profile-out"})
        words.emplace_back(word);
    words.push_back(file("p.folded"));
    words.insert(words.end(), {"--coverage-out", file("c.info"), "--timeline-out", file("t.json")});
    const auto ran = visor(words);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto report = nlohmann::json::parse(ran.out);
    EXPECT_EQ(report["coverage"], file("c.info"));
    const uint64_t instructions = report["launches"][0]["counts"]["instructions"];
    uint64_t stacks = 0;
    const std::string folded = test::read_file(file("p.folded"));
    for (size_t at = 0; at < folded.size(); at = folded.find('\n', at) + 1) {
        const size_t end = folded.find('\n', at);
        stacks += std::stoull(folded.substr(folded.rfind(' ', end), end));
        EXPECT_EQ(folded.substr(at, 6), "saxpy;");
    }
    EXPECT_EQ(stacks, instructions);
    const std::string lcov = test::read_file(file("c.info"));
    EXPECT_TRUE(has(lcov, "saxpy_and_scale.cl\n")) << lcov;
    EXPECT_TRUE(has(lcov, ",saxpy\nFNF:1\nFNH:1\n")) << lcov;

    const auto timeline = nlohmann::json::parse(test::read_file(file("t.json")));
    uint64_t groups = 0;
    uint64_t in_groups = 0;
    uint64_t in_launch = 0;
    for (const auto& event : timeline["traceEvents"]) {
        const std::string name = event["name"];
        if (event["ph"] == "X" && name.starts_with("group ")) {
            ++groups;
            in_groups += event["dur"].get<uint64_t>();
        } else if (event["ph"] == "X" && name == "saxpy") {
            in_launch = event["dur"];
        }
    }
    EXPECT_EQ(groups, 4U);
    EXPECT_EQ(in_groups, instructions);
    EXPECT_EQ(in_launch, instructions);
}

TEST_F(Profile, WhatCannotBeWrittenIsSaidBeforeTheRun) {
    const auto ran = visor({"run", source("k.visaasm", two_messages), "--slm", "64", "--groups", "1", "-a",
                            "places=0,4,8,12,16,20,24,28", "-a", "T6=zeros:u32:8", "--timeline-out",
                            "/no/such/folder/t.json"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "/no/such/folder/t.json")) << ran.err;
}

TEST_F(Profile, AKernelThatFaultsLeavesWhatItDid) {
    const std::string endless = source("e.visaasm", R"(.version 4.1
.kernel "e"
.kernel_attr SimdSize=8
again:
    goto (M1, 1) again
    ret (M1, 1)
)");
    const auto ran = visor({"run", endless, "--groups", "1", "--fuel", "10", "--profile-out", file("p.out")});
    EXPECT_EQ(ran.exit_code, 124);
    EXPECT_TRUE(has(test::read_file(file("p.out")), "summary: 10 ")) << test::read_file(file("p.out"));
}

TEST_F(Profile, AFullDiskIsToldAndLeavesNoPartOfAFile) {
    const std::string kernel = source("k.cl", "kernel void k(global int* p) { p[get_global_id(0)] = 1; }");
    for (const std::string option :
         {"run --profile-out", "run --coverage-out", "run --timeline-out", "report -o"}) {
        const std::string words = fmt::format(
            "ulimit -f 0; trap '' XFSZ; exec \"$0\" {} \"$1\" \"$2\" -g 64 -a zeros:i32:64", option);
        const auto ran = test::run({"/bin/sh", "-c", words, VISOR_PROGRAM, file("full"), kernel});
        EXPECT_EQ(ran.exit_code, 1) << option << ran.err;
        EXPECT_TRUE(has(ran.err, file("full"))) << option << ran.err;
        EXPECT_FALSE(std::filesystem::exists(file("full"))) << option;
    }
}

TEST_F(Profile, APageSaysWhatTheRunDidAndWasCheckedFor) {
    const std::string kernel =
        source("k.cl", "kernel void k(global int* p) {\n  p[16 * get_global_id(0)] = 1; }");
    const auto ran =
        visor({"report", "-o", file("page.html"), kernel, "-g", "64", "-l", "16", "-a", "zeros:i32:1024"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::string page = test::read_file(file("page.html"));
    // Sixteen lanes, each a line of 64 bytes.
    EXPECT_TRUE(has(page, "data-array=\"argument 0 `p`\" data-line=\"2\" data-kind=\"write\"")) << page;
    EXPECT_TRUE(has(page, "data-lines-per-message=\"16.00\" data-least=\"1.00\"")) << page;
    EXPECT_TRUE(has(page, "<p>None.</p>"));
    EXPECT_TRUE(has(page, "p[16 * get_global_id(0)] = 1; }"));
    const auto wrong = visor({"report", "-o", file("page.html"), kernel, "-g", "64", "-a", "zeros:i32:64"});
    EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
    EXPECT_TRUE(has(test::read_file(file("page.html")), "<pre class=\"finding\">"));
}

} // namespace
} // namespace visor::cli
