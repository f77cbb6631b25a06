// Walks the table: an instruction of any row, with any operands that its format has, survives being written
// and read.
#include "every_row.h"
#include "sample.h"

#include "isa/table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace visor::test {
namespace {

bool is_mark(const isa::Row& row) {
    return row.form == isa::TextForm::label || row.form == isa::TextForm::subroutine;
}

// One instruction of every row but marks, then a mark for each label.
Module module_of(uint32_t seed) {
    Module module;
    module.functions.push_back(workshop());
    Function& function = module.functions.back();
    function.strings = {"a string"};
    RowPlay play(function, seed);
    for (const isa::Row* row : isa::table()) {
        if (!isa::has(*row, isa::no_binary) && !is_mark(*row))
            function.code.push_back(play.play(*row));
    }
    for (uint32_t id = 0; id < function.labels.size(); ++id) {
        Instruction mark;
        mark.row = isa::find(id == 1 ? 0x30 : 0x31, -1);
        mark.operands.resize(1);
        mark.operands[0].kind = OperandKind::label;
        mark.operands[0].id = id;
        function.labels[id].defined = true;
        function.code.push_back(mark);
    }
    return module;
}

class EveryRow : public testing::TestWithParam<uint32_t> {}; // GRF bytes

TEST_P(EveryRow, SurvivesBeingWrittenAndRead) {
    constexpr uint32_t rounds = 100;
    for (uint32_t seed = 0; seed < rounds; ++seed) {
        SCOPED_TRACE(seed);
        const Module module = module_of(seed);
        ASSERT_GT(module.functions[0].code.size(), 250U);
        const Bytes file = written(module, GetParam());
        Diagnostics diagnostics;
        const std::optional<Module> again = binary::read(file, {GetParam()}, diagnostics);
        ASSERT_TRUE(again.has_value()) << messages(diagnostics);
        // Nothing that was written is without a meaning but the fields that their pages say are ignored.
        EXPECT_EQ(diagnostics.all().size(), count_rule(diagnostics, "ignored-field"))
            << messages(diagnostics);
        const std::vector<Instruction>& before = module.functions[0].code;
        const std::vector<Instruction>& after = again->functions[0].code;
        ASSERT_EQ(after.size(), before.size());
        for (size_t i = 0; i < after.size(); ++i)
            EXPECT_TRUE(after[i].same(before[i])) << before[i].row->mnemonic;
        EXPECT_TRUE(same(*again, module));
        EXPECT_EQ(written(*again, GetParam()), file);
    }
}

INSTANTIATE_TEST_SUITE_P(Grf, EveryRow, testing::Values(32U, 64U));

} // namespace
} // namespace visor::test
