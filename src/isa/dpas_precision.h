// The element precisions of DPAS, by the code of the page's table (tf32 and those behind it as the compiler
// has them), and the shape of a product.
#pragma once

#include "isa/codec.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace visor::isa::dpas {

// Codes of the float precisions.
inline constexpr uint8_t bfloat_code = 9;
inline constexpr uint8_t half_code = 10;
inline constexpr uint8_t bf8_code = 11;
inline constexpr uint8_t tf32_code = 12;
inline constexpr uint8_t hf8_code = 14;
inline constexpr uint8_t e2m1_code = 15; // of bdpas only

struct Precision {
    uint8_t bits;
    bool is_signed;
    bool is_float;
};
[[nodiscard]] constexpr std::optional<Precision> precision(uint8_t code) {
    switch (code) {
    case 1:
        return Precision{1, false, false};
    case 2:
        return Precision{1, true, false};
    case 3:
        return Precision{2, false, false};
    case 4:
        return Precision{2, true, false};
    case 5:
        return Precision{4, false, false};
    case 6:
        return Precision{4, true, false};
    case 7:
        return Precision{8, false, false};
    case 8:
        return Precision{8, true, false};
    case bfloat_code:
    case half_code:
        return Precision{16, true, true};
    case bf8_code:
    case hf8_code:
        return Precision{8, true, true};
    case e2m1_code:
        return Precision{4, true, true};
    case tf32_code:
        return Precision{32, true, true};
    default:
        return std::nullopt;
    }
}

struct Shape {
    DpasInfo info{};
    Precision first{};     // of src1, the weights
    Precision second{};    // of src2, the activations
    uint32_t products = 0; // summed at one depth: OPS_PER_CHAN

    [[nodiscard]] constexpr uint32_t inner() const { return info.depth * products; }
    // Of src1 for so many lanes, in whole dwords of a lane.
    [[nodiscard]] constexpr uint32_t weight_bytes(uint32_t lanes) const {
        return (inner() * first.bits + 31) / 32 * lanes * 4;
    }
    // Of src2; a row has eight depths.
    [[nodiscard]] constexpr uint32_t activation_bytes() const {
        return (info.repeat * 8 * products * second.bits + 7) / 8;
    }
};

// Nothing: no legal combination.
[[nodiscard]] constexpr std::optional<Shape> shape_of(uint64_t word) {
    Shape shape;
    shape.info = dpas_info(word);
    const auto first = precision(shape.info.src1_precision);
    const auto second = precision(shape.info.src2_precision);
    const uint8_t depth = shape.info.depth; // a binary can hold any value
    const bool sized = (depth == 1 || depth == 2 || depth == 4 || depth == 8) && shape.info.repeat >= 1 &&
                       shape.info.repeat <= 8;
    if (!sized || !first || !second || first->is_float != second->is_float)
        return std::nullopt;
    shape.first = *first;
    shape.second = *second;
    const uint32_t widest = std::max(first->bits, second->bits);
    shape.products = first->is_float ? 32U / first->bits : widest == 8 ? 4 : 8;
    // Only the two 8-bit float formats can be mixed.
    const bool mixed = shape.info.src1_precision != shape.info.src2_precision;
    const bool may_mix = !first->is_float || (first->bits == 8 && second->bits == 8);
    return mixed && !may_mix ? std::nullopt : std::optional(shape);
}

} // namespace visor::isa::dpas
