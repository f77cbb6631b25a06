// Rows of the systolic matrix instructions and of the downscaling that feeds them. Neither dpas nor dpasw has
// a predicate on its page or in a binary.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr const char* no_page = "source: the compiler's instruction descriptors";

constexpr TypeSet accumulated = dwords | types(Type::f, Type::bf, Type::hf, Type::df);
constexpr TypeSet wide_accumulated = dwords | types(Type::f);
constexpr TypeSet packed = dwords | types(Type::df);
constexpr TypeSet block_accumulated = types(Type::f, Type::hf, Type::bf);
constexpr TypeSet block_packed = types(Type::ud, Type::hf, Type::bf);

// The page's four bytes W, A, SD and RC.
constexpr Field info = literal_field(FieldKind::literal32, "info", Codec::dpas_info, Place::suffix);

constexpr auto dpas_format(TypeSet result, TypeSet sources) {
    return std::array{exec_field,
                      raw_result("dst", result, Extent::instruction),
                      raw_source("src0", result, Extent::instruction, true), // null: zero
                      raw_source("src1", sources, Extent::instruction),
                      src_field("src2", sources, class_general),
                      info};
}
constexpr auto systolic = dpas_format(accumulated, packed);
constexpr auto systolic_wide = dpas_format(wide_accumulated, dwords);
constexpr std::array scaled_format{exec_field,
                                   raw_result("dst", block_accumulated, Extent::instruction),
                                   raw_source("src0", block_accumulated, Extent::instruction, true),
                                   raw_source("src1", block_packed, Extent::instruction),
                                   raw_source("src2", block_packed, Extent::instruction),
                                   src_field("src3", types(Type::ub), class_general),
                                   src_field("src4", types(Type::ub), class_general),
                                   info};
constexpr std::array downscale_format{exec_field,
                                      predicate_field,
                                      byte_field("convert_type", Codec::dnscl_type, Place::suffix),
                                      byte_field("mode", Codec::dnscl_mode, Place::suffix),
                                      byte_field("rounding_mode", Codec::dnscl_rounding, Place::suffix),
                                      raw_result("dst", one_ud, Extent::instruction),
                                      raw_source("src0", one_ud, Extent::instruction),
                                      raw_source("src1", one_ud, Extent::instruction),
                                      raw_source("src2", one_ud, Extent::instruction, true)};

constexpr Row matrix_row(uint8_t opcode, const char* mnemonic, std::span<const Field> format, TextForm form,
                         const char* page, const char* semantics, DeviceSet devices, uint8_t exec_sizes) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::matrix,
            .format = format,
            .form = form,
            .exec_sizes = exec_sizes,
            .devices = devices,
            .page = page,
            .semantics = semantics};
}

constexpr std::array table{
    matrix_row(opcode::dpasw, "dpasw", systolic_wide, TextForm::dpas, "DPASW",
               "as dpas; two fused threads share the registers of src2", only(xehp) | only(dg2) | only(arl),
               lanes_8_16),
    matrix_row(opcode::dpas, "dpas", systolic, TextForm::dpas, "DPAS",
               "dst = src0 + A x B: repeat rows of exec_size columns; A in src2, B in src1,\n"
               "both packed into dwords, depth dwords deep. Null src0: zero",
               from(xehp) & ~only(mtl), lanes_8_16),
    matrix_row(opcode::bdpas, "bdpas", scaled_format, TextForm::dpas, no_page,
               "dst = src0 + A x B, as dpas, of depth and repeat 8; each factor times 2^(s-127),\n"
               "s the scale of its 32 elements along the depth (or of all, if fewer): byte n of\n"
               "src3 for column n of B, byte m of src4 for row m of A, those of the second 32\n"
               "elements 32 bytes behind; 255: NaN. Null src3, src4: unscaled",
               from(cri), lanes_16),
    matrix_row(opcode::dnscl, "dnscl", downscale_format, TextForm::regular, no_page,
               "l0, h0, l1, h1 = low and high words of src0[i] and src1[i], converted to four\n"
               "bits, saturated; srnd: with low and high words of src2[i] as random fractions\n"
               "mode0, 2: byte 0 of dst[i] = h0 l0, byte 2 = h1 l1; else byte 0 = l1 l0,\n"
               "byte 2 = h1 h0. mode2, 3: each a byte higher; the other bytes are zero",
               from(cri), any_exec_size),
};
static_assert(well_formed(table));

namespace order = operand_order;
static_assert(has_operands(systolic, {{order::dpas::dst, "dst"},
                                      {order::dpas::src0, "src0"},
                                      {order::dpas::src1, "src1"},
                                      {order::dpas::src2, "src2"},
                                      {order::dpas::info_word, "info"}}));
static_assert(has_operands(scaled_format, {{order::bdpas::dst, "dst"},
                                           {order::bdpas::src0, "src0"},
                                           {order::bdpas::src1, "src1"},
                                           {order::bdpas::src2, "src2"},
                                           {order::bdpas::src3, "src3"},
                                           {order::bdpas::src4, "src4"},
                                           {order::bdpas::info_word, "info"}}));
static_assert(has_operands(downscale_format, {{order::dnscl::conversion, "convert_type"},
                                              {order::dnscl::mode, "mode"},
                                              {order::dnscl::rounding, "rounding_mode"},
                                              {order::dnscl::dst, "dst"},
                                              {order::dnscl::src0, "src0"},
                                              {order::dnscl::src1, "src1"},
                                              {order::dnscl::src2, "src2"}}));

} // namespace

std::span<const Row> matrix() {
    return table;
}

} // namespace visor::isa::rows
