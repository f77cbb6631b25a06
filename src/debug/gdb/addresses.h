// Addresses that gdb sees. Global memory has its own. Code, a stack of return addresses and shared local
// memory have synthetic ones, which no host address can be: they lie above its 47 bits.
#pragma once

#include "debug/session.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace visor::debug::gdb {

inline constexpr uint64_t code_window = 0xc0de'0000'0000;
inline constexpr uint64_t code_window_end = 0xc0df'0000'0000;
inline constexpr uint64_t stack_window = 0xd000'0000'0000;
inline constexpr uint64_t local_window = 0xe000'0000'0000;
inline constexpr uint64_t local_window_end = local_window + (uint64_t{1} << 32U);

// x86-64 code of one instruction: `nopl NUMBER(%rax,%rax,1)`, where NUMBER is the vISA instruction's index.
inline constexpr uint64_t instruction_bytes = 8;
[[nodiscard]] std::array<std::byte, instruction_bytes> nop_of(uint32_t number);

// Return addresses: those of one hardware thread take less than this.
inline constexpr uint64_t stack_bytes = uint64_t{1} << 24U;

// A kernel or a function at its address. Only instructions that run have addresses of their own; a label has
// that of the instruction behind it.
struct PlacedCode {
    std::shared_ptr<const Code> code;
    uint64_t begin = 0;
    std::vector<uint32_t> instructions; // by rank: index in the function's code
    std::vector<uint32_t> ranks;        // by index: rank of the first that runs from there on

    [[nodiscard]] uint64_t end() const { return begin + instructions.size() * instruction_bytes; }
};

struct CodePlace {
    const PlacedCode* code = nullptr;
    uint32_t instruction = 0; // in the function's code
};

// Code keeps its address for the whole connection, also when a later launch prepares it again.
class Addresses {
public:
    // False: all of it was known.
    bool add(std::span<const std::shared_ptr<const Code>> codes);
    [[nodiscard]] const std::vector<PlacedCode>& all() const { return placed_; }
    [[nodiscard]] uint64_t end() const { return end_; }

    [[nodiscard]] uint64_t of(const Function& function, uint32_t instruction) const; // 0: not known
    [[nodiscard]] std::optional<CodePlace> at(uint64_t address) const;

    // Of a frame: level 0 is the innermost.
    [[nodiscard]] uint64_t program_counter(const Session& session, const machine::Thread& thread) const;
    [[nodiscard]] static uint64_t stack_pointer(const machine::Thread& thread);
    // The eight bytes of a thread's stack at a multiple of eight.
    [[nodiscard]] uint64_t stack_word(const Session& session, uint64_t address) const;

private:
    std::vector<PlacedCode> placed_; // by ascending addresses
    uint64_t end_ = code_window;
};

} // namespace visor::debug::gdb
