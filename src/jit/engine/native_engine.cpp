#include "jit/engine/native_engine.h"

#include "isa/predefined.h"
#include "jit/engine/nontemporal_tuner.h"
#include "jit/engine/runtime_abi.h"
#include "jit/engine/runtime_calls.h"
#include "jit/engine/surface_windows.h"
#include "jit/engine/symbol_table.h"
#include "jit/engine/tiered_code.h"
#include "jit/program/function_info.h"
#include "machine/barrier.h"
#include "machine/element.h"
#include "machine/guarded_memory.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <mutex>

namespace visor::jit {

namespace {

using machine::FaultKind;
using machine::Status;
using machine::Thread;

// Of one kernel, for launches whose lanes find different things in their registers.
constexpr size_t most_versions = 8;

// The sanitizer of function types looks for a mark in front of a function, where generated code has none and
// perhaps no page.
#if defined(__clang__)
[[clang::no_sanitize("function")]]
#endif
State* call(const Code& code, State& state, uint64_t more = 0) {
    return code.native(&state, more);
}

// A kernel with the code of threads whose lanes all were dispatched, and of those where some were not.
class NativeEngine final : public Engine {
public:
    NativeEngine(std::vector<std::shared_ptr<const Program>> programs, Reference reference,
                 const CompileOptions& options, const CodeProvider& maker)
        : programs_(std::move(programs)), reference_(std::move(reference)), options_(options),
          provider_(maker), any_(maker, *programs_.front(), options_),
          tail_(maker, *programs_.front(), with_some_lanes(options_)),
          with_symbols_(instructions_with_symbols(*programs_.front())),
          called_out_(programs_.front()->code.size()) {}

    std::expected<void, std::string> prepare() {
        const char* const why = refusal(*programs_.front());
        if (*why != '\0')
            return std::unexpected(why);
        for (size_t f = 1; f < programs_.size(); ++f)
            refused_.push_back(
                fmt::format("`{}`: called functions are the reference's", programs_[f]->function->name));
        return {};
    }

    void run(Thread& thread) const override {
        TieredCode* const version = version_of(thread, any_);
        const Code* const code = version == nullptr ? nullptr : version->code(*thread.launch);
        if (code == nullptr)
            return reference_.engine->run(thread);
        thread.untouched = false;
        // None of the CPU thread's own: destructors of static objects come after those, and may still run
        // kernels.
        std::vector<Window> windows;
        std::vector<Window> launch_windows;
        std::vector<std::byte> contents;
        const std::vector<uint64_t> symbols = symbol_addresses(with_symbols_, *thread.launch);
        State state;
        if (!fill(state, windows, thread, *code))
            return reference_.engine->run(thread);
        if (code->object.looks_up)
            fill_launch_windows(launch_windows, thread, options_.told);
        give(state, launch_windows);
        if (thread.pc == 0)
            keep(contents, *code, thread);
        state.symbols = symbols.data();
        state.first_contents = contents.data();
        uint32_t calls = 0;
        state.calls = &calls;
        state.saved = thread.registers;
        enter(state, thread);
        call(*code, state);
        version->ran(state.instructions - thread.instructions);
        finish(thread, state);
    }

    [[nodiscard]] std::unique_ptr<Session> session(const machine::Launch& launch,
                                                   machine::GuardedMemory& saved) const override {
        return std::make_unique<NativeSession>(*this, launch, saved);
    }

    [[nodiscard]] EngineFacts facts() const override {
        EngineFacts facts{.functions = 0,
                          .called_out = called_out_by_name(),
                          .compile_seconds = 0,
                          .rose = false,
                          .refused = refused_};
        const auto add = [&](const TieredCode& version) {
            const TieredCode::Story story = version.story();
            if (version.present() != nullptr)
                facts.functions = 1;
            facts.compile_seconds += story.first_seconds;
            facts.rose = facts.rose || story.rose;
            if (!story.refused.empty() && version.present() == nullptr)
                facts.refused.push_back(fmt::format("threads with {} lanes on: {}",
                                                    &version == &tail_ ? "some" : "all", story.refused));
        };
        const std::lock_guard lock(mutex_);
        for (const auto& version : versions_)
            add(*version);
        add(any_);
        add(tail_);
        return facts;
    }

    void keep_silent(const machine::FlatSilence* silence) override { silence_ = silence; }

private:
    // A state for each thread of a group, filled once: what it points to stays from group to group.
    class NativeSession final : public Session {
    public:
        NativeSession(const NativeEngine& engine, const machine::Launch& launch,
                      machine::GuardedMemory& saved)
            : engine_(engine), full_(engine.version_for(launch)), slots_(launch.threads),
              states_(launch.threads), in_pairs_(std::ranges::any_of(launch.program->code, meets_partner)),
              launch_threads_(machine::group_count(launch) * launch.threads),
              symbols_(symbol_addresses(engine.with_symbols_, launch)), saved_(saved) {}
        ~NativeSession() override {
            tell_versions();
            for (size_t k = 0; k < slots_.size(); ++k) // those variables are not what they were
                if (!slots_[k].contents.empty())
                    states_[k].thread->untouched = false;
            for (const Slot* slot : {&slots_.front(), &slots_.back()})
                if (slot->version != nullptr)
                    slot->version->launch_ended();
        }
        NativeSession(const NativeSession&) = delete;
        NativeSession& operator=(const NativeSession&) = delete;
        NativeSession(NativeSession&&) = delete;
        NativeSession& operator=(NativeSession&&) = delete;

        void run(Thread& thread) override {
            Slot& slot = slots_[thread.index];
            State& state = states_[thread.index];
            fresh_ = 0;
            slot.begun = slot.begun && thread.pc != 0;
            if (!ready(slot, state, thread))
                return engine_.reference_.engine->run(thread);
            slot.begun = true;
            enter(state, thread);
            call(*slot.code, state);
            ran(state.instructions - thread.instructions);
            leave(slot, state, thread);
        }

        Untouched run_untouched(std::span<Thread> threads, uint64_t more_groups) override {
            take_better_code();
            if (fresh_ == 0 && !in_pairs_)
                fresh_ = make_fresh(threads);
            if (fresh_ == 0)
                return {};
            calls_ = 0;
            const uint64_t may_follow = std::min(more_groups, others_follow(threads) ? at_once_ : 0);
            State* const last = call_timed(may_follow);
            ran(last->total);
            Untouched run{.ran = fresh_,
                          .all_ended = false,
                          .instructions = last->total,
                          .more_groups = may_follow - states_.front().groups_left};
            states_.front().groups_left = 0; // a thread that goes on later does so alone
            at_once_ = TieredCode::longest_unheard / (last->total / (run.more_groups + 1) + 1);
            run.all_ended = last->ended == 1 && last->instructions <= last->fuel && last->some_wait == 0;
            if (!run.all_ended) {
                const auto index = static_cast<uint32_t>(last - states_.data());
                run.ran = last->phase == 0 ? index + 1 : fresh_;
                tell(threads.first(run.ran), index);
            } else {
                run.all_ended = fresh_ == threads.size();
                if (!run.all_ended)
                    for (Thread& thread : threads.first(fresh_)) {
                        thread.status = Status::done;
                        thread.instructions = 0;
                    }
            }
            last->some_wait = 0;
            last->instructions = 0;
            run.touched = calls_ != 0 || !run.all_ended;
            if (run.touched)
                fresh_ = 0;
            return run;
        }

    private:
        struct Slot {
            TieredCode* version = nullptr;
            const Code* code = nullptr; // of the version
            std::vector<Window> windows;
            std::vector<std::byte> contents; // what variables in memory start with
            bool begun = false;              // the thread has, here: what it kept is in `saved`
        };
        // All that are ready, and then as many groups as may follow. The first one's state tells the code
        // whether its stores are those of a large launch.
        State* call_timed(uint64_t may_follow) {
            State& first = states_.front();
            first.groups_left = may_follow;
            first.launch_threads = past_.past() ? launch_threads_ : 0;
            const auto begin = std::chrono::steady_clock::now();
            State* const last = call(*slots_.front().code, first, fresh_ - 1);
            const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
            past_.took(static_cast<uint64_t>(took.count()), may_follow - first.groups_left + 1);
            return last;
        }
        // The code clears what must not be found as a group leaves it, if it knows of any.
        [[nodiscard]] bool others_follow(std::span<const Thread> threads) const {
            const Thread& thread = threads.front();
            const CompileOptions& made_for = slots_.front().version->options();
            const bool clears = made_for.slm_bytes != 0 || made_for.scratch_bytes != 0;
            return fresh_ == threads.size() &&
                   (clears || (thread.group->slm.empty() && thread.scratch.empty()));
        }
        // Between groups.
        void take_better_code() {
            const auto outdated = [](const Slot& slot) {
                return slot.code != nullptr && slot.code != slot.version->present();
            };
            if (!outdated(slots_.front()) && !outdated(slots_.back()))
                return;
            for (Slot& slot : slots_)
                slot.code = nullptr;
            fresh_ = 0;
        }
        void ran(uint64_t instructions) {
            untold_ += instructions;
            if (untold_ >= full_.worth_telling())
                tell_versions();
        }
        void tell_versions() {
            for (const Slot* slot : {&slots_.front(), &slots_.back()})
                if (slot->version != nullptr)
                    slot->version->ran(untold_);
            untold_ = 0;
        }
        // What a run that has not come to its end left its threads in; `index`: the one that ran last.
        void tell(std::span<Thread> threads, uint32_t index) {
            const bool some_wait = states_[index].some_wait != 0;
            for (uint32_t k = 0; k < threads.size(); ++k) {
                Thread& thread = threads[k];
                const State& state = states_[k];
                thread.untouched = false;
                if (k == index && !some_wait) {
                    leave(slots_[k], state, thread);
                } else if (state.ended != 0) {
                    thread.status = Status::done;
                    thread.instructions = 0;
                } else {
                    thread.pc = state.pc;
                    thread.execution_mask = state.mask;
                    thread.instructions = state.instructions;
                    const size_t behind = (k + states_.size() - index - 1) % states_.size();
                    if (behind < states_[index].left) // not its turn in this phase yet
                        continue;
                    const PreparedInstruction& barrier = thread.program->code[state.pc - 1];
                    machine::signal_barrier(thread, barrier);
                    machine::wait_at_barrier(thread, barrier);
                }
            }
        }
        void leave(Slot& slot, const State& state, Thread& thread) const {
            if (state.refill) // a surface variable has another value
                slot.code = nullptr;
            finish(thread, state);
        }
        // Makes states ready to start; how many from the first on.
        uint32_t make_fresh(std::span<Thread> threads) {
            uint32_t count = 0;
            for (; count < threads.size(); ++count) {
                Slot& slot = slots_[count];
                if (!ready(slot, states_[count], threads[count]) || slot.code != slots_.front().code)
                    break;
                threads[count].status = Status::running;
                slot.begun = true;
                State& state = states_[count];
                state.instructions = 0;
                state.mask = state.dispatch_mask;
                state.pc = 0;
                state.ended = 0;
            }
            for (State& state : std::span(states_).first(count)) {
                state.group = states_.data();
                state.group_count = count == threads.size() ? count : 0;
            }
            return count;
        }
        // False: the thread is the reference's.
        bool ready(Slot& slot, State& state, Thread& thread) {
            if (thread.pc != 0 && !slot.begun)
                return false;
            if (slot.code == nullptr && !fill(slot, state, thread))
                return false;
            if (thread.pc == 0 && slot.contents.empty() && slot.code->pinned_bytes != 0) {
                keep(slot.contents, *slot.code, thread);
                state.first_contents = slot.contents.data();
            }
            return true;
        }
        bool fill(Slot& slot, State& state, Thread& thread) {
            slot.version = engine_.version_of(thread, full_);
            const Code* code = slot.version == nullptr ? nullptr : slot.version->code(*thread.launch);
            if (code != nullptr && !handles_have_windows(thread, code->object)) {
                slot.version = &engine_.any_; // which looks each up when a message comes
                code = slot.version->code(*thread.launch);
            }
            if (code == nullptr || !engine_.fill(state, slot.windows, thread, *code))
                return false;
            if (code->object.looks_up && launch_windows_.empty())
                fill_launch_windows(launch_windows_, thread, engine_.options_.told);
            give(state, launch_windows_);
            state.first_contents = slot.contents.data();
            state.symbols = symbols_.data();
            state.calls = &calls_;
            const size_t bytes = thread.program->register_bytes;
            // As it comes: nothing is read that was not saved.
            if (!in_pairs_ && !saved_.reallocate(bytes * states_.size()))
                return false;
            // A partner finds the thread's registers in their own place.
            state.saved = in_pairs_ ? thread.registers : saved_.data() + bytes * thread.index;
            slot.code = code;
            return true;
        }

        const NativeEngine& engine_;
        TieredCode& full_;
        std::vector<Slot> slots_;
        std::vector<State> states_; // by thread, as generated code goes from one to the next
        bool in_pairs_;             // threads write into each other's registers
        uint64_t launch_threads_;
        std::vector<uint64_t> symbols_;
        std::vector<Window> launch_windows_; // if some code looks handles up
        NontemporalTuner past_;
        machine::GuardedMemory& saved_; // by thread: registers while it is stopped
        uint32_t calls_ = 0;            // back from the threads that run
        uint32_t fresh_ = 0;            // threads, from the first on, that are ready to start
        uint64_t untold_ = 0;           // instructions that ran
        uint64_t at_once_ = 0;          // groups that take no longer than it may take to look for better code
    };

    [[nodiscard]] std::map<std::string, uint64_t> called_out_by_name() const {
        std::map<std::string, uint64_t> found;
        for (size_t i = 0; i < called_out_.size(); ++i)
            if (const uint64_t count = called_out_[i].load(std::memory_order_relaxed); count != 0)
                found[programs_.front()->code[i].row->mnemonic] += count;
        return found;
    }

    static CompileOptions with_some_lanes(CompileOptions options) {
        options.full = false;
        return options;
    }

    // nullptr: the reference runs this thread.
    TieredCode* version_of(const Thread& thread, TieredCode& of_full) const {
        if (thread.function != 0 || (thread.watcher != nullptr) != options_.told.any() ||
            thread.lane_seed != 0 || thread.launch->simd != options_.simd)
            return nullptr;
        return thread.dispatch_mask == machine::lane_bits(options_.simd) ? &of_full : &tail_;
    }

    // For threads whose lanes all were dispatched, with what they find in their registers. How large that is
    // tells which places in shared local memory exist; who has none is served by the code for any size.
    TieredCode& version_for(const machine::Launch& launch) const {
        const std::lock_guard lock(mutex_);
        if (last_version_ == nullptr || !last_shape_.is_of(launch)) { // nearly always the one before
            last_version_ = &find_version(launch);
            last_shape_ = machine::InputShape::of(launch);
        }
        return *last_version_;
    }
    // With `mutex_`.
    TieredCode& find_version(const machine::Launch& launch) const {
        auto inputs = machine::lane_steps(launch);
        for (machine::LaneSteps& input : inputs)
            if (launch.slm_bytes == 0)
                input.most = UINT32_MAX;
        auto shared = machine::shared_inputs(launch);
        for (const auto& version : versions_)
            if (version->options().inputs == inputs && version->options().shared == shared &&
                version->options().slm_bytes <= launch.slm_bytes &&
                version->options().scratch_bytes <= launch.scratch_bytes)
                return *version;
        if (versions_.size() >= most_versions)
            return any_;
        CompileOptions options = options_;
        options.inputs = std::move(inputs);
        options.shared = std::move(shared);
        options.slm_bytes = launch.slm_bytes;
        options.scratch_bytes = launch.scratch_bytes;
        versions_.push_back(std::make_unique<TieredCode>(provider_, *programs_.front(), std::move(options)));
        return *versions_.back();
    }

    bool fill(State& state, std::vector<Window>& windows, Thread& thread, const Code& code) const {
        static constexpr bool never = false;
        if (!fill_windows(windows, thread, code.object, options_.told))
            return false;
        const size_t sites = code.object.sites;
        if (thread.sites.size() < sites)
            thread.sites.resize(sites);
        state.registers = thread.registers;
        state.predicates = thread.predicates.data();
        state.addresses = thread.addresses.data();
        state.waiting = thread.waiting.data();
        state.surfaces = thread.surfaces.data();
        state.windows = windows.data();
        state.named_windows = windows.data() + code.object.surfaces.size();
        state.handle_windows = state.named_windows + code.object.named_surfaces.size();
        state.first_windows = state.handle_windows + code.object.handles.size();
        state.first_surfaces = thread.launch->preset_surfaces.data();
        state.sites = thread.sites.data();
        state.group_ids = thread.group->id.data();
        state.stop = thread.stop == nullptr ? &never : reinterpret_cast<const bool*>(thread.stop);
        state.idle_atomics = &thread.idle_atomics;
        state.step = step;
        state.poll = poll;
        state.meet = meet;
        state.admit = admit;
        state.admit_lanes = admit_lanes;
        state.clear = clear;
        state.lane_access_calls = &lane_access_calls();
        state.launch_threads = 0;
        state.fuel = thread.fuel;
        state.dispatch_mask = thread.dispatch_mask;
        state.refill = false;
        const std::span<std::byte> slm = thread.group->slm;
        state.slm = {slm.empty() ? machine::no_access_address() : slm.data(), slm.size(),
                     ~(uint64_t{1} << 28U)};
        state.thread = &thread;
        state.engine = this;
        state.code = &code;
        state.window_store = &windows;
        return true;
    }

    static void give(State& state, const std::vector<Window>& launch_windows) {
        state.launch_windows = launch_windows.data();
        state.launch_window_count = launch_windows.size();
    }

    // What variables in memory hold.
    static void keep(std::vector<std::byte>& contents, const Code& code, const Thread& thread) {
        contents.clear();
        const std::vector<uint32_t>& pinned = code.object.pinned;
        for (size_t k = 0; k < pinned.size(); k += 2)
            contents.insert(contents.end(), thread.registers + pinned[k],
                            thread.registers + pinned[k] + pinned[k + 1]);
    }

    // What differs each time.
    static void enter(State& state, const Thread& thread) {
        state.instructions = thread.instructions;
        state.mask = thread.execution_mask;
        state.pc = thread.pc;
        state.ended = 0;
        state.group_count = 0;
    }

    static PreparedInstruction last_of(const Thread& thread) {
        const auto& code = thread.program->code;
        return code.empty() ? PreparedInstruction{} : code.back();
    }

    static void finish(Thread& thread, const State& state) {
        thread.instructions = state.instructions;
        if (thread.status == Status::faulted)
            return;
        if (state.ended == 0) {
            thread.pc = state.pc;
            thread.execution_mask = state.mask;
        } else if (state.ended == 2) {
            thread.fail(FaultKind::bad_branch, last_of(thread), "control ran past the end of the function");
        } else if (state.instructions > state.fuel) {
            out_of_fuel(thread, last_of(thread));
        } else {
            thread.execution_mask = 0;
            thread.status = Status::done;
        }
    }

    static void out_of_fuel(Thread& thread, const PreparedInstruction& instruction) {
        thread.fail(FaultKind::fuel, instruction,
                    fmt::format("the hardware thread has spent its {} instructions", thread.fuel));
    }

    // ---- what generated code calls

    static uint32_t step(State* state, uint32_t index) {
        Thread& thread = *state->thread;
        const auto& engine = *static_cast<const NativeEngine*>(state->engine);
        const PreparedInstruction& instruction = thread.program->code[index];
        thread.untouched = false;
        ++*state->calls;
        thread.execution_mask = state->mask;
        thread.pc = index + 1;
        thread.instructions = state->instructions;
        engine.called_out_[index].fetch_add(1, std::memory_order_relaxed);
        if (thread.watcher != nullptr && thread.watcher->wants_instructions())
            thread.watcher->instruction(thread, instruction, machine::running_lanes(thread, instruction));
        engine.reference_.steps.front()[index](thread, instruction);
        const bool moves = instruction.row->family == isa::Family::move; // movs: into surface variables, too
        state->refill = state->refill || moves;
        if (moves && !fill_windows(*static_cast<std::vector<Window>*>(state->window_store), thread,
                                   static_cast<const Code*>(state->code)->object, engine.options_.told))
            thread.fail(FaultKind::unsupported, instruction,
                        "the JIT does not reach into surfaces of 2 GiB and more");
        return static_cast<uint32_t>(thread.status);
    }

    static uint32_t poll(State* state, uint32_t index, uint32_t can_yield) {
        Thread& thread = *state->thread;
        thread.untouched = false;
        ++*state->calls;
        const PreparedInstruction& instruction = thread.program->code[index];
        thread.instructions = state->instructions;
        if (*state->stop)
            thread.fail(FaultKind::stopped, instruction);
        else if (state->instructions >= state->fuel)
            out_of_fuel(thread, instruction);
        else if (can_yield != 0)
            thread.status = Status::yielded;
        return static_cast<uint32_t>(thread.status);
    }

    static uint32_t admit(State* state, uint32_t site, uint32_t index, uint64_t first, uint64_t last,
                          uint64_t bytes) {
        if (last < first || last > UINT64_MAX - bytes)
            return 0;
        const Thread& thread = *state->thread;
        const uint64_t all_bytes = last - first + bytes;
        const machine::Allocation* const found = thread.launch->memory->find(first, all_bytes);
        if (found == nullptr)
            return 0;
        machine::AddressRange part{found->address, found->bytes};
        const auto& engine = *static_cast<const NativeEngine*>(state->engine);
        if (engine.options_.told.outside) {
            part = {};
            if (engine.silence_ != nullptr)
                part = engine.silence_->silent_part(thread, thread.program->code[index], *found, first);
            if (first < part.address || first - part.address > part.bytes ||
                all_bytes > part.bytes - (first - part.address))
                return 0;
        }
        state->sites[site] = {part.address, part.address + part.bytes - bytes};
        return 1;
    }

    static uint32_t admit_lanes(State* state, uint32_t site, uint32_t index, const uint64_t* places,
                                uint32_t on, uint32_t lanes, uint64_t displacement, uint64_t bytes) {
        const auto [first, last] = extremes(places, on, lanes, displacement);
        const Site& known = state->sites[site];
        if (first >= known.low && last <= known.last)
            return 1;
        return admit(state, site, index, first, last, bytes);
    }

    std::vector<std::shared_ptr<const Program>> programs_;
    Reference reference_;
    CompileOptions options_;
    const CodeProvider& provider_;
    const machine::FlatSilence* silence_ = nullptr;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<TieredCode>> versions_; // of full threads, by what they find
    mutable machine::InputShape last_shape_;
    mutable TieredCode* last_version_ = nullptr;            // for launches of that shape
    mutable TieredCode any_;                                // of full threads, whatever they find
    mutable TieredCode tail_;                               // of others
    std::vector<std::string> refused_;                      // other functions than the kernel
    std::vector<uint32_t> with_symbols_;                    // instructions (engine/symbol_table.h)
    mutable std::vector<std::atomic<uint64_t>> called_out_; // by code index
};

} // namespace

std::expected<std::unique_ptr<Engine>, std::string>
make_engine(std::vector<std::shared_ptr<const Program>> programs, Reference reference,
            const CompileOptions& options, const CodeProvider& maker) {
    auto engine = std::make_unique<NativeEngine>(std::move(programs), std::move(reference), options, maker);
    if (auto ready = engine->prepare(); !ready)
        return std::unexpected(ready.error());
    return engine;
}

} // namespace visor::jit
