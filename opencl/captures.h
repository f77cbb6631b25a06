// Launches that go into folders, to be launched again elsewhere (docs/capture.md).
#pragma once

#include "capture/folder.h"
#include "capture/selection.h"
#include "opencl/headers.h"
#include "vm/vm.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct _cl_kernel;

namespace visor::opencl {

inline constexpr uint64_t default_capture_mebibytes = 4096;

struct CaptureSettings {
    std::string folder; // "": none; `%p` is the process
    capture::Selection launches;
    uint64_t mebibytes = default_capture_mebibytes; // all folders of the process together
};

// Thread-safe.
class Captures {
public:
    explicit Captures(const CaptureSettings& settings) : settings_(settings) {}

    [[nodiscard]] bool wanted() const { return !settings_.folder.empty(); }
    // At the end of the process: tells what was left out.
    void finish();
    // In a child of fork(), which counts from 0.
    void reset_after_fork();

private:
    friend class CapturedLaunch;

    // A launch's number, if it is to be captured; every launch counts.
    [[nodiscard]] std::optional<uint64_t> next(std::string_view kernel);
    // Whether so many bytes more are within the limit.
    [[nodiscard]] bool reserve(uint64_t bytes);

    const CaptureSettings settings_;
    std::mutex lock_;
    uint64_t launches_ = 0;
    std::map<std::string, uint64_t, std::less<>> of_kernel_;
    uint64_t bytes_ = 0;
    uint64_t too_large_ = 0; // launches beyond the limit
};

// A launch about to run, under exclusive access to the machine. What cannot be written is told once.
class CapturedLaunch {
public:
    // `values` have the memory that pointers lead into now.
    struct What {
        _cl_kernel& kernel;
        std::span<const launch::ArgumentValue> values;
        std::span<const void* const> pointers; // of arguments that are pointers; null: not one
        const launch::Geometry& geometry;
        bool indirect = false; // it may follow pointers in memory
    };
    CapturedLaunch(Captures& captures, const What& what);

    // After it.
    void finish(const vm::RunReport& report) const;

private:
    capture::Launch launch_;
    std::optional<capture::Folder> folder_;
};

} // namespace visor::opencl
