// One launch of a kernel of others on data that nobody chose: arguments made from its signature and a seed,
// sizes guessed from its source. Nothing here knows what a kernel computes, so nothing here says what is
// right.
#pragma once

#include "examples/launch.h"
#include "vm/vm.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace visor::corpus {

inline constexpr size_t trial_buffer_bytes = size_t{64} << 10U;

// Data of an odd seed is tame: small integers, which do as indices and counts, and floats whose sums are
// exact. Data of an even one fills its types. Error: why there can be no trial of this kernel.
[[nodiscard]] std::expected<test::Launch, std::string> make_trial(const vm::KernelFacts& kernel,
                                                                  std::string_view source, uint64_t seed);

// The same with pictures of rgba32f pixels and samplers where the kernel asks
// for them, for whoever does not compare with the witness.
[[nodiscard]] std::expected<test::Launch, std::string>
make_trial_with_images(const vm::KernelFacts& kernel, std::string_view source, uint64_t seed);
inline constexpr uint32_t trial_image_size = 32; // pixels, in each dimension

} // namespace visor::corpus
