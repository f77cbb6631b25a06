// Ruling 27: which lane of a message comes first. The kernel lets the lanes of each group count one place up,
// exchange their numbers in one and write them to another: whatever the order, it has to be one order.
#include "vm/vm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

namespace visor::vm {
namespace {

constexpr uint32_t lanes = 8;
constexpr uint32_t groups = 6;

constexpr std::string_view kernel = ".version 4.1\n.kernel \"k\"\n"
                                    ".decl lane v_type=G type=ud num_elts=8 align=GRF\n"
                                    ".decl at v_type=G type=ud num_elts=8 align=GRF\n"
                                    ".decl to v_type=G type=ud num_elts=8 align=GRF\n"
                                    ".decl one v_type=G type=ud num_elts=8 align=GRF\n"
                                    ".decl rank v_type=G type=ud num_elts=8 align=GRF\n"
                                    ".decl T6 v_type=T num_elts=1\n"
                                    ".decl T7 v_type=T num_elts=1\n"
                                    ".decl T8 v_type=T num_elts=1\n"
                                    ".kernel_attr SimdSize=8\n"
                                    "    mov (M1, 8) lane(0,0)<1> 0x76543210:uv\n"
                                    "    mov (M1, 8) one(0,0)<1> 0x1:ud\n"
                                    "    mul (M1, 8) at(0,0)<1> %group_id_x(0,0)<0;1,0> 0x4:ud\n"
                                    "    mul (M1, 8) to(0,0)<1> at(0,0)<1;1,0> 0x8:ud\n"
                                    "    mad (M1, 8) to(0,0)<1> lane(0,0)<1;1,0> 0x4:ud to(0,0)<1;1,0>\n"
                                    "    dword_atomic.add (M1, 8) T6 at.0 one.0 %null.0 rank.0\n"
                                    "    scatter_scaled.4 (M1, 8) T7 0x0:ud to.0 rank.0\n"
                                    "    scatter_scaled.4 (M1, 8) T8 0x0:ud at.0 lane.0\n"
                                    "    ret (M1, 1)\n";

struct Outcome {
    std::vector<uint32_t> counts;  // of each group: lanes that counted
    std::vector<uint32_t> ranks;   // of each lane: how many came before it
    std::vector<uint32_t> winners; // of each group: whose write is there

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(uint64_t seed, uint32_t workers = 1) {
    Context context(*isa::device_named("skl"));
    std::string warnings;
    const auto program = context.load("k.visaasm", kernel, {}, warnings);
    EXPECT_TRUE(program);
    std::vector<launch::HandInput> inputs;
    std::vector<launch::Buffer> buffers;
    for (const uint32_t dwords : {groups, groups * lanes, groups}) {
        buffers.push_back(context.allocate(uint64_t{dwords} * 4, "buffer").value());
        inputs.push_back({"T" + std::to_string(5 + buffers.size()), buffers.back()});
    }
    launch::HandGeometry geometry;
    geometry.in_threads = true;
    geometry.groups = {groups, 1, 1};
    RunSettings settings;
    settings.options.seed = seed;
    settings.options.workers = workers;
    const auto report = context.run(**program, "", inputs, {}, geometry, settings);
    EXPECT_TRUE(report && !report->error);
    const auto content = [&](const launch::Buffer& buffer) {
        std::vector<uint32_t> values(buffer.bytes / 4);
        std::memcpy(values.data(), context.bytes_of(buffer).data(), buffer.bytes);
        return values;
    };
    return {content(buffers[0]), content(buffers[1]), content(buffers[2])};
}

TEST(LaneOrder, IsAscendingWithoutASeed) {
    const Outcome outcome = run(0);
    std::vector<uint32_t> ascending;
    for (uint32_t i = 0; i < groups * lanes; ++i)
        ascending.push_back(i % lanes);
    EXPECT_EQ(outcome.counts, std::vector<uint32_t>(groups, lanes));
    EXPECT_EQ(outcome.ranks, ascending);
    EXPECT_EQ(outcome.winners, std::vector<uint32_t>(groups, lanes - 1));
}

TEST(LaneOrder, IsAnyWithASeedAndTheSameEveryTime) {
    std::set<std::vector<uint32_t>> orders;
    std::set<uint32_t> winners;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
        const Outcome outcome = run(seed);
        EXPECT_EQ(outcome.counts, std::vector<uint32_t>(groups, lanes));
        for (uint32_t group = 0; group < groups; ++group) {
            const auto begin = outcome.ranks.begin() + group * lanes;
            std::vector<uint32_t> order(begin, begin + lanes);
            orders.insert(order);
            std::ranges::sort(order);
            std::vector<uint32_t> all(lanes);
            std::iota(all.begin(), all.end(), 0U);
            EXPECT_EQ(order, all) << "each lane comes once";
            winners.insert(outcome.winners[group]);
        }
        EXPECT_EQ(run(seed), outcome);
        EXPECT_EQ(run(seed, 4), outcome) << "whichever worker has the group";
    }
    EXPECT_GT(orders.size(), 40U) << "of 48 that were drawn";
    EXPECT_EQ(winners.size(), lanes) << "each lane wins somewhere in 48 groups";
}

} // namespace
} // namespace visor::vm
