// The init checker's state: a shadow of what a group's threads have written. Its parts stand in init.cpp
// (what is told, and when), init_values.cpp (how values move through instructions), init_memory.cpp
// (through messages) and init_vectors.cpp (what stores of vectors may leave undefined). Private to them.
#pragma once

#include "check/checkers.h"
#include "check/place.h"
#include "check/roles.h"
#include "check/taint.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace visor::check {

inline constexpr uint32_t most_lanes = 32;
using LaneTaint = std::array<Taint, most_lanes>;

[[nodiscard]] inline bool all_written(const Taint* begin, size_t bytes) {
    constexpr size_t word = sizeof(uint64_t);
    uint64_t all = 0;
    if (bytes >= word) { // the last eight may overlap those before
        for (size_t at = 0; at + word < bytes; at += word) {
            uint64_t eight = 0;
            std::memcpy(&eight, begin + at, word);
            all |= eight;
        }
        uint64_t eight = 0;
        std::memcpy(&eight, begin + bytes - word, word);
        return (all | eight) == 0;
    }
    std::memcpy(&all, begin, bytes);
    return all == 0;
}

class InitChecker final : public machine::Watcher {
public:
    explicit InitChecker(Findings& findings) : findings_(findings) {}

    void launch_began(const machine::Launch& launch) override;
    void group_began(std::span<const machine::Thread> threads) override;
    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void memory(const machine::MemoryEvent& event) override;
    void thread_ended(const machine::Thread& thread) override;

private:
    struct Shadow {
        std::vector<RegisterTaint> frames; // the kernel's, and one for each call that has not returned
        uint32_t depth = 0;                // of the one that runs; those behind it are spare
        std::vector<Taint> scratch;
        std::vector<Taint> own;                       // private memory, as far as somebody was there
        const PreparedInstruction* pending = nullptr; // a message whose result waits for its memory event
    };

    void start(const machine::Thread& thread, Shadow& shadow);
    // A frame's registers before its first instruction.
    void start_frame(const machine::Thread& thread, RegisterTaint& registers) const;
    // Brings the shadow to the frame that the thread is in.
    void follow(const machine::Thread& thread);
    void call(const machine::Thread& thread, Shadow& own) const;
    void leave(const machine::Thread& thread, Shadow& own) const;
    void finish(const machine::Thread& thread);
    void propagate(const machine::Thread& thread, const PreparedInstruction& instruction, uint32_t lanes);
    void check_message(const machine::Thread& thread, const PreparedInstruction& instruction, uint32_t lanes);
    void check_indirect(const machine::Thread& thread, const PreparedInstruction& instruction,
                        uint32_t lanes);
    void check_pixels(const machine::Thread& thread, const PreparedInstruction& instruction, size_t index,
                      uint32_t lanes);
    void check_predicate(const machine::Thread& thread, const PreparedInstruction& instruction);
    void multiply(const machine::Thread& thread, const PreparedInstruction& instruction);
    // Lanes of a load that may or may not have taken part.
    void doubt(const machine::MemoryEvent& event);
    void move_bytes(const machine::Thread& thread, const PreparedInstruction& instruction,
                    const PreparedOperand& to, const PreparedOperand& from, uint32_t lanes);
    void write_pair(const machine::Thread& thread, const PreparedOperand& destination, uint32_t half,
                    uint32_t lanes, const LaneTaint& values);
    [[nodiscard]] bool sources(const machine::Thread& thread, const PreparedInstruction& instruction,
                               uint32_t lanes, LaneTaint& values);
    [[nodiscard]] bool masked_source(const machine::Thread& thread, const PreparedInstruction& instruction,
                                     const PreparedOperand& operand, uint32_t lanes, LaneTaint& values);
    [[nodiscard]] Taint predicate_taint(const machine::Thread& thread, const PreparedInstruction& instruction,
                                        uint32_t predicate);
    void write_lanes(const machine::Thread& thread, const PreparedInstruction& instruction,
                     const PreparedOperand& destination, uint32_t lanes, const LaneTaint& values,
                     bool all_defined);

    [[nodiscard]] bool source(const machine::Thread& thread, const PreparedInstruction& instruction,
                              const PreparedOperand& operand, uint32_t lanes, LaneTaint& values);
    [[nodiscard]] Taint bytes_taint(const machine::Thread& thread, const PreparedInstruction& instruction,
                                    int64_t place, size_t bytes);
    [[nodiscard]] uint32_t undefined_predicate(const machine::Thread& thread,
                                               const PreparedInstruction& instruction) const;
    // The shadow of memory from this place on; nullptr: defined whatever it is (global memory).
    [[nodiscard]] Taint* memory_taint(const machine::MemoryEvent& event, const Place& place, size_t bytes);
    [[nodiscard]] Taint* private_taint(const machine::Launch& launch, uint64_t address, size_t bytes);
    // Whether all that the event touches in memory has been written.
    [[nodiscard]] bool finds_written(const machine::MemoryEvent& event);
    static void define(std::vector<Taint>& registers, const machine::MemoryEvent& event);
    void read(const machine::MemoryEvent& event);
    void read_unit(const machine::MemoryEvent& event, const Place& place, const Taint* from, uint32_t unit,
                   Taint* slot);
    [[nodiscard]] std::vector<Taint> end_of(const machine::MemoryEvent& event, unsigned lane);
    void store_written(const machine::MemoryEvent& event);
    // The lanes of a store in which nothing is undefined but fourth components of vectors of three.
    [[nodiscard]] uint32_t fourths(const machine::MemoryEvent& event,
                                   const machine::RegisterPlace& data) const;
    void store(const machine::MemoryEvent& event, const machine::RegisterPlace& data, bool combine);
    void report(const machine::Thread& thread, const PreparedInstruction& instruction, int lane, Taint taint,
                std::string_view rule, std::string message, std::string place = {});

    Shadow& shadow(const machine::Thread& thread) { return shadows_[thread.index]; }
    [[nodiscard]] RegisterTaint& registers_of(const machine::Thread& thread) {
        Shadow& own = shadows_[thread.index];
        return own.frames[own.depth];
    }
    [[nodiscard]] const RegisterTaint& registers_of(const machine::Thread& thread) const {
        const Shadow& own = shadows_[thread.index];
        return own.frames[own.depth];
    }

    Findings& findings_;
    Origins origins_;
    std::map<const Program*, Roles> known_roles_; // of the functions that ran in this launch
    const Program* program_ = nullptr;            // that `roles_` are of
    const Roles* roles_ = nullptr;
    std::vector<Shadow> shadows_; // by thread of the group
    std::vector<Taint> local_;
};

} // namespace visor::check
