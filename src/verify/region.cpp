// 5_operands, Region-based Addressing: legal regions, and where the elements lie that they reach.
#include "module/extent.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <bit>

namespace visor::verify {

namespace {

constexpr Region scalar_region{0, 1, 0};
constexpr Levels split{Level::warning, Level::off};

bool is_destination(const OperandSite& site) {
    return site.field.kind == isa::FieldKind::vector_dst;
}

bool is_stride(uint8_t stride, uint8_t largest) {
    return stride == 0 || (stride <= largest && std::has_single_bit(stride));
}

bool check_destination(const OperandSite& site) {
    const Region region = site.operand.region;
    if (site.operand.kind == OperandKind::indirect && region.vertical == region_absent &&
        region.width != region_absent)
        return site.diag(rule("indirect-destination"))
               << "a multi-address indirect operand cannot be a destination";
    if (region.horizontal == 0)
        return site.diag(rule("destination-stride")) << "the horizontal stride of a destination is 0";
    return is_stride(region.horizontal, 4) || site.diag(rule("region-horizontal-stride"))
                                                  << "the horizontal stride of a destination is "
                                                  << unsigned{region.horizontal} << "; allowed: 1, 2, 4";
}

bool check_source(const OperandSite& site) {
    const Region region = site.operand.region;
    const bool rows_by_address =
        site.operand.kind == OperandKind::indirect && region.vertical == region_absent;
    if (!rows_by_address && !is_stride(region.vertical, 32))
        return site.diag(rule("region-vertical-stride"))
               << "the vertical stride is " << unsigned{region.vertical}
               << "; allowed: 0, 1, 2, 4, 8, 16, 32";
    if (region.width > 16 || !std::has_single_bit(region.width))
        return site.diag(rule("region-width"))
               << "the width is " << unsigned{region.width} << "; allowed: 1, 2, 4, 8, 16";
    if (!is_stride(region.horizontal, 4))
        return site.diag(rule("region-horizontal-stride"))
               << "the horizontal stride is " << unsigned{region.horizontal} << "; allowed: 0, 1, 2, 4";
    return region.width <= site.site.lanes() || site.diag(rule("region-width"))
                                                    << "the width " << unsigned{region.width}
                                                    << " exceeds the execution size " << site.site.lanes();
}

// Index of the last element from the first on.
uint64_t last_element(const OperandSite& site) {
    const Region region = site.operand.region;
    const uint64_t lanes = site.site.lanes();
    if (site.field.kind == isa::FieldKind::scalar_src)
        return 0;
    if (is_destination(site))
        return (lanes - 1) * region.horizontal;
    const uint64_t rows = lanes / region.width;
    return (rows - 1) * region.vertical + uint64_t{region.width - 1U} * region.horizontal;
}

// The finalizer splits arithmetic, logic, compares and moves where they span more, and compilers rely on it:
// what they mean is clear, so that the pages' rule only warns.
bool is_split(isa::Family family) {
    return family == isa::Family::arith || family == isa::Family::logic || family == isa::Family::compare ||
           family == isa::Family::move;
}

void check_span(const OperandSite& site, const Variable& variable, uint64_t first, uint64_t end) {
    if (variable.root_bytes < site.context().grf_bytes)
        return; // in one register, wherever that is
    const uint64_t grf = site.context().grf_bytes;
    const uint64_t first_register = (variable.root_offset + first) / grf;
    const uint64_t last_register = (variable.root_offset + end - 1) / grf;
    if (last_register > first_register + 1)
        site.diag(rule("region-span"), is_split(site.site.row().family) ? split : refused)
            << "the elements of " << name(site) << " lie in " << last_register - first_register + 1
            << " registers of " << grf << " bytes; at most 2 adjacent ones are allowed";
}

void check_place(const OperandSite& site) {
    const Operand& operand = site.operand;
    const Variable& variable = site.context().variable(operand.id);
    const uint64_t element = isa::size_of(variable.type);
    const uint64_t column = operand.column * element;
    if (operand.id == isa::id(isa::Predefined::null) || element == 0)
        return;
    if (column >= site.context().grf_bytes)
        site.diag(rule("column-offset"))
            << "column " << unsigned{operand.column} << " of type " << isa::facts(variable.type).name
            << " lies beyond a register of " << site.context().grf_bytes << " bytes";
    const uint64_t first = uint64_t{operand.row} * site.context().grf_bytes + column;
    const uint64_t stepped = (last_element(site) + 1) * element;
    const uint64_t wide = extent(site.site.instruction, site.index, site.context().grf_bytes);
    const uint64_t end = first + std::max(stepped, wide);
    if (end > variable.bytes) {
        site.diag(rule("operand-bounds"))
            << name(site) << " reaches byte " << end - 1 << " of " << variable_name(site) << ", which has "
            << variable.bytes << " bytes";
        return;
    }
    if (wide == 0)
        check_span(site, variable, first, end);
}

} // namespace

bool check_region(const OperandSite& site) {
    if (site.site.lanes() == 0)
        return false; // check_execution has said so
    if (site.field.kind == isa::FieldKind::scalar_src) {
        if (site.operand.region != scalar_region)
            site.diag(rule("scalar-region")) << name(site) << " is a scalar: its region must be <0;1,0>";
    } else if (is_destination(site) ? !check_destination(site) : !check_source(site)) {
        return false;
    }
    if (site.operand.kind == OperandKind::general)
        check_place(site);
    return true;
}

} // namespace visor::verify
