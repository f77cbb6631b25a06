// Walks layout.h from plain data to bytes of version 4.1. It trusts the module's shape as little as a file's:
// what has no place in the format is reported where the module has it, and the walk goes on to find the rest.
#pragma once

#include "binary/binary.h"
#include "binary/layout.h"
#include "module/name_map.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace visor::binary {

class Writer {
public:
    static constexpr bool reading = false;

    Writer(const Options& options, Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}

    struct Routine {
        std::vector<std::byte> bytes;
        uint32_t input_offset = 0; // from the routine's start
    };
    [[nodiscard]] Routine write(const Function& function);
    [[nodiscard]] std::vector<std::byte> write(const FileHeader& header);
    // A file as a whole is at fault.
    void too_large(std::string_view what);

    // ---- what layout.h walks
    [[nodiscard]] static bool ok() { return true; }
    [[nodiscard]] static Version version() { return {}; }
    void signature();
    template <class Wire, class T>
    void number(const T& value, const char* what) {
        if (!std::in_range<Wire>(value))
            out_of_range(what, static_cast<int64_t>(value), std::numeric_limits<Wire>::min(),
                         std::numeric_limits<Wire>::max());
        put(static_cast<uint64_t>(value), sizeof(Wire));
    }
    template <class Wire>
    void none(const char* /*what*/) {
        put(0, sizeof(Wire));
    }
    void unused(const char* /*what*/, uint8_t usual) { put(usual, 1); }
    template <class T>
    void count(Width width, size_t /*smallest*/, const char* what, const std::vector<T>& items) {
        put_count(width, what, items.size());
    }
    void prefixed_name(const std::string& name);
    void string_pool() {}
    void routine_name(const std::string& name);
    void name(const std::string& name);
    void attribute_value(const Attribute& attribute);
    template <class T>
    void declaration(const T& item) {
        where_ = item.where;
        if constexpr (requires { item.name; })
            subject_ = item.name;
    }
    void properties(isa::Type type, Align align);
    void alias(uint32_t id) { put(id, bytes_of(Width::id, version())); }
    void label_kind(LabelKind kind) { put(static_cast<uint64_t>(kind), 1); }
    void input_kind(const Input& input);
    void input_id(const Input& input) { put(input.id, bytes_of(Width::id, version())); }
    void begin_inputs() { inputs_at_ = out_.size(); }
    void code_bounds();
    void code(const std::vector<Instruction>& code);

    [[nodiscard]] bool begin_instruction(const Instruction& instruction);
    [[nodiscard]] bool end_instruction();
    void execution(const Execution& execution);
    void predicate(const Predicate& predicate);
    void sub_opcode();
    [[nodiscard]] bool is_present(const isa::Field& field) const;
    void leave_out(const isa::Field& field, size_t index);
    [[nodiscard]] const Operand& begin_operand(const isa::Field& field, size_t index);
    void end_operand(const isa::Field& /*field*/) {}
    [[nodiscard]] size_t repetitions() const { return repeated_; }

    void id(Space space, Width width, uint32_t id);
    void string(Width width, uint32_t index);
    void literal(const isa::Field& field, Width width, const Operand& operand);
    void sampler_operation(const Operand& operand);
    void lifetime_variable(const Operand& operand);
    void plain_word(const Operand& /*operand*/) {} // older versions only
    void tag(const isa::Field& field, const Operand& operand);
    void region(const Region& region);
    void type(isa::Type type);
    void lanes(uint8_t width);
    void predicate_id(uint32_t id);
    void immediate(const Operand& operand);
    void state_class(OperandKind kind);

private:
    void put(uint64_t value, size_t bytes);
    void put(std::string_view text);
    void patch(size_t at, uint32_t value);
    void put_count(Width width, const char* what, size_t count);
    [[nodiscard]] uint32_t pooled(std::string_view text);
    void seed_pool(const Function& function);
    [[nodiscard]] std::vector<std::byte> take_pool();
    void count_repeated(const Instruction& instruction);
    [[nodiscard]] bool is_right_kind(const isa::Field& field, const Operand& operand) const;
    [[nodiscard]] const Operand& wire_form(const Operand& address_of);

    void error(std::string rule, const std::string& message);
    void out_of_range(const char* what, int64_t value, int64_t lowest, int64_t highest);

    const Options options_;
    Diagnostics& diagnostics_;
    Location where_;
    bool incomplete_ = false;  // the instruction is a form without a binary, which has been said
    std::string_view subject_; // what is being written, for messages
    std::vector<std::byte> out_;

    const Function* function_ = nullptr;
    NameMap pool_; // numbers are indices
    size_t inputs_at_ = 0;
    size_t bounds_at_ = 0;
    size_t code_at_ = 0;

    const Instruction* instruction_ = nullptr;
    size_t operands_written_ = 0;
    bool saturate_ = false; // to be said by the next destination's tag
    uint16_t mode_ = 0;
    static constexpr size_t no_operand = SIZE_MAX;
    size_t count_operand_ = no_operand; // the literal that counts repeated operands
    size_t repeated_ = 0;
    size_t operand_index_ = 0;
    Operand scratch_; // what stands on the wire for an operand
};

} // namespace visor::binary
