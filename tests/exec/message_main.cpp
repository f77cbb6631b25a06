// message_sweep [--every] [--mistake] [--seconds N] [--count N] [--seed N] [--engine interpreter|jit]
//
// Memory messages against the oracle's model: every combination of the core five's literals, sizes and masks
// (each variant of the others), or random ones until the time or the count is reached.
// VISOR_PROPERTY_SECONDS stands in for --seconds.
#include "exec/message_kernel.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

namespace visor::exec_test {

namespace {

struct Request {
    bool every = false;
    bool mistake = false; // of the oracle, to be noticed
    uint64_t seed = 1;
    std::optional<uint64_t> count; // messages
    std::optional<uint64_t> seconds;
    vm::EngineKind engine = vm::EngineKind::interpreter;
};

constexpr size_t most_failures = 10;

struct Totals {
    uint64_t messages = 0;
    uint64_t kernels = 0;
    uint64_t faults = 0;
    size_t failures = 0;
    std::map<std::string, uint64_t> by_name;
};

std::optional<uint64_t> number(std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

bool take(Request& request, std::string_view name, std::string_view value) {
    if (name == "--engine") {
        request.engine = value == "jit" ? vm::EngineKind::jit : vm::EngineKind::interpreter;
        return value == "jit" || value == "interpreter";
    }
    const auto found = number(value);
    if (!found)
        return false;
    if (name == "--seed")
        request.seed = *found;
    else if (name == "--count")
        request.count = found;
    else if (name == "--seconds")
        request.seconds = found;
    else
        return false;
    return true;
}

std::optional<Request> request_of(std::span<char* const> arguments) {
    Request request;
    for (size_t i = 1; i < arguments.size(); ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--every")
            request.every = true;
        else if (argument == "--mistake")
            request.mistake = true;
        else if (i + 1 == arguments.size() || !take(request, argument, arguments[i + 1]))
            return std::nullopt;
        else
            ++i;
    }
    const char* seconds = std::getenv("VISOR_PROPERTY_SECONDS"); // NOLINT(concurrency-mt-unsafe): one thread
    if (!request.count && !request.seconds)
        request.seconds = seconds == nullptr ? 10 : number(seconds).value_or(10);
    return request;
}

// A failing kernel's messages, each alone: the first that fails is told.
std::string alone(MessageRig& rig, uint64_t seed, std::span<const MessageShape> shapes) {
    const size_t count = shapes.empty() ? messages_in_kernel : shapes.size();
    for (size_t i = 0; i < count; ++i) {
        const std::string wrong = rig.run(rig.kernel(seed, shapes, i));
        if (!wrong.empty())
            return fmt::format("message {} alone:\n{}", i, wrong);
    }
    return "no message fails alone\n";
}

void run_one(MessageRig& rig, uint64_t seed, std::span<const MessageShape> shapes, Totals& totals) {
    const MessageKernel kernel = rig.kernel(seed, shapes);
    const std::string wrong = rig.run(kernel);
    ++totals.kernels;
    totals.messages += kernel.plans.size();
    totals.faults += kernel.fault ? 1 : 0;
    for (const MessagePlan& plan : kernel.plans)
        ++totals.by_name[plan.message.mnemonic];
    if (wrong.empty())
        return;
    if (++totals.failures <= most_failures)
        fmt::print(stderr, "seed {} on {}:\n{}{}", seed, rig.device().name, wrong.substr(0, 4000),
                   alone(rig, seed, shapes));
}

void run_random(std::span<MessageRig* const> rigs, const Request& request, Totals& totals) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(request.seconds.value_or(0));
    for (uint64_t i = 0; totals.failures < most_failures; ++i) {
        if ((request.count && totals.messages >= *request.count) || (request.seconds && Clock::now() >= end))
            return;
        // A seed means the same kernel, alone or among others.
        const uint64_t seed = request.seed + i;
        run_one(*rigs[seed % rigs.size()], seed, {}, totals);
    }
}

void run_every(std::span<MessageRig* const> rigs, const Request& request, Totals& totals) {
    for (MessageRig* const rig : rigs) {
        for (const MessageRow& row : message_rows()) {
            const auto shapes = every_shape(row, rig->device().grf_bytes);
            const std::span all(shapes);
            for (size_t at = 0; at < all.size() && totals.failures < most_failures; at += messages_in_kernel)
                run_one(*rig, request.seed + at,
                        all.subspan(at, std::min(messages_in_kernel, all.size() - at)), totals);
        }
    }
}

int run(const Request& request) {
    const auto start = std::chrono::steady_clock::now();
    MessageRig icelake(isa::device(isa::DeviceId::icllp), request.engine, request.mistake);
    MessageRig dg2(isa::device(isa::DeviceId::dg2), request.engine, request.mistake);
    MessageRig pvc(isa::device(isa::DeviceId::pvc), request.engine, request.mistake);
    const std::array<MessageRig*, 2> both{&dg2, &pvc};
    const std::array<MessageRig*, 5> all{&dg2, &pvc, &icelake, &pvc, &dg2};
    Totals totals;
    if (request.every)
        run_every(both, request, totals);
    else
        run_random(all, request, totals);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    for (const auto& [name, count] : totals.by_name)
        fmt::print("{:8} {}\n", count, name);
    fmt::print("{} messages in {} kernels from seed {} on, {} faults, {} failures, {:.1f} s\n",
               totals.messages, totals.kernels, request.seed, totals.faults, totals.failures, taken.count());
    return totals.failures == 0 && totals.messages > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

} // namespace visor::exec_test

int main(int count, char** words) {
    const auto request = visor::exec_test::request_of({words, static_cast<size_t>(count)});
    if (!request) {
        fmt::print(
            stderr,
            "message_sweep [--every] [--mistake] [--seconds N] [--count N] [--seed N] [--engine NAME]\n");
        return EXIT_FAILURE;
    }
    return visor::exec_test::run(*request);
}
