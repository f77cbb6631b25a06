// The core five against the bytes that their pages prescribe (tests/data/conformance/five-vectors.tsv): text
// is assembled to exactly these bytes, and what is disassembled from them assembles to them again.
#include "sample.h"

#include "text/text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace visor::test {
namespace {

struct Vector {
    std::string id;
    std::string simd;
    std::string legal;
    std::string declarations;
    std::string text;
    std::string bytes;
};

std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(line);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

std::vector<Vector> vectors() {
    std::ifstream file(VISOR_TEST_DATA "/conformance/five-vectors.tsv");
    std::vector<Vector> all;
    std::string line;
    std::getline(file, line); // the columns' names
    while (std::getline(file, line)) {
        std::vector<std::string> column = split(line, '\t');
        column.resize(12);
        std::string declarations;
        for (const std::string& declaration : split(column[6], ';'))
            declarations += declaration.substr(declaration.find_first_not_of(' ')) + "\n";
        all.push_back({column[0], column[4], column[5], declarations, column[7], column[8]});
    }
    return all;
}

std::string text_of(const Vector& vector) {
    return kernel_text(vector.declarations,
                       ".kernel_attr SimdSize=" + vector.simd + "\n    " + vector.text + "\n    ret (M1, 1)");
}

constexpr std::string_view ret_bytes = " 34 00 00 00";

TEST(Vectors, AreAllThere) {
    size_t legal = 0;
    for (const Vector& vector : vectors())
        legal += vector.legal == "legal" ? 1 : 0;
    EXPECT_EQ(vectors().size(), 303U);
    EXPECT_EQ(legal, 234U);
}

TEST(Vectors, AssembleToThePagesBytes) {
    for (const Vector& vector : vectors()) {
        if (vector.legal != "legal")
            continue;
        SCOPED_TRACE(vector.id + " " + vector.text);
        const Bytes file = written(parsed(text_of(vector)));
        EXPECT_EQ(to_hex(code_of(file)), vector.bytes + std::string(ret_bytes));
    }
}

TEST(Vectors, DisassembleToTextThatAssemblesToTheSameBytes) {
    for (const Vector& vector : vectors()) {
        if (vector.legal != "legal")
            continue;
        SCOPED_TRACE(vector.id + " " + vector.text);
        const Bytes file = written(parsed(text_of(vector)));
        EXPECT_EQ(written(parsed(text::print(reread(file)))), file);
    }
}

TEST(Vectors, ReadBackAsTheModuleThatTextGave) {
    for (const Vector& vector : vectors()) {
        if (vector.legal != "legal")
            continue;
        SCOPED_TRACE(vector.id + " " + vector.text);
        const Module module = carried(parsed(text_of(vector)));
        EXPECT_TRUE(same(reread(written(module)), module));
    }
}

} // namespace
} // namespace visor::test
