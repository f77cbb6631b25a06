#include "text/declarations.h"
#include "text/instruction.h"
#include "text/text.h"

#include <fmt/format.h>

namespace visor::text {

namespace {

// Characters that a typical instruction takes, to grow the result seldom.
constexpr size_t expected_line = 72;

void print_code(Writer& writer) {
    const Function& function = writer.function;
    for (const Instruction& instruction : function.code) {
        const isa::TextForm form = instruction.row->form;
        const bool mark = form == isa::TextForm::subroutine || form == isa::TextForm::label;
        writer.text(mark ? "\n" : "    ");
        write_instruction(writer, instruction);
        writer.text("\n");
    }
}

void print_function(std::string& out, const Function& function, bool explicit_alignment) {
    const SpelledNames names(function);
    Writer writer(out, function, &names);
    writer.explicit_alignment = explicit_alignment;
    writer.text(function.kind == FunctionKind::kernel ? ".kernel " : ".global_function ");
    writer.text(quoted(function.name));
    writer.text("\n\n");
    write_declarations(writer);
    print_code(writer);
}

} // namespace

std::string print(const Module& module) {
    std::string out;
    size_t lines = 1;
    for (const Function& function : module.functions)
        lines += function.code.size() + function.general.size();
    out.reserve(lines * expected_line);
    out += fmt::format(".version {}.{}\n", module.major, module.minor);
    for (const Function& function : module.functions) {
        if (&function != module.functions.data())
            out += '\n';
        print_function(out, function, module.modern_suffixes);
    }
    return out;
}

std::string print(const Function& function, const Instruction& instruction) {
    std::string out;
    Writer writer(out, function, nullptr);
    write_instruction(writer, instruction);
    return out;
}

} // namespace visor::text
