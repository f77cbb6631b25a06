// The files that the costs of a run go to: what listens for them, and what writes them.
#pragma once

#include "machine/multicast_watcher.h"
#include "profile/page.h"
#include "profile/profiler.h"
#include "profile/timeline.h"

#include <expected>
#include <map>
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
    std::string page;     // HTML

    [[nodiscard]] bool any() const {
        return !profile.empty() || !coverage.empty() || !timeline.empty() || !page.empty();
    }
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
    // For the page: what ran, and what the checkers found, as it is printed.
    void set_title(std::string title) { page_.title = std::move(title); }
    void set_checked() { page_.checked = true; }
    void add_finding(std::string finding);
    // The text of a source that is no file. A later one of the same name takes its place.
    void add_text(std::string_view name, std::string_view text);
    // Between launches, on the timeline.
    void host(std::string_view name);
    // All files, each whole or not at all, under the names of this process. It may be called again later.
    // `creator`: the program and its version. Error: a sentence about the first that could not be written.
    [[nodiscard]] std::expected<void, std::string> write(std::string_view creator);
    // What is to be said of files that do not have everything, a sentence; "": nothing.
    [[nodiscard]] std::string remark() const;

private:
    [[nodiscard]] std::optional<std::string> source_text(std::string_view file) const;

    Paths paths_;
    std::optional<Profiler> profiler_;
    std::optional<Timeline> timeline_;
    PageFacts page_;
    std::map<std::string, std::string, std::less<>> texts_;
};

} // namespace visor::profile
