// Values as a case file spells them, and the kernel that a literal case stands for.
#pragma once

#include "exec/case_file.h"
#include "exec/launcher.h"
#include "oracle/number.h"

#include <expected>
#include <string>
#include <vector>

namespace visor::exec_test {

// What a word says of an element: its bits, or that it is left as it was, any NaN, or anything.
enum class Meaning : uint8_t { bits, untouched, any_nan, anything };
struct Element {
    Meaning meaning = Meaning::bits;
    uint64_t bits = 0;
    std::string pointer; // "&name+offset"
};
// `3*4` stands for four 3. Error: the word that is no value.
[[nodiscard]] std::expected<std::vector<Element>, std::string> elements(const std::vector<std::string>& words,
                                                                        oracle::Type type);

// What every byte holds that nothing was put into.
inline constexpr std::byte pattern{0xcd};

// The kernel of a case; variables' final content goes to the surface "OUT", in the order of the inputs,
// predicates' after it.
[[nodiscard]] std::expected<Launch, std::string> kernel_of(const LiteralCase& given,
                                                           const std::string& device, unsigned grf_bytes);
// "" or how the results differ from what the case expects.
[[nodiscard]] std::string differences(const LiteralCase& given, const Launch& launch, const Outcome& outcome);

// The case's lines with the regions that bare names of variables stand for.
[[nodiscard]] std::vector<std::string> full_code(const LiteralCase& given);

// oword messages that move `bytes`, a multiple of 16, between a variable and a surface.
void append_messages(std::string& text, bool load, std::string_view surface, size_t at,
                     std::string_view variable, size_t bytes);

} // namespace visor::exec_test
