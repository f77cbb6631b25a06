#include "opencl/profiles.h"

#include "opencl/platform.h"
#include "opencl/program.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace visor::opencl {

namespace {

struct CommandName {
    cl_command_type command;
    std::string_view name;
};
constexpr std::array command_names{CommandName{CL_COMMAND_READ_BUFFER, "read buffer"},
                                   CommandName{CL_COMMAND_WRITE_BUFFER, "write buffer"},
                                   CommandName{CL_COMMAND_COPY_BUFFER, "copy buffer"},
                                   CommandName{CL_COMMAND_READ_BUFFER_RECT, "read rectangle"},
                                   CommandName{CL_COMMAND_WRITE_BUFFER_RECT, "write rectangle"},
                                   CommandName{CL_COMMAND_COPY_BUFFER_RECT, "copy rectangle"},
                                   CommandName{CL_COMMAND_FILL_BUFFER, "fill buffer"},
                                   CommandName{CL_COMMAND_MAP_BUFFER, "map buffer"},
                                   CommandName{CL_COMMAND_READ_IMAGE, "read image"},
                                   CommandName{CL_COMMAND_WRITE_IMAGE, "write image"},
                                   CommandName{CL_COMMAND_COPY_IMAGE, "copy image"},
                                   CommandName{CL_COMMAND_FILL_IMAGE, "fill image"},
                                   CommandName{CL_COMMAND_MAP_IMAGE, "map image"},
                                   CommandName{CL_COMMAND_COPY_IMAGE_TO_BUFFER, "copy image to buffer"},
                                   CommandName{CL_COMMAND_COPY_BUFFER_TO_IMAGE, "copy buffer to image"},
                                   CommandName{CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
                                   CommandName{CL_COMMAND_MARKER, "marker"},
                                   CommandName{CL_COMMAND_BARRIER, "barrier"},
                                   CommandName{CL_COMMAND_SVM_MEMCPY, "copy memory"},
                                   CommandName{CL_COMMAND_SVM_MEMFILL, "fill memory"},
                                   CommandName{CL_COMMAND_SVM_MAP, "map memory"},
                                   CommandName{CL_COMMAND_SVM_UNMAP, "unmap memory"},
                                   CommandName{CL_COMMAND_SVM_FREE, "free memory"}};

} // namespace

void Profiles::host(cl_command_type command) {
    if (state_ == nullptr)
        return;
    const auto* const found = std::ranges::find(command_names, command, &CommandName::command);
    const std::lock_guard held(state_->lock);
    state_->outputs.host(found == command_names.end() ? "command" : found->name);
}

// Under the lock.
void Profiles::write() {
    {
        const std::lock_guard held(state_->findings_lock);
        for (std::string& finding : state_->findings)
            state_->outputs.add_finding(std::move(finding));
        state_->findings.clear();
    }
    state_->outputs.set_title(fmt::format("visor report: process {}", getpid()));
    if (const auto done = state_->outputs.write(fmt::format("visor {}", vm::version())); !done)
        platform().record.print_once(fmt::format("visor: error: {}\n", done.error()));
    state_->written = std::chrono::steady_clock::now();
}

void Profiles::finish() {
    if (state_ == nullptr)
        return;
    const std::lock_guard held(state_->lock);
    // A child that does nothing leaves its parent's files alone.
    if (state_->is_child && !state_->used)
        return;
    write();
    if (const std::string remark = state_->outputs.remark(); !remark.empty())
        platform().record.print_once(fmt::format("visor: warning: {}\n", remark));
}

void Profiles::reset_after_fork() {
    if (state_ == nullptr)
        return;
    // Another thread may have held the lock, and be gone: the old state stays as it is.
    [[maybe_unused]] const State* const left = state_.release();
    state_ = std::make_unique<State>(paths_);
    state_->is_child = true;
}

void Profiles::found(std::string_view finding) {
    if (state_ == nullptr)
        return;
    const std::lock_guard held(state_->findings_lock);
    state_->findings.emplace_back(finding);
}

ProfiledLaunch::ProfiledLaunch(Profiles& profiles, const What& what)
    : profiles_(profiles), held_(profiles.state_->lock) {
    const auto found = vm::sources_of(what.program, what.kernel);
    if (!found)
        return; // nor can it be launched
    profile::Outputs& outputs = profiles_.state_->outputs;
    // Sources of later programs have names of their own.
    const std::string name =
        what.number == 1 ? std::string(built_source_name) : fmt::format("program {}.cl", what.number);
    std::vector<profile::Source> sources = profile::sources_from(*found);
    for (profile::Source& source : sources)
        source.renamed = {std::string(built_source_name), name};
    outputs.add_sources(sources);
    if (!what.source.empty())
        outputs.add_text(name, what.source);
    if (what.checked)
        outputs.set_checked();
    profiles_.state_->used = true;
}

machine::Watcher* ProfiledLaunch::listener(machine::Watcher* first) {
    if (first != nullptr)
        watchers_.add(*first);
    profiles_.state_->outputs.add_to(watchers_);
    return watchers_.listener();
}

ProfiledLaunch::~ProfiledLaunch() {
    constexpr std::chrono::seconds between(2);
    if (std::chrono::steady_clock::now() - profiles_.state_->written > between)
        profiles_.write();
}

} // namespace visor::opencl
