// The prompt for a client that sends lines and reads text: a terminal, or what passes one on.
#pragma once

#include "debug/client.h"
#include "debug/prompt.h"
#include "debug/session.h"

#include <functional>

namespace visor::debug {

enum class PromptStyle : uint8_t { silent, with_prompt };

// A byte of a line alone that stops what runs, as gdb's protocol has it (^C).
inline constexpr char interrupt_byte = '\x03';

// See debug/client.h.
[[nodiscard]] ClientEnd serve_prompt(Session& session, Channel channel, PromptStyle style,
                                     const std::function<void()>& start);

} // namespace visor::debug
