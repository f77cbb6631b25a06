// A plain terminal's debugger: a line is a command, its answer is text.
#pragma once

#include "debug/session.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace visor::debug {

class Prompt {
public:
    // `wait`: for the next stop; empty: the session's.
    explicit Prompt(Session& session, std::function<Stop()> wait = {})
        : session_(session), wait_(std::move(wait)) {}

    // What is said of a stop: where, why, the line.
    [[nodiscard]] std::string describe(const Stop& stop);
    // The answer to a command, with a newline at its end, "" where there is none. An empty line is the last
    // one again.
    [[nodiscard]] std::string answer(std::string_view line);
    // The session's user wants no more.
    [[nodiscard]] const std::optional<ClientEnd>& ending() const { return ending_; }

private:
    using Words = std::vector<std::string_view>;
    using Handler = std::string (Prompt::*)(const Words& words, std::string_view rest);
    struct Command {
        std::string_view name;
        std::string_view shorter;
        Handler handler;
        std::string_view help;
    };
    [[nodiscard]] static std::span<const Command> commands();

    std::string go(const Words& words, std::string_view rest);
    std::string add_breakpoint(const Words& words, std::string_view rest);
    std::string delete_breakpoint(const Words& words, std::string_view rest);
    std::string watch(const Words& words, std::string_view rest);
    std::string last_write(const Words& words, std::string_view rest);
    std::string go_to(const Words& words, std::string_view rest);
    std::string choose_thread(const Words& words, std::string_view rest);
    std::string choose_lane(const Words& words, std::string_view rest);
    std::string info(const Words& words, std::string_view rest);
    std::string print(const Words& words, std::string_view rest);
    std::string set(const Words& words, std::string_view rest);
    std::string examine(const Words& words, std::string_view rest);
    std::string list(const Words& words, std::string_view rest);
    std::string disassemble(const Words& words, std::string_view rest);
    std::string where(const Words& words, std::string_view rest);
    std::string help(const Words& words, std::string_view rest);
    std::string detach(const Words& words, std::string_view rest);
    std::string quit(const Words& words, std::string_view rest);

    std::string registers(const Words& names);
    [[nodiscard]] std::string arguments() const;
    std::string locals();
    std::string move(const Move& move);
    [[nodiscard]] std::string line_text(const Line& line);
    [[nodiscard]] std::string shown_line(const machine::Thread& thread);
    [[nodiscard]] machine::Thread* focus();
    [[nodiscard]] std::optional<uint64_t> number(std::string_view text);

    Session& session_;
    std::function<Stop()> wait_;
    uint32_t thread_ = 0;
    uint32_t lane_ = 0;
    std::string last_;
    std::optional<ClientEnd> ending_;
};

} // namespace visor::debug
