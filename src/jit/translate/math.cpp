// The approximations of the math unit: EXP, LOG, POW, SIN, COS, RSQRT, of single and half precision and
// bfloat16. Correctly rounded operations (DIV, INV, SQRT) are arithmetic. Angles beyond 2^45 are interpreter
// fallbacks.
#include "isa/opcode.h"
#include "jit/translate/math_approximations.h"
#include "jit/translate/operand_values.h"

namespace visor::jit {

namespace {

using isa::Type;
using llvm::Value;

namespace opcode = isa::opcode;

bool all_single(const Values& values, size_t sources) {
    if (values.destination().type == Type::df || !values.floats(sources))
        return false;
    for (size_t k = 0; k < sources; ++k)
        if (element_type(values.source(k).type) == Type::df)
            return false;
    return values.can_load_real(sources) && values.can_store_real();
}

// Narrower destinations do not need single precision's denormals.
bool wants_denormals(const Values& values, const FloatMode& mode) {
    const Type to = values.destination().type;
    return to != Type::hf && mode.keeps(to);
}

bool takes_denormals(const Values& values, const FloatMode& mode) {
    const Type from = element_type(values.source(0).type);
    return from != Type::hf && mode.keeps(from);
}

Value* formula(MathApproximations& unit, uint8_t code, const Values& values, const FloatMode& mode,
               const std::array<Value*, 2>& operands) {
    switch (code) {
    case opcode::exp:
        return unit.exp2(operands[0], wants_denormals(values, mode));
    case opcode::log:
        return unit.log2(operands[0], takes_denormals(values, mode));
    case opcode::pow:
        return unit.power(operands[0], operands[1]);
    case opcode::sin:
        return unit.sine(operands[0]);
    case opcode::cos:
        return unit.cosine(operands[0]);
    default:
        return unit.reciprocal_root(operands[0]);
    }
}

} // namespace

bool lowering::math(Translator& translator, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    if (code != opcode::exp && code != opcode::log && code != opcode::pow && code != opcode::sin &&
        code != opcode::cos && code != opcode::rsqrt)
        return false;
    const size_t sources = code == opcode::pow ? 2 : 1;
    Values values(translator, instruction);
    if (!values.fits(sources) || !all_single(values, sources))
        return false;
    const auto mode = values.mode();
    if (!mode)
        return false;
    std::array<Value*, 2> operands{};
    for (size_t k = 0; k < sources; ++k) {
        const Type type = element_type(values.source(k).type);
        operands[k] = values.real(k, true);
        if (!mode->keeps(type))
            operands[k] = values.flushed(operands[k], type);
    }
    MathApproximations unit(translator, values.lanes());
    const Mask mask = values.enabled();
    const auto store = [&] { values.store_real(formula(unit, code, values, *mode, operands), mask); };
    if (code != opcode::sin && code != opcode::cos) {
        store();
        return true;
    }
    Value* const off = translator.ir().CreateNot(translator.lanes_on(mask, values.lanes()));
    Value* const near = translator.ir().CreateOr(unit.is_circular(operands[0]), off);
    translator.guarded(translator.every(near), store);
    return true;
}

} // namespace visor::jit
