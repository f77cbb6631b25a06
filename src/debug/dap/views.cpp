// What a client looks at while the run is stopped.
#include "debug/dap/base64.h"
#include "debug/dap/handler.h"
#include "debug/dap/places.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace visor::debug::dap {

namespace {

using nlohmann::json;

constexpr uint64_t levels = 10'000; // of a thread's frames: a frame's id is thread * levels + level + 1

uint64_t count_at(const json& object, const char* key, uint64_t otherwise = 0) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : otherwise;
}
int64_t whole_at(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}
std::string text_at(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string place_text(uint64_t code, uint64_t instruction) {
    return fmt::format("{:#x}", code << 32U | instruction);
}

std::optional<uint64_t> hexadecimal(std::string_view text) {
    const bool prefixed = text.starts_with("0x");
    if (prefixed)
        text.remove_prefix(2);
    uint64_t number = 0;
    const auto [end, problem] =
        std::from_chars(text.data(), text.data() + text.size(), number, prefixed ? 16 : 10);
    return problem == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Variables of the source, of one lane; one without a value says why.
json locals_of(const Session& session, machine::Thread& thread, uint32_t level, uint32_t lane) {
    json list = json::array();
    const auto all = session.source_variables(thread, level, lane);
    if (!all)
        list.push_back({{"name", "none"}, {"value", all.error()}, {"variablesReference", 0}});
    for (const SourceVariable& one : all ? *all : std::vector<SourceVariable>{})
        list.push_back({{"name", one.name},
                        {"value", one.value ? *one.value : one.value.error()},
                        {"type", one.type},
                        {"evaluateName", one.name},
                        {"variablesReference", 0}});
    return list;
}

// The first elements of a register, as one text.
std::string summary_of(const trace::Register& found) {
    constexpr size_t most = 8;
    const size_t shown = std::min(found.elements.size(), most);
    return fmt::format(
        "{}{}",
        fmt::join(found.elements.begin(), found.elements.begin() + static_cast<ptrdiff_t>(shown), " "),
        shown < found.elements.size() ? " ..." : "");
}

template <class Variables>
std::vector<std::string> names_of(const Variables& variables) {
    std::vector<std::string> names;
    for (const auto& variable : variables)
        names.push_back(variable.name);
    return names;
}

json ids_of(const machine::Thread& thread, const machine::Frame& frame) {
    json list = json::array();
    const auto fact = [&](const char* name, const std::string& value) {
        list.push_back({{"name", name}, {"value", value}, {"variablesReference", 0}});
    };
    fact("group", fmt::format("{}", fmt::join(thread.group->id, ",")));
    fact("hardware thread", fmt::format("{} of {}", thread.index, thread.launch->threads));
    fact("lanes on", fmt::format("{:#x} of SIMD{}", frame.execution_mask, thread.launch->simd));
    fact("instructions", fmt::format("{}", thread.instructions));
    return list;
}

json lanes_of(const machine::Thread& thread, const machine::Frame& frame, const std::string& name) {
    json list = json::array();
    const trace::Register found = trace::register_of(frame, name);
    for (size_t k = 0; k < found.elements.size(); ++k) {
        const bool off = k < thread.launch->simd && (frame.execution_mask >> k & 1U) == 0;
        json one{{"name", fmt::format("[{}]", k)},
                 {"value", found.elements[k]},
                 {"type", off ? "lane off" : ""},
                 {"evaluateName", fmt::format("{}[{}]", name, k)},
                 {"variablesReference", 0}};
        if (off)
            one["presentationHint"] = {{"visibility", "internal"}}; // paler in VS Code
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace

int Handler::reference(Shown shown) {
    shown_.push_back(std::move(shown));
    return static_cast<int>(shown_.size());
}

std::expected<std::pair<machine::Thread*, machine::Frame*>, std::string>
Handler::at(const Frame& frame) const {
    machine::Thread* const thread = session_.thread(frame.thread);
    if (thread == nullptr || !started_ || running_)
        return std::unexpected("no thread is stopped");
    const auto stack = stack_of(session_, *thread, frame.level + size_t{1});
    if (frame.level >= stack.size())
        return std::unexpected("there is no such frame");
    return std::pair{thread, stack[frame.level].frame};
}

std::expected<Handler::Frame, std::string> Handler::frame_of(const json& arguments) const {
    const uint64_t id = count_at(arguments, "frameId");
    if (id == 0)
        return Frame{session_.stop().thread, 0};
    return Frame{static_cast<uint32_t>((id - 1) / levels), static_cast<uint32_t>((id - 1) % levels)};
}

json Handler::source_of(const Code& code, const Line& line) const {
    const auto& codes = session_.codes();
    const bool is_text = line.file == code.text_name();
    const std::string file(line.file);
    json out{{"name", file.substr(file.rfind('/') + 1)}};
    if (const SourceText* const text = session_.text_of(file); text != nullptr) {
        out["sourceReference"] = codes.size() + static_cast<size_t>(text - session_.texts().data()) + 1;
        return out;
    }
    if (access(file.c_str(), R_OK) == 0) {
        out["path"] = file;
        return out;
    }
    const auto found = std::ranges::find_if(codes, [&](const auto& one) { return one.get() == &code; });
    if (is_text && found != codes.end())
        out["sourceReference"] = found - codes.begin() + 1;
    else
        out["path"] = file; // the client may know it
    return out;
}

Handler::Answer Handler::threads(const json& /*arguments*/) {
    json list = json::array();
    if (started_ && !running_)
        for (const machine::Thread& thread : session_.threads())
            list.push_back(
                {{"id", thread.index + 1},
                 {"name", fmt::format("({}) thread {}", fmt::join(thread.group->id, ","), thread.index)}});
    if (list.empty())
        list.push_back({{"id", 1}, {"name", "no work-group runs"}});
    return json{{"threads", std::move(list)}};
}

Handler::Answer Handler::stack_trace(const json& arguments) {
    const uint64_t id = count_at(arguments, "threadId", 1);
    const auto index = static_cast<uint32_t>(id == 0 ? 0 : id - 1);
    const auto top = at({index, 0});
    if (!top)
        return json{{"stackFrames", json::array()}, {"totalFrames", 0}};
    const auto stack = stack_of(session_, *top->first, levels);
    json frames = json::array();
    const uint64_t first = count_at(arguments, "startFrame");
    const uint64_t most = count_at(arguments, "levels", 0) == 0 ? levels : count_at(arguments, "levels");
    const uint64_t end = std::min<uint64_t>(stack.size(), first + std::min(most, levels));
    for (uint64_t level = first; level < end; ++level)
        frames.push_back(frame_json(stack[level], index * levels + level + 1));
    return json{{"stackFrames", std::move(frames)}, {"totalFrames", stack.size()}};
}

json Handler::frame_json(const StackEntry& entry, uint64_t id) const {
    json out{{"id", id}, {"name", entry.name}, {"line", 0}, {"column", 0}};
    const Code* const code = session_.code_of(*entry.frame->program->function);
    if (code == nullptr)
        return out;
    Line line = code->line(entry.instruction);
    if (!line.known())
        line = code->text_line(entry.instruction);
    out["line"] = line.line;
    out["source"] = source_of(*code, line);
    const auto& codes = session_.codes();
    const auto number = std::ranges::find_if(codes, [&](const auto& known) { return known.get() == code; }) -
                        codes.begin() + 1;
    out["instructionPointerReference"] = place_text(static_cast<uint64_t>(number), entry.instruction);
    return out;
}

Handler::Answer Handler::scopes(const json& arguments) {
    const auto frame = frame_of(arguments);
    if (const auto place = at(*frame); !place)
        return std::unexpected(place.error());
    const auto scope = [&](const char* name, Shown::Kind kind, bool expensive) {
        return json{{"name", name},
                    {"variablesReference", reference({.kind = kind, .frame = *frame, .name = ""})},
                    {"expensive", expensive}};
    };
    return json{
        {"scopes",
         {scope("Locals", Shown::Kind::locals, false), scope("Arguments", Shown::Kind::arguments, false),
          scope("Registers", Shown::Kind::registers, false),
          scope("Predicates", Shown::Kind::predicates, false), scope("Ids", Shown::Kind::ids, false),
          scope("Shared local memory", Shown::Kind::slm, true),
          scope("Surfaces", Shown::Kind::surfaces, true)}}};
}

json Handler::register_list(const Shown& shown, const machine::Frame& frame,
                            std::span<const std::string> names) {
    json list = json::array();
    for (const std::string& name : names) {
        const trace::Register found = trace::register_of(frame, name);
        if (!found.used || found.elements.empty())
            continue;
        const bool has_lanes = found.elements.size() > 1;
        list.push_back(
            {{"name", name},
             {"value", summary_of(found)},
             {"type", found.kind == trace::RegisterKind::predicate
                          ? "predicate"
                          : std::string(isa::facts(found.type).name)},
             {"evaluateName", name},
             {"variablesReference",
              has_lanes ? reference({.kind = Shown::Kind::lanes, .frame = shown.frame, .name = name}) : 0}});
    }
    return list;
}

json Handler::slm_list(const Shown& shown, const machine::Thread& thread) {
    json list = json::array();
    for (uint64_t part = 0; part * slm_part_bytes < thread.group->slm.size(); ++part)
        list.push_back(
            {{"name", fmt::format("from {:#x} on", part * slm_part_bytes)},
             {"value", ""},
             {"variablesReference",
              reference({.kind = Shown::Kind::slm_part, .frame = shown.frame, .name = "", .part = part})}});
    return list;
}

Handler::Answer Handler::variables(const json& arguments) {
    const uint64_t number = count_at(arguments, "variablesReference");
    if (number == 0 || number > shown_.size())
        return std::unexpected("there are no such variables any more");
    const Shown shown = shown_[number - 1];
    const auto place = at(shown.frame);
    if (!place)
        return std::unexpected(place.error());
    const machine::Thread& thread = *place->first;
    const machine::Frame& frame = *place->second;
    const Function& function = *frame.program->function;
    json list;
    switch (shown.kind) {
    case Shown::Kind::registers:
        list = register_list(shown, frame, names_of(function.general));
        break;
    case Shown::Kind::locals:
        list = locals_of(session_, *place->first, shown.frame.level, lane_);
        break;
    case Shown::Kind::predicates:
        list = register_list(shown, frame, names_of(function.predicates));
        break;
    case Shown::Kind::arguments:
        list = arguments_of(session_);
        break;
    case Shown::Kind::slm:
        list = slm_list(shown, thread);
        break;
    case Shown::Kind::slm_part:
        list = slm_words(thread, shown.part);
        break;
    case Shown::Kind::surfaces:
        list = surfaces_of(thread);
        break;
    case Shown::Kind::ids:
        list = ids_of(thread, frame);
        break;
    case Shown::Kind::lanes:
        list = lanes_of(thread, frame, shown.name);
        break;
    }
    return json{{"variables", std::move(list)}};
}

Handler::Answer Handler::set_variable(const json& arguments) {
    const uint64_t number = count_at(arguments, "variablesReference");
    if (number == 0 || number > shown_.size())
        return std::unexpected("there are no such variables any more");
    const Shown shown = shown_[number - 1];
    const std::string name = text_at(arguments, "name");
    const std::string target = shown.kind == Shown::Kind::lanes ? shown.name + name : name + "[0]";
    json again{{"expression", target},
               {"value", text_at(arguments, "value")},
               {"frameId", shown.frame.thread * levels + shown.frame.level + 1}};
    return set_expression(again);
}

Handler::Answer Handler::set_expression(const json& arguments) {
    const auto frame = frame_of(arguments);
    const auto place = at(*frame);
    if (!place)
        return std::unexpected(place.error());
    const auto to = Expression::parse(text_at(arguments, "expression"));
    const auto from = Expression::parse(text_at(arguments, "value"));
    if (!to || !from)
        return std::unexpected(to ? from.error() : to.error());
    const Scope scope{*place->first, *place->second, lane_};
    const auto value = from->evaluate(scope);
    if (!value)
        return std::unexpected(value.error());
    if (const auto done = to->assign(scope, *place->first, *place->second, *value); !done)
        return std::unexpected(done.error());
    session_.changed();
    const auto now = to->evaluate(scope);
    return json{{"value", now ? text_of(*now) : now.error()}};
}

Handler::Answer Handler::evaluate(const json& arguments) {
    const std::string text = text_at(arguments, "expression");
    const auto frame = frame_of(arguments);
    const auto place = at(*frame);
    if (!place)
        return std::unexpected(place.error());
    if (text.starts_with("lane ")) {
        const auto lane = hexadecimal(std::string_view(text).substr(5));
        if (!lane || *lane > 31)
            return std::unexpected("a lane is 0 to 31");
        lane_ = static_cast<uint32_t>(*lane);
        return json{{"result", text}, {"variablesReference", 0}};
    }
    if (const trace::Register found = trace::register_of(*place->second, text);
        found.used && found.elements.size() > 1)
        return json{
            {"result", summary_of(found)},
            {"variablesReference", reference({.kind = Shown::Kind::lanes, .frame = *frame, .name = text})}};
    const auto expression = Expression::parse(text);
    const auto value = expression ? expression->evaluate({*place->first, *place->second, lane_})
                                  : std::unexpected(expression.error());
    if (!value) {
        const auto variable = session_.source_variable(*place->first, frame->level, lane_, text);
        return variable ? Answer(json{{"result", variable->value ? *variable->value : variable->text()},
                                      {"type", variable->type},
                                      {"variablesReference", 0}})
                        : std::unexpected(value.error());
    }
    json out{{"result", text_of(*value)}, {"variablesReference", 0}};
    if (!value->is_float &&
        session_.thread(0)->launch->memory->find(static_cast<uint64_t>(value->whole), 1) != nullptr)
        out["memoryReference"] = fmt::format("{:#x}", static_cast<uint64_t>(value->whole));
    return out;
}

Handler::Answer Handler::disassemble(const json& arguments) {
    constexpr uint64_t most = 10'000;
    const auto place = hexadecimal(text_at(arguments, "memoryReference"));
    const uint64_t number = place.value_or(0) >> 32U;
    if (number == 0 || number > session_.codes().size())
        return std::unexpected("there is no code there");
    const Code& code = *session_.codes()[number - 1];
    const int64_t first = static_cast<int64_t>(*place & UINT32_MAX) +
                          std::clamp<int64_t>(whole_at(arguments, "instructionOffset"), -100'000, 100'000);
    json list = json::array();
    for (uint64_t k = 0; k < std::min(count_at(arguments, "instructionCount"), most); ++k) {
        const int64_t at = first + static_cast<int64_t>(k);
        const bool inside = at >= 0 && at < static_cast<int64_t>(code.function().code.size());
        const auto instruction = static_cast<uint32_t>(inside ? at : 0);
        json one{{"address", inside ? place_text(number, instruction) : "0x0"},
                 {"instruction", inside ? std::string(code.words(instruction)) : ""}};
        if (!inside)
            one["presentationHint"] = "invalid";
        if (const Line line = code.line(instruction); inside && line.known()) {
            one["location"] = source_of(code, line);
            one["line"] = line.line;
        }
        list.push_back(std::move(one));
    }
    return json{{"instructions", std::move(list)}};
}

Handler::Answer Handler::read_memory(const json& arguments) {
    constexpr uint64_t most = uint64_t{1} << 20U;
    const auto address = hexadecimal(text_at(arguments, "memoryReference"));
    const auto place = at({session_.stop().thread, 0});
    if (!address || !place)
        return std::unexpected("there is no memory to read now");
    const uint64_t begin = *address + static_cast<uint64_t>(whole_at(arguments, "offset"));
    uint64_t count = std::min(count_at(arguments, "count"), most);
    const uint64_t wanted = count;
    auto bytes = memory_at(*place->first, Memory::global, begin, count);
    while (!bytes && count > 1) { // what there is
        count /= 2;
        bytes = memory_at(*place->first, Memory::global, begin, count);
    }
    json out{{"address", fmt::format("{:#x}", begin)}};
    out["unreadableBytes"] = bytes ? wanted - count : wanted;
    out["data"] = bytes ? to_base64(*bytes) : "";
    return out;
}

Handler::Answer Handler::write_memory(const json& arguments) {
    const auto address = hexadecimal(text_at(arguments, "memoryReference"));
    const auto place = at({session_.stop().thread, 0});
    const auto data = from_base64(text_at(arguments, "data"));
    if (!address || !place || !data)
        return std::unexpected("there is no memory to write now, or no data");
    const auto bytes =
        memory_at(*place->first, Memory::global,
                  *address + static_cast<uint64_t>(whole_at(arguments, "offset")), data->size());
    if (!bytes)
        return std::unexpected(bytes.error());
    std::ranges::copy(*data, bytes->begin());
    session_.changed();
    return json{{"bytesWritten", data->size()}};
}

Handler::Answer Handler::source(const json& arguments) {
    const auto given = arguments.find("source");
    const uint64_t number = given != arguments.end() && given->is_object()
                                ? count_at(*given, "sourceReference", count_at(arguments, "sourceReference"))
                                : count_at(arguments, "sourceReference");
    const size_t codes = session_.codes().size();
    if (number != 0 && number <= codes)
        return json{{"content", session_.codes()[number - 1]->text()}};
    if (number == 0 || number - codes > session_.texts().size())
        return std::unexpected("there is no such source");
    return json{{"content", session_.texts()[number - codes - 1].text}};
}

Handler::Answer Handler::loaded_sources(const json& /*arguments*/) {
    json list = json::array();
    uint64_t number = 0;
    for (const auto& code : session_.codes())
        list.push_back({{"name", code->text_name()}, {"sourceReference", ++number}});
    for (const SourceText& text : session_.texts())
        list.push_back({{"name", text.file}, {"sourceReference", ++number}});
    return json{{"sources", std::move(list)}};
}

Handler::Answer Handler::exception_info(const json& /*arguments*/) {
    const Stop& stop = session_.stop();
    return json{{"exceptionId", stop.kind == StopKind::fault ? "fault" : "finding"},
                {"description", stop.text},
                {"breakMode", "always"}};
}

} // namespace visor::debug::dap
