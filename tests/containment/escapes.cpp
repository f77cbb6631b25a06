// containment_escapes [--keys] DEVICE: kernels that try to leave what they were given, written by hand, by
// each guard that compiled code has, on every tier and level, with what must happen worked out here: bytes
// inside are read and written, those outside read zero and keep what they hold, flat memory and registers
// fault, and of the first lane that is outside. Bytes in front of and behind the surface, and fenced pages,
// are the witnesses; with --keys also protection keys (keys.h).
#include "fence.h"
#include "keys.h"
#include "killed_by.h"
#include "launcher.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace visor::containment {
namespace {

constexpr uint32_t lanes = Launcher::lanes;
constexpr uint32_t surface_begin = 64; // in the output buffer: T6
constexpr uint32_t surface_bytes = 256;
constexpr uint32_t image_begin = 512; // likewise, of kernels with an image: texels of 32 bits
constexpr uint32_t image_width = 5;
constexpr uint32_t image_height = 3;
constexpr uint32_t results_begin = 2048; // T7
constexpr uint32_t initial = 0x11111111; // what the launcher fills memory with

// What messages with a surface access.
struct Space {
    const char* surface;
    uint32_t bytes;
    uint32_t initial;    // its dwords
    uint32_t meaningful; // bits of an offset
    bool in_output;      // part of the output buffer
};
constexpr Space buffer{"T6", surface_bytes, initial, UINT32_MAX, true};
constexpr Space local{"%slm", 1024, 0, ~(1U << 28U), false};    // a group's, with SLMSize=1
constexpr Space scratch{"%scratch", 512, 0, UINT32_MAX, false}; // a thread's

using Lanes = std::array<uint32_t, lanes>;

// Offsets of lanes, and one number for all of them.
struct Places {
    const char* name;
    Lanes offsets;
    uint32_t common;
    [[nodiscard]] uint32_t of(uint32_t lane) const { return offsets[lane] + common; } // 32 bits
};

Lanes row(uint32_t step) {
    Lanes all{};
    for (uint32_t lane = 0; lane < lanes; ++lane)
        all[lane] = lane * step;
    return all;
}

// `size`: of the window. Units of four bytes, none on top of another one.
std::vector<Places> places_around(uint32_t size) {
    return {{"edges of 32 bits",
             {0, size - 4, size, size + 4, size - 12, 0x7ffffffc, 0x80000000, 0x80000004, 0xfffffffc,
              0xfffffff8, size - 20, 0xffffff00, 0xfffff000, 8, 0xc0000000, 16},
             0},
            {"units across the end",
             {size - 3, size - 8, 0, 20, 0x7fffffff, 0xffffffff, 0xfffffffd, 40, 60, 80, 100, 120, 140, 160,
              180, 200},
             0},
            {"a row across the end", row(4), size - 16},
            {"a row behind the end", row(4), size},
            {"a row that comes back from 2^32", row(4), 0xfffffff0},
            {"lanes far from each other", row(0x10000000), 16},
            {"lanes that wrap", row(0x80000001), 4},
            {"backwards", row(0xfffffffc), 24},
            {"structures across the end", row(12), size - 60}};
}

std::vector<std::byte> bytes_of(std::span<const uint32_t> values) {
    std::vector<std::byte> all(values.size_bytes());
    std::memcpy(all.data(), values.data(), all.size());
    return all;
}

class Escapes {
public:
    explicit Escapes(Launcher& launcher) : launcher_(launcher) {}

    void run() {
        for (const bool some : {false, true}) {
            for (const Space* const space : spaces())
                for (const Places& places : places_around(space->bytes))
                    in_surface(places, some, *space);
            for (const uint32_t common :
                 {0U, 14U, 15U, 16U, 0x07ffffffU, 0x08000000U, 0x0fffffffU, 0x10000000U})
                blocks(common);
        }
        images();
        for (const Places& places : places_around(Launcher::out_bytes))
            flat(places);
        for (const uint32_t at :
             {0U, 60U, 61U, 64U, 4096U, 0x7ffffffcU, 0x80000000U, 0x7fffU, 0x8000U, 0xfffffffcU, 0xffffffffU})
            registers(at);
    }

private:
    [[nodiscard]] std::vector<const Space*> spaces() const {
        if (has_scratch_surface(launcher_.device()))
            return {&buffer, &local, &scratch};
        return {&buffer, &local};
    }

    [[nodiscard]] std::string text_of(const std::string& code) const {
        const uint32_t grf = launcher_.device().grf_bytes;
        std::string text = ".version 4.1\n.kernel \"escape\"\n"
                           ".decl OFF v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl VAL v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl RES v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl OUT v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl ADR v_type=G type=uq num_elts=16 align=GRF\n"
                           ".decl ROW v_type=G type=ud num_elts=16 align=GRF\n"
                           ".decl COM v_type=G type=ud num_elts=1 align=GRF\n"
                           ".decl SET v_type=G type=ud num_elts=1 align=GRF\n"
                           ".decl BASE v_type=G type=uq num_elts=1 align=GRF\n"
                           ".decl P1 v_type=P num_elts=32\n"
                           ".decl A0 v_type=A num_elts=16\n"
                           ".decl T6 v_type=T num_elts=1 v_name=T6\n"
                           ".decl T7 v_type=T num_elts=1 v_name=T7\n";
        text += fmt::format(
            ".input OFF offset={} size=64\n.input VAL offset={} size=64\n"
            ".input COM offset={} size=4\n.input SET offset={} size=4\n.input BASE offset={} size=8\n"
            ".input ROW offset={} size=64\n",
            grf, grf + 64, grf + 128, grf + 132, grf + 136, grf + 192);
        return text +
               ".kernel_attr SimdSize=16\n.kernel_attr SLMSize=1\n\n"
               "    setp (M1_NM, 32) P1 SET(0,0)<0;1,0>\n" +
               code +
               "    mov (M1, 8) OUT(0,0)<1> 0x76543210:v\n"
               "    add (M1, 8) OUT(0,8)<1> OUT(0,0)<1;1,0> 0x8:ud\n"
               "    shl (M1, 16) OUT(0,0)<1> OUT(0,0)<1;1,0> 0x2:ud\n"
               "    scatter_scaled.4 (M1, 16) T7 0x0:ud OUT.0 RES.0\n"
               "    ret (M1, 1)\n";
    }

    // `rows`: of an image, which T6 is then.
    std::optional<Outcome> launched(const std::string& code, const Places& places, uint32_t set,
                                    const std::string& where, const Lanes* rows = nullptr) {
        const auto program = launcher_.prepare(text_of(code), where);
        if (program == nullptr)
            return std::nullopt;
        const launch::Buffer out = launcher_.out();
        const std::array common{places.common};
        const std::array on{set};
        machine::Image image = machine::packed_image(machine::ImageShape::d2, *machine::format_named("r32u"),
                                                     {image_width, image_height, 1}, 1);
        image.address = out.address + image_begin;
        std::vector<launch::HandInput> inputs{
            {"OFF", launch::InputBytes{bytes_of(places.offsets)}},
            {"VAL", launch::InputBytes{bytes_of(values_)}},
            {"COM", launch::InputBytes{bytes_of(common)}},
            {"SET", launch::InputBytes{bytes_of(on)}},
            {"ROW", launch::InputBytes{bytes_of(rows == nullptr ? Lanes{} : *rows)}},
            {"BASE", out},
            {"T6", launch::Buffer{out.address + surface_begin, surface_bytes}},
            {"T7", launch::Buffer{out.address + results_begin, 1024}}};
        if (rows != nullptr)
            std::ranges::find(inputs, "T6", &launch::HandInput::name)->value = image;
        const auto plan = launch::bind_hand_written(*program, inputs, {}, {.simd = lanes, .in_threads = true},
                                                    launcher_.memory());
        if (!plan) {
            launcher_.fail(fmt::format("{}: {}", where, plan.error().message));
            return std::nullopt;
        }
        machine::Launch launch = plan->launches.front();
        launch.scratch_bytes = scratch.bytes;
        return launcher_.compare(launch, {}, where);
    }

    // Of memory afterwards: that of the surface at `begin`, and results; everything else as it was.
    void expect(const Outcome& outcome, std::span<const std::byte> surface, std::span<const uint32_t> results,
                const std::string& where, uint32_t begin = surface_begin) {
        std::vector<std::byte> wanted(Launcher::out_bytes, std::byte{0x11});
        std::ranges::copy(surface, wanted.begin() + begin);
        std::ranges::copy(bytes_of(results), wanted.begin() + results_begin);
        if (outcome.fault.kind != machine::FaultKind::none)
            launcher_.fail(fmt::format("{}: a fault", where));
        else if (outcome.memory != wanted)
            launcher_.fail(
                fmt::format("{}: other bytes than expected from {} on", where,
                            std::ranges::mismatch(outcome.memory, wanted).in1 - outcome.memory.begin()));
    }

    static bool is_on(uint32_t set, uint32_t lane) { return (set >> lane & 1U) != 0; }

    // Written, read back, and added to.
    void in_surface(const Places& places, bool some, const Space& space) {
        const uint32_t set = some ? 0xb6d5U : 0xffffU;
        const char* const predicate = some ? "(P1) " : "";
        const std::string where =
            fmt::format("{} in {}, {} lanes", places.name, space.surface, some ? "some" : "all");
        const std::string code =
            fmt::format("    mov (M1, 16) RES(0,0)<1> 0x0:ud\n"
                        "    {0}scatter_scaled.4 (M1, 16) {1} COM(0,0)<0;1,0> OFF.0 VAL.0\n"
                        "    {0}gather_scaled.4 (M1, 16) {1} COM(0,0)<0;1,0> OFF.0 RES.0\n",
                        predicate, space.surface);
        const auto outcome = launched(code, places, set, where);
        if (!outcome)
            return;
        std::vector<std::byte> memory = bytes_of(std::vector(space.bytes / 4, space.initial));
        const auto place = [&](uint32_t lane) -> std::byte* {
            const uint32_t offset = places.of(lane) & space.meaningful;
            return uint64_t{offset} + 4 <= space.bytes ? memory.data() + offset : nullptr;
        };
        Lanes results{};
        for (uint32_t lane = 0; lane < lanes; ++lane)
            if (std::byte* const at = is_on(set, lane) ? place(lane) : nullptr; at != nullptr)
                std::memcpy(at, &values_[lane], 4);
        for (uint32_t lane = 0; lane < lanes; ++lane)
            if (const std::byte* const at = is_on(set, lane) ? place(lane) : nullptr; at != nullptr)
                std::memcpy(&results[lane], at, 4);
        expect(*outcome, space.in_output ? memory : untouched_, results, where);
        if (&space != &scratch) // which has no atomics
            atomics(places, predicate, set, space, where);
    }

    // Lanes at multiples of four bytes; two at one place add up.
    void atomics(const Places& places, const char* predicate, uint32_t set, const Space& space,
                 const std::string& where) {
        for (uint32_t lane = 0; lane < lanes; ++lane)
            if (places.of(lane) % 4 != 0)
                return;
        const std::string code = fmt::format("    mov (M1, 16) RES(0,0)<1> 0x0:ud\n"
                                             "    add (M1, 16) OFF(0,0)<1> OFF(0,0)<1;1,0> COM(0,0)<0;1,0>\n"
                                             "    {}dword_atomic.add (M1, 16) {} OFF.0 VAL.0 %null.0 RES.0\n",
                                             predicate, space.surface);
        const auto outcome = launched(code, places, set, "add to " + where);
        if (!outcome)
            return;
        std::vector<uint32_t> memory(space.bytes / 4, space.initial);
        Lanes results{};
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const uint32_t offset = places.of(lane) & space.meaningful;
            if (!is_on(set, lane) || uint64_t{offset} + 4 > space.bytes)
                continue;
            results[lane] = memory[offset / 4];
            memory[offset / 4] += values_[lane];
        }
        expect(*outcome, space.in_output ? bytes_of(memory) : untouched_, results, "add to " + where);
    }

    // 64 bytes from `common` times 16 on: as many dwords as are inside.
    void blocks(uint32_t common) {
        const Places places{"a block", row(4), common};
        const std::string where = fmt::format("a block at 0x{:x} times 16", common);
        const auto outcome = launched("    oword_st (4) T6 COM(0,0)<0;1,0> VAL.0\n"
                                      "    oword_ld (4) T6 COM(0,0)<0;1,0> RES.0\n",
                                      places, 0xffff, where);
        if (!outcome)
            return;
        std::vector<uint32_t> memory(surface_bytes / 4, initial);
        Lanes results{};
        for (uint32_t k = 0; k < lanes; ++k)
            if (const uint64_t offset = uint64_t{common} * 16 + uint64_t{k} * 4; offset + 4 <= surface_bytes)
                memory[offset / 4] = results[k] = values_[k];
        expect(*outcome, bytes_of(memory), results, where);
    }

    // Texels around each edge, and far from all of them.
    void images() {
        const Places inside_a_row{"texels across the ends of rows",
                                  {0, 4, 5, 6, 0xffffffff, 1, 2, 3, 4, 5, 0xffffffff, 0, 2, 15, 14, 1},
                                  0};
        const Lanes near{0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3};
        const Places anywhere{"texels at the edges of 32 bits",
                              {0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffb, 0x33333334, 0x10000000, 4, 0,
                               1, 2, 3, 4, 0x3fffffff, 0x40000000, 0xc0000000, 5},
                              0};
        const Lanes far{0, 1,          0xffffffff, 1, 0, 2, 0x7fffffff, 0x80000000,
                        2, 0xffffffff, 3,          2, 0, 1, 2,          0x55555556};
        for (const uint32_t set : {0xffffU, 0xb6d5U}) {
            image(inside_a_row, near, set);
            image(anywhere, far, set);
        }
    }

    // Written and read back.
    void image(const Places& places, const Lanes& rows, uint32_t set) {
        const std::string where = fmt::format("{} of an image, lanes 0x{:x}", places.name, set);
        const auto outcome =
            launched("    mov (M1, 16) RES(0,0)<1> 0x0:ud\n"
                     "    (P1) scatter4_typed.R (M1, 16) T6 OFF.0 ROW.0 %null.0 %null.0 VAL.0\n"
                     "    (P1) gather4_typed.R (M1, 16) T6 OFF.0 ROW.0 %null.0 %null.0 RES.0\n",
                     places, set, where, &rows);
        if (!outcome)
            return;
        std::vector<uint32_t> memory(size_t{image_width} * image_height, initial);
        const auto texel = [&](uint32_t lane) -> uint32_t* {
            const bool inside = places.offsets[lane] < image_width && rows[lane] < image_height;
            return inside ? &memory[size_t{rows[lane]} * image_width + places.offsets[lane]] : nullptr;
        };
        Lanes results{};
        for (uint32_t lane = 0; lane < lanes; ++lane)
            if (uint32_t* const at = is_on(set, lane) ? texel(lane) : nullptr; at != nullptr)
                *at = values_[lane];
        for (uint32_t lane = 0; lane < lanes; ++lane)
            if (const uint32_t* const at = is_on(set, lane) ? texel(lane) : nullptr; at != nullptr)
                results[lane] = *at;
        expect(*outcome, bytes_of(memory), results, where, image_begin);
    }

    // A fault of the first lane that leaves the allocation.
    void flat(const Places& places) {
        const std::string where = fmt::format("{} in flat memory", places.name);
        const std::string addresses = "    add (M1, 16) OFF(0,0)<1> OFF(0,0)<1;1,0> COM(0,0)<0;1,0>\n"
                                      "    mov (M1, 16) ADR(0,0)<1> OFF(0,0)<1;1,0>\n"
                                      "    add (M1, 16) ADR(0,0)<1> ADR(0,0)<1;1,0> BASE(0,0)<0;1,0>\n";
        int first = -1;
        for (uint32_t lane = 0; lane < lanes && first < 0; ++lane)
            if (uint64_t{places.of(lane)} + 4 > Launcher::out_bytes)
                first = static_cast<int>(lane);
        for (const char* const message :
             {"svm_scatter.4.1 (M1, 16) ADR.0 VAL.0", "svm_gather.4.1 (M1, 16) ADR.0 RES.0",
              "svm_atomic.add (M1, 16) ADR.0 VAL.0 %null.0 RES.0",
              "svm_block_ld (4) ADR(0,1)<0;1,0> RES.0"}) {
            const bool block = std::string_view(message).contains("block");
            const bool atomic = std::string_view(message).contains("atomic");
            if (atomic &&
                std::ranges::any_of(places.offsets, [&](uint32_t offset) { return offset % 4 != 0; }))
                continue;
            const auto outcome =
                launched(addresses + "    " + message + "\n", places, 0xffff, where + ": " + message);
            if (!outcome)
                continue;
            const bool outside = block ? uint64_t{places.of(1)} + 64 > Launcher::out_bytes : first >= 0;
            if ((outcome->fault.kind != machine::FaultKind::none) != outside)
                launcher_.fail(fmt::format("{}: {}: {}", where, message, outside ? "no fault" : "a fault"));
            else if (outside && !block && outcome->fault.lane != first)
                launcher_.fail(
                    fmt::format("{}: {}: lane {} instead of {}", where, message, outcome->fault.lane, first));
        }
    }

    // VAL alone has its address taken. addr_add adds words (its page), up or down.
    void registers(uint32_t at) {
        const std::string where = fmt::format("0x{:x} bytes behind a variable", at);
        const Places places{"an address", row(0), at};
        const auto distance = static_cast<int16_t>(at);
        const bool outside = distance < 0 || distance + 4 > 64;
        for (const char* const move : {"mov (M1, 1) r[A0(0),0]<1>:ud COM(0,0)<0;1,0>",
                                       "mov (M1, 1) RES(0,0)<1> r[A0(0),0]<0;1,0>:ud"}) {
            const auto outcome =
                launched(fmt::format("    addr_add (M1, 1) A0(0)<1> &VAL COM(0,0)<0;1,0>\n    {}\n", move),
                         places, 0xffff, where);
            if (outcome && (outcome->fault.kind != machine::FaultKind::none) != outside)
                launcher_.fail(fmt::format("{}: {}: {}", where, move, outside ? "no fault" : "a fault"));
        }
    }

    Launcher& launcher_;
    const std::vector<std::byte> untouched_ = bytes_of(std::vector(surface_bytes / 4, initial));
    const Lanes values_ = [] {
        Lanes all{};
        for (uint32_t lane = 0; lane < lanes; ++lane)
            all[lane] = 0xa0000000U + lane;
        return all;
    }();
};

int try_device(std::string_view device) {
    Launcher launcher(device);
    Escapes(launcher).run();
    fmt::print("{}: {} launches, {} faults, {} fenced blocks, {} failures\n", device, launcher.launches(),
               launcher.faults(), fenced_blocks(), launcher.failures());
    const bool enough = launcher.launches() > 100 && launcher.faults() > 20 &&
                        (!has_fences() || fenced_blocks() > 0) && (!keys_are_on() || locked() > 100);
    return launcher.failures() == 0 && enough ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace visor::containment

int main(int count, char** words) try {
    using namespace visor::containment;
    tell_when_killed();
    std::span<char*> devices(words + 1, static_cast<size_t>(count - 1));
    const bool keys = !devices.empty() && std::string_view(devices.front()) == "--keys";
    if (keys)
        devices = devices.subspan(1);
    const auto run = [&] {
        int result = devices.empty() ? EXIT_FAILURE : EXIT_SUCCESS;
        for (const char* const device : devices)
            result = std::max(result, try_device(device));
        return result;
    };
    return keys ? with_keys(run) : run();
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return EXIT_FAILURE;
}
