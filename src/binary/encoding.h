// The small words whose bits carry several facts, each as a pair of functions that are each other's inverse
// on what is defined. They know no file and no instruction. Bits without a meaning are told from codes
// without one: the first are ignored, the second make the input invalid.
#pragma once

#include "module/module.h"

#include <cstdint>
#include <optional>

namespace visor::binary {

struct Version {
    uint8_t major = 4;
    uint8_t minor = 1;

    [[nodiscard]] constexpr bool before(uint8_t other_major, uint8_t other_minor) const {
        return major < other_major || (major == other_major && minor < other_minor);
    }
    friend bool operator==(const Version&, const Version&) = default;
};

// What a word says. `ignored`: it also has bits set that say nothing.
template <class T>
struct Decoded {
    T value{};
    bool ignored = false;
};

// The byte in front of most instructions: size code, mask.
[[nodiscard]] std::optional<uint8_t> encode_execution(const Execution& execution);
[[nodiscard]] std::optional<Decoded<Execution>> decode_execution(uint8_t byte, Version version);
// The four bits of the mask alone, as GATHER and SCATTER have them: version 3.0 numbered masks otherwise.
[[nodiscard]] uint8_t modern_mask(uint8_t mask, Version version);

[[nodiscard]] std::optional<uint16_t> encode_predicate(const Predicate& predicate);
[[nodiscard]] Decoded<Predicate> decode_predicate(uint16_t word);

inline constexpr uint16_t last_predicate = 0x0fff;

// vstride, width, hstride in four bits each.
[[nodiscard]] std::optional<uint16_t> encode_region(const Region& region);
[[nodiscard]] std::optional<Decoded<Region>> decode_region(uint16_t word);

// The tag of a vector operand: class in bits 2..0, modifier in bits 5..3.
enum class WireClass : uint8_t {
    general = 0,
    address = 1,
    predicate = 2,
    indirect = 3,
    immediate = 5,
    state = 6,
};
struct Tag {
    WireClass klass = WireClass::general;
    SourceModifier modifier = SourceModifier::none;
};
[[nodiscard]] uint8_t encode_tag(const Tag& tag);
[[nodiscard]] std::optional<Decoded<Tag>> decode_tag(uint8_t byte);

// Types of more than four bits have no code.
[[nodiscard]] std::optional<uint8_t> encode_type(isa::Type type);
[[nodiscard]] Decoded<isa::Type> decode_type(uint8_t byte);

// Type in bits 3..0, alignment in bits 7..4.
[[nodiscard]] std::optional<uint8_t> encode_properties(isa::Type type, Align align);
struct Properties {
    isa::Type type;
    Align align;
};
[[nodiscard]] std::optional<Properties> decode_properties(uint8_t byte);

// An immediate is eight bytes when its type is, else four: signed words and bytes sign-extended, all others
// with zeros above.
[[nodiscard]] constexpr bool is_wide(isa::Type type) {
    return isa::size_of(type) == 8;
}
[[nodiscard]] uint32_t encode_immediate(isa::Type type, uint64_t value);
[[nodiscard]] Decoded<uint64_t> decode_immediate(isa::Type type, uint32_t word);

// A literal of this codec without the bits that nobody reads. Bit 7 of svm_block means bit 3 (ruling 15).
[[nodiscard]] Decoded<uint64_t> decode_literal(isa::Codec codec, uint64_t value);

} // namespace visor::binary
