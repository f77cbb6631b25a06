// Rows of the surface messages by block: whole owords, whatever the execution mask.
#include "isa/field.h"
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
    message(0x35, "oword_ld", load_format, reads_memory, "OWORD_LD",
            "bytes 0 .. 16*size-1 of dst = those of surface from byte 16*offset on"),
    message(0x36, "oword_st", store_format, writes_memory, "OWORD_ST",
            "bytes of surface from byte 16*offset on = bytes 0 .. 16*size-1 of src"),
    message(0x3c, "oword_ld_unaligned", load_format, reads_memory, "OWORD_LD_UNALIGNED",
            "bytes 0 .. 16*size-1 of dst = those of surface from byte offset on"),
};
static_assert(well_formed(table));

} // namespace

std::span<const Row> block() {
    return table;
}

} // namespace visor::isa::rows
