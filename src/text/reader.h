// What reading needs to know beyond characters: the function being filled, what names mean, and expressions.
// The statements stand in parser.cpp, declarations.cpp and instruction.cpp; syntax.h spells operands through
// this class and its mirror image, the Writer. Members that return bool report what is wrong before they
// return false.
#pragma once

#include "module/module.h"
#include "module/name_map.h"
#include "text/lexer.h"
#include "text/names.h"
#include "text/text.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::text {

// From which operator on an expression may go on: inside `< >` a bare `<` or `>` is no operator.
enum class Precedence : uint8_t {
    conditional,
    bit_and,
    bit_xor,
    bit_or,
    equality,
    relation,
    shift,
    sum,
    product
};

class Reader {
public:
    static constexpr bool reading = true;

    Reader(std::string_view source, const Options& wanted, Diagnostics& diagnostics)
        : lex(source, diagnostics), options(wanted) {}

    Lexer lex;
    Names names;
    const Options options;
    Module module;
    Function* function = nullptr; // being filled; there is always one once the header was read

    void start_function(FunctionKind kind, std::string_view name, Location where);

    // ---- names
    // The variable whose name stands here; reports one that is unknown (and from then on keeps silent about
    // it).
    [[nodiscard]] const Symbol* variable(std::string_view what, Location& where,
                                         VariableClass likely = VariableClass::unknown);
    // Of this class, or of the other one.
    [[nodiscard]] const Symbol* variable_of(VariableClass klass, Location& where,
                                            VariableClass or_this = VariableClass::unknown);
    // A name, quoted or not.
    [[nodiscard]] std::optional<std::string_view> name_or_string(std::string_view what,
                                                                 std::string_view hint = "");
    // Whether a quoted name has any characters: that of a variable or a label must.
    [[nodiscard]] bool named(std::string_view name, Location where);
    // Label ids count in order of first appearance.
    [[nodiscard]] uint32_t label(std::string_view name, LabelKind kind, Location where);
    [[nodiscard]] uint32_t string_index(std::string_view string);
    void unknown_variable(std::string_view name, Location where, VariableClass likely);

    // ---- numbers
    [[nodiscard]] std::optional<int64_t> expression(Precedence from = Precedence::conditional);
    // A literal, a parenthesis, %sizeof or %DispatchSimd; `unary` takes its signs as well.
    [[nodiscard]] std::optional<int64_t> primary(std::string_view what = "a number");
    [[nodiscard]] std::optional<int64_t> unary(std::string_view what = "a number");

    // svm_block_ld without a suffix: what it means is known at the end of the text (rulings 16, 143).
    struct UnsaidAlignment {
        size_t function;
        size_t instruction;
        size_t operand;
    };
    std::vector<UnsaidAlignment> unsaid_alignments;

    // ---- attributes of the function
    // Takes the one that was added last for the first of its name. The one that had the name before, or
    // nullptr.
    const Attribute* note_attribute();
    // The first of this name; nullptr when there is none.
    [[nodiscard]] const Attribute* attribute(std::string_view name) const;

    // ---- what syntax.h walks
    [[nodiscard]] bool mark(char c);
    [[nodiscard]] bool mark_then_blank(char c) { return mark(c); }
    // The `>` behind the only stride of a destination.
    [[nodiscard]] bool close_destination();
    // An expression between the limits.
    template <class T>
    [[nodiscard]] bool number(T& value, int64_t lowest, int64_t highest, std::string_view what) {
        const std::optional<int64_t> found = limited(lowest, highest, what);
        value = static_cast<T>(found.value_or(0));
        return found.has_value();
    }
    [[nodiscard]] bool type_suffix(isa::Type& type);
    // One part of a region: a stride or a width.
    [[nodiscard]] bool region_part(uint8_t& value, std::string_view what);
    // <horizontal>, <width,horizontal> or <vertical;width,horizontal>.
    [[nodiscard]] bool any_region(Region& region);
    // A number of lanes.
    [[nodiscard]] bool lanes(uint8_t& value);
    // Digits or an expression in parentheses.
    [[nodiscard]] bool raw_offset(int32_t& value);
    [[nodiscard]] bool ahead(char c) {
        lex.skip_blanks();
        return lex.peek() == c;
    }
    // Whether the part that starts with this character is there.
    [[nodiscard]] bool optional_mark(char c, bool /*present*/) { return lex.accept(c); }
    // Whether a part is there that a look ahead tells.
    [[nodiscard]] bool optional_part(bool ahead, bool /*present*/) { return ahead; }

private:
    friend class Expressions;
    [[nodiscard]] std::optional<int64_t> limited(int64_t lowest, int64_t highest, std::string_view what);

    std::map<std::string, size_t, std::less<>> attributes_; // by name: the first one's index
    NameMap labels_;                                        // numbers are ids
    NameMap strings_;
};

// Reports a type that does not exist. Always false.
bool unknown_type(Lexer& lex, std::string_view name, Location where);

// Bytes of one element, of a whole variable: what %sizeof and the default size of an input mean.
[[nodiscard]] std::optional<int64_t> size_of(const Reader& reader, const Symbol& symbol);

} // namespace visor::text
