#include "opencl/digest.h"

#include <array>
#include <bit>
#include <cstring>
#include <span>

namespace visor::opencl {

namespace {

// Four interleaved states, so that steps do not depend on the previous one.
class Digest {
public:
    void add(uint64_t word) {
        uint64_t& state = states_[next_++ % states_.size()];
        state = std::rotl((state ^ word) * 0x9e37'79b9'7f4a'7c15, 29);
    }
    void add(std::span<const std::byte> bytes) {
        add(bytes.size());
        for (; bytes.size() >= sizeof(uint64_t); bytes = bytes.subspan(sizeof(uint64_t)))
            add(word_of(bytes.first(sizeof(uint64_t))));
        add(word_of(bytes));
    }
    [[nodiscard]] uint64_t value() const {
        uint64_t all = next_;
        for (const uint64_t state : states_) {
            all = (all ^ state) * 0xbf58'476d'1ce4'e5b9; // SplitMix64's
            all ^= all >> 31U;
        }
        return all;
    }

private:
    static uint64_t word_of(std::span<const std::byte> bytes) {
        uint64_t word = 0;
        if (!bytes.empty())
            std::memcpy(&word, bytes.data(), bytes.size());
        return word;
    }

    std::array<uint64_t, 4> states_{1, 2, 3, 4};
    uint64_t next_ = 0;
};

} // namespace

uint64_t digest_of(const machine::Memory& memory) {
    Digest digest;
    for (const machine::Allocation& one : memory.allocations())
        digest.add(std::span(machine::Memory::host(one.address), one.bytes));
    return digest.value();
}

} // namespace visor::opencl
