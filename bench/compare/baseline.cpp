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

class Table {
public:
    Table(Server& server, unsigned rounds, unsigned threads, std::vector<Series>& measured)
        : server_(server), rounds_(rounds), threads_(threads), measured_(measured) {}

    bool add(const Work& work, const std::string& device) {
        std::array<Contender, 2> both{{{.name = "this build", .runner = visor_runner(work, device, threads_)},
                                       {.name = "the baseline"}}};
        both[1].runner = served_runner(server_, work, device);
        check(work, both);
        measure_rounds(work, both, rounds_, threads_);
        if (!both[0].fine || !both[1].fine) {
            std::cout << fmt::format("| {} | {} | - | - | - | failed |\n", work.name, device) << std::flush;
            return false;
        }
        std::vector<double> ratios;
        for (size_t round = 0; round < both[0].seconds.size(); ++round)
            ratios.push_back(both[1].seconds[round].cpu / both[0].seconds[round].cpu);
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
    Server& server_;
    unsigned rounds_;
    unsigned threads_;
    std::vector<Series>& measured_;
    unsigned rows_ = 0;
    unsigned slower_ = 0;
};

} // namespace

int tell_baseline(const std::vector<Work>& all, const std::vector<std::string>& devices,
                  const Baseline& baseline, unsigned rounds, unsigned threads,
                  std::vector<Series>& measured) {
    std::vector<std::string> options;
    if (!baseline.sources.empty()) // which older builds do not know
        options = {"--sources", baseline.sources};
    Server server(baseline.build + "/bench/compare/compare", threads, options);
    std::cout << "| kernel | device | least | middle | most | |\n|---|---|---|---|---|---|\n";
    Table table(server, rounds, threads, measured);
    bool fine = true;
    for (const Work& work : all)
        for (const std::string& device : devices)
            fine = table.add(work, device) && fine;
    table.tell_end();
    return fine ? 0 : 1;
}

} // namespace visor::compare
