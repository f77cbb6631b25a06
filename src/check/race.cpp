// Two threads at one place, one of them writing, with nothing between them that orders it.
#include "check/checkers.h"
#include "check/order.h"
#include "check/place.h"
#include "check/race_cells.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <set>

namespace visor::check {

namespace {

using machine::AccessKind;
using machine::MemoryEvent;
using machine::Thread;

struct Meeting {
    const Access* before;
    bool before_writes;
    const Access* now;
    bool now_writes;
    bool ordered; // but not seen: a fence is missing
};

std::string doing(bool writes, bool atomic) {
    return atomic ? "updates" : writes ? "writes" : "reads";
}

class RaceChecker final : public machine::Watcher {
public:
    explicit RaceChecker(Findings& findings) : findings_(findings) {}

    [[nodiscard]] bool wants_instructions() const override { return false; }

    void launch_began(const machine::Launch& /*launch*/) override { // launches follow each other
        order_ = {};
        global_.clear();
        exchanged_.clear();
    }

    void group_began(std::span<const Thread> threads) override {
        const Thread& first = threads.front();
        threads_ = static_cast<uint32_t>(threads.size());
        group_ = first.group->linear;
        first_thread_ = static_cast<uint32_t>(group_ * threads_ + 1);
        // Shared local memory keeps the order of messages on the first devices; the others have fences for it
        // (FENCE page: the local bit is "ICLLP+").
        const bool local_needs_fence = first.program->device->id != isa::DeviceId::skl;
        order_.begin_group(group_, threads_, local_needs_fence);
        local_.clear();
    }

    void memory(const MemoryEvent& event) override {
        if (event.space == machine::Space::scratch)
            return;
        const uint32_t lanes = event.lanes & ~event.dropped;
        for (uint32_t rest = lanes; rest != 0;) {
            const Run run = run_of(event, rest);
            rest &= run.count == 32 ? 0U : ~(((1U << run.count) - 1) << run.lane);
            if (event.kind == AccessKind::read && run.count == 1)
                rest = without_repeats(event, run.lane, rest);
            if (run.place.region == Region::global || run.place.region == Region::local)
                touch(event, run);
        }
        if (event.kind == AccessKind::atomic)
            for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
                order_atomic(event, place_of(event, static_cast<unsigned>(std::countr_zero(rest))));
    }

    void fenced(const Thread& thread, const PreparedInstruction& /*instruction*/,
                machine::Fence fence) override {
        order_.fence(thread.index, fence);
    }
    void barrier_signalled(const Thread& thread, const PreparedInstruction& /*instruction*/,
                           int barrier) override {
        order_.signal(thread.index, barrier);
    }
    void thread_ended(const Thread& thread) override {
        if (thread.index + 1 != threads_)
            return;
        for (Suspended& suspended : suspended_)
            if (!exchanged_.contains(suspended.read))
                findings_.add(suspended.number, thread, std::move(suspended.finding));
        suspended_.clear();
    }
    void barrier_released(const Thread& /*any*/, int barrier) override { order_.release(barrier); }
    void barrier_passed(const Thread& thread, int barrier) override { order_.pass(thread.index, barrier); }

private:
    // Neighbouring lanes that touch neighbouring places.
    struct Run {
        unsigned lane; // the first
        uint32_t count;
        Place place; // of the first
    };
    // From the lowest of the lanes on.
    static Run run_of(const MemoryEvent& event, uint32_t lanes) {
        const auto first = static_cast<unsigned>(std::countr_zero(lanes));
        Run run{first, 1, place_of(event, first)};
        // Where lanes share a cell, each has a whole part of it.
        if (event.bytes < 4 && (!std::has_single_bit(event.bytes) || event.kind == AccessKind::atomic))
            return run;
        const bool mixed = event.space == machine::Space::flat && has_private(*event.thread.launch);
        for (unsigned lane = first + 1; lane < event.addresses.size() && (lanes >> lane & 1U) != 0; ++lane) {
            const uint64_t address = event.addresses[lane];
            if (address - event.addresses[lane - 1] != event.bytes || address < event.bytes)
                break;
            if (mixed && place_of(event, lane).region != run.place.region)
                break;
            ++run.count;
        }
        return run;
    }

    // The lanes but those right behind `lane` that read the very place that it reads: to others they are one.
    static uint32_t without_repeats(const MemoryEvent& event, unsigned lane, uint32_t lanes) {
        for (unsigned next = lane + 1; next < event.addresses.size() && (lanes >> next & 1U) != 0 &&
                                       event.addresses[next] == event.addresses[lane];
             ++next)
            lanes &= lanes - 1;
        return lanes;
    }

    void touch(const MemoryEvent& event, const Run& run) {
        const bool atomic = event.kind == AccessKind::atomic;
        const bool writes = event.kind != AccessKind::read;
        const bool block = event.addresses.size() == 1;
        const int channel_of_first = block ? -1 : channel(event.instruction, run.lane);
        const Share share = event.bytes >= 4   ? Share::whole
                            : event.bytes == 2 ? Share::two_bytes
                                               : Share::one_byte;
        Access access{.thread = first_thread_ + event.thread.index,
                      .clock = order_.clock(event.thread.index)};
        Cells& cells = run.place.region == Region::local ? local_ : global_;
        const bool one = run.count == 1;
        cells.each(run.place.address, event.bytes * run.count,
                   [&](Cell& cell, uint32_t first, uint32_t bytes) {
                       const uint32_t lane = one ? 0 : first / event.bytes;
                       access.what = Access::pack(event.instruction.source,
                                                  block ? -1 : channel_of_first + static_cast<int>(lane),
                                                  atomic, bytes == 1 || one ? Share::whole : share);
                       if (event.kind == AccessKind::write)
                           access.value = written_value(event, run.lane, first, bytes);
                       visit(cell, access, writes, event, {run.place.region, run.place.address + first});
                   });
    }

    // What lanes from `lane` on write into one cell, which begins `first` bytes behind the first one's place.
    static uint32_t written_value(const MemoryEvent& event, unsigned lane, uint32_t first, uint32_t bytes) {
        const machine::RegisterPlace& data = event.data;
        uint32_t value = 0;
        if (data.base == machine::no_register)
            return value;
        const auto copy = [&](uint32_t at, uint32_t to, uint32_t size) {
            const uint32_t inside = at % event.bytes;
            const size_t from = data.base + size_t{lane + at / event.bytes} * data.lane_stride +
                                size_t{inside / data.unit_bytes} * data.unit_stride + data.shift_bytes +
                                inside % data.unit_bytes;
            uint32_t part = 0;
            if (from + size <= event.thread.program->register_bytes)
                std::memcpy(&part, event.thread.registers + from, size);
            value |= part << 8U * to;
        };
        // The largest pieces that lie in one unit.
        const uint32_t piece = first % bytes != 0             ? 1
                               : data.unit_bytes % bytes == 0 ? bytes
                               : bytes % data.unit_bytes == 0 ? data.unit_bytes
                                                              : 1;
        for (uint32_t i = 0; i < bytes; i += piece)
            copy(first + i, i, piece);
        return value;
    }

    void order_atomic(const MemoryEvent& event, const Place& place) {
        if (event.operands[1] != machine::no_register) // a compare and exchange
            note_exchange(event, place);
        if (place.region == Region::local)
            order_.local_atomic(event.thread.index, place.address);
        else
            order_.atomic(event.thread.index, place.address);
    }

    void visit(Cell& cell, const Access& access, bool writes, const MemoryEvent& event, const Place& place) {
        // Nobody else has been here: nothing to compare with.
        const auto mine = [&](const Access& before) {
            return before.thread == 0 || before.thread == access.thread;
        };
        const bool only_read = mine(cell.writers[0]) && mine(cell.writers[1]);
        if (only_read && mine(cell.readers[0]) && mine(cell.readers[1])) {
            (writes ? cell.writers : cell.readers)[0] = access;
            return;
        }
        if (only_read && !writes) // inputs, which all threads read
            return keep(cell.readers, access);
        for (const Access& before : cell.writers)
            meet(before, true, access, writes, event, place);
        if (writes)
            for (const Access& before : cell.readers)
                meet(before, false, access, writes, event, place);
        keep(writes ? cell.writers : cell.readers, access);
    }

    void meet(const Access& before, bool before_writes, const Access& access, bool writes,
              const MemoryEvent& event, const Place& place) {
        if (before.thread == 0 || before.thread == access.thread || (before.atomic() && access.atomic()))
            return;
        const auto [group, thread] = whose(before);
        const Wants wants = !before_writes                  ? Wants::nothing
                            : place.region == Region::local ? Wants::local_fence
                                                            : Wants::global_fence;
        if (order_.knows(event.thread.index, group, thread, before.clock, wants))
            return;
        const bool ordered =
            before_writes && order_.knows(event.thread.index, group, thread, before.clock, Wants::nothing);
        // An atomic is done where all can see it: it needs no fence.
        if (ordered && before.atomic())
            return;
        report({&before, before_writes, &access, writes, ordered}, event, place);
    }

    struct Owner {
        uint64_t group;
        uint32_t thread;
    };
    // Nearly always a thread of the group that runs: no division then.
    [[nodiscard]] Owner whose(const Access& access) const {
        const uint32_t inside = access.thread - first_thread_;
        if (inside < threads_)
            return {group_, inside};
        return {(access.thread - 1) / threads_, (access.thread - 1) % threads_};
    }

    // The first slot of the same thread, of nobody, or of somebody whose access is known to be over; else the
    // second slot goes to another group.
    void keep(std::array<Access, 2>& slots, const Access& access) const {
        for (Access& slot : slots)
            if (slot.thread == access.thread || slot.thread == 0) {
                slot = access;
                return;
            }
        const uint32_t thread = access.thread - first_thread_;
        const bool has_learnt = order_.has_learnt(thread);
        for (Access& slot : slots) {
            if (!has_learnt && is_of_another_group(slot))
                continue;
            const auto [group, other] = whose(slot);
            if (order_.knows(thread, group, other, slot.clock, Wants::nothing)) {
                slot = access;
                return;
            }
        }
        if (is_of_another_group(slots[1]))
            slots[1] = access;
    }
    [[nodiscard]] bool is_of_another_group(const Access& access) const {
        return access.thread - first_thread_ >= threads_;
    }

    void report(const Meeting& meeting, const MemoryEvent& event, const Place& place) {
        const Access& before = *meeting.before;
        const Access& now = *meeting.now;
        const bool same_value = meeting.before_writes && meeting.now_writes && !before.atomic() &&
                                !now.atomic() && before.value == now.value;
        // Which of the two came first is the schedule's doing: a pair is one finding.
        const std::string_view rule = same_value        ? "same-value-race"
                                      : meeting.ordered ? "missing-fence"
                                                        : "data-race";
        const Thread& thread = event.thread;
        // A plain read that only feeds a compare and exchange: settled when the group is done.
        const bool before_reads = !meeting.before_writes && now.atomic();
        const bool now_reads = !meeting.now_writes && before.atomic();
        const bool settled_later = before_reads || now_reads;
        const uint32_t first = std::min(before.instruction(), now.instruction());
        const auto number =
            settled_later
                ? findings_.claim(thread, rule, first, before.instruction() + now.instruction() - first)
                : findings_.claim_conflict(thread, rule, before.instruction(), now.instruction());
        if (!number)
            return;
        Finding finding = describe(meeting, event, place);
        finding.rule = rule;
        if (same_value) {
            finding.severity = Severity::note;
            finding.notes.emplace_back("both write the same value");
        }
        if (settled_later)
            suspended_.push_back(
                {*number, std::move(finding), before_reads ? before.instruction() : now.instruction()});
        else
            findings_.add(*number, thread, std::move(finding));
    }

    Finding describe(const Meeting& meeting, const MemoryEvent& event, const Place& place) const {
        const Access& before = *meeting.before;
        const Thread& thread = event.thread;
        const bool local = place.region == Region::local;
        const uint64_t group = (before.thread - 1) / threads_;
        const bool same_group = group == group_;
        Finding finding{.kind = meeting.ordered ? Kind::sync : Kind::race};
        if (meeting.ordered)
            finding.message =
                fmt::format("a barrier orders these accesses to {} memory, and no fence makes the write seen",
                            local ? "shared local" : "global");
        else
            finding.message =
                fmt::format("data race in {} memory between {}", local ? "shared local" : "global",
                            same_group ? "hardware threads of a group" : "work-groups");
        finding.place = name_of(thread, place);
        finding.party = {.group = group_ids(thread, group),
                         .thread = static_cast<uint32_t>((before.thread - 1) % threads_),
                         .lane = before.lane(),
                         .instruction = before.instruction(),
                         .doing = doing(meeting.before_writes, before.atomic())};
        finding.other = party(thread, event.instruction, meeting.now->lane(),
                              doing(meeting.now_writes, meeting.now->atomic()));
        if (meeting.ordered)
            finding.notes.emplace_back(local ? "put a fence of local memory before the barrier"
                                             : "put a fence of global memory before the barrier "
                                               "(CLK_GLOBAL_MEM_FENCE)");
        else if (same_group)
            finding.notes.emplace_back("nothing orders them: no barrier lies between");
        else
            finding.notes.emplace_back("work-groups run in any order: only atomics with fences order them");
        return finding;
    }

    // The last plain reads of this thread at the place were for a compare and exchange, which takes nothing
    // amiss: it tries again when the value was old.
    void note_exchange(const MemoryEvent& event, const Place& place) {
        Cells& cells = place.region == Region::local ? local_ : global_;
        const uint64_t me = group_ * threads_ + event.thread.index + 1;
        cells.each(place.address, event.bytes, [&](Cell& cell, uint32_t /*first*/, uint32_t /*bytes*/) {
            for (const Access& read : cell.readers)
                if (read.thread == me)
                    exchanged_.insert(read.instruction());
        });
    }

    static std::array<uint32_t, 3> group_ids(const Thread& thread, uint64_t number) {
        const machine::Launch& launch = *thread.launch;
        return {static_cast<uint32_t>(number % launch.groups[0]) + launch.first_group[0],
                static_cast<uint32_t>(number / launch.groups[0] % launch.groups[1]) + launch.first_group[1],
                static_cast<uint32_t>(number / launch.groups[0] / launch.groups[1]) + launch.first_group[2]};
    }

    struct Suspended {
        Findings::Number number;
        Finding finding;
        uint32_t read; // instruction
    };

    Findings& findings_;
    std::vector<Suspended> suspended_;
    std::set<uint32_t> exchanged_; // reads whose value went into a compare and exchange
    uint64_t group_ = 0;
    uint32_t threads_ = 1;
    uint32_t first_thread_ = 1; // of the group, as accesses number threads
    Order order_;
    Cells local_;
    Cells global_;
};

} // namespace

std::unique_ptr<machine::Watcher> race_checker(Findings& findings) {
    return std::make_unique<RaceChecker>(findings);
}

} // namespace visor::check
