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

inline constexpr uint64_t printf_buffer_bytes = 4U << 20U; // what compiled code takes it to be
inline constexpr uint32_t printf_buffer_header = 4;        // the write position, first in the buffer

// What a launch prints at most, and what is read of strings for it: a buffer of 4 MiB may name a string of
// any length in each of its records.
inline constexpr size_t most_printed_bytes = size_t{64} << 20U;
inline constexpr size_t longest_printed_string = size_t{64} << 10U; // a format, or an argument of %s

// The zero-terminated string at a device address; nullopt when there is none. Need not look further than for
// one byte more than longest_printed_string. Lives as long as the launch's memory.
using StringAt = std::function<std::optional<std::string_view>(uint64_t address)>;

// What the kernel printed. The buffer is what a kernel left: nothing in it is trusted. A damaged record, an
// overflow of the buffer and what is too long are said in brackets. Control characters stay as they are: see
// diagnostic/printable.h.
[[nodiscard]] std::string format_printf(std::span<const std::byte> buffer, const StringAt& string_at);

} // namespace visor::vm
