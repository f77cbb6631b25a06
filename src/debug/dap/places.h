// What is shown besides registers: arguments, shared local memory, surfaces, private memory; lists of the
// protocol's Variables.
#pragma once

#include "debug/session.h"
#include "machine/thread.h"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace visor::debug::dap {

[[nodiscard]] nlohmann::json arguments_of(const Session& session);
// Words of 4 bytes of a part of shared local memory.
inline constexpr uint64_t slm_part_bytes = 256;
[[nodiscard]] nlohmann::json slm_words(const machine::Thread& thread, uint64_t part);
// By binding-table index, and the thread's private memory.
[[nodiscard]] nlohmann::json surfaces_of(const machine::Thread& thread);

} // namespace visor::debug::dap
