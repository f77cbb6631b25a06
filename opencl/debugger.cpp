#include "opencl/debugger.h"

#include "opencl/context.h"
#include "opencl/kernel.h"
#include "opencl/platform.h"
#include "opencl/program.h"
#include "vm/debug.h"

#include <csignal>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace visor::opencl {

namespace {

debug::Settings settings_of(const debug::ApplicationSettings& given) {
    debug::Settings settings = given.session();
    settings.on_kill = [] { kill(getpid(), SIGTERM); }; // as another debugger would
    return settings;
}

} // namespace

Debugger::State::State(const debug::ApplicationSettings& given)
    : settings(given), session(settings_of(given)) {}

Debugger::Debugger(const debug::ApplicationSettings& settings)
    : state_(settings.socket.empty() ? nullptr : new State(settings)) {}

bool Debugger::connect() {
    State& state = *state_;
    if (!std::exchange(state.tried, true)) {
        const auto socket = debug::connect_to(state.settings.socket);
        if (!socket) {
            platform().record.print_once(fmt::format(
                "visor: warning: process {} runs without the debugger, which another one has\n", getpid()));
            state.session.detach();
            return false;
        }
        state.client = new debug::ServedClient(state.session, state.settings.protocol, state.settings.style,
                                               {*socket, *socket});
    }
    if (state.client.load() != nullptr)
        state.client.load()->wait_for_start();
    return wanted();
}

void Debugger::finish() {
    if (state_ == nullptr)
        return;
    if (debug::ServedClient* const client = state_->client; client != nullptr)
        client->finish();
    state_->session.detach();
}

void Debugger::reset_after_fork() {
    state_ = nullptr; // another process's thread is at it
}

DebuggedLaunch::DebuggedLaunch(Debugger& debugger, const What& what) : what_(what) {
    held_ = std::unique_lock(debugger.state_->launch);
    if (debugger.connect())
        session_ = &debugger.state_->session;
}

DebuggedLaunch::~DebuggedLaunch() {
    if (session_ != nullptr)
        session_->rest();
}

std::expected<void, vm::Error> DebuggedLaunch::put_under(vm::RunSettings& settings) {
    if (session_ == nullptr)
        return {};
    const vm::Program& program = *what_.kernel.code;
    const std::string& name = what_.kernel.signature().name;
    const auto facts = vm::kernel(program, name);
    if (!facts)
        return std::unexpected(facts.error());
    _cl_context& context = *what_.kernel.program->context;
    shown_findings_ = context.checkers.findings().all().size();
    debug::LaunchFacts known{.arguments = vm::arguments_of(*facts, what_.values)};
    if (what_.kernel.program->origin == Origin::source)
        known.texts.push_back({built_source_name, what_.kernel.program->source});
    return vm::put_under(*session_, program, name, std::move(known), settings, [this, &context] {
        const auto& all = context.checkers.findings().all();
        if (all.size() > shown_findings_)
            session_->finding(all.back().kind, what_.heading_of(all.back()));
        shown_findings_ = all.size();
    });
}

} // namespace visor::opencl
