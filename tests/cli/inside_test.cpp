// Looking inside a run: final registers, traces, and everything as one JSON object. The kernels are small
// enough to say by hand what each register and each access must be.
#include "end_to_end.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

namespace visor::cli {
namespace {

using nlohmann::json;

// Four instructions on eight lanes: twice = 2 * lane; P1 = lane < 3; where P1, twice += 100; store to T6.
constexpr const char* small = R"(.version 4.1
.kernel "small"
.decl lane v_type=G type=d num_elts=8 align=GRF
.decl twice v_type=G type=d num_elts=16 align=GRF
.decl where v_type=G type=ud num_elts=8 align=GRF
.decl idle v_type=G type=d num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.decl A0 v_type=A num_elts=1
.decl T6 v_type=T num_elts=1
.input lane offset=32 size=32
.input T6 offset=64 size=4
.kernel_attr SimdSize=8
    mul (M1, 8) twice(0,0)<1> lane(0,0)<1;1,0> 2:w
    cmp.lt (M1, 8) P1 lane(0,0)<1;1,0> 3:d
    (P1) add (M1, 8) twice(0,0)<1> twice(0,0)<1;1,0> 100:d
    shl (M1, 8) where(0,0)<1> lane(0,0)<1;1,0> 2:d
    addr_add (M1, 1) A0(0)<1> &twice 8:uw
    scatter_scaled.4 (M1, 8) T6 0x0:ud where.0 twice.0
    ret (M1, 1)
)";

class Inside : public EndToEnd {
protected:
    [[nodiscard]] test::Finished run_small(const std::vector<std::string>& more) const {
        std::vector<std::string> words{
            "run",           source("small.visaasm", small), "--groups", "2", "-a", "lane=lane", "-a",
            "T6=zeros:i32:8"};
        words.insert(words.end(), more.begin(), more.end());
        return visor(words);
    }
    [[nodiscard]] std::vector<json> lines_of(const std::string& name) const {
        std::vector<json> lines;
        std::istringstream text(test::read_file(file(name)));
        for (std::string line; std::getline(text, line);)
            lines.push_back(json::parse(line));
        return lines;
    }
};

// ---- registers

TEST_F(Inside, FinalRegisters) {
    const auto ran = run_small({"--dump", "twice,P1,A0,T6,idle"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "twice = 100 102 104 6 8 10 12 14 ...\n"
                       "P1 = 1 1 1 0 0 0 0 0\n"
                       "A0 = twice+8\n"
                       "T6 = 0\n"
                       "idle = (the kernel does not use it)\n");
}

TEST_F(Inside, AllOfARegister) {
    const auto ran = run_small({"-v", "--dump", "P1,twice@1:0"});
    EXPECT_EQ(ran.out,
              "P1 = 1 1 1 0 0 0 0 0\n"
              "twice = 100 102 104 6 8 10 12 14 0 0 0 0 0 0 0 0\n"
              "  d, 64 bytes: 64 00 00 00 66 00 00 00 68 00 00 00 06 00 00 00 08 00 00 00 0a 00 00 00"
              " 0c 00 00 00 0e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
              " 00 00 00 00 00 00 00 00 00 00\n")
        << ran.err;
}

TEST_F(Inside, RegistersOfAThread) {
    const std::string kernel =
        source("g.cl", "__kernel void g(__global int* p) { p[get_global_id(0)] = get_group_id(0); }");
    const auto ran =
        visor({"run", kernel, "-g", "96", "-l", "32", "-a", "zeros:i32:96", "--dump", "%r0@2:0"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out.substr(0, 10), "%r0 = 0 2 ") << "the second dword is the group's id";
    const auto ids =
        visor({"run", kernel, "-g", "96", "-l", "32", "-a", "zeros:i32:96", "--dump", "%group_id_x@2,0,0:0"});
    EXPECT_EQ(ids.exit_code, 0) << ids.err;
}

TEST_F(Inside, ASurfaceOfNothing) {
    const auto ran = visor({"run", source("small.visaasm", small), "--groups", "1", "-a", "lane=lane", "-a",
                            "T6=null", "--trace", file("t.jsonl")});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(lines_of("t.jsonl")[5]["memory"][0]["dropped"], (json{0, 1, 2, 3, 4, 5, 6, 7}));
}

// A thread that waits for ever has registers all the same, and a trace.
TEST_F(Inside, ThreadsThatWaitForEver) {
    const std::string text = source("wait.visaasm", R"(.version 4.1
.kernel "wait"
.decl seen v_type=G type=d num_elts=8 align=GRF
.kernel_attr SimdSize=8
    mov (M1, 8) seen(0,0)<1> 7:d
    sbarrier.wait
    ret (M1, 1)
)");
    const auto ran = visor({"run", text, "--groups", "1", "--hw-threads", "2", "--dump", "seen@0:0",
                            "--trace", file("t.jsonl")});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_EQ(ran.out, "seen = 7 7 7 7 7 7 7 7\n") << ran.err;
    EXPECT_EQ(lines_of("t.jsonl").back()["fault"], "deadlock");
}

TEST_F(Inside, MistakesOfDumping) {
    const auto name = run_small({"--dump", "twise"});
    EXPECT_EQ(name.exit_code, 1);
    EXPECT_TRUE(has(name.err, "no variable `twise` (did you mean `twice`")) << name.err;
    const auto group = run_small({"--dump", "twice@2:0"});
    EXPECT_EQ(group.exit_code, 1);
    EXPECT_TRUE(has(group.err, "no hardware thread 0 of group 2")) << group.err;
    EXPECT_EQ(run_small({"--dump", "twice@x:0"}).exit_code, 2);
    EXPECT_EQ(run_small({"--dump", "twice@0:x"}).exit_code, 2);
    EXPECT_EQ(run_small({"--dump", "twice,"}).exit_code, 2);
}

TEST_F(Inside, RegistersOfAThreadThatFaulted) {
    const std::string text = source("far.visaasm", R"(.version 4.1
.kernel "far"
.decl to v_type=G type=uq num_elts=1 align=qword
.decl data v_type=G type=d num_elts=8 align=GRF
.kernel_attr SimdSize=8
    mov (M1_NM, 1) to(0,0)<1> 0x1234:uq
    svm_block_ld (2) to(0,0)<0;1,0> data.0
    ret (M1, 1)
)");
    const auto ran = visor({"run", text, "--groups", "1", "--dump", "to"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_EQ(ran.out, "to = 4660\n") << ran.err;
}

// ---- traces

TEST_F(Inside, TraceOfEveryInstruction) {
    const auto ran = run_small({"--trace", file("t.jsonl")});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const std::vector<json> lines = lines_of("t.jsonl");
    ASSERT_EQ(lines.size(), 14U) << "seven instructions in two groups";
    const json& first = lines[0];
    EXPECT_EQ(first["kernel"], "small");
    EXPECT_EQ(first["group"], (json{0, 0, 0}));
    EXPECT_EQ(first["line"], 13);
    EXPECT_EQ(first["mask"], "0xff");
    EXPECT_EQ(first["writes"][0]["to"], "twice");
    EXPECT_EQ(first["writes"][0]["values"], (json{0, 2, 4, 6, 8, 10, 12, 14}));
    EXPECT_EQ(lines[1]["writes"][0]["values"], (json{1, 1, 1, 0, 0, 0, 0, 0}));
    EXPECT_EQ(lines[2]["lanes"], (json{0, 1, 2}));
    EXPECT_EQ(lines[2]["writes"][0]["values"], (json{100, 102, 104}));
    EXPECT_EQ(lines[4]["writes"][0]["to"], "A0");
    const json& store = lines[5]["memory"][0];
    EXPECT_EQ(store["kind"], "write");
    EXPECT_EQ(store["space"], "surface");
    EXPECT_EQ(store["surface"], 0);
    EXPECT_EQ(store["bytes"], 4);
    EXPECT_EQ(store["addresses"], (json{"0x0", "0x4", "0x8", "0xc", "0x10", "0x14", "0x18", "0x1c"}));
    EXPECT_FALSE(lines[5].contains("writes"));
    EXPECT_EQ(lines[7]["group"], (json{1, 0, 0}));
}

// Registers and writes are those of the function that an instruction stands in, also after a call or a
// return.
TEST_F(Inside, ATraceOfFunctions) {
    const std::string text = source("calls.visaasm", R"(.version 4.1
.kernel "k"
.decl x v_type=G type=d num_elts=8 align=GRF
.kernel_attr SimdSize=8
    mov (M1, 8) x(0,0)<1> 1:d
    fcall (M1, 8) f 0 1
    mov (M1, 8) x(0,0)<1> %retval(0,0)<1;1,0>
    ret (M1, 1)
.global_function "f"
.decl y v_type=G type=d num_elts=8 align=GRF
    mov (M1, 8) y(0,0)<1> 5:d
    mov (M1, 8) %retval(0,0)<1> y(0,0)<1;1,0>
    fret (M1, 8)
)");
    const auto ran = visor({"run", text, "--groups", "1", "--trace", file("t.jsonl"), "--dump", "x"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(ran.out, "x = 5 5 5 5 5 5 5 5\n");
    const std::vector<json> lines = lines_of("t.jsonl");
    ASSERT_EQ(lines.size(), 7U);
    const std::array<int, 7> places{5, 6, 11, 12, 13, 7, 8};
    for (size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(lines[i]["line"], places[i]);
        EXPECT_EQ(lines[i]["kernel"], "k");
        EXPECT_EQ(lines[i].contains("function"), i >= 2 && i <= 4);
    }
    EXPECT_EQ(lines[2]["function"], "f");
    EXPECT_FALSE(lines[1].contains("writes"));
    EXPECT_EQ(lines[2]["writes"][0]["to"], "y");
    EXPECT_EQ(lines[2]["writes"][0]["values"], json(std::vector<int>(8, 5)));
    EXPECT_EQ(lines[5]["writes"][0]["to"], "x");
    EXPECT_EQ(lines[5]["writes"][0]["values"], json(std::vector<int>(8, 5)));
}

TEST_F(Inside, TraceNarrowed) {
    const auto ran = run_small({"--trace", file("t.jsonl"), "--trace-lanes", "1-2,5", "--trace-group", "1"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const std::vector<json> lines = lines_of("t.jsonl");
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_EQ(lines[0]["group"], (json{1, 0, 0}));
    EXPECT_EQ(lines[0]["lanes"], (json{1, 2, 5}));
    EXPECT_EQ(lines[0]["writes"][0]["values"], (json{2, 4, 10}));
    EXPECT_EQ(lines[2]["lanes"], (json{1, 2}));
    EXPECT_EQ(lines[5]["memory"][0]["addresses"], (json{"0x4", "0x8", "0x14"}));
    EXPECT_EQ(run_small({"--trace-lanes", "1"}).exit_code, 2);
    EXPECT_EQ(run_small({"--trace", "-", "--trace-lanes", "1-32"}).exit_code, 2);
    EXPECT_EQ(run_small({"--trace", "-", "--trace-group", "a"}).exit_code, 2);
}

TEST_F(Inside, TracesAreTheSameFromRunToRun) {
    const std::vector<std::string> words{"-a", "y=iota:f32:4", "-a",       "x=iota:f32:4", "-a",     "a=2",
                                         "-a", "n=4",          "--device", "pvc",          "--trace"};
    auto once = words;
    once.push_back(file("a.jsonl"));
    auto again = words;
    again.push_back(file("b.jsonl"));
    ASSERT_EQ(run_saxpy(once).exit_code, 0);
    ASSERT_EQ(run_saxpy(again).exit_code, 0);
    EXPECT_EQ(test::read_file(file("a.jsonl")), test::read_file(file("b.jsonl")));
    // A flat access is placed in its array.
    const std::vector<json> lines = lines_of("a.jsonl");
    const bool placed = std::ranges::any_of(lines, [](const json& line) {
        return line.contains("memory") && line["memory"][0].value("in", "") == "argument 1 `x`" &&
               line["memory"][0]["offset"] == 0;
    });
    EXPECT_TRUE(placed);
}

TEST_F(Inside, TheTraceOfAFaultEndsWithIt) {
    const auto ran =
        run_saxpy({"-a", "zeros:f32:4", "null", "1", "4", "--device", "pvc", "--trace", file("t.jsonl")});
    EXPECT_EQ(ran.exit_code, 1) << ran.err;
    const std::vector<json> lines = lines_of("t.jsonl");
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines.back()["fault"], "out_of_bounds");
}

TEST_F(Inside, ATraceThatCannotBeWritten) {
    const auto ran = run_small({"--trace", file("nowhere/t.jsonl")});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_EQ(last_line(ran.err), "visor: no kernel was run");
}

// ---- one object with everything

TEST_F(Inside, ARunAsJson) {
    const std::string kernel = source("p.cl", "__kernel void p(__global float* y, int n) { "
                                              "y[get_global_id(0)] = n / 4.0f; printf(\"n=%d\\n\", n); }");
    const auto ran = visor({"run", kernel, "-g", "2", "-l", "1", "-a", "y=zeros:f32:2", "n=5", "--print",
                            "y:1", "--out", "y=" + file("y.npy"), "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const json told = json::parse(ran.out);
    EXPECT_EQ(told["version"], 1);
    EXPECT_EQ(told["verb"], "run");
    EXPECT_EQ(told["exit_code"], 0);
    EXPECT_EQ(told["device"], "skl");
    EXPECT_TRUE(told["errors"].empty());
    const json& launch = told["launches"][0];
    EXPECT_EQ(launch["kernel"]["signature"], "p(float* y, int n)");
    EXPECT_EQ(launch["kernel"]["parameters"][1]["element"], "i32");
    EXPECT_EQ(launch["shape"]["global"], (json{2}));
    EXPECT_EQ(launch["shape"]["local"], (json{1, 1, 1}));
    EXPECT_EQ(launch["shape"]["groups"], (json{2, 1, 1}));
    EXPECT_EQ(launch["counts"]["work_groups"], 2);
    EXPECT_EQ(launch["printf"], "n=5\nn=5\n");
    EXPECT_EQ(launch["finished"], true);
    EXPECT_EQ(told["prints"][0]["values"], (json{1.25}));
    EXPECT_EQ(told["prints"][0]["elements"], 2);
    EXPECT_EQ(told["files"][0]["type"], "f32");
    EXPECT_TRUE(has(last_line(ran.err), "visor: 1 kernel")) << ran.err;
}

TEST_F(Inside, AFaultAsJson) {
    const auto ran = run_saxpy({"-a", "zeros:f32:4", "null", "1", "4", "--device", "pvc", "--json"});
    EXPECT_EQ(ran.exit_code, 1);
    const json told = json::parse(ran.out);
    EXPECT_EQ(told["exit_code"], 1);
    EXPECT_TRUE(has(told["errors"][0]["message"], "outside every allocation"));
    const json& fault = told["launches"][0]["fault"];
    EXPECT_EQ(fault["kind"], "out_of_bounds");
    EXPECT_EQ(fault["address"], 0);
    EXPECT_EQ(fault["lane"], 0);
    EXPECT_EQ(told["launches"][0]["finished"], false);
}

TEST_F(Inside, MistakesAsJson) {
    const auto missing = visor({"run", file("none.cl"), "-g", "1", "--json"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_TRUE(has(json::parse(missing.out)["errors"][0]["message"], "none.cl"));
    const auto size = visor({"run", saxpy, "-k", "scale", "--json"});
    EXPECT_EQ(size.exit_code, 2);
    EXPECT_EQ(json::parse(size.out)["errors"][0]["exit_code"], 2);
    EXPECT_EQ(run_small({"--json", "--out", "T6=-"}).exit_code, 2);
    EXPECT_EQ(run_small({"--json", "--trace", "-"}).exit_code, 2);
}

TEST_F(Inside, NumbersThatJsonDoesNotHave) {
    const auto ran = run_small({"--json", "--print", "T6:1:f32", "--dump", "P1"});
    const json told = json::parse(ran.out);
    EXPECT_EQ(told["launches"][0]["registers"][0]["values"][0]["elements"], (json{1, 1, 1, 0, 0, 0, 0, 0}));
    const std::string kernel =
        source("n.cl", "__kernel void n(__global float* y) { y[0] = NAN; y[1] = -INFINITY; y[2] = 0.1f; }");
    const auto odd = visor({"run", kernel, "-g", "1", "-a", "zeros:f32:3", "--print", "y", "--json"});
    const json values = json::parse(odd.out)["prints"][0]["values"];
    EXPECT_EQ(values[0], "nan");
    EXPECT_EQ(values[1], "-inf");
    EXPECT_TRUE(has(odd.out, " 0.1\n")) << odd.out;
}

TEST_F(Inside, InfoAsJson) {
    const json file = json::parse(visor({"info", saxpy, "--json"}).out);
    EXPECT_EQ(file["kernels"][0]["signature"], "saxpy(float* y, float* x, float a, int n)");
    EXPECT_EQ(file["kernels"][1]["parameters"][1]["kind"], "value");
    const json build = json::parse(visor({"info", "--json"}).out);
    EXPECT_EQ(build["devices"][0]["name"], "skl");
    const auto device = [&](const char* name) -> const json& {
        return *std::ranges::find_if(build["devices"], [&](const json& one) { return one["name"] == name; });
    };
    EXPECT_EQ(device("skl")["simd_widths"], (json{8, 16, 32}));
    EXPECT_EQ(device("pvc")["simd_widths"], (json{16, 32})); // the smallest kernel fills a register of floats
    EXPECT_EQ(device("skl")["matrix"], json::array());
    EXPECT_EQ(device("dg2")["matrix"], json::array({"dpasw", "dpas"}));
    EXPECT_EQ(device("pvc")["matrix"], json::array({"dpas"}));
    EXPECT_EQ(device("mtl")["matrix"], json::array());
    EXPECT_TRUE(device("skl")["samplers"] == true && device("skl")["images"] == true);
    EXPECT_TRUE(device("pvc")["samplers"] == false && device("pvc")["images"] == false);
    EXPECT_TRUE(device("cri")["samplers"] == true && device("cri")["images"] == false);
    const json& counted = device("skl")["instructions"];
    EXPECT_LT(counted["executed"], counted["available"]);
    EXPECT_TRUE(build["environment"].contains("VISOR_CACHE_DIR"));
    const auto wrong = visor({"info", this->file("none"), "--json"});
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_EQ(json::parse(wrong.out)["exit_code"], 1);
}

} // namespace
} // namespace visor::cli
