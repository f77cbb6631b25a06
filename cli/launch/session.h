// A job from its program to its results: everything is bound and checked before the first launch, so that a
// mistake does not cost a run.
#pragma once

#include "capture/recorder.h"
#include "check/checkers.h"
#include "check/report.h"
#include "cli/console/console.h"
#include "cli/launch/record.h"
#include "cli/launch/run_request.h"
#include "file/file.h"
#include "machine/multicast_watcher.h"
#include "profile/outputs.h"
#include "trace/tracer.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <expected>
#include <memory>
#include <string_view>
#include <vector>

namespace visor::cli {

class Session {
public:
    // All must outlive the session.
    Session(const Job& job, const RunRequest& request, const Console& console, const std::atomic<bool>& stop);

    [[nodiscard]] RunRecord run();

private:
    using Step = std::expected<void, Failure>;

    // A launch with its place in device memory.
    struct Prepared {
        Bindings bindings;
        std::deque<trace::RegisterDump> dumps; // listeners stay where they are
    };
    struct Expected {
        const Expectation* request;
        const BoundArray* array;
        std::vector<std::byte> bytes; // empty: those of `other`, after the last launch
        const BoundArray* other = nullptr;
    };

    Step steps();
    Step load();
    std::expected<BoundArray, Failure> set_variables(const NamedArray& array);
    Step prepare(const LaunchRequest& request);
    Step prepare_dumps(const LaunchRecord& record, Prepared& prepared) const;
    Step settle_results();
    Step settle(const Expectation& expectation);
    Step open_trace();
    Step begin_sources(size_t index, const LaunchRecord& record);
    Step write_profiles();
    Step finish_captures();
    Step launch(size_t index);
    Step put_under_debugger(const LaunchRecord& record, const Prepared& prepared, vm::RunSettings& settings);
    Step run_kernel(const LaunchRequest& request, LaunchRecord& record, Prepared& prepared);
    std::expected<vm::RunReport, vm::Error> run_captured(const LaunchRequest& request,
                                                         const vm::KernelFacts& kernel,
                                                         const Prepared& prepared,
                                                         const vm::RunSettings& settings);
    Step finish();
    Step write_files();
    Step check_results();
    void collect_findings();
    void collect_arrays();
    [[nodiscard]] check::Source source_of(const Function& function) const;

    [[nodiscard]] Step check_sizes(const LaunchRequest& request, const vm::KernelFacts& kernel) const;
    [[nodiscard]] std::expected<const BoundArray*, std::string> find(std::string_view name) const;
    [[nodiscard]] std::string result_problem(std::string_view key, std::string_view name,
                                             std::string_view why) const;
    [[nodiscard]] Failure located(const LaunchRequest& request, Failure failure) const;
    void warn(const std::string& text);
    void tell(const LaunchRecord& record) const;
    void tell(const DumpRecord& dump, const std::string& place) const;
    void say(std::string_view text) const; // on standard output, unless one object will stand there

    const Job& job_;
    const RunRequest& request_;
    const Console& console_;
    vm::Context context_;
    vm::RunSettings settings_;
    std::chrono::steady_clock::time_point start_;
    std::shared_ptr<const vm::Program> program_;
    std::vector<BoundArray> arrays_;     // of the job
    std::deque<Prepared> prepared_;      // by launch
    std::vector<OutputRequest> outputs_; // settled
    std::vector<PrintRequest> prints_;
    std::vector<Expected> expected_;
    std::optional<OutputFile> trace_file_;
    std::optional<trace::Tracer> tracer_;
    check::Checkers checkers_;
    std::string trace_problem_;
    size_t shown_findings_ = 0; // to the debugger
    std::optional<profile::Outputs> profiles_;
    capture::Recorder captures_;
    RunRecord record_;
};

} // namespace visor::cli
