// Surface messages by block: OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST. They ignore the execution mask.
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "jit/translate/memory_message.h"

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;
namespace load_field = isa::operand_order::oword_ld;
namespace store_field = isa::operand_order::oword_st; // without is_modified

constexpr uint64_t largest_size_code = 4; // 16 owords
constexpr uint32_t dword = 4;             // each is in the surface or not (ruling 9)

} // namespace

bool lowering::block(Translator& translator, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    if (code != opcode::oword_ld && code != opcode::oword_st && code != opcode::oword_ld_unaligned)
        return false;
    const bool load = code != opcode::oword_st;
    const size_t surface = load ? size_t{load_field::surface} : size_t{store_field::surface};
    const uint64_t size =
        translator.literal(instruction, load ? size_t{load_field::size} : size_t{store_field::size});
    if (size > largest_size_code)
        return false;
    const uint32_t bytes = 16U << size;
    Messages messages(translator, instruction);
    const size_t data_index = load ? size_t{load_field::dst} : size_t{store_field::src};
    const PreparedOperand& data = translator.operand(instruction, data_index);
    llvm::Value* const units = translator.scalar(
        translator.operand(instruction, load ? size_t{load_field::offset} : size_t{store_field::offset}));
    if (units == nullptr || data.null || !messages.has_bytes(data_index, bytes))
        return false;
    llvm::IRBuilder<>& ir = translator.ir();
    // In 64 bits: an offset of owords may lie beyond 4 GiB.
    llvm::Value* byte_offset = ir.CreateAnd(units, ir.getInt64(UINT32_MAX));
    if (code != opcode::oword_ld_unaligned)
        byte_offset = ir.CreateMul(byte_offset, ir.getInt64(16));
    messages.expect_aligned(byte_offset, dword);
    return messages.in_surface(translator.operand(instruction, surface), [&](const SurfaceWindow& window) {
        llvm::Value* const offset = ir.CreateAnd(byte_offset, window.mask);
        llvm::Value* const fits = messages.bounds().is_offset(offset);
        translator.guarded(fits, [&] {
            llvm::Value* const low = ir.CreateTrunc(offset, ir.getInt32Ty());
            if (load)
                messages.load_block(window, low, bytes, dword, data);
            else
                messages.store_block(window, low, bytes, dword, data);
        });
        return true;
    });
}

} // namespace visor::jit
