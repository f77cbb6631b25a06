// The protocol between the library and its worker process on a stream socket: a kind and byte strings with
// their lengths. Both ends are of one build; sizes are still bounded, because a dying compiler may write
// anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::compile {

// The worker's end of the socket.
inline constexpr int worker_socket = 3;
// A worker exits after so long without a request.
inline constexpr int patience_seconds = 10;
inline constexpr uint64_t max_message_bytes = uint64_t{256} << 20U;

enum class MessageKind : uint32_t {
    describe,  // -> described or missing. For each device its names in compilers, separated by blanks
    build,     // -> built or missing. BuildField order
    described, // DescribedField order
    built,     // the compiler's return code, its log, the zebin ("" when none)
    generate,  // -> generated or missing. GenerateField order
    generated, // GeneratedField order
    link,      // -> built or missing. LinkField order, then the modules' SPIR-V
    examine,   // -> examined. No fields
    examined,  // ExaminedField order
    missing,   // the compiler cannot be loaded, or makes no code: why
};

// Fields of `described`.
enum DescribedField : uint8_t {
    described_version,
    described_libraries,   // paths of all that it loads, a line each
    described_first_device // its name of each requested device; "": not supported
};
// Fields of `build`.
enum BuildField : uint8_t {
    build_device,
    build_options,
    build_internal_options,
    build_language,
    build_product,
    build_source,
    build_seconds,  // of CPU time; "0": no limit
    build_readable, // further files and folders that it may read, each NUL-terminated
    build_field_count
};
// Fields of `link` before the modules.
enum LinkField : uint8_t {
    link_device,
    link_options,
    link_internal_options,
    link_seconds,  // likewise
    link_readable, // likewise
    link_field_count
};
// Fields of `examined`: the process's confinement (confine.h).
enum ExaminedField : uint8_t {
    examined_limits,       // "1" or "0"
    examined_no_new_privs, // likewise
    examined_system_calls, // likewise
    examined_landlock,     // a number
    examined_field_count
};
inline constexpr const char* product_zebin = "zebin";
inline constexpr const char* product_spirv = "spirv";
// Fields of `generate`: machine code for one function.
enum GenerateField : uint8_t {
    generate_text, // vISA, one function
    generate_device,
    generate_simd,
    generate_full,        // "1" or "0"
    generate_lowered,     // likewise
    generate_level,       // a number
    generate_tier,        // likewise
    generate_waits,       // "1" or "0"
    generate_inputs,      // a list of numbers
    generate_shared,      // likewise
    generate_slm,         // a number
    generate_scratch,     // likewise
    generate_reported,    // a number: events to report to listeners
    generate_images,      // a list of numbers
    generate_disabled,    // passes, separated by commas
    generate_print_after, // likewise
    generate_time,        // "1" or "0"
    generate_verify,      // likewise
    generate_field_count
};
// Fields of `generated`. Lists are 32-bit numbers, little-endian.
enum GeneratedField : uint8_t {
    generated_object,
    generated_counts, // register bytes and instructions of the program that was compiled, sites, looks_up
    generated_surfaces,
    generated_named_surfaces,
    generated_handles,
    generated_pinned,
    generated_log, // text that the pass switches asked for
    generated_field_count
};
inline constexpr const char* language_opencl_c = "opencl_c";
inline constexpr const char* language_spirv = "spirv";

struct Message {
    MessageKind kind = MessageKind::missing;
    std::vector<std::string> fields;
};

inline constexpr size_t header_bytes = 16;

// The whole message as sent.
[[nodiscard]] std::string encode(const Message& message);

// Bytes after a header; nullopt when it is invalid or its size exceeds the limit.
[[nodiscard]] std::optional<uint64_t> body_bytes(std::span<const char, header_bytes> header);

[[nodiscard]] std::optional<Message> decode(std::span<const char, header_bytes> header,
                                            std::span<const char> body);

} // namespace visor::compile
