#include "jit/program/lane_locality.h"

#include "isa/lsc_code.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "module/extent.h"

#include <algorithm>

namespace visor::jit {

namespace {

constexpr uint8_t no_lane = 0xff;
constexpr uint8_t all_lanes = 0xfe;
constexpr uint32_t no_block = UINT32_MAX;

namespace opcode = isa::opcode;

// The layout of a raw operand: components in order, each with its lanes in order.
struct Lanes {
    uint32_t unit = 0;   // bytes of a lane
    uint32_t stride = 0; // bytes between components
    uint32_t count = 0;  // components; 0: unknown
    bool whole = false;  // no lane layout: `count` bytes
};

class Locality {
public:
    Locality(const Program& program, const FunctionInfo& info, bool by_lane)
        : by_lane_(by_lane), program_(program), info_(info), local_(info.roots.size(), true),
          block_(info.roots.size(), no_block), owner_(info.roots.size()) {
        for (size_t r = 0; r < info.roots.size(); ++r) {
            local_[r] = !info.roots[r].pinned && !info.roots[r].input;
            if (local_[r])
                owner_[r].assign(info.roots[r].bytes, no_lane);
        }
    }

    std::vector<bool> run() {
        uint32_t block = 0;
        for (uint32_t i = 0; i < program_.code.size(); ++i) {
            if (info_.leader[i])
                block = i;
            const PreparedInstruction& instruction = program_.code[i];
            visit(instruction, block, false);
            visit(instruction, block, true);
        }
        return std::move(local_);
    }

private:
    void visit(const PreparedInstruction& instruction, uint32_t block, bool results) {
        const auto operands = program_.operands_of(instruction);
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if ((operand.kind != OperandKind::general && operand.kind != OperandKind::raw) || operand.null)
                continue;
            const isa::FieldKind kind = isa::field_of_operand(*instruction.row, k).kind;
            if (is_result(kind) != results)
                continue;
            const uint32_t root = info_.root_at(operand.base);
            if (!local_[root])
                continue;
            if (block_[root] == no_block)
                block_[root] = block;
            if ((!by_lane_ && block_[root] != block) || !visit_operand(instruction, k, kind, root))
                local_[root] = false;
        }
    }

    // False: reads bytes that the lane itself did not write.
    bool visit_operand(const PreparedInstruction& instruction, size_t k, isa::FieldKind kind, uint32_t root) {
        const PreparedOperand& operand = program_.operands_of(instruction)[k];
        if (instruction.row->opcode == opcode::madw && is_result(kind))
            return false; // its result has a second part
        const uint32_t from = operand.base - info_.roots[root].base;
        if (operand.kind == OperandKind::raw)
            return visit_raw(instruction, k, is_result(kind), root, from);
        const uint32_t size = isa::size_of(operand.type);
        if (!is_lane_wise(instruction))
            return false;
        if (kind == isa::FieldKind::scalar_src)
            return access(root, from, size, all_lanes, false);
        const Execution& execution = instruction.execution;
        const bool all = execution.no_mask || isa::has(*instruction.row, isa::implicit_no_mask);
        for (uint32_t lane = 0; lane < execution.size; ++lane) {
            const uint32_t element = element_of(operand, lane);
            const auto who = all ? all_lanes : static_cast<uint8_t>(execution.offset + lane);
            if (!write_is_whole(instruction, kind) ||
                !access(root, from + element * size, size, who, is_result(kind)))
                return false;
        }
        return true;
    }

    // A predicated write keeps old values, which then have to be defined.
    [[nodiscard]] bool write_is_whole(const PreparedInstruction& instruction, isa::FieldKind kind) const {
        return by_lane_ || !is_result(kind) || instruction.predicate.id == 0 ||
               isa::has(*instruction.row, isa::predicate_selects);
    }

    bool access(uint32_t root, uint32_t at, uint32_t bytes, uint8_t who, bool writes) {
        std::vector<uint8_t>& owner = owner_[root];
        for (uint32_t b = at; b < at + bytes; ++b) {
            if (b >= owner.size())
                return false;
            if (by_lane_) {
                if (who == all_lanes && writes)
                    continue;
                if (who == all_lanes || (owner[b] != no_lane && owner[b] != who))
                    return false;
                owner[b] = who;
            } else if (writes)
                owner[b] = who;
            else if (owner[b] != all_lanes && owner[b] != who)
                return false;
        }
        return true;
    }

    bool visit_raw(const PreparedInstruction& instruction, size_t k, bool writes, uint32_t root,
                   uint32_t from) {
        const Lanes lanes = layout(instruction, k);
        if (lanes.count == 0 || (!by_lane_ && writes && instruction.predicate.id != 0))
            return false;
        if (lanes.whole)
            return access(root, from, lanes.count, all_lanes, writes);
        const Execution& execution = instruction.execution;
        for (uint32_t component = 0; component < lanes.count; ++component)
            for (uint32_t lane = 0; lane < execution.size; ++lane) {
                const auto who =
                    execution.no_mask ? all_lanes : static_cast<uint8_t>(execution.offset + lane);
                if (!access(root, from + component * lanes.stride + lane * lanes.unit, lanes.unit, who,
                            writes))
                    return false;
            }
        return true;
    }

    [[nodiscard]] Lanes layout(const PreparedInstruction& instruction, size_t k) const {
        const isa::Row& row = *instruction.row;
        if (row.form == isa::TextForm::gather_legacy)
            return {};
        const uint32_t grf = program_.device->grf_bytes;
        const uint32_t size = instruction.execution.size;
        const uint32_t bytes = extent(program_.source_of(instruction), k, grf);
        const uint32_t native = std::max(size, grf / 4);
        const auto components = [&](uint32_t unit, uint32_t stride) {
            const uint32_t last = size * unit;
            return bytes < last ? Lanes{} : Lanes{unit, stride, (bytes - last) / stride + 1, false};
        };
        switch (isa::field_of_operand(row, k).extent) {
        case isa::Extent::lanes_1:
        case isa::Extent::lanes_2:
        case isa::Extent::lanes_4:
        case isa::Extent::lanes_8:
        case isa::Extent::atomic_lanes:
        case isa::Extent::lsc_address:
            return {bytes / size, 0, bytes < size ? 0U : 1U, false};
        case isa::Extent::channels_4:
            return components(4, native * 4);
        case isa::Extent::blocks_8:
            return components(8, native * 8);
        case isa::Extent::svm_blocks: {
            const uint64_t type =
                program_.operands_of(instruction)[isa::operand_order::svm_gather::block_size].value;
            if (type == 0)
                return {bytes / size, 0, 1, false};
            const uint32_t unit = type == 1 ? 4 : 8;
            return components(unit, native * unit);
        }
        case isa::Extent::owords:
            return {.count = bytes, .whole = true};
        case isa::Extent::lsc_data:
            return lsc_layout(instruction, bytes);
        default:
            return {};
        }
    }

    [[nodiscard]] Lanes lsc_layout(const PreparedInstruction& instruction, uint32_t bytes) const {
        constexpr auto& slots = isa::lsc::register_bytes;
        if (instruction.row->opcode != opcode::lsc_untyped)
            return {};
        const auto operands = program_.operands_of(instruction);
        const uint64_t code = operands[isa::operand_order::lsc_untyped::data_size].value;
        if (code == 0 || code >= slots.size())
            return {};
        if (operands[isa::operand_order::lsc_untyped::data_order].value ==
            isa::lsc::order_transposed) // transposed: one lane
            return instruction.execution.no_mask ? Lanes{.count = bytes, .whole = true} : Lanes{};
        const uint32_t grf = program_.device->grf_bytes;
        const uint32_t size = instruction.execution.size;
        const uint32_t last = size * slots[code];
        const uint32_t stride = (last + grf - 1) / grf * grf;
        return bytes < last ? Lanes{} : Lanes{slots[code], stride, (bytes - last) / stride + 1, false};
    }

    bool by_lane_; // lane-private registers, else block-local ones
    const Program& program_;
    const FunctionInfo& info_;
    std::vector<bool> local_;
    std::vector<uint32_t> block_;             // by root: the block that touches it
    std::vector<std::vector<uint8_t>> owner_; // by root and byte: who wrote it last
};

} // namespace

std::vector<bool> find_block_local_roots(const Program& program, const FunctionInfo& info) {
    return Locality(program, info, false).run();
}

std::vector<bool> find_lane_roots(const Program& program, const FunctionInfo& info) {
    return Locality(program, info, true).run();
}

} // namespace visor::jit
