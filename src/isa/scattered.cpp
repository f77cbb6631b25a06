// Rows of the surface messages by lane. Surfaces are legal on every device from the message's first on,
// whatever the device's compiler prefers (ruling 34); the qword messages begin with xehp (ruling 13).
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr uint32_t gather_flags = reads_memory;
constexpr uint32_t scatter_flags = writes_memory;

constexpr Field offset = scalar_field("offset", one_ud);
constexpr Field element_offset = raw_source("element_offset", one_ud, Extent::lanes_4);
constexpr Field lane_result = raw_result("dst", dword_data, Extent::lanes_4);
constexpr Field lane_source{.kind = FieldKind::raw_src,
                            .name = "src",
                            .types = dword_data,
                            .extent = Extent::lanes_4,
                            .low_bytes = true};

// GATHER, SCATTER: the element count's byte carries the mask as well, in the place of the exec size.
constexpr Field elt_size = byte_field("elt_size", Codec::element_bytes, Place::suffix);
constexpr Field num_elts = byte_field("num_elts", Codec::element_count, Place::paren);
constexpr Field global_offset = scalar_field("global_offset", one_ud);
constexpr std::array gather_format{elt_size,      byte_field("is_modified", Codec::modified, Place::suffix),
                                   num_elts,      surface_field,
                                   global_offset, element_offset,
                                   lane_result};
constexpr std::array scatter_format{elt_size,      num_elts,       surface_field,
                                    global_offset, element_offset, lane_source};

// "Block size is always one byte", "scale is always zero": ruling 8. Of the block counts only 1, 2 and 4
// exist (ruling 7); the qword messages' pages have one block, the compiler all (ruling 11).
constexpr Field block_size = ignored_field(FieldKind::literal8, "block_size");
constexpr Field any_blocks = byte_field("num_blocks", Codec::block_count, Place::suffix);
constexpr Field num_blocks = with_codes(any_blocks, 0b0111, 0);
constexpr Field qword_blocks = with_codes(any_blocks, 0b0001, 0b1110);
constexpr Field scale = ignored_field(FieldKind::literal16, "scale");
constexpr std::array gather_scaled_format{exec_field,    predicate_field, block_size,     num_blocks, scale,
                                          surface_field, offset,          element_offset, lane_result};
constexpr std::array scatter_scaled_format{exec_field,    predicate_field, block_size,     num_blocks, scale,
                                           surface_field, offset,          element_offset, lane_source};

constexpr Field channels = byte_field("channels", Codec::channel_mask, Place::suffix);
constexpr std::array gather4_scaled_format{
    exec_field,    predicate_field, channels,       scale,
    surface_field, offset,          element_offset, raw_result("dst", dword_data, Extent::channels_4)};
constexpr std::array scatter4_scaled_format{
    exec_field,    predicate_field, channels,       scale,
    surface_field, offset,          element_offset, raw_source("src", dword_data, Extent::channels_4)};

constexpr Field qword_offset = raw_source("offset", one_ud, Extent::lanes_4);
constexpr std::array qw_gather_format{exec_field,   predicate_field,
                                      qword_blocks, surface_field,
                                      qword_offset, raw_result("dst", qword_data, Extent::blocks_8)};
constexpr std::array qw_scatter_format{exec_field,   predicate_field,
                                       qword_blocks, surface_field,
                                       qword_offset, raw_source("src", qword_data, Extent::blocks_8)};

struct Form {
    TextForm form = TextForm::regular;
    uint8_t exec_sizes = any_exec_size;
    DeviceSet devices = every_device;
};

constexpr Row message(uint8_t opcode, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                      const char* page, const char* semantics, Form form) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::scattered,
            .format = format,
            .form = form.form,
            .exec_sizes = form.exec_sizes,
            .flags = flags,
            .devices = form.devices,
            .out_of_bounds = OutOfBounds::zero_or_dropped,
            .page = page,
            .semantics = semantics};
}

constexpr Form legacy{.form = TextForm::gather_legacy, .exec_sizes = no_exec_size};
constexpr Form scaled{};                                // ruling 6
constexpr Form four_channels{.exec_sizes = lanes_8_16}; // ruling 4
constexpr Form qwords{.exec_sizes = up_to_16, .devices = from(xehp)};

constexpr std::array table{
    message(opcode::gather, "gather", gather_format, gather_flags, "GATHER",
            "dst[i] = elt_size bytes of surface, zero-extended, at\n"
            "(global_offset + element_offset[i]) * elt_size",
            legacy),
    message(opcode::scatter, "scatter", scatter_format, scatter_flags, "SCATTER",
            "elt_size bytes of surface at (global_offset + element_offset[i]) * elt_size\n"
            "= low bytes of src[i]",
            legacy),
    message(opcode::gather4_scaled, "gather4_scaled", gather4_scaled_format, gather_flags, "GATHER4_SCALED",
            "dst[k*pitch + i] = dword of surface at offset + element_offset[i] + 4*c\n"
            "for each enabled channel c (R 0, G 1, B 2, A 3), the k-th of them",
            four_channels),
    message(opcode::scatter4_scaled, "scatter4_scaled", scatter4_scaled_format, scatter_flags | core_five,
            "SCATTER4_SCALED",
            "dword of surface at offset + element_offset[i] + 4*c = src[k*pitch + i]\n"
            "for each enabled channel c (R 0, G 1, B 2, A 3), the k-th of them",
            four_channels),
    message(opcode::gather_scaled, "gather_scaled", gather_scaled_format, gather_flags, "GATHER_SCALED",
            "dst[i] = num_blocks bytes of surface at offset + element_offset[i],\n"
            "zero-extended",
            scaled),
    message(opcode::scatter_scaled, "scatter_scaled", scatter_scaled_format, scatter_flags | core_five,
            "SCATTER_SCALED",
            "num_blocks bytes of surface at offset + element_offset[i] = low bytes of\n"
            "src[i]",
            scaled),
    message(opcode::qw_gather, "qw_gather", qw_gather_format, gather_flags | core_five, "QW_GATHER",
            "dst[j*pitch + i] = qword of surface at offset[i] + 8*j\n"
            "for each block j, from 0 on",
            qwords),
    message(opcode::qw_scatter, "qw_scatter", qw_scatter_format, scatter_flags, "QW_SCATTER",
            "qword of surface at offset[i] + 8*j = src[j*pitch + i]\n"
            "for each block j, from 0 on",
            qwords),
};
static_assert(well_formed(table));

namespace order = operand_order;
static_assert(has_operands(gather_format, {{order::gather::elt_size, "elt_size"},
                                           {order::gather::is_modified, "is_modified"},
                                           {order::gather::num_elts, "num_elts"},
                                           {order::gather::surface, "surface"},
                                           {order::gather::global_offset, "global_offset"},
                                           {order::gather::element_offset, "element_offset"},
                                           {order::gather::dst, "dst"}}));
static_assert(has_operands(scatter_format, {{order::scatter::elt_size, "elt_size"},
                                            {order::scatter::num_elts, "num_elts"},
                                            {order::scatter::surface, "surface"},
                                            {order::scatter::global_offset, "global_offset"},
                                            {order::scatter::element_offset, "element_offset"},
                                            {order::scatter::src, "src"}}));
static_assert(has_operands(gather_scaled_format, {{order::gather_scaled::block_size, "block_size"},
                                                  {order::gather_scaled::num_blocks, "num_blocks"},
                                                  {order::gather_scaled::scale, "scale"},
                                                  {order::gather_scaled::surface, "surface"},
                                                  {order::gather_scaled::offset, "offset"},
                                                  {order::gather_scaled::element_offset, "element_offset"},
                                                  {order::gather_scaled::data, "dst"}}));
static_assert(has_operands(scatter_scaled_format, {{order::gather_scaled::block_size, "block_size"},
                                                   {order::gather_scaled::num_blocks, "num_blocks"},
                                                   {order::gather_scaled::scale, "scale"},
                                                   {order::gather_scaled::surface, "surface"},
                                                   {order::gather_scaled::offset, "offset"},
                                                   {order::gather_scaled::element_offset, "element_offset"},
                                                   {order::gather_scaled::data, "src"}}));
static_assert(has_operands(gather4_scaled_format, {{order::gather4_scaled::channels, "channels"},
                                                   {order::gather4_scaled::scale, "scale"},
                                                   {order::gather4_scaled::surface, "surface"},
                                                   {order::gather4_scaled::offset, "offset"},
                                                   {order::gather4_scaled::element_offset, "element_offset"},
                                                   {order::gather4_scaled::data, "dst"}}));
static_assert(has_operands(scatter4_scaled_format, {{order::gather4_scaled::channels, "channels"},
                                                    {order::gather4_scaled::scale, "scale"},
                                                    {order::gather4_scaled::surface, "surface"},
                                                    {order::gather4_scaled::offset, "offset"},
                                                    {order::gather4_scaled::element_offset, "element_offset"},
                                                    {order::gather4_scaled::data, "src"}}));
static_assert(has_operands(qw_gather_format, {{order::qw_gather::num_blocks, "num_blocks"},
                                              {order::qw_gather::surface, "surface"},
                                              {order::qw_gather::offset, "offset"},
                                              {order::qw_gather::data, "dst"}}));
static_assert(has_operands(qw_scatter_format, {{order::qw_gather::num_blocks, "num_blocks"},
                                               {order::qw_gather::surface, "surface"},
                                               {order::qw_gather::offset, "offset"},
                                               {order::qw_gather::data, "src"}}));

} // namespace

std::span<const Row> scattered() {
    return table;
}

} // namespace visor::isa::rows
