// Counts what instructions cost. It listens to a run and changes nothing of it; one thread at a time.
#pragma once

#include "machine/memory.h"
#include "machine/watch.h"
#include "profile/profile.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
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
    std::pair<std::string, std::string> renamed{}; // a source file's name, and what it is called instead
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
    arrays,     // and to which arrays they went
};

class Profiler final : public machine::Watcher {
public:
    explicit Profiler(Detail detail) : detail_(detail) {}

    // Before a launch: its kernel, then the functions that it can call.
    void add_sources(std::span<const Source> sources);
    // Of all launches so far.
    [[nodiscard]] const Profile& profile() const { return profile_; }

    [[nodiscard]] bool wants_memory() const override { return detail_ != Detail::executions; }
    [[nodiscard]] bool wants_undefined() const override { return false; }
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
        // What they touched, as numbers of lines, or of dwords of shared local memory: bits from `first` on,
        // where all lie together; else a list.
        uint64_t first = 0;
        uint64_t bits = 0;
        std::vector<uint64_t> units;
        ArraySite* site = nullptr; // nullptr: arrays are not told apart
    };
    using SiteKey = std::tuple<size_t, size_t, uint32_t, machine::AccessKind>; // array, function, instruction
    struct Arrival {
        Costs* costs = nullptr; // nullptr: it does not wait
        uint64_t clock = 0;     // instructions of all threads
        uint64_t own = 0;       // of the thread
    };

    [[nodiscard]] Costs& costs_of(const machine::Thread& thread, const PreparedInstruction& instruction);
    FunctionCosts& add(const std::shared_ptr<const Function>& function);
    void select(const Program& program);
    void end_message();
    void note_units(const machine::MemoryEvent& event, uint32_t lanes);
    void list_units(const machine::MemoryEvent& event, uint32_t lanes, unsigned unit_bits);
    void note_array(const machine::MemoryEvent& event, uint32_t lanes);
    size_t array_of(const machine::MemoryEvent& event, uint64_t address);
    size_t array_named(std::string_view label, uint64_t address, uint64_t bytes, bool local);

    Detail detail_;
    Profile profile_;
    std::shared_ptr<const Function> kernel_; // of the launch
    std::unordered_map<const Function*, std::pair<std::string_view, std::string_view>>
        sources_;                                              // of the next launch
    std::unordered_map<const Program*, FunctionCosts*> known_; // in this launch
    const Program* selected_ = nullptr;
    FunctionCosts* current_ = nullptr;
    size_t current_number_ = 0; // of the function
    uint64_t clock_ = 0;
    Message message_;
    const machine::Launch* launch_ = nullptr; // that runs
    machine::Allocation last_{};              // that was looked up
    size_t last_array_ = 0;
    std::map<std::tuple<std::string, uint64_t, uint64_t>, size_t> arrays_; // by label, address, bytes
    std::map<SiteKey, size_t> sites_;                                      // the index in its array
    std::vector<Arrival> arrivals_;                                        // by thread of the group
};

} // namespace visor::profile
