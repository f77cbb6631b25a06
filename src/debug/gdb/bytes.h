// Little-endian data as ELF and DWARF want it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace visor::debug::gdb {

class Bytes {
public:
    template <class T>
    void number(T value) {
        for (size_t k = 0; k < sizeof value; ++k)
            data_.push_back(static_cast<std::byte>(static_cast<uint64_t>(value) >> (8 * k)));
    }
    void byte(uint8_t value) { number(value); }
    void leb(uint64_t value);
    void signed_leb(int64_t value);
    void text(std::string_view value); // without the zero
    void string(std::string_view value) {
        text(value);
        byte(0);
    }
    void append(const std::vector<std::byte>& other) {
        data_.insert(data_.end(), other.begin(), other.end());
    }
    void align(size_t to) { data_.resize((data_.size() + to - 1) / to * to); }
    // Writes the number of bytes behind the four at `at` into them.
    void set_length(size_t at);

    [[nodiscard]] size_t size() const { return data_.size(); }
    [[nodiscard]] const std::vector<std::byte>& data() const { return data_; }

private:
    std::vector<std::byte> data_;
};

} // namespace visor::debug::gdb
