#include "jit/program/integer_quotients.h"

#include "jit/program/blocks.h"

#include "isa/opcode.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;
using isa::Type;

constexpr uint64_t one_and_margin = 0x3ff0000000004000; // 1 + 2^-38
constexpr uint32_t rounding_bits = 0x30;                // of %cr0
// Each block with definitions costs a traversal of the control flow graph.
constexpr size_t most_blocks = 64;

class Quotients {
public:
    Quotients(const Program& program, FunctionInfo& info)
        : program_(program), info_(info), definitions_(info.roots.size()) {}

    void run() {
        if (program_.calls || !has_directed_quotient())
            return;
        for (uint32_t i = 0; i < program_.code.size(); ++i)
            count(i);
        blocks_ = find_blocks(program_, info_);
        for (uint32_t i = 0; i < program_.code.size(); ++i)
            if (is_conversion(i, Type::df))
                relax(i);
        for (const auto& [correction, uses] : corrections_)
            if (uses == definitions_[root_of(destination(correction))].uses)
                to_nearest(correction);
    }

private:
    struct Definition {
        uint32_t count = 0;
        uint32_t uses = 0; // operands
        uint32_t by = 0;   // the last one
    };
    // An operand as an instruction reads it.
    struct Read {
        const PreparedOperand* operand;
        uint32_t by;
    };

    [[nodiscard]] const PreparedInstruction& at(uint32_t index) const { return program_.code[index]; }
    [[nodiscard]] const PreparedOperand& destination(uint32_t index) const {
        return program_.operands_of(at(index))[0];
    }
    [[nodiscard]] Read source(uint32_t index, size_t number) const {
        return {&program_.operands_of(at(index))[1 + number], index};
    }
    [[nodiscard]] uint32_t root_of(const PreparedOperand& operand) const {
        return info_.root_at(operand.base);
    }

    // Most functions have none.
    [[nodiscard]] bool has_directed_quotient() const {
        return std::ranges::any_of(program_.code, [&](const PreparedInstruction& instruction) {
            const auto operands = program_.operands_of(instruction);
            return instruction.row->opcode == opcode::mad && is_margin(operands.back());
        });
    }
    [[nodiscard]] static bool is_margin(const PreparedOperand& operand) {
        return operand.kind == OperandKind::immediate && operand.type == Type::df &&
               operand.modifier == SourceModifier::none && operand.value == one_and_margin;
    }

    void count(uint32_t index) {
        const auto operands = program_.operands_of(at(index));
        for (size_t k = 0; k < operands.size(); ++k) {
            if (!is_register(operands[k]))
                continue;
            Definition& definition = definitions_[root_of(operands[k])];
            if (is_result(at(index), k)) {
                ++definition.count;
                definition.by = index;
            } else {
                ++definition.uses;
            }
        }
    }

    // ---- definitions

    [[nodiscard]] static bool is_row(const PreparedOperand& operand, uint32_t lanes) {
        for (uint32_t lane = 0; lane < lanes; ++lane)
            if (element_of(operand, lane) != lane)
                return false;
        return true;
    }

    [[nodiscard]] static bool is_same_format(Type one, Type other) {
        return one == other ||
               (isa::is_integer(one) && isa::is_integer(other) && isa::size_of(one) == isa::size_of(other));
    }

    // The only definition of what is read, by the same lane or by one for all. A lane that reads has executed
    // it, for it dominates.
    std::optional<uint32_t> definition_of(const Read& read) {
        const PreparedOperand& operand = *read.operand;
        if (operand.kind != OperandKind::general || operand.null)
            return std::nullopt;
        const Root& root = info_.roots[root_of(operand)];
        const Definition& definition = definitions_[root_of(operand)];
        if (root.pinned || root.input || definition.count != 1)
            return std::nullopt;
        const PreparedInstruction& by = at(definition.by);
        const PreparedOperand& to = destination(definition.by);
        const Execution& reader = at(read.by).execution;
        if (!is_result(by, 0) || to.kind != OperandKind::general || to.base != operand.base ||
            !is_same_format(to.type, operand.type) || by.predicate.id != 0 || by.saturate ||
            !is_row_of_results(to, by))
            return std::nullopt;
        const bool all = by.execution.no_mask || info_.convergent[definition.by];
        const bool same = by.execution.size == reader.size && by.execution.offset == reader.offset &&
                          (all || !reader.no_mask) && is_row(operand, reader.size);
        const bool one = by.execution.size == 1 && is_scalar(operand) && all;
        if (!(same || one) || !dominates(definition.by, read.by))
            return std::nullopt;
        return definition.by;
    }
    [[nodiscard]] static bool is_row_of_results(const PreparedOperand& to, const PreparedInstruction& by) {
        return to.vertical == 1 || by.execution.size == 1;
    }

    bool dominates(uint32_t first, uint32_t second) {
        const uint32_t block = blocks_.of[first];
        if (block == blocks_.of[second])
            return first < second;
        if (reached_.size() == most_blocks && !reached_.contains(block))
            return false;
        return !reached_without(blocks_, block, reached_)[blocks_.of[second]];
    }

    // ---- the shape

    [[nodiscard]] static bool is_plain(const Read& read) {
        return read.operand->modifier == SourceModifier::none;
    }
    // Both read one value in each lane.
    [[nodiscard]] bool same(const Read& a, const Read& b) const {
        const PreparedOperand& one = *a.operand;
        const PreparedOperand& other = *b.operand;
        const uint32_t lanes = at(a.by).execution.size;
        if (one.kind != other.kind || one.base != other.base || one.type != other.type ||
            one.modifier != other.modifier)
            return false;
        if (is_scalar(one) || is_scalar(other))
            return is_scalar(one) && is_scalar(other);
        return lanes == at(b.by).execution.size && is_row(one, lanes) && is_row(other, lanes);
    }

    [[nodiscard]] bool is(uint32_t index, uint8_t code, Type to, Type from) const {
        const auto operands = program_.operands_of(at(index));
        return at(index).row->opcode == code && operands.size() > 1 && operands[0].type == to &&
               std::ranges::all_of(operands.subspan(1),
                                   [&](const PreparedOperand& operand) { return operand.type == from; });
    }
    // A `mov` to an integer of up to 32 bits.
    [[nodiscard]] bool is_conversion(uint32_t index, Type from) const {
        const auto operands = program_.operands_of(at(index));
        return at(index).row->opcode == opcode::mov && operands.size() == 2 &&
               operands[0].kind == OperandKind::general && operands[1].kind == OperandKind::general &&
               is_short_integer(operands[0].type) && operands[1].type == from;
    }
    [[nodiscard]] static bool is_short_integer(Type type) {
        return isa::is_integer(type) && isa::size_of(type) <= 4;
    }

    // The integer that `read`, of type `to`, is converted from.
    std::optional<Read> integer_of(const Read& read, Type to) {
        const auto by = definition_of(read);
        if (!by || !is_plain(read) || at(*by).row->opcode != opcode::mov || destination(*by).type != to)
            return std::nullopt;
        const Read from = source(*by, 0);
        return is_short_integer(from.operand->type) && !isa::is_packed_immediate(from.operand->type)
                   ? std::optional(from)
                   : std::nullopt;
    }
    [[nodiscard]] bool is_constant(const Read& read) {
        if (read.operand->kind == OperandKind::immediate)
            return true;
        if (read.operand->kind != OperandKind::general || read.operand->null)
            return false; // an indirect one may be any register
        const Root& root = info_.roots[root_of(*read.operand)];
        if (root.input && !root.pinned && definitions_[root_of(*read.operand)].count == 0)
            return true;
        return definition_of(read).has_value();
    }

    // The integer d of r = 1 / d in single precision, extended.
    std::optional<Read> divisor_of(const Read& reciprocal) {
        const auto extended = definition_of(reciprocal);
        if (!extended || !is_plain(reciprocal) || !is(*extended, opcode::mov, Type::df, Type::f))
            return std::nullopt;
        const auto inverse = definition_of(source(*extended, 0));
        if (!inverse || !is_plain(source(*extended, 0)) || !is(*inverse, opcode::inv, Type::f, Type::f))
            return std::nullopt;
        return integer_of(source(*inverse, 0), Type::f);
    }

    // The integer d whose negative, in double precision, is read.
    std::optional<Read> negated(Read read) {
        const auto has_sign = [](const Read& one) { return one.operand->modifier == SourceModifier::neg; };
        if (!has_sign(read) && !is_plain(read))
            return std::nullopt;
        bool minus = has_sign(read);
        auto by = definition_of(read);
        if (by && is(*by, opcode::mov, Type::df, Type::df)) {
            read = source(*by, 0);
            if (!has_sign(read) && !is_plain(read))
                return std::nullopt;
            minus = minus != has_sign(read);
            by = definition_of(read);
        }
        if (!minus || !by || at(*by).row->opcode != opcode::mov || destination(*by).type != Type::df)
            return std::nullopt;
        return source(*by, 0);
    }

    // 1 + 2^-38 - d * r.
    bool is_correction(uint32_t index, const Read& reciprocal) {
        if (!is(index, opcode::mad, Type::df, Type::df) || !is_margin(*source(index, 2).operand))
            return false;
        const auto divisor = divisor_of(reciprocal);
        if (!divisor || !is_constant(*divisor))
            return false;
        for (const auto& [d, r] : {std::pair{0, 1}, std::pair{1, 0}}) {
            const Read factor = source(index, static_cast<size_t>(r));
            const auto own = divisor_of(factor);
            const auto whole = negated(source(index, static_cast<size_t>(d)));
            if (own && whole && same_definition(factor, reciprocal) && same(*whole, *divisor) &&
                is_constant(*whole))
                return true;
        }
        return false;
    }
    bool same_definition(const Read& a, const Read& b) {
        const auto one = definition_of(a);
        return one && one == definition_of(b) && is_scalar(*a.operand) == is_scalar(*b.operand);
    }

    // From the conversion backwards.
    void relax(uint32_t conversion) {
        const auto last = definition_of(source(conversion, 0));
        if (!last || definitions_[root_of(destination(*last))].uses != 1 ||
            !is(*last, opcode::mad, Type::df, Type::df) || !same(source(*last, 0), source(*last, 2)))
            return;
        const auto product = definition_of(source(*last, 0));
        const auto correction = definition_of(source(*last, 1));
        if (!product || !correction || !is_plain(source(*last, 0)) || !is_plain(source(*last, 1)) ||
            definitions_[root_of(destination(*product))].uses != 2 ||
            !is(*product, opcode::mul, Type::df, Type::df))
            return;
        for (const auto& [r, x] : {std::pair{0, 1}, std::pair{1, 0}}) {
            const Read dividend = source(*product, static_cast<size_t>(x));
            if (integer_of(dividend, Type::df) &&
                is_correction(*correction, source(*product, static_cast<size_t>(r)))) {
                to_nearest(*last);
                to_nearest(*product);
                ++corrections_[*correction];
                return;
            }
        }
    }

    void to_nearest(uint32_t index) {
        if (auto& mode = info_.float_mode[index])
            *mode &= ~rounding_bits;
    }

    const Program& program_;
    FunctionInfo& info_;
    std::vector<Definition> definitions_; // by root
    Blocks blocks_;
    ReachedWithout reached_;
    std::map<uint32_t, uint32_t> corrections_; // their uses in quotients
};

} // namespace

void relax_integer_quotients(const Program& program, FunctionInfo& info) {
    Quotients(program, info).run();
}

} // namespace visor::jit
