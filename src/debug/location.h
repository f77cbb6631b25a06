// Where debug information says that a variable is, as a sum that vISA code computes, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace visor::debug {

struct Place {
    enum class Kind : uint8_t {
        private_memory, // the kernel's private base, and the hardware thread's offset
        stack,          // the frame pointer
        local_memory,   // an offset in shared local memory
    };
    Kind kind = Kind::private_memory;
    int64_t offset = 0; // bytes; with the lane's part for lane 0

    friend bool operator==(const Place&, const Place&) = default;
};

// Of a variable's location expressions, one for each range of machine code. Error: why the vISA code does not
// have this place, a sentence.
[[nodiscard]] std::expected<Place, std::string> place_of(std::span<const std::vector<std::byte>> locations,
                                                         bool in_local_memory);

} // namespace visor::debug
