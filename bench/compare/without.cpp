#include "without.h"

#include "process/process.h"
#include "rounds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iostream>
#include <map>
#include <utility>

namespace visor::compare {

namespace {

// Optional passes that changed the code, by the log of VISOR_JIT_TIME.
std::vector<std::string> changing_passes(const std::string& log) {
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

// A variable of the environment, for as long as this lives.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
    ~Variable() { unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    Variable(Variable&&) = delete;
    Variable& operator=(Variable&&) = delete;

private:
    const char* name_;
};

// Runs once, so that its code is that of this environment.
Contender contender(const Work& work, const std::string& device, unsigned threads, std::string name) {
    Contender one{.name = std::move(name), .runner = visor_runner(work, device, threads)};
    one.fine = one.runner != nullptr && one.runner->run();
    return one;
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
        const std::vector<std::string> passes = add_all_passes(contenders, work, device);
        for (const std::string& pass : passes) {
            const Variable disabled("VISOR_JIT_DISABLE", pass);
            contenders.push_back(contender(work, device, threads_, "without " + pass));
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
    // The code with all passes; which of the wanted passes changed it.
    std::vector<std::string> add_all_passes(std::vector<Contender>& contenders, const Work& work,
                                            const std::string& device) const {
        const test::TemporaryFolder folder;
        const Variable time("VISOR_JIT_TIME", "1");
        const Variable log("VISOR_JIT_LOG", folder.file("log"));
        contenders.push_back(contender(work, device, threads_, "all passes"));
        std::vector<std::string> passes = changing_passes(folder.file("log"));
        if (wanted_ != std::vector<std::string>{"all"})
            std::erase_if(passes, [&](const std::string& pass) {
                return std::ranges::find(wanted_, pass) == wanted_.end();
            });
        return passes;
    }
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

// Whether code can be made without these passes: an unknown or required one is an error of the first kernel.
bool are_passes(const std::vector<Work>& all, const std::vector<std::string>& devices,
                const std::vector<std::string>& passes) {
    if (all.empty() || devices.empty() || passes == std::vector<std::string>{"all"})
        return true;
    const Variable disabled("VISOR_JIT_DISABLE", fmt::format("{}", fmt::join(passes, ",")));
    return contender(all.front(), devices.front(), 1, "").fine;
}

} // namespace

int tell_without(const std::vector<Work>& all, const std::vector<std::string>& devices,
                 const std::vector<std::string>& passes, unsigned rounds, unsigned threads,
                 std::vector<Series>& measured) {
    if (!are_passes(all, devices, passes))
        return 1;
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
