#include "machine/payload_lanes.h"

#include "machine/thread_payload.h"

#include <algorithm>
#include <numeric>

namespace visor::machine {

namespace {

// `position`: of the wanted dimension in the walk order, whose first one varies fastest (launch ABI 2.2). The
// last one is never wrapped.
void local_ids(const Launch& launch, size_t position, uint64_t item, std::span<uint64_t> out) {
    const uint64_t fast = std::max(launch.local_size[launch.walk_order[0]], 1U);
    const uint64_t slow = std::max(launch.local_size[launch.walk_order[1]], 1U);
    std::array<uint64_t, 3> id{item % fast, item / fast % slow, item / fast / slow};
    while (!out.empty()) { // runs of the fast dimension
        const auto run = out.first(std::min<uint64_t>(out.size(), fast - id[0]));
        if (position == 0)
            std::iota(run.begin(), run.end(), id[0]);
        else
            std::ranges::fill(run, id[position]);
        out = out.subspan(run.size());
        id[0] = 0;
        if (++id[1] == slow) {
            id[1] = 0;
            ++id[2];
        }
    }
}

} // namespace

void lane_values(const Launch& launch, uint32_t worker, uint32_t thread, const ComputedInput& input,
                 std::span<uint64_t> out) {
    const auto wanted = static_cast<int>(input.filler) - static_cast<int>(Filler::local_id_x);
    const auto position = std::ranges::find(launch.walk_order, wanted) - launch.walk_order.begin();
    if (position != 3)
        return local_ids(launch, static_cast<size_t>(position),
                         uint64_t{thread} * launch.simd + input.first_lane, out);
    for (uint32_t i = 0; i < out.size(); ++i)
        out[i] = computed_value(launch, worker, thread, input.filler, input.first_lane + i);
}

} // namespace visor::machine
