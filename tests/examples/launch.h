// One launch of a kernel as plain data, and the two places that can carry it out: the visor program, and PoCL
// through the OpenCL API. Neither knows what result is expected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace visor::test {

// 16-bit floats travel as what the compilers of the host have; arithmetic on them is the C++ library's.
using Half = _Float16;

// How the command line calls an element type; "u8" for what it has no name for.
template <class T>
constexpr const char* type_name() {
    if constexpr (std::is_same_v<T, float>)
        return "f32";
    else if constexpr (std::is_same_v<T, double>)
        return "f64";
    else if constexpr (std::is_same_v<T, Half>)
        return "f16";
    else if constexpr (!std::is_integral_v<T> || sizeof(T) == 1)
        return std::is_same_v<T, int8_t> ? "i8" : "u8";
    else if constexpr (sizeof(T) == 2)
        return std::is_signed_v<T> ? "i16" : "u16";
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? "i32" : "u32";
    else
        return std::is_signed_v<T> ? "i64" : "u64";
}

// The words of the command line: "rgba8"; "linear,clamp_edge,normalized".
struct Argument {
    enum class Kind : uint8_t { array, value, local, image, sampler } kind = Kind::array;
    std::string type;            // of an array's elements; an image's format; a sampler's properties
    std::vector<std::byte> data; // an array's or image's content, before and after; a value's bytes
    size_t local_bytes = 0;
    size_t width = 0; // of an image
    size_t height = 0;
};

using Sizes = std::array<size_t, 3>;

struct Launch {
    std::string kernel; // "": the only one
    std::string options;
    unsigned dimensions = 1;
    Sizes global{1, 1, 1};
    Sizes local{1, 1, 1};
    Sizes offset{0, 0, 0};
    std::vector<Argument> arguments;
    std::string said; // what the kernel printed
};

struct Place {
    std::string visor; // path of the program
    std::string source;
    std::string device; // "pocl" or one of Visor's
};

// True when it ran; the arrays then hold what the kernel left in them. Otherwise everything that was said is
// on standard output.
[[nodiscard]] bool run_on_visor(const Place& place, Launch& launch);
[[nodiscard]] bool run_on_pocl(const Place& place, Launch& launch);

// Whether there is a PoCL to run on; false with the reason on standard output.
[[nodiscard]] bool pocl_is_there();

} // namespace visor::test
