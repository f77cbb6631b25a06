#include "cli/report/application_record.h"

#include <gtest/gtest.h>

namespace visor::cli {

namespace {

ApplicationRecord record_of(std::string_view text) {
    return read_application_record(text);
}

TEST(ApplicationRecord, LaunchesAddUp) {
    const auto record =
        record_of("begin\t7\t1\tk\nlaunch\t7\t1\tk\t4\t4\t100\t0\t\nlaunch\t7\t1\tk\t3\t5\t50\t1\tsin\n"
                  "launch\t7\t1\tj\t1\t1\t1\t0\t\n");
    EXPECT_EQ(record.programs.size(), 1U);
    EXPECT_EQ(record.begun, 0U);
    EXPECT_EQ(record.launches, 3U);
    EXPECT_EQ(record.work_groups, 8U);
    EXPECT_EQ(record.all_groups, 10U);
    EXPECT_EQ(record.instructions, 151U);
    EXPECT_EQ(record.code, ExitCode::clean);
    EXPECT_TRUE(summary_of(record, true)
                    .starts_with(
                        "visor: 2 kernels, 3 launches, 8 of 10 work-groups, 151 instructions, no findings; "))
        << summary_of(record, true);
}

TEST(ApplicationRecord, KernelsOfOneNameAreToldApart) {
    const auto record = record_of("launch\t7\t1\trun\t1\t1\t9\t0\t\nlaunch\t7\t3\trun\t1\t1\t9\t0\t\n"
                                  "launch\t7\t3\tb\t1\t1\t9\t0\t\nlaunch\t7\t3\tb\t1\t1\t9\t0\t\n");
    EXPECT_EQ(summary_of(record, false),
              "visor: 3 kernels of 2 programs, 4 launches, 4 work-groups, 36 instructions; exact");
    EXPECT_EQ(programs_of(record), (std::vector<std::string>{"program 1: kernel `run`; 1 launch",
                                                             "program 3: kernels `b`, `run`; 3 launches"}));
    const auto forked = record_of("launch\t7\t1\trun\t1\t1\t9\t0\t\nlaunch\t8\t1\trun\t1\t1\t9\t0\t\n");
    EXPECT_EQ(programs_of(forked),
              (std::vector<std::string>{"program 1 of process 7: kernel `run`; 1 launch",
                                        "program 1 of process 8: kernel `run`; 1 launch"}));
}

TEST(ApplicationRecord, EachInexactInstructionIsNamedOnce) {
    const auto record = record_of("launch\t7\t1\ta\t1\t1\t9\t1\tsin, inv\nlaunch\t7\t1\tb\t1\t1\t9\t1\tinv\n"
                                  "launch\t7\t1\tc\t1\t1\t9\t1\tcos, inv\n");
    EXPECT_TRUE(summary_of(record, false).ends_with(" (cos, inv, sin)")) << summary_of(record, false);
}

TEST(ApplicationRecord, LaunchesWithoutMachineCodeAreTold) {
    EXPECT_EQ(summary_of(record_of("interpreted\t7\t1\tk\tit is too long\nlaunch\t7\t1\tk\t1\t1\t9\t0\t\n"
                                   "interpreted\t7\t1\tk\tit is too long\nlaunch\t7\t1\tk\t1\t1\t9\t0\t\n"
                                   "launch\t7\t1\tj\t1\t1\t9\t0\t\n"),
                         false),
              "visor: 2 kernels, 3 launches, 3 work-groups, 27 instructions; exact; no machine code for 2 "
              "launches of `k`: it is too long");
    std::string many;
    for (const char* const kernel : {"a", "b", "c", "d", "e", "f"})
        many += std::string("interpreted\t7\t1\t") + kernel + "\tslow\n";
    EXPECT_TRUE(summary_of(record_of(many), false)
                    .ends_with("; no machine code for 1 launch of `d`: slow; and for 2 kernels more"));
}

TEST(ApplicationRecord, WhatIsNotOverIsTold) {
    EXPECT_EQ(summary_of(record_of("begin\t7\t1\tk\n"), false),
              "visor: no kernel was run to its end, 1 launch not finished");
    EXPECT_EQ(summary_of(record_of("begin\t7\t1\tk\nrefuse\t7\t1\tk\n"), false), "visor: no kernel was run");
}

TEST(ApplicationRecord, RunsAreComparedLaunchByLaunch) {
    const auto first = record_of("left\t7\t1\tk\t5\nleft\t7\t2\tj\t6\n");
    EXPECT_EQ(difference_of(first, record_of("left\t9\t1\tk\t5\nleft\t9\t2\tj\t6\n")), "");
    EXPECT_EQ(difference_of(first, record_of("left\t9\t1\tk\t5\nleft\t9\t2\tj\t7\n")),
              "after launch 2, of `j` of program 2, the memory has other bytes");
    EXPECT_EQ(difference_of(first, record_of("left\t9\t1\tk\t5\n")), "there are 2 launches and 1 launch");
    EXPECT_EQ(difference_of(first, record_of("left\t9\t2\tk\t5\n")),
              "launch 1 is of `k` of program 1 and of `k` of program 2");
}

TEST(ApplicationRecord, TheWorstErrorDecides) {
    EXPECT_EQ(record_of("finding\n").code, ExitCode::invalid);
    EXPECT_EQ(record_of("note\n").code, ExitCode::clean);
    const std::string fault = "error\t" + std::to_string(static_cast<int>(vm::ErrorKind::fault)) + "\n";
    const std::string unsupported =
        "error\t" + std::to_string(static_cast<int>(vm::ErrorKind::unsupported)) + "\n";
    const std::string time = "error\t" + std::to_string(static_cast<int>(vm::ErrorKind::time)) + "\n";
    EXPECT_EQ(record_of(fault).code, ExitCode::invalid);
    EXPECT_EQ(record_of(fault + unsupported).code, ExitCode::unsupported);
    EXPECT_EQ(record_of(time + unsupported).code, ExitCode::spent);
}

TEST(ApplicationRecord, DamageIsPassedOver) {
    const auto record = record_of("launch\t7\t1\tk\t4\n\nnonsense\tx\nbegin\nleft\t7\nerror\n"
                                  "error\t99999999999999999999\n"
                                  "launch\t7\t1\tk\t1\t1\t1\t77\t\nlaunch\t7\t1\tk\t4\t4\t10");
    EXPECT_EQ(record.launches, 1U);
    EXPECT_EQ(record.errors, 1U);
    EXPECT_EQ(summary_of(record_of(""), false), "visor: no kernel was run");
}

} // namespace

} // namespace visor::cli
