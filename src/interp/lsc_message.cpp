#include "interp/lsc_message.h"

#include "interp/atomic_formula.h"
#include "isa/row.h"

namespace visor::interp::lsc {

namespace {

template <class T>
void extend(std::array<uint64_t, max_lanes>& values, const std::byte* from, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        values[i] = from == nullptr ? 0 : static_cast<uint64_t>(read_as<T>(from + size_t{i} * sizeof(T)));
}

// In the order of the sub-opcodes.
constexpr int first_atomic = 0x08;
constexpr std::array atomics{AtomicOp::inc,  AtomicOp::dec,  AtomicOp::load,    AtomicOp::xchg,
                             AtomicOp::add,  AtomicOp::sub,  AtomicOp::imin,    AtomicOp::imax,
                             AtomicOp::min,  AtomicOp::max,  AtomicOp::cmpxchg, AtomicOp::fadd,
                             AtomicOp::fsub, AtomicOp::fmin, AtomicOp::fmax,    AtomicOp::fcmpwr,
                             AtomicOp::and_, AtomicOp::or_,  AtomicOp::xor_};
constexpr int first_bfloat_atomic = 0x21;
constexpr std::array bfloat_atomics{AtomicOp::bf_add, AtomicOp::bf_sub, AtomicOp::bf_min, AtomicOp::bf_max,
                                    AtomicOp::bf_cas};

} // namespace

void read_addresses(std::array<uint64_t, max_lanes>& values, const std::byte* from, uint32_t count,
                    uint64_t size) {
    if (size == a16)
        extend<uint16_t>(values, from, count);
    else if (size == a64)
        extend<uint64_t>(values, from, count);
    else if (size == a32s)
        extend<int32_t>(values, from, count);
    else
        extend<uint32_t>(values, from, count);
}

const AtomicRow* atomic_of(const isa::Row& row) {
    const auto in = [&](const auto& list, int first) -> const AtomicRow* {
        const int index = row.sub - first;
        const bool inside = index >= 0 && index < static_cast<int>(list.size());
        return inside ? atomic_row(list[static_cast<size_t>(index)]) : nullptr;
    };
    const AtomicRow* const plain = in(atomics, first_atomic);
    return plain != nullptr ? plain : in(bfloat_atomics, first_bfloat_atomic);
}

bool compares_first(const isa::Row& row) {
    constexpr int sub_atomic_icas = 0x12;
    return row.sub == sub_atomic_icas;
}

} // namespace visor::interp::lsc
