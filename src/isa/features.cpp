#include "isa/features.h"

#include "isa/table.h"

#include <algorithm>
#include <array>

namespace visor::isa {

std::span<const size_t> simd_widths(const Device& device) {
    static constexpr std::array<size_t, 3> all{8, 16, 32};
    const std::span<const size_t> widths(all);
    return device.grf_bytes == 64 ? widths.subspan(1) : widths;
}

std::vector<std::string_view> matrix_instructions(const Device& device) {
    std::vector<std::string_view> found;
    for (const Row* row : table())
        if (row->family == Family::matrix && contains(row->devices, device.id) && *row->unsupported == '\0')
            found.emplace_back(row->mnemonic);
    return found;
}

bool has_samplers(const Device& device) {
    return std::ranges::any_of(rows::sampler(),
                               [&](const Row& row) { return contains(row.devices, device.id); });
}

// For pvc the compiler drops reads of images without a word; for cri it has a part of the functions.
bool compiles_images(const Device& device) {
    return device.id != DeviceId::pvc && device.id != DeviceId::cri;
}

InstructionCount count_instructions(const Device& device) {
    InstructionCount count;
    for (const Row* row : table()) {
        if (!contains(row->devices, device.id))
            continue;
        ++count.available;
        count.executed += *row->unsupported == '\0' ? 1 : 0;
    }
    return count;
}

} // namespace visor::isa
