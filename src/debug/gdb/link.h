// Packets over two descriptors, with acknowledgements until the client wants none.
#pragma once

#include "debug/client.h"
#include "debug/gdb/packet.h"

#include <expected>
#include <string>
#include <string_view>

namespace visor::debug::gdb {

class Link {
public:
    // Owns the descriptors.
    explicit Link(Channel channel) : channel_(channel) {}
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    Link(Link&&) = delete;
    Link& operator=(Link&&) = delete;

    // The next packet's content; interrupts are dropped: nothing runs. Error: `vanished` or `not_understood`.
    [[nodiscard]] std::expected<std::string, ClientEnd> read();
    // While something runs: takes what has come, without waiting. True: an interrupt. Error: as read().
    [[nodiscard]] std::expected<bool, ClientEnd> look();
    void send(std::string_view content);
    // While a client that has just come waits for the run: gdb gives up after two seconds without a byte, and
    // ignores acknowledgements that it does not expect.
    void keep_alive();
    void stop_acknowledging() { acknowledges_ = false; }

private:
    [[nodiscard]] bool fill();

    Channel channel_;
    PacketReader reader_;
    std::string last_;
    bool acknowledges_ = true;
};

} // namespace visor::debug::gdb
