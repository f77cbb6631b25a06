// Mutations that know their input's kind, beside libFuzzer's own: damage as the generator's properties do it,
// and now and then a drawn module in the input's place, so that every row of the instruction table is
// reached.
#pragma once

#include "damage.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

namespace visor::fuzz {

// `damaged` and `drawn` take a generator::Random& and give bytes or text.
template <class Damaged, class Drawn>
size_t mutate(uint8_t* data, size_t size, size_t most, unsigned seed, Damaged damaged, Drawn drawn) {
    generator::Random random(seed);
    if (random.one_in(2))
        return LLVMFuzzerMutate(data, size, most);
    const auto made = size == 0 || random.one_in(16) ? drawn(random) : damaged(random);
    const size_t bytes = std::min(made.size(), most);
    if (bytes != 0)
        std::memcpy(data, made.data(), bytes);
    return bytes;
}

} // namespace visor::fuzz
