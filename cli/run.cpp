#include "cli/run.h"

#include "cli/file.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <thread>

namespace visor::cli {

namespace {

class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::array<uint32_t, 3> narrow(const std::array<uint64_t, 3>& sizes) {
    std::array<uint32_t, 3> out{};
    std::transform(sizes.begin(), sizes.end(), out.begin(),
                   [](uint64_t size) { return static_cast<uint32_t>(size); });
    return out;
}

class Run {
public:
    Run(const RunRequest& request, const std::atomic<bool>& stop)
        : request_(request), console_(request.talk.color, request.talk.quiet, request.talk.verbose),
          context_(*isa::device_named(request.device)) {
        settings_.engine = request.engine;
        settings_.options.fuel = request.fuel;
        settings_.options.timeout = request.timeout;
        settings_.options.workers =
            request.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : request.threads;
        settings_.options.seed = request.seed;
        settings_.options.stop = &stop;
    }

    ExitCode all() {
        const auto done = steps();
        if (!done) {
            console_.report(done.error());
            code_ = worse(code_, done.error().code);
        }
        summary();
        return code_;
    }

private:
    using Step = std::expected<void, Failure>;

    const RunRequest& request_;
    Console console_;
    vm::Context context_;
    vm::RunSettings settings_;
    vm::KernelFacts kernel_;
    Bindings bindings_;
    std::vector<OutputRequest> outputs_; // settled
    std::vector<PrintRequest> prints_;
    std::optional<vm::RunReport> report_;
    ExitCode code_ = ExitCode::clean;

    Step steps();
    std::expected<std::shared_ptr<const vm::Program>, Failure> load();
    Step settle_outputs();
    [[nodiscard]] Step check_sizes() const;
    [[nodiscard]] launch::Geometry geometry() const;
    std::expected<vm::RunReport, Failure> launch_compiled(const vm::Program& program);
    std::expected<vm::RunReport, Failure> launch_hand_written(const vm::Program& program);
    void describe_run() const;
    Step finish();
    Step write_files();
    void summary() const;
};

Run::Step Run::steps() {
    const auto program = load();
    if (!program)
        return std::unexpected(program.error());
    auto kernel = vm::kernel(**program, request_.kernel);
    if (!kernel)
        return std::unexpected(failure(kernel.error()));
    kernel_ = std::move(*kernel);
    console_.remark(fmt::format("visor: {}, SIMD{}", signature_text(kernel_), kernel_.simd));
    if (auto good = check_sizes(); !good)
        return good;
    auto bindings = bind(context_, kernel_, request_.arguments, request_.surfaces);
    if (!bindings)
        return std::unexpected(bindings.error());
    bindings_ = std::move(*bindings);
    for (const std::string& warning : bindings_.warnings)
        console_.warning(warning);
    if (auto good = settle_outputs(); !good)
        return good;
    auto report = kernel_.hand_written ? launch_hand_written(**program) : launch_compiled(**program);
    if (!report)
        return std::unexpected(report.error());
    report_ = std::move(*report);
    describe_run();
    return finish();
}

std::expected<std::shared_ptr<const vm::Program>, Failure> Run::load() {
    const auto content = read_file(request_.file);
    if (!content)
        return invalid(content.error());
    if (vm::identify(*content, request_.file) == vm::InputKind::launch_file)
        return not_yet(fmt::format("a launch file (`{}`)", request_.file));
    vm::LoadOptions options;
    options.device = request_.device;
    options.compiler_options = request_.compiler_options;
    options.color = console_.color();
    std::string warnings;
    const Stopwatch watch;
    auto program = context_.load(request_.file, *content, options, warnings);
    console_.warning(warnings);
    if (!program)
        return std::unexpected(failure(program.error()));
    if (request_.time)
        console_.line(fmt::format("visor: load and compile {:.3f} s", watch.seconds()));
    return std::move(*program);
}

Run::Step Run::settle_outputs() {
    for (const OutputRequest& output : request_.outputs) {
        const auto array = bindings_.find(output.name);
        if (!array)
            return invalid(fmt::format("--out {}: {}", output.name, array.error()));
        auto settled = settle(output, (*array)->facts);
        if (!settled)
            return invalid(settled.error());
        if (const auto possible = OutputFile::probe(output.path); !possible)
            return invalid(possible.error());
        outputs_.push_back(std::move(*settled));
    }
    for (const PrintRequest& print : request_.prints) {
        const auto array = bindings_.find(print.name);
        if (!array)
            return invalid(fmt::format("--print {}: {}", print.name, array.error()));
        auto settled = settle(print, (*array)->facts);
        if (!settled)
            return invalid(settled.error());
        prints_.push_back(std::move(*settled));
    }
    return {};
}

// Options that only the other sort of kernel understands.
Run::Step Run::check_sizes() const {
    const bool in_threads = request_.groups.dimensions != 0 || request_.hardware_threads;
    if (!kernel_.hand_written) {
        if (in_threads || request_.simd || request_.slm_bytes || !request_.surfaces.empty())
            return usage("--groups, --hw-threads, --simd, --slm and --bti are for hand-written vISA text; "
                         "this kernel was "
                         "compiled, so give -g and -l");
        if (request_.global.dimensions == 0)
            return usage(fmt::format("the global size is missing: give -g X[,Y[,Z]] in work-items\n  {}",
                                     signature_text(kernel_)));
    } else if (in_threads && request_.global.dimensions != 0) {
        return usage("the size is given twice: in work-items (-g, -l) and in hardware threads (--groups, "
                     "--hw-threads)");
    } else if (!in_threads && request_.global.dimensions == 0) {
        return usage("the size is missing: give -g and -l in work-items, or --groups and --hw-threads");
    } else if (!request_.simd && kernel_.simd == 0) {
        return usage(
            fmt::format("kernel `{}` has no SimdSize attribute: give --simd 8, 16 or 32", kernel_.name));
    }
    if (request_.local.dimensions > request_.global.dimensions && !in_threads)
        return usage("-l has more dimensions than -g");
    if (request_.offset.dimensions > request_.global.dimensions && !in_threads)
        return usage("--offset has more dimensions than -g");
    return {};
}

launch::Geometry Run::geometry() const {
    launch::Geometry geometry;
    geometry.dimensions = std::max(1U, request_.global.dimensions);
    geometry.global = request_.global.size;
    if (request_.local.dimensions != 0)
        geometry.local = narrow(request_.local.size);
    if (request_.offset.dimensions != 0)
        std::copy_n(request_.offset.size.begin(), request_.offset.dimensions, geometry.offset.begin());
    return geometry;
}

std::expected<vm::RunReport, Failure> Run::launch_compiled(const vm::Program& program) {
    auto report = context_.run(program, kernel_.name, bindings_.values, geometry(), settings_);
    if (!report)
        return std::unexpected(failure(report.error()));
    return std::move(*report);
}

std::expected<vm::RunReport, Failure> Run::launch_hand_written(const vm::Program& program) {
    launch::HandGeometry size;
    size.simd = request_.simd.value_or(kernel_.simd);
    size.slm_bytes = request_.slm_bytes.value_or(kernel_.slm_bytes);
    size.in_threads = request_.global.dimensions == 0;
    size.items = geometry();
    size.groups = narrow(request_.groups.size);
    size.threads = request_.hardware_threads.value_or(1);
    auto report = context_.run(program, kernel_.name, bindings_.inputs, bindings_.surfaces, size, settings_);
    if (!report)
        return std::unexpected(failure(report.error()));
    return std::move(*report);
}

void Run::describe_run() const {
    console_.remark(fmt::format("visor: local size {}, {} work-groups, {} hardware threads, {} instructions",
                                fmt::join(report_->local, "x"), fmt::join(report_->groups, "x"),
                                grouped(report_->hardware_threads), grouped(report_->instructions)));
    if (request_.time)
        console_.line(fmt::format("visor: prepare {:.3f} s, run {:.3f} s", report_->prepare_seconds,
                                  report_->run_seconds));
}

// Results of a run that broke off would pass for whole ones: what the kernel said is shown, its arrays are
// not.
Run::Step Run::finish() {
    std::fwrite(report_->printf_output.data(), 1, report_->printf_output.size(), stdout);
    if (report_->error) {
        Failure broken = failure(*report_->error);
        const size_t kept_back = outputs_.size() + prints_.size();
        if (kept_back > 0)
            broken.text += fmt::format("\n  no output is written, because the run did not finish");
        std::fflush(stdout);
        return std::unexpected(std::move(broken));
    }
    for (const PrintRequest& print : prints_) {
        const auto array = bindings_.find(print.name);
        const std::string line = print_line(print, context_.bytes_of((*array)->buffer));
        std::fwrite(line.data(), 1, line.size(), stdout);
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
        return invalid("cannot write to standard output");
    return write_files();
}

// All of them are complete before the first takes its name.
Run::Step Run::write_files() {
    std::vector<OutputFile> files;
    for (const OutputRequest& output : outputs_) {
        auto file = OutputFile::create(output.path);
        if (!file)
            return invalid(file.error());
        files.push_back(std::move(*file));
    }
    for (size_t i = 0; i < files.size(); ++i) {
        const auto array = bindings_.find(outputs_[i].name);
        const auto put =
            write_output(outputs_[i], context_.bytes_of((*array)->buffer), console_.terminal(), files[i]);
        if (!put)
            return invalid(put.error());
    }
    for (OutputFile& file : files)
        if (const auto done = file.commit(); !done)
            return invalid(done.error());
    return {};
}

void Run::summary() const {
    if (!report_) {
        console_.line("visor: no kernel was run");
        return;
    }
    const uint64_t all = report_->groups[0] * report_->groups[1] * report_->groups[2];
    const std::string groups = report_->work_groups == all
                                   ? grouped(all)
                                   : fmt::format("{} of {}", grouped(report_->work_groups), grouped(all));
    const std::string fidelity =
        report_->fidelity_names.empty()
            ? isa::name_of(report_->fidelity)
            : fmt::format("{} ({})", isa::name_of(report_->fidelity), report_->fidelity_names);
    console_.line(fmt::format("visor: 1 kernel, {} work-group{}, {} instruction{}, {}; {}", groups,
                              all == 1 ? "" : "s", grouped(report_->instructions),
                              report_->instructions == 1 ? "" : "s",
                              report_->error             ? "broken off"
                              : code_ != ExitCode::clean ? "finished, then failed"
                                                         : "finished",
                              fidelity));
}

} // namespace

ExitCode run(const RunRequest& request, const std::atomic<bool>& stop) {
    return Run(request, stop).all();
}

} // namespace visor::cli
