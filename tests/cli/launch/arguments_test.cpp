#include "cli/launch/arguments.h"

#include "cli/options/words.h"

#include <cstring>
#include <gtest/gtest.h>

namespace visor::cli {
namespace {

using vm::ParameterKind;

vm::Parameter parameter(ParameterKind kind, std::string name, std::string type, isa::Type element,
                        uint32_t bytes, uint32_t elements = 1, bool known = true) {
    vm::Parameter out;
    out.kind = kind;
    out.name = std::move(name);
    out.type_name = std::move(type);
    out.element = element;
    out.element_known = known;
    out.bytes = bytes;
    out.elements = elements;
    return out;
}

vm::KernelFacts saxpy() {
    vm::KernelFacts kernel;
    kernel.name = "saxpy";
    kernel.parameters = {parameter(ParameterKind::buffer, "y", "float*", isa::Type::f, 8),
                         parameter(ParameterKind::buffer, "x", "float*", isa::Type::f, 8),
                         parameter(ParameterKind::value, "a", "float", isa::Type::f, 4),
                         parameter(ParameterKind::value, "n", "int", isa::Type::d, 4)};
    return kernel;
}

std::vector<ArgumentText> texts(std::initializer_list<const char*> list) {
    std::vector<ArgumentText> out;
    for (const char* text : list)
        out.push_back(parse_argument(text).value());
    return out;
}

std::vector<std::string> matched(std::initializer_list<const char*> list) {
    const auto arguments = texts(list);
    const auto result = match_arguments(saxpy(), arguments);
    EXPECT_TRUE(result.has_value()) << result.error().text;
    std::vector<std::string> out;
    for (const ArgumentText* argument : result.value_or(std::vector<const ArgumentText*>{}))
        out.push_back(argument->text);
    return out;
}

std::string mismatch(std::initializer_list<const char*> list) {
    const auto arguments = texts(list);
    const auto result = match_arguments(saxpy(), arguments);
    EXPECT_FALSE(result.has_value());
    return result ? "" : result.error().text;
}

TEST(Match, ByOrderNameAndIndex) {
    const std::vector<std::string> all{"null", "@x.npy", "2.5", "4"};
    EXPECT_EQ(matched({"null", "@x.npy", "2.5", "4"}), all);
    EXPECT_EQ(matched({"n=4", "a=2.5", "x=@x.npy", "y=null"}), all);
    EXPECT_EQ(matched({"3=4", "0=null", "2=2.5", "1=@x.npy"}), all);
    EXPECT_EQ(matched({"2=2.5", "null", "@x.npy", "4"}), all) << "by order means: those that nothing names";
}

TEST(Match, SaysWhatIsWrong) {
    EXPECT_EQ(
        mismatch({"null", "null"}),
        "kernel `saxpy` takes 4 arguments, given 2: missing argument 2 `a` (float), argument 3 `n` (int)\n"
        "  saxpy(float* y, float* x, float a, int n)");
    EXPECT_NE(mismatch({"1", "2", "3", "4", "5"}).find("takes 4 arguments, given 5"), std::string::npos);
    EXPECT_NE(mismatch({"yy=null"}).find("no argument `yy`"), std::string::npos);
    EXPECT_NE(mismatch({"4=null"}).find("no argument 4: it has 4 arguments"), std::string::npos);
    EXPECT_NE(mismatch({"y=null", "0=@x.npy"}).find("argument 0 `y` (float*) is given twice"),
              std::string::npos);
}

std::string bytes_refusal(const vm::Parameter& to, std::string_view text) {
    const auto bytes = value_bytes(to, std::get<Numbers>(parse_value(text).value()));
    EXPECT_FALSE(bytes.has_value()) << text;
    return bytes ? "" : bytes.error();
}
std::vector<std::byte> value(const vm::Parameter& to, std::string_view text) {
    const auto bytes = value_bytes(to, std::get<Numbers>(parse_value(text).value()));
    EXPECT_TRUE(bytes.has_value()) << bytes.error();
    return bytes.value_or(std::vector<std::byte>{});
}

TEST(ByValue, ScalarsByTheParametersType) {
    const auto number = parameter(ParameterKind::value, "a", "float", isa::Type::f, 4);
    float read = 0;
    std::memcpy(&read, value(number, "2.5").data(), 4);
    EXPECT_EQ(read, 2.5F);
    EXPECT_EQ(value(number, "f32:2.5"), value(number, "2.5"));
    EXPECT_EQ(bytes_refusal(number, "i32:2"), "takes f32, given `i32:2`");
    EXPECT_EQ(bytes_refusal(number, "1,2"), "takes 1 number, given 2 numbers");
    EXPECT_EQ(bytes_refusal(number, "two"), "`two` is not a number");
}

TEST(ByValue, VectorsOfThreeHaveRoomForFour) {
    const auto three = parameter(ParameterKind::value, "v", "float3", isa::Type::f, 16, 4);
    EXPECT_EQ(value(three, "1,2,3").size(), 16U);
    EXPECT_EQ(bytes_refusal(three, "1,2,3,4"), "takes 3 numbers, given 4 numbers");
    const auto four = parameter(ParameterKind::value, "v", "int4", isa::Type::d, 16, 4);
    EXPECT_EQ(value(four, "1,2,3,4").size(), 16U);
    EXPECT_EQ(bytes_refusal(four, "1"), "takes 4 numbers, given 1 number");
}

TEST(ByValue, StructsByTheirSize) {
    const auto record = parameter(ParameterKind::value, "s", "struct S", isa::Type::ud, 12, 1, false);
    EXPECT_EQ(value(record, "1,2.5,3").size(), 12U);
    EXPECT_NE(bytes_refusal(record, "1,2").find("has 12 bytes, the numbers given make 8"), std::string::npos);
}

TEST(Variable, MissingElementsAreZero) {
    const auto eight = parameter(ParameterKind::variable, "V0037", "d", isa::Type::d, 32, 8);
    const auto bytes = variable_bytes(eight, std::get<Numbers>(parse_value("1,2,3").value()));
    ASSERT_TRUE(bytes.has_value());
    EXPECT_EQ(bytes->size(), 32U);
    EXPECT_EQ((*bytes)[8], std::byte{3});
    EXPECT_EQ((*bytes)[12], std::byte{0});
    EXPECT_TRUE(variable_bytes(eight, std::get<Numbers>(parse_value("f32:1.5").value())).has_value());
    EXPECT_FALSE(variable_bytes(eight, std::get<Numbers>(parse_value("f64:1.5").value())).has_value());
    EXPECT_FALSE(
        variable_bytes(eight, std::get<Numbers>(parse_value("1,2,3,4,5,6,7,8,9").value())).has_value());
}

TEST(Words, Extents) {
    const auto extent = parse_extent("-g", "64,2", 1, 100);
    ASSERT_TRUE(extent.has_value());
    EXPECT_EQ(extent->dimensions, 2U);
    EXPECT_EQ(extent->size, (std::array<uint64_t, 3>{64, 2, 1}));
    for (const char* text : {"", "0", "101", "1,2,3,4", "1,", "64x2", "-1"}) {
        const auto bad = parse_extent("-g", text, 1, 100);
        ASSERT_FALSE(bad.has_value()) << text;
        EXPECT_EQ(bad.error().code, ExitCode::usage);
    }
}

TEST(Words, Seconds) {
    EXPECT_EQ(parse_seconds("--timeout", "0.5").value(), 0.5);
    for (const char* text : {"", "-1", "nan", "inf", "5s"})
        EXPECT_FALSE(parse_seconds("--timeout", text).has_value()) << text;
}

TEST(Words, ChoicesAndDevicesNameTheNearest) {
    const std::vector<std::string_view> choices{"auto", "interp", "jit"};
    EXPECT_EQ(parse_choice("--engine", "jit", choices).value(), 2U);
    EXPECT_NE(parse_choice("--engine", "inter", choices).error().text.find("did you mean `interp`"),
              std::string::npos);
    EXPECT_EQ(parse_device("SKL").value(), "skl");
    EXPECT_NE(parse_device("tglp").error().text.find("did you mean `tgllp`"), std::string::npos);
}

TEST(Words, NegativeNumbersBehindAnotherValue) {
    const std::vector<std::string> given{"k.cl", "-a", "1", "-2.5", "x", "-3", "-g", "64", "-5"};
    EXPECT_EQ(separate_negative_values(given),
              (std::vector<std::string>{"k.cl", "-a", "1", "-a", "-2.5", "x", "-a", "-3", "-g", "64", "-5"}));
    EXPECT_EQ(separate_negative_values(std::vector<std::string>{"-a", "-inf"}),
              (std::vector<std::string>{"-a", "-inf"}));
}

TEST(Words, CompilerOptionsAreTakenOut) {
    const std::vector<std::string> given{"k.cl",  "-DN=4",         "-D", "M=a \"b", "-I", "inc",
                                         "-Ilib", "-cl-std=CL2.0", "-o", "k"};
    const auto words = take_compiler_words(given);
    ASSERT_TRUE(words.has_value());
    EXPECT_EQ(words->options, "-DN=4 \"-DM=a \\\"b\" -cl-std=CL2.0");
    EXPECT_EQ(words->include_folders, (std::vector<std::string>{"inc", "lib"}));
    EXPECT_EQ(words->rest, (std::vector<std::string>{"k.cl", "-o", "k"}));
    EXPECT_FALSE(take_compiler_words(std::vector<std::string>{"-D"}).has_value());
}

TEST(Outcome, TheWorstOfSeveral) {
    EXPECT_EQ(worse(ExitCode::invalid, ExitCode::unsupported), ExitCode::unsupported);
    EXPECT_EQ(worse(ExitCode::spent, ExitCode::unsupported), ExitCode::spent);
    EXPECT_EQ(worse(ExitCode::spent, ExitCode::internal), ExitCode::internal);
    EXPECT_EQ(worse(ExitCode::clean, ExitCode::invalid), ExitCode::invalid);
    EXPECT_EQ(worse(ExitCode::clean, ExitCode::clean), ExitCode::clean);
}

} // namespace
} // namespace visor::cli
