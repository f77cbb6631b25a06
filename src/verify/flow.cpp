// 3_execution_model, Control Flow: labels exist once, branches stay in their subroutine, and control leaves a
// subroutine by ret alone.
#include "isa/marks.h"
#include "isa/opcode.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <algorithm>

namespace visor::verify {

namespace {

constexpr size_t none = SIZE_MAX;

// Where each label stands, and in which subroutine each instruction lies.
class Shape {
public:
    explicit Shape(const Function& function) : definitions_(function.labels.size(), none) {
        for (size_t at = 0; at < function.code.size(); ++at) {
            const Instruction& instruction = function.code[at];
            if (instruction.row == nullptr)
                continue;
            if (instruction.row->opcode == isa::opcode::subroutine)
                starts_.push_back(at);
            if (const uint32_t* label = defined_label(instruction);
                label != nullptr && *label < definitions_.size())
                definitions_[*label] = definitions_[*label] == none ? at : definitions_[*label];
        }
    }

    static const uint32_t* defined_label(const Instruction& instruction) {
        const uint8_t opcode = instruction.row->opcode;
        const bool defines = opcode == isa::opcode::subroutine || opcode == isa::opcode::label;
        return defines && !instruction.operands.empty() ? &instruction.operands[0].id : nullptr;
    }

    // The first definition; none without.
    [[nodiscard]] size_t definition(uint32_t label) const { return definitions_[label]; }
    // 0 is what precedes the first mark, n what follows the n-th.
    [[nodiscard]] size_t subroutine_of(size_t at) const {
        return static_cast<size_t>(std::ranges::upper_bound(starts_, at) - starts_.begin());
    }
    [[nodiscard]] size_t subroutines() const { return starts_.size() + 1; }

private:
    std::vector<size_t> definitions_; // by label
    std::vector<size_t> starts_;
};

// Debug information is nowhere in the flow.
bool is_passive(const Instruction& instruction) {
    return instruction.row->family == isa::Family::debug;
}

// Whether control never goes on at the next instruction.
bool leaves(const Instruction& instruction) {
    switch (instruction.row->opcode) {
    case isa::opcode::ret:
    case isa::opcode::fret:
    case isa::opcode::goto_:
    case isa::opcode::jmp:
        return instruction.predicate.id == 0;
    case isa::opcode::switchjmp:
        return true;
    default:
        return instruction.row->family == isa::Family::raw; // may end the thread by itself
    }
}

class Flow {
public:
    explicit Flow(const Context& context)
        : context_(context), code_(context.function.code), shape_(context.function),
          calls_(shape_.subroutines()) {}

    void check() {
        for (size_t at = 0; at < code_.size(); ++at) {
            if (code_[at].row == nullptr)
                continue;
            check_definition(at);
            check_targets(at);
        }
        check_ends();
        check_recursion();
    }

private:
    [[nodiscard]] const Label& label(uint32_t id) const { return context_.function.labels[id]; }

    void check_definition(size_t at) {
        const uint32_t* id = Shape::defined_label(code_[at]);
        if (id == nullptr || *id >= context_.function.labels.size() || shape_.definition(*id) == at)
            return;
        context_.diag(rule("duplicate-label"), code_[at].where)
                .note_at(code_[shape_.definition(*id)].where, "the first definition")
            << "label `" << label(*id).name << "` is defined twice";
    }

    void check_targets(size_t at) {
        const Instruction& instruction = code_[at];
        if (isa::is_mark(*instruction.row))
            return;
        for (const Operand& operand : instruction.operands) {
            if (operand.kind == OperandKind::label && operand.id < context_.function.labels.size())
                check_target(at, operand);
        }
    }

    void check_target(size_t at, const Operand& operand) {
        const Label& target = label(operand.id);
        const std::optional<Location> where = operand.where.length == 0 ? code_[at].where : operand.where;
        const bool is_call = code_[at].row->opcode == isa::opcode::call;
        if (is_call && target.kind == LabelKind::fc)
            return; // defined elsewhere
        const size_t definition = shape_.definition(operand.id);
        if (definition == none) {
            context_.diag(rule("undefined-label"), where)
                << "label `" << target.name << "` is used but not defined";
            return;
        }
        const bool is_subroutine = code_[definition].row->opcode == isa::opcode::subroutine;
        if (is_call != is_subroutine) {
            context_.diag(rule("label-kind"), where).note_at(code_[definition].where, "defined here")
                << code_[at].row->mnemonic << " leads to "
                << (is_subroutine ? "the subroutine `" : "the label `") << target.name << "`; it takes a "
                << (is_call ? "subroutine" : "label");
            return;
        }
        const size_t here = shape_.subroutine_of(at);
        const size_t there = shape_.subroutine_of(definition);
        if (is_call)
            calls_[here].push_back({there, at});
        else if (here != there)
            context_.diag(rule("goto-across-subroutines"), where)
                    .note_at(code_[definition].where, "defined here")
                << code_[at].row->mnemonic << " leads to `" << target.name << "` in another subroutine";
    }

    // The last instruction before `end` that does something; none when there is none.
    [[nodiscard]] size_t last_before(size_t end) const {
        while (end > 0 && (code_[end - 1].row == nullptr || is_passive(code_[end - 1])))
            --end;
        return end == 0 ? none : end - 1;
    }

    void check_ends() {
        for (size_t at = 0; at < code_.size(); ++at) {
            if (code_[at].row == nullptr)
                continue;
            const uint8_t opcode = code_[at].row->opcode;
            if (opcode == isa::opcode::fret && context_.function.kind == FunctionKind::kernel)
                context_.diag(rule("fret-in-kernel"), code_[at].where)
                    << "fret returns from a function; `" << context_.function.name << "` is a kernel";
            const size_t before = opcode == isa::opcode::subroutine ? last_before(at) : none;
            if (before != none && !leaves(code_[before]))
                context_.diag(rule("subroutine-fallthrough"), code_[at].where)
                        .note_at(code_[before].where, "control comes from here")
                    << "control runs into the subroutine `" << mark_name(at) << "`";
        }
        const size_t last = last_before(code_.size());
        if (last == none || !leaves(code_[last]))
            context_.diag(rule("missing-return"), last == none ? context_.function.where : code_[last].where)
                << "control runs past the end of `" << context_.function.name
                << "`: the last instruction is no ret";
    }

    [[nodiscard]] std::string_view mark_name(size_t at) const {
        const uint32_t* id = Shape::defined_label(code_[at]);
        return id != nullptr && *id < context_.function.labels.size() ? std::string_view(label(*id).name)
                                                                      : "?";
    }

    // A call that leads back into a subroutine on the path to it, found without recursion of our own.
    void check_recursion() {
        enum class State : uint8_t { unseen, open, closed };
        std::vector<State> states(calls_.size(), State::unseen);
        struct Visit {
            size_t subroutine;
            size_t next_call;
        };
        std::vector<Visit> path;
        for (size_t root = 0; root < calls_.size(); ++root) {
            if (states[root] != State::unseen)
                continue;
            states[root] = State::open;
            path.push_back({root, 0});
            while (!path.empty()) {
                Visit& visit = path.back();
                if (visit.next_call == calls_[visit.subroutine].size()) {
                    states[visit.subroutine] = State::closed;
                    path.pop_back();
                    continue;
                }
                const Call call = calls_[visit.subroutine][visit.next_call++];
                if (states[call.to] == State::open)
                    context_.diag(rule("subroutine-recursion"), code_[call.at].where)
                        << "this call leads back into a subroutine that has not returned";
                if (states[call.to] != State::unseen)
                    continue;
                states[call.to] = State::open;
                path.push_back({call.to, 0});
            }
        }
    }

    struct Call {
        size_t to;
        size_t at;
    };

    const Context& context_;
    const std::vector<Instruction>& code_;
    Shape shape_;
    std::vector<std::vector<Call>> calls_; // by subroutine
};

} // namespace

void check_flow(const Context& context) {
    Flow(context).check();
}

} // namespace visor::verify
