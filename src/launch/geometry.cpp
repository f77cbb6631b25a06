#include "launch/geometry.h"

#include "number/checked_size.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace visor::launch {

namespace {

using Size = std::array<uint32_t, 3>;

uint64_t product(const Size& size) {
    return (number::CheckedSize(size[0]) * size[1] * size[2]).or_most();
}

std::string spelled(const Size& size, uint32_t dimensions) {
    return fmt::format("{}", fmt::join(size.begin(), size.begin() + std::clamp(dimensions, 1U, 3U), "x"));
}

bool is_given(const Geometry& geometry) {
    for (uint32_t d = 0; d < geometry.dimensions; ++d) {
        if (geometry.local[d] == 0)
            return false;
    }
    return true;
}

uint32_t threads_of(uint64_t items, uint32_t simd) {
    return static_cast<uint32_t>((items + simd - 1) / simd);
}

uint32_t most_items(const isa::Device& device, uint32_t simd) {
    return std::min<uint32_t>(device.max_group_size, uint32_t{device.max_threads_group} * simd);
}

std::expected<void, std::string> check_space(const Geometry& geometry) {
    if (geometry.dimensions < 1 || geometry.dimensions > 3)
        return std::unexpected(
            fmt::format("an index space has 1 to 3 dimensions, not {}", geometry.dimensions));
    for (uint32_t d = 0; d < geometry.dimensions; ++d) {
        if (geometry.global[d] > UINT32_MAX)
            return std::unexpected(fmt::format("the global size {} in dimension {} does not fit 32 bits",
                                               geometry.global[d], d));
        if (geometry.offset[d] > UINT32_MAX)
            return std::unexpected(fmt::format("the global offset {} in dimension {} does not fit 32 bits",
                                               geometry.offset[d], d));
    }
    return {};
}

std::expected<void, std::string> check_local(const Signature& signature, const isa::Device& device,
                                             const Size& local, uint32_t dimensions) {
    const Size& required = signature.required_group_size;
    const bool is_required = required != Size{};
    if (is_required && local != required)
        return std::unexpected(fmt::format("kernel `{}` requires the local size {}, not {}", signature.name,
                                           spelled(required, 3), spelled(local, 3)));
    const uint64_t items = product(local);
    const uint32_t most = most_items(device, signature.simd);
    // Each factor is checked first: the product of three can wrap.
    if (std::ranges::any_of(local, [most](uint32_t size) { return size > most; }) || items > most)
        return std::unexpected(fmt::format(
            "the local size {} is too large: a work-group of this kernel (SIMD{}) on {} has at most {} "
            "work-items",
            spelled(local, dimensions), signature.simd, device.name, most));
    return {};
}

// ---- choice of the local size ----

// Ranks local sizes: by active lanes, then size, then width.
struct Choice {
    Size local{1, 1, 1};
    uint64_t items = 0;
    uint64_t lanes = 1; // of its threads, active or not
};

bool is_better(const Choice& a, const Choice& b) {
    const uint64_t left = a.items * b.lanes;
    const uint64_t right = b.items * a.lanes;
    if (left != right)
        return left > right;
    return a.items != b.items ? a.items > b.items : a.local[0] > b.local[0];
}

Choice choice(const Size& local, uint32_t simd) {
    const uint64_t items = product(local);
    return {local, items, uint64_t{threads_of(items, simd)} * simd};
}

std::vector<uint32_t> divisors(uint64_t size, uint32_t most) {
    std::vector<uint32_t> out;
    for (uint32_t d = 1; d <= most && d <= size; ++d) {
        if (size % d == 0)
            out.push_back(d);
    }
    return out;
}

Choice best_divisor(const Size& global, uint32_t most, uint32_t simd) {
    Choice best;
    for (const uint32_t x : divisors(global[0], most)) {
        for (const uint32_t y : divisors(global[1], most / x)) {
            for (const uint32_t z : divisors(global[2], most / x / y)) {
                const Choice candidate = choice({x, y, z}, simd);
                if (is_better(candidate, best))
                    best = candidate;
            }
        }
    }
    return best;
}

Size chosen(const Size& global, uint32_t most, uint32_t simd, bool any_size) {
    const Choice best = best_divisor(global, most, simd);
    const bool wasteful = best.items * 2 < best.lanes;
    if (!wasteful || !any_size)
        return best.local;
    // No good divisor: whole threads, and a smaller last group.
    Size local;
    local[0] = std::min(global[0], most);
    local[1] = std::min(global[1], most / local[0]);
    local[2] = std::min(global[2], most / local[0] / local[1]);
    return local;
}

// ---- regions ----

struct Part {
    uint32_t first = 0;
    uint32_t count = 0;
    uint32_t local = 0;
};

std::vector<Part> parts_of(uint32_t global, uint32_t local) {
    std::vector<Part> parts;
    const uint32_t whole = global / local;
    if (whole > 0)
        parts.push_back({0, whole, local});
    if (global % local != 0)
        parts.push_back({whole, 1, global % local});
    return parts;
}

void add_regions(Shape& shape) {
    for (const Part& z : parts_of(shape.global[2], shape.local[2])) {
        for (const Part& y : parts_of(shape.global[1], shape.local[1])) {
            for (const Part& x : parts_of(shape.global[0], shape.local[0])) {
                shape.regions.push_back(
                    {{x.first, y.first, z.first}, {x.count, y.count, z.count}, {x.local, y.local, z.local}});
            }
        }
    }
}

} // namespace

std::expected<Size, std::string> choose_local_size(const Signature& signature, const isa::Device& device,
                                                   const Geometry& geometry) {
    if (const auto checked = check_space(geometry); !checked)
        return std::unexpected(checked.error());
    if (signature.required_group_size != Size{})
        return signature.required_group_size;
    Size global{1, 1, 1};
    for (uint32_t d = 0; d < geometry.dimensions; ++d)
        global[d] = static_cast<uint32_t>(geometry.global[d]);
    if (std::ranges::find(global, 0U) != global.end())
        return Size{1, 1, 1};
    const uint32_t simd = std::max(signature.simd, 1U);
    return chosen(global, most_items(device, simd), simd, geometry.allow_non_uniform);
}

std::expected<Shape, std::string> shape_of(const Signature& signature, const isa::Device& device,
                                           const Geometry& geometry) {
    if (const auto checked = check_space(geometry); !checked)
        return std::unexpected(checked.error());
    Shape shape{.dimensions = geometry.dimensions, .global = {1, 1, 1}, .local = {1, 1, 1}};
    for (uint32_t d = 0; d < shape.dimensions; ++d) {
        shape.global[d] = static_cast<uint32_t>(geometry.global[d]);
        shape.offset[d] = static_cast<uint32_t>(geometry.offset[d]);
        shape.local[d] = geometry.local[d];
    }
    if (!is_given(geometry)) {
        const auto local = choose_local_size(signature, device, geometry);
        if (!local)
            return std::unexpected(local.error());
        shape.local = *local;
    }
    if (const auto checked = check_local(signature, device, shape.local, shape.dimensions); !checked)
        return std::unexpected(checked.error());
    for (uint32_t d = 0; d < 3; ++d) {
        const uint32_t rest = shape.global[d] % shape.local[d];
        shape.group_count[d] = shape.global[d] / shape.local[d] + (rest != 0 ? 1 : 0);
        if (rest != 0 && !geometry.allow_non_uniform)
            return std::unexpected(
                fmt::format("the global size {} in dimension {} is not a multiple of the local "
                            "size {}: OpenCL C 2.0 (--options -cl-std=CL2.0) allows that",
                            shape.global[d], d, shape.local[d]));
    }
    if (product(shape.group_count) > most_groups)
        return std::unexpected(fmt::format("the global size {} makes too many work-groups",
                                           spelled(shape.global, shape.dimensions)));
    add_regions(shape);
    return shape;
}

void set_region(machine::Launch& launch, const Region& region) {
    const uint64_t items = product(region.local);
    launch.groups = region.groups;
    launch.first_group = region.first_group;
    launch.local_size = region.local;
    launch.threads = threads_of(items, launch.simd);
    launch.last_thread_lanes = static_cast<uint32_t>(items % launch.simd);
}

machine::Launch blank_launch(const Program& program, uint32_t simd, machine::Memory& memory) {
    // Ids 0 to 5 (isa::PredefinedSurface): SLM, T1, T2, scratch surface, bindless, stateless.
    constexpr std::array<uint32_t, isa::first_user_surface> predefined{
        isa::bti_slm, 1, 2, machine::bti_scratch_surface, isa::bti_bindless, isa::bti_stateless};
    machine::Launch launch;
    launch.program = &program;
    launch.memory = &memory;
    launch.simd = simd;
    launch.preset_surfaces.assign(program.surface_elements, unset_state);
    launch.preset_samplers.assign(program.sampler_elements, unset_state);
    for (uint32_t id = 0; id < predefined.size() && id < program.surface_base.size(); ++id) {
        if (const uint32_t element = program.surface_base[id]; element < launch.preset_surfaces.size())
            launch.preset_surfaces[element] = predefined[id];
    }
    return launch;
}

} // namespace visor::launch
