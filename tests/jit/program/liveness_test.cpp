// What is live where a thread resumes behind a barrier: address elements, predicates, registers.
#include "planned.h"

#include "isa/predefined.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::jit {
namespace {

constexpr const char* variables = ".decl V v_type=G type=d num_elts=16 align=GRF\n"
                                  ".decl X v_type=G type=d num_elts=16 align=GRF\n"
                                  ".decl U v_type=G type=uw num_elts=32 align=GRF\n"
                                  ".decl P1 v_type=P num_elts=16\n"
                                  ".decl P2 v_type=P num_elts=32\n"
                                  ".decl A0 v_type=A num_elts=16\n";
constexpr uint32_t p1 = 1;
constexpr uint32_t p2 = 2;

bool is_live(const Planned& p, uint32_t item) {
    return std::ranges::find(p.plan.live[1], item) != p.plan.live[1].end();
}

std::vector<uint32_t> live_addresses(const Planned& p) {
    std::vector<uint32_t> elements;
    for (uint32_t e = 0; e < 16; ++e)
        if (is_live(p, p.plan.address_item(p.program, e)))
            elements.push_back(e);
    return elements;
}

// A barrier, then two instructions that some lanes skip: a write of A0, and `read`.
std::vector<uint32_t> live_before(const char* read,
                                  const char* write = "addr_add (M1, 16) A0(0)<1> &V U(0,0)<1;1,0>") {
    return live_addresses(planned_text(fmt::format("{}    barrier\n"
                                                   "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:d\n"
                                                   "    (P1) goto (M1, 16) L\n"
                                                   "    {}\n"
                                                   "    {}\n"
                                                   "L:\n"
                                                   "    ret (M1, 1)\n",
                                                   variables, write, read)));
}

const std::vector<uint32_t> none;
const std::vector<uint32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

TEST(Liveness, AddressesThatTheSameLanesWroteAreDeadBefore) {
    EXPECT_EQ(live_before("mov (M1, 16) X(0,0)<1> r[A0(0),0]<1,0>:d"), none);
    EXPECT_EQ(live_before("mov (M1, 16) r[A0(0),0]<1>:d 0x1:d"), (std::vector<uint32_t>{0}))
        << "lanes 1 to 15 read what lane 0 wrote, if it did";
    EXPECT_EQ(live_before("addr_add (M1, 16) A0(0)<16> A0(0)<16> U(0,0)<1;1,0>"), none);
}

TEST(Liveness, AddressesThatOtherLanesReadAreLive) {
    EXPECT_EQ(live_before("mov (M1_NM, 16) X(0,0)<1> r[A0(0),0]<1,0>:d"), all);
    EXPECT_EQ(live_before("mov (M1, 8) X(0,0)<1> r[A0(8),0]<1,0>:d"),
              (std::vector<uint32_t>{8, 9, 10, 11, 12, 13, 14, 15}));
    EXPECT_EQ(live_before("mov (M3, 8) X(1,0)<1> r[A0(8),0]<1,0>:d"), none);
}

TEST(Liveness, OneLaneReadsItsOwnElement) {
    EXPECT_EQ(live_before("mov (M2, 1) X(0,4)<1> r[A0(4),0]<0;1,0>:d"), none);
    EXPECT_EQ(live_before("mov (M2, 1) X(0,4)<1> r[A0(5),0]<0;1,0>:d"), (std::vector<uint32_t>{5}));
}

TEST(Liveness, AWriteOfEveryLaneIsForAllReaders) {
    const char* const write = "addr_add (M1_NM, 16) A0(0)<1> &V U(0,0)<1;1,0>";
    EXPECT_EQ(live_before("mov (M1_NM, 16) X(0,0)<1> r[A0(0),0]<1,0>:d", write), none);
    EXPECT_EQ(live_before("mov (M1, 16) X(0,0)<1> r[A0(3),0]<0;1,0>:d", write), none);
    EXPECT_EQ(live_before("mov (M1, 16) X(0,0)<1> r[A0(3),0]<0;1,0>:d",
                          "addr_add (M1_NM, 8) A0(8)<1> &V U(0,0)<1;1,0>"),
              (std::vector<uint32_t>{3}));
}

// Read in another block: the write kills where it writes for all lanes that were dispatched.
TEST(Liveness, AddressesDieWhereAllLanesWriteThem) {
    const std::string code = std::string(variables) + "    barrier\n"
                                                      "    addr_add (M1, 16) A0(0)<1> &V U(0,0)<1;1,0>\n"
                                                      "    cmp.eq (M1, 16) P1 V(0,0)<1;1,0> 0x0:d\n"
                                                      "    (P1) goto (M1, 16) L\n"
                                                      "    mov (M1, 16) X(0,0)<1> r[A0(0),0]<1,0>:d\n"
                                                      "L:\n"
                                                      "    ret (M1, 1)\n";
    EXPECT_EQ(live_addresses(planned_text(code)), none);
    EXPECT_EQ(live_addresses(planned_text(code, false)), all) << "of a thread without all lanes";
}

// MOV page: a predicate as a source is all of its elements.
TEST(Liveness, NoPredicateHasAHalfThatNothingAccesses) {
    const auto live = [](uint32_t id, const char* before, const char* after) {
        const Planned p = planned_text(fmt::format("{0}    {2}\n"
                                                   "    barrier\n"
                                                   "    {3}\n"
                                                   "    mov (M1_NM, 1) X(0,0)<1> P{1}\n"
                                                   "    ret (M1, 1)\n",
                                                   variables, id, before, after));
        return is_live(p, p.plan.predicate_item(id));
    };
    const char* const half = "cmp.eq (M1_NM, 16) P2 U(0,0)<1;1,0> 0x0:uw";
    const char* const whole = "cmp.eq (M1_NM, 32) P2 U(0,0)<1;1,0> 0x0:uw";
    const char* const narrow = "cmp.eq (M1_NM, 16) P1 U(0,0)<1;1,0> 0x0:uw";
    EXPECT_FALSE(live(p1, narrow, narrow));
    EXPECT_FALSE(live(p2, half, half));
    EXPECT_TRUE(live(p2, whole, half));
    EXPECT_FALSE(live(p2, whole, whole));
}

// Three components of eight lanes are at 0, 64 and 128 where registers have 64 bytes: what lies between them,
// and is read afterwards, comes from before the barrier. Of sixteen lanes nothing does, nor with registers of
// 32 bytes.
TEST(Liveness, BytesBetweenComponentsStay) {
    const auto is_kept = [](const char* device, unsigned lanes, unsigned dwords) {
        const Planned p = planned_text(fmt::format(".decl V v_type=G type=ud num_elts={0} align=GRF\n"
                                                   ".decl A v_type=G type=ud num_elts=16 align=GRF\n"
                                                   ".decl T6 v_type=T num_elts=1\n"
                                                   ".input V offset=64 size={1}\n"
                                                   "    barrier\n"
                                                   "    gather4_scaled.RGB (M1_NM, {2}) T6 0x0:ud A.0 V.0\n"
                                                   "    oword_st (4) T6 0x0:ud V.0\n"
                                                   "    ret (M1, 1)\n",
                                                   dwords, 4 * dwords, lanes),
                                       true, device);
        return is_live(p, p.item(isa::first_user_general));
    };
    EXPECT_TRUE(is_kept("pvc", 8, 40));
    EXPECT_FALSE(is_kept("pvc", 16, 48));
    EXPECT_FALSE(is_kept("skl", 8, 24));
}

} // namespace
} // namespace visor::jit
