// What loading keeps grows with the file, not with its square.
#include "vm/units.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace visor::vm {
namespace {

constexpr int many = 20000;

std::string kernels(std::string_view first_line) {
    std::string text = ".version 4.1\n";
    for (int i = 0; i < many; ++i)
        text += fmt::format(".kernel \"k{}\"\n{}ret (M1, 1)\n", i, i == 0 ? first_line : "");
    return text;
}

std::expected<std::shared_ptr<const Program>, Error> load(const std::string& text, std::string& warnings) {
    Context context(*isa::device_named("skl"));
    return context.load("many.visaasm", text, {}, warnings);
}

// 0.6 MB: with a text of its own each kernel would make 11 GB of it.
TEST(Load, KernelsOfAFileShareItsText) {
    std::string warnings;
    const auto program = load(kernels(""), warnings);
    ASSERT_TRUE(program) << program.error().text;
    EXPECT_EQ(vm::kernels(**program).size(), size_t{many});
    const auto first = source_of(**program, "k0");
    const auto last = source_of(**program, "k19999");
    ASSERT_TRUE(first && last);
    EXPECT_EQ(first->text.data(), last->text.data());
    EXPECT_EQ(last->text.substr(0, 12), ".version 4.1");
}

// Which kernels are refused is asked of each alone, without a copy of the others.
TEST(Load, OneOfManyKernelsIsRefused) {
    std::string warnings;
    const auto program = load(kernels(".decl A v_type=G type=ud num_elts=8\n"
                                      "add3 (M1, 8) A(0,0)<1> A(0,0)<1;1,0> A(0,0)<1;1,0> A(0,0)<1;1,0>\n"),
                              warnings);
    ASSERT_TRUE(program) << program.error().text;
    EXPECT_NE(warnings.find("kernel `k0` cannot run"), std::string::npos) << warnings;
    EXPECT_TRUE(source_of(**program, "k1"));
}

// A compiled program whose texts have declarations alone, as IGC 2.40 writes them of explicit SIMD: to run
// it would do nothing, and look well.
TEST(Load, CompiledTextsWithoutInstructionsAreRefused) {
    std::ifstream file(VISOR_LAUNCH_DATA "/saxpy.skl.zebin", std::ios::binary);
    std::string zebin{std::istreambuf_iterator<char>(file), {}};
    Context context(*isa::device_named("skl"));
    std::string warnings;
    ASSERT_TRUE(context.load("saxpy.zebin", zebin, {}, warnings));
    for (size_t begin = 0; begin != std::string::npos; begin = zebin.find('\n', begin + 1))
        if (zebin.compare(begin, 5, "\n    ") == 0 && zebin.find("(M", begin) < zebin.find('\n', begin + 1))
            zebin.replace(begin + 1, 2, "//"); // an instruction
    const auto program = context.load("saxpy.zebin", zebin, {}, warnings);
    ASSERT_TRUE(program); // of several kernels each is refused when it is asked for
    EXPECT_FALSE(source_of(**program, "saxpy"));
    EXPECT_NE(warnings.find("unsupported by Visor: kernel `saxpy`: the compiler wrote its declarations and "
                            "none of its instructions"),
              std::string::npos)
        << warnings;
}

// 50,000 findings on one line of 0.7 MB: its beginning and end are looked for once.
TEST(Render, ManyMessagesAboutOneLongLine) {
    std::string text = ".version 4.1\n.kernel \"k\"\n"
                       ".decl V32 v_type=G type=ud num_elts=8 align=GRF attrs={a0=0";
    for (int i = 1; i < 50000; ++i)
        text += fmt::format(", a{0}={0}", i);
    Unit unit = read_text("long.visaasm", text + "}\nret (M1, 1)\n", nullptr, SIZE_MAX);
    check(unit, verify::Profile::spec, nullptr);
    const std::string rendered = render(unit, Color::off);
    EXPECT_EQ(unit.diagnostics.all().size(), 50000U);
    EXPECT_NE(rendered.find("long.visaasm:3:56: "), std::string::npos) << rendered.substr(0, 500);
}

} // namespace
} // namespace visor::vm
