#include "baseline.h"

#include "rounds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
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

constexpr double slower = 0.95;

// The other build's program, with pipes to its standard input and from its standard output.
class Server {
public:
    Server(const std::string& build, unsigned threads) {
        const std::string path = build + "/bench/compare/compare";
        const std::string count = std::to_string(threads);
        std::array<int, 2> to{-1, -1};
        std::array<int, 2> from{-1, -1};
        if (pipe2(to.data(), O_CLOEXEC) != 0 || pipe2(from.data(), O_CLOEXEC) != 0)
            return;
        posix_spawn_file_actions_t actions{};
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
        std::array<std::string, 5> words{path, "--serve", "yes", "--threads", count};
        std::array<char*, 6> arguments{words[0].data(), words[1].data(), words[2].data(),
                                       words[3].data(), words[4].data(), nullptr};
        if (posix_spawn(&process_, path.c_str(), &actions, nullptr, arguments.data(), environ) != 0) {
            std::cerr << path << ": cannot be started\n";
            process_ = -1;
        }
        posix_spawn_file_actions_destroy(&actions);
        close(to[0]);
        close(from[1]);
        to_ = fdopen(to[1], "w");
        from_ = fdopen(from[0], "r");
    }
    ~Server() {
        if (to_ != nullptr)
            std::fclose(to_); // which ends it
        if (from_ != nullptr)
            std::fclose(from_);
        if (process_ > 0)
            waitpid(process_, nullptr, 0);
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    Server(Server&&) = delete;
    Server& operator=(Server&&) = delete;

    // The line that it answers; "" when it has ended.
    std::string ask(const std::string& request) {
        if (process_ <= 0 || to_ == nullptr || from_ == nullptr)
            return "";
        std::fputs((request + "\n").c_str(), to_);
        std::fflush(to_);
        std::string line;
        for (int next = std::fgetc(from_); next != EOF && next != '\n'; next = std::fgetc(from_))
            line += static_cast<char>(next);
        return line;
    }
    [[nodiscard]] bool read(std::span<std::byte> bytes) {
        return std::fread(bytes.data(), 1, bytes.size(), from_) == bytes.size();
    }

private:
    pid_t process_ = -1;
    FILE* to_ = nullptr;
    FILE* from_ = nullptr;
};

// One piece of work there.
class ServedRunner final : public Runner {
public:
    ServedRunner(Server& server, const Work& work) : server_(server), work_(work) {}

    [[nodiscard]] bool run() override { return !asked(1).failed(); }
    void reset() override { server_.ask("reset"); } // if that fails, so does the next run
    [[nodiscard]] std::vector<std::byte> content(size_t buffer) override {
        std::vector<std::byte> bytes(work_.buffers[buffer].content.size());
        if (server_.ask(fmt::format("content {}", buffer)) != std::to_string(bytes.size()) ||
            !server_.read(bytes))
            bytes.clear();
        return bytes;
    }
    [[nodiscard]] std::optional<Seconds> timed(unsigned runs) override { return asked(runs); }

private:
    [[nodiscard]] Seconds asked(unsigned runs) {
        Seconds took;
        std::istringstream answer(server_.ask(fmt::format("run {}", runs)));
        return answer >> took.cpu >> took.wall ? took : failed_seconds;
    }

    Server& server_;
    const Work& work_;
};

class Table {
public:
    Table(Server& server, unsigned rounds, unsigned threads, std::vector<Series>& measured)
        : server_(server), rounds_(rounds), threads_(threads), measured_(measured) {}

    bool add(const Work& work, const std::string& device) {
        std::array<Contender, 2> both{{{.name = "this build", .runner = visor_runner(work, device, threads_)},
                                       {.name = "the baseline"}}};
        if (server_.ask(fmt::format("prepare {} {}", device, work.name)) == "ok")
            both[1].runner = std::make_unique<ServedRunner>(server_, work);
        check(work, both);
        measure_rounds(work, both, rounds_, threads_);
        if (!both[0].fine || !both[1].fine) {
            std::cout << fmt::format("| {} | {} | - | - | - | failed |\n", work.name, device) << std::flush;
            return false;
        }
        std::vector<double> ratios;
        for (size_t round = 0; round < both[0].seconds.size(); ++round)
            ratios.push_back(both[1].seconds[round].cpu / both[0].seconds[round].cpu);
        const auto [least, most] = std::ranges::minmax(ratios);
        std::cout << fmt::format("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {} |\n", work.name, device, least,
                                 median(ratios), most, most < slower ? "slower" : "")
                  << std::flush;
        ++rows_;
        slower_ += most < slower ? 1 : 0;
        measured_.push_back({work.name, "Visor, " + device + ", speed by the baseline's", "speedup", ratios});
        return most >= slower;
    }
    void tell_end() const { std::cout << fmt::format("{} rows, {} slower\n", rows_, slower_); }

private:
    Server& server_;
    unsigned rounds_;
    unsigned threads_;
    std::vector<Series>& measured_;
    unsigned rows_ = 0;
    unsigned slower_ = 0;
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
            runner_ = visor_runner(*found, std::string(rest.substr(0, space)), threads_);
        }
        std::cout << (runner_ == nullptr ? "failed\n" : "ok\n");
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

int tell_baseline(const std::vector<Work>& all, const std::vector<std::string>& devices,
                  const std::string& build, unsigned rounds, unsigned threads,
                  std::vector<Series>& measured) {
    std::signal(SIGPIPE, SIG_IGN); // a program that has ended is told as a failure
    Server server(build, threads);
    std::cout << "| kernel | device | least | middle | most | |\n|---|---|---|---|---|---|\n";
    Table table(server, rounds, threads, measured);
    bool fine = true;
    for (const Work& work : all)
        for (const std::string& device : devices)
            fine = table.add(work, device) && fine;
    table.tell_end();
    return fine ? 0 : 1;
}

int serve(const std::vector<Work>& all, unsigned threads) {
    Service service(all, threads);
    for (std::string request; std::getline(std::cin, request);)
        service.answer(request);
    return 0;
}

} // namespace visor::compare
