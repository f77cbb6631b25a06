// What an instruction's operands are to somebody who follows values: read once from the rows when a launch
// begins, so that nothing is looked up while it runs.
#pragma once

#include "program/program.h"

#include <cstdint>
#include <vector>

namespace visor::check {

enum class OperandRole : uint8_t {
    none,
    source,         // lane i of the result depends on lane i of it
    destination,    // lane-wise
    pair,           // madw: two blocks of whole registers
    result,         // a message's, whose events tell what it gets
    lane_address,   // of a message, an address a lane
    scalar_address, // of a message
    pixels,         // what a typed message writes: a dword for each channel of a lane
};

struct InstructionRoles {
    bool branches = false;
    bool has_addresses = false;
    uint8_t pixel_channels = 0; // of `pixels`
    bool has_indirect = false;  // operands through address registers
    bool has_result = false;
    bool brings_all = false; // a 2D block: zeros for what lies outside its surface, of which no event tells
    bool multiplies = false; // matrices
    bool may_store = false;  // predicated: whether a lane writes to memory
    bool selects = false;    // sel: the first source where the predicate is on
    bool masks = false;      // `and` with a constant: only its bytes matter
    bool intersects = false; // `and` of two values: one may mask away what is undefined of the other
    bool always_the_same = false; // a value compared with itself
};

class Roles {
public:
    Roles() = default;
    explicit Roles(const Program& program);

    [[nodiscard]] const InstructionRoles& of(const Program& program,
                                             const PreparedInstruction& instruction) const {
        return instructions_[static_cast<size_t>(&instruction - program.code.data())];
    }
    [[nodiscard]] OperandRole operand(const PreparedInstruction& instruction, size_t index) const {
        return operands_[instruction.first_operand + index];
    }
    // Bytes of the register file that a lane_address has for each lane, a pair for each half, a result in
    // all; of pixels, from a channel to the next.
    [[nodiscard]] uint32_t bytes(const PreparedInstruction& instruction, size_t index) const {
        return bytes_[instruction.first_operand + index];
    }

private:
    void add_operand(const Program& program, const PreparedInstruction& instruction, size_t index,
                     InstructionRoles& roles);

    std::vector<InstructionRoles> instructions_; // by code index
    std::vector<OperandRole> operands_;          // by operand of the program
    std::vector<uint32_t> bytes_;
};

} // namespace visor::check
