// Rows of the arithmetic instructions. Types are those of the page's "Supported Types" and type maps; where a
// map speaks of one device only (bfloat16 from xehp on), the row has the union and the verifier the device's
// limits.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr DeviceSet math_macros = only(skl) | from(xehp); // {XEHP+,SKL}
constexpr DeviceSet before_icllp = until(skl);            // {-ICLLP}
constexpr const char* no_page = "source: the compiler's instruction descriptors";

constexpr TypeSet numbers = integers | types(Type::f, Type::hf, Type::df, Type::bf);
constexpr TypeSet div_numbers = small_integers | floats_df;
constexpr TypeSet mul_sources = with_packed(numbers & ~qword_data) | types(Type::df); // "Src types" has no Q
constexpr TypeSet float_double = types(Type::f, Type::df);
constexpr TypeSet words = types(Type::uw, Type::w);
constexpr TypeSet bytes = types(Type::ub, Type::b);
constexpr TypeSet line_numbers = integers | float_double;

constexpr uint32_t modified = arithmetic_modifiers | lane_wise;
constexpr uint32_t saturated = modified | can_saturate;
// Sums of products that binary64 may round before they are rounded to f (ruling 40).
constexpr uint32_t grouped = arithmetic_modifiers | can_saturate | approximate_floats;
constexpr uint32_t float_saturated = saturated | saturates_floats_only;

constexpr OperandClasses general_immediate = class_general | class_immediate;
constexpr OperandClasses general_indirect = class_general | class_indirect;

// addc and subb: a second destination; packed immediates as sources.
constexpr auto carry_format(const char* second) {
    constexpr TypeSet packed = types(Type::v, Type::uv);
    Field carried = dst_field(one_ud);
    carried.name = second;
    return std::array{exec_field,
                      predicate_field,
                      dst_field(one_ud),
                      carried,
                      emitted_also(src_field("src0", one_ud), packed),
                      emitted_also(src_field("src1", one_ud), packed)};
}
constexpr auto addc_format = carry_format("carry");
constexpr auto subb_format = carry_format("borrow");
constexpr std::array lrp_format{exec_field,
                                predicate_field,
                                dst_field(one_f, class_general),
                                src_field("src0", with_packed(one_f), general_immediate),
                                src_field("src1", with_packed(one_f), general_immediate),
                                src_field("src2", with_packed(one_f), general_immediate)};
constexpr std::array line_format{exec_field, predicate_field, dst_field(line_numbers),
                                 src_field("src0", line_numbers, class_general),
                                 src_field("src1", with_packed(line_numbers))};
constexpr std::array plane_format{exec_field, predicate_field, dst_field(one_f),
                                  src_field("src0", one_f, general_indirect),
                                  src_field("src1", one_f, general_indirect)};
constexpr std::array sad2add_format{exec_field,
                                    predicate_field,
                                    dst_field(words),
                                    src_field("src0", bytes),
                                    src_field("src1", bytes),
                                    src_field("src2", with_packed(words))};
constexpr Field wide_dst{.kind = FieldKind::vector_dst,
                         .name = "dst",
                         .types = dwords,
                         .classes = dst_classes,
                         .extent = Extent::wide_pair};
constexpr std::array madw_format{exec_field,
                                 predicate_field,
                                 wide_dst,
                                 src_field("src0", dwords),
                                 src_field("src1", dwords),
                                 src_field("src2", dwords)};
constexpr Field early_out{.kind = FieldKind::vector_dst,
                          .name = "pred_dst",
                          .types = types(Type::boolean),
                          .classes = class_predicate};
constexpr std::array invm_format{exec_field,
                                 predicate_field,
                                 dst_field(float_double),
                                 early_out,
                                 src_field("src0", float_double),
                                 src_field("src1", float_double)};
constexpr std::array rsqtm_format{exec_field, predicate_field, dst_field(float_double), early_out,
                                  src_field("src0", float_double)};
constexpr std::array srnd_format{exec_field, dst_field(types(Type::ub, Type::b, Type::hf), class_general),
                                 src_field("src0", types(Type::hf, Type::bf, Type::f), class_general),
                                 src_field("src1", types(Type::ub, Type::uw), general_immediate)};

constexpr Row arith_row(uint8_t opcode, const char* mnemonic, std::span<const Field> format, uint32_t flags,
                        const char* page, const char* semantics, DeviceSet devices = every_device,
                        uint8_t exec_sizes = any_exec_size) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = Family::arith,
            .format = format,
            .exec_sizes = exec_sizes,
            .flags = flags,
            .devices = devices,
            .page = page,
            .semantics = semantics};
}

constexpr uint8_t from_4_lanes = 0x3c; // dp4 and kin work on groups of four

constexpr std::array table{
    arith_row(opcode::add, "add", binary_format<numbers>, saturated, "ADD", "dst[i] = src0[i] + src1[i]"),
    arith_row(opcode::avg, "avg", binary_format<small_integers>, saturated, "AVG",
              "dst[i] = (src0[i] + src1[i] + 1) >> 1, the sum kept in full"),
    arith_row(opcode::div, "div", binary_format<div_numbers>,
              float_saturated | can_fault | approximate_floats, "DIV",
              "dst[i] = src0[i] / src1[i]\n"
              "integers: truncated towards zero; floats: about src0[i] * inv(src1[i])"),
    arith_row(opcode::dp2, "dp2", binary_format<one_f>, grouped, no_page,
              "in every four lanes from g on, for each i of them:\n"
              "dst[i] = src0[g]*src1[g] + src0[g+1]*src1[g+1]",
              every_device, from_4_lanes),
    arith_row(opcode::dp3, "dp3", binary_format<one_f>, grouped, no_page,
              "in every four lanes from g on, for each i of them:\n"
              "dst[i] = sum of src0[g+k]*src1[g+k], k = 0 .. 2",
              every_device, from_4_lanes),
    arith_row(opcode::dp4, "dp4", binary_format<one_f>, grouped, no_page,
              "in every four lanes from g on, for each i of them:\n"
              "dst[i] = sum of src0[g+k]*src1[g+k], k = 0 .. 3",
              every_device, from_4_lanes),
    arith_row(opcode::dph, "dph", binary_format<one_f>, grouped, no_page,
              "in every four lanes from g on, for each i of them:\n"
              "dst[i] = sum of src0[g+k]*src1[g+k], k = 0 .. 2, + src1[g+3]",
              every_device, from_4_lanes),
    arith_row(opcode::exp, "exp", unary_format<floats>, saturated | approximate_floats, "EXP",
              "dst[i] = 2 to the power of src0[i]"),
    arith_row(opcode::frc, "frc", unary_format<one_f>, modified, "FRC", "dst[i] = src0[i] - floor(src0[i])"),
    arith_row(opcode::line, "line", line_format, arithmetic_modifiers | can_saturate, no_page,
              "dst[i] = p * src1[i] + q\n"
              "p, q: elements 0 and 3 of src0, whatever its region",
              every_device, from_4_lanes),
    arith_row(opcode::log, "log", unary_format<floats>, saturated | approximate_floats, "LOG",
              "dst[i] = base-2 logarithm of src0[i]"),
    arith_row(opcode::mad, "mad", ternary_format<numbers>, float_saturated, "MAD",
              "dst[i] = src0[i] * src1[i] + src2[i]; floats: rounded once"),
    arith_row(opcode::mulh, "mulh", binary_format<dwords>, modified, "MULH",
              "dst[i] = bits 63..32 of the 64-bit product src0[i] * src1[i]"),
    arith_row(opcode::lrp, "lrp", lrp_format, saturated | approximate_floats, "LRP",
              "dst[i] = src0[i] * src1[i] + (1 - src0[i]) * src2[i]", before_icllp),
    arith_row(opcode::mod, "mod", binary_format<small_integers>, saturated | can_fault, "MOD",
              "dst[i] = remainder of src0[i] / src1[i], with the sign of src0[i]", until(dg1)),
    arith_row(opcode::mul, "mul", binary_format<numbers, mul_sources>, float_saturated, "MUL",
              "dst[i] = src0[i] * src1[i]"),
    arith_row(opcode::pow, "pow", binary_format<floats>, saturated | approximate_floats, "POW",
              "dst[i] = |src0[i]| to the power of src1[i]"),
    arith_row(opcode::rndd, "rndd", unary_format<one_f>, saturated, "RNDD",
              "dst[i] = the integer next to src0[i], downwards"),
    arith_row(opcode::rndu, "rndu", unary_format<one_f>, saturated, "RNDU",
              "dst[i] = the integer next to src0[i], upwards"),
    arith_row(opcode::rnde, "rnde", unary_format<one_f>, saturated, "RNDE",
              "dst[i] = the integer nearest to src0[i]; of two, the even one"),
    arith_row(opcode::rndz, "rndz", unary_format<one_f>, saturated, "RNDZ",
              "dst[i] = the integer next to src0[i], towards zero"),
    arith_row(opcode::sad2, "sad2", binary_format<words, bytes>, arithmetic_modifiers | can_saturate, "SAD2",
              "for even i: dst[i] = |src0[i] - src1[i]| + |src0[i+1] - src1[i+1]|\n"
              "odd lanes of dst: undefined",
              before_icllp),
    arith_row(opcode::sin, "sin", unary_format<floats>, saturated | approximate_floats, "SIN",
              "dst[i] = sine of src0[i] radians"),
    arith_row(opcode::cos, "cos", unary_format<floats>, saturated | approximate_floats, "COS",
              "dst[i] = cosine of src0[i] radians"),
    // The page names F and HF; the compiler takes DF as well.
    arith_row(opcode::sqrt, "sqrt", unary_format<floats_df>, saturated | approximate_floats, "SQRT",
              "dst[i] = square root of src0[i], approximately"),
    arith_row(opcode::rsqrt, "rsqrt", unary_format<floats>, saturated | approximate_floats, "RSQRT",
              "dst[i] = 1 / square root of src0[i], approximately"),
    arith_row(opcode::inv, "inv", unary_format<floats_df>, saturated | approximate_floats, "INV",
              "dst[i] = 1 / src0[i], approximately"),
    arith_row(opcode::srnd, "srnd", srnd_format, implicit_no_mask | lane_wise, "SRND",
              "dst[i] = src0[i] rounded at random: the low 13 (f to hf) or 8 (hf to the\n"
              "8-bit float that ub stands for) bits of src1[i] are added to the mantissa,\n"
              "which is then cut off",
              from(pvc)),
    arith_row(opcode::lzd, "lzd", unary_format<one_ud>, lane_wise | can_saturate, "LZD",
              "dst[i] = number of zeros in front of the first 1 of src0[i]; 32 for 0"),
    arith_row(opcode::addc, "addc", addc_format, 0, "ADDC",
              "dst[i] = src0[i] + src1[i] modulo 2^32\n"
              "carry[i] = 1 if the sum did not fit, else 0"),
    arith_row(opcode::subb, "subb", subb_format, 0, "SUBB",
              "dst[i] = src0[i] - src1[i] modulo 2^32\n"
              "borrow[i] = 1 if src0[i] < src1[i], else 0"),
    arith_row(opcode::sad2add, "sad2add", sad2add_format, can_saturate, "SAD2ADD",
              "for even i: dst[i] = |src0[i] - src1[i]| + |src0[i+1] - src1[i+1]| + src2[i]\n"
              "odd lanes of dst: undefined",
              before_icllp),
    arith_row(opcode::plane, "plane", plane_format, can_saturate | approximate_floats, "PLN",
              "dst[i] = p * u[i] + q * v[i] + r\n"
              "p, q, r: elements 0, 1, 3 of src0; src1 holds u and v of lanes 0..7, then\n"
              "those of lanes 8..15",
              before_icllp, lanes_8_16),
    arith_row(opcode::sqrtm, "sqrtm", unary_format<float_double>, lane_wise | can_saturate, "SQRTM",
              "dst[i] = square root of src0[i], correctly rounded", math_macros),
    arith_row(opcode::divm, "divm", binary_format<float_double>, lane_wise | can_saturate, "DIVM",
              "dst[i] = src0[i] / src1[i], correctly rounded", math_macros),
    arith_row(opcode::dp4a, "dp4a", ternary_format<dwords>, lane_wise | can_saturate, "DP4A",
              "dst[i] = src0[i] + sum of byte k of src1[i] * byte k of src2[i], k = 0 .. 3\n"
              "bytes are signed where their source is",
              from(tgllp)),
    arith_row(opcode::add3, "add3", ternary_format<words_dwords>, saturated, "ADD3",
              "dst[i] = src0[i] + src1[i] + src2[i]", from(xehp)),
    arith_row(opcode::madw, "madw", madw_format, arithmetic_modifiers, "MADW",
              "v = src0[i] * src1[i] + src2[i], 64 bits\n"
              "dst[i] = low half of v; lane i of the next whole register on = high half",
              every_device, up_to_16),
    arith_row(opcode::add3o, "add3.o", ternary_format<words_dwords>, arithmetic_modifiers | writes_predicate,
              "ADD3O", "dst[i] = src0[i] + src1[i] + src2[i]; pred[i] = 1 if it did not fit, else 0",
              from(xehp)),
    arith_row(opcode::tanh, "tanh", unary_format<floats>, saturated | approximate_floats, no_page,
              "dst[i] = hyperbolic tangent of src0[i]", from(cri)),
    arith_row(opcode::sigm, "sigm", unary_format<floats>, saturated | approximate_floats, no_page,
              "dst[i] = 1 / (1 + exp(-src0[i]))", from(cri)),
    arith_row(opcode::invm, "invm", invm_format, arithmetic_modifiers | first_approximation, "INVM",
              "dst[i] = a first approximation of src0[i] / src1[i]\n"
              "pred_dst[i] = 1 where that is final: NaN, infinity or zero",
              math_macros),
    arith_row(opcode::rsqtm, "rsqtm", rsqtm_format, arithmetic_modifiers | first_approximation, "RSQTM",
              "dst[i] = a first approximation of 1 / square root of src0[i]\n"
              "pred_dst[i] = 1 where that is final: NaN, infinity or zero",
              math_macros),
};
static_assert(well_formed(table));

static_assert(has_operands(addc_format, {{operand_order::addc::dst, "dst"},
                                         {operand_order::addc::flag, "carry"},
                                         {operand_order::addc::src0, "src0"},
                                         {operand_order::addc::src1, "src1"}}));
static_assert(has_operands(subb_format, {{operand_order::addc::dst, "dst"},
                                         {operand_order::addc::flag, "borrow"},
                                         {operand_order::addc::src0, "src0"},
                                         {operand_order::addc::src1, "src1"}}));

} // namespace

std::span<const Row> arith() {
    return table;
}

} // namespace visor::isa::rows
