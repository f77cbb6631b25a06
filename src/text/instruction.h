// One instruction of text, both directions: the generic walk over a row, and the steps of it that irregular
// forms (flow.cpp, lsc.cpp and others) arrange in another way. Which operands there are and how their
// literals are spelled comes from the row; no opcode is named here.
#pragma once

#include "isa/row.h"
#include "isa/table.h"
#include "text/operands.h"
#include "text/reader.h"
#include "text/writer.h"

#include <array>
#include <string_view>

namespace visor::text {

// What stands behind the mnemonic: ".a.b.c".
struct Suffixes {
    static constexpr size_t most = 12;
    std::array<Location, most> parts{};
    size_t count = 0;
    size_t used = 0;

    [[nodiscard]] bool left() const { return used < count; }
};

// An instruction while it is read.
struct Draft {
    Reader& reader;
    const isa::Row* row;
    std::string_view mnemonic; // as written
    Suffixes suffixes;
    Instruction instruction;

    [[nodiscard]] Lexer& lex() { return reader.lex; }
    [[nodiscard]] std::string_view suffix(size_t index) {
        return index < suffixes.count ? lex().text(suffixes.parts[index]) : std::string_view{};
    }
};

// An operand of a row and where an instruction keeps it.
struct Slot {
    const isa::Field* field;
    size_t index;
};
// The operands among which text has a row's fields, in the order of text. `mode` decides about those that a
// mode bit switches (Field::present_if).
struct Slots {
    static constexpr size_t most = 32;
    std::array<Slot, most> slots{};
    size_t count = 0;

    void add(const isa::Field& field, size_t index) {
        if (count < most)
            slots[count++] = {&field, index};
    }
    [[nodiscard]] const Slot* begin() const { return slots.data(); }
    [[nodiscard]] const Slot* end() const { return slots.data() + count; }
};
[[nodiscard]] Slots slots_of(const isa::Row& row, isa::Place place);
[[nodiscard]] Slots operands_in_text_order(const isa::Row& row, const Instruction& instruction);
// The field that is repeated behind a `counted` mark, and the operand that counts; nullptr when the row has
// none.
[[nodiscard]] const isa::Field* repeated_field(const isa::Row& row);
[[nodiscard]] size_t fixed_operands(const isa::Row& row);

// The operand of this name; nullptr when the row has none.
[[nodiscard]] Operand* operand_named(Instruction& instruction, std::string_view name);
[[nodiscard]] const Operand* operand_named(const Instruction& instruction, std::string_view name);
// The literals that a form places, counted from 0.
[[nodiscard]] Operand* form_operand(Instruction& instruction, size_t position);
[[nodiscard]] uint64_t form_value(const Instruction& instruction, size_t position);

// ---- the steps of reading, in order
[[nodiscard]] bool read_suffixes(Draft& draft);
[[nodiscard]] bool take_suffixes(Draft& draft);               // for the fields that are suffixes, and ".sat"
[[nodiscard]] bool suffixes_used_up(Draft& draft);            //
bool refuse_suffix(Draft& draft, std::string_view hint = ""); // the next one; always false
// "; it can be a, b" or " (did you mean `a`?)", for a word that a codec does not have.
[[nodiscard]] std::string choices(isa::Codec codec, std::string_view word);
[[nodiscard]] bool read_execution(Draft& draft);   // (Mk, E)
[[nodiscard]] bool read_parenthesis(Draft& draft); // that, or what the row has in its place
[[nodiscard]] bool read_operands(Draft& draft);    //
[[nodiscard]] bool read_repeated(Draft& draft);    // what `counted` repeats, up to the end of the line
[[nodiscard]] bool missing_operand(Draft& draft, const isa::Field& field);

// ---- and of writing
void write_mnemonic(Writer& writer, const Instruction& instruction); // with suffixes and ".sat"
void write_suffixes(Writer& writer, const Instruction& instruction);
void write_execution(Writer& writer, const Execution& execution); // (Mk, E)
void write_parenthesis(Writer& writer, const Instruction& instruction);
void write_operands(Writer& writer, const Instruction& instruction);
void write_repeated(Writer& writer, const Instruction& instruction);

// A form: how text arranges a row, both ways. Reading begins behind the suffixes, writing at the mnemonic.
struct Form {
    bool (*read)(Draft&);
    void (*write)(Writer&, const Instruction&);
};
[[nodiscard]] const Form& form_of(isa::TextForm form);
namespace forms {
extern const Form regular, no_exec, dpas, gather_legacy; // regular.cpp
extern const Form switchjmp, subroutine, label;          // flow.cpp
extern const Form fence, nbarrier, file, loc;            // sync.cpp
extern const Form sample_3d, sample_legacy;              // sampler.cpp
extern const Form raw_send, raw_sends, raw_sendg;        // raw_send.cpp
extern const Form lsc_untyped, lsc_fence;                // lsc.cpp
extern const Form lsc_block2d;                           // lsc_block2d.cpp
extern const Form lsc_typed, lsc_state_info;             // lsc_typed.cpp
} // namespace forms

// A line that begins with an instruction; appends it to the function.
[[nodiscard]] bool read_instruction(Reader& reader);
// FILE, LOC and their directives, which have no mnemonic of the table's.
[[nodiscard]] bool read_instruction(Reader& reader, const isa::Row& row, uint32_t start);
void write_instruction(Writer& writer, const Instruction& instruction);

} // namespace visor::text
