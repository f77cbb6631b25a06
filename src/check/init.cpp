// Values that nobody wrote. They may move about freely: a report is made where one decides something, as an
// address, in a branch or in a store to global memory. How a value moves follows from the row: a lane of a
// destination is as well defined as its sources' lanes; what a message moves its events tell.
#include "check/init.h"

#include "text/text.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace visor::check {

using machine::Thread;

void InitChecker::launch_began(const machine::Launch& /*launch*/) {
    origins_.clear();
    known_roles_.clear();
    program_ = nullptr;
}

void InitChecker::group_began(std::span<const Thread> threads) {
    shadows_.resize(threads.size());
    local_.assign(threads.front().group->slm.size(), untouched);
    for (const Thread& thread : threads)
        start(thread, shadows_[thread.index]);
}

void InitChecker::start(const Thread& thread, Shadow& shadow) {
    if (shadow.frames.empty())
        shadow.frames.emplace_back();
    shadow.depth = 0;
    start_frame(thread, shadow.frames.front());
    shadow.scratch.assign(thread.scratch.size(), untouched);
    // Behind the scratch block stand the implicit arguments.
    if (thread.launch->scratch_bytes < shadow.scratch.size())
        std::memset(shadow.scratch.data() + thread.launch->scratch_bytes, written,
                    shadow.scratch.size() - thread.launch->scratch_bytes);
    shadow.own.clear();
    shadow.pending = nullptr;
    RegisterTaint& registers = shadow.frames.front();
    const auto define = [&](size_t base, size_t bytes) {
        if (base < registers.bytes.size())
            std::memset(registers.bytes.data() + base, written,
                        std::min(bytes, registers.bytes.size() - base));
    };
    for (const machine::ImageInput& input : thread.launch->image_inputs)
        define(input.register_offset, input.bytes);
    for (const machine::ComputedInput& input : thread.launch->computed_inputs)
        define(input.register_offset, size_t{input.lanes} * input.element_bytes);
}

void InitChecker::start_frame(const Thread& thread, RegisterTaint& registers) const {
    const Program& program = *thread.program;
    registers.program = &program;
    registers.bytes.assign(program.register_bytes, untouched);
    const std::vector<OtherVariable>& declared = program.function->predicates;
    registers.predicates.assign(thread.predicates.size(), 0);
    for (size_t i = 0; i < declared.size() && i + isa::first_user_predicate < registers.predicates.size();
         ++i)
        registers.predicates[i + isa::first_user_predicate] = machine::lane_bits(declared[i].elements);
    registers.predicate_origins.assign(thread.predicates.size(), untouched);
    registers.addresses.assign(thread.addresses.size(), untouched);
    for (uint32_t id = 0; id < isa::first_user_general && id < program.variables.size(); ++id) {
        const VariableSlot& slot = program.variables[id];
        const bool handed = id == isa::id(isa::Predefined::arg) || id == isa::id(isa::Predefined::retval);
        if (slot.used && !handed)
            std::memset(registers.bytes.data() + slot.base, written, slot.bytes);
    }
}

namespace {

// What of a predefined variable's shadow another frame gets, as machine/call.h has it for its content.
void hand(const RegisterTaint& from, const Program& source, RegisterTaint& to, const Program& target,
          isa::Predefined variable) {
    const VariableSlot& there = source.variables[isa::id(variable)];
    const VariableSlot& here = target.variables[isa::id(variable)];
    if (there.used && here.used)
        std::memcpy(to.bytes.data() + here.base, from.bytes.data() + there.base,
                    std::min(there.bytes, here.bytes));
}

} // namespace

void InitChecker::call(const Thread& thread, Shadow& own) const {
    if (own.frames.size() == own.depth + 1)
        own.frames.emplace_back();
    const Program& caller = *thread.callers[own.depth].program;
    const RegisterTaint& from = own.frames[own.depth];
    RegisterTaint& to = own.frames[++own.depth];
    start_frame(thread, to);
    for (const isa::Predefined variable : {isa::Predefined::arg, isa::Predefined::retval})
        hand(from, caller, to, *thread.program, variable);
}

// A function that returns goes on in its caller, which is what runs now.
void InitChecker::leave(const Thread& thread, Shadow& own) const {
    const RegisterTaint& from = own.frames[own.depth];
    hand(from, *from.program, own.frames[own.depth - 1], *thread.program, isa::Predefined::retval);
    --own.depth;
}

void InitChecker::follow(const Thread& thread) {
    if (thread.program != program_) {
        program_ = thread.program;
        roles_ = &known_roles_.try_emplace(program_, *program_).first->second;
    }
    Shadow& own = shadow(thread);
    if (own.depth < thread.depth)
        call(thread, own);
    else if (own.depth > thread.depth)
        leave(thread, own);
}

void InitChecker::thread_ended(const Thread& thread) {
    if (thread.depth == shadow(thread).depth &&
        thread.program == shadow(thread).frames[thread.depth].program) {
        follow(thread);
        finish(thread);
    }
}

// A message that raised no event: what it brought is taken as defined.
void InitChecker::finish(const Thread& thread) {
    Shadow& own = shadow(thread);
    if (own.pending == nullptr)
        return;
    const PreparedInstruction& instruction = *own.pending;
    own.pending = nullptr;
    const auto operands = thread.program->operands_of(instruction);
    for (size_t i = 0; i < operands.size(); ++i) {
        if (roles_->operand(instruction, i) != OperandRole::result)
            continue;
        // Without an extent: all of the variable from there on.
        const uint32_t bytes = roles_->bytes(instruction, i);
        const uint32_t room = operands[i].limit - operands[i].base;
        std::memset(registers_of(thread).bytes.data() + operands[i].base, written,
                    bytes == 0 ? room : std::min(bytes, room));
    }
}

void InitChecker::instruction(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) {
    follow(thread);
    finish(thread);
    const InstructionRoles& roles = roles_->of(*thread.program, instruction);
    if (roles.branches || roles.may_store)
        check_predicate(thread, instruction);
    if (roles.has_addresses)
        check_message(thread, instruction, lanes);
    if (roles.has_indirect)
        check_indirect(thread, instruction, lanes);
    if (roles.multiplies)
        return multiply(thread, instruction);
    if (roles.has_result) {
        shadow(thread).pending = &instruction;
        if (roles.brings_all)
            finish(thread);
    } else
        propagate(thread, instruction, lanes);
}

void InitChecker::check_predicate(const Thread& thread, const PreparedInstruction& instruction) {
    const uint32_t undefined = undefined_predicate(thread, instruction);
    if (undefined == 0)
        return;
    report(thread, instruction, channel(instruction, static_cast<unsigned>(std::countr_zero(undefined))),
           predicate_taint(thread, instruction, instruction.predicate.id), "uninitialized-branch",
           roles_->of(*thread.program, instruction).branches
               ? "a branch depends on a value that nobody wrote"
               : "whether a lane stores depends on a value that nobody wrote");
}

// An address register decides which element an operand is.
void InitChecker::check_indirect(const Thread& thread, const PreparedInstruction& instruction,
                                 uint32_t lanes) {
    const std::vector<Taint>& addresses = registers_of(thread).addresses;
    for (const PreparedOperand& operand : thread.program->operands_of(instruction)) {
        if (operand.kind != OperandKind::indirect)
            continue;
        const uint32_t width = std::max<uint32_t>(operand.width, 1);
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            const size_t at = size_t{operand.base} + (operand.multi_address ? lane / width : 0);
            if (at >= addresses.size() || addresses[at] <= untouched)
                continue;
            report(thread, instruction, channel(instruction, lane), addresses[at], "uninitialized-address",
                   "which register an indirect operand is depends on a value that nobody wrote");
            break;
        }
    }
}

void InitChecker::check_message(const Thread& thread, const PreparedInstruction& instruction,
                                uint32_t lanes) {
    const auto operands = thread.program->operands_of(instruction);
    const std::vector<Taint>& bytes = registers_of(thread).bytes;
    for (size_t i = 0; i < operands.size(); ++i) {
        const OperandRole role = roles_->operand(instruction, i);
        if (role == OperandRole::pixels)
            check_pixels(thread, instruction, i, lanes);
        const bool scalar = role == OperandRole::scalar_address;
        if (!scalar && role != OperandRole::lane_address)
            continue;
        LaneTaint values{};
        const uint32_t asked = scalar ? 1 : lanes;
        if (scalar) {
            if (!source(thread, instruction, operands[i], asked, values))
                continue;
        } else {
            const uint32_t each = roles_->bytes(instruction, i);
            const size_t all = size_t{each} * static_cast<size_t>(std::bit_width(lanes));
            if (operands[i].base + all <= bytes.size() && all_written(bytes.data() + operands[i].base, all))
                continue;
            for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
                const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
                values[lane] =
                    bytes_taint(thread, instruction, operands[i].base + int64_t{lane} * each, each);
            }
        }
        for (uint32_t rest = asked; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            if (values[lane] == written)
                continue;
            report(thread, instruction, scalar ? -1 : channel(instruction, lane), values[lane],
                   "uninitialized-address", "an address depends on a value that nobody wrote");
            break;
        }
    }
}

// Typed messages raise no event: what they write to an image is looked at before.
void InitChecker::check_pixels(const Thread& thread, const PreparedInstruction& instruction, size_t index,
                               uint32_t lanes) {
    constexpr uint32_t dword = 4;
    const uint32_t pitch = roles_->bytes(instruction, index);
    const uint32_t channels = roles_->of(*thread.program, instruction).pixel_channels;
    const uint32_t base = thread.program->operands_of(instruction)[index].base;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        for (uint32_t k = 0; k < channels; ++k) {
            const Taint taint = bytes_taint(
                thread, instruction, int64_t{base} + int64_t{k} * pitch + int64_t{lane} * dword, dword);
            if (taint != written)
                return report(thread, instruction, channel(instruction, lane), taint, "uninitialized-store",
                              "a value that nobody wrote is stored to an image");
        }
    }
}

void InitChecker::report(const Thread& thread, const PreparedInstruction& instruction, int lane, Taint taint,
                         std::string_view rule, std::string message, std::string place) {
    const Origins::Origin origin = origins_.describe(taint);
    const auto number = findings_.claim(thread, rule, instruction.source, origin.instruction);
    if (!number)
        return;
    Finding finding{
        .kind = Kind::init, .rule = rule, .message = std::move(message), .place = std::move(place)};
    finding.party = party(thread, instruction, lane);
    if (origin.function == thread.program->function.get()) {
        finding.other = Party{.group = thread.group->id,
                              .thread = thread.index,
                              .lane = -1,
                              .instruction = origin.instruction,
                              .doing = fmt::format("reads {}, which nobody wrote", origin.what)};
    } else if (origin.function != nullptr) {
        finding.notes.push_back(
            fmt::format("`{}` read {}, which nobody wrote: `{}`", origin.function->name, origin.what,
                        text::print(*origin.function, origin.function->code[origin.instruction])));
    } else {
        finding.notes.push_back(fmt::format("it came from {}", origin.what));
    }
    findings_.add(*number, thread, std::move(finding));
}

std::unique_ptr<machine::Watcher> init_checker(Findings& findings) {
    return std::make_unique<InitChecker>(findings);
}

} // namespace visor::check
