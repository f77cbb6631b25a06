// containment: tries every memory message with addresses inside, at the ends of, before, behind and far from
// every allocation, wrapping, and of host memory, on the interpreter and, where it is built, on the JIT.
// Nothing outside may be touched: pages behind allocations, what is left of their last pages, blocks of the
// host and of the engines themselves are watched. Both engines have to leave the same and say the same, and
// flat accesses have to fault with the first lane that is outside.
#include "fence.h"
#include "forms.h"
#include "keys.h"
#include "killed_by.h"
#include "second.h"

#include "isa/device.h"
#include "launch/bind.h"
#include "machine/state_handle.h"
#include "text/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <sys/mman.h>

namespace visor::containment {

namespace {

constexpr uint64_t page = 4096;
constexpr std::byte canary{0xc5};
constexpr uint64_t fuel = 10'000;
constexpr size_t most_printed = 12;

struct Buffer {
    std::string name;
    uint64_t address = 0;
    uint64_t bytes = 0;
};

bool is_canary(const std::byte* bytes, size_t count) {
    return *bytes == canary && std::memcmp(bytes, bytes + 1, count - 1) == 0;
}

// A page of the host's own between two more.
class HostPages {
public:
    HostPages()
        : memory_(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
        std::ranges::fill(bytes(), canary);
    }
    [[nodiscard]] std::span<std::byte> bytes() const { return {static_cast<std::byte*>(memory_), 3 * page}; }
    [[nodiscard]] uint64_t middle() const { return reinterpret_cast<uint64_t>(memory_) + page; }
    [[nodiscard]] bool touched() const { return !is_canary(bytes().data(), bytes().size()); }

private:
    void* memory_;
};

// One message for all lanes but one, which has the address in question.
struct Probe {
    uint64_t good = 0;   // of the lanes' first
    uint64_t stride = 0; // from lane to lane
    uint64_t odd = 0;
    uint32_t odd_lane = 0;
    bool odd_is_off = false;
    bool wide = true; // qwords
    [[nodiscard]] uint64_t of(uint32_t lane) const { return lane == odd_lane ? odd : good + stride * lane; }
};

struct Outcome {
    machine::Fault fault;
    bool touched = false; // what is nobody's
    std::vector<std::byte> memory;
};

class Tester {
public:
    Tester() {
        for (const auto& [name, bytes] :
             {std::pair{"T6", uint64_t{37}}, {"SECOND", 256}, {"FLAT", 64}, {"IMAGE", 64}, {"OUT", 1024}})
            buffers_.push_back({name, memory_.allocate(bytes, name).value(), bytes});
    }

    void run(const Form& form) {
        Bound bound;
        if (!bind(form, bound))
            return;
        ++tried_;
        for (const bool wide : {false, true}) {
            if (wide ? form.offsets : form.unit != 0)
                continue;
            // Lanes take turns; each address is tried by one that is on and by one that is off.
            uint32_t lane = 0;
            for (const uint64_t odd : odd_addresses(form, wide))
                for (const bool off : {false, true}) {
                    lane = form.lanes == 1 ? 0 : (lane + 5) % form.lanes;
                    try_one(form, bound,
                            {.good = wide ? buffers_[1].address : 0,
                             .stride = form.lanes == 1 ? 0U : 8U,
                             .odd = odd,
                             .odd_lane = lane,
                             .odd_is_off = off,
                             .wide = wide});
                }
        }
        for (const uint64_t counter : counters_)
            memory_.free(counter);
        counters_.clear();
    }

    [[nodiscard]] int verdict() const {
        fmt::print("{} forms, {} launches on the interpreter, {} on the JIT, {} forms without code, {} "
                   "faults, {} fenced "
                   "blocks, {} failures\n",
                   tried_, launches_, second_launches_, without_code_, faults_, fenced_blocks(), failures_);
        const bool enough = tried_ > 50 && faults_ > 100 && launches_ > 5'000 &&
                            (!has_second_engine() || without_code_ == 0) &&
                            (!has_fences() || fenced_blocks() > 0) && (!keys_are_on() || locked() > 5'000);
        return failures_ == 0 && enough ? EXIT_SUCCESS : EXIT_FAILURE;
    }

private:
    struct Bound {
        std::shared_ptr<const Program> program;
        std::unique_ptr<interp::Interpreter> reference;
        std::unique_ptr<machine::Engine> second;
        machine::Launch launch;
    };

    void fail(const std::string& what) {
        if (++failures_ <= most_printed)
            fmt::print(stderr, "{}\n", what);
    }

    bool bind(const Form& form, Bound& bound) {
        const isa::Device& device = *isa::device_named(form.device);
        const std::string text = text_of(form);
        Diagnostics diagnostics;
        auto module = text::parse(text, {device.grf_bytes}, diagnostics);
        auto program =
            module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                      device, diagnostics)
                   : std::nullopt;
        if (!program) {
            fail(fmt::format("{}: {}", form.line, diagnostics.all().front().message));
            return false;
        }
        for (const PreparedInstruction& instruction : program->code)
            if (interp::handler(*program, instruction) == nullptr) {
                fail(fmt::format("{} on {}: not executed", form.line, form.device));
                return false;
            }
        bound.program = std::make_shared<const Program>(std::move(*program));
        bound.reference = std::make_unique<interp::Interpreter>(bound.program);
        bound.second = second_engine(bound.program, *bound.reference, 16);
        without_code_ += bound.second == nullptr ? 1 : 0;
        return make_launch(form, bound);
    }

    bool make_launch(const Form& form, Bound& bound) {
        std::vector<launch::HandInput> inputs;
        for (size_t i = 0; i < variables; ++i)
            inputs.push_back(
                {fmt::format("V00{}", 32 + i), launch::InputBytes{std::vector<std::byte>(variable_bytes)}});
        inputs.push_back({"MASK", launch::InputBytes{std::vector<std::byte>(4)}});
        inputs.push_back({"OUT", launch::Buffer{buffers_[4].address, buffers_[4].bytes}});
        std::vector<launch::HandState> states;
        if (form.image.empty()) {
            inputs.push_back({"T6", launch::Buffer{buffers_[0].address, buffers_[0].bytes}});
            states.push_back({2, launch::Buffer{buffers_[1].address, buffers_[1].bytes}});
        } else {
            machine::Image image = machine::packed_image(machine::ImageShape::d2,
                                                         *machine::format_named(form.image), {4, 4, 1}, 1);
            image.address = buffers_[3].address;
            inputs.push_back({"T6", image});
            states.push_back({2, image});
        }
        inputs.push_back({"S0", machine::Sampler{}});
        auto plan = launch::bind_hand_written(*bound.program, inputs, states,
                                              {.simd = 16, .in_threads = true}, memory_);
        if (!plan) {
            fail(fmt::format("{}: {}", form.line, plan.error().message));
            return false;
        }
        bound.launch = std::move(plan->launches.front());
        bound.launch.scratch_bytes = 512;
        bound.launch.surfaces.resize(machine::first_surface_state + 1); // one by handle
        bound.launch.surfaces.back() = bound.launch.surfaces[2];
        counters_ = plan->resources.allocations;
        return true;
    }

    // Of one lane; `wide`: flat addresses, else offsets.
    [[nodiscard]] std::vector<uint64_t> odd_addresses(const Form& form, bool wide) const {
        std::vector<uint64_t> all;
        const uint64_t unit = std::max(1U, form.unit);
        for (uint64_t back = 0; back <= 16; ++back) // in front of where addresses begin anew
            all.push_back(0 - back * back);
        for (const uint64_t far : {1ULL,
                                   2ULL,
                                   15ULL,
                                   0x1000ULL,
                                   0x7fffffffULL,
                                   0x80000000ULL,
                                   0x80000001ULL,
                                   0xfffffff0ULL,
                                   0xffffffffULL,
                                   0x10000000ULL,
                                   0x10000400ULL,
                                   0x4000ULL, // handles: of scratch memory, of the only state, of none
                                   0x4040ULL,
                                   0x407fULL,
                                   0x4080ULL,
                                   0x7f800000ULL,
                                   0xff800000ULL,
                                   0x7fc00000ULL,
                                   0x7149f2caULL,
                                   0x8000000000000000ULL,
                                   0x7fffffffffffffffULL,
                                   0x0000800000000000ULL,
                                   0xffff800000000000ULL,
                                   0x100000000ULL,
                                   0xfffffffffULL})
            all.push_back(far);
        for (const Buffer& buffer : buffers_)
            for (const uint64_t end :
                 {uint64_t{0}, buffer.bytes - std::min(buffer.bytes, unit), buffer.bytes, page})
                for (const int64_t step : {-4, -1, 0, 1, 8})
                    all.push_back((wide ? buffer.address : 0) + end + static_cast<uint64_t>(step));
        // The host's own memory: pages, a place on the stack, code; of surfaces as far as offsets go.
        const auto stack = reinterpret_cast<uint64_t>(&all);
        const auto code = reinterpret_cast<uint64_t>(&tell_when_killed);
        for (const uint64_t host : {pages_.middle(), pages_.middle() + 8, stack, code}) {
            all.push_back(host);
            all.push_back(host - buffers_[0].address);
        }
        for (const Buffer& buffer : buffers_)
            for (const uint64_t shift : {31U, 32U, 47U})
                all.push_back(buffer.address + (uint64_t{1} << shift));
        for (uint64_t& address : all)
            address &= wide ? UINT64_MAX : UINT32_MAX;
        std::ranges::sort(all);
        const auto [first, last] = std::ranges::unique(all);
        all.erase(first, last);
        return all;
    }

    static void fill(const Probe& probe, machine::Launch& launch) {
        for (const machine::ImageInput& input : launch.image_inputs) {
            std::byte* const to = launch.image.data() + input.image_offset;
            if (input.bytes == 4) {
                const uint32_t mask = probe.odd_is_off ? ~(1U << probe.odd_lane) : UINT32_MAX;
                std::memcpy(to, &mask, 4);
                continue;
            }
            const size_t size = probe.wide ? 8 : 4;
            for (size_t at = 0; at + size <= input.bytes; at += size) {
                const uint64_t value = probe.of(static_cast<uint32_t>(at / size) % 16);
                std::memcpy(to + at, &value, size);
            }
        }
    }

    Outcome launch(const machine::Launch& launch, const machine::Engine& engine) {
        for (const Buffer& buffer : buffers_) {
            std::byte* const bytes = machine::Memory::host(buffer.address);
            std::memset(bytes, 0x11, buffer.bytes);
            std::memset(bytes + buffer.bytes, static_cast<int>(canary), page - buffer.bytes);
        }
        for (const uint64_t counter : counters_)
            std::memset(machine::Memory::host(counter), 0, memory_.find(counter, 1)->bytes);
        share(memory_);
        arm(true);
        Outcome outcome{.fault = machine::run(launch, engine, {.fuel = fuel}, nullptr).fault};
        arm(false);
        for (const Buffer& buffer : buffers_) {
            const std::byte* const bytes = machine::Memory::host(buffer.address);
            outcome.memory.insert(outcome.memory.end(), bytes, bytes + buffer.bytes);
            // What lies behind it in its page.
            outcome.touched = outcome.touched || !is_canary(bytes + buffer.bytes, page - buffer.bytes);
        }
        outcome.touched = outcome.touched || pages_.touched();
        return outcome;
    }

    [[nodiscard]] bool is_inside(uint64_t address, uint64_t bytes) const {
        return std::ranges::any_of(buffers_, [&](const Buffer& buffer) {
            return address >= buffer.address && address - buffer.address <= buffer.bytes &&
                   bytes <= buffer.bytes - (address - buffer.address);
        });
    }

    // The first lane that is on and outside; -1: none.
    [[nodiscard]] int first_outside(const Form& form, const Probe& probe) const {
        for (uint32_t lane = 0; lane < form.lanes; ++lane) {
            const bool off = probe.odd_is_off && lane == probe.odd_lane && form.line.starts_with("(P1)");
            if (!off && !is_inside(probe.of(lane), form.unit))
                return static_cast<int>(lane);
        }
        return -1;
    }

    void check(const Form& form, const Probe& probe, const Outcome& outcome, const std::string& who) {
        const std::string where =
            fmt::format("{} on {}, {}, lane {}{} at 0x{:x}: ", form.line, form.device, who, probe.odd_lane,
                        probe.odd_is_off ? " (off)" : "", probe.odd);
        if (outcome.touched)
            fail(where + "memory outside was written");
        if (form.unit == 0 || !probe.wide)
            return;
        const int lane = first_outside(form, probe);
        const bool faults = outcome.fault.kind == machine::FaultKind::out_of_bounds;
        if (faults != (lane >= 0))
            fail(where + (faults ? "faults" : "does not fault"));
        else if (faults && form.lanes > 1 && outcome.fault.lane != lane)
            fail(where + fmt::format("blames lane {}, not {}", outcome.fault.lane, lane));
    }

    void try_one(const Form& form, Bound& bound, const Probe& probe) {
        now_doing(fmt::format("{} on {}, lane {}{} at 0x{:x}", form.line, form.device, probe.odd_lane,
                              probe.odd_is_off ? " (off)" : "", probe.odd));
        fill(probe, bound.launch);
        const Outcome first = launch(bound.launch, *bound.reference);
        ++launches_;
        faults_ += first.fault.kind != machine::FaultKind::none ? 1 : 0;
        check(form, probe, first, "interpreter");
        if (bound.second == nullptr)
            return;
        const Outcome second = launch(bound.launch, *bound.second);
        ++second_launches_;
        check(form, probe, second, "JIT");
        const machine::Fault& a = first.fault;
        const machine::Fault& b = second.fault;
        if (a.kind != b.kind || a.lane != b.lane || a.address != b.address || a.bytes != b.bytes)
            fail(fmt::format(
                "{} on {}, lane {} at 0x{:x}: {} of lane {} at 0x{:x}, JIT {} of lane {} at 0x{:x}",
                form.line, form.device, probe.odd_lane, probe.odd, machine::name_of(a.kind), a.lane,
                a.address, machine::name_of(b.kind), b.lane, b.address));
        else if (first.memory != second.memory)
            fail(fmt::format("{} on {}, lane {} at 0x{:x}: the JIT leaves something else", form.line,
                             form.device, probe.odd_lane, probe.odd));
    }

    machine::Memory memory_{uint64_t{1} << 30U};
    std::vector<Buffer> buffers_;
    std::vector<uint64_t> counters_;
    HostPages pages_;
    uint64_t tried_ = 0;
    uint64_t launches_ = 0;
    uint64_t second_launches_ = 0;
    uint64_t without_code_ = 0;
    uint64_t faults_ = 0;
    uint64_t failures_ = 0;
};

} // namespace

} // namespace visor::containment

// containment [--keys] [PART PARTS]: every form whose number is PART modulo PARTS; with protection keys.
int main(int count, char** all_words) {
    using namespace visor::containment;
    tell_when_killed();
    std::span<char*> words(all_words + 1, static_cast<size_t>(count - 1));
    const bool keys = !words.empty() && std::string_view(words.front()) == "--keys";
    if (keys)
        words = words.subspan(1);
    const size_t parts = words.size() == 2 ? std::max(1UL, std::strtoul(words[1], nullptr, 10)) : 1;
    const size_t part = words.size() == 2 ? std::strtoul(words[0], nullptr, 10) : 0;
    const auto run = [&] {
        const std::vector<Form> all = forms();
        Tester tester;
        for (size_t i = part; i < all.size(); i += parts)
            tester.run(all[i]);
        return tester.verdict();
    };
    return keys ? with_keys(run) : run();
}
