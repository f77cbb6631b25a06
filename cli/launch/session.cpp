#include "cli/launch/session.h"

#include "check/report.h"
#include "cli/console/interrupt.h"
#include "cli/value/array_file.h"
#include "debug/session.h"
#include "isa/device.h"
#include "vm/debug.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <thread>

namespace visor::cli {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

Session::Session(const Job& job, const RunRequest& request, const Console& console,
                 const std::atomic<bool>& stop)
    : job_(job), request_(request), console_(console), context_(*isa::device_named(job.device)),
      checkers_(request.checks), captures_(request.capture, [this](std::string_view text) {
          warn(fmt::format("visor: warning: {}", text));
      }) {
    settings_.engine = request.engine;
    settings_.options.fuel = request.fuel;
    settings_.options.timeout = request.timeout;
    settings_.options.workers =
        request.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : request.threads;
    settings_.options.seed = request.seed;
    settings_.options.stop = &stop;
    record_.file = request.file;
    record_.seed = request.seed;
    record_.device = job.device;
}

RunRecord Session::run() {
    if (auto done = steps(); !done) {
        record_.code = worse(record_.code, done.error().code);
        console_.report(done.error());
        record_.failures.push_back(std::move(done.error()));
    }
    return std::move(record_);
}

void Session::warn(const std::string& text) {
    if (text.empty())
        return;
    console_.warning(text);
    record_.warnings.push_back(text);
}

void Session::say(std::string_view text) const {
    if (!request_.json)
        std::fwrite(text.data(), 1, text.size(), stdout);
}

Failure Session::located(const LaunchRequest& request, Failure failure) const {
    if (request.place.empty())
        return failure;
    constexpr std::string_view error = "error: ";
    if (failure.text.starts_with(error))
        failure.text.erase(0, error.size());
    // A message with a place of its own needs the launch behind it.
    const bool has_place = failure.text.find(": error:") != std::string::npos ||
                           failure.text.find("unsupported by Visor") != std::string::npos;
    failure.text = has_place ? fmt::format("{}\n    in {} of {}", failure.text, request.place, request_.file)
                             : fmt::format("{}: error: {}: {}", request_.file, request.place, failure.text);
    if (failure.code == ExitCode::usage) // no fault of the command line
        failure.code = ExitCode::invalid;
    return failure;
}

Session::Step Session::steps() {
    warn(job_.remark);
    if (auto good = load(); !good)
        return good;
    for (const NamedArray& array : job_.arrays) {
        auto made = array.name == job_.variables ? set_variables(array)
                                                 : make_array(context_, fmt::format("array `{}`", array.name),
                                                              array.value, std::nullopt);
        if (!made)
            return std::unexpected(made.error());
        made->name = array.name;
        arrays_.push_back(std::move(*made));
    }
    for (const LaunchRequest& request : job_.launches)
        if (auto good = prepare(request); !good)
            return std::unexpected(located(request, std::move(good.error())));
    if (auto good = settle_results(); !good)
        return good;
    if (auto good = open_trace(); !good)
        return good;
    if (request_.profiles.any()) {
        profiles_.emplace(request_.profiles);
        profiles_->set_title(fmt::format("visor report {}", request_.file));
        profiles_->add_text(job_.program_name, job_.program);
        if (const auto can = profiles_->probe(); !can)
            return invalid(can.error());
    }
    start_ = Clock::now();
    Step ran{};
    const interrupt::Orderly from_here_on;
    for (size_t i = 0; i < job_.launches.size() && ran; ++i)
        ran = launch(i);
    // Also of a run that broke off: that is what one wants to see then.
    if (tracer_) {
        tracer_->flush();
        if (trace_problem_.empty())
            if (auto done = trace_file_->commit(); !done)
                trace_problem_ = done.error();
        record_.trace = request_.trace;
    }
    collect_findings();
    const Step profiled = write_profiles();
    const Step captured = finish_captures();
    if (ran && request_.last_seed)
        collect_arrays();
    if (ran)
        ran = finish();
    if (ran && !trace_problem_.empty())
        return invalid(trace_problem_);
    if (!ran)
        return ran;
    return profiled ? captured : profiled;
}

// The program's variables begin as this array, and are it.
std::expected<BoundArray, Failure> Session::set_variables(const NamedArray& array) {
    auto content = array_content(array.value, std::nullopt, std::nullopt);
    if (!content)
        return std::unexpected(content.error());
    const launch::Buffer variables = vm::variables_of(*program_);
    if (content->bytes.size() != variables.bytes)
        return invalid(fmt::format("{}: error: `{}` has {} bytes, the program's variables have {}",
                                   request_.file, array.name, content->bytes.size(), variables.bytes));
    std::ranges::copy(content->bytes, context_.bytes_of(variables).begin());
    return BoundArray{.name = {}, .parameter = {}, .buffer = variables, .facts = std::move(content->facts)};
}

Session::Step Session::load() {
    if (request_.engine == vm::EngineKind::jit)
        vm::expect_native();
    vm::LoadOptions options = job_.load;
    options.device = job_.device;
    options.compiler = request_.compiler;
    options.time_limit = request_.compiler_time;
    options.color = console_.color();
    options.keep_content = captures_.wanted();
    options.source_lines =
        checkers_.listener() != nullptr || request_.profiles.any() || request_.debugger != nullptr;
    if (console_.is_watched())
        options.on_wait = [this](std::string_view text) { console_.line(fmt::format("visor: {}", text)); };
    std::string warnings;
    const Clock::time_point start = Clock::now();
    auto program = context_.load(job_.program_name, job_.program, options, warnings);
    record_.load_seconds = seconds_since(start);
    warn(warnings);
    if (!program)
        return std::unexpected(failure(program.error()));
    program_ = std::move(*program);
    record_.compiler = vm::compiler_of(*program_);
    if (!record_.compiler.empty())
        console_.remark(fmt::format("visor: compiled by {}", record_.compiler));
    if (request_.time)
        console_.line(fmt::format("visor: load and compile {:.3f} s", record_.load_seconds));
    return {};
}

Session::Step Session::launch(size_t index) {
    const LaunchRequest& request = job_.launches[index];
    LaunchRecord& record = record_.launches[index];
    if (auto good = begin_sources(index, record); !good)
        return good;
    checkers_.findings().begin_launch(index);
    if (auto ran = run_kernel(request, record, prepared_[index]); !ran)
        return std::unexpected(located(request, std::move(ran.error())));
    tell(record);
    for (const trace::RegisterDump& dump : prepared_[index].dumps) {
        record.dumps.push_back({dump.choice(), dump.found()});
        tell(record.dumps.back(), request.place);
    }
    if (record.report->error) {
        Failure broken = failure(*record.report->error);
        if (!outputs_.empty() || !prints_.empty())
            broken.text += "\n  no output is written, because the run did not finish";
        std::fflush(stdout);
        return std::unexpected(located(request, std::move(broken)));
    }
    for (const DumpRecord& dump : record.dumps)
        if (!dump.registers)
            return std::unexpected(located(
                request,
                {ExitCode::invalid,
                 fmt::format("--dump: there is no hardware thread {} of group {}: the launch has "
                             "{} groups and {} hardware threads",
                             dump.choice.thread, trace::group_text(dump.choice.group),
                             fmt::join(record.report->groups, "x"), record.report->hardware_threads)}));
    return {};
}

// What listens to a launch and names places in its text learns the text.
Session::Step Session::begin_sources(size_t index, const LaunchRecord& record) {
    if (!tracer_ && !profiles_)
        return {};
    const auto sources = vm::sources_of(*program_, record.kernel.name);
    if (!sources)
        return std::unexpected(failure(sources.error()));
    std::vector<trace::Tracer::Source> traced;
    for (const vm::KernelSource& source : *sources)
        traced.push_back({source.function.get(), source.text});
    if (tracer_)
        tracer_->begin_launch(index, traced);
    if (profiles_)
        profiles_->add_sources(profile::sources_from(*sources));
    return {};
}

// It listens, and tells the others.
Session::Step Session::put_under_debugger(const LaunchRecord& record, const Prepared& prepared,
                                          vm::RunSettings& settings) {
    debug::Session& debugger = *request_.debugger;
    const auto told = [this, &debugger] {
        const auto& all = checkers_.findings().all();
        if (all.size() > shown_findings_)
            debugger.finding(all.back().kind, check::heading(all.back(), source_of(*all.back().function)));
        shown_findings_ = all.size();
    };
    auto arguments = record.kernel.hand_written ? vm::arguments_of(prepared.bindings.inputs)
                                                : vm::arguments_of(record.kernel, prepared.bindings.values);
    if (auto good = vm::put_under(debugger, *program_, record.kernel.name,
                                  {.arguments = std::move(arguments)}, settings, told);
        !good)
        return std::unexpected(failure(good.error()));
    return {};
}

Session::Step Session::run_kernel(const LaunchRequest& request, LaunchRecord& record, Prepared& prepared) {
    machine::MulticastWatcher watchers;
    if (tracer_)
        watchers.add(*tracer_);
    for (trace::RegisterDump& dump : prepared.dumps)
        watchers.add(dump);
    if (profiles_)
        profiles_->add_to(watchers);
    if (machine::Watcher* const checkers = checkers_.listener())
        watchers.add(*checkers);
    vm::RunSettings settings = settings_;
    settings.watcher = watchers.listener();
    if (request_.debugger != nullptr)
        if (auto good = put_under_debugger(record, prepared, settings); !good)
            return good;
    if (!tracer_ && !profiles_ && prepared.dumps.empty() && request_.debugger == nullptr)
        settings.watch_filter = checkers_.watch_filter();
    if (request_.timeout > 0) // of the whole job
        settings.options.timeout = std::max(request_.timeout - seconds_since(start_), 1e-6);
    auto report = run_captured(request, record.kernel, prepared, settings);
    if (request_.debugger != nullptr)
        request_.debugger->rest();
    if (!report)
        return std::unexpected(failure(report.error()));
    record.report = std::move(*report);
    return {};
}

void Session::tell(const LaunchRecord& record) const {
    const vm::RunReport& report = *record.report;
    console_.remark(fmt::format("visor: local size {}, {} work-groups, {} hardware threads, {} instructions",
                                fmt::join(report.local, "x"), fmt::join(report.groups, "x"),
                                grouped(report.hardware_threads), grouped(report.instructions)));
    const std::string story = (report.native ? "jit engine: " : "interp engine: ") + report.engine_story;
    if (report.engine_failed) // the results are right, and slow; somebody should hear of it
        console_.warning(story);
    else if (!report.engine_story.empty())
        console_.remark("visor: " + story);
    if (request_.time)
        console_.line(
            fmt::format("visor: prepare {:.3f} s, run {:.3f} s", report.prepare_seconds, report.run_seconds));
    say(Console::for_output(report.printf_output));
}

// "V0033 = 0 1 2 3", one element a lane; with -v all elements, and the bytes of general variables below.
void Session::tell(const DumpRecord& dump, const std::string& place) const {
    if (!dump.registers)
        return;
    const bool whole = request_.talk.verbose;
    for (const trace::Register& found : dump.registers->all) {
        const size_t all = found.elements.size();
        const bool by_lane = found.kind == trace::RegisterKind::general && !whole;
        const size_t shown = by_lane ? std::min<size_t>(all, dump.registers->simd) : all;
        const std::vector<std::string> values(found.elements.begin(),
                                              found.elements.begin() + static_cast<ptrdiff_t>(shown));
        std::string line = fmt::format("{}{}{} = {}{}\n", place, place.empty() ? "" : " ", found.name,
                                       found.used ? fmt::format("{}", fmt::join(values, " "))
                                                  : "(the kernel does not use it)",
                                       shown < all ? " ..." : "");
        if (whole && !found.bytes.empty()) {
            line += fmt::format("  {}, {} bytes:", isa::facts(found.type).name, found.bytes.size());
            for (const std::byte byte : found.bytes)
                line += fmt::format(" {:02x}", std::to_integer<unsigned>(byte));
            line += '\n';
        }
        say(line);
    }
}

} // namespace visor::cli
