// Starting, moving, breakpoints. What is looked at is in views.cpp.
#include "debug/gdb/handler.h"

#include "debug/gdb/elf.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace visor::debug::gdb {

namespace {

constexpr double moment = 0.02; // seconds between two looks for an interrupt
constexpr size_t most_points = 10'000;
constexpr std::string_view bad_packet = "E01";
constexpr std::string_view refused = "E02";
constexpr std::string_view exited = "W00";

// Signals by gdb's numbers.
int signal_of(StopKind kind) {
    switch (kind) {
    case StopKind::pause:
        return 2; // SIGINT
    case StopKind::fault:
        return 11; // SIGSEGV
    default:
        return 5; // SIGTRAP
    }
}

} // namespace

std::span<const Handler::Row> Handler::rows() {
    // A prefix precedes those that it begins with.
    static constexpr std::array all{Row{"qSupported", &Handler::supported},
                                    Row{"QStartNoAckMode", &Handler::no_acknowledgements},
                                    Row{"qXfer:", &Handler::transfer},
                                    Row{"qRcmd,", &Handler::command},
                                    Row{"qfThreadInfo", &Handler::first_threads},
                                    Row{"qsThreadInfo", &Handler::more_threads},
                                    Row{"qThreadExtraInfo,", &Handler::thread_text},
                                    Row{"qAttached", &Handler::attached},
                                    Row{"qC", &Handler::current_thread},
                                    Row{"vCont?", &Handler::which_moves},
                                    Row{"vCont;", &Handler::resume},
                                    Row{"vKill;", &Handler::kill_aloud},
                                    Row{"vFile:", &Handler::file},
                                    Row{"?", &Handler::why},
                                    Row{"D", &Handler::detach},
                                    Row{"k", &Handler::kill},
                                    Row{"bs", &Handler::step_back},
                                    Row{"bc", &Handler::go_back},
                                    Row{"c", &Handler::go_on},
                                    Row{"C", &Handler::go_on},
                                    Row{"s", &Handler::step},
                                    Row{"S", &Handler::step},
                                    Row{"H", &Handler::choose_thread},
                                    Row{"T", &Handler::is_alive},
                                    Row{"g", &Handler::read_registers},
                                    Row{"G", &Handler::write_registers},
                                    Row{"p", &Handler::read_register},
                                    Row{"P", &Handler::write_register},
                                    Row{"m", &Handler::read_memory},
                                    Row{"x", &Handler::read_memory_binary},
                                    Row{"M", &Handler::write_memory},
                                    Row{"X", &Handler::write_memory_binary},
                                    Row{"Z", &Handler::insert},
                                    Row{"z", &Handler::remove}};
    return all;
}

void Handler::answer(std::string_view packet) {
    const auto all = rows();
    const auto row =
        std::ranges::find_if(all, [&](const Row& one) { return packet.starts_with(one.prefix); });
    const Answer answer =
        row == all.end() ? Answer("") : (this->*row->method)(Fields(packet.substr(row->prefix.size())));
    if (!answer)
        return;
    link_.send(*answer);
    if (*answer == exited)
        ended_ = ClientEnd::over;
}

void Handler::begin() {
    constexpr int moments = 25; // half a second
    int waited = 0;
    if (!wait([&] {
            if (++waited % moments == 0)
                link_.keep_alive();
        }))
        return;
    know_code();
    registers_.describe();
    description_ = registers_.description();
}

// ---- starting and ending

Handler::Answer Handler::supported(Fields /*fields*/) {
    return fmt::format("PacketSize={:x};QStartNoAckMode+;ReverseStep+;ReverseContinue+;swbreak+;hwbreak+;"
                       "vContSupported+;qXfer:features:read+;qXfer:threads:read+;qXfer:exec-file:read+;"
                       "qXfer:memory-map:read+;binary-upload+",
                       most_packet_bytes);
}

Handler::Answer Handler::no_acknowledgements(Fields /*fields*/) {
    link_.stop_acknowledging();
    return "OK";
}

Handler::Answer Handler::why(Fields /*fields*/) {
    return stop_reply();
}

Handler::Answer Handler::detach(Fields /*fields*/) {
    ended_ = ClientEnd::detached;
    return "OK";
}

Handler::Answer Handler::kill(Fields /*fields*/) {
    ended_ = ClientEnd::killed;
    return std::nullopt;
}

Handler::Answer Handler::kill_aloud(Fields /*fields*/) {
    ended_ = ClientEnd::killed;
    return "OK";
}

// ---- stops

bool Handler::wait(const std::function<void()>& meanwhile) {
    for (;;) {
        if (auto stop = session_.wait_for(moment)) {
            stop_ = std::move(*stop);
            thread_ = moving_ = stop_.thread;
            return true;
        }
        const auto interrupted = link_.look();
        if (!interrupted) {
            ended_ = interrupted.error();
            return false;
        }
        if (*interrupted)
            session_.pause();
        if (meanwhile)
            meanwhile();
    }
}

bool Handler::move(const Move& move) {
    session_.go(move);
    return wait();
}

Handler::Answer Handler::moved(const Move& move) {
    if (stop_.kind != StopKind::over && !this->move(move))
        return std::nullopt;
    tell_news();
    return stop_reply();
}

// Packets with text for gdb's console; only while it waits for a stop.
void Handler::say(std::string_view text) {
    constexpr size_t most = most_packet_bytes / 2 - 16;
    for (; !text.empty(); text.remove_prefix(std::min(most, text.size())))
        link_.send("O" + to_hex(text.substr(0, most)));
}

void Handler::tell_news() {
    say(session_.take_log());
    switch (stop_.kind) {
    case StopKind::fault:
    case StopKind::finding:
    case StopKind::start:
    case StopKind::end:
        say(fmt::format("visor: {}\n", stop_.text));
        break;
    default:
        break;
    }
    if (stop_.kind == StopKind::over)
        return;
    const size_t known = addresses_.all().size();
    know_code();
    for (size_t k = known; k < addresses_.all().size(); ++k)
        say(fmt::format(
            "visor: `{}` is new; `symbol-file target:{}` brings its lines, and a new connection its "
            "registers\n",
            addresses_.all()[k].code->function().name, program_path));
}

void Handler::know_code() {
    if (!addresses_.add(session_.codes()))
        return;
    std::vector<FunctionImage> images;
    for (const PlacedCode& placed : addresses_.all())
        images.push_back(image_of(placed));
    std::error_code problem;
    files_.set(elf_of(images, std::filesystem::current_path(problem).string()));
}

std::string Handler::breakpoint_reason() const {
    const machine::Thread* const thread = session_.thread(stop_.thread);
    const uint64_t at = thread == nullptr ? 0 : addresses_.program_counter(session_, *thread);
    const auto hardware = std::ranges::find_if(points_, [&](const auto& one) {
        return std::get<0>(one.first) == PointKind::hardware && std::get<1>(one.first) == at;
    });
    return hardware == points_.end() ? "swbreak:;" : "hwbreak:;";
}

std::string Handler::stop_reply() const {
    if (stop_.kind == StopKind::over)
        return std::string(exited);
    std::string out = fmt::format("T{:02x}", signal_of(stop_.kind));
    if (stop_.kind == StopKind::breakpoint)
        out += breakpoint_reason();
    if (stop_.kind == StopKind::start)
        out += "replaylog:begin;";
    if (stop_.kind == StopKind::end)
        out += "replaylog:end;";
    if (stop_.kind == StopKind::watchpoint)
        for (const Watchpoint& one : session_.watchpoints())
            if (!stop_.ids.empty() && one.id == stop_.ids.front())
                out += fmt::format("watch:{:x};",
                                   one.address + (one.memory == Memory::local ? local_window : 0));
    if (const machine::Thread* const thread = session_.thread(stop_.thread); thread != nullptr)
        for (const uint32_t number : {6U, 7U, 16U}) // the frame, the stack, the program counter
            out += fmt::format("{:x}:{};", number, registers_.read(number, *thread));
    return out + fmt::format("thread:{:x};", stop_.thread + 1);
}

// ---- moving

Handler::Answer Handler::which_moves(Fields /*fields*/) {
    return "vCont;c;C;s;S;r";
}

// Actions are for threads; the first that steps counts, the others only go on.
Handler::Answer Handler::resume(Fields fields) {
    while (!fields.is_empty()) {
        Fields action(fields.until(';'));
        const bool in_range = action.take("r");
        if (!in_range && !action.take("s") && !action.take("S"))
            continue;
        const auto begin = action.number(); // or a signal
        const bool has_end = action.take(",");
        const auto end = action.number();
        uint32_t thread = stop_.thread;
        if (action.take(":"))
            thread = thread_in(action).value_or(thread);
        if (in_range && begin && has_end && end)
            return step_in_range(thread, *begin, *end);
        return moved({.step = Step::instruction, .thread = thread});
    }
    return moved({});
}

Handler::Answer Handler::step_in_range(uint32_t thread, uint64_t begin, uint64_t end) {
    const auto first = addresses_.at(begin);
    const auto last = end < begin + instruction_bytes ? std::nullopt : addresses_.at(end - instruction_bytes);
    Move move{.step = Step::instruction, .thread = thread};
    if (first && last && first->code == last->code) {
        move.step = Step::range;
        move.function = &first->code->code->function();
        move.first = first->instruction;
        move.last = last->instruction;
    }
    return moved(move);
}

Handler::Answer Handler::go_on(Fields /*fields*/) {
    return moved({});
}
Handler::Answer Handler::step(Fields /*fields*/) {
    return moved({.step = Step::instruction, .thread = moving_});
}
Handler::Answer Handler::step_back(Fields /*fields*/) {
    return moved({.back = true, .step = Step::instruction, .thread = moving_});
}

Handler::Answer Handler::go_back(Fields /*fields*/) {
    const auto last_write = monitor_.take_last_write();
    if (!last_write)
        return moved({.back = true});
    // gdb may have stepped back over a breakpoint first.
    if (stop_.kind != StopKind::over && stop_.clock < last_write->clock &&
        !move({.clock = last_write->clock}))
        return std::nullopt;
    return moved(last_write->move);
}

// ---- breakpoints

// KIND,ADDRESS,BYTES
// An answer instead, where it is none that can be.
std::expected<Handler::Point, std::string> Handler::point_in(Fields fields) {
    const auto number = fields.number();
    const bool has_address = fields.take(",");
    const auto address = fields.number();
    const bool has_bytes = fields.take(",");
    const auto bytes = fields.number();
    if (!number || !has_address || !address || !has_bytes || !bytes)
        return std::unexpected(std::string(bad_packet));
    if (*number > static_cast<uint64_t>(PointKind::write))
        return std::unexpected(""); // reads do not stop the run
    return Point{static_cast<PointKind>(*number), *address, *bytes};
}

Handler::Answer Handler::insert(Fields fields) {
    const auto given = point_in(fields);
    if (!given)
        return given.error();
    const auto& [kind, address, bytes] = *given;
    const Point& point = *given;
    if (points_.contains(point))
        return "OK";
    if (points_.size() >= most_points)
        return std::string(refused);
    if (kind == PointKind::write) {
        const bool local = address >= local_window && address < local_window_end;
        points_[point] =
            session_.add_watchpoint(local ? Memory::local : Memory::global,
                                    local ? address - local_window : address, std::max<uint64_t>(bytes, 1));
        return "OK";
    }
    const auto place = addresses_.at(address);
    if (!place)
        return std::string(refused);
    BreakpointRequest request;
    request.kind = BreakpointRequest::Kind::instruction;
    request.function = place->code->code->function().name;
    request.instruction = place->instruction;
    const auto id = session_.add_breakpoint(std::move(request));
    if (!id)
        return std::string(refused);
    points_[point] = *id;
    return "OK";
}

Handler::Answer Handler::remove(Fields fields) {
    const auto point = point_in(fields);
    if (!point)
        return point.error();
    const auto found = points_.find(*point);
    if (found == points_.end())
        return "OK";
    if (std::get<0>(*point) == PointKind::write)
        session_.remove_watchpoint(found->second);
    else
        session_.remove_breakpoint(found->second);
    points_.erase(found);
    return "OK";
}

} // namespace visor::debug::gdb
