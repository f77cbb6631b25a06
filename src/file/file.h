// Files in and out. What is written appears under its name whole or not at all: it grows in a temporary file
// beside its place and is renamed when it is complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor {

// What is read at most: no reader takes a larger text or binary, and a stream need not end.
inline constexpr size_t most_file_bytes = size_t{4} << 30U;
inline constexpr size_t most_array_bytes = size_t{64} << 30U;  // of a regular file that holds an array
inline constexpr size_t most_device_bytes = size_t{64} << 20U; // of a character device, such as a terminal

// The whole file; `-` is standard input. Error: a sentence that names the file.
[[nodiscard]] std::expected<std::string, std::string> read_file(const std::string& path,
                                                                size_t most = most_file_bytes);
// What a file names may be anything: devices and pipes that are there are refused. Error: a sentence.
[[nodiscard]] std::expected<void, std::string> check_regular(const std::string& path);

// A file being written. `-` is standard output; that, devices and pipes are written directly.
class OutputFile {
public:
    [[nodiscard]] static std::expected<OutputFile, std::string> create(const std::string& path);
    // Whether create() would work, as far as one can know beforehand; leaves nothing behind.
    [[nodiscard]] static std::expected<void, std::string> probe(const std::string& path);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile(); // without commit(): as if nothing had been

    [[nodiscard]] std::expected<void, std::string> write(std::span<const std::byte> bytes);
    [[nodiscard]] std::expected<void, std::string> write(std::string_view text);
    [[nodiscard]] std::expected<void, std::string> commit();

private:
    OutputFile() = default;

    int descriptor_ = -1;
    std::string path_;      // as the user named it
    std::string target_;    // where it goes: links followed
    std::string temporary_; // "": written directly
};

// All of it at once. A binary is not written to a terminal. Error: a sentence.
enum class Content : uint8_t { text, binary };
[[nodiscard]] std::expected<void, std::string> write_file(const std::string& path,
                                                          std::span<const std::byte> bytes, Content content);

// What a tool calls its output when nobody says: the input's name without folders, with another ending.
[[nodiscard]] std::string default_output(const std::string& input, std::string_view ending);

} // namespace visor
