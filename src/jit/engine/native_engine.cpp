#include "jit/engine/native_engine.h"

#include "isa/predefined.h"
#include "jit/engine/fallback_counts.h"
#include "jit/engine/nontemporal_tuner.h"
#include "jit/engine/runtime_abi.h"
#include "jit/engine/runtime_calls.h"
#include "jit/engine/surface_windows.h"
#include "jit/engine/symbol_table.h"
#include "jit/engine/tiered_code.h"
#include "jit/engine/variants.h"
#include "jit/program/function_info.h"
#include "machine/barrier.h"
#include "machine/element.h"
#include "machine/guarded_memory.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace visor::jit {

namespace {

using machine::FaultKind;
using machine::Status;
using machine::Thread;

// UBSan's function check reads a type signature before the function; generated code has none there, and
// perhaps no mapped page.
#if defined(__clang__)
[[clang::no_sanitize("function")]]
#endif
State* call(Enter gate, const Code& code, State& state, uint64_t more = 0) {
    return gate == nullptr ? code.native(&state, more) : gate(code.native, &state, more);
}

// A kernel's code for threads with all lanes dispatched, and for threads with some.
class NativeEngine final : public Engine {
public:
    NativeEngine(std::vector<std::shared_ptr<const Program>> programs, Reference reference,
                 const CompileOptions& options, const CodeProvider& provider, Enter gate)
        : programs_(std::move(programs)), reference_(std::move(reference)), options_(options), gate_(gate),
          variants_(provider, *programs_.front(), options_),
          symbol_instructions_(instructions_with_symbols(*programs_.front())),
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
        TieredCode* const variant = variants_.of_thread(thread, variants_.generic());
        const Code* const code = variant == nullptr ? nullptr : variant->code(*thread.launch);
        if (code == nullptr)
            return reference_.engine->run(thread);
        thread.untouched = false;
        // Not thread_local: destructors of static objects run later, and may still run kernels.
        std::vector<Window> windows;
        std::vector<Window> launch_windows;
        std::vector<std::byte> contents;
        const std::vector<uint64_t> symbols = symbol_addresses(symbol_instructions_, *thread.launch);
        State state;
        if (!fill(state, windows, thread, *code))
            return reference_.engine->run(thread);
        if (code->object.looks_up)
            fill_launch_windows(launch_windows, thread, options_.reported);
        set_launch_windows(state, launch_windows);
        if (thread.pc == 0)
            save_pinned(contents, *code, thread);
        state.symbols = symbols.data();
        state.first_contents = contents.data();
        uint32_t calls = 0;
        state.calls = &calls;
        state.saved = thread.registers;
        enter(state, thread);
        call(gate_, *code, state);
        variant->ran(state.instructions - thread.instructions);
        finish(thread, state);
    }

    [[nodiscard]] std::unique_ptr<Session> session(const machine::Launch& launch,
                                                   machine::GuardedMemory& saved) const override {
        return std::make_unique<NativeSession>(*this, launch, saved);
    }

    [[nodiscard]] EngineFacts facts() const override {
        EngineFacts facts{.functions = 0,
                          .called_out = called_out_.by_mnemonic(*programs_.front()),
                          .compile_seconds = 0,
                          .tiered_up = false,
                          .refused = refused_};
        variants_.add_facts(facts);
        return facts;
    }

    void set_flat_filter(const machine::FlatAccessFilter* silence) override { flat_filter_ = silence; }

private:
    // A state for each thread of a group, filled once: its pointers stay valid from group to group.
    class NativeSession final : public Session {
    public:
        NativeSession(const NativeEngine& engine, const machine::Launch& launch,
                      machine::GuardedMemory& saved)
            : engine_(engine), full_(engine.variants_.of_launch(launch)), slots_(launch.threads),
              states_(launch.threads), in_pairs_(std::ranges::any_of(launch.program->code, meets_partner)),
              launch_threads_(machine::group_count(launch) * launch.threads),
              symbols_(symbol_addresses(engine.symbol_instructions_, launch)),
              image_windows_(image_windows(engine.variants_.image_messages(), launch)), saved_(saved) {}
        ~NativeSession() override {
            report_instructions();
            engine_.called_out_.add(called_out_);
            for (size_t k = 0; k < slots_.size(); ++k) // pinned variables have changed
                if (!slots_[k].contents.empty())
                    states_[k].thread->untouched = false;
            for (const Slot* slot : {&slots_.front(), &slots_.back()})
                if (slot->variant != nullptr)
                    slot->variant->launch_ended();
        }
        NativeSession(const NativeSession&) = delete;
        NativeSession& operator=(const NativeSession&) = delete;
        NativeSession(NativeSession&&) = delete;
        NativeSession& operator=(NativeSession&&) = delete;

        void run(Thread& thread) override {
            Slot& slot = slots_[thread.index];
            State& state = states_[thread.index];
            startable_ = 0;
            slot.begun = slot.begun && thread.pc != 0;
            if (!ready(slot, state, thread))
                return engine_.reference_.engine->run(thread);
            slot.begun = true;
            enter(state, thread);
            call(engine_.gate_, *slot.code, state);
            ran(state.instructions - thread.instructions);
            leave(slot, state, thread);
        }

        Untouched run_untouched(std::span<Thread> threads, uint64_t more_groups) override {
            tier_up_between_groups();
            if (startable_ == 0 && !in_pairs_)
                startable_ = make_startable(threads);
            if (startable_ == 0)
                return {};
            calls_ = 0;
            const uint64_t may_follow =
                std::min(more_groups, groups_may_follow(threads) ? groups_per_call_ : 0);
            State* const last = call_timed(may_follow);
            ran(last->total);
            Untouched run{.ran = startable_,
                          .all_ended = false,
                          .instructions = last->total,
                          .more_groups = may_follow - states_.front().groups_left};
            states_.front().groups_left = 0; // a thread that resumes later does so alone
            groups_per_call_ =
                TieredCode::longest_report_interval / (last->total / (run.more_groups + 1) + 1);
            run.all_ended = last->ended == 1 && last->instructions <= last->fuel && last->some_wait == 0;
            if (!run.all_ended) {
                const auto index = static_cast<uint32_t>(last - states_.data());
                run.ran = last->phase == 0 ? index + 1 : startable_;
                write_back_threads(threads.first(run.ran), index);
            } else {
                run.all_ended = startable_ == threads.size();
                if (!run.all_ended)
                    for (Thread& thread : threads.first(startable_)) {
                        thread.status = Status::done;
                        thread.instructions = 0;
                    }
            }
            last->some_wait = 0;
            last->instructions = 0;
            run.touched = calls_ != 0 || !run.all_ended;
            if (run.touched)
                startable_ = 0;
            return run;
        }

    private:
        struct Slot {
            TieredCode* variant = nullptr;
            const Code* code = nullptr; // of the version
            std::vector<Window> windows;
            std::vector<std::byte> contents; // initial values of pinned variables
            bool begun = false;              // the thread has run here: its registers are in `saved`
        };
        // Runs the startable threads, then up to `may_follow` further groups. Selects non-temporal stores in
        // the first thread's state, and times them.
        State* call_timed(uint64_t may_follow) {
            State& first = states_.front();
            first.groups_left = may_follow;
            first.launch_threads = nontemporal_.is_nontemporal() ? launch_threads_ : 0;
            const auto begin = std::chrono::steady_clock::now();
            State* const last = call(engine_.gate_, *slots_.front().code, first, startable_ - 1);
            const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
            nontemporal_.record(static_cast<uint64_t>(took.count()), may_follow - first.groups_left + 1);
            return last;
        }
        // Between groups the code clears shared local memory and scratch, if it was compiled for any.
        [[nodiscard]] bool groups_may_follow(std::span<const Thread> threads) const {
            const Thread& thread = threads.front();
            const CompileOptions& made_for = slots_.front().variant->options();
            const bool clears = made_for.slm_bytes != 0 || made_for.scratch_bytes != 0;
            return startable_ == threads.size() &&
                   (clears || (thread.group->slm.empty() && thread.scratch.empty()));
        }
        // Tiers up between groups.
        void tier_up_between_groups() {
            const auto outdated = [](const Slot& slot) {
                return slot.code != nullptr && slot.code != slot.variant->present();
            };
            if (!outdated(slots_.front()) && !outdated(slots_.back()))
                return;
            for (Slot& slot : slots_)
                slot.code = nullptr;
            startable_ = 0;
        }
        void ran(uint64_t instructions) {
            unreported_ += instructions;
            if (unreported_ >= full_.report_interval())
                report_instructions();
        }
        void report_instructions() {
            for (const Slot* slot : {&slots_.front(), &slots_.back()})
                if (slot->variant != nullptr)
                    slot->variant->ran(unreported_);
            unreported_ = 0;
        }
        // After an incomplete run: copies states back to the threads; `index`: the one that ran last.
        void write_back_threads(std::span<Thread> threads, uint32_t index) {
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
                    const size_t distance = (k + states_.size() - index - 1) % states_.size();
                    if (distance < states_[index].left) // it has not run in this phase yet
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
        // Prepares states for the start of their threads; returns how many, from the first on.
        uint32_t make_startable(std::span<Thread> threads) {
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
        // False: the interpreter runs the thread.
        bool ready(Slot& slot, State& state, Thread& thread) {
            if (thread.pc != 0 && !slot.begun)
                return false;
            if (slot.code == nullptr && !fill(slot, state, thread))
                return false;
            if (thread.pc == 0 && slot.contents.empty() && slot.code->pinned_bytes != 0) {
                save_pinned(slot.contents, *slot.code, thread);
                state.first_contents = slot.contents.data();
            }
            return true;
        }
        bool fill(Slot& slot, State& state, Thread& thread) {
            slot.variant = engine_.variants_.of_thread(thread, full_);
            const Code* code = slot.variant == nullptr ? nullptr : slot.variant->code(*thread.launch);
            if (code != nullptr && !handles_have_windows(thread, code->object)) {
                slot.variant = &engine_.variants_.generic(); // which looks handles up at each message
                code = slot.variant->code(*thread.launch);
            }
            if (code == nullptr || !engine_.fill(state, slot.windows, thread, *code))
                return false;
            if (code->object.looks_up && launch_windows_.empty())
                fill_launch_windows(launch_windows_, thread, engine_.options_.reported);
            set_launch_windows(state, launch_windows_);
            state.first_contents = slot.contents.data();
            state.symbols = symbols_.data();
            state.called_out = &called_out_;
            state.images = image_windows_.data();
            state.calls = &calls_;
            const size_t bytes = thread.program->register_bytes;
            // Uninitialized: code reads only registers that it saved.
            if (!in_pairs_ && !saved_.reallocate(bytes * states_.size()))
                return false;
            // A fused partner accesses the thread's registers in the register file.
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
        std::vector<ImageWindow> image_windows_;
        std::vector<uint64_t> called_out_;   // by code index
        std::vector<Window> launch_windows_; // if some code looks handles up
        NontemporalTuner nontemporal_;
        machine::GuardedMemory& saved_; // by thread: registers while it is stopped
        uint32_t calls_ = 0;            // back from the threads that run
        uint32_t startable_ = 0;        // threads, from the first on, that are ready to start
        uint64_t unreported_ = 0;       // instructions that ran
        uint64_t groups_per_call_ = 0;  // groups between two checks for tier 2 code
    };

    bool fill(State& state, std::vector<Window>& windows, Thread& thread, const Code& code) const {
        static constexpr bool never = false;
        if (!fill_windows(windows, thread, code.object, options_.reported))
            return false;
        const size_t sites = code.object.sites;
        if (thread.sites.size() < sites)
            thread.sites.resize(sites);
        state.registers = thread.registers;
        state.predicates = thread.predicates.data();
        state.addresses = thread.addresses.data();
        state.waiting = thread.waiting.data();
        state.surfaces = thread.surfaces.data();
        state.samplers = thread.samplers.data();
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
        state.check_range = check_range;
        state.check_lanes = check_lanes;
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

    static void set_launch_windows(State& state, const std::vector<Window>& launch_windows) {
        state.launch_windows = launch_windows.data();
        state.launch_window_count = launch_windows.size();
    }

    // Saves the values of pinned variables.
    static void save_pinned(std::vector<std::byte>& contents, const Code& code, const Thread& thread) {
        contents.clear();
        const std::vector<uint32_t>& pinned = code.object.pinned;
        for (size_t k = 0; k < pinned.size(); k += 2)
            contents.insert(contents.end(), thread.registers + pinned[k],
                            thread.registers + pinned[k] + pinned[k + 1]);
    }

    // Sets the members that differ from run to run.
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

    // ---- callbacks of generated code

    static uint32_t step(State* state, uint32_t index) {
        Thread& thread = *state->thread;
        const auto& engine = *static_cast<const NativeEngine*>(state->engine);
        const PreparedInstruction& instruction = thread.program->code[index];
        thread.untouched = false;
        ++*state->calls;
        thread.execution_mask = state->mask;
        thread.pc = index + 1;
        thread.instructions = state->instructions;
        if (state->called_out == nullptr)
            engine.called_out_.add_one(index);
        else
            FallbackCounts::add_one(*state->called_out, index, thread.program->code.size());
        if (thread.watcher != nullptr && thread.watcher->wants_instructions())
            thread.watcher->instruction(thread, instruction, machine::running_lanes(thread, instruction));
        engine.reference_.steps.front()[index](thread, instruction);
        const bool moves = moves_surface(*thread.program, instruction);
        state->refill = state->refill || moves;
        if (moves && !fill_windows(*static_cast<std::vector<Window>*>(state->window_store), thread,
                                   static_cast<const Code*>(state->code)->object, engine.options_.reported))
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

    static uint32_t check_range(State* state, uint32_t site, uint32_t index, uint64_t first, uint64_t last,
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
        if (engine.options_.reported.outside) {
            part = {};
            if (const machine::FlatAccessFilter* const filter = engine.flat_filter_)
                part = filter->unreported_range(thread, thread.program->code[index], *found, first);
            if (first < part.address || first - part.address > part.bytes ||
                all_bytes > part.bytes - (first - part.address))
                return 0;
        }
        state->sites[site] = {part.address, part.address + part.bytes - bytes};
        return 1;
    }

    static uint32_t check_lanes(State* state, uint32_t site, uint32_t index, const uint64_t* addresses,
                                uint32_t on, uint32_t lanes, uint64_t displacement, uint64_t bytes) {
        const auto [first, last] = extremes(addresses, on, lanes, displacement);
        const Site& known = state->sites[site];
        if (first >= known.low && last <= known.last)
            return 1;
        return check_range(state, site, index, first, last, bytes);
    }

    std::vector<std::shared_ptr<const Program>> programs_;
    Reference reference_;
    CompileOptions options_;
    Enter gate_;
    const machine::FlatAccessFilter* flat_filter_ = nullptr;
    mutable Variants variants_;
    std::vector<std::string> refused_;          // other functions than the kernel
    std::vector<uint32_t> symbol_instructions_; // instructions (engine/symbol_table.h)
    mutable FallbackCounts called_out_;
};

} // namespace

std::expected<std::unique_ptr<Engine>, std::string>
make_engine(std::vector<std::shared_ptr<const Program>> programs, Reference reference,
            const CompileOptions& options, const CodeProvider& provider, Enter gate) {
    auto engine =
        std::make_unique<NativeEngine>(std::move(programs), std::move(reference), options, provider, gate);
    if (auto ready = engine->prepare(); !ready)
        return std::unexpected(ready.error());
    return engine;
}

} // namespace visor::jit
