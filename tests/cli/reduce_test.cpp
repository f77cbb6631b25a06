// `visor reduce`, as its users run it. What is left is written by hand: no line, operand or lane of it can
// go.
#include "end_to_end.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

class Reduce : public EndToEnd {
protected:
    [[nodiscard]] test::Finished reduce(const std::vector<std::string>& options,
                                        const std::vector<std::string>& command) const {
        std::vector<std::string> words{"reduce", source("k.visaasm", hand_written)};
        words.insert(words.end(), options.begin(), options.end());
        words.emplace_back("--");
        words.insert(words.end(), command.begin(), command.end());
        return visor(words);
    }
};

TEST_F(Reduce, ToWhatTheCommandFinds) {
    const auto reduced = reduce({"-o", file("less.visaasm")}, {"grep", "-q", "add (M1"});
    EXPECT_EQ(reduced.exit_code, 0) << reduced.err;
    EXPECT_NE(reduced.err.find("less.visaasm: 5 lines of 12, "), std::string::npos) << reduced.err;
    EXPECT_EQ(test::read_file(file("less.visaasm")), R"(.version 4.1
.kernel "add5"
.decl data v_type=G type=d num_elts=1
    add (M1, 1) data(0,0)<1> 0x0:d 0x0:d
    ret (M1, 1)
)");
}

// The command may be Visor: what is left still does what it was asked for.
TEST_F(Reduce, WhatStillRuns) {
    const auto reduced =
        reduce({"-o", file("less.visaasm")},
               {"sh", "-c",
                std::string(VISOR_PROGRAM) +
                    " run $0 --groups 1 --hw-threads 1 -a to=iota:i32:8 -a amount=5 --print to | "
                    "grep -qx 'to = 5 6 7 8 9 10 11 12'"});
    EXPECT_EQ(reduced.exit_code, 0) << reduced.err;
    EXPECT_EQ(test::read_file(file("less.visaasm")), R"(.version 4.1
.kernel "add5"
.decl to v_type=G type=uq num_elts=1
.decl amount v_type=G type=d num_elts=1
.decl data v_type=G type=d num_elts=8
.input to offset=32 size=8
.input amount offset=40 size=4
.kernel_attr SimdSize=8
    svm_block_ld (2) to(0,0)<0;1,0> data.0
    add (M1, 8) data(0,0)<1> data(0,0)<1;1,0> amount(0,0)<0;1,0>
    svm_block_st (2) to(0,0)<0;1,0> data.0
    ret (M1, 1)
)");
}

TEST_F(Reduce, TheFileStandsWhereTheCommandWantsIt) {
    const auto reduced = reduce({"-o", "-", "-q"}, {"sh", "-c", "test -f $0 && grep -q 'add (M1' $0", "{}"});
    EXPECT_EQ(reduced.exit_code, 0) << reduced.err;
    EXPECT_NE(reduced.out.find("    add (M1, 1) data(0,0)<1> 0x0:d 0x0:d\n"), std::string::npos)
        << reduced.out;
}

TEST_F(Reduce, Refusals) {
    const auto boring = reduce({"-o", file("less.visaasm")}, {"grep", "-q", "mul"});
    EXPECT_EQ(boring.exit_code, 1);
    EXPECT_NE(boring.err.find("is not interesting as it is: the command has to end with exit code 0 for it"),
              std::string::npos)
        << boring.err;
    EXPECT_FALSE(std::filesystem::exists(file("less.visaasm")));
    const auto missing = reduce({}, {"/no/such/program"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_NE(missing.err.find("`/no/such/program` cannot be started: No such file or directory"),
              std::string::npos)
        << missing.err;
    EXPECT_EQ(visor({"reduce", source("k.visaasm", hand_written)}).exit_code, 2);
    const auto source_text = visor({"reduce", saxpy, "--", "true"});
    EXPECT_EQ(source_text.exit_code, 1);
    EXPECT_NE(source_text.err.find("only vISA text is reduced"), std::string::npos) << source_text.err;
}

// Of a command that does not end nothing is left, and the text is not interesting.
TEST_F(Reduce, ACommandThatHangsIsEnded) {
    const auto before = std::chrono::steady_clock::now();
    const std::string alive = file("alive");
    const auto reduced =
        reduce({"--timeout", "0.5"}, {"sh", "-c", "sleep 60 & echo $! > " + alive + "; wait"});
    EXPECT_EQ(reduced.exit_code, 1);
    EXPECT_NE(reduced.err.find("the command took longer than 0.5 s"), std::string::npos) << reduced.err;
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
    const pid_t left = static_cast<pid_t>(std::stol(test::read_file(alive)));
    for (int i = 0; i < 100 && kill(left, 0) == 0; ++i)
        std::system("sleep 0.05");
    EXPECT_NE(kill(left, 0), 0);
}

TEST_F(Reduce, StoppedEarlyItWritesWhatItHas) {
    const auto reduced = reduce({"-o", "-", "--tests", "2"}, {"grep", "-q", "add (M1"});
    EXPECT_EQ(reduced.exit_code, 124);
    EXPECT_NE(reduced.err.find("stopped: it may get smaller"), std::string::npos) << reduced.err;
    EXPECT_NE(reduced.out.find("add (M1"), std::string::npos);
}

} // namespace
} // namespace visor::cli
