// Compile, edit one instruction, run: text with its launch metadata runs with OpenCL arguments, as the zebin
// does.
#include "end_to_end.h"

namespace visor::cli {
namespace {

class EditedText : public EndToEnd {
protected:
    std::string emitted(const std::vector<std::string>& more = {}) const {
        const std::string kernels =
            source("k.cl", "__constant int table[4] = {10, 20, 30, 40};\n"
                           "__global int counter = 5;\n"
                           "__global int* pointer = &counter;\n"
                           "__kernel void scale(__global float* y, float a) { y[get_global_id(0)] *= a; }\n"
                           "__kernel void count(__global int* out) { *pointer += 1; out[0] = counter;"
                           " out[1] = table[2]; printf(\"now %d\\n\", counter); }\n");
        std::vector<std::string> words{"cc", kernels, "--emit", "visaasm", "-o", file("k.visaasm")};
        words.insert(words.end(), more.begin(), more.end());
        const auto built = visor(words);
        EXPECT_EQ(built.exit_code, 0) << built.err;
        return test::read_file(file("k.visaasm"));
    }
    [[nodiscard]] test::Finished run_scale(const std::string& path,
                                           const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{"run", path,           "-k",  "scale",   "-g", "4",
                                       "-a",  "y=iota:f32:4", "a=3", "--print", "y"};
        words.insert(words.end(), more.begin(), more.end());
        return visor(words);
    }
};

TEST_F(EditedText, RunsAsTheZebinDoes) {
    const std::string text = emitted({"-cl-std=CL2.0"});
    EXPECT_EQ(text.substr(0, 43), "//! visor: version 1\n//! visor: device skl\n");
    EXPECT_FALSE(has(text, folder_.string())) << "paths of this machine";
    const auto ran = run_scale(file("k.visaasm"));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "y = 0 3 6 9\n");
    const auto info = visor({"info", file("k.visaasm")});
    EXPECT_TRUE(has(info.out, "scale(float* y, float a)") && has(info.out, "count(int* out)")) << info.out;
}

TEST_F(EditedText, OneInstructionEdited) {
    const std::string text = emitted({"-cl-std=CL2.0"});
    // The last two multiplications are the numbers', in both halves of SIMD32; those before are of ids.
    std::string edited = text;
    const size_t next = edited.find(".kernel \"count\"");
    for (int half = 0; half < 2; ++half) {
        const size_t at = edited.rfind("    mul (M", next);
        ASSERT_NE(at, std::string::npos) << text;
        edited.replace(at, 7, "    add");
    }
    const auto ran = run_scale(source("edited.visaasm", edited));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "y = 3 4 5 6\n");
    // The same text instead of one kernel's own.
    ASSERT_EQ(visor({"cc", file("k.cl"), "-cl-std=CL2.0", "-o", file("k.zebin")}).exit_code, 0);
    const auto zebin = run_scale(file("k.zebin"), {"--text", "scale=" + file("edited.visaasm")});
    EXPECT_EQ(zebin.out, "y = 3 4 5 6\n") << zebin.err;
    const auto compiled =
        run_scale(file("k.cl"), {"--options", "-cl-std=CL2.0", "--text", "scale=" + file("edited.visaasm")});
    EXPECT_EQ(compiled.out, "y = 3 4 5 6\n") << compiled.err;
}

TEST_F(EditedText, ProgramScopeDataComesAlong) {
    emitted({"-cl-std=CL2.0"});
    const auto ran =
        visor({"run", file("k.visaasm"), "-k", "count", "-g", "1", "-a", "zeros:i32:2", "--print", "out"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "now 6\nout = 6 30\n");
}

TEST_F(EditedText, OneKernelAlone) {
    const std::string text = emitted({"-cl-std=CL2.0", "-k", "count"});
    EXPECT_FALSE(has(text, "scale")) << text;
    const auto ran = visor({"run", file("k.visaasm"), "-g", "1", "-a", "zeros:i32:2", "--print", "out"});
    EXPECT_EQ(ran.out, "now 6\nout = 6 30\n") << ran.err;
    const auto unknown = visor({"cc", file("k.cl"), "-cl-std=CL2.0", "--emit", "visaasm", "-k", "cuont"});
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_TRUE(has(unknown.err, "did you mean `count`")) << unknown.err;
}

TEST_F(EditedText, ItsOptionsCount) {
    emitted({"-cl-std=CL2.0"});
    const auto ran = visor({"run", file("k.visaasm"), "-k", "scale", "-g", "5", "-l", "4", "-a",
                            "fill:f32:5:1", "2", "--print", "y"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "y = 2 2 2 2 2\n");
}

TEST_F(EditedText, ItsDeviceCounts) {
    const std::string text = emitted({"-cl-std=CL2.0", "--device", "pvc"});
    EXPECT_TRUE(has(text, "//! visor: device pvc\n"));
    const auto ran = run_scale(file("k.visaasm"));
    EXPECT_EQ(ran.out, "y = 0 3 6 9\n") << ran.err;
    const auto other = run_scale(file("k.visaasm"), {"--device", "skl"});
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_TRUE(has(other.err, "compiled for pvc, not for skl")) << other.err;
    const auto assembled = visor({"as", file("k.visaasm"), "-o", file("k.isa")});
    EXPECT_EQ(assembled.exit_code, 0) << assembled.err;
    EXPECT_TRUE(has(assembled.err, ", for pvc")) << assembled.err;
}

TEST_F(EditedText, CheckTakesTheCompilersProfile) {
    const std::string text = emitted({"-cl-std=CL2.0"});
    const auto checked = visor({"check", file("k.visaasm")});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_TRUE(has(checked.err, "; profile igc, skl")) << checked.err;
    const std::string wrong = replaced(text, ".kernel \"scale\"", ".kernel \"scales\"");
    const auto refused = visor({"check", source("wrong.visaasm", wrong)});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(has(refused.err, "describes no kernel `scales` (did you mean `scale`") &&
                has(refused.err, "wrong.visaasm:"))
        << refused.err;
}

TEST_F(EditedText, AnEditThatDoesNotAssembleIsLocated) {
    const std::string text = emitted({"-cl-std=CL2.0"});
    const std::string wrong = replaced(text, "    mul (M1", "    mull (M1");
    const auto ran = run_scale(source("wrong.visaasm", wrong));
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "wrong.visaasm:") && has(ran.err, "did you mean `mul`")) << ran.err;
    const auto replacing =
        run_scale(file("k.cl"), {"--options", "-cl-std=CL2.0", "--text", "scale=" + file("wrong.visaasm")});
    EXPECT_EQ(replacing.exit_code, 1);
    EXPECT_TRUE(has(replacing.err, "wrong.visaasm:")) << replacing.err;
}

// One kernel that cannot be read, or is refused, blocks neither another one nor a text in its place.
TEST_F(EditedText, AKernelWithErrorsLeavesTheOthers) {
    const std::string text = emitted({"-cl-std=CL2.0"});
    const size_t first = text.find("    mul (M1", text.find(".kernel \"scale\""));
    ASSERT_LT(first, text.find(".kernel \"count\""));
    for (const auto& [line, words] : {std::pair{"    mull (M1, 8) V32 V33\n", "did you mean `mul`"},
                                      std::pair{"    nbarrier.wait 0x1:ub\n", "does not exist on skl"}}) {
        std::string broken = text;
        broken.insert(first, line);
        const std::string path = source("broken.visaasm", broken);
        const auto other =
            visor({"run", path, "-k", "count", "-g", "1", "-a", "zeros:i32:2", "--print", "out"});
        EXPECT_EQ(other.exit_code, 0) << other.err;
        EXPECT_EQ(other.out, "now 6\nout = 6 30\n");
        EXPECT_TRUE(has(other.err, words)) << other.err;
        EXPECT_TRUE(has(other.err, "kernel `scale` cannot run; others of the file can")) << other.err;
        const auto itself = run_scale(path);
        EXPECT_EQ(itself.exit_code, 1);
        EXPECT_TRUE(has(itself.err, "kernel `scale` was refused when it was loaded")) << itself.err;
        EXPECT_EQ(visor({"check", path}).exit_code, 1);
        const auto replaced_one = run_scale(path, {"--text", "scale=" + file("k.visaasm")});
        EXPECT_EQ(replaced_one.exit_code, 0) << replaced_one.err;
        EXPECT_EQ(replaced_one.out, "y = 0 3 6 9\n");
        EXPECT_FALSE(has(replaced_one.err, words)) << "nobody runs it: " << replaced_one.err;
    }
}

// Of a text in a kernel's place only that kernel counts.
TEST_F(EditedText, OtherKernelsOfATextInPlaceMayBeWrong) {
    const std::string text = emitted({"-cl-std=CL2.0"});
    for (const char* const line : {"    mull (M1, 8) V32 V33\n", "    nbarrier.wait 0x1:ub\n"}) {
        std::string broken = text;
        broken.insert(broken.rfind("    ret (M1"), line);
        ASSERT_GT(broken.find(line), broken.find(".kernel \"count\""));
        const auto ran = run_scale(file("k.cl"), {"--options", "-cl-std=CL2.0", "--text",
                                                  "scale=" + source("broken.visaasm", broken)});
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.out, "y = 0 3 6 9\n");
    }
}

TEST_F(EditedText, MistakesOfReplacing) {
    emitted({"-cl-std=CL2.0"});
    const std::string text = file("k.visaasm");
    const auto unknown = run_scale(file("k.cl"), {"--options", "-cl-std=CL2.0", "--text", "scal=" + text});
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_TRUE(has(unknown.err, "did you mean `scale`")) << unknown.err;
    const auto form = run_scale(file("k.cl"), {"--text", text});
    EXPECT_EQ(form.exit_code, 2);
    EXPECT_TRUE(has(form.err, "--text takes KERNEL=FILE")) << form.err;
    const auto hand = visor({"run", source("add5.visaasm", hand_written), "--groups", "1", "-a", "iota:i32:8",
                             "1", "--text", "add5=" + text});
    EXPECT_EQ(hand.exit_code, 1);
    EXPECT_TRUE(has(hand.err, "hand-written")) << hand.err;
    EXPECT_EQ(visor({"cc", file("k.cl"), "-k", "scale"}).exit_code, 2);
}

TEST_F(EditedText, DamagedMetadataIsLocated) {
    const std::string text = emitted({"-cl-std=CL2.0"});
    struct Case {
        const char* what;
        const char* with;
        const char* told;
    };
    for (const Case& wrong :
         {Case{"visor: version 1", "visor: device skl", "begins with `//! visor: version 1`"},
          Case{"device skl", "device sky", "`sky` is no device (did you mean `skl`"},
          Case{"simd_size: 32", "simd_size: 33", "which is more than 32"},
          Case{"visor: symbol", "visor: symbal", "did you mean `symbol`"},
          Case{"address64", "address65", "not `address65`"},
          Case{"visor: bytes ", "visor: bytes zz", "hexadecimal"},
          Case{".kernel \"scale\"", ".kernel \"scale\"\n//! visor: device skl",
               "stands before the first line of the text"}}) {
        const auto ran = run_scale(source("damaged.visaasm", replaced(text, wrong.what, wrong.with)));
        EXPECT_EQ(ran.exit_code, 1) << wrong.with << ran.err;
        EXPECT_TRUE(has(ran.err, wrong.told) && has(ran.err, "damaged.visaasm:")) << ran.err;
    }
    const auto newer =
        run_scale(source("newer.visaasm", replaced(text, "visor: version 1", "visor: version 2")));
    EXPECT_EQ(newer.exit_code, 3) << newer.err;
}

// ---- inputs that share bytes: refused before anything runs, whatever the engine ----

TEST_F(EditedText, PayloadItemsThatShareBytesAreRefused) {
    std::string edited = emitted({"-cl-std=CL2.0", "-k", "scale"});
    const std::string item = "{arg_type: enqueued_local_size, offset: 44";
    const size_t at = edited.find(item);
    ASSERT_NE(at, std::string::npos) << edited;
    edited.replace(at + item.size() - 1, 1, "3");
    for (const char* engine : {"interp", "jit"}) {
        const auto ran = run_scale(source("shared.visaasm", edited), {"--engine", engine});
        EXPECT_EQ(ran.exit_code, 1);
        EXPECT_EQ(ran.out, "");
        EXPECT_TRUE(has(ran.err, "`arg_byvalue` of argument 1 (offset 40, 4 bytes) and `enqueued_local_size` "
                                 "(offset 43, 12 bytes) share bytes of the payload [input-overlap]"))
            << ran.err;
        EXPECT_TRUE(has(ran.err, "note: the other one")) << ran.err;
    }
}

// Each input alone is a row of small numbers; the first lane of `y` is the last of `x`, and no small number
// then.
TEST_F(EditedText, AliasedInputsThatShareBytesAreRefused) {
    const std::string text = source("aliases.visaasm", R"(.version 4.1
.kernel "k"
.decl base v_type=G type=ud num_elts=64 align=GRF
.decl y v_type=G type=ud num_elts=16 align=dword alias=<base, 60>
.decl x v_type=G type=ud num_elts=16 align=dword alias=<base, 0>
.decl offsets v_type=G type=ud num_elts=16 align=GRF
.decl out v_type=T num_elts=1
.input y offset=64 size=64
.input x offset=128 size=64
.kernel_attr SimdSize=16
.kernel_attr SLMSize=64
    shl (M1, 16) offsets(0,0)<1> y(0,0)<1;1,0> 0xf:ud
    scatter_scaled.4 (M1, 16) T0 0x0:ud offsets.0 x.0
    ret (M1, 1)
)");
    for (const char* engine : {"interp", "jit"}) {
        const auto ran =
            visor({"run", text, "-g", "16,2", "-l", "16,2", "-a", "y=lid.y", "x=lane", "--engine", engine});
        EXPECT_EQ(ran.exit_code, 1);
        EXPECT_TRUE(has(ran.err, "aliases.visaasm:8:8: error: the inputs `x` and `y` share byte 60 of `base` "
                                 "[input-overlap]"))
            << ran.err;
        EXPECT_TRUE(has(ran.err, "aliases.visaasm:9:8: note: the other input")) << ran.err;
    }
}

} // namespace
} // namespace visor::cli
