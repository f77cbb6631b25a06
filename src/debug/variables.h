// Registers and memory of a stopped thread, read and written by name.
#pragma once

#include "machine/thread.h"
#include "trace/registers.h"

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::debug {

// A number: what C's promotions leave of it.
struct Number {
    bool is_float = false;
    int64_t whole = 0; // also of unsigned 64-bit numbers, whose sign is lost
    double real = 0;

    [[nodiscard]] double as_real() const { return is_float ? real : static_cast<double>(whole); }
    [[nodiscard]] bool is_true() const { return is_float ? real != 0 : whole != 0; }
};
[[nodiscard]] std::string text_of(const Number& number);

// One element of `type`. `to` has its size; a number that does not fit wraps, as a store does.
[[nodiscard]] Number read_number(const std::byte* from, isa::Type type);
void write_number(std::byte* to, isa::Type type, const Number& number);
// "f" or "f32", "ud" or "u32" ...
[[nodiscard]] std::optional<isa::Type> type_named(std::string_view name);

// An element of a register: `NAME[index]`, of the variable's type or of another that its bytes are read as.
// Error: a sentence.
[[nodiscard]] std::expected<Number, std::string> read_register(const machine::Frame& frame,
                                                               std::string_view name,
                                                               std::optional<isa::Type> as, uint64_t index);
[[nodiscard]] std::expected<void, std::string> write_register(machine::Frame& frame, std::string_view name,
                                                              std::optional<isa::Type> as, uint64_t index,
                                                              const Number& number);
// Where the bytes of a general variable are. Error: a sentence.
[[nodiscard]] std::expected<std::span<std::byte>, std::string> register_bytes(const machine::Frame& frame,
                                                                              std::string_view name);

// Bytes of global memory that are all in one live allocation, or of shared local memory. Error: a sentence.
enum class Memory : uint8_t { global, local };
[[nodiscard]] std::expected<std::span<std::byte>, std::string>
memory_at(const machine::Thread& thread, Memory memory, uint64_t address, uint64_t bytes);

} // namespace visor::debug
