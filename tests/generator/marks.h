// Labels and strings of a function that is being made. Their ids count in order of first appearance, which is
// known only at its end.
#pragma once

#include "generator.h"
#include "random.h"

#include <cstdint>

namespace visor::generator {

class Marks {
public:
    Marks(Random& random, Function& function) : random_(random), function_(function) {}

    // A label that a jump, a subroutine's call or another kernel's call may name.
    [[nodiscard]] uint32_t used(LabelKind kind);
    // One to be defined now: an undefined one of this kind, or a new one.
    [[nodiscard]] uint32_t defined(LabelKind kind);
    [[nodiscard]] uint32_t string();

    // Defines what was used only, and numbers all in order of first appearance.
    void finish();

private:
    [[nodiscard]] uint32_t add(LabelKind kind);
    void define(uint32_t id, uint8_t opcode);

    Random& random_;
    Function& function_;
};

// Numbers labels and strings in order of first appearance; drops those that nothing names.
void number_marks(Function& function);

} // namespace visor::generator
