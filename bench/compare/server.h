// A `compare` program in a process of its own that does the same work when it is asked (serve() answers).
#pragma once

#include "work.h"

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace visor::compare {

using Environment = std::vector<std::pair<std::string, std::string>>;

// With pipes to its standard input and from its standard output.
class Server {
public:
    // Its options are --serve, --threads and `options`; its environment has the entries of `more` instead of
    // ours of these names.
    Server(const std::string& program, unsigned threads, const std::vector<std::string>& options = {},
           const Environment& more = {});
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    Server(Server&&) = delete;
    Server& operator=(Server&&) = delete;

    // The line that it answers; "" when it has ended.
    [[nodiscard]] std::string ask(const std::string& request);
    [[nodiscard]] bool read(std::span<std::byte> bytes);
    [[nodiscard]] bool has_ended() const { return ended_; }

private:
    pid_t process_ = -1;
    FILE* to_ = nullptr;
    FILE* from_ = nullptr;
    bool ended_ = false;
};

// One piece of work there. nullptr: it cannot.
[[nodiscard]] std::unique_ptr<Runner> served_runner(Server& server, const Work& work,
                                                    const std::string& device);

// The other side: answers requests from standard input on standard output, until its end.
//   prepare DEVICE KERNEL   ok, or failed; DEVICE `intel-cpu` is Intel's runtime for CPUs
//   reset                   ok
//   run N                   CPU and wall-clock seconds of N runs together, or failed
//   content N               the number of bytes of buffer N, then the bytes
[[nodiscard]] int serve(const std::vector<Work>& all, unsigned threads);

} // namespace visor::compare
