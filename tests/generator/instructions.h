// One instruction from its row. Fields are filled in wire order; forms.cpp then makes the few changes that
// the row's TextForm demands.
#pragma once

#include "generator.h"
#include "marks.h"
#include "random.h"
#include "variables.h"

namespace visor::generator {

class Instructions {
public:
    Instructions(Random& random, const GeneratorOptions& options, Function& function)
        : random_(random), options_(options), function_(function), variables_(random, options, function),
          marks_(random, function) {}

    [[nodiscard]] Instruction make(const isa::Row& row);
    void finish();

private:
    [[nodiscard]] bool in_binary() const { return options_.medium == Medium::binary; }

    // ---- instructions.cpp
    [[nodiscard]] Execution execution(const isa::Row& row);
    [[nodiscard]] Predicate predicate(const isa::Row& row);
    void add_operand(Instruction& instruction, const isa::Field& field);
    void add_repeated(Instruction& instruction);
    [[nodiscard]] bool may_saturate(const Instruction& instruction) const;

    // ---- operands.cpp
    [[nodiscard]] Operand operand(const Instruction& instruction, const isa::Field& field);
    [[nodiscard]] Operand vector(const Instruction& instruction, const isa::Field& field);
    [[nodiscard]] OperandKind vector_kind(const isa::Field& field);
    [[nodiscard]] Operand general(const Instruction& instruction, const isa::Field& field);
    [[nodiscard]] Operand address(const Instruction& instruction);
    [[nodiscard]] Operand indirect(const Instruction& instruction, const isa::Field& field);
    [[nodiscard]] Operand address_of();
    [[nodiscard]] Operand immediate(isa::TypeSet types);
    [[nodiscard]] Operand state(bool is_surface);
    [[nodiscard]] Operand raw(const Instruction& instruction, const isa::Field& field);
    [[nodiscard]] Operand label(const isa::Row& row);
    [[nodiscard]] Operand any_variable();
    [[nodiscard]] Operand literal(const isa::Field& field);
    [[nodiscard]] Region region(const isa::Field& field, unsigned lanes, bool is_indirect);
    [[nodiscard]] SourceModifier modifier(const isa::Row& row, const isa::Field& field);

    // ---- forms.cpp: `settle` makes of an instruction what its form can say
    void settle(Instruction& instruction);
    void settle_dpas(Instruction& instruction);
    void settle_sample(Instruction& instruction);
    void settle_nbarrier(Instruction& instruction);
    void settle_lifetime(Instruction& instruction) const;
    void settle_send(Instruction& instruction);
    void settle_lsc(Instruction& instruction);
    void settle_lsc_surface(Instruction& instruction);
    void settle_lsc_shape(Instruction& instruction);
    void settle_lsc_block(Instruction& instruction);
    void settle_lsc_coordinates(Instruction& instruction);
    void settle_state_info(Instruction& instruction);
    [[nodiscard]] Operand place(isa::Type immediate);

    Random& random_;
    const GeneratorOptions& options_;
    Function& function_;
    Variables variables_;
    Marks marks_;
    // Of the instruction being made.
    bool works_on_predicates_ = false;
    bool predicates_only_ = false;
};

} // namespace visor::generator
