// The schedule: groups by number, the threads of a group round-robin, switching at barriers and yields. A
// seed permutes each round. Each worker owns the thread states of one group and reuses them.
#include "machine/dispatch.h"

#include "machine/call.h"
#include "machine/helper_workers.h"
#include "machine/payload_lanes.h"
#include "machine/random.h"
#include "machine/state_handle.h"
#include "machine/thread_payload.h"
#include "machine/watchdog.h"
#include "machine/work_partition.h"
#include "machine/worker_arena.h"
#include "machine/worker_pool.h"
#include "program/waits.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>

namespace visor::machine {

namespace {

using isa::Predefined;

void shuffle(std::vector<uint32_t>& order, uint64_t& state) {
    for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[next_random(state) % i]);
}

// State shared by all workers.
struct Shared {
    const Launch& launch;
    const Engine& engine;
    const RunOptions& options;
    Watcher* watcher;
    const std::atomic<bool>* stop;
    WorkPartition partition;
    std::atomic<bool> failed = false;
    std::mutex mutex{};
    RunResult result{};
};

class Worker {
public:
    Worker(Shared& shared, uint32_t number) : shared_(shared), launch_(shared.launch), number_(number) {
        const Program& program = *launch_.program;
        if (shared.options.arenas != nullptr)
            arena_ = shared.options.arenas->take(launch_.program, number_);
        if (const auto memory = arena_.allocate(launch_, thread_scratch()); !memory) {
            result_.fault.kind = FaultKind::out_of_memory;
            result_.fault.detail = memory.error();
            return;
        }
        reuses_threads_ = arena_.prepare(launch_);
        random_ = shared.options.seed + number;
        for (const ComputedInput& input : launch_.computed_inputs)
            computed_bytes_ += size_t{input.lanes} * input.element_bytes;
        if (!reuses_threads_)
            compute_inputs();
        if (shared.watcher == nullptr && shared.options.seed == 0)
            session_ = shared.engine.session(launch_, arena_.saved);
        reuses_threads_ =
            reuses_threads_ && session_ != nullptr; // without a session every group resets its threads
        for (size_t k = 0; k < id_offsets_.size(); ++k)
            id_offsets_[k] =
                program.register_base(group_id_dwords[k].variable) + group_id_dwords[k].dword * 4;
    }

    ~Worker() {
        session_.reset(); // before the threads
        if (shared_.options.arenas != nullptr)
            shared_.options.arenas->give_back(std::move(arena_));
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    Worker(Worker&&) = delete;
    Worker& operator=(Worker&&) = delete;

    // All groups in order, and back to where a control takes them.
    void run_controlled(uint64_t first, uint64_t last) {
        RunControl& control = *shared_.options.control;
        GroupState state{group_,  arena_.threads, arena_.order,          position_,
                         random_, result_,        arena_.scratch.bytes()};
        state_ = &state;
        shared_.failed = result_.fault.kind != FaultKind::none; // there is no memory
        for (uint64_t number = first;;) {
            for (; number < last && !shared_.failed; number = group_.linear + 1)
                if (!stop_requested(number))
                    run_group(number, last);
            if (!control.over(state, result_.fault))
                break;
            result_.fault = {};
            shared_.failed = false;
            complete_group(false, true);
            number = group_.linear + 1;
        }
        shared_.result = result_;
    }

    // `helpers`: woken when the launch takes long; null for a helper.
    void run(HelperWorkers* helpers) {
        if (result_.fault.kind != FaultKind::none) // there is no memory
            shared_.failed = true;
        while (!shared_.failed) {
            const auto batch = helpers != nullptr
                                   ? helpers->wake_if_worthwhile(result_.groups, shared_.partition)
                                   : std::nullopt;
            const auto [begin, end] = shared_.partition.take(number_, batch);
            if (begin == end)
                break;
            for (uint64_t number = begin; number < end && !shared_.failed; number = group_.linear + 1)
                if (!stop_requested(number))
                    run_group(number, end);
        }
        const std::lock_guard lock(shared_.mutex);
        shared_.result.groups += result_.groups;
        shared_.result.threads += result_.threads;
        shared_.result.instructions += result_.instructions;
        const bool first = shared_.result.fault.kind == FaultKind::none;
        if (first && result_.fault.kind != FaultKind::none)
            shared_.result.fault = result_.fault;
    }

private:
    // Threads poll the flag at backward branches; this stops launches of threads without loops.
    bool stop_requested(uint64_t number) {
        if (shared_.stop == nullptr || !shared_.stop->load(std::memory_order_relaxed))
            return false;
        set_group(number);
        result_.fault.kind = FaultKind::stopped;
        result_.fault.group = group_.id;
        shared_.failed = true;
        return true;
    }

    // Groups are mostly consecutive: divisions would dominate a small group's overhead.
    void set_group(uint64_t number) {
        const std::array<uint32_t, 3>& groups = launch_.groups;
        const std::array<uint32_t, 3>& first = launch_.first_group;
        const bool in_row = has_group_ && number == group_.linear + 1;
        group_.linear = number;
        has_group_ = true;
        if (in_row) {
            for (size_t d = 0; d < group_.id.size(); ++d) {
                if (++group_.id[d] - first[d] != groups[d])
                    return;
                group_.id[d] = first[d];
            }
        }
        group_.id = {static_cast<uint32_t>(number % groups[0]) + first[0],
                     static_cast<uint32_t>(number / groups[0] % groups[1]) + first[1],
                     static_cast<uint32_t>(number / groups[0] / groups[1]) + first[2]};
    }

    // May run further groups up to `end`; `group_` becomes the last one.
    void run_group(uint64_t number, uint64_t end) {
        set_group(number);
        std::ranges::fill(arena_.slm.bytes(), std::byte{0});
        for (uint32_t i = 0; !arena_.scratch.empty() && i < launch_.threads; ++i)
            begin_scratch(launch_, arena_.scratch_of(i));
        group_.slm = arena_.slm.bytes();
        if (barriers_used_) {
            group_.barriers = {};
            group_.barriers.threads = launch_.threads;
            barriers_used_ = false;
        }
        if (session_ != nullptr && run_untouched(end))
            return;
        barriers_used_ = true;
        bool finished = session_ != nullptr && run_remaining();
        if (session_ == nullptr)
            for (uint32_t i = 0; i < launch_.threads; ++i)
                reset(i);
        std::iota(arena_.order.begin(), arena_.order.end(), 0U);
        if (shared_.watcher != nullptr)
            shared_.watcher->group_began(arena_.threads);
        if (state_ != nullptr)
            shared_.options.control->begin(*state_);
        position_ = 0;
        complete_group(finished, false);
    }

    // From where its threads are; `within_round`: in the middle of the schedule's.
    void complete_group(bool finished, bool within_round) {
        if (!finished && result_.fault.kind == FaultKind::none)
            finished = schedule(within_round);
        if (shared_.watcher != nullptr)
            for (const Thread& thread : arena_.threads)
                shared_.watcher->thread_ended(thread);
        for (const Thread& thread : arena_.threads) {
            result_.instructions += thread.instructions;
            result_.threads += thread.status == Status::done ? 1 : 0;
        }
        result_.groups += finished ? 1 : 0;
    }

    // Groups after the current one that the session may run in the same call. Bounded, so that the caller can
    // stop; the session reduces it for long groups.
    [[nodiscard]] uint64_t groups_in_row(uint64_t end) const {
        constexpr uint64_t most = 1023;
        const uint64_t in_row = launch_.groups[0] - (group_.id[0] - launch_.first_group[0]) - 1;
        return std::min({most, in_row, end - group_.linear - 1});
    }

    // Runs threads of the group together, in the session. True: the whole group has ended.
    bool run_untouched(uint64_t end) {
        for (uint32_t i = 0; !all_untouched_ && i < launch_.threads; ++i)
            if (!arena_.threads[i].untouched || reuses_threads_)
                reset(i);
        reuses_threads_ = false;
        const auto run = session_->run_untouched(arena_.threads, groups_in_row(end));
        all_untouched_ = !run.touched;
        group_.linear += run.more_groups;
        result_.groups += run.more_groups;
        result_.threads += run.more_groups * launch_.threads;
        result_.instructions += run.instructions;
        ran_in_session_ = run.ran;
        if (!run.all_ended)
            return false;
        result_.threads += run.ran;
        ++result_.groups;
        return true;
    }

    // Runs each remaining thread for the first time. True: all threads have ended.
    bool run_remaining() {
        bool all = true;
        for (uint32_t i = 0; i < launch_.threads; ++i) {
            Thread& thread = arena_.threads[i];
            if (i >= ran_in_session_) {
                if (thread.untouched)
                    reset_ids(thread);
                else
                    reset(i);
                session_->run(thread);
            }
            all = all && thread.status == Status::done;
            if (thread.status == Status::faulted) {
                fail_with(thread);
                // Their state is of the previous group.
                for (Thread& not_run : std::span(arena_.threads).subspan(std::max(i + 1, ran_in_session_))) {
                    not_run.instructions = 0;
                    not_run.status = Status::running;
                }
                return false;
            }
        }
        return all;
    }

    void fail_with(const Thread& thread) {
        result_.fault = thread.fault;
        shared_.failed = true;
    }

    void run_thread(Thread& thread) {
        if (session_ != nullptr)
            session_->run(thread);
        else
            shared_.engine.run(thread);
    }

    // From `position_` in the order on. True when every thread ended well.
    bool schedule(bool within_round) {
        for (;; position_ = 0, within_round = false) {
            if (shared_.options.seed != 0 && !within_round)
                shuffle(arena_.order, random_);
            bool ran = within_round;
            for (; position_ < arena_.order.size(); ++position_) {
                Thread& thread = arena_.threads[arena_.order[position_]];
                if (thread.status == Status::at_barrier && phase_is_over(thread)) {
                    thread.status = Status::running;
                    if (shared_.watcher != nullptr && thread.arrivals.waits_for != waits_for_partner)
                        shared_.watcher->barrier_passed(thread, thread.arrivals.waits_for);
                }
                if (thread.status != Status::running && thread.status != Status::yielded)
                    continue;
                thread.status = Status::running;
                thread.idle_atomics = 0;
                run_thread(thread);
                ran = true;
                if (thread.status == Status::rewound) {
                    shared_.options.control->rewind(*state_);
                    if (result_.fault.kind != FaultKind::none) { // it ends
                        shared_.failed = true;
                        return false;
                    }
                    --position_; // its thread goes on
                    continue;
                }
                if (thread.status == Status::faulted) {
                    fail_with(thread);
                    return false;
                }
            }
            if (!ran && !open_barrier())
                return result_.fault.kind == FaultKind::none;
        }
    }

    // No thread can run: all have ended, or the others wait. Ended threads count as arrived at the group's
    // barrier; any other wait is a deadlock. False when no thread can resume.
    bool open_barrier() {
        Thread* early = nullptr;
        Thread* waiting = nullptr;
        bool all_at_group_barrier = true;
        for (Thread& thread : arena_.threads) {
            if (thread.status != Status::at_barrier) {
                early = &thread;
                continue;
            }
            waiting = &thread;
            all_at_group_barrier = all_at_group_barrier && thread.arrivals.waits_for == waits_for_group;
        }
        if (waiting == nullptr)
            return false;
        const auto barrier = [&]() -> const PreparedInstruction& {
            return waiting->program->code[waiting->pc - 1];
        };
        if (!all_at_group_barrier) {
            waiting->fail(FaultKind::deadlock, barrier(),
                          waiting->arrivals.waits_for == waits_for_partner
                              ? "a fused thread waits for its partner, which does not come"
                              : "threads wait at barriers that nobody comes to");
            result_.fault = waiting->fault;
            shared_.failed = true;
            return false;
        }
        group_.barriers.arrived = 0;
        ++group_.barriers.phase;
        if (shared_.watcher != nullptr) {
            if (early != nullptr)
                shared_.watcher->undefined(
                    {*early, barrier(), UndefinedKind::early_exit, early->dispatch_mask, 0});
            shared_.watcher->barrier_released(*waiting, group_barrier);
        }
        return true;
    }

    // For an untouched thread of the previous group.
    void reset_ids(Thread& thread) const {
        for (size_t k = 0; k < id_offsets_.size(); ++k)
            std::memcpy(thread.registers + id_offsets_[k], &group_.id[k % 3], sizeof group_.id[0]);
        thread.pc = 0;
        thread.execution_mask = thread.dispatch_mask;
        thread.status = Status::running;
        thread.idle_atomics = 0;
        thread.instructions = 0;
    }

    void reset(uint32_t index) {
        const Program& program = *launch_.program;
        Thread& thread = arena_.threads[index];
        unwind(thread); // a faulted thread may be inside of calls
        thread.launch = &launch_;
        thread.program = &program;
        thread.function = 0;
        thread.group = &group_;
        thread.watch(shared_.watcher); // an earlier launch may have been watched by another
        thread.control = shared_.options.control;
        thread.index = index;
        thread.registers = arena_.registers.data() + size_t{index} * program.register_bytes;
        thread.scratch = arena_.scratch_of(index);
        thread.predicates.assign(program.predicate_count, 0);
        thread.addresses.assign(program.address_elements, 0);
        thread.surfaces = launch_.preset_surfaces;
        thread.surfaces.resize(program.surface_elements, UINT32_MAX);
        thread.samplers = launch_.preset_samplers;
        thread.samplers.resize(program.sampler_elements, UINT32_MAX);
        thread.waiting.assign(program.joins.size(), 0);
        thread.calls.clear();
        thread.pc = 0;
        thread.dispatch_mask = lane_bits(launch_.simd);
        if (index + 1 == launch_.threads && launch_.last_thread_lanes != 0)
            thread.dispatch_mask = lane_bits(launch_.last_thread_lanes);
        thread.execution_mask = thread.dispatch_mask;
        thread.status = Status::running;
        const bool keeps = thread.untouched && reuses_threads_;
        thread.untouched = true;
        thread.idle_atomics = 0;
        thread.arrivals = {};
        thread.instructions = 0;
        // Does not depend on the worker.
        thread.lane_seed = shared_.options.seed;
        thread.lane_state = shared_.options.seed + (group_.linear << 16U) + index;
        thread.fuel = shared_.options.fuel == 0 ? UINT64_MAX : shared_.options.fuel;
        thread.stop = shared_.stop;
        thread.fault = {};
        if (!keeps)
            std::memset(thread.registers, 0, program.register_bytes);
        fill_state_registers(thread);
        for (const ImageInput& input : launch_.image_inputs)
            std::memcpy(thread.registers + input.register_offset, launch_.image.data() + input.image_offset,
                        input.bytes);
        const std::byte* computed = arena_.computed.data() + index * computed_bytes_;
        for (const ComputedInput& input : launch_.computed_inputs) {
            const size_t bytes = size_t{input.lanes} * input.element_bytes;
            std::memcpy(thread.registers + input.register_offset, computed, bytes);
            computed += bytes;
        }
    }

    // r0.0 has the offset's bits from bit 6 on.
    [[nodiscard]] uint32_t implicit_offset() const { return (launch_.scratch_bytes + 63U) & ~63U; }
    [[nodiscard]] size_t thread_scratch() const {
        return launch_.implicit_arguments.empty() ? launch_.scratch_bytes
                                                  : implicit_offset() + launch_.implicit_arguments.size();
    }

    static void put32(Thread& thread, Predefined variable, uint32_t dword, uint32_t value) {
        std::memcpy(thread.registers + thread.program->register_base(variable) + size_t{dword} * 4, &value,
                    sizeof value);
    }

    // r0 and the state registers (launch ABI 2.4). Thread ids in %hw_id, %sr0 and r0.5 are zero: each thread
    // has scratch and private memory of its own.
    void fill_state_registers(Thread& thread) const {
        // From XeHP on an offset in the stateless surface; here the implicit arguments follow the scratch
        // block.
        if (!launch_.implicit_arguments.empty())
            put32(thread, Predefined::r0, 0, implicit_offset());
        put32(thread, Predefined::r0, 2, thread.index & 0xffU);
        put32(thread, scratch_number_dword.variable, scratch_number_dword.dword, 0);
        for (size_t k = 0; k < group_id_dwords.size(); ++k)
            put32(thread, group_id_dwords[k].variable, group_id_dwords[k].dword, group_.id[k % 3]);
        const bool has_scratch_location = thread.program->variables[isa::id(Predefined::scratchloc)].used;
        if (has_scratch_location && thread.program->device->id >= isa::DeviceId::cri)
            put32(thread, Predefined::scratchloc, 0, scratch_handle);
        put32(thread, Predefined::sr0, 2, thread.dispatch_mask);
        put32(thread, Predefined::ce0, 0, thread.dispatch_mask);
        const auto x = static_cast<uint16_t>(thread.index);
        std::memcpy(thread.registers + thread.program->register_base(Predefined::thread_x), &x, sizeof x);
    }

    // Computed inputs of all threads: the same in every group.
    void compute_inputs() {
        arena_.computed.resize(computed_bytes_ * launch_.threads);
        LaneValues values;
        std::byte* to = arena_.computed.data();
        for (uint32_t index = 0; index < launch_.threads; ++index) {
            for (const ComputedInput& input : launch_.computed_inputs) {
                const std::span lanes = std::span(values).first(input.lanes);
                lane_values(launch_, number_, index, input, lanes);
                to = put_lanes(to, lanes, input.element_bytes);
            }
        }
    }

    // Returns the address after them.
    static std::byte* put_lanes(std::byte* to, std::span<const uint64_t> lanes, uint8_t element_bytes) {
        if (element_bytes == 2) { // nearly always
            std::array<uint16_t, std::tuple_size_v<LaneValues>> words;
            std::ranges::transform(lanes, words.begin(),
                                   [](uint64_t value) { return static_cast<uint16_t>(value); });
            std::memcpy(to, words.data(), lanes.size() * sizeof words[0]);
            return to + lanes.size() * sizeof words[0];
        }
        for (const uint64_t value : lanes) {
            std::memcpy(to, &value, element_bytes);
            to += element_bytes;
        }
        return to;
    }

    Shared& shared_;
    const Launch& launch_;
    uint32_t number_;
    uint64_t random_ = 0;
    size_t position_ = 0;         // in the order: the thread that runs
    GroupState* state_ = nullptr; // of a run with a control
    Group group_;
    bool has_group_ = false;      // group_ is valid: the previous group
    bool all_untouched_ = false;  // all threads are Thread::untouched
    bool reuses_threads_ = false; // threads of an earlier launch, and no group has run yet
    RunResult result_;
    WorkerArena arena_;
    size_t computed_bytes_ = 0; // of one thread
    std::array<size_t, group_id_dwords.size()> id_offsets_{};
    uint32_t ran_in_session_ = 0; // threads of the group that run_untouched ran
    bool barriers_used_ = true;   // perhaps
    std::unique_ptr<Engine::Session> session_;
};

bool may_wait(const Launch& launch) {
    const auto one_may = [](const LaunchFunction& function) {
        return function.program != nullptr && program::may_wait_for_groups(*function.program);
    };
    return launch.functions.empty() ? program::may_wait_for_groups(*launch.program)
                                    : std::ranges::any_of(launch.functions, one_may); // includes the kernel
}

void run_workers(Shared& shared, uint64_t groups, uint32_t workers, WorkerPool* pool) {
    if (shared.options.control != nullptr)
        return Worker(shared, 0).run_controlled(shared.options.first_group,
                                                shared.options.first_group + groups);
    if (workers == 1)
        return Worker(shared, 0).run(nullptr);
    std::optional<WorkerPool> own;
    if (pool == nullptr)
        pool = &own.emplace();
    HelperWorkers helpers(*pool, workers - 1, !WorkPartition::are_many(groups, workers),
                          [&shared](uint32_t number) { Worker(shared, number).run(nullptr); });
    Worker(shared, 0).run(&helpers);
}

} // namespace

RunResult run(const Launch& launch, const Engine& engine, const RunOptions& options, Watcher* watcher) {
    const uint64_t total = group_count(launch);
    const uint64_t first = std::min(options.first_group, total);
    const uint64_t last = first + std::min(options.group_count, total - first);
    if (launch.threads == 0 || first == last)
        return {};

    const Watchdog watchdog(options.timeout, options.stop);
    const bool alone = watcher != nullptr; // watchers are called from one thread
    if (watcher != nullptr)
        watcher->launch_began(launch);
    const auto workers = static_cast<uint32_t>(
        std::clamp<uint64_t>(alone ? 1 : options.workers, 1, std::min<uint64_t>(last - first, 256)));
    const bool in_order = workers > 1 && WorkPartition::are_many(last - first, workers) && may_wait(launch);
    Shared shared{launch,  engine,          options,
                  watcher, watchdog.flag(), WorkPartition(first, last, workers, in_order)};
    run_workers(shared, last - first, workers, options.pool);

    if (shared.result.fault.kind == FaultKind::stopped && watchdog.expired())
        shared.result.fault.kind = FaultKind::timeout;
    return shared.result;
}

} // namespace visor::machine
