// Samplers.
#pragma once

#include "machine/image.h"
#include "opencl/context.h"
#include "opencl/object.h"

#include <vector>

struct _cl_sampler : visor::opencl::Handle<visor::opencl::Kind::sampler> {
    explicit _cl_sampler(visor::opencl::Ref<_cl_context> of) : context(std::move(of)) {}

    const visor::opencl::Ref<_cl_context> context;
    bool normalized = true;
    cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
    cl_filter_mode filter = CL_FILTER_NEAREST;
    std::vector<cl_sampler_properties> properties;

    [[nodiscard]] visor::machine::AddressMode address() const {
        using visor::machine::AddressMode;
        switch (addressing) {
        case CL_ADDRESS_CLAMP_TO_EDGE:
            return AddressMode::clamp_to_edge;
        case CL_ADDRESS_CLAMP:
            return AddressMode::clamp;
        case CL_ADDRESS_REPEAT:
            return AddressMode::repeat;
        case CL_ADDRESS_MIRRORED_REPEAT:
            return AddressMode::mirrored_repeat;
        default:
            return AddressMode::none;
        }
    }
    [[nodiscard]] visor::machine::Sampler state() const {
        return {.address = address(),
                .filter = filter == CL_FILTER_LINEAR ? visor::machine::FilterMode::linear
                                                     : visor::machine::FilterMode::nearest,
                .normalized = normalized};
    }
};
