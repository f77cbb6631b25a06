// The chapters of the rules. Every check reports what it finds and goes on; one that returns bool says
// whether what depends on it still makes sense.
#pragma once

#include "verify/context.h"

#include <span>

namespace visor::verify {

// declarations.cpp, inputs.cpp, attributes.cpp (4_visa_header)
void check_declarations(const Context& context);
void check_inputs(const Context& context);
void check_attributes(const Context& context);

// execution.cpp (3_execution_model): execution size, mask, predicate, device
void check_execution(const Site& site);

// operand.cpp (5_operands): variables, classes, modifiers; regions and raw operands have files of their own
[[nodiscard]] bool check_operands(const Site& site);
void check_operand(const OperandSite& site);
[[nodiscard]] bool check_region(const OperandSite& site);
void check_raw(const OperandSite& site);

// types.cpp (2_datatypes)
[[nodiscard]] isa::Type type_of(const OperandSite& site);
void check_type(const OperandSite& site);
void check_types(const Site& site);

// literal.cpp, atomic.cpp: what literals say and what follows from them
void check_literal(const OperandSite& site);
void check_messages(const Site& site);
void check_atomic(const Site& site);

// lsc.cpp: what an LSC message's literals say together
void check_lsc(const Site& site);

// payload.cpp: where operands of dpas lie, how long those of raw_send are
void check_payload(const Site& site);

// convert.cpp: fcvt, srnd
void check_conversion(const Site& site);

// move.cpp: mov, movs, setp, addr_add, logic on predicates
void check_moves(const Site& site);

// flow.cpp: labels, subroutines, ends
void check_flow(const Context& context);

} // namespace visor::verify
