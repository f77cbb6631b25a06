// Rows of the surface messages by block: whole owords, whatever the execution mask.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

constexpr Field size = byte_field("size", Codec::oword_count, Place::paren);
constexpr Field is_modified = byte_field("is_modified", Codec::modified, Place::suffix);
constexpr Field offset = scalar_field("offset", one_ud);

constexpr std::array load_format{size, is_modified, surface_field, offset,
                                 raw_result("dst", 0, Extent::owords)};
constexpr std::array store_format{size, surface_field, offset, raw_source("src", 0, Extent::owords)};

constexpr Row message(uint8_t opcode, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                      const char* page, const char* semantics) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::block,
            .format = format,
            .exec_sizes = no_exec_size,
            .flags = flags | implicit_no_mask,
            .out_of_bounds = OutOfBounds::zero_or_dropped,
            .page = page,
            .semantics = semantics};
}

constexpr std::array table{
    message(opcode::oword_ld, "oword_ld", load_format, reads_memory, "OWORD_LD",
            "bytes 0 .. 16*size-1 of dst = those of surface from byte 16*offset on"),
    message(opcode::oword_st, "oword_st", store_format, writes_memory, "OWORD_ST",
            "bytes of surface from byte 16*offset on = bytes 0 .. 16*size-1 of src"),
    message(opcode::oword_ld_unaligned, "oword_ld_unaligned", load_format, reads_memory, "OWORD_LD_UNALIGNED",
            "bytes 0 .. 16*size-1 of dst = those of surface from byte offset on"),
};
static_assert(well_formed(table));

namespace order = operand_order;
static_assert(has_operands(load_format, {{order::oword_ld::size, "size"},
                                         {order::oword_ld::is_modified, "is_modified"},
                                         {order::oword_ld::surface, "surface"},
                                         {order::oword_ld::offset, "offset"},
                                         {order::oword_ld::dst, "dst"}}));
static_assert(has_operands(store_format, {{order::oword_st::size, "size"},
                                          {order::oword_st::surface, "surface"},
                                          {order::oword_st::offset, "offset"},
                                          {order::oword_st::src, "src"}}));

} // namespace

std::span<const Row> block() {
    return table;
}

} // namespace visor::isa::rows
