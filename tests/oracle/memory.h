// A second opinion on memory messages, written from their pages and docs/rulings.md: surfaces, shared local
// memory, flat memory and registers are arrays of bytes, a message is a value, and running it changes the
// arrays. It knows no text, no masks' names and no engine, and must not include anything of src/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oracle {

using Bytes = std::vector<std::byte>;

// An allocation; a surface is one of them.
struct Region {
    uint64_t address = 0;
    Bytes bytes;
};

struct World {
    size_t grf = 32; // bytes of a register
    Bytes registers;
    Bytes shared_local;
    std::vector<Region> regions;
};

enum class Space : uint8_t { flat, region, shared_local, nothing };
struct Place {
    Space space = Space::nothing;
    size_t region = 0;
};

// Where an operand begins in the registers; `null` is V0.
inline constexpr size_t null = SIZE_MAX;

// LSC: how an address is made, and how an element lies in memory and registers.
struct Element {
    unsigned address_bytes = 4;
    uint64_t scale = 1;
    int64_t displacement = 0;
    std::optional<uint64_t> pitch; // strided: one address for all lanes
    unsigned memory_bytes = 4;
    unsigned register_bytes = 4;
    unsigned shift = 0;    // d16u32h: the bits stand so far up
    uint64_t elements = 1; // bit v: element v takes part
    bool transposed = false;
};

struct Message {
    std::string mnemonic;
    Place place;
    unsigned lanes = 1;
    unsigned first_channel = 0; // of the mask
    uint32_t enabled = 0;       // bit i: lane i of the message
    uint64_t offset = 0;        // global offset, or the address of a block
    unsigned blocks = 1;        // blocks, bytes or owords at each address
    unsigned block_bytes = 1;
    unsigned channels = 0; // R 1, G 2, B 4, A 8
    std::string op;        // of an atomic
    unsigned bits = 32;    // likewise
    Element element;
    size_t addresses = null;
    size_t data = null;   // source of a store, destination of a load, first source of an atomic
    size_t second = null; // of an atomic
    size_t result = null; // of an atomic
};

struct MemoryFault {
    int lane = -1; // channel; -1: the message has none
    uint64_t address = 0;
};

struct Verdict {
    std::optional<MemoryFault> fault;
    bool free_bits = false; // a NaN came out, of which no page says the bits
};

// Changes `world`. A mnemonic that it does not know is a mistake of the test.
[[nodiscard]] Verdict run(World& world, const Message& message);

// 5_operands.md, EvaluateChEn.
enum class Combine : uint8_t { none, each, any, all };
struct Guard {
    Combine combine = Combine::none;
    bool inverted = false;
    uint32_t predicate = 0;
};
[[nodiscard]] uint32_t enabled(uint32_t execution_mask, bool no_mask, const Guard& guard, unsigned lanes,
                               unsigned first_channel);

// DWORD_ATOMIC page, table DWORD_ATOMIC_OP; operands are the low `bits` bits.
struct Updated {
    uint64_t memory = 0;
    uint64_t returned = 0;
    bool free_bits = false;
};
[[nodiscard]] Updated atomic(const std::string& op, unsigned bits, uint64_t old, uint64_t src0,
                             uint64_t src1);

} // namespace oracle
