#include "capture/recorder.h"

#include "profile/outputs.h"

#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace visor::capture {

std::optional<uint64_t> Recorder::next(std::string_view kernel) {
    const std::lock_guard held(lock_);
    const uint64_t number = launches_++;
    auto counted = of_kernel_.find(kernel);
    if (counted == of_kernel_.end())
        counted = of_kernel_.emplace(kernel, 0).first;
    const uint64_t own = counted->second++;
    if (!is_chosen(settings_.launches, kernel, number, own))
        return std::nullopt;
    ++chosen_;
    return number;
}

bool Recorder::reserve(uint64_t bytes) {
    constexpr unsigned bits_of_a_mebibyte = 20;
    const std::lock_guard held(lock_);
    if ((bytes_ + bytes) >> bits_of_a_mebibyte >= settings_.mebibytes) {
        ++too_large_;
        return false;
    }
    bytes_ += bytes;
    return true;
}

void Recorder::tell_failure(std::string_view text) {
    {
        const std::lock_guard held(lock_);
        failed_ = true;
    }
    tell_(text);
}

bool Recorder::failed() {
    const std::lock_guard held(lock_);
    return failed_;
}

std::optional<Recording> Recorder::begin(std::string_view kernel, const std::function<Launch()>& describe) {
    const auto number = next(kernel);
    if (!number)
        return std::nullopt;
    Launch launch = describe();
    launch.number = *number;
    if (!reserve(size_of(launch)))
        return std::nullopt;
    if (const std::string why = untellable(launch); !why.empty()) {
        tell_failure(fmt::format("launch {} of `{}` is not captured: a launch file cannot hold it: {}",
                                 *number, launch.kernel, why));
        return std::nullopt;
    }
    auto folder = Folder::create(profile::expand_process(settings_.folder, getpid()), launch);
    if (folder)
        return Recording(*this, std::move(launch), std::move(*folder));
    tell_failure(
        fmt::format("launch {} of `{}` is not captured: {}", *number, launch.kernel, folder.error()));
    return std::nullopt;
}

void Recorder::finish() {
    uint64_t too_large = 0;
    bool none_chosen = false;
    {
        const std::lock_guard held(lock_);
        too_large = too_large_;
        none_chosen = launches_ != 0 && chosen_ == 0;
    }
    if (too_large != 0)
        tell_(fmt::format("{} {} not captured: the limit is {} MiB (--capture-limit, VISOR_CAPTURE_LIMIT)",
                          too_large, too_large == 1 ? "launch is" : "launches are", settings_.mebibytes));
    if (none_chosen)
        tell_("no launch is captured: --capture-launches (VISOR_CAPTURE_LAUNCHES) chooses none of them");
}

void Recorder::reset_after_fork() {
    if (!wanted())
        return;
    if (lock_.try_lock()) {
        launches_ = chosen_ = bytes_ = too_large_ = 0;
        failed_ = false;
        of_kernel_.clear();
        lock_.unlock();
        return;
    }
    // Another thread has held it, and is gone: what it was at is left alone.
    const Settings settings = settings_;
    const Tell tell = tell_;
    std::construct_at(this, settings, tell);
}

void Recording::finish(const Outcome& outcome) const {
    if (const auto done = folder_.finish(launch_, outcome); !done)
        recorder_->tell_failure(fmt::format("{} has no results: {}", folder_.path(), done.error()));
}

} // namespace visor::capture
