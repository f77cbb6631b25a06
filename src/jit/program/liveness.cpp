#include "jit/program/liveness.h"

#include "isa/opcode.h"
#include "jit/program/address_reads.h"

#include <algorithm>

namespace visor::jit {

namespace {

namespace opcode = isa::opcode;

class Liveness {
public:
    Liveness(const Program& program, uint32_t simd, bool full, FunctionInfo& info)
        : program_(program), simd_(simd), full_(full), info_(info) {}

    void run() {
        exposed_addresses_ = upward_exposed_addresses(program_, info_);
        compute_liveness();
    }

private:
    [[nodiscard]] size_t size() const { return program_.code.size(); }

    [[nodiscard]] size_t join_at(uint32_t index) const {
        return static_cast<size_t>(std::ranges::lower_bound(program_.joins, index) - program_.joins.begin());
    }

    // Bits by item, in words.
    using Set = std::vector<uint64_t>;

    static void insert(Set& set, uint32_t item) { set[item / 64] |= uint64_t{1} << item % 64; }
    static void erase(Set& set, uint32_t item) { set[item / 64] &= ~(uint64_t{1} << item % 64); }
    static bool unite(Set& to, const Set& from) {
        bool changed = false;
        for (size_t w = 0; w < to.size(); ++w) {
            changed = changed || (from[w] & ~to[w]) != 0;
            to[w] |= from[w];
        }
        return changed;
    }

    [[nodiscard]] bool writes_all_lanes(size_t index) const {
        const PreparedInstruction& instruction = program_.code[index];
        const Execution& execution = instruction.execution;
        return instruction.predicate.id == 0 &&
               (execution.no_mask ||
                (full_ && info_.convergent[index] && execution.offset + execution.size <= simd_));
    }

    // Whether the operand kills the whole root.
    [[nodiscard]] bool overwrites(size_t index, size_t operand, const Root& root) const {
        const PreparedInstruction& instruction = program_.code[index];
        const PreparedOperand& result = program_.operands_of(instruction)[operand];
        const bool whole = writes_all_lanes(index) || (root.by_lane && instruction.predicate.id == 0);
        // A literal operand gives the lanes of a GATHER.
        if (!whole || result.base > root.base || !is_lane_wise(instruction) ||
            instruction.row->form == isa::TextForm::gather_legacy ||
            isa::has(*instruction.row, isa::writes_predicate))
            return false;
        if (result.kind == OperandKind::general)
            return result.vertical == 1 &&
                   result.base + uint64_t{instruction.execution.size} * isa::size_of(result.type) >=
                       uint64_t{root.base} + root.bytes;
        // Between components of fewer lanes than a register has dwords there are bytes that stay as they are.
        const uint32_t grf = program_.device->grf_bytes;
        const uint32_t bytes = extent(program_.source_of(instruction), operand, grf);
        const uint32_t lanes = instruction.execution.size;
        const bool gaps = lanes < grf / 4 && bytes > uint64_t{lanes} * 8;
        return !gaps && result.base + uint64_t{bytes} >= uint64_t{root.base} + root.bytes;
    }

    // Or is rematerialized, or loaded, in each block.
    [[nodiscard]] static bool is_block_local(const Root& root) {
        return root.local || root.rematerialized || root.constant;
    }

    // The transfer function: live-out to live-in.
    void transfer(size_t index, Set& live) const {
        const PreparedInstruction& instruction = program_.code[index];
        const auto operands = program_.operands_of(instruction);
        for (size_t k = 0; k < operands.size(); ++k) {
            if (!is_register(operands[k]) || !is_result(instruction, k))
                continue;
            const uint32_t root = info_.root_at(operands[k].base);
            if (overwrites(index, k, info_.roots[root]))
                erase(live, root);
        }
        for (size_t k = 0; k < operands.size(); ++k) {
            const PreparedOperand& operand = operands[k];
            if (is_register(operand)) {
                const uint32_t root = info_.root_at(operand.base);
                const Root& of = info_.roots[root];
                const bool wanted = !is_result(instruction, k) || !overwrites(index, k, of);
                if (wanted && !is_block_local(of))
                    insert(live, root);
            }
        }
        transfer_addresses(index, live);
    }

    void transfer_addresses(size_t index, Set& live) const {
        const PreparedInstruction& instruction = program_.code[index];
        const auto operands = program_.operands_of(instruction);
        for (size_t k = 0; k < operands.size() && writes_all_lanes(index); ++k)
            if (operands[k].kind == OperandKind::address && is_result(instruction, k))
                for (uint32_t e = operands[k].base;
                     e < operands[k].base + instruction.execution.size && e < program_.address_elements; ++e)
                    erase(live, info_.address_item(program_, e));
        for (const uint32_t element : exposed_addresses_[index])
            insert(live, info_.address_item(program_, element));
    }

    // ---- predicates: two halves of 16 lanes each, numbered after all other items

    [[nodiscard]] uint32_t half_item(uint32_t id, uint32_t half) const {
        return info_.address_item(program_, program_.address_elements) + 2 * id + half;
    }

    // Predicates that instructions read beyond their own lanes, and those with more than 16 lanes.
    void classify_predicates() {
        shared_.assign(program_.predicate_count, false);
        upper_half_used_.assign(program_.predicate_count, false);
        for (const PreparedInstruction& instruction : program_.code) {
            find_upper_half(instruction);
            const bool beyond = instruction.execution.no_mask || instruction.execution.size == 1 ||
                                instruction.predicate.control != PredicateControl::none ||
                                instruction.row->family == isa::Family::move;
            const auto operands = program_.operands_of(instruction);
            for (size_t k = 0; k < operands.size(); ++k)
                if (operands[k].kind == OperandKind::predicate && beyond && !is_result(instruction, k))
                    shared_[operands[k].base] = true;
            if (beyond && instruction.predicate.id != 0)
                shared_[instruction.predicate.id] = true;
        }
    }

    // Nothing writes the upper half of other predicates: it stays zero.
    void find_upper_half(const PreparedInstruction& instruction) {
        if (instruction.execution.offset + instruction.execution.size <= 16)
            return;
        for (const PreparedOperand& operand : program_.operands_of(instruction))
            if (operand.kind == OperandKind::predicate)
                upper_half_used_[operand.base] = true;
        upper_half_used_[instruction.predicate.id] = true;
    }

    void predicate_halves(const Execution& execution, uint32_t id, bool reads, Set& live) const {
        for (uint32_t half = 0; half < 2; ++half) {
            const uint32_t low = 16 * half;
            if (half == 1 && !upper_half_used_[id])
                continue;
            // Shared predicates have uses of bits beyond the kernel's SIMD width.
            const uint32_t high = shared_[id] ? low + 16 : std::min(low + 16, std::max(simd_, low + 1));
            const bool covers = execution.offset <= low && execution.offset + execution.size >= high;
            const bool meets = execution.offset < low + 16 && execution.offset + execution.size > low;
            if (reads ? meets : covers)
                reads ? insert(live, half_item(id, half)) : erase(live, half_item(id, half));
        }
    }

    void transfer_predicates(size_t index, Set& live) const {
        const PreparedInstruction& instruction = program_.code[index];
        const auto operands = program_.operands_of(instruction);
        const Execution all{.size = 32, .offset = 0, .no_mask = true};
        const bool plain = instruction.predicate.id == 0;
        for (size_t k = 0; k < operands.size(); ++k)
            if (operands[k].kind == OperandKind::predicate && is_result(instruction, k) && plain &&
                (!shared_[operands[k].base] || writes_all_lanes(index)))
                predicate_halves(instruction.execution, operands[k].base, false, live);
        for (size_t k = 0; k < operands.size(); ++k)
            if (operands[k].kind == OperandKind::predicate && !is_result(instruction, k))
                predicate_halves(shared_[operands[k].base] ? all : instruction.execution, operands[k].base,
                                 true, live);
        if (!plain)
            predicate_halves(shared_[instruction.predicate.id] ? all : instruction.execution,
                             instruction.predicate.id, true, live);
    }

    // Live-in sets of blocks, to a fixed point.
    void compute_liveness() {
        classify_predicates();
        const uint32_t items = info_.address_item(program_, program_.address_elements);
        const Set none((half_item(program_.predicate_count, 0) + 63) / 64, 0);
        std::vector<uint32_t> blocks;
        for (uint32_t i = 0; i < size(); ++i)
            if (info_.leader[i])
                blocks.push_back(i);
        by_lane_ = none;
        for (uint32_t r = 0; r < info_.roots.size(); ++r)
            if (info_.roots[r].by_lane)
                insert(by_lane_, r);
        for (uint32_t id = 0; id < program_.predicate_count; ++id)
            for (uint32_t half = 0; half < 2 && !shared_[id]; ++half)
                insert(by_lane_, half_item(id, half));
        solve(blocks, none);
        find_blends(blocks);
        for (const uint32_t entry : info_.entries) {
            const auto block = static_cast<size_t>(std::ranges::lower_bound(blocks, entry) - blocks.begin());
            Items& live = info_.live.emplace_back();
            if (block == blocks.size())
                continue; // nothing is live at the function's end
            Set all = before_[block];
            unite(all, waiting_at(blocks, entry));
            for (uint32_t item = 0; entry != 0 && item < items; ++item)
                if (contains(all, item) || is_live_predicate(all, item))
                    live.push_back(item);
        }
    }

    static bool contains(const Set& set, uint32_t item) { return (set[item / 64] >> item % 64 & 1U) != 0; }

    [[nodiscard]] bool is_live_predicate(const Set& all, uint32_t item) const {
        const uint32_t first = info_.predicate_item(0);
        if (item < first || item >= first + program_.predicate_count)
            return false;
        return contains(all, half_item(item - first, 0)) || contains(all, half_item(item - first, 1));
    }

    static size_t block_at(const std::vector<uint32_t>& blocks, uint32_t index) {
        return static_cast<size_t>(std::ranges::upper_bound(blocks, index) - blocks.begin()) - 1;
    }

    // Items live in lanes that may be parked at later joins while others execute this instruction.
    [[nodiscard]] Set waiting_at(const std::vector<uint32_t>& blocks, uint32_t index) const {
        Set wanted(by_lane_.size(), 0);
        for (size_t k = join_at(index + 1); k < program_.joins.size(); ++k)
            if (info_.waited_from[k] <= index)
                unite(wanted, before_[block_at(blocks, program_.joins[k])]);
        return wanted;
    }

    void find_blends(const std::vector<uint32_t>& blocks) {
        info_.needs_no_blend.assign(size(), false);
        Set wanted;
        for (uint32_t i = 0; i < size(); ++i) {
            if (info_.leader[i])
                wanted = waiting_at(blocks, i);
            bool nothing = true;
            const auto operands = program_.operands_of(program_.code[i]);
            for (size_t k = 0; k < operands.size(); ++k) {
                if (!is_register(operands[k]) || !is_result(program_.code[i], k))
                    continue;
                const uint32_t r = info_.root_at(operands[k].base);
                const Root& root = info_.roots[r];
                nothing = nothing && (root.local || (root.by_lane && !contains(wanted, r)));
            }
            info_.needs_no_blend[i] = nothing;
        }
    }

    void solve(const std::vector<uint32_t>& blocks, const Set& none) {
        before_.assign(blocks.size(), none);
        // When no lane is enabled, control continues at any later join.
        std::vector<Set> parked(program_.joins.size() + 1, none);
        const auto block_of = [&](uint32_t index) {
            return static_cast<size_t>(std::ranges::upper_bound(blocks, index) - blocks.begin()) - 1;
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t k = program_.joins.size(); k-- > 0;) {
                unite(parked[k], parked[k + 1]);
                unite(parked[k], before_[block_of(program_.joins[k])]);
                for (size_t w = 0; w < by_lane_.size(); ++w)
                    parked[k][w] &= ~by_lane_[w]; // not live there: other lanes own them
            }
            for (size_t b = blocks.size(); b-- > 0;) {
                const auto end = static_cast<uint32_t>(b + 1 < blocks.size() ? blocks[b + 1] : size());
                Set live = b + 1 < blocks.size() ? before_[b + 1] : none;
                const PreparedInstruction& last = program_.code[end - 1];
                for (size_t w = 0; w < by_lane_.size() && leaves(last); ++w)
                    live[w] &= ~by_lane_[w];
                for (const PreparedOperand& operand : program_.operands_of(last))
                    if (operand.kind == OperandKind::label && operand.base < size())
                        unite(live, before_[block_of(operand.base)]);
                if (last.row->family == isa::Family::flow) {
                    const auto next = static_cast<size_t>(std::ranges::lower_bound(program_.joins, end) -
                                                          program_.joins.begin());
                    unite(live, parked[next]);
                }
                for (uint32_t i = end; i-- > blocks[b];) {
                    transfer(i, live);
                    transfer_predicates(i, live);
                }
                changed = unite(before_[b], live) || changed;
            }
        }
    }

    const Program& program_;
    uint32_t simd_;
    bool full_;
    FunctionInfo& info_;
    std::vector<Items> exposed_addresses_; // by instruction
    std::vector<Set> before_;              // by block
    Set by_lane_;
    std::vector<bool> shared_;          // by predicate
    std::vector<bool> upper_half_used_; // by predicate
};

} // namespace

void compute_liveness(const Program& program, uint32_t simd, bool full, FunctionInfo& info) {
    Liveness(program, simd, full, info).run();
}

} // namespace visor::jit
