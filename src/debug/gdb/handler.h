// Answers packets. One thread does it all: while the run goes on, only an interrupt is looked for.
#pragma once

#include "debug/gdb/addresses.h"
#include "debug/gdb/files.h"
#include "debug/gdb/link.h"
#include "debug/gdb/monitor.h"
#include "debug/gdb/registers.h"
#include "debug/session.h"

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace visor::debug::gdb {

class Handler {
public:
    Handler(Session& session, Link& link) : session_(session), link_(link) {}

    // Waits for the first stop.
    void begin();
    void answer(std::string_view packet);
    // How it ended; nothing: it goes on.
    [[nodiscard]] const std::optional<ClientEnd>& ended() const { return ended_; }

private:
    // No answer is sent for nothing; "": not supported.
    using Answer = std::optional<std::string>;
    using Method = Answer (Handler::*)(Fields fields);
    struct Row {
        std::string_view prefix;
        Method method;
    };
    [[nodiscard]] static std::span<const Row> rows();

    // ---- handler.cpp: starting, moving, breakpoints
    [[nodiscard]] Answer supported(Fields fields);
    [[nodiscard]] Answer no_acknowledgements(Fields fields);
    [[nodiscard]] Answer why(Fields fields);
    [[nodiscard]] Answer detach(Fields fields);
    [[nodiscard]] Answer kill(Fields fields);
    [[nodiscard]] Answer kill_aloud(Fields fields);
    [[nodiscard]] Answer which_moves(Fields fields);
    [[nodiscard]] Answer resume(Fields fields);
    [[nodiscard]] Answer go_on(Fields fields);
    [[nodiscard]] Answer step(Fields fields);
    [[nodiscard]] Answer step_back(Fields fields);
    [[nodiscard]] Answer go_back(Fields fields);
    [[nodiscard]] Answer insert(Fields fields);
    [[nodiscard]] Answer remove(Fields fields);

    // ---- views.cpp: what is looked at and changed
    [[nodiscard]] Answer choose_thread(Fields fields);
    [[nodiscard]] Answer is_alive(Fields fields);
    [[nodiscard]] Answer current_thread(Fields fields);
    [[nodiscard]] Answer first_threads(Fields fields);
    [[nodiscard]] Answer more_threads(Fields fields);
    [[nodiscard]] Answer thread_text(Fields fields);
    [[nodiscard]] Answer attached(Fields fields);
    [[nodiscard]] Answer transfer(Fields fields);
    [[nodiscard]] Answer command(Fields fields);
    [[nodiscard]] Answer file(Fields fields);
    [[nodiscard]] Answer read_registers(Fields fields);
    [[nodiscard]] Answer write_registers(Fields fields);
    [[nodiscard]] Answer read_register(Fields fields);
    [[nodiscard]] Answer write_register(Fields fields);
    [[nodiscard]] Answer read_memory(Fields fields);
    [[nodiscard]] Answer read_memory_binary(Fields fields);
    [[nodiscard]] Answer write_memory(Fields fields);
    [[nodiscard]] Answer write_memory_binary(Fields fields);

    // Moves and waits. False: the client's time has ended.
    bool move(const Move& move);
    bool wait(const std::function<void()>& meanwhile = {}); // called now and then
    [[nodiscard]] Answer moved(const Move& move);
    [[nodiscard]] Answer step_in_range(uint32_t thread, uint64_t begin, uint64_t end);
    [[nodiscard]] std::string stop_reply() const;
    [[nodiscard]] std::string breakpoint_reason() const;
    void tell_news();
    void know_code();
    void say(std::string_view text);

    [[nodiscard]] machine::Thread* focus() const;
    // Of "1f", "0" and "-1", which mean any thread.
    [[nodiscard]] std::optional<uint32_t> thread_in(Fields& fields) const;
    [[nodiscard]] std::string thread_list() const;
    // As many bytes as there are there.
    [[nodiscard]] std::vector<std::byte> bytes_at(uint64_t address, uint64_t count) const;
    [[nodiscard]] std::expected<std::vector<std::byte>, std::string> memory_in(Fields& fields) const;
    [[nodiscard]] Answer store(uint64_t address, uint64_t count, const std::optional<std::string>& bytes);

    Session& session_;
    Link& link_;
    Addresses addresses_;
    Registers registers_{session_, addresses_};
    Monitor monitor_{session_, addresses_, registers_};
    Files files_;
    std::string description_;
    Stop stop_;
    uint32_t thread_ = 0; // that registers are of
    uint32_t moving_ = 0; // that bs steps
    std::optional<ClientEnd> ended_;

    enum class PointKind : uint8_t { software = 0, hardware = 1, write = 2 };
    // Kind, address, bytes.
    using Point = std::tuple<PointKind, uint64_t, uint64_t>;
    [[nodiscard]] static std::expected<Point, std::string> point_in(Fields fields);
    std::map<Point, uint32_t> points_; // ids of the session's break- and watchpoints
};

} // namespace visor::debug::gdb
