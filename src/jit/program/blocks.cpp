#include "jit/program/blocks.h"

namespace visor::jit {

Blocks find_blocks(const Program& program, const FunctionInfo& info) {
    const auto size = static_cast<uint32_t>(program.code.size());
    Blocks blocks;
    blocks.of.assign(size, 0);
    for (uint32_t i = 0; i < size; ++i) {
        if (info.leader[i])
            blocks.first.push_back(i);
        blocks.of[i] = static_cast<uint32_t>(blocks.first.size() - 1);
    }
    blocks.next.resize(blocks.first.size());
    for (uint32_t b = 0; b < blocks.first.size(); ++b) {
        const uint32_t end = blocks.end(b);
        const PreparedInstruction& last = program.code[end - 1];
        if (end < size && !leaves(last))
            blocks.next[b].push_back(b + 1);
        for (const PreparedOperand& operand : program.operands_of(last))
            if (operand.kind == OperandKind::label && operand.base < size)
                blocks.next[b].push_back(blocks.of[operand.base]);
        if (last.row->family != isa::Family::flow || info.plain_branch[end - 1])
            continue;
        for (size_t k = 0; k < program.joins.size(); ++k) // when no lane is left
            if (program.joins[k] >= end && info.waited_from[k] < end)
                blocks.next[b].push_back(blocks.of[program.joins[k]]);
    }
    return blocks;
}

const std::vector<bool>& reached_without(const Blocks& blocks, uint32_t block, ReachedWithout& known) {
    std::vector<bool>& reached = known[block];
    if (!reached.empty())
        return reached;
    reached.assign(blocks.first.size(), false);
    std::vector<uint32_t> open{0};
    while (!open.empty()) {
        const uint32_t at = open.back();
        open.pop_back();
        if (at == block || reached[at])
            continue;
        reached[at] = true;
        open.insert(open.end(), blocks.next[at].begin(), blocks.next[at].end());
    }
    return reached;
}

} // namespace visor::jit
