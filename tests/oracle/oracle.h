// A second opinion on what instructions compute: pure functions by mnemonic and types, written from the
// pages. It knows lanes and nothing of registers, masks or memory; who asks places the results. It must not
// include anything of src/.
#pragma once

#include "oracle/number.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

inline constexpr unsigned max_lanes = 32;

enum class Modifier : uint8_t { none, neg, abs, neg_abs, bit_not };

struct Modes {
    Round round = Round::even;
    bool keep_denormals = true;
};

struct Source {
    Type type = Type::ud;
    Modifier modifier = Modifier::none;
    std::array<uint64_t, max_lanes> lanes{}; // bits
};

struct Question {
    std::string mnemonic;
    std::string suffix; // ".eq", ".x96"
    Type to = Type::ud; // of a predicate: any
    bool saturate = false;
    Modes modes;
    unsigned lanes = 1;
    uint32_t chosen = 0; // sel: lanes whose predicate is 1
    std::vector<Source> sources;
};

struct Lane {
    uint64_t bits = 0;
    bool any_nan = false;   // a NaN, its bits are free
    bool undefined = false; // by the page
    long double real = 0;   // of a real result: its value before rounding, as near as the host gets
};

struct Answer {
    std::array<Lane, max_lanes> first;
    std::array<uint64_t, max_lanes> second{}; // carry, high half, flag
};

// nullopt: it has no opinion on this instruction.
[[nodiscard]] std::optional<Answer> answer(const Question& question);

// The halves of it: integer results, real ones.
[[nodiscard]] bool answer_integer(const Question& question, Answer& out);
[[nodiscard]] bool answer_real(const Question& question, Answer& out);

// A source's lane as a number, with its modifier.
[[nodiscard]] Wide integer_lane(const Source& source, unsigned lane);

} // namespace oracle
