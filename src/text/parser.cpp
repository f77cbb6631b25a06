// The statements of a file, one a line, and what can only be said at the end of a function or of the text.
#include "text/declarations.h"
#include "text/instruction.h"
#include "text/text.h"

#include "isa/codec.h"
#include "isa/opcode.h"
#include "module/unique_names.h"

#include <ranges>
#include <unordered_map>

#include <fmt/format.h>

namespace visor::text {

namespace {

class Parser {
public:
    Parser(std::string_view source, const Options& options, Diagnostics& diagnostics)
        : reader_(source, options, diagnostics) {}

    std::optional<Module> run(std::optional<PartialModule>& partial) {
        if (!beginning())
            return std::nullopt;
        attribute_errors();
        while (more_statements()) {
            if (!end_statement(statement()))
                lex_.skip_rest();
            attribute_errors();
        }
        finish_function();
        if (!kernel_seen_ && lex_.diagnostics().ok()) // it may have been lost with what was wrong
            lex_.error({lex_.offset(), 0}, "no-kernel", "there is no `.kernel` in this text");
        attribute_errors();
        settle_alignments();
        if (lex_.diagnostics().ok())
            return std::move(reader_.module);
        if (!text_refused_)
            partial = without_refused();
        return std::nullopt;
    }

private:
    // ---- one line
    bool statement();
    bool directive(uint32_t start);
    bool label(std::string_view name, Location where);
    bool close_scope(uint32_t start);
    [[nodiscard]] bool in_function(Location where);
    // Whether a good statement ends its line; a scope's braces need no line of their own.
    bool end_statement(bool good) {
        if (good && !after_brace_ && !lex_.at_line_end())
            good = lex_.expected_line_end();
        after_brace_ = false;
        return good;
    }

    // ---- directives
    bool beginning();
    bool version();
    bool start(FunctionKind kind, uint32_t at);
    bool subroutine(uint32_t at);

    // ---- ends
    [[nodiscard]] bool more_statements();
    void finish_function();
    void settle_alignments();

    // ---- what is left of a text with errors
    void attribute_errors();
    [[nodiscard]] size_t problems() const {
        return lex_.diagnostics().errors() + lex_.diagnostics().unsupported_count();
    }
    [[nodiscard]] PartialModule without_refused();

    Reader reader_;
    Lexer& lex_ = reader_.lex;
    std::unordered_map<std::string_view, Location> functions_;
    bool kernel_seen_ = false;
    bool outside_reported_ = false;
    bool after_brace_ = false;
    size_t errors_ = 0;           // that are attributed
    bool text_refused_ = false;   // an error lies outside of kernels
    std::vector<size_t> refused_; // kernels with errors, by their index
};

// What stands in front of everything else; whether it is worth while to read on.
bool Parser::beginning() {
    if (lex_.accept("\xff\xfe") || lex_.accept("\xfe\xff"))
        return lex_.error({0, 2}, "encoding", "this is UTF-16; vISA text is ASCII or UTF-8");
    static_cast<void>(lex_.accept("\xef\xbb\xbf")); // what some editors put in front of a text
    lex_.skip_lines();
    if (lex_.at_end())
        return lex_.error({lex_.offset(), 0}, "missing-version",
                          "the text is empty: it must begin with `.version`, such as `.version 4.1`");
    if (lex_.peek() == '\0')
        return lex_.expected("`.version`");
    if (!lex_.accept_word(".version"))
        lex_.error(lex_.next_token(), "missing-version",
                   "the text must begin with `.version`, such as `.version 4.1`");
    else if (!end_statement(version()))
        lex_.skip_rest();
    return true;
}

bool Parser::version() {
    constexpr uint64_t oldest = 3, newest = 4; // the compiler's readers
    lex_.skip_blanks();
    const uint32_t start = lex_.offset();
    const std::optional<Integer> major = lex_.integer("a version, such as 4.1");
    if (!major.has_value() || !reader_.mark('.'))
        return false;
    const std::optional<Integer> minor = lex_.integer("a minor version");
    if (!minor.has_value())
        return false;
    if (major->value < oldest || major->value > newest || minor->value > 255)
        return lex_.error(lex_.since(start), "unknown-version",
                          fmt::format("versions {}.x and {}.x are known, not {}.{}", oldest, newest,
                                      major->value, minor->value));
    reader_.module.major = static_cast<uint8_t>(major->value);
    reader_.module.minor = static_cast<uint8_t>(minor->value);
    // From 4.2 on the compiler means unaligned where nothing is said (ruling 16).
    reader_.module.modern_suffixes = major->value == newest && minor->value >= 2;
    return true;
}

// A statement outside every function is reported once; it is still read, for its own errors.
bool Parser::in_function(Location where) {
    if (reader_.function != nullptr)
        return true;
    if (!outside_reported_)
        lex_.error(where, "outside-kernel", "this needs a `.kernel` or `.global_function` above it");
    outside_reported_ = true;
    attribute_errors();
    reader_.start_function(FunctionKind::kernel, "", where);
    return true;
}

bool Parser::start(FunctionKind kind, uint32_t at) {
    kernel_seen_ = true;
    const std::optional<std::string_view> name = reader_.name_or_string("a name");
    const Location where = lex_.since(at);
    if (!name.has_value()) {
        text_refused_ = true;
        errors_ = problems();
    }
    finish_function();
    if (!name.has_value()) { // what follows is its code all the same
        reader_.start_function(kind, "", where);
        return false;
    }
    if (const auto [earlier, fresh] = functions_.try_emplace(*name, where); !fresh) {
        lex_.diagnostics()
            .error(where, "duplicate-function", fmt::format("`{}` is there already", *name))
            .notes.push_back({earlier->second, "first here"});
        attribute_errors();
    }
    reader_.start_function(kind, *name, where);
    return true;
}

bool Parser::subroutine(uint32_t at) {
    lex_.skip_blanks();
    const uint32_t start = lex_.offset();
    const std::optional<std::string_view> name = reader_.name_or_string("the subroutine's name");
    const Location where = lex_.since(start);
    if (!name.has_value() || !reader_.named(*name, where))
        return false;
    const uint32_t id = reader_.label(*name, LabelKind::subroutine, where);
    Label& label = reader_.function->labels[id];
    if (label.defined) {
        lex_.diagnostics()
            .error(where, "duplicate-label", fmt::format("the label `{}` is defined twice", *name))
            .notes.push_back({label.where, "first defined here"});
        return true;
    }
    label.defined = true;
    label.where = where;
    Instruction mark;
    mark.row = isa::find(isa::opcode::subroutine, -1);
    mark.where = lex_.since(at);
    mark.operands.push_back({.kind = OperandKind::label, .id = id, .where = where});
    reader_.function->code.push_back(std::move(mark));
    return true;
}

bool Parser::label(std::string_view name, Location where) {
    const uint32_t id = reader_.label(name, LabelKind::block, where);
    std::vector<Instruction>& code = reader_.function->code;
    Label& label = reader_.function->labels[id];
    // `.function "name"` and the line `name:` behind it are one definition.
    const bool repeats = !code.empty() && code.back().row->opcode == isa::opcode::subroutine &&
                         code.back().operands[0].id == id;
    if (repeats)
        return true;
    if (label.defined) {
        lex_.diagnostics()
            .error(where, "duplicate-label", fmt::format("the label `{}` is defined twice", name))
            .notes.push_back({label.where, "first defined here"});
        return true;
    }
    label.defined = true;
    label.where = where;
    Instruction mark;
    mark.row = isa::find(isa::opcode::label, -1);
    mark.where = where;
    mark.operands.push_back({.kind = OperandKind::label, .id = id, .where = where});
    code.push_back(std::move(mark));
    return true;
}

bool Parser::close_scope(uint32_t start) {
    after_brace_ = true;
    if (reader_.function == nullptr || reader_.names.open_scopes() <= Names::scopes_of_function)
        return lex_.error(lex_.since(start), "unbalanced-scope",
                          "no scope is open that this `}` could close");
    reader_.names.close_scope();
    return true;
}

bool Parser::directive(uint32_t start) {
    lex_.advance();
    const std::string_view name = lex_.name();
    const Location where = lex_.since(start);
    constexpr std::string_view implicit = "implicit_";
    if (name == "kernel")
        return this->start(FunctionKind::kernel, start);
    if (name == "global_function")
        return this->start(FunctionKind::global_function, start);
    if (name == "version")
        return lex_.error(where, "syntax", "`.version` stands only at the beginning");
    const bool known = name == "decl" || name == "input" || name == "kernel_attr" || name == "function" ||
                       name == "funcdecl" || name == "file" || name == "loc" || name.starts_with(implicit);
    if (!known) {
        return lex_.error(
            where, "unknown-directive",
            fmt::format(
                "no directive is called `{}`{}", lex_.text(where),
                did_you_mean(lex_.text(where), {".kernel", ".global_function", ".version", ".decl", ".input",
                                                ".kernel_attr", ".function", ".funcdecl", ".file", ".loc",
                                                ".implicit_LOCAL_SIZE", ".implicit_LOCAL_ID"})));
    }
    if (name == "funcdecl") // informational, also to the compiler
        return reader_.name_or_string("the function's name").has_value();
    if (!in_function(where))
        return false;
    if (name == "decl")
        return read_declaration(reader_);
    if (name == "input")
        return read_input(reader_, 0);
    if (name == "kernel_attr")
        return read_kernel_attribute(reader_);
    if (name == "function")
        return subroutine(start);
    if (name == "file" || name == "loc")
        return read_instruction(reader_, *isa::find(name), start);
    const std::optional<uint8_t> kind = implicit_kind(lex_, name.substr(implicit.size()), where);
    return kind.has_value() && read_input(reader_, *kind);
}

bool Parser::statement() {
    const uint32_t start = lex_.offset();
    const char c = lex_.peek();
    if (c == '.')
        return directive(start);
    if (c == '{' || c == '}') {
        lex_.advance();
        if (c == '}')
            return close_scope(start);
        after_brace_ = true;
        if (in_function(lex_.since(start)))
            reader_.names.open_scope(lex_.since(start));
        return true;
    }
    if (const std::string_view name = lex_.label_definition(); !name.empty()) {
        after_brace_ = true; // an instruction may follow on the line
        const Location where{start, static_cast<uint32_t>(name.size())};
        return in_function(where) && label(name, where);
    }
    if (c == '"') {
        const std::optional<std::string_view> name = lex_.string();
        const Location where = lex_.since(start);
        after_brace_ = true;
        return name.has_value() && reader_.named(*name, where) && reader_.mark(':') && in_function(where) &&
               label(*name, where);
    }
    if (!in_function(lex_.next_token()))
        return false;
    for (const std::string_view debug : {"FILE", "LOC"}) {
        if (lex_.accept_word(debug))
            return read_instruction(reader_, *isa::find(debug == "FILE" ? "file" : "loc"), start);
    }
    return read_instruction(reader_);
}

void Parser::finish_function() {
    if (reader_.function == nullptr)
        return;
    while (reader_.names.open_scopes() > Names::scopes_of_function) {
        lex_.error(reader_.names.innermost(), "unbalanced-scope", "this `{` has no `}`");
        reader_.names.close_scope();
    }
    std::vector<std::string_view> defined;
    for (const Label& label : reader_.function->labels) {
        if (label.defined)
            defined.push_back(label.name);
    }
    for (const Label& label : reader_.function->labels) {
        // Labels of other kernels are the linker's.
        if (label.defined || label.kind == LabelKind::fc)
            continue;
        const std::string hint = lex_.gives_hints() ? did_you_mean(label.name, defined) : "";
        lex_.error(label.where, "undefined-label",
                   fmt::format("the label `{}` is not defined{}", label.name, hint));
    }
    attribute_errors();
    make_names_unique(*reader_.function, Lexer::max_name);
    reader_.function = nullptr;
}

// Behind more errors than are kept no more is looked for in a kernel that has some; others may follow.
bool Parser::more_statements() {
    for (;;) {
        lex_.skip_lines();
        if (lex_.at_end() || (lex_.diagnostics().full() && text_refused_))
            return false;
        const bool in_refused = !refused_.empty() && refused_.back() + 1 == reader_.module.functions.size();
        if (!lex_.diagnostics().full() || !in_refused)
            return true;
        if (lex_.word_ahead(".kernel") || lex_.word_ahead(".global_function"))
            return true;
        if (lex_.peek() == '}') // what a brace ends has been skipped
            lex_.advance();
        else
            lex_.skip_rest();
    }
}

// New errors are those of the kernel that is being read, or else of the text as a whole. Kernels cannot do
// without a function that they call.
void Parser::attribute_errors() {
    const size_t now = problems();
    if (now == errors_)
        return;
    errors_ = now;
    if (reader_.function == nullptr || reader_.function->kind != FunctionKind::kernel) {
        text_refused_ = true;
        return;
    }
    const size_t index = reader_.module.functions.size() - 1;
    if (refused_.empty() || refused_.back() != index)
        refused_.push_back(index);
}

PartialModule Parser::without_refused() {
    PartialModule out{std::move(reader_.module), {}};
    std::vector<Function>& functions = out.module.functions;
    for (const size_t index : refused_)
        out.refused.push_back(functions[index].name);
    for (const size_t index : std::views::reverse(refused_))
        functions.erase(functions.begin() + static_cast<std::ptrdiff_t>(index));
    return out;
}

void Parser::settle_alignments() {
    if (!reader_.module.modern_suffixes && !reader_.options.from_compiler)
        return;
    for (const Reader::UnsaidAlignment& place : reader_.unsaid_alignments) {
        std::vector<Instruction>& code = reader_.module.functions[place.function].code;
        if (place.instruction < code.size() && place.operand < code[place.instruction].operands.size())
            code[place.instruction].operands[place.operand].value |= isa::svm_block_unaligned;
    }
}

} // namespace

std::optional<Module> parse(std::string_view source, const Options& options, Diagnostics& diagnostics) {
    std::optional<PartialModule> unwanted;
    return parse(source, options, diagnostics, unwanted);
}

std::optional<Module> parse(std::string_view source, const Options& options, Diagnostics& diagnostics,
                            std::optional<PartialModule>& partial) {
    if (source.size() >= UINT32_MAX) {
        diagnostics.error(std::nullopt, "too-large", "a text has less than 4 GiB");
        return std::nullopt;
    }
    return Parser(source, options, diagnostics).run(partial);
}

} // namespace visor::text
