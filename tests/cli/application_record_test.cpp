#include "cli/application_record.h"

#include <gtest/gtest.h>

namespace visor::cli {

namespace {

ApplicationRecord record_of(std::string_view text) {
    return read_application_record(text);
}

TEST(ApplicationRecord, LaunchesAddUp) {
    const auto record =
        record_of("launch\tk\t4\t4\t100\t0\t\nlaunch\tk\t3\t5\t50\t1\tsin\nlaunch\tj\t1\t1\t1\t0\t\n");
    EXPECT_EQ(record.kernels.size(), 2U);
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
    const auto record = record_of("launch\tk\t4\n\nnonsense\tx\nerror\nerror\t99999999999999999999\nlaunch\tk"
                                  "\t1\t1\t1\t77\t\nlaunch\tk\t4\t4\t10");
    EXPECT_EQ(record.launches, 1U);
    EXPECT_EQ(record.errors, 1U);
    EXPECT_EQ(summary_of(record_of(""), false), "visor: no kernel was run");
}

} // namespace

} // namespace visor::cli
