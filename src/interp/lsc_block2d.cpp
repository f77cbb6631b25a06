// LSC_UNTYPED, LOAD_BLOCK2D and STORE_BLOCK2D: rectangles of a surface in flat memory, which the operands
// describe. Elements outside the surface read zero and are not written. Elements inside it but outside
// every allocation end the thread before any data is moved.
#include "interp/lsc_message.h"

#include "isa/operand_order.h"
#include "isa/row.h"

#include <algorithm>

namespace visor::interp::lsc {

namespace {

using machine::Thread;

namespace field = isa::operand_order::lsc_block2d;

constexpr uint64_t aligned(uint64_t value, uint64_t to) {
    return (value + to - 1) / to * to;
}

// The message's sizes, in elements unless stated otherwise.
struct Block {
    uint32_t element = 0; // bytes
    uint32_t count = 0;
    uint32_t width = 0;
    uint32_t height = 0;
    bool transposed = false;
    uint32_t in_dword = 1; // elements of a column (transposed: of a row) that VNNI packs into a dword
    uint64_t pitch = 0;    // in registers, of rows (transposed: of columns)
    uint64_t bytes = 0;    // in registers, of one block

    Block(const Program& program, const PreparedInstruction& instruction) {
        const auto get = [&](size_t index) {
            return static_cast<uint32_t>(literal(program, instruction, index));
        };
        element = memory_bytes[get(field::data_size) & 7U];
        count = get(field::blocks);
        width = get(field::block_width);
        height = get(field::block_height);
        transposed = get(field::data_order) == order_transposed;
        if (get(field::vnni) != 0 && element != 0 && element < 4)
            in_dword = 4 / element;
        pitch = std::bit_ceil(uint64_t{transposed ? height : width});
        const uint64_t rows = aligned(transposed ? width : height, in_dword);
        bytes = aligned(pitch * rows * element, program.device->grf_bytes);
    }

    // Byte offset of an element in its block. `in_dword` elements of a column are contiguous, then those
    // of the next column; transposed, the same with rows.
    [[nodiscard]] uint64_t element_offset(uint32_t row, uint32_t column) const {
        const uint64_t major = transposed ? column : row;
        const uint64_t minor = transposed ? row : column;
        return (major / in_dword * in_dword * pitch + minor * in_dword + major % in_dword) * element;
    }
};

// The surface in memory, and the position of the first block in it.
struct Surface {
    uint64_t base = 0;
    int64_t width = 0; // bytes
    int64_t height = 0;
    uint64_t pitch = 0; // bytes
    int64_t x = 0;      // elements
    int64_t y = 0;
};

// The page counts the pitch in bytes. Compilers write the hardware's encoding, one less. A surface's pitch
// is a multiple of eight (ruling 75).
constexpr uint64_t pitch_of(uint32_t given) {
    return given % 8 == 7 ? uint64_t{given} + 1 : given;
}

Surface described(const std::array<uint32_t, 7>& payload) {
    return {.base = payload[0] | uint64_t{payload[1]} << 32U,
            .width = int64_t{payload[2]} + 1,
            .height = int64_t{payload[3]} + 1,
            .pitch = pitch_of(payload[4]),
            .x = static_cast<int32_t>(payload[5]),
            .y = static_cast<int32_t>(payload[6])};
}

bool is_payload(const PreparedOperand& width) {
    return width.kind == OperandKind::absent;
}

// `base+(x,y)`: the base is a register with the seven dwords (ruling 76).
Surface surface_of(Thread& thread, const PreparedInstruction& instruction) {
    std::array<uint32_t, 7> payload{};
    const PreparedOperand& base = operand(thread, instruction, field::surface_base);
    if (is_payload(operand(thread, instruction, field::surface_width))) {
        std::memcpy(payload.data(), registers(thread, base), sizeof payload);
    } else {
        const auto number = [&](size_t index) {
            return scalar(thread, instruction, operand(thread, instruction, index));
        };
        const uint64_t address = number(field::surface_base);
        payload[0] = static_cast<uint32_t>(address);
        payload[1] = static_cast<uint32_t>(address >> 32U);
        constexpr std::array<uint8_t, 5> rest{field::surface_width, field::surface_height,
                                              field::surface_pitch, field::x, field::y};
        for (size_t i = 0; i < rest.size(); ++i)
            payload[2 + i] = static_cast<uint32_t>(number(rest[i]));
    }
    Surface surface = described(payload);
    surface.x += static_cast<int32_t>(literal(thread, instruction, field::x_offset));
    surface.y += static_cast<int32_t>(literal(thread, instruction, field::y_offset));
    return surface;
}

// The columns of a block's row that lie in the surface, and the row's address.
struct Row {
    uint32_t first = 0;
    uint32_t end = 0;
    uint64_t address = 0; // of element 0, which may be outside
};

Row row_of(const Block& block, const Surface& surface, uint32_t number, uint32_t row) {
    const int64_t y = surface.y + row;
    if (y < 0 || y >= surface.height)
        return {};
    const int64_t x = surface.x + int64_t{number} * block.width;
    const int64_t columns = surface.width / block.element; // a partial element is outside
    const int64_t first = std::clamp<int64_t>(-x, 0, block.width);
    const int64_t end = std::clamp<int64_t>(columns - x, first, block.width);
    return {.first = static_cast<uint32_t>(first),
            .end = static_cast<uint32_t>(end),
            .address = surface.base + static_cast<uint64_t>(y) * surface.pitch +
                       static_cast<uint64_t>(x) * block.element};
}

// Ends the thread when a row is outside every allocation.
bool check_range(Thread& thread, const PreparedInstruction& instruction, const Block& block, const Row& row) {
    const uint64_t address = row.address + uint64_t{row.first} * block.element;
    const uint32_t bytes = (row.end - row.first) * block.element;
    if (bytes == 0 || thread.allocation.holds(*thread.launch->memory, address, bytes))
        return true;
    thread.fail_access(instruction, -1, address, bytes);
    return false;
}

// Row `number` of a block whose registers begin at `registers`. The event of a load names no registers:
// the zeros around a row belong to the result, too, and watchers treat all of it as defined.
void report(Thread& thread, const PreparedInstruction& instruction, const Block& block, const Row& row,
            uint32_t number, const std::byte* registers, machine::AccessKind kind) {
    const bool load = kind == machine::AccessKind::read;
    const bool by_dword = !load && block.transposed && block.in_dword > 1; // contiguous only within a dword
    for (uint32_t from = row.first, end = 0; from < row.end; from = end) {
        end = std::min(row.end, by_dword ? from - from % block.in_dword + block.in_dword : from + 64);
        const Layout layout{.lane_stride = 0,
                            .unit_stride =
                                static_cast<uint32_t>(block.element_offset(number, by_dword ? 1 : from + 1) -
                                                      block.element_offset(number, by_dword ? 0 : from))};
        const std::byte* const data = load ? nullptr : registers + block.element_offset(number, from);
        const Message message(thread, instruction, row.address + uint64_t{from} * block.element);
        report_access(message, FlatTarget::view(), kind,
                      {first_channels(end - from),
                       register_layout(thread, data, layout, block.element, block.element, 0)},
                      0);
    }
}

template <Direction direction, class Unit>
void move_row(const Block& block, const Row& row, uint32_t number, std::byte* registers) {
    for (uint32_t column = row.first; column < row.end; ++column) {
        std::byte* const memory = machine::Memory::host(row.address + uint64_t{column} * sizeof(Unit));
        std::byte* const slot = registers + block.element_offset(number, column);
        if constexpr (direction == Direction::load)
            write_as(slot, load_shared<Unit>(memory));
        else
            store_shared(memory, read_as<Unit>(slot));
    }
}

template <Direction direction, class Unit>
void move_blocks(Thread& thread, const PreparedInstruction& instruction) {
    constexpr bool load = direction == Direction::load;
    if (enabled_lanes(thread, instruction) == 0)
        return;
    const Block block(*thread.program, instruction);
    const Surface surface = surface_of(thread, instruction);
    if (failed(thread))
        return;
    std::byte* const data =
        raw(thread, instruction, load ? size_t{field::dst_data} : size_t{field::src1_data});
    const auto each_row = [&](auto&& visit) {
        for (uint32_t number = 0; number < block.count; ++number) {
            for (uint32_t y = 0; y < block.height; ++y) {
                if (!visit(number, y, row_of(block, surface, number, y)))
                    return false;
            }
        }
        return true;
    };
    const bool inside = each_row(
        [&](uint32_t, uint32_t, const Row& row) { return check_range(thread, instruction, block, row); });
    if (!inside)
        return;
    if (load)
        std::memset(data, 0, block.bytes * block.count);
    each_row([&](uint32_t number, uint32_t y, const Row& row) {
        move_row<direction, Unit>(block, row, y, data + number * block.bytes);
        if (thread.memory_watcher != nullptr) [[unlikely]]
            report(thread, instruction, block, row, y, data + number * block.bytes,
                   load ? machine::AccessKind::read : machine::AccessKind::write);
        return true;
    });
}

// As any load into the null variable: it accesses no memory.
void prefetch(Thread& /*thread*/, const PreparedInstruction& /*instruction*/) {}

template <Direction direction>
Handler by_size(uint64_t size) {
    switch (size) {
    case d8:
        return move_blocks<direction, uint8_t>;
    case d16:
        return move_blocks<direction, uint16_t>;
    case d32:
        return move_blocks<direction, uint32_t>;
    case d64:
        return move_blocks<direction, uint64_t>;
    default:
        return nullptr;
    }
}

} // namespace

Handler block2d(const Program& program, const PreparedInstruction& instruction) {
    const auto operands = program.operands_of(instruction);
    const uint64_t unit = operands[field::sfid].value;
    const uint64_t size = operands[field::data_size].value;
    if ((unit != sfid_ugm && unit != sfid_ugml) || size < d8 || size > d64)
        return nullptr;
    const Block block(program, instruction);
    const bool load = isa::has(*instruction.row, isa::reads_memory);
    const size_t data = load ? size_t{field::dst_data} : size_t{field::src1_data};
    const uint64_t bytes = block.bytes * block.count;
    const bool is_shape =
        block.width != 0 && block.height != 0 && block.count != 0 && (load || block.count == 1);
    const bool dwords = operands[field::vnni].value == 0 || block.element <= 4; // VNNI fills dwords
    const PreparedOperand& base = operands[field::surface_base];
    const bool described = !is_payload(operands[field::surface_width]) ||
                           ((base.kind == OperandKind::general || base.kind == OperandKind::raw) &&
                            !base.null && has_storage(program, instruction, field::surface_base, 28));
    if (!is_shape || !dwords || !described || bytes > UINT32_MAX ||
        !has_storage(program, instruction, data, static_cast<uint32_t>(bytes)))
        return nullptr;
    if (!load)
        return operands[data].null ? nullptr : by_size<Direction::store>(size);
    return operands[data].null ? prefetch : by_size<Direction::load>(size);
}

} // namespace visor::interp::lsc
