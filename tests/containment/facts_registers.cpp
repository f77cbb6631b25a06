// A store through an address register walks over the whole register file and past both of its ends: every
// width, one lane and many, one address for all lanes and one per lane, plain stores, arithmetic, results in
// two parts. Behind the store, and behind a barrier, the kernel uses all that compiled code believes.
//
// Wanted (ruling 147, worked out here by hand): a store inside the array changes the array and nothing else;
// one that leaves it and its storage is a fault of the first lane outside; all engines agree to the byte.
#include "facts.h"

#include "isa/predefined.h"
#include "machine/state_handle.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <functional>

namespace visor::containment {

namespace {

constexpr uint32_t lanes = Launcher::lanes;
constexpr uint32_t array_bytes = 128;
constexpr uint32_t storage_bytes = 128;  // what a variable of that size has, in whole 64 bytes
constexpr uint32_t thread_bytes = 0x400; // of the output, for each hardware thread
constexpr uint32_t row_bytes = 4 * lanes;
constexpr uint64_t stored = 0x7fff'7fff'7fff'7fff;
constexpr uint64_t symbol = 0x00fc'0000'0000'0050; // what faddr gives; no address of memory

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

// What a kernel does with what compiled code believes.
struct Use {
    std::vector<std::string_view> facts;
    std::string before;                    // the store
    std::string after;                     // the barrier: leaves a row in READ
    std::function<uint32_t(uint32_t)> row; // by lane
    std::string_view surface = "T6";       // the row goes there
};

uint32_t lane_number(uint32_t lane) {
    return lane;
}

std::function<uint32_t(uint32_t)> all_lanes(uint32_t value) {
    return [value](uint32_t) { return value; };
}

Use shared_local_memory() {
    return {.facts = {"local_id_range", "lane_steps", "shared_local_bytes"},
            .before = {},
            // Local ids as a place: 64 * x + 4 * y is 964 at most, of 1024 bytes.
            .after = "    mov (M1, 16) X(0,0)<1> LIDX(0,0)<1;1,0>\n"
                     "    mov (M1, 16) OFFSET(0,0)<1> LIDY(0,0)<1;1,0>\n"
                     "    shl (M1, 16) OFFSET(0,0)<1> OFFSET(0,0)<1;1,0> 0x2:ud\n"
                     "    shl (M1, 16) READ(0,0)<1> X(0,0)<1;1,0> 0x6:ud\n"
                     "    add (M1, 16) OFFSET(0,0)<1> OFFSET(0,0)<1;1,0> READ(0,0)<1;1,0>\n"
                     "    scatter_scaled.4 (M1, 16) T0 0x0:ud OFFSET.0 X.0\n"
                     "    gather_scaled.4 (M1, 16) T0 0x0:ud OFFSET.0 READ.0\n",
            .row = lane_number};
}

Use scratch_memory() {
    return {.facts = {"lane_steps", "scratch_bytes"},
            .before = {},
            // 4 * lane is 60 at most, of 64 bytes.
            .after = "    shl (M1, 16) OFFSET(0,0)<1> LANE(0,0)<1;1,0> 0x2:ud\n"
                     "    scatter_scaled.4 (M1, 16) %scratch 0x0:ud OFFSET.0 LANE.0\n"
                     "    gather_scaled.4 (M1, 16) %scratch 0x0:ud OFFSET.0 READ.0\n",
            .row = lane_number};
}

// Registers and what they lead to: an input, one that all threads share, one that is kept over the barrier.
std::vector<Use> registers() {
    return {{.facts = {"local_id_range", "lane_steps"},
             .before = {},
             .after = "    mov (M1, 16) READ(0,0)<1> LIDX(0,0)<1;1,0>\n",
             .row = lane_number},
            {.facts = {"shared_inputs", "constant_inputs"},
             .before = {},
             .after = "    mov (M1, 16) READ(0,0)<1> SHARED(0,1)<0;1,0>\n",
             .row = all_lanes(77)},
            {.facts = {"kept_registers"},
             .before = "    mov (M1, 16) KEPT(0,0)<1> LANE(0,0)<1;1,0>\n",
             .after = "    mov (M1, 16) READ(0,0)<1> KEPT(0,0)<1;1,0>\n",
             .row = lane_number}};
}

std::vector<Use> control() {
    return {{.facts = {"uniform_predicates", "full_mask", "shared_inputs"},
             .before = {},
             .after = "    mov (M1, 16) READ(0,0)<1> 0x600d:ud\n"
                      "    cmp.eq (M1_NM, 16) P1 SHARED(0,0)<0;1,0> 0x5:ud\n"
                      "    (P1) goto (M1, 16) same\n"
                      "    mov (M1, 16) READ(0,0)<1> 0xdead:ud\n"
                      "same:\n",
             .row = all_lanes(0x600d)},
            {.facts = {"float_mode"},
             .before = {},
             .after = "    add (M1, 16) SUM(0,0)<1> 0x3f800000:f 0x33000001:f\n"
                      "    mov (M1, 16) READ(0,0)<1> SUM_ud(0,0)<1;1,0>\n",
             .row = all_lanes(0x3f80'0000)}}; // 1 + 2^-25 and a little, to the nearest
}

// What stands in tables of the engine's: a surface by an index that a register holds, one by an element that
// was set before the store, one by a handle; the address of a function, before it and behind it.
std::vector<Use> tables() {
    return {{.facts = {"surface_windows"},
             .before = "    movs (M1_NM, 1) INDEX(0,0)<1> T6(0)\n",
             .after = "    movs (M1_NM, 1) T7(0) INDEX(0,0)<0;1,0>\n"
                      "    mov (M1, 16) READ(0,0)<1> LANE(0,0)<1;1,0>\n",
             .row = lane_number,
             .surface = "T7"},
            {.facts = {"surface_windows"},
             .before = "    movs (M1_NM, 1) T8(0) T6(0)\n",
             .after = "    mov (M1, 16) READ(0,0)<1> LANE(0,0)<1;1,0>\n",
             .row = lane_number,
             .surface = "T8"},
            {.facts = {"given_handles"},
             .before = {},
             .after = "    movs (M1_NM, 1) %bss(0) HANDLE(0,0)<0;1,0>\n"
                      "    mov (M1, 16) READ(0,0)<1> LANE(0,0)<1;1,0>\n",
             .row = lane_number,
             .surface = "%bss"},
            {.facts = {"symbols"},
             .before = {},
             .after = "    faddr function ADDRESS(0,0)<1>\n"
                      "    mov (M1, 16) READ(0,0)<1> ADDRESS(0,0)<0;1,0>\n",
             .row = all_lanes(static_cast<uint32_t>(symbol))},
            {.facts = {"symbols", "kept_registers"},
             .before = "    faddr function EARLY(0,0)<1>\n",
             .after = "    mov (M1, 16) READ(0,0)<1> EARLY(0,0)<0;1,0>\n",
             .row = all_lanes(static_cast<uint32_t>(symbol))}};
}

std::vector<Use> uses(const isa::Device& device) {
    std::vector<Use> all{shared_local_memory()};
    if (has_scratch_surface(device))
        all.push_back(scratch_memory());
    for (std::vector<Use> more : {registers(), control(), tables()})
        for (Use& use : more)
            all.push_back(std::move(use));
    return all;
}

class Tester {
public:
    explicit Tester(Launcher& launcher)
        : launcher_(launcher), grf_(launcher.device().grf_bytes), uses_(uses(launcher.device())) {
        for (const Use& use : uses_)
            facts_.insert(facts_.end(), use.facts.begin(), use.facts.end());
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

private:
    [[nodiscard]] std::string text_of(const Way& way) const {
        std::string text = declarations() + inputs();
        text += ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n\n"
                "    mov (M1, 16) ARRAY(0,0)<1> 0x0:ud\n";
        text += fmt::format("    mov (M1, 16) ARRAY({},0)<1> 0x0:ud\n", 64 / grf_);
        text += "    cmp.lt (M1, 16) P1 LANE(0,0)<1;1,0> 0x10:ud\n"
                "    addr_add (M1_NM, 1) A0(0)<1> &ARRAY AT(0,0)<0;1,0>\n";
        for (const Use& use : uses_)
            text += use.before;
        text += way.code + "    barrier\n";
        text += fmt::format("    mov (M1, 16) ROW(0,0)<1> LIDY(0,0)<0;1,0>\n"
                            "    mul (M1, 16) ROW(0,0)<1> ROW(0,0)<1;1,0> {0:#x}:ud\n"
                            "    shl (M1, 16) X(0,0)<1> LANE(0,0)<1;1,0> 0x2:ud\n"
                            "    add (M1, 16) ROW(0,0)<1> ROW(0,0)<1;1,0> X(0,0)<1;1,0>\n",
                            thread_bytes);
        const auto put = [&](std::string_view surface) {
            text += fmt::format("    scatter_scaled.4 (M1, 16) {} 0x0:ud ROW.0 READ.0\n"
                                "    add (M1, 16) ROW(0,0)<1> ROW(0,0)<1;1,0> {:#x}:ud\n",
                                surface, row_bytes);
        };
        for (const Use& use : uses_) {
            text += use.after;
            put(use.surface);
        }
        for (const uint32_t row : {0U, 64 / grf_}) {
            text += fmt::format("    mov (M1, 16) READ(0,0)<1> ARRAY({},0)<1;1,0>\n", row);
            put("T6");
        }
        return text + "    ret (M1, 1)\n";
    }

    static std::string declarations() {
        return ".version 4.1\n.kernel \"facts\"\n"
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
               ".decl ROW v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl READ v_type=G type=ud num_elts=16 align=GRF\n"
               ".decl SUM v_type=G type=f num_elts=16 align=GRF\n"
               ".decl SUM_ud v_type=G type=ud num_elts=16 alias=<SUM, 0>\n"
               ".decl INDEX v_type=G type=ud num_elts=1 align=GRF\n"
               ".decl HANDLE v_type=G type=ud num_elts=1 align=GRF\n"
               ".decl ADDRESS v_type=G type=ud num_elts=1 align=GRF\n"
               ".decl EARLY v_type=G type=ud num_elts=1 align=GRF\n"
               ".decl P1 v_type=P num_elts=16\n"
               ".decl A0 v_type=A num_elts=1\n"
               ".decl A1 v_type=A num_elts=16\n"
               ".decl T6 v_type=T num_elts=1 v_name=T6\n"
               ".decl T7 v_type=T num_elts=1 v_name=T7\n"
               ".decl T8 v_type=T num_elts=1 v_name=T8\n";
    }

    [[nodiscard]] std::string inputs() const {
        std::string text;
        uint32_t place = grf_;
        for (const auto& [name, bytes] : {std::pair{"LIDX", 32U},
                                          {"LIDY", 32U},
                                          {"LANE", 64U},
                                          {"SHARED", 32U},
                                          {"VALUE_uq", 8U},
                                          {"AT", 2U},
                                          {"STEPS", 32U},
                                          {"HANDLE", 4U}}) {
            text += fmt::format(".input {} offset={} size={}\n", name, place, bytes);
            place += (bytes + grf_ - 1) / grf_ * grf_;
        }
        return text;
    }

    bool bind(const Way& way) {
        program_ = launcher_.prepare(text_of(way), way.name);
        if (program_ == nullptr)
            return false;
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
        std::vector<std::byte> handle(4);
        constexpr uint32_t state = machine::state_handle(machine::first_surface_state);
        std::memcpy(handle.data(), &state, sizeof state);
        const std::vector<launch::HandInput> inputs{
            {"LIDX", launch::InputFiller{machine::Filler::local_id_x}},
            {"LIDY", launch::InputFiller{machine::Filler::local_id_y}},
            {"LANE", launch::InputFiller{machine::Filler::lane}},
            {"SHARED", launch::InputBytes{shared}},
            {"VALUE_uq", launch::InputBytes{value}},
            {"AT", launch::InputBytes{std::vector<std::byte>(2)}},
            {"STEPS", launch::InputBytes{steps}},
            {"HANDLE", launch::InputBytes{handle}},
            {"T6", launcher_.out()}};
        auto plan = launch::bind_hand_written(*program_, inputs, {}, {.simd = lanes, .items = two_threads()},
                                              launcher_.memory());
        if (!plan) {
            launcher_.fail(fmt::format("{}: {}", way.name, plan.error().message));
            return false;
        }
        launch_ = std::move(plan->launches.front());
        launch_.scratch_bytes = 64;
        launch_.surfaces.resize(machine::first_surface_state + 1);
        launch_.surfaces.back() = launch_.surfaces.front(); // T6
        const size_t names = program_->function->strings.size();
        launch_.functions = {{.program = program_.get(),
                              .symbols = std::vector<uint64_t>(names, symbol),
                              .callees = std::vector<uint32_t>(names, no_target)}};
        return true;
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
    [[nodiscard]] std::vector<std::byte> wanted(const Way& way, int32_t at) const {
        std::vector<std::byte> all(Launcher::out_bytes, std::byte{0x11});
        std::array<std::byte, array_bytes> array{};
        for (uint32_t k = 0; k < way.count; ++k)
            std::memcpy(array.data() + at + size_t{k} * way.stride, &stored, way.bytes);
        for (uint32_t y = 0; y < 2; ++y) {
            std::byte* row = all.data() + size_t{y} * thread_bytes;
            for (const Use& use : uses_) {
                for (uint32_t k = 0; k < lanes; ++k) {
                    const uint32_t value = use.row(k);
                    std::memcpy(row + 4 * size_t{k}, &value, 4);
                }
                row += row_bytes;
            }
            std::memcpy(row, array.data(), array.size());
        }
        return all;
    }

    void try_one(const Way& way, int32_t at) {
        set_offset(at);
        const std::string where = fmt::format("{}, {} bytes from the array", way.name, at);
        const Outcome first = launcher_.compare(launch_, facts_, where);
        const int outside = first_outside(way, at);
        if (outside < 0 && first.fault.kind != machine::FaultKind::none)
            launcher_.fail(where + ": faults inside the array");
        else if (outside < 0 && first.memory != wanted(way, at))
            launcher_.fail(where + ": something but the array has changed");
        else if (outside >= 0 && first.fault.kind != machine::FaultKind::bad_register)
            launcher_.fail(where + ": is no fault");
        else if (outside >= 0 && way.count > 1 && !way.one_by_one && first.fault.lane != outside)
            launcher_.fail(where + fmt::format(": blames lane {}, not {}", first.fault.lane, outside));
    }

    static constexpr size_t at_id = isa::first_user_general + 8; // the place of AT's declaration

    Launcher& launcher_;
    uint32_t grf_;
    std::vector<Use> uses_;
    std::vector<std::string_view> facts_;
    std::shared_ptr<const Program> program_;
    machine::Launch launch_;
};

} // namespace

void overwrite_registers(Launcher& launcher) {
    Tester tester(launcher);
    for (const Way& way : ways())
        tester.run(way);
}

} // namespace visor::containment
