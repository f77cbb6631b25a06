// Vectors of three components lie in memory like vectors of four, and compiled code stores a fourth component
// with the others that nothing has defined. That is no mistake of anybody's.
#include "check/init.h"

#include "isa/opcode.h"
#include "isa/table.h"
#include "module/module.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace visor::check {

using machine::MemoryEvent;
using machine::RegisterPlace;

namespace {

struct StoredByte {
    uint64_t address;
    uint32_t lanes;
    bool defined;
    bool moved; // not defined since it was made, or since a move first read it
};

// Sorted by address, each address once.
void settle(std::vector<StoredByte>& bytes) {
    std::ranges::sort(bytes, {}, &StoredByte::address);
    size_t kept = 0;
    for (const StoredByte& byte : bytes) {
        if (kept > 0 && bytes[kept - 1].address == byte.address) {
            bytes[kept - 1].lanes |= byte.lanes;
            bytes[kept - 1].defined = bytes[kept - 1].defined && byte.defined;
            bytes[kept - 1].moved = bytes[kept - 1].moved && byte.moved;
        } else {
            bytes[kept++] = byte;
        }
    }
    bytes.resize(kept);
}

// Whether [begin, end) is the fourth quarter of a vector where it has to lie for that, behind as much as a
// message holds of the three others: 16 bytes. Two numbers of eight bytes can look like the end of four.
bool is_fourth(std::span<const StoredByte> bytes, size_t begin, size_t end) {
    const size_t size = end - begin;
    if (!std::has_single_bit(size) || size > 8 || bytes[begin].address % (4 * size) != 3 * size)
        return false;
    const size_t before = std::min(3 * size, 16 - size);
    return begin >= before && bytes[begin].address - bytes[begin - before].address == before &&
           std::ranges::all_of(bytes.subspan(begin - before, before), &StoredByte::defined) &&
           std::ranges::all_of(bytes.subspan(begin, size), &StoredByte::moved);
}

// The lanes of which something that is not defined is no fourth component.
uint32_t lanes_of_others(std::span<const StoredByte> bytes) {
    uint32_t lanes = 0;
    for (size_t begin = 0; begin < bytes.size();) {
        size_t end = begin + 1;
        if (bytes[begin].defined) {
            begin = end;
            continue;
        }
        while (end < bytes.size() && !bytes[end].defined && bytes[end].address == bytes[end - 1].address + 1)
            ++end;
        if (!is_fourth(bytes, begin, end))
            for (const StoredByte& byte : bytes.subspan(begin, end - begin))
                lanes |= byte.lanes;
        begin = end;
    }
    return lanes;
}

} // namespace

// Without a mask the lanes of a message are the components of one vector.
uint32_t InitChecker::fourths(const MemoryEvent& event, const RegisterPlace& data) const {
    if (!event.thread.program->function->from_compiler || data.base == machine::no_register)
        return 0;
    static const isa::Row* const mov = isa::find(isa::opcode::mov, -1);
    const std::vector<Taint>& registers = registers_of(event.thread).bytes;
    const uint32_t asked = event.lanes & ~event.dropped;
    std::vector<StoredByte> bytes;
    uint32_t others = 0;
    for (uint32_t rest = asked; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        for (uint32_t i = 0; i < event.bytes; ++i) {
            const size_t from = size_t{data.base} + size_t{lane} * data.lane_stride +
                                size_t{i / data.unit_bytes} * data.unit_stride + data.shift_bytes +
                                i % data.unit_bytes;
            const Taint taint = from < registers.size() ? registers[from] : untouched;
            const bool moved = taint == untouched || origins_.began_with(taint, mov);
            bytes.push_back({event.addresses[lane] + i, 1U << lane, taint == written, moved});
        }
        if (!event.instruction.execution.no_mask) {
            settle(bytes);
            others |= lanes_of_others(bytes);
            bytes.clear();
        }
    }
    settle(bytes);
    return asked & ~(others | lanes_of_others(bytes));
}

} // namespace visor::check
