// Control flow of lanes, from text to which lanes wrote what. Every program writes, lane by lane, to a
// surface of 8 or 16 dwords; the expected values are worked out by hand in the comment beside them.
#include "interp/interp.h"

#include "text/text.h"

#include <gtest/gtest.h>

#include <cstring>

namespace visor::interp {
namespace {

struct Outcome {
    std::vector<uint32_t> lanes; // what each lane wrote last
    machine::Fault fault;
    uint64_t instructions = 0;
};

// Runs `code` in one thread of eight lanes. `lane` holds the lanes' numbers, `result` is what is looked at;
// P1, P2 and `n`, `m` are there to use.
Outcome run_code(const std::string& code, uint32_t dispatch_lanes = 8, uint64_t fuel = 10000) {
    const std::string text = ".version 4.1\n.kernel \"k\"\n"
                             ".decl lane v_type=G type=d num_elts=8 align=GRF\n"
                             ".decl result v_type=G type=d num_elts=8 align=GRF\n"
                             ".decl n v_type=G type=d num_elts=8 align=GRF\n"
                             ".decl m v_type=G type=d num_elts=8 align=GRF\n"
                             ".decl P1 v_type=P num_elts=8\n.decl P2 v_type=P num_elts=8\n" +
                             code;
    Diagnostics diagnostics;
    auto module = text::parse(text, {32}, diagnostics);
    EXPECT_TRUE(module) << render(diagnostics, {"code", text, false}, Color::off);
    if (!module)
        return {};
    auto prepared = program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                     *isa::device_named("skl"), diagnostics);
    EXPECT_TRUE(prepared);
    if (!prepared)
        return {};
    const auto program = std::make_shared<const Program>(std::move(*prepared));

    // An engine around the interpreter, to look at the registers when the thread stops.
    class Looking final : public machine::Engine {
    public:
        explicit Looking(const std::shared_ptr<const Program>& from) : program_(from), engine_(from) {}
        void run(machine::Thread& thread) const override {
            if (thread.instructions == 0) {
                for (uint32_t i = 0; i < 8; ++i)
                    std::memcpy(thread.registers + program_->variables[32].base + i * 4, &i, 4);
            }
            engine_.run(thread);
            seen.resize(8);
            std::memcpy(seen.data(), thread.registers + program_->variables[33].base, 32);
        }
        mutable std::vector<uint32_t> seen;

    private:
        std::shared_ptr<const Program> program_;
        Interpreter engine_;
    };
    const Looking engine(program);
    machine::Launch launch;
    launch.program = program.get();
    launch.simd = 8;
    launch.last_thread_lanes = dispatch_lanes;
    machine::RunOptions options;
    options.fuel = fuel;
    const machine::RunResult result = machine::run(launch, engine, options, nullptr);
    return {engine.seen, result.fault, result.instructions};
}

using Lanes = std::vector<uint32_t>;

TEST(Goto, ForwardParksLanesUntilTheLabel) {
    // Lanes below 3 skip the addition.
    const Outcome outcome = run_code("    cmp.lt (M1, 8) P1 lane(0,0)<1;1,0> 0x3:d\n"
                                     "    (P1) goto (M1, 8) done\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x5:d\n"
                                     "done:\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x1:d\n"
                                     "    ret (M1, 1)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{1, 1, 1, 6, 6, 6, 6, 6}));
}

TEST(Goto, ElseBranches) {
    // result = lane < 3 ? 10 : 20.
    const Outcome outcome = run_code("    cmp.lt (M1, 8) P1 lane(0,0)<1;1,0> 0x3:d\n"
                                     "    (!P1) goto (M1, 8) otherwise\n"
                                     "    mov (M1, 8) result(0,0)<1> 0xa:d\n"
                                     "    goto (M1, 8) done\n"
                                     "otherwise:\n"
                                     "    mov (M1, 8) result(0,0)<1> 0x14:d\n"
                                     "done:\n"
                                     "    ret (M1, 1)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{10, 10, 10, 20, 20, 20, 20, 20}));
}

TEST(Goto, EveryLaneLoopsItsOwnNumberOfTimes) {
    // Lane i goes round i + 1 times; lanes that are done wait behind the loop.
    const Outcome outcome = run_code("again:\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x1:d\n"
                                     "    cmp.le (M1, 8) P1 result(0,0)<1;1,0> lane(0,0)<1;1,0>\n"
                                     "    (P1) goto (M1, 8) again\n"
                                     "    mul (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0xa:d\n"
                                     "    ret (M1, 1)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{10, 20, 30, 40, 50, 60, 70, 80}));
    EXPECT_EQ(outcome.instructions, 8U * 3 + 2);
}

TEST(Goto, BreakOutOfALoop) {
    // n counts the rounds; a lane breaks when n == lane (before it adds), lanes 5 and up after five rounds.
    const Outcome outcome = run_code("again:\n"
                                     "    cmp.eq (M1, 8) P1 n(0,0)<1;1,0> lane(0,0)<1;1,0>\n"
                                     "    (P1) goto (M1, 8) out\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> n(0,0)<1;1,0>\n"
                                     "    add (M1, 8) n(0,0)<1> n(0,0)<1;1,0> 0x1:d\n"
                                     "    cmp.lt (M1, 8) P2 n(0,0)<1;1,0> 0x5:d\n"
                                     "    (P2) goto (M1, 8) again\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x64:d\n"
                                     "out:\n"
                                     "    ret (M1, 1)\n");
    // Sum of 0..lane-1; lanes 5, 6, 7: 0+1+2+3+4 + 100.
    EXPECT_EQ(outcome.lanes, (Lanes{0, 0, 1, 3, 6, 110, 110, 110}));
}

TEST(Goto, OfSizeOneIsUniformAmongTheActiveLanes) {
    // Lanes 0..2 wait at `early`; the others' uniform branch to `late` must stop there and pick them up.
    const Outcome outcome = run_code("    cmp.lt (M1, 8) P1 lane(0,0)<1;1,0> 0x3:d\n"
                                     "    (P1) goto (M1, 8) early\n"
                                     "    goto (M1, 1) late\n"
                                     "    mov (M1, 8) result(0,0)<1> 0x63:d\n"
                                     "early:\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x7:d\n"
                                     "late:\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x1:d\n"
                                     "    ret (M1, 1)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{8, 8, 8, 1, 1, 1, 1, 1}));
}

TEST(Goto, NoMaskRunsOnlyWhereControlReaches) {
    // All lanes jump over the NM addition; then none jumps over the second.
    const Outcome outcome = run_code("    goto (M1, 8) over\n"
                                     "    mov (M1_NM, 8) result(0,0)<1> 0x63:d\n"
                                     "over:\n"
                                     "    add (M1_NM, 8) result(0,0)<1> result(0,0)<1;1,0> 0x1:d\n"
                                     "    ret (M1, 1)\n",
                                     2);
    EXPECT_EQ(outcome.lanes, (Lanes{1, 1, 1, 1, 1, 1, 1, 1})) << "NM ignores the dispatch mask of two lanes";
}

TEST(Goto, TailLanesAreOff) {
    const Outcome outcome = run_code("    mov (M1, 8) result(0,0)<1> 0x1:d\n    ret (M1, 1)\n", 3);
    EXPECT_EQ(outcome.lanes, (Lanes{1, 1, 1, 0, 0, 0, 0, 0}));
}

TEST(Ret, EndsOnlyTheLanesThatReachIt) {
    const Outcome outcome = run_code("    cmp.lt (M1, 8) P1 lane(0,0)<1;1,0> 0x3:d\n"
                                     "    (P1) goto (M1, 8) rest\n"
                                     "    mov (M1, 8) result(0,0)<1> 0x5:d\n"
                                     "    ret (M1, 8)\n"
                                     "rest:\n"
                                     "    mov (M1, 8) result(0,0)<1> 0x9:d\n"
                                     "    ret (M1, 1)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{9, 9, 9, 5, 5, 5, 5, 5}));
}

TEST(Call, RunsASubroutineForTheLanesThatCall) {
    const Outcome outcome = run_code("    cmp.lt (M1, 8) P1 lane(0,0)<1;1,0> 0x3:d\n"
                                     "    (P1) call (M1, 8) twice\n"
                                     "    call (M1, 1) twice\n"
                                     "    ret (M1, 1)\n"
                                     ".function \"twice\"\n"
                                     "twice:\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x1:d\n"
                                     "    ret (M1, 8)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{2, 2, 2, 1, 1, 1, 1, 1}));
}

TEST(Call, LanesReturnAtDifferentPlaces) {
    const Outcome outcome = run_code("    call (M1, 8) uneven\n"
                                     "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x64:d\n"
                                     "    ret (M1, 1)\n"
                                     ".function \"uneven\"\n"
                                     "uneven:\n"
                                     "    cmp.lt (M1, 8) P1 lane(0,0)<1;1,0> 0x3:d\n"
                                     "    (P1) ret (M1, 8)\n"
                                     "    mov (M1, 8) result(0,0)<1> 0x2:d\n"
                                     "    ret (M1, 8)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{100, 100, 100, 102, 102, 102, 102, 102}));
}

TEST(Call, DepthIsBounded) {
    const Outcome outcome =
        run_code("    call (M1, 8) endless\n    ret (M1, 1)\n"
                 ".function \"endless\"\nendless:\n    call (M1, 8) endless\n    ret (M1, 8)\n");
    EXPECT_EQ(outcome.fault.kind, machine::FaultKind::call_depth);
}

TEST(SwitchJump, TakesTheLabelOfItsIndex) {
    const Outcome outcome = run_code("    mov (M1, 1) n(0,0)<1> 0x1:d\n"
                                     "    switchjmp (M1, 1) n(0,0)<0;1,0> (zero, one, two)\n"
                                     "zero:\n    mov (M1, 8) result(0,0)<1> 0x1:d\n    ret (M1, 1)\n"
                                     "one:\n    mov (M1, 8) result(0,0)<1> 0x2:d\n    ret (M1, 1)\n"
                                     "two:\n    mov (M1, 8) result(0,0)<1> 0x3:d\n    ret (M1, 1)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{2, 2, 2, 2, 2, 2, 2, 2}));
}

TEST(Jump, IsScalar) {
    const Outcome outcome =
        run_code("    jmp (M1, 1) over\n    mov (M1, 8) result(0,0)<1> 0x63:d\nover:\n"
                 "    add (M1, 8) result(0,0)<1> result(0,0)<1;1,0> 0x1:d\n    ret (M1, 1)\n");
    EXPECT_EQ(outcome.lanes, (Lanes{1, 1, 1, 1, 1, 1, 1, 1}));
}

TEST(Faults, EndlessLoopsSpendTheirFuel) {
    const Outcome outcome = run_code("again:\n    goto (M1, 8) again\n    ret (M1, 1)\n", 8, 500);
    EXPECT_EQ(outcome.fault.kind, machine::FaultKind::fuel);
    EXPECT_EQ(outcome.instructions, 500U);
}

TEST(Faults, RunningPastTheEnd) {
    EXPECT_EQ(run_code("    mov (M1, 8) result(0,0)<1> 0x1:d\n").fault.kind, machine::FaultKind::bad_branch);
}

} // namespace
} // namespace visor::interp
