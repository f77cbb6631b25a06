// What a client of the Debug Adapter Protocol asks, and the answers.
#pragma once

#include "debug/dap/transport.h"
#include "debug/session.h"
#include "debug/stack.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::debug::dap {

class Handler {
public:
    Handler(Session& session, Transport& transport) : session_(session), transport_(transport) {}

    // Answers a request; what is none is passed over.
    void answer(const nlohmann::json& message);
    // The client has said all: the run is to begin.
    [[nodiscard]] bool wants_start() const { return configured_; }
    // How the client has ended it; nothing: not yet.
    [[nodiscard]] const std::optional<ClientEnd>& ended() const { return end_; }
    // The client was told that nothing runs any more.
    [[nodiscard]] bool is_over() const { return over_; }
    // In a thread of its own: tells of stops until nothing runs any more. Of a session whose client has gone,
    // too.
    void tell_stops();
    void client_has_gone();

private:
    using json = nlohmann::json;
    using Answer = std::expected<json, std::string>; // error: a sentence
    using Method = Answer (Handler::*)(const json& arguments);
    [[nodiscard]] static const std::map<std::string_view, Method>& methods();

    Answer initialize(const json& arguments);
    Answer launch(const json& arguments);
    Answer attach(const json& arguments);
    Answer configuration_done(const json& arguments);
    Answer set_breakpoints(const json& arguments);
    Answer set_function_breakpoints(const json& arguments);
    Answer set_instruction_breakpoints(const json& arguments);
    Answer set_data_breakpoints(const json& arguments);
    Answer data_breakpoint_info(const json& arguments);
    Answer set_exception_breakpoints(const json& arguments);
    Answer threads(const json& arguments);
    Answer stack_trace(const json& arguments);
    Answer scopes(const json& arguments);
    Answer variables(const json& arguments);
    Answer set_variable(const json& arguments);
    Answer evaluate(const json& arguments);
    Answer set_expression(const json& arguments);
    Answer go_on(const json& arguments);
    Answer next(const json& arguments);
    Answer step_in(const json& arguments);
    Answer step_out(const json& arguments);
    Answer step_back(const json& arguments);
    Answer reverse_continue(const json& arguments);
    Answer pause(const json& arguments);
    Answer disassemble(const json& arguments);
    Answer read_memory(const json& arguments);
    Answer write_memory(const json& arguments);
    Answer source(const json& arguments);
    Answer loaded_sources(const json& arguments);
    Answer exception_info(const json& arguments);
    Answer disconnect(const json& arguments);
    Answer terminate(const json& arguments);

    Answer move(const Move& move, const json& arguments);
    void event(const char* name, json body);
    void tell_stop(const Stop& stop);
    // Breakpoints belong to the client's thread alone while it is stopped: stops it for as long.
    [[nodiscard]] Answer while_stopped(const std::function<Answer()>& change);
    [[nodiscard]] json described(uint32_t breakpoint) const;
    [[nodiscard]] std::string name_of_source(uint64_t reference) const;
    [[nodiscard]] json frame_json(const StackEntry& entry, uint64_t id) const;
    [[nodiscard]] json source_of(const Code& code, const Line& line) const;
    [[nodiscard]] Answer set_group(const std::string& group, std::vector<BreakpointRequest> requests);

    struct Frame { // of a stack trace
        uint32_t thread = 0;
        uint32_t level = 0; // 0: the innermost
    };
    struct Shown { // what a variablesReference means
        enum class Kind : uint8_t {
            registers,
            predicates,
            arguments,
            slm,
            slm_part,
            surfaces,
            ids,
            lanes,
            locals
        };
        Kind kind = Kind::registers;
        Frame frame;
        std::string name;
        uint64_t part = 0; // of shared local memory
    };
    [[nodiscard]] int reference(Shown shown);
    [[nodiscard]] json register_list(const Shown& shown, const machine::Frame& frame,
                                     std::span<const std::string> names);
    [[nodiscard]] json slm_list(const Shown& shown, const machine::Thread& thread);
    [[nodiscard]] std::expected<std::pair<machine::Thread*, machine::Frame*>, std::string>
    at(const Frame& frame) const;
    [[nodiscard]] std::expected<Frame, std::string> frame_of(const json& arguments) const;

    Session& session_;
    Transport& transport_;
    std::atomic<int> sequence_ = 0;
    bool configured_ = false;
    std::optional<ClientEnd> end_;
    bool attached_ = false; // and not launched
    std::atomic<bool> gone_ = false;
    std::atomic<bool> over_ = false;
    bool started_ = false;
    std::map<std::string, std::vector<uint32_t>> groups_; // breakpoints by what set them
    std::map<std::string, uint32_t> data_;                // watchpoints by dataId
    std::vector<Shown> shown_;
    uint32_t lane_ = 0;

    std::mutex mutex_; // of the three below
    std::condition_variable resumed_;
    bool running_ = true;
    bool quiet_ = false; // the next stop is not told
};

} // namespace visor::debug::dap
