#include "debug/gdb/link.h"

#include "debug/stream.h"

#include <array>
#include <poll.h>
#include <unistd.h>

namespace visor::debug::gdb {

Link::~Link() {
    close(channel_.in);
    if (channel_.out != channel_.in)
        close(channel_.out);
}

bool Link::fill() {
    std::array<char, 16384> part{};
    const size_t count = read_some(channel_.in, part);
    reader_.feed({part.data(), count});
    return count != 0;
}

std::expected<std::string, ClientEnd> Link::read() {
    for (;;) {
        Input input = reader_.next();
        switch (input.kind) {
        case InputKind::packet:
            if (acknowledges_)
                write_all(channel_.out, "+");
            return std::move(input.content);
        case InputKind::nothing:
            if (!fill())
                return std::unexpected(ClientEnd::vanished);
            break;
        case InputKind::garbage:
            return std::unexpected(ClientEnd::not_understood);
        case InputKind::bad_sum:
            if (!acknowledges_)
                return std::unexpected(ClientEnd::not_understood);
            write_all(channel_.out, "-");
            break;
        case InputKind::repeat:
            if (acknowledges_ && !last_.empty())
                write_all(channel_.out, last_);
            break;
        case InputKind::interrupt:
            break;
        }
    }
}

std::expected<bool, ClientEnd> Link::look() {
    pollfd one{channel_.in, POLLIN, 0};
    if (!reader_.is_full() && poll(&one, 1, 0) > 0 && !fill())
        return std::unexpected(ClientEnd::vanished);
    return reader_.take_interrupt();
}

void Link::keep_alive() {
    if (acknowledges_)
        write_all(channel_.out, "+");
}

void Link::send(std::string_view content) {
    last_ = framed(content);
    write_all(channel_.out, last_);
}

} // namespace visor::debug::gdb
