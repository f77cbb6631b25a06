// Flat messages of the older devices: SVM_BLOCK_LD and _ST, SVM_GATHER and _SCATTER, their 4_SCALED forms.
// Addresses are byte-exact whatever their alignment (ruling 17).
#include "isa/codec.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "jit/translate/memory_message.h"

namespace visor::jit {

namespace {

using llvm::Value;

namespace code = isa::sub_opcode::svm;
namespace block_field = isa::operand_order::svm_block;
namespace lane_field = isa::operand_order::svm_gather;
namespace scaled4_field = isa::operand_order::svm_gather4scaled;

bool block(Translator& translator, const PreparedInstruction& instruction, bool is_load) {
    const uint64_t code = translator.literal(instruction, block_field::properties) & 7U;
    Messages messages(translator, instruction);
    const PreparedOperand& data = translator.operand(instruction, block_field::data);
    Value* const address = translator.scalar(translator.operand(instruction, block_field::address));
    if (code > 4 || address == nullptr || data.null || !messages.has_bytes(block_field::data, 16U << code))
        return false;
    const bool by_dwords =
        (translator.literal(instruction, block_field::properties) & isa::svm_block_unaligned_read) != 0;
    messages.expect_aligned(address, by_dwords ? 4 : 16);
    if (is_load)
        messages.load_block(address, 16U << code, data);
    else
        messages.store_block(address, 16U << code, data);
    return true;
}

// Bytes have no alignment.
bool transfer(Translator& translator, const PreparedInstruction& instruction, Value* addresses,
              const Shape& shape, size_t data_field, bool is_load, bool of_bytes) {
    Messages messages(translator, instruction);
    const PreparedOperand& data = translator.operand(instruction, data_field);
    if (!messages.has_bytes(data_field, shape.register_bytes()))
        return false;
    messages.expect_aligned(addresses, of_bytes ? 1 : shape.unit_bits / 8);
    const Mask mask = translator.enabled(instruction);
    return is_load ? messages.load(addresses, mask, shape, data)
                   : messages.store(addresses, mask, shape, data);
}

// Block sizes 1, 4, 8 as codes 0, 1, 2; the page of SVM_GATHER numbers the last one 3. Bytes are packed in a
// lane's dword, eight of them in its qword.
bool lanes(Translator& translator, const PreparedInstruction& instruction, bool is_load) {
    const uint64_t type = translator.literal(instruction, lane_field::block_size);
    const uint64_t code = translator.literal(instruction, lane_field::num_blocks);
    const uint32_t size = instruction.execution.size;
    if (code > 3 || type > 3 || !Messages(translator, instruction).has_bytes(lane_field::addresses, size * 8))
        return false;
    Shape shape{.lanes = size};
    if (type == 0) {
        shape.unit_bits = 8U << code;
        shape.slot_bits = code == 3 ? 64 : 32;
    } else {
        shape.unit_bits = shape.slot_bits = type == 1 ? 32 : 64;
        shape.channels = (uint64_t{1} << (1U << code)) - 1;
        shape.unit_stride = payload_lanes(translator.program(), size) * shape.unit_bits / 8;
    }
    Value* const addresses =
        translator.load_raw(translator.operand(instruction, lane_field::addresses), 0, 64, size);
    return transfer(translator, instruction, addresses, shape, lane_field::data, is_load, type == 0);
}

bool scaled4(Translator& translator, const PreparedInstruction& instruction, bool is_load) {
    const uint32_t size = instruction.execution.size;
    Value* const base = translator.scalar(translator.operand(instruction, scaled4_field::address));
    if (base == nullptr ||
        !Messages(translator, instruction).has_bytes(scaled4_field::element_offset, size * 8))
        return false;
    const Shape shape{.lanes = size,
                      .channels = translator.literal(instruction, scaled4_field::channels) & 0xfU,
                      .unit_stride = payload_lanes(translator.program(), size) * 4};
    Value* const offsets =
        translator.load_raw(translator.operand(instruction, scaled4_field::element_offset), 0, 64, size);
    Value* const addresses = translator.ir().CreateAdd(offsets, translator.splat(base, size));
    return transfer(translator, instruction, addresses, shape, scaled4_field::data, is_load, false);
}

} // namespace

bool lowering::svm(Translator& translator, const PreparedInstruction& instruction) {
    switch (instruction.row->sub) {
    case code::block_ld:
    case code::block_st:
        return jit::block(translator, instruction, instruction.row->sub == code::block_ld);
    case code::gather:
    case code::scatter:
        return lanes(translator, instruction, instruction.row->sub == code::gather);
    case code::gather4scaled:
    case code::scatter4scaled:
        return scaled4(translator, instruction, instruction.row->sub == code::gather4scaled);
    default:
        return false;
    }
}

} // namespace visor::jit
