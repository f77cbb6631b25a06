// Instructions of every row, with whatever operands its format lets stand there: for tests that hold for all
// of the format and not for what makes sense.
#pragma once

#include "isa/row.h"
#include "module/module.h"

#include <cstdint>
#include <random>

namespace visor::test {

// A function that declares variables of every class and type, labels of three kinds, and strings.
[[nodiscard]] Function workshop();

class RowPlay {
public:
    RowPlay(const Function& function, uint32_t seed) : function_(function), random_(seed) {}

    [[nodiscard]] Instruction play(const isa::Row& row);

private:
    [[nodiscard]] uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_()) % limit; }
    [[nodiscard]] bool one_in(uint32_t n) { return below(n) == 0; }
    [[nodiscard]] Operand operand(const isa::Field& field, const Instruction& so_far);
    [[nodiscard]] Operand literal(const isa::Field& field);
    [[nodiscard]] Operand raw(const isa::Field& field);
    [[nodiscard]] Operand vector(const isa::Field& field);
    [[nodiscard]] Operand immediate();
    [[nodiscard]] Operand address_of();
    [[nodiscard]] Region region(bool destination, bool indirect);
    [[nodiscard]] uint8_t stride();
    [[nodiscard]] uint32_t general_id();

    const Function& function_;
    std::mt19937 random_;
    uint64_t mode_ = 0;
};

} // namespace visor::test
