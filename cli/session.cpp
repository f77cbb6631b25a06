#include "cli/session.h"

#include "check/report.h"
#include "cli/array_file.h"
#include "cli/interrupt.h"
#include "isa/device.h"

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

std::array<uint32_t, 3> narrow(const std::array<uint64_t, 3>& sizes) {
    std::array<uint32_t, 3> out{};
    std::ranges::transform(sizes, out.begin(), [](uint64_t size) { return static_cast<uint32_t>(size); });
    return out;
}

launch::Geometry geometry_of(const LaunchRequest& request) {
    launch::Geometry geometry;
    geometry.dimensions = std::max(1U, request.global.dimensions);
    geometry.global = request.global.size;
    if (request.local.dimensions != 0)
        geometry.local = narrow(request.local.size);
    if (request.offset.dimensions != 0)
        std::copy_n(request.offset.size.begin(), request.offset.dimensions, geometry.offset.begin());
    return geometry;
}

// How whoever wrote the launch spells its parts.
struct Words {
    const char* global;
    const char* local;
    const char* offset;
    const char* threads;
    const char* simd;
    const char* hand_written;
};
constexpr Words option_words{"-g X[,Y[,Z]]", "-l",
                             "--offset",     "--groups and --hw-threads",
                             "--simd",       "--groups, --hw-threads, --simd, --slm, --bti and --sampler"};
constexpr Words file_words{"`global`", "`local`",
                           "`offset`", "`groups` and `hw_threads`",
                           "`simd`",   "`groups`, `hw_threads`, `simd`, `slm`, `bti` and `samplers`"};

// "[3,5]" of a two-dimensional array, "[5]" of another.
std::string place_text(uint64_t index, const Shape& shape) {
    if (shape.size() < 2)
        return fmt::format("[{}]", index);
    std::vector<uint64_t> places(shape.size());
    for (size_t d = shape.size(); d-- > 0;) {
        places[d] = index % std::max<uint64_t>(shape[d], 1);
        index /= std::max<uint64_t>(shape[d], 1);
    }
    return fmt::format("[{}]", fmt::join(places, ","));
}

} // namespace

Session::Session(const Job& job, const RunRequest& request, const Console& console,
                 const std::atomic<bool>& stop)
    : job_(job), request_(request), console_(console), context_(*isa::device_named(job.device)),
      checkers_(request.checks) {
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
        auto made = make_array(context_, fmt::format("array `{}`", array.name), array.value, std::nullopt);
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
    if (ran && request_.last_seed)
        collect_arrays();
    if (ran)
        ran = finish();
    if (ran && !trace_problem_.empty())
        return invalid(trace_problem_);
    return ran;
}

Session::Step Session::load() {
    if (request_.engine == vm::EngineKind::jit)
        vm::expect_native();
    vm::LoadOptions options = job_.load;
    options.device = job_.device;
    options.compiler = request_.compiler;
    options.time_limit = request_.compiler_time;
    options.color = console_.color();
    options.source_lines = checkers_.listener() != nullptr;
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

// ---- before the first launch ----

Session::Step Session::prepare(const LaunchRequest& request) {
    auto kernel = vm::kernel(*program_, request.kernel);
    if (!kernel)
        return std::unexpected(failure(kernel.error()));
    LaunchRecord& record = record_.launches.emplace_back();
    record.request = &request;
    record.kernel = std::move(*kernel);
    console_.remark(fmt::format("visor: {}, SIMD{}", signature_text(record.kernel), record.kernel.simd));
    if (auto good = check_sizes(request, record.kernel); !good)
        return good;
    std::vector<StateText> states = request.surfaces;
    states.insert(states.end(), request.samplers.begin(), request.samplers.end());
    auto bindings = cli::bind(context_, record.kernel, request.arguments, states, arrays_);
    if (!bindings)
        return std::unexpected(bindings.error());
    for (const std::string& warning : bindings->warnings)
        warn(warning);
    Prepared& prepared = prepared_.emplace_back();
    prepared.bindings = std::move(*bindings);
    return prepare_dumps(record, prepared);
}

Session::Step Session::prepare_dumps(const LaunchRecord& record, Prepared& prepared) const {
    if (request_.dumps.empty())
        return {};
    const auto source = vm::source_of(*program_, record.kernel.name);
    if (!source)
        return std::unexpected(failure(source.error()));
    for (const trace::RegisterChoice& choice : request_.dumps) {
        if (const auto known = trace::check_names(*source->function, choice.names); !known)
            return invalid(fmt::format("--dump: {}", known.error()));
        prepared.dumps.emplace_back(choice);
    }
    return {};
}

// Parts that only the other sort of kernel understands.
Session::Step Session::check_sizes(const LaunchRequest& request, const vm::KernelFacts& kernel) const {
    const Words& words = request.place.empty() ? option_words : file_words;
    const bool in_threads = request.groups.dimensions != 0 || request.hardware_threads;
    if (!kernel.hand_written) {
        if (in_threads || request.simd || request.slm_bytes || !request.surfaces.empty() ||
            !request.samplers.empty())
            return usage(
                fmt::format("{} are for hand-written vISA text; this kernel was compiled, so give {}",
                            words.hand_written, words.global));
        if (request.global.dimensions == 0)
            return usage(fmt::format("the global size is missing: give {} in work-items\n  {}", words.global,
                                     signature_text(kernel)));
    } else if (in_threads && request.global.dimensions != 0) {
        return usage(fmt::format("the size is given twice: in work-items ({}) and in hardware threads ({})",
                                 words.global, words.threads));
    } else if (!in_threads && request.global.dimensions == 0) {
        return usage(
            fmt::format("the size is missing: give {} in work-items, or {}", words.global, words.threads));
    } else if (!request.simd && kernel.simd == 0) {
        return usage(fmt::format("kernel `{}` has no SimdSize attribute: give {} 8, 16 or 32", kernel.name,
                                 words.simd));
    }
    if (request.local.dimensions > request.global.dimensions && !in_threads)
        return usage(fmt::format("{} has more dimensions than {}", words.local, words.global));
    if (request.offset.dimensions > request.global.dimensions && !in_threads)
        return usage(fmt::format("{} has more dimensions than {}", words.offset, words.global));
    return {};
}

// The job's arrays, else what the only launch was given.
std::expected<const BoundArray*, std::string> Session::find(std::string_view name) const {
    const auto shared = std::ranges::find(arrays_, name, &BoundArray::name);
    if (shared != arrays_.end())
        return &*shared;
    if (prepared_.size() == 1)
        return prepared_.front().bindings.find(name);
    std::vector<std::string_view> names;
    for (const BoundArray& array : arrays_)
        names.emplace_back(array.name);
    return std::unexpected(fmt::format("no array is called `{}`{}", name, did_you_mean(name, names)));
}

// As the option, or the launch file's key, is called.
std::string Session::result_problem(std::string_view key, std::string_view name, std::string_view why) const {
    const bool in_file =
        std::ranges::any_of(job_.launches, [](const LaunchRequest& launch) { return !launch.place.empty(); });
    return in_file ? fmt::format("{}: error: {}: {}", request_.file, key, why)
                   : fmt::format("--{} {}: {}", key, name, why);
}

Session::Step Session::settle_results() {
    for (const OutputRequest& output : job_.outputs) {
        const auto array = find(output.name);
        if (!array)
            return invalid(result_problem("out", output.name, array.error()));
        auto settled = cli::settle(output, (*array)->facts);
        if (!settled)
            return invalid(settled.error());
        if (const auto possible = OutputFile::probe(output.path); !possible)
            return invalid(possible.error());
        outputs_.push_back(std::move(*settled));
    }
    for (const PrintRequest& print : job_.prints) {
        const auto array = find(print.name);
        if (!array)
            return invalid(result_problem("print", print.name, array.error()));
        auto settled = cli::settle(print, (*array)->facts);
        if (!settled)
            return invalid(settled.error());
        prints_.push_back(std::move(*settled));
    }
    for (const Expectation& expectation : job_.expectations)
        if (auto good = settle(expectation); !good)
            return invalid(
                fmt::format("{}: error: {}: {}", request_.file, expectation.place, good.error().text));
    return {};
}

Session::Step Session::settle(const Expectation& expectation) {
    const auto array = find(expectation.array);
    if (!array)
        return invalid(array.error());
    const ArrayFacts& facts = (*array)->facts;
    const uint64_t elements = elements_of(facts.shape).value_or(0);
    if (expectation.tolerance.ulps && !cli::facts(facts.element).is_float)
        return invalid(fmt::format("`ulps` is for floats; `{}` is an array of {}", expectation.array,
                                   name_of(facts.element)));
    Expected out{&expectation, *array, {}, nullptr};
    ArrayFacts given = facts;
    if (const auto* numbers = std::get_if<Numbers>(&expectation.value)) {
        auto bytes = number_bytes(*numbers, facts.element);
        if (!bytes)
            return invalid(bytes.error());
        if (expectation.every) {
            const std::vector<std::byte> one = std::move(*bytes);
            bytes->clear();
            for (uint64_t i = 0; i < elements; ++i)
                bytes->insert(bytes->end(), one.begin(), one.end());
        } else {
            given.shape = {numbers->size()};
        }
        out.bytes = std::move(*bytes);
    } else if (const auto* named = std::get_if<Named>(&expectation.value)) {
        out.other = *find(named->name);
        given = out.other->facts;
    } else {
        const auto format = facts.image ? std::optional(facts.image->format) : std::nullopt;
        auto content = array_content(expectation.value, facts.element, format);
        if (!content)
            return std::unexpected(content.error());
        given = std::move(content->facts);
        out.bytes = std::move(content->bytes);
    }
    if (given.image && facts.image && given.image->format != facts.image->format)
        return invalid(fmt::format("`{}` is an image of {}, expected is one of {}", expectation.array,
                                   facts_text(*facts.image), facts_text(*given.image)));
    if (given.element != facts.element)
        return invalid(fmt::format("`{}` is an array of {}, expected are {} ({})", expectation.array,
                                   name_of(facts.element), name_of(given.element), expectation.text));
    if (const uint64_t count = elements_of(given.shape).value_or(0); count != elements)
        return invalid(fmt::format("`{}` has {} elements, expected are {} ({})", expectation.array, elements,
                                   count, expectation.text));
    expected_.push_back(std::move(out));
    return {};
}

Session::Step Session::open_trace() {
    if (request_.trace.empty())
        return {};
    auto file = OutputFile::create(request_.trace);
    if (!file)
        return invalid(file.error());
    trace_file_.emplace(std::move(*file));
    tracer_.emplace(
        [this](std::string_view lines) {
            if (!trace_problem_.empty())
                return;
            if (auto put = trace_file_->write(lines); !put)
                trace_problem_ = put.error();
        },
        request_.trace_choice);
    return {};
}

// ---- launches ----

Session::Step Session::launch(size_t index) {
    const LaunchRequest& request = job_.launches[index];
    LaunchRecord& record = record_.launches[index];
    if (tracer_) {
        const auto sources = vm::sources_of(*program_, record.kernel.name);
        if (!sources)
            return std::unexpected(failure(sources.error()));
        std::vector<trace::Tracer::Source> texts;
        for (const vm::KernelSource& source : *sources)
            texts.push_back({source.function.get(), source.text});
        tracer_->begin_launch(index, texts);
    }
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

Session::Step Session::run_kernel(const LaunchRequest& request, LaunchRecord& record, Prepared& prepared) {
    machine::MulticastWatcher watchers;
    if (tracer_)
        watchers.add(*tracer_);
    for (trace::RegisterDump& dump : prepared.dumps)
        watchers.add(dump);
    if (machine::Watcher* const checkers = checkers_.listener())
        watchers.add(*checkers);
    vm::RunSettings settings = settings_;
    settings.watcher = watchers.listener();
    if (!tracer_ && prepared.dumps.empty())
        settings.watch_filter = checkers_.watch_filter();
    if (request_.timeout > 0) // of the whole job
        settings.options.timeout = std::max(request_.timeout - seconds_since(start_), 1e-6);
    const vm::KernelFacts& kernel = record.kernel;
    std::expected<vm::RunReport, vm::Error> report;
    if (kernel.hand_written) {
        launch::HandGeometry size;
        size.simd = request.simd.value_or(kernel.simd);
        size.slm_bytes = request.slm_bytes.value_or(kernel.slm_bytes);
        size.in_threads = request.global.dimensions == 0;
        size.items = geometry_of(request);
        size.groups = narrow(request.groups.size);
        size.threads = request.hardware_threads.value_or(1);
        report = context_.run(*program_, kernel.name, prepared.bindings.inputs, prepared.bindings.states,
                              size, settings);
    } else {
        report =
            context_.run(*program_, kernel.name, prepared.bindings.values, geometry_of(request), settings);
    }
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

// ---- results ----

// The text of a kernel that was launched, or of a function that it can call.
check::Source Session::source_of(const Function& function) const {
    for (const LaunchRecord& record : record_.launches) {
        const auto sources = vm::sources_of(*program_, record.kernel.name);
        if (!sources)
            continue;
        for (const vm::KernelSource& source : *sources)
            if (source.function.get() == &function)
                return {source.name, source.text};
    }
    return {};
}

// Also of a run that broke off.
void Session::collect_findings() {
    if (checkers_.listener() == nullptr)
        return;
    record_.checked = true;
    for (const check::Finding& finding : checkers_.findings().all())
        record_.findings.push_back(check::report(finding, source_of(*finding.function)));
}

// For a comparison with other schedules.
void Session::collect_arrays() {
    const auto add = [&](const BoundArray& array) {
        const auto bytes = context_.bytes_of(array.buffer);
        record_.arrays.push_back({array.name, array.facts.element, {bytes.begin(), bytes.end()}});
    };
    for (const BoundArray& array : arrays_)
        add(array);
    for (const Prepared& prepared : prepared_)
        for (const BoundArray& array : prepared.bindings.arrays)
            add(array);
}

// Results of a run that broke off would pass for whole ones; this is only reached by one that did not.
Session::Step Session::finish() {
    for (const PrintRequest& print : prints_) {
        const BoundArray& array = **find(print.name);
        PrintRecord record{.request = print, .elements = {}, .values = {}, .image = array.facts.image};
        const auto bytes = context_.bytes_of(array.buffer);
        const size_t size = size_of(*print.element);
        record.elements = bytes.size() / size;
        const uint64_t shown = std::min(record.elements, print.count.value_or(default_print_count));
        for (uint64_t i = 0; i < shown; ++i)
            record.values.push_back(number_text(bytes.data() + i * size, *print.element));
        say(print_line(print, bytes));
        record_.prints.push_back(std::move(record));
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        return invalid("cannot write to standard output");
    if (auto written = write_files(); !written)
        return written;
    return check_results();
}

// All of them are complete before the first takes its name.
Session::Step Session::write_files() {
    std::vector<OutputFile> files;
    for (const OutputRequest& output : outputs_) {
        auto file = OutputFile::create(output.path);
        if (!file)
            return invalid(file.error());
        files.push_back(std::move(*file));
    }
    for (size_t i = 0; i < files.size(); ++i) {
        const BoundArray& array = **find(outputs_[i].name);
        const auto put =
            write_output(outputs_[i], context_.bytes_of(array.buffer), console_.terminal(), files[i]);
        if (!put)
            return invalid(put.error());
    }
    for (size_t i = 0; i < files.size(); ++i) {
        if (const auto done = files[i].commit(); !done)
            return invalid(done.error());
        record_.files.push_back(outputs_[i]);
    }
    return {};
}

Session::Step Session::check_results() {
    std::string text;
    for (const Expected& expected : expected_) {
        const BoundArray& array = *expected.array;
        const auto got = context_.bytes_of(array.buffer);
        const std::span<const std::byte> wanted =
            expected.other != nullptr ? context_.bytes_of(expected.other->buffer) : std::span(expected.bytes);
        CheckRecord record{.array = expected.request->array,
                           .element = array.facts.element,
                           .shape = array.facts.shape,
                           .elements = elements_of(array.facts.shape).value_or(0),
                           .difference =
                               compare(array.facts.element, got, wanted, expected.request->tolerance)};
        if (record.difference)
            text += fmt::format("{}{}: error: {}: {}{} is {}, expected {} ({} of {} elements differ)",
                                text.empty() ? "" : "\n", request_.file, expected.request->place,
                                record.array, place_text(record.difference->index, record.shape),
                                record.difference->got, record.difference->expected,
                                grouped(record.difference->count), grouped(record.elements));
        record_.checks.push_back(std::move(record));
    }
    if (text.empty())
        return {};
    return invalid(std::move(text));
}

} // namespace visor::cli
