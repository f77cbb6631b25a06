// Payload items with properties of images and samplers (facts: launch ABI 2.5), and the metadata's inline
// samplers.
#pragma once

#include "launch/bind.h"

#include <optional>

namespace visor::launch {

// The value of an image's or sampler's payload item; 0 when the argument is of another kind.
[[nodiscard]] uint64_t property(const PayloadItem& item, const ArgumentValue& value);

// Nothing when the metadata has unknown keywords.
[[nodiscard]] std::optional<machine::Sampler> sampler_of(const InlineSampler& sampler);

} // namespace visor::launch
