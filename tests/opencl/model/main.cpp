// Draws sequences of calls from seeds, each batch in a process of its own, and compares them with the model.
// What differs, crashes, or does not end is made short, and told with its seed:
//   opencl_model [--seed N] [--seconds S] [--calls N] [--shrink 0]
//   opencl_model --replay SEED[:STEP,STEP...] [--calls N]   one sequence, told call by call
#include "driver.h"

#include "../saxpy.h"
#include "process/process.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string_view>
#include <unistd.h>

namespace visor::opencl_model {

namespace {

constexpr int patience = 120;     // seconds, of a process
constexpr uint64_t in_batch = 20; // sequences of one
constexpr auto most_shrinking = std::chrono::seconds(60);

struct EnqueueRequest {
    uint64_t seed = 1;
    uint64_t count = in_batch;
    size_t calls = 100;
    int seconds = 5;
    bool shrinks = true;
    std::string replay; // "": none
};

uint64_t number(std::string_view text) {
    uint64_t out = 0;
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
}

Platform platform() {
    setenv("OCL_ICD_VENDORS", VISOR_VENDORS, 1);
    Platform out;
    if (clGetPlatformIDs(1, &out.id, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(out.id, CL_DEVICE_TYPE_ALL, 1, &out.device, nullptr) != CL_SUCCESS)
        throw Difference("there is no platform");
    out.zebin = opencl_test::zebin("saxpy");
    return out;
}

// ---- in a process of its own

void play(const Platform& on, std::span<const Step> steps, bool tells) {
    Driver driver(on, tells);
    for (const Step& step : steps)
        driver.play(step);
    driver.finish();
}

int play_batch(const EnqueueRequest& wish) {
    const Platform on = platform();
    for (uint64_t seed = wish.seed; seed < wish.seed + wish.count; ++seed) {
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        std::fflush(stdout);
        play(on, drawn(seed, wish.calls), false);
    }
    return 0;
}

int replay(const EnqueueRequest& wish) {
    const std::string_view text = wish.replay;
    std::vector<Step> all = drawn(number(text), wish.calls);
    std::vector<Step> kept;
    if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
        for (std::string_view rest = text.substr(colon + 1); !rest.empty();) {
            kept.push_back(all.at(number(rest)));
            const size_t comma = rest.find(',');
            rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
        }
        all = kept;
    }
    play(platform(), all, true);
    std::printf("no difference\n");
    return 0;
}

// ---- in the first one

class Search {
public:
    Search(std::string program, const EnqueueRequest& wish) : program_(std::move(program)), wish_(wish) {}

    int run() {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wish_.seconds);
        uint64_t seed = wish_.seed;
        do {
            const test::Finished batch =
                test::run({program_, "--batch", std::to_string(in_batch), "--seed", std::to_string(seed),
                           "--calls", std::to_string(wish_.calls)},
                          {}, "", patience);
            if (batch.exit_code != 0) {
                tell(batch);
                return 1;
            }
            seed += in_batch;
        } while (std::chrono::steady_clock::now() < end);
        std::printf("model: %llu sequences of %zu calls from seed %llu on: no difference\n",
                    static_cast<unsigned long long>(seed - wish_.seed), wish_.calls,
                    static_cast<unsigned long long>(wish_.seed));
        return 0;
    }

private:
    test::Finished replayed(uint64_t seed, const std::vector<size_t>& steps) const {
        std::string text = std::to_string(seed) + ":";
        for (const size_t step : steps)
            text += (text.back() == ':' ? "" : ",") + std::to_string(step);
        return test::run({program_, "--replay", text, "--calls", std::to_string(wish_.calls)}, {}, "",
                         patience);
    }

    // Leaves out what is not needed, in halves, quarters, and so on.
    std::vector<size_t> shrunk(uint64_t seed) const {
        std::vector<size_t> steps(wish_.calls);
        std::iota(steps.begin(), steps.end(), 0);
        const auto end = std::chrono::steady_clock::now() + most_shrinking;
        for (size_t length = steps.size() / 2; wish_.shrinks && length > 0; length /= 2) {
            for (size_t at = 0; at < steps.size() && std::chrono::steady_clock::now() < end;) {
                std::vector<size_t> fewer(steps);
                const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(at);
                fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(length, steps.size() - at)));
                if (replayed(seed, fewer).exit_code != 0)
                    steps = std::move(fewer);
                else
                    at += length;
            }
        }
        return steps;
    }

    void tell(const test::Finished& batch) const {
        const size_t at = batch.out.rfind("seed ");
        if (at == std::string::npos) {
            std::printf("model: no sequence began\n%s", batch.err.c_str());
            return;
        }
        const uint64_t seed = number(std::string_view(batch.out).substr(at + 5));
        const std::vector<size_t> steps = shrunk(seed);
        const test::Finished last = replayed(seed, steps);
        std::string list;
        for (const size_t step : steps)
            list += (list.empty() ? "" : ",") + std::to_string(step);
        std::printf("model: DIFFERENCE, seed %llu (exit code %d)\n%s%s%s\nagain: opencl_model --calls %zu "
                    "--replay %llu:%s\n",
                    static_cast<unsigned long long>(seed), batch.exit_code, last.out.c_str(),
                    last.err.c_str(), last.exit_code == 0 ? "It did not come again; the first time:\n" : "",
                    wish_.calls, static_cast<unsigned long long>(seed), list.c_str());
        if (last.exit_code == 0)
            std::printf("%s", batch.err.c_str());
    }

    std::string program_;
    EnqueueRequest wish_;
};

int run(int count, char** words) {
    EnqueueRequest wish;
    bool is_batch = false;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view name = words[i];
        const std::string_view value = words[i + 1];
        if (name == "--seed")
            wish.seed = number(value);
        else if (name == "--seconds")
            wish.seconds = static_cast<int>(number(value));
        else if (name == "--calls")
            wish.calls = number(value);
        else if (name == "--shrink")
            wish.shrinks = value != "0";
        else if (name == "--replay")
            wish.replay = value;
        else if (name == "--batch") {
            is_batch = true;
            wish.count = number(value);
        }
    }
    if (!wish.replay.empty())
        return replay(wish);
    return is_batch ? play_batch(wish) : Search("/proc/self/exe", wish).run();
}

} // namespace

} // namespace visor::opencl_model

int main(int count, char** words) {
    try {
        return visor::opencl_model::run(count, words);
    } catch (const std::exception& difference) {
        std::printf("DIFFERENCE: %s\n", difference.what());
        std::fflush(stdout);
        _exit(1); // commands may wait for good
    }
}
