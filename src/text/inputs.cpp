// .input and .implicit_KIND.
#include "text/declarations.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace visor::text {

namespace {

struct ImplicitSpelling {
    std::string_view name;
    ImplicitKind kind;
};
constexpr std::array implicit_spellings{
    ImplicitSpelling{"EXPLICIT", ImplicitKind::explicit_input},
    ImplicitSpelling{"LOCAL_SIZE", ImplicitKind::local_size},
    ImplicitSpelling{"GROUP_COUNT", ImplicitKind::group_count},
    ImplicitSpelling{"LOCAL_ID", ImplicitKind::local_id},
    ImplicitSpelling{"PSEUDO_INPUT", ImplicitKind::pseudo_input},
};

VariableClass class_of(InputClass klass) {
    switch (klass) {
    case InputClass::sampler:
        return VariableClass::sampler;
    case InputClass::surface:
        return VariableClass::surface;
    case InputClass::general:
        break;
    }
    return VariableClass::general;
}

} // namespace

void write_input(Writer& writer, const Input& input) {
    const auto found = std::ranges::find(implicit_spellings, static_cast<ImplicitKind>(input.implicit),
                                         &ImplicitSpelling::kind);
    if (input.implicit == 0)
        writer.text(".input ");
    else if (found != implicit_spellings.end())
        writer.text(fmt::format(".implicit_{} ", found->name));
    else
        writer.text(fmt::format(".implicit_UNDEFINED_{} ", input.implicit));
    writer.name(class_of(input.klass), input.id);
    writer.text(fmt::format(" offset={} size={}\n", input.offset, input.size));
}

std::optional<uint8_t> implicit_kind(Lexer& lex, std::string_view name, Location where) {
    for (const ImplicitSpelling& spelling : implicit_spellings) {
        if (name == spelling.name)
            return static_cast<uint8_t>(spelling.kind);
    }
    constexpr std::string_view undefined = "UNDEFINED_";
    constexpr unsigned most = 31; // five bits in a binary
    unsigned number = 0;
    const bool digits = name.starts_with(undefined) && name.size() > undefined.size() &&
                        name.size() <= undefined.size() + 2 &&
                        std::ranges::all_of(name.substr(undefined.size()), [&number](char c) {
                            number = number * 10 + static_cast<unsigned>(c - '0');
                            return is(c, digit);
                        });
    if (digits && number <= most)
        return static_cast<uint8_t>(number);
    std::vector<std::string_view> candidates;
    for (const ImplicitSpelling& spelling : implicit_spellings)
        candidates.push_back(spelling.name);
    lex.error(where, "unknown-directive",
              fmt::format("no implicit input is called `{}`{}", name, did_you_mean(name, candidates)));
    return std::nullopt;
}

bool read_input(Reader& reader, uint8_t implicit) {
    Lexer& lex = reader.lex;
    Input input;
    const Symbol* found = reader.variable("the input's variable", input.where);
    if (found == nullptr)
        return false;
    const Symbol symbol = *found;
    input.implicit = implicit;
    input.id = symbol.id;
    if (symbol.klass == VariableClass::sampler)
        input.klass = InputClass::sampler;
    else if (symbol.klass == VariableClass::surface)
        input.klass = InputClass::surface;
    else if (symbol.klass != VariableClass::general && symbol.klass != VariableClass::unknown)
        return lex.error(input.where, "wrong-variable-class",
                         fmt::format("{} cannot be an input", describe(symbol.klass)));
    constexpr int64_t largest = 65535; // what a binary holds
    const int64_t whole = size_of(reader, symbol).value_or(0);
    input.size = static_cast<uint32_t>(std::min(whole, largest));
    bool sized = whole <= largest;
    std::vector<Attribute> ignored; // the compiler drops them as well
    bool placed = false;
    bool measured = false;
    while (!lex.at_line_end()) {
        bool good = false;
        const Location part = lex.next_token();
        const std::string_view key = lex.text(part);
        const bool again = (key == "offset" && std::exchange(placed, true)) ||
                           (key == "size" && std::exchange(measured, true));
        if (again)
            lex.error(part, "duplicate-part", fmt::format("`{}=` is given twice", key));
        else if (lex.accept_word("offset"))
            good = reader.mark('=') && reader.number(input.offset, -32768, 32767, "the offset of an input");
        else if (lex.accept_word("size"))
            sized = good = reader.mark('=') && reader.number(input.size, 0, largest, "the size of an input");
        else if (lex.accept_word("attrs"))
            good = reader.mark('=') && read_attribute_list(reader, ignored);
        else
            lex.expected("`offset=` or `size=`");
        if (!good)
            return false;
    }
    if (!sized)
        return lex.error(input.where, "number-out-of-range", "an input has at most 65535 bytes");
    if (symbol.klass != VariableClass::unknown)
        reader.function->inputs.push_back(input);
    return true;
}

} // namespace visor::text
