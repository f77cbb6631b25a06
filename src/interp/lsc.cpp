// LSC_UNTYPED: loads, stores and atomics of the newer devices, over flat memory, surfaces and SLM. Append
// counters, 2D blocks, compression control and the 64-bit surfaces of later devices are not executed; typed
// messages belong to images.
#include "interp/atomic_access.h"
#include "interp/interp.h"
#include "interp/memory_access.h"

#include "isa/predefined.h"
#include "isa/row.h"

namespace visor::interp {
namespace {

using machine::Thread;

constexpr uint8_t opcode_untyped = 0x89;
constexpr uint8_t opcode_fence = 0x8b;

enum : int16_t {
    sub_load = 0x00,
    sub_load_strided = 0x01,
    sub_load_quad = 0x02,
    sub_store = 0x04,
    sub_store_strided = 0x05,
    sub_store_quad = 0x06,
    sub_atomic_icas = 0x12,
    sub_load_status = 0x1b,
    sub_store_uncompressed = 0x1c,
};

// Operands in wire order; strided messages have the pitch in the place of src1.
namespace field {
enum : uint8_t {
    sfid,
    caching_l1,
    caching_l3,
    addr_type,
    addr_scale,
    addr_imm_offset,
    addr_size,
    data_size,
    data_order,
    data_elems,
    ch_mask,
    surface,
    surface_index,
    dst_data,
    src0_addrs,
    src1_data,
    src2_data,
    strided_pitch = src1_data,
    strided_src1 = src2_data,
};
}

// Codes of the literals (LSC_UNTYPED page).
enum Sfid : uint8_t { sfid_ugm = 0, sfid_ugml = 1, sfid_slm = 3 };
enum AddressType : uint8_t { type_flat = 1, type_bss = 2, type_ss = 3, type_bti = 4, type_arg = 5 };
enum AddressSize : uint8_t { a16 = 1, a32 = 2, a64 = 3, a32u = 4, a32s = 5 };
enum DataSize : uint8_t { d8 = 1, d16 = 2, d32 = 3, d64 = 4, d8u32 = 5, d16u32 = 6, d16u32h = 7 };
constexpr uint64_t order_transposed = 2;

constexpr std::array<uint8_t, 8> memory_bytes{0, 1, 2, 4, 8, 1, 2, 2};   // of an element, by DataSize
constexpr std::array<uint8_t, 8> register_bytes{0, 1, 2, 4, 8, 4, 4, 4}; // likewise
constexpr std::array<uint8_t, 9> element_counts{0, 1, 2, 3, 4, 8, 16, 32, 64};

bool is_strided(const isa::Row& row) {
    return row.sub == sub_load_strided || row.sub == sub_store_strided;
}
bool is_quad(const isa::Row& row) {
    return row.sub == sub_load_quad || row.sub == sub_store_quad;
}

// What the addresses of a message are relative to.
struct Place {
    bool flat = false;
    uint64_t base = 0; // flat only
    SurfaceView view;
};

// Behind the thread's scratch block; of no bytes where nothing calls functions (ruling 84).
SurfaceView implicit_arguments(Thread& thread) {
    SurfaceView view = surface_at(thread, machine::bti_scratch_surface);
    const uint64_t bytes = std::min<uint64_t>(thread.launch->implicit_arguments.size(), view.bytes);
    view.data += view.bytes - bytes;
    view.bytes = bytes;
    return view;
}

Place place_of(Thread& thread, const PreparedInstruction& instruction) {
    if (literal(thread, instruction, field::sfid) == sfid_slm)
        return {.flat = false, .base = 0, .view = surface_at(thread, isa::bti_slm)};
    const uint64_t named = scalar(thread, instruction, operand(thread, instruction, field::surface));
    const uint64_t type = literal(thread, instruction, field::addr_type);
    if (type == type_flat)
        return {.flat = true, .base = named, .view = {}};
    // Handle 0 of the surface states is the thread's scratch block: compiled code asks for ss(r0.5 >> 4).
    if (type == type_ss && static_cast<uint32_t>(named) == 0)
        return {.flat = false, .base = 0, .view = surface_at(thread, machine::bti_scratch_surface)};
    if (type == type_arg)
        return {.flat = false, .base = 0, .view = implicit_arguments(thread)};
    return {.flat = false, .base = 0, .view = surface_at(thread, static_cast<uint32_t>(named))};
}

template <class T>
void widen_lanes(std::array<uint64_t, max_lanes>& values, const std::byte* from, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        values[i] = from == nullptr ? 0 : static_cast<uint64_t>(read_as<T>(from + size_t{i} * sizeof(T)));
}

void read_offsets(std::array<uint64_t, max_lanes>& values, const std::byte* from, uint32_t count,
                  uint64_t size) {
    if (size == a16)
        widen_lanes<uint16_t>(values, from, count);
    else if (size == a64)
        widen_lanes<uint64_t>(values, from, count);
    else if (size == a32s)
        widen_lanes<int32_t>(values, from, count);
    else
        widen_lanes<uint32_t>(values, from, count);
}

constexpr uint32_t address_bytes(uint64_t size) {
    return size == a16 ? 2 : size == a64 ? 8 : 4;
}

// Elements that each address names, as units behind it.
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

// Base + AddrScale * Src0Addrs[n] + AddrImmOffset, for strided messages + n * pitch on the one address.
Message addressed(Thread& thread, const PreparedInstruction& instruction, const Place& place) {
    Message message(thread, instruction);
    const uint64_t size = literal(thread, instruction, field::addr_size);
    const std::byte* const offsets = raw(thread, instruction, field::src0_addrs);
    std::array<uint64_t, max_lanes>& addresses = message.addresses;
    const bool strided = is_strided(*instruction.row);
    read_offsets(addresses, offsets, strided ? 1 : message.count, size);
    const uint64_t written_scale = literal(thread, instruction, field::addr_scale);
    const uint64_t scale = written_scale == 0 ? 1 : written_scale; // 0: not given
    const auto immediate = static_cast<uint64_t>(
        int64_t{static_cast<int32_t>(literal(thread, instruction, field::addr_imm_offset))});
    const uint64_t pitch = strided ? pitch_of(thread, instruction) : 0;
    // 32-bit addresses wrap; the signed and unsigned 32-bit offsets of a flat 64-bit base do not.
    const bool wide = size == a64 || (place.flat && (size == a32u || size == a32s));
    const uint64_t kept = wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t only = addresses[0];
    for (uint32_t i = 0; i < message.count; ++i) {
        const uint64_t sum = scale * (strided ? only : addresses[i]) + immediate + i * pitch;
        addresses[i] = place.flat ? place.base + (sum & kept) : surface_offset(place.view, sum & kept);
    }
    return message;
}

// Component v of every lane stands in a block of whole registers; transposed, the components of the lane
// together.
Layout layout_of(const Thread& thread, const PreparedInstruction& instruction, uint32_t slot) {
    const uint64_t elements = elements_of(thread, instruction);
    if (literal(thread, instruction, field::data_order) == order_transposed)
        return {.channels = elements, .lane_stride = 0, .unit_stride = slot};
    const uint32_t grf = thread.program->device->grf_bytes;
    const uint32_t block = (instruction.execution.size * slot + grf - 1) / grf * grf;
    return {.channels = elements, .lane_stride = slot, .unit_stride = block};
}

template <Direction direction, class Unit, class Slot, unsigned shift = 0>
void access(Thread& thread, const PreparedInstruction& instruction) {
    const Place place = place_of(thread, instruction);
    const Message message = addressed(thread, instruction, place);
    if (failed(thread))
        return;
    expect_aligned(message, sizeof(Unit));
    constexpr bool load = direction == Direction::load;
    const size_t store_data =
        is_strided(*instruction.row) ? size_t{field::strided_src1} : size_t{field::src1_data};
    std::byte* const data = raw(thread, instruction, load ? size_t{field::dst_data} : store_data);
    const Layout layout = layout_of(thread, instruction, sizeof(Slot));
    if (place.flat)
        transfer<direction, Unit, Slot, shift>(message, FlatTarget(), layout, data);
    else
        transfer<direction, Unit, Slot, shift>(message, SurfaceTarget(place.view), layout, data);
}

// "The null register ... to implement a prefetch only": nothing is asked of memory, so nothing can be outside
// it.
void prefetch(Thread& /*thread*/, const PreparedInstruction& /*instruction*/) {}

// LOAD_STATUS: bit n is set when all that lane n names is there.
void load_status(Thread& thread, const PreparedInstruction& instruction) {
    const Place place = place_of(thread, instruction);
    const Message message = addressed(thread, instruction, place);
    if (failed(thread))
        return;
    const uint32_t bytes = element_counts[literal(thread, instruction, field::data_elems)] *
                           uint32_t{memory_bytes[literal(thread, instruction, field::data_size)]};
    uint32_t present = 0;
    for (uint32_t rest = message.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const uint64_t address = message.addresses[lane];
        const bool there = place.flat ? thread.allocation.holds(*thread.launch->memory, address, bytes)
                                      : SurfaceTarget(place.view).find(address, bytes) != nullptr;
        present |= there ? 1U << lane : 0;
    }
    if (std::byte* const dst = raw(thread, instruction, field::dst_data))
        write_as(dst, present);
}

// The operation of an atomic's sub-opcode, in the order of the sub-opcodes from 0x08 on.
constexpr int16_t first_atomic = 0x08;
constexpr std::array integer_atomics{AtomicOp::inc,  AtomicOp::dec,  AtomicOp::load,    AtomicOp::xchg,
                                     AtomicOp::add,  AtomicOp::sub,  AtomicOp::imin,    AtomicOp::imax,
                                     AtomicOp::min,  AtomicOp::max,  AtomicOp::cmpxchg, AtomicOp::fadd,
                                     AtomicOp::fsub, AtomicOp::fmin, AtomicOp::fmax,    AtomicOp::fcmpwr,
                                     AtomicOp::and_, AtomicOp::or_,  AtomicOp::xor_};
constexpr int16_t first_bfloat_atomic = 0x21;
constexpr std::array bfloat_atomics{AtomicOp::bf_add, AtomicOp::bf_sub, AtomicOp::bf_min, AtomicOp::bf_max,
                                    AtomicOp::bf_cas};

const AtomicRow* atomic_of(const isa::Row& row) {
    const auto in = [&](const auto& list, int first) -> const AtomicRow* {
        const int index = row.sub - first;
        const bool inside = index >= 0 && index < static_cast<int>(list.size());
        return inside ? atomic_row(list[static_cast<size_t>(index)]) : nullptr;
    };
    const AtomicRow* const integer = in(integer_atomics, first_atomic);
    return integer != nullptr ? integer : in(bfloat_atomics, first_bfloat_atomic);
}

template <class T>
void lsc_atomic(Thread& thread, const PreparedInstruction& instruction) {
    const Place place = place_of(thread, instruction);
    const Message message = addressed(thread, instruction, place);
    if (failed(thread))
        return;
    const std::byte* first = raw(thread, instruction, field::src1_data);
    const std::byte* second = raw(thread, instruction, field::src2_data);
    if (instruction.row->sub == sub_atomic_icas)
        std::swap(first,
                  second); // src1 = compare, src2 = new; the legacy message has them the other way round
    std::byte* const dst = raw(thread, instruction, field::dst_data);
    const AtomicRow& row = *atomic_of(*instruction.row);
    if (place.flat)
        update_lanes<T>(message, FlatTarget(), row, first, second, dst);
    else
        update_lanes<T>(message, SurfaceTarget(place.view), row, first, second, dst);
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

// What a message says of itself, checked once.
class Shape {
public:
    Shape(const Program& program, const PreparedInstruction& instruction)
        : program_(program), instruction_(instruction) {}

    // Whether the message names a place and addresses that Visor knows.
    [[nodiscard]] bool is_known() const {
        const uint64_t unit = get(field::sfid);
        const uint64_t type = get(field::addr_type);
        const uint64_t size = get(field::addr_size);
        const bool known_unit = unit == sfid_ugm || unit == sfid_ugml || unit == sfid_slm;
        const bool known_type =
            type >= type_flat && type <= type_arg && (unit != sfid_slm || type == type_flat);
        const uint32_t addresses = is_strided(*instruction_.row) ? 1 : instruction_.execution.size;
        return known_unit && known_type && size >= a16 && size <= a32s && get(field::surface_index) == 0 &&
               data_size() >= d8 && data_size() <= d16u32h && has_elements() &&
               (!transposed() || instruction_.execution.size == 1) &&
               has_room(program_, instruction_, field::src0_addrs, addresses * address_bytes(size));
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
        const uint32_t stride = transposed() ? slot : (lanes + grf - 1) / grf * grf;
        return has_room(program_, instruction_, index, count == 0 ? 0 : (count - 1) * stride + lanes);
    }
    [[nodiscard]] uint64_t data_size() const { return get(field::data_size); }
    [[nodiscard]] bool transposed() const { return get(field::data_order) == order_transposed; }
    [[nodiscard]] bool single() const { return get(field::data_elems) == 1 && !transposed(); }
    [[nodiscard]] bool is_null(size_t index) const {
        return program_.operands[instruction_.first_operand + index].null;
    }

private:
    [[nodiscard]] uint64_t get(size_t index) const { return literal(program_, instruction_, index); }

    const Program& program_;
    const PreparedInstruction& instruction_;
};

Handler choose_load(const Shape& shape) {
    if (shape.is_null(field::dst_data))
        return prefetch;
    return shape.has_data(field::dst_data) ? access_handlers<Direction::load>[shape.data_size()] : nullptr;
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
    if (row.opcode == opcode_fence)
        return sync(program, instruction);
    if (row.opcode != opcode_untyped)
        return nullptr;
    const AtomicRow* const operation = atomic_of(row);
    const bool load = row.sub == sub_load || row.sub == sub_load_strided || row.sub == sub_load_quad;
    const bool store = row.sub == sub_store || row.sub == sub_store_strided || row.sub == sub_store_quad ||
                       row.sub == sub_store_uncompressed;
    if (!load && !store && operation == nullptr && row.sub != sub_load_status)
        return nullptr; // of another format
    const Shape shape(program, instruction);
    if (!shape.is_known())
        return nullptr;
    if (operation != nullptr)
        return choose_atomic(shape, *operation);
    if (load)
        return choose_load(shape);
    if (store)
        return choose_store(shape, is_strided(row) ? size_t{field::strided_src1} : size_t{field::src1_data});
    return has_room(program, instruction, field::dst_data, 4) ? load_status : nullptr;
}

} // namespace visor::interp
