// The reference says which instructions Visor executes; the interpreter must have a handler for exactly
// those. Each row is asked with the example of its reference page.
#include "interp/interp.h"
#include "isa/reference.h"
#include "isa/table.h"
#include "program/layout.h"
#include "text/text.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace visor::interp {
namespace {

// A program around one line: everything that an example may name.
std::string program_around(const std::string& line, const std::string& type) {
    std::string text = ".version 4.1\n.kernel \"k\"\n";
    for (unsigned id = 32; id < 48; ++id)
        text += ".decl V00" + std::to_string(id) + " v_type=G type=" + type + " num_elts=256 align=GRF\n";
    text += ".decl A0 v_type=A num_elts=16\n.decl P1 v_type=P num_elts=32\n.decl P2 v_type=P num_elts=32\n"
            ".decl S0 v_type=S num_elts=1\n.decl T6 v_type=T num_elts=1\n";
    text += line + "\n";
    if (line.contains("L1") && !line.ends_with(":") && !line.starts_with(".function"))
        text += "L1:\n";
    return text + "ret (M1, 1)\n";
}

enum class Answer : uint8_t { no_text, not_prepared, no_handler, executed };

Answer ask(const isa::Row& row, const std::string& line, const std::string& type) {
    Diagnostics diagnostics;
    auto module = text::parse(program_around(line, type), {}, diagnostics);
    if (!module)
        return Answer::no_text;
    const auto function = std::make_shared<const Function>(std::move(module->functions.front()));
    const auto program = program::prepare(function, isa::device(isa::DeviceId::skl), diagnostics);
    if (!program)
        return Answer::not_prepared;
    // Labels and marks leave no instruction behind.
    const bool executed = program->code.empty() || program->code.front().row != &row ||
                          handler(*program, program->code.front()) != nullptr;
    return executed ? Answer::executed : Answer::no_handler;
}

TEST(EveryRow, IsExecutedOrSaysWhyNot) {
    for (const isa::Row* row : isa::table()) {
        const std::string line = isa::reference(*row).example;
        auto best = Answer::no_text;
        for (const char* type : {"ud", "f", "uq", "df", "hf", "uw"})
            best = std::max(best, ask(*row, line, type));
        EXPECT_NE(best, Answer::no_text) << line;
        const std::string why = row->unsupported;
        EXPECT_EQ(best == Answer::executed, why.empty())
            << line << (best == Answer::executed ? ": is executed" : ": is not executed");
    }
}

} // namespace
} // namespace visor::interp
