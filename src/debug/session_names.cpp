// What a session knows of the variables of the source.
#include "debug/session.h"
#include "debug/stack.h"

namespace visor::debug {

namespace {

// What `ask` says of a position at a level of the thread's calls.
template <class Ask>
auto ask_at(const Session& session, machine::Thread& thread, uint32_t level, uint32_t lane, const Ask& ask)
    -> decltype(ask(std::declval<const Position&>())) {
    const std::vector<StackEntry> stack = stack_of(session, thread, level + size_t{1});
    if (level >= stack.size())
        return std::unexpected("there is no such frame");
    const machine::Frame& frame = *stack[level].frame;
    const Code* const code = session.code_of(*frame.program->function);
    if (code == nullptr)
        return std::unexpected("nothing is known of the source here");
    return ask(Position{thread, frame, lane, *code, stack[level].instruction});
}

} // namespace

void Session::name_variables(std::shared_ptr<const SourceVariables> variables) {
    if (names_ == nullptr || variables == nullptr || names_->program() != variables->program())
        names_ = std::move(variables);
}

std::expected<std::vector<SourceVariable>, std::string>
Session::source_variables(machine::Thread& thread, uint32_t level, uint32_t lane) const {
    if (names_ == nullptr)
        return std::unexpected("nothing is known of the source here");
    return ask_at(*this, thread, level, lane, [&](const Position& position) { return names_->at(position); });
}

std::expected<SourceVariable, std::string> Session::source_variable(machine::Thread& thread, uint32_t level,
                                                                    uint32_t lane,
                                                                    std::string_view name) const {
    if (names_ == nullptr)
        return std::unexpected("nothing is known of the source here");
    return ask_at(*this, thread, level, lane,
                  [&](const Position& position) { return names_->named(position, name); });
}

} // namespace visor::debug
