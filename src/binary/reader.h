// Walks layout.h from bytes to plain data. Untrusted input: every read is bounded by the bytes of the part
// being read, every count by the bytes that remain, every id by what the routine declares. What is wrong is
// reported once at its byte offset; what is only odd (bits without a meaning) is a warning.
#pragma once

#include "binary/binary.h"
#include "binary/layout.h"
#include "module/name_map.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace visor::binary {

class Reader {
public:
    static constexpr bool reading = true;

    Reader(std::span<const std::byte> file, const Options& options, Diagnostics& diagnostics);

    // Reads the bytes from `begin` on, up to `end`, for this function.
    void start(size_t begin, size_t end, Function* function);
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] Version version() const { return version_; }
    [[nodiscard]] Location since(size_t begin) const;

    // ---- what layout.h walks
    void signature();
    template <class Wire, class T>
    void number(T& value, const char* what) {
        value = static_cast<T>(static_cast<Wire>(bytes(sizeof(Wire), what)));
    }
    template <class Wire>
    void none(const char* what) {
        expect_none(bytes(sizeof(Wire), what), what);
    }
    void unused(const char* what, uint8_t usual);
    template <class T>
    void count(Width width, size_t smallest, const char* what, std::vector<T>& items) {
        items.resize(bounded_count(width, smallest, what));
    }
    void prefixed_name(std::string& name);
    void string_pool();
    void routine_name(const std::string& name);
    // Tells the function's variables and labels apart by name, once it was read without an error. Says what
    // was changed.
    void settle_names();
    // Drops what declarations say and text cannot.
    void settle_variables();
    void name(std::string& name);
    void attribute_value(Attribute& attribute);
    template <class T>
    void declaration(T& item) {
        item.where = since(at_);
    }
    void properties(isa::Type& type, Align& align);
    void alias(uint32_t& id);
    void label_kind(LabelKind& kind);
    void input_kind(Input& input);
    void input_id(Input& input);
    void begin_inputs() {}
    void code_bounds();
    void code(std::vector<Instruction>& code);

    [[nodiscard]] bool begin_instruction(Instruction& instruction);
    [[nodiscard]] bool end_instruction();
    void execution(Execution& execution);
    void predicate(Predicate& predicate);
    void sub_opcode();
    [[nodiscard]] bool is_present(const isa::Field& field);
    void leave_out(const isa::Field& field, size_t index);
    [[nodiscard]] Operand& begin_operand(const isa::Field& field, size_t index);
    void end_operand(const isa::Field& field);
    [[nodiscard]] size_t repetitions();

    void id(Space space, Width width, uint32_t& id);
    void string(Width width, uint32_t& index);
    void literal(const isa::Field& field, Width width, Operand& operand);
    void sampler_operation(Operand& operand);
    void lifetime_variable(Operand& operand);
    void plain_word(Operand& operand);
    void tag(const isa::Field& field, Operand& operand);
    void region(Region& region);
    void type(isa::Type& type);
    void lanes(uint8_t& width);
    void predicate_id(uint32_t& id);
    void immediate(Operand& operand);
    void state_class(OperandKind& kind);

private:
    // How an opcode's row is found: some are chosen by a sub-opcode further on.
    struct Dispatch {
        const isa::Row* only = nullptr;
        bool has_sub = false;
        bool wide_sub = false;  // sub_opcode16
        uint8_t sub_offset = 0; // bytes behind the opcode
    };
    void build_dispatch();
    [[nodiscard]] const isa::Row* row_here();

    [[nodiscard]] uint64_t bytes(size_t count, const char* what);
    [[nodiscard]] std::string_view characters(size_t count, const char* what);
    [[nodiscard]] size_t bounded_count(Width width, size_t smallest, const char* what);
    [[nodiscard]] bool afford(size_t name_bytes);
    void expect_none(uint64_t value, const char* what);
    void define_label(const Operand& operand);
    [[nodiscard]] bool has_paired_resource();
    void to_address_of(Operand& operand);

    // Stops reading this part.
    void fatal(Location where, std::string rule, std::string message);
    void error(Location where, std::string rule, std::string message);
    void warn(Location where, std::string rule, std::string message);
    void note(Location where, std::string rule, std::string message);
    void warn_ignored(Location where, const char* what);
    void warn_ignored(size_t begin, const char* what) { warn_ignored(since(begin), what); }

    std::span<const std::byte> file_;
    const Options options_;
    Diagnostics& diagnostics_;
    Version version_;
    std::array<Dispatch, 256> dispatch_{};

    size_t at_ = 0;
    size_t end_ = 0;
    size_t start_ = 0; // of the routine
    bool ok_ = true;
    size_t remarks_left_;
    size_t names_left_; // bytes of names that may still be copied out of pools

    Function* function_ = nullptr;
    std::vector<std::string_view> pool_;
    NameMap strings_;            // numbers are indices among the function's strings
    uint32_t generals_read_ = 0; // of the function, with the one being read
    size_t code_begin_ = 0;
    size_t code_end_ = 0;

    size_t instruction_at_ = 0;
    size_t operand_at_ = 0;
    Instruction* instruction_ = nullptr;
    uint16_t mode_ = 0; // the instruction's last 16-bit literal
    uint64_t last_literal_ = 0;
    uint8_t lifetime_class_ = 0; // from the properties
};

} // namespace visor::binary
