// Texts of the outside compiler. The expected numbers are counted with grep and by the compiler itself, which
// ends each instruction's line with its index ("/// $12"); the expected printed lines are its own.
#include "reading.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace visor::text {
namespace {

std::string data(std::string_view name) {
    std::ifstream file(std::string(VISOR_TEXT_DATA) + "/" + std::string(name), std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    return content.str();
}

struct Counts {
    std::string_view file;
    size_t general, predicates, inputs, attributes, labels, instructions, aliases, no_mask, predicated;
};
constexpr Counts counted[] = {
    {"reduce_skl.visaasm", 79, 4, 13, 2, 8, 81, 19, 27, 4},
    {"reduce_pvc.visaasm", 64, 4, 11, 3, 8, 52, 16, 21, 4},
    {"image_skl.visaasm", 85, 7, 9, 2, 1, 108, 16, 15, 16},
    {"calls_skl.visaasm", 36, 4, 9, 2, 5, 46, 5, 10, 4},
};

TEST(Sample, HasWhatGrepCounts) {
    for (const Counts& counts : counted) {
        const Reading reading = read(data(counts.file));
        ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
        const Function& function = reading.function();
        const auto count = [&function](auto wanted) {
            return static_cast<size_t>(std::ranges::count_if(function.code, wanted));
        };
        EXPECT_EQ(function.name, "kernel");
        EXPECT_EQ(function.general.size(), counts.general) << counts.file;
        EXPECT_EQ(function.predicates.size(), counts.predicates) << counts.file;
        EXPECT_EQ(function.samplers.size(), 1U) << counts.file;
        EXPECT_EQ(function.surfaces.size(), 1U) << counts.file;
        EXPECT_EQ(function.inputs.size(), counts.inputs) << counts.file;
        EXPECT_EQ(function.attributes.size(), counts.attributes) << counts.file;
        EXPECT_EQ(function.labels.size(), counts.labels) << counts.file;
        EXPECT_EQ(function.code.size(), counts.instructions + counts.labels) << counts.file;
        EXPECT_EQ(
            std::ranges::count_if(function.general, [](const GeneralVariable& v) { return v.alias != 0; }),
            static_cast<ptrdiff_t>(counts.aliases));
        EXPECT_EQ(count([](const Instruction& i) { return i.execution.no_mask; }), counts.no_mask)
            << counts.file;
        EXPECT_EQ(count([](const Instruction& i) { return i.predicate.id != 0; }), counts.predicated)
            << counts.file;
        EXPECT_EQ(reading.diagnostics.warnings(), 0U) << reading.rendered();
    }
}

TEST(Sample, InstructionsStandWhereTheCompilerNumbersThem) {
    for (const Counts& counts : counted) {
        const Reading reading = read(data(counts.file));
        ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
        size_t numbered = 0;
        for (size_t at = reading.source.find("/// $"); at != std::string::npos;
             at = reading.source.find("/// $", at + 1)) {
            const size_t index = std::stoul(reading.source.substr(at + 5));
            const Location where = reading.code(index).where;
            EXPECT_EQ(line_column(reading.source, where.offset).line,
                      line_column(reading.source, static_cast<uint32_t>(at)).line)
                << counts.file << " $" << index;
            ++numbered;
        }
        EXPECT_EQ(numbered, counts.instructions) << counts.file;
    }
}

// Lines without comments, trailing blanks and empty ones.
std::string stripped(const std::string& text) {
    std::istringstream lines(text);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        line.erase(std::min(line.find("//"), line.size()));
        line.erase(line.find_last_not_of(' ') + 1);
        if (!line.empty())
            result += line + '\n';
    }
    return result;
}

TEST(Sample, IsPrintedAsTheCompilerPrintsIt) {
    for (const Counts& counts : counted) {
        const Reading reading = read(data(counts.file));
        ASSERT_TRUE(reading.module.has_value()) << reading.rendered();
        const std::string printed = print(*reading.module);
        EXPECT_EQ(stripped(printed), stripped(reading.source)) << counts.file;
        const Reading again = read(printed);
        ASSERT_TRUE(again.module.has_value()) << again.rendered();
        EXPECT_TRUE(same(*reading.module, *again.module)) << counts.file;
        EXPECT_EQ(print(*again.module), printed) << counts.file;
    }
}

} // namespace
} // namespace visor::text
