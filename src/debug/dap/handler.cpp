// Starting, breakpoints, moving. What is looked at is in views.cpp.
#include "debug/dap/handler.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::debug::dap {

namespace {

using nlohmann::json;

constexpr size_t most_breakpoints = 10'000; // of a request

// By check::Kind.
constexpr std::array<std::string_view, check::kinds> finding_labels{
    "Out of bounds",     "Undefined values", "Data races", "Conflicting lanes",
    "Misaligned access", "Synchronization",  "Arithmetic"};

// What they answer with belongs to the run while that goes on.
constexpr std::array<std::string_view, 3> readers_of_code{"source", "loadedSources", "disassemble"};

std::string text_at(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

uint64_t count_at(const json& object, const char* key, uint64_t otherwise = 0) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : otherwise;
}

bool flag_at(const json& object, const char* key, bool otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

// The list of a request, as long as it may be.
std::expected<std::vector<json>, std::string> list_at(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array())
        return std::unexpected(fmt::format("`{}` is missing", key));
    if (found->size() > most_breakpoints)
        return std::unexpected(fmt::format("`{}` has more than {} elements", key, most_breakpoints));
    std::vector<json> out;
    for (const json& one : *found)
        out.push_back(one.is_object() ? one : json::object());
    return out;
}

BreakpointRequest conditions_of(const json& wanted) {
    BreakpointRequest request;
    request.condition = text_at(wanted, "condition");
    request.hit_condition = text_at(wanted, "hitCondition");
    request.log = text_at(wanted, "logMessage");
    return request;
}

const char* reason_of(StopKind kind) {
    switch (kind) {
    case StopKind::entry:
    case StopKind::start:
    case StopKind::end:
        return "entry";
    case StopKind::breakpoint:
        return "breakpoint";
    case StopKind::watchpoint:
        return "data breakpoint";
    case StopKind::pause:
        return "pause";
    case StopKind::fault:
    case StopKind::finding:
        return "exception";
    default:
        return "step";
    }
}

} // namespace

const std::map<std::string_view, Handler::Method>& Handler::methods() {
    static const std::map<std::string_view, Method> all{
        {"initialize", &Handler::initialize},
        {"launch", &Handler::launch},
        {"attach", &Handler::attach},
        {"configurationDone", &Handler::configuration_done},
        {"setBreakpoints", &Handler::set_breakpoints},
        {"setFunctionBreakpoints", &Handler::set_function_breakpoints},
        {"setInstructionBreakpoints", &Handler::set_instruction_breakpoints},
        {"setDataBreakpoints", &Handler::set_data_breakpoints},
        {"dataBreakpointInfo", &Handler::data_breakpoint_info},
        {"setExceptionBreakpoints", &Handler::set_exception_breakpoints},
        {"threads", &Handler::threads},
        {"stackTrace", &Handler::stack_trace},
        {"scopes", &Handler::scopes},
        {"variables", &Handler::variables},
        {"setVariable", &Handler::set_variable},
        {"evaluate", &Handler::evaluate},
        {"setExpression", &Handler::set_expression},
        {"continue", &Handler::go_on},
        {"next", &Handler::next},
        {"stepIn", &Handler::step_in},
        {"stepOut", &Handler::step_out},
        {"stepBack", &Handler::step_back},
        {"reverseContinue", &Handler::reverse_continue},
        {"pause", &Handler::pause},
        {"disassemble", &Handler::disassemble},
        {"readMemory", &Handler::read_memory},
        {"writeMemory", &Handler::write_memory},
        {"source", &Handler::source},
        {"loadedSources", &Handler::loaded_sources},
        {"exceptionInfo", &Handler::exception_info},
        {"disconnect", &Handler::disconnect},
        {"terminate", &Handler::terminate}};
    return all;
}

void Handler::answer(const json& message) {
    if (text_at(message, "type") != "request")
        return;
    const std::string command = text_at(message, "command");
    const auto arguments = message.find("arguments");
    const auto method = methods().find(command);
    const json given = arguments != message.end() && arguments->is_object() ? *arguments : json::object();
    const auto obey = [&]() -> Answer {
        if (method == methods().end())
            return std::unexpected(fmt::format("there is no request `{}`", command));
        return (this->*method->second)(given);
    };
    const bool reads_code = std::ranges::find(readers_of_code, command) != readers_of_code.end();
    const Answer answer = reads_code ? while_stopped(obey) : obey();
    json response{{"seq", ++sequence_},
                  {"type", "response"},
                  {"request_seq", message.value("seq", json(0))},
                  {"command", command},
                  {"success", answer.has_value()}};
    if (answer)
        response["body"] = *answer;
    else
        response["message"] = answer.error();
    transport_.send(response);
    if (command == "launch" || command == "attach")
        event("initialized", json::object());
}

void Handler::event(const char* name, json body) {
    transport_.send({{"seq", ++sequence_}, {"type", "event"}, {"event", name}, {"body", std::move(body)}});
}

// ---- starting and ending

Handler::Answer Handler::initialize(const json& /*arguments*/) {
    json body;
    for (const char* one :
         {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints", "supportsConditionalBreakpoints",
          "supportsHitConditionalBreakpoints", "supportsLogPoints", "supportsStepBack", "supportsSetVariable",
          "supportsSetExpression", "supportsEvaluateForHovers", "supportsInstructionBreakpoints",
          "supportsDataBreakpoints", "supportsDataBreakpointBytes", "supportsExceptionInfoRequest",
          "supportsDisassembleRequest", "supportsReadMemoryRequest", "supportsWriteMemoryRequest",
          "supportsSteppingGranularity", "supportsLoadedSourcesRequest", "supportsTerminateRequest"})
        body[one] = true;
    body["exceptionBreakpointFilters"] = json::array();
    const auto add = [&](std::string_view filter, std::string_view label, std::string_view description) {
        body["exceptionBreakpointFilters"].push_back(
            {{"filter", filter}, {"label", label}, {"description", description}, {"default", true}});
    };
    add("fault", "Faults", "Stops before an instruction that faults");
    for (size_t k = 0; k < check::kinds; ++k)
        add(check::kind_names[k], finding_labels[k],
            fmt::format("Stops before an instruction of which --check={} tells something",
                        check::kind_names[k]));
    return body;
}

Handler::Answer Handler::launch(const json& arguments) {
    session_.stop_at_entry(flag_at(arguments, "stopOnEntry", false));
    return json::object();
}

Handler::Answer Handler::configuration_done(const json& /*arguments*/) {
    configured_ = true;
    return json::object();
}

Handler::Answer Handler::attach(const json& arguments) {
    attached_ = true;
    return launch(arguments);
}

Handler::Answer Handler::disconnect(const json& arguments) {
    end_ = flag_at(arguments, "terminateDebuggee", !attached_) ? ClientEnd::killed : ClientEnd::detached;
    return json::object();
}

Handler::Answer Handler::terminate(const json& /*arguments*/) {
    end_ = ClientEnd::killed;
    return json::object();
}

void Handler::client_has_gone() {
    const std::lock_guard lock(mutex_);
    gone_ = true;
    running_ = true;
    resumed_.notify_all();
}

void Handler::tell_stops() {
    for (;;) {
        const Stop stop = session_.wait();
        std::unique_lock lock(mutex_);
        if (gone_ && stop.kind != StopKind::over)
            continue; // the run ends soon
        running_ = false;
        started_ = true;
        const bool quiet = std::exchange(quiet_, false) && stop.kind == StopKind::pause;
        resumed_.notify_all();
        if (stop.kind == StopKind::over ||
            (!quiet && !gone_)) // the end is told even if nothing is read any more
            tell_stop(stop);
        if (stop.kind == StopKind::over) {
            over_ = !gone_;
            return;
        }
        resumed_.wait(lock, [this] { return running_; });
    }
}

void Handler::tell_stop(const Stop& stop) {
    if (std::string said = session_.take_log(); !said.empty())
        event("output", {{"category", "console"}, {"output", std::move(said)}});
    if (stop.kind == StopKind::over) {
        event("terminated", json::object());
        return;
    }
    for (const auto& [group, ids] : groups_)
        for (const uint32_t id : ids)
            event("breakpoint", {{"reason", "changed"}, {"breakpoint", described(id)}});
    json body{{"reason", reason_of(stop.kind)},
              {"description", stop.text},
              {"text", stop.text},
              {"threadId", stop.thread + 1},
              {"allThreadsStopped", true}};
    if (stop.kind == StopKind::breakpoint)
        body["hitBreakpointIds"] = stop.ids;
    event("stopped", std::move(body));
}

// ---- breakpoints

Handler::Answer Handler::while_stopped(const std::function<Answer()>& change) {
    constexpr std::chrono::milliseconds moment{20};
    std::unique_lock lock(mutex_);
    if (!running_)
        return change();
    Answer out;
    const auto at_rest = [&] {
        return session_.between_launches([&] {
            out = change();
            session_.cancel_pause();
            quiet_ = false;
        });
    };
    if (at_rest())
        return out;
    quiet_ = true;
    session_.pause();
    while (!resumed_.wait_for(lock, moment, [this] { return !running_ || gone_; }))
        if (at_rest())
            return out;
    const bool was_paused = session_.stop().kind == StopKind::pause;
    out = change();
    if (was_paused && !gone_) { // else it has stopped by itself, which was told
        running_ = true;
        session_.go({});
        resumed_.notify_all();
    }
    return out;
}

json Handler::described(uint32_t id) const {
    const auto found = session_.breakpoints().find(id);
    if (found == session_.breakpoints().end())
        return {{"id", id}, {"verified", false}};
    const Breakpoint& one = found->second;
    json out{{"id", id}, {"verified", one.bound}};
    if (one.bound && one.where.known())
        out["line"] = one.where.line;
    if (!one.bound)
        out["message"] = session_.codes().empty() ? "nothing runs yet" : "there is no code there";
    return out;
}

Handler::Answer Handler::set_group(const std::string& group, std::vector<BreakpointRequest> requests) {
    return while_stopped([&]() -> Answer {
        for (const uint32_t id : groups_[group])
            session_.remove_breakpoint(id);
        std::vector<uint32_t>& ids = groups_[group];
        ids.clear();
        json list = json::array();
        for (BreakpointRequest& request : requests) {
            const auto id = session_.add_breakpoint(std::move(request));
            if (!id) {
                list.push_back({{"verified", false}, {"message", id.error()}});
                continue;
            }
            ids.push_back(*id);
            list.push_back(described(*id));
        }
        return json{{"breakpoints", std::move(list)}};
    });
}

std::string Handler::name_of_source(uint64_t reference) const {
    const auto& codes = session_.codes();
    if (reference <= codes.size())
        return codes[reference - 1]->text_name();
    const uint64_t text = reference - codes.size() - 1;
    return text < session_.texts().size() ? session_.texts()[text].file : "";
}

Handler::Answer Handler::set_breakpoints(const json& arguments) {
    const auto source = arguments.find("source");
    if (source == arguments.end() || !source->is_object())
        return std::unexpected("`source` is missing");
    std::string file = text_at(*source, "path");
    if (const uint64_t number = count_at(*source, "sourceReference"); number != 0)
        file = while_stopped([&]() -> Answer { return json(name_of_source(number)); })->get<std::string>();
    if (file.empty())
        file = text_at(*source, "name");
    if (file.empty())
        return std::unexpected("the source has neither path nor name");
    const auto wanted = list_at(arguments, "breakpoints");
    std::vector<BreakpointRequest> requests;
    for (const json& one : wanted.value_or(std::vector<json>{})) {
        BreakpointRequest request = conditions_of(one);
        request.file = file;
        request.line = static_cast<uint32_t>(std::min<uint64_t>(count_at(one, "line"), UINT32_MAX));
        requests.push_back(std::move(request));
    }
    return set_group("source " + file, std::move(requests));
}

Handler::Answer Handler::set_function_breakpoints(const json& arguments) {
    const auto wanted = list_at(arguments, "breakpoints");
    if (!wanted)
        return std::unexpected(wanted.error());
    std::vector<BreakpointRequest> requests;
    for (const json& one : *wanted) {
        BreakpointRequest request = conditions_of(one);
        request.kind = BreakpointRequest::Kind::entry;
        request.function = text_at(one, "name");
        requests.push_back(std::move(request));
    }
    return set_group("functions", std::move(requests));
}

Handler::Answer Handler::set_instruction_breakpoints(const json& arguments) {
    const auto wanted = list_at(arguments, "breakpoints");
    if (!wanted)
        return std::unexpected(wanted.error());
    std::vector<BreakpointRequest> requests;
    for (const json& one : *wanted) {
        BreakpointRequest request = conditions_of(one);
        const std::string reference = text_at(one, "instructionReference");
        uint64_t place = 0;
        constexpr size_t prefix = 2; // 0x
        if (reference.size() > prefix)
            std::from_chars(reference.data() + prefix, reference.data() + reference.size(), place, 16);
        const uint64_t code = place >> 32U;
        request.kind = BreakpointRequest::Kind::instruction;
        request.instruction = static_cast<uint32_t>(place);
        request.function =
            while_stopped([&]() -> Answer {
                const auto& codes = session_.codes();
                return json(code != 0 && code <= codes.size() ? codes[code - 1]->function().name : "?");
            })->get<std::string>();
        requests.push_back(std::move(request));
    }
    return set_group("instructions", std::move(requests));
}

Handler::Answer Handler::data_breakpoint_info(const json& arguments) {
    const std::string name = text_at(arguments, "name");
    const bool local = name.starts_with("slm ");
    const auto frame = frame_of(arguments);
    const auto place = frame ? at(*frame) : std::unexpected(frame.error());
    const auto expression = Expression::parse(local ? std::string_view(name).substr(4) : name);
    const auto address = place && expression
                             ? expression->evaluate({*place->first, *place->second, lane_})
                             : std::expected<Number, std::string>(std::unexpected("no address"));
    if (!address || address->is_float)
        return json{{"dataId", nullptr},
                    {"description",
                     fmt::format("`{}` is no address: {}", name, address ? "a float" : address.error())}};
    const uint64_t bytes = std::max<uint64_t>(count_at(arguments, "bytes", 4), 1);
    return json{
        {"dataId",
         fmt::format("{}:{}:{}", local ? "slm" : "global", static_cast<uint64_t>(address->whole), bytes)},
        {"description", fmt::format("{} bytes at {:#x}{}", bytes, static_cast<uint64_t>(address->whole),
                                    local ? " of shared local memory" : "")},
        {"accessTypes", {"write"}}};
}

Handler::Answer Handler::set_data_breakpoints(const json& arguments) {
    const auto wanted = list_at(arguments, "breakpoints");
    if (!wanted)
        return std::unexpected(wanted.error());
    return while_stopped([&]() -> Answer {
        session_.clear_watchpoints();
        json list = json::array();
        for (const json& one : *wanted) {
            const std::string id = text_at(one, "dataId");
            const bool local = id.starts_with("slm:");
            const size_t begin = id.find(':') + 1;
            const size_t colon = id.find(':', begin);
            uint64_t address = 0;
            uint64_t bytes = 0;
            const char* const end = id.data() + id.size();
            const bool good = begin != 0 && colon != std::string::npos &&
                              std::from_chars(id.data() + begin, end, address).ec == std::errc{} &&
                              std::from_chars(id.data() + colon + 1, end, bytes).ec == std::errc{} &&
                              bytes != 0;
            if (good)
                list.push_back(
                    {{"id", 1'000'000 + session_.add_watchpoint(local ? Memory::local : Memory::global,
                                                                address, bytes)},
                     {"verified", true}});
            else
                list.push_back({{"verified", false}, {"message", "no such data"}});
        }
        return json{{"breakpoints", std::move(list)}};
    });
}

Handler::Answer Handler::set_exception_breakpoints(const json& arguments) {
    const auto filters = arguments.find("filters");
    std::set<std::string> chosen;
    if (filters != arguments.end() && filters->is_array())
        for (const json& one : *filters)
            if (one.is_string())
                chosen.insert(one.get<std::string>());
    return while_stopped([&]() -> Answer {
        std::array<bool, check::kinds> findings{};
        for (size_t k = 0; k < check::kinds; ++k)
            findings[k] = chosen.contains(std::string(check::kind_names[k]));
        session_.stop_at(chosen.contains("fault"), findings);
        return json::object();
    });
}

// ---- moving

Handler::Answer Handler::move(const Move& move, const json& arguments) {
    const std::lock_guard lock(mutex_);
    if (running_)
        return std::unexpected("it runs already");
    if (over_)
        return std::unexpected("nothing runs any more");
    Move wanted = move;
    const uint64_t thread = count_at(arguments, "threadId", session_.stop().thread + 1);
    wanted.thread = static_cast<uint32_t>(thread == 0 ? 0 : thread - 1);
    if (wanted.step != Step::none && text_at(arguments, "granularity") == "instruction")
        wanted.step = Step::instruction;
    shown_.clear();
    running_ = true;
    session_.go(wanted);
    resumed_.notify_all();
    return json{{"allThreadsContinued", true}};
}

Handler::Answer Handler::go_on(const json& arguments) {
    return move({}, arguments);
}
Handler::Answer Handler::next(const json& arguments) {
    return move({.step = Step::over}, arguments);
}
Handler::Answer Handler::step_in(const json& arguments) {
    return move({.step = Step::line}, arguments);
}
Handler::Answer Handler::step_out(const json& arguments) {
    return move({.step = Step::out}, arguments);
}
Handler::Answer Handler::step_back(const json& arguments) {
    return move({.back = true, .step = Step::over}, arguments);
}
Handler::Answer Handler::reverse_continue(const json& arguments) {
    return move({.back = true}, arguments);
}
Handler::Answer Handler::pause(const json& /*arguments*/) {
    session_.pause();
    return json::object();
}

} // namespace visor::debug::dap
