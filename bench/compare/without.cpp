#include "without.h"

#include "rounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <unistd.h>

namespace visor::compare {

namespace {

// A file that is removed.
class LogFile {
public:
    LogFile() {
        const int file = mkstemp(path_.data());
        if (file >= 0)
            close(file);
    }
    ~LogFile() { std::remove(path_.data()); }
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;
    LogFile(LogFile&&) = delete;
    LogFile& operator=(LogFile&&) = delete;

    [[nodiscard]] const char* path() const { return path_.data(); }

private:
    std::array<char, 32> path_{"/tmp/visor-compare-XXXXXX"};
};

// Passes that changed the code, by the log of VISOR_JIT_TIME.
std::vector<std::string> changing_passes(const char* log) {
    std::vector<std::string> names;
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);) {
        const size_t at = line.rfind("  ");
        if (line.starts_with('*') && at != std::string::npos && line.find('(') == std::string::npos)
            if (std::ranges::find(names, line.substr(at + 2)) == names.end())
                names.push_back(line.substr(at + 2));
    }
    return names;
}

// The runner once its code was compiled, without that pass ("": with all).
Contender contender(const Work& work, const std::string& device, unsigned threads, const std::string& pass) {
    Contender one{.name = pass.empty() ? "all passes" : "without " + pass};
    setenv("VISOR_JIT_DISABLE", pass.c_str(), 1);
    one.runner = visor_runner(work, device, threads);
    if (one.runner != nullptr) {
        one.runner->reset();
        one.fine = one.runner->run();
    }
    unsetenv("VISOR_JIT_DISABLE");
    return one;
}

std::vector<std::string> passes_of(const Work& work, const std::string& device, unsigned threads,
                                   const std::vector<std::string>& wanted) {
    const LogFile log;
    setenv("VISOR_JIT_TIME", "1", 1);
    setenv("VISOR_JIT_LOG", log.path(), 1);
    const Contender logged = contender(work, device, threads, "");
    unsetenv("VISOR_JIT_TIME");
    unsetenv("VISOR_JIT_LOG");
    std::vector<std::string> passes = changing_passes(log.path());
    if (wanted.size() != 1 || wanted.front() != "all")
        std::erase_if(
            passes, [&](const std::string& pass) { return std::ranges::find(wanted, pass) == wanted.end(); });
    return passes;
}

struct Worth {
    std::string kernel;
    double ratio = 0; // time without the pass by time with it
};

class Table {
public:
    Table(unsigned rounds, unsigned threads, const std::vector<std::string>& wanted,
          std::vector<Series>& measured)
        : rounds_(rounds), threads_(threads), wanted_(wanted), measured_(measured) {}

    // False: a result differs, or there is no code.
    bool add(const Work& work, const std::string& device) {
        std::vector<Contender> contenders;
        contenders.push_back(contender(work, device, threads_, ""));
        std::vector<std::string> passes;
        for (const std::string& pass : passes_of(work, device, threads_, wanted_)) {
            Contender one = contender(work, device, threads_, pass);
            if (one.fine) { // else it is required
                passes.push_back(pass);
                contenders.push_back(std::move(one));
            }
        }
        check(work, contenders);
        measure_rounds(work, contenders, rounds_, threads_);
        bool fine = contenders.front().fine;
        for (size_t i = 1; i < contenders.size(); ++i) {
            fine = fine && contenders[i].fine;
            if (contenders.front().fine && contenders[i].fine)
                keep(work, device, passes[i - 1], contenders.front(), contenders[i]);
        }
        return fine;
    }

    void tell_passes() const {
        std::cout << "\n| pass | codes that it changes | geometric mean | least | most | which "
                     "|\n|---|---|---|---|---|---|\n";
        for (const auto& [pass, all] : worths_) {
            double sum = 0;
            for (const Worth& worth : all)
                sum += std::log(worth.ratio);
            const auto [least, most] = std::ranges::minmax(all, {}, &Worth::ratio);
            std::cout << fmt::format("| `{}` | {} | {:.3f} | {:.2f} | {:.2f} | {} |\n", pass, all.size(),
                                     std::exp(sum / static_cast<double>(all.size())), least.ratio, most.ratio,
                                     most.kernel);
        }
    }

private:
    void keep(const Work& work, const std::string& device, const std::string& pass, const Contender& with,
              const Contender& without) {
        std::vector<double> ratios;
        for (size_t round = 0; round < std::min(with.seconds.size(), without.seconds.size()); ++round)
            ratios.push_back(without.seconds[round].cpu / with.seconds[round].cpu);
        const double ratio = median(ratios);
        const auto [least, most] = std::ranges::minmax(ratios);
        std::cout << fmt::format("| {} | {} | `{}` | {:.2f} | {:.2f} to {:.2f} |\n", work.name, device, pass,
                                 ratio, least, most)
                  << std::flush;
        worths_[pass].push_back({fmt::format("{}, {}", work.name, device), ratio});
        measured_.push_back(
            {work.name, fmt::format("Visor, {}, without {}", device, pass), "ratio", std::move(ratios)});
    }

    unsigned rounds_;
    unsigned threads_;
    const std::vector<std::string>& wanted_;
    std::vector<Series>& measured_;
    std::map<std::string, std::vector<Worth>> worths_;
};

} // namespace

int tell_without(const std::vector<Work>& all, const std::vector<std::string>& devices,
                 const std::vector<std::string>& passes, unsigned rounds, unsigned threads,
                 std::vector<Series>& measured) {
    std::cout
        << "| kernel | device | without | time without by time with | rounds |\n|---|---|---|---|---|\n";
    Table table(rounds, threads, passes, measured);
    bool fine = true;
    for (const Work& work : all)
        for (const std::string& device : devices)
            fine = table.add(work, device) && fine;
    table.tell_passes();
    return fine ? 0 : 1;
}

} // namespace visor::compare
