// The checksums of a PNG's chunks made right, so that what lies behind them is reached.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <zlib.h>

namespace visor::fuzz {

inline void set_checksums(uint8_t* data, size_t size) {
    constexpr size_t signature = 8;
    constexpr size_t frame = 12; // of a chunk: length, type, checksum
    for (size_t at = signature; at + frame <= size;) {
        uint32_t length = 0;
        std::memcpy(&length, data + at, sizeof length);
        length = std::byteswap(length);
        if (length > size - at - frame)
            return;
        const auto sum = std::byteswap(static_cast<uint32_t>(crc32(0, data + at + 4, length + 4)));
        std::memcpy(data + at + 8 + length, &sum, sizeof sum);
        at += length + frame;
    }
}

} // namespace visor::fuzz
