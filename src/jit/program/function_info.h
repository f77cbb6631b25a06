// Function analysis on vISA: promotion of registers to values, block leaders, entry points with liveness,
// convergence, and the floating-point mode of each instruction. Includes no LLVM, and no semantics of
// instructions.
#pragma once

#include "program/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace visor::jit {

// A range of the register file that operands access together.
struct Root {
    uint32_t base = 0;
    uint32_t bytes = 0;    // a multiple of 4
    bool pinned = false;   // lives in memory: accessed by address
    bool input = false;    // initialized when the function starts
    bool local = false;    // values of disabled lanes are dead
    bool by_lane = false;  // each byte belongs to one lane
    bool constant = false; // an input that is never written: loaded at each entry, or once for all threads
    bool rematerialized = false; // rematerialized in each block that uses it (program/rematerialize.h)
};

[[nodiscard]] inline bool is_register(const PreparedOperand& operand) {
    return (operand.kind == OperandKind::general || operand.kind == OperandKind::raw) && !operand.null;
}
// The number of address-file elements of an address operand or an indirect one.
[[nodiscard]] uint32_t addresses_of(const PreparedInstruction& instruction, const PreparedOperand& operand);
[[nodiscard]] inline bool is_result(isa::FieldKind kind) {
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
}
[[nodiscard]] inline bool is_result(const PreparedInstruction& instruction, size_t operand) {
    return is_result(isa::field_of_operand(*instruction.row, operand).kind);
}

// Whether lane i reads only its own elements of vector operands, by their regions, and writes all of its own.
// Not so where lanes are summed, regions are ignored, or a result has two parts.
[[nodiscard]] bool is_lane_wise(const PreparedInstruction& instruction);

// Registers, predicates and address elements as one numbered set.
using Items = std::vector<uint32_t>;

struct FunctionInfo {
    std::vector<Root> roots; // ascending
    std::vector<bool> leader;
    std::vector<bool> convergent;                    // all dispatched lanes are enabled
    std::vector<std::optional<uint32_t>> float_mode; // %cr0 before the instruction, if known
    std::vector<uint32_t> entries;  // code indices where a thread can start or resume, ascending
    std::vector<Items> live;        // live-in items of each entry
    std::vector<bool> plain_branch; // a uniform goto
    // By join: the first instruction after which lanes may be parked there; no_target: never.
    std::vector<uint32_t> waited_from;
    std::map<uint32_t, std::vector<uint32_t>>
        rematerialized;               // by leader: the instructions to execute again there
    std::vector<bool> needs_no_blend; // results of disabled lanes are dead: no blend with the old value
    bool spins = false;               // has atomics or fences: may wait for other threads

    [[nodiscard]] uint32_t root_at(uint32_t byte) const; // the root that contains this byte
    [[nodiscard]] uint32_t predicate_item(uint32_t id) const {
        return static_cast<uint32_t>(roots.size()) + id;
    }
    [[nodiscard]] uint32_t address_item(const Program& program, uint32_t element) const {
        return predicate_item(program.predicate_count) + element;
    }
};

// Why the JIT rejects the function; "": it compiles it.
[[nodiscard]] const char* refusal(const Program& program);
// Whether it is too long for LLVM's optimizations, some of which take more than linear time: tier 1 code, or
// none.
[[nodiscard]] bool is_tier1_only(const Program& program);

// A `movs` of a constant binding-table index to an element of a surface variable.
struct NamedSurface {
    uint32_t element;
    uint32_t number;
};
[[nodiscard]] std::optional<NamedSurface> named_surface(const Program& program, const FunctionInfo& info,
                                                        uint32_t index, bool full);
// Whether an instruction writes surface variables.
[[nodiscard]] bool moves_surface(const Program& program, const PreparedInstruction& instruction);
// Whether an instruction of one lane executes unconditionally whenever control reaches it.
[[nodiscard]] bool runs_always(const FunctionInfo& info, const PreparedInstruction& instruction,
                               uint32_t index, bool full);
// An integer of 32 or 64 bits in an input that is never written.
[[nodiscard]] bool is_given_input(const Program& program, const FunctionInfo& info,
                                  const PreparedOperand& operand);

// `simd` lanes a thread; `full`: all of them were dispatched.
[[nodiscard]] FunctionInfo analyze_function(const Program& program, uint32_t simd, bool full);

// Whether another thread may write the instruction's results while this one waits (DPASW page).
[[nodiscard]] bool meets_partner(const PreparedInstruction& instruction);

// Whether the thread may stop at the instruction, or continue elsewhere than after it.
[[nodiscard]] bool may_stop(const PreparedInstruction& instruction);

// Whether control never falls through to the next instruction.
[[nodiscard]] bool leaves(const PreparedInstruction& instruction);

} // namespace visor::jit
