// Which bytes nobody has written, and where a value that came from such bytes began. A byte of shadow stands
// for a byte of registers or memory: 0 is written; `untouched` was never written; above that the number of an
// origin, which moves with the value.
#pragma once

#include "isa/row.h"
#include "machine/thread.h"

#include <cstdint>
#include <map>
#include <optional>
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
    [[nodiscard]] Taint of_memory(const Program& program, const char* what, std::optional<uint64_t> address,
                                  uint32_t instruction);
    // `elsewhere`: only the bits of lanes that are off are undefined; a mask of the others makes it whole.
    [[nodiscard]] Taint of_predicate(const Program& program, uint32_t predicate, uint32_t instruction,
                                     bool elsewhere);
    [[nodiscard]] bool is_elsewhere(Taint taint) const {
        return taint >= first_origin && size_t{taint} - first_origin < origins_.size() &&
               origins_[size_t{taint} - first_origin].elsewhere;
    }
    // "V0040 + 8 was not written when line 12 read it: `mov ...`", without the line: the caller has the text.
    struct Origin {
        std::string what;
        uint32_t instruction = 0;
        const Function* function = nullptr; // that the instruction is of
        bool elsewhere = false;
        bool predicate = false; // it began with a predicate, not with bytes
    };
    [[nodiscard]] Origin describe(Taint taint) const;
    // Whether the value began as bytes that nobody wrote and that this instruction read.
    [[nodiscard]] bool began_with(Taint taint, const isa::Row* instruction) const;
    void clear();

private:
    static constexpr size_t first_origin = 2;
    static constexpr size_t most_origins = 253;
    struct Key {
        const Function* function;
        const void* what; // function, or a literal
        uint64_t id;
        uint32_t instruction;
        auto operator<=>(const Key&) const = default;
    };
    template <class Describe>
    Taint intern(const Key& key, Describe describe, bool elsewhere = false, bool predicate = false);

    std::map<Key, Taint> known_;
    std::vector<Origin> origins_;
    const Program* program_ = nullptr; // that the table is of
    std::vector<uint32_t> variables_;  // by register byte: general id of the root variable, UINT32_MAX = none
};

// Shadow of the registers of one frame of a thread.
struct RegisterTaint {
    const Program* program = nullptr;
    std::vector<Taint> bytes;
    std::vector<uint32_t> predicates; // bits that nobody has written
    std::vector<Taint> predicate_origins;
    std::vector<Taint> addresses;
};

} // namespace visor::check
