// A SPIR-V module as words: a header of five, then instructions, each a word with length and opcode, then
// operands. Read-only; a missing word is 0, which is no id. It does not interpret opcodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace visor::compile::spirv {

inline constexpr uint32_t magic = 0x07230203;
inline constexpr size_t header_words = 5;
enum HeaderWord : uint8_t { header_magic, header_version, header_generator, header_bound, header_schema };

class Words {
public:
    explicit Words(std::string_view module) : module_(module) {}

    [[nodiscard]] size_t count() const { return module_.size() / 4; }
    [[nodiscard]] uint32_t at(size_t index) const {
        uint32_t word = 0;
        if (index < count())
            std::memcpy(&word, module_.data() + index * 4, 4);
        return word;
    }
    // Calls with the index, opcode and length of each instruction. Returns the index after the last complete
    // one.
    template <class Visit>
    size_t each(const Visit& visit) const {
        size_t i = header_words;
        while (i < count()) {
            const uint32_t length = at(i) >> 16U;
            if (length == 0 || length > count() - i)
                break;
            visit(i, at(i) & 0xffffU, length);
            i += length;
        }
        return i;
    }

private:
    std::string_view module_;
};

[[nodiscard]] inline bool is_module(std::string_view bytes) {
    return bytes.size() >= header_words * 4 && bytes.size() % 4 == 0 &&
           Words(bytes).at(header_magic) == magic;
}

struct Version {
    uint32_t major = 0;
    uint32_t minor = 0;
    auto operator<=>(const Version&) const = default;
};
struct VersionRange {
    Version oldest;
    Version newest;
};
[[nodiscard]] inline Version version_of(std::string_view module) {
    const uint32_t word = Words(module).at(header_version); // 0x00MMmm00
    return {(word >> 16U) & 0xffU, (word >> 8U) & 0xffU};
}

} // namespace visor::compile::spirv
