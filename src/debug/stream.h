// Bytes to and from a client, over descriptors of any kind.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <sys/types.h>

namespace visor::debug {

// As read(2) does, without EINTR. 0: the other side has gone, or an error.
[[nodiscard]] size_t read_some(int from, std::span<char> to);
// All of it; false: the other side has gone. Raises no SIGPIPE over a socket.
bool write_all(int to, std::string_view text);

} // namespace visor::debug
