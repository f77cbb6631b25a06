#include "jit/program/image_messages.h"

#include "isa/lsc_code.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/sub_opcode.h"
#include "jit/program/blocks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;
namespace order = isa::operand_order;
using Kind = StateSource::Kind;

// Scalars of 32 bits whose source is known, by byte in the register file.
using Scalars = std::map<uint32_t, StateSource>;

constexpr uint32_t scalar_bytes = 4;
constexpr uint32_t most_elements = 4; // of a move that is followed

// Whether the operand is of the sampler variables, else of the surface variables.
bool is_of_sampler(const PreparedOperand& operand) {
    return operand.kind == OperandKind::state_sampler || operand.kind == OperandKind::sampler;
}
bool is_state_element(const PreparedOperand& operand) {
    return operand.kind == OperandKind::surface || operand.kind == OperandKind::sampler;
}
bool is_moved_state(const PreparedOperand& operand) {
    return operand.kind == OperandKind::state_surface || operand.kind == OperandKind::state_sampler;
}
// An integer whose low 32 bits lie at its first byte.
bool has_dword(const PreparedOperand& operand) {
    return isa::is_integer(operand.type) && isa::size_of(operand.type) >= scalar_bytes &&
           operand.modifier == SourceModifier::none;
}

// Erases the scalars that an instruction may write; a result of several elements ends with its variable.
void forget_results(const Program& program, const PreparedInstruction& instruction, Scalars& scalars) {
    const uint8_t code = instruction.row->opcode;
    if (code == opcode::call || code == opcode::fcall || code == opcode::ifcall)
        scalars.clear();
    const auto forget = [&](uint32_t begin, uint32_t end) {
        std::erase_if(scalars, [&](const auto& scalar) {
            return scalar.first < end && begin < scalar.first + scalar_bytes;
        });
    };
    const auto operands = program.operands_of(instruction);
    for (size_t k = 0; k < operands.size(); ++k) {
        const PreparedOperand& to = operands[k];
        if (!is_result(instruction, k))
            continue;
        const bool is_one = instruction.execution.size == 1 && to.kind == OperandKind::general &&
                            is_lane_wise(instruction); // not in two parts
        if (to.kind == OperandKind::indirect)
            forget(program.addressable.begin, program.addressable.end);
        else if (is_register(to))
            forget(to.base, is_one ? to.base + isa::size_of(to.type) : to.limit);
    }
}

class Messages {
public:
    Messages(const Program& program, const FunctionInfo& info) : program_(program), info_(info) {
        for (const PreparedInstruction& instruction : program.code) {
            const auto operands = program.operands_of(instruction);
            if (operands.empty() || !is_moved_state(operands.front()))
                continue;
            moved_[is_of_sampler(operands.front())].insert(operands.front().base);
            moves_many_ = moves_many_ || instruction.execution.size != 1;
        }
    }

    ImageMessages find() {
        const Blocks blocks = find_blocks(program_, info_);
        const std::vector<std::optional<Scalars>> known = known_at(blocks);
        for (uint32_t block = 0; block < blocks.first.size(); ++block) {
            if (!known[block]) // control never arrives there
                continue;
            scalars_ = *known[block];
            states_ = {};
            for (uint32_t i = blocks.first[block]; i < blocks.end(block); ++i) {
                if (const auto operands = image_operands(program_, program_.code[i]))
                    add(i, program_.code[i], *operands);
                follow(program_.code[i], i);
            }
        }
        return std::move(found_);
    }

private:
    // By its handle, not by an index.
    [[nodiscard]] bool names_handle(const PreparedOperand& state) const {
        return is_of_sampler(state) ? state.base == program_.bindless_sampler : is_bindless(state);
    }

    // Forward data flow: what holds at the start of each block, whichever way control comes.
    std::vector<std::optional<Scalars>> known_at(const Blocks& blocks) {
        std::vector<std::optional<Scalars>> known(blocks.first.size());
        std::vector<uint32_t> open;
        if (!known.empty()) {
            known.front().emplace();
            open.push_back(0);
        }
        while (!open.empty()) {
            const uint32_t block = open.back();
            open.pop_back();
            scalars_ = *known[block];
            for (uint32_t i = blocks.first[block]; i < blocks.end(block); ++i)
                follow(program_.code[i], i);
            for (const uint32_t next : blocks.next[block])
                if (meet(known[next]))
                    open.push_back(next);
        }
        return known;
    }

    // Keeps what `known` and the scalars agree on; whether that changes it.
    bool meet(std::optional<Scalars>& known) const {
        if (!known) {
            known = scalars_;
            return true;
        }
        return std::erase_if(*known, [&](const auto& scalar) {
                   const auto own = scalars_.find(scalar.first);
                   return own == scalars_.end() || own->second != scalar.second;
               }) != 0;
    }

    void follow(const PreparedInstruction& instruction, uint32_t index) {
        const auto operands = program_.operands_of(instruction);
        const bool is_one = instruction.execution.size == 1 && runs_always(info_, instruction, index, true);
        if (!operands.empty() && is_moved_state(operands.front()))
            return follow_state(operands, is_one);
        Scalars results;
        if (instruction.execution.size <= most_elements && runs_always(info_, instruction, index, true))
            results = computed(instruction);
        forget_results(program_, instruction, scalars_);
        for (const auto& [byte, source] : results)
            scalars_[byte] = source;
    }

    void follow_state(std::span<const PreparedOperand> operands, bool is_one) {
        const PreparedOperand& to = operands.front();
        auto& states = states_[is_of_sampler(to)];
        if (!is_one) // one element under a mask, or several
            states.clear();
        auto source = is_one && operands.size() == 2 ? source_of(operands[1]) : std::nullopt;
        states.erase(to.base);
        if (!source)
            return;
        source->handle = names_handle(to);
        states[to.base] = *source;
    }

    // The low 32 bits of each element that a move or an `or` with an immediate makes of launch arguments.
    [[nodiscard]] Scalars computed(const PreparedInstruction& instruction) const {
        const auto operands = program_.operands_of(instruction);
        const bool is_move = instruction.row->opcode == opcode::mov && operands.size() == 2;
        const bool is_or = instruction.row->opcode == opcode::or_ && operands.size() == 3 &&
                           operands[2].kind == OperandKind::immediate && has_dword(operands[2]);
        if ((!is_move && !is_or) || instruction.saturate || operands[0].kind != OperandKind::general ||
            operands[0].null || !has_dword(operands[0]))
            return {};
        Scalars results;
        for (uint32_t k = 0; k < instruction.execution.size; ++k) {
            PreparedOperand from = operands[1];
            from.base += element_of(from, k) * isa::size_of(from.type);
            auto source = source_of(from);
            if (!source || source->kind != Kind::input)
                continue;
            source->set_bits |= is_or ? static_cast<uint32_t>(operands[2].value) : 0;
            results[operands[0].base + k * operands[0].vertical * isa::size_of(operands[0].type)] = *source;
        }
        return results;
    }

    // Of the low 32 bits of a scalar source.
    [[nodiscard]] std::optional<StateSource> source_of(const PreparedOperand& from) const {
        if (!has_dword(from))
            return std::nullopt;
        if (from.kind == OperandKind::immediate)
            return StateSource{.kind = Kind::value, .value = static_cast<uint32_t>(from.value)};
        if (from.kind != OperandKind::general || from.null)
            return std::nullopt;
        if (const auto known = scalars_.find(from.base); known != scalars_.end())
            return known->second;
        if (!is_given_input(program_, info_, from))
            return std::nullopt;
        return StateSource{.kind = Kind::input, .value = from.base};
    }

    [[nodiscard]] std::optional<StateSource> state_of(const PreparedOperand& operand) const {
        if (!is_state_element(operand)) {
            auto source = isa::size_of(operand.type) == scalar_bytes ? source_of(operand) : std::nullopt;
            if (source)
                source->handle = true;
            return source;
        }
        const auto& states = states_[is_of_sampler(operand)];
        if (const auto known = states.find(operand.base); known != states.end())
            return known->second;
        if (moves_many_ || names_handle(operand) || moved_[is_of_sampler(operand)].contains(operand.base))
            return std::nullopt;
        return StateSource{.kind = Kind::preset, .value = operand.base};
    }

    void add(uint32_t index, const PreparedInstruction& instruction, const StateOperands& operands) {
        const auto all = program_.operands_of(instruction);
        const auto surface = state_of(all[operands.surface]);
        if (!surface)
            return;
        ImageMessage message{.instruction = index, .surface = 0, .sampler = std::nullopt};
        if (operands.sampler) {
            message.sampler = state_of(all[*operands.sampler]);
            if (!message.sampler)
                return;
        }
        const auto known = std::ranges::find(found_.surfaces, *surface);
        message.surface = static_cast<uint32_t>(known - found_.surfaces.begin());
        if (known == found_.surfaces.end())
            found_.surfaces.push_back(*surface);
        found_.messages.push_back(message);
    }

    const Program& program_;
    const FunctionInfo& info_;
    // Of surface variables, and of sampler variables: elements that are moved anywhere, and what elements are
    // known to hold here.
    std::array<std::set<uint32_t>, 2> moved_;
    std::array<std::map<uint32_t, StateSource>, 2> states_;
    bool moves_many_ = false; // some move sets more than one element
    Scalars scalars_;
    ImageMessages found_;
};

} // namespace

std::optional<StateOperands> image_operands(const Program& program, const PreparedInstruction& instruction) {
    switch (instruction.row->opcode) {
    case opcode::sample_3d:
        return StateOperands{.surface = order::sample_3d::surface, .sampler = order::sample_3d::sampler};
    case opcode::load_3d:
        return StateOperands{.surface = order::load_3d::surface};
    case opcode::gather4_typed:
    case opcode::scatter4_typed:
        return StateOperands{.surface = order::gather4_typed::surface};
    case opcode::info:
        if (instruction.row->sub != isa::sub_opcode::sampler::resinfo)
            return std::nullopt;
        return StateOperands{.surface = order::resinfo::surface};
    case opcode::lsc_typed: {
        const auto operands = program.operands_of(instruction);
        const bool names_state = operands[order::lsc_typed::addr_type].value == isa::lsc::type_bss;
        if (!names_state || !isa::sub_opcode::lsc::has_channels(instruction.row->sub) ||
            operands[order::lsc_typed::surface_index].value != 0)
            return std::nullopt;
        return StateOperands{.surface = order::lsc_typed::surface};
    }
    default:
        return std::nullopt;
    }
}

ImageMessages image_messages(const Program& program, const FunctionInfo& info) {
    return Messages(program, info).find();
}

} // namespace visor::jit
