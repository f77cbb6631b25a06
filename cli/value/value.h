// The grammar of a kernel argument on the command line: `[NAME|INDEX=]VALUE`. Parsing knows nothing of the
// kernel, so that a number stays text until its parameter's type is known.
#pragma once

#include "cli/value/array.h"
#include "cli/value/image.h"
#include "machine/launch.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace visor::cli {

// `7`, `1,2,3,4`, `i32:7`: a type holds for the numbers after it.
struct Number {
    std::optional<Element> element;
    std::string text;
};
using Numbers = std::vector<Number>;

// `zeros:f32:512x512`, `iota:i32:64:start`, `fill:u8:16:255`, `rand:f32:64:seed`
struct Generator {
    enum class Kind : uint8_t { zeros, iota, fill, rand } kind = Kind::zeros;
    Element element = Element::u8;
    Shape shape;
    uint64_t parameter = 0; // iota: the first element's bits, fill: every element's, rand: the seed
};
// `@x.npy`, `@x.bin:f32`
struct ArrayFile {
    std::string path;
    std::optional<Element> element;
};
struct FileBytes { // `bytes:@file`
    std::string path;
};
struct LocalMemory { // `local:BYTES`
    uint64_t bytes = 0;
};
struct Null {};
struct SameAs { // `@=NAME`
    std::string name;
};
struct Filler { // `lid.x`, `tid`, `lane`
    machine::Filler filler = machine::Filler::lane;
};
// An array or image of a launch file, by its name there. Of an array also a part: a pointer into it, or, with
// `bytes`, an array of its own that shares its memory.
struct Named {
    std::string name;
    uint64_t offset = 0; // bytes
    std::optional<uint64_t> bytes{};

    [[nodiscard]] bool is_part() const { return offset != 0 || bytes.has_value(); }
};

// `Array`, numbers written out one by one, and `Named` come from launch files alone.
using Value = std::variant<Numbers, Generator, ArrayFile, FileBytes, LocalMemory, Null, SameAs, Filler,
                           ImageValue, machine::Sampler, Array, Named>;

struct ArgumentText {
    std::string target; // a parameter's name or index; "": the next one in order
    std::string text;   // the VALUE as written, for messages
    Value value;
};

// Error: a sentence.
[[nodiscard]] std::expected<Value, std::string> parse_value(std::string_view text);
[[nodiscard]] std::expected<ArgumentText, std::string> parse_argument(std::string_view text);

// Whether the value is numbers with a type and a shape of their own, or may be (a name).
[[nodiscard]] bool is_array(const Value& value);
// Whether it is an image, or may be (a name).
[[nodiscard]] bool is_image(const Value& value);

// Fills memory of exactly the generator's size. rand: SplitMix64 of the element's number and the seed; floats
// in [0, 1), integers over their whole range.
void generate(const Generator& generator, std::span<std::byte> out);

// The numbers' bytes, each of `element` unless it has a type of its own, one after the other.
[[nodiscard]] std::expected<std::vector<std::byte>, std::string> number_bytes(const Numbers& numbers,
                                                                              Element element);
// As a C compiler lays a struct of these members out; numbers without a type are i32, or f32 when not whole.
[[nodiscard]] std::expected<std::vector<std::byte>, std::string> struct_bytes(const Numbers& numbers);

} // namespace visor::cli
