// The messages that are tried: the example of every row that touches memory, and families of them with all
// element sizes. Addresses and data come from variables that all hold the same.
#pragma once

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

} // namespace visor::containment
