#include "launch/implicit_arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace visor::launch {

namespace {

// Launch ABI 2.10: byte offsets.
constexpr size_t at_size = 0;
constexpr size_t at_dimensions = 2;
constexpr size_t at_simd = 3;
constexpr size_t at_local_size = 0x04;  // ud x 3
constexpr size_t at_global_size = 0x10; // uq x 3
constexpr size_t at_printf = 0x28;      // uq
constexpr size_t at_offset = 0x30;      // uq x 3
constexpr size_t at_local_ids = 0x48;   // uq
constexpr size_t at_group_count = 0x50; // ud x 3
constexpr size_t block_bytes = 0x60;
constexpr size_t table_offset = 2 * block_bytes; // in device memory; a multiple of 64

template <class T>
void put(std::vector<std::byte>& to, size_t at, T value) {
    std::memcpy(to.data() + at, &value, sizeof value);
}

// The local ids of every lane of a group. From XeHP on three blocks of words for each thread, x, y and z;
// words in threes by lane before.
std::vector<std::byte> local_ids(const Signature& signature, const isa::Device& device,
                                 const Region& region) {
    const bool blocks = device.id >= isa::DeviceId::xehp;
    const uint64_t items = uint64_t{region.local[0]} * region.local[1] * region.local[2];
    const uint64_t threads = (items + signature.simd - 1) / signature.simd;
    const uint64_t pitch = blocks ? std::max(signature.simd, 16U) : signature.simd;
    std::vector<std::byte> out(threads * pitch * 6);
    for (uint64_t item = 0; item < items; ++item) {
        const uint64_t thread = item / signature.simd;
        const uint64_t lane = item % signature.simd;
        uint64_t rest = item;
        for (const uint8_t dimension : signature.walk_order) {
            const uint64_t size = std::max(region.local[dimension], 1U);
            const uint64_t word = blocks ? dimension * pitch + lane : lane * 3 + dimension;
            put(out, (thread * pitch * 3 + word) * 2, static_cast<uint16_t>(rest % size));
            rest /= size;
        }
    }
    return out;
}

} // namespace

std::expected<ImplicitArguments, std::string>
place_implicit_arguments(const Signature& signature, const isa::Device& device, const Shape& shape,
                         const Region& region, uint64_t printf_buffer, machine::Memory& memory) {
    const std::vector<std::byte> ids = local_ids(signature, device, region);
    auto address = memory.allocate(table_offset + ids.size(),
                                   fmt::format("implicit arguments of kernel `{}`", signature.name));
    if (!address)
        return std::unexpected(std::move(address.error()));
    ImplicitArguments out{std::vector<std::byte>(block_bytes), *address};
    put(out.block, at_size, static_cast<uint8_t>(block_bytes));
    put(out.block, at_dimensions, static_cast<uint8_t>(shape.dimensions));
    put(out.block, at_simd, static_cast<uint8_t>(signature.simd));
    for (size_t d = 0; d < 3; ++d) {
        // The nominal one: compiled functions compute global ids from it (ruling 89).
        put(out.block, at_local_size + d * 4, shape.local[d]);
        put(out.block, at_global_size + d * 8, uint64_t{shape.global[d]});
        put(out.block, at_offset + d * 8, uint64_t{shape.offset[d]});
        put(out.block, at_group_count + d * 4, shape.group_count[d]);
    }
    put(out.block, at_printf, printf_buffer);
    put(out.block, at_local_ids, *address + table_offset);
    std::ranges::copy(out.block, machine::Memory::host(*address));
    std::ranges::copy(ids, machine::Memory::host(*address) + table_offset);
    return out;
}

} // namespace visor::launch
