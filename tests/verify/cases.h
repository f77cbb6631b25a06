// A rule's cases: a snippet that breaks it, with the place that the message must name in double braces, and a
// near twin that is fine.
#pragma once

#include "module/module.h"
#include "verify/verify.h"

#include <span>

namespace visor::verify {

enum class Expect : uint8_t { nothing, warning, error };

struct Case {
    const char* rule; // of rules()
    const char* id;   // as reported; the rule's own when nullptr
    const char* broken;
    const char* message;
    const char* fixed;                        // nullptr: `broken` without the damage
    Expect spec = Expect::error;              // severity under each profile
    Expect igc = Expect::error;               //
    const char* device = nullptr;             // of both snippets; nullptr = any
    const char* fixed_device = nullptr;       // of the twin, when it differs
    void (*damage)(Module& module) = nullptr; // does to the broken one what no text can say
    const char* note = nullptr;               // a note that must be there
    bool ends_itself = false;                 // no `ret` is appended
};

// What the snippets may name; they follow it directly.
inline constexpr const char* prologue = R"(.version 4.1
.kernel "k"
.decl ud1 v_type=G type=ud num_elts=1 align=dword
.decl d1 v_type=G type=d num_elts=1 align=dword
.decl uw1 v_type=G type=uw num_elts=1 align=word
.decl ub1 v_type=G type=ub num_elts=1 align=byte
.decl uq1 v_type=G type=uq num_elts=1 align=qword
.decl ud2 v_type=G type=ud num_elts=2 align=qword
.decl ud16 v_type=G type=ud num_elts=16 align=GRF
.decl d16 v_type=G type=d num_elts=16 align=GRF
.decl f16 v_type=G type=f num_elts=16 align=GRF
.decl hf32 v_type=G type=hf num_elts=32 align=GRF
.decl uw16 v_type=G type=uw num_elts=16 align=GRF
.decl uq8 v_type=G type=uq num_elts=8 align=GRF
.decl q8 v_type=G type=q num_elts=8 align=GRF
.decl df8 v_type=G type=df num_elts=8 align=GRF
.decl uq16 v_type=G type=uq num_elts=16 align=GRF
.decl uq4 v_type=G type=uq num_elts=4 align=GRF
.decl ud8 v_type=G type=ud num_elts=8 align=GRF
.decl ud64 v_type=G type=ud num_elts=64 align=GRF
.decl uw64 v_type=G type=uw num_elts=64 align=GRF
.decl P8 v_type=P num_elts=8
.decl P16 v_type=P num_elts=16
.decl P32 v_type=P num_elts=32
.decl A8 v_type=A num_elts=8
.decl smp v_type=S num_elts=1
.decl T6 v_type=T num_elts=1
.decl T7 v_type=T num_elts=2
)";

void check(const Case& one);
void check(std::span<const Case> all);

// The instruction of the snippet, to be damaged.
[[nodiscard]] inline Instruction& first(Module& module) {
    return module.functions[0].code[0];
}

[[nodiscard]] std::span<const Case> declaration_cases();
[[nodiscard]] std::span<const Case> input_cases();
[[nodiscard]] std::span<const Case> attribute_cases();
[[nodiscard]] std::span<const Case> execution_cases();
[[nodiscard]] std::span<const Case> operand_cases();
[[nodiscard]] std::span<const Case> region_cases();
[[nodiscard]] std::span<const Case> raw_cases();
[[nodiscard]] std::span<const Case> type_cases();
[[nodiscard]] std::span<const Case> literal_cases();
[[nodiscard]] std::span<const Case> atomic_cases();
[[nodiscard]] std::span<const Case> lsc_cases();
[[nodiscard]] std::span<const Case> move_cases();
[[nodiscard]] std::span<const Case> flow_cases();
[[nodiscard]] std::span<const Case> module_cases();

} // namespace visor::verify
