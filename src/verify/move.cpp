// What MOV, MOVS, SETP and the logic pages ask of operands together: which classes may meet. The forms are
// told by the classes that the rows allow and the instruction has.
#include "isa/opcode.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <algorithm>

namespace visor::verify {

namespace {

using isa::Type;

bool is_state(const Operand& operand) {
    return operand.kind == OperandKind::state_surface || operand.kind == OperandKind::state_sampler;
}
bool is_predicate(const Operand& operand) {
    return operand.kind == OperandKind::predicate;
}

// MOV: "<exec_size> must be one, and <dst> must have one of the types UB, UW, UD whose bit-size is greater
// than or equal to size of the source predicate variable"; neither predication nor saturation.
void check_mov_predicate(const Site& site) {
    const OperandSite destination = site_of(site, 0);
    const OperandSite source = site_of(site, 1);
    const Type type = type_of(destination);
    const uint32_t index = source.operand.id - isa::first_user_predicate;
    const std::vector<OtherVariable>& predicates = site.context.function.predicates;
    if (site.lanes() != 1)
        site.diag(rule("mov-predicate"))
            << "a mov from a predicate has execution size 1, not " << site.lanes();
    if (site.instruction.predicate.id != 0)
        site.diag(rule("mov-predicate")) << "a mov from a predicate cannot be predicated";
    if (site.instruction.saturate)
        site.diag(rule("mov-predicate")) << "a mov from a predicate does not saturate";
    if (!isa::is_integer(type) || isa::size_of(type) > 4) {
        destination.diag(rule("mov-predicate"))
            << name(destination) << " has type " << isa::facts(type).name << "; allowed: ud, uw, ub";
        return;
    }
    if (isa::is_signed(type))
        destination.diag(rule("mov-predicate"), habitual)
            << name(destination) << " has type " << isa::facts(type).name << "; allowed: ud, uw, ub";
    if (index < predicates.size() && predicates[index].elements > isa::size_of(type) * 8U)
        destination.diag(rule("mov-predicate"), doubtful)
            << variable_name(source) << " has " << predicates[index].elements << " elements, "
            << name(destination) << " only " << isa::size_of(type) * 8U << " bits";
}

// AND: "all operands must be predicates, and <pred> must be zero".
void check_predicate_logic(const Site& site) {
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        const OperandSite operand = site_of(site, index);
        if (operand.operand.kind != OperandKind::literal && !is_predicate(operand.operand))
            operand.diag(rule("predicate-logic"))
                << name(operand) << " is no predicate beside others that are";
    }
    if (site.instruction.predicate.id != 0)
        site.diag(rule("predicate-logic")) << "logic on predicates cannot be predicated";
}

// SETP: scalar source, "must be {M1_NoMask}", below 32 lanes also {M5_NoMask}.
void check_setp(const Site& site) {
    const Execution& execution = site.instruction.execution;
    const bool upper = execution.offset == 16 && execution.size < 32;
    if ((execution.offset != 0 && !upper) || !execution.no_mask)
        site.diag(rule("setp-mask")) << "setp takes the mask M1_NM"
                                     << (execution.size < 32 ? " or M5_NM" : "");
}

void check_movs(const Site& site) {
    const Operand& destination = site.instruction.operands[0];
    const Operand& source = site.instruction.operands[1];
    if (is_state(destination) && is_state(source) && destination.kind != source.kind)
        site.diag(rule("movs-operands")) << "movs between a surface and a sampler";
    else if (!is_state(destination) && !is_state(source))
        site.diag(rule("movs-operands"), refused)
            << "one of the operands of movs must be a surface or a sampler";
}

// SHFL_IDX4 (IGC, IsaVerification.cpp): a table of sixteen dwords, and an index in each lane's dword.
void check_shuffle(const Site& site) {
    const OperandSite table = site_of(site, 1);
    const OperandSite indices = site_of(site, 2);
    const Region whole = site.lanes() == 32 ? Region{0, 16, 1} : Region{1, 1, 0};
    if (table.operand.region != whole || table.operand.column != 0)
        table.diag(rule("shuffle-region"))
            << name(table) << " is a row of sixteen dwords: its region is "
            << (site.lanes() == 32 ? "<0;16,1>" : "<1;1,0>") << ", from column 0 on";
    const int in_dword = isa::size_of(type_of(indices)) == 1 ? 4 : 2; // ub or uw
    if (indices.operand.region != Region{static_cast<uint8_t>(in_dword), 1, 0} ||
        indices.operand.column >= in_dword)
        indices.diag(rule("shuffle-region")) << name(indices) << " is in each dword: its region is <"
                                             << in_dword << ";1,0>, its column below " << in_dword;
}

} // namespace

void check_moves(const Site& site) {
    const std::vector<Operand>& operands = site.instruction.operands;
    const isa::Family family = site.row().family;
    if (family == isa::Family::logic && std::ranges::any_of(operands, is_predicate))
        check_predicate_logic(site);
    if (family != isa::Family::move || operands.size() < 2)
        return;
    if (site.row().opcode == isa::opcode::shfl_idx4)
        return check_shuffle(site);
    const isa::Field& destination = isa::field_of_operand(site.row(), 0);
    if ((destination.classes & isa::class_state) != 0)
        check_movs(site);
    else if (destination.classes == isa::class_predicate)
        check_setp(site);
    else if (is_predicate(operands[1]) && operands[0].kind != OperandKind::predicate &&
             !isa::has(site.row(), isa::predicate_selects))
        check_mov_predicate(site);
}

} // namespace visor::verify
