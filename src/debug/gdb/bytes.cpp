#include "debug/gdb/bytes.h"

namespace visor::debug::gdb {

void Bytes::leb(uint64_t value) {
    do {
        const auto low = static_cast<uint8_t>(value & 0x7fU);
        value >>= 7U;
        byte(static_cast<uint8_t>(low | (value != 0 ? 0x80U : 0U)));
    } while (value != 0);
}

void Bytes::signed_leb(int64_t value) {
    for (;;) {
        const auto low = static_cast<uint8_t>(value & 0x7f);
        value >>= 7; // arithmetic
        const bool is_last = (value == 0 && (low & 0x40U) == 0) || (value == -1 && (low & 0x40U) != 0);
        byte(static_cast<uint8_t>(low | (is_last ? 0U : 0x80U)));
        if (is_last)
            return;
    }
}

void Bytes::text(std::string_view value) {
    for (const char one : value)
        data_.push_back(static_cast<std::byte>(one));
}

void Bytes::set_length(size_t at) {
    const auto length = static_cast<uint32_t>(data_.size() - at - sizeof(uint32_t));
    for (size_t k = 0; k < sizeof length; ++k)
        data_[at + k] = static_cast<std::byte>(length >> (8 * k));
}

} // namespace visor::debug::gdb
