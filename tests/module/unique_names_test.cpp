#include "module/unique_names.h"

#include "isa/table.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace visor {
namespace {

constexpr size_t long_enough = 1000;

using Strings = std::vector<std::string>;

template <class Items>
Strings names(const Items& items) {
    Strings out;
    for (const auto& item : items)
        out.push_back(item.name);
    return out;
}

TEST(UniqueNames, WhatIsUniqueStays) {
    Function function;
    function.general = {{.name = "x"}, {.name = "two words"}, {.name = "%mine"}, {.name = "add"}};
    function.surfaces = {{.name = "T0"}, {.name = "S31"}}; // the pages' names give way to declarations
    function.labels = {{.name = "x"}, {.name = "%null"}};  // a space of its own
    EXPECT_TRUE(make_names_unique(function, long_enough).empty());
    EXPECT_EQ(names(function.general), (Strings{"x", "two words", "%mine", "add"}));
    EXPECT_EQ(names(function.surfaces), (Strings{"T0", "S31"}));
    EXPECT_EQ(names(function.labels), (Strings{"x", "%null"}));
}

TEST(UniqueNames, TheFirstKeepsANameAndWhoIsAloneWithOneKeepsIt) {
    Function function;
    function.general = {{.name = "x"}, {.name = "x", .where = {7, 3}}, {.name = "x_1"}};
    function.addresses = {{.name = "x"}};
    function.predicates = {{.name = "x_2"}};
    function.samplers = {{.name = "x"}};
    function.surfaces = {{.name = "x_1"}};
    function.labels = {{.name = "y"}, {.name = "y"}, {.name = "y_1"}, {.name = "y"}};
    const std::vector<NameChange> changes = make_names_unique(function, long_enough);
    EXPECT_EQ(names(function.general), (Strings{"x", "x_3", "x_1"}));
    EXPECT_EQ(names(function.addresses), Strings{"x_4"});
    EXPECT_EQ(names(function.predicates), Strings{"x_2"});
    EXPECT_EQ(names(function.samplers), Strings{"x_5"});
    EXPECT_EQ(names(function.surfaces), Strings{"x_1_1"});
    EXPECT_EQ(names(function.labels), (Strings{"y", "y_2", "y_1", "y_3"}));
    ASSERT_EQ(changes.size(), 6U);
    EXPECT_EQ(changes[0].fault, NameFault::twice);
    EXPECT_EQ(changes[0].before, "x");
    EXPECT_EQ(changes[0].after, "x_3");
    EXPECT_EQ(changes[0].where.offset, 7U);
}

TEST(UniqueNames, PredefinedOnesAreTaken) {
    Function function;
    function.general = {{.name = "%null"}, {.name = "%r0"}, {.name = "%null"}};
    function.addresses = {{.name = "%slm"}};
    function.predicates = {{.name = "T1"}};
    function.samplers = {{.name = "TSS"}};
    function.surfaces = {{.name = "%sp"}, {.name = "T2"}};
    const std::vector<NameChange> changes = make_names_unique(function, long_enough);
    EXPECT_EQ(names(function.general), (Strings{"%null_1", "%r0_1", "%null_2"}));
    EXPECT_EQ(names(function.addresses), Strings{"%slm_1"});
    EXPECT_EQ(names(function.predicates), Strings{"T1_1"});
    EXPECT_EQ(names(function.samplers), Strings{"TSS_1"});
    EXPECT_EQ(names(function.surfaces), (Strings{"%sp_1", "T2_1"}));
    ASSERT_EQ(changes.size(), 8U);
    for (const NameChange& change : changes)
        EXPECT_EQ(change.fault, NameFault::predefined) << change.before;
}

TEST(UniqueNames, WhatHasNoneGetsTheCompilers) {
    Function function;
    function.general = {{.name = ""}, {.name = ""}, {.name = "V0033"}};
    function.addresses = {{.name = ""}};
    function.predicates = {{.name = ""}, {.name = "A0"}};
    function.samplers = {{.name = ""}};
    function.surfaces = {{.name = ""}};
    function.labels = {{.name = ""}, {.name = "L2"}, {.name = ""}};
    const std::vector<NameChange> changes = make_names_unique(function, long_enough);
    EXPECT_EQ(names(function.general), (Strings{"V0032", "V0033_1", "V0033"}));
    EXPECT_EQ(names(function.addresses), Strings{"A0_1"});
    EXPECT_EQ(names(function.predicates), (Strings{"P1", "A0"}));
    EXPECT_EQ(names(function.samplers), Strings{"S0"});
    EXPECT_EQ(names(function.surfaces), Strings{"T6"});
    EXPECT_EQ(names(function.labels), (Strings{"L0", "L2", "L2_1"}));
    ASSERT_EQ(changes.size(), 8U);
    for (const NameChange& change : changes)
        EXPECT_EQ(change.fault, NameFault::none) << change.after;
}

// S31 in code is the bindless sampler, if there is no declaration of the name.
TEST(UniqueNames, TheBindlessSamplersIsTakenWhereItIsUsed) {
    const auto with = [](const Operand& operand) {
        Function function;
        function.general = {{.name = "S31"}};
        function.code.push_back({.row = isa::find(0x31, -1), .operands = {{}, operand}});
        make_names_unique(function, long_enough);
        return function.general[0].name;
    };
    EXPECT_EQ(with({.kind = OperandKind::sampler, .id = 31}), "S31_1");
    EXPECT_EQ(with({.kind = OperandKind::state_sampler, .id = 31}), "S31_1");
    EXPECT_EQ(with({.kind = OperandKind::variable, .klass = 3, .id = 31}), "S31_1");
    EXPECT_EQ(with({.kind = OperandKind::address_of, .klass = 3, .id = 31}), "S31_1");
    EXPECT_EQ(with({.kind = OperandKind::sampler, .id = 30}), "S31");
    EXPECT_EQ(with({.kind = OperandKind::surface, .id = 31}), "S31");
    EXPECT_EQ(with({.kind = OperandKind::variable, .klass = 0, .id = 31}), "S31");

    Function function;
    function.predicates = {{.name = "S31"}};
    function.inputs = {{.klass = InputClass::sampler, .id = 31}};
    make_names_unique(function, long_enough);
    EXPECT_EQ(function.predicates[0].name, "S31_1");

    Function declared; // then 31 is a number like others
    declared.samplers.resize(32);
    declared.samplers[31].name = "S31";
    declared.inputs = {{.klass = InputClass::sampler, .id = 31}};
    make_names_unique(declared, long_enough);
    EXPECT_EQ(declared.samplers[31].name, "S31");
}

TEST(UniqueNames, LongOnesLoseCharacters) {
    Function function;
    function.general = {{.name = "abcdefghij"}, {.name = "abcdefghij"}, {.name = "abcdXXXXXX"},
                        {.name = "abcdXXXXXX"}, {.name = "abcd"},       {.name = "abcd"}};
    make_names_unique(function, 15); // 11 of them for a number
    EXPECT_EQ(names(function.general),
              (Strings{"abcdefghij", "abcd_1", "abcdXXXXXX", "abcd_2", "abcd", "abcd_3"}));
}

TEST(UniqueNames, AgainChangesNothing) {
    Function function;
    function.general = {{.name = ""}, {.name = "x"}, {.name = "x"}, {.name = "%null"}, {.name = "x_1"}};
    function.labels = {{.name = ""}, {.name = ""}, {.name = "L1"}};
    EXPECT_EQ(make_names_unique(function, long_enough).size(), 5U);
    EXPECT_TRUE(make_names_unique(function, long_enough).empty());
}

} // namespace
} // namespace visor
