#include "debug/gdb/addresses.h"

#include "isa/marks.h"

#include <algorithm>

namespace visor::debug::gdb {

namespace {

constexpr uint64_t word_bytes = 8;
constexpr uint64_t code_alignment = 64;

PlacedCode placed_at(uint64_t begin, const std::shared_ptr<const Code>& code) {
    PlacedCode placed{.code = code, .begin = begin, .instructions = {}, .ranks = {}};
    uint32_t index = 0;
    for (const Instruction& instruction : code->function().code) {
        placed.ranks.push_back(static_cast<uint32_t>(placed.instructions.size()));
        if (!isa::is_mark(*instruction.row) && !isa::is_note(*instruction.row))
            placed.instructions.push_back(index);
        ++index;
    }
    return placed;
}

// Of the stack pointer of a thread without calls.
uint64_t stack_top(uint32_t thread) {
    return stack_window + (uint64_t{thread} + 1) * stack_bytes - word_bytes;
}

} // namespace

std::array<std::byte, instruction_bytes> nop_of(uint32_t number) {
    std::array<std::byte, instruction_bytes> out{std::byte{0x0f}, std::byte{0x1f}, std::byte{0x84},
                                                 std::byte{0x00}};
    for (size_t k = 0; k < sizeof number; ++k)
        out[4 + k] = static_cast<std::byte>(number >> (8 * k));
    return out;
}

bool Addresses::add(std::span<const std::shared_ptr<const Code>> codes) {
    bool is_new = false;
    for (const auto& code : codes) {
        const bool known = std::ranges::any_of(
            placed_, [&](const PlacedCode& one) { return one.code->shared() == code->shared(); });
        if (known)
            continue;
        PlacedCode placed = placed_at(end_, code);
        // At least one address, also of a function without instructions that run.
        const uint64_t bytes = std::max<uint64_t>(placed.end() - placed.begin, instruction_bytes);
        if (bytes + code_alignment > code_window_end - end_)
            continue;
        end_ = (placed.begin + bytes + code_alignment) / code_alignment * code_alignment;
        placed_.push_back(std::move(placed));
        is_new = true;
    }
    return is_new;
}

uint64_t Addresses::of(const Function& function, uint32_t instruction) const {
    const auto found = std::ranges::find_if(
        placed_, [&](const PlacedCode& one) { return &one.code->function() == &function; });
    if (found == placed_.end())
        return 0;
    if (instruction >= found->ranks.size())
        return found->end();
    return found->begin + uint64_t{found->ranks[instruction]} * instruction_bytes;
}

std::optional<CodePlace> Addresses::at(uint64_t address) const {
    const auto behind = std::ranges::upper_bound(placed_, address, {}, &PlacedCode::begin);
    if (behind == placed_.begin())
        return std::nullopt;
    const PlacedCode& code = *std::prev(behind);
    const uint64_t rank = (address - code.begin) / instruction_bytes;
    if (rank >= code.instructions.size())
        return std::nullopt;
    return CodePlace{&code, code.instructions[rank]};
}

uint64_t Addresses::program_counter(const Session& session, const machine::Thread& thread) const {
    return of(*thread.program->function, session.instruction_of(thread));
}

uint64_t Addresses::stack_pointer(const machine::Thread& thread) {
    return stack_top(thread.index) - uint64_t{thread.depth} * word_bytes;
}

uint64_t Addresses::stack_word(const Session& session, uint64_t address) const {
    if (address < stack_window)
        return 0;
    const uint64_t index = (address - stack_window) / stack_bytes;
    const machine::Thread* const thread =
        index > UINT32_MAX ? nullptr : session.thread(static_cast<uint32_t>(index));
    if (thread == nullptr || address > stack_top(thread->index))
        return 0;
    // The stack grows down: at the top, with no call, nothing; below it where each callee returns to.
    const uint64_t depth = (stack_top(thread->index) - address) / word_bytes;
    if (depth == 0 || depth > thread->depth)
        return 0;
    const machine::Frame& caller = thread->callers[depth - 1];
    const auto& code = caller.program->code;
    const uint32_t next = caller.pc < code.size()
                              ? code[caller.pc].source
                              : static_cast<uint32_t>(caller.program->function->code.size());
    return of(*caller.program->function, next);
}

} // namespace visor::debug::gdb
