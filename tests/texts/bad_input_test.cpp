// Every file of tests/data/bad: each kind of bad input is reported as its file says, at the place it says, no
// more and no less, under both profiles. The rows of conformance/bad-input.tsv, with what the outside tool
// makes of them, have a file each.
#include "described_text.h"

#include "text/text.h"
#include "verify/verify.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

namespace visor {
namespace {

const std::filesystem::path data = VISOR_TEST_DATA;

std::vector<DescribedText> cases() {
    std::vector<DescribedText> all;
    for (const std::filesystem::path& file : texts_in(data / "bad"))
        all.push_back(read_described_text(file, Directives::behind_the_text));
    return all;
}

Diagnostics diagnosed(const DescribedText& one, verify::Profile profile) {
    const isa::Device* device = isa::device_named(one.device);
    Diagnostics diagnostics;
    const auto module =
        text::parse(one.text, {.grf_bytes = device == nullptr ? 32U : device->grf_bytes}, diagnostics);
    EXPECT_EQ(module.has_value(), diagnostics.ok());
    if (module)
        verify::verify(*module, {.profile = profile, .device = device}, diagnostics);
    return diagnostics;
}

std::vector<Expected> expected_under(const DescribedText& one, verify::Profile profile) {
    std::vector<Expected> wanted;
    std::ranges::copy_if(one.expected, std::back_inserter(wanted), [profile](const Expected& expected) {
        return profile == verify::Profile::spec ? expected.spec : expected.igc;
    });
    return wanted;
}

bool refuses(const DescribedText& one) {
    return std::ranges::any_of(one.expected,
                               [](const Expected& expected) { return expected.severity == "error"; });
}

TEST(BadInput, IsReportedAsItsFileSays) {
    for (const DescribedText& one : cases()) {
        for (const auto profile : {verify::Profile::spec, verify::Profile::igc}) {
            const Diagnostics found = diagnosed(one, profile);
            const std::string wrong = differences(found, expected_under(one, profile), one.text);
            EXPECT_TRUE(wrong.empty())
                << one.name << (profile == verify::Profile::spec ? " under spec\n" : " under igc\n") << wrong;
        }
    }
}

TEST(BadInput, SaysWhatIsExpected) {
    for (const DescribedText& one : cases()) {
        EXPECT_TRUE(one.mistakes.empty()) << one.name << ": " << one.mistakes[0];
        EXPECT_TRUE(refuses(one) != !one.accepted.empty())
            << one.name << " must expect an error or say why there is none";
        EXPECT_TRUE(one.device.empty() || isa::device_named(one.device) != nullptr) << one.name;
    }
    EXPECT_GE(cases().size(), 84U);
}

// case, kind, outside_tool, line_named
struct Row {
    std::string name;
    bool refused_outside = false;
};

std::vector<Row> conformance_rows() {
    std::ifstream table(data / "conformance/bad-input.tsv");
    std::vector<Row> rows;
    std::string line;
    std::getline(table, line); // the columns' names
    while (std::getline(table, line))
        rows.push_back({line.substr(0, line.find('\t')), line.contains("\trefused\t")});
    return rows;
}

// What the outside tool refuses, we do; what it accepts in silence, a file says why or refuses.
TEST(BadInput, AnswersEveryRowOfTheTable) {
    std::map<std::string, const DescribedText*> answers;
    const std::vector<DescribedText> all = cases();
    for (const DescribedText& one : all) {
        const bool second = !one.conformance.empty() && !answers.emplace(one.conformance, &one).second;
        EXPECT_FALSE(second) << one.name << " answers a row that another file answers";
    }
    const std::vector<Row> rows = conformance_rows();
    EXPECT_EQ(rows.size(), 44U);
    for (const Row& row : rows) {
        const auto answer = answers.find(row.name);
        if (answer == answers.end()) {
            ADD_FAILURE() << "no file says `// CONFORMANCE " << row.name << "`";
            continue;
        }
        EXPECT_TRUE(!row.refused_outside || refuses(*answer->second)) << answer->second->name;
        answers.erase(answer);
    }
    for (const auto& [name, file] : answers)
        ADD_FAILURE() << file->name << ": the table has no row `" << name << "`";
}

} // namespace
} // namespace visor
