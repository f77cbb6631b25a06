// Surface messages by lane: the _SCALED and 4_SCALED forms, QW_GATHER and QW_SCATTER. GATHER and SCATTER,
// which compilers no longer emit, are interpreter fallbacks.
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "jit/translate/memory_message.h"

namespace visor::jit {

namespace {

using llvm::Value;

namespace opcode = isa::opcode;

namespace scaled_field = isa::operand_order::gather_scaled;
namespace scaled4_field = isa::operand_order::gather4_scaled;
namespace qword_field = isa::operand_order::qw_gather;

struct Access {
    size_t surface = 0;
    int offset = -1; // operand of the common offset; -1: none
    size_t element_offsets = 0;
    size_t data = 0;
    bool is_load = true;
    uint32_t alignment = 1; // that the page requires of an address
    bool by_dwords = false; // the two low bits of an address are ignored (ruling 3)
    Shape shape;
};

bool transfer(Translator& translator, const PreparedInstruction& instruction, const Access& access) {
    Messages messages(translator, instruction);
    const Shape& shape = access.shape;
    if (!messages.has_bytes(access.element_offsets, shape.lanes * 4) ||
        !messages.has_bytes(access.data, shape.register_bytes()))
        return false;
    llvm::IRBuilder<>& ir = translator.ir();
    Value* common = ir.getInt64(0);
    if (access.offset >= 0)
        common = translator.scalar(translator.operand(instruction, static_cast<size_t>(access.offset)));
    if (common == nullptr)
        return false;
    Value* const elements =
        translator.load_raw(translator.operand(instruction, access.element_offsets), 0, 32, shape.lanes);
    Value* offsets =
        ir.CreateAdd(elements, translator.splat(ir.CreateTrunc(common, ir.getInt32Ty()), shape.lanes));
    messages.expect_aligned(offsets, access.alignment);
    if (access.by_dwords)
        offsets = ir.CreateAnd(offsets, translator.constant(32, ~uint64_t{3}, shape.lanes));
    const PreparedOperand& data = translator.operand(instruction, access.data);
    const Mask mask = translator.enabled(instruction);
    return messages.in_surface(translator.operand(instruction, access.surface),
                               [&](const SurfaceWindow& window) {
                                   return access.is_load ? messages.load(window, offsets, mask, shape, data)
                                                         : messages.store(window, offsets, mask, shape, data);
                               });
}

} // namespace

bool lowering::scattered(Translator& translator, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    const uint32_t lanes = instruction.execution.size;
    Access access;
    access.shape.lanes = lanes;
    switch (code) {
    case opcode::gather_scaled:
    case opcode::scatter_scaled: {
        const uint64_t size = translator.literal(instruction, scaled_field::num_blocks);
        if (size > 2)
            return false;
        access.surface = scaled_field::surface;
        access.offset = scaled_field::offset;
        access.element_offsets = scaled_field::element_offset;
        access.data = scaled_field::data;
        access.is_load = code == opcode::gather_scaled;
        access.shape.unit_bits = 8U << size;
        break;
    }
    case opcode::gather4_scaled:
    case opcode::scatter4_scaled:
        access.surface = scaled4_field::surface;
        access.offset = scaled4_field::offset;
        access.element_offsets = scaled4_field::element_offset;
        access.data = scaled4_field::data;
        access.is_load = code == opcode::gather4_scaled;
        access.by_dwords = true;
        access.alignment = 4;
        access.shape.channels = translator.literal(instruction, scaled4_field::channels) & 0xfU;
        access.shape.unit_stride = payload_lanes(translator.program(), lanes) * 4;
        break;
    case opcode::qw_gather:
    case opcode::qw_scatter: {
        const uint64_t blocks = translator.literal(instruction, qword_field::num_blocks);
        if (blocks > 3)
            return false;
        access.surface = qword_field::surface;
        access.element_offsets = qword_field::offset;
        access.data = qword_field::data;
        access.is_load = code == opcode::qw_gather;
        access.shape.channels = (uint64_t{1} << (1U << blocks)) - 1;
        access.shape.unit_bits = access.shape.slot_bits = 64;
        access.alignment = 8;
        access.shape.unit_stride = payload_lanes(translator.program(), lanes) * 8;
        break;
    }
    default:
        return false;
    }
    return transfer(translator, instruction, access);
}

} // namespace visor::jit
