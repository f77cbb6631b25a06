// Which bytes nobody has written, and where a value that came from such bytes began. A byte of shadow stands
// for a byte of registers or memory: 0 is written; `untouched` was never written; above that the number of an
// origin, which moves with the value.
#pragma once

#include "machine/thread.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace visor::check {

using Taint = uint8_t;
inline constexpr Taint written = 0;
inline constexpr Taint untouched = 1;

[[nodiscard]] constexpr Taint either(Taint a, Taint b) {
    return a != written ? a : b;
}

// Where undefined values began: bounded, the last number stands for all that came too late.
class Origins {
public:
    // `instruction` read bytes of a variable, or of a memory that `what` names, that nobody had written.
    [[nodiscard]] Taint of_variable(const Program& program, uint32_t register_byte, uint32_t instruction);
    [[nodiscard]] Taint of_memory(const char* what, uint64_t address, uint32_t instruction);
    [[nodiscard]] Taint of_predicate(const Program& program, uint32_t predicate, uint32_t instruction);
    // "V0040 + 8 was not written when line 12 read it: `mov ...`", without the line: the caller has the text.
    struct Origin {
        std::string what;
        uint32_t instruction = 0;
    };
    [[nodiscard]] Origin describe(Taint taint) const;
    void clear();

private:
    struct Key {
        const void* what; // function, or a literal
        uint64_t id;
        uint32_t instruction;
        auto operator<=>(const Key&) const = default;
    };
    template <class Describe>
    Taint intern(const Key& key, Describe describe);

    std::map<Key, Taint> known_;
    std::vector<Origin> origins_;
    const Program* program_ = nullptr; // that the table is of
    std::vector<uint32_t> variables_;  // by register byte: general id of the root variable, UINT32_MAX = none
};

// Shadow of one thread's registers.
struct RegisterTaint {
    std::vector<Taint> bytes;
    std::vector<uint32_t> predicates; // bits that nobody has written
    std::vector<Taint> predicate_origins;
    std::vector<Taint> addresses;
};

} // namespace visor::check
