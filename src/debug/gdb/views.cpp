// Threads, registers, memory, and what describes them.
#include "debug/gdb/handler.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::debug::gdb {

namespace {

constexpr std::string_view bad_packet = "E01";
constexpr std::string_view refused = "E02";
constexpr std::string_view no_memory = "E0e";
constexpr uint64_t most_memory_bytes = most_packet_bytes / 2 - 64;

// All memory can be read and written as far as gdb is concerned; what is not there answers with an error.
constexpr std::string_view memory_map =
    "<?xml version=\"1.0\"?>\n<memory-map>\n<memory type=\"ram\" start=\"0x0\" "
    "length=\"0xffffffffffffffff\"/>\n</memory-map>\n";

std::string thread_name(const machine::Thread& thread) {
    return fmt::format("({}) thread {}", fmt::join(thread.group->id, ","), thread.index);
}

} // namespace

// ---- threads

machine::Thread* Handler::focus() const {
    if (stop_.kind == StopKind::over)
        return nullptr;
    machine::Thread* const thread = session_.thread(thread_);
    return thread == nullptr || thread->program == nullptr ? nullptr : thread;
}

std::optional<uint32_t> Handler::thread_in(Fields& fields) const {
    if (fields.take("-1"))
        return stop_.thread;
    const auto number = fields.number();
    if (!number || *number > session_.threads().size())
        return std::nullopt;
    return *number == 0 ? stop_.thread : static_cast<uint32_t>(*number - 1);
}

Handler::Answer Handler::choose_thread(Fields fields) {
    const bool is_move = fields.take("c");
    if (!is_move && !fields.take("g"))
        return "";
    const auto thread = thread_in(fields);
    if (!thread)
        return std::string(bad_packet);
    (is_move ? moving_ : thread_) = *thread;
    return "OK";
}

Handler::Answer Handler::is_alive(Fields fields) {
    return thread_in(fields) ? "OK" : std::string(bad_packet);
}

Handler::Answer Handler::current_thread(Fields fields) {
    if (!fields.is_empty())
        return ""; // qCRC and others
    return fmt::format("QC{:x}", thread_ + 1);
}

Handler::Answer Handler::first_threads(Fields /*fields*/) {
    std::string out = "m";
    for (const machine::Thread& thread : session_.threads())
        out += fmt::format("{}{:x}", out.size() > 1 ? "," : "", thread.index + 1);
    return out.size() > 1 ? out : "m1";
}

Handler::Answer Handler::more_threads(Fields /*fields*/) {
    return "l";
}

Handler::Answer Handler::thread_text(Fields fields) {
    const auto thread = thread_in(fields);
    const machine::Thread* const found = thread ? session_.thread(*thread) : nullptr;
    return found == nullptr ? std::string(bad_packet) : to_hex(thread_name(*found));
}

Handler::Answer Handler::attached(Fields /*fields*/) {
    return "1"; // gdb leaves it alone when it quits
}

std::string Handler::thread_list() const {
    std::string out = "<?xml version=\"1.0\"?>\n<threads>\n";
    for (const machine::Thread& thread : session_.threads())
        out += fmt::format("<thread id=\"{:x}\" core=\"0\" name=\"{}\"/>\n", thread.index + 1,
                           thread_name(thread));
    return out + "</threads>\n";
}

// ---- descriptions

// OBJECT:read:ANNEX:OFFSET,LENGTH
Handler::Answer Handler::transfer(Fields fields) {
    const std::string_view object = fields.until(':');
    if (fields.until(':') != "read")
        return "";
    const std::string_view annex = fields.until(':');
    const auto offset = fields.number();
    const bool has_length = fields.take(",");
    const auto length = fields.number();
    if (!offset || !has_length || !length)
        return std::string(bad_packet);
    std::string text;
    if (object == "features" && annex == "target.xml")
        text = description_;
    else if (object == "threads")
        text = thread_list();
    else if (object == "exec-file")
        text = program_path;
    else if (object == "memory-map")
        text = memory_map;
    else
        return object == "features" ? "E00" : "";
    const uint64_t begin = std::min<uint64_t>(*offset, text.size());
    const std::string part = text.substr(begin, std::min(*length, most_memory_bytes));
    const bool is_last = begin + part.size() == text.size();
    return (is_last ? "l" : "m") + escaped(std::as_bytes(std::span(part)));
}

Handler::Answer Handler::command(Fields fields) {
    const auto line = from_hex(fields.rest());
    if (!line)
        return std::string(bad_packet);
    say(monitor_.answer(*line, focus()));
    return "OK";
}

Handler::Answer Handler::file(Fields fields) {
    return files_.answer(fields.rest());
}

// ---- registers

// Only the first ones: gdb asks for the others one by one, when it wants them.
Handler::Answer Handler::read_registers(Fields /*fields*/) {
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(refused);
    std::string out;
    for (uint32_t number = 0; number < Registers::core_count() && number < registers_.count(); ++number)
        out += registers_.read(number, *thread);
    return out;
}

// None of them can be changed.
Handler::Answer Handler::write_registers(Fields fields) {
    return read_registers(Fields("")) == fields.rest() ? "OK" : std::string(refused);
}

Handler::Answer Handler::read_register(Fields fields) {
    const auto number = fields.number();
    const machine::Thread* const thread = focus();
    if (!number || *number >= registers_.count() || thread == nullptr)
        return std::string(bad_packet);
    return registers_.read(*number, *thread);
}

Handler::Answer Handler::write_register(Fields fields) {
    const auto number = fields.number();
    const bool has_value = fields.take("=");
    const auto bytes = from_hex(fields.rest());
    machine::Thread* const thread = focus();
    if (!number || *number >= registers_.count() || !has_value || !bytes || thread == nullptr)
        return std::string(bad_packet);
    if (!registers_.write(*number, *thread, *bytes))
        return std::string(refused);
    session_.changed();
    return "OK";
}

// ---- memory

std::vector<std::byte> Handler::bytes_at(uint64_t address, uint64_t count) const {
    std::vector<std::byte> out;
    const auto copied = [](std::span<const std::byte> from) {
        return std::vector<std::byte>(from.begin(), from.end());
    };
    if (address >= code_window && address < code_window_end) {
        for (uint64_t k = 0; k < count && address + k < code_window_end; ++k) {
            const uint64_t at = (address + k) / instruction_bytes * instruction_bytes;
            const auto place = addresses_.at(at);
            out.push_back(nop_of(place ? place->instruction : 0)[address + k - at]);
        }
        return out;
    }
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return out;
    if (address >= stack_window && address < local_window) {
        for (uint64_t k = 0; k < count && address + k < local_window; ++k) {
            const uint64_t at = (address + k) / 8 * 8;
            const uint64_t word = addresses_.stack_word(session_, at);
            out.push_back(static_cast<std::byte>(word >> (8 * (address + k - at))));
        }
        return out;
    }
    if (address >= local_window && address < local_window_end) {
        const uint64_t offset = address - local_window;
        const uint64_t size = thread->group->slm.size();
        return offset < size ? copied(thread->group->slm.subspan(offset, std::min(count, size - offset)))
                             : out;
    }
    const machine::Allocation* const found = count == 0 ? nullptr : thread->launch->memory->find(address, 1);
    if (found == nullptr)
        return out;
    const uint64_t left = found->address + found->bytes - address;
    const auto bytes = memory_at(*thread, Memory::global, address, std::min(count, left));
    return bytes ? copied(*bytes) : out;
}

// ADDRESS,COUNT. Error: the answer.
std::expected<std::vector<std::byte>, std::string> Handler::memory_in(Fields& fields) const {
    const auto address = fields.number();
    const bool has_count = fields.take(",");
    const auto count = fields.number();
    if (!address || !has_count || !count)
        return std::unexpected(std::string(bad_packet));
    auto bytes = bytes_at(*address, std::min(*count, most_memory_bytes));
    if (bytes.empty() && *count != 0)
        return std::unexpected(std::string(no_memory));
    return bytes;
}

Handler::Answer Handler::read_memory(Fields fields) {
    const auto bytes = memory_in(fields);
    return bytes ? to_hex(*bytes) : bytes.error();
}

Handler::Answer Handler::read_memory_binary(Fields fields) {
    const auto bytes = memory_in(fields);
    return bytes ? "b" + escaped(*bytes) : bytes.error();
}

Handler::Answer Handler::store(uint64_t address, uint64_t count, const std::optional<std::string>& bytes) {
    if (!bytes || bytes->size() != count)
        return std::string(bad_packet);
    if (count == 0)
        return "OK"; // gdb tries whether the packet is understood
    const machine::Thread* const thread = focus();
    if (thread == nullptr)
        return std::string(refused);
    const bool local = address >= local_window && address < local_window_end;
    const auto to = memory_at(*thread, local ? Memory::local : Memory::global,
                              local ? address - local_window : address, count);
    if (!to)
        return std::string(no_memory);
    std::ranges::copy(std::as_bytes(std::span(*bytes)), to->begin());
    session_.changed();
    return "OK";
}

// ADDRESS,COUNT:DATA
Handler::Answer Handler::write_memory(Fields fields) {
    const auto address = fields.number();
    const bool has_count = fields.take(",");
    const auto count = fields.number();
    if (!address || !has_count || !count || !fields.take(":"))
        return std::string(bad_packet);
    return store(*address, *count, from_hex(fields.rest()));
}

Handler::Answer Handler::write_memory_binary(Fields fields) {
    const auto address = fields.number();
    const bool has_count = fields.take(",");
    const auto count = fields.number();
    if (!address || !has_count || !count || !fields.take(":"))
        return std::string(bad_packet);
    return store(*address, *count, unescaped(fields.rest()));
}

} // namespace visor::debug::gdb
