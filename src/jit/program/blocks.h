// The basic blocks of a function and where control goes from each.
#pragma once

#include "jit/program/function_info.h"

#include <cstdint>
#include <map>
#include <vector>

namespace visor::jit {

struct Blocks {
    std::vector<uint32_t> first; // instructions, ascending
    std::vector<uint32_t> of;    // by instruction: its block
    std::vector<std::vector<uint32_t>>
        next; // by block; also the joins where lanes may wait when none is left

    [[nodiscard]] uint32_t end(uint32_t block) const {
        return static_cast<size_t>(block) + 1 < first.size() ? first[block + 1]
                                                             : static_cast<uint32_t>(of.size());
    }
};
[[nodiscard]] Blocks find_blocks(const Program& program, const FunctionInfo& info);

// Which blocks are reachable without passing one (which it does not dominate). By that block, kept once
// asked; costs a traversal of the control flow graph.
using ReachedWithout = std::map<uint32_t, std::vector<bool>>;
const std::vector<bool>& reached_without(const Blocks& blocks, uint32_t block, ReachedWithout& known);

} // namespace visor::jit
