// Counts what instructions cost. It listens to a run and changes nothing of it; one thread at a time.
#pragma once

#include "machine/watch.h"
#include "profile/profile.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace visor {
struct Program;
} // namespace visor

namespace visor::profile {

// A function and the text that its locations refer to; the views need not outlive the call that takes them.
struct Source {
    std::shared_ptr<const Function> function;
    std::string_view text_name;
    std::string_view text;
};

// Of what has the same members: a kernel's sources as the loader has them.
template <class KernelSources>
[[nodiscard]] std::vector<Source> sources_from(const KernelSources& sources) {
    std::vector<Source> out;
    for (const auto& source : sources)
        out.push_back({source.function, source.name, source.text});
    return out;
}

enum class Detail : uint8_t {
    executions, // how often an instruction ran, and for which lanes
    messages,   // what its messages touched, and waits as well
};

class Profiler final : public machine::Watcher {
public:
    explicit Profiler(Detail detail) : detail_(detail) {}

    // Before a launch: its kernel, then the functions that it can call.
    void add_sources(std::span<const Source> sources);
    // Of all launches so far.
    [[nodiscard]] const Profile& profile() const { return profile_; }

    void launch_began(const machine::Launch& launch) override;
    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void barrier_signalled(const machine::Thread& thread, const PreparedInstruction& instruction,
                           int barrier) override;
    void barrier_passed(const machine::Thread& thread, int barrier) override;
    void thread_ended(const machine::Thread& thread) override;

private:
    // The accesses of the instruction that runs now: one message, however many events tell of it.
    struct Message {
        Costs* costs = nullptr; // nullptr: none
        machine::AccessKind kind = machine::AccessKind::read;
        bool local = false;
        uint64_t bytes = 0;
        std::vector<uint64_t> units; // numbers of lines, or of dwords of shared local memory
    };
    struct Arrival {
        Costs* costs = nullptr; // nullptr: it does not wait
        uint64_t clock = 0;     // instructions of all threads
        uint64_t own = 0;       // of the thread
    };

    [[nodiscard]] Costs& costs_of(const machine::Thread& thread, const PreparedInstruction& instruction);
    FunctionCosts& add(const std::shared_ptr<const Function>& function);
    void select(const Program& program);
    void end_message();

    Detail detail_;
    Profile profile_;
    std::shared_ptr<const Function> kernel_; // of the launch
    std::unordered_map<const Function*, std::pair<std::string_view, std::string_view>>
        sources_;                                              // of the next launch
    std::unordered_map<const Program*, FunctionCosts*> known_; // in this launch
    const Program* selected_ = nullptr;
    FunctionCosts* current_ = nullptr;
    uint64_t clock_ = 0;
    Message message_;
    std::vector<Arrival> arrivals_; // by thread of the group
};

} // namespace visor::profile
