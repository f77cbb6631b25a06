// What a sweep stands for: one instruction after the other, each with its size, mask, predicate, modifiers
// and way to reach its operands. Which variants a row allows is read off the row.
#pragma once

#include "exec/case_file.h"
#include "isa/device.h"
#include "isa/row.h"
#include "oracle/oracle.h"

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace visor::exec_test {

enum class Variant : uint8_t {
    plain,
    mask,         // some lanes are off, at an offset
    no_mask,      // likewise, but NM
    predicate,    //
    inverted,     // predicate, and some lanes off
    any,          // .any or .all
    overlap,      // destination overlaps src0, an element apart
    saturate,     //
    modifier,     // one of a source
    scalar,       // a source's first element for all lanes
    strided,      // every second element
    immediate,    // the last source
    indirect,     // src0 through an address
    indirect_dst, //
};
inline constexpr unsigned variant_count = 14;
[[nodiscard]] const char* name(Variant variant);

struct Planned {
    size_t line = 0; // of the sweep
    Variant variant = Variant::plain;
    std::string suffix;
    unsigned size = 1;
    unsigned offset = 0;
    std::optional<oracle::Type> to; // absent: a predicate
    std::vector<oracle::Type> from;
    oracle::Modes modes;
    const isa::Device* device = nullptr;
    uint64_t seed = 0;
};

// Where the results beside the first one go.
enum class Second : uint8_t { none, variable, high_half, predicate, predicate_in_guard };
[[nodiscard]] Second second_of(const isa::Row& row, bool predicate_destination);

[[nodiscard]] const isa::Row* row_of(const CaseFile& file);

// Error: a sweep that cannot be.
[[nodiscard]] std::expected<std::vector<Planned>, std::string> plan(const CaseFile& file);

// One device for each register size that has the row and computes with the types; empty: none has it.
[[nodiscard]] std::vector<const isa::Device*> devices_for(const isa::Row& row,
                                                          const std::vector<oracle::Type>& types);

// Numbers without pattern; the same in every run.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    // The first numbers come from these bytes, one each: who changes a byte changes one number. They have to
    // outlive it.
    explicit Random(std::span<const uint8_t> choices) : state_(seed_of_choices), choices_(choices) {}
    uint64_t next();
    unsigned below(unsigned end) { return static_cast<unsigned>(next() % end); }

private:
    static constexpr uint64_t seed_of_choices = 0xc401ce;

    uint64_t state_;
    std::span<const uint8_t> choices_;
};
inline constexpr uint64_t seed = 0x5eed;

// An element's bits: half of them at an edge of the type.
[[nodiscard]] uint64_t sample(oracle::Type type, bool moderate, Random& random);

} // namespace visor::exec_test
