// Kernel printf: the buffer that a launch fills (launch ABI 2.9), decoded and formatted as OpenCL C 6.15.14
// says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace visor::vm {

inline constexpr uint64_t printf_buffer_bytes = 4U << 20U; // what compiled code takes it to be
inline constexpr uint32_t printf_buffer_header = 4;        // the write position, first in the buffer

// The zero-terminated string at a device address; nullopt when there is none.
using StringAt = std::function<std::optional<std::string>(uint64_t address)>;

// What the kernel printed. The buffer is what a kernel left: nothing in it is trusted. A damaged record, or
// an overflow of the buffer, is said in brackets at the end.
[[nodiscard]] std::string format_printf(std::span<const std::byte> buffer, const StringAt& string_at);

} // namespace visor::vm
