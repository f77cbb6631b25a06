#include "debug/served_client.h"

#include "debug/serve.h"

#include <chrono>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace visor::debug {

ServedClient::ServedClient(Session& session, Protocol protocol, PromptStyle style, Channel channel)
    : session_(session), socket_(fcntl(channel.in, F_DUPFD_CLOEXEC, 0)),
      thread_([this, protocol, style, channel] {
          static_cast<void>(serve(session_, protocol, style, channel, [this] {
              const std::lock_guard guard(lock_);
              started_ = true;
              changed_.notify_all();
          }));
          const std::lock_guard guard(lock_);
          close(std::exchange(socket_, -1));
          changed_.notify_all();
      }) {}

ServedClient::~ServedClient() {
    finish();
    thread_.join();
}

void ServedClient::wait_for_start() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return started_ || socket_ < 0; });
}

void ServedClient::finish() {
    constexpr std::chrono::seconds patience{1};
    session_.finish();
    std::unique_lock guard(lock_);
    if (socket_ >= 0)
        shutdown(socket_, SHUT_RD); // who waits for the client hears that it says no more
    changed_.wait_for(guard, patience, [this] { return socket_ < 0; });
    session_.detach();
}

} // namespace visor::debug
