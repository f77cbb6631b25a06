// Which buffers a flat address was made of. A pointer that comes in as an argument belongs to an allocation;
// what is computed of it belongs there, too, whatever offset was added. Followed once a launch through the
// variables of the kernel, whatever the order of its instructions, so that it costs nothing while it runs.
// What was loaded from memory as something that could be a pointer may belong anywhere and is not judged;
// neither are kernels that call functions.
#pragma once

#include "machine/launch.h"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace visor::check {

class Provenance {
public:
    Provenance() = default;
    explicit Provenance(const machine::Launch& launch);

    using Set = uint64_t; // bit k: allocation k

    // What a flat message's addresses were made of; 0: nobody knows.
    [[nodiscard]] Set of(const Program& program, const PreparedInstruction& instruction) const {
        return &program == program_ ? messages_[static_cast<size_t>(&instruction - program.code.data())]
                                    : Set{0};
    }
    // Whether all of these lanes' addresses are in the only allocation of the set: nearly always.
    [[nodiscard]] bool only_one_holds(Set set, std::span<const uint64_t> addresses, uint32_t lanes) const {
        if (!std::has_single_bit(set))
            return false;
        const machine::Allocation& one = allocations_[static_cast<size_t>(std::countr_zero(set))];
        const uint64_t begin = one.address;
        const uint64_t bytes = one.bytes;
        for (; lanes != 0; lanes &= lanes - 1)
            if (addresses[static_cast<size_t>(std::countr_zero(lanes))] - begin >= bytes)
                return false;
        return true;
    }
    // The first of these allocations if the address is in none of them, else nullptr. `set` is not 0.
    [[nodiscard]] const machine::Allocation* left_by(Set set, uint64_t address) const {
        const machine::Allocation& first = allocations_[static_cast<size_t>(std::countr_zero(set))];
        for (; set != 0; set &= set - 1) {
            const machine::Allocation& one = allocations_[static_cast<size_t>(std::countr_zero(set))];
            if (address - one.address < one.bytes)
                return nullptr;
        }
        return &first;
    }

private:
    static constexpr Set anything = Set{1} << 63U;
    // A variable with storage of its own; aliases lie inside one.
    struct Root {
        uint32_t base = 0;
        uint32_t end = 0;
        Set made_of = 0;
    };

    void collect_roots(const Program& program);
    void begin(const machine::Launch& launch);
    // Whether anything was new.
    [[nodiscard]] bool follow(const Program& program);
    void judge(const Program& program);
    [[nodiscard]] Root* root_at(uint32_t byte);
    [[nodiscard]] Set source(const PreparedOperand& operand);
    [[nodiscard]] Set bit_of(const machine::Allocation& allocation);

    const Program* program_ = nullptr; // the kernel, when it is judged
    std::vector<Root> roots_;          // by base
    std::vector<machine::Allocation> allocations_;
    std::vector<Set> messages_; // by code index; 0: not judged
    std::vector<Set> results_;  // likewise: what the instruction brings by itself
};

} // namespace visor::check
