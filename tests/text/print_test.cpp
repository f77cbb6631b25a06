// Whole files as they are printed, and modules that text could not have made.
#include "reading.h"

#include "isa/table.h"
#include "module/unique_names.h"

#include <gtest/gtest.h>

namespace visor::text {
namespace {

TEST(Print, AWholeModule) {
    const std::string text =
        ".version 4.1\n"
        ".kernel \"first kernel\"\n"
        "\n"
        ".decl V0032 v_type=G type=d num_elts=16 align=wordx32\n"
        ".decl V0033 v_type=G type=uw num_elts=8 alias=<V0032, 8> attrs={Output, Scope=2}\n"
        ".decl V0034 v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>\n"
        ".decl A0 v_type=A num_elts=4\n"
        ".decl P1 v_type=P num_elts=16\n"
        ".decl S0 v_type=S num_elts=1 v_name=S000\n"
        ".decl T6 v_type=T num_elts=1 v_name=T006\n"
        ".input V0032 offset=64 size=64\n"
        ".implicit_LOCAL_ID V0034 offset=128 size=32\n"
        ".kernel_attr Target=\"3d\"\n"
        ".kernel_attr SimdSize=16\n"
        ".kernel_attr NoBarrier\n"
        "\n"
        ".function \"_main_0\"\n"
        "\n"
        "_main_0:\n"
        "    call (M1, 16) helper\n"
        "    goto (M1, 1) \"odd end\"\n"
        "\n"
        "L1:\n"
        "    add (M1, 16) V0032(0,0)<1> V0032(0,0)<1;1,0> 0x1:d\n"
        "\n"
        "\"odd end\":\n"
        "    ret (M1, 1)\n"
        "\n"
        ".function \"helper\"\n"
        "\n"
        "helper:\n"
        "    ret (M1, 16)\n"
        "\n"
        ".global_function \"f\"\n"
        "\n"
        "    fret (M1, 16)\n";
    const Reading reading = read(text);
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(print(*reading.module), text);
}

// From 4.2 on the compiler means unaligned where nothing is said: an aligned load is spelled out.
TEST(Print, AModernTextSpellsAlignmentOut) {
    std::string text = kernel("svm_block_ld.aligned (4) V0033(0,0)<0;1,0> V0032.0\n"
                              "svm_block_ld (4) V0033(0,0)<0;1,0> V0032.0");
    text.replace(text.find("4.1"), 3, "4.2");
    const Reading reading = read(text);
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const std::string printed = print(*reading.module);
    EXPECT_NE(printed.find("    svm_block_ld.aligned (4) V0033(0,0)<0;1,0> V0032.0\n"
                           "    svm_block_ld.unaligned (4) V0033(0,0)<0;1,0> V0032.0\n"),
              std::string::npos)
        << printed;
    const Reading again = read(printed);
    ASSERT_TRUE(again.module.has_value());
    EXPECT_TRUE(same(*reading.module, *again.module));
}

// What a binary may hold: names twice, odd ones, none at all.
TEST(Print, NamesAreMadeUniqueAndQuoted) {
    Module module;
    Function& function = module.functions.emplace_back();
    function.name = "a \"b\"\n";
    function.general = {{.name = "x"}, {.name = "x"}, {.name = "odd name"}, {.name = ""}, {.name = "T1"}};
    function.predicates = {{.name = "x"}};
    function.labels = {{"x", LabelKind::block, {}, true}, {"x", LabelKind::block, {}, true}};
    const isa::Row* label = isa::find(0x31, -1);
    function.code.push_back({.row = label, .operands = {{.kind = OperandKind::label, .id = 0}}});
    function.code.push_back({.row = label, .operands = {{.kind = OperandKind::label, .id = 1}}});
    make_names_unique(function, 4096);
    const std::string printed = print(module);
    EXPECT_EQ(printed, ".version 4.1\n"
                       ".kernel \"a \\\"b\\\"\\012\"\n"
                       "\n"
                       ".decl x v_type=G type=ud num_elts=1\n"
                       ".decl x_1 v_type=G type=ud num_elts=1\n"
                       ".decl \"odd name\" v_type=G type=ud num_elts=1\n"
                       ".decl V0035 v_type=G type=ud num_elts=1\n"
                       ".decl T1_1 v_type=G type=ud num_elts=1\n"
                       ".decl x_2 v_type=P num_elts=1\n"
                       "\nx:\n"
                       "\nx_1:\n");
    const Reading reading = read(printed);
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().name, "a \"b\"\n");
    EXPECT_EQ(print(*reading.module), printed);
}

TEST(Print, OneInstruction) {
    const Reading reading =
        read_lines("x$y:\n.function \"a b\"\n(!P1) mov (M1, 16) V0036(0,0)<1> V0036(0,0)<1;1,0>");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(print(reading.function(), reading.code(0)), "\"x$y\":");
    EXPECT_EQ(print(reading.function(), reading.code(1)), ".function \"a b\"");
    EXPECT_EQ(print(reading.function(), reading.code(2)),
              "(!P1) mov (M1, 16) V0036(0,0)<1> V0036(0,0)<1;1,0>");
}

// A damaged module is printed without reaching past its ends.
TEST(Print, DamagedModules) {
    Module module;
    Function& function = module.functions.emplace_back();
    for (const isa::Row* row : isa::table()) {
        function.code.push_back({.row = row});
        function.code.push_back({.row = row, .operands = std::vector<Operand>(40)});
        for (unsigned kind = 0; kind <= static_cast<unsigned>(OperandKind::literal); ++kind) {
            Operand operand;
            operand.kind = static_cast<OperandKind>(kind);
            operand.klass = 200;
            operand.id = 4000000000;
            operand.value = UINT64_MAX;
            function.code.push_back({.row = row, .operands = std::vector<Operand>(6, operand)});
        }
    }
    EXPECT_GT(print(module).size(), function.code.size());
}

} // namespace
} // namespace visor::text
