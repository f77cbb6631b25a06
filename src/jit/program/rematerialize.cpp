#include "jit/program/rematerialize.h"

#include "jit/program/blocks.h"

#include "isa/opcode.h"

#include <algorithm>
#include <array>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;

// More instructions than these cost more than a store and a load.
constexpr size_t most_instructions = 16;
// Each block with definitions costs a traversal of the control flow graph.
constexpr size_t most_blocks = 64;

struct Bytes {
    uint32_t from = 0;
    uint32_t end = 0;
};

class Rematerialization {
public:
    Rematerialization(const Program& program, FunctionInfo& info)
        : program_(program), info_(info), definitions_(info.roots.size()), dependents_(definitions_.size()) {}

    void run() {
        find_constants();
        if (!has_barrier())
            return;
        blocks_ = find_blocks(program_, info_);
        find_writes();
        for (uint32_t i = 0; i < size(); ++i)
            check_uses(i);
        reject_dependents();
        for (uint32_t r = 0; r < definitions_.size(); ++r)
            info_.roots[r].rematerialized = definitions_[r].possible && !definitions_[r].by.empty();
        for (uint32_t i = 0; i < size(); ++i)
            record_uses(i);
        for (auto& [leader, instructions] : info_.rematerialized)
            sort(instructions);
    }

private:
    struct Definition {
        bool possible = true;
        std::vector<uint32_t> by;    // defining instructions, all in one block, ascending
        std::vector<Bytes> bytes;    // written by each
        std::vector<uint32_t> whole; // these and their operands' definitions, ascending
    };

    [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(program_.code.size()); }

    static void sort(std::vector<uint32_t>& numbers) {
        std::ranges::sort(numbers);
        const auto [first, last] = std::ranges::unique(numbers);
        numbers.erase(first, last);
    }

    // Inputs that are neither pinned nor written.
    void find_constants() {
        for (Root& root : info_.roots)
            root.constant = root.input && !root.pinned;
        for (const PreparedInstruction& instruction : program_.code) {
            const auto operands = program_.operands_of(instruction);
            for (size_t k = 0; k < operands.size(); ++k)
                if (is_register(operands[k]) && is_result(instruction, k))
                    info_.roots[info_.root_at(operands[k].base)].constant = false;
        }
    }

    [[nodiscard]] bool has_barrier() const {
        return std::ranges::any_of(program_.code, [](const PreparedInstruction& instruction) {
            return instruction.row->opcode == opcode::barrier || instruction.row->opcode == opcode::sbarrier;
        });
    }

    // ---- definitions

    // Integer arithmetic without side effects or implicit operands.
    [[nodiscard]] bool is_cheap(uint32_t index) const {
        constexpr std::array cheap{opcode::add, opcode::add3, opcode::and_, opcode::asr, opcode::mov,
                                   opcode::mul, opcode::or_,  opcode::shl,  opcode::shr};
        const PreparedInstruction& instruction = program_.code[index];
        const Execution& execution = instruction.execution;
        const auto operands = program_.operands_of(instruction);
        return std::ranges::find(cheap, instruction.row->opcode) != cheap.end() &&
               instruction.predicate.id == 0 && (execution.no_mask || info_.convergent[index]) &&
               is_lane_wise(instruction) && !isa::has(*instruction.row, isa::writes_predicate) &&
               !operands.empty() && operands[0].kind == OperandKind::general && !operands[0].null &&
               std::ranges::all_of(operands, [](const PreparedOperand& operand) {
                   const bool plain =
                       operand.kind == OperandKind::general || operand.kind == OperandKind::immediate;
                   return plain && isa::is_integer(operand.type);
               });
    }

    [[nodiscard]] static Bytes bytes_of(const PreparedOperand& operand, uint32_t lanes, bool result) {
        const uint32_t width = result ? 1 : std::max<uint32_t>(operand.width, 1);
        const uint32_t rows = (lanes - 1) / width * operand.vertical;
        const uint32_t last = rows + (std::min(lanes, width) - 1) * operand.horizontal;
        return {operand.base, operand.base + (last + 1) * isa::size_of(operand.type)};
    }

    // All definitions of a register are in one block, and overwrite no byte but to update it.
    void find_writes() {
        for (uint32_t i = 0; i < size(); ++i) {
            const auto operands = program_.operands_of(program_.code[i]);
            for (size_t k = 0; k < operands.size(); ++k) {
                if (!is_register(operands[k]) || !is_result(program_.code[i], k))
                    continue;
                Definition& definition = definitions_[info_.root_at(operands[k].base)];
                const Root& root = info_.roots[info_.root_at(operands[k].base)];
                definition.possible =
                    definition.possible && !root.input && !root.pinned && k == 0 && is_cheap(i) &&
                    (definition.by.empty() || blocks_.of[definition.by.front()] == blocks_.of[i]) &&
                    definition.by.size() < most_instructions;
                if (!definition.possible)
                    continue;
                definition.by.push_back(i);
                definition.bytes.push_back(bytes_of(operands[0], program_.code[i].execution.size, true));
                definition.possible = has_available_sources(i, definition);
            }
        }
    }

    // Whether all sources are constant, rematerializable, or bytes of this register that were written before.
    bool has_available_sources(uint32_t index, Definition& definition) {
        const auto operands = program_.operands_of(program_.code[index]);
        definition.whole.push_back(index);
        for (size_t k = 1; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if (!is_register(operand))
                continue;
            const uint32_t r = info_.root_at(operand.base);
            if (info_.roots[r].constant)
                continue;
            const Definition& source = definitions_[r];
            if (&source == &definition) {
                const Bytes wanted = bytes_of(operand, program_.code[index].execution.size, false);
                const bool written = std::ranges::any_of(
                    definition.bytes.begin(), definition.bytes.end() - 1,
                    [&](const Bytes& had) { return had.from <= wanted.from && wanted.end <= had.end; });
                if (!written)
                    return false;
                continue;
            }
            if (!source.possible || source.by.empty())
                return false;
            definition.whole.insert(definition.whole.end(), source.whole.begin(), source.whole.end());
            dependents_[r].push_back(info_.root_at(operands[0].base));
        }
        sort(definition.whole);
        return definition.whole.size() <= most_instructions;
    }

    // ---- uses

    template <class Body>
    void each_source(uint32_t index, Body body) const {
        const auto operands = program_.operands_of(program_.code[index]);
        for (size_t k = 0; k < operands.size(); ++k)
            if (is_register(operands[k]) && !is_result(program_.code[index], k))
                body(info_.root_at(operands[k].base));
    }

    // The definitions have to dominate every use.
    void check_uses(uint32_t index) {
        each_source(index, [&](uint32_t r) {
            Definition& definition = definitions_[r];
            if (!definition.possible || definition.by.empty())
                return;
            const uint32_t block = blocks_.of[definition.by.front()];
            if (block == blocks_.of[index])
                definition.possible = index > definition.by.front();
            else if (!reached_.contains(block) && reached_.size() >= most_blocks)
                definition.possible = false;
            else
                definition.possible = !reached_without(blocks_, block, reached_)[blocks_.of[index]];
        });
    }

    // Rejects registers whose definitions use rejected ones.
    void reject_dependents() {
        std::vector<uint32_t> open;
        for (uint32_t r = 0; r < definitions_.size(); ++r)
            if (!definitions_[r].possible)
                open.push_back(r);
        while (!open.empty()) {
            const uint32_t r = open.back();
            open.pop_back();
            for (const uint32_t reader : dependents_[r])
                if (definitions_[reader].possible) {
                    definitions_[reader].possible = false;
                    open.push_back(reader);
                }
        }
    }

    void record_uses(uint32_t index) {
        each_source(index, [&](uint32_t r) {
            if (!info_.roots[r].rematerialized || blocks_.of[definitions_[r].by.front()] == blocks_.of[index])
                return;
            std::vector<uint32_t>& here = info_.rematerialized[blocks_.first[blocks_.of[index]]];
            here.insert(here.end(), definitions_[r].whole.begin(), definitions_[r].whole.end());
        });
    }

    const Program& program_;
    FunctionInfo& info_;
    std::vector<Definition> definitions_;           // by root
    std::vector<std::vector<uint32_t>> dependents_; // by root: roots whose definitions use it
    Blocks blocks_;
    ReachedWithout reached_;
};

} // namespace

void find_rematerializable(const Program& program, FunctionInfo& info) {
    Rematerialization(program, info).run();
}

} // namespace visor::jit
