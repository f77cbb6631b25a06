// The files that the costs of a run go to: what listens for them, and what writes them.
#pragma once

#include "machine/multicast_watcher.h"
#include "profile/profiler.h"
#include "profile/timeline.h"

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace visor::profile {

// "": none. `%p` stands for the number of the process, `%%` for a per cent sign.
struct Paths {
    std::string profile;  // collapsed stacks where it ends in .folded or .collapsed, else callgrind's format
    std::string coverage; // lcov's
    std::string timeline; // Chrome's trace events

    [[nodiscard]] bool any() const { return !profile.empty() || !coverage.empty() || !timeline.empty(); }
};

[[nodiscard]] std::string expand_process(std::string_view path, int process);

// Not copied or moved: it listens. One thread at a time.
class Outputs {
public:
    explicit Outputs(Paths paths);

    // Lines of the source are needed.
    [[nodiscard]] bool wants_sources() const { return profiler_.has_value(); }
    // Error: a file that cannot be written, as far as one can know beforehand.
    [[nodiscard]] std::expected<void, std::string> probe() const;
    // Before each launch.
    void add_sources(std::span<const Source> sources);
    void add_to(machine::MulticastWatcher& watchers);
    // Between launches, on the timeline.
    void host(std::string_view name);
    // All files, each whole or not at all, under the names of this process. It may be called again later.
    // `creator`: the program and its version. Error: a sentence about the first that could not be written.
    [[nodiscard]] std::expected<void, std::string> write(std::string_view creator);
    // What is to be said of files that do not have everything, a sentence; "": nothing.
    [[nodiscard]] std::string remark() const;

private:
    Paths paths_;
    std::optional<Profiler> profiler_;
    std::optional<Timeline> timeline_;
};

} // namespace visor::profile
