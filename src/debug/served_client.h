// A client that is served in a thread of its own, of launches that others make.
#pragma once

#include "debug/client.h"
#include "debug/prompt_server.h"
#include "debug/session.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace visor::debug {

class ServedClient {
public:
    // The session outlives this.
    ServedClient(Session& session, Protocol protocol, PromptStyle style, Channel channel);
    // finish(), and waits for the thread.
    ~ServedClient();
    ServedClient(const ServedClient&) = delete;
    ServedClient& operator=(const ServedClient&) = delete;
    ServedClient(ServedClient&&) = delete;
    ServedClient& operator=(ServedClient&&) = delete;

    // Until the client has said what it wants, or is not served any more.
    void wait_for_start();
    // Nothing is launched any more: the client is told, for a second at most; a launch that is stopped goes
    // on.
    void finish();

private:
    Session& session_;
    int socket_; // or what it is, apart from the server's, which that closes; -1: it is not served any more
    std::mutex lock_;
    std::condition_variable changed_;
    bool started_ = false;
    std::thread thread_;
};

} // namespace visor::debug
