#include "baseline.h"

#include "rounds.h"
#include "server.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iostream>

namespace visor::compare {

namespace {

constexpr double slower = 0.95;

// Where memory happens to lie costs or saves a process up to a half: each row has several pairs of processes.
constexpr unsigned most_pairs = 4;

class Table {
public:
    Table(const Baseline& baseline, unsigned rounds, unsigned threads, std::vector<Series>& measured)
        : baseline_(baseline), rounds_(rounds), threads_(threads), measured_(measured) {
        if (!baseline.sources.empty()) // which older builds do not know
            options_ = {"--sources", baseline.sources};
        if (!baseline.set.empty())
            options_.insert(options_.end(), {"--set", baseline.set});
    }

    bool add(const Work& work, const std::string& device) {
        const unsigned pairs = std::clamp(rounds_, 1U, most_pairs);
        std::vector<double> ratios;
        bool fine = true;
        for (unsigned pair = 0; pair < pairs && fine; ++pair)
            fine = add_pair(work, device, (rounds_ + pairs - 1 - pair) / pairs, pair % 2 == 0, ratios);
        if (!fine || ratios.empty()) {
            std::cout << fmt::format("| {} | {} | - | - | - | failed |\n", work.name, device) << std::flush;
            return false;
        }
        const auto [least, most] = std::ranges::minmax(ratios);
        std::cout << fmt::format("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {} |\n", work.name, device, least,
                                 median(ratios), most, most < slower ? "slower" : "")
                  << std::flush;
        ++rows_;
        slower_ += most < slower ? 1 : 0;
        measured_.push_back({work.name, "Visor, " + device + ", speed by the baseline's", "speedup", ratios});
        return most >= slower;
    }
    void tell_end() const { std::cout << fmt::format("{} rows, {} slower\n", rows_, slower_); }

private:
    // Who comes first in odd pairs comes second in even ones.
    bool add_pair(const Work& work, const std::string& device, unsigned rounds, bool ours_first,
                  std::vector<double>& ratios) {
        std::vector<std::string> options = options_;
        options.insert(options.end(), {"--only", work.name}); // the input of the others takes long to draw
        const std::string program = baseline_.build + "/bench/compare/compare";
        Server first(ours_first ? "/proc/self/exe" : program, threads_, options);
        Server second(ours_first ? program : "/proc/self/exe", threads_, options);
        std::array<Contender, 2> both{{{.name = "this build"}, {.name = "the baseline"}}};
        if (!ours_first)
            std::swap(both[0], both[1]);
        both[0].runner = served_runner(first, work, device);
        both[1].runner = served_runner(second, work, device);
        check(work, both);
        measure_rounds(work, both, rounds, threads_);
        const std::vector<Seconds>& ours = both[ours_first ? 0 : 1].seconds;
        const std::vector<Seconds>& theirs = both[ours_first ? 1 : 0].seconds;
        for (size_t round = 0; round < std::min(ours.size(), theirs.size()); ++round)
            ratios.push_back(theirs[round].cpu / ours[round].cpu);
        return both[0].fine && both[1].fine;
    }

    const Baseline& baseline_;
    unsigned rounds_;
    unsigned threads_;
    std::vector<std::string> options_;
    std::vector<Series>& measured_;
    unsigned rows_ = 0;
    unsigned slower_ = 0;
};

} // namespace

int tell_baseline(const std::vector<Work>& all, const std::vector<std::string>& devices,
                  const Baseline& baseline, unsigned rounds, unsigned threads,
                  std::vector<Series>& measured) {
    std::cout << "| kernel | device | least | middle | most | |\n|---|---|---|---|---|---|\n";
    Table table(baseline, rounds, threads, measured);
    bool fine = true;
    for (const Work& work : all)
        for (const std::string& device : devices)
            fine = table.add(work, device) && fine;
    table.tell_end();
    return fine ? 0 : 1;
}

} // namespace visor::compare
