// A session after its last launch: findings, prints, files, and what was expected.
#include "check/report.h"
#include "cli/launch/session.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::cli {

namespace {

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

// Also of a run that broke off.
Session::Step Session::write_profiles() {
    if (!profiles_)
        return {};
    if (record_.checked)
        profiles_->set_checked();
    for (const check::Reported& finding : record_.findings)
        profiles_->add_finding(finding.text);
    if (const auto done = profiles_->write(fmt::format("visor {}", vm::version())); !done)
        return invalid(done.error());
    if (const std::string remark = profiles_->remark(); !remark.empty())
        warn(fmt::format("visor: warning: {}", remark));
    record_.profiles = request_.profiles;
    return {};
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
