#include "debug/gdb/monitor.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::debug::gdb {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr uint32_t lanes = 32;

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    for (size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
        const size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = line.find_first_not_of(blanks, end);
    }
    return words;
}

// What follows the first word.
std::string_view rest_of(std::string_view line) {
    const size_t first = line.find_first_not_of(blanks);
    const size_t space = first == std::string_view::npos ? first : line.find_first_of(blanks, first);
    const size_t begin = space == std::string_view::npos ? space : line.find_first_not_of(blanks, space);
    return begin == std::string_view::npos ? "" : line.substr(begin);
}

} // namespace

std::span<const Monitor::Command> Monitor::commands() {
    static constexpr std::array all{
        Command{"group", &Monitor::group, "the work-group, the thread and its lanes"},
        Command{"lane", &Monitor::lane, "[N]: the lane of `monitor print`'s names without an index"},
        Command{"print", &Monitor::print,
                "EXPRESSION: V32[3], V32.f, P1, group.x, u32(ADDRESS), slm_f32(OFFSET)"},
        Command{"registers", &Monitor::variables, "[NAME...]: variables of vISA that have a value"},
        Command{"slm", &Monitor::local_memory, "OFFSET COUNT: bytes of shared local memory"},
        Command{"last-write", &Monitor::last_write,
                "ADDRESS [BYTES]: reverse-continue goes to the instruction that wrote it last"},
        Command{"disassemble", &Monitor::disassemble, "[COUNT]: the vISA around"},
        Command{"help", &Monitor::help, "this list"}};
    return all;
}

std::string Monitor::answer(std::string_view line, machine::Thread* thread) {
    thread_ = thread;
    const Words words = words_of(line);
    const std::string_view name = words.empty() ? "help" : words.front();
    const auto all = commands();
    const auto found = std::ranges::find(all, name, &Command::name);
    if (found == all.end())
        return "unknown command; `monitor help` lists them\n";
    if (thread_ == nullptr && found->handler != &Monitor::help)
        return "no thread is stopped here\n";
    return (this->*found->handler)(words, rest_of(line));
}

std::string Monitor::help(const Words& /*words*/, std::string_view /*rest*/) {
    std::string out;
    for (const Command& one : commands())
        out += fmt::format("monitor {:<12}{}\n", one.name, one.help);
    return out;
}

std::expected<Number, std::string> Monitor::value(std::string_view text) const {
    const auto expression = Expression::parse(text);
    if (!expression)
        return std::unexpected(expression.error());
    return expression->evaluate({*thread_, *thread_, registers_.lane()});
}

std::optional<uint64_t> Monitor::number(std::string_view text) const {
    const auto found = value(text);
    return found && !found->is_float ? std::optional(static_cast<uint64_t>(found->whole)) : std::nullopt;
}

std::string Monitor::lane(const Words& words, std::string_view /*rest*/) {
    const auto wanted = words.size() > 1 ? number(words[1]) : std::optional<uint64_t>(registers_.lane());
    if (!wanted || *wanted >= lanes)
        return "a lane is 0 to 31\n";
    registers_.set_lane(static_cast<uint32_t>(*wanted));
    const bool is_on = (thread_->execution_mask >> *wanted & 1U) != 0;
    return fmt::format("lane {}{}\n", *wanted, is_on ? "" : ", which is off");
}

std::string Monitor::group(const Words& /*words*/, std::string_view /*rest*/) {
    std::string on;
    for (uint32_t lane = 0; lane < thread_->launch->simd; ++lane)
        if ((thread_->execution_mask >> lane & 1U) != 0)
            on += fmt::format(" {}", lane);
    return fmt::format("launch {}, group ({}), thread {} of {}, instruction {} of the launch\n"
                       "SIMD{}, lanes on:{}\nshared local memory: {} bytes at {:#x}\n",
                       session_.stop().launch, fmt::join(thread_->group->id, ","), thread_->index,
                       thread_->launch->threads, session_.stop().clock, thread_->launch->simd,
                       on.empty() ? " none" : on, thread_->group->slm.size(), local_window);
}

std::string Monitor::variables(const Words& words, std::string_view /*rest*/) {
    constexpr size_t most = 32; // elements
    const Function& function = *thread_->program->function;
    std::vector<std::string> names;
    for (const std::string_view word : std::span(words).subspan(std::min<size_t>(1, words.size())))
        names.emplace_back(word);
    if (names.empty()) {
        for (const GeneralVariable& variable : function.general)
            names.push_back(variable.name);
        for (const OtherVariable& variable : function.predicates)
            names.push_back(variable.name);
    }
    std::string out;
    for (const std::string& name : names) {
        const trace::Register found = trace::register_of(*thread_, name);
        if (!found.used || found.elements.empty())
            continue;
        const auto shown = static_cast<ptrdiff_t>(std::min(found.elements.size(), most));
        out += fmt::format("{} = {}{}\n", name,
                           fmt::join(found.elements.begin(), found.elements.begin() + shown, " "),
                           found.elements.size() > most ? " ..." : "");
    }
    return out.empty() ? "nothing of this name has a value\n" : out;
}

std::string Monitor::local_memory(const Words& words, std::string_view /*rest*/) {
    constexpr uint64_t most = 4096;
    constexpr size_t columns = 16;
    const auto offset = words.size() > 1 ? number(words[1]) : std::nullopt;
    const auto count = words.size() > 2 ? number(words[2]) : std::optional<uint64_t>(64);
    if (!offset || !count || *count > most)
        return "monitor slm OFFSET COUNT; at most 4096 bytes\n";
    const auto bytes = memory_at(*thread_, Memory::local, *offset, *count);
    if (!bytes)
        return bytes.error() + "\n";
    std::string out;
    for (size_t k = 0; k < bytes->size(); k += columns) {
        out += fmt::format("{:#06x}:", *offset + k);
        for (const std::byte one : bytes->subspan(k, std::min(columns, bytes->size() - k)))
            out += fmt::format(" {:02x}", static_cast<unsigned>(one));
        out += '\n';
    }
    return out;
}

std::string Monitor::last_write(const Words& words, std::string_view /*rest*/) {
    const auto address = words.size() > 1 ? number(words[1]) : std::nullopt;
    const auto bytes = words.size() > 2 ? number(words[2]) : std::optional<uint64_t>(1);
    if (!address || !bytes || *bytes == 0)
        return "monitor last-write ADDRESS [BYTES]: an expression without spaces each\n";
    const bool local = *address >= local_window && *address < local_window_end;
    last_write_ = {.move = {.back = true,
                            .thread = thread_->index,
                            .to_write = true,
                            .local = local,
                            .address = local ? *address - local_window : *address,
                            .bytes = *bytes},
                   .clock = session_.stop().clock};
    return fmt::format("`reverse-continue` goes to the last write of {} bytes at {:#x}\n", *bytes, *address);
}

std::string Monitor::print(const Words& /*words*/, std::string_view rest) {
    const auto found = value(rest);
    return (found ? text_of(*found) : found.error()) + "\n";
}

std::string Monitor::disassemble(const Words& words, std::string_view /*rest*/) {
    constexpr uint64_t most = 1000;
    const auto wanted = words.size() > 1 ? number(words[1]) : std::optional<uint64_t>(6);
    const Function& function = *thread_->program->function;
    const uint64_t address = addresses_.program_counter(session_, *thread_);
    const auto place = addresses_.at(address);
    if (!wanted || !place)
        return "monitor disassemble [COUNT]: so many instructions before and behind\n";
    const uint64_t around = std::min(*wanted, most);
    const auto& instructions = place->code->instructions;
    const uint64_t at = (address - place->code->begin) / instruction_bytes;
    std::string out = fmt::format("{}:\n", function.name);
    for (uint64_t k = at - std::min(at, around); k < instructions.size() && k <= at + around; ++k)
        out += fmt::format("{} {:#x} *{:<5} {}\n", k == at ? "=>" : "  ",
                           place->code->begin + k * instruction_bytes, instructions[k],
                           place->code->code->words(instructions[k]));
    return out;
}

} // namespace visor::debug::gdb
