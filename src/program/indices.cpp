#include "program/indices.h"

#include "isa/marks.h"
#include "program/program.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace visor::program {

namespace {

// Classes of `Operand::klass`.
enum Class : uint8_t { general_class, address_class, predicate_class, sampler_class, surface_class };

class IndexCheck {
public:
    IndexCheck(const Function& function, Diagnostics& diagnostics)
        : function_(function), diagnostics_(diagnostics), marked_(function.labels.size()),
          followed_(function.labels.size()) {}

    bool run() {
        check_variables();
        find_labels();
        for (const Input& input : function_.inputs)
            check_input(input);
        for (const Instruction& instruction : function_.code)
            check(instruction);
        return ok_;
    }

private:
    void fail(const Location& where, std::string rule, std::string message) {
        ok_ = false;
        diagnostics_.error(where, std::move(rule), std::move(message));
    }
    void undeclared(const Location& where, std::string_view what) {
        fail(where, "undeclared-variable", fmt::format("this {} is not declared", what));
    }

    // ---- declarations

    void check_variables() {
        if (function_.samplers.size() > isa::bindless_sampler)
            fail(function_.samplers[isa::bindless_sampler].where, "too-many-variables",
                 fmt::format("{} samplers are declared; S{} is the bindless one", function_.samplers.size(),
                             isa::bindless_sampler));
        // From each variable to what it shares storage with: the offset of all that were looked at before is
        // known, so that long chains are walked once.
        std::vector<uint64_t> offsets(function_.general.size(), unknown);
        std::vector<size_t> chain;
        for (size_t first = 0; first < function_.general.size(); ++first) {
            for (size_t at = first; offsets[at] == unknown;) {
                const GeneralVariable& variable = function_.general[at];
                offsets[at] = open;
                chain.push_back(at);
                if (variable.alias < isa::first_user_general)
                    break;
                if (!general_exists(function_, variable.alias))
                    break;
                at = variable.alias - isa::first_user_general;
            }
            for (; !chain.empty(); chain.pop_back())
                offsets[chain.back()] = offset_of(chain.back(), offsets);
        }
    }

    // Its own offset and that of what it aliases.
    uint64_t offset_of(size_t index, const std::vector<uint64_t>& offsets) {
        const GeneralVariable& variable = function_.general[index];
        if (variable.alias == 0)
            return 0;
        if (!general_exists(function_, variable.alias)) {
            undeclared(variable.where, "variable's alias");
            return 0;
        }
        const uint64_t below =
            isa::is_predefined(variable.alias) ? 0 : offsets[variable.alias - isa::first_user_general];
        if (below == open) {
            fail(variable.where, "alias-cycle", "this variable is an alias of itself");
            return 0;
        }
        const uint64_t offset = below + variable.alias_offset;
        if (offset > max_register_bytes)
            fail(variable.where, "alias-offset",
                 fmt::format("the variable begins {} bytes into the one whose storage it shares", offset));
        return std::min<uint64_t>(offset, max_register_bytes);
    }

    void check_input(const Input& input) {
        const auto exists = [&] {
            switch (input.klass) {
            case InputClass::general:
                return general_exists(function_, input.id);
            case InputClass::sampler:
                return input.id < function_.samplers.size();
            case InputClass::surface:
                return is_surface(input.id);
            }
            return false;
        };
        if (!exists())
            undeclared(input.where, "input");
    }

    // ---- labels

    // Which are defined, and which have an instruction after them that runs.
    void find_labels() {
        std::vector<uint32_t> last; // those that nothing has followed so far
        for (const Instruction& instruction : function_.code) {
            if (is_mark(*instruction.row)) {
                if (instruction.operands.empty() || instruction.operands[0].id >= marked_.size())
                    continue; // reported with the operand
                marked_[instruction.operands[0].id] = true;
                last.push_back(instruction.operands[0].id);
            } else if (!is_note(*instruction.row)) {
                for (const uint32_t label : last)
                    followed_[label] = true;
                last.clear();
            }
        }
    }

    void check_label(const Operand& operand, bool goes_there) {
        if (operand.id >= marked_.size() || !marked_[operand.id])
            return fail(operand.where, "undefined-label", "this label is not defined");
        if (goes_there && !followed_[operand.id])
            fail(operand.where, "label-at-the-end",
                 fmt::format("no instruction follows the label `{}`: control would run past the end of the "
                             "function",
                             function_.labels[operand.id].name));
    }

    // ---- instructions

    void check(const Instruction& instruction) {
        const Execution execution = instruction.execution;
        if (execution.size == 0 || execution.size + execution.offset > 32)
            fail(
                instruction.where, "execution-width",
                fmt::format("{} lanes from lane {} on reach past lane 31", execution.size, execution.offset));
        if (instruction.predicate.id > function_.predicates.size())
            undeclared(instruction.where, fmt::format("predicate P{}", instruction.predicate.id));
        for (const Operand& operand : instruction.operands)
            check(operand, !is_mark(*instruction.row));
    }

    void check(const Operand& operand, bool goes_there) {
        switch (operand.kind) {
        case OperandKind::absent:
        case OperandKind::immediate:
        case OperandKind::literal:
            return;
        case OperandKind::general:
            return check(operand, general_class);
        case OperandKind::raw:
            if (operand.offset < 0)
                fail(operand.where, "undeclared-variable", "a raw operand begins before its variable");
            return check(operand, general_class);
        case OperandKind::address:
        case OperandKind::indirect:
            return check(operand, address_class);
        case OperandKind::predicate:
            return check(operand, predicate_class);
        case OperandKind::surface:
        case OperandKind::state_surface:
            return check(operand, surface_class);
        case OperandKind::sampler:
        case OperandKind::state_sampler:
            return check(operand, sampler_class);
        case OperandKind::address_of:
        case OperandKind::variable:
            return check(operand, operand.klass);
        case OperandKind::label:
            return check_label(operand, goes_there);
        case OperandKind::string:
            if (operand.id >= function_.strings.size())
                undeclared(operand.where, "name");
            return;
        }
    }

    void check(const Operand& operand, uint8_t klass) {
        switch (klass) {
        case general_class:
            if (!general_exists(function_, operand.id))
                undeclared(operand.where, "general variable");
            return;
        case address_class:
            if (operand.id >= function_.addresses.size())
                undeclared(operand.where, "address variable");
            return;
        case predicate_class:
            if (operand.id > function_.predicates.size())
                undeclared(operand.where, "predicate");
            return;
        case sampler_class:
            if (operand.id >= function_.samplers.size() && operand.id != isa::bindless_sampler)
                undeclared(operand.where, "sampler variable");
            return;
        case surface_class:
            if (!is_surface(operand.id))
                undeclared(operand.where, "surface variable");
            return;
        default:
            undeclared(operand.where, fmt::format("variable of class {}", klass));
        }
    }

    [[nodiscard]] bool is_surface(uint32_t id) const {
        return id < isa::first_user_surface + function_.surfaces.size();
    }

    // Of a variable whose chain was not walked, and whose chain is being walked.
    static constexpr uint64_t unknown = UINT64_MAX;
    static constexpr uint64_t open = UINT64_MAX - 1;

    const Function& function_;
    Diagnostics& diagnostics_;
    std::vector<bool> marked_;   // by label: it is defined
    std::vector<bool> followed_; // by label: an instruction stands after it
    bool ok_ = true;
};

} // namespace

bool check_indices(const Function& function, Diagnostics& diagnostics) {
    return IndexCheck(function, diagnostics).run();
}

} // namespace visor::program
