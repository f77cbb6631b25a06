// Indirect operands, by address registers: r[A0(0), 8]<..>. What such an operand may access lives in memory
// and is read and written there, at range-checked offsets. If a lane would leave the address-taken variables
// (ruling 147), the instruction is an interpreter fallback, which reports the lane.
#include "jit/ir/bounds.h"
#include "jit/translate/translator.h"

#include <algorithm>
#include <numeric>

namespace visor::jit {

namespace {

constexpr llvm::Align any_alignment; // any byte

// Elements of an operand's region for one address, counted from its first.
std::vector<uint32_t> elements_of(const PreparedOperand& operand, uint32_t lanes) {
    std::vector<uint32_t> out(lanes);
    for (uint32_t k = 0; k < lanes; ++k)
        out[k] = element_of(operand, k);
    return out;
}

// Whether the instruction is without effect where no lane is active. Messages have scalar operands, and
// instructions that write predicates may write those of inactive lanes.
bool only_lanes_matter(const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    return (row.family == isa::Family::arith || row.family == isa::Family::logic ||
            row.family == isa::Family::move) &&
           !isa::has(row, isa::writes_predicate);
}

} // namespace

// The lanes whose sources an instruction reads. A predicate that selects, or that is a result, disables none.
Mask Translator::reading(const Instruction& instruction) {
    const bool switches = !isa::has(*instruction.row, isa::predicate_selects) &&
                          !isa::has(*instruction.row, isa::writes_predicate);
    return switches ? enabled(instruction) : masked(instruction.execution);
}

// Per lane: its address register.
Translator::Value* Translator::indirect_addresses(const PreparedOperand& operand, uint32_t lanes) {
    if (!operand.multi_address || lanes == 1)
        return splat(load_address(operand.base), lanes);
    const uint32_t width = std::max<uint32_t>(operand.width, 1);
    Value* all = llvm::PoisonValue::get(vector(ir_.getInt32Ty(), lanes));
    for (uint32_t k = 0; k < lanes; ++k)
        all = ir_.CreateInsertElement(all, load_address(operand.base + k / width), uint64_t{k});
    return all;
}

// Byte offsets in the register file, modulo 2^32.
Translator::Value* Translator::indirect_offsets(const PreparedOperand& operand, Value* addresses,
                                                uint32_t lanes) {
    const std::vector<uint32_t> elements = elements_of(operand, lanes);
    std::vector<llvm::Constant*> bytes;
    for (const uint32_t element : elements)
        bytes.push_back(
            ir_.getInt32(static_cast<uint32_t>(operand.offset) + element * isa::size_of(operand.type)));
    return ir_.CreateAdd(addresses, lanes == 1 ? bytes[0] : llvm::ConstantVector::get(bytes));
}

// One address for all lanes: the pointer from it and the operand's offset, valid for `bytes` bytes.
Translator::Value* Translator::indirect_pointer(const PreparedOperand& operand, uint64_t bytes) {
    Value* const at = ir_.CreateAdd(ir_.CreateZExt(load_address(operand.base), ir_.getInt64Ty()),
                                    ir_.getInt64(static_cast<uint64_t>(int64_t{operand.offset})));
    return Bounds(ir_).behind({Guard::registers, Use::unit}, registers_, at,
                              {0, static_cast<int64_t>(bytes)});
}

// i1: whether all that the operand accesses is in the address-taken variables.
Translator::Value* Translator::indirect_fits(const PreparedOperand& operand, uint32_t lanes) {
    const uint32_t size = isa::size_of(operand.type);
    const Bounds::Variables variables{program_.addressable.begin, program_.addressable.end};
    if (operand.multi_address && lanes > 1) {
        Value* const addresses = indirect_addresses(operand, lanes);
        Value* const offsets = indirect_offsets(operand, addresses, lanes);
        Value* const in = Bounds(ir_).lanes_in_registers(addresses, offsets, size, variables);
        return every(ir_.CreateOr(in, ir_.CreateNot(lanes_on(reading(program_.code[index_]), lanes))));
    }
    const std::vector<uint32_t> elements = elements_of(operand, lanes);
    const uint64_t bytes = (uint64_t{*std::ranges::max_element(elements)} + 1) * size;
    return Bounds(ir_).bytes_in_registers(load_address(operand.base), operand.offset, bytes, variables);
}

Translator::Value* Translator::load_indirect(const PreparedOperand& operand, uint32_t lanes) {
    const uint32_t size = isa::size_of(operand.type);
    if (operand.multi_address && lanes > 1) {
        auto* const unit = vector(integer(std::max(size, 4U) * 8), lanes);
        Value* const offsets = indirect_offsets(operand, indirect_addresses(operand, lanes), lanes);
        // Narrow elements are read as dwords: the register file has 64 bytes after the last variable.
        Value* const wide = ir_.CreateZExt(offsets, vector(ir_.getInt64Ty(), lanes));
        Value* const on = lanes_on(reading(program_.code[index_]), lanes);
        Value* const from =
            Bounds(ir_).behind({Guard::registers, Use::lanes}, registers_, wide, {0, std::max(size, 4U)});
        Value* const read =
            ir_.CreateMaskedGather(unit, from, any_alignment, on, llvm::Constant::getNullValue(unit));
        return ir_.CreateTrunc(read, vector(integer(size * 8), lanes));
    }
    const std::vector<uint32_t> elements = elements_of(operand, lanes);
    const std::vector<int> order(elements.begin(), elements.end());
    const auto count = static_cast<uint32_t>(*std::ranges::max_element(order)) + 1;
    return reshaped(ir_.CreateAlignedLoad(vector(integer(size * 8), count),
                                          indirect_pointer(operand, uint64_t{count} * size), any_alignment),
                    order);
}

// Gaps between the elements and inactive lanes are written back unchanged: the register file is private to
// the thread.
void Translator::store_indirect(const PreparedOperand& operand, Value* values, const Mask& mask) {
    const uint32_t lanes = lanes_of(values);
    const uint32_t stride = operand.vertical;
    const uint32_t count = stride == 0 ? 1 : (lanes - 1) * stride + 1;
    Value* const pointer =
        indirect_pointer(operand, uint64_t{count} * values->getType()->getScalarSizeInBits() / 8);
    if (lanes == 1 || (stride == 1 && mask.all())) {
        Value* stored = values;
        if (!mask.all())
            stored = ir_.CreateSelect(lanes_on(mask, lanes), values,
                                      ir_.CreateAlignedLoad(values->getType(), pointer, any_alignment));
        ir_.CreateAlignedStore(stored, pointer, any_alignment);
        return;
    }
    Value* const on = lanes_on(mask, lanes);
    if (stride == 0) { // the last active lane
        for (uint32_t k = 0; k < lanes; ++k) {
            Value* const before =
                ir_.CreateAlignedLoad(values->getType()->getScalarType(), pointer, any_alignment);
            ir_.CreateAlignedStore(ir_.CreateSelect(lane(on, k), lane(values, k), before), pointer,
                                   any_alignment);
        }
        return;
    }
    auto* const type = vector(values->getType()->getScalarType(), count);
    Value* const before = ir_.CreateAlignedLoad(type, pointer, any_alignment);
    std::vector<int> positions(lanes);
    std::vector<int> lengthen(count, -1);
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t k = 0; k < lanes; ++k) {
        positions[k] = static_cast<int>(k * stride);
        lengthen[k] = static_cast<int>(k);
        order[size_t{k} * stride] = static_cast<int>(count + k);
    }
    Value* const blended = ir_.CreateSelect(on, values, reshaped(before, positions));
    Value* const after =
        stride == 1 ? blended
                    : ir_.CreateShuffleVector(before, ir_.CreateShuffleVector(blended, lengthen), order);
    ir_.CreateAlignedStore(after, pointer, any_alignment);
}

bool Translator::lower_indirect(const Instruction& instruction) {
    Value* holds = ir_.getTrue();
    const auto operands = program_.operands_of(instruction);
    for (size_t k = 0; k < operands.size(); ++k) {
        if (operands[k].kind != OperandKind::indirect)
            continue;
        const isa::FieldKind kind = isa::field_of_operand(*instruction.row, k).kind;
        const uint32_t lanes = kind == isa::FieldKind::scalar_src ? 1 : instruction.execution.size;
        holds = ir_.CreateAnd(holds, indirect_fits(operands[k], lanes));
    }
    const auto lowered = [&] {
        if (!lower_family(instruction))
            leave_to_interpreter();
    };
    if (!only_lanes_matter(instruction)) {
        guarded(holds, lowered);
        return true;
    }
    // Without active lanes it does nothing, and the addresses of inactive lanes may be anything.
    llvm::BasicBlock* const active = block("active");
    llvm::BasicBlock* const done = block("done");
    Value* const on = any(lanes_on(reading(instruction), instruction.execution.size));
    ir_.CreateCondBr(ir_.CreateOr(holds, on), active, done);
    begin(active);
    guarded(holds, lowered);
    ir_.CreateBr(done);
    begin(done);
    return true;
}

} // namespace visor::jit
