// The verbs that look at code: as, dis, check, isa, as their users run them. Bytes are those that the pages
// prescribe (tests/data/conformance), written out by hand here where one is enough.
#include "end_to_end.h"

#include <gtest/gtest.h>

namespace visor::cli {
namespace {

using test::Finished;

constexpr const char* one_message = R"(.version 4.1
.kernel "k"
.decl places v_type=G type=ud num_elts=16 align=GRF
.decl values v_type=G type=ud num_elts=16 align=GRF
.decl T6 v_type=T num_elts=1
.kernel_attr SimdSize=16
    scatter_scaled.4 (M1, 16) T6 0x0:ud places.0 values.0
    ret (M1, 1)
)";

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

class Tools : public testing::Test {
protected:
    [[nodiscard]] static Finished visor(std::vector<std::string> words, const std::string& input = "") {
        words.insert(words.begin(), VISOR_PROGRAM);
        return test::run(words, {}, input);
    }
    [[nodiscard]] std::string source(const std::string& name, const std::string& content) const {
        test::write_file(folder_.file(name), content);
        return folder_.file(name);
    }

    test::TemporaryFolder folder_;
};

TEST_F(Tools, AssembleDisassembleAssemble) {
    const std::string text = source("k.visaasm", one_message);
    const std::string first = folder_.file("k.isa");
    const auto assembled = visor({"as", text, "-o", first});
    ASSERT_EQ(assembled.exit_code, 0) << assembled.err;
    EXPECT_TRUE(has(assembled.err, "1 kernel, 2 instructions, ")) << assembled.err;
    const std::string binary = test::read_file(first);
    EXPECT_EQ(binary.substr(0, 4), "CISA");
    // opcode, exec size 16 in M1, no predicate, block size 0, 4 bytes a lane, scale 0, surface id 6
    EXPECT_TRUE(has(binary, std::string("\x79\x04\x00\x00\x00\x02\x00\x00\x06", 9)));

    const auto shown = visor({"dis", first});
    ASSERT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_TRUE(has(shown.out, "    scatter_scaled.4 (M1, 16) T6 0x0:ud places.0 values.0\n")) << shown.out;
    const std::string again = source("again.visaasm", shown.out);
    ASSERT_EQ(visor({"as", again, "-o", folder_.file("again.isa")}).exit_code, 0);
    EXPECT_EQ(test::read_file(folder_.file("again.isa")), binary);
}

TEST_F(Tools, PipesWork) {
    const auto binary = visor({"as", "-", "-o", "-"}, one_message);
    ASSERT_EQ(binary.exit_code, 0) << binary.err;
    const auto text = visor({"dis", "-"}, binary.out);
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_TRUE(has(text.out, "scatter_scaled.4 (M1, 16) T6 0x0:ud places.0 values.0"));
}

TEST_F(Tools, ABinaryRuns) {
    const std::string text = source("k.visaasm", R"(.version 4.1
.kernel "k"
.decl places v_type=G type=ud num_elts=8 align=GRF
.decl values v_type=G type=ud num_elts=8 align=GRF
.decl T6 v_type=T num_elts=1
.input places offset=32 size=32
.input values offset=64 size=32
.input T6 offset=96 size=4
.kernel_attr SimdSize=8
    scatter_scaled.4 (M1, 8) T6 0x0:ud places.0 values.0
    ret (M1, 1)
)");
    const std::string binary = folder_.file("k.isa");
    ASSERT_EQ(visor({"as", text, "-o", binary}).exit_code, 0);
    const auto ran = visor({"run", binary, "--groups", "1", "-a", "places=0,4,8,12,16,20,24,28", "-a",
                            "values=10,11,12,13,14,15,16,17", "-a", "T6=zeros:u32:8", "--print", "T6"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "T6 = 10 11 12 13 14 15 16 17\n");
}

// Of a text that says by its instructions which device it is for, nothing is asked and little is said.
TEST_F(Tools, TheDeviceOfAText) {
    const std::string text = source("lsc.visaasm", R"(.version 4.1
.kernel "k"
.decl to v_type=G type=uq num_elts=1 align=qword
.decl data v_type=G type=d num_elts=32 align=GRF
.input to offset=64 size=8
.kernel_attr SimdSize=32
    lsc_load.ugm (M1, 1) data:d32x32t flat[to]:a64
    add (M1, 32) data(0,0)<1> data(0,0)<1;1,0> 0x5:d
    lsc_store.ugm (M1, 1) flat[to]:a64 data:d32x32t
    ret (M1, 1)
)");
    constexpr const char* taken = "lsc.visaasm: note: taken as code for pvc: skl has no lsc_load; ";
    const auto ran = visor({"run", text, "-g", "32", "-a", "to=fill:i32:32:1", "--print", "to"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("to = 6 6 6 6 ")) << ran.out;
    EXPECT_TRUE(has(ran.err, taken)) << ran.err;
    EXPECT_FALSE(has(ran.err, "warning")) << ran.err;
    for (const std::string verb : {"check", "dis", "info"}) {
        const auto told = visor({verb, text});
        EXPECT_EQ(told.exit_code, 0) << told.err;
        EXPECT_TRUE(has(told.err, taken)) << told.err;
        EXPECT_FALSE(has(told.err, "warning:")) << told.err;
    }
    const auto named = visor({"run", text, "--device", "skl", "-g", "32", "-a", "to=fill:i32:32:1"});
    EXPECT_EQ(named.exit_code, 1);
    EXPECT_TRUE(has(named.err, "lsc_load does not exist on skl")) << named.err;
    EXPECT_FALSE(has(named.err, "taken as code")) << named.err;
}

TEST_F(Tools, ARefusedKernelLeavesTheOther) {
    std::string two = hand_written;
    two += ".kernel \"bad\"\n.decl d v_type=G type=d num_elts=8 align=GRF\n"
           "    cos (M1, 8) d(0,0)<1> d(0,0)<1;1,0>\n    ret (M1, 1)\n";
    const std::string text = source("two.visaasm", two);
    const auto good = visor({"run", text, "-k", "add5", "-g", "8", "-a", "iota:i32:8", "5", "--print", "0"});
    EXPECT_EQ(good.exit_code, 0) << good.err;
    EXPECT_EQ(good.out, "0 = 5 6 7 8 9 10 11 12\n");
    EXPECT_TRUE(has(good.err, "`dst` of cos has type d")) << good.err;
    EXPECT_TRUE(has(good.err, "kernel `bad` cannot run; others of the file can")) << good.err;
    const auto bad = visor({"run", text, "-k", "bad", "-g", "1"});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_TRUE(has(bad.err, "kernel `bad` was refused")) << bad.err;
}

// Likewise when it cannot even be read; what others need of a device counts all the same.
TEST_F(Tools, AKernelThatCannotBeReadLeavesTheOther) {
    std::string two = hand_written;
    two += ".kernel \"bad\"\n    ad (M1, 8) V1 V2\n    goto (M1, 8) nowhere\n";
    const std::string text = source("two.visaasm", two);
    const auto good = visor({"run", text, "-k", "add5", "-g", "8", "-a", "iota:i32:8", "5", "--print", "0"});
    EXPECT_EQ(good.exit_code, 0) << good.err;
    EXPECT_EQ(good.out, "0 = 5 6 7 8 9 10 11 12\n");
    EXPECT_TRUE(has(good.err, "two.visaasm:14:5: error: no instruction is called `ad`")) << good.err;
    EXPECT_TRUE(has(good.err, "two.visaasm:15:18: error: the label `nowhere`")) << good.err;
    EXPECT_TRUE(has(good.err, "warning: kernel `bad` cannot run; others of the file can")) << good.err;
    const auto bad = visor({"run", text, "-k", "bad", "-g", "1"});
    EXPECT_EQ(bad.exit_code, 1);
    EXPECT_TRUE(has(bad.err, "kernel `bad` was refused when it was loaded")) << bad.err;
    const auto unsaid = visor({"run", text, "-g", "1"});
    EXPECT_EQ(unsaid.exit_code, 1);
    EXPECT_TRUE(has(unsaid.err, "add5") && has(unsaid.err, "bad"))
        << "it is still one of two: " << unsaid.err;
    const auto checked = visor({"check", text});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_TRUE(has(checked.err, "two.visaasm:14:5: error: ")) << checked.err;
    EXPECT_EQ(visor({"as", text, "-o", folder_.file("two.isa")}).exit_code, 1);

    const std::string newer = source("newer.visaasm", R"(.version 4.1
.kernel "bad"
    ad (M1, 8) V1 V2
.kernel "loads"
.decl to v_type=G type=uq num_elts=1 align=qword
.decl data v_type=G type=d num_elts=32 align=GRF
.input to offset=64 size=8
.kernel_attr SimdSize=32
    lsc_load.ugm (M1, 1) data:d32x32t flat[to]:a64
    add (M1, 32) data(0,0)<1> data(0,0)<1;1,0> 0x5:d
    lsc_store.ugm (M1, 1) flat[to]:a64 data:d32x32t
    ret (M1, 1)
)");
    const auto guessed =
        visor({"run", newer, "-k", "loads", "--groups", "1", "-a", "fill:i32:32:1", "--print", "0:2"});
    EXPECT_EQ(guessed.exit_code, 0) << guessed.err;
    EXPECT_EQ(guessed.out, "0 = 6 6\n");
    EXPECT_TRUE(has(guessed.err, "taken as code for pvc: skl has no lsc_load")) << guessed.err;
}

// What lies in no kernel, and a function that kernels may call, spoil the text.
TEST_F(Tools, ErrorsOutsideOfKernelsSpoilTheText) {
    const std::string good = hand_written;
    for (const std::string& two :
         {good + ".global_function \"f\"\n    ad (M1, 8) V1 V2\n",
          good + ".kernel \"add5\"\n    ret (M1, 1)\n", good + ".kernel\n    ret (M1, 1)\n",
          ".version 9.9\n" + good.substr(good.find(".kernel")),
          ".version 4.1\n    ad (M1, 8) V1 V2\n" + good.substr(good.find(".kernel"))}) {
        const auto ran = visor({"run", source("two.visaasm", two), "-k", "add5", "-g", "8", "-a",
                                "iota:i32:8", "5", "--print", "0"});
        EXPECT_EQ(ran.exit_code, 1) << two;
        EXPECT_EQ(ran.out, "");
        EXPECT_TRUE(has(ran.err, "two.visaasm:") && has(ran.err, "error: ")) << ran.err;
    }
}

TEST_F(Tools, NothingIsWrittenOfWhatIsWrong) {
    const std::string text =
        source("bad.visaasm", ".version 4.1\n.kernel \"k\"\n    ad (M1, 8) V32 V33 V34\n");
    const auto refused = visor({"as", text, "-o", folder_.file("bad.isa")});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(has(refused.err, "bad.visaasm:3:5: error: ")) << refused.err;
    EXPECT_TRUE(has(refused.err, "visor: nothing was written")) << refused.err;
    EXPECT_NE(visor({"dis", folder_.file("bad.isa")}).exit_code, 0); // there is no such file
}

TEST_F(Tools, DamagedBinariesAreLocated) {
    std::string binary = visor({"as", "-", "-o", "-"}, one_message).out;
    binary.resize(binary.size() - 5);
    const auto shown = visor({"dis", source("cut.isa", binary)});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_TRUE(has(shown.err, "cut.isa:0x")) << shown.err;
    EXPECT_EQ(shown.out, "");
}

TEST_F(Tools, CheckReportsAllAndSums) {
    const std::string good = source("good.visaasm", one_message);
    const auto clean = visor({"check", good});
    EXPECT_EQ(clean.exit_code, 0) << clean.err;
    EXPECT_EQ(clean.err,
              "visor: 1 file, 1 kernel, 2 instructions: 0 errors, 0 warnings; profile spec, any device\n");

    std::string wrong = one_message;
    wrong.replace(wrong.find("type=ud num_elts=16 align=GRF\n.decl T6"), 7, "type=uw"); // values
    wrong.replace(wrong.find("scatter_scaled.4"), 16, "scatter_scaled.3");
    const auto found = visor({"check", good, source("wrong.visaasm", wrong)});
    EXPECT_EQ(found.exit_code, 1);
    EXPECT_TRUE(has(found.err, "wrong.visaasm:7:20: error: ")) << found.err;
    EXPECT_TRUE(has(found.err, "visor: 2 files, ")) << found.err;
}

TEST_F(Tools, CheckOfABinaryShowsTheInstruction) {
    // Profile spec refuses exec size 4 here: the page of scatter4_scaled has 8 and 16.
    std::string text = one_message;
    text.replace(text.find("scatter_scaled.4 (M1, 16)"), 25, "scatter4_scaled.R (M1, 4)");
    const std::string binary = folder_.file("k.isa");
    ASSERT_EQ(visor({"as", source("k.visaasm", text), "-o", binary}).exit_code, 0);
    const auto found = visor({"check", binary});
    EXPECT_EQ(found.exit_code, 1) << found.err;
    EXPECT_TRUE(has(found.err, "k.isa:0x")) << found.err;
    EXPECT_TRUE(has(found.err, "    scatter4_scaled.R (M1, 4) T6 0x0:ud places.0 values.0\n")) << found.err;
    const auto taken = visor({"check", binary, "--profile", "igc"});
    EXPECT_EQ(taken.exit_code, 0) << taken.err;
    EXPECT_EQ(visor({"check", binary, "--profile", "igc", "-Werror"}).exit_code, 1);
}

TEST_F(Tools, CheckOfASnippetCountsItsOwnLines) {
    const auto clean = visor({"check", "--snippet"}, "{\n.decl x v_type=G type=ud num_elts=8 align=GRF\n"
                                                     "add (M1, 8) x(0,0)<1> x(0,0)<1;1,0> 1:ud\n}");
    EXPECT_EQ(clean.exit_code, 0) << clean.err;
    const auto found = visor({"check", "--snippet"}, ".decl x v_type=G type=ud num_elts=8 align=GRF\n"
                                                     "add (M1, 8) x(0,0)<1> y(0,0)<1;1,0> 1:ud");
    EXPECT_EQ(found.exit_code, 1);
    EXPECT_TRUE(has(found.err, "snippet:2:23: error: ")) << found.err;
    EXPECT_TRUE(has(found.err, "\n    add (M1, 8) x(0,0)<1> y(0,0)<1;1,0> 1:ud\n                          ^"))
        << found.err;
}

TEST_F(Tools, CheckKeepsToItsLimit) {
    std::string text = ".version 4.1\n.kernel \"k\"\n";
    for (int i = 0; i < 5; ++i)
        text += "    mov (M1, 8) a" + std::to_string(i) + "(0,0)<1> 1:ud\n";
    const auto found = visor({"check", "-", "--max-errors", "2"}, text);
    EXPECT_EQ(found.exit_code, 1);
    EXPECT_TRUE(has(found.err, "there are further errors; --max-errors 0")) << found.err;
    EXPECT_FALSE(has(found.err, "`a2`")) << found.err;
    const auto all = visor({"check", "-", "--max-errors", "0"}, text);
    EXPECT_TRUE(has(all.err, ": 5 errors, ")) << all.err;
}

TEST_F(Tools, CheckAsJson) {
    const auto found =
        visor({"check", "-", "--json"}, ".version 4.1\n.kernel \"k\"\n    mov (M1, 8) a(0,0)<1> 1:ud\n");
    EXPECT_EQ(found.exit_code, 1);
    for (const char* part : {R"("errors": 1)", R"("line": 3)", R"("column": 17)", R"("severity": "error")",
                             R"("rule": "undeclared-variable")"})
        EXPECT_TRUE(has(found.out, part)) << part << '\n' << found.out;
}

TEST_F(Tools, AvailabilityIsCheckedWhenADeviceIsNamed) {
    const std::string text = ".version 4.1\n.kernel \"k\"\n.decl x v_type=G type=ud num_elts=8 align=GRF\n"
                             "    rol (M1, 8) x(0,0)<1> x(0,0)<1;1,0> 1:ud\n    ret (M1, 1)\n";
    EXPECT_EQ(visor({"check", "-"}, text).exit_code, 0);
    EXPECT_EQ(visor({"check", "-", "--device", "tgllp"}, text).exit_code, 0);
    const auto refused = visor({"check", "-", "--device", "skl"}, text);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(has(refused.err, "`rol`") || has(refused.err, "rol does not exist on skl")) << refused.err;
}

TEST_F(Tools, TheInstructionReference) {
    const auto page = visor({"isa", "svm_block_ld"});
    EXPECT_EQ(page.exit_code, 0);
    EXPECT_TRUE(has(page.out, "opcode 0x4e 0x01")) << page.out;
    EXPECT_EQ(visor({"isa", "scatter_scaled.4"}).out, visor({"isa", "scatter_scaled"}).out);
    const auto unknown = visor({"isa", "scatter_scale"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_TRUE(has(unknown.err, "did you mean `scatter_scaled`")) << unknown.err;
    const auto coverage = visor({"isa", "--coverage", "--json"});
    EXPECT_EQ(coverage.exit_code, 0);
    for (const char* key :
         {"\"name\": \"qw_gather\"", "\"text\"", "\"binary\"", "\"verify\"", "\"interp\"", "\"cases\""})
        EXPECT_TRUE(has(coverage.out, key)) << key;
}

TEST_F(Tools, InfoNamesWhatIsNotExecuted) {
    const std::string text = source("k.visaasm", ".version 4.1\n.kernel \"k\"\n"
                                                 ".decl x v_type=G type=ub num_elts=64 align=GRF\n"
                                                 ".kernel_attr SimdSize=8\n"
                                                 "    raw_send (M1, 8) 0x0 1 1 0x1:ud x.0 x.0\n"
                                                 "    ret (M1, 1)\n");
    const auto told = visor({"info", text});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_TRUE(has(told.out, "  not executed: raw_send: a raw message means ")) << told.out << told.err;
}

} // namespace
} // namespace visor::cli
