// DWORD_ATOMIC and SVM_ATOMIC: the operation, width, sources and addresses of a message. The table in
// atomic_formula.cpp defines the operations.
#include "interp/atomic_access.h"
#include "interp/interp.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/row.h"

namespace visor::interp {
namespace {

using machine::Thread;

namespace opcode = isa::opcode;
namespace svm_field = isa::operand_order::svm_atomic;
namespace dword_field = isa::operand_order::dword_atomic;

constexpr uint64_t op_bits = 0x1f;
constexpr unsigned width_shift = 5;

const AtomicRow& row_of(const Thread& thread, const PreparedInstruction& instruction) {
    return *atomic_row(static_cast<uint8_t>(literal(thread, instruction, svm_field::op) & op_bits));
}

template <class T>
void svm_atomic(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = svm_field;
    Message message(thread, instruction);
    read_lanes(message.addresses, raw(thread, instruction, field::addresses), message.count);
    update_lanes<T>(message, FlatTarget(), row_of(thread, instruction), raw(thread, instruction, field::src0),
                    raw(thread, instruction, field::src1), raw(thread, instruction, field::dst));
}

template <class T>
void dword_atomic(Thread& thread, const PreparedInstruction& instruction) {
    namespace field = dword_field;
    const SurfaceView view = surface(thread, instruction, operand(thread, instruction, field::surface));
    Message message(thread, instruction);
    std::array<uint32_t, max_lanes> offsets;
    read_lanes(offsets, raw(thread, instruction, field::element_offset), message.count);
    for (uint32_t i = 0; i < message.count; ++i)
        message.addresses[i] = surface_offset(view, offsets[i]);
    update_lanes<T>(message, SurfaceTarget(view), row_of(thread, instruction),
                    raw(thread, instruction, field::src0), raw(thread, instruction, field::src1),
                    raw(thread, instruction, field::dst));
}

// Width codes 0, 1, 2 = 32, 16, 64 bits; there is no 3 (ruling 26).
constexpr std::array<Handler, 3> svm_handlers{svm_atomic<uint32_t>, svm_atomic<uint16_t>,
                                              svm_atomic<uint64_t>};
constexpr std::array<Handler, 3> dword_handlers{dword_atomic<uint32_t>, dword_atomic<uint16_t>,
                                                dword_atomic<uint64_t>};

} // namespace

Handler family::atomic(const Program& program, const PreparedInstruction& instruction) {
    const bool flat = instruction.row->opcode == opcode::svm;
    if (!flat && instruction.row->opcode != opcode::dword_atomic)
        return nullptr;
    const uint64_t op = literal(program, instruction, svm_field::op);
    const uint64_t width = op >> width_shift;
    const uint32_t size = instruction.execution.size;
    if (width > 2 || atomic_row(static_cast<uint8_t>(op & op_bits)) == nullptr)
        return nullptr;

    const uint32_t lane_bytes = width == 2 ? 8 : 4;
    const size_t src0 = flat ? size_t{svm_field::src0} : size_t{dword_field::src0};
    if (!has_storage(program, instruction, src0 - 1, size * (flat ? 8 : 4)))
        return nullptr;
    for (size_t index = src0; index < src0 + 3; ++index)
        if (!has_storage(program, instruction, index, size * lane_bytes))
            return nullptr;
    return (flat ? svm_handlers : dword_handlers)[width];
}

} // namespace visor::interp
