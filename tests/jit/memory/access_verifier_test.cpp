// Accesses that nothing checked, planted in code that is right: by hand in LLVM's text, and in what kernels
// are compiled to, where one kind of pointer after the other loses its marks.
#include "jit/memory/access_verifier.h"

#include "assembled.h"
#include "jit/driver/pipeline.h"
#include "jit/engine/runtime_abi.h"
#include "jit/ir/bounds.h"
#include "planned.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace visor::jit {
namespace {

constexpr uint64_t register_bytes = 4096;

// Of `body` in the kernel's function; empty: it is allowed.
std::string wrong_with(const std::string& body, const std::string& beside = "") {
    Assembled code;
    const bool parsed = code.parse(
        fmt::format("@table = private constant [64 x i8] zeroinitializer\n"
                    "declare ptr @checked.flat.unit(ptr returned, i64, i64) memory(none)\n"
                    "declare ptr @checked.surface.masked_row(ptr returned, i64, i64) memory(none)\n"
                    "declare <4 x ptr> @checked.flat.lanes.4(<4 x ptr> returned, i64, i64) memory(none)\n"
                    "{}\n"
                    "define ptr @f(ptr noalias %state, i64 %n) {{\n{}\n  ret ptr %state\n}}\n",
                    beside, body));
    if (!parsed)
        return "no text";
    return unchecked_access(code.module(), register_bytes).value_or("");
}

std::string member(size_t offset, const std::string& then) {
    return fmt::format("  %at = getelementptr inbounds i8, ptr %state, i64 {}\n"
                       "  %p = load ptr, ptr %at\n",
                       offset) +
           then;
}

TEST(AccessVerifier, AllowsWhatIsFixed) {
    EXPECT_EQ(
        wrong_with("  %a = alloca [4 x i32]\n  %p = getelementptr i32, ptr %a, i64 3\n  store i32 1, ptr %p"),
        "");
    EXPECT_EQ(wrong_with("  %p = getelementptr i8, ptr @table, i64 60\n  %v = load i32, ptr %p"), "");
    EXPECT_EQ(wrong_with(fmt::format("  %p = getelementptr i8, ptr %state, i64 {}\n  store i64 1, ptr %p",
                                     sizeof(State) - 8)),
              "");
    EXPECT_EQ(wrong_with(member(offsetof(State, sites), "  %q = getelementptr i8, ptr %p, i64 800\n"
                                                        "  %v = load i64, ptr %q")),
              "");
    EXPECT_EQ(wrong_with(member(offsetof(State, registers), "  %q = getelementptr i8, ptr %p, i64 4092\n"
                                                            "  %v = load i32, ptr %q")),
              "");
}

TEST(AccessVerifier, SeesWhatIsBeyondWhatIsFixed) {
    EXPECT_NE(
        wrong_with("  %a = alloca [4 x i32]\n  %p = getelementptr i32, ptr %a, i64 4\n  store i32 1, ptr %p"),
        "");
    EXPECT_NE(
        wrong_with("  %a = alloca [4 x i32]\n  %p = getelementptr i8, ptr %a, i64 -1\n  store i8 1, ptr %p"),
        "");
    EXPECT_NE(wrong_with("  %a = alloca i32, i64 %n\n  store i32 1, ptr %a"), "");
    EXPECT_NE(wrong_with("  %p = getelementptr i8, ptr @table, i64 61\n  %v = load i32, ptr %p"), "");
    EXPECT_NE(wrong_with(fmt::format("  %p = getelementptr i8, ptr %state, i64 {}\n  store i64 1, ptr %p",
                                     sizeof(State) - 7)),
              "");
    EXPECT_NE(wrong_with(member(offsetof(State, registers), "  %q = getelementptr i8, ptr %p, i64 4093\n"
                                                            "  %v = load i32, ptr %q")),
              "");
}

TEST(AccessVerifier, SeesDistancesThatNobodyChecked) {
    EXPECT_NE(wrong_with(
                  "  %a = alloca [4 x i32]\n  %p = getelementptr i32, ptr %a, i64 %n\n  store i32 1, ptr %p"),
              "");
    EXPECT_NE(wrong_with(member(offsetof(State, registers), "  %q = getelementptr i8, ptr %p, i64 %n\n"
                                                            "  %v = load i32, ptr %q")),
              "");
    EXPECT_NE(wrong_with("  %p = inttoptr i64 %n to ptr\n  %v = load i32, ptr %p"), "");
    EXPECT_NE(wrong_with("  %p = inttoptr i64 %n to ptr\n  %v = atomicrmw add ptr %p, i32 1 monotonic"), "");
    EXPECT_NE(wrong_with("  %p = inttoptr i64 %n to ptr\n"
                         "  %v = cmpxchg ptr %p, i32 1, i32 2 monotonic monotonic"),
              "");
}

// The data of shared local memory, and of a surface: a constant distance from them is no check.
TEST(AccessVerifier, SeesKernelsMemory) {
    EXPECT_NE(wrong_with(member(offsetof(State, slm) + offsetof(Window, data), "  %v = load i32, ptr %p")),
              "");
    EXPECT_NE(wrong_with(member(offsetof(State, named_windows), "  %d = load ptr, ptr %p\n"
                                                                "  %v = load i32, ptr %d")),
              "");
    EXPECT_NE(wrong_with(member(offsetof(State, thread), "  %v = load i32, ptr %p")), "");
}

TEST(AccessVerifier, HoldsMarksToTheirBytes) {
    const auto with = [](int64_t low, int64_t end, int64_t at) {
        return wrong_with(fmt::format("  %p = inttoptr i64 %n to ptr\n"
                                      "  %m = call ptr @checked.flat.unit(ptr %p, i64 {}, i64 {})\n"
                                      "  %q = getelementptr i8, ptr %m, i64 {}\n"
                                      "  %v = load i32, ptr %q",
                                      low, end, at));
    };
    EXPECT_EQ(with(0, 4, 0), "");
    EXPECT_EQ(with(-8, 4, -8), "");
    EXPECT_EQ(with(8, 16, 12), "");
    EXPECT_NE(with(0, 4, 1), "");
    EXPECT_NE(with(0, 3, 0), "");
    EXPECT_NE(with(8, 16, 4), "");
    EXPECT_EQ(with(-8, -4, -8), "");
    EXPECT_NE(with(-8, -5, -8), "");
    EXPECT_EQ(with(-3, 1, -3), "") << "longer than what lies behind the place";
    EXPECT_NE(with(-3, 1, -2), "");
}

TEST(AccessVerifier, HoldsMarksToTheirUse) {
    const std::string row = "  %p = inttoptr i64 %n to ptr\n"
                            "  %m = call ptr @checked.surface.masked_row(ptr %p, i64 0, i64 16)\n";
    const std::string declared =
        "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)\n"
        "declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)\n";
    EXPECT_EQ(wrong_with(row + "  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %m, i32 1, "
                               "<4 x i1> splat (i1 true), <4 x i32> poison)",
                         declared),
              "");
    EXPECT_NE(wrong_with(row + "  %v = load <4 x i32>, ptr %m", declared), "");
    const std::string lanes = "  %one = inttoptr i64 %n to ptr\n"
                              "  %all = insertelement <4 x ptr> poison, ptr %one, i64 0\n";
    const std::string gather = "  %v = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %m, i32 1, "
                               "<4 x i1> splat (i1 true), <4 x i32> poison)";
    EXPECT_EQ(wrong_with(lanes +
                             "  %m = call <4 x ptr> @checked.flat.lanes.4(<4 x ptr> %all, i64 0, i64 4)\n" +
                             gather,
                         declared),
              "");
    EXPECT_NE(wrong_with(lanes + "  %m = freeze <4 x ptr> %all\n" + gather, declared), "");
}

// Through the pointer that the engine filled in, and by the name that belongs to it.
TEST(AccessVerifier, AllowsCallsOfTheEngineAlone) {
    const auto call = [](size_t offset, const std::string& mark) {
        return wrong_with(member(offset, "  %r = call i32 %p(ptr %state, i32 1)" + mark),
                          "!0 = !{!\"step\"}\n!1 = !{!\"load_flat\"}\n");
    };
    EXPECT_EQ(call(offsetof(State, step), ", !visor.runtime !0"), "");
    EXPECT_NE(call(offsetof(State, step), ""), "");
    EXPECT_NE(call(offsetof(State, poll), ", !visor.runtime !0"), "");
    EXPECT_NE(call(offsetof(State, registers), ", !visor.runtime !0"), "");
    EXPECT_NE(call(offsetof(State, step), ", !visor.runtime !1"), "");
    const auto lanes = [](size_t table, size_t offset) {
        return wrong_with(member(table, fmt::format("  %place = getelementptr i8, ptr %p, i64 {}\n"
                                                    "  %load = load ptr, ptr %place\n"
                                                    "  call void %load(ptr %state), !visor.runtime !1",
                                                    offset)),
                          "!1 = !{!\"load_flat\"}\n");
    };
    EXPECT_EQ(lanes(offsetof(State, lane_access_calls), offsetof(LaneAccessCalls, load_flat)), "");
    EXPECT_NE(lanes(offsetof(State, lane_access_calls), offsetof(LaneAccessCalls, store_flat)), "");
    EXPECT_NE(lanes(offsetof(State, windows), offsetof(LaneAccessCalls, load_flat)), "");
}

// One of two paths to a pointer has no check.
TEST(AccessVerifier, LooksAtEachWay) {
    const std::string either = "  %p = inttoptr i64 %n to ptr\n"
                               "  %m = call ptr @checked.flat.unit(ptr %p, i64 0, i64 4)\n"
                               "  %c = icmp eq i64 %n, 0\n";
    EXPECT_EQ(wrong_with(either + "  %q = select i1 %c, ptr %m, ptr @table\n  %v = load i32, ptr %q"), "");
    EXPECT_NE(wrong_with(either + "  %q = select i1 %c, ptr %m, ptr %p\n  %v = load i32, ptr %q"), "");
    const auto joined = [&](const char* other) {
        return either + "  br i1 %c, label %there, label %here\nthere:\n  br label %here\nhere:\n" +
               fmt::format("  %q = phi ptr [ %m, %there ], [ {}, %0 ]\n  %v = load i32, ptr %q", other);
    };
    EXPECT_EQ(wrong_with(joined("@table")), "");
    EXPECT_NE(wrong_with(joined("%p")), "");
}

// A member's address comes through a phi, as after a loop.
TEST(AccessVerifier, FollowsMembersOfState) {
    const auto with = [](size_t here, size_t there, const char* then) {
        return wrong_with(
            fmt::format("  %a = getelementptr i8, ptr %state, i64 {}\n"
                        "  %b = getelementptr i8, ptr %state, i64 {}\n"
                        "  %c = icmp eq i64 %n, 0\n"
                        "  br i1 %c, label %there, label %here\nthere:\n  br label %here\nhere:\n"
                        "  %at = phi ptr [ %a, %there ], [ %b, %0 ]\n"
                        "  %p = load ptr, ptr %at\n"
                        "  %q = getelementptr i8, ptr %p, i64 24\n  %v = load i64, ptr %q\n{}",
                        here, there, then));
    };
    constexpr size_t sites = offsetof(State, sites);
    EXPECT_EQ(with(sites, sites, ""), "");
    EXPECT_NE(with(sites, sites + sizeof(State), ""), "") << "of a thread that need not be there";
    EXPECT_NE(with(sites, offsetof(State, symbols), ""), "") << "two tables";
    EXPECT_NE(with(sites, sites + 4, ""), "");
    EXPECT_NE(with(offsetof(State, slm), offsetof(State, slm), ""), "");
    EXPECT_EQ(
        wrong_with(member(offsetof(State, group), fmt::format("  %q = getelementptr i8, ptr %p, i64 {}\n"
                                                              "  %v = load i64, ptr %q",
                                                              offsetof(State, fuel)))),
        "");
}

TEST(AccessVerifier, ArraysOfCallersAreAskedThere) {
    const std::string beside =
        "define internal void @g(ptr \"visor-array-bytes\"=\"16\" %a, ptr %data) {\n"
        "  %p = getelementptr i8, ptr %a, i64 12\n  store i32 1, ptr %p\n  ret void\n}\n";
    EXPECT_EQ(wrong_with("  %a = alloca [16 x i8]\n  call void @g(ptr %a, ptr null)", beside), "");
    EXPECT_NE(wrong_with("  %a = alloca [15 x i8]\n  call void @g(ptr %a, ptr null)", beside), "");
    EXPECT_NE(wrong_with("  ret ptr %state", "define internal void @g(ptr %a, ptr %data) {\n"
                                             "  store i32 1, ptr %data\n  ret void\n}\n"),
              "");
}

TEST(AccessVerifier, SeesWhatItDoesNotKnow) {
    EXPECT_NE(wrong_with("  %a = alloca i32\n  call void @h(ptr %a)", "declare void @h(ptr)"), "");
    EXPECT_NE(wrong_with("  %v = va_arg ptr %state, i32"), "");
    EXPECT_NE(
        wrong_with("  %a = alloca [64 x i8]\n  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %n, i1 false)",
                   "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"),
        "");
    EXPECT_NE(
        wrong_with("  %a = alloca [64 x i8]\n  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 65, i1 false)",
                   "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"),
        "");
}

} // namespace
} // namespace visor::jit
