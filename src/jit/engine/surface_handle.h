// Surface handles in the thread payload that the kernel never overwrites: the engine resolves their windows
// before compiled code runs.
#pragma once

#include "isa/type.h"
#include "program/program.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace visor::jit {

struct GivenHandle {
    uint32_t offset = 0; // in the register file
    isa::Type type = isa::Type::ud;
    uint32_t index = 0; // added by the message

    bool operator==(const GivenHandle&) const = default;
};

// Serializes and deserializes; nothing when the numbers are invalid or do not fit this program.
[[nodiscard]] inline std::vector<uint32_t> numbers_of(const std::vector<GivenHandle>& handles) {
    std::vector<uint32_t> numbers;
    for (const GivenHandle& handle : handles)
        numbers.insert(numbers.end(), {handle.offset, static_cast<uint32_t>(handle.type), handle.index});
    return numbers;
}
[[nodiscard]] inline std::optional<std::vector<GivenHandle>> handles_of(std::span<const uint32_t> numbers,
                                                                        const Program& program) {
    std::vector<GivenHandle> handles;
    if (numbers.size() % 3 != 0)
        return std::nullopt;
    for (; !numbers.empty(); numbers = numbers.subspan(3)) {
        const auto type = static_cast<isa::Type>(numbers[1]);
        const bool known =
            type == isa::Type::d || type == isa::Type::ud || type == isa::Type::q || type == isa::Type::uq;
        if (!known || uint64_t{numbers[0]} + isa::size_of(type) > program.register_bytes)
            return std::nullopt;
        handles.push_back({numbers[0], type, numbers[2]});
    }
    return handles;
}

} // namespace visor::jit
