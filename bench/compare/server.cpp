#include "server.h"

#include "intel.h"
#include "rounds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace visor::compare {

namespace {

// Ours as NAME=VALUE, with other values of some names.
std::vector<std::string> environment_with(const Environment& more) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        if (std::ranges::none_of(more, [&](const auto& one) { return text.starts_with(one.first + "="); }))
            all.emplace_back(text);
    }
    for (const auto& [name, value] : more)
        all.push_back(fmt::format("{}={}", name, value));
    return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words)
        all.push_back(word.data());
    all.push_back(nullptr);
    return all;
}

class ServedRunner final : public Runner {
public:
    ServedRunner(Server& server, const Work& work) : server_(server), work_(work) {}

    [[nodiscard]] bool run() override { return !asked(1).failed(); }
    void reset() override {
        static_cast<void>(server_.ask("reset")); // if that fails, so does the next run
    }
    [[nodiscard]] std::vector<std::byte> content(size_t buffer) override {
        std::vector<std::byte> bytes(work_.buffers[buffer].content.size());
        if (server_.ask(fmt::format("content {}", buffer)) != std::to_string(bytes.size()) ||
            !server_.read(bytes))
            bytes.clear();
        return bytes;
    }
    [[nodiscard]] std::optional<Seconds> timed(unsigned runs) override {
        const Seconds took = asked(runs);
        if (!took.failed()) {
            all_.cpu += took.cpu;
            all_.wall += took.wall;
        }
        return took;
    }
    [[nodiscard]] std::string story() override {
        return all_.wall > 0 ? fmt::format("{:.2f} CPUs busy while it runs", all_.cpu / all_.wall) : "";
    }

private:
    [[nodiscard]] Seconds asked(unsigned runs) {
        Seconds took;
        std::istringstream answer(server_.ask(fmt::format("run {}", runs)));
        return answer >> took.cpu >> took.wall ? took : failed_seconds;
    }

    Server& server_;
    const Work& work_;
    Seconds all_; // of what was timed
};

// The number at the end of a request.
std::optional<unsigned> number_of(std::string_view text) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

class Service {
public:
    Service(const std::vector<Work>& all, unsigned threads) : all_(all), threads_(threads) {}

    void answer(const std::string& request) {
        const size_t space = std::min(request.find(' '), request.size());
        const std::string_view verb = std::string_view(request).substr(0, space);
        const std::string_view rest = std::string_view(request).substr(std::min(space + 1, request.size()));
        const auto number = number_of(rest);
        if (verb == "prepare")
            prepare(rest);
        else if (verb == "reset" && runner_ != nullptr)
            reset();
        else if (verb == "run" && runner_ != nullptr && number)
            run(*number);
        else if (verb == "content" && runner_ != nullptr && number && *number < work_->buffers.size())
            content(*number);
        else
            std::cout << "failed\n";
        std::cout << std::flush;
    }

private:
    void prepare(std::string_view rest) {
        const size_t space = std::min(rest.find(' '), rest.size());
        const auto found =
            std::ranges::find(all_, rest.substr(std::min(space + 1, rest.size())), &Work::name);
        runner_ = nullptr;
        if (found != all_.end()) {
            work_ = &*found;
            runner_ = runner_on(std::string(rest.substr(0, space)), *found);
        }
        std::cout << (runner_ == nullptr ? "failed\n" : "ok\n");
    }
    [[nodiscard]] std::unique_ptr<Runner> runner_on(const std::string& device, const Work& work) const {
        if (device != intel_device)
            return visor_runner(work, device, threads_);
        keep_to_cpus(threads_);
        return intel_api_runner(work);
    }
    void reset() {
        runner_->reset();
        std::cout << "ok\n";
    }
    void run(unsigned runs) {
        const Seconds took = take(*runner_, runs);
        std::cout << (took.failed() ? "failed\n" : fmt::format("{:.9g} {:.9g}\n", took.cpu, took.wall));
    }
    void content(size_t buffer) {
        const std::vector<std::byte> bytes = runner_->content(buffer);
        std::cout << bytes.size() << '\n';
        std::cout.write(reinterpret_cast<const char*>(bytes.data()),
                        static_cast<std::streamsize>(bytes.size()));
    }

    const std::vector<Work>& all_;
    unsigned threads_;
    const Work* work_ = nullptr;
    std::unique_ptr<Runner> runner_;
};

} // namespace

Server::Server(const std::string& program, unsigned threads, const std::vector<std::string>& options,
               const Environment& more) {
    std::signal(SIGPIPE, SIG_IGN); // a program that has ended is told as a failure
    std::array<int, 2> to{-1, -1};
    std::array<int, 2> from{-1, -1};
    if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0)
        return;
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    std::vector<std::string> words{program, "--serve", "yes", "--threads", std::to_string(threads)};
    words.insert(words.end(), options.begin(), options.end());
    std::vector<std::string> environment = environment_with(more);
    if (posix_spawn(&process_, program.c_str(), &actions, nullptr, pointers(words).data(),
                    pointers(environment).data()) != 0) {
        std::cerr << program << ": cannot be started\n";
        process_ = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    to_ = fdopen(to[1], "w");
    from_ = fdopen(from[0], "r");
}

Server::~Server() {
    if (to_ != nullptr)
        std::fclose(to_); // which ends it
    if (from_ != nullptr)
        std::fclose(from_);
    if (process_ > 0)
        waitpid(process_, nullptr, 0);
}

std::string Server::ask(const std::string& request) {
    if (process_ <= 0 || to_ == nullptr || from_ == nullptr || ended_)
        return "";
    std::fputs((request + "\n").c_str(), to_);
    std::fflush(to_);
    std::string line;
    int next = std::fgetc(from_);
    for (; next != EOF && next != '\n'; next = std::fgetc(from_))
        line += static_cast<char>(next);
    ended_ = next == EOF;
    return ended_ ? "" : line;
}

bool Server::read(std::span<std::byte> bytes) {
    return std::fread(bytes.data(), 1, bytes.size(), from_) == bytes.size();
}

std::unique_ptr<Runner> served_runner(Server& server, const Work& work, const std::string& device) {
    if (server.ask(fmt::format("prepare {} {}", device, work.name)) != "ok")
        return nullptr;
    return std::make_unique<ServedRunner>(server, work);
}

int serve(const std::vector<Work>& all, unsigned threads) {
    Service service(all, threads);
    for (std::string request; std::getline(std::cin, request);)
        service.answer(request);
    return 0;
}

} // namespace visor::compare
