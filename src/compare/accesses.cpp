#include "compare/accesses.h"

#include "isa/opcode.h"
#include "module/extent.h"

#include <algorithm>

namespace visor::compare {

namespace {

enum class Ordering : uint8_t { free, message, fixed };

// Families whose instructions do no more than their operands and flags say.
Ordering order_of(const isa::Row& row) {
    using enum isa::Family;
    switch (row.family) {
    case arith:
    case logic:
    case isa::Family::compare:
    case move:
    case address:
        return Ordering::free;
    case matrix: // dpasw meets another thread
        return row.opcode == isa::opcode::dpasw ? Ordering::fixed : Ordering::free;
    case scattered:
    case block:
    case svm:
    case lsc:
    case atomic:
    case typed:
    case sampler:
        return Ordering::message;
    case debug:
        return row.opcode == isa::opcode::lifetime ? Ordering::free : Ordering::fixed;
    case flow: // faddr; branches end a block
        return row.opcode == isa::opcode::faddr ? Ordering::free : Ordering::fixed;
    case sync:
    case media:
    case vme:
    case render:
    case raw:
        break;
    }
    return Ordering::fixed;
}

// Registers that change by themselves, or change what other instructions do.
bool is_state(uint32_t general_id) {
    using enum isa::Predefined;
    return general_id == isa::id(tsc) || general_id == isa::id(sr0) || general_id == isa::id(cr0) ||
           general_id == isa::id(dbg0) || general_id == isa::id(msg0);
}

bool is_destination(isa::FieldKind kind) {
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
}

class Reader {
public:
    Reader(const Canonical& code, uint32_t at) : code_(code), instruction_(code.instruction(at)) {}

    Accesses read() {
        const isa::Row& row = *instruction_.row;
        const Ordering order = order_of(row);
        out_.stays = order == Ordering::fixed || isa::has(row, isa::group_sync);
        const bool writes = isa::has(row, isa::writes_memory) || isa::has(row, isa::atomic_access);
        const bool reads = isa::has(row, isa::reads_memory) || row.family == isa::Family::sampler;
        out_.reads_memory = reads;
        // A message that does neither is a fence.
        out_.writes_memory = writes || (order == Ordering::message && !reads);
        if (instruction_.predicate.id != 0) {
            const bool result = isa::has(row, isa::writes_predicate);
            add({Space::predicate, instruction_.predicate.id}, result);
        }
        for (size_t i = 0; i < instruction_.operands.size(); ++i)
            add_operand(i);
        return std::move(out_);
    }

private:
    void add(Name name, bool writes) { out_.list.push_back({.name = name, .writes = writes}); }

    void add_operand(size_t index) {
        const Operand& operand = instruction_.operands[index];
        const bool writes = is_destination(isa::field_of_operand(*instruction_.row, index).kind);
        switch (operand.kind) {
        case OperandKind::general:
        case OperandKind::raw:
            add_general(index, writes);
            break;
        case OperandKind::address:
            add({Space::address, operand.id}, writes);
            break;
        case OperandKind::predicate:
            add({Space::predicate, operand.id}, writes);
            break;
        case OperandKind::indirect: // any register whose address was taken
            out_.stays = true;
            break;
        case OperandKind::state_surface:
        case OperandKind::surface:
            add({Space::surface, operand.id}, writes);
            break;
        case OperandKind::state_sampler:
        case OperandKind::sampler:
            add({Space::sampler, operand.id}, writes);
            break;
        case OperandKind::variable: // of a lifetime
            out_.stays = true;
            break;
        default:
            break;
        }
    }

    void add_general(size_t index, bool writes) {
        const Operand& operand = instruction_.operands[index];
        if (is_null(operand))
            return;
        const Root root = code_.root(operand.id);
        out_.stays = out_.stays || is_state(root.id);
        const auto reached = writes ? bytes_written(*code_.function, instruction_, index, code_.grf_bytes)
                                    : bytes_read(*code_.function, instruction_, index, code_.grf_bytes);
        Access access{.name = {Space::general, root.id}, .writes = writes};
        if (reached) {
            // A message may look at all of a slot of which it takes the lower bytes.
            const uint64_t whole = reached->begin + extent(instruction_, index, code_.grf_bytes);
            access.begin = reached->begin + root.offset;
            access.end = std::max(reached->end(), whole) + root.offset;
        }
        out_.list.push_back(access);
    }

    const Canonical& code_;
    const Instruction& instruction_;
    Accesses out_;
};

} // namespace

Accesses accesses_of(const Canonical& code, uint32_t at) {
    return Reader(code, at).read();
}

} // namespace visor::compare
