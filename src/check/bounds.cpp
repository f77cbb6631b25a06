// Indirect operands outside the variable whose address they began with: a private array that the compiler
// keeps in registers. The engine only knows the register file; which variable an address is of is followed
// here, from `addr_add` and `mov` of &V on. Addresses of unknown origin are not judged.
#include "check/checkers.h"
#include "machine/element.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <map>

namespace visor::check {

namespace {

using machine::Thread;

// A variable with storage of its own; aliases lie inside one.
struct Root {
    uint32_t base = 0;
    uint32_t bytes = 0;
    uint32_t id = 0;
};

std::vector<Root> roots_of(const Program& program) {
    std::vector<Root> roots;
    for (uint32_t id = 0; id < program.variables.size(); ++id) {
        const VariableSlot& slot = program.variables[id];
        if (slot.used && slot.bytes != 0 && root_of(*program.function, id).id == id)
            roots.push_back({slot.base, slot.bytes, id});
    }
    std::ranges::sort(roots, {}, &Root::base);
    return roots;
}

bool is_indirect(const PreparedOperand& operand) {
    return operand.kind == OperandKind::indirect;
}

// What of a function is looked at: nearly all instructions neither use an address register nor set one.
struct Facts {
    explicit Facts(const Program& program) : roots(roots_of(program)) {
        concerned.reserve(program.code.size());
        for (const PreparedInstruction& instruction : program.code) {
            const auto operands = program.operands_of(instruction);
            const bool sets = !operands.empty() && operands.front().kind == OperandKind::address;
            concerned.push_back(sets || std::ranges::any_of(operands, is_indirect));
        }
    }
    std::vector<Root> roots;
    std::vector<bool> concerned; // by code index
};

class BoundsChecker final : public machine::Watcher {
public:
    explicit BoundsChecker(Findings& findings) : findings_(findings) {}

    // Most launches have no indirect operand, and then nobody needs to ask.
    void launch_began(const machine::Launch& launch) override {
        facts_.clear();
        last_ = nullptr;
        needed_ = std::ranges::any_of(launch.program->operands, is_indirect) ||
                  std::ranges::any_of(launch.functions, [](const machine::LaunchFunction& function) {
                      return std::ranges::any_of(function.program->operands, is_indirect);
                  });
    }
    [[nodiscard]] bool wants_instructions() const override { return needed_; }

    void group_began(std::span<const Thread> threads) override { origins_.assign(threads.size(), {}); }

    void instruction(const Thread& thread, const PreparedInstruction& instruction, uint32_t lanes) override {
        const Program& program = *thread.program;
        const auto number = static_cast<size_t>(&instruction - program.code.data());
        if (!facts_of(program).concerned[number] || thread.index >= origins_.size())
            return;
        Origins& origins = origins_[thread.index];
        if (origins.program != &program) { // addresses are each function's own
            origins.program = &program;
            origins.roots.assign(program.address_elements, nullptr);
        }
        const auto operands = program.operands_of(instruction);
        for (const PreparedOperand& operand : operands)
            if (is_indirect(operand))
                check(thread, instruction, operand, lanes);
        if (!operands.empty() && operands.front().kind == OperandKind::address)
            follow(program, operands, lanes, origins.roots);
    }

private:
    struct Origins {
        const Program* program = nullptr;
        std::vector<const Root*> roots; // by address element; nullptr: not known
    };

    const Facts& facts_of(const Program& program) {
        if (last_ != &program) {
            last_ = &program;
            last_facts_ = &facts_.try_emplace(&program, program).first->second;
        }
        return *last_facts_;
    }

    const Root* root_at(const Program& program, uint32_t byte) {
        const std::vector<Root>& roots = facts_of(program).roots;
        const auto after = std::ranges::upper_bound(roots, byte, {}, &Root::base);
        if (after == roots.begin())
            return nullptr;
        const Root& root = *std::prev(after);
        return byte - root.base < root.bytes ? &root : nullptr;
    }

    void follow(const Program& program, std::span<const PreparedOperand> operands, uint32_t lanes,
                std::vector<const Root*>& roots) {
        const PreparedOperand& to = operands.front();
        const uint32_t step = std::max<uint32_t>(to.vertical, 1);
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
            const Root* root = nullptr;
            for (const PreparedOperand& from : operands.subspan(1)) {
                const size_t element = size_t{from.base} + lane % std::max<uint32_t>(from.width, 1);
                if (from.kind == OperandKind::address_of)
                    root = root_at(program, from.base);
                else if (from.kind == OperandKind::address && element < roots.size())
                    root = roots[element];
                if (root != nullptr)
                    break;
            }
            if (const size_t at = to.base + size_t{lane} * step; at < roots.size())
                roots[at] = root;
        }
    }

    void check(const Thread& thread, const PreparedInstruction& instruction, const PreparedOperand& operand,
               uint32_t lanes) {
        const std::vector<const Root*>& roots = origins_[thread.index].roots;
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
            const size_t element = size_t{operand.base} +
                                   (operand.multi_address ? lane / std::max<uint32_t>(operand.width, 1) : 0);
            const Root* const root = element < roots.size() ? roots[element] : nullptr;
            if (root == nullptr)
                continue;
            const int64_t at = machine::element_offset(thread, operand, lane) - int64_t{root->base};
            const auto size = static_cast<int64_t>(isa::size_of(operand.type));
            if (at < 0 || at + size > int64_t{root->bytes})
                return add(thread, instruction, lane, *root, at);
        }
    }

    void add(const Thread& thread, const PreparedInstruction& instruction, uint32_t lane, const Root& root,
             int64_t at) {
        const auto number = findings_.claim(thread, "register-bounds", instruction.source);
        if (!number)
            return;
        Finding finding{.kind = Kind::memory, .rule = "register-bounds"};
        finding.message = fmt::format("an indirect operand lies outside its variable `{}` ({} bytes)",
                                      general_name(*thread.program->function, root.id), root.bytes);
        finding.place = fmt::format("byte {} of it", at);
        finding.party = party(thread, instruction, channel(instruction, lane));
        finding.notes.emplace_back("an array that is kept in registers: other variables lie around it");
        findings_.add(*number, thread, std::move(finding));
    }

    Findings& findings_;
    bool needed_ = true;           // the launch has indirect operands
    std::vector<Origins> origins_; // by thread of the group
    std::map<const Program*, Facts> facts_;
    const Program* last_ = nullptr;
    const Facts* last_facts_ = nullptr; // of `last_`
};

} // namespace

std::unique_ptr<machine::Watcher> bounds_checker(Findings& findings) {
    return std::make_unique<BoundsChecker>(findings);
}

} // namespace visor::check
