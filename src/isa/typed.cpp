// Rows of the messages to typed surfaces: images without a sampler. The conversion from and to the pixel's
// format is the surface's business, not the instruction's.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

// An offset that the surface's kind has no use for is the null variable.
constexpr Field coordinate(const char* name) {
    return emitted_also(raw_source(name, one_ud, Extent::lanes_4, true), types(Type::d));
}
constexpr Field u = coordinate("u");
constexpr Field v = coordinate("v");
constexpr Field r = coordinate("r");
constexpr Field lod = coordinate("lod");

constexpr Field channels = byte_field("channels", Codec::channel_mask, Place::suffix);
constexpr std::array gather_format{exec_field,
                                   predicate_field,
                                   channels,
                                   surface_field,
                                   u,
                                   v,
                                   r,
                                   lod,
                                   raw_result("dst", dword_data, Extent::channels_4)};
constexpr std::array scatter_format{exec_field,
                                    predicate_field,
                                    channels,
                                    surface_field,
                                    u,
                                    v,
                                    r,
                                    lod,
                                    raw_source("src", dword_data, Extent::channels_4)};
constexpr std::array atomic_format{byte_field("op", Codec::atomic_op, Place::suffix),
                                   exec_field,
                                   predicate_field,
                                   surface_field,
                                   u,
                                   v,
                                   r,
                                   lod,
                                   raw_source("src0", dword_data, Extent::atomic_lanes, true),
                                   raw_source("src1", dword_data, Extent::atomic_lanes, true),
                                   raw_result("dst", dword_data, Extent::atomic_lanes, true)};

constexpr uint8_t lanes_8 = 0x08;

constexpr Row message(uint8_t opcode, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                      const char* page, uint8_t exec_sizes, const char* semantics) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::typed,
            .format = format,
            .exec_sizes = exec_sizes,
            .flags = flags,
            .out_of_bounds = OutOfBounds::pixel,
            .page = page,
            .semantics = semantics};
}

constexpr Row typed_atomic() {
    Row row = message(opcode::typed_atomic, "typed_atomic", atomic_format,
                      reads_memory | writes_memory | atomic_access, "TYPED_ATOMIC", lanes_8,
                      "old = pixel (u[i], v[i], r[i]) at level lod[i]\n"
                      "it becomes op(old, src0[i], src1[i]); dst[i] = old; of predec, the new value");
    row.out_of_bounds = OutOfBounds::zero_or_dropped;
    return row;
}

// The pages list 8 lanes; where a register holds 16 dwords, the compiler uses 16.
constexpr std::array table{
    message(opcode::gather4_typed, "gather4_typed", gather_format, reads_memory, "GATHER4_TYPED", lanes_8_16,
            "dst[k*pitch + i] = channel c of pixel (u[i], v[i], r[i]) at level lod[i]\n"
            "for each enabled channel c (R 0, G 1, B 2, A 3), the k-th of them"),
    message(opcode::scatter4_typed, "scatter4_typed", scatter_format, writes_memory, "SCATTER4_TYPED",
            lanes_8_16,
            "channel c of pixel (u[i], v[i], r[i]) at level lod[i] = src[k*pitch + i]\n"
            "for each enabled channel c (R 0, G 1, B 2, A 3), the k-th of them"),
    typed_atomic(),
};
static_assert(well_formed(table));

namespace order = operand_order;
static_assert(has_operands(gather_format, {{order::gather4_typed::channels, "channels"},
                                           {order::gather4_typed::surface, "surface"},
                                           {order::gather4_typed::u, "u"},
                                           {order::gather4_typed::v, "v"},
                                           {order::gather4_typed::r, "r"},
                                           {order::gather4_typed::lod, "lod"},
                                           {order::gather4_typed::data, "dst"}}));
static_assert(has_operands(scatter_format, {{order::gather4_typed::channels, "channels"},
                                            {order::gather4_typed::surface, "surface"},
                                            {order::gather4_typed::u, "u"},
                                            {order::gather4_typed::v, "v"},
                                            {order::gather4_typed::r, "r"},
                                            {order::gather4_typed::lod, "lod"},
                                            {order::gather4_typed::data, "src"}}));
static_assert(has_operands(atomic_format, {{order::typed_atomic::op, "op"},
                                           {order::typed_atomic::surface, "surface"},
                                           {order::typed_atomic::u, "u"},
                                           {order::typed_atomic::v, "v"},
                                           {order::typed_atomic::r, "r"},
                                           {order::typed_atomic::lod, "lod"},
                                           {order::typed_atomic::src0, "src0"},
                                           {order::typed_atomic::src1, "src1"},
                                           {order::typed_atomic::dst, "dst"}}));

} // namespace

std::span<const Row> typed() {
    return table;
}

} // namespace visor::isa::rows
