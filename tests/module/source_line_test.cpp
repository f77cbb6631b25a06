#include "module/source_line.h"

#include "isa/table.h"

#include <gtest/gtest.h>

namespace visor {
namespace {

Instruction file(uint32_t string) {
    return {.row = isa::find("file"), .operands = {{.kind = OperandKind::string, .id = string}}};
}

Instruction loc(uint64_t line) {
    return {.row = isa::find("loc"), .operands = {{.kind = OperandKind::literal, .value = line}}};
}

Instruction other() {
    return {.row = isa::find("barrier")};
}

// What each instruction's line is told as.
std::vector<std::string> told(const Function& function) {
    std::vector<std::string> out;
    for (const SourceLine& line : source_lines(function))
        out.push_back(text_of(line));
    return out;
}

TEST(SourceLines, HoldUntilTheNext) {
    Function function;
    function.strings = {"k.cl", "h.cl"};
    function.code = {other(), file(0), other(), loc(5), other(), other(),
                     loc(0),  other(), file(1), loc(7), other()};
    EXPECT_EQ(told(function), (std::vector<std::string>{"", "", "", "k.cl:5", "k.cl:5", "k.cl:5", "", "", "",
                                                        "h.cl:7", "h.cl:7"}));
}

TEST(SourceLines, NothingWithoutLines) {
    Function function;
    function.strings = {"k.cl"};
    function.code = {file(0), other()};
    EXPECT_TRUE(source_lines(function).empty());
    function.code = {loc(3), other()};
    EXPECT_EQ(told(function), (std::vector<std::string>{"", ""})) << "a line of no file";
}

TEST(SourceLines, DamagedOnesAreNotTold) {
    Function function;
    function.strings = {"k.cl"};
    function.code = {file(0), loc(uint64_t{1} << 32U), other(), loc(9), other(), file(1), other()};
    EXPECT_EQ(told(function), (std::vector<std::string>{"", "", "", "k.cl:9", "k.cl:9", "", ""}));
    function.code = {{.row = isa::find("file")}, {.row = isa::find("loc")}, loc(1), other()};
    EXPECT_EQ(told(function), (std::vector<std::string>{"", "", "", ""}));
}

TEST(SourceLines, FilesAsPeopleNameThem) {
    const auto named = [](const char* compilers) {
        Function function;
        function.strings = {compilers};
        function.code = {file(0), loc(1)};
        name_files(function, "a/k.cl", "/here");
        return function.strings.front();
    };
    EXPECT_EQ(named("/here/a/k.cl"), "a/k.cl");
    EXPECT_EQ(named("/there/a/k.cl"), "a/k.cl") << "kept from a build in another folder";
    EXPECT_EQ(named("/here/aa/k.cl"), "aa/k.cl");
    EXPECT_EQ(named("/here/a/h.cl"), "a/h.cl");
    EXPECT_EQ(named("/hereabouts/h.cl"), "/hereabouts/h.cl");
    EXPECT_EQ(named("/usr/h.cl"), "/usr/h.cl");
}

} // namespace
} // namespace visor
