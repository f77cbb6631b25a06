// A vISA program as plain data, without behaviour: what text, binary and zebin are read into and written
// from. Ids are vISA's own everywhere (general variables from 32, predicates from 1, surfaces from 6).
#pragma once

#include "diagnostic/location.h"
#include "isa/predefined.h"
#include "isa/row.h"
#include "module/operand.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace visor {

struct Attribute {
    std::string name;
    bool has_number = false; // neither: a flag
    bool has_text = false;
    int64_t number = 0;
    std::string text;
    Location where;

    [[nodiscard]] bool same(const Attribute& other) const;
};

enum class Align : uint8_t { byte = 0, word, dword, qword, oword, grf, grf2, hword, word32, word64 };
// Bytes; GRF-relative ones need the device's GRF size.
[[nodiscard]] uint32_t bytes(Align align, uint32_t grf_bytes);

// .decl v_type=G
struct GeneralVariable {
    std::string name;
    isa::Type type = isa::Type::ud;
    uint32_t elements = 1;
    Align align = Align::byte;
    uint32_t alias = 0;        // id of the variable whose storage this one shares; 0 = none
    uint32_t alias_offset = 0; // bytes
    std::vector<Attribute> attributes;
    Location where;
};

// .decl v_type=A, P, S or T
struct OtherVariable {
    std::string name;
    uint32_t elements = 1;
    std::string v_name; // S and T only; "" = none given
    std::vector<Attribute> attributes;
    Location where;
};

enum class InputClass : uint8_t { general = 0, sampler = 1, surface = 2 };
enum class ImplicitKind : uint8_t {
    explicit_input = 0,
    local_size = 1,
    group_count = 2,
    local_id = 3,
    pseudo_input = 16
};

// .input / .implicit_KIND
struct Input {
    InputClass klass = InputClass::general;
    uint8_t implicit = 0; // ImplicitKind or an undefined value
    uint32_t id = 0;
    int32_t offset = 0; // bytes from the start of the register file
    uint32_t size = 0;  // bytes
    Location where;
};

enum class LabelKind : uint8_t {
    block = 0,
    subroutine = 1,
    fc = 2,
    function = 3,
    divergent_resource_loop = 4
};
struct Label {
    std::string name;
    LabelKind kind = LabelKind::block;
    Location where; // of the definition
    bool defined = false;
};

enum class PredicateControl : uint8_t { none = 0, any = 1, all = 2 };
struct Predicate {
    uint16_t id = 0; // 0 = not predicated
    PredicateControl control = PredicateControl::none;
    bool inverted = false;

    friend bool operator==(const Predicate&, const Predicate&) = default;
};

struct Execution {
    uint8_t size = 1;     // lanes: 1 2 4 8 16 32
    uint8_t offset = 0;   // first lane: 0 4 8 ... 28 (M1 ... M8)
    bool no_mask = false; // _NM

    friend bool operator==(const Execution&, const Execution&) = default;
};

struct Instruction {
    const isa::Row* row = nullptr;
    Execution execution;
    Predicate predicate;
    bool saturate = false;
    std::vector<Operand> operands; // one for each field of the row's format that isa::is_operand
    Location where;

    [[nodiscard]] bool same(const Instruction& other) const;
};

enum class FunctionKind : uint8_t { kernel, global_function };

struct Function {
    FunctionKind kind = FunctionKind::kernel;
    std::string name;
    std::vector<GeneralVariable> general;  // id 32 + index
    std::vector<OtherVariable> addresses;  // id = index
    std::vector<OtherVariable> predicates; // id 1 + index
    std::vector<OtherVariable> samplers;   // id = index
    std::vector<OtherVariable> surfaces;   // id 6 + index
    std::vector<Input> inputs;
    std::vector<Attribute> attributes;
    std::vector<Label> labels;        // id = index
    std::vector<std::string> strings; // what fcall, faddr, file name
    std::vector<Instruction> code;    // labels and subroutine marks are instructions of their own
    Location where;
    bool from_compiler = false; // as its text was read; no part of `same`

    [[nodiscard]] const Attribute* attribute(std::string_view attribute_name) const;
    // The number of this attribute, `absent` when it is not there or no number.
    [[nodiscard]] int64_t attribute_number(std::string_view attribute_name, int64_t absent) const;
};

// A spelling in the text that the compiler takes and the pages do not have, such as channels in lower case.
// It means the same as the pages' spelling; only a check against the pages minds.
struct UnpagedSpelling {
    Location where;
    std::string what;
};

struct Module {
    uint8_t major = 4;
    uint8_t minor = 1;
    bool modern_suffixes = false; // .version 4.2, or .aligned seen: no suffix on svm_block_ld means unaligned
    std::vector<Function> functions; // kernels and .global_functions, in order
    std::vector<UnpagedSpelling> unpaged_spellings;
};

// What a function knows of a variable id, predefined or declared.
[[nodiscard]] isa::Type general_type(const Function& function, uint32_t id);
[[nodiscard]] uint32_t general_elements(const Function& function, uint32_t id, uint32_t grf_bytes);
[[nodiscard]] std::string general_name(const Function& function, uint32_t id);
[[nodiscard]] std::string surface_name(const Function& function, uint32_t id);
[[nodiscard]] bool general_exists(const Function& function, uint32_t id);

// The storage behind a general variable: aliases followed to the end.
struct Root {
    uint32_t id = 0;
    uint32_t offset = 0; // bytes
};
// Alias cycles and over-long chains (which only damaged input has) end the walk at the variable reached.
[[nodiscard]] Root root_of(const Function& function, uint32_t id);

// Whether this operand, which the instruction has, is the address of a general variable.
[[nodiscard]] bool takes_address(const Instruction& instruction, size_t operand_index);

// Equal but for locations: what "parses to the same module" means.
[[nodiscard]] bool same(const Function& a, const Function& b);
[[nodiscard]] bool same(const Module& a, const Module& b);

} // namespace visor
