// How messages name things: instructions, operands, sets of types, devices, lists of numbers.
#pragma once

#include "isa/row.h"
#include "verify/context.h"

#include <initializer_list>
#include <string>

namespace visor::verify {

// "<instruction>-<operand>-type" with an instruction's and an operand's name in it, in kebab-case.
[[nodiscard]] std::string concrete_id(std::string_view pattern, const isa::Row& row,
                                      std::string_view operand);

// The rule's page, or the instruction's where the rule says so.
[[nodiscard]] std::string_view page_of(const Rule& rule, const isa::Row& row);

// "`src` of scatter_scaled"
[[nodiscard]] std::string name(const OperandSite& site);
// "`V0034`": the variable behind an operand.
[[nodiscard]] std::string variable_name(const OperandSite& site);

// "element 2", "elements 0 to 3"
[[nodiscard]] std::string elements(uint32_t first, uint32_t count);

[[nodiscard]] std::string list(isa::TypeSet types);         // "ud, d, f"
[[nodiscard]] std::string list_sizes(uint8_t exec_sizes);   // "8, 16"
[[nodiscard]] std::string list_devices(isa::DeviceSet set); // "xehp, dg2, pvc"

} // namespace visor::verify
