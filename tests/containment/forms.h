// The messages that are tried: the example of every row that touches memory, and families of them with all
// element sizes. Addresses and data come from variables that all hold the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace visor::containment {

struct Form {
    std::string line;
    std::string device;
    std::string image; // format of the surfaces' pixels; "": buffers
    uint32_t unit = 0; // bytes that a lane touches at a flat address in V0032; 0: no such
    uint32_t lanes = 16;
    bool offsets = false; // of 32 bits are all that it takes
};

[[nodiscard]] std::vector<Form> forms();

// A kernel of 16 lanes that sends the message and writes down what it left in variables: V0032 to V0039 are
// its inputs, of so many bytes each, and MASK the lanes whose predicate is set.
inline constexpr size_t variables = 8;
inline constexpr size_t variable_bytes = 512;
[[nodiscard]] std::string text_of(const Form& form);

} // namespace visor::containment
