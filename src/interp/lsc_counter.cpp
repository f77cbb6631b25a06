// LSC_UNTYPED, append counters: lanes update a surface's counter one after the other. The launch gives a
// surface its counter (ruling 72); a surface without one reads zero.
#include "interp/atomic_access.h"
#include "interp/lsc_message.h"

#include "isa/operand_order.h"
#include "isa/row.h"
#include "isa/sub_opcode.h"

namespace visor::interp::lsc {

namespace {

using machine::Thread;

namespace field = isa::operand_order::lsc_apndctr;

const AtomicRow* operation_of(const isa::Row& row) {
    switch (row.sub) {
    case isa::sub_opcode::lsc::apndctr_atomic_add:
        return atomic_row(AtomicOp::add);
    case isa::sub_opcode::lsc::apndctr_atomic_sub:
        return atomic_row(AtomicOp::sub);
    default:
        return atomic_row(AtomicOp::xchg);
    }
}

SurfaceView counter_of(Thread& thread, const PreparedInstruction& instruction) {
    const uint64_t handle = scalar(thread, instruction, operand(thread, instruction, field::surface));
    const uint32_t number =
        surface_number(thread, instruction, literal(thread, instruction, field::addr_type), handle,
                       literal(thread, instruction, field::surface_index));
    SurfaceView view{.data = nullptr, .bytes = 0, .space = machine::Space::surface, .index = number};
    const std::vector<machine::Surface>& surfaces = thread.launch->surfaces;
    if (number < surfaces.size() && surfaces[number].counter != 0) {
        view.data = machine::Memory::host(surfaces[number].counter);
        view.bytes = sizeof(uint64_t);
    }
    return view;
}

template <class T>
void count(Thread& thread, const PreparedInstruction& instruction) {
    const SurfaceView view = counter_of(thread, instruction);
    if (failed(thread))
        return;
    Message message(thread, instruction);
    message.addresses.fill(0);
    update_lanes<T>(message, SurfaceTarget(view), *operation_of(*instruction.row),
                    raw(thread, instruction, field::src0_data), nullptr,
                    raw(thread, instruction, field::dst_data));
}

} // namespace

Handler counter(const Program& program, const PreparedInstruction& instruction) {
    const auto get = [&](size_t index) { return literal(program, instruction, index); };
    const uint64_t size = get(field::data_size);
    const uint32_t bytes = instruction.execution.size * uint32_t{register_bytes[size & 7U]};
    if (get(field::sfid) != sfid_ugm || !is_stateful(get(field::addr_type)) || get(field::data_elems) != 1 ||
        get(field::data_order) == order_transposed ||
        !has_storage(program, instruction, field::dst_data, bytes) ||
        !has_storage(program, instruction, field::src0_data, bytes))
        return nullptr;
    switch (size) {
    case d16u32:
        return count<uint16_t>;
    case d32:
        return count<uint32_t>;
    case d64:
        return count<uint64_t>;
    default:
        return nullptr;
    }
}

} // namespace visor::interp::lsc
