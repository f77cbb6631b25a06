// Which NaN a float instruction gives is said nowhere, and LLVM and compilers choose freely (ruling 105).
// This watcher gives every NaN that an instruction computes other bits: what a run leaves behind that changes
// with them is no difference between engines.
#pragma once

#include "exec/plan.h"
#include "machine/thread.h"
#include "machine/watch.h"

#include <array>
#include <vector>

namespace visor::jit_fuzz {

class OtherNans final : public machine::Watcher {
public:
    // The first ways give all NaNs the same bits, the least and the greatest there are, with either sign;
    // some of the others choose among those for each. Chance alone would not find what a comparison looks
    // for, nor the very NaN that becomes an address: the last ways hand on one of the sources' NaNs.
    static constexpr uint64_t ways = 84;
    explicit OtherNans(uint64_t way) : way_(way), random_(way) {}

    void instruction(const machine::Thread& thread, const PreparedInstruction& instruction,
                     uint32_t lanes) override;
    void group_began(std::span<const machine::Thread> threads) override { last_.assign(threads.size(), {}); }

private:
    struct Executed {
        const PreparedInstruction* instruction = nullptr;
        uint32_t lanes = 0;
        std::array<uint64_t, 32> handed_on{}; // by lane; 0: there is none
    };
    void change(const machine::Thread& thread, const Executed& executed);

    [[nodiscard]] uint64_t other_bits(uint64_t sign);
    [[nodiscard]] std::array<uint64_t, 32> to_hand_on(const machine::Thread& thread,
                                                      const PreparedInstruction& instruction) const;

    uint64_t way_;
    exec_test::Random random_;
    std::vector<Executed> last_; // by thread
};

} // namespace visor::jit_fuzz
