// containment_facts: for every fact that compiled code believes (src/jit/program/assumed_facts.h), kernels
// that try to overwrite what it was taken from. A fact that no kernel used on compiled code fails the test.
#include "facts.h"
#include "fence.h"
#include "killed_by.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <span>

namespace visor::containment {

namespace {

// Each fact of the list was used by compiled code, and the list names each that was.
void check_coverage(Launcher& launcher) {
    const std::vector<std::string> all = fact_names();
    for (const std::string& name : all) {
        if (name == "scratch_bytes" && !has_scratch_surface(launcher.device()))
            continue;
        if (!launcher.tried().contains(name))
            launcher.fail(fmt::format("the fact `{}` has no kernel that tries to falsify it", name));
    }
    for (const auto& [name, launches] : launcher.tried())
        if (std::ranges::find(all, name) == all.end())
            launcher.fail(fmt::format("{} launches try `{}`, which is no fact", launches, name));
}

int try_device(std::string_view device) {
    Launcher launcher(device);
    overwrite_registers(launcher);
    overlap_inputs(launcher);
    overlap_payload(launcher);
    check_coverage(launcher);
    fmt::print("{}: {} launches, {} faults, {} fenced blocks, {} failures\n", device, launcher.launches(),
               launcher.faults(), fenced_blocks(), launcher.failures());
    const bool enough =
        launcher.launches() > 1'000 && launcher.faults() > 500 && (!has_fences() || fenced_blocks() > 0);
    return launcher.failures() == 0 && enough ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

} // namespace visor::containment

int main(int count, char** words) try {
    using namespace visor::containment;
    tell_when_killed();
    const std::span<char*> wanted(words + 1, static_cast<size_t>(count - 1));
    int result = EXIT_SUCCESS;
    for (const visor::isa::Device& device : visor::isa::devices())
        if (wanted.empty() || std::ranges::find(wanted, std::string_view(device.name)) != wanted.end())
            result = std::max(result, try_device(device.name));
    return result;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return EXIT_FAILURE;
}
