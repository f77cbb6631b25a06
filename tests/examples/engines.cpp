#include "examples/engines.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <tuple>

namespace visor::test {

namespace {

// "": the variable is not set.
struct Kind {
    const char* name;
    const char* engine = "jit";
    const char* tier = "best";
    const char* level = "";
    const char* call_out_all = "";
};

constexpr Kind reference{.name = "the interpreter", .engine = "interp"};
constexpr std::array kinds{
    Kind{.name = "well made code"},
    Kind{.name = "quickly made code", .tier = "quick"},
    Kind{.name = "code for AVX2", .level = "avx2"},
    Kind{.name = "code for SSE4.2", .level = "sse4.2"},
    Kind{.name = "nothing lowered", .call_out_all = "1"},
};

void set(const char* variable, const char* value) {
    if (*value == '\0')
        unsetenv(variable);
    else
        setenv(variable, value, 1);
}

// The check's launches as they ended; nothing when it failed.
std::vector<Launch> launches_of(const Check& check, const Place& place, const Kind& kind) {
    set("VISOR_ENGINE", kind.engine);
    set("VISOR_JIT_TIER", kind.tier);
    set("VISOR_JIT_CPU", kind.level);
    set("VISOR_JIT_CALL_OUT_ALL", kind.call_out_all);
    std::cout << "on " << kind.name << ":\n";
    std::vector<Launch> ended;
    Example example(place, [&ended](const Place& where, Launch& launch) {
        const bool ran = run_on_visor(where, launch);
        ended.push_back(launch);
        return ran;
    });
    if (!check.passes(example))
        ended.clear();
    return ended;
}

bool same_launch(const Launch& want, const Launch& got, const std::string& where) {
    bool same = want.said == got.said && want.arguments.size() == got.arguments.size();
    if (!same)
        std::cout << where << ": other words or arguments\n";
    for (size_t i = 0; same && i < want.arguments.size(); ++i) {
        const auto& [expected, data] = std::tie(want.arguments[i].data, got.arguments[i].data);
        const auto [at, other] = std::ranges::mismatch(expected, data);
        if (at == expected.end() && other == data.end())
            continue;
        std::cout << where << ": argument " << i << " differs from byte " << at - expected.begin() << " on\n";
        same = false;
    }
    return same;
}

bool same_launches(const std::vector<Launch>& want, const std::vector<Launch>& got, const std::string& who) {
    if (want.size() != got.size()) {
        std::cout << who << ": " << got.size() << " launches, not " << want.size() << '\n';
        return false;
    }
    bool same = true;
    for (size_t i = 0; i < want.size(); ++i)
        same = same_launch(want[i], got[i], who + ", launch " + std::to_string(i)) && same;
    return same;
}

} // namespace

Agreement compare_engines(const Check& check, const Place& place) {
    const std::vector<Launch> want = launches_of(check, place, reference);
    if (want.empty())
        return Agreement::wrong;
    std::vector<Launch> lowered; // what well made code left
    bool same = true;
    for (const Kind& kind : kinds) {
        std::vector<Launch> got = launches_of(check, place, kind);
        if (got.empty())
            return Agreement::wrong;
        same = same_launches(want, got, kind.name) && same;
        const bool is_lowered = *kind.call_out_all == '\0';
        if (is_lowered && !lowered.empty() && !same_launches(lowered, got, "against well made code"))
            return Agreement::wrong;
        if (lowered.empty())
            lowered = std::move(got);
    }
    return same ? Agreement::same : Agreement::differs;
}

} // namespace visor::test
