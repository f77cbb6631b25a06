// Expressions over a stopped thread: `V32[3] > 2 && group == 5`, `V40.f`, `u32(0x1000) & 7`, `slm_f32(64)`.
#pragma once

#include "debug/variables.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::debug {

// What names mean.
struct Scope {
    const machine::Thread& thread;
    const machine::Frame& frame; // of the thread
    uint32_t lane = 0;           // of registers without an index
};

// Operators are C's, on 64-bit integers and doubles. `group` (`group.x` ...), `thread` and `lane` are
// numbers; NAME, NAME[index], NAME.type and NAME.type[index] are elements of a variable; TYPE(address) reads
// global memory, slm_TYPE(offset) shared local memory.
class Expression {
public:
    // Error: a sentence.
    [[nodiscard]] static std::expected<Expression, std::string> parse(std::string_view text);

    [[nodiscard]] std::expected<Number, std::string> evaluate(const Scope& scope) const;
    // Stores into what the expression names. `thread` is that of the scope. Error: it names nothing that can
    // be changed.
    [[nodiscard]] std::expected<void, std::string> assign(const Scope& scope, machine::Thread& thread,
                                                          machine::Frame& frame, const Number& number) const;
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    friend class ExpressionParser;
    enum class Kind : uint8_t { number, name, memory, local_memory, unary, binary };
    struct Node {
        Kind kind = Kind::number;
        Number number;
        std::string name; // or the operator
        std::optional<isa::Type> type;
        int left = -1; // an index, an address, an operand
        int right = -1;
    };

    [[nodiscard]] std::expected<Number, std::string> value(int node, const Scope& scope) const;
    [[nodiscard]] std::expected<Number, std::string> named(const Node& node, const Scope& scope) const;

    std::string text_;
    std::vector<Node> nodes_;
    int root_ = -1;
};

} // namespace visor::debug
