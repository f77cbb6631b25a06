// Kernel printf: the buffer that a launch fills (launch ABI 2.9), decoded and formatted as OpenCL C 6.15.14
// says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace visor::vm {

inline constexpr uint64_t printf_buffer_bytes = 4U << 20U; // the size that compiled code assumes
inline constexpr uint32_t printf_buffer_header = 4;        // the write position, first in the buffer

// Limits of a launch's output and of the strings read for it: each record of a 4 MiB buffer may name a string
// of any length.
inline constexpr size_t most_printed_bytes = size_t{64} << 20U;
inline constexpr size_t longest_printed_string = size_t{64} << 10U; // a format, or an argument of %s

// The zero-terminated string at a device address; nullopt when there is none. May stop after
// longest_printed_string + 1 bytes. Lives as long as the launch's memory.
using StringAt = std::function<std::optional<std::string_view>(uint64_t address)>;

// Formats the kernel's output. The buffer is untrusted. Damaged records, overflow of the buffer and
// truncation are noted in brackets. Control characters are kept: see diagnostic/printable.h.
[[nodiscard]] std::string format_printf(std::span<const std::byte> buffer, const StringAt& string_at);

} // namespace visor::vm
