#include "compile/notice.h"

#include <gtest/gtest.h>

namespace visor::compile {
namespace {

using namespace std::chrono_literals;

TEST(Notice, OnlyATerminalIsTold) {
    const std::chrono::steady_clock::time_point start{100s};
    EXPECT_EQ(notice_time(start, true), start + 2s);
    EXPECT_FALSE(notice_time(start, false));
}

TEST(Notice, SaysWhatIsCompiledAndForHowLong) {
    Request request;
    request.name = "k.cl";
    request.source = "kernel void fill(global int* p) {}";
    request.device = "pvc";
    EXPECT_EQ(wait_text(request, 2300ms), "compiling `k.cl` (kernel fill) for pvc: 2 s so far");
}

} // namespace
} // namespace visor::compile
