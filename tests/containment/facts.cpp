// containment_facts: for every fact that compiled code believes (src/jit/facts.h), kernels that try to
// overwrite what it was taken from. A store through an address register walks over the whole register file
// and past both of its ends: every width, one lane and many, one address for all lanes and one per lane,
// plain stores, arithmetic, results in two parts. Behind the store, and behind a barrier, the kernel uses all
// that the code believes: local ids and lane numbers as addresses in shared local memory and scratch memory,
// inputs that all threads share, a uniform branch, the rounding mode, a register that was kept over the
// barrier.
//
// Wanted (ruling 147, worked out here by hand): a store inside the array changes the array and nothing else;
// one that leaves it and its storage is a fault of the first lane outside; all engines agree to the byte.
// Blocks that the engines take end at pages that nobody may touch (fence.h).
#include "fence.h"
#include "killed_by.h"
#include "second.h"

#include "isa/device.h"
#include "launch/bind.h"
#include "launch/overlap.h"
#include "machine/room.h"
#include "text/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/format.h>

namespace visor::containment {

namespace {

constexpr uint32_t lanes = 16;
constexpr uint32_t group_width = 16; // work-items along x; two threads, one for each y
constexpr uint32_t array_bytes = 128;
constexpr uint32_t storage_bytes = 128; // what a variable of that size has, in whole 64 bytes
constexpr uint64_t fuel = 10'000;
constexpr uint64_t stored = 0x7fff'7fff'7fff'7fff;
constexpr size_t most_printed = 12;

// One way to store: instructions that store `bytes` for each of `count` elements, `stride` bytes apart, from
// the address in A0(0) on.
struct Way {
    std::string name;
    std::string code;
    uint32_t bytes = 4;
    uint32_t count = 1;
    uint32_t stride = 4;
    bool one_by_one = false; // an instruction for each element: each blames its own first lane
};

std::vector<Way> ways() {
    std::vector<Way> all;
    for (const auto& [type, bytes] : {std::pair{"ub", 1U}, {"uw", 2U}, {"ud", 4U}, {"uq", 8U}})
        for (const uint32_t size : {1U, 8U, 16U})
            for (const uint32_t stride : {1U, 2U}) {
                if (size * stride * bytes > array_bytes || (size == 1 && stride == 2))
                    continue;
                all.push_back({fmt::format("mov {} lanes of {}, stride {}", size, type, stride),
                               fmt::format("    mov (M1_NM, {}) r[A0(0),0]<{}>:{} VALUE_{}(0,0)<0;1,0>\n",
                                           size, stride, type, type),
                               bytes, size, stride * bytes});
            }
    all.push_back({"add", "    add (M1_NM, 16) r[A0(0),0]<1>:ud VALUE_ud(0,0)<0;1,0> 0x0:ud\n", 4, 16, 4});
    all.push_back({"sel",
                   "    (P1) sel (M1_NM, 16) r[A0(0),0]<1>:ud VALUE_ud(0,0)<0;1,0> VALUE_ud(0,0)<0;1,0>\n", 4,
                   16, 4});
    // As compilers have it for an index of each lane: an address and a predicate a lane.
    Way each{.name = "an address for each lane",
             .code = {},
             .bytes = 4,
             .count = 16,
             .stride = 4,
             .one_by_one = true};
    each.code = "    addr_add (M1_NM, 16) A1(0)<16> A0(0)<1> STEPS(0,0)<1;1,0>\n";
    for (uint32_t k = 0; k < lanes; ++k)
        each.code += fmt::format("    mov (M1_NM, 1) r[A1({}),0]<1>:ud VALUE_ud(0,0)<0;1,0>\n", k);
    all.push_back(std::move(each));
    // An immediate offset, so that the address itself is elsewhere.
    all.push_back({"an immediate offset",
                   "    addr_add (M1_NM, 1) A0(0)<1> A0(0)<1> -512:w\n"
                   "    mov (M1_NM, 8) r[A0(0),512]<1>:ud VALUE_ud(0,0)<0;1,0>\n",
                   4, 8, 4});
    return all;
}

class Tester {
public:
    explicit Tester(std::string_view device) : device_(*isa::device_named(device)) {
        out_ = memory_.allocate(out_bytes, "T6").value();
    }

    void run(const Way& way) {
        if (!bind(way))
            return;
        const auto file = static_cast<int32_t>(program_->register_bytes);
        // In steps of 12 and of the store's own bytes at the array's ends: each register is hit at some byte.
        std::vector<int32_t> offsets;
        for (int32_t at = -file - 128; at <= file + 128; at += 12)
            offsets.push_back(at);
        for (int32_t near = -20; near <= 20; ++near)
            for (const int32_t end : {0, static_cast<int32_t>(array_bytes)})
                offsets.push_back(end + near);
        for (const int32_t far : {-32768, -32767, 32760, 32767})
            offsets.push_back(far);
        for (const int32_t at : offsets)
            try_one(way, at);
    }

    [[nodiscard]] uint64_t launches() const { return launches_; }
    [[nodiscard]] uint64_t faults() const { return faults_; }
    [[nodiscard]] uint64_t failures() const { return failures_; }

private:
    static constexpr uint32_t out_bytes = 4096;

    [[nodiscard]] std::string text_of(const Way& way) const {
        const uint32_t grf = device_.grf_bytes;
        std::string text = ".version 4.1\n.kernel \"facts\"\n"
                           ".decl LIDX v_type=G type=uw num_elts=16 align=GRF\n"
                           ".decl LIDY v_type=G type=uw num_elts=16 align=GRF\n"
                           ".decl LANE v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl SHARED v_type=G type=ud num_elts=8 align=GRF\n"
                           ".decl VALUE_uq v_type=G type=uq num_elts=1 align=GRF\n"
                           ".decl VALUE_ud v_type=G type=ud num_elts=1 align=dword alias=<VALUE_uq, 0>\n"
                           ".decl VALUE_uw v_type=G type=uw num_elts=1 align=word alias=<VALUE_uq, 0>\n"
                           ".decl VALUE_ub v_type=G type=ub num_elts=1 align=byte alias=<VALUE_uq, 0>\n"
                           ".decl AT v_type=G type=w num_elts=1 align=GRF\n"
                           ".decl STEPS v_type=G type=uw num_elts=16 align=GRF\n"
                           ".decl ARRAY v_type=G type=ud num_elts=32 align=GRF\n"
                           ".decl KEPT v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl OFFSET v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl X v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl READ v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl SUM v_type=G type=f num_elts=16 align=GRF\n"
                           ".decl SUM_ud v_type=G type=ud num_elts=16 alias=<SUM, 0>\n"
                           ".decl P1 v_type=P num_elts=16\n"
                           ".decl A0 v_type=A num_elts=1\n"
                           ".decl A1 v_type=A num_elts=16\n"
                           ".decl T6 v_type=T num_elts=1 v_name=T6\n";
        uint32_t place = grf;
        for (const auto& [name, bytes] : {std::pair{"LIDX", 32U},
                                          {"LIDY", 32U},
                                          {"LANE", 64U},
                                          {"SHARED", 32U},
                                          {"VALUE_uq", 8U},
                                          {"AT", 2U},
                                          {"STEPS", 32U}}) {
            text += fmt::format(".input {} offset={} size={}\n", name, place, bytes);
            place += (bytes + grf - 1) / grf * grf;
        }
        text += ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n\n";
        text += "    mov (M1, 16) ARRAY(0,0)<1> 0x0:ud\n";
        text += fmt::format("    mov (M1, 16) ARRAY({},0)<1> 0x0:ud\n", 64 / grf);
        text += "    mov (M1, 16) KEPT(0,0)<1> LANE(0,0)<1;1,0>\n"
                "    cmp.lt (M1, 16) P1 LANE(0,0)<1;1,0> 0x10:ud\n"
                "    addr_add (M1_NM, 1) A0(0)<1> &ARRAY AT(0,0)<0;1,0>\n" +
                way.code +
                "    barrier\n"
                // Local ids as a place: 64 * x + 4 * y is 964 at most, of 1024 bytes.
                "    mov (M1, 16) X(0,0)<1> LIDX(0,0)<1;1,0>\n"
                "    mov (M1, 16) OFFSET(0,0)<1> LIDY(0,0)<1;1,0>\n"
                "    shl (M1, 16) OFFSET(0,0)<1> OFFSET(0,0)<1;1,0> 0x2:ud\n"
                "    shl (M1, 16) READ(0,0)<1> X(0,0)<1;1,0> 0x6:ud\n"
                "    add (M1, 16) OFFSET(0,0)<1> OFFSET(0,0)<1;1,0> READ(0,0)<1;1,0>\n"
                "    scatter_scaled.4 (M1, 16) T0 0x0:ud OFFSET.0 X.0\n"
                "    gather_scaled.4 (M1, 16) T0 0x0:ud OFFSET.0 READ.0\n" +
                lane_numbers_in_scratch() +
                // A uniform branch and a sum that rounds.
                "    cmp.eq (M1_NM, 16) P1 SHARED(0,0)<0;1,0> 0x5:ud\n"
                "    (P1) goto (M1, 16) same\n"
                "    mov (M1, 16) READ(0,0)<1> 0xdead:ud\n"
                "same:\n"
                "    add (M1, 16) SUM(0,0)<1> 0x3f800000:f 0x33000001:f\n"
                // Out: 7 rows of 16 dwords for each thread.
                "    mov (M1_NM, 1) AT_ud(0,0)<1> LIDY(0,0)<0;1,0>\n"
                "    mul (M1_NM, 1) AT_ud(0,0)<1> AT_ud(0,0)<0;1,0> 0x200:ud\n"
                "    mov (M1, 16) OFFSET(0,0)<1> SHARED(0,1)<0;1,0>\n"
                "    shl (M1, 16) X(0,0)<1> LANE(0,0)<1;1,0> 0x2:ud\n"
                "    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> AT_ud(0,0)<0;1,0>\n";
        const auto put = [&](std::string_view variable) {
            text += fmt::format("    scatter_scaled.4 (M1, 16) T6 0x0:ud X.0 {}.0\n"
                                "    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 0x40:ud\n",
                                variable);
        };
        put("READ");
        put("KEPT");
        put("OFFSET");
        put("SUM_ud");
        text += "    mov (M1, 16) READ(0,0)<1> LIDX(0,0)<1;1,0>\n";
        put("READ");
        put("ARRAY");
        text += fmt::format("    mov (M1, 16) READ(0,0)<1> ARRAY({},0)<1;1,0>\n", 64 / grf);
        put("READ");
        text.insert(text.find(".decl P1"), ".decl AT_ud v_type=G type=ud num_elts=1 align=GRF\n");
        return text + "    ret (M1, 1)\n";
    }

    // A row of its own for each thread, at 4 * lane; only devices with registers of 32 bytes have the
    // surface.
    [[nodiscard]] std::string lane_numbers_in_scratch() const {
        if (device_.grf_bytes == 64)
            return {};
        return "    shl (M1, 16) OFFSET(0,0)<1> LANE(0,0)<1;1,0> 0x2:ud\n"
               "    scatter_scaled.4 (M1, 16) %scratch 0x0:ud OFFSET.0 READ.0\n"
               "    gather_scaled.4 (M1, 16) %scratch 0x0:ud OFFSET.0 READ.0\n";
    }

    bool bind(const Way& way) {
        Diagnostics diagnostics;
        auto module = text::parse(text_of(way), {device_.grf_bytes}, diagnostics);
        auto program =
            module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                      device_, diagnostics)
                   : std::nullopt;
        if (!program) {
            fail(fmt::format("{}: {}", way.name, diagnostics.all().front().message));
            return false;
        }
        program_ = std::make_shared<const Program>(std::move(*program));
        rooms_ = std::make_unique<machine::Rooms>(); // what threads had is the program's
        reference_ = std::make_unique<interp::Interpreter>(program_);
        engines_ = compiled_engines(program_, *reference_, lanes);
        std::vector<std::byte> shared(32);
        const std::array<uint32_t, 2> numbers{5, 77};
        std::memcpy(shared.data(), numbers.data(), sizeof numbers);
        std::vector<std::byte> value(8);
        std::memcpy(value.data(), &stored, sizeof stored);
        std::vector<std::byte> steps(32);
        for (uint16_t k = 0; k < lanes; ++k) {
            const auto step = static_cast<uint16_t>(4 * k);
            std::memcpy(steps.data() + 2 * size_t{k}, &step, 2);
        }
        const std::vector<launch::HandInput> inputs{
            {"LIDX", launch::InputFiller{machine::Filler::local_id_x}},
            {"LIDY", launch::InputFiller{machine::Filler::local_id_y}},
            {"LANE", launch::InputFiller{machine::Filler::lane}},
            {"SHARED", launch::InputBytes{shared}},
            {"VALUE_uq", launch::InputBytes{value}},
            {"AT", launch::InputBytes{std::vector<std::byte>(2)}},
            {"STEPS", launch::InputBytes{steps}},
            {"T6", launch::Buffer{out_, out_bytes}}};
        launch::HandGeometry geometry{.simd = lanes};
        geometry.items.dimensions = 2;
        geometry.items.global = {group_width, 2, 1};
        geometry.items.local = {group_width, 2, 1};
        auto plan = launch::bind_hand_written(*program_, inputs, {}, geometry, memory_);
        if (!plan) {
            fail(fmt::format("{}: {}", way.name, plan.error().message));
            return false;
        }
        launch_ = std::move(plan->launches.front());
        launch_.scratch_bytes = 64; // 4 * lane is 60 at most
        return true;
    }

    void fail(const std::string& what) {
        if (++failures_ <= most_printed)
            fmt::print(stderr, "{}: {}\n", device_.name, what);
    }

    // What AT is given: the input of two bytes.
    void set_offset(int32_t at) {
        const auto value = static_cast<int16_t>(at);
        const uint32_t place = program_->variables[at_id].base;
        for (const machine::ImageInput& input : launch_.image_inputs)
            if (input.register_offset <= place && place < input.register_offset + input.bytes)
                std::memcpy(launch_.image.data() + input.image_offset + (place - input.register_offset),
                            &value, sizeof value);
    }

    struct Outcome {
        machine::Fault fault;
        std::vector<std::byte> memory;
    };

    Outcome launch(const machine::Engine& engine) {
        std::byte* const bytes = machine::Memory::host(out_);
        std::memset(bytes, 0x11, out_bytes);
        arm(true);
        Outcome outcome{
            .fault = machine::run(launch_, engine, {.fuel = fuel, .rooms = rooms_.get()}, nullptr).fault,
            .memory = {}};
        arm(false);
        outcome.memory.assign(bytes, bytes + out_bytes);
        ++launches_;
        return outcome;
    }

    // The first element that is not in the array's storage; -1: all are.
    static int first_outside(const Way& way, int32_t at) {
        for (uint32_t k = 0; k < way.count; ++k) {
            const int64_t begin = int64_t{at} + int64_t{k} * way.stride;
            if (begin < 0 || begin + way.bytes > storage_bytes)
                return static_cast<int>(k);
        }
        return -1;
    }

    // What a thread leaves when its store stays in the array.
    static std::vector<std::byte> wanted(const Way& way, int32_t at) {
        std::vector<std::byte> all(out_bytes, std::byte{0x11});
        std::array<std::byte, array_bytes> array{};
        for (uint32_t k = 0; k < way.count; ++k)
            std::memcpy(array.data() + at + size_t{k} * way.stride, &stored, way.bytes);
        for (uint32_t y = 0; y < 2; ++y) {
            std::byte* row = all.data() + size_t{y} * 0x200;
            const auto put = [&](auto value_of_lane) {
                for (uint32_t k = 0; k < lanes; ++k) {
                    const uint32_t value = value_of_lane(k);
                    std::memcpy(row + 4 * size_t{k}, &value, 4);
                }
                row += 64;
            };
            put([](uint32_t k) { return k; });            // x, through both memories
            put([](uint32_t k) { return k; });            // kept over the barrier
            put([](uint32_t) { return 77U; });            // shared by all threads
            put([](uint32_t) { return 0x3f800000U; });    // 1 + 2^-25 and a little, to the nearest
            put([](uint32_t k) { return k; });            // x once more
            std::memcpy(row, array.data(), array.size()); // the array
        }
        return all;
    }

    void try_one(const Way& way, int32_t at) {
        now_doing(fmt::format("{} on {}, {} bytes from the array", way.name, device_.name, at));
        set_offset(at);
        const Outcome first = launch(*reference_);
        faults_ += first.fault.kind != machine::FaultKind::none ? 1 : 0;
        const std::string where = fmt::format("{}, {} bytes from the array: ", way.name, at);
        const int outside = first_outside(way, at);
        if (outside < 0 && first.fault.kind != machine::FaultKind::none)
            fail(where + "faults inside the array");
        else if (outside < 0 && first.memory != wanted(way, at))
            fail(where + "something but the array has changed");
        else if (outside >= 0 && first.fault.kind != machine::FaultKind::bad_register)
            fail(where + "is no fault");
        else if (outside >= 0 && way.count > 1 && !way.one_by_one && first.fault.lane != outside)
            fail(where + fmt::format("blames lane {}, not {}", first.fault.lane, outside));
        for (const auto& [name, engine] : engines_) {
            const Outcome second = launch(*engine);
            if (first.fault.kind != second.fault.kind || first.fault.lane != second.fault.lane ||
                first.fault.address != second.fault.address ||
                first.fault.instruction != second.fault.instruction || first.memory != second.memory)
                fail(where + fmt::format("{} differs: {} of lane {}, {} of lane {}", name,
                                         machine::name_of(first.fault.kind), first.fault.lane,
                                         machine::name_of(second.fault.kind), second.fault.lane));
        }
    }

    static constexpr size_t at_id = isa::first_user_general + 8; // the place of AT's declaration

    const isa::Device& device_;
    machine::Memory memory_{uint64_t{1} << 24U};
    uint64_t out_ = 0;
    std::shared_ptr<const Program> program_;
    std::unique_ptr<interp::Interpreter> reference_;
    std::vector<CompiledEngine> engines_;
    machine::Launch launch_;
    std::unique_ptr<machine::Rooms>
        rooms_; // kept from launch to launch: taking memory anew is most of the time
    uint64_t launches_ = 0;
    uint64_t faults_ = 0;
    uint64_t failures_ = 0;
};

// Two inputs of lanes that share bytes, at every distance. What overlaps is refused before a launch
// (launch/overlap.h); here nobody asks, and still nothing may be believed of such inputs: both engines agree,
// and nothing outside is touched.
class OverlapTester {
public:
    explicit OverlapTester(std::string_view device) : device_(*isa::device_named(device)) {
        out_ = memory_.allocate(out_bytes, "T6").value();
    }

    void run() {
        for (uint32_t at = 0; at <= 68; at += 2)
            for (const bool swapped : {false, true})
                try_one(at, swapped);
    }

    [[nodiscard]] uint64_t launches() const { return launches_; }
    [[nodiscard]] uint64_t failures() const { return failures_; }

private:
    static constexpr uint32_t out_bytes = 256;

    // IDY begins `at` bytes into the storage whose first 64 bytes are LN.
    [[nodiscard]] std::string text_of(uint32_t at, bool swapped) const {
        const uint32_t grf = device_.grf_bytes;
        const std::string first = fmt::format(".input IDY offset={} size=64\n", grf);
        const std::string second = fmt::format(".input LN offset={} size=64\n", grf + 64);
        return ".version 4.1\n.kernel \"overlap\"\n"
               ".decl BASE v_type=G type=ud num_elts=64 align=GRF\n" +
               fmt::format(".decl IDY v_type=G type=ud num_elts=16 alias=<BASE, {}>\n", at) +
               ".decl LN v_type=G type=ud num_elts=16 alias=<BASE, 0>\n"
               ".decl OFF v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl LANES v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl T6 v_type=T num_elts=1 v_name=T6\n" +
               (swapped ? second + first : first + second) +
               ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n\n"
               "    shl (M1, 16) OFF(0,0)<1> IDY(0,0)<1;1,0> 0xf:ud\n"
               "    mov (M1, 16) LANES(0,0)<1> 0x76543210:v\n"
               "    shl (M1, 16) LANES(0,0)<1> LANES(0,0)<1;1,0> 0x2:ud\n"
               "    add (M1, 16) OFF(0,0)<1> OFF(0,0)<1;1,0> LANES(0,0)<1;1,0>\n"
               "    scatter_scaled.4 (M1, 16) T0 0x0:ud OFF.0 LANES.0\n"
               "    shl (M1, 16) OFF(0,0)<1> LN(0,0)<1;1,0> 0x6:ud\n"
               "    scatter_scaled.4 (M1, 16) T0 0x0:ud OFF.0 LANES.0\n"
               "    gather_scaled.4 (M1, 16) T0 0x0:ud OFF.0 OFF.0\n"
               "    scatter_scaled.4 (M1, 16) T6 0x0:ud LANES.0 OFF.0\n"
               "    mov (M1, 16) OFF(0,0)<1> IDY(0,0)<1;1,0>\n"
               "    scatter_scaled.4 (M1, 16) T6 0x10:ud LANES.0 OFF.0\n"
               "    ret (M1, 1)\n";
    }

    void try_one(uint32_t at, bool swapped) {
        const std::string where = fmt::format("{}: inputs {} bytes apart", device_.name, at);
        now_doing(where);
        Diagnostics diagnostics;
        auto module = text::parse(text_of(at, swapped), {device_.grf_bytes}, diagnostics);
        auto prepared =
            module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                      device_, diagnostics)
                   : std::nullopt;
        if (!prepared)
            return fail(fmt::format("{}: {}", where, diagnostics.all().front().message));
        const auto program = std::make_shared<const Program>(std::move(*prepared));
        if (launch::input_overlap(*program).has_value() != (at < 64))
            fail(fmt::format("{}: are {}refused", where, at < 64 ? "not " : ""));
        const std::vector<launch::HandInput> inputs{{"IDY", launch::InputFiller{machine::Filler::local_id_y}},
                                                    {"LN", launch::InputFiller{machine::Filler::lane}},
                                                    {"T6", launch::Buffer{out_, out_bytes}}};
        launch::HandGeometry geometry{.simd = lanes};
        geometry.items.dimensions = 2;
        geometry.items.global = {group_width, 2, 1};
        geometry.items.local = {group_width, 2, 1};
        auto plan = launch::bind_hand_written(*program, inputs, {}, geometry, memory_);
        if (!plan)
            return; // refused there, too
        const interp::Interpreter reference(program);
        const std::vector<std::byte> wanted = run(plan->launches.front(), reference);
        for (const auto& [name, engine] : compiled_engines(program, reference, lanes))
            if (run(plan->launches.front(), *engine) != wanted)
                fail(fmt::format("{}: {} differs", where, name));
    }

    std::vector<std::byte> run(const machine::Launch& launch, const machine::Engine& engine) {
        std::byte* const bytes = machine::Memory::host(out_);
        std::memset(bytes, 0x11, out_bytes);
        arm(true);
        const machine::Fault fault = machine::run(launch, engine, {.fuel = fuel}, nullptr).fault;
        arm(false);
        ++launches_;
        if (fault.kind != machine::FaultKind::none)
            fail(fmt::format("{}: {}", device_.name, machine::name_of(fault.kind)));
        return {bytes, bytes + out_bytes};
    }

    void fail(const std::string& what) {
        if (++failures_ <= most_printed)
            fmt::print(stderr, "{}\n", what);
    }

    const isa::Device& device_;
    machine::Memory memory_{uint64_t{1} << 24U};
    uint64_t out_ = 0;
    uint64_t launches_ = 0;
    uint64_t failures_ = 0;
};

// Each fact of the list names a register that the kernels above overwrite and use, or says why there is none.
bool facts_are_covered() {
    constexpr std::array tried{
        "local_id_range",  "lane_steps", "shared_inputs",      "constant_inputs", "shared_local_bytes",
        "scratch_bytes",   "full_mask",  "uniform_predicates", "float_mode",      "kept_registers",
        "surface_windows", "symbols"}; // the last two: the engine's own tables, which no register leads to
    const std::vector<std::string> all = fact_names();
    bool covered = true;
    for (const std::string& name : all)
        if (std::ranges::find(tried, name) == tried.end()) {
            fmt::print(stderr, "the fact `{}` has no kernel that tries to falsify it\n", name);
            covered = false;
        }
    return covered;
}

} // namespace

} // namespace visor::containment

int main(int count, char** words) try {
    using namespace visor::containment;
    tell_when_killed();
    uint64_t launches = 0;
    uint64_t faults = 0;
    uint64_t failures = facts_are_covered() ? 0 : 1;
    for (const visor::isa::Device& device : visor::isa::devices()) {
        if (count > 1 && std::string_view(device.name) != words[1])
            continue;
        Tester tester(device.name);
        for (const Way& way : ways())
            tester.run(way);
        OverlapTester overlaps(device.name);
        overlaps.run();
        launches += tester.launches() + overlaps.launches();
        faults += tester.faults();
        failures += tester.failures() + overlaps.failures();
    }
    fmt::print("{} launches, {} faults, {} fenced blocks, {} failures\n", launches, faults, fenced_blocks(),
               failures);
    const bool enough = launches > 1'000 && faults > 500 && (!has_fences() || fenced_blocks() > 0);
    return failures == 0 && enough ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return EXIT_FAILURE;
}
