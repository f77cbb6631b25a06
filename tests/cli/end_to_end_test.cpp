// The program as its users see it: exit codes, standard output, standard error, files. What it computes is
// compared with numbers worked out by hand; what it computes right is the business of tests/examples and
// tests/cases.
#include "end_to_end.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

using namespace std::string_literals;
// ---- what works
// ------------------------------------------------------------------------------------------------

TEST_F(EndToEnd, SaxpyPrintsItsResults) {
    const auto ran = run_saxpy({"-a", "fill:f32:4:1", "iota:f32:4", "2.5", "3", "--print", "y"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "y = 1 3.5 6 1\n");
    EXPECT_EQ(last_line(ran.err).rfind("visor: 1 kernel, 1 work-group, ", 0), 0U) << ran.err;
}

TEST_F(EndToEnd, ArgumentsByNameByIndexAndNegative) {
    const auto ran = run_saxpy({"-a", "n=4", "-a", "2=-1", "-a", "fill:f32:4:1", "-a", "x=fill:f32:4:3",
                                "--print", "0:2", "--print", "y:1:u32"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "0 = -2 -2\ny = 3221225472\n");
}

TEST_F(EndToEnd, TheSameArrayTwice) {
    const auto ran = run_saxpy({"-a", "iota:f32:4", "@=y", "2", "4", "--print", "y", "--print", "x"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "y = 0 3 6 9\nx = 0 3 6 9\n");
}

TEST_F(EndToEnd, FilesInAndOut) {
    const auto first = run_saxpy({"-a", "fill:f32:2x2:1", "iota:f32:4", "2", "4", "--out",
                                  "y=" + file("y.npy"), "--out", "0=" + file("y.bin")});
    ASSERT_EQ(first.exit_code, 0) << first.err;
    const std::string npy = test::read_file(file("y.npy"));
    EXPECT_TRUE(has(npy, "'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), ")) << npy;
    const std::string data = "\0\0\x80\x3f\0\0\x40\x40\0\0\xa0\x40\0\0\xe0\x40"s; // 1 3 5 7
    EXPECT_EQ(npy.substr(npy.size() - 16), data);
    EXPECT_EQ(test::read_file(file("y.bin")), data);
    const auto second =
        run_saxpy({"-a", "@" + file("y.npy"), "@" + file("y.bin"), "1", "4", "--print", "y", "--print", "x"});
    EXPECT_EQ(second.out, "y = 2 6 10 14\nx = 1 3 5 7\n") << second.err;
}

TEST_F(EndToEnd, PicturesAsPngAndInTheTerminal) {
    const std::string kernel =
        source("grey.cl", "__kernel void grey(__global uchar* p) { size_t i = get_global_id(0); "
                          "p[i] = i < 4 ? 255 : 0; }");
    const auto ran = visor({"run", kernel, "-g", "8", "-a", "p=zeros:u8:2x4", "--out", "p=" + file("p.png"),
                            "--out", "p=-:gray8:8x1"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(test::read_file(file("p.png")).substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(ran.out, "@@@@    \n");
}

TEST_F(EndToEnd, CompileThenRunTheZebin) {
    const auto built = visor({"cc", saxpy, "-o", file("saxpy.zebin")});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    EXPECT_TRUE(has(last_line(built.err), "2 kernels")) << built.err;
    const auto ran = visor(
        {"run", file("saxpy.zebin"), "-k", "scale", "-g", "2", "-a", "iota:f32:2:1", "3", "--print", "0"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "0 = 3 6\n");
}

TEST_F(EndToEnd, SpirvOutAndBackIn) {
    const auto built = visor({"cc", saxpy, "--emit", "spv", "-o", file("saxpy.spv")});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    EXPECT_EQ(test::read_file(file("saxpy.spv")).substr(0, 4), "\x03\x02\x23\x07");
    const auto ran = visor(
        {"run", file("saxpy.spv"), "-k", "scale", "-g", "2", "-a", "iota:f32:2:1", "3", "--print", "0"});
    EXPECT_EQ(ran.out, "0 = 3 6\n") << ran.err;
}

TEST_F(EndToEnd, CompilerOptionsPassThrough) {
    const std::string kernel =
        source("n.cl", "#include \"inc.h\"\n__kernel void n(__global int* p) { p[0] = N + M; }");
    std::filesystem::create_directory(file("include dir"));
    test::write_file(file("include dir/inc.h"), "#define M 30\n");
    const auto built =
        visor({"cc", kernel, "-DN=12", "-I", file("include dir"), "-cl-std=CL2.0", "-o", file("n.zebin")});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const auto ran = visor({"run", file("n.zebin"), "-g", "1", "-a", "p=zeros:i32:1", "--print", "p"});
    EXPECT_EQ(ran.out, "p = 42\n") << ran.err;
    const auto direct = visor({"run", kernel, "-g", "1", "-a", "zeros:i32:1", "--print", "p", "--options",
                               "-DN=1 -I\"" + file("include dir") + "\""});
    EXPECT_EQ(direct.out, "p = 31\n") << direct.err;
}

// As hashcat has it: the folder is a macro's value.
TEST_F(EndToEnd, AnIncludeMadeOfMacrosReadsTheFolderThatTheyStandFor) {
    std::filesystem::create_directory(file("kernels"));
    std::filesystem::create_directory(file("headers"));
    test::write_file(file("headers/own.h"), "#define M 30\n");
    const std::string kernel = file("kernels/m.cl");
    test::write_file(kernel, "#define TEXT_(x) #x\n#define TEXT(x) TEXT_(x)\n#include TEXT(FOLDER/own.h)\n"
                             "__kernel void m(__global int* p) { p[0] = M; }");
    const auto ran = visor({"run", kernel, "-g", "1", "-a", "zeros:i32:1", "--print", "p", "--options",
                            "-D FOLDER=" + file("headers")});
    EXPECT_EQ(ran.out, "p = 30\n") << ran.err;
}

TEST_F(EndToEnd, HandWrittenText) {
    const std::string text = source("add5.visaasm", hand_written);
    const auto ran = visor({"run", text, "--groups", "1", "--hw-threads", "1", "-a", "to=iota:i32:8",
                            "amount=5", "--print", "to"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "to = 5 6 7 8 9 10 11 12\n");
    const auto items =
        visor({"run", text, "-g", "8", "-l", "8", "-a", "iota:i32:8", "-3", "--print", "to:2"});
    EXPECT_EQ(items.out, "to = -3 -2\n") << items.err;
}

TEST_F(EndToEnd, StandardInput) {
    const auto ran =
        visor({"run", "-", "--groups", "1", "-a", "iota:i32:8", "1", "--print", "to:1"}, {}, hand_written);
    EXPECT_EQ(ran.out, "to = 1\n") << ran.err;
}

TEST_F(EndToEnd, StructsByValue) {
    const std::string kernel =
        source("s.cl", "struct S { char a; int b; float c; };\n"
                       "__kernel void s(__global float* p, struct S s) { p[0] = s.a + s.b + s.c; }");
    const auto ran =
        visor({"run", kernel, "-g", "1", "-a", "zeros:f32:1", "i8:1,i32:2,f32:0.5", "--print", "p"});
    EXPECT_EQ(ran.out, "p = 3.5\n") << ran.err;
}

TEST_F(EndToEnd, LocalMemory) {
    const std::string kernel = source(
        "l.cl", "__kernel void l(__global int* p, __local int* t) { int i = get_local_id(0); t[i] = i; "
                "barrier(CLK_LOCAL_MEM_FENCE); p[i] = t[get_local_size(0) - 1 - i]; }");
    const auto ran =
        visor({"run", kernel, "-g", "4", "-l", "4", "-a", "zeros:i32:4", "local:16", "--print", "p"});
    EXPECT_EQ(ran.out, "p = 3 2 1 0\n") << ran.err;
}

TEST_F(EndToEnd, Threads) {
    const std::string kernel =
        source("a.cl", "__kernel void a(__global int* sum) { atomic_add(sum, (int)get_global_id(0)); }");
    const auto ran = visor(
        {"run", kernel, "-g", "1024", "-l", "16", "--threads", "4", "-a", "zeros:i32:1", "--print", "sum"});
    EXPECT_EQ(ran.out, "sum = 523776\n") << ran.err; // 1023 * 1024 / 2
}

TEST_F(EndToEnd, InfoOfAFile) {
    const auto told = visor({"info", saxpy});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_TRUE(has(told.out, "saxpy(float* y, float* x, float a, int n)")) << told.out;
    EXPECT_TRUE(has(told.out, "scale(float* y, float a)")) << told.out;
    const auto text = visor({"info", source("add5.visaasm", hand_written)});
    EXPECT_TRUE(has(text.out, "hand-written, SIMD8, 4 instructions")) << text.out;
}

TEST_F(EndToEnd, InfoOfTheBuild) {
    const auto told = visor({"info"});
    EXPECT_EQ(told.exit_code, 0);
    for (const char* part :
         {"skl", "pvc", "VISOR_CACHE_DIR", "VISOR_LIBEXEC", "NO_COLOR", "compiler", "workers   confined by ",
          "name    GRF SIMD    int64 fp64 dpas images    SLM group messages  compiler here; description\n",
          "  pvc      64 16 32     yes  yes  yes     no 131072  1024      LSC  "})
        EXPECT_TRUE(has(told.out, part)) << part;
}

TEST_F(EndToEnd, HelpAndVersion) {
    EXPECT_EQ(visor({"--version"}).out.rfind("visor ", 0), 0U);
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"--help"}, {"run", "--help"}, {"cc", "-h"}, {"info", "--help"}}) {
        const auto told = visor(words);
        EXPECT_EQ(told.exit_code, 0) << words[0];
        EXPECT_TRUE(has(told.out, "124  fuel or time spent")) << words[0];
    }
    const auto devices = visor({"run", "--device", "help"});
    EXPECT_EQ(devices.exit_code, 0) << devices.err;
    EXPECT_TRUE(has(devices.out, "tgllp"));
}

TEST_F(EndToEnd, QuietKeepsErrorsAndTheSummary) {
    const auto loud = run_saxpy({"-a", "zeros:f64:4", "zeros:f32:4", "1", "4", "-v", "--time"});
    EXPECT_TRUE(has(loud.err, "warning: argument 0 `y` (float*) points to f32, given an array of f64"))
        << loud.err;
    EXPECT_TRUE(has(loud.err, "saxpy(float* y, float* x, float a, int n)"));
    EXPECT_TRUE(has(loud.err, "prepare"));
    const auto quiet = run_saxpy({"-a", "zeros:f64:4", "zeros:f32:4", "1", "4", "-q"});
    EXPECT_EQ(std::count(quiet.err.begin(), quiet.err.end(), '\n'), 1) << quiet.err;
}

// ---- mistakes on the command line: exit 2
// --------------------------------------------------------------------------

struct Mistake {
    std::vector<std::string> words;
    const char* told;
};

TEST_F(EndToEnd, MistakesNameTheNearest) {
    const std::string k = saxpy;
    const std::vector<Mistake> mistakes{
        {{}, "a verb is missing"},
        {{"rnu"}, "did you mean `run`"},
        {{k}, "to run it: visor run"},
        {{"chek", k}, "unknown verb `chek` (did you mean `check`?)"},
        {{"run"}, "FILE is required"},
        {{"run", k, "--devise", "skl"}, "did you mean `--device`"},
        {{"run", k, "--device", "tglp"}, "did you mean `tgllp`"},
        {{"run", k, "--engine", "inter"}, "did you mean `interp`"},
        {{"run", k, "--color", "alway"}, "did you mean `always`"},
        {{"run", k, "-g", "64x64"}, "-g takes X[,Y[,Z]]"},
        {{"run", k, "-g", "0"}, "-g takes sizes from 1"},
        {{"run", k, "--fuel", "much"}, "--fuel: `much` is not a whole number"},
        {{"run", k, "--timeout", "-1"}, "--timeout takes seconds"},
        {{"run", k, "-a", "zero:f32:4"}, "did you mean `zeros`"},
        {{"run", k, "-a", "zeros:f33:4"}, "did you mean `f32`"},
        {{"run", k, "--out", "y=y.txt"}, ".npy, .bin or .png"},
        {{"run", k, "--print", "y:f33"}, "did you mean `f32`"},
        {{"run", k, "-k", "scale", "-a", "zeros:f32:4", "1"}, "the global size is missing"},
        {{"run", k, "-k", "scale", "--groups", "1", "-a", "zeros:f32:4", "1"}, "for hand-written vISA text"},
        {{"run", k, "-k", "scale", "-g", "4", "-l", "4,4", "-a", "zeros:f32:4", "1"}, "more dimensions"},
        {{"run", k, "--simd", "12"}, "--simd takes 8, 16 or 32"},
        {{"run", k, "--check=all,raec"}, "given `raec` (did you mean `race`?)"},
        {{"cc", k, "--emit", "spw"}, "did you mean `spv`"},
        {{"cc", k, "-D"}, "-D needs a value"},
    };
    for (const Mistake& mistake : mistakes) {
        const auto ran = visor(mistake.words);
        EXPECT_EQ(ran.exit_code, 2) << mistake.told << '\n' << ran.err;
        EXPECT_TRUE(has(ran.err, mistake.told)) << mistake.told << '\n' << ran.err;
        EXPECT_EQ(ran.out, "") << mistake.told;
    }
}

// ---- bad input: exit 1, and nothing lost
// ---------------------------------------------------------------------------

TEST_F(EndToEnd, WrongArgumentCount) {
    const auto few = run_saxpy({"-a", "zeros:f32:4", "zeros:f32:4"});
    EXPECT_EQ(few.exit_code, 1);
    EXPECT_TRUE(
        has(few.err, "takes 4 arguments, given 2: missing argument 2 `a` (float), argument 3 `n` (int)"))
        << few.err;
    const auto many = run_saxpy({"-a", "zeros:f32:4", "zeros:f32:4", "1", "2", "3"});
    EXPECT_EQ(many.exit_code, 1);
    EXPECT_TRUE(has(many.err, "takes 4 arguments, given 5")) << many.err;
    EXPECT_EQ(last_line(many.err), "visor: no kernel was run");
}

TEST_F(EndToEnd, WrongArgumentType) {
    const auto number = run_saxpy({"-a", "5", "zeros:f32:4", "1", "2"});
    EXPECT_EQ(number.exit_code, 1);
    EXPECT_TRUE(has(number.err, "argument 0 `y` (float*) takes an array")) << number.err;
    const auto array = run_saxpy({"-a", "zeros:f32:4", "zeros:f32:4", "zeros:f32:1", "2"});
    EXPECT_EQ(array.exit_code, 1);
    EXPECT_TRUE(has(array.err, "argument 2 `a` (float) takes a number; given `zeros:f32:1`")) << array.err;
    const auto word = run_saxpy({"-a", "zeros:f32:4", "zeros:f32:4", "1", "two"});
    EXPECT_EQ(word.exit_code, 1);
    EXPECT_TRUE(has(word.err, "argument 3 `n` (int): `two` is not a whole number")) << word.err;
    const auto wide = run_saxpy({"-a", "zeros:f32:4", "zeros:f32:4", "f64:1", "2"});
    EXPECT_EQ(wide.exit_code, 1);
    EXPECT_TRUE(has(wide.err, "argument 2 `a` (float) takes f32, given `f64:1`")) << wide.err;
}

TEST_F(EndToEnd, UnknownArgumentAndUnknownOutput) {
    const auto argument = run_saxpy({"-a", "yy=zeros:f32:4"});
    EXPECT_EQ(argument.exit_code, 1);
    EXPECT_TRUE(has(argument.err, "no argument `yy`")) << argument.err;
    const auto output = run_saxpy({"-a", "zeros:f32:4", "zeros:f32:4", "1", "4", "--print", "n"});
    EXPECT_EQ(output.exit_code, 1);
    EXPECT_TRUE(has(output.err, "--print n: no array is called `n`")) << output.err;
}

TEST_F(EndToEnd, UnknownKernel) {
    const auto near = visor({"run", saxpy, "-k", "saxpi", "-g", "1"});
    EXPECT_EQ(near.exit_code, 1);
    EXPECT_TRUE(has(near.err, "`saxpi`") && has(near.err, "did you mean `saxpy`")) << near.err;
    const auto none = visor({"run", saxpy, "-g", "1"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_TRUE(has(none.err, "saxpy") && has(none.err, "scale")) << none.err;
}

TEST_F(EndToEnd, LocalSizeTooLarge) {
    const auto ran =
        visor({"run", saxpy, "-k", "scale", "-g", "4096", "-l", "4096", "-a", "zeros:f32:4096", "1"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "4096") && has(ran.err, "256")) << ran.err;
}

TEST_F(EndToEnd, GlobalSizeThatTheLocalSizeDoesNotDivide) {
    const std::vector<std::string> words{"run", saxpy,           "-k", "scale",   "-g", "10", "-l", "4",
                                         "-a",  "fill:f32:10:1", "2",  "--print", "y"};
    const auto refused = visor(words);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_TRUE(has(refused.err, "CL2.0")) << refused.err;
    auto allowed = words;
    allowed.insert(allowed.end(), {"--options", "-cl-std=CL2.0"});
    const auto ran = visor(allowed);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "y = 2 2 2 2 2 2 2 2 2 2\n");
}

TEST_F(EndToEnd, DamagedZebin) {
    ASSERT_EQ(visor({"cc", saxpy, "-o", file("saxpy.zebin")}).exit_code, 0);
    const std::string whole = test::read_file(file("saxpy.zebin"));
    for (const size_t length :
         {size_t{0}, size_t{3}, size_t{40}, whole.size() / 3, whole.size() / 2, whole.size() - 1}) {
        const auto ran =
            visor({"run", source("cut.zebin", whole.substr(0, length)), "-k", "scale", "-g", "1"});
        EXPECT_EQ(ran.exit_code, 1) << length << '\n' << ran.err;
        EXPECT_TRUE(has(ran.err, "cut.zebin")) << length << '\n' << ran.err;
    }
    std::string scrambled = whole;
    for (size_t at = 64; at < scrambled.size(); at += 97)
        scrambled[at] = static_cast<char>(scrambled[at] ^ 0x55);
    const auto ran = visor({"run", source("scrambled.zebin", scrambled), "-k", "scale", "-g", "1"});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
}

TEST_F(EndToEnd, NotAProgram) {
    const auto text = visor({"run", source("notes.txt", "buy milk\n"), "-g", "1"});
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_TRUE(has(text.err, "notes.txt")) << text.err;
    const auto missing = visor({"run", file("none.cl"), "-g", "1"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_TRUE(has(missing.err, "none.cl") && has(missing.err, "No such file")) << missing.err;
}

TEST_F(EndToEnd, UnresolvedFunction) {
    const std::string kernel =
        source("u.cl", "float mystery(float);\n__kernel void u(__global float* p) { p[0] = mystery(p[0]); }");
    const auto ran = visor({"run", kernel, "-g", "1", "-a", "zeros:f32:1"});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_TRUE(has(ran.err, "mystery")) << ran.err;
}

std::string npy(const std::string& descr, const std::string& order, const std::string& data) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': (2, 2), }\n";
    return "\x93NUMPY\x01\0"s + static_cast<char>(header.size()) + '\0' + header + data;
}

TEST_F(EndToEnd, NumpyFilesThatAreNotSupported) {
    const std::vector<std::pair<std::string, const char*>> files{
        {npy("<f4", "True", std::string(16, '\0')), "Fortran order"},
        {npy(">f4", "False", std::string(16, '\0')), "big-endian"},
        {npy("|O", "False", std::string(32, '\0')), "Python objects"},
        {npy("<f4", "False", std::string(15, '\0')), "needs 16 bytes of data, the file has 15"},
    };
    for (const auto& [content, told] : files) {
        const std::string path = source("x.npy", content);
        const auto ran = run_saxpy({"-a", "zeros:f32:4", "@" + path, "1", "4"});
        EXPECT_EQ(ran.exit_code, 1) << told;
        EXPECT_TRUE(has(ran.err, told) && has(ran.err, "x.npy")) << ran.err;
        const bool whole = told != files.back().second; // the last one is of a good type
        EXPECT_EQ(has(ran.err, "supported are"), whole) << ran.err;
    }
}

TEST_F(EndToEnd, CompileError) {
    const std::string kernel = source("bad.cl", "__kernel void bad(__global float* p) {\n    p[0] = q;\n}\n");
    const auto ran = visor({"run", kernel, "-g", "1", "-a", "zeros:f32:1"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "bad.cl:2:12: error:") && has(ran.err, "'q'")) << ran.err;
    EXPECT_EQ(last_line(ran.err), "visor: no kernel was run");
    const auto built = visor({"cc", kernel, "-o", file("bad.zebin")});
    EXPECT_EQ(built.exit_code, 1);
    EXPECT_FALSE(std::filesystem::exists(file("bad.zebin")));
}

TEST_F(EndToEnd, ErrorsInTheText) {
    const std::string text =
        source("bad.visaasm",
               ".version 4.1\n.kernel \"k\"\n    mov (M1, 8) V0032(0,0)<1> 0x1:ud\n    ret (M1, 1)\n");
    const auto ran = visor({"run", text, "--groups", "1", "--simd", "8"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "bad.visaasm:3:") && has(ran.err, "V0032")) << ran.err;
}

TEST_F(EndToEnd, CompilerMissing) {
    const auto ran =
        visor({"run", saxpy, "-k", "scale", "-g", "1", "-a", "zeros:f32:1", "1", "--options", "-DFRESH"},
              {{"VISOR_LIBEXEC", file("nowhere")}, {"VISOR_CACHE_DIR", file("cache")}});
    EXPECT_EQ(ran.exit_code, 3) << ran.err;
}

// This compiler aborts on a recursive function that asks for work-item ids.
TEST_F(EndToEnd, CompilerCrashed) {
    const std::string kernel =
        source("r.cl", "int f(int n) { return n < 2 ? (int)get_local_id(0) : f(n - 1) + f(n - 2) + "
                       "(int)get_global_size(0); }\n"
                       "__kernel void r(__global int* p) { p[get_global_id(0)] = f(p[0]); }");
    const auto ran = visor({"run", kernel, "-g", "1", "-a", "zeros:i32:1"});
    EXPECT_EQ(ran.exit_code, 3) << ran.err;
    EXPECT_TRUE(has(ran.err, "compiler")) << ran.err;
}

TEST_F(EndToEnd, EndlessLoop) {
    const std::string kernel =
        source("e.cl", "__kernel void e(__global volatile int* p) { while (p[0] == 0) p[1]++; }");
    const auto fuel =
        visor({"run", kernel, "-g", "1", "-a", "zeros:i32:2", "--fuel", "10000", "--print", "p"});
    EXPECT_EQ(fuel.exit_code, 124) << fuel.err;
    EXPECT_TRUE(has(fuel.err, "fuel")) << fuel.err;
    EXPECT_EQ(fuel.out, "") << "results of a run that broke off are not printed";
    EXPECT_TRUE(has(last_line(fuel.err), "0 of 1")) << fuel.err;
    const auto time =
        visor({"run", kernel, "-g", "1", "-a", "zeros:i32:2", "--fuel", "0", "--timeout", "0.2"});
    EXPECT_EQ(time.exit_code, 124) << time.err;
    EXPECT_TRUE(has(time.err, "time")) << time.err;
}

TEST_F(EndToEnd, OutOfBounds) {
    const auto ran = run_saxpy({"-a", "zeros:f32:4", "null", "1", "4", "--device", "pvc"});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_TRUE(has(ran.err, "outside every allocation") && has(ran.err, "saxpy")) << ran.err;
    EXPECT_TRUE(has(last_line(ran.err), "broken off")) << ran.err;
}

TEST_F(EndToEnd, OutputsAreWholeOrNotAtAll) {
    const std::string old = source("y.npy", "old");
    const auto fault =
        run_saxpy({"-a", "zeros:f32:4", "null", "1", "4", "--device", "pvc", "--out", "y=" + old});
    EXPECT_EQ(fault.exit_code, 1);
    EXPECT_EQ(test::read_file(old), "old");
    EXPECT_TRUE(has(fault.err, "no output is written")) << fault.err;
    const auto folder = run_saxpy({"-a", "zeros:f32:4", "zeros:f32:4", "1", "4", "--out",
                                   "y=" + file("y2.npy"), "--out", "y=" + file("nowhere/y.npy")});
    EXPECT_EQ(folder.exit_code, 1);
    EXPECT_TRUE(has(folder.err, "nowhere/y.npy") && has(folder.err, "No such file")) << folder.err;
    EXPECT_TRUE(has(folder.err, "no kernel was run")) << "known before the run: " << folder.err;
    EXPECT_FALSE(std::filesystem::exists(file("y2.npy")));
}

// In the middle of a launch: no compiler is waited for.
TEST_F(EndToEnd, ASignalEndsALaunchWithItsSummary) {
    const std::string endless = source("endless.visaasm", R"(.version 4.1
.kernel "endless"
.decl to v_type=G type=uq num_elts=1 align=qword
.input to offset=32 size=8
.kernel_attr SimdSize=8
again:
    jmp (M1, 1) again
    ret (M1, 1)
)");
    const std::string old = source("to.npy", "old");
    static constexpr const char* script =
        R"("$0" run "$1" -g 1 -a zeros:i32:8 --fuel 0 --engine $3 --out to="$2" & sleep 1; kill -TERM $!; wait $!)";
    for (const char* const engine : {"interp", "jit"}) {
        const auto ran = test::run({"/bin/sh", "-c", script, VISOR_PROGRAM, endless, old, engine});
        EXPECT_EQ(ran.exit_code, 128 + 15) << ran.err;
        EXPECT_TRUE(has(ran.err, "error: stopped")) << ran.err;
        EXPECT_TRUE(has(ran.err, "visor: 1 kernel, 0 of 1 work-group, ")) << ran.err;
        EXPECT_TRUE(has(ran.err, "broken off; exact")) << ran.err;
        EXPECT_EQ(test::read_file(old), "old");
    }
}

TEST_F(EndToEnd, OutputThatDoesNotFitIsKnownBeforeTheRun) {
    const auto ran = run_saxpy(
        {"-a", "zeros:f32:4", "zeros:f32:4", "1", "4", "--out", "y=" + file("m.png") + ":rgba8:3x3"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_TRUE(has(ran.err, "36 bytes, the array has 16")) << ran.err;
    EXPECT_EQ(last_line(ran.err), "visor: no kernel was run");
}

TEST_F(EndToEnd, ArrayBeyondAllMemory) {
    const auto ran = run_saxpy({"-a", "zeros:u8:1000000000000000", "zeros:f32:4", "1", "4"});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
}

} // namespace
} // namespace visor::cli
