// What no client of good will sends: the server answers or gives up, whatever it is. Sessions of gdb itself
// are in tests/debug/gdb_test.py.
#include "debug/gdb/server.h"

#include "debug/gdb/addresses.h"
#include "debug/gdb/packet.h"
#include "small_run.h"

#include <array>
#include <fmt/format.h>
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

enum class Run : uint8_t { nothing, small };

Ended serve_bytes(std::string_view bytes, Run run = Run::nothing) {
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
    std::optional<SmallRun> runs;
    out.end = serve(session, {ends[0], ends[0]}, [&] {
        if (run == Run::small)
            runs.emplace(session);
        else
            session.finish();
    });
    runs.reset();
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

// The packets without acknowledgements, and what each is answered.
std::vector<std::string> answers_to(const std::vector<std::string>& packets) {
    std::string bytes = framed("QStartNoAckMode");
    for (const std::string& packet : packets)
        bytes += framed(packet);
    const Ended ended = serve_bytes(bytes, Run::small);
    PacketReader reader;
    reader.feed(ended.answers);
    std::vector<std::string> out;
    for (Input input = reader.next(); input.kind == InputKind::packet; input = reader.next())
        out.push_back(input.content);
    if (!out.empty())
        out.erase(out.begin());
    return out;
}

std::string part(const std::string& text, size_t begin, size_t count) {
    return begin <= text.size() ? text.substr(begin, count) : "";
}

// Of "T05...;10:0000dec00000de00;...": the program counter as it is written.
std::string counter(const std::string& reply) {
    const size_t at = reply.find(";10:");
    return at == std::string::npos ? reply : reply.substr(at + 4, 12);
}

// Addresses of the code are little-endian there: 0xc0de00000000 and eight bytes an instruction.
TEST(Run, steps_there_and_back) {
    const auto answers =
        answers_to({"?", "vCont;s:1", "vCont;s:1", "bs", "bs", "bs", "vCont;rc0de00000000,c0de00000018:1"});
    ASSERT_EQ(answers.size(), 8U); // one has text before it
    EXPECT_EQ(counter(answers[0]), "00000000dec0");
    EXPECT_EQ(counter(answers[1]), "08000000dec0");
    EXPECT_EQ(counter(answers[2]), "10000000dec0");
    EXPECT_EQ(counter(answers[3]), "08000000dec0");
    EXPECT_EQ(counter(answers[4]), "00000000dec0");
    EXPECT_EQ(answers[5], "O" + to_hex(std::string_view("visor: the launch begins here\n")));
    EXPECT_NE(answers[6].find("replaylog:begin;"), std::string::npos);
    EXPECT_EQ(counter(answers[7]), "18000000dec0");
}

TEST(Run, stops_at_breakpoints_of_both_threads) {
    const auto answers = answers_to({"Z0,c0de00000010,1", "Z1,c0de00000018,1", "vCont;c", "vCont;c",
                                     "z1,c0de00000018,1", "vCont;c", "bc", "k"});
    ASSERT_EQ(answers.size(), 7U);
    EXPECT_EQ(part(answers[2], 0, 12), "T05swbreak:;");
    EXPECT_EQ(counter(answers[2]), "10000000dec0");
    EXPECT_EQ(part(answers[3], 0, 12), "T05hwbreak:;");
    EXPECT_NE(answers[3].find("thread:1;"), std::string::npos);
    EXPECT_NE(answers[5].find("thread:2;"), std::string::npos);
    EXPECT_NE(answers[6].find("thread:1;"), std::string::npos);
    EXPECT_EQ(counter(answers[6]), "10000000dec0");
}

// The number of a register, which is its place in the description; hexadecimal.
std::string number_of(std::string_view name) {
    const auto answers = answers_to({"qXfer:features:read:target.xml:0,1fff0"});
    size_t number = 0;
    const std::string wanted = fmt::format("<reg name=\"{}\"", name);
    for (size_t at = 0; (at = answers.at(0).find("<reg name=", at)) != std::string::npos; ++at, ++number)
        if (answers[0].compare(at, wanted.size(), wanted) == 0)
            return fmt::format("{:x}", number);
    return "none";
}

TEST(Run, shows_and_changes_registers_and_memory) {
    const std::string vector = number_of("A");
    const std::string predicate = number_of("P");
    const std::string value = "0100000002000000" + std::string(112, '3');
    const auto answers = answers_to({"p" + number_of("group_x"),
                                     "p10",
                                     "p" + vector,
                                     "P" + vector + "=" + value,
                                     "p" + vector,
                                     "p" + predicate,
                                     "P" + predicate + "=ff000000",
                                     "p" + predicate,
                                     "P10=0000000000000000",
                                     "me00000000000,4",
                                     "Me00000000004,2:abcd",
                                     "me00000000004,4",
                                     "Xe00000000008,1:}]",
                                     "me00000000008,2",
                                     "me000000000ff,4",
                                     "me00000000100,1",
                                     "mc0de00000008,8",
                                     "m0,1",
                                     "qfThreadInfo",
                                     "qThreadExtraInfo,2",
                                     "k"});
    ASSERT_EQ(answers.size(), 20U);
    EXPECT_EQ(answers[0], "00000000");
    EXPECT_EQ(answers[1], "00000000dec00000");
    EXPECT_EQ(answers[2], std::string(128, '0'));
    EXPECT_EQ(answers[3], "OK");
    EXPECT_EQ(answers[4], value);
    EXPECT_EQ(answers[5], "00000000");
    EXPECT_EQ(answers[6], "OK");
    EXPECT_EQ(answers[7], "ff000000");
    EXPECT_EQ(answers[8], "E02");
    EXPECT_EQ(answers[9], "00000000");
    EXPECT_EQ(answers[10], "OK");
    EXPECT_EQ(answers[11], "abcd0000");
    EXPECT_EQ(answers[12], "OK");
    EXPECT_EQ(answers[13], "7d00");
    EXPECT_EQ(answers[14], "00");
    EXPECT_EQ(answers[15], "E0e");
    EXPECT_EQ(answers[16], "0f1f840001000000");
    EXPECT_EQ(answers[17], "E0e");
    EXPECT_EQ(answers[18], "m1,2");
    EXPECT_EQ(answers[19], to_hex(std::string_view("(0,0,0) thread 1")));
}

TEST(Run, describes_its_registers) {
    const auto answers = answers_to({"qXfer:features:read:target.xml:0,1fff0", "k"});
    ASSERT_EQ(answers.size(), 1U);
    for (const char* wanted :
         {"<architecture>i386:x86-64</architecture>", "<reg name=\"rip\" bitsize=\"64\" type=\"code_ptr\"/>",
          "<reg name=\"A\" bitsize=\"512\" type=\"bytes_64\"", "<reg name=\"v_sp\" bitsize=\"64\"",
          "<reg name=\"P\" bitsize=\"32\" type=\"uint32\"",
          "<vector id=\"f_64\" type=\"ieee_single\" count=\"16\"/>"})
        EXPECT_NE(answers[0].find(wanted), std::string::npos) << wanted;
}

// Random bytes in frames of a good sum, behind prefixes that are understood.
std::string noise(std::mt19937& random, int packets) {
    constexpr std::array prefixes{"m",
                                  "me0000000",
                                  "mc0de",
                                  "M",
                                  "Me000000000",
                                  "X",
                                  "x",
                                  "p",
                                  "P3",
                                  "G",
                                  "Z0,c0de000000",
                                  "Z",
                                  "z",
                                  "Hg",
                                  "H",
                                  "T",
                                  "q",
                                  "v",
                                  "vCont;r",
                                  "vCont;s:",
                                  "bs",
                                  "bc",
                                  "s",
                                  "qRcmd,",
                                  "qXfer:features:read:target.xml:",
                                  "qXfer:",
                                  "vFile:open:",
                                  "vFile:pread:",
                                  "vFile:fstat:",
                                  "g",
                                  "?"};
    constexpr std::string_view common = "0123456789abcdef,;:=-";
    std::string bytes;
    for (int k = 0; k < packets; ++k) {
        std::string content = prefixes[random() % prefixes.size()];
        for (size_t length = random() % 24; length > 0; --length)
            content += random() % 8 == 0 ? static_cast<char>(random()) : common[random() % common.size()];
        std::erase(content, '#');
        if (!content.starts_with("vKill"))
            bytes += framed(content);
    }
    return bytes;
}

TEST(Server, survives_noise) {
    std::mt19937 random(7);
    for (int k = 0; k < 100; ++k)
        serve_bytes(noise(random, 200) + framed("k"), k % 4 == 0 ? Run::nothing : Run::small);
    for (int k = 0; k < 50; ++k) {
        std::string bytes;
        for (size_t length = random() % 5000; length > 0; --length)
            bytes += static_cast<char>(random());
        serve_bytes(bytes, Run::small);
    }
}

} // namespace
} // namespace visor::debug::gdb
