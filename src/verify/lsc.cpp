// LSC_UNTYPED, LSC_TYPED, LSC_FENCE, and what the implementation's verifier asks for beyond the pages:
// caches, data shapes, addresses and operands of one message together. Blocks of two dimensions have a file
// of their own.
#include "isa/codec.h"
#include "isa/lsc_code.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "verify/chapters.h"
#include "verify/lsc_message.h"
#include "verify/spelling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

namespace visor::verify {

namespace {

using isa::DeviceId;
namespace lsc = isa::lsc;
namespace code = isa::sub_opcode::lsc;

// ---- caches

struct CachePair {
    uint8_t first;
    uint8_t last;
};
constexpr std::array any_pairs{CachePair{lsc::cache_df, lsc::cache_df},
                               CachePair{lsc::cache_uc, lsc::cache_uc}};
constexpr std::array load_pairs{
    CachePair{lsc::cache_uc, lsc::cache_ca}, CachePair{lsc::cache_ca, lsc::cache_uc},
    CachePair{lsc::cache_ca, lsc::cache_ca}, CachePair{lsc::cache_st, lsc::cache_uc},
    CachePair{lsc::cache_st, lsc::cache_ca}, CachePair{lsc::cache_ri, lsc::cache_ca}};
// What the implementation has besides, from Xe2 on.
constexpr std::array newer_load_pairs{CachePair{lsc::cache_ri, lsc::cache_ri},
                                      CachePair{lsc::cache_uc, lsc::cache_cc},
                                      CachePair{lsc::cache_ca, lsc::cache_cc}};
constexpr std::array store_pairs{
    CachePair{lsc::cache_uc, lsc::cache_wb}, CachePair{lsc::cache_wt, lsc::cache_uc},
    CachePair{lsc::cache_wt, lsc::cache_wb}, CachePair{lsc::cache_st, lsc::cache_uc},
    CachePair{lsc::cache_st, lsc::cache_wb}, CachePair{lsc::cache_wb, lsc::cache_wb}};
constexpr std::array atomic_pairs{CachePair{lsc::cache_uc, lsc::cache_wb}};

bool has_pair(std::span<const CachePair> pairs, uint64_t first, uint64_t last) {
    return std::ranges::any_of(
        pairs, [&](const CachePair& pair) { return pair.first == first && pair.last == last; });
}

std::span<const CachePair> own_pairs(const LscMessage& message) {
    if (message.is_atomic())
        return atomic_pairs;
    return message.is_load() ? std::span<const CachePair>(load_pairs) : store_pairs;
}

// Before Xe2 these units have no cache control; the implementation refuses it.
bool takes_no_caching(const LscMessage& message) {
    return message.before(DeviceId::bmg) &&
           (message.unit() == lsc::sfid_tgm || message.unit() == lsc::sfid_ugml);
}

bool exists(const LscMessage& message, uint64_t first, uint64_t last) {
    const bool newer = message.is_load() && !message.before(DeviceId::bmg);
    return has_pair(any_pairs, first, last) || has_pair(own_pairs(message), first, last) ||
           (newer && has_pair(newer_load_pairs, first, last));
}

void check_caching(const LscMessage& message) {
    const uint64_t first = message.value("caching_l1").value_or(0);
    const uint64_t last = message.value("caching_l3").value_or(0);
    if (message.value("caching_third").value_or(0) != 0 || (first == 0 && last == 0))
        return; // three levels: check_execution knows the devices
    const std::string pair =
        "." + isa::spell(isa::Codec::lsc_cache, first) + "." + isa::spell(isa::Codec::lsc_cache, last);
    const RuleRow& broken = rule("lsc-caching");
    if (takes_no_caching(message))
        message.site.diag(broken, unwritten)
            << "messages of this unit have the default caching only; this one has " << pair;
    else if (!exists(message, first, last))
        message.site.diag(broken) << message.site.row().mnemonic << " has no caching " << pair;
    else if (message.unit() == lsc::sfid_slm)
        message.site.diag(broken, doubtful)
            << "shared local memory has the default caching only; this is " << pair;
}

// ---- data

bool has_vectors(uint64_t size) {
    return size == lsc::d32 || size == lsc::d64;
}

uint32_t elements_of(const LscMessage& message) {
    const uint64_t code = message.value("data_elems_per_addr").value_or(0);
    return code < lsc::element_counts.size() ? lsc::element_counts[code] : 0;
}

void check_transposed(const LscMessage& message) {
    const RuleRow& broken = rule("lsc-data-shape");
    if (message.site.lanes() != 1)
        message.site.diag(broken) << "a transposed message has the execution size 1, not "
                                  << message.site.lanes();
    if (message.is_atomic())
        message.site.diag(broken) << "atomics cannot be transposed";
}

void check_vector(const LscMessage& message, uint64_t size, uint32_t elements) {
    const RuleRow& broken = rule("lsc-data-shape");
    if (elements != 1 && !has_vectors(size))
        message.site.diag(broken, unwritten) << "vectors are of d32 or d64";
    const bool of_four = elements == 1 || elements == 2 || elements == 4;
    if (message.unit() == lsc::sfid_ugml && !of_four)
        message.site.diag(broken, unwritten) << "messages of ugml have 1, 2 or 4 elements an address";
    else if (elements > 8)
        message.site.diag(broken, unwritten)
            << "only a transposed message has more than 8 elements an address; this has " << elements;
}

void check_atomic_shape(const LscMessage& message, uint64_t size, uint32_t elements) {
    const RuleRow& broken = rule("lsc-data-shape");
    if (elements != 1)
        message.site.diag(broken, unwritten) << "atomics have one element an address";
    if (size != lsc::d16u32 && size != lsc::d32 && size != lsc::d64)
        message.site.diag(broken, unwritten) << "atomics are of d16c32, d32 or d64";
}

// "fadd and fsub": units that have them.
bool adds_floats(const LscMessage& message) {
    const uint64_t unit = message.unit();
    const bool global = unit == lsc::sfid_ugm || unit == lsc::sfid_ugml;
    if (message.before(DeviceId::bmg))
        return global;
    if (message.before(DeviceId::cri))
        return global || unit == lsc::sfid_tgm;
    return unit != lsc::sfid_ugml || !message.since(DeviceId::cri);
}

void check_atomic_unit(const LscMessage& message, uint64_t size) {
    const RuleRow& broken = rule("lsc-data-shape");
    const int16_t sub = message.site.row().sub;
    if (message.unit() == lsc::sfid_slm && size == lsc::d64 && sub != code::atomic_icas)
        message.site.diag(broken, unwritten) << "of d64 shared local memory has lsc_atomic_icas only";
    if ((sub == code::atomic_fadd || sub == code::atomic_fsub) && !adds_floats(message))
        message.site.diag(broken, unwritten) << "this unit has no " << message.site.row().mnemonic;
}

void check_channels(const LscMessage& message, uint64_t channels) {
    constexpr std::array<uint64_t, 4> contiguous{0x1, 0x3, 0x7, 0xf};
    const RuleRow& broken = rule("lsc-data-shape");
    if (channels != 0 && !message.is_load() && std::ranges::find(contiguous, channels) == contiguous.end() &&
        (message.before(DeviceId::cri) || message.unit() == lsc::sfid_tgm))
        message.site.diag(broken, unwritten) << "channels that are stored are .x, .xy, .xyz or .xyzw";
}

// A payload has eight registers at most.
void check_registers(const LscMessage& message, uint64_t size, uint32_t elements, bool transposed) {
    constexpr uint32_t most = 8;
    const uint32_t grf = message.site.context.grf_bytes;
    const uint32_t bytes = size < lsc::register_bytes.size() ? lsc::register_bytes[size] : 0;
    const uint32_t lanes = message.site.lanes();
    const uint32_t registers =
        transposed ? std::max(1U, elements * bytes / grf) : elements * std::max(1U, bytes * lanes / grf);
    if (registers > most)
        message.site.diag(rule("lsc-data-shape"), unwritten)
            << "the data take " << registers << " registers; a message has " << most << " at most";
}

void check_shape(const LscMessage& message) {
    const auto size = message.value("data_size");
    if (!size || message.site.row().form == isa::TextForm::lsc_state_info || message.value("blocks"))
        return; // blocks have shapes of their own
    if (*size >= lsc::register_bytes.size())
        return; // check_literal has said so
    const bool transposed = message.value("data_order").value_or(0) == lsc::order_transposed;
    const uint64_t channels = message.value("ch_mask").value_or(0);
    const bool quad = message.has_channels();
    const uint32_t elements =
        quad ? static_cast<uint32_t>(std::popcount(channels & 0xfU)) : elements_of(message);
    if (transposed)
        check_transposed(message);
    else if (quad)
        check_channels(message, channels);
    else {
        check_vector(message, *size, elements);
        if (message.is_atomic())
            check_atomic_unit(message, *size);
    }
    if (!quad && channels == 0 && message.is_atomic())
        check_atomic_shape(message, *size, elements);
    if (!quad && transposed && elements != 1 && lsc::memory_bytes[*size] != lsc::register_bytes[*size])
        message.site.diag(rule("lsc-data-shape"), unwritten) << "data that are widened are no vector";
    if (elements != 0)
        check_registers(message, *size, elements, transposed);
}

// ---- addresses

bool is_flat(uint64_t type) {
    return type == lsc::type_flat || type == lsc::type_arg;
}

// A base of its own for flat addresses: from Xe3P on.
bool has_base(const LscMessage& message) {
    const auto surface = message.operand("surface");
    if (!surface)
        return false;
    const Operand& base = surface->operand;
    if (base.kind == OperandKind::immediate)
        return base.value != 0;
    return base.kind == OperandKind::general && base.id != isa::id(isa::Predefined::null);
}

void check_model(const LscMessage& message, uint64_t type) {
    const RuleRow& broken = rule("lsc-address");
    const uint64_t unit = message.unit();
    if (unit > lsc::sfid_slm)
        message.site.diag(broken, unwritten) << "the compiler has no messages of this unit";
    if (type == lsc::type_surf && message.before(DeviceId::cri))
        message.site.diag(broken, unwritten) << "surfaces are named by bti, bss or ss before cri";
    if (is_flat(type) && unit == lsc::sfid_tgm)
        message.site.diag(broken, unwritten) << "typed messages have a surface, no flat addresses";
    if (!is_flat(type) && unit == lsc::sfid_slm)
        message.site.diag(broken, unwritten) << "shared local memory has flat addresses, no surface";
    if (is_flat(type) && has_base(message) && message.before(DeviceId::cri))
        message.site.diag(broken, unwritten) << "flat addresses have no base before cri";
    const auto surface = message.operand("surface");
    if (!is_flat(type) && surface && surface->operand.kind == OperandKind::general &&
        surface->operand.id == isa::id(isa::Predefined::null))
        message.site.diag(broken, unwritten) << "the surface is the null variable";
}

void check_address_size(const LscMessage& message, uint64_t size) {
    const RuleRow& broken = rule("lsc-address");
    const uint64_t unit = message.unit();
    if (size == lsc::a16 && unit != lsc::sfid_slm)
        message.site.diag(broken, unwritten) << "addresses of 16 bits are those of shared local memory";
    if (size > lsc::a64 && message.before(DeviceId::cri))
        message.site.diag(broken, unwritten) << "addresses are a16, a32 or a64 before cri";
    if (size == lsc::a64 && (unit == lsc::sfid_slm || unit == lsc::sfid_tgm))
        message.site.diag(broken, unwritten) << "this unit has no addresses of 64 bits";
}

// An address has the size that it says. %null is of any size.
void check_payload(const LscMessage& message, uint64_t size) {
    const auto payload = message.operand("src0_addrs");
    if (!payload || payload->operand.kind != OperandKind::raw || is_null(payload->operand) ||
        !message.site.context.declared(payload->operand.id))
        return;
    const isa::Type type = message.site.context.variable(payload->operand.id).type;
    const uint32_t bytes = size == lsc::a64 ? 8 : size == lsc::a16 ? 2 : 4;
    if (size != lsc::a16 && (!isa::is_integer(type) || isa::size_of(type) != bytes))
        payload->diag(rule("lsc-address"), unwritten)
            << name(*payload) << " has type " << isa::facts(type).name << "; addresses are integers of "
            << bytes << " bytes";
}

void check_address(const LscMessage& message) {
    const auto column = message.operand("src0_addrs_u");
    if (column && column->operand.kind == OperandKind::raw && is_null(column->operand))
        column->diag(rule("lsc-operands"), unwritten)
            << name(*column) << " is the null variable, but is needed";
    if (const auto type = message.value("addr_type"))
        check_model(message, *type);
    if (const auto size = message.value("addr_size")) {
        check_address_size(message, *size);
        check_payload(message, *size);
    }
    const auto pitch = message.operand("src0_addr_pitch");
    if (pitch && pitch->operand.kind == OperandKind::immediate && pitch->operand.value > 0xffff)
        pitch->diag(rule("lsc-address"), unwritten) << name(*pitch) << " has more than 16 bits";
    const uint64_t scale = message.value("addr_scale").value_or(1);
    if (!std::has_single_bit(scale) && message.before(DeviceId::cri))
        message.site.diag(rule("lsc-address"), unwritten) << "the scale is " << scale << ", no power of two";
}

// ---- operands

unsigned sources_of(int16_t sub) {
    switch (sub) {
    case code::atomic_iinc:
    case code::atomic_idec:
    case code::atomic_load:
        return 0;
    case code::atomic_icas:
    case code::atomic_fcas:
    case code::atomic_bfcas:
        return 2;
    default:
        return 1;
    }
}

void check_atomic_sources(const LscMessage& message) {
    const unsigned sources = sources_of(message.site.row().sub);
    for (const auto& [field, used] : {std::pair{"src1_data", sources >= 1}, {"src2_data", sources >= 2}}) {
        const auto operand = message.operand(field);
        if (!operand || operand->operand.kind != OperandKind::raw || is_null(operand->operand) != used)
            continue;
        operand->diag(rule("lsc-operands"))
            << name(*operand)
            << (used ? " is the null variable, but is needed" : " must be %null: there is no such source");
    }
}

void check_stored_data(const LscMessage& message) {
    const auto data = message.operand("src1_data");
    if (data && data->operand.kind == OperandKind::raw && is_null(data->operand))
        data->diag(rule("lsc-operands"), unwritten) << name(*data) << " is the null variable, but is needed";
}

// ---- fences

void check_fence(const LscMessage& message) {
    const bool plain =
        message.value("lsc_fence_op").value_or(0) == 0 && message.value("lsc_scope").value_or(0) == 0;
    if (message.site.instruction.predicate.id != 0)
        message.site.diag(rule("lsc-fence"), unwritten) << "the compiler's fence has no predicate";
    if (message.value("lsc_fence_op") == lsc::fence_discard && message.since(DeviceId::bmg) &&
        message.before(DeviceId::ptl))
        message.site.diag(rule("lsc-fence"), unwritten) << "fences of Xe2 do not discard";
    if (message.unit() > lsc::sfid_slm)
        message.site.diag(rule("lsc-fence"), unwritten) << "a fence is of ugm, ugml, slm or tgm";
    else if (message.unit() == lsc::sfid_slm && !plain)
        message.site.diag(rule("lsc-fence"), unwritten) << "a fence of shared local memory is .none.group";
}

} // namespace

void check_lsc(const Site& site) {
    if (site.row().family != isa::Family::lsc)
        return;
    const LscMessage message{site};
    if (message.value("lsc_fence_op")) {
        check_fence(message);
        return;
    }
    if (message.value("caching_l2"))
        return; // of lsc_extended_cache_ctrl each literal is judged by itself
    check_caching(message);
    check_shape(message);
    check_address(message);
    check_block(message);
    if (message.is_atomic() && message.operand("src2_data"))
        check_atomic_sources(message);
    else if (!message.is_load())
        check_stored_data(message);
}

} // namespace visor::verify
