#include "jit/program/address_reads.h"

#include <algorithm>

namespace visor::jit {

namespace {

// Who accesses an element: a lane, if it is enabled; or all lanes, enabled or not.
using Lane = uint8_t;
constexpr Lane no_lane = 0xff;
constexpr Lane all_lanes = 0xfe;

class AddressReads {
public:
    explicit AddressReads(const Program& program) : program_(program) {}

    [[nodiscard]] std::vector<Items> run(const FunctionInfo& info) {
        std::vector<Items> exposed(program_.code.size());
        for (size_t i = 0; i < program_.code.size(); ++i) {
            if (info.leader[i])
                writer_.assign(program_.address_elements, no_lane);
            exposed[i] = exposed_in(program_.code[i]);
            write(program_.code[i]);
        }
        return exposed;
    }

private:
    static bool is_written(const PreparedInstruction& instruction, const PreparedOperand& operand, size_t k) {
        return operand.kind == OperandKind::address && is_result(instruction, k);
    }

    [[nodiscard]] Items exposed_in(const PreparedInstruction& instruction) const {
        Items exposed;
        const auto operands = program_.operands_of(instruction);
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if (is_written(instruction, operand, k))
                continue;
            const uint32_t count = addresses_of(instruction, operand);
            for (uint32_t e = 0; e < count && operand.base + e < writer_.size(); ++e) {
                const Lane writer = writer_[operand.base + e];
                if (writer != all_lanes && writer != reader(instruction, operand, e))
                    exposed.push_back(operand.base + e);
            }
        }
        std::ranges::sort(exposed);
        const auto [first, last] = std::ranges::unique(exposed);
        exposed.erase(first, last);
        return exposed;
    }

    void write(const PreparedInstruction& instruction) {
        const auto operands = program_.operands_of(instruction);
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            // A predicated write keeps what is there: it covers no read.
            if (!is_written(instruction, operand, k) || instruction.predicate.id != 0)
                continue;
            for (uint32_t e = 0; e < instruction.execution.size && operand.base + e < writer_.size(); ++e)
                writer_[operand.base + e] = lane(instruction, e);
        }
    }

    [[nodiscard]] static Lane reader(const PreparedInstruction& instruction, const PreparedOperand& operand,
                                     uint32_t element) {
        if (instruction.execution.size == 1)
            return lane(instruction, 0);
        const bool one_each = operand.kind == OperandKind::indirect
                                  ? operand.multi_address && operand.width <= 1
                                  : operand.width >= instruction.execution.size;
        return one_each ? lane(instruction, element) : all_lanes;
    }

    [[nodiscard]] static Lane lane(const PreparedInstruction& instruction, uint32_t number) {
        const Execution& execution = instruction.execution;
        return execution.no_mask || isa::has(*instruction.row, isa::implicit_no_mask)
                   ? all_lanes
                   : static_cast<Lane>(execution.offset + number);
    }

    const Program& program_;
    std::vector<Lane> writer_; // by element: of the block's last write
};

} // namespace

std::vector<Items> upward_exposed_addresses(const Program& program, const FunctionInfo& info) {
    return AddressReads(program).run(info);
}

} // namespace visor::jit
