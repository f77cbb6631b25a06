// Messages whose surface a handle names, in compiled code: handles that the launch gives, that the kernel
// makes, that stand in %bss; loads, stores, atomics, blocks; bad handles. Word k of the first buffer is
// 100 + k, of the second 200 + k; wanted values follow from that and from rulings 9, 58, 70 and 176. The
// interpreter has to leave the same.
#include "interp/interp.h"
#include "jit/driver/pipeline.h"
#include "jit/engine/native_engine.h"
#include "launch/bind.h"
#include "machine/state_handle.h"
#include "text/text.h"

#include <array>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace visor::jit {
namespace {

constexpr uint32_t lanes = 16;
constexpr uint32_t words = 64;
constexpr uint32_t bytes = 4 * words;
constexpr uint32_t untouched = 0x5a; // what X holds before
using Lanes = std::array<uint32_t, lanes>;

// Numbers of the launch's surfaces; the handle of a state is 64 times that.
constexpr uint32_t first_number = 257;
constexpr uint32_t second_number = 258;
constexpr uint32_t unbound_number = 259;
constexpr uint32_t last_number = 260; // the first buffer, once more
constexpr uint32_t first = first_number * 64;
static_assert(first == machine::state_handle(machine::first_surface_state));

// Inside, at the end, over it, behind it, around 2 GiB and 4 GiB.
constexpr Lanes edges{0,   4,     8,         60,         100,        249,        bytes - 4,  bytes - 3,
                      255, bytes, bytes + 4, 0x7ffffffc, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};
// The same, of which no two touch each other's bytes inside.
constexpr Lanes apart{0,   4,     8,         60,         100,        240,        bytes - 4,  bytes - 3,
                      255, bytes, bytes + 4, 0x7ffffffc, 0x7fffffff, 0x80000000, 0xfffffffc, 0xffffffff};

class InProcess final : public CodeProvider {
public:
    [[nodiscard]] ProvidedObject make(const Program& program, const CompileOptions& options) const override {
        return compile(program, options);
    }
};

struct Given {
    uint64_t handle = first;
    Lanes offsets = edges;
    uint32_t mask = 0xffff;
    launch::HandGeometry geometry{.simd = lanes, .in_threads = true, .groups = {1, 1, 1}, .threads = 1};
};

struct Outcome {
    machine::Fault fault;
    std::vector<uint32_t> out; // X of each thread
    std::vector<uint32_t> first;
    std::vector<uint32_t> second;
    std::map<std::string, uint64_t> asked; // of the interpreter, by compiled code

    [[nodiscard]] Lanes row(size_t number) const {
        Lanes row{};
        std::copy_n(out.begin() + static_cast<ptrdiff_t>(number * lanes), lanes, row.begin());
        return row;
    }
};

struct Kind {
    const char* device;
    Tier tier;
};

class Handles : public testing::TestWithParam<Kind> {
protected:
    static constexpr uint32_t out_words = 256;

    Handles()
        : out_(memory_.allocate(4 * out_words, "out").value()),
          first_(memory_.allocate(bytes, "first").value()),
          second_(memory_.allocate(bytes, "second").value()) {}

    [[nodiscard]] static uint32_t grf() { return isa::device_named(GetParam().device)->grf_bytes; }

    // P1 is the mask; H, HD and HQ hold the handle; T is the thread, D the lanes' numbers times 3; X goes
    // out.
    static std::string text_of(const std::string& body) {
        std::string text = ".version 4.2\n.kernel \"handles\"\n";
        constexpr std::array declared{
            std::pair{"H", "ud num_elts=1"},    std::pair{"HD", "d num_elts=1"},
            std::pair{"HQ", "uq num_elts=1"},   std::pair{"T", "ud num_elts=1"},
            std::pair{"MASK", "ud num_elts=1"}, std::pair{"O", "ud num_elts=16"},
            std::pair{"D", "ud num_elts=64"},   std::pair{"G", "ud num_elts=1"},
            std::pair{"K", "ud num_elts=1"},    std::pair{"X", "ud num_elts=64"},
            std::pair{"ROW", "ud num_elts=16"}, std::pair{"LANE", "ud num_elts=16"}};
        for (const auto& [name, type] : declared)
            text += fmt::format(".decl {} v_type=G type={} align=GRF\n", name, type);
        text += ".decl P1 v_type=P num_elts=16\n.decl P2 v_type=P num_elts=1\n.decl T6 v_type=T num_elts=1\n";
        uint32_t place = grf();
        for (const auto& [name, size] : {std::pair{"H", 4U},
                                         {"HD", 4U},
                                         {"HQ", 8U},
                                         {"T", 4U},
                                         {"MASK", 4U},
                                         {"O", 64U},
                                         {"LANE", 64U}}) {
            text += fmt::format(".input {} offset={} size={}\n", name, place, size);
            place += 64;
        }
        text += ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n"
                "    setp (M1_NM, 16) P1 MASK(0,0)<0;1,0>\n"
                "    mul (M1_NM, 16) D(0,0)<1> LANE(0,0)<1;1,0> 0x3:ud\n";
        for (uint32_t row = 0; row < 4; ++row)
            text += fmt::format("    mov (M1_NM, 16) X({},0)<1> 0x{:x}:ud\n", row * 64 / grf(), untouched);
        text += body;
        // Two rows of each thread.
        text += "    shl (M1_NM, 16) ROW(0,0)<1> LANE(0,0)<1;1,0> 0x2:ud\n"
                "    shl (M1_NM, 1) K(0,0)<1> T(0,0)<0;1,0> 0x7:ud\n"
                "    add (M1_NM, 16) ROW(0,0)<1> ROW(0,0)<1;1,0> K(0,0)<0;1,0>\n"
                "    scatter_scaled.4 (M1, 16) T6 0x0:ud ROW.0 X.0\n"
                "    scatter_scaled.4 (M1, 16) T6 0x40:ud ROW.0 X.64\n"
                "    ret (M1, 1)\n";
        return text;
    }

    static std::vector<std::byte> of(const void* from, size_t size) {
        std::vector<std::byte> out(size);
        std::memcpy(out.data(), from, size);
        return out;
    }

    std::optional<machine::Launch> bind(const Program& program, const Given& given) {
        const auto low = static_cast<uint32_t>(given.handle);
        const std::vector<launch::HandInput> inputs{
            {"H", launch::InputBytes{of(&low, 4)}},
            {"HD", launch::InputBytes{of(&low, 4)}},
            {"HQ", launch::InputBytes{of(&given.handle, 8)}},
            {"T", launch::InputFiller{machine::Filler::thread}},
            {"MASK", launch::InputBytes{of(&given.mask, 4)}},
            {"O", launch::InputBytes{of(given.offsets.data(), sizeof given.offsets)}},
            {"LANE", launch::InputFiller{machine::Filler::lane}},
            {"T6", launch::Buffer{out_, 4 * out_words}}};
        auto plan = launch::bind_hand_written(program, inputs, {}, given.geometry, memory_);
        EXPECT_TRUE(plan) << plan.error().message;
        if (!plan)
            return std::nullopt;
        machine::Launch launch = std::move(plan->launches.front());
        launch.scratch_bytes = 64;
        launch.surfaces.resize(last_number + 1);
        const auto set = [&](uint32_t number, uint64_t address) {
            launch.surfaces[number] = {
                .kind = machine::SurfaceKind::buffer, .address = address, .bytes = bytes};
        };
        set(2, second_);
        set(first_number, first_);
        set(second_number, second_);
        set(last_number, first_);
        return launch;
    }

    static std::span<uint32_t> words_of(uint64_t address, size_t count) {
        return {reinterpret_cast<uint32_t*>(machine::Memory::host(address)), count};
    }

    Outcome run_on(const machine::Launch& launch, const machine::Engine& engine) {
        for (uint32_t k = 0; k < words; ++k) {
            words_of(first_, words)[k] = 100 + k;
            words_of(second_, words)[k] = 200 + k;
        }
        std::ranges::fill(words_of(out_, out_words), 0U);
        const auto copy = [](std::span<const uint32_t> from) {
            return std::vector(from.begin(), from.end());
        };
        Outcome outcome;
        outcome.fault = machine::run(launch, engine, {.fuel = 10'000}, nullptr).fault;
        outcome.out = copy(words_of(out_, out_words));
        outcome.first = copy(words_of(first_, words));
        outcome.second = copy(words_of(second_, words));
        return outcome;
    }

    // On compiled code, which has to leave what the interpreter does.
    Outcome run(const std::string& body, const Given& given = {}) {
        const Outcome blank{.out = std::vector<uint32_t>(out_words),
                            .first = std::vector<uint32_t>(words),
                            .second = std::vector<uint32_t>(words)};
        const isa::Device& device = *isa::device_named(GetParam().device);
        Diagnostics diagnostics;
        auto module = text::parse(text_of(body), {device.grf_bytes}, diagnostics);
        auto program =
            module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                      device, diagnostics)
                   : std::nullopt;
        if (!program) {
            ADD_FAILURE() << diagnostics.all().front().message << "\n" << body;
            return blank;
        }
        const auto shared = std::make_shared<const Program>(std::move(*program));
        const auto launch = bind(*shared, given);
        const interp::Interpreter reference(shared);
        const InProcess maker;
        auto engine = make_engine({shared}, {.engine = &reference, .steps = {reference.handlers(0)}},
                                  {.simd = lanes, .tier = GetParam().tier}, maker);
        if (!launch || !engine) {
            ADD_FAILURE() << body;
            return blank;
        }
        const Outcome wanted = run_on(*launch, reference);
        Outcome outcome = run_on(*launch, **engine);
        outcome.asked = (*engine)->facts().called_out;
        EXPECT_EQ((*engine)->facts().functions, 1U) << body;
        EXPECT_EQ(outcome.fault.kind, wanted.fault.kind) << body;
        EXPECT_EQ(outcome.fault.detail, wanted.fault.detail) << body;
        EXPECT_EQ(outcome.fault.instruction, wanted.fault.instruction) << body;
        EXPECT_EQ(outcome.out, wanted.out) << body;
        EXPECT_EQ(outcome.first, wanted.first) << body;
        EXPECT_EQ(outcome.second, wanted.second) << body;
        return outcome;
    }

    // One that names a surface, so that compiled code asks nobody.
    Outcome run_alone(const std::string& body, const Given& given = {}) {
        Outcome outcome = run(body, given);
        EXPECT_EQ(outcome.fault.kind, machine::FaultKind::none) << outcome.fault.detail << "\n" << body;
        EXPECT_TRUE(outcome.asked.empty()) << outcome.asked.begin()->first << "\n" << body;
        return outcome;
    }

    machine::Memory memory_{uint64_t{1} << 24U};
    uint64_t out_;
    uint64_t first_;
    uint64_t second_;
};

// What a lane reads at an offset of a buffer whose word k is `begin` + k: zero where any byte is outside.
uint32_t word_at(uint32_t begin, uint32_t offset) {
    if (offset > bytes - 4)
        return 0;
    std::array<uint32_t, words> all{};
    for (uint32_t k = 0; k < words; ++k)
        all.at(k) = begin + k;
    uint32_t word = 0;
    std::memcpy(&word, reinterpret_cast<const std::byte*>(all.data()) + offset, 4);
    return word;
}

Lanes each(const std::function<uint32_t(uint32_t)>& of_lane) {
    Lanes all{};
    for (uint32_t k = 0; k < lanes; ++k)
        all.at(k) = of_lane(k);
    return all;
}

bool is_on(uint32_t mask, uint32_t lane) {
    return (mask >> lane & 1U) != 0;
}

// Ways to name the first buffer.
struct Way {
    const char* before;
    const char* surface;
};
constexpr std::array ways{
    Way{"", "bss(H)"},
    Way{"", "bss(HD)"},
    Way{"", "bss(HQ)"},
    Way{"", "ss(H)"},
    Way{"", "bss(H,0x3f)"}, // the six bits below are the code's
    Way{"    add (M1_NM, 1) G(0,0)<1> H(0,0)<0;1,0> 0xc0:ud\n", "bss(G)"}, // three states behind it
    Way{"    mov (M1_NM, 1) G(0,0)<1> H(0,0)<0;1,0>\n", "bss(G)"},
    Way{"    add (M1_NM, 1) G(0,0)<1> H(0,0)<0;1,0> 0xffffffc0:ud\n", "bss(G,0x40)"},
    Way{"", "bss(0x4040)"}};

TEST_P(Handles, Load) {
    for (const Way& way : ways)
        for (const uint32_t mask : {0xffffU, 0x5a5aU, 0U}) {
            const Outcome outcome = run_alone(
                fmt::format("{}    (P1) lsc_load.ugm (M1, 16) X:d32 {}[O]:a32\n", way.before, way.surface),
                {.mask = mask});
            EXPECT_EQ(outcome.row(0), each([&](uint32_t lane) {
                          return is_on(mask, lane) ? word_at(100, edges.at(lane)) : untouched;
                      }))
                << way.surface;
        }
}

TEST_P(Handles, LoadsOfOtherShapes) {
    for (const char* const surface : {"bss(H)", "bss(G)"}) {
        const std::string before = "    mov (M1_NM, 1) G(0,0)<1> H(0,0)<0;1,0>\n";
        const Outcome bytes_each =
            run_alone(before + fmt::format("    lsc_load.ugm (M1, 16) X:d8u32 {}[O]:a32\n", surface));
        EXPECT_EQ(bytes_each.row(0), each([](uint32_t lane) {
                      const uint32_t at = edges.at(lane);
                      return at < bytes ? word_at(100, at / 4 * 4) >> 8 * (at % 4) & 0xffU : 0U;
                  }));
        // Each element for itself (ruling 9); at 4 times the offset plus 4.
        const Outcome pairs =
            run_alone(before + fmt::format("    lsc_load.ugm (M1, 16) X:d32x2 {}[4*O+0x4]:a32\n", surface));
        for (uint32_t unit = 0; unit < 2; ++unit)
            EXPECT_EQ(pairs.row(unit),
                      each([&](uint32_t lane) { return word_at(100, 4 * edges.at(lane) + 4 + 4 * unit); }));
    }
}

TEST_P(Handles, Store) {
    for (const Way& way : ways)
        for (const uint32_t mask : {0xffffU, 0x5a5aU}) {
            const Outcome outcome = run_alone(
                fmt::format("{}    (P1) lsc_store.ugm (M1, 16) {}[O]:a32 D:d32\n", way.before, way.surface),
                {.offsets = apart, .mask = mask});
            for (uint32_t k = 0; k < words; ++k) {
                uint32_t wanted = 100 + k;
                for (uint32_t lane = 0; lane < lanes; ++lane)
                    if (is_on(mask, lane) && apart.at(lane) == 4 * k)
                        wanted = 3 * lane;
                EXPECT_EQ(outcome.first[k], wanted) << way.surface << ", word " << k;
            }
        }
}

TEST_P(Handles, Atomic) {
    for (const Way& way : ways) {
        const Outcome outcome =
            run_alone(fmt::format("{}    (P1) lsc_atomic_iadd.ugm (M1, 16) X:d32 {}[O]:a32 D %null\n",
                                  way.before, way.surface),
                      {.offsets = {0, 0, 4, 252, 256, 0x7ffffffc, 0x80000000, 0xfffffffc}, .mask = 0xff});
        // 3 * lane to lanes 1 to 3; lane 0 adds 0.
        EXPECT_EQ(outcome.row(0), (Lanes{100, 100, 101, 163, 0, 0, 0, 0, untouched, untouched, untouched,
                                         untouched, untouched, untouched, untouched, untouched}))
            << way.surface;
        EXPECT_EQ(outcome.first[0], 103U);
        EXPECT_EQ(outcome.first[1], 107U);
        EXPECT_EQ(outcome.first[63], 172U);
    }
}

// Compiled code leaves it to the interpreter.
TEST_P(Handles, AtomicThatIsMisaligned) {
    const Outcome outcome = run("    (P1) lsc_atomic_iadd.ugm (M1, 16) X:d32 bss(H)[O]:a32 D %null\n",
                                {.offsets = {0, 2}, .mask = 0x2});
    // 101 and 100 side by side: their middle is 101 << 16; 3 more.
    EXPECT_EQ(outcome.row(0)[1], 0x650000U);
    EXPECT_EQ(outcome.first[0], 100U + (3U << 16U));
    EXPECT_EQ(outcome.asked.size(), 1U);
}

TEST_P(Handles, Block) {
    for (const Way& way : ways)
        for (const uint32_t offset : {0U, 192U, 224U, 256U, 0x7fffffc0U, 0x80000000U, 0xffffffc0U}) {
            Given given;
            given.offsets = {offset};
            const std::string load =
                fmt::format("{}    lsc_load.ugm (M1_NM, 1) X:d32x16t {}[O]:a32\n", way.before, way.surface);
            EXPECT_EQ(run_alone(load, given).row(0),
                      each([&](uint32_t k) { return word_at(100, offset + 4 * k); }))
                << way.surface << " at " << offset;
            const std::string store =
                fmt::format("{}    lsc_store.ugm (M1_NM, 1) {}[O]:a32 D:d32x16t\n", way.before, way.surface);
            const Outcome stored = run_alone(store, given);
            for (uint32_t k = 0; k < words; ++k) {
                const bool is_in = 4 * k >= offset && 4 * k < uint64_t{offset} + 64;
                EXPECT_EQ(stored.first[k], is_in ? 3 * (k - offset / 4) : 100 + k)
                    << way.surface << " at " << offset << ", word " << k;
            }
        }
}

// The older messages: a handle that was given, that was made, that another block moved there.
TEST_P(Handles, InStateVariable) {
    for (const char* const moved :
         {"    movs (M1_NM, 1) %bss(0) H(0,0)<0;1,0>\n",
          "    add (M1_NM, 1) G(0,0)<1> H(0,0)<0;1,0> 0x1:ud\n    movs (M1_NM, 1) %bss(0) G(0,0)<0;1,0>\n",
          "    movs (M1_NM, 1) %bss(0) 0x4040:ud\n",
          "    movs (M1_NM, 1) %bss(0) H(0,0)<0;1,0>\n"
          "    cmp.eq (M1_NM, 1) P2 K(0,0)<0;1,0> 0x7:ud\n    (P2) jmp (M1, 1) far\nfar:\n"}) {
        const std::string before = std::string("    mov (M1_NM, 1) K(0,0)<1> 0x7:ud\n") + moved;
        EXPECT_EQ(run_alone(before + "    gather_scaled.4 (M1, 16) %bss 0x0:ud O.0 X.0\n").row(0),
                  each([](uint32_t lane) { return word_at(100, edges.at(lane)); }))
            << moved;
        EXPECT_EQ(run_alone(before + "    gather4_scaled.G (M1, 16) %bss 0x0:ud O.0 X.0\n").row(0),
                  each([](uint32_t lane) { // the second dword behind a multiple of 4 (ruling 3)
                      const uint64_t at = uint64_t{edges.at(lane) / 4 * 4} + 4;
                      return at < bytes ? word_at(100, static_cast<uint32_t>(at)) : 0;
                  }))
            << moved;
        EXPECT_EQ(run_alone(before + "    oword_ld (4) %bss 0xe:ud X.0\n").row(0), each([](uint32_t k) {
                      return k < 8 ? 156 + k : 0; // from byte 224 on
                  }))
            << moved;
        const Outcome stored =
            run_alone(before + "    scatter_scaled.4 (M1, 16) %bss 0x4:ud ROW.0 D.0\n", {.mask = 0xffff});
        EXPECT_EQ(stored.first[1], 45U) << moved; // the last lane's
        const Outcome added =
            run_alone(before + "    (P1) dword_atomic.add (M1, 16) %bss O.0 D.0 %null.0 X.0\n",
                      {.offsets = {0, 0, 4, 252, 256}, .mask = 0x1f});
        EXPECT_EQ(added.first[0], 103U) << moved;
        EXPECT_EQ(added.first[63], 172U) << moved;
        EXPECT_EQ(added.row(0)[4], 0U) << moved;
    }
}

TEST_P(Handles, SmallOnesAreIndices) {
    const std::string load = "    lsc_load.ugm (M1, 16) X:d32 bss(H)[O]:a32\n";
    const Lanes of_second = each([](uint32_t lane) { return word_at(200, edges.at(lane)); });
    EXPECT_EQ(run_alone(load, {.handle = 2}).row(0), of_second);
    EXPECT_EQ(run_alone(load, {.handle = second_number}).row(0), of_second);
    EXPECT_EQ(run_alone("    lsc_load.ugm (M1, 16) X:d32 bss(H,0x2)[O]:a32\n", {.handle = 0}).row(0),
              of_second);
    // Nothing is bound there: no fault, as with an index.
    for (const uint32_t number : {1U, unbound_number, 300U, 16383U})
        EXPECT_EQ(run_alone(load, {.handle = number}).row(0), Lanes{}) << number;
    EXPECT_EQ(run(load, {.handle = 252}).row(0), Lanes{});
}

TEST_P(Handles, OfSharedLocalMemoryAndScratch) {
    const auto code = [](const char* surface) {
        return fmt::format("    and (M1_NM, 16) O(0,0)<1> O(0,0)<1;1,0> 0x3c:ud\n"
                           "    lsc_store.ugm (M1, 16) {0}[O]:a32 D:d32\n"
                           "    lsc_load.ugm (M1, 16) X:d32 {0}[O]:a32\n",
                           surface);
    };
    Given given{.handle = 254};
    for (uint32_t k = 0; k < lanes; ++k)
        given.offsets.at(k) = 4 * k;
    const Lanes threes = each([](uint32_t lane) { return 3 * lane; });
    EXPECT_EQ(run(code("bss(H)"), given).row(0), threes);
    given.handle = 256 * 64;
    EXPECT_EQ(run(code("bss(H)"), given).row(0), threes);
    given.handle = 0;
    EXPECT_EQ(run(code("ss(H)"), given).row(0), threes);
    EXPECT_EQ(run_alone("    mov (M1_NM, 1) G(0,0)<1> 0x0:ud\n" + code("ss(G)"), given).row(0), threes);
}

TEST_P(Handles, ThatNameNothing) {
    const auto fails = [&](const std::string& body, uint64_t handle, const std::string& detail) {
        const Outcome outcome = run(body, {.handle = handle});
        EXPECT_EQ(outcome.fault.kind, machine::FaultKind::bad_state) << body;
        EXPECT_EQ(outcome.fault.detail, detail) << body;
    };
    const std::string made = "    mov (M1_NM, 1) G(0,0)<1> H(0,0)<0;1,0>\n";
    for (const uint64_t handle :
         {uint64_t{0x12340}, uint64_t{unbound_number} * 64, uint64_t{last_number + 1} * 64,
          uint64_t{0x80000000}, uint64_t{0xffffffff}}) {
        const std::string detail = fmt::format("the handle 0x{:x} names no surface state", handle);
        fails("    lsc_load.ugm (M1, 16) X:d32 bss(H)[O]:a32\n", handle, detail);
        fails("    lsc_store.ugm (M1, 16) bss(H)[O]:a32 D:d32\n", handle, detail);
        fails("    lsc_atomic_iadd.ugm (M1, 16) X:d32 bss(H)[O]:a32 D %null\n", handle, detail);
        fails("    lsc_load.ugm (M1_NM, 1) X:d32x16t bss(H)[O]:a32\n", handle, detail);
        fails(made + "    lsc_load.ugm (M1, 16) X:d32 bss(G)[O]:a32\n", handle, detail);
        fails(made + "    movs (M1_NM, 1) %bss(0) G(0,0)<0;1,0>\n"
                     "    gather_scaled.4 (M1, 16) %bss 0x0:ud O.0 X.0\n",
              handle, detail);
        fails("    movs (M1_NM, 1) %bss(0) H(0,0)<0;1,0>\n"
              "    scatter_scaled.4 (M1, 16) %bss 0x0:ud O.0 D.0\n",
              handle, detail);
    }
    for (const uint64_t handle : {uint64_t{1} << 32U, uint64_t{1} << 63U, UINT64_MAX})
        fails("    lsc_load.ugm (M1, 16) X:d32 bss(HQ)[O]:a32\n", handle,
              fmt::format("the handle 0x{:x} names no surface state", handle));
    fails("    lsc_load.ugm (M1, 16) X:d32 bss(HD)[O]:a32\n", 0xffffff00,
          "the handle 0xffffffffffffff00 names no surface state");
    const std::string nothing = "%bss names no surface state: nothing moved a handle there";
    fails("    gather_scaled.4 (M1, 16) %bss 0x0:ud O.0 X.0\n", 0, nothing);
    fails("    movs (M1_NM, 1) %bss(0) H(0,0)<0;1,0>\n    gather_scaled.4 (M1, 16) %bss 0x0:ud O.0 X.0\n",
          252, nothing);
    // Whatever lanes are on.
    fails("    (!P1) lsc_load.ugm (M1, 16) X:d32 bss(H)[O]:a32\n", 0x12340,
          "the handle 0x12340 names no surface state");
}

TEST_P(Handles, ThatAreNotUsedMayNameNothing) {
    const Outcome outcome =
        run_alone("    cmp.eq (M1_NM, 1) P2 T(0,0)<0;1,0> 0x0:ud\n    (P2) jmp (M1, 1) behind\n"
                  "    lsc_load.ugm (M1, 16) X:d32 bss(H)[O]:a32\nbehind:\n"
                  "    lsc_load.ugm (M1, 16) X:d32 bss(0x4080)[O]:a32\n",
                  {.handle = 0x12340});
    EXPECT_EQ(outcome.row(0), each([](uint32_t lane) { return word_at(200, edges.at(lane)); }));
}

// From thread to thread, and from turn to turn of a loop.
TEST_P(Handles, ThatChange) {
    Given given;
    given.geometry.threads = 2;
    const std::string by_thread = "    shl (M1_NM, 1) G(0,0)<1> T(0,0)<0;1,0> 0x6:ud\n"
                                  "    add (M1_NM, 1) G(0,0)<1> G(0,0)<0;1,0> H(0,0)<0;1,0>\n";
    for (const char* const load :
         {"    lsc_load.ugm (M1, 16) X:d32 bss(G)[O]:a32\n",
          "    movs (M1_NM, 1) %bss(0) G(0,0)<0;1,0>\n    gather_scaled.4 (M1, 16) %bss 0x0:ud O.0 X.0\n"}) {
        const Outcome outcome = run_alone(by_thread + load, given);
        EXPECT_EQ(outcome.row(0), each([](uint32_t lane) { return word_at(100, edges.at(lane)); }));
        EXPECT_EQ(outcome.row(2), each([](uint32_t lane) { return word_at(200, edges.at(lane)); }));
    }
    const Outcome summed = run_alone("    mov (M1_NM, 1) G(0,0)<1> H(0,0)<0;1,0>\n"
                                     "    mov (M1_NM, 16) D(0,0)<1> 0x0:ud\nagain:\n"
                                     "    lsc_load.ugm (M1, 16) X:d32 bss(G)[O]:a32\n"
                                     "    add (M1, 16) D(0,0)<1> D(0,0)<1;1,0> X(0,0)<1;1,0>\n"
                                     "    add (M1_NM, 1) G(0,0)<1> G(0,0)<0;1,0> 0x40:ud\n"
                                     "    cmp.le (M1_NM, 1) P2 G(0,0)<0;1,0> 0x4080:ud\n"
                                     "    (P2) jmp (M1, 1) again\n"
                                     "    mov (M1, 16) X(0,0)<1> D(0,0)<1;1,0>\n");
    EXPECT_EQ(summed.row(0), each([](uint32_t lane) {
                  return word_at(100, edges.at(lane)) + word_at(200, edges.at(lane));
              }));
}

// A thread some of whose lanes were not dispatched.
TEST_P(Handles, OfThreadsThatAreNotFull) {
    Given given;
    given.geometry = {.simd = lanes, .items = {.dimensions = 1, .global = {21, 1, 1}, .local = {21, 1, 1}}};
    for (const char* const load :
         {"    lsc_load.ugm (M1, 16) X:d32 bss(H)[O]:a32\n",
          "    movs (M1, 1) %bss(0) H(0,0)<0;1,0>\n    gather_scaled.4 (M1, 16) %bss 0x0:ud O.0 X.0\n"}) {
        const Outcome outcome = run(load, given);
        EXPECT_EQ(outcome.row(0), each([](uint32_t lane) { return word_at(100, edges.at(lane)); }));
        EXPECT_EQ(outcome.row(2),
                  each([](uint32_t lane) { return lane < 5 ? word_at(100, edges.at(lane)) : 0; }));
    }
}

// %bss is the thread's: what the group before moved there is none of the next one's.
TEST_P(Handles, InStateVariableForOneGroup) {
    Given given;
    given.geometry.groups = {2, 1, 1};
    const Outcome outcome = run("    cmp.ne (M1_NM, 1) P2 %group_id_x(0,0)<0;1,0> 0x0:ud\n"
                                "    (P2) jmp (M1, 1) behind\n"
                                "    movs (M1_NM, 1) %bss(0) H(0,0)<0;1,0>\nbehind:\n"
                                "    gather_scaled.4 (M1, 16) %bss 0x0:ud O.0 X.0\n",
                                given);
    EXPECT_EQ(outcome.fault.kind, machine::FaultKind::bad_state);
    EXPECT_EQ(outcome.fault.group[0], 1U);
    EXPECT_EQ(outcome.row(0), each([](uint32_t lane) { return word_at(100, edges.at(lane)); }));
}

INSTANTIATE_TEST_SUITE_P(Devices, Handles,
                         testing::Values(Kind{"dg2", Tier::best}, Kind{"dg2", Tier::quick},
                                         Kind{"pvc", Tier::best}, Kind{"pvc", Tier::quick}),
                         [](const auto& kind) {
                             return std::string(kind.param.device) +
                                    (kind.param.tier == Tier::best ? "Best" : "Quick");
                         });

} // namespace
} // namespace visor::jit
