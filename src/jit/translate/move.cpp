// Moves with their conversions, selection, predicates and addresses as data.
#include "isa/opcode.h"
#include "jit/translate/operand_values.h"
#include "jit/translate/rounding.h"
#include "jit/translate/saturating_conversion.h"

namespace visor::jit {

namespace {

using isa::Type;
using llvm::Value;

namespace opcode = isa::opcode;

// Whether the element's bits are the result, without conversion.
bool is_raw(Type to, const PreparedOperand& from, const PreparedInstruction& instruction) {
    const Type type = element_type(from.type);
    const bool same = type == to || (isa::is_integer(type) && isa::is_integer(to) &&
                                     isa::size_of(type) == isa::size_of(to));
    return same && from.modifier == SourceModifier::none && !instruction.saturate;
}

class Move {
public:
    Move(Translator& translator, const PreparedInstruction& instruction)
        : translator_(translator), ir_(translator.ir()), instruction_(instruction),
          values_(translator, instruction) {}

    bool lower() {
        switch (instruction_.row->opcode) {
        case opcode::addr_add:
            return add_addresses();
        case opcode::mov:
            return move();
        case opcode::sel:
            return select();
        case opcode::setp:
            return set_predicate();
        case opcode::movs:
            return move_state();
        default:
            return false;
        }
    }

private:
    bool move() {
        if (instruction_.operand_count < 2)
            return false;
        if (translator_.operand(instruction_, 0).kind == OperandKind::address)
            return move_to_addresses();
        if (translator_.operand(instruction_, 1).kind == OperandKind::predicate)
            return move_predicate();
        if (!values_.fits(1))
            return false;
        const Type to = values_.destination().type;
        if (is_raw(to, values_.source(0), instruction_))
            return translator_.store_bits(values_.destination(), values_.raw(0), values_.enabled());
        if (is_integer(values_.source(0)))
            return isa::is_integer(to) ? integer_to_integer() : integer_to_float();
        return isa::is_integer(to) ? float_to_integer() : float_to_float();
    }

    // The value as an integer, whatever the mask.
    bool move_predicate() {
        const PreparedOperand& to = values_.destination();
        if (instruction_.execution.size != 1 || !is_vector_destination(to) || !isa::is_integer(to.type))
            return false;
        Value* const bits = translator_.load_predicate(translator_.operand(instruction_, 1).base);
        Value* const value = ir_.CreateZExtOrTrunc(bits, translator_.integer(8U * isa::size_of(to.type)));
        return translator_.store_bits(to, value, translator_.all_lanes(1));
    }

    bool integer_to_integer() {
        const PreparedOperand& to = values_.destination();
        const uint32_t bits = 8U * isa::size_of(to.type);
        if (!instruction_.saturate)
            return values_.store_integer(values_.integer(0, bits), values_.enabled());
        const uint32_t exact = bits_of_type(values_.source(0)) < 64 ? 64 : 128;
        return values_.store_clamped(values_.integer(0, exact), values_.enabled());
    }

    bool integer_to_float() {
        const auto mode = values_.mode();
        const Type to = values_.destination().type;
        const uint32_t from = bits_of_type(values_.source(0));
        if (!mode || instruction_.saturate || !values_.can_store_real())
            return false;
        const bool modified = values_.source(0).modifier != SourceModifier::none;
        const bool is_signed = isa::is_signed(element_type(values_.source(0).type)) || modified;
        if (from == 64) // a modified qword has 65 bits; singles are exact over the range of halves
            return !modified && mode->to_nearest() && to != Type::bf &&
                   store_converted(values_.integer(0, 64), is_signed, to == Type::df);
        // Doubles represent dwords exactly. Rounding to nearest once suffices for singles and, as above, for
        // halves.
        const bool in_double = to == Type::df || to == Type::bf || !mode->to_nearest();
        return store_converted(values_.integer(0, modified ? 64 : 32), is_signed, in_double);
    }

    bool store_converted(Value* integer, bool is_signed, bool in_double) {
        auto* const type =
            translator_.vector(in_double ? ir_.getDoubleTy() : ir_.getFloatTy(), values_.lanes());
        Value* const number = is_signed ? ir_.CreateSIToFP(integer, type) : ir_.CreateUIToFP(integer, type);
        return values_.store_real(number, values_.enabled());
    }

    // Truncated, or rounded in the mode; clamped; a NaN gives 0.
    bool float_to_integer() {
        const auto mode = values_.mode();
        if (!mode || !values_.can_load_real(1))
            return false;
        const Type to = values_.destination().type;
        const bool is_double = values_.source(0).type == Type::df;
        Value* number = values_.real(0, !is_double);
        if (!mode->integers_to_zero())
            number = Rounder(translator_, values_.lanes(), mode->rounding()).integral(number);
        Value* const value = saturated_integer(ir_, number, isa::is_signed(to), 8U * isa::size_of(to),
                                               translator_.options().rounds);
        return translator_.store_bits(values_.destination(), value, values_.enabled());
    }

    bool float_to_float() {
        const auto mode = values_.mode();
        const Type to = values_.destination().type;
        const bool is_double = values_.source(0).type == Type::df;
        if (!mode || !is_computed_float(to) || !values_.can_load_real(1) || !values_.can_store_real())
            return false;
        return values_.store_real(values_.real(0, !is_double), values_.enabled());
    }

    // The predicate selects; it disables no lane.
    bool select() {
        if (!values_.fits(2))
            return false;
        const Type to = values_.destination().type;
        const Mask chosen = translator_.predicate(instruction_.predicate, instruction_.execution);
        const Mask mask = translator_.masked(instruction_.execution);
        Value* yes = nullptr;
        Value* no = nullptr;
        if (is_raw(to, values_.source(0), instruction_) && is_raw(to, values_.source(1), instruction_)) {
            yes = values_.raw(0);
            no = values_.raw(1);
        } else if (values_.integers(2)) {
            const uint32_t exact = values_.widest(2) < 64 ? 64 : 128;
            const uint32_t bits = instruction_.saturate ? exact : 8U * isa::size_of(to);
            yes = values_.integer(0, bits);
            no = values_.integer(1, bits);
        } else {
            return select_real(chosen, mask);
        }
        Value* const result = ir_.CreateSelect(translator_.lanes_on(chosen, values_.lanes()), yes, no);
        return isa::is_integer(to) ? values_.store_integer_result(result, mask)
                                   : translator_.store_bits(values_.destination(), result, mask);
    }

    bool select_real(const Mask& chosen, const Mask& mask) {
        const auto mode = values_.mode();
        const bool is_double = values_.destination().type == Type::df;
        if (!values_.floats(2) || !mode || !values_.can_load_real(2) || !values_.can_store_real())
            return false;
        for (size_t k = 0; k < 2; ++k)
            if (is_double != (values_.source(k).type == Type::df))
                return false;
        Value* const yes = values_.real(0, !is_double);
        Value* const no = values_.real(1, !is_double);
        return values_.store_real(ir_.CreateSelect(translator_.lanes_on(chosen, values_.lanes()), yes, no),
                                  mask);
    }

    // A scalar's bits become the elements, whatever the mask; else each element's lowest bit.
    bool set_predicate() {
        const PreparedOperand& to = translator_.operand(instruction_, 0);
        const PreparedOperand& from = translator_.operand(instruction_, 1);
        if (to.kind != OperandKind::predicate || !is_integer(from) || !is_vector_source(from))
            return false;
        const uint32_t lanes = instruction_.execution.size;
        const bool scalar = from.kind == OperandKind::immediate || is_scalar(from);
        Value* const value = values_.integer(0, 32);
        Value* bits = nullptr;
        if (scalar) {
            bits = ir_.CreateTrunc(translator_.lane(value, 0), translator_.integer(lanes));
        } else {
            Value* const low = ir_.CreateTrunc(value, translator_.vector(ir_.getInt1Ty(), lanes));
            bits = translator_.bits_of(low);
        }
        const Mask mask = scalar ? translator_.all_lanes(lanes) : translator_.masked(instruction_.execution);
        translator_.store_predicate(to.base, instruction_.execution, mask, bits);
        return true;
    }

    // Sets one surface variable to a binding-table index that the code names, %bss to a handle, or a sampler
    // variable.
    bool move_state() {
        const auto named = translator_.surface_named_here();
        if (!named)
            return translator_.set_bss(instruction_) || translator_.set_sampler(instruction_);
        translator_.set_surface(named->element, named->number);
        return true;
    }

    // Whether the address file has all elements that lanes name, from this one on.
    [[nodiscard]] bool inside(const PreparedOperand& at) const {
        const uint32_t elements = translator_.program().address_elements;
        return at.base < elements && elements - at.base >= instruction_.execution.size;
    }

    void set_addresses(const PreparedOperand& to, Value* value, const Mask& mask) {
        const uint32_t lanes = instruction_.execution.size;
        if (!mask.all())
            value = ir_.CreateSelect(translator_.lanes_on(mask, lanes), value,
                                     translator_.load_addresses(to.base, lanes, lanes));
        for (uint32_t k = 0; k < lanes; ++k)
            translator_.store_address(to.base + k, translator_.lane(value, k));
    }

    // Moves plain numbers, not variables' addresses.
    bool move_to_addresses() {
        const PreparedOperand& to = translator_.operand(instruction_, 0);
        const PreparedOperand& from = translator_.operand(instruction_, 1);
        if (!inside(to) || !is_vector_source(from) || !is_integer(from) ||
            isa::size_of(element_type(from.type)) > sizeof(uint32_t))
            return false;
        set_addresses(to, values_.integer(0, 32), values_.enabled());
        return true;
    }

    // src1 is a signed word, in bytes.
    bool add_addresses() {
        const PreparedOperand& to = translator_.operand(instruction_, 0);
        const PreparedOperand& base = translator_.operand(instruction_, 1);
        const uint32_t lanes = instruction_.execution.size;
        if (!values_addable(to) || !inside(to) || (base.kind == OperandKind::address && !inside(base)))
            return false;
        Value* const bytes =
            ir_.CreateSExt(values_.integer(1, 16), translator_.vector(ir_.getInt32Ty(), lanes));
        Value* from = nullptr;
        if (base.kind == OperandKind::address)
            from = translator_.load_addresses(base.base, std::max<uint32_t>(base.width, 1), lanes);
        else
            from = translator_.constant(
                32,
                base.base + (base.kind == OperandKind::address_of ? static_cast<uint32_t>(base.offset) : 0U),
                lanes);
        set_addresses(to, ir_.CreateAdd(from, bytes), translator_.masked(instruction_.execution));
        return true;
    }

    [[nodiscard]] bool values_addable(const PreparedOperand& to) const {
        if (instruction_.operand_count < 3 || to.kind != OperandKind::address)
            return false;
        const PreparedOperand& base = translator_.operand(instruction_, 1);
        const PreparedOperand& bytes = translator_.operand(instruction_, 2);
        const bool known = base.kind == OperandKind::address || base.kind == OperandKind::address_of ||
                           base.kind == OperandKind::general;
        return known && is_integer(bytes) && is_vector_source(bytes);
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    const PreparedInstruction& instruction_;
    Values values_;
};

} // namespace

bool lowering::move(Translator& translator, const PreparedInstruction& instruction) {
    return Move(translator, instruction).lower();
}

} // namespace visor::jit
