// Launches under a debugger.
#pragma once

#include "debug/session.h"
#include "launch/bind.h"
#include "vm/vm.h"

#include <expected>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace visor::vm {

// The launch's arguments for the debugger's user. `values` by index.
[[nodiscard]] std::vector<debug::Argument> arguments_of(const KernelFacts& kernel,
                                                        std::span<const launch::ArgumentValue> values);
[[nodiscard]] std::vector<debug::Argument> arguments_of(std::span<const launch::HandInput> inputs);

// The session stops the next launch, which `settings` are of: on the interpreter, with one worker and without
// a time limit. It tells the settings' watcher of everything, and calls `told` after each time. After the
// launch: session.rest(). Error: the kernel cannot be prepared.
[[nodiscard]] std::expected<void, Error> put_under(debug::Session& session, const Program& program,
                                                   std::string_view kernel, debug::LaunchFacts facts,
                                                   RunSettings& settings, std::function<void()> told = {});

} // namespace visor::vm
