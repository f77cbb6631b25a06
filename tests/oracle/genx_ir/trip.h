// One text's way through our writer and the outside reader, and what was lost on it.
#pragma once

#include "isa/device.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace visor::oracle {

// What the compiler made is spelled as the reader spells and has nothing that its verifier minds: then the
// lines and the verifier's silence count, too.
enum class Maker : bool { hand, compiler };

struct Trip {
    std::string finding; // "" when the same instructions and declarations came back
    std::vector<std::byte> binary;
};
[[nodiscard]] Trip trip(std::string_view text, const isa::Device& device, Maker maker);

} // namespace visor::oracle
