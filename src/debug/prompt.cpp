#include "debug/prompt.h"

#include "debug/stack.h"
#include "diagnostic/printable.h"
#include "file/file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::debug {

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
        if (line.empty())
            return words;
        const size_t end = std::min(line.find_first_of(" \t\r\n"), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

// What stands behind the first word.
std::string_view rest_of(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return line.substr(0, line.find_last_not_of(" \t\r\n") + 1);
}

std::optional<uint64_t> plain_number(std::string_view text) {
    uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = !text.empty() && problem == std::errc{} && end == text.data() + text.size();
    return whole ? std::optional(number) : std::nullopt;
}

std::string_view line_in(std::string_view text, uint32_t line) {
    for (uint32_t at = 1; at < line; ++at) {
        const size_t end = text.find('\n');
        if (end == std::string_view::npos)
            return "";
        text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
}

// The text of a source, if it is at hand.
std::optional<std::string> source_text(const Session& session, std::string_view file) {
    constexpr size_t most = size_t{16} << 20U;
    if (const SourceText* const text = session.text_of(file); text != nullptr)
        return text->text;
    const std::string path(file);
    if (!check_regular(path))
        return std::nullopt;
    auto content = read_file(path, most);
    return content ? std::optional(std::move(*content)) : std::nullopt;
}

std::string_view status_text(machine::Status status) {
    switch (status) {
    case machine::Status::at_barrier:
        return "at a barrier";
    case machine::Status::done:
        return "ended";
    case machine::Status::faulted:
        return "faulted";
    default:
        return "can run";
    }
}

constexpr std::string_view no_thread = "no thread is stopped here\n";

} // namespace

machine::Thread* Prompt::focus() {
    return session_.thread(thread_);
}

std::optional<uint64_t> Prompt::number(std::string_view text) {
    if (const auto plain = plain_number(text))
        return plain;
    const machine::Thread* const thread = focus();
    const auto expression = Expression::parse(text);
    if (!expression || thread == nullptr)
        return std::nullopt;
    const auto value = expression->evaluate({*thread, *thread, lane_});
    return value ? std::optional(static_cast<uint64_t>(value->whole)) : std::nullopt;
}

std::string Prompt::line_text(const Line& line) {
    for (const auto& code : session_.codes())
        if (code->text_name() == line.file)
            return std::string(line_in(code->text(), line.line));
    const auto text = source_text(session_, line.file);
    return text ? std::string(line_in(*text, line.line)) : "";
}

std::string Prompt::shown_line(const machine::Thread& thread) {
    const Code* const code = session_.code_of(*thread.program->function);
    if (code == nullptr)
        return "";
    const uint32_t at = session_.instruction_of(thread);
    std::string out;
    if (const Line source = code->source_line(at); source.known())
        out += fmt::format("{}:{}: {}\n", source.file, source.line, printable(line_text(source)));
    return out + fmt::format("{}:{}: {}\n", code->text_name(), code->text_line(at).line,
                             printable(code->words(at)));
}

std::string Prompt::describe(const Stop& stop) {
    std::string out = printable(session_.take_log());
    if (stop.kind == StopKind::over)
        return out + "nothing runs any more\n";
    out += fmt::format("stopped: {}\n", printable(stop.text));
    thread_ = stop.thread;
    if (!stop.has_thread)
        return out;
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return out;
    if ((thread->execution_mask >> lane_ & 1U) == 0 && thread->execution_mask != 0)
        lane_ = static_cast<uint32_t>(std::countr_zero(thread->execution_mask));
    return out +
           fmt::format("launch {}, group ({}), thread {}, instruction {}\n", stop.launch,
                       fmt::join(stop.group, ","), stop.thread, stop.instruction) +
           shown_line(*thread);
}

std::string Prompt::move(const Move& move) {
    session_.go(move);
    return describe(wait_ ? wait_() : session_.wait());
}

std::string Prompt::go(const Words& words, std::string_view /*rest*/) {
    struct Way {
        std::string_view name;
        Move move;
    };
    static const std::array ways{Way{"continue", {}},
                                 Way{"stepi", {.step = Step::instruction}},
                                 Way{"step", {.step = Step::line}},
                                 Way{"next", {.step = Step::over}},
                                 Way{"finish", {.step = Step::out}},
                                 Way{"reverse-continue", {.back = true}},
                                 Way{"reverse-stepi", {.back = true, .step = Step::instruction}},
                                 Way{"reverse-step", {.back = true, .step = Step::line}},
                                 Way{"reverse-next", {.back = true, .step = Step::over}},
                                 Way{"reverse-finish", {.back = true, .step = Step::out}}};
    const auto way = std::ranges::find(ways, words.front(), &Way::name);
    Move wanted = way->move;
    wanted.thread = thread_;
    const uint64_t times = words.size() > 1 ? plain_number(words[1]).value_or(1) : 1;
    std::string said;
    for (uint64_t k = 0; k < std::max<uint64_t>(times, 1) && !session_.is_over(); ++k) {
        said = move(wanted);
        const StopKind kind = session_.stop().kind;
        if (kind != StopKind::step && kind != StopKind::breakpoint)
            break;
    }
    return said;
}

// LINE, FILE:LINE, KERNEL, *INDEX; `if EXPRESSION` behind.
std::string Prompt::add_breakpoint(const Words& words, std::string_view rest) {
    BreakpointRequest request;
    request.once = words.front() == "tbreak";
    const size_t condition = rest.find(" if ");
    if (condition != std::string_view::npos)
        request.condition = rest.substr(condition + 4);
    std::string_view place = rest.substr(0, condition);
    const size_t colon = place.rfind(':');
    const auto line = plain_number(colon == std::string_view::npos ? place : place.substr(colon + 1));
    if (place.starts_with('*')) {
        const auto index = plain_number(place.substr(1));
        const machine::Thread* const thread = focus();
        if (!index || thread == nullptr)
            return "break *INDEX takes the number of an instruction, while a thread is stopped\n";
        request.kind = BreakpointRequest::Kind::instruction;
        request.instruction = static_cast<uint32_t>(*index);
        request.function = thread->program->function->name;
    } else if (line) {
        request.line = static_cast<uint32_t>(*line);
        request.file = colon == std::string_view::npos ? "" : place.substr(0, colon);
    } else {
        request.kind = BreakpointRequest::Kind::entry;
        request.function = place;
    }
    const auto id = session_.add_breakpoint(std::move(request));
    if (!id)
        return id.error() + "\n";
    const Breakpoint& made = session_.breakpoints().at(*id);
    return made.bound ? fmt::format("breakpoint {} at {}:{}\n", *id, made.where.file, made.where.line)
                      : fmt::format("breakpoint {}: there is no code there, so far\n", *id);
}

std::string Prompt::delete_breakpoint(const Words& words, std::string_view /*rest*/) {
    if (words.size() == 1) {
        session_.clear_breakpoints();
        session_.clear_watchpoints();
        return "no breakpoints any more\n";
    }
    const auto id = plain_number(words[1]);
    const bool watch = words[1].starts_with('w');
    const auto number = watch ? plain_number(words[1].substr(1)) : id;
    const bool was = number && (watch ? session_.remove_watchpoint(static_cast<uint32_t>(*number))
                                      : session_.remove_breakpoint(static_cast<uint32_t>(*number)));
    return was ? "" : fmt::format("there is no {}\n", words[1]);
}

// [slm] ADDRESS [BYTES]
std::string Prompt::watch(const Words& words, std::string_view /*rest*/) {
    const bool local = words.size() > 1 && words[1] == "slm";
    const size_t first = local ? 2 : 1;
    const auto address = words.size() > first ? number(words[first]) : std::nullopt;
    const auto bytes = words.size() > first + 1 ? number(words[first + 1]) : std::optional<uint64_t>(4);
    if (!address || !bytes || *bytes == 0)
        return "watch [slm] ADDRESS [BYTES]: an expression without spaces each\n";
    const uint32_t id = session_.add_watchpoint(local ? Memory::local : Memory::global, *address, *bytes);
    return fmt::format("watchpoint w{}: {} bytes at {:#x}\n", id, *bytes, *address);
}

std::string Prompt::last_write(const Words& words, std::string_view /*rest*/) {
    const bool local = words.size() > 1 && words[1] == "slm";
    const size_t first = local ? 2 : 1;
    const auto address = words.size() > first ? number(words[first]) : std::nullopt;
    const auto bytes = words.size() > first + 1 ? number(words[first + 1]) : std::optional<uint64_t>(1);
    if (!address || !bytes || *bytes == 0)
        return "last-write [slm] ADDRESS [BYTES]: an expression without spaces each\n";
    return move({.back = true,
                 .thread = thread_,
                 .to_write = true,
                 .local = local,
                 .address = *address,
                 .bytes = *bytes});
}

std::string Prompt::go_to(const Words& words, std::string_view /*rest*/) {
    const auto clock = words.size() > 1 ? plain_number(words[1]) : std::nullopt;
    if (!clock || *clock == 0)
        return fmt::format("goto NUMBER: an instruction of the launch, from 1 on; this is {}\n",
                           session_.stop().clock);
    return move({.thread = thread_, .clock = *clock});
}

std::string Prompt::choose_thread(const Words& words, std::string_view /*rest*/) {
    const auto index = words.size() > 1 ? plain_number(words[1]) : std::optional<uint64_t>(thread_);
    if (!index || session_.thread(static_cast<uint32_t>(*index)) == nullptr)
        return fmt::format("the group has threads 0 to {}\n",
                           session_.threads().size() - (session_.threads().empty() ? 0 : 1));
    thread_ = static_cast<uint32_t>(*index);
    return fmt::format("thread {}, {}\n{}", thread_, status_text(focus()->status), shown_line(*focus()));
}

std::string Prompt::choose_lane(const Words& words, std::string_view /*rest*/) {
    const auto lane = words.size() > 1 ? plain_number(words[1]) : std::optional<uint64_t>(lane_);
    if (!lane || *lane > 31)
        return "a lane is 0 to 31\n";
    lane_ = static_cast<uint32_t>(*lane);
    const machine::Thread* const thread = focus();
    return fmt::format("lane {}{}\n", lane_,
                       thread != nullptr && (thread->execution_mask >> lane_ & 1U) == 0 ? ", which is off"
                                                                                        : "");
}

std::string Prompt::registers(const Words& names) {
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    std::vector<std::string> wanted(names.begin(), names.end());
    if (wanted.empty()) {
        for (const GeneralVariable& variable : thread->program->function->general)
            wanted.push_back(variable.name);
        for (const OtherVariable& variable : thread->program->function->predicates)
            wanted.push_back(variable.name);
    }
    std::string out;
    constexpr size_t most = 32;
    for (const std::string& name : wanted) {
        const trace::Register found = trace::register_of(*thread, name);
        if (!found.used || found.elements.empty()) {
            if (!names.empty())
                out += fmt::format("{} has no value\n", name);
            continue;
        }
        const size_t shown = std::min(found.elements.size(), most);
        out += fmt::format(
            "{} = {}{}\n", name,
            fmt::join(found.elements.begin(), found.elements.begin() + static_cast<ptrdiff_t>(shown), " "),
            shown < found.elements.size() ? " ..." : "");
    }
    return out;
}

std::string Prompt::arguments() const {
    std::string out;
    for (const Argument& one : session_.arguments())
        out += fmt::format("{}{}{} = {}\n", one.type, one.type.empty() ? "" : " ", printable(one.name),
                           one.value);
    return out.empty() ? "none\n" : out;
}

// Variables of the source, of the chosen lane.
std::string Prompt::locals() {
    machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    const auto all = session_.source_variables(*thread, 0, lane_);
    if (!all)
        return all.error() + "\n";
    std::string out;
    for (const SourceVariable& one : *all)
        out += fmt::format("{} {}\n", printable(one.type), printable(one.text()));
    return out.empty() ? "none\n" : out;
}

std::string Prompt::info(const Words& words, std::string_view /*rest*/) {
    const std::string_view what = words.size() > 1 ? words[1] : "";
    std::string out;
    if (what == "breakpoints") {
        for (const auto& [id, one] : session_.breakpoints())
            out += fmt::format("{}: {}{}{}, {} hits\n", id,
                               one.bound ? fmt::format("{}:{}", one.where.file, one.where.line)
                                         : "nowhere so far",
                               one.request.condition.empty() ? "" : " if ", one.request.condition, one.hits);
        for (const Watchpoint& one : session_.watchpoints())
            out += fmt::format("w{}: {} bytes at {:#x}\n", one.id, one.bytes, one.address);
        return out.empty() ? "none\n" : out;
    }
    if (what == "threads") {
        for (const machine::Thread& thread : session_.threads()) {
            const Code* const code = session_.code_of(*thread.program->function);
            out +=
                fmt::format("{} {}: {}, {} instructions, {}\n", thread.index == thread_ ? "*" : " ",
                            thread.index, status_text(thread.status), thread.instructions,
                            code == nullptr ? "" : printable(code->words(session_.instruction_of(thread))));
        }
        return out.empty() ? std::string(no_thread) : out;
    }
    if (what == "lanes") {
        const machine::Thread* const thread = focus();
        if (thread == nullptr)
            return std::string(no_thread);
        for (uint32_t lane = 0; lane < thread->launch->simd; ++lane)
            out += fmt::format("{}{}", (thread->execution_mask >> lane & 1U) != 0 ? "" : "-", lane) + " ";
        return out + "\n";
    }
    if (what == "registers")
        return registers({words.begin() + 2, words.end()});
    if (what == "locals")
        return locals();
    if (what == "arguments")
        return arguments();
    if (what == "history")
        return fmt::format("{} moments, {} bytes, one every {} instructions\n", session_.history().count(),
                           session_.history().bytes(), session_.history().interval());
    return "info breakpoints, threads, lanes, locals, registers [NAME ...], arguments or history\n";
}

std::string Prompt::print(const Words& /*words*/, std::string_view rest) {
    machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    const auto expression = Expression::parse(rest);
    const auto value =
        expression ? expression->evaluate({*thread, *thread, lane_}) : std::unexpected(expression.error());
    if (value)
        return text_of(*value) + "\n";
    if (const auto variable = session_.source_variable(*thread, 0, lane_, rest))
        return printable(variable->value ? *variable->value : variable->text()) + "\n";
    return value.error() + "\n";
}

// EXPRESSION = EXPRESSION
std::string Prompt::set(const Words& /*words*/, std::string_view rest) {
    machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    const size_t equals = rest.find('=');
    if (equals == std::string_view::npos)
        return "set V32[3] = 7, or set f32(ADDRESS) = 1.5\n";
    const auto to = Expression::parse(rest.substr(0, equals));
    const auto from = Expression::parse(rest.substr(equals + 1));
    if (!to || !from)
        return (to ? from.error() : to.error()) + "\n";
    const Scope scope{*thread, *thread, lane_};
    const auto value = from->evaluate(scope);
    if (!value)
        return value.error() + "\n";
    if (const auto done = to->assign(scope, *thread, *thread, *value); !done)
        return done.error() + "\n";
    session_.changed();
    return "";
}

// x TYPE ADDRESS [COUNT]
std::string Prompt::examine(const Words& words, std::string_view /*rest*/) {
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    const bool local = words.size() > 1 && words[1].starts_with("slm_");
    const auto type = words.size() > 2 ? type_named(local ? words[1].substr(4) : words[1]) : std::nullopt;
    const auto address = type ? number(words[2]) : std::nullopt;
    const auto count = words.size() > 3 ? number(words[3]) : std::optional<uint64_t>(8);
    constexpr uint64_t most = 4096;
    if (!address || !count || *count > most)
        return "x TYPE ADDRESS [COUNT]: x f32 0x1000 16, x slm_u32 64; at most 4096 numbers\n";
    const auto bytes =
        memory_at(*thread, local ? Memory::local : Memory::global, *address, *count * isa::size_of(*type));
    if (!bytes)
        return bytes.error() + "\n";
    std::vector<std::string> numbers;
    for (uint64_t k = 0; k < *count; ++k)
        numbers.push_back(text_of(read_number(bytes->data() + k * isa::size_of(*type), *type)));
    return fmt::format("{}\n", fmt::join(numbers, " "));
}

std::string Prompt::list(const Words& words, std::string_view /*rest*/) {
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    const Code* const code = session_.code_of(*thread->program->function);
    if (code == nullptr)
        return "";
    Line line = code->line(session_.instruction_of(*thread));
    const uint32_t at = line.line;
    if (words.size() > 1)
        line.line = static_cast<uint32_t>(plain_number(words[1]).value_or(line.line));
    if (!line.known())
        return "code of the compiler's own\n";
    std::string out;
    for (uint32_t number = std::max(line.line, 6U) - 5; number <= line.line + 5; ++number)
        if (const std::string text = line_text({line.file, number}); !text.empty() || number <= line.line)
            out += fmt::format("{}{:>5}  {}\n", number == at ? ">" : " ", number, printable(text));
    return out;
}

std::string Prompt::disassemble(const Words& /*words*/, std::string_view /*rest*/) {
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    const Code* const code = session_.code_of(*thread->program->function);
    if (code == nullptr)
        return "";
    constexpr uint32_t around = 6;
    const uint32_t at = session_.instruction_of(*thread);
    std::string out;
    for (uint32_t k = at > around ? at - around : 0; k < code->function().code.size() && k <= at + around;
         ++k)
        out += fmt::format("{} *{:<5} {}\n", k == at ? ">" : " ", k, printable(code->words(k)));
    return out;
}

std::string Prompt::where(const Words& /*words*/, std::string_view /*rest*/) {
    constexpr size_t most_shown = 100;
    machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(no_thread);
    std::string out = shown_line(*thread);
    const auto stack = stack_of(session_, *thread, most_shown);
    for (size_t k = 1; k < stack.size(); ++k) {
        const Code* const code = session_.code_of(*stack[k].frame->program->function);
        const Line line = code == nullptr ? Line{} : code->line(stack[k].instruction);
        out += fmt::format("{} called by {} at {}:{}\n", printable(stack[k - 1].name),
                           printable(stack[k].name), line.file, line.line);
    }
    return out;
}

std::string Prompt::quit(const Words& /*words*/, std::string_view /*rest*/) {
    ending_ = ClientEnd::killed;
    return "";
}

std::string Prompt::detach(const Words& /*words*/, std::string_view /*rest*/) {
    ending_ = ClientEnd::detached;
    return "";
}

std::span<const Prompt::Command> Prompt::commands() {
    static constexpr std::array all{
        Command{"continue", "c", &Prompt::go, "on to the next stop"},
        Command{"stepi", "si", &Prompt::go,
                "one instruction of this thread; a number behind: so often, also below"},
        Command{"step", "s", &Prompt::go, "one line, into calls"},
        Command{"next", "n", &Prompt::go, "one line, over calls"},
        Command{"finish", "fin", &Prompt::go, "out of the function"},
        Command{"reverse-continue", "rc", &Prompt::go, "back to the last stop"},
        Command{"reverse-stepi", "rsi", &Prompt::go, "back one instruction"},
        Command{"reverse-step", "rs", &Prompt::go, "back to the beginning of the line before"},
        Command{"reverse-next", "rn", &Prompt::go, "likewise, over calls"},
        Command{"reverse-finish", "rfin", &Prompt::go, "back to the call of the function"},
        Command{"break", "b", &Prompt::add_breakpoint,
                "LINE, FILE:LINE, KERNEL or *INSTRUCTION, and `if EXPRESSION`"},
        Command{"delete", "d", &Prompt::delete_breakpoint, "NUMBER or wNUMBER; nothing: all"},
        Command{"watch", "", &Prompt::watch, "[slm] ADDRESS [BYTES]: stop when it is written"},
        Command{"last-write", "lw", &Prompt::last_write,
                "[slm] ADDRESS [BYTES]: back to the instruction that wrote it last"},
        Command{"goto", "", &Prompt::go_to,
                "NUMBER: to an instruction of the launch, from 1 on, there or back"},
        Command{"thread", "t", &Prompt::choose_thread, "NUMBER: look at another thread of the group"},
        Command{"lane", "", &Prompt::choose_lane, "NUMBER: the lane of names without an index"},
        Command{"info", "i", &Prompt::info,
                "breakpoints, threads, lanes, registers [NAME ...], arguments, history"},
        Command{"print", "p", &Prompt::print,
                "EXPRESSION: V32[3], V32.f, P1, group.x, u32(ADDRESS), slm_f32(OFFSET)"},
        Command{"set", "", &Prompt::set, "V32[3] = EXPRESSION, or f32(ADDRESS) = EXPRESSION"},
        Command{"x", "", &Prompt::examine,
                "TYPE ADDRESS [COUNT]: numbers in memory, slm_TYPE in shared local memory"},
        Command{"list", "l", &Prompt::list, "[LINE]: the source"},
        Command{"disassemble", "dis", &Prompt::disassemble, "the vISA around"},
        Command{"where", "bt", &Prompt::where, "the calls"},
        Command{"help", "h", &Prompt::help, "this list"},
        Command{"detach", "", &Prompt::detach, "it goes on to its end without a debugger"},
        Command{"quit", "q", &Prompt::quit, "end it all"}};
    return all;
}

std::string Prompt::help(const Words& /*words*/, std::string_view /*rest*/) {
    std::string out;
    for (const Command& one : commands())
        out += fmt::format("{:<18}{:<6}{}\n", one.name, one.shorter, one.help);
    return out;
}

std::string Prompt::answer(std::string_view line) {
    Words words = words_of(line);
    std::string again;
    if (words.empty()) {
        again = last_;
        line = again;
        words = words_of(line);
        if (words.empty())
            return "";
    }
    last_ = line;
    const auto all = commands();
    const auto found = std::ranges::find_if(all, [&](const Command& one) {
        return one.name == words.front() || (!one.shorter.empty() && one.shorter == words.front());
    });
    if (found == all.end())
        return fmt::format("there is no command `{}`: `help` lists them\n", printable(words.front()));
    words.front() = found->name;
    return (this->*found->handler)(words, rest_of(line));
}

} // namespace visor::debug
