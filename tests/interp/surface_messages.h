// Operands of the surface messages by lane, and a surface as a plain map of bytes to check them against.
#pragma once

#include "memory_fixture.h"

#include <array>
#include <map>
#include <utility>

namespace visor::interp {

inline constexpr uint8_t gather = 0x39;
inline constexpr uint8_t scatter = 0x3a;
inline constexpr uint8_t gather4_scaled = 0x74;
inline constexpr uint8_t scatter4_scaled = 0x75;
inline constexpr uint8_t gather_scaled = 0x78;
inline constexpr uint8_t scatter_scaled = 0x79;
inline constexpr uint8_t qw_gather = 0x86;
inline constexpr uint8_t qw_scatter = 0x87;

inline constexpr std::array both_grf_sizes{isa::DeviceId::skl, isa::DeviceId::pvc};

inline constexpr std::array<uint8_t, 6> every_size{1, 2, 4, 8, 16, 32};
inline constexpr std::array<uint8_t, 5> up_to_16{1, 2, 4, 8, 16};
inline constexpr std::array<uint8_t, 2> eight_and_16{8, 16};

inline constexpr uint64_t blocks_1 = 0;
inline constexpr uint64_t blocks_2 = 1;
inline constexpr uint64_t blocks_4 = 2;

inline std::vector<Operand> scaled(uint64_t blocks, uint32_t surface, Operand offset, Operand element_offset,
                                   Operand data) {
    return {code(0), code(blocks), code(0), surface_operand(surface), offset, element_offset, data};
}
inline std::vector<Operand> scaled4(uint64_t channels, uint32_t surface, Operand offset,
                                    Operand element_offset, Operand data) {
    return {code(channels), code(0), surface_operand(surface), offset, element_offset, data};
}
inline std::vector<Operand> qwords(uint64_t blocks, uint32_t surface, Operand offset, Operand data) {
    return {code(blocks), surface_operand(surface), offset, data};
}

// A surface as a map of bytes, walked in the words of the page.
class ByteModel {
public:
    explicit ByteModel(std::span<const std::byte> bytes) : size_(bytes.size()) {
        for (size_t i = 0; i < bytes.size(); ++i)
            bytes_[static_cast<uint32_t>(i)] = static_cast<uint8_t>(bytes[i]);
    }
    void write(uint64_t address, uint64_t value, uint32_t count) {
        if (address + count > size_)
            return;
        for (uint32_t k = 0; k < count; ++k)
            bytes_[static_cast<uint32_t>(address + k)] = static_cast<uint8_t>(value >> (8 * k));
    }
    [[nodiscard]] uint64_t read(uint64_t address, uint32_t count) const {
        uint64_t value = 0;
        if (address + count > size_)
            return 0;
        for (uint32_t k = count; k-- > 0;)
            value = value << 8U | bytes_.at(static_cast<uint32_t>(address + k));
        return value;
    }
    void expect_same(std::span<const std::byte> bytes) const {
        for (const auto& [address, value] : bytes_)
            ASSERT_EQ(static_cast<uint8_t>(bytes[address]), value) << "at " << address;
    }

private:
    std::map<uint32_t, uint8_t> bytes_;
    uint64_t size_;
};

// Mostly inside, some at and past the end, some that wrap.
inline uint32_t random_offset(Random& random, uint32_t size) {
    switch (random() % 8) {
    case 0:
        return size - 8 + random() % 16;
    case 1:
        return random();
    case 2:
        return 0U - random() % 16;
    default:
        return random() % size;
    }
}
inline std::vector<uint32_t> random_dwords(Random& random, size_t count) {
    std::vector<uint32_t> values(count);
    for (uint32_t& value : values)
        value = random();
    return values;
}
inline std::vector<uint32_t> random_offsets(Random& random, size_t count, uint32_t size) {
    std::vector<uint32_t> values(count);
    for (uint32_t& value : values)
        value = random_offset(random, size);
    return values;
}

} // namespace visor::interp
