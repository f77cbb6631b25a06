// Surface messages by block: OWORD_LD, OWORD_LD_UNALIGNED, OWORD_ST. The execution mask has no say.
#include "jit/translate/memory_message.h"

namespace visor::jit {

namespace {

constexpr uint8_t opcode_oword_ld = 0x35;
constexpr uint8_t opcode_oword_st = 0x36;
constexpr uint8_t opcode_oword_ld_unaligned = 0x3c;

constexpr uint64_t largest_size_code = 4; // 16 owords
constexpr uint32_t dword = 4;             // each is in the surface or not (ruling 9)

} // namespace

bool lowering::block(Translator& translator, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    if (code != opcode_oword_ld && code != opcode_oword_st && code != opcode_oword_ld_unaligned)
        return false;
    // size, is_modified (loads alone), surface, offset, data
    const bool load = code != opcode_oword_st;
    const size_t surface = load ? 2 : 1;
    const uint64_t size = translator.literal(instruction, 0);
    if (size > largest_size_code)
        return false;
    const uint32_t bytes = 16U << size;
    Messages messages(translator, instruction);
    const PreparedOperand& data = translator.operand(instruction, surface + 2);
    llvm::Value* const units = translator.scalar(translator.operand(instruction, surface + 1));
    if (units == nullptr || data.null || !messages.has_room(surface + 2, bytes))
        return false;
    llvm::IRBuilder<>& ir = translator.ir();
    // In 64 bits: an offset of owords may lie beyond 4 GiB.
    llvm::Value* place = ir.CreateAnd(units, ir.getInt64(UINT32_MAX));
    if (code != opcode_oword_ld_unaligned)
        place = ir.CreateMul(place, ir.getInt64(16));
    messages.expect_aligned(place, dword);
    return messages.in_surface(translator.operand(instruction, surface), [&](const SurfaceWindow& window) {
        llvm::Value* const offset = ir.CreateAnd(place, window.mask);
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
