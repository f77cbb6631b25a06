// A whole file, put together by hand after chapter 4, in both directions.
#include "sample.h"

#include <gtest/gtest.h>

namespace visor::test {
namespace {

// .kernel "k" with one variable of each class, an input, two attributes and two instructions.
constexpr std::string_view kernel = R"(.version 4.1
.kernel "k"
.decl V32 v_type=G type=d num_elts=16 align=GRF attrs={Output}
.decl V33 v_type=G type=ud num_elts=8 align=dword alias=<V32, 32>
.decl V34 v_type=G type=uq num_elts=1 align=qword alias=<%sp, 0>
.decl A0 v_type=A num_elts=4
.decl P1 v_type=P num_elts=16
.decl S0 v_type=S num_elts=1
.decl T6 v_type=T num_elts=2
.input V32 offset=64 size=64
.implicit_LOCAL_ID V33 offset=32 size=32
.input T6 offset=128 size=4
.kernel_attr SimdSize=16
.kernel_attr SLMSize=4096
.kernel_attr OutputAsmPath="x.asm"
BB:
    (!P1) goto (M5, 16) BB
    ret (M1, 1)
)";

constexpr unsigned predefined = 22 + 6 + 1; // names of variables, surfaces and S31 behind the kernel's

Bytes pool() {
    ByteList list;
    list.u32({1 + predefined + 12});
    list.strings({"k",
                  "%null",
                  "%thread_x",
                  "%thread_y",
                  "%group_id_x",
                  "%group_id_y",
                  "%group_id_z",
                  "%tsc",
                  "%r0",
                  "%arg",
                  "%retval",
                  "%sp",
                  "%fp",
                  "%hw_id",
                  "%sr0",
                  "%cr0",
                  "%ce0",
                  "%dbg0",
                  "%color",
                  "%impl_arg_buf_ptr",
                  "%local_id_buf_ptr",
                  "%msg0",
                  "%scratchloc",
                  "%slm",
                  "T1",
                  "T2",
                  "TSS",
                  "%bss",
                  "%scratch",
                  "S31"});
    list.strings({"V32", "Output", "V33", "V34", "A0", "P1", "BB", "S0", "T6", "SimdSize", "SLMSize",
                  "OutputAsmPath"});
    return list.bytes;
}

constexpr unsigned first_own = 1 + predefined; // index of "V32"

struct Parts {
    Bytes declarations; // up to the inputs
    Bytes inputs;
    Bytes attributes;
    Bytes code;
};

Parts parts() {
    Parts p;
    ByteList list;
    list.u32({0});                                                                // name
    list.u32({3});                                                                // variables
    list.u32({first_own}).u8({0x51}).u16({16}).u32({0}).u16({0}).u8({0, 1});      // V32
    list.u32({first_own + 1}).u8({0});                                            // Output
    list.u32({first_own + 2}).u8({0x20}).u16({8}).u32({32}).u16({32}).u8({0, 0}); // V33
    list.u32({first_own + 3}).u8({0x3b}).u16({1}).u32({10}).u16({0}).u8({0, 0});  // V34
    list.u16({1}).u32({first_own + 4}).u16({4}).u8({0});                          // A0
    list.u16({1}).u32({first_own + 5}).u16({16}).u8({0});                         // P1
    list.u16({1}).u32({first_own + 6}).u8({0, 0});                                // BB
    list.u8({1}).u32({first_own + 7}).u16({1}).u8({0});                           // S0
    list.u8({1}).u32({first_own + 8}).u16({2}).u8({0});                           // T6
    list.u8({0});                                                                 // VME
    p.declarations = list.bytes;
    p.inputs = ByteList()
                   .u32({3})
                   .u8({0x00})
                   .u32({32})
                   .u16({64, 64})
                   .u8({0x18}) // LOCAL_ID is kind 3
                   .u32({33})
                   .u16({32, 32})
                   .u8({0x02})
                   .u32({6})
                   .u16({128, 4})
                   .bytes;
    p.attributes = ByteList()
                       .u16({3})
                       .u32({first_own + 9})
                       .u8({1, 16})
                       .u32({first_own + 10})
                       .u8({4})
                       .u32({4096})
                       .u32({first_own + 11})
                       .u8({5})
                       .text("x.asm")
                       .bytes;
    p.code = from_hex("31 00 00  6c 44 01 80 00 00  34 00 00 00");
    return p;
}

Bytes file() {
    const Parts p = parts();
    ByteList routine;
    routine.append(pool());
    routine.append(p.declarations);
    const unsigned inputs_at = routine.size();
    routine.append(p.inputs);
    const auto code_size = static_cast<unsigned>(p.code.size());
    const unsigned entry = routine.size() + 8 + static_cast<unsigned>(p.attributes.size());
    routine.u32({code_size, entry});
    routine.append(p.attributes);
    routine.append(p.code);

    constexpr unsigned header = 8 + 2 + 1 + 12 + 2 + 2 + 1 + 2 + 2;
    ByteList all;
    all.text("CISA").u8({4, 1}).u16({1});
    all.u16({1}).text("k").u32({header, routine.size(), header + inputs_at}).u16({0, 0}).u8({0});
    all.u16({0, 0});
    EXPECT_EQ(all.size(), header);
    return all.append(routine.bytes).bytes;
}

TEST(File, IsWrittenByteForByte) {
    EXPECT_EQ(to_hex(written(parsed(std::string(kernel)))), to_hex(file()));
}

TEST(File, IsReadAsTheSameModuleAsText) {
    EXPECT_TRUE(same(reread(file()), carried(parsed(std::string(kernel)))));
}

TEST(File, IsKnownByItsFirstBytes) {
    EXPECT_TRUE(binary::is_binary(file()));
    EXPECT_FALSE(binary::is_binary(from_hex("43 49 53")));
    EXPECT_FALSE(binary::is_binary(from_hex("7f 45 4c 46 02")));
    EXPECT_FALSE(binary::is_binary({}));
}

TEST(File, TellsWhereThingsStand) {
    const Bytes bytes = file();
    const Module module = reread(bytes);
    const Function& function = module.functions.at(0);
    ASSERT_EQ(function.code.size(), 3U);
    EXPECT_EQ(function.where.offset, 32U);
    EXPECT_EQ(function.code[0].where.offset, bytes.size() - 13);
    EXPECT_EQ(function.code[0].where.length, 3U);
    EXPECT_EQ(function.code[1].where.offset, bytes.size() - 10);
    EXPECT_EQ(function.code[1].where.length, 6U);
    EXPECT_EQ(function.code[1].operands[0].where.offset, bytes.size() - 6);
    EXPECT_EQ(function.labels[0].where.offset, bytes.size() - 13);
}

TEST(File, MayHaveItsStringsInAnyOrder) {
    const Module module =
        parsed(kernel_text(".decl V32 v_type=G type=d num_elts=16 align=GRF", "    ret (M1, 1)"));
    const Module before = reread(written(module));
    ByteList routine;
    routine.u32({3}).strings({"V32", "", "k"});
    routine.u32({2}).u32({1}).u32({0}).u8({0x51}).u16({16}).u32({0}).u16({0}).u8({0, 0});
    routine.u16({0, 0, 0}).u8({0, 0, 0}).u32({0});
    routine.u32({4, routine.size() + 8 + 2}).u16({0}).append(from_hex("34 00 00 00"));
    ByteList all;
    all.text("CISA").u8({4, 1}).u16({1}).u16({1}).text("k").u32({32, routine.size(), 0}).u16({0, 0}).u8({0});
    all.u16({0, 0}).append(routine.bytes);
    EXPECT_TRUE(same(reread(all.bytes), before));
}

TEST(File, HasItsKernelsFirst) {
    const Module module = parsed(".version 4.1\n.kernel \"a\"\n    ret (M1, 1)\n.global_function \"f\"\n"
                                 "    fret (M1, 16)\n.kernel \"b\"\n    ret (M1, 1)\n");
    const Module again = reread(written(module));
    ASSERT_EQ(again.functions.size(), 3U);
    EXPECT_EQ(again.functions[0].name, "a");
    EXPECT_EQ(again.functions[1].name, "b");
    EXPECT_EQ(again.functions[2].name, "f");
    EXPECT_EQ(again.functions[2].kind, FunctionKind::global_function);
}

// As a text: it would print as one that nobody reads.
TEST(File, WithoutKernelsAndFunctionsIsRefused) {
    Diagnostics read;
    EXPECT_FALSE(binary::read(from_hex("43 49 53 41 04 01 00 00 00 00 00 00"), {}, read));
    EXPECT_EQ(count_rule(read, "no-kernel"), 1U);
    Diagnostics written;
    EXPECT_FALSE(binary::write(Module{}, {}, written));
    EXPECT_EQ(count_rule(written, "no-kernel"), 1U);
}

// The format has no place for them: they would be lost.
TEST(File, InputsOfFunctionsAreRefused) {
    const Module module = parsed(".version 4.1\n.global_function \"f\"\n.decl q v_type=G type=ud num_elts=8\n"
                                 ".input q offset=32 size=32\n    fret (M1, 16)\n");
    Diagnostics diagnostics;
    EXPECT_FALSE(binary::write(module, {}, diagnostics));
    EXPECT_EQ(count_rule(diagnostics, "function-input"), 1U);
}

TEST(File, LeavesMachineCodeOut) {
    const Module module = parsed(kernel_text("", "    ret (M1, 1)"));
    const Bytes bytes = written(module);
    const Bytes routine(bytes.begin() + 32, bytes.end());
    ByteList all;
    all.text("CISA").u8({4, 1}).u16({1}).u16({1}).text("k");
    all.u32({41, static_cast<unsigned>(routine.size()), 0}).u16({0, 0});
    all.u8({1, 12}).u32({41 + static_cast<unsigned>(routine.size()), 4}).u16({0, 0});
    all.append(routine).u32({0x12345678});
    Diagnostics diagnostics;
    const auto read = binary::read(all.bytes, {}, diagnostics);
    ASSERT_TRUE(read.has_value()) << messages(diagnostics);
    EXPECT_EQ(count_rule(diagnostics, "native-code"), 1U);
    EXPECT_EQ(diagnostics.all().at(0).severity, Severity::note);
    EXPECT_TRUE(same(*read, module));
}

TEST(File, KeepsStringsOfInstructions) {
    const std::string text =
        kernel_text(".decl V32 v_type=G type=uq num_elts=1 align=qword",
                    "    FILE \"a b.cl\"\n    LOC 7\n    faddr f V32(0,0)<1>\n"
                    "    fcall (M1, 16) g 2 1\n    fcall (M1, 16) f 0 0\n    ret (M1, 1)");
    const Module module = parsed(text);
    const Module again = reread(written(module));
    EXPECT_TRUE(same(again, module));
    EXPECT_EQ(again.functions[0].strings, (std::vector<std::string>{"a b.cl", "f", "g"}));
}

} // namespace
} // namespace visor::test
