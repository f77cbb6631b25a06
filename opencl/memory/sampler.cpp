#include "opencl/memory/sampler.h"

#include "opencl/api.h"
#include "opencl/extensions.h"
#include "opencl/query.h"

namespace visor::opencl {

namespace {

bool is_addressing(cl_ulong mode) {
    return mode >= CL_ADDRESS_NONE && mode <= CL_ADDRESS_MIRRORED_REPEAT;
}
bool is_filter(cl_ulong mode) {
    return mode == CL_FILTER_NEAREST || mode == CL_FILTER_LINEAR;
}

struct Wanted {
    cl_ulong normalized = CL_TRUE;
    cl_ulong addressing = CL_ADDRESS_CLAMP;
    cl_ulong filter = CL_FILTER_NEAREST;
    std::vector<cl_sampler_properties> properties;
};

cl_sampler create(cl_context context, Wanted wanted, cl_int* errcode_ret) {
    const Outcome outcome(errcode_ret);
    if (!is_valid(context))
        return outcome.fail(CL_INVALID_CONTEXT);
    if (!is_addressing(wanted.addressing) || !is_filter(wanted.filter) || wanted.normalized > CL_TRUE)
        return outcome.fail(CL_INVALID_VALUE);
    const bool repeats =
        wanted.addressing == CL_ADDRESS_REPEAT || wanted.addressing == CL_ADDRESS_MIRRORED_REPEAT;
    if (repeats && wanted.normalized == CL_FALSE)
        return outcome.fail(CL_INVALID_VALUE);
    if (!has_images(platform().device.device))
        return outcome.fail(CL_INVALID_OPERATION);
    auto* sampler = new _cl_sampler(Ref(context));
    sampler->normalized = wanted.normalized != CL_FALSE;
    sampler->addressing = static_cast<cl_addressing_mode>(wanted.addressing);
    sampler->filter = static_cast<cl_filter_mode>(wanted.filter);
    sampler->properties = std::move(wanted.properties);
    return outcome.done(sampler);
}

} // namespace

cl_sampler create_sampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                          cl_filter_mode filter, cl_int* errcode_ret) {
    return create(context, {normalized, addressing, filter, {}}, errcode_ret);
}

cl_sampler create_sampler_with_properties(cl_context context, const cl_sampler_properties* given,
                                          cl_int* errcode_ret) {
    Wanted wanted;
    unsigned seen = 0;
    for (const cl_sampler_properties* at = given; at != nullptr && *at != 0; at += 2) {
        const unsigned bit = at[0] == CL_SAMPLER_NORMALIZED_COORDS ? 1U
                             : at[0] == CL_SAMPLER_ADDRESSING_MODE ? 2U
                             : at[0] == CL_SAMPLER_FILTER_MODE     ? 4U
                                                                   : 0U;
        if (bit == 0 || (seen & bit) != 0)
            return Outcome(errcode_ret).fail(is_valid(context) ? CL_INVALID_VALUE : CL_INVALID_CONTEXT);
        seen |= bit;
        (bit == 1U ? wanted.normalized : bit == 2U ? wanted.addressing : wanted.filter) = at[1];
        wanted.properties.insert(wanted.properties.end(), {at[0], at[1]});
    }
    if (given != nullptr)
        wanted.properties.push_back(0);
    return create(context, std::move(wanted), errcode_ret);
}

cl_int retain_sampler(cl_sampler sampler) {
    return retain(sampler, CL_INVALID_SAMPLER);
}
cl_int release_sampler(cl_sampler sampler) {
    return release(sampler, CL_INVALID_SAMPLER);
}

cl_int get_sampler_info(cl_sampler sampler, cl_sampler_info what, size_t param_value_size, void* value,
                        size_t* needed) {
    if (!is_valid(sampler))
        return CL_INVALID_SAMPLER;
    const Query answer(param_value_size, value, needed);
    switch (what) {
    case CL_SAMPLER_REFERENCE_COUNT:
        return answer.number(sampler->references());
    case CL_SAMPLER_CONTEXT:
        return answer.value(sampler->context.get());
    case CL_SAMPLER_NORMALIZED_COORDS:
        return answer.truth(sampler->normalized);
    case CL_SAMPLER_ADDRESSING_MODE:
        return answer.value(sampler->addressing);
    case CL_SAMPLER_FILTER_MODE:
        return answer.value(sampler->filter);
    case CL_SAMPLER_PROPERTIES:
        return answer.list<cl_sampler_properties>(sampler->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

} // namespace visor::opencl
