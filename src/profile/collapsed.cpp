#include "profile/formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace visor::profile {

namespace {

// A frame: semicolons part frames.
std::string frame(std::string_view name) {
    std::string out = on_one_line(name);
    std::ranges::replace(out, ';', ':');
    return out;
}

} // namespace

std::string collapsed_of(const Profile& profile, Lines lines) {
    std::string out;
    for (const FunctionCosts& function : profile.functions) {
        std::string stack = frame(function.kernel->name);
        if (function.function != function.kernel)
            stack += ";" + frame(function.function->name);
        for (const auto& [file, by_number] : by_line(function, lines))
            for (const auto& [line, there] : by_number)
                if (there.costs.executed != 0)
                    fmt::format_to(std::back_inserter(out), "{};{}:{} {}\n", stack, frame(file), line,
                                   there.costs.executed);
    }
    return out;
}

} // namespace visor::profile
