// Findings as data: where they stand in vISA and in the source, in JSON and in SARIF.
#include "end_to_end.h"

#include <nlohmann/json.hpp>

namespace visor::cli {
namespace {

using nlohmann::json;
using Findings = EndToEnd;

// Lane 1 of the access wants 8 bytes at byte 4; FILE and LOC say where that was asked for.
constexpr const char* misaligned = R"(.version 4.1
.kernel "k"
.decl offsets v_type=G type=ud num_elts=8 align=GRF
.decl data v_type=G type=q num_elts=8 align=GRF
.decl T6 v_type=T num_elts=1
.input offsets offset=32 size=32
.kernel_attr SimdSize=8
    FILE "asked.cl"
    LOC 12
    qw_gather.1 (M1, 4) T6 offsets.0 data.0
    ret (M1, 1)
)";

TEST_F(Findings, NameTheSourceLine) {
    const std::string text = source("k.visaasm", misaligned);
    const auto ran = visor({"run", text, "--groups", "1", "--hw-threads", "1", "--device", "dg2", "-a",
                            "offsets=0,4,8,16,0,0,0,0", "T6=zeros:u64:4", "--check=align", "--json",
                            "--sarif", file("found.sarif")});
    ASSERT_EQ(ran.exit_code, 1) << ran.err;
    const json party = json::parse(ran.out)["findings"][0]["party"];
    EXPECT_EQ(party["source"], json({{"file", "asked.cl"}, {"line", 12}}));
    EXPECT_EQ(party["visa"], json({{"file", text}, {"line", 10}, {"column", 5}}));

    const json place =
        json::parse(test::read_file(file("found.sarif")))["runs"][0]["results"][0]["locations"][0];
    EXPECT_EQ(place["physicalLocation"],
              json({{"artifactLocation", {{"uri", "asked.cl"}}}, {"region", {{"startLine", 12}}}}));
    EXPECT_EQ(place["properties"]["visa"], party["visa"]);
}

TEST_F(Findings, NameTheTextWhereNothingIsKnown) {
    const std::string text = source("k.visaasm", replaced(misaligned, "LOC 12", "LOC 0"));
    const auto ran = visor({"run", text, "--groups", "1", "--hw-threads", "1", "--device", "dg2", "-a",
                            "offsets=0,4,8,16,0,0,0,0", "T6=zeros:u64:4", "--check=align", "--json",
                            "--sarif", file("found.sarif")});
    ASSERT_EQ(ran.exit_code, 1) << ran.err;
    EXPECT_FALSE(json::parse(ran.out)["findings"][0]["party"].contains("source"));
    const json place =
        json::parse(test::read_file(file("found.sarif")))["runs"][0]["results"][0]["locations"][0];
    EXPECT_EQ(place["physicalLocation"], json({{"artifactLocation", {{"uri", text}}},
                                               {"region", {{"startLine", 10}, {"startColumn", 5}}}}));
}

TEST_F(Findings, FaultsNameTheSourceLine) {
    const std::string text = source("k.cl", "kernel void k(global long* p) {\n"
                                            "    global long* q = (global long*)p[0];\n"
                                            "    *q = 1;\n}\n");
    const auto ran = visor({"run", text, "-g", "1", "-a", "zeros:i64:1", "--check=race", "--json"});
    ASSERT_EQ(ran.exit_code, 1) << ran.err;
    const json fault = json::parse(ran.out)["launches"][0]["fault"];
    EXPECT_EQ(fault["source"], json({{"file", text}, {"line", 3}}));
    EXPECT_TRUE(has(ran.err, text + ":3: error: memory access outside every allocation\n    k.visaasm:"))
        << ran.err;
}

} // namespace
} // namespace visor::cli
