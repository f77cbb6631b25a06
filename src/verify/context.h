// What a rule needs at hand: the function under test, what is known of its variables, and a place to report
// to. Rules are functions that return whether they hold and read `return site.diag(rule("...")) << ...`.
#pragma once

#include "module/module.h"
#include "verify/rule.h"

#include <concepts>
#include <string>
#include <vector>

namespace visor::verify {

// Collects what is found, so that it can be reported in the order of the input.
using Findings = std::vector<Diagnostic>;

// A diagnostic being written; it is reported when the statement ends. Nothing happens when its rule is off.
class Message {
public:
    Message() = default;
    // `page` must outlive the message.
    Message(Findings& findings, Diagnostic diagnostic, std::string_view page)
        : findings_(&findings), diagnostic_(std::move(diagnostic)), page_(page) {}
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;
    ~Message();

    Message& operator<<(std::string_view text) {
        if (findings_ != nullptr)
            diagnostic_.message += text;
        return *this;
    }
    template <std::integral T>
    Message& operator<<(T number) {
        return *this << std::string_view(std::to_string(number));
    }
    // A line below: what is allowed instead, or where the other party stands.
    Message& note(std::string text) { return note_at(std::nullopt, std::move(text)); }
    Message& note_at(std::optional<Location> where, std::string text);

    // So that a rule can say `return diag(...) << ...`: it does not hold.
    operator bool() const { return false; } // NOLINT(google-explicit-constructor)

private:
    Findings* findings_ = nullptr;
    Diagnostic diagnostic_;
    std::string_view page_;
};

// What is known of a general variable, aliases followed to the end.
struct Variable {
    isa::Type type = isa::Type::ud;
    uint32_t root = 0;
    uint64_t bytes = 0;
    uint64_t root_offset = 0;
    uint64_t root_bytes = 0;
};

// Knows the profile and where findings go.
class Reporter {
public:
    Reporter(const Options& chosen, Findings& findings) : options(chosen), findings_(findings) {}

    const Options& options;

    [[nodiscard]] bool follows_pages() const { return options.profile == Profile::spec; }
    [[nodiscard]] Message diag(const RuleRow& broken, std::optional<Location> where) const {
        return diag(broken, broken.levels, where);
    }
    [[nodiscard]] Message diag(const RuleRow& broken, Levels levels, std::optional<Location> where) const {
        return diag(levels, broken.rule.id, broken.rule.page, where);
    }
    [[nodiscard]] Message diag(Levels levels, std::string id, std::string_view page,
                               std::optional<Location> where) const;

private:
    Findings& findings_;
};

// One function under test.
class Context : public Reporter {
public:
    Context(const Function& checked, const Reporter& reporter);

    const Function& function;
    uint32_t grf_bytes;
    uint32_t simd_width;       // of the kernel; 0 = not said
    const Attribute* slm_size; // nullptr = not said

    [[nodiscard]] const Variable& variable(uint32_t id) const { return variables_[id]; }
    [[nodiscard]] bool declared(uint32_t id) const { return general_exists(function, id); }

private:
    void place_variables();

    std::vector<Variable> variables_; // by id
};

// An instruction under test.
struct Site {
    const Context& context;
    const Instruction& instruction;

    [[nodiscard]] const isa::Row& row() const { return *instruction.row; }
    [[nodiscard]] uint32_t lanes() const { return instruction.execution.size; }
    [[nodiscard]] Message diag(const RuleRow& broken) const { return diag(broken, broken.levels); }
    [[nodiscard]] Message diag(const RuleRow& broken, Levels levels) const;
};

// One of its operands.
struct OperandSite {
    const Site& site;
    const isa::Field& field;
    const Operand& operand;
    size_t index;

    [[nodiscard]] const Context& context() const { return site.context; }
    [[nodiscard]] Message diag(const RuleRow& broken) const { return diag(broken, broken.levels); }
    [[nodiscard]] Message diag(const RuleRow& broken, Levels levels) const;
};

// Instructions of Xe3P alone: no page has them, and the compiler has rules of its own for each.
[[nodiscard]] inline bool is_of_newest_device(const isa::Row& row) {
    return row.devices == isa::from(isa::DeviceId::cri);
}

// The operand of this number, which the instruction has.
[[nodiscard]] inline OperandSite site_of(const Site& site, size_t index) {
    return {site, isa::field_of_operand(site.row(), index), site.instruction.operands[index], index};
}

} // namespace visor::verify
