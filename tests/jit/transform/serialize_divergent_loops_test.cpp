// Serialized loops: code is written in LLVM IR and run. The test marks the original loop to see which of the
// two ran; sums were computed by hand.
#include "jit/transform/serialize_divergent_loops.h"

#include "assembled.h"
#include "jit/memory/lowering.h"
#include "jit/transform/outline_loops.h"

#include <llvm/IR/IRBuilder.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace visor::jit {
namespace {

constexpr uint32_t simd = 4;

struct Seen {
    std::array<uint32_t, simd> sums{};
    uint32_t on = 0; // the lanes of the last iteration of all, or their own
    uint64_t count = 0;
    uint32_t original = 0;
};

struct Given {
    std::array<int32_t, simd> begins{};
    std::array<int32_t, simd> ends{};
    uint32_t on = 15;
    uint8_t stop = 0;
};

// Sums of data[k], begins[lane] <= k < ends[lane], at least one; each iteration counts 7.
std::string loop(const std::string& more = "") {
    return R"(
declare <4 x i32> @visor.load.surface.4(<4 x i32>, <4 x i1>, i32, ptr, i64, i64)
declare void @visor.store.surface.4(<4 x i32>, <4 x i1>, i32, ptr, i64, i64, <4 x i32>)
define void @f(ptr %given, ptr %data, i64 %bytes, i64 %mask, ptr %seen) {
entry:
  %begins = load <4 x i32>, ptr %given, align 4
  %behind = getelementptr i8, ptr %given, i64 16
  %ends = load <4 x i32>, ptr %behind, align 4
  %lanes = getelementptr i8, ptr %given, i64 32
  %wide = load i32, ptr %lanes, align 4
  %first = and i32 %wide, 15
  %stop = getelementptr i8, ptr %given, i64 36
  br label %head
head:
  %k = phi <4 x i32> [ %begins, %entry ], [ %next, %again ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %kept, %again ]
  %running = phi i32 [ %first, %entry ], [ %taken, %again ]
  %count = phi i64 [ 0, %entry ], [ %counted, %again ]
  %counted = add i64 %count, 7
  %bits = trunc i32 %running to i4
  %on = bitcast i4 %bits to <4 x i1>
  %places = shl <4 x i32> %k, <i32 2, i32 2, i32 2, i32 2>
  %value = call <4 x i32> @visor.load.surface.4(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, i64 %bytes, i64 %mask)
  %added = add <4 x i32> %sum, %value
  %kept = select <4 x i1> %on, <4 x i32> %added, <4 x i32> %sum
  %next = add <4 x i32> %k, <i32 1, i32 1, i32 1, i32 1>
)" + more + R"(
  %less = icmp slt <4 x i32> %next, %ends
  %goes = bitcast <4 x i1> %less to i4
  %both = and i4 %goes, %bits
  %taken = zext i4 %both to i32
  %none = icmp eq i32 %taken, 0
  br i1 %none, label %out, label %again
again:
  %asked = load volatile i8, ptr %stop, align 1
  %stops = icmp ne i8 %asked, 0
  br i1 %stops, label %leave, label %head, !prof !0, !visor.poll !1
leave:
  ret void
out:
  store <4 x i32> %kept, ptr %seen, align 4
  %seen_on = getelementptr i8, ptr %seen, i64 16
  store i32 %running, ptr %seen_on, align 4
  %seen_count = getelementptr i8, ptr %seen, i64 24
  store i64 %counted, ptr %seen_count, align 8
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 1000}
!1 = !{}
)";
}

class LaneLoop : public ::testing::Test {
protected:
    // Prepares the code; whether lanes may run by themselves in it.
    bool prepare(const std::string& text) {
        if (!code_.parse(text))
            return false;
        llvm::Function& function = code_.function();
        serialize_divergent_loops(function, simd);
        llvm::BasicBlock* original = nullptr;
        for (llvm::BasicBlock& block : function)
            if (block.getName() == "lanes.original")
                original = &block;
        // A block of that name belongs to a lane that counts its iterations.
        counted_ = original != nullptr && std::ranges::none_of(function, [](const llvm::BasicBlock& block) {
                       return block.getName() == "lane.again";
                   });
        if (original != nullptr) {
            llvm::IRBuilder<> mark(original->getTerminator());
            mark.CreateStore(mark.getInt32(1), mark.CreateConstGEP1_64(mark.getInt8Ty(), function.getArg(4),
                                                                       offsetof(Seen, original)));
        }
        lower_memory_intrinsics(function, false, false);
        outline_lane_loops(function);
        const bool apart = std::ranges::any_of(code_.module(), [](const llvm::Function& each) {
            return each.hasInternalLinkage() && !each.isDeclaration();
        });
        EXPECT_TRUE(original == nullptr || apart);
        code_.verify();
        return original != nullptr;
    }

    void link() { code_.link(); }
    [[nodiscard]] bool walks() const { return counted_; }

    Seen run(const Given& given, uint64_t bytes, uint64_t mask = UINT64_MAX) {
        std::vector<uint32_t> data(1U << 17U);
        std::iota(data.begin(), data.end(), 1);
        Seen seen;
        code_.linked<void(const Given*, const uint32_t*, uint64_t, uint64_t, Seen*)>()(&given, data.data(),
                                                                                       bytes, mask, &seen);
        return seen;
    }

private:
    Assembled code_;
    bool counted_ = false; // trip counts are computed before the loop
};

using Sums = std::array<uint32_t, simd>;

TEST_F(LaneLoop, EachLaneMakesItsOwnTurns) {
    ASSERT_TRUE(prepare(loop()));
    link();
    // 1; 2 + 3; 10; 1 + 2 + 3 + 4 + 5
    const Seen seen = run({.begins = {0, 1, 9, 0}, .ends = {1, 3, 10, 5}}, 40);
    EXPECT_EQ(seen.sums, (Sums{1, 5, 10, 15}));
    EXPECT_EQ(seen.count, 35U); // five iterations of the longest lane
    EXPECT_EQ(seen.original, 0U);
}

TEST_F(LaneLoop, LanesThatAreOffDoNothing) {
    ASSERT_TRUE(prepare(loop()));
    link();
    const Seen seen = run({.begins = {1, 70000, 2, -5}, .ends = {3, 70009, 4, 9}, .on = 0b0101}, 40);
    EXPECT_EQ(seen.sums, (Sums{5, 0, 7, 0}));
    EXPECT_EQ(seen.on & 0b1010U, 0U);
    EXPECT_EQ(seen.count, 14U);
    EXPECT_EQ(seen.original, 0U);
}

// One lane outside: the loop for all lanes begins anew, where that reads zero. 9 + 10; 1 + 2; and offsets
// that wrap around to the surface's beginning: 1 + 2 + 3 + 4.
TEST_F(LaneLoop, ALaneOutsideIsLeftToAllTogether) {
    ASSERT_TRUE(prepare(loop()));
    link();
    for (const int32_t begin : {8, -2, 1 << 30}) {
        const Seen seen = run({.begins = {0, begin, 9, 0}, .ends = {1, begin + 4, 10, 5}}, 40);
        EXPECT_EQ(seen.sums, (Sums{1, begin == 8 ? 19U : begin == -2 ? 3U : 10U, 10, 15})) << begin;
        EXPECT_EQ(seen.count, 35U);
        EXPECT_EQ(seen.original, 1U);
    }
}

TEST_F(LaneLoop, ASurfaceShorterThanAUnitIsLeftToAllTogether) {
    ASSERT_TRUE(prepare(loop()));
    link();
    const Seen seen = run({.begins = {0, 0, 0, 0}, .ends = {1, 1, 1, 1}}, 3);
    EXPECT_EQ(seen.sums, (Sums{0, 0, 0, 0}));
    EXPECT_EQ(seen.original, 1U);
}

TEST_F(LaneLoop, AMaskOnOffsetsIsLeftToAllTogether) {
    ASSERT_TRUE(prepare(loop()));
    link();
    const Seen seen = run({.begins = {17, 17, 17, 17}, .ends = {18, 18, 18, 18}}, 80, 0x3f); // 68 & 63 = 4
    EXPECT_EQ(seen.sums, (Sums{2, 2, 2, 2}));
    EXPECT_EQ(seen.original, 1U);
}

// A lane that goes on and on has to answer the caller.
TEST_F(LaneLoop, ManyTurnsAreLeftToAllTogether) {
    ASSERT_TRUE(prepare(loop()));
    link();
    const Seen seen = run({.begins = {0, 0, 0, 0}, .ends = {1, 1, 1, 70000}}, uint64_t{4} * 70000);
    EXPECT_EQ(seen.sums, (Sums{1, 1, 1, static_cast<uint32_t>(uint64_t{70000} * 70001 / 2)}));
    EXPECT_EQ(seen.count, 490000U);
    EXPECT_EQ(seen.original, 1U);
}

TEST_F(LaneLoop, TheCallersWishIsAnswered) {
    ASSERT_TRUE(prepare(loop()));
    link();
    const Seen seen = run({.begins = {0, 0, 0, 0}, .ends = {3, 3, 3, 3}, .stop = 1}, 40);
    EXPECT_EQ(seen.sums, (Sums{0, 0, 0, 0})); // it left
    EXPECT_EQ(seen.original, 1U);
}

std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& changes) {
    for (const auto& [from, to] : changes) {
        const size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
    }
    return text;
}

// The loop lane by lane: data[k] is k + 1 where `bytes` reach. None: too many iterations.
constexpr uint64_t longest = 100;
struct Expected {
    Sums sums{};
    uint64_t most = 0;
};
std::optional<Expected> expected(const Given& given, uint32_t bytes, int32_t step,
                                 const std::function<bool(int32_t next, int32_t end)>& stays) {
    Expected all;
    for (uint32_t lane = 0; lane < simd; ++lane) {
        auto k = static_cast<uint32_t>(given.begins[lane]);
        uint64_t iterations = 0;
        if ((given.on >> lane & 1U) == 0)
            continue;
        do {
            const uint32_t place = 4 * k;
            all.sums[lane] += place <= bytes - 4 ? place / 4 + 1 : 0;
            k += static_cast<uint32_t>(step);
            ++iterations;
        } while (stays(static_cast<int32_t>(k), given.ends[lane]) && iterations <= longest);
        if (iterations > longest)
            return {};
        all.most = std::max(all.most, iterations);
    }
    return all;
}

struct Kind {
    const char* what;
    std::vector<std::pair<std::string, std::string>> changes;
    int32_t step;
    bool walks;
    std::function<bool(int32_t next, int32_t end)> stays;
};
const std::string less = "icmp slt <4 x i32> %next, %ends";
const std::string goes = "%goes = bitcast <4 x i1> %less to i4";
const std::string one_more = "%next = add <4 x i32> %k, <i32 1, i32 1, i32 1, i32 1>";

// Ends before, at and after the begin; addresses around a surface's end, and below zero. Loops are serialized
// where each lane is in bounds and has few iterations.
TEST_F(LaneLoop, WalksEndWhereTheirTestSaysSo) {
    const std::array kinds{
        Kind{.what = "signed", .changes = {}, .step = 1, .walks = true, .stays = std::less<>()},
        Kind{.what = "unsigned",
             .changes = {{less, "icmp ult <4 x i32> %next, %ends"}},
             .step = 1,
             .walks = true,
             .stays = [](int32_t next,
                         int32_t end) { return static_cast<uint32_t>(next) < static_cast<uint32_t>(end); }},
        Kind{.what = "swapped",
             .changes = {{less, "icmp sgt <4 x i32> %ends, %next"}},
             .step = 1,
             .walks = true,
             .stays = std::less<>()},
        Kind{.what = "turned",
             .changes = {{less, "icmp sge <4 x i32> %next, %ends"},
                         {goes, "%ended = bitcast <4 x i1> %less to i4\n%goes = xor i4 %ended, -1"}},
             .step = 1,
             .walks = true,
             .stays = std::less<>()},
        Kind{.what = "at most",
             .changes = {{less, "icmp sle <4 x i32> %next, %ends"}},
             .step = 1,
             .walks = false,
             .stays = std::less_equal<>()},
        Kind{.what = "by two",
             .changes = {{one_more, "%next = add <4 x i32> %k, <i32 2, i32 2, i32 2, i32 2>"}},
             .step = 2,
             .walks = false,
             .stays = std::less<>()},
    };
    for (const Kind& kind : kinds) {
        ASSERT_TRUE(prepare(with(loop(), kind.changes))) << kind.what;
        EXPECT_EQ(walks(), kind.walks) << kind.what;
        link();
        for (const int32_t begin : {-3, 0, 1, 5, 9, 10, INT32_MAX - 1, INT32_MAX})
            for (const int32_t end : {INT32_MIN, -1, 0, 1, 4, 9, 10, 11})
                for (const uint32_t on : {15U, 9U, 4U}) {
                    const Given given{.begins = {begin, 0, begin, 2}, .ends = {end, 3, 4, end}, .on = on};
                    const auto all = expected(given, 40, kind.step, kind.stays);
                    if (!all)
                        continue;
                    const Seen seen = run(given, 40);
                    EXPECT_EQ(seen.sums, all->sums) << kind.what << ' ' << begin << ' ' << end << ' ' << on;
                    EXPECT_EQ(seen.count, 7 * all->most) << kind.what << ' ' << begin << ' ' << end;
                    if (begin >= 0 && begin < 10 && end >= 0 && end < 10) {
                        EXPECT_EQ(seen.original, 0U) << kind.what << ' ' << begin << ' ' << end;
                    }
                }
    }
}

TEST_F(LaneLoop, WalksToAnEndThatHasToBeMet) {
    ASSERT_TRUE(prepare(with(loop(), {{less, "icmp ne <4 x i32> %next, %ends"}})));
    link();
    const Seen seen = run({.begins = {0, 1, 9, 0}, .ends = {1, 3, 10, 5}}, 40);
    EXPECT_EQ(seen.sums, (Sums{1, 5, 10, 15}));
    EXPECT_EQ(seen.count, 35U);
    EXPECT_EQ(seen.original, 0U);
    // wrapping indices: 5 and the sum of 2, 1 in 2^32 - 1 iterations exceed the limit
    EXPECT_EQ(run({.begins = {5, 0, 0, 0}, .ends = {4, 1, 1, 1}, .stop = 1}, 40).original, 1U);
}

// A lane runs 65,536 iterations alone, not one more.
TEST_F(LaneLoop, TheLongestWalk) {
    ASSERT_TRUE(prepare(loop()));
    link();
    for (const int32_t iterations : {65536, 65537}) {
        const Seen seen =
            run({.begins = {0, 0, 7, 0}, .ends = {1, 1, iterations + 7, 1}}, uint64_t{4} * (1U << 17U));
        const uint64_t last = static_cast<uint64_t>(iterations) + 7;
        EXPECT_EQ(seen.sums, (Sums{1, 1, static_cast<uint32_t>(last * (last + 1) / 2 - 28), 1}));
        EXPECT_EQ(seen.count, 7U * static_cast<uint64_t>(iterations));
        EXPECT_EQ(seen.original, iterations == 65536 ? 0U : 1U);
    }
}

// Code by lane has to be short for what it loads.
const std::pair<std::string, std::string> loads_twice{
    "%added = add <4 x i32> %sum, %value",
    "%twice = call <4 x i32> @visor.load.surface.4(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, "
    "i64 %bytes, i64 %mask)\n%same = and <4 x i32> %twice, %value\n%added = add <4 x i32> %sum, %same"};

// A lane's last iteration does not count what follows its exiting block; the caller's limit is then compared
// with slightly too much, which is harmless.
TEST_F(LaneLoop, ALoopThatIsLeftInItsMiddle) {
    ASSERT_TRUE(
        prepare(with(loop(), {{"[ %counted, %again ]", "[ %more, %again ]"},
                              {"%stops = icmp ne i8 %asked, 0",
                               "%more = add i64 %counted, 5\n%less_far = zext i8 %asked to i64\n"
                               "%far = sub i64 1000, %less_far\n%stops = icmp uge i64 %more, %far"}})));
    link();
    const Seen seen = run({.begins = {0, 1, 9, 0}, .ends = {1, 3, 10, 5}}, 40);
    EXPECT_EQ(seen.sums, (Sums{1, 5, 10, 15}));
    EXPECT_EQ(seen.count, 4U * 12 + 7);
    EXPECT_EQ(seen.original, 0U);
    const Seen many =
        run({.begins = {0, 0, 0, 0}, .ends = {1, 1, 1, 100}}, 400); // it ends after 83 iterations
    EXPECT_EQ(many.sums, (Sums{0, 0, 0, 0}));
    EXPECT_EQ(many.original, 1U);
}

// The mask after the loop has the lanes of the last iteration: those that ran.
TEST_F(LaneLoop, AMaskOfLanesThatLeft) {
    const std::string phi = "%count = phi i64 [ 0, %entry ], [ %counted, %again ]";
    const std::string none = "%none = icmp eq i32 %taken, 0";
    const std::string place = "%seen_on = getelementptr i8, ptr %seen, i64 16";
    ASSERT_TRUE(prepare(
        with(loop(), {loads_twice,
                      {phi, phi + "\n%left = phi i32 [ %before, %entry ], [ %with_left, %again ]"},
                      {"%first = and i32 %wide, 15", "%first = and i32 %wide, 15\n%high = lshr i32 %wide, 8\n"
                                                     "%before = and i32 %high, 15"},
                      {none, "%gone = xor i32 %taken, -1\n%leaving = and i32 %running, %gone\n"
                             "%with_left = or i32 %left, %leaving\n" +
                                 none},
                      {place, "%all = or i32 %left, %running\n" + place},
                      {"store i32 %running", "store i32 %all"}})));
    link();
    for (const uint32_t on : {15U, 11U, 6U, 1U})
        for (const uint32_t before : {0U, 8U, 15U}) {
            const Seen seen =
                run({.begins = {0, 1, 8, 0}, .ends = {1, 3, 10, 5}, .on = on | before << 8U}, 40);
            EXPECT_EQ(seen.on, on | before) << on << ' ' << before;
            EXPECT_EQ(seen.original, 0U);
        }
}

// A divergent mask: lanes with odd sums.
TEST_F(LaneLoop, AMaskOfWhatLanesFound) {
    const std::string none = "%none = icmp eq i32 %taken, 0";
    ASSERT_TRUE(prepare(
        with(loop(), {loads_twice,
                      {none, "%even = and <4 x i32> %kept, <i32 1, i32 1, i32 1, i32 1>\n"
                             "%is_odd = icmp ne <4 x i32> %even, zeroinitializer\n"
                             "%odd_bits = bitcast <4 x i1> %is_odd to i4\n%odd = zext i4 %odd_bits to i32\n" +
                                 none},
                      {"store i32 %running", "store i32 %odd"}})));
    link();
    for (const uint32_t on : {15U, 11U, 6U, 1U}) {
        const Given given{.begins = {1, 1, 8, 0}, .ends = {2, 3, 10, 5}, .on = on}; // 2, 2 + 3, 9 + 10, 15
        const Seen seen = run(given, 40);
        EXPECT_EQ(seen.on, on & 0b1110U);
        EXPECT_EQ(seen.original, 0U);
    }
}

// Stores may not happen in another order, nor twice.
TEST_F(LaneLoop, LoopsThatWriteStayAsTheyAre) {
    EXPECT_FALSE(
        prepare(loop("  call void @visor.store.surface.4(<4 x i32> %places, <4 x i1> %on, i32 0, ptr %data, "
                     "i64 %bytes, i64 %mask, <4 x i32> %value)\n")));
    EXPECT_FALSE(prepare(loop("  store <4 x i32> %value, ptr %data\n")));
    EXPECT_FALSE(prepare(loop("  fence seq_cst\n")));
}

// What one lane takes from another keeps them together.
TEST_F(LaneLoop, LanesThatLookAtEachOtherStayTogether) {
    std::string text =
        loop("  %turned = shufflevector <4 x i32> %kept, <4 x i32> poison, <4 x i32> <i32 1, i32 2, i32 3, "
             "i32 0>\n");
    const std::string carried = "[ %kept, %again ]";
    text.replace(text.find(carried), carried.size(), "[ %turned, %again ]");
    EXPECT_FALSE(prepare(text));
}

// A constant condition is not an exit.
TEST_F(LaneLoop, AnsweredQuestionsAreNoWayOut) {
    ASSERT_TRUE(prepare(with(loop(), {{"br i1 %none, label %out, label %again\n",
                                       "br i1 %none, label %out, label %first_of_two\nfirst_of_two:\n"
                                       "  br i1 false, label %leave, label %again\n"}})));
    link();
    const Seen seen = run({.begins = {0, 1, 9, 0}, .ends = {1, 3, 10, 5}}, 40);
    EXPECT_EQ(seen.sums, (Sums{1, 5, 10, 15}));
    EXPECT_EQ(seen.original, 0U);
}

// In loops that lanes leave one by one, scattered loads make it profitable: 16 numbers.
TEST_F(LaneLoop, LanesFarFromEachOtherRunByThemselves) {
    const auto begins = [](const std::string& steps) {
        return std::pair<std::string, std::string>{
            "%begins = load <4 x i32>, ptr %given, align 4",
            "%b0 = load i32, ptr %given, align 4\n"
            "%b1 = insertelement <4 x i32> poison, i32 %b0, i64 0\n"
            "%b2 = shufflevector <4 x i32> %b1, <4 x i32> poison, <4 x i32> zeroinitializer\n"
            "%begins = add <4 x i32> %b2, " +
                steps};
    };
    EXPECT_FALSE(prepare(with(loop(), {begins("<i32 0, i32 15, i32 30, i32 45>")})));
    ASSERT_TRUE(prepare(with(loop(), {begins("<i32 0, i32 16, i32 32, i32 48>")})));
    link();
    const Seen seen = run({.begins = {2, 0, 0, 0}, .ends = {3, 20, 37, 51}}, 400);
    EXPECT_EQ(seen.sums, (Sums{3, 19 + 20, 35 + 36 + 37, 51})); // from 2, 18, 34, 50 on
    EXPECT_EQ(seen.original, 0U);
}

// Flat addresses with 64-bit indices, checked against the extent from the base on.
const std::string flat = R"(
declare i1 @visor.range_check.4(<4 x i64>, <4 x i1>, i32, i64, i64, i32, i32)
declare <4 x i32> @visor.load.flat.4(<4 x i64>, <4 x i1>, i32, i32)
define void @f(ptr %given, ptr %data, i64 %bytes, i64 %mask, ptr %seen) {
entry:
  %begins32 = load <4 x i32>, ptr %given, align 4
  %begins = sext <4 x i32> %begins32 to <4 x i64>
  %behind = getelementptr i8, ptr %given, i64 16
  %ends32 = load <4 x i32>, ptr %behind, align 4
  %ends = sext <4 x i32> %ends32 to <4 x i64>
  %low = ptrtoint ptr %data to i64
  %end = add i64 %low, %bytes
  %last = sub i64 %end, 4
  %one = insertelement <4 x i64> poison, i64 %low, i64 0
  %base = shufflevector <4 x i64> %one, <4 x i64> poison, <4 x i32> zeroinitializer
  br label %head
head:
  %k = phi <4 x i64> [ %begins, %entry ], [ %next, %again ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %kept, %again ]
  %running = phi i32 [ 15, %entry ], [ %taken, %again ]
  %count = phi i64 [ 0, %entry ], [ %counted, %again ]
  %counted = add i64 %count, 7
  %bits = trunc i32 %running to i4
  %on = bitcast i4 %bits to <4 x i1>
  %scaled = shl <4 x i64> %k, <i64 2, i64 2, i64 2, i64 2>
  %places = add <4 x i64> %scaled, %base
  %inside = call i1 @visor.range_check.4(<4 x i64> %places, <4 x i1> %on, i32 0, i64 %low, i64 %last, i32 0, i32 4)
  br i1 %inside, label %known, label %leave, !prof !2
known:
  %value = call <4 x i32> @visor.load.flat.4(<4 x i64> %places, <4 x i1> %on, i32 0, i32 0)
  %added = add <4 x i32> %sum, %value
  %kept = select <4 x i1> %on, <4 x i32> %added, <4 x i32> %sum
  %next = add <4 x i64> %k, <i64 1, i64 1, i64 1, i64 1>
  %less = icmp slt <4 x i64> %next, %ends
  %goes = bitcast <4 x i1> %less to i4
  %both = and i4 %goes, %bits
  %taken = zext i4 %both to i32
  %none = icmp eq i32 %taken, 0
  br i1 %none, label %out, label %again
again:
  br label %head
leave:
  ret void
out:
  store <4 x i32> %kept, ptr %seen, align 4
  %seen_count = getelementptr i8, ptr %seen, i64 24
  store i64 %counted, ptr %seen_count, align 8
  ret void
}
!2 = !{!"branch_weights", i32 1000, i32 1}
)";

TEST_F(LaneLoop, IndicesOfQwords) {
    ASSERT_TRUE(prepare(flat));
    link();
    const Seen seen = run({.begins = {0, 1, 9, 0}, .ends = {1, 3, 10, 5}}, 40);
    EXPECT_EQ(seen.sums, (Sums{1, 5, 10, 15}));
    EXPECT_EQ(seen.count, 35U);
    EXPECT_EQ(seen.original, 0U);
    // outside: at the end, after it, before it
    for (const int32_t begin : {9, 10, -1}) {
        const Seen out = run({.begins = {0, begin, 0, 0}, .ends = {1, begin + 2, 1, 1}}, 40);
        EXPECT_EQ(out.sums, (Sums{})) << begin;
        EXPECT_EQ(out.original, 1U) << begin;
    }
}

} // namespace
} // namespace visor::jit
