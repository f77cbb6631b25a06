// A function made ready to run: flat, immutable, engine-neutral. Variables have addresses in one register
// file per thread, operands are resolved to byte offsets, labels to code indices, and the points where
// divergent lanes meet again are known. Both engines start from here; neither changes it.
#pragma once

#include "diagnostic/diagnostic.h"
#include "isa/device.h"
#include "isa/predefined.h"
#include "isa/row.h"
#include "module/extent.h"
#include "module/module.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace visor {

inline constexpr uint32_t no_target = UINT32_MAX;

// An operand with its place found. Which members mean something depends on `kind`, as in visor::Operand.
struct PreparedOperand {
    OperandKind kind = OperandKind::absent;
    isa::Type type = isa::Type::ud; // element type: the variable's, the immediate's, the indirect operand's
    SourceModifier modifier = SourceModifier::none;
    bool null = false;          // the null variable: reads zero, writes nothing
    bool multi_address = false; // indirect <w,h>: one address element for every `width` lanes
    // Strides in elements. Source element k is at (k / width) * vertical + (k % width) * horizontal; a
    // destination has width 1 and vertical = its stride. Of an address source `width` elements are used, over
    // and over when the instruction has more lanes.
    uint8_t vertical = 0;
    uint8_t width = 1;
    uint8_t horizontal = 0;
    uint32_t base = 0; // general, raw, address_of: byte offset in the register file. address, state: first
                       // element in its file. surface, sampler: element in the state file. predicate: index.
                       // indirect: first element in the address file. label: code index. string, variable: id
    uint32_t limit = 0; // general, raw: first byte past the storage of the root variable
    int32_t offset = 0; // indirect: immediate bytes
    uint64_t value = 0; // immediate bits, literal
};

// Of a surface operand: %bss, which holds a handle, not a binding-table index.
[[nodiscard]] inline bool is_bindless(const PreparedOperand& operand) {
    return operand.base == static_cast<uint32_t>(isa::PredefinedSurface::bss);
}

// Where a lane's element is, in elements behind the first one; behind the first of its row where each row has
// an address of its own.
[[nodiscard]] inline uint32_t element_of(const PreparedOperand& operand, uint32_t lane) {
    const uint32_t width = std::max<uint32_t>(operand.width, 1);
    return (operand.multi_address ? 0U : lane / width * operand.vertical) + lane % width * operand.horizontal;
}

// Of a source's region: all lanes read one element.
[[nodiscard]] inline bool is_scalar(const PreparedOperand& operand) {
    return operand.vertical == 0 && (operand.width == 1 || operand.horizontal == 0) && !operand.multi_address;
}

struct PreparedInstruction {
    const isa::Row* row = nullptr;
    Execution execution;
    Predicate predicate;
    bool saturate = false;
    uint8_t operand_count = 0;
    uint32_t first_operand = 0;  // in Program::operands
    uint32_t target = no_target; // goto, jmp, call: code index of the label
    uint32_t join = no_target;   // index in Program::joins when lanes may be waiting here
    uint32_t source = 0;         // index in Function::code
};

struct VariableSlot {
    uint32_t base = 0;  // bytes, in the register file
    uint32_t bytes = 0; // declared size
    bool used = false;  // has storage
};

// Bytes [begin, end) of a register file.
struct RegisterRange {
    uint32_t begin = 0;
    uint32_t end = 0;

    [[nodiscard]] bool empty() const { return begin == end; }
    // Whether [at, at + bytes) lies inside; `at` may be any number that an address register and an immediate
    // offset add up to.
    [[nodiscard]] bool contains(int64_t at, uint64_t bytes) const {
        return at >= int64_t{begin} && bytes <= end - begin &&
               at <= int64_t{end} - static_cast<int64_t>(bytes);
    }
};

struct Program {
    std::shared_ptr<const Function> function; // names, for messages
    const isa::Device* device = nullptr;
    uint32_t simd = 0;  // SimdSize attribute; 0 = not given
    bool calls = false; // has fcall or ifcall, or is a function: what calls hand on has storage
    std::vector<PreparedInstruction> code;
    std::vector<PreparedOperand> operands;
    std::vector<uint32_t> joins;         // code indices, ascending
    std::vector<VariableSlot> variables; // by general id, predefined ones included
    uint32_t register_bytes = 0;         // register file of one thread, a multiple of 64
    // What indirect operands reach: the variables whose address the function takes, one after the other and
    // without gaps (ruling 147). An indirect access that leaves it is a fault in both engines, so that no
    // other register changes but by an operand that names it.
    RegisterRange addressable;
    uint32_t predicate_count = 1; // predicate 0 is never used
    uint32_t address_elements = 0;
    uint32_t surface_elements = 0; // ids 0..5 hold one element each, then the declared ones
    uint32_t sampler_elements = 0;
    uint32_t bindless_sampler = 0;      // the element of S31, the last one
    std::vector<uint32_t> address_base; // by id: first element
    std::vector<uint32_t> surface_base; // by id
    std::vector<uint32_t> sampler_base; // by id

    [[nodiscard]] std::span<const PreparedOperand> operands_of(const PreparedInstruction& instruction) const {
        return {operands.data() + instruction.first_operand, instruction.operand_count};
    }
    [[nodiscard]] uint32_t register_base(isa::Predefined variable) const {
        return variables[isa::id(variable)].base;
    }
    [[nodiscard]] const Instruction& source_of(const PreparedInstruction& instruction) const {
        return function->code[instruction.source];
    }
};

namespace program {

using visor::extent;

// The program of one function of a module. What cannot be prepared (an index that names nothing, see
// indices.h; a register file over the limit) is reported. Every static access lies inside its root variable's
// storage: storage is widened where the text reaches past a declaration.
[[nodiscard]] std::optional<Program> prepare(std::shared_ptr<const Function> function,
                                             const isa::Device& device, Diagnostics& diagnostics);

// Upper bound of a thread's register file; what asks for more is refused.
inline constexpr uint32_t max_register_bytes = 16U << 20U;

} // namespace program

} // namespace visor
