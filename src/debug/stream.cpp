#include "debug/stream.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace visor::debug {

namespace {

ssize_t write_some(int to, std::string_view text) {
    const ssize_t sent = send(to, text.data(), text.size(), MSG_NOSIGNAL);
    return sent < 0 && errno == ENOTSOCK ? write(to, text.data(), text.size()) : sent;
}

} // namespace

size_t read_some(int from, std::span<char> to) {
    ssize_t count = 0;
    do
        count = read(from, to.data(), to.size());
    while (count < 0 && errno == EINTR);
    return count > 0 ? static_cast<size_t>(count) : 0;
}

bool write_all(int to, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = write_some(to, text);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        text.remove_prefix(static_cast<size_t>(count));
    }
    return true;
}

} // namespace visor::debug
