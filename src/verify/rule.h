// The rules as rows: id, what it asks for, where the documentation says so, and how severe it is under either
// profile. A rule whose id names instruction and operand takes what is allowed from the instruction's row.
#pragma once

#include "verify/verify.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace visor::verify {

enum class Level : uint8_t { off, warning, error };
struct Levels {
    Level spec;
    Level igc;
    Level run = igc;
};

inline constexpr Levels refused{Level::error, Level::error};
inline constexpr Levels doubtful{Level::error,
                                 Level::warning}; // the pages forbid it, the implementation does not
inline constexpr Levels habitual{Level::error, Level::off}; // likewise, and compilers emit it all the time
// No page forbids it, the implementation does: Visor executes it by the pages, and says so.
inline constexpr Levels unwritten{Level::off, Level::error, Level::warning};
// The pages and the implementation forbid it, on a device or at all, and Visor executes it all the same.
inline constexpr Levels executed{Level::error, Level::error, Level::warning};
inline constexpr Levels suspicious{Level::warning, Level::warning};

struct RuleRow {
    Rule rule;
    Levels levels;
};

namespace pages {
inline constexpr const char* own = "the instruction's page";
inline constexpr const char* types = "2_datatypes, Type Conversion";
inline constexpr const char* mask = "3_execution_model, Execution Mask";
inline constexpr const char* branch = "3_execution_model, Branch Instructions";
inline constexpr const char* call = "3_execution_model, Subroutine and Function Calls";
inline constexpr const char* general = "4_visa_header, General Variables";
inline constexpr const char* input = "4_visa_header, Input Variables";
inline constexpr const char* label = "4_visa_header, Labels";
inline constexpr const char* attribute = "4_visa_header, Attributes";
inline constexpr const char* region = "5_operands, Region Restrictions";
inline constexpr const char* predication = "5_operands, Predication";
inline constexpr const char* vector = "5_operands, Vector Operands";
inline constexpr const char* raw = "5_operands, Raw Operands";
} // namespace pages

inline constexpr std::array rule_rows = std::to_array<RuleRow>({
    {{"<instruction>-<operand>-class", "an operand is of a class that the instruction takes there",
      pages::own},
     refused},
    {{"<instruction>-<operand>-code", "a literal field has one of the codes that the page lists", pages::own},
     doubtful},
    {{"<instruction>-<operand>-null", "an operand that is needed is not the null variable", pages::own},
     doubtful},
    {{"<instruction>-<operand>-type", "an operand has one of the types that the page lists", pages::own},
     doubtful},
    {{"<instruction>-<operand>-unused", "an operand that the operation does not use is the null variable",
      pages::own},
     doubtful},
    {{"<instruction>-device", "the device has the instruction", "appendix_instruction_by_platform"}, refused},
    {{"<instruction>-exec-size", "the execution size is one that the page lists", pages::own}, doubtful},
    {{"address-bounds", "an address operand stays inside its variable; its width is 1, 2, 4, 8 or 16",
      "5_operands, Address Operands"},
     doubtful},
    {{"address-of", "the address is taken of a declared variable, inside its bounds", "ADDR_ADD"}, refused},
    {{"alias-alignment", "an alias begins at a multiple of its type's size, in storage aligned for it",
      pages::general},
     doubtful},
    {{"alias-base", "an alias names a variable declared before it that may be aliased", pages::general},
     refused},
    {{"alias-offset", "an alias begins inside the variable whose storage it shares", pages::general},
     refused},
    {{"alias-size", "an alias ends inside the variable whose storage it shares", pages::general}, doubtful},
    {{"attribute-kind", "an attribute has a value of its kind: flag, number or string", pages::attribute},
     refused},
    {{"attribute-value", "an attribute's number is one that is defined for it", "4_visa_header, Kernel"},
     doubtful},
    {{"column-offset", "a column offset stays inside its register", "5_operands, General Operands"},
     doubtful},
    {{"conversion-mask", "fcvt to 8 bits, and srnd, have no execution mask", pages::own}, unwritten},
    {{"conversion-types", "fcvt and srnd have a result and a source that there is a conversion for",
      pages::own},
     unwritten},
    {{"destination-stride", "the horizontal stride of a destination is not 0", pages::region}, refused},
    {{"duplicate-attribute", "SLMSize and NBarrierCnt are given at most once", "4_visa_header, Kernel"},
     refused},
    {{"duplicate-function", "kernels and functions of one module differ in name",
      "3_execution_model, Concepts"},
     refused},
    {{"duplicate-input", "a variable is an input once", pages::input}, doubtful},
    {{"duplicate-label", "a label is defined once", pages::label}, refused},
    {{"fret-in-kernel", "fret ends functions; a kernel ends with ret", pages::call}, doubtful},
    {{"goto-across-subroutines", "a branch stays inside its subroutine", pages::branch}, doubtful},
    {{"immediate-type", "an immediate has a type that immediates may have", "5_operands, Immediate Operands"},
     refused},
    {{"indirect-addresses", "an indirect operand's addresses lie inside its address variable, 16 at most",
      "5_operands, Indirect Operands"},
     refused},
    {{"indirect-destination", "a destination is not a multi-address indirect operand", pages::region},
     refused},
    {{"indirect-offset", "the immediate offset of an indirect operand lies in [-512, 511]",
      "5_operands, Indirect Operands"},
     doubtful},
    {{"input-alignment", "an input is aligned to its type, to a register from one register on", pages::input},
     doubtful},
    {{"input-overlap", "inputs do not overlap", pages::input}, refused},
    {{"input-range",
      "an input lies inside the register file, behind register 0, and crosses no register when it is smaller",
      pages::input},
     refused},
    {{"input-size", "an input is as large as its variable", pages::input}, refused},
    {{"input-variable", "an input names a declared variable that is no alias", pages::input}, refused},
    {{"label-kind", "goto, jmp and switchjmp lead to labels, call to a subroutine", pages::label}, refused},
    {{"lsc-address", "an LSC message has addresses that its unit takes", "LSC_UNTYPED"}, unwritten},
    {{"lsc-block", "a block of an LSC message is one that there is", "LSC_UNTYPED"}, unwritten},
    {{"lsc-caching", "an LSC message has a pair of caching options that there is", "LSC_UNTYPED"}, refused},
    {{"lsc-data-shape", "an LSC message has data of a shape that there is", "LSC_UNTYPED"}, refused},
    {{"lsc-fence", "a fence is of a unit that has one; of shared local memory .none.group", "LSC_FENCE"},
     unwritten},
    {{"lsc-operands", "an LSC message has the operands that its operation uses, and no others",
      "LSC_UNTYPED"},
     refused},
    {{"mask-alignment", "the mask's first lane is a multiple of the execution size", pages::mask}, doubtful},
    {{"mask-range", "the mask's first lane plus the execution size is at most 32", pages::mask}, refused},
    {{"matrix-alignment", "src2 of dpas begins at a multiple of a row's size", "DPAS"}, unwritten},
    {{"media-block", "a block of media_ld and media_st is at most 64 x 64 and 256 bytes", pages::own},
     refused},
    {{"missing-return", "control does not run past the last instruction", pages::call}, doubtful},
    {{"mov-predicate",
      "a mov from a predicate has one lane, no predicate, no .sat, and an integer wide enough", "MOV"},
     refused},
    {{"movs-operands", "one operand of movs is a state variable, two are of the same class", "MOVS"},
     doubtful},
    {{"no-predicate", "an instruction that has no predicate field is not predicated", pages::own}, doubtful},
    {{"num-elts", "a variable has a number of elements that its class allows", "4_visa_header, Variables"},
     refused},
    {{"operand-bounds", "a region stays inside its variable", "5_operands, Region-based Addressing"},
     doubtful},
    {{"operand-count", "an instruction has the operands of its format", pages::own}, refused},
    {{"packed-immediate", "a packed immediate has 8 elements (v, uv) or 4 (vf), no more lanes use it",
      "5_operands, Immediate Operands"},
     doubtful},
    {{"predicate-logic", "logic on predicates has predicates only, no predicate control and no modifier",
      "AND"},
     refused},
    {{"predicate-size", "a predicate has an element for every lane that uses it", pages::predication},
     doubtful},
    {{"raw-alignment", "a raw operand begins at a register (ruling 32)", pages::raw},
     {Level::warning, Level::error}},
    {{"raw-bounds", "a raw operand stays inside its variable", pages::raw}, doubtful},
    {{"read-only-variable", "a destination is not a read-only predefined variable", pages::general}, refused},
    {{"region-horizontal-stride", "a horizontal stride is 0, 1, 2 or 4", pages::region}, refused},
    {{"region-span", "the elements of an operand lie in two adjacent registers", pages::region},
     {Level::warning, Level::off}},
    {{"region-vertical-stride", "a vertical stride is 0, 1, 2, 4, 8, 16 or 32", pages::region}, refused},
    {{"region-width", "a width is 1, 2, 4, 8 or 16, and at most the execution size", pages::region}, refused},
    {{"saturation", "only instructions and types that saturate have .sat", pages::own}, doubtful},
    {{"scalar-region", "a scalar operand has the region <0;1,0> (ruling 33)", "5_operands, Scalar Operands"},
     doubtful},
    {{"send-length", "raw_send has the registers that its descriptor counts", "RAW_SEND"}, unwritten},
    {{"setp-mask", "setp has the mask M1_NM, or M5_NM for the upper 16 elements", "SETP"}, doubtful},
    {{"shuffle-region", "sources of shfl_idx4 have the regions of a table and of indices", pages::own},
     unwritten},
    {{"simd-width", "lanes lie inside the kernel's SimdSize (ruling 31)", pages::mask}, suspicious},
    {{"source-modifier", "a modifier stands where the instruction allows it", pages::vector}, doubtful},
    {{"state-bounds", "elements of a surface or sampler variable lie inside it",
      "5_operands, State Operands"},
     doubtful},
    {{"string-index", "a string of the instruction is in the string pool", "4_visa_header, String Pool"},
     refused},
    {{"subroutine-fallthrough", "control does not run into a subroutine", pages::call}, doubtful},
    {{"subroutine-recursion", "subroutines do not call themselves", pages::call}, doubtful},
    {{"surface-not-allowed", "the message takes this surface", pages::own}, refused},
    {{"type-device", "the device computes with the type", "appendix_instruction_by_platform"}, doubtful},
    {{"types-mixed", "integers and floats are not mixed, nor floats of different types", pages::types},
     refused},
    {{"undeclared-variable", "a variable, predicate, surface or sampler is declared or predefined",
      "4_visa_header, Variables"},
     refused},
    {{"undefined-label", "a label that is used is one of the function's and defined", pages::label}, refused},
    {{"unknown-attribute", "an attribute is one of those that are defined", pages::attribute}, suspicious},
    {{"unknown-version", "the version is one from 3.0 to 4.2", "4_visa_header"}, refused},
    {{"unpaged-spelling", "names are spelled as the pages have them", "8_appendix_visa_assembly_syntax"},
     habitual},
    {{"variable-type", "a variable has a type that variables may have", pages::general}, refused},
});
static_assert(std::ranges::is_sorted(rule_rows, {},
                                     [](const RuleRow& row) { return std::string_view(row.rule.id); }));

// The row of an id; an id that does not exist does not compile.
[[nodiscard]] consteval const RuleRow& rule(std::string_view id) {
    return *std::ranges::find(rule_rows, id,
                              [](const RuleRow& row) { return std::string_view(row.rule.id); });
}

} // namespace visor::verify
