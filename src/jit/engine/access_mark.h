// What compiled code says of a pointer that it checked (bounds.h). Nothing of LLVM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace visor::jit {

// Whose bytes.
enum class Guard : uint8_t {
    flat,      // an allocation, by address: an access site admitted it
    surface,   // a surface's
    local,     // the group's shared local memory
    scratch,   // the thread's scratch block
    registers, // variables whose address is taken
    windows,   // the engine's table of surfaces
    stack,     // the code's own arrays, by an index
};
inline constexpr size_t guards = 7;

// How they are used: the verifier allows nothing else.
enum class Use : uint8_t {
    unit,       // of one lane
    row,        // of lanes at constant distances from each other
    masked_row, // likewise, by masked instructions alone: bytes of lanes that are off were not checked
    lanes,      // a vector of pointers, by gathers and scatters under a mask
    block,      // one after the other, as block messages have them
    block_tail, // of those as many as are inside, by masked instructions alone
    atomic,     // of one lane, read and written in one step
    ahead,      // read for other threads, lanes or iterations
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
