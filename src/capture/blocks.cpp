#include "capture/blocks.h"

#include <algorithm>
#include <functional>

namespace visor::capture {

namespace {

// Neighbours of one allocation stay two blocks: only what overlaps is joined.
void join(std::vector<Block>& blocks, std::span<const std::byte> next) {
    if (!blocks.empty()) {
        std::span<const std::byte>& last = blocks.back().bytes;
        const std::byte* const end = last.data() + last.size();
        if (std::less<>{}(next.data(), end) || next.data() == last.data()) {
            const std::byte* const further = std::max(end, next.data() + next.size(), std::less<>{});
            last = {last.data(), static_cast<size_t>(further - last.data())};
            return;
        }
    }
    blocks.push_back({next, std::nullopt});
}

} // namespace

Blocks blocks_of(const Launch& launch) {
    std::vector<std::span<const std::byte>> spans;
    for (const Argument& argument : launch.arguments)
        if (const auto* object = std::get_if<Object>(&argument.value))
            spans.push_back(object->bytes);
    std::ranges::sort(spans, std::less<>{}, [](std::span<const std::byte> span) { return span.data(); });
    Blocks out;
    for (const std::span<const std::byte> span : spans)
        join(out.all, span);
    out.places.resize(launch.arguments.size());
    for (size_t k = 0; k < launch.arguments.size(); ++k) {
        const auto* object = std::get_if<Object>(&launch.arguments[k].value);
        if (object == nullptr)
            continue;
        const auto after = std::ranges::upper_bound(out.all, object->bytes.data(), std::less<>{},
                                                    [](const Block& block) { return block.bytes.data(); });
        Block& block = *std::prev(after);
        out.places[k] = Place{static_cast<size_t>(&block - out.all.data()),
                              static_cast<uint64_t>(object->bytes.data() - block.bytes.data())};
        if (!block.argument && object->bytes.size() == block.bytes.size())
            block.argument = k;
    }
    return out;
}

} // namespace visor::capture
