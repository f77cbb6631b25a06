// gdb's remote protocol: a line of the input is a packet to a server with a small run, what follows a line of
// `!` is sent as it is. The server answers, or gives up.
#include "../debug/gdb/small_run.h"
#include "finding.h"

#include "debug/gdb/packet.h"
#include "debug/gdb/server.h"

#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace visor;

namespace {

std::string bytes_of(std::string_view input) {
    std::string out = debug::gdb::framed("QStartNoAckMode");
    while (!input.empty()) {
        const size_t end = std::min(input.find('\n'), input.size());
        const std::string_view line = input.substr(0, end);
        input.remove_prefix(std::min(end + 1, input.size()));
        if (line == "!")
            return out + std::string(input);
        if (!line.contains('#'))
            out += debug::gdb::framed(line);
    }
    return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string bytes = bytes_of(fuzz::text_of(data, size));
    const int in = memfd_create("packets", MFD_CLOEXEC);
    const int out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fuzz::require(in >= 0 && out >= 0, "no descriptors");
    fuzz::require(write(in, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "no file");
    lseek(in, 0, SEEK_SET);
    debug::Session session(debug::Settings{});
    std::optional<debug::gdb::SmallRun> run;
    static_cast<void>(debug::gdb::serve(session, {in, out}, [&] { run.emplace(session); }));
    return 0;
}
