#include "profile/profiler.h"

#include "machine/thread.h"

#include <algorithm>
#include <bit>

namespace visor::profile {

namespace {

// The most dwords of one bank. Each dword is there once.
uint64_t rounds_of(const std::vector<uint64_t>& dwords) {
    std::array<uint64_t, slm_banks> by_bank{};
    for (const uint64_t dword : dwords)
        ++by_bank[dword % slm_banks];
    return *std::ranges::max_element(by_bank);
}

// Likewise, of bits; which one is the first bank's makes no difference.
uint64_t rounds_of(uint64_t dwords) {
    static_assert(64 % slm_banks == 0);
    constexpr uint64_t one_of_each = (uint64_t{1} << slm_banks) - 1;
    if ((dwords & ~one_of_each) == 0)
        return 1;
    int most = 0;
    for (uint32_t bank = 0; bank < slm_banks; ++bank)
        most = std::max(most, std::popcount((dwords >> bank) & 0x0001'0001'0001'0001U));
    return static_cast<uint64_t>(most);
}

// The lowest and the highest byte that lanes touch.
struct Reach {
    uint64_t low = UINT64_MAX;
    uint64_t high = 0;
};
Reach reach_of(const machine::MemoryEvent& event, uint32_t lanes) {
    Reach reach;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint64_t at = event.addresses[static_cast<size_t>(std::countr_zero(left))];
        reach.low = std::min(reach.low, at);
        reach.high = std::max(reach.high, at);
    }
    return {event.base + reach.low, event.base + reach.high + event.bytes - 1};
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
        added.renamed = source.renamed;
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
    launch_ = &launch;
    last_ = {};
    if (detail_ == Detail::arrays && profile_.facts.size() < most_launch_facts)
        profile_.facts.push_back(
            {kernel_->name, launch.simd, launch.all_groups, launch.local_size, launch.threads});
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
    const auto at =
        std::ranges::find_if(profile_.functions, [&](const FunctionCosts& one) { return &one == known; });
    current_number_ = static_cast<size_t>(at - profile_.functions.begin());
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
    if (detail_ == Detail::executions)
        return;
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
    if (lanes != 0 && event.bytes != 0)
        note_units(event, lanes);
    message_.bytes += event.bytes * static_cast<uint64_t>(std::popcount(lanes));
    if (detail_ == Detail::arrays && lanes != 0)
        note_array(event, lanes);
}

void Profiler::list_units(const machine::MemoryEvent& event, uint32_t lanes, unsigned unit_bits) {
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint64_t begin = event.base + event.addresses[static_cast<size_t>(std::countr_zero(left))];
        const uint64_t last = (begin + event.bytes - 1) >> unit_bits;
        for (uint64_t at = begin >> unit_bits; at <= last; ++at)
            if (message_.units.empty() || message_.units.back() != at)
                message_.units.push_back(at);
    }
}

void Profiler::note_units(const machine::MemoryEvent& event, uint32_t lanes) {
    constexpr uint64_t most = 64;
    const auto unit_bits =
        static_cast<unsigned>(std::countr_zero(uint64_t{message_.local ? slm_bank_bytes : line_bytes}));
    const Reach reach = reach_of(event, lanes);
    const uint64_t first = reach.low >> unit_bits;
    const bool is_first_event = message_.bits == 0 && message_.units.empty();
    if (!is_first_event || (reach.high >> unit_bits) - first >= most) {
        for (uint64_t left = message_.bits; left != 0; left &= left - 1)
            message_.units.push_back(message_.first + static_cast<uint64_t>(std::countr_zero(left)));
        message_.bits = 0;
        return list_units(event, lanes, unit_bits);
    }
    message_.first = first;
    if (reach.high >> unit_bits == first) {
        message_.bits = 1;
        return;
    }
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint64_t begin = event.base + event.addresses[static_cast<size_t>(std::countr_zero(left))];
        const uint64_t from = (begin >> unit_bits) - first;
        const uint64_t last = ((begin + event.bytes - 1) >> unit_bits) - first;
        message_.bits |= (UINT64_MAX << from) & (UINT64_MAX >> (most - 1 - last));
    }
}

// By label and place: a later allocation at the same place is another array.
size_t Profiler::array_named(std::string_view label, uint64_t address, uint64_t bytes, bool local) {
    const auto [found, is_new] =
        arrays_.try_emplace({std::string(label), address, bytes}, profile_.arrays.size());
    if (is_new) {
        if (profile_.arrays.size() > most_arrays)
            found->second = most_arrays;
        else if (profile_.arrays.size() == most_arrays)
            profile_.arrays.push_back({"further arrays", bytes, false, HeatMap(bytes)});
        else
            profile_.arrays.push_back({std::string(label), bytes, local, HeatMap(bytes)});
    }
    return found->second;
}

size_t Profiler::array_of(const machine::MemoryEvent& event, uint64_t address) {
    if (event.space == machine::Space::slm) {
        last_ = {};
        return array_named("shared local memory", 0, std::max(launch_->slm_bytes, 1U), true);
    }
    if (event.space == machine::Space::scratch) {
        last_ = {};
        return array_named("scratch memory", 0, std::max(launch_->scratch_bytes, 1U), false);
    }
    if (address < last_.address || address - last_.address >= last_.bytes) {
        const machine::Allocation* const found = launch_->memory->find(address, 1);
        if (found == nullptr)
            return array_named("other memory", 0, 1, false);
        last_ = *found;
        last_array_ = array_named(last_.label, last_.address, last_.bytes, false);
    }
    return last_array_;
}

// The message's array is that of its first lane.
void Profiler::note_array(const machine::MemoryEvent& event, uint32_t lanes) {
    const auto address_of = [&](uint32_t lane) { return event.base + event.addresses[lane]; };
    const uint64_t first = address_of(static_cast<uint32_t>(std::countr_zero(lanes)));
    const size_t number = array_of(event, first);
    ArrayCosts& array = profile_.arrays[number];
    const bool has_place = event.space == machine::Space::flat || event.space == machine::Space::surface;
    const uint64_t begin = has_place ? last_.address : 0;
    const bool is_one_more = message_.site != nullptr; // event of the message
    const auto [found, is_new] = sites_.try_emplace(
        SiteKey{number, current_number_, event.instruction.source, event.kind}, array.sites.size());
    if (is_new)
        array.sites.push_back({current_number_, event.instruction.source, event.kind, {}, {}});
    ArraySite& site = array.sites[found->second];
    const bool is_first = site.costs.all_messages() == 0;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(left));
        const uint64_t offset = address_of(lane) - begin;
        array.heat.add(offset, event.bytes, clock_);
        if (is_first)
            site.first.push_back({lane, offset, event.bytes});
    }
    if (!is_one_more)
        message_.site = &site;
}

void Profiler::end_message() {
    if (message_.costs == nullptr)
        return;
    std::vector<uint64_t>& units = message_.units;
    if (!units.empty()) {
        std::ranges::sort(units);
        units.erase(std::ranges::unique(units).begin(), units.end());
    }
    const uint64_t touched =
        message_.bits != 0 ? static_cast<uint64_t>(std::popcount(message_.bits)) : units.size();
    const auto add_to = [&](Costs& costs) {
        ++costs.messages[static_cast<size_t>(message_.kind)];
        costs.bytes += message_.bytes;
        if (message_.local) {
            costs.slm_rounds += message_.bits != 0 ? rounds_of(message_.bits)
                                : units.empty()    ? 0
                                                   : rounds_of(units);
        } else {
            costs.lines += touched;
            costs.least_lines += (message_.bytes + line_bytes - 1) / line_bytes;
        }
    };
    add_to(*message_.costs);
    if (message_.site != nullptr)
        add_to(message_.site->costs);
    message_.costs = nullptr;
    message_.site = nullptr;
    message_.bits = 0;
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
