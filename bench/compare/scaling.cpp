// What several CPU threads take for a piece of work, beside what one takes, in turn.
#include "rounds.h"

#include <fmt/format.h>
#include <iostream>
#include <utility>

namespace visor::compare {

namespace {

template <class Value>
double median_of(const std::vector<Seconds>& rounds, Value value) {
    std::vector<double> values;
    for (const Seconds& seconds : rounds)
        values.push_back(value(seconds));
    return median(std::move(values));
}

std::string columns(const Contender& one, const Contender& many) {
    const auto cpu = [](const Seconds& seconds) { return 1e3 * seconds.cpu; };
    const auto wall = [](const Seconds& seconds) { return 1e3 * seconds.wall; };
    std::vector<double> ratios;
    for (size_t round = 0; round < one.seconds.size(); ++round)
        ratios.push_back(many.seconds[round].cpu / one.seconds[round].cpu);
    return fmt::format(" {:.3g} | {:.3g} | {:.2f} | {:.3g} | {:.3g} |", median_of(one.seconds, cpu),
                       median_of(many.seconds, cpu), median(ratios), median_of(one.seconds, wall),
                       median_of(many.seconds, wall));
}

} // namespace

int tell_scaling(const std::vector<Work>& all, const std::vector<std::string>& devices, unsigned threads,
                 unsigned rounds) {
    std::cout << "| kernel |";
    for (const std::string& device : devices)
        std::cout << fmt::format(" {0}: CPU, ms, 1 | {1} | ratio | wall clock, ms, 1 | {1} |", device,
                                 threads);
    std::cout << '\n';
    bool fine = true;
    for (const Work& work : all) {
        std::cout << "| " << work.name << " |";
        for (const std::string& device : devices) {
            std::vector<Contender> contenders;
            for (const unsigned count : {1U, threads})
                contenders.push_back({.name = fmt::format("Visor on {}, {} threads", device, count),
                                      .runner = visor_runner(work, device, count)});
            check(work, contenders);
            measure_rounds(work, contenders, rounds, threads);
            const bool both = contenders[0].fine && contenders[1].fine;
            std::cout << (both ? columns(contenders[0], contenders[1]) : " - | - | - | - | - |");
            fine = fine && both;
        }
        std::cout << std::endl;
    }
    return fine ? 0 : 1;
}

} // namespace visor::compare
