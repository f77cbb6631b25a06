#include "launcher.h"

#include "fence.h"
#include "keys.h"
#include "killed_by.h"

#include "text/text.h"

#include <cstdio>
#include <cstring>
#include <fmt/format.h>

namespace visor::containment {

namespace {

constexpr uint64_t fuel = 10'000;
constexpr size_t most_printed = 12;

} // namespace

std::string Outcome::difference(const Outcome& other) const {
    if (fault.kind == other.fault.kind && fault.lane == other.fault.lane &&
        fault.address == other.fault.address && fault.instruction == other.fault.instruction)
        return memory == other.memory ? "" : "other bytes in memory";
    return fmt::format("{} of lane {}, {} of lane {}", machine::name_of(fault.kind), fault.lane,
                       machine::name_of(other.fault.kind), other.fault.lane);
}

Launcher::Launcher(std::string_view device)
    : device_(*isa::device_named(device)), out_(memory_.allocate(out_bytes, "T6").value()) {}

std::shared_ptr<const Program> Launcher::prepare(const std::string& text, const std::string& where) {
    program_ = nullptr;
    Diagnostics diagnostics;
    auto module = text::parse(text, {device_.grf_bytes}, diagnostics);
    auto program =
        module ? program::prepare(std::make_shared<const Function>(std::move(module->functions.front())),
                                  device_, diagnostics)
               : std::nullopt;
    if (!program) {
        fail(fmt::format("{}: {}", where, diagnostics.all().front().message));
        return nullptr;
    }
    program_ = std::make_shared<const Program>(std::move(*program));
    arenas_ = std::make_unique<machine::WorkerArenas>(); // what threads had is the program's
    reference_ = std::make_unique<interp::Interpreter>(program_);
    engines_ = compiled_engines(program_, *reference_, lanes);
    return program_;
}

Outcome Launcher::compare(const machine::Launch& launch, const std::vector<std::string_view>& facts,
                          const std::string& where) {
    now_doing(fmt::format("{}: {}", device_.name, where));
    Outcome first = run(launch, *reference_);
    faults_ += first.fault.kind != machine::FaultKind::none ? 1 : 0;
    for (const auto& [name, engine] : engines_) {
        if (const std::string difference = first.difference(run(launch, *engine)); !difference.empty())
            fail(fmt::format("{}: {} differs: {}", where, name, difference));
        for (const std::string_view fact : facts)
            ++tried_[std::string(fact)];
    }
    return first;
}

void Launcher::fail(const std::string& what) {
    if (++failures_ <= most_printed)
        fmt::print(stderr, "{}: {}\n", device_.name, what);
}

Outcome Launcher::run(const machine::Launch& launch, const machine::Engine& engine) {
    std::byte* const bytes = machine::Memory::host(out_);
    std::memset(bytes, 0x11, out_bytes);
    share(memory_);
    arm(true);
    Outcome outcome{.fault =
                        machine::run(launch, engine, {.fuel = fuel, .arenas = arenas_.get()}, nullptr).fault,
                    .memory = {}};
    arm(false);
    outcome.memory.assign(bytes, bytes + out_bytes);
    ++launches_;
    return outcome;
}

launch::Geometry two_threads() {
    return {.dimensions = 2, .global = {Launcher::group_width, 2, 1}, .local = {Launcher::group_width, 2, 1}};
}

} // namespace visor::containment
