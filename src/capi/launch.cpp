// Launches: synchronous ones, and ones that are started and waited for.
#include "capi/binding.h"
#include "capi/captured.h"
#include "capi/debugged.h"
#include "capi/objects.h"
#include "capi/watch.h"
#include "check/checkers.h"
#include "check/suppression.h"
#include "profile/profiler.h"
#include "profile/timeline.h"
#include "trace/tracer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>

namespace visor::capi {

std::array<bool, check::kinds> checks_of(uint32_t bits) {
    if (bits > VISOR_CHECK_ALL)
        refuse(VISOR_ERROR_ARGUMENT, "options: `checks` has bits that stand for no checker");
    std::array<bool, check::kinds> out{};
    for (size_t kind = 0; kind < check::kinds; ++kind)
        out[kind] = (bits >> kind & 1U) != 0;
    return out;
}

std::span<const visor_register_request> registers_of(const visor_register_request* wanted, size_t count) {
    constexpr size_t most = 65536;
    if (count > most)
        refuse(VISOR_ERROR_ARGUMENT, "options: `register_count` is more than any kernel has");
    if (count == 0)
        return {};
    needed(wanted, "options: `registers`");
    const std::span all(wanted, count);
    for (const visor_register_request& one : all)
        needed(one.name, "a register's name");
    return all;
}

namespace {

// All inputs of a launch, copied from the caller except the listeners.
struct LaunchJob {
    std::shared_ptr<KernelObject> kernel;
    Binding binding;
    Settings settings;
    std::array<bool, check::kinds> checks{};
    bool count = false;
    bool costs = false;
    std::vector<check::Suppression> suppressions;
    std::optional<visor_watch> watch;
    std::vector<visor_register_request> wanted; // their names are in `names`
    std::vector<std::string> names;
    std::string capture; // a folder; "": none
    std::optional<DebuggerChoice> debugger;
    void (*began)(void* user, visor_launch launch) = nullptr;
    void* began_user = nullptr;
    std::shared_ptr<LaunchObject> launch;

    [[nodiscard]] ContextObject& context() const { return *kernel->program->context; }
    [[nodiscard]] const vm::Program& program() const { return *kernel->program->program; }
};

// The watchers of one launch, in the order of their notification.
class Watchers {
public:
    explicit Watchers(LaunchJob& job) : job_(job), checkers_(job.checks) {
        if (job.watch && job.watch->trace != nullptr)
            open_trace();
        for (size_t i = 0; i < job.wanted.size(); ++i) {
            dumps_.emplace_back(trace::RegisterChoice{
                .names = {job.names[i]}, .group = job.wanted[i].group, .thread = job.wanted[i].thread});
            all_.add(dumps_.back());
        }
        if (machine::Watcher* const checkers = checkers_.listener())
            all_.add(*checkers);
        if (job.count)
            all_.add(counter_);
        if (job.costs) {
            add_sources();
            all_.add(profiler_);
            all_.add(timeline_);
        }
        if (job.watch && (job.watch->instruction != nullptr || job.watch->memory != nullptr))
            all_.add(listener_.emplace(*job.watch, job.launch->stop));
    }

    [[nodiscard]] machine::Watcher* listener() { return all_.listener(); }
    // Their watch filter, if they do not need all events.
    [[nodiscard]] std::optional<machine::WatchFilter> watch_filter() const {
        const bool checkers_alone = !tracer_ && !listener_ && dumps_.empty() && !job_.count && !job_.costs;
        return checkers_alone ? checkers_.watch_filter() : std::nullopt;
    }

    // What tells a debugger of a finding.
    [[nodiscard]] std::function<void()> told(debug::Session& session) {
        return [this, &session] {
            const auto& all = checkers_.findings().all();
            if (all.size() > told_findings_)
                session.finding(all.back().kind, check::heading(all.back(), source_of(all.back())));
            told_findings_ = all.size();
        };
    }

    // After the run: their results.
    void collect(LaunchObject& out) {
        if (tracer_)
            tracer_->flush();
        if (job_.count)
            out.counters = counter_.counted();
        if (job_.costs) {
            out.costs = profiler_.profile();
            out.checked = checkers_.listener() != nullptr;
            out.timeline = timeline_.json();
        }
        for (size_t i = 0; i < dumps_.size(); ++i) {
            FoundRegister& found = out.registers.emplace_back();
            found.name = job_.names[i];
            if (!dumps_[i].found() || dumps_[i].found()->all.empty())
                continue;
            found.found = dumps_[i].found()->all.front();
            for (const std::string& element : found.found->elements)
                found.elements += (found.elements.empty() ? "" : " ") + element;
        }
        if (checkers_.listener() == nullptr)
            return;
        for (const check::Finding& finding : checkers_.findings().all())
            out.findings.push_back(check::report(finding, source_of(finding)));
        out.suppressed = check::suppress(job_.suppressions, out.findings);
    }

private:
    check::Source source_of(const check::Finding& finding) {
        if (!sources_)
            sources_ = vm::sources_of(job_.program(), job_.kernel->facts.name)
                           .value_or(std::vector<vm::KernelSource>{});
        const auto found = std::ranges::find(*sources_, finding.function, &vm::KernelSource::function);
        return found == sources_->end() ? check::Source{} : check::Source{found->name, found->text};
    }
    void add_sources() {
        const auto sources = vm::sources_of(job_.program(), job_.kernel->facts.name);
        if (!sources)
            refuse(sources.error());
        profiler_.add_sources(profile::sources_from(*sources));
    }
    void open_trace() {
        trace::TraceChoice choice;
        if (job_.watch->trace_lanes != 0)
            choice.lanes = job_.watch->trace_lanes;
        if (job_.watch->one_group != 0)
            choice.group = job_.watch->trace_group;
        tracer_.emplace(
            [this](std::string_view lines) {
                if (job_.watch->trace(job_.watch->user, lines.data(), lines.size()) != 0)
                    job_.launch->stop = true;
            },
            choice);
        const auto sources = vm::sources_of(job_.program(), job_.kernel->facts.name);
        if (!sources)
            refuse(sources.error());
        std::vector<trace::Tracer::Source> texts;
        for (const vm::KernelSource& source : *sources)
            texts.push_back({source.function.get(), source.text});
        tracer_->begin_launch(0, texts);
        all_.add(*tracer_);
    }

    LaunchJob& job_;
    check::Checkers checkers_;
    size_t told_findings_ = 0;
    std::optional<std::vector<vm::KernelSource>> sources_;
    Counter counter_;
    profile::Profiler profiler_{profile::Detail::arrays};
    profile::Timeline timeline_;
    std::optional<Listener> listener_;
    std::optional<trace::Tracer> tracer_;
    std::deque<trace::RegisterDump> dumps_; // a deque, since watchers must not move
    machine::MulticastWatcher all_;
};

// The caller holds the context's lock. `uncaptured`: why the results are not in the launch's folder.
std::expected<vm::RunReport, vm::Error> run_locked(LaunchJob& job, std::string& uncaptured) {
    LaunchObject& launch = *job.launch;
    Watchers watchers(job);
    vm::RunSettings settings;
    settings.engine = job.settings.engine;
    settings.options = {.fuel = job.settings.fuel,
                        .timeout = job.settings.timeout,
                        .workers = job.settings.workers,
                        .seed = job.settings.seed,
                        .first_group = job.binding.first_group,
                        .group_count = job.binding.group_count,
                        .stop = &launch.stop};
    settings.watcher = watchers.listener();
    settings.watch_filter = watchers.watch_filter();
    const vm::KernelFacts& facts = job.kernel->facts;
    vm::Context& context = job.context().vm;
    std::optional<CapturedLaunch> captured;
    if (!job.capture.empty())
        captured.emplace(*job.kernel, job.binding, job.capture);
    std::optional<DebuggedLaunch> debugged;
    if (job.debugger) {
        debugged.emplace(*job.debugger, launch.stop);
        debugged->put_under(*job.kernel, job.binding, settings, watchers.told(debugged->session()));
    }
    auto report = facts.hand_written ? context.run(job.program(), facts.name, job.binding.inputs,
                                                   job.binding.states, job.binding.hand_geometry, settings)
                                     : context.run(job.program(), facts.name, job.binding.values,
                                                   job.binding.geometry, settings);
    if (captured)
        uncaptured = captured->finish(report);
    if (report)
        watchers.collect(launch);
    return report;
}

// Runs it and stores results, status and message in the launch. Returns whether it began.
bool run(LaunchJob& job, uint64_t number) {
    LaunchObject& out = *job.launch;
    bool began = false;
    const auto ran = [&] {
        const ContextLock context_lock(job.context(), number);
        std::string uncaptured;
        auto report = run_locked(job, uncaptured);
        if (!report)
            refuse(report.error());
        began = true;
        out.report = std::move(*report);
        if (!out.report.error) {
            out.message = uncaptured;
            out.status = uncaptured.empty() ? VISOR_OK : VISOR_ERROR_INPUT;
            return;
        }
        out.message = out.report.error->text;
        out.status = out.report.fault.kind == machine::FaultKind::stopped ? VISOR_ERROR_STOPPED
                                                                          : status_of(out.report.error->kind);
    };
    const visor_status status = call(ran);
    if (status != VISOR_OK) {
        out.status = status;
        out.message = last_message();
    }
    out.fault_kind = machine::name_of(out.report.fault.kind);
    const visor_context_options& options = job.context().options;
    if (options.printf_sink != nullptr && !out.report.printf_output.empty())
        options.printf_sink(options.printf_user, out.report.printf_output.data(),
                            out.report.printf_output.size());
    {
        const std::lock_guard lock(out.mutex);
        out.over = true;
    }
    out.changed.notify_all();
    return began;
}

LaunchJob job_of(visor_kernel kernel, const visor_argument* arguments, size_t argument_count,
                 const visor_shape* shape, const visor_launch_options* options) {
    constexpr size_t most_arguments = 65536;
    LaunchJob job;
    job.kernel = find<KernelObject>(kernel);
    if (argument_count != 0)
        needed(arguments, "`arguments`");
    if (argument_count > most_arguments)
        refuse(VISOR_ERROR_ARGUMENT, "`argument_count` is more than any kernel takes");
    needed(shape, "`shape`");
    job.binding = bind(*job.kernel, {arguments, argument_count}, read_struct(shape, "visor_shape"));
    const auto given = read_struct(options, "visor_launch_options");
    job.settings = given.settings == nullptr ? job.context().settings
                                             : settings_of(read_struct(given.settings, "visor_settings"));
    job.checks = checks_of(given.checks);
    job.count = given.count != 0;
    job.costs = given.costs != 0;
    job.capture = text_of(given.capture);
    if (!job.capture.empty() && (job.binding.first_group != 0 || job.binding.group_count != UINT64_MAX))
        refuse(VISOR_ERROR_UNSUPPORTED, "unsupported by Visor: the capture of a part of the work-groups");
    job.debugger = debugger_of(given);
    job.began = given.began;
    job.began_user = given.began_user;
    if (given.suppressions != nullptr) {
        auto entries = check::read_suppressions("suppressions", given.suppressions);
        if (!entries)
            refuse(VISOR_ERROR_INPUT, entries.error());
        job.suppressions = std::move(*entries);
    }
    if (given.watch != nullptr)
        job.watch = read_struct(given.watch, "visor_watch");
    for (const visor_register_request& wanted : registers_of(given.registers, given.register_count)) {
        job.wanted.push_back(wanted);
        job.names.emplace_back(wanted.name);
    }
    if (!job.names.empty()) {
        const auto source = vm::source_of(job.program(), job.kernel->facts.name);
        if (!source)
            refuse(source.error());
        if (const auto known = trace::check_names(*source->function, job.names); !known)
            refuse(VISOR_ERROR_INPUT, known.error());
    }
    job.launch = std::make_shared<LaunchObject>();
    job.launch->context = job.kernel->program->context;
    return job;
}

visor_status outcome(const LaunchObject& launch) {
    return launch.status == VISOR_OK ? VISOR_OK : fail(launch.status, launch.message);
}

} // namespace

} // namespace visor::capi

using namespace visor;
using namespace visor::capi;

visor_status visor_launch_run(visor_kernel kernel, const visor_argument* arguments, size_t argument_count,
                              const visor_shape* shape, const visor_launch_options* options,
                              visor_launch* launch) {
    return call([&] {
        if (launch != nullptr)
            *launch = nullptr;
        LaunchJob job = job_of(kernel, arguments, argument_count, shape, options);
        if (launch != nullptr)
            give(launch, job.launch);
        bool has_begun = false;
        const visor_status begun = call([&] {
            if (job.began != nullptr)
                job.began(job.began_user, launch == nullptr ? nullptr : *launch);
            has_begun = run(job, job.context().ticket_lock.take_ticket());
        });
        if (!has_begun && launch != nullptr)
            static_cast<void>(handles().remove(Kind::launch, number_of(std::exchange(*launch, nullptr))));
        if (begun != VISOR_OK)
            return begun;
        return outcome(*job.launch);
    });
}

visor_status visor_launch_start(visor_kernel kernel, const visor_argument* arguments, size_t argument_count,
                                const visor_shape* shape, const visor_launch_options* options,
                                visor_launch* launch) {
    return call([&] {
        result(launch, "`launch`");
        auto job = std::make_shared<LaunchJob>(job_of(kernel, arguments, argument_count, shape, options));
        ContextObject& context = job->context();
        give(launch, job->launch);
        if (job->began != nullptr)
            job->began(job->began_user, *launch);
        try {
            std::unique_lock starting(context.starting);
            const uint64_t number = context.ticket_lock.take_ticket();
            try {
                context.jobs.add([job, number] { static_cast<void>(run(*job, number)); });
            } catch (...) {
                starting.unlock();
                const ContextLock unused(context, number);
                throw;
            }
        } catch (...) {
            static_cast<void>(take<LaunchObject>(*launch));
            *launch = nullptr;
            throw;
        }
    });
}

visor_status visor_launch_wait(visor_launch launch, double seconds) {
    return call([&] {
        const auto found = find<LaunchObject>(launch);
        if (std::isnan(seconds))
            refuse(VISOR_ERROR_ARGUMENT, "`seconds` is no number");
        const auto over = [&] { return found->over; };
        std::unique_lock lock(found->mutex);
        if (!found->over) {
            if (found->context->ticket_lock.is_held_by_this_thread())
                refuse(VISOR_ERROR_BUSY, "this call would wait for the launch whose callback it comes from");
            constexpr double longest = 1e9;
            if (seconds < 0 || seconds > longest)
                found->changed.wait(lock, over);
            else if (!found->changed.wait_for(lock, std::chrono::duration<double>(seconds), over))
                return fail(VISOR_NOT_READY, "the launch is not over yet");
        }
        lock.unlock();
        return outcome(*found);
    });
}

visor_status visor_launch_stop(visor_launch launch) {
    return call([&] { find<LaunchObject>(launch)->stop = true; });
}

visor_status visor_launch_release(visor_launch launch) {
    return call([&] { static_cast<void>(take<LaunchObject>(launch)); });
}
