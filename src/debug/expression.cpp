#include "debug/expression.h"

#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace visor::debug {

namespace {

constexpr int deepest = 64;
constexpr size_t most_nodes = 1000; // a long sum is a deep tree, too

struct Operator {
    std::string_view text;
    int level; // the higher binds closer
};
// The first that matches is taken: an operator stands before its prefixes.
constexpr std::array operators{Operator{"||", 1}, Operator{"&&", 2}, Operator{"==", 6}, Operator{"!=", 6},
                               Operator{"<=", 7}, Operator{">=", 7}, Operator{"<<", 8}, Operator{">>", 8},
                               Operator{"<", 7},  Operator{">", 7},  Operator{"|", 3},  Operator{"^", 4},
                               Operator{"&", 5},  Operator{"+", 9},  Operator{"-", 9},  Operator{"*", 10},
                               Operator{"/", 10}, Operator{"%", 10}};

bool is_name(char letter, bool first) {
    return std::isalpha(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$' ||
           (first ? letter == '%' : std::isdigit(static_cast<unsigned char>(letter)) != 0);
}

Number whole(int64_t value) {
    return {.is_float = false, .whole = value, .real = 0};
}
Number real(double value) {
    return {.is_float = true, .whole = 0, .real = value};
}

int64_t wrapped(uint64_t value) {
    return static_cast<int64_t>(value);
}

std::expected<Number, std::string> on_reals(std::string_view op, double a, double b) {
    if (op == "+")
        return real(a + b);
    if (op == "-")
        return real(a - b);
    if (op == "*")
        return real(a * b);
    if (op == "/")
        return real(a / b);
    return std::unexpected(fmt::format("`{}` is for whole numbers", op));
}

std::expected<Number, std::string> on_wholes(std::string_view op, int64_t a, int64_t b) {
    const auto x = static_cast<uint64_t>(a);
    const auto y = static_cast<uint64_t>(b);
    if (op == "+")
        return whole(wrapped(x + y));
    if (op == "-")
        return whole(wrapped(x - y));
    if (op == "*")
        return whole(wrapped(x * y));
    if (op == "&")
        return whole(a & b);
    if (op == "|")
        return whole(a | b);
    if (op == "^")
        return whole(a ^ b);
    if (op == "<<")
        return whole(wrapped(x << (y & 63U)));
    if (op == ">>")
        return whole(a >> (y & 63U));
    if (b == 0)
        return std::unexpected("a division by zero");
    if (b == -1) // the smallest number has no opposite
        return whole(op == "/" ? wrapped(-x) : 0);
    return whole(op == "/" ? a / b : a % b);
}

std::optional<bool> compared(std::string_view op, const Number& a, const Number& b) {
    const bool reals = a.is_float || b.is_float;
    const auto order = reals ? std::partial_ordering(a.as_real() <=> b.as_real())
                             : std::partial_ordering(a.whole <=> b.whole);
    if (op == "==")
        return order == 0;
    if (op == "!=")
        return order != 0;
    if (op == "<")
        return order < 0;
    if (op == "<=")
        return order <= 0;
    if (op == ">")
        return order > 0;
    if (op == ">=")
        return order >= 0;
    return std::nullopt;
}

} // namespace

// Of one text; the first mistake ends it.
class ExpressionParser {
public:
    explicit ExpressionParser(std::string_view text) : rest_(text) { out_.text_ = text; }

    std::expected<Expression, std::string> parse() {
        out_.root_ = binary(0, 0);
        skip();
        if (error_.empty() && !rest_.empty())
            wrong(fmt::format("`{}` is not understood here", rest_.substr(0, 20)));
        if (!error_.empty())
            return std::unexpected(fmt::format("`{}`: {}", out_.text_, error_));
        return std::move(out_);
    }

private:
    using Kind = Expression::Kind;
    using Node = Expression::Node;

    int wrong(std::string why) {
        if (error_.empty())
            error_ = std::move(why);
        rest_ = {};
        return -1;
    }
    int add(Node node) {
        if (out_.nodes_.size() >= most_nodes)
            return wrong("it is too long");
        out_.nodes_.push_back(std::move(node));
        return static_cast<int>(out_.nodes_.size()) - 1;
    }
    void skip() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
            rest_.remove_prefix(1);
    }
    bool take(std::string_view word) {
        skip();
        if (!rest_.starts_with(word))
            return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    int expect(std::string_view word, int node) {
        return take(word) ? node : wrong(fmt::format("`{}` is missing", word));
    }

    int binary(int least, int depth) {
        if (depth > deepest)
            return wrong("it nests too deep");
        int left = unary(depth + 1);
        for (;;) {
            skip();
            const Operator* found = nullptr;
            for (const Operator& one : operators)
                if (found == nullptr && rest_.starts_with(one.text))
                    found = &one;
            if (found == nullptr || found->level <= least || !error_.empty())
                return left;
            rest_.remove_prefix(found->text.size());
            const int right = binary(found->level, depth + 1);
            left = add({Kind::binary, {}, std::string(found->text), {}, left, right});
        }
    }

    int unary(int depth) {
        if (depth > deepest)
            return wrong("it nests too deep");
        for (const std::string_view op : {"-", "!", "~"})
            if (take(op))
                return add({Kind::unary, {}, std::string(op), {}, unary(depth + 1), -1});
        if (take("("))
            return expect(")", binary(0, depth + 1));
        if (rest_.empty())
            return wrong("something is missing at the end");
        if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0)
            return number();
        if (is_name(rest_.front(), true))
            return name(depth);
        return wrong(fmt::format("`{}` is not understood here", rest_.substr(0, 20)));
    }

    int number() {
        const bool hexadecimal = rest_.starts_with("0x") || rest_.starts_with("0X");
        if (hexadecimal)
            rest_.remove_prefix(2);
        uint64_t bits = 0;
        const char* const end = rest_.data() + rest_.size();
        const auto [after, problem] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), bits, hexadecimal ? 16 : 10);
        if (hexadecimal || after == end || (*after != '.' && *after != 'e')) {
            if (problem != std::errc{})
                return wrong("a number is too large");
            rest_.remove_prefix(static_cast<size_t>(after - rest_.data()));
            return add({Kind::number, whole(wrapped(bits)), {}, {}, -1, -1});
        }
        double value = 0;
        const auto [stop, bad] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (bad != std::errc{})
            return wrong("a number is too large");
        rest_.remove_prefix(static_cast<size_t>(stop - rest_.data()));
        return add({Kind::number, real(value), {}, {}, -1, -1});
    }

    std::string word() {
        size_t length = 0;
        while (length < rest_.size() && is_name(rest_[length], length == 0))
            ++length;
        std::string out(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return out;
    }

    int name(int depth) {
        Node node{Kind::name, {}, word(), {}, -1, -1};
        if (rest_.starts_with("(")) {
            const bool local = node.name.starts_with("slm_");
            node.kind = local ? Kind::local_memory : Kind::memory;
            node.type = type_named(local ? std::string_view(node.name).substr(4) : node.name);
            if (!node.type)
                return wrong(
                    fmt::format("`{}` is no type: f32, u8, slm_i32 and the like read memory", node.name));
            rest_.remove_prefix(1);
            node.left = expect(")", binary(0, depth + 1));
            return add(std::move(node));
        }
        if (rest_.starts_with(".")) {
            rest_.remove_prefix(1);
            const std::string behind = word();
            node.type = type_named(behind);
            if (node.name == "group" && (behind == "x" || behind == "y" || behind == "z"))
                node.name += "." + behind;
            else if (!node.type)
                return wrong(fmt::format("`{}` is no type, such as f, ud, w or df", behind));
        }
        if (take("["))
            node.left = expect("]", binary(0, depth + 1));
        return add(std::move(node));
    }

    std::string_view rest_;
    std::string error_;
    Expression out_;
};

std::expected<Expression, std::string> Expression::parse(std::string_view text) {
    return ExpressionParser(text).parse();
}

std::expected<Number, std::string> Expression::named(const Node& node, const Scope& scope) const {
    const machine::Group& group = *scope.thread.group;
    if (node.name == "group")
        return whole(static_cast<int64_t>(group.linear));
    if (node.name.starts_with("group."))
        return whole(group.id[static_cast<size_t>(node.name.back() - 'x')]);
    if (node.name == "thread")
        return whole(scope.thread.index);
    if (node.name == "lane")
        return whole(scope.lane);
    uint64_t index = scope.lane;
    if (node.left >= 0) {
        const auto at = value(node.left, scope);
        if (!at)
            return at;
        index = static_cast<uint64_t>(at->whole);
    }
    return read_register(scope.frame, node.name, node.type, index);
}

std::expected<Number, std::string> Expression::value(int number, const Scope& scope) const {
    const Node& node = nodes_[static_cast<size_t>(number)];
    if (node.kind == Kind::number)
        return node.number;
    if (node.kind == Kind::name)
        return named(node, scope);
    const auto left = value(node.left, scope);
    if (!left)
        return left;
    if (node.kind == Kind::memory || node.kind == Kind::local_memory) {
        const auto bytes = memory_at(scope.thread, node.kind == Kind::memory ? Memory::global : Memory::local,
                                     static_cast<uint64_t>(left->whole), isa::size_of(*node.type));
        if (!bytes)
            return std::unexpected(bytes.error());
        return read_number(bytes->data(), *node.type);
    }
    if (node.kind == Kind::unary) {
        if (node.name == "!")
            return whole(left->is_true() ? 0 : 1);
        if (node.name == "-")
            return left->is_float ? real(-left->real) : whole(wrapped(-static_cast<uint64_t>(left->whole)));
        return left->is_float
                   ? std::expected<Number, std::string>(std::unexpected("`~` is for whole numbers"))
                   : whole(~left->whole);
    }
    if ((node.name == "&&" && !left->is_true()) || (node.name == "||" && left->is_true()))
        return whole(left->is_true() ? 1 : 0);
    const auto right = value(node.right, scope);
    if (!right)
        return right;
    if (node.name == "&&" || node.name == "||")
        return whole(right->is_true() ? 1 : 0);
    if (const auto truth = compared(node.name, *left, *right))
        return whole(*truth ? 1 : 0);
    return left->is_float || right->is_float ? on_reals(node.name, left->as_real(), right->as_real())
                                             : on_wholes(node.name, left->whole, right->whole);
}

std::expected<Number, std::string> Expression::evaluate(const Scope& scope) const {
    return value(root_, scope);
}

std::expected<void, std::string> Expression::assign(const Scope& scope, machine::Thread& thread,
                                                    machine::Frame& frame, const Number& number) const {
    const Node& node = nodes_[static_cast<size_t>(root_)];
    if (node.kind == Kind::name) {
        uint64_t index = scope.lane;
        if (node.left >= 0) {
            const auto at = value(node.left, scope);
            if (!at)
                return std::unexpected(at.error());
            index = static_cast<uint64_t>(at->whole);
        }
        return write_register(frame, node.name, node.type, index, number);
    }
    if (node.kind != Kind::memory && node.kind != Kind::local_memory)
        return std::unexpected(fmt::format("`{}` is nothing that can be changed", text_));
    const auto address = value(node.left, scope);
    if (!address)
        return std::unexpected(address.error());
    const auto bytes = memory_at(thread, node.kind == Kind::memory ? Memory::global : Memory::local,
                                 static_cast<uint64_t>(address->whole), isa::size_of(*node.type));
    if (!bytes)
        return std::unexpected(bytes.error());
    write_number(bytes->data(), *node.type, number);
    return {};
}

} // namespace visor::debug
