#include "debug/session.h"

#include "machine/launch.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace visor::debug {

namespace {

bool touches(const machine::MemoryEvent& event, Memory memory, uint64_t address, uint64_t bytes) {
    if (event.kind == machine::AccessKind::read || event.space == machine::Space::scratch ||
        (event.space == machine::Space::slm) != (memory == Memory::local))
        return false;
    const uint32_t lanes = event.lanes & ~event.dropped;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint64_t begin = event.base + event.addresses[static_cast<size_t>(std::countr_zero(left))];
        if (begin < address + bytes && address < begin + event.bytes)
            return true;
    }
    return false;
}

} // namespace

// ---- what listens inside

template <class Tell>
void Session::tell(const Tell& tell) {
    if (inner_ == nullptr || !fresh_)
        return;
    tell(*inner_);
    if (told_inner_)
        told_inner_();
}

void Session::prepare(std::span<const Source> sources, LaunchFacts facts, machine::Watcher* inner,
                      std::function<void()> told) {
    const std::lock_guard lock(mutex_);
    in_launch_ = true;
    inner_ = inner;
    told_inner_ = std::move(told);
    facts_ = std::move(facts);
    codes_.clear();
    for (const Source& source : sources)
        codes_.push_back(std::make_shared<const Code>(source.function, std::string(source.text_name),
                                                      std::string(source.text)));
    breakpoints_.bind(codes_);
}

void Session::rest() {
    const std::lock_guard lock(mutex_);
    in_launch_ = false;
}

void Session::launch_began(const machine::Launch& launch) {
    clock_ = told_ = group_clock_ = 0;
    groups_begun_ = groups_ended_ = 0;
    faulted_at_ = 0;
    selected_ = nullptr;
    fresh_ = true;
    goal_ = Goal::run;
    pending_.reset();
    // Without history it can still be stopped.
    next_moment_ = history_.begin(*launch.memory) ? 1 : UINT64_MAX;
    tell([&](machine::Watcher& inner) { inner.launch_began(launch); });
}

void Session::begin(machine::GroupState& state) {
    state_ = &state;
    group_clock_ = clock_ + 1;
}

void Session::group_began(std::span<const machine::Thread> threads) {
    // Each once, in the order of the first time.
    fresh_ = threads.front().group->linear >= groups_begun_;
    if (fresh_)
        groups_begun_ = threads.front().group->linear + 1;
    tell([&](machine::Watcher& inner) { inner.group_began(threads); });
}
void Session::thread_ended(const machine::Thread& thread) {
    const uint64_t group = thread.group->linear;
    fresh_ = group >= groups_ended_;
    if (fresh_ && thread.index + 1 == thread.launch->threads)
        groups_ended_ = group + 1;
    tell([&](machine::Watcher& inner) { inner.thread_ended(thread); });
}
void Session::barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                                int barrier) {
    tell([&](machine::Watcher& inner) { inner.barrier_signalled(thread, instruction, barrier); });
}
void Session::barrier_released(const machine::Thread& any, int barrier) {
    tell([&](machine::Watcher& inner) { inner.barrier_released(any, barrier); });
}
void Session::barrier_passed(const machine::Thread& thread, int barrier) {
    tell([&](machine::Watcher& inner) { inner.barrier_passed(thread, barrier); });
}
void Session::fenced(const machine::Thread& thread, const PreparedInstruction& instruction,
                     machine::Fence fence) {
    tell([&](machine::Watcher& inner) { inner.fenced(thread, instruction, fence); });
}
void Session::undefined(const machine::UndefinedEvent& event) {
    tell([&](machine::Watcher& inner) { inner.undefined(event); });
}

void Session::memory(const machine::MemoryEvent& event) {
    tell([&](machine::Watcher& inner) { inner.memory(event); });
    if (goal_ == Goal::seek)
        return;
    if (goal_ == Goal::scan && move_.to_write) {
        if (touches(event, move_.local ? Memory::local : Memory::global, move_.address, move_.bytes))
            hit_ = make_stop(StopKind::step, "the last write");
        return;
    }
    for (const Watchpoint& watchpoint : watchpoints_) {
        if (!touches(event, watchpoint.memory, watchpoint.address, watchpoint.bytes))
            continue;
        Stop stop = make_stop(StopKind::watchpoint, fmt::format("watchpoint {}", watchpoint.id));
        stop.ids = {watchpoint.id};
        if (goal_ == Goal::scan)
            hit_ = std::move(stop); // before the instruction that writes
        else
            pending_ = std::move(stop);
    }
}

void Session::finding(check::Kind kind, std::string text) {
    if (goal_ == Goal::run && settings_.stop_at_findings[static_cast<size_t>(kind)])
        pending_ = make_stop(StopKind::finding, std::move(text));
}

// ---- the run

void Session::select(const Program& program) {
    selected_ = &program;
    marks_ = breakpoints_.marks_of(*program.function);
    code_ = code_of(*program.function);
}

Stop Session::make_stop(StopKind kind, std::string text) const {
    Stop stop;
    stop.kind = kind;
    stop.text = std::move(text);
    stop.launch = launches_;
    stop.clock = clock_;
    stop.instruction = clock_ - group_clock_;
    if (state_ != nullptr) {
        stop.group = state_->group.id;
        stop.group_number = state_->group.linear;
    }
    stop.thread = last_thread_;
    if (running_ != nullptr) {
        stop.thread = running_->index;
        stop.has_thread = true;
    }
    return stop;
}

std::optional<Stop> Session::breakpoint_at(const machine::Thread& thread, uint32_t source) {
    if (marks_ == nullptr || source >= marks_->size() || (*marks_)[source].empty())
        return std::nullopt;
    const auto lane = static_cast<uint32_t>(std::countr_zero(thread.execution_mask | 0x80000000U));
    const Scope scope{thread, thread, lane};
    std::optional<Stop> stop;
    std::string said;
    for (const uint32_t id : (*marks_)[source]) {
        if (!breakpoints_.stops(id, scope, goal_ == Goal::run, said))
            continue;
        if (!stop)
            stop = make_stop(StopKind::breakpoint, fmt::format("breakpoint {}", id));
        stop->ids.push_back(id);
    }
    if (!said.empty() && goal_ == Goal::run) {
        const std::lock_guard held(log_mutex_);
        log_ += said;
    }
    return stop;
}

std::optional<Stop> Session::reason(const machine::Thread& thread, const PreparedInstruction& instruction) {
    if (killed_ || detached_)
        return std::nullopt;
    if (pending_)
        return std::exchange(pending_, std::nullopt);
    if (first_stop_ && settings_.stop_at_entry) {
        first_stop_ = false;
        return make_stop(StopKind::entry, "the first instruction");
    }
    first_stop_ = false;
    if (pause_.exchange(false))
        return make_stop(StopKind::pause, "a pause");
    const bool step_ends = stepper_.is_on() &&
                           stepper_.ends(thread, code_ == nullptr ? Line{} : code_->line(instruction.source));
    if (auto stop = breakpoint_at(thread, instruction.source))
        return stop;
    return step_ends ? std::optional(make_stop(StopKind::step, "a step")) : std::nullopt;
}

void Session::note_hit(const machine::Thread& thread, const PreparedInstruction& instruction) {
    if (move_.to_write)
        return; // memory() notes it
    if (move_.step != Step::none) {
        if (stepper_.ends(thread, code_ == nullptr ? Line{} : code_->line(instruction.source)))
            hit_ = make_stop(StopKind::step, "a step back");
        return;
    }
    if (auto stop = breakpoint_at(thread, instruction.source))
        hit_ = std::move(stop);
}

void Session::instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                          uint32_t lanes) {
    if (killed_) {
        leaves_ = true; // rewind() ends it
        return;
    }
    ++clock_;
    running_ = &thread;
    if (thread.program != selected_)
        select(*thread.program);
    if (clock_ >= next_moment_) {
        history_.save(clock_, *state_);
        next_moment_ = history_.next();
    }
    if (goal_ == Goal::run) {
        // A finding is shown before the instruction that made it.
        if (pending_ && pending_->kind == StopKind::finding && history_.is_on() && !detached_) {
            target_ = pending_->clock;
            target_stop_ = *std::exchange(pending_, std::nullopt);
            go_back_to(target_);
            goal_ = Goal::seek;
            return;
        }
        if (auto stop = reason(thread, instruction))
            stop_here(std::move(*stop));
    } else if (goal_ == Goal::seek) {
        if (clock_ >= target_)
            stop_here(std::move(target_stop_));
    } else if (clock_ >= until_) {
        end_scan();
    } else {
        note_hit(thread, instruction);
    }
    if (killed_)
        leaves_ = true;
    if (leaves_)
        return;
    fresh_ = clock_ > told_;
    if (fresh_) {
        told_ = clock_;
        if (inner_ != nullptr && inner_->wants_instructions())
            tell([&](machine::Watcher& inner) { inner.instruction(thread, instruction, lanes); });
    }
}

void Session::go_back_to(uint64_t clock) {
    back_to_ = clock;
    leaves_ = true;
}

void Session::rewind(machine::GroupState& state) {
    leaves_ = false;
    if (killed_) {
        state.result.fault.kind = machine::FaultKind::stopped;
        state.result.fault.group = state.group.id;
        return;
    }
    state_ = &state;
    clock_ = history_.restore(back_to_, state) - 1;
    next_moment_ = history_.next();
    selected_ = nullptr;
    // The instructions of all threads of the group, and of those before.
    uint64_t in_group = 0;
    for (const machine::Thread& thread : state.threads)
        in_group += thread.instructions;
    group_clock_ = clock_ + 1 - in_group;
}

// From the last moment before `until` on.
void Session::scan_to(uint64_t until) {
    goal_ = Goal::scan;
    until_ = until;
    hit_.reset();
    go_back_to(history_.moment_at(until - 1));
}

// The scan has come to its end: the last hit is where it goes, or the moment before is looked at.
void Session::end_scan() {
    if (hit_) {
        goal_ = Goal::seek;
        target_ = hit_->clock;
        target_stop_ = *std::exchange(hit_, std::nullopt);
        return go_back_to(target_);
    }
    const uint64_t begin = history_.moment_at(until_ - 1);
    if (begin <= floor_) {
        goal_ = Goal::seek;
        target_ = origin_;
        target_stop_ = Stop{.kind = StopKind::start, .text = "the thread begins here"};
        return go_back_to(target_);
    }
    if (begin > history_.first() && history_.moment_at(begin - 1) != 0)
        return scan_to(begin);
    goal_ = Goal::seek;
    target_ = history_.first();
    target_stop_ = Stop{.kind = StopKind::start, .text = "the launch begins here"};
    go_back_to(target_);
}

void Session::obey(const Move& move, uint64_t until) {
    move_ = move;
    stepper_.stop();
    goal_ = Goal::run;
    if (move.clock != 0 && history_.is_on()) {
        goal_ = Goal::seek;
        target_ = std::max(move.clock, history_.first());
        target_stop_ = Stop{.kind = StopKind::step, .text = "this instruction"};
        if (target_ <= clock_ || history_.moment_at(target_) > clock_)
            go_back_to(target_);
        return;
    }
    if (!move.back) {
        if (move.step != Step::none)
            if (const machine::Thread* stepping = thread(move.thread)) {
                const uint32_t at = instruction_of(*stepping);
                const Code* code = code_of(*stepping->program->function);
                stepper_.begin(move, *stepping, code == nullptr ? Line{} : code->line(at));
            }
        return;
    }
    if (!history_.is_on() || until <= history_.first()) {
        // There is nothing before; the same again.
        goal_ = Goal::seek;
        target_ = clock_;
        target_stop_ =
            make_stop(StopKind::start, history_.is_on() ? "the launch begins here" : "there is no history");
        return stop_here(std::move(target_stop_));
    }
    floor_ = 0;
    origin_ = until;
    if (move.step != Step::none) {
        floor_ = group_clock_; // a thread has no life before its group's
        const machine::Thread* stepping = thread(move.thread);
        stepper_.begin_back(move, state_->group.linear, stepping == nullptr ? 0 : depth_of(*stepping));
    }
    scan_to(until);
}

void Session::stop_here(Stop stop) {
    // Where it is, whatever was known when the stop was planned.
    const Stop here = make_stop(stop.kind, std::move(stop.text));
    const std::vector<uint32_t> ids = std::move(stop.ids);
    std::unique_lock lock(mutex_);
    stop_ = here;
    stop_.ids = ids;
    stopped_ = true;
    wanted_.reset();
    changed_.notify_all();
    changed_.wait(lock, [this] { return wanted_.has_value() || killed_ || detached_; });
    stopped_ = false;
    const Move move = wanted_.value_or(Move{});
    lock.unlock();
    if (selected_ != nullptr)
        select(*selected_); // breakpoints may be others now
    obey(move, clock_);
}

bool Session::over(machine::GroupState& state, const machine::Fault& fault) {
    state_ = &state;
    const bool faulted = fault.kind != machine::FaultKind::none && fault.kind != machine::FaultKind::stopped;
    if (killed_ || (detached_ && goal_ == Goal::run)) {
        ++launches_;
        state_ = nullptr;
        return false;
    }
    if (goal_ == Goal::scan) {
        end_scan();
    } else if (faulted && settings_.stop_at_faults && history_.is_on() && faulted_at_ != clock_) {
        faulted_at_ = clock_; // the second time it ends the launch
        goal_ = Goal::seek;
        target_ = clock_;
        target_stop_ = Stop{.kind = StopKind::fault, .text = fault.detail};
        go_back_to(clock_);
    } else if (settings_.stop_at_end) {
        last_thread_ = running_ == nullptr ? 0 : running_->index;
        running_ = nullptr;
        ++clock_; // all instructions are before it
        goal_ = Goal::run;
        stop_here(Stop{.kind = StopKind::end,
                       .text = faulted ? "the launch ends with a fault" : "the launch has ended"});
    }
    if (leaves_) {
        rewind(state);
        return true;
    }
    ++launches_;
    state_ = nullptr;
    return false;
}

void Session::finish() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    stop_ = Stop{.kind = StopKind::over, .text = "nothing runs any more"};
    changed_.notify_all();
}

// ---- the client

Stop Session::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_news(); });
    return news();
}

bool Session::is_over() {
    const std::lock_guard lock(mutex_);
    return over_ || detached_ || killed_;
}

bool Session::has_news() const {
    return (stopped_ && !wanted_) || over_ || detached_ || killed_;
}

Stop Session::news() const {
    if (detached_ || killed_)
        return {.kind = StopKind::over, .text = killed_ ? "it ends" : "it goes on without a debugger"};
    return stop_;
}

std::optional<Stop> Session::wait_for(double seconds) {
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return has_news(); });
    return came ? std::optional(news()) : std::nullopt;
}

void Session::go(const Move& move) {
    const std::lock_guard lock(mutex_);
    if (stopped_)
        wanted_ = move;
    changed_.notify_all();
}

void Session::kill() {
    if (settings_.on_kill)
        settings_.on_kill();
    const std::lock_guard lock(mutex_);
    killed_ = true;
    changed_.notify_all();
}

void Session::client_has(ClientEnd end) {
    const bool is_lost = end == ClientEnd::vanished || end == ClientEnd::not_understood;
    if (end == ClientEnd::killed || (is_lost && !settings_.outlives_client))
        kill();
    else if (end != ClientEnd::over)
        detach();
}

void Session::detach() {
    const std::lock_guard lock(mutex_);
    detached_ = true;
    changed_.notify_all();
}

std::string Session::take_log() {
    const std::lock_guard held(log_mutex_);
    return std::exchange(log_, "");
}

std::expected<uint32_t, std::string> Session::add_breakpoint(BreakpointRequest request) {
    const auto id = breakpoints_.add(std::move(request));
    if (id)
        breakpoints_.bind(codes_);
    return id;
}

bool Session::remove_breakpoint(uint32_t id) {
    const bool was = breakpoints_.remove(id);
    breakpoints_.bind(codes_);
    return was;
}

void Session::clear_breakpoints() {
    breakpoints_.clear();
    breakpoints_.bind(codes_);
}

uint32_t Session::add_watchpoint(Memory memory, uint64_t address, uint64_t bytes) {
    watchpoints_.push_back({next_watchpoint_, memory, address, bytes});
    return next_watchpoint_++;
}

bool Session::remove_watchpoint(uint32_t id) {
    return std::erase_if(watchpoints_, [id](const Watchpoint& one) { return one.id == id; }) != 0;
}

const Code* Session::code_of(const Function& function) const {
    const auto found =
        std::ranges::find_if(codes_, [&](const auto& code) { return &code->function() == &function; });
    return found == codes_.end() ? nullptr : found->get();
}

const SourceText* Session::text_of(std::string_view file) const {
    const auto found = std::ranges::find(facts_.texts, file, &SourceText::file);
    return found == facts_.texts.end() ? nullptr : &*found;
}

std::span<machine::Thread> Session::threads() const {
    return state_ == nullptr ? std::span<machine::Thread>{} : std::span(state_->threads);
}

machine::Thread* Session::thread(uint32_t index) const {
    const auto all = threads();
    return index < all.size() ? &all[index] : nullptr;
}

uint32_t Session::instruction_of(const machine::Thread& thread) const {
    const auto& code = thread.program->code;
    // The one that stopped has been fetched.
    const uint32_t pc = &thread == running_ && thread.pc > 0 ? thread.pc - 1 : thread.pc;
    return pc < code.size() ? code[pc].source : 0;
}

void Session::changed() {
    told_ = std::max(told_, clock_);
    // What is gone over from here on keeps the change; before it nothing has changed.
    if (history_.is_on() && running_ != nullptr) {
        history_.change(clock_, *state_);
        next_moment_ = history_.next();
    }
}

} // namespace visor::debug
