// A launch on the interpreter that a client stops, looks into, changes, and takes back. The run listens to it
// in a thread of its own; while it is stopped the client reads the state, and no one else.
#pragma once

#include "check/finding.h"
#include "debug/breakpoints.h"
#include "debug/client.h"
#include "debug/code.h"
#include "debug/history.h"
#include "debug/source_variables.h"
#include "debug/stepping.h"
#include "machine/run_control.h"
#include "machine/watch.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace visor::debug {

struct Source {
    std::shared_ptr<const Function> function;
    std::string_view text_name;
    std::string_view text;
};

// An argument of a launch, as it was given.
struct Argument {
    std::string name;
    std::string type; // "" where nobody knows
    std::string value;
    uint64_t address = 0; // of what a pointer, an image or a surface leads to; 0: nothing
    uint64_t bytes = 0;   // of that
};

// The text of a source that is no file.
struct SourceText {
    std::string file; // as lines name it
    std::string text;
};

// What is known of a launch besides its code.
struct LaunchFacts {
    std::vector<Argument> arguments;
    std::vector<SourceText> texts{};
};

inline constexpr std::array<bool, check::kinds> every_finding = [] {
    std::array<bool, check::kinds> all{};
    all.fill(true);
    return all;
}();

inline constexpr uint64_t most_history_mebibytes = uint64_t{1} << 20U;

struct Settings {
    uint64_t history_bytes = uint64_t{512} << 20U;
    bool stop_at_entry = true;
    bool stop_at_end = false; // of each launch, so that it can be taken back
    bool stop_at_faults = true;
    std::array<bool, check::kinds> stop_at_findings = every_finding;
    bool outlives_client = false; // a run whose client vanishes goes on; else it ends
    // Before it ends because the client wants that; in the client's thread.
    std::function<void()> on_kill{};
};

// Memory whose change stops the run, before the next instruction.
struct Watchpoint {
    uint32_t id = 0;
    Memory memory = Memory::global;
    uint64_t address = 0;
    uint64_t bytes = 0;
};

class Session final : public machine::Watcher, public machine::RunControl {
public:
    explicit Session(Settings settings) : settings_(settings), history_(settings.history_bytes) {}

    // ---- the run's thread

    // Before a launch: its kernel, then the functions that it can call. `inner` is told of everything once,
    // in the order of the first time; nullptr: nobody. `told` is called after each time.
    void prepare(std::span<const Source> sources, LaunchFacts facts, machine::Watcher* inner,
                 std::function<void()> told = {});
    // From within `told`: the instruction that runs has made a finding.
    void finding(check::Kind kind, std::string text);
    // After it, whether it ran or was refused.
    void rest();
    // Nothing will be launched any more.
    void finish();

    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void undefined(const machine::UndefinedEvent& event) override;
    void launch_began(const machine::Launch& launch) override;
    void group_began(std::span<const machine::Thread> threads) override;
    void barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                           int barrier) override;
    void barrier_released(const machine::Thread& any, int barrier) override;
    void barrier_passed(const machine::Thread& thread, int barrier) override;
    void fenced(const machine::Thread& thread, const PreparedInstruction& instruction,
                machine::Fence fence) override;
    void thread_ended(const machine::Thread& thread) override;
    void begin(machine::GroupState& state) override;
    void rewind(machine::GroupState& state) override;
    [[nodiscard]] bool over(machine::GroupState& state, const machine::Fault& fault) override;

    // ---- the client's thread

    // Waits for the next stop; kind `over`: there will be none.
    [[nodiscard]] Stop wait();
    // Nothing within the time.
    [[nodiscard]] std::optional<Stop> wait_for(double seconds);
    // What is done next; only while it is stopped.
    void go(const Move& move);
    // Stops it soon, from any thread.
    void pause() { pause_ = true; }
    void cancel_pause() { pause_ = false; }
    // Ends the launch, from any thread: no stop any more.
    void kill();
    // The client's time has ended: kill() or detach(), where something may still run.
    void client_has(ClientEnd end);
    // It goes on from where it is, and is never stopped again; from any thread.
    void detach();
    [[nodiscard]] bool is_detached() const { return detached_; }
    // Nothing is to be seen any more.
    [[nodiscard]] bool is_over();
    [[nodiscard]] const std::atomic<bool>& killed() const { return killed_; }
    // What log points said since.
    [[nodiscard]] std::string take_log();

    // Calls `change` if no launch runs, and lets none begin meanwhile. False: one runs.
    template <class Change>
    [[nodiscard]] bool between_launches(const Change& change) {
        const std::lock_guard lock(mutex_);
        if (in_launch_)
            return false;
        change();
        return true;
    }

    // While it is stopped, or within between_launches():
    [[nodiscard]] std::expected<uint32_t, std::string> add_breakpoint(BreakpointRequest request);
    bool remove_breakpoint(uint32_t id);
    void clear_breakpoints();
    [[nodiscard]] const std::map<uint32_t, Breakpoint>& breakpoints() const { return breakpoints_.all(); }
    uint32_t add_watchpoint(Memory memory, uint64_t address, uint64_t bytes);
    bool remove_watchpoint(uint32_t id);
    void clear_watchpoints() { watchpoints_.clear(); }
    [[nodiscard]] const std::vector<Watchpoint>& watchpoints() const { return watchpoints_; }

    [[nodiscard]] const Stop& stop() const { return stop_; }
    [[nodiscard]] const std::vector<std::shared_ptr<const Code>>& codes() const { return codes_; }
    [[nodiscard]] const Code* code_of(const Function& function) const;
    [[nodiscard]] const std::vector<Argument>& arguments() const { return facts_.arguments; }
    [[nodiscard]] const std::vector<SourceText>& texts() const { return facts_.texts; }
    // nullptr: it is not among them.
    [[nodiscard]] const SourceText* text_of(std::string_view file) const;
    // Before a launch: what debug information names in the program; the same program's is kept.
    void name_variables(std::shared_ptr<const SourceVariables> variables);
    // Of the source, at a level of the thread's calls (stack_of); 0: the innermost. Error: a sentence.
    [[nodiscard]] std::expected<std::vector<SourceVariable>, std::string>
    source_variables(machine::Thread& thread, uint32_t level, uint32_t lane) const;
    [[nodiscard]] std::expected<SourceVariable, std::string>
    source_variable(machine::Thread& thread, uint32_t level, uint32_t lane, std::string_view name) const;
    // The threads of the group that runs. The client may change them.
    [[nodiscard]] std::span<machine::Thread> threads() const;
    [[nodiscard]] machine::Thread* thread(uint32_t index) const;
    // The instruction that a thread runs next; of the one that stopped, the one that it is at.
    [[nodiscard]] uint32_t instruction_of(const machine::Thread& thread) const;
    // At faults and at findings of these checkers, or not.
    void stop_at(bool faults, const std::array<bool, check::kinds>& findings) {
        settings_.stop_at_faults = faults;
        settings_.stop_at_findings = findings;
    }
    void stop_at_entry(bool wanted) { settings_.stop_at_entry = wanted; } // before the first launch
    // A change was made: going back to before it takes it back, for good.
    void changed();
    [[nodiscard]] const History& history() const { return history_; }

private:
    enum class Goal : uint8_t { run, seek, scan };

    void stop_here(Stop stop);
    void obey(const Move& move, uint64_t until);
    void go_back_to(uint64_t clock);
    void end_scan();
    void scan_to(uint64_t until);
    [[nodiscard]] std::optional<Stop> reason(const machine::Thread& thread,
                                             const PreparedInstruction& instruction);
    [[nodiscard]] std::optional<Stop> breakpoint_at(const machine::Thread& thread, uint32_t source);
    void note_hit(const machine::Thread& thread, const PreparedInstruction& instruction);
    void select(const Program& program);
    [[nodiscard]] bool has_news() const; // for the client; under the mutex
    [[nodiscard]] Stop news() const;
    [[nodiscard]] Stop make_stop(StopKind kind, std::string text) const;
    template <class Tell>
    void tell(const Tell& tell);

    Settings settings_;
    std::vector<std::shared_ptr<const Code>> codes_;
    LaunchFacts facts_;
    std::shared_ptr<const SourceVariables> names_;
    Breakpoints breakpoints_;
    std::vector<Watchpoint> watchpoints_;
    uint32_t next_watchpoint_ = 1;
    machine::Watcher* inner_ = nullptr;
    std::function<void()> told_inner_;
    History history_;
    machine::GroupState* state_ = nullptr;
    uint64_t launches_ = 0;

    // Where the run is: an instruction's clock is its number in the launch, from 1 on.
    uint64_t clock_ = 0;
    uint64_t told_ = 0; // the inner listener knows everything up to here
    bool fresh_ = false;
    uint64_t groups_begun_ = 0; // that it was told of
    uint64_t groups_ended_ = 0;
    uint64_t next_moment_ = 0;
    uint64_t group_clock_ = 0; // of the group's first instruction
    const machine::Thread* running_ = nullptr;
    uint32_t last_thread_ = 0; // of a launch that has ended
    const Program* selected_ = nullptr;
    const Breakpoints::Marks* marks_ = nullptr;
    const Code* code_ = nullptr;

    // What it does.
    Goal goal_ = Goal::run;
    Move move_;
    Stepper stepper_;
    uint64_t target_ = 0;           // of a seek
    Stop target_stop_{};            // what is said there
    uint64_t until_ = 0;            // of a scan: its first instruction that does not count
    uint64_t floor_ = 0;            // before it no scan finds anything
    uint64_t origin_ = 0;           // where the first scan began to look
    uint64_t back_to_ = 0;          // what rewind() restores
    std::optional<Stop> hit_{};     // the last of a scan
    std::optional<Stop> pending_{}; // before the next instruction: a watchpoint, a finding
    bool first_stop_ = true;
    uint64_t faulted_at_ = 0; // a fault that was shown
    std::atomic<bool> pause_ = false;
    std::atomic<bool> killed_ = false;
    std::atomic<bool> detached_ = false;

    std::mutex mutex_;
    std::condition_variable changed_;
    bool in_launch_ = false; // or about to be
    bool stopped_ = false;
    bool over_ = false;
    std::optional<Move> wanted_;
    Stop stop_{};
    std::mutex log_mutex_;
    std::string log_;
};

} // namespace visor::debug
