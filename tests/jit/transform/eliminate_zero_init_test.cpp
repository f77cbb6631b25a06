// Elimination of scratch clearing: code in the translator's form, written in LLVM IR.
#include "jit/transform/eliminate_zero_init.h"

#include "assembled.h"

#include "jit/engine/runtime_calls.h"
#include "jit/ir/runtime_call.h"

#include <llvm/IR/InstIterator.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace visor::jit {
namespace {

constexpr uint32_t bytes = 64;

std::string message(const std::string& result, const char* name, const std::string& place,
                    const std::string& on, const char* values, const char* mark = ", !visor.scratch !0") {
    return fmt::format("  {}@{}(<2 x i32> {}, <2 x i1> {}, i32 4, ptr %data, i64 64, i64 -1{}){}\n", result,
                       name, place, on, values, mark);
}
// Two lanes' units, at `place` + 4 bytes of the block.
std::string store(const std::string& place, const std::string& on = "splat (i1 true)") {
    return message("call void ", "visor.store.surface", place, on, ", <2 x i32> splat (i32 7)");
}
std::string load(const std::string& name, const std::string& place) {
    return message("%" + name + " = call <2 x i32> ", "visor.load.surface", place, "splat (i1 true)", "");
}
std::string at(int first, int second) {
    return fmt::format("<i32 {}, i32 {}>", first, second);
}

// A thread does this, and then the next group's.
std::string code_of(const std::string& thread, const char* attributes = "") {
    return fmt::format(R"(define void @f(ptr %state, ptr %data, i1 %some, i32 %count, <2 x i1> %lanes) {} {{
entry:
  br label %thread
thread:
  store i32 0, ptr %state, !visor.thread !0
{}
  br label %ended
ended:
  %clear = load ptr, ptr %state
  %zero = call i32 %clear(ptr %state, i32 3), !visor.clear !0, !visor.runtime !1
  br label %thread
}}
declare void @visor.store.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64, <2 x i32>)
declare <2 x i32> @visor.load.surface(<2 x i32>, <2 x i1>, i32, ptr, i64, i64)
!0 = !{{}}
!1 = !{{!"clear"}}
)",
                       attributes, thread);
}

// The clearing after the thread: 3 by default, 1 without scratch blocks.
uint64_t cleared(const std::string& text, uint32_t scratch_bytes = bytes) {
    Assembled code;
    if (!code.parse(text)) {
        ADD_FAILURE() << text;
        return 0;
    }
    eliminate_zero_init(code.function(), scratch_bytes);
    code.verify();
    for (const llvm::Instruction& instruction : llvm::instructions(code.function()))
        if (const auto* const call = llvm::dyn_cast<ClearCall>(&instruction))
            return call->what();
    ADD_FAILURE() << "nothing is cleared";
    return 0;
}

constexpr uint64_t all = clear_shared_local | clear_scratch;
constexpr uint64_t not_scratch = clear_shared_local;

TEST(WrittenFirst, NothingIsRead) {
    EXPECT_EQ(cleared(code_of("")), not_scratch);
    EXPECT_EQ(cleared(code_of(store(at(0, 4)))), not_scratch);
}

TEST(WrittenFirst, InARow) {
    EXPECT_EQ(cleared(code_of(store(at(0, 4)) + load("a", at(4, 0)))), not_scratch);
    EXPECT_EQ(cleared(code_of(store(at(0, 4)) + load("a", at(4, 8)))), all);
    EXPECT_EQ(cleared(code_of(load("a", at(0, 4)) + store(at(0, 4)))), all);
    EXPECT_EQ(cleared(code_of(store(at(0, 8)) + store(at(4, 12)) + load("a", at(8, 4)))), not_scratch);
    EXPECT_EQ(cleared(code_of(store(at(2, 6)) + load("a", at(2, 6)) + load("b", at(0, 4)))), all);
}

// Of those that are on.
TEST(WrittenFirst, LanesThatWrite) {
    EXPECT_EQ(cleared(code_of(store(at(0, 4), "<i1 true, i1 false>") + load("a", at(0, 0)))), not_scratch);
    EXPECT_EQ(cleared(code_of(store(at(0, 4), "<i1 true, i1 false>") + load("a", at(0, 4)))), all);
    EXPECT_EQ(cleared(code_of(store(at(0, 4), "%lanes") + load("a", at(0, 4)))), all);
}

// The block's last unit is at 60 bytes: a displacement of four applies to all addresses.
TEST(WrittenFirst, OutsideTheBlock) {
    EXPECT_EQ(cleared(code_of(store(at(52, 56)) + load("a", at(52, 56)))), not_scratch);
    EXPECT_EQ(cleared(code_of(store(at(56, 60)) + load("a", at(56, 60)))), all);
    EXPECT_EQ(cleared(code_of(store(at(-4, 0)) + load("a", at(-4, 0)))), all);
    EXPECT_EQ(cleared(code_of(store(at(0, 4)) + load("a", at(0, 4))), 8), all);
    EXPECT_EQ(cleared(code_of(""), 1U << 30U), all);
}

std::string either_way(const std::string& one, const std::string& other) {
    return "  br i1 %some, label %one, label %other\none:\n" + one + "  br label %both\nother:\n" + other +
           "  br label %both\nboth:\n";
}

TEST(WrittenFirst, OnEachWay) {
    const std::string read = load("a", at(0, 4));
    EXPECT_EQ(cleared(code_of(either_way(store(at(0, 4)), store(at(4, 0))) + read)), not_scratch);
    EXPECT_EQ(cleared(code_of(either_way(store(at(0, 4)), "") + read)), all);
    EXPECT_EQ(cleared(code_of(either_way(store(at(0, 4)), store(at(4, 8))) + read)), all);
}

// %i from 0 on; `more` (of %next, which is one more) decides on another iteration.
std::string iterations(const std::string& body, const std::string& more) {
    return R"(  br label %loop
loop:
  %i = phi i32 [ 0, %thread ], [ %next, %loop ]
  %bytes = shl i32 %i, 3
  %first = insertelement <2 x i32> poison, i32 %bytes, i64 0
  %both = shufflevector <2 x i32> %first, <2 x i32> poison, <2 x i32> zeroinitializer
  %place = add <2 x i32> %both, <i32 0, i32 4>
)" + body + R"(  %next = add i32 %i, 1
  %more = )" +
           more + R"(
  br i1 %more, label %loop, label %behind
behind:
)";
}

TEST(WrittenFirst, LoopsThatCount) {
    const std::string four = iterations(store("%place"), "icmp ult i32 %next, 4");
    EXPECT_EQ(cleared(code_of(four + load("a", at(24, 28)))), not_scratch);
    EXPECT_EQ(cleared(code_of(four + load("a", at(28, 32)))), all);
    // No iteration reads what only a later one writes.
    EXPECT_EQ(cleared(code_of(iterations(store("%place") + load("a", "%place"), "icmp ult i32 %next, 4"))),
              not_scratch);
    EXPECT_EQ(cleared(code_of(iterations(load("a", "%place") + store("%place"), "icmp ult i32 %next, 4"))),
              all);
}

// As often as the kernel's argument says: once at least.
TEST(WrittenFirst, LoopsThatDoNot) {
    const std::string some = iterations(store("%place"), "icmp ult i32 %next, %count");
    EXPECT_EQ(cleared(code_of(some + load("a", at(0, 4)))), not_scratch);
    EXPECT_EQ(cleared(code_of(some + load("a", at(4, 8)))), all);
    EXPECT_EQ(
        cleared(code_of(store(at(0, 4)) + iterations(load("a", at(0, 4)), "icmp ult i32 %next, %count"))),
        not_scratch);
    EXPECT_EQ(
        cleared(code_of(store(at(0, 4)) + iterations(load("a", "%place"), "icmp ult i32 %next, %count"))),
        all);
}

TEST(WrittenFirst, OtherWaysToLook) {
    EXPECT_EQ(cleared(code_of("  %r = call i32 %data(ptr %state), !visor.reads_scratch !0\n")), all);
    EXPECT_EQ(cleared(code_of("  %r = call i32 %data(ptr %state)\n")), not_scratch);
    EXPECT_EQ(cleared(code_of("", "\"visor.reads_scratch\"")), all);
}

} // namespace
} // namespace visor::jit
