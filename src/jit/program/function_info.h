// Function analysis on vISA: which registers live in values and which in memory, where blocks begin, where
// the function can be entered, what is live there, where control flow is convergent, and in which floating-
// point mode an instruction runs. Nothing of LLVM, nothing of what an instruction does.
#pragma once

#include "program/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace visor::jit {

// A stream of the register file that operands reach together.
struct Root {
    uint32_t base = 0;
    uint32_t bytes = 0;    // a multiple of 4
    bool pinned = false;   // lives in memory: something reaches it by address
    bool input = false;    // holds something when the function starts
    bool local = false;    // what lanes that are off had in it is never looked at
    bool by_lane = false;  // each byte belongs to one lane
    bool constant = false; // an input that nobody writes: read where a thread begins and goes on, or for all
    bool rematerialized = false; // rematerialized in each block that looks at it (program/rematerialize.h)
};

[[nodiscard]] inline bool is_register(const PreparedOperand& operand) {
    return (operand.kind == OperandKind::general || operand.kind == OperandKind::raw) && !operand.null;
}
// How many elements of the address file an operand names: of addresses, or an indirect one.
[[nodiscard]] uint32_t addresses_of(const PreparedInstruction& instruction, const PreparedOperand& operand);
[[nodiscard]] inline bool is_result(isa::FieldKind kind) {
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
}
[[nodiscard]] inline bool is_result(const PreparedInstruction& instruction, size_t operand) {
    return is_result(isa::field_of_operand(*instruction.row, operand).kind);
}

// Whether lane i takes no elements of vector operands but those that their regions give it, and writes all of
// its own: not so where groups of lanes are summed, regions are ignored, or a result has two parts.
[[nodiscard]] bool goes_by_lane(const PreparedInstruction& instruction);

// Registers, predicates and address elements as one numbered set.
using Items = std::vector<uint32_t>;

struct FunctionInfo {
    std::vector<Root> roots; // ascending
    std::vector<bool> leader;
    std::vector<bool> convergent;                    // every lane that was dispatched is running
    std::vector<std::optional<uint32_t>> float_mode; // %cr0 before the instruction, where it is known
    std::vector<uint32_t> entries;                   // code indices where a thread can go on, ascending
    std::vector<Items> alive;                        // at each entry
    std::vector<bool> plain_branch;                  // a goto that all lanes take or none
    // By join: the first instruction behind which lanes may be waiting there; no_target: they never do.
    std::vector<uint32_t> waited_from;
    std::map<uint32_t, std::vector<uint32_t>>
        rematerialized;              // by leader: the instructions to execute once more there
    std::vector<bool> keeps_nothing; // results need not keep what lanes that are off had in them
    bool spins = false;              // has atomics or fences: may wait for other threads

    [[nodiscard]] uint32_t root_at(uint32_t byte) const; // the root that holds this byte
    [[nodiscard]] uint32_t predicate_item(uint32_t id) const {
        return static_cast<uint32_t>(roots.size()) + id;
    }
    [[nodiscard]] uint32_t address_item(const Program& program, uint32_t element) const {
        return predicate_item(program.predicate_count) + element;
    }
};

// What an engine refuses to compile, and why; "" = nothing.
[[nodiscard]] const char* refusal(const Program& program);
// Whether it is too long for LLVM's better ways, some of which take more than linear time: its code is made
// quickly, or not at all.
[[nodiscard]] bool only_quickly(const Program& program);

// A surface variable's element that gets a binding-table index which the code names.
struct NamedSurface {
    uint32_t element;
    uint32_t number;
};
[[nodiscard]] std::optional<NamedSurface> named_surface(const Program& program, const FunctionInfo& info,
                                                        uint32_t index, bool full);
// Whether an instruction of one lane does its work each time that control comes to it.
[[nodiscard]] bool runs_always(const FunctionInfo& info, const PreparedInstruction& instruction,
                               uint32_t index, bool full);
// An integer of 32 or 64 bits, as it stands in an input that nobody writes.
[[nodiscard]] bool is_given_input(const Program& program, const FunctionInfo& info,
                                  const PreparedOperand& operand);

// `simd` lanes a thread; `full`: all of them were dispatched.
[[nodiscard]] FunctionInfo analyze_function(const Program& program, uint32_t simd, bool full);

// Whether another thread may write an instruction's results while this one waits (DPASW page).
[[nodiscard]] bool meets_partner(const PreparedInstruction& instruction);

// Whether an instruction may leave the thread somewhere else than behind it, or not running.
[[nodiscard]] bool may_stop(const PreparedInstruction& instruction);

// Whether control never goes on behind the instruction.
[[nodiscard]] bool leaves(const PreparedInstruction& instruction);

} // namespace visor::jit
