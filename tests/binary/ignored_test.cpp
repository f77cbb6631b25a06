// Bits and fields without a meaning: they do not make a file invalid, and they are reported. What a page
// calls "ignored" is kept (ruling 8).
#include "sample.h"

#include <gtest/gtest.h>

namespace visor::test {
namespace {

constexpr std::string_view variables =
    ".decl V32 v_type=G type=uq num_elts=16 align=GRF\n"
    ".decl V33 v_type=G type=ud num_elts=16 align=GRF\n"
    ".decl P1 v_type=P num_elts=16\n.decl A0 v_type=A num_elts=1\n.decl T6 v_type=T num_elts=1";

struct Changed {
    Bytes file;
    std::optional<Module> module;
    Diagnostics diagnostics;
};

// The first instruction with one of its bytes changed.
Changed change(const std::string& instruction, size_t at, unsigned value) {
    Changed out;
    out.file = written(parsed(kernel_text(variables, "    " + instruction + "\n    ret (M1, 1)")));
    const size_t code = out.file.size() - code_of(out.file).size();
    out.file[code + at] = static_cast<std::byte>(value);
    out.module = binary::read(out.file, {}, out.diagnostics);
    return out;
}

const std::string scatter = "scatter_scaled.4 (M1, 16) T6 0x0:ud V33.0 V33.0";

TEST(Ignored, FieldsOfAPageAreKeptAndReported) { // ruling 8
    const Changed block_size = change(scatter, 4, 9);
    ASSERT_TRUE(block_size.module.has_value());
    EXPECT_EQ(block_size.module->functions[0].code[0].operands[0].value, 9U);
    EXPECT_EQ(count_rule(block_size.diagnostics, "ignored-field"), 1U);
    EXPECT_EQ(written(*block_size.module), block_size.file);
    const Changed scale = change(scatter, 7, 5);
    ASSERT_TRUE(scale.module.has_value());
    EXPECT_EQ(scale.module->functions[0].code[0].operands[2].value, 0x500U);
    EXPECT_EQ(count_rule(scale.diagnostics, "ignored-field"), 1U);
    EXPECT_EQ(written(*scale.module), scale.file);
}

const std::string load = "lsc_load.ugm (M1, 16) V33:d32 flat[V32]:a64";
const std::string load_block = "lsc_load_block2d.ugm (M1, 1) V33:d16.1x16x8nt flat[V32,V33,V33,V33,V33,V33]";

TEST(Ignored, BitsAreReportedAndLost) {
    struct Case {
        const char* what;
        std::string instruction;
        size_t at;
        unsigned value;
    };
    const Case cases[]{
        {"exec bit 3", scatter, 1, 0x0c},
        {"predicate bit 12", "(P1) " + scatter, 3, 0x10},
        {"predicate control 3", "(P1) " + scatter, 3, 0x60},
        {"predicate 0 inverted", scatter, 3, 0x80},
        {"relation bit 7", "cmp.ge (M1, 16) P1 V33(0,0)<1;1,0> 0x0:ud", 2, 0x83},
        {"atomic bit 7", "svm_atomic.add (M1, 8) V32.0 V33.0 V33.0 %null.0", 5, 0x80},
        {"tag bits 7 and 6", "mov (M1, 16) V33(0,0)<1> 0x7:ud", 4, 0xc0},
        {"type of an immediate", "mov (M1, 16) V33(0,0)<1> 0x7:ud", 14, 0x10},
        {"region bits above", "mov (M1, 16) V33(0,0)<1> 0x7:ud", 12, 0x12},
        {"width and vertical stride of a destination", "mov (M1, 16) V33(0,0)<1> 0x7:ud", 11, 0x33},
        {"width of an indirect destination", "mov (M1, 16) r[A0(0),0]<1>:ud 0x7:ud", 11, 0x30},
        {"offset of the null variable", "svm_atomic.inc (M1, 8) V32.0 %null.0 %null.0 V33.0", 16, 1},
        {"saturation of what cannot saturate", "not (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0>", 4, 0x20},
        {"flags of a sampler message", "load_lz.R (M1, 16) 0x0:uw T6 V32.0 %null.0 V33.0", 2, 0x18},
        {"bits of a lifetime", "lifetime.end A0", 1, 0x1f},
        {"data of a message without", load, 38, 33},
        {"channels of a message without", load, 19, 3},
        {"a third value of VNNI", load_block, 15, 2},
        {"region of a scalar", "lsc_load.ugm (M1, 16) V33:d32 bti(V33)[V33]:a32", 28, 0x02},
        {"letters of a software fence", "fence_sw", 1, 0x81},
        {"modifier of an immediate", "mov (M1, 16) V33(0,0)<1> 0x7:ud", 13, 0x15},
        {"saturation of a source", "mov (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0>", 13, 0x20},
    };
    for (const Case& item : cases) {
        SCOPED_TRACE(item.what);
        const Changed changed = change(item.instruction, item.at, item.value);
        ASSERT_TRUE(changed.module.has_value()) << messages(changed.diagnostics);
        EXPECT_EQ(count_rule(changed.diagnostics, "ignored-bits"), 1U) << messages(changed.diagnostics);
        EXPECT_EQ(changed.diagnostics.warnings(), 1U);
    }
}

TEST(Ignored, PartsOfRegionsThatAreNotThereCountAsZero) {
    const auto region = [](const std::string& instruction, size_t at, size_t operand) {
        const Changed changed = change(instruction, at, 0);
        EXPECT_TRUE(changed.module.has_value()) << messages(changed.diagnostics);
        EXPECT_EQ(changed.diagnostics.warnings(), 0U);
        return changed.module ? changed.module->functions[0].code[0].operands[operand].region : Region{};
    };
    const std::string direct = "mov (M1, 16) V33(0,0)<1> V33(0,0)<1;1,0>";
    EXPECT_EQ(region(direct, 20, 1), (Region{0, 0, 0}));
    EXPECT_EQ(region(direct, 21, 1), (Region{1, 1, 0}));
    EXPECT_EQ(region(direct, 12, 0), (Region{region_absent, region_absent, 0}));
    // An indirect source without a vertical stride has an address for each row.
    EXPECT_EQ(region("mov (M1, 16) V33(0,0)<1> r[A0(0),0]<4;2,1>:ud", 20, 1).horizontal, 1);
    EXPECT_EQ(region("mov (M1, 16) V33(0,0)<1> r[A0(0),0]<4;2,1>:ud", 21, 1), (Region{4, 2, 0}));
}

TEST(Ignored, Bit7OfABlockLoadMeansBit3) { // ruling 15
    const Changed changed = change("svm_block_ld (4) V32(0,0)<0;1,0> V33.0", 2, 0x82);
    ASSERT_TRUE(changed.module.has_value());
    EXPECT_EQ(changed.module->functions[0].code[0].operands[0].value, 0x0aU);
    EXPECT_EQ(count_rule(changed.diagnostics, "old-unaligned-bit"), 1U);
    EXPECT_EQ(changed.diagnostics.all().at(0).severity, Severity::note);
    EXPECT_EQ(code_of(written(*changed.module)).at(2), std::byte{0x0a});
}

TEST(Ignored, RemarksAboutOneFileAreFew) {
    std::string code;
    for (int i = 0; i < 300; ++i)
        code += "    " + scatter + "\n";
    Bytes file = written(parsed(kernel_text(variables, code + "    ret (M1, 1)")));
    const size_t begin = file.size() - code_of(file).size();
    for (size_t i = 0; i < 300; ++i)
        file[begin + i * 27 + 4] = std::byte{1};
    Diagnostics diagnostics;
    EXPECT_TRUE(binary::read(file, {}, diagnostics).has_value());
    EXPECT_EQ(diagnostics.warnings(), 100U);
}

} // namespace
} // namespace visor::test
