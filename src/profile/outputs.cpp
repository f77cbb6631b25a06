#include "profile/outputs.h"

#include "file/file.h"
#include "profile/formats.h"

#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace visor::profile {

namespace {

std::expected<void, std::string> put(const std::string& path, std::string_view text) {
    if (path.empty())
        return {};
    return write_file(expand_process(path, getpid()), std::as_bytes(std::span(text)), Content::text);
}

} // namespace

std::string expand_process(std::string_view path, int process) {
    std::string out;
    for (size_t i = 0; i < path.size(); ++i) {
        const char next = path[i] == '%' && i + 1 < path.size() ? path[i + 1] : '\0';
        if (next == 'p')
            out += std::to_string(process);
        else
            out += path[i];
        if (next == 'p' || next == '%')
            ++i;
    }
    return out;
}

Outputs::Outputs(Paths paths) : paths_(std::move(paths)) {
    if (!paths_.profile.empty() || !paths_.coverage.empty() || !paths_.page.empty())
        profiler_.emplace(!paths_.page.empty()     ? Detail::arrays
                          : paths_.profile.empty() ? Detail::executions
                                                   : Detail::messages);
    if (!paths_.timeline.empty())
        timeline_.emplace();
}

std::expected<void, std::string> Outputs::probe() const {
    for (const std::string* path : {&paths_.profile, &paths_.coverage, &paths_.timeline, &paths_.page})
        if (!path->empty())
            if (auto can = OutputFile::probe(expand_process(*path, getpid())); !can)
                return can;
    return {};
}

void Outputs::add_sources(std::span<const Source> sources) {
    if (profiler_)
        profiler_->add_sources(sources);
}

void Outputs::add_to(machine::MulticastWatcher& watchers) {
    if (profiler_)
        watchers.add(*profiler_);
    if (timeline_)
        watchers.add(*timeline_);
}

void Outputs::add_finding(std::string finding) {
    constexpr size_t most_findings = 1000;
    if (page_.findings.size() < most_findings)
        page_.findings.push_back(std::move(finding));
}

void Outputs::add_text(std::string_view name, std::string_view text) {
    if (!paths_.page.empty())
        texts_.insert_or_assign(std::string(name), std::string(text));
}

std::optional<std::string> Outputs::source_text(std::string_view file) const {
    constexpr size_t most_source_bytes = size_t{4} << 20U;
    if (const auto known = texts_.find(file); known != texts_.end())
        return known->second;
    const std::string path(file);
    if (!check_regular(path))
        return std::nullopt;
    auto content = read_file(path, most_source_bytes);
    return content ? std::optional(std::move(*content)) : std::nullopt;
}

void Outputs::host(std::string_view name) {
    if (timeline_)
        timeline_->host(name);
}

std::string Outputs::remark() const {
    if (!timeline_ || timeline_->dropped() == 0)
        return "";
    return fmt::format("{}: {} events more were too many to keep", paths_.timeline, timeline_->dropped());
}

std::expected<void, std::string> Outputs::write(std::string_view creator) {
    const bool collapsed = paths_.profile.ends_with(".folded") || paths_.profile.ends_with(".collapsed");
    std::expected<void, std::string> done;
    if (!paths_.profile.empty())
        done = put(paths_.profile, collapsed ? collapsed_of(profiler_->profile(), Lines::source)
                                             : callgrind_of(profiler_->profile(), Lines::source, creator));
    if (done && !paths_.coverage.empty())
        done = put(paths_.coverage, lcov_of(profiler_->profile()));
    if (done && timeline_)
        done = put(paths_.timeline, timeline_->json());
    if (done && !paths_.page.empty()) {
        PageFacts facts = page_;
        facts.creator = creator;
        facts.source = [this](std::string_view file) { return source_text(file); };
        done = put(paths_.page, page_of(profiler_->profile(), facts));
    }
    return done;
}

} // namespace visor::profile
