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

// The variables' types by turns: the `turn`-th of those that the page allows.
void retype(Function& function, const Instruction& instruction, size_t destination_turn, size_t source_turn) {
    bool is_destination = true;
    for (size_t i = 0; i < instruction.operands.size(); ++i) {
        const Operand& operand = instruction.operands[i];
        const isa::Field& field = isa::field_of_operand(*instruction.row, i);
        if (operand.kind != OperandKind::general && operand.kind != OperandKind::raw)
            continue;
        size_t turn = is_destination ? destination_turn : source_turn;
        is_destination = false;
        for (size_t code = 0; code < isa::type_count; ++code) {
            const auto type = static_cast<isa::Type>(code);
            const bool wanted = field.types == 0 || isa::contains(field.types, type);
            const size_t index = operand.id - isa::first_user_general;
            if (wanted && turn-- == 0 && operand.id >= isa::first_user_general &&
                index < function.general.size())
                function.general[index].type = type;
        }
    }
}

Answer ask(const isa::Row& row, const std::string& line, size_t destination_turn, size_t source_turn) {
    Diagnostics diagnostics;
    auto module = text::parse(program_around(line, "ud"), {}, diagnostics);
    if (!module)
        return Answer::no_text;
    Function& parsed = module->functions.front();
    retype(parsed, parsed.code.front(), destination_turn, source_turn);
    const auto function = std::make_shared<const Function>(std::move(parsed));
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
        constexpr size_t turns = 8;
        for (size_t pair = 0; pair < turns * turns && best != Answer::executed; ++pair)
            best = std::max(best, ask(*row, line, pair / turns, pair % turns));
        EXPECT_NE(best, Answer::no_text) << line;
        const std::string why = row->unsupported;
        EXPECT_EQ(best == Answer::executed, why.empty())
            << line << (best == Answer::executed ? ": is executed" : ": is not executed");
    }
}

} // namespace
} // namespace visor::interp
