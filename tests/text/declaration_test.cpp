#include "reading.h"

#include <gtest/gtest.h>

namespace visor::text {
namespace {

TEST(Declaration, GeneralVariable) {
    const Reading reading =
        read(".version 4.1\n.kernel \"k\"\n"
             ".decl V32 v_type=G type=d num_elts=16 align=wordx32\n"
             ".decl V33 v_type=G type=UW num_elts = 8 alias=<V32, 8> attrs={Output, Scope=2}\n"
             ".decl V34 v_type=G type=q num_elts=2 alias=<%r0, 0>\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const std::vector<GeneralVariable>& general = reading.function().general;
    ASSERT_EQ(general.size(), 3U);
    EXPECT_EQ(general[0].name, "V32");
    EXPECT_EQ(general[0].type, isa::Type::d);
    EXPECT_EQ(general[0].elements, 16U);
    EXPECT_EQ(general[0].align, Align::word32);
    EXPECT_EQ(general[0].alias, 0U);
    EXPECT_EQ(general[0].where, (Location{31, 3}));
    EXPECT_EQ(general[1].type, isa::Type::uw);
    EXPECT_EQ(general[1].alias, 32U);
    EXPECT_EQ(general[1].alias_offset, 8U);
    ASSERT_EQ(general[1].attributes.size(), 2U);
    EXPECT_EQ(general[1].attributes[0].name, "Output");
    EXPECT_FALSE(general[1].attributes[0].has_number);
    EXPECT_EQ(general[1].attributes[1].number, 2);
    EXPECT_EQ(general[2].alias, 7U) << "%r0";
}

// What shares the null variable's storage is the null variable, however many names are between.
TEST(Declaration, AliasesOfNull) {
    const Reading reading = read(".version 4.1\n.kernel \"k\"\n"
                                 ".decl a v_type=G type=ud num_elts=8 alias=<%null, 4>\n"
                                 ".decl b v_type=G type=ud num_elts=8 alias=<a, 8>\n"
                                 "mov (M1, 1) b(0,0)<1> a(0,0)<0;1,0>\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    for (const GeneralVariable& variable : reading.function().general) {
        EXPECT_EQ(variable.alias, 0U) << variable.name;
        EXPECT_EQ(variable.alias_offset, 0U) << variable.name;
    }
    EXPECT_TRUE(is_null(reading.code(0).operands[0]));
    EXPECT_TRUE(is_null(reading.code(0).operands[1]));
}

TEST(Declaration, Alignments) {
    const std::pair<std::string_view, Align> cases[] = {
        {"byte", Align::byte},          {"word", Align::word},     {"dword", Align::dword},
        {"qword", Align::qword},        {"oword", Align::oword},   {"GRF", Align::grf},
        {"GRFx2", Align::grf2},         {"2GRF", Align::grf2},     {"hword", Align::hword},
        {"wordx32", Align::word32},     {"32word", Align::word32}, {"wordx64", Align::word64},
        {"64word", Align::word64},      {"1", Align::byte},        {"16", Align::oword},
        {"32", Align::hword},           {"64", Align::word32},     {"2*64", Align::word64},
        {"%sizeof(GRF)", Align::hword},
    };
    for (const auto& [spelling, align] : cases) {
        const Reading reading =
            read_lines(".decl x v_type=G type=ud num_elts=1 align=" + std::string(spelling));
        ASSERT_TRUE(reading.module.has_value()) << spelling << '\n' << reading.rendered();
        EXPECT_EQ(reading.function().general.back().align, align) << spelling;
    }
}

TEST(Declaration, OtherClassesCountTheirOwnIds) {
    const Reading reading = read_lines(".decl S1 v_type=S num_elts=1 v_name=S001\n"
                                       ".decl T7 v_type=T num_elts=2 v_name=buf attrs={SurfaceUsage=1}\n"
                                       ".decl A1 v_type=A num_elts=8\n"
                                       ".decl mask v_type=P num_elts=16\n"
                                       "(mask) mov (M1, 16) V0032(0,0)<1> V0032(0,0)<1;1,0>\n"
                                       "movs (M1_NM, 1) T7(1) 0x2:ud\n"
                                       "movs (M1_NM, 1) S1(0) 0x2:ud\n"
                                       "mov (M1, 8) V0036(0,0)<1> r[A1(0),0]<1,0>:d\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const Function& function = reading.function();
    EXPECT_EQ(function.samplers[1].v_name, "S001");
    EXPECT_EQ(function.surfaces[1].elements, 2U);
    EXPECT_EQ(function.surfaces[1].attributes[0].name, "SurfaceUsage");
    EXPECT_EQ(function.addresses[1].elements, 8U);
    EXPECT_EQ(reading.code(0).predicate.id, 3U);
    EXPECT_EQ(reading.code(1).operands[0].id, 7U);
    EXPECT_EQ(reading.code(1).operands[0].column, 1U);
    EXPECT_EQ(reading.code(2).operands[0].id, 1U);
    EXPECT_EQ(reading.code(3).operands[1].id, 1U);
}

TEST(Declaration, PartsMayStandInAnyOrder) {
    const Reading reading = read_lines(".decl x align=dword num_elts=2 type=f v_type=G");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.function().general.back().type, isa::Type::f);
}

TEST(Declaration, AVariableMayBeCalledLikeAnInstruction) {
    EXPECT_EQ(read_one(".decl add v_type=G type=d num_elts=16\nadd (M1, 16) add(0,0)<1> add(0,0)<1;1,0> 1:d")
                  .operands[0]
                  .id,
              37U);
    EXPECT_EQ(read_one(".decl flat v_type=G type=uq num_elts=16\n"
                       "lsc_load.ugm (M1, 16) V0032:d32 flat[flat]:a64")
                  .row->mnemonic,
              std::string_view("lsc_load"));
}

TEST(Scope, HidesAndKeepsNamesApart) {
    const Reading reading = read_lines(".decl x v_type=G type=ud num_elts=1\n"
                                       "{\n"
                                       "  .decl x v_type=G type=f num_elts=16\n"
                                       "  mov (M1, 1) x(0,0)<1> 0x0:f\n"
                                       "  { .decl x v_type=P num_elts=16\n"
                                       "    setp (M1, 16) x 0x1:uw }\n"
                                       "}\n"
                                       "mov (M1, 1) x(0,0)<1> 0x0:ud\n"
                                       ".decl x_1 v_type=G type=ud num_elts=1\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const Function& function = reading.function();
    ASSERT_EQ(function.general.size(), 8U);
    EXPECT_EQ(function.general[5].name, "x");
    EXPECT_EQ(function.general[6].name, "x_2");
    EXPECT_EQ(function.predicates[2].name, "x_3");
    EXPECT_EQ(function.general[7].name, "x_1") << "alone with its name";
    EXPECT_EQ(reading.code(0).operands[0].id, 38U);
    EXPECT_EQ(reading.code(1).operands[0].id, 3U);
    EXPECT_EQ(reading.code(2).operands[0].id, 37U);
}

TEST(Scope, NamesEndWithTheirScope) {
    EXPECT_EQ(read_lines("{ .decl x v_type=G type=f num_elts=16\n}\nmov (M1, 1) x(0,0)<1> 0x0:f").reports(),
              std::vector<std::string>{"15:13 undeclared-variable"});
}

TEST(Predefined, NamesAndIds) {
    const Instruction read = read_one("add (M1, 1) %arg(0,0)<1> %r0(0,1)<0;1,0> %retval(0,0)<0;1,0>");
    EXPECT_EQ(read.operands[0].id, 8U);
    EXPECT_EQ(read.operands[1].id, 7U);
    EXPECT_EQ(read.operands[2].id, 9U);
    const std::pair<std::string_view, uint32_t> surfaces[] = {
        {"%slm", 0}, {"T1", 1}, {"T2", 2}, {"TSS", 3}, {"%bss", 4}, {"%scratch", 5},
        {"T0", 0},   {"T3", 3}, {"T4", 4}, {"T5", 5},  {"T6", 6},
    };
    for (const auto& [name, id] : surfaces) {
        const std::string line = "oword_st (1) " + std::string(name) + " 0x0:ud V0032.0";
        EXPECT_EQ(read_one(line).operands[1].id, id) << name;
    }
}

TEST(Predefined, TheDocumentationsSurfaceNamesGiveWay) {
    const Reading reading = read_lines(".decl T5 v_type=T num_elts=1\noword_st (1) T5 0x0:ud V0032.0");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.code(0).operands[1].id, 7U);
}

TEST(Input, ExplicitAndImplicit) {
    const Reading reading = read_lines(".input V0032 offset=64 size=128\n"
                                       ".input V0033\n"
                                       ".input T6 offset=300 size=4\n"
                                       ".input S0 offset=304 size=4\n"
                                       ".implicit_LOCAL_ID V0035 offset=96 size=32\n"
                                       ".implicit_LOCAL_SIZE V0036 offset = 0x20 size=12\n"
                                       ".implicit_PSEUDO_INPUT V0034\n"
                                       ".implicit_UNDEFINED_7 V0034 offset=0-4 size=4\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const std::vector<Input>& inputs = reading.function().inputs;
    ASSERT_EQ(inputs.size(), 8U);
    EXPECT_EQ(inputs[0].id, 32U);
    EXPECT_EQ(inputs[0].offset, 64);
    EXPECT_EQ(inputs[0].size, 128U);
    EXPECT_EQ(inputs[1].offset, 0);
    EXPECT_EQ(inputs[1].size, 512U) << "the size of the variable";
    EXPECT_EQ(inputs[2].klass, InputClass::surface);
    EXPECT_EQ(inputs[2].id, 6U);
    EXPECT_EQ(inputs[3].klass, InputClass::sampler);
    EXPECT_EQ(inputs[4].implicit, static_cast<uint8_t>(ImplicitKind::local_id));
    EXPECT_EQ(inputs[5].offset, 32);
    EXPECT_EQ(inputs[6].implicit, 16);
    EXPECT_EQ(inputs[7].implicit, 7);
    EXPECT_EQ(inputs[7].offset, -4);
}

TEST(KernelAttribute, FlagsNumbersAndTexts) {
    const Reading reading = read_lines(".kernel_attr NoBarrier\n"
                                       ".kernel_attr Entry=\n"
                                       ".kernel_attr SimdSize=16\n"
                                       ".kernel_attr SLMSize=1024*4\n"
                                       ".kernel_attr Target=\"3d\"\n"
                                       ".kernel_attr OutputAsmPath=\"a b\"\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    const Function& function = reading.function();
    ASSERT_NE(function.attribute("NoBarrier"), nullptr);
    EXPECT_FALSE(function.attribute("NoBarrier")->has_number);
    EXPECT_FALSE(function.attribute("Entry")->has_number);
    EXPECT_EQ(function.attribute_number("SimdSize", 0), 16);
    EXPECT_EQ(function.attribute_number("SLMSize", 0), 4096);
    EXPECT_EQ(function.attribute_number("Target", -1), 1) << "the number that a binary has for it";
    EXPECT_EQ(function.attribute("OutputAsmPath")->text, "a b");
}

// Whether a name is known is the verifier's to say.
TEST(KernelAttribute, AnUnknownOneIsKept) {
    const Reading reading = read_lines(".kernel_attr SimdSiz=16");
    ASSERT_TRUE(reading.module.has_value());
    EXPECT_EQ(reading.function().attribute_number("SimdSiz", 0), 16);
    EXPECT_EQ(reading.diagnostics.warnings(), 0U);
}

TEST(Module, KernelsFunctionsAndVersions) {
    const Reading reading = read("// comment first\n\n.version 4.2\n"
                                 ".kernel one\nret (M1, 1)\n"
                                 ".global_function \"two words\"\n.funcdecl \"three\"\nfret (M1, 16)\n");
    ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
    EXPECT_EQ(reading.module->major, 4);
    EXPECT_EQ(reading.module->minor, 2);
    EXPECT_TRUE(reading.module->modern_suffixes);
    ASSERT_EQ(reading.module->functions.size(), 2U);
    EXPECT_EQ(reading.module->functions[0].name, "one");
    EXPECT_EQ(reading.module->functions[0].kind, FunctionKind::kernel);
    EXPECT_EQ(reading.module->functions[1].name, "two words");
    EXPECT_EQ(reading.module->functions[1].kind, FunctionKind::global_function);
    EXPECT_EQ(reading.module->functions[1].code.size(), 1U);
}

TEST(Module, AByteOrderMarkIsSkipped) {
    EXPECT_TRUE(read("\xef\xbb\xbf.version 4.1\r\n.kernel k\r\nret (M1, 1)\r\n").module.has_value());
}

} // namespace
} // namespace visor::text
