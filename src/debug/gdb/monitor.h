// Commands behind gdb's `monitor`: what its own commands cannot say.
#pragma once

#include "debug/gdb/registers.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace visor::debug::gdb {

// Where `reverse-continue` goes next, instead of the last stop.
struct LastWrite {
    Move move;
    uint64_t clock = 0; // where it was asked for
};

class Monitor {
public:
    Monitor(Session& session, const Addresses& addresses, Registers& registers)
        : session_(session), addresses_(addresses), registers_(registers) {}

    // The text that is printed; `thread` is the chosen one.
    [[nodiscard]] std::string answer(std::string_view line, machine::Thread* thread);
    [[nodiscard]] std::optional<LastWrite> take_last_write() {
        return std::exchange(last_write_, std::nullopt);
    }

private:
    using Words = std::vector<std::string_view>;
    using Handler = std::string (Monitor::*)(const Words& words, std::string_view rest);
    struct Command {
        std::string_view name;
        Handler handler;
        std::string_view help;
    };
    [[nodiscard]] static std::span<const Command> commands();

    [[nodiscard]] std::string help(const Words& words, std::string_view rest);
    [[nodiscard]] std::string lane(const Words& words, std::string_view rest);
    [[nodiscard]] std::string group(const Words& words, std::string_view rest);
    [[nodiscard]] std::string variables(const Words& words, std::string_view rest);
    [[nodiscard]] std::string local_memory(const Words& words, std::string_view rest);
    [[nodiscard]] std::string last_write(const Words& words, std::string_view rest);
    [[nodiscard]] std::string print(const Words& words, std::string_view rest);
    [[nodiscard]] std::string disassemble(const Words& words, std::string_view rest);
    [[nodiscard]] std::expected<Number, std::string> value(std::string_view expression) const;
    [[nodiscard]] std::optional<uint64_t> number(std::string_view expression) const;

    Session& session_;
    const Addresses& addresses_;
    Registers& registers_;
    machine::Thread* thread_ = nullptr;
    std::optional<LastWrite> last_write_;
};

} // namespace visor::debug::gdb
