// What the payload tells a kernel of its images and samplers (facts: launch ABI 2.5), and the samplers that
// the metadata holds.
#pragma once

#include "launch/bind.h"

#include <optional>

namespace visor::launch {

// The number that a payload item of an image or sampler holds; 0 when the value is of another kind.
[[nodiscard]] uint64_t property(const PayloadItem& item, const ArgumentValue& value);

// Nothing when the metadata's words are unknown.
[[nodiscard]] std::optional<machine::Sampler> sampler_of(const InlineSampler& sampler);

} // namespace visor::launch
