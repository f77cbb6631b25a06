// Profile igc against the compilers' recorded verdicts (tests/verify/igc): every form of the grid, on every
// device that a compiler makes code for. The newest compiler that knows a device rules; what older ones say
// differently is a matter of their version, and counted. A difference needs a line in explained.txt, and a
// line there a difference.
#include "text/text.h"
#include "verify/verify.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

namespace visor::verify {
namespace {

struct Form {
    std::string name;
    std::string text; // one instruction a line
};
struct Compiler {
    std::string version;
    std::vector<const isa::Device*> devices;
};
struct Recorded {
    std::string letters; // one a device
    std::string words;
};
// PATTERN | DEVICES | what Visor does | why
struct Explained {
    std::string pattern;
    std::vector<std::string> devices; // "*": all
    bool accepts = false;
    bool used = false;
    std::string line;
};

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);)
        parts.push_back(part);
    return parts;
}

std::vector<std::string> lines_of(const std::string& name) {
    std::ifstream file(VISOR_TEST_IGC "/" + name);
    std::stringstream all;
    all << file.rdbuf();
    std::vector<std::string> lines = split(all.str(), '\n');
    std::erase_if(lines, [](const std::string& line) { return line.empty() || line.starts_with("#"); });
    return lines;
}

std::string one_a_line(std::string text) {
    for (size_t at = text.find("; "); at != std::string::npos; at = text.find("; ", at))
        text.replace(at, 2, "\n");
    return text;
}

std::vector<Form> forms() {
    std::vector<Form> all;
    for (const std::string& line : lines_of("forms.tsv")) {
        const size_t tab = line.find('\t');
        all.push_back({line.substr(0, tab), one_a_line(line.substr(tab + 1))});
    }
    return all;
}

// By version, the newest last.
struct Record {
    std::vector<Compiler> compilers;
    std::map<std::pair<std::string, std::string>, Recorded> verdicts; // by form and version
};

Record record() {
    Record all;
    for (const std::string& line : lines_of("verdicts.tsv")) {
        std::vector<std::string> cell = split(line, '\t');
        cell.resize(4);
        if (cell[0] == "compiler") {
            Compiler& one = all.compilers.emplace_back(Compiler{cell[1], {}});
            for (const std::string& name : split(cell[3], ' '))
                one.devices.push_back(isa::device_named(name));
        } else {
            all.verdicts[{cell[0], cell[1]}] = {cell[2], cell[3]};
        }
    }
    std::ranges::sort(all.compilers, {}, &Compiler::version);
    return all;
}

std::vector<Explained> explanations() {
    std::vector<Explained> all;
    for (const std::string& line : lines_of("explained.txt")) {
        std::vector<std::string> cell;
        for (std::string rest = line; cell.size() < 3;) {
            const size_t bar = rest.find(" | ");
            cell.push_back(rest.substr(0, bar));
            rest = bar == std::string::npos ? "" : rest.substr(bar + 3);
        }
        for (std::string& one : cell)
            one.erase(one.find_last_not_of(' ') + 1);
        all.push_back({cell[0], split(cell[1], ' '), cell[2] == "accepts", false, line});
    }
    return all;
}

// `*` stands for anything.
bool fits(std::string_view pattern, std::string_view name) {
    const size_t star = pattern.find('*');
    if (star == std::string_view::npos)
        return pattern == name;
    if (!name.starts_with(pattern.substr(0, star)))
        return false;
    for (size_t at = star; at <= name.size(); ++at)
        if (fits(pattern.substr(star + 1), name.substr(at)))
            return true;
    return false;
}

// What Visor says of one form; "" when it takes it.
class Visor {
public:
    Visor() {
        std::ifstream file(VISOR_TEST_IGC "/declarations.visaasm");
        std::stringstream all;
        all << ".version 4.1\n.kernel \"k\"\n" << file.rdbuf();
        before_ = all.str();
    }
    // Reads it anew only when the size of registers is another.
    std::string refusal(const Form& form, const isa::Device& device) {
        if (form_ != &form || grf_bytes_ != device.grf_bytes) {
            form_ = &form;
            grf_bytes_ = device.grf_bytes;
            parsed_ = Diagnostics();
            module_ = text::parse(before_ + form.text + "\nret (M1, 1)\n", {.grf_bytes = device.grf_bytes},
                                  parsed_);
        }
        if (!module_ || !parsed_.ok())
            return first_error(parsed_);
        Diagnostics found;
        verify(*module_, {.profile = Profile::igc, .device = &device}, found);
        return first_error(found);
    }

private:
    static std::string first_error(const Diagnostics& diagnostics) {
        for (const Diagnostic& one : diagnostics.all())
            if (one.severity == Severity::error)
                return fmt::format("{} [{}]", one.message, one.rule);
        return "";
    }

    std::string before_;
    const Form* form_ = nullptr;
    uint32_t grf_bytes_ = 0;
    Diagnostics parsed_;
    std::optional<Module> module_;
};

bool explain(std::vector<Explained>& explained, const std::string& form, const char* device, bool accepts) {
    bool found = false;
    for (Explained& one : explained) {
        const bool here = std::ranges::any_of(
            one.devices, [&](const std::string& name) { return name == "*" || name == device; });
        if (here && one.accepts == accepts && fits(one.pattern, form))
            found = one.used = true;
    }
    return found;
}

// Differences that say the same, with the devices that have them.
using Differences = std::map<std::string, std::string>;

TEST(IgcGrid, IsJudgedAsTheNewestCompilerDoes) {
    const std::vector<Form> all = forms();
    const Record recorded = record();
    std::vector<Explained> explained = explanations();
    ASSERT_GE(all.size(), 500U);
    ASSERT_FALSE(recorded.compilers.empty());
    Visor visor;
    Differences unexplained;
    size_t compared = 0;
    size_t by_explanation = 0;
    size_t by_version = 0;
    for (const Form& form : all) {
        for (auto compiler = recorded.compilers.begin(); compiler != recorded.compilers.end(); ++compiler) {
            const auto found = recorded.verdicts.find({form.name, compiler->version});
            ASSERT_NE(found, recorded.verdicts.end()) << form.name << " " << compiler->version;
            for (size_t at = 0; at < compiler->devices.size(); ++at) {
                const isa::Device* device = compiler->devices[at];
                ASSERT_NE(device, nullptr);
                ++compared;
                const std::string refusal = visor.refusal(form, *device);
                const char letter = found->second.letters.at(at);
                if (refusal.empty() == (letter == '+'))
                    continue;
                const bool rules =
                    std::none_of(compiler + 1, recorded.compilers.end(), [&](const Compiler& newer) {
                        return std::ranges::find(newer.devices, device) != newer.devices.end();
                    });
                if (!rules)
                    ++by_version;
                else if (explain(explained, form.name, device->name, refusal.empty()))
                    ++by_explanation;
                else
                    unexplained[fmt::format("{}: {} {}; Visor {}", form.name, letter, found->second.words,
                                            refusal.empty() ? "accepts" : refusal)] +=
                        std::string(" ") + device->name;
            }
        }
    }
    for (const auto& [what, devices] : unexplained)
        ADD_FAILURE() << what << "; on" << devices;
    for (const Explained& one : explained)
        EXPECT_TRUE(one.used) << "explained.txt: not needed any more: " << one.line;
    fmt::print("{} forms, {} verdicts: {} differences are explained, {} are of an older compiler's version, "
               "{} kinds are "
               "unexplained\n",
               all.size(), compared, by_explanation, by_version, unexplained.size());
}

} // namespace
} // namespace visor::verify
