// A function as numbers to compare: words, which are the same whatever things are called, and names, which
// stand for one thing each. FILE and LOC are left out, and so are labels that nothing goes to.
#pragma once

#include "module/module.h"

#include <cstdint>
#include <span>
#include <vector>

namespace visor::compare {

enum class Space : uint8_t { general, address, predicate, sampler, surface, label, string };
inline constexpr size_t space_count = 7;

// A variable (general: a root), a label or a string, by vISA id or index.
struct Name {
    Space space = Space::general;
    uint32_t id = 0;

    friend bool operator==(const Name&, const Name&) = default;
};

// Whether it means the same in every function: predefined variables, and ids that are declared nowhere.
[[nodiscard]] bool is_fixed(const Function& function, Name name);

struct CanonicalInstruction {
    uint32_t index = 0; // in the function's code
    uint32_t words_begin = 0;
    uint32_t words_end = 0;
    uint32_t names_begin = 0;
    uint32_t names_end = 0;
    uint64_t hash = 0; // of the words, and of names that are fixed
};

// Instructions that follow each other, the last of which control may leave or enter the code at.
struct Block {
    uint32_t begin = 0;
    uint32_t end = 0;    // of them all
    bool closed = false; // the last one ends it: a label, a mark or a branch
};

struct Canonical {
    const Function* function = nullptr;
    uint32_t grf_bytes = 32;
    std::vector<CanonicalInstruction> code;
    std::vector<Block> blocks;
    std::vector<uint64_t> words;
    std::vector<Name> names;
    std::vector<Root> roots; // by general id

    [[nodiscard]] std::span<const uint64_t> words_of(uint32_t at) const {
        return std::span(words).subspan(code[at].words_begin, code[at].words_end - code[at].words_begin);
    }
    [[nodiscard]] std::span<const Name> names_of(uint32_t at) const {
        return std::span(names).subspan(code[at].names_begin, code[at].names_end - code[at].names_begin);
    }
    [[nodiscard]] const Instruction& instruction(uint32_t at) const { return function->code[code[at].index]; }
    [[nodiscard]] Root root(uint32_t general_id) const {
        return general_id < roots.size() ? roots[general_id] : Root{general_id, 0};
    }
};

[[nodiscard]] Canonical canonical(const Function& function, uint32_t grf_bytes);

[[nodiscard]] constexpr uint64_t mixed(uint64_t hash, uint64_t value) {
    // The finalizer of SplitMix64.
    hash += value + 0x9e3779b97f4a7c15U;
    hash = (hash ^ hash >> 30U) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ hash >> 27U) * 0x94d049bb133111ebU;
    return hash ^ hash >> 31U;
}

} // namespace visor::compare
