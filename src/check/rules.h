// Everything a checker can say, by its rule: what people suppress, and what SARIF lists.
#pragma once

#include "check/finding.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace visor::check {

struct Rule {
    std::string_view id;
    Kind kind;
    bool error; // false: never more than a note
    std::string_view about;
    // Of what an application does with its memory through the OpenCL platform; else of what a kernel does.
    bool of_application = false;
};

inline constexpr std::array rules{
    Rule{"out-of-bounds-read", Kind::memory, true, "a read outside its surface or memory"},
    Rule{"out-of-bounds-write", Kind::memory, true, "a write or update outside its surface or memory"},
    Rule{"other-allocation", Kind::memory, true, "an address made of one buffer that lies in another"},
    Rule{"undeclared-access", Kind::memory, true,
         "an access to memory that is no argument of the kernel and was not declared", true},
    Rule{"use-after-free", Kind::memory, true, "a pointer into memory that was freed", true},
    Rule{"other-context", Kind::memory, true, "a pointer into memory of another context", true},
    Rule{"out-of-bounds", Kind::memory, true, "a copy or fill outside its allocation", true},
    Rule{"not-an-allocation", Kind::memory, true, "a pointer that leads into no allocation", true},
    Rule{"host-access", Kind::memory, true, "the host touches device memory", true},
    Rule{"block-across-the-end", Kind::memory, false,
         "a read of a block or vector across the end of a surface or buffer"},
    Rule{"unset-surface", Kind::memory, true, "a surface variable that nothing was moved to"},
    Rule{"register-bounds", Kind::memory, true, "an indirect operand outside its variable"},
    Rule{"uninitialized-store", Kind::init, true, "a value that nobody wrote is stored"},
    Rule{"uninitialized-branch", Kind::init, true, "a value that nobody wrote decides a branch"},
    Rule{"uninitialized-address", Kind::init, true, "a value that nobody wrote is an address"},
    Rule{"data-race", Kind::race, true, "accesses to one place that nothing orders"},
    Rule{"same-value-race", Kind::race, false, "unordered writes of the same value"},
    Rule{"write-conflict", Kind::conflict, true, "lanes of a message write one place, different values"},
    Rule{"same-value-conflict", Kind::conflict, false, "lanes of a message write one place, the same value"},
    Rule{"lost-update", Kind::conflict, true, "lanes read one place and write it back without an atomic"},
    Rule{"misaligned", Kind::align, true, "an address that the page wants aligned"},
    Rule{"missing-fence", Kind::sync, true, "a barrier orders accesses, and no fence makes the write seen"},
    Rule{"divergent-barrier", Kind::sync, true, "a barrier that some lanes of the thread do not come to"},
    Rule{"missed-barrier", Kind::sync, true, "a thread has ended while others wait at a barrier"},
    Rule{"division-by-zero", Kind::arith, true, "integer division by zero"},
    Rule{"conversion-out-of-range", Kind::arith, true, "a number that the integer type cannot hold"},
    Rule{"shift-count", Kind::arith, false, "a shift by more than the number has bits"},
};

[[nodiscard]] constexpr const Rule* rule_named(std::string_view id) {
    const auto found = std::ranges::find(rules, id, &Rule::id);
    return found == rules.end() ? nullptr : &*found;
}

} // namespace visor::check
