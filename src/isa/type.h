// The data types of vISA (2_datatypes.md): codes as the binary spells them, names, sizes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace visor::isa {

// The value is the type's code in a binary; 16 and above have no binary form.
enum class Type : uint8_t {
    ud = 0,
    d = 1,
    uw = 2,
    w = 3,
    ub = 4,
    b = 5,
    df = 6,
    f = 7,
    v = 8,        // 8 signed nibbles, immediate only
    vf = 9,       // 4 8-bit floats, immediate only
    boolean = 10, // predicates
    uq = 11,
    uv = 12, // 8 unsigned nibbles, immediate only
    q = 13,
    hf = 14,
    bf = 15,
    tf32 = 16,
    hf8 = 17,
    bf8 = 18,
    e2m1 = 19,
};
inline constexpr unsigned type_count = 20;

struct TypeFacts {
    const char* name; // as text spells it
    uint8_t bytes;    // of one element; 0: not an element type
    bool is_float;
    bool is_signed;
};

inline constexpr std::array<TypeFacts, type_count> type_facts{{
    {"ud", 4, false, false}, {"d", 4, false, true},  {"uw", 2, false, false},   {"w", 2, false, true},
    {"ub", 1, false, false}, {"b", 1, false, true},  {"df", 8, true, true},     {"f", 4, true, true},
    {"v", 4, false, true},   {"vf", 4, true, true},  {"bool", 0, false, false}, {"uq", 8, false, false},
    {"uv", 4, false, false}, {"q", 8, false, true},  {"hf", 2, true, true},     {"bf", 2, true, true},
    {"tf32", 4, true, true}, {"hf8", 1, true, true}, {"bf8", 1, true, true},    {"e2m1", 1, true, true},
}};

[[nodiscard]] constexpr const TypeFacts& facts(Type type) {
    return type_facts[static_cast<uint8_t>(type)];
}
[[nodiscard]] constexpr uint8_t size_of(Type type) {
    return facts(type).bytes;
}
[[nodiscard]] constexpr bool is_float(Type type) {
    return facts(type).is_float;
}
[[nodiscard]] constexpr bool is_signed(Type type) {
    return facts(type).is_signed;
}
[[nodiscard]] constexpr bool is_packed_immediate(Type type) {
    return type == Type::v || type == Type::uv || type == Type::vf;
}
[[nodiscard]] constexpr bool is_integer(Type type) {
    return !is_float(type) && type != Type::boolean && !is_packed_immediate(type);
}

// The type of this name, lower or upper case.
[[nodiscard]] std::optional<Type> type_named(std::string_view name);

// A set of types, as a row's operand lists them.
using TypeSet = uint32_t;
template <class... T>
[[nodiscard]] constexpr TypeSet types(T... list) {
    return ((TypeSet{1} << static_cast<uint8_t>(list)) | ... | TypeSet{0});
}
[[nodiscard]] constexpr bool contains(TypeSet set, Type type) {
    return (set >> static_cast<uint8_t>(type) & 1) != 0;
}

} // namespace visor::isa
