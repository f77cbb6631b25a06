// One spelling of a row, as syntax with placeholders or as an example: what both have in common is how each
// TextForm arranges the parts. Only syntax.cpp and example.cpp include it.
#pragma once

#include "isa/row.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace visor::isa {

// Fields that an instruction has operands for, in wire order, and those among them that stand between blanks,
// in the order of text.
[[nodiscard]] std::vector<const Field*> fields_at(const Row& row, Place place);
[[nodiscard]] std::vector<const Field*> text_operands(const Row& row);
// nullptr when the row has none of this name.
[[nodiscard]] const Field* find_field(const Row& row, std::string_view name);
// The parameters that a `counted` item names; empty when there is none.
[[nodiscard]] std::vector<std::string_view> parameters(const Row& row);
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view list);

// What differs between the two spellings. The destructor of the base is never called.
class Speller {
public:
    explicit Speller(const Row& wanted) : row(wanted) {}

    [[nodiscard]] virtual std::string guard() const = 0;
    [[nodiscard]] virtual std::string suffix(const Field& field) const = 0;
    [[nodiscard]] virtual std::string saturation() const = 0;
    [[nodiscard]] virtual std::string alignment() const = 0; // of svm_block_ld
    [[nodiscard]] virtual std::string execution() const = 0;
    [[nodiscard]] virtual std::string operand(const Field& field) = 0; // "" when it is left out
    [[nodiscard]] virtual std::string repeated() = 0;                  // with a blank in front of each
    [[nodiscard]] virtual std::string shape() const = 0;               // of LSC data, ":" and all
    [[nodiscard]] virtual std::string address() = 0;                   // of LSC messages

    [[nodiscard]] std::string mnemonic() const; // with its suffixes
    [[nodiscard]] std::string parenthesis();
    [[nodiscard]] std::string all_operands();
    [[nodiscard]] std::string named(std::string_view name);

    const Row& row;

protected:
    ~Speller() = default;
};

// The forms that are more than a line of their own.
namespace forms {
[[nodiscard]] std::string regular(Speller& spell);
[[nodiscard]] std::string gather_legacy(Speller& spell);
[[nodiscard]] std::string sample_legacy(Speller& spell, std::string_view channels, std::string_view lanes);
[[nodiscard]] std::string raw_send(Speller& spell, std::string_view tail);
[[nodiscard]] std::string raw_sends(Speller& spell, std::string_view tail);
[[nodiscard]] std::string raw_sendg(Speller& spell, std::string_view tail, std::string_view sfid,
                                    std::string_view descriptor);
[[nodiscard]] std::string lsc(Speller& spell);
} // namespace forms

} // namespace visor::isa
