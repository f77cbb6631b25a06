// The 303 forms of the core five: what the pages allow is accepted under profile spec, what they forbid is
// refused, by the parser or by a rule.
#include "text/text.h"
#include "verify/verify.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace visor::verify {
namespace {

struct Vector {
    std::string id;
    std::string form;
    std::string simd;
    bool legal = false;
    std::string declarations; // one a line
    std::string text;
};

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, '\t');)
        all.push_back(cell);
    return all;
}

std::string one_a_line(std::string declarations) {
    for (size_t at = declarations.find("; "); at != std::string::npos; at = declarations.find("; ", at))
        declarations.replace(at, 2, "\n");
    return declarations;
}

std::vector<Vector> vectors() {
    std::vector<Vector> all;
    std::ifstream file(VISOR_TEST_DATA "/conformance/five-vectors.tsv");
    std::string line;
    std::getline(file, line); // names of the columns
    while (std::getline(file, line)) {
        const std::vector<std::string> cell = cells(line);
        all.push_back(
            {cell.at(0), cell.at(2), cell.at(4), cell.at(5) == "legal", one_a_line(cell.at(6)), cell.at(7)});
    }
    return all;
}

std::string program(const Vector& vector) {
    return ".version 4.1\n.kernel \"k\"\n" + vector.declarations + "\n.kernel_attr SimdSize=" + vector.simd +
           "\n" + vector.text + "\nret (M1, 1)\n";
}

TEST(FiveVectors, AreJudgedAsThePagesDo) {
    size_t legal = 0;
    size_t illegal = 0;
    for (const Vector& vector : vectors()) {
        const std::string source = program(vector);
        Diagnostics diagnostics;
        const auto module = text::parse(source, {}, diagnostics);
        if (module)
            verify(*module, {.profile = Profile::spec}, diagnostics);
        EXPECT_EQ(diagnostics.ok(), vector.legal)
            << vector.id << " " << vector.form << ": " << vector.text << "\n"
            << render(diagnostics, {"vector", source, false}, Color::off);
        ++(vector.legal ? legal : illegal);
    }
    EXPECT_EQ(legal, 234U);
    EXPECT_EQ(illegal, 69U);
}

} // namespace
} // namespace visor::verify
