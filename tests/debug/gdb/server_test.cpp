// What no client of good will sends: the server answers or gives up, whatever it is. Sessions of gdb itself
// are in tests/debug/gdb_test.py.
#include "debug/gdb/server.h"

#include "debug/gdb/packet.h"

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace visor::debug::gdb {
namespace {

struct Ended {
    ClientEnd end = ClientEnd::over;
    std::string answers;
};

// A session in which nothing runs.
Ended serve_bytes(std::string_view bytes) {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    Session session(Settings{});
    Ended out;
    std::thread client([&] {
        for (std::string_view rest = bytes; !rest.empty();) {
            const ssize_t count = send(ends[1], rest.data(), rest.size(), MSG_NOSIGNAL);
            if (count <= 0)
                break;
            rest.remove_prefix(static_cast<size_t>(count));
        }
        shutdown(ends[1], SHUT_WR);
        std::array<char, 4096> part{};
        for (ssize_t count = 0; (count = read(ends[1], part.data(), part.size())) > 0;)
            out.answers.append(part.data(), static_cast<size_t>(count));
    });
    out.end = serve(session, {ends[0], ends[0]}, [&] { session.finish(); });
    client.join();
    close(ends[1]);
    return out;
}

TEST(Server, ends_with_its_client) {
    EXPECT_EQ(serve_bytes("").end, ClientEnd::vanished);
    EXPECT_EQ(serve_bytes("+$D#44").end, ClientEnd::detached);
    EXPECT_EQ(serve_bytes(framed("vKill;1")).end, ClientEnd::killed);
    EXPECT_EQ(serve_bytes("$k#6b").end, ClientEnd::killed);
    EXPECT_EQ(serve_bytes(std::string(10'000, 'x')).end, ClientEnd::not_understood);
    EXPECT_EQ(serve_bytes("GET / HTTP/1.1\r\n\r\n").end, ClientEnd::vanished);
}

TEST(Server, says_that_nothing_runs) {
    const Ended ended = serve_bytes(framed("?"));
    EXPECT_EQ(ended.end, ClientEnd::over);
    EXPECT_EQ(ended.answers, "+" + framed("W00"));
}

TEST(Server, does_not_acknowledge_any_more) {
    EXPECT_EQ(serve_bytes(framed("QStartNoAckMode") + framed("vMustReplyEmpty")).answers,
              "+" + framed("OK") + framed(""));
}

TEST(Server, wants_a_packet_again) {
    EXPECT_EQ(serve_bytes("$x#00" + framed("qAttached") + "-").answers, "-+" + framed("1") + framed("1"));
}

TEST(Server, answers_what_is_no_packet_of_the_protocol) {
    for (const char* packet : {"m",
                               "m,",
                               "mffffffffffffffff,ffffffffffffffff",
                               "Mffff",
                               "X1,1:}",
                               "g",
                               "G00",
                               "p",
                               "pffffffff",
                               "P",
                               "P1=",
                               "P1=0",
                               "Z",
                               "Z0",
                               "Z0,1",
                               "Z9,1,1",
                               "Z0,1,1",
                               "z0,1,1",
                               "Z2,0,ffffffffffffffff",
                               "H",
                               "Hq",
                               "Hgffffffff",
                               "T",
                               "Tffffffffffffffffff",
                               "vCont;",
                               "vCont;r1",
                               "vCont;r,",
                               "vCont;s:zz",
                               "qXfer:",
                               "qXfer:features:read:x:0,1",
                               "qXfer:features:read:target.xml:ffffffffffffffff,ffffffffffffffff",
                               "qXfer:threads:write::0,1",
                               "qRcmd,",
                               "qRcmd,0",
                               "qRcmd,6c616e65",
                               "vFile:",
                               "vFile:open:",
                               "vFile:open:00,0,0",
                               "vFile:pread:3,1,1",
                               "vFile:fstat:3",
                               "vFile:close:3",
                               "vFile:pread:",
                               "vFile:readlink:2f",
                               "qThreadExtraInfo,",
                               "qC,",
                               "\xff",
                               ""})
        EXPECT_EQ(serve_bytes(framed(packet) + framed("D")).end,
                  *packet == 'v' && packet[1] == 'C' ? ClientEnd::over : ClientEnd::detached)
            << packet;
}

// Random bytes in frames of a good sum, behind prefixes that are understood.
TEST(Server, survives_noise) {
    std::mt19937 random(7);
    constexpr std::array prefixes{"m",
                                  "M",
                                  "X",
                                  "x",
                                  "p",
                                  "P",
                                  "G",
                                  "Z",
                                  "z",
                                  "H",
                                  "T",
                                  "q",
                                  "v",
                                  "qRcmd,",
                                  "qXfer:",
                                  "vFile:open:",
                                  "vFile:pread:",
                                  "vFile:fstat:"};
    constexpr std::string_view common = "0123456789abcdef,;:=-";
    std::string bytes;
    for (int k = 0; k < 3000; ++k) {
        std::string content = prefixes[random() % prefixes.size()];
        for (size_t length = random() % 24; length > 0; --length)
            content += random() % 8 == 0 ? static_cast<char>(random()) : common[random() % common.size()];
        std::erase(content, '#');
        if (!content.starts_with("vCont") && !content.starts_with("vKill"))
            bytes += framed(content);
    }
    EXPECT_EQ(serve_bytes(bytes + framed("D")).end, ClientEnd::detached);
    for (int k = 0; k < 50; ++k) {
        std::string noise;
        for (size_t length = random() % 5000; length > 0; --length)
            noise += static_cast<char>(random());
        serve_bytes(noise);
    }
}

} // namespace
} // namespace visor::debug::gdb
