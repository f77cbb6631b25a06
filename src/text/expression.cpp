// Integer expressions. The operators bind as the compiler's grammar has them, which is not C's order: `&`
// binds least, then `^`, then `|`, then the comparisons. Arithmetic is 64 bits wide and wraps.
#include "text/reader.h"

#include <fmt/format.h>

namespace visor::text {

namespace {

constexpr unsigned max_depth = 200; // of parentheses, signs and conditions

struct Operator {
    std::string_view spelling;
    Precedence precedence;
};
// Longer spellings first.
constexpr std::array operators{
    Operator{">>>", Precedence::shift},   Operator{"<<", Precedence::shift},
    Operator{">>", Precedence::shift},    Operator{"<=", Precedence::relation},
    Operator{">=", Precedence::relation}, Operator{"==", Precedence::equality},
    Operator{"!=", Precedence::equality}, Operator{"<", Precedence::relation},
    Operator{">", Precedence::relation},  Operator{"&", Precedence::bit_and},
    Operator{"^", Precedence::bit_xor},   Operator{"|", Precedence::bit_or},
    Operator{"+", Precedence::sum},       Operator{"-", Precedence::sum},
    Operator{"*", Precedence::product},   Operator{"/", Precedence::product},
    Operator{"%", Precedence::product},
};

constexpr Precedence above(Precedence precedence) {
    return static_cast<Precedence>(static_cast<uint8_t>(precedence) + 1);
}

} // namespace

class Expressions {
public:
    explicit Expressions(Reader& reader) : reader_(reader), lex_(reader.lex) {}

    std::optional<int64_t> binary(Precedence from) {
        std::optional<int64_t> left = unary("a number");
        while (left.has_value()) {
            if (from == Precedence::conditional && lex_.accept('?'))
                return condition(*left);
            const Operator* op = next(from);
            if (op == nullptr)
                return left;
            const uint32_t start = lex_.offset();
            lex_.advance(op->spelling.size());
            const std::optional<int64_t> right = binary(above(op->precedence));
            if (!right.has_value())
                return std::nullopt;
            left = apply(op->spelling, *left, *right, lex_.since(start));
        }
        return left;
    }

    std::optional<int64_t> unary(std::string_view what) {
        lex_.skip_blanks();
        const char sign = lex_.peek();
        if (sign != '-' && sign != '~' && sign != '!')
            return primary(what);
        if (!enter())
            return std::nullopt;
        lex_.advance();
        const std::optional<int64_t> value = unary(what);
        --depth_;
        if (!value.has_value())
            return value;
        if (sign == '-')
            return static_cast<int64_t>(0 - static_cast<uint64_t>(*value));
        return sign == '~' ? ~*value : static_cast<int64_t>(*value == 0);
    }

    std::optional<int64_t> primary(std::string_view what) {
        lex_.skip_blanks();
        if (lex_.peek() == '(') {
            if (!enter())
                return std::nullopt;
            lex_.advance();
            const std::optional<int64_t> value = binary(Precedence::conditional);
            --depth_;
            return value.has_value() && reader_.mark(')') ? value : std::nullopt;
        }
        if (lex_.accept_word("%sizeof"))
            return sizeof_variable();
        const uint32_t start = lex_.offset();
        if (lex_.accept_word("%DispatchSimd"))
            return dispatch_simd(lex_.since(start));
        const std::optional<Integer> literal = lex_.integer(what);
        return literal.has_value() ? std::optional(static_cast<int64_t>(literal->value)) : std::nullopt;
    }

private:
    [[nodiscard]] bool enter() {
        if (++depth_ <= max_depth)
            return true;
        const Location where{lex_.offset(), 1};
        return lex_.error(where, "expression-too-deep",
                          fmt::format("an expression nests at most {} deep", max_depth));
    }

    // The operator that stands here, when it binds at least as `from`.
    const Operator* next(Precedence from) {
        lex_.skip_blanks();
        if (lex_.peek() == '%' && is(lex_.peek(1), name_start)) // a name, not a remainder
            return nullptr;
        for (const Operator& op : operators) {
            if (lex_.peek() != op.spelling[0] || (op.spelling.size() > 1 && lex_.peek(1) != op.spelling[1]) ||
                (op.spelling.size() > 2 && lex_.peek(2) != op.spelling[2]))
                continue;
            return op.precedence >= from ? &op : nullptr;
        }
        return nullptr;
    }

    std::optional<int64_t> condition(int64_t chosen) {
        if (!enter())
            return std::nullopt;
        const std::optional<int64_t> yes = binary(Precedence::bit_and);
        const bool complete = yes.has_value() && reader_.mark(':');
        const std::optional<int64_t> no = complete ? binary(Precedence::conditional) : std::nullopt;
        --depth_;
        return !no.has_value() || chosen == 0 ? no : yes;
    }

    std::optional<int64_t> divide(bool remainder, int64_t a, int64_t b, Location where) {
        if (b == 0) {
            lex_.error(where, "division-by-zero", "division by zero");
            return std::nullopt;
        }
        if (b == -1) // the one quotient that does not fit would trap
            return remainder ? 0 : static_cast<int64_t>(0 - static_cast<uint64_t>(a));
        return remainder ? a % b : a / b;
    }

    std::optional<int64_t> shift(std::string_view op, int64_t a, int64_t b, Location where) {
        if (b < 0 || b > 63) {
            lex_.error(where, "shift-count", "a shift count is 0 to 63");
            return std::nullopt;
        }
        if (op == ">>")
            return a >> b;
        const auto bits = static_cast<uint64_t>(a);
        return static_cast<int64_t>(op == "<<" ? bits << b : bits >> b);
    }

    std::optional<int64_t> apply(std::string_view op, int64_t a, int64_t b, Location where) {
        const auto x = static_cast<uint64_t>(a);
        const auto y = static_cast<uint64_t>(b);
        switch (op[0]) {
        case '+':
            return static_cast<int64_t>(x + y);
        case '-':
            return static_cast<int64_t>(x - y);
        case '*':
            return static_cast<int64_t>(x * y);
        case '/':
        case '%':
            return divide(op[0] == '%', a, b, where);
        case '&':
            return a & b;
        case '^':
            return a ^ b;
        case '|':
            return a | b;
        case '=':
            return a == b;
        case '!':
            return a != b;
        default:
            break;
        }
        if (op.size() > 1 && op[0] == op[1])
            return shift(op, a, b, where);
        const bool less = op[0] == '<' ? a < b : a > b;
        return less || (op.size() > 1 && a == b);
    }

    std::optional<int64_t> sizeof_variable() {
        const bool parenthesis = lex_.accept('(');
        std::optional<int64_t> size;
        if (reader_.names.find("GRF") == nullptr && lex_.accept_word("GRF")) {
            size = reader_.options.grf_bytes;
        } else {
            Location where;
            if (const Symbol* symbol = reader_.variable("a variable or `GRF`", where))
                size = size_of(reader_, *symbol);
        }
        return size.has_value() && (!parenthesis || reader_.mark(')')) ? size : std::nullopt;
    }

    std::optional<int64_t> dispatch_simd(Location where) {
        const Attribute* const size = reader_.attribute("SimdSize");
        if (size != nullptr && size->has_number && size->number != 0)
            return size->number;
        lex_.error(where, "no-simd-size", "`%DispatchSimd` needs `.kernel_attr SimdSize` above it");
        return std::nullopt;
    }

    Reader& reader_;
    Lexer& lex_;
    unsigned depth_ = 0;
};

std::optional<int64_t> Reader::expression(Precedence from) {
    return Expressions(*this).binary(from);
}
std::optional<int64_t> Reader::unary(std::string_view what) {
    return Expressions(*this).unary(what);
}
std::optional<int64_t> Reader::primary(std::string_view what) {
    return Expressions(*this).primary(what);
}

std::optional<int64_t> Reader::limited(int64_t lowest, int64_t highest, std::string_view what) {
    lex.skip_blanks();
    const uint32_t start = lex.offset();
    std::optional<int64_t> value = lex.plain_number();
    if (!value.has_value())
        value = expression(Precedence::shift);
    if (!value.has_value() || (*value >= lowest && *value <= highest))
        return value;
    lex.error(lex.since(start), "number-out-of-range",
              fmt::format("{} must be {} to {}, not {}", what, lowest, highest, *value));
    return std::nullopt;
}

std::optional<int64_t> size_of(const Reader& reader, const Symbol& symbol) {
    const Function& function = *reader.function;
    const auto elements = [&](const std::vector<OtherVariable>& variables, uint32_t first) -> int64_t {
        const uint32_t index = symbol.id - first;
        return index < variables.size() ? variables[index].elements : 1;
    };
    switch (symbol.klass) {
    case VariableClass::general:
        return int64_t{general_elements(function, symbol.id, reader.options.grf_bytes)} *
               isa::size_of(general_type(function, symbol.id));
    case VariableClass::address:
        return elements(function.addresses, 0) * 2;
    case VariableClass::predicate:
        return (elements(function.predicates, isa::first_user_predicate) + 7) / 8;
    case VariableClass::sampler:
        return elements(function.samplers, 0) * 4;
    case VariableClass::surface:
        return elements(function.surfaces, isa::first_user_surface) * 4;
    case VariableClass::unknown:
        break;
    }
    return std::nullopt;
}

} // namespace visor::text
