// What several CPU threads take for a piece of work, beside what one takes, in turn.
#include "rounds.h"

#include <array>
#include <fmt/format.h>
#include <iostream>
#include <span>

namespace visor::compare {

namespace {

template <class Value>
std::vector<double> values_of(const Contender& one, Value value) {
    std::vector<double> values;
    for (const Seconds& seconds : one.seconds)
        values.push_back(1e3 * value(seconds));
    return values;
}

// Of one kernel on one device: CPU time, its ratio and wall clock of one thread and of more.
struct Scaling {
    std::array<std::vector<double>, 2> cpu{};
    std::array<std::vector<double>, 2> wall{};
    std::vector<double> ratio{};
};

Scaling scaling_of(std::span<const Contender, 2> both) {
    Scaling found;
    for (const size_t i : {0U, 1U}) {
        found.cpu.at(i) = values_of(both[i], [](const Seconds& seconds) { return seconds.cpu; });
        found.wall.at(i) = values_of(both[i], [](const Seconds& seconds) { return seconds.wall; });
    }
    for (size_t round = 0; round < found.cpu[0].size(); ++round)
        found.ratio.push_back(found.cpu[1][round] / found.cpu[0][round]);
    return found;
}

std::string cells(const Scaling& found) {
    return fmt::format(" {:.3g} | {:.3g} | {:.2f} | {:.3g} | {:.3g} |", median(found.cpu[0]),
                       median(found.cpu[1]), median(found.ratio), median(found.wall[0]),
                       median(found.wall[1]));
}

void keep(const Scaling& found, const std::string& kernel, const std::string& device, unsigned threads,
          std::vector<Series>& measured) {
    if (threads == 1) // one thread beside itself
        return;
    const std::array<unsigned, 2> counts{1, threads};
    for (const size_t i : {0U, 1U})
        measured.push_back({kernel, fmt::format("Visor, {}, CPU time, threads: {}", device, counts.at(i)),
                            "ms", found.cpu.at(i)});
    measured.push_back(
        {kernel, fmt::format("Visor, {}, CPU time, {} threads to 1", device, threads), "ratio", found.ratio});
    for (const size_t i : {0U, 1U})
        measured.push_back({kernel, fmt::format("Visor, {}, wall clock, threads: {}", device, counts.at(i)),
                            "ms", found.wall.at(i)});
}

} // namespace

int tell_scaling(const std::vector<Work>& all, const std::vector<std::string>& devices, unsigned threads,
                 unsigned rounds, std::vector<Series>& measured) {
    std::cout << "| kernel |";
    for (const std::string& device : devices)
        std::cout << fmt::format(" {0}: CPU, ms, 1 | {1} | ratio | wall clock, ms, 1 | {1} |", device,
                                 threads);
    std::cout << '\n';
    bool fine = true;
    for (const Work& work : all) {
        std::cout << "| " << work.name << " |";
        for (const std::string& device : devices) {
            std::array<Contender, 2> contenders;
            for (const size_t i : {0U, 1U}) {
                const unsigned count = i == 0 ? 1 : threads;
                contenders.at(i) = {.name = fmt::format("Visor on {}, {} threads", device, count),
                                    .runner = visor_runner(work, device, count)};
            }
            check(work, contenders);
            measure_rounds(work, contenders, rounds, threads);
            const bool both = contenders[0].fine && contenders[1].fine;
            const Scaling found = both ? scaling_of(contenders) : Scaling{};
            std::cout << (both ? cells(found) : " - | - | - | - | - |");
            if (both)
                keep(found, work.name, device, threads, measured);
            fine = fine && both;
        }
        std::cout << std::endl;
    }
    return fine ? 0 : 1;
}

} // namespace visor::compare
