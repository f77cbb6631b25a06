#include "exec/case_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

namespace visor::exec_test {

namespace {

using Error = std::string;

bool number_in(std::string_view word, uint64_t& out) {
    const bool hex = word.starts_with("0x");
    const std::string_view digits = hex ? word.substr(2) : word;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), out, hex ? 16 : 10);
    return error == std::errc() && end == digits.data() + digits.size();
}

class Reader {
public:
    explicit Reader(const std::string& path) {
        const std::filesystem::path place(path);
        file_.path = path;
        file_.mnemonic = place.stem().string();
        file_.family = place.parent_path().filename().string();
    }

    std::expected<CaseFile, Error> read() {
        std::ifstream in(file_.path);
        if (!in)
            return std::unexpected(file_.path + ": cannot be read");
        std::string line;
        while (std::getline(in, line)) {
            ++line_;
            if (line.starts_with("#") || line.find_first_not_of(" \t") == std::string::npos)
                continue;
            if (!take(line))
                return std::unexpected(fmt::format("{}:{}: not understood: {}", file_.path, line_, line));
        }
        return std::move(file_);
    }

private:
    CaseFile file_;
    size_t line_ = 0;

    bool take(const std::string& line) {
        const std::vector<std::string> words = words_of(line);
        if (line.starts_with(" ")) { // code; what stands first in a line has a meaning here
            if (!file_.cases.empty())
                file_.cases.back().code.push_back(line);
            return !file_.cases.empty();
        }
        if (words[0] == "case")
            return begin_case(words);
        if (words[0] == "sweep" || words[0] == "mix" || words[0] == "modes")
            return take_sweep(words);
        if (words[0] == "not")
            return take_exception(line);
        return file_.cases.empty() ? take_setting(words) : take_in_case(line, words);
    }

    bool begin_case(const std::vector<std::string>& words) {
        if (words.size() < 2)
            return false;
        file_.cases.emplace_back();
        file_.cases.back().name = fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
        file_.cases.back().line = line_;
        return true;
    }

    // not <size n | field type>: why
    bool take_exception(const std::string& line) {
        const size_t colon = line.find(": ");
        if (colon == std::string::npos || colon < 5)
            return false;
        file_.exceptions[line.substr(4, colon - 4)] = line.substr(colon + 2);
        return true;
    }

    bool take_setting(const std::vector<std::string>& words) {
        const std::vector<std::string> rest(words.begin() + 1, words.end());
        if (words[0] == "suffix")
            file_.suffixes = rest;
        else if (words[0] == "variants")
            file_.variants = rest;
        else if (words[0] == "moderate")
            file_.moderate = true;
        else if (words[0] == "ulps" && !rest.empty())
            file_.ulps = std::stod(rest[0]);
        else
            return false;
        return true;
    }

    // sweep {ud d} = {ud d} {ud d}
    bool take_sweep(const std::vector<std::string>& words) {
        Sweep sweep;
        sweep.line = line_;
        sweep.breadth = words[0] == "sweep" ? Breadth::full
                        : words[0] == "mix" ? Breadth::mix
                                            : Breadth::modes;
        bool inside = false;
        for (size_t i = 1; i < words.size(); ++i) {
            std::string word = words[i];
            if (word == "=")
                continue;
            const bool opens = word.starts_with("{");
            const bool closes = word.ends_with("}");
            if (opens)
                word.erase(0, 1);
            if (closes)
                word.pop_back();
            if (!inside)
                sweep.columns.emplace_back();
            if (!word.empty())
                sweep.columns.back().push_back(word);
            inside = (inside || opens) && !closes;
        }
        file_.sweeps.push_back(sweep);
        return sweep.columns.size() >= 2 && !inside;
    }

    bool take_in_case(const std::string& line, const std::vector<std::string>& words) {
        LiteralCase& current = file_.cases.back();
        uint64_t number = 0;
        if (words[0] == "in" || words[0] == "buffer")
            return take_array(words, words[0] == "in" ? current.inputs : current.buffers);
        if (words[0] == "image")
            return take_image(words);
        if (words[0] == "sampler" && words.size() > 1) {
            current.samplers.push_back({words[1], {words.begin() + 2, words.end()}});
            return true;
        }
        if (words[0] == "expect")
            return take_expectation(words);
        if (words[0] == "pred")
            return take_predicate(words);
        if (words[0] == "device")
            current.devices.assign(words.begin() + 1, words.end());
        else if (words[0] == "fault")
            current.fault = fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "));
        else if (words[0] == "outside")
            return take_outside(words);
        else if (words[0] == ".decl" || words[0] == ".kernel_attr")
            current.declarations.push_back(line);
        else if (words[0] == "simd" || words[0] == "threads" || words[0] == "cr0") {
            if (words.size() != 2 || !number_in(words[1], number))
                return false;
            (words[0] == "simd"      ? current.simd
             : words[0] == "threads" ? current.threads
                                     : current.control) = static_cast<uint32_t>(number);
        } else
            current.code.push_back(line);
        return true;
    }

    bool take_array(const std::vector<std::string>& words, std::vector<Array>& out) const {
        if (words.size() < 3)
            return false;
        Array array{.name = words[1], .type = words[2], .words = {}, .line = line_};
        if (const size_t bracket = array.type.find('['); bracket != std::string::npos) {
            uint64_t elements = 0;
            if (!number_in(array.type.substr(bracket + 1, array.type.size() - bracket - 2), elements))
                return false;
            array.elements = elements;
            array.type.resize(bracket);
        }
        if (words.size() > 3) {
            if (words[3] != "=")
                return false;
            array.words.assign(words.begin() + 4, words.end());
        }
        out.push_back(std::move(array));
        return true;
    }

    // image T6 rgba8 4x2 ub = ...: a buffer with a format
    bool take_image(const std::vector<std::string>& words) {
        if (words.size() < 5)
            return false;
        std::vector<std::string> array{words[0], words[1]};
        array.insert(array.end(), words.begin() + 4, words.end());
        std::vector<Array>& buffers = file_.cases.back().buffers;
        if (!take_array(array, buffers))
            return false;
        buffers.back().format = words[2];
        buffers.back().size = words[3];
        return true;
    }

    bool take_expectation(const std::vector<std::string>& words) {
        const auto equals = std::ranges::find(words, "=");
        if (equals == words.end() || equals - words.begin() < 2)
            return false;
        Expectation expectation{
            .name = words[1], .type = "", .words = {equals + 1, words.end()}, .line = line_};
        if (const size_t plus = expectation.name.find('+'); plus != std::string::npos) {
            uint64_t offset = 0;
            if (!number_in(expectation.name.substr(plus + 1), offset))
                return false;
            expectation.byte_offset = offset;
            expectation.name.resize(plus);
        }
        if (equals - words.begin() == 3)
            expectation.type = words[2];
        file_.cases.back().expectations.push_back(std::move(expectation));
        return true;
    }

    bool take_outside(const std::vector<std::string>& words) {
        Outside outside;
        uint64_t lane = 0;
        const size_t plus = words.size() == 3 ? words[2].find('+') : std::string::npos;
        if (plus == std::string::npos || !number_in(words[2].substr(plus + 1), outside.byte_offset) ||
            (words[1] != "-1" && !number_in(words[1], lane)))
            return false;
        outside.lane = words[1] == "-1" ? -1 : static_cast<int>(lane);
        outside.buffer = words[2].substr(0, plus);
        file_.cases.back().outside = std::move(outside);
        return true;
    }

    // pred P1 16 = 0x5
    bool take_predicate(const std::vector<std::string>& words) {
        uint64_t elements = 0;
        uint64_t bits = 0;
        if (words.size() != 5 || words[3] != "=" || !number_in(words[2], elements) ||
            !number_in(words[4], bits))
            return false;
        file_.cases.back().predicates.push_back(
            {words[1], static_cast<uint32_t>(elements), static_cast<uint32_t>(bits)});
        return true;
    }
};

} // namespace

std::expected<CaseFile, std::string> read_case_file(const std::string& path) {
    return Reader(path).read();
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for (size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;) {
        const size_t end = std::min(line.find_first_of(" \t", at), line.size());
        words.emplace_back(line.substr(at, end - at));
        at = line.find_first_not_of(" \t", end);
    }
    return words;
}

} // namespace visor::exec_test
