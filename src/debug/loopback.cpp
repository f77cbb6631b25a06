#include "debug/loopback.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace visor::debug {

std::expected<int, std::string> first_client(uint16_t port) {
    const auto failed = [](const char* what) {
        return std::unexpected(fmt::format("{}: {}", what, std::strerror(errno)));
    };
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0)
        return failed("no socket");
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* const name = reinterpret_cast<const sockaddr*>(&address);
    int client = -1;
    if (bind(listener, name, sizeof address) == 0 && listen(listener, 1) == 0) {
        fmt::print(stderr, "visor: waiting for a client on 127.0.0.1:{}\n", port);
        do
            client = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        while (client < 0 && errno == EINTR);
    }
    const int problem = errno;
    close(listener); // there is one client
    errno = problem;
    return client < 0 ? std::expected<int, std::string>(failed("no client")) : client;
}

} // namespace visor::debug
