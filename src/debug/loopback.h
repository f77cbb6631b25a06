// A client that connects to a port of this machine.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace visor::debug {

// The first client of a port of the loopback; the port is said on standard error. Others are refused. Error:
// a sentence.
[[nodiscard]] std::expected<int, std::string> first_client(uint16_t port);

} // namespace visor::debug
