#include "capi/debugged.h"

#include "debug/serve.h"
#include "vm/debug.h"

#include <utility>

namespace visor::capi {

std::optional<DebuggerChoice> debugger_of(const visor_launch_options& options) {
    DebuggerChoice choice;
    switch (options.debugger) {
    case VISOR_DEBUGGER_NONE:
        return std::nullopt;
    case VISOR_DEBUGGER_PROMPT:
        break;
    case VISOR_DEBUGGER_DAP:
        choice.protocol = debug::Protocol::dap;
        break;
    case VISOR_DEBUGGER_GDB:
        choice.protocol = debug::Protocol::gdb;
        break;
    default:
        refuse(VISOR_ERROR_ARGUMENT, "options: `debugger` is no visor_debugger");
    }
    if (options.debugger_port > UINT16_MAX)
        refuse(VISOR_ERROR_ARGUMENT, "options: `debugger_port` is at most 65535");
    if (options.debugger_port == 0 && choice.protocol != debug::Protocol::prompt)
        refuse(VISOR_ERROR_ARGUMENT,
               "options: `debugger_port` is needed: only a prompt can be at the standard streams");
    if (options.debugger_history > debug::most_history_mebibytes)
        refuse(VISOR_ERROR_ARGUMENT, "options: `debugger_history` is more than any machine has");
    choice.port = static_cast<uint16_t>(options.debugger_port);
    choice.settings.outlives_client = true;
    choice.settings.stop_at_end = options.debugger_stop_at_end != 0;
    if (options.debugger_history != 0)
        choice.settings.history_bytes = uint64_t{options.debugger_history} << 20U;
    return choice;
}

namespace {

debug::Settings with_stop(debug::Settings settings, std::atomic<bool>& stop) {
    settings.on_kill = [&stop] { stop = true; };
    return settings;
}

} // namespace

DebuggedLaunch::DebuggedLaunch(const DebuggerChoice& choice, std::atomic<bool>& stop)
    : session_(with_stop(choice.settings, stop)) {
    const auto channel = debug::open_channel(choice.protocol, choice.port);
    if (!channel)
        refuse(VISOR_ERROR_INPUT, "error: the launch is not debugged: " + channel.error());
    client_.emplace(session_, choice.protocol, debug::style_of(choice.port), *channel);
    client_->wait_for_start();
}

DebuggedLaunch::~DebuggedLaunch() {
    session_.rest();
}

void DebuggedLaunch::put_under(const KernelObject& kernel, const Binding& binding, vm::RunSettings& settings,
                               std::function<void()> told) {
    debug::LaunchFacts facts{.arguments = kernel.facts.hand_written
                                              ? vm::arguments_of(binding.inputs)
                                              : vm::arguments_of(kernel.facts, binding.values)};
    if (const auto good = vm::put_under(session_, *kernel.program->program, kernel.facts.name,
                                        std::move(facts), settings, std::move(told));
        !good)
        refuse(good.error());
}

} // namespace visor::capi
