// DPAS, DPASW, RAW_SEND: where operands have to lie, and how long they have to be, by what the instruction
// says of them (IGC, IsaVerification.cpp).
#include "isa/codec.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace visor::verify {

namespace {

// By code: bits of an element (codec.cpp, precisions).
constexpr std::array<uint8_t, 16> precision_bits{0, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 8, 32, 0, 8, 4};

uint32_t bits_of(uint8_t precision) {
    return precision < precision_bits.size() ? precision_bits[precision] : 0;
}

// Products that a channel sums in a step.
uint32_t products(const isa::DpasInfo& info) {
    const uint32_t first = bits_of(info.src1_precision);
    const uint32_t second = bits_of(info.src2_precision);
    if (first > 8)
        return 32 / first;
    return first >= 2 && first <= 4 && second >= 2 && second <= 4 ? 8 : 4;
}

uint64_t place_of(const OperandSite& site) {
    const Variable& variable = site.context().variable(site.operand.id);
    const uint64_t own = site.operand.kind == OperandKind::raw
                             ? static_cast<uint64_t>(std::max<int64_t>(site.operand.offset, 0))
                             : uint64_t{site.operand.row} * site.context().grf_bytes +
                                   uint64_t{site.operand.column} * isa::size_of(variable.type);
    return variable.root_offset + own;
}

void check_place(const OperandSite& site, uint64_t alignment) {
    const bool variable = site.operand.kind == OperandKind::raw || site.operand.kind == OperandKind::general;
    if (!variable || is_null(site.operand) || isa::is_predefined(site.operand.id) ||
        !site.context().declared(site.operand.id) || alignment == 0 || place_of(site) % alignment == 0)
        return;
    site.diag(rule("matrix-alignment")) << name(site) << " begins at byte " << place_of(site)
                                        << " of its storage, no multiple of " << alignment;
}

void check_matrix(const Site& site) {
    const int info_index = isa::operand_index(site.row(), "info");
    const int src2_index = isa::operand_index(site.row(), "src2");
    const int src3_index = isa::operand_index(site.row(), "src3"); // bdpas has its own
    if (info_index < 0 || src2_index < 0 || src3_index >= 0)
        return;
    const isa::DpasInfo info =
        isa::dpas_info(site.instruction.operands[static_cast<size_t>(info_index)].value);
    const uint32_t row_bits = info.depth * bits_of(info.src2_precision) * products(info);
    check_place(site_of(site, static_cast<size_t>(src2_index)), row_bits / 8);
}

// The descriptor says how many registers go and come.
void check_send(const Site& site) {
    const auto operand = [&](std::string_view field) -> const Operand* {
        const int index = isa::operand_index(site.row(), field);
        return index < 0 ? nullptr : &site.instruction.operands[static_cast<size_t>(index)];
    };
    const Operand* descriptor = operand("desc");
    const Operand* sent = operand("num_src");
    const Operand* answered = operand("num_dst");
    if (descriptor == nullptr || sent == nullptr || answered == nullptr ||
        descriptor->kind != OperandKind::immediate)
        return;
    const uint64_t sends = descriptor->value >> 25U & 0xfU;
    const uint64_t answers = descriptor->value >> 20U & 0x1fU;
    if (sends > sent->value || answers > answered->value)
        site.diag(rule("send-length"))
            << "the descriptor says " << sends << " registers sent and " << answers
            << " answered; the instruction has " << sent->value << " and " << answered->value;
}

} // namespace

void check_payload(const Site& site) {
    if (site.row().family == isa::Family::matrix)
        check_matrix(site);
    else if (site.row().family == isa::Family::raw)
        check_send(site);
}

} // namespace visor::verify
