#include "profile/profiler.h"

#include "machine/thread.h"

#include <algorithm>
#include <bit>

namespace visor::profile {

namespace {

uint64_t rounds_of(const std::vector<uint64_t>& dwords) {
    std::array<uint64_t, slm_banks> by_bank{};
    for (const uint64_t dword : dwords)
        ++by_bank[dword % slm_banks];
    return *std::ranges::max_element(by_bank);
}

} // namespace

Costs& Costs::operator+=(const Costs& other) {
    executed += other.executed;
    lanes += other.lanes;
    possible_lanes += other.possible_lanes;
    for (size_t kind = 0; kind < messages.size(); ++kind)
        messages[kind] += other.messages[kind];
    bytes += other.bytes;
    lines += other.lines;
    least_lines += other.least_lines;
    slm_rounds += other.slm_rounds;
    waited += other.waited;
    return *this;
}

void Profiler::add_sources(std::span<const Source> sources) {
    ++profile_.launches;
    for (const Source& source : sources) {
        const bool known = std::ranges::any_of(profile_.functions, [&](const FunctionCosts& one) {
            return one.function == source.function && one.kernel == sources.front().function;
        });
        if (known)
            continue;
        FunctionCosts& added = profile_.functions.emplace_back();
        added.function = source.function;
        added.kernel = sources.front().function;
        added.text_name = source.text_name;
        added.text = source.text;
        added.costs.resize(source.function->code.size());
    }
}

FunctionCosts& Profiler::add(const std::shared_ptr<const Function>& function) {
    for (FunctionCosts& one : profile_.functions)
        if (one.function == function && one.kernel == kernel_)
            return one;
    FunctionCosts& added = profile_.functions.emplace_back();
    added.function = function;
    added.kernel = kernel_;
    added.costs.resize(function->code.size());
    return added;
}

void Profiler::launch_began(const machine::Launch& launch) {
    end_message();
    kernel_ = launch.program->function;
    known_.clear(); // programs of an earlier launch may have gone
    selected_ = nullptr;
    arrivals_.clear();
}

void Profiler::select(const Program& program) {
    FunctionCosts*& known = known_[&program];
    if (known == nullptr)
        known = &add(program.function);
    selected_ = &program;
    current_ = known;
}

Costs& Profiler::costs_of(const machine::Thread& thread, const PreparedInstruction& instruction) {
    if (thread.program != selected_)
        select(*thread.program);
    return current_->costs[instruction.source];
}

void Profiler::instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                           uint32_t lanes) {
    if (message_.costs != nullptr)
        end_message();
    ++clock_;
    Costs& costs = costs_of(thread, instruction);
    ++costs.executed;
    costs.lanes += static_cast<uint64_t>(std::popcount(lanes));
    costs.possible_lanes += instruction.execution.size;
}

void Profiler::memory(const machine::MemoryEvent& event) {
    if (detail_ == Detail::executions)
        return;
    const uint32_t lanes = event.lanes & ~event.dropped;
    message_.costs = &costs_of(event.thread, event.instruction);
    message_.kind = event.kind;
    message_.local = event.space == machine::Space::slm;
    const uint64_t unit = message_.local ? slm_bank_bytes : line_bytes;
    for (uint32_t left = lanes; left != 0 && event.bytes != 0; left &= left - 1) {
        const uint64_t begin = event.base + event.addresses[static_cast<size_t>(std::countr_zero(left))];
        const uint64_t last = (begin + event.bytes - 1) / unit;
        for (uint64_t at = begin / unit; at <= last; ++at)
            if (message_.units.empty() || message_.units.back() != at)
                message_.units.push_back(at);
        message_.bytes += event.bytes;
    }
}

void Profiler::end_message() {
    if (message_.costs == nullptr)
        return;
    std::vector<uint64_t>& units = message_.units;
    if (!std::ranges::is_sorted(units))
        std::ranges::sort(units);
    units.erase(std::ranges::unique(units).begin(), units.end());
    Costs& costs = *message_.costs;
    ++costs.messages[static_cast<size_t>(message_.kind)];
    costs.bytes += message_.bytes;
    if (message_.local) {
        costs.slm_rounds += rounds_of(units);
    } else {
        costs.lines += units.size();
        costs.least_lines += (message_.bytes + line_bytes - 1) / line_bytes;
    }
    message_.costs = nullptr;
    message_.bytes = 0;
    units.clear();
}

void Profiler::barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                                 int /*barrier*/) {
    if (arrivals_.size() <= thread.index)
        arrivals_.resize(size_t{thread.index} + 1);
    arrivals_[thread.index] = {&costs_of(thread, instruction), clock_, thread.instructions};
}

void Profiler::barrier_passed(const machine::Thread& thread, int /*barrier*/) {
    if (thread.index >= arrivals_.size() || arrivals_[thread.index].costs == nullptr)
        return;
    Arrival& arrival = arrivals_[thread.index];
    const uint64_t all = clock_ - arrival.clock;
    const uint64_t own = thread.instructions - arrival.own;
    arrival.costs->waited += all > own ? all - own : 0;
    arrival.costs = nullptr;
}

void Profiler::thread_ended(const machine::Thread& thread) {
    end_message();
    if (thread.index < arrivals_.size())
        arrivals_[thread.index].costs = nullptr;
}

} // namespace visor::profile
