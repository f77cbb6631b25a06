#include "jit/engine/symbol_table.h"

#include "isa/opcode.h"

namespace visor::jit {

std::vector<uint32_t> instructions_with_symbols(const Program& program) {
    std::vector<uint32_t> found;
    for (uint32_t index = 0; index < program.code.size(); ++index)
        if (program.code[index].row->opcode == isa::opcode::faddr)
            found.push_back(index);
    return found;
}

std::vector<uint64_t> symbol_addresses(const std::vector<uint32_t>& instructions,
                                       const machine::Launch& launch) {
    std::vector<uint64_t> addresses;
    for (const uint32_t index : instructions) {
        const uint32_t name = launch.program->operands[launch.program->code[index].first_operand].base;
        const bool known = !launch.functions.empty() && name < launch.functions.front().symbols.size();
        addresses.push_back(known ? launch.functions.front().symbols[name] : 0);
    }
    return addresses;
}

} // namespace visor::jit
