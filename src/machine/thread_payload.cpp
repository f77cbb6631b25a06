#include "machine/thread_payload.h"

#include "machine/payload_lanes.h"

#include <algorithm>
#include <optional>

namespace visor::machine {

uint64_t computed_value(const Launch& launch, uint32_t worker, uint32_t thread, Filler filler,
                        uint32_t lane) {
    if (filler == Filler::thread)
        return thread;
    if (filler == Filler::lane)
        return lane;
    if (filler == Filler::private_base) {
        const uint64_t block = uint64_t{worker} * launch.threads + thread;
        if (!launch.private_blocks.empty())
            return block < launch.private_blocks.size() ? launch.private_blocks[block] : 0;
        return launch.private_base + block * launch.private_bytes;
    }
    // Local ids: the walk order's first dimension varies fastest (launch ABI 2.2).
    uint64_t rest = uint64_t{thread} * launch.simd + lane;
    const auto wanted =
        static_cast<uint8_t>(static_cast<uint8_t>(filler) - static_cast<uint8_t>(Filler::local_id_x));
    for (const uint8_t dimension : launch.walk_order) {
        const uint32_t size = std::max(launch.local_size[dimension], 1U);
        if (dimension == wanted)
            return dimension == launch.walk_order[2] ? rest : rest % size;
        rest /= size;
    }
    return 0;
}

namespace {

std::optional<LaneSteps> steps_of(const Launch& launch, const ComputedInput& input) {
    const uint64_t largest = (uint64_t{1} << (8U * input.element_bytes - 1U)) - 1;
    LaneSteps found{input.register_offset, input.element_bytes, std::vector<uint32_t>(input.lanes), 0};
    LaneValues storage;
    const std::span values = std::span(storage).first(input.lanes);
    for (uint32_t thread = 0; thread < launch.threads; ++thread) {
        lane_values(launch, 0, thread, input, values);
        found.most = std::max(found.most, static_cast<uint32_t>(std::min<uint64_t>(values[0], UINT32_MAX)));
        for (uint32_t i = 0; i < input.lanes; ++i) {
            if (values[i] < values[0] || values[i] > largest)
                return std::nullopt;
            const auto step = static_cast<uint32_t>(values[i] - values[0]);
            if (thread == 0)
                found.steps[i] = step;
            else if (found.steps[i] != step)
                return std::nullopt;
        }
    }
    return found;
}

// Whether another input overlaps this one. Bound launches have none; hand-written launches lose the facts.
bool is_overlapped(const Launch& launch, const ComputedInput& input) {
    const auto end_of = [](const ComputedInput& one) {
        return one.register_offset + uint64_t{one.lanes} * one.element_bytes;
    };
    const auto meets = [&](uint64_t begin, uint64_t end) {
        return begin < end_of(input) && end > input.register_offset;
    };
    const auto same = [&](const ComputedInput& other) { return &other == &input; };
    return std::ranges::any_of(launch.computed_inputs,
                               [&](const ComputedInput& other) {
                                   return !same(other) && meets(other.register_offset, end_of(other));
                               }) ||
           std::ranges::any_of(launch.image_inputs, [&](const ImageInput& other) {
               return meets(other.register_offset, uint64_t{other.register_offset} + other.bytes);
           });
}

} // namespace

std::vector<LaneSteps> lane_steps(const Launch& launch) {
    std::vector<LaneSteps> all;
    for (const ComputedInput& input : launch.computed_inputs)
        if (input.lanes > 1 && !is_overlapped(launch, input))
            if (auto found = steps_of(launch, input))
                all.push_back(std::move(*found));
    return all;
}

InputShape InputShape::of(const Launch& launch) {
    return {launch.threads,    launch.simd,       launch.slm_bytes,       launch.scratch_bytes,
            launch.local_size, launch.walk_order, launch.computed_inputs, launch.image_inputs};
}

bool InputShape::is_of(const Launch& launch) const {
    const auto hangs_on_more = [](const ComputedInput& input) {
        return input.filler == Filler::private_base;
    };
    return threads == launch.threads && simd == launch.simd && slm_bytes == launch.slm_bytes &&
           scratch_bytes == launch.scratch_bytes && local_size == launch.local_size &&
           walk_order == launch.walk_order && computed == launch.computed_inputs &&
           images == launch.image_inputs && std::ranges::none_of(computed, hangs_on_more);
}

std::vector<uint32_t> numbers_of(const std::vector<LaneSteps>& inputs) {
    std::vector<uint32_t> numbers;
    for (const LaneSteps& input : inputs) {
        numbers.insert(numbers.end(), {input.register_offset, input.element_bytes, input.most,
                                       static_cast<uint32_t>(input.steps.size())});
        numbers.insert(numbers.end(), input.steps.begin(), input.steps.end());
    }
    return numbers;
}

std::optional<std::vector<LaneSteps>> inputs_of(std::span<const uint32_t> numbers) {
    std::vector<LaneSteps> inputs;
    while (!numbers.empty()) {
        if (numbers.size() < 4 || numbers[3] > numbers.size() - 4)
            return std::nullopt;
        const auto steps = numbers.subspan(4, numbers[3]);
        inputs.push_back({numbers[0], numbers[1], {steps.begin(), steps.end()}, numbers[2]});
        numbers = numbers.subspan(4 + steps.size());
    }
    return inputs;
}

std::vector<SharedInput> shared_inputs(const Launch& launch) {
    std::vector<SharedInput> all;
    for (const ImageInput& input : launch.image_inputs) {
        const uint32_t end = input.register_offset + input.bytes;
        const bool differs = std::ranges::any_of(launch.computed_inputs, [&](const ComputedInput& other) {
            return other.register_offset < end &&
                   other.register_offset + other.lanes * other.element_bytes > input.register_offset;
        });
        if (input.bytes != 0 && !differs)
            all.push_back({input.register_offset, end});
    }
    std::ranges::sort(all, {}, &SharedInput::begin);
    std::vector<SharedInput> joined;
    for (const SharedInput& input : all) {
        if (!joined.empty() && input.begin <= joined.back().end)
            joined.back().end = std::max(joined.back().end, input.end);
        else
            joined.push_back(input);
    }
    return joined;
}

std::vector<uint32_t> numbers_of(const std::vector<SharedInput>& inputs) {
    std::vector<uint32_t> numbers;
    for (const SharedInput& input : inputs)
        numbers.insert(numbers.end(), {input.begin, input.end});
    return numbers;
}

std::optional<std::vector<SharedInput>> shared_inputs_of(std::span<const uint32_t> numbers) {
    std::vector<SharedInput> inputs;
    if (numbers.size() % 2 != 0)
        return std::nullopt;
    for (size_t k = 0; k < numbers.size(); k += 2)
        inputs.push_back({numbers[k], numbers[k + 1]});
    return inputs;
}

} // namespace visor::machine
