#include "trace/tracer.h"

#include "machine/element.h"
#include "machine/fault.h"
#include "machine/thread.h"
#include "module/extent.h"
#include "module/source_line.h"
#include "text/text.h"
#include "trace/value.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <iterator>

namespace visor::trace {

namespace {

constexpr size_t block_bytes = size_t{1} << 16U;

std::string_view space_word(machine::Space space) {
    switch (space) {
    case machine::Space::flat:
        return "flat";
    case machine::Space::surface:
        return "surface";
    case machine::Space::slm:
        return "slm";
    case machine::Space::scratch:
        return "scratch";
    }
    return "";
}

std::string_view undefined_word(machine::UndefinedKind kind) {
    switch (kind) {
    case machine::UndefinedKind::misaligned:
        return "misaligned";
    case machine::UndefinedKind::write_conflict:
        return "write_conflict";
    case machine::UndefinedKind::register_bounds:
        return "register_bounds";
    case machine::UndefinedKind::early_exit:
        return "early_exit";
    case machine::UndefinedKind::unset_surface:
        return "unset_surface";
    }
    return "";
}

// "[0,1,5]"
std::string channels(uint32_t mask) {
    std::string out = "[";
    for (; mask != 0; mask &= mask - 1)
        fmt::format_to(std::back_inserter(out), "{}{}", out.size() > 1 ? "," : "", std::countr_zero(mask));
    return out + ']';
}

template <class Make>
void each_channel(std::string& out, uint32_t mask, Make make) {
    out += '[';
    for (bool first = true; mask != 0; mask &= mask - 1, first = false) {
        if (!first)
            out += ',';
        out += make(static_cast<uint32_t>(std::countr_zero(mask)));
    }
    out += ']';
}

} // namespace

namespace {

// Each instruction's location and text. A function's begins with its name; a kernel's name is written once.
std::vector<std::string> spelled(const Tracer::Source& source) {
    const Function& function = *source.function;
    const std::string name = function.kind == FunctionKind::kernel
                                 ? ""
                                 : fmt::format("\"function\":{},", json_string(function.name));
    std::vector<std::string> out;
    const std::vector<SourceLine> lines = source_lines(function);
    uint64_t line = 1;
    uint32_t counted = 0; // bytes whose newlines are in `line`; locations ascend but for damaged ones
    const std::string_view text = source.text;
    for (size_t i = 0; i < function.code.size(); ++i) {
        const auto at = static_cast<uint32_t>(std::clamp<size_t>(function.code[i].where.offset, counted,
                                                                 std::max<size_t>(counted, text.size())));
        line += static_cast<uint64_t>(std::ranges::count(text.substr(counted, at - counted), '\n'));
        counted = at;
        const std::string from = i < lines.size() && lines[i].known()
                                     ? fmt::format("\"source\":{},", json_string(text_of(lines[i])))
                                     : "";
        out.push_back(fmt::format("{}\"index\":{},\"line\":{},{}\"instruction\":{}", name, i, line, from,
                                  json_string(text::print(function, function.code[i]))));
    }
    return out;
}

} // namespace

void Tracer::begin_launch(uint64_t number, std::span<const Source> sources) {
    launch_ = number;
    kernel_ = json_string(sources.empty() ? "" : sources.front().function->name);
    spelled_.clear();
    for (const Source& source : sources)
        spelled_.emplace(source.function, spelled(source));
}

void Tracer::flush() {
    finish({});
    if (!out_.empty())
        sink_(out_);
    out_.clear();
}

void Tracer::instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                         uint32_t lanes) {
    finish({});
    if (choice_.group && !is_chosen(*choice_.group, thread))
        return;
    // NoMask and a single element: uniform over the channels.
    const bool shared = instruction.execution.no_mask && instruction.execution.size == 1;
    const uint32_t lanes_traced =
        lanes << instruction.execution.offset & (shared ? UINT32_MAX : choice_.lanes);
    pending_ = {&thread, thread.program, &instruction, lanes_traced, {}, {}};
}

void Tracer::memory(const machine::MemoryEvent& event) {
    if (pending_.thread == nullptr)
        return;
    const PreparedInstruction& instruction = *pending_.instruction;
    // A block message has one address, which belongs to no channel; neither does that of a single element.
    const bool block = event.addresses.size() == 1;
    const unsigned shift = block ? 0 : instruction.execution.offset;
    const uint32_t asked = event.lanes << shift & (block ? UINT32_MAX : choice_.lanes);
    if (asked == 0)
        return;
    std::string& out = pending_.accesses;
    if (!out.empty())
        out += ',';
    fmt::format_to(std::back_inserter(out), R"({{"kind":"{}","space":"{}")", machine::access_name(event.kind),
                   space_word(event.space));
    if (event.space == machine::Space::surface)
        fmt::format_to(std::back_inserter(out), R"(,"surface":{})", event.surface);
    fmt::format_to(std::back_inserter(out), R"(,"bytes":{})", event.bytes);
    if (!block)
        fmt::format_to(std::back_inserter(out), R"(,"lanes":{})", channels(asked));
    out += ",\"addresses\":";
    each_channel(out, asked,
                 [&](uint32_t lane) { return fmt::format("\"0x{:x}\"", event.addresses[lane - shift]); });
    if (event.space == machine::Space::flat) {
        const auto first = static_cast<uint32_t>(std::countr_zero(asked)) - shift;
        const machine::Allocation* in = pending_.thread->launch->memory->find(event.addresses[first], 1);
        if (in != nullptr)
            fmt::format_to(std::back_inserter(out), R"(,"in":{},"offset":{})", json_string(in->label),
                           event.addresses[first] - in->address);
    }
    if ((event.dropped << shift & asked) != 0)
        fmt::format_to(std::back_inserter(out), R"(,"dropped":{})", channels(event.dropped << shift & asked));
    out += '}';
}

void Tracer::undefined(const machine::UndefinedEvent& event) {
    if (pending_.thread == nullptr || &event.thread != pending_.thread)
        return;
    fmt::format_to(std::back_inserter(pending_.undefined), "{}\"{}\"", pending_.undefined.empty() ? "" : ",",
                   undefined_word(event.kind));
}

void Tracer::thread_ended(const machine::Thread& thread) {
    if (pending_.thread == &thread)
        finish(thread.status == machine::Status::faulted ? name_of(thread.fault.kind) : "");
}

// Reads results from the registers: only the thread's next instruction can change them.
void Tracer::finish(std::string_view fault) {
    if (pending_.thread == nullptr)
        return;
    const machine::Thread& thread = *pending_.thread;
    const PreparedInstruction& instruction = *pending_.instruction;
    const std::array<uint32_t, 3>& group = thread.group->id;
    fmt::format_to(
        std::back_inserter(out_),
        R"({{"launch":{},"kernel":{},"group":[{},{},{}],"thread":{},{},"mask":"0x{:x}","lanes":{})", launch_,
        kernel_, group[0], group[1], group[2], thread.index, spelled_at(instruction), pending_.lanes,
        channels(pending_.lanes));
    if (fault.empty())
        add_writes();
    if (!pending_.accesses.empty())
        fmt::format_to(std::back_inserter(out_), ",\"memory\":[{}]", pending_.accesses);
    if (!pending_.undefined.empty())
        fmt::format_to(std::back_inserter(out_), ",\"undefined\":[{}]", pending_.undefined);
    if (!fault.empty())
        fmt::format_to(std::back_inserter(out_), ",\"fault\":\"{}\"", fault);
    out_ += "}\n";
    pending_.thread = nullptr;
    if (out_.size() >= block_bytes)
        flush();
}

std::string_view Tracer::spelled_at(const PreparedInstruction& instruction) const {
    const auto found = spelled_.find(pending_.program->function.get());
    return found == spelled_.end() ? std::string_view("\"index\":0")
                                   : std::string_view(found->second[instruction.source]);
}

void Tracer::add_writes() {
    const PreparedInstruction& instruction = *pending_.instruction;
    const Program& program = *pending_.program;
    const Instruction& source = program.source_of(instruction);
    const auto operands = program.operands_of(instruction);
    std::string writes;
    const auto add = [&](const std::string& write) {
        writes += (writes.empty() || write.empty() ? "" : ",") + write;
    };
    for (size_t i = 0; i < operands.size(); ++i) {
        const isa::FieldKind kind = isa::field_of_operand(*instruction.row, i).kind;
        if (kind == isa::FieldKind::vector_dst)
            add(written(operands[i], source.operands[i]));
        else if (kind == isa::FieldKind::raw_dst)
            add(written_by_message(operands[i], i));
    }
    if (isa::has(*instruction.row, isa::writes_predicate)) {
        const uint32_t id = instruction.predicate.id;
        add(written({.kind = OperandKind::predicate, .base = id},
                    {.kind = OperandKind::predicate, .id = id}));
    }
    if (!writes.empty())
        fmt::format_to(std::back_inserter(out_), ",\"writes\":[{}]", writes);
}

std::string Tracer::written(const PreparedOperand& operand, const Operand& source) const {
    if (operand.null || pending_.lanes == 0)
        return {};
    std::string_view type = "ud";
    switch (operand.kind) {
    case OperandKind::general:
    case OperandKind::indirect:
        type = isa::facts(operand.type).name;
        break;
    case OperandKind::predicate:
        type = "bool";
        break;
    case OperandKind::address:
    case OperandKind::state_surface:
    case OperandKind::state_sampler:
        break;
    default:
        return {};
    }
    std::string out = fmt::format(R"({{{},"type":"{}","values":)", place(operand, source), type);
    const unsigned offset = pending_.instruction->execution.offset;
    each_channel(out, pending_.lanes,
                 [&](uint32_t channel) { return lane_value(operand, channel - offset); });
    return out + '}';
}

// "to" and, in bytes for general variables and in elements for others, "offset".
std::string Tracer::place(const PreparedOperand& operand, const Operand& source) const {
    const Program& program = *pending_.program;
    const Function& function = *program.function;
    const auto spelled = [](const std::string& name, uint64_t offset) {
        return fmt::format(R"("to":{},"offset":{})", json_string(name), offset);
    };
    const auto other = [&](const std::vector<OtherVariable>& list, uint32_t index) {
        return spelled(index < list.size() ? list[index].name : "", source.column);
    };
    switch (source.kind) {
    case OperandKind::general:
        return spelled(general_name(function, source.id),
                       uint64_t{source.row} * program.device->grf_bytes +
                           uint64_t{source.column} * isa::size_of(operand.type));
    case OperandKind::raw:
        return spelled(general_name(function, source.id), static_cast<uint32_t>(source.offset));
    case OperandKind::indirect:
        return fmt::format(R"("to":"r[{}({}),{}]")",
                           source.id < function.addresses.size() ? function.addresses[source.id].name : "",
                           source.column, source.offset);
    case OperandKind::predicate:
        return other(function.predicates, source.id - isa::first_user_predicate);
    case OperandKind::address:
        return other(function.addresses, source.id);
    case OperandKind::state_sampler:
        return other(function.samplers, source.id);
    default:
        return spelled(surface_name(function, source.id), source.column);
    }
}

std::string Tracer::lane_value(const PreparedOperand& operand, uint32_t lane) const {
    const machine::Thread& thread = *pending_.thread;
    const auto element = [&](const std::vector<uint32_t>& file) {
        const size_t at = size_t{operand.base} + lane;
        return at < file.size() ? fmt::format("{}", file[at]) : std::string("null");
    };
    switch (operand.kind) {
    case OperandKind::predicate: {
        const unsigned channel = pending_.instruction->execution.offset + lane;
        return (thread.predicates[operand.base] >> channel & 1U) != 0 ? "1" : "0";
    }
    case OperandKind::address:
        return element(thread.addresses);
    case OperandKind::state_surface:
        return element(thread.surfaces);
    case OperandKind::state_sampler:
        return element(thread.samplers);
    default:
        break;
    }
    const int64_t place = machine::element_offset(thread, operand, lane);
    const int64_t size = isa::size_of(operand.type);
    if (place < 0 || place + size > int64_t{thread.program->register_bytes})
        return "null";
    return json_number(thread.registers + place, operand.type);
}

// A message's destination: by channel where each has one element of 1, 2, 4 or 8 bytes, else all elements in
// the order of the registers.
std::string Tracer::written_by_message(const PreparedOperand& operand, size_t index) const {
    const machine::Thread& thread = *pending_.thread;
    const Program& program = *thread.program;
    const Instruction& source = program.source_of(*pending_.instruction);
    const uint32_t bytes = extent(source, index, program.device->grf_bytes);
    const uint32_t room = operand.limit > operand.base ? operand.limit - operand.base : 0;
    const isa::Type own = general_type(*program.function, source.operands[index].id);
    if (operand.null || bytes == 0 || bytes > room || isa::size_of(own) == 0)
        return {};
    const uint32_t lanes = std::max<uint32_t>(source.execution.size, 1);
    const uint32_t each = bytes % lanes == 0 && lanes > 1 ? bytes / lanes : 0;
    const bool by_lane = each == 1 || each == 2 || each == 4 || each == 8;
    if (by_lane && pending_.lanes == 0)
        return {};
    const isa::Type plain = each == 1   ? isa::Type::ub
                            : each == 2 ? isa::Type::uw
                            : each == 4 ? isa::Type::ud
                                        : isa::Type::uq;
    const isa::Type type = by_lane && isa::size_of(own) != each ? plain : own;
    const uint32_t size = isa::size_of(type);
    const std::byte* const begin = thread.registers + operand.base;
    const unsigned offset = pending_.instruction->execution.offset;
    std::string out =
        fmt::format(R"({{{},"type":"{}",)", place(operand, source.operands[index]), isa::facts(type).name);
    if (by_lane) {
        out += "\"values\":";
        each_channel(out, pending_.lanes, [&](uint32_t channel) {
            return json_number(begin + size_t{channel - offset} * size, type);
        });
    } else {
        out += "\"elements\":[";
        for (uint32_t at = 0; at + size <= bytes; at += size)
            out += (at == 0 ? "" : ",") + json_number(begin + at, type);
        out += ']';
    }
    return out + '}';
}

} // namespace visor::trace
