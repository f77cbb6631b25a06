// Access marks: which range check covers a pointer, and how code may use it (bounds.h). Includes no LLVM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace visor::jit {

// The memory that the range check covers.
enum class Guard : uint8_t {
    flat,      // an allocation, by address: inside an access site's range
    surface,   // a surface
    local,     // the group's shared local memory
    scratch,   // the thread's scratch block
    registers, // variables whose address is taken
    windows,   // the engine's table of surfaces
    stack,     // the code's own arrays, by an index
};
inline constexpr size_t guards = 7;

// The access pattern: the access verifier allows no other.
enum class Use : uint8_t {
    unit,       // one lane's unit
    row,        // lanes at constant strides
    masked_row, // likewise, by masked instructions alone: bytes of disabled lanes were not checked
    lanes,      // a vector of pointers, by masked gathers and scatters
    block,      // contiguous bytes of a block message
    block_tail, // of those the ones in bounds, by masked instructions alone
    atomic,     // one lane's atomic read-modify-write
    ahead,      // loads for later threads, lanes or iterations
};
inline constexpr size_t uses = 8;

struct Mark {
    Guard guard = Guard::flat;
    Use use = Use::unit;
    bool operator==(const Mark&) const = default;
};

inline constexpr std::array<std::string_view, guards> guard_names{"flat",      "surface", "local", "scratch",
                                                                  "registers", "windows", "stack"};
inline constexpr std::array<std::string_view, uses> use_names{"unit",  "row",        "masked_row", "lanes",
                                                              "block", "block_tail", "atomic",     "ahead"};

[[nodiscard]] inline std::string name_of(Mark mark) { // "flat.unit"
    return std::string(guard_names[static_cast<size_t>(mark.guard)]) + '.' +
           std::string(use_names[static_cast<size_t>(mark.use)]);
}

} // namespace visor::jit
