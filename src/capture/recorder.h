// Which launches of a run go into folders, and how much all of them may take (docs/capture.md).
#pragma once

#include "capture/folder.h"
#include "capture/selection.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace visor::capture {

inline constexpr uint64_t default_mebibytes = 4096;

struct Settings {
    std::string folder; // "": none; `%p` is the process
    Selection launches;
    uint64_t mebibytes = default_mebibytes; // all folders of the process together

    [[nodiscard]] bool wanted() const { return !folder.empty(); }
};

// A warning, a sentence.
using Tell = std::function<void(std::string_view)>;

class Recorder;

// A launch about to run: its folder is there.
class Recording {
public:
    // After it. A write error is reported.
    void finish(const Outcome& outcome) const;

private:
    friend class Recorder;
    Recording(Recorder& recorder, Launch launch, Folder folder)
        : recorder_(&recorder), launch_(std::move(launch)), folder_(std::move(folder)) {}

    Recorder* recorder_;
    Launch launch_;
    Folder folder_;
};

// Thread-safe.
class Recorder {
public:
    Recorder(Settings settings, Tell tell) : settings_(std::move(settings)), tell_(std::move(tell)) {}

    [[nodiscard]] bool wanted() const { return settings_.wanted(); }
    // Counts a launch. Nothing: it is not selected, or it cannot be captured, which is reported.
    // `describe` is called for selected launches, under exclusive access to their memory.
    [[nodiscard]] std::optional<Recording> begin(std::string_view kernel,
                                                 const std::function<Launch()>& describe);
    // After the last launch: reports launches beyond the limit, and a selection without a match.
    void finish();
    // Whether a selected launch could not be written.
    [[nodiscard]] bool failed();
    // In a child of fork(), which counts from 0.
    void reset_after_fork();

private:
    friend class Recording;

    // A launch's number, if it is to be captured; every launch counts.
    [[nodiscard]] std::optional<uint64_t> next(std::string_view kernel);
    // Whether so many bytes more are within the limit.
    [[nodiscard]] bool reserve(uint64_t bytes);
    void tell_failure(std::string_view text);

    const Settings settings_;
    const Tell tell_;
    std::mutex lock_;
    uint64_t launches_ = 0;
    uint64_t chosen_ = 0;
    std::map<std::string, uint64_t, std::less<>> of_kernel_;
    uint64_t bytes_ = 0;
    uint64_t too_large_ = 0; // launches beyond the limit
    bool failed_ = false;
};

} // namespace visor::capture
