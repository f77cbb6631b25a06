// Listeners that know nothing of the checkers: what the original does, and witnesses of undefined behaviour
// that a checker should have told of. A witness is slow and simple on purpose.
#pragma once

#include "replay.h"

#include "check/place.h"
#include "machine/thread.h"
#include "machine/watch.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace visor::seeded {

// What a run of the original does, for the rules of mutation.h and for Arrays.
class Observer final : public machine::Watcher {
public:
    explicit Observer(const vm::Program& program) : program_(program) {}

    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void group_began(std::span<const machine::Thread> threads) override;
    void thread_ended(const machine::Thread& thread) override;
    void tell(Recorded& recorded) const;

private:
    struct OfFunction {
        Behaviour behaviour;
        std::map<uint32_t, std::set<std::string>> reached;
    };
    OfFunction& at(const machine::Thread& thread);
    void note_local(const machine::MemoryEvent& event, const check::Place& place, Observed& observed);

    const vm::Program& program_;
    std::map<const Function*, OfFunction> functions_;
    const Function* last_ = nullptr;
    OfFunction* found_ = nullptr;
    std::unordered_set<uint64_t> stored_; // bytes that the group has stored to, none of them global
    uint64_t most_instructions_ = 0;
};

// A flat access to an array that the same instruction of the original never touched: an address that was made
// from one pointer and lies in another array.
class Arrays final : public machine::Watcher {
public:
    // `changed`: the mutated function, whose code `original` maps to its own.
    Arrays(const vm::Program& program, const Recorded& recorded, FunctionName changed,
           const std::vector<uint32_t>& original)
        : program_(program), recorded_(recorded), changed_(std::move(changed)), original_(original) {}
    void memory(const machine::MemoryEvent& event) override;
    [[nodiscard]] bool saw() const { return saw_; }

private:
    const vm::Program& program_;
    const Recorded& recorded_;
    FunctionName changed_;
    const std::vector<uint32_t>& original_;
    const Function* last_ = nullptr;
    FunctionName name_; // of `last_`
    bool saw_ = false;
};

// Two threads at a byte in one phase between barriers, or two groups at one, with a write that changes it; a
// write that a barrier passed without a fence, and somebody else there behind it. Phases are those of the
// group: every barrier waits for all its threads. Groups are compared where a launch has no atomics at all.
class Clashes final : public machine::Watcher {
public:
    explicit Clashes(bool local_needs_fence) : local_needs_fence_(local_needs_fence) {}
    void memory(const machine::MemoryEvent& event) override;
    void group_began(std::span<const machine::Thread> threads) override;
    void fenced(const machine::Thread& thread, const PreparedInstruction& instruction,
                machine::Fence fence) override;
    void barrier_released(const machine::Thread& any, int barrier) override;
    [[nodiscard]] bool saw() const { return clash_ || unseen_ || (groups_clash_ && !atomics_); }
    [[nodiscard]] const char* what() const {
        return clash_ ? "threads clash" : unseen_ ? "a write is not seen" : "groups clash";
    }

private:
    static constexpr int nobody = -1;
    static constexpr int several = -2;
    struct Uses {
        int writer = nobody;
        int reader = nobody;
        std::byte value{};
    };
    // A plain write on its way to be seen: `barrier`, one has been passed since; `fence`, so was one.
    struct Mark {
        int writer = nobody;
        bool barrier = false;
        bool fence = false;
    };
    struct Use {
        int who;
        bool reads;
        bool writes;
        std::byte value;
    };
    [[nodiscard]] static bool use(Uses& uses, const Use& by);

    bool local_needs_fence_;
    bool clash_ = false, unseen_ = false, groups_clash_ = false, atomics_ = false;
    int group_ = 0;
    std::unordered_map<uint64_t, Uses> plain_, atomic_; // of this phase
    std::unordered_map<uint64_t, Mark> marks_;
    std::unordered_map<uint64_t, Uses> groups_;
};

// Fills what nobody has written with another number than zero before a group begins: registers, predicates,
// shared local, scratch and private memory. What a program makes of it must not matter.
class Poison final : public machine::Watcher {
public:
    explicit Poison(std::byte with) : with_(with) {}
    void group_began(std::span<const machine::Thread> threads) override;

private:
    void fill(const machine::Thread& thread) const;
    std::byte with_;
};

} // namespace visor::seeded
