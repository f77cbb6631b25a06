#include "interp/lsc_message.h"

#include "interp/atomic_formula.h"
#include "isa/row.h"
#include "isa/sub_opcode.h"

namespace visor::interp::lsc {

namespace {

template <class T>
void extend(std::array<uint64_t, max_lanes>& values, const std::byte* from, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i)
        values[i] = from == nullptr ? 0 : static_cast<uint64_t>(read_as<T>(from + size_t{i} * sizeof(T)));
}

namespace code = isa::sub_opcode::lsc;

struct Operation {
    int16_t sub;
    AtomicOp op;
};
constexpr std::array operations{
    Operation{code::atomic_iinc, AtomicOp::inc},     Operation{code::atomic_idec, AtomicOp::dec},
    Operation{code::atomic_load, AtomicOp::load},    Operation{code::atomic_store, AtomicOp::xchg},
    Operation{code::atomic_iadd, AtomicOp::add},     Operation{code::atomic_isub, AtomicOp::sub},
    Operation{code::atomic_smin, AtomicOp::imin},    Operation{code::atomic_smax, AtomicOp::imax},
    Operation{code::atomic_umin, AtomicOp::min},     Operation{code::atomic_umax, AtomicOp::max},
    Operation{code::atomic_icas, AtomicOp::cmpxchg}, Operation{code::atomic_fadd, AtomicOp::fadd},
    Operation{code::atomic_fsub, AtomicOp::fsub},    Operation{code::atomic_fmin, AtomicOp::fmin},
    Operation{code::atomic_fmax, AtomicOp::fmax},    Operation{code::atomic_fcas, AtomicOp::fcmpwr},
    Operation{code::atomic_and, AtomicOp::and_},     Operation{code::atomic_or, AtomicOp::or_},
    Operation{code::atomic_xor, AtomicOp::xor_},     Operation{code::atomic_bfadd, AtomicOp::bf_add},
    Operation{code::atomic_bfsub, AtomicOp::bf_sub}, Operation{code::atomic_bfmin, AtomicOp::bf_min},
    Operation{code::atomic_bfmax, AtomicOp::bf_max}, Operation{code::atomic_bfcas, AtomicOp::bf_cas}};

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
    const auto* const found = std::ranges::find(operations, row.sub, &Operation::sub);
    return found == operations.end() ? nullptr : atomic_row(found->op);
}

bool compares_first(const isa::Row& row) {
    return row.sub == code::atomic_icas;
}

} // namespace visor::interp::lsc
