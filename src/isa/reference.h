// The instruction reference: a row put into words, for people (a page of 80 columns) and for programs (the
// same words as data). Everything comes from the row; it decides nothing and knows no instruction by name.
#pragma once

#include "isa/row.h"

#include <string>
#include <vector>

namespace visor::isa {

struct ReferenceField {
    std::string name;
    std::string bytes;   // on the wire: "1", "6-10"; "-" when a binary has no place for it
    std::string meaning; // what may stand there
};

struct Reference {
    std::string mnemonic;
    std::vector<std::string> spellings; // further ones
    std::string opcode;                 // "0x79", "0x4e 0x05"
    std::string family;
    std::vector<std::string> semantics; // lines of pseudo-code
    std::vector<std::string> syntax;    // of text; a line a form
    std::string example;                // a line that assembles, given its variables
    std::vector<ReferenceField> fields; // in wire order, behind the opcode
    std::vector<unsigned> exec_sizes;
    std::string predicate;
    std::string saturation;
    std::string modifiers; // of sources
    std::vector<std::string> effects;
    std::string out_of_bounds; // "" when nothing is accessed
    std::vector<std::string> devices;
    std::string fidelity;    // how near Visor's result is to the page's
    std::string page;        // of the vISA documentation, or where else the facts are from
    std::string unsupported; // why Visor does not execute it, "" when it does
};

[[nodiscard]] Reference reference(const Row& row);

// At most 80 columns, ends with a newline.
[[nodiscard]] std::string page(const Row& row);

} // namespace visor::isa
