// When a run dies - a fault, an assertion, a sanitizer, an input that never ends - its seed is what matters:
// it is written on the way out.
#pragma once

#include <cstdint>
#include <string_view>

namespace visor::generator {

// From now on. `property` must outlive the program.
void speak_when_dying(std::string_view property);
// One input begins; it may take so many seconds.
void begin(uint64_t seed, unsigned seconds);

} // namespace visor::generator
