// LSC_UNTYPED: loads, stores and atomics of the newer devices, over flat memory, surfaces, arguments and
// SLM. Messages that control caches and compression change no memory.
#include "interp/atomic_access.h"
#include "interp/lsc_message.h"

#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/predefined.h"
#include "isa/row.h"
#include "isa/sub_opcode.h"

#include <utility>

namespace visor::interp {
namespace {

using machine::Thread;
using namespace lsc;

namespace opcode = isa::opcode;
namespace code = isa::sub_opcode::lsc;
namespace field = isa::operand_order::lsc_untyped;

bool is_strided(const isa::Row& row) {
    return row.sub == code::load_strided || row.sub == code::store_strided;
}
bool is_quad(const isa::Row& row) {
    return code::has_channels(row.sub);
}

// The memory that a message's addresses are relative to.
struct MemoryTarget {
    bool flat = false;
    uint64_t base = 0; // flat(BASE), of shared local memory as well
    SurfaceView view;
};

// They follow the thread's scratch block, and are empty if nothing calls functions (ruling 84). Watchers
// do not count them as scratch: no message writes them, and their offsets start at 0.
SurfaceView implicit_arguments(Thread& thread) {
    SurfaceView view = surface_at(thread, machine::bti_scratch_surface);
    const uint64_t bytes = std::min<uint64_t>(thread.launch->implicit_arguments.size(), view.bytes);
    view.data += view.bytes - bytes;
    view.bytes = bytes;
    view.space = machine::Space::surface;
    view.index = UINT32_MAX;
    return view;
}

// No message writes the bound arguments.
SurfaceView argument_view(const Thread& thread) {
    const machine::Launch& launch = *thread.launch;
    const std::vector<std::byte>& bytes = launch.arguments.empty() ? launch.image : launch.arguments;
    return {.data = const_cast<std::byte*>(bytes.data()), // NOLINT(cppcoreguidelines-pro-type-const-cast)
            .bytes = bytes.size(),
            .space = machine::Space::surface,
            .index = UINT32_MAX};
}

MemoryTarget memory_target(Thread& thread, const PreparedInstruction& instruction) {
    const uint64_t named = scalar(thread, instruction, operand(thread, instruction, field::surface));
    if (literal(thread, instruction, field::sfid) == sfid_slm)
        return {.flat = false, .base = named, .view = surface_at(thread, isa::bti_slm)};
    const uint64_t type = literal(thread, instruction, field::addr_type);
    if (type == type_flat)
        return {.flat = true, .base = named, .view = {}};
    if (type == type_arg)
        return {.flat = false,
                .base = 0,
                .view = thread.launch->implicit_arguments.empty() ? argument_view(thread)
                                                                  : implicit_arguments(thread)};
    const uint32_t number =
        surface_number(thread, instruction, type, named, literal(thread, instruction, field::surface_index));
    return {.flat = false, .base = 0, .view = surface_at(thread, number)};
}

// The elements that each address names, as units after it.
uint64_t elements_of(uint64_t channel_mask, uint64_t count_code, bool quad) {
    return quad ? channel_mask & 0xfU : first_channels(element_counts[count_code]);
}
uint64_t elements_of(const Thread& thread, const PreparedInstruction& instruction) {
    return elements_of(literal(thread, instruction, field::ch_mask),
                       literal(thread, instruction, field::data_elems), is_quad(*instruction.row));
}

// STRIDED: the default is a packed block.
uint64_t pitch_of(Thread& thread, const PreparedInstruction& instruction) {
    const PreparedOperand& pitch = operand(thread, instruction, field::strided_pitch);
    if (pitch.kind != OperandKind::absent)
        return scalar(thread, instruction, pitch);
    const uint64_t elements = element_counts[literal(thread, instruction, field::data_elems)];
    return elements * memory_bytes[literal(thread, instruction, field::data_size)];
}

// Base + AddrScale * Src0Addrs[n] + AddrImmOffset. Strided messages have one address, and add n * pitch.
// In shared local memory the base is part of the sum that wraps ("base offset", the page says of Surface);
// a surface has no base.
Message addressed(Thread& thread, const PreparedInstruction& instruction, const MemoryTarget& target) {
    Message message(thread, instruction);
    const uint64_t size = literal(thread, instruction, field::addr_size);
    const std::byte* const offsets = raw(thread, instruction, field::src0_addrs);
    std::array<uint64_t, max_lanes>& addresses = message.addresses;
    const bool strided = is_strided(*instruction.row);
    read_addresses(addresses, offsets, strided ? 1 : message.count, size);
    const uint64_t written_scale = literal(thread, instruction, field::addr_scale);
    const uint64_t scale = written_scale == 0 ? 1 : written_scale; // 0: not given
    const auto immediate = static_cast<uint64_t>(
        int64_t{static_cast<int32_t>(literal(thread, instruction, field::addr_imm_offset))});
    const uint64_t pitch = strided ? pitch_of(thread, instruction) : 0;
    // 32-bit addresses wrap; the signed and unsigned 32-bit offsets of a flat 64-bit base do not.
    const bool wide = size == a64 || (target.flat && (size == a32u || size == a32s));
    const uint64_t kept = wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t only = addresses[0];
    for (uint32_t i = 0; i < message.count; ++i) {
        const uint64_t sum = scale * (strided ? only : addresses[i]) + immediate + i * pitch;
        addresses[i] = target.flat ? target.base + (sum & kept)
                                   : surface_offset(target.view, (target.base + sum) & kept);
    }
    return message;
}

// Component v of all lanes is a block of whole registers; transposed, the components of the lane are
// contiguous.
Layout layout_of(const Thread& thread, const PreparedInstruction& instruction, uint32_t slot) {
    const uint64_t elements = elements_of(thread, instruction);
    if (literal(thread, instruction, field::data_order) == order_transposed)
        return {.channels = elements, .lane_stride = 0, .unit_stride = slot};
    const uint32_t grf = thread.program->device->grf_bytes;
    return {.channels = elements,
            .lane_stride = slot,
            .unit_stride = component_bytes(instruction.execution.size, slot, grf)};
}

template <Direction direction, class Unit, class Slot, unsigned shift = 0>
void access(Thread& thread, const PreparedInstruction& instruction) {
    const MemoryTarget target = memory_target(thread, instruction);
    const Message message = addressed(thread, instruction, target);
    if (failed(thread))
        return;
    expect_aligned(message, sizeof(Unit));
    constexpr bool load = direction == Direction::load;
    const size_t store_data =
        is_strided(*instruction.row) ? size_t{field::strided_src1} : size_t{field::src1_data};
    std::byte* const data = raw(thread, instruction, load ? size_t{field::dst_data} : store_data);
    const Layout layout = layout_of(thread, instruction, sizeof(Slot));
    if (target.flat)
        transfer<direction, Unit, Slot, shift>(message, FlatTarget(), layout, data);
    else
        transfer<direction, Unit, Slot, shift>(message, SurfaceTarget(target.view), layout, data);
}

// "The null register ... to implement a prefetch only": it accesses no memory, so it cannot be out of
// bounds.
void prefetch(Thread& /*thread*/, const PreparedInstruction& /*instruction*/) {}

// Bit n is set when all bytes that lane n names are in bounds.
uint32_t present_lanes(const Message& message, const MemoryTarget& target, uint64_t channels, uint32_t unit) {
    Thread& thread = message.thread;
    const Span span = span_of(channels, unit);
    uint32_t present = 0;
    for (uint32_t rest = message.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const uint64_t address = message.addresses[lane] + span.begin;
        const uint32_t bytes = span.end - span.begin;
        const bool in_bounds = target.flat ? thread.allocation.holds(*thread.launch->memory, address, bytes)
                                           : SurfaceTarget(target.view).find(address, bytes) != nullptr;
        present |= in_bounds ? 1U << lane : 0;
    }
    return present;
}

void load_status(Thread& thread, const PreparedInstruction& instruction) {
    const MemoryTarget target = memory_target(thread, instruction);
    const Message message = addressed(thread, instruction, target);
    if (failed(thread))
        return;
    const uint32_t unit = memory_bytes[literal(thread, instruction, field::data_size)];
    const uint32_t present = present_lanes(message, target, elements_of(thread, instruction), unit);
    if (std::byte* const dst = raw(thread, instruction, field::dst_data))
        write_as(dst, present);
}

// Ruling 73: an out-of-bounds flat lane reads zero and does not fault; the status reports it.
void load_quad_status(Thread& thread, const PreparedInstruction& instruction) {
    const MemoryTarget target = memory_target(thread, instruction);
    Message message = addressed(thread, instruction, target);
    if (failed(thread))
        return;
    const Layout layout = layout_of(thread, instruction, sizeof(uint32_t));
    const uint32_t present = present_lanes(message, target, layout.channels, sizeof(uint32_t));
    std::byte* const data = raw(thread, instruction, field::dst_data);
    const auto count = static_cast<uint32_t>(std::popcount(layout.channels));
    expect_aligned(message, sizeof(uint32_t));
    if (target.flat) {
        const uint32_t requested = std::exchange(message.lanes, present);
        gather<uint32_t, uint32_t>(message, FlatTarget(), layout, data);
        for (uint32_t rest = requested & ~present; rest != 0 && data != nullptr; rest &= rest - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(rest));
            for (uint32_t slot = 0; slot < count; ++slot)
                write_as(data + size_t{slot} * layout.unit_stride + size_t{lane} * 4, uint32_t{0});
        }
    } else {
        gather<uint32_t, uint32_t>(message, SurfaceTarget(target.view), layout, data);
    }
    if (data != nullptr)
        write_as(data + size_t{count} * layout.unit_stride, present);
}

template <class T>
void lsc_atomic(Thread& thread, const PreparedInstruction& instruction) {
    const MemoryTarget target = memory_target(thread, instruction);
    const Message message = addressed(thread, instruction, target);
    if (failed(thread))
        return;
    const std::byte* first = raw(thread, instruction, field::src1_data);
    const std::byte* second = raw(thread, instruction, field::src2_data);
    if (compares_first(*instruction.row))
        std::swap(first, second);
    std::byte* const dst = raw(thread, instruction, field::dst_data);
    const AtomicRow& row = *atomic_of(*instruction.row);
    if (target.flat)
        update_lanes<T>(message, FlatTarget(), row, first, second, dst);
    else
        update_lanes<T>(message, SurfaceTarget(target.view), row, first, second, dst);
}

// By data size code.
template <Direction direction>
constexpr std::array<Handler, 8> access_handlers{nullptr,
                                                 access<direction, uint8_t, uint8_t>,
                                                 access<direction, uint16_t, uint16_t>,
                                                 access<direction, uint32_t, uint32_t>,
                                                 access<direction, uint64_t, uint64_t>,
                                                 access<direction, uint8_t, uint32_t>,
                                                 access<direction, uint16_t, uint32_t>,
                                                 access<direction, uint16_t, uint32_t, 16>};

// The literal fields of a message, checked once.
class Shape {
public:
    Shape(const Program& program, const PreparedInstruction& instruction)
        : program_(program), instruction_(instruction) {}

    // Whether Visor knows the message's target and addresses.
    [[nodiscard]] bool is_known() const {
        const uint64_t unit = get(field::sfid);
        const uint64_t type = get(field::addr_type);
        const uint64_t size = get(field::addr_size);
        const bool known_unit = unit == sfid_ugm || unit == sfid_ugml || unit == sfid_slm;
        // Fields that a target does not use must be absent: an index after a flat base, a base of
        // arguments.
        const bool unindexed = get(field::surface_index) == 0;
        const bool known_type = unit == sfid_slm   ? type == type_flat && unindexed
                                : type == type_arg ? !isa::has(*instruction_.row, isa::writes_memory) &&
                                                         unindexed && !has_surface()
                                : type == type_flat ? unindexed
                                                    : is_stateful(type);
        const uint32_t addresses = is_strided(*instruction_.row) ? 1 : instruction_.execution.size;
        return known_unit && known_type && size >= a16 && size <= a32s && data_size() >= d8 &&
               data_size() <= d16u32h && has_elements() &&
               (!transposed() || instruction_.execution.size == 1) &&
               has_storage(program_, instruction_, field::src0_addrs, addresses * address_bytes(size));
    }
    [[nodiscard]] bool has_elements() const {
        const uint64_t code = get(field::data_elems);
        return is_quad(*instruction_.row) || (code >= 1 && code < element_counts.size());
    }
    [[nodiscard]] bool has_data(size_t index) const {
        const auto count = static_cast<uint32_t>(std::popcount(
            elements_of(get(field::ch_mask), get(field::data_elems), is_quad(*instruction_.row))));
        const uint32_t slot = register_bytes[data_size()];
        const uint32_t grf = program_.device->grf_bytes;
        const uint32_t lanes = instruction_.execution.size * slot;
        const uint32_t stride = transposed() ? slot : component_bytes(instruction_.execution.size, slot, grf);
        return has_storage(program_, instruction_, index, count == 0 ? 0 : (count - 1) * stride + lanes);
    }
    // The status is in the register after the channels of a quad.
    [[nodiscard]] bool has_status() const {
        const auto count = static_cast<uint32_t>(std::popcount(get(field::ch_mask) & 0xfU));
        const uint32_t block = component_bytes(instruction_.execution.size, register_bytes[data_size()],
                                               program_.device->grf_bytes);
        return has_storage(program_, instruction_, field::dst_data, count * block + 4);
    }
    [[nodiscard]] uint64_t data_size() const { return get(field::data_size); }
    [[nodiscard]] bool transposed() const { return get(field::data_order) == order_transposed; }
    [[nodiscard]] bool single() const { return get(field::data_elems) == 1 && !transposed(); }
    [[nodiscard]] bool is_null(size_t index) const {
        return program_.operands[instruction_.first_operand + index].null;
    }

private:
    [[nodiscard]] uint64_t get(size_t index) const { return literal(program_, instruction_, index); }
    [[nodiscard]] bool has_surface() const {
        return program_.operands[instruction_.first_operand + field::surface].kind != OperandKind::absent;
    }

    const Program& program_;
    const PreparedInstruction& instruction_;
};

Handler choose_load(const Shape& shape) {
    if (shape.is_null(field::dst_data))
        return prefetch;
    return shape.has_data(field::dst_data) ? access_handlers<Direction::load>[shape.data_size()] : nullptr;
}

Handler choose_quad_status(const Shape& shape) {
    return shape.data_size() == d32 && shape.has_status() ? load_quad_status : nullptr;
}

Handler choose_store(const Shape& shape, size_t data) {
    return shape.has_data(data) ? access_handlers<Direction::store>[shape.data_size()] : nullptr;
}

Handler choose_atomic(const Shape& shape, const AtomicRow& row) {
    if (!shape.single() || !shape.has_data(field::dst_data) || !shape.has_data(field::src1_data) ||
        !shape.has_data(field::src2_data))
        return nullptr;
    switch (shape.data_size()) {
    case d16u32:
        return lsc_atomic<uint16_t>;
    case d32:
        return row.dword != nullptr ? lsc_atomic<uint32_t> : nullptr;
    case d64:
        return row.qword != nullptr ? lsc_atomic<uint64_t> : nullptr;
    default:
        return nullptr;
    }
}

} // namespace

Handler family::lsc(const Program& program, const PreparedInstruction& instruction) {
    const isa::Row& row = *instruction.row;
    if (row.opcode == opcode::lsc_fence)
        return sync(program, instruction);
    if (row.opcode == opcode::lsc_typed)
        return lsc::typed(program, instruction);
    if (row.opcode != opcode::lsc_untyped)
        return nullptr;
    if (row.sub == code::load_block2d || row.sub == code::store_block2d)
        return block2d(program, instruction);
    if (row.sub >= code::apndctr_atomic_add && row.sub <= code::apndctr_atomic_store)
        return counter(program, instruction);
    if (row.sub == code::ccs_update || row.sub == code::extended_cache_ctrl)
        return no_effect; // no memory is compressed, and none is in a cache (rulings 125, 190)
    const AtomicRow* const operation = atomic_of(row);
    const bool status = row.sub == code::load_status || row.sub == code::load_quad_status;
    const bool load = row.sub == code::load || row.sub == code::load_strided || row.sub == code::load_quad;
    const bool store = row.sub == code::store || row.sub == code::store_strided ||
                       row.sub == code::store_quad || row.sub == code::store_uncompressed;
    if (!load && !store && operation == nullptr && !status)
        return nullptr;
    const Shape shape(program, instruction);
    if (!shape.is_known())
        return nullptr;
    if (operation != nullptr)
        return choose_atomic(shape, *operation);
    if (load)
        return choose_load(shape);
    if (store)
        return choose_store(shape, is_strided(row) ? size_t{field::strided_src1} : size_t{field::src1_data});
    if (row.sub == code::load_quad_status)
        return choose_quad_status(shape);
    return has_storage(program, instruction, field::dst_data, 4) ? load_status : nullptr;
}

} // namespace visor::interp
