#include "observers.h"

#include "check/place.h"
#include "machine/element.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>

namespace visor::seeded {

using check::Region;
using machine::AccessKind;
using machine::MemoryEvent;
using machine::Thread;

namespace {

template <class Visit>
void each_lane(const MemoryEvent& event, Visit visit) {
    for (uint32_t rest = event.lanes & ~event.dropped; rest != 0; rest &= rest - 1)
        visit(static_cast<unsigned>(std::countr_zero(rest)));
}

// An integer operand's element; absent of what is not read plainly.
std::optional<int64_t> integer(const Thread& thread, const PreparedOperand& operand, uint32_t lane) {
    const size_t size = isa::size_of(operand.type);
    if (!isa::is_integer(operand.type) ||
        (operand.modifier != SourceModifier::none && operand.modifier != SourceModifier::neg))
        return std::nullopt;
    uint64_t bits = operand.value;
    if (operand.kind == OperandKind::general) {
        const int64_t place = machine::element_offset(thread, operand, lane);
        if (place < 0 || place + static_cast<int64_t>(size) > int64_t{thread.program->register_bytes})
            return std::nullopt;
        bits = 0;
        std::memcpy(&bits, thread.registers + place, size);
    } else if (operand.kind != OperandKind::immediate) {
        return std::nullopt;
    }
    const auto shift = static_cast<unsigned>(64 - 8 * size);
    const uint64_t wide = bits << shift;
    const int64_t number = isa::is_signed(operand.type) ? static_cast<int64_t>(wide) >> shift
                                                        : static_cast<int64_t>(wide >> shift);
    return operand.modifier == SourceModifier::neg
               ? std::optional(static_cast<int64_t>(0 - static_cast<uint64_t>(number)))
               : std::optional(number);
}

bool may_be_equal(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
    const auto operands = thread.program->operands_of(instruction);
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
        const auto left = integer(thread, operands[operands.size() - 2], lane);
        const auto right = integer(thread, operands[operands.size() - 1], lane);
        if (!left || !right || *left == *right)
            return true;
    }
    return false;
}

// A thread's own memory goes by one name: its stack is where its calls put it.
std::string array_at(const MemoryEvent& event, uint64_t address) {
    if (check::is_private(*event.thread.launch, address))
        return "private";
    const machine::Allocation* in = event.thread.launch->memory->find(address, 1);
    return in == nullptr ? "" : in->label;
}

} // namespace

Observer::OfFunction& Observer::at(const Thread& thread) {
    const Function* const function = thread.program->function.get();
    if (function != last_) {
        last_ = function;
        found_ = &functions_[function];
    }
    return *found_;
}

void Observer::instruction(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
    Observed& observed = at(thread).behaviour[instruction.source];
    if (instruction.predicate.id != 0 && !observed.decides) {
        const uint32_t on = machine::masked_lanes(thread, instruction.execution);
        const uint32_t chosen =
            on & machine::predicate_lanes(thread, instruction.predicate, instruction.execution);
        const bool branches = instruction.row->family == isa::Family::flow;
        observed.decides = branches ? chosen != 0 : chosen != on;
    }
    if (!observed.equal && std::string_view(instruction.row->mnemonic) == "cmp")
        observed.equal = may_be_equal(thread, instruction, lanes);
}

void Observer::memory(const MemoryEvent& event) {
    OfFunction& own = at(event.thread);
    Observed& observed = own.behaviour[event.instruction.source];
    observed.unit_bytes = event.data.unit_bytes != 0 ? event.data.unit_bytes : event.bytes;
    each_lane(event, [&](unsigned lane) {
        const check::Place place = check::place_of(event, lane);
        if (event.kind == AccessKind::write && place.region != Region::global)
            note_local(event, place, observed);
        if (event.space == machine::Space::flat)
            own.reached[event.instruction.source].insert(array_at(event, event.addresses[lane]));
    });
}

// Only the first store to a byte initialises it.
void Observer::note_local(const MemoryEvent& event, const check::Place& place, Observed& observed) {
    const uint64_t owner = place.region == Region::scratch ? event.thread.index + 1U : 0U;
    for (uint32_t i = 0; i < event.bytes; ++i) {
        const auto region = static_cast<uint64_t>(place.region);
        if (stored_.insert((place.address + i) << 12U | owner << 2U | region).second)
            observed.initialises = true;
    }
}

void Observer::group_began(std::span<const Thread> /*threads*/) {
    stored_.clear();
}

void Observer::thread_ended(const Thread& thread) {
    most_instructions_ = std::max(most_instructions_, thread.instructions);
}

void Observer::tell(Recorded& recorded) const {
    recorded.most_instructions = most_instructions_;
    for (const auto& [function, own] : functions_) {
        const FunctionName name = name_of(program_, function);
        recorded.behaviour[name] = own.behaviour;
        for (const auto& [instruction, arrays] : own.reached)
            recorded.reached[{name, instruction}] = {arrays.begin(), arrays.end()};
    }
}

void Arrays::memory(const MemoryEvent& event) {
    if (event.space != machine::Space::flat || saw_)
        return;
    if (const Function* function = event.thread.program->function.get(); function != last_) {
        last_ = function;
        name_ = name_of(program_, function);
    }
    uint32_t instruction = event.instruction.source;
    if (name_ == changed_)
        instruction = original_[instruction];
    const auto known = recorded_.reached.find({name_, instruction});
    if (known == recorded_.reached.end())
        return;
    each_lane(event, [&](unsigned lane) {
        const std::string array = array_at(event, event.addresses[lane]);
        saw_ = saw_ || std::ranges::find(known->second, array) == known->second.end();
    });
}

// True when it clashes with what was there.
bool Clashes::use(Uses& uses, const Use& by) {
    const auto other = [&](int who) { return who != nobody && who != by.who; };
    const bool clash = (by.reads && other(uses.writer)) ||
                       (by.writes && ((other(uses.writer) && uses.value != by.value) || other(uses.reader)));
    if (by.reads)
        uses.reader = other(uses.reader) ? several : by.who;
    if (by.writes) {
        uses.writer = other(uses.writer) ? several : by.who;
        uses.value = by.value;
    }
    return clash;
}

void Clashes::memory(const MemoryEvent& event) {
    const auto thread = static_cast<int>(event.thread.index);
    const bool atomic = event.kind == AccessKind::atomic;
    const machine::RegisterPlace& data = event.data;
    each_lane(event, [&](unsigned lane) {
        const check::Place place = check::place_of(event, lane);
        if (place.region != Region::global && place.region != Region::local)
            return;
        const bool local = place.region == Region::local;
        atomics_ = atomics_ || (atomic && !local);
        for (uint32_t i = 0; i < event.bytes; ++i) {
            const uint64_t key = (place.address + i) << 1U | (local ? 1U : 0U);
            Use by{thread, event.kind != AccessKind::write, event.kind != AccessKind::read, {}};
            if (by.writes && !atomic && data.base != machine::no_register && data.unit_bytes != 0) {
                const size_t from = data.base + size_t{lane} * data.lane_stride +
                                    size_t{i / data.unit_bytes} * data.unit_stride + data.shift_bytes +
                                    i % data.unit_bytes;
                if (from < event.thread.program->register_bytes)
                    by.value = event.thread.registers[from];
            }
            // Atomics do not clash with each other.
            if (!atomic) {
                Uses with = atomic_[key];
                clash_ = use(plain_[key], by) || use(with, by) || clash_;
            } else {
                Uses with = plain_[key];
                clash_ = use(with, by) || clash_;
                (void)use(atomic_[key], by);
            }
            if (!local && !atomic) {
                by.who = group_;
                groups_clash_ = use(groups_[key], by) || groups_clash_;
            }
            const auto mark = marks_.find(key);
            unseen_ =
                unseen_ || (mark != marks_.end() && mark->second.barrier && mark->second.writer != thread);
            if (by.writes && !atomic && (!local || local_needs_fence_))
                marks_[key] = {thread, false, false};
        }
    });
}

void Clashes::group_began(std::span<const Thread> threads) {
    group_ = static_cast<int>(threads.front().group->linear);
    plain_.clear();
    atomic_.clear();
    marks_.clear();
}

void Clashes::fenced(const Thread& thread, const PreparedInstruction& /*instruction*/, machine::Fence fence) {
    for (auto& [key, mark] : marks_)
        if (mark.writer == static_cast<int>(thread.index) && ((key & 1U) != 0 ? fence.local : fence.global))
            mark.fence = true;
}

void Clashes::barrier_released(const Thread& /*any*/, int barrier) {
    if (barrier != machine::group_barrier)
        return;
    plain_.clear();
    atomic_.clear();
    std::erase_if(marks_, [](const auto& mark) { return mark.second.fence; });
    for (auto& [key, mark] : marks_)
        mark.barrier = true;
}

void Poison::group_began(std::span<const Thread> threads) {
    for (const Thread& thread : threads)
        fill(thread);
    std::ranges::fill(threads.front().group->slm, with_);
    const machine::Launch& launch = *threads.front().launch;
    const auto block = [&](uint64_t address, uint64_t bytes) {
        std::fill_n(machine::Memory::host(address), bytes, with_);
    };
    if (launch.private_blocks.empty() && launch.private_base != 0)
        block(launch.private_base, launch.private_bytes * launch.threads);
    for (const uint64_t address : launch.private_blocks)
        block(address, launch.private_bytes);
}

void Poison::fill(const Thread& thread) const {
    const Program& program = *thread.program;
    std::vector<bool> given(program.register_bytes);
    const auto give = [&](size_t base, size_t bytes) {
        for (size_t i = base; i < std::min(base + bytes, given.size()); ++i)
            given[i] = true;
    };
    for (uint32_t id = 0; id < isa::first_user_general && id < program.variables.size(); ++id)
        if (program.variables[id].used)
            give(program.variables[id].base, program.variables[id].bytes);
    for (const machine::ImageInput& input : thread.launch->image_inputs)
        give(input.register_offset, input.bytes);
    for (const machine::ComputedInput& input : thread.launch->computed_inputs)
        give(input.register_offset, size_t{input.lanes} * input.element_bytes);
    for (size_t i = 0; i < given.size(); ++i)
        if (!given[i])
            thread.registers[i] = with_;
    std::fill_n(thread.scratch.begin(), std::min<size_t>(thread.scratch.size(), thread.launch->scratch_bytes),
                with_);
    // The machine owns its threads and lends them as const: only a test may do this to them.
    auto& predicates = const_cast<std::vector<uint32_t>&>(thread.predicates);
    for (size_t i = 1; i < predicates.size(); ++i)
        predicates[i] = std::to_integer<uint32_t>(with_) * 0x01010101U;
}

} // namespace visor::seeded
