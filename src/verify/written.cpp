#include "verify/written.h"

#include "isa/predefined.h"
#include "isa/row.h"

#include <algorithm>

namespace visor::verify {

namespace {

bool is_destination(isa::FieldKind kind) {
    return kind == isa::FieldKind::vector_dst || kind == isa::FieldKind::raw_dst;
}

// What is known of each general variable's storage, by the id of its root.
class Storage {
public:
    explicit Storage(const Function& function)
        : function_(function), written_(isa::first_user_general + function.general.size()),
          read_(written_.size()) {}

    void write(uint32_t id) {
        if (const uint32_t root = root_of(function_, id).id; root < written_.size())
            written_[root] = 1;
    }
    void read(uint32_t id, Location where) {
        const uint32_t root = root_of(function_, id).id;
        if (root >= isa::first_user_general && root < read_.size() && read_[root].length == 0)
            read_[root] = where;
    }
    [[nodiscard]] std::vector<NeverWritten> never_written() const {
        std::vector<NeverWritten> found;
        for (uint32_t id = isa::first_user_general; id < written_.size(); ++id)
            if (written_[id] == 0 && read_[id].length != 0)
                found.push_back({general_name(function_, id), read_[id]});
        std::ranges::sort(found, {}, [](const NeverWritten& one) { return one.read.offset; });
        return found;
    }

private:
    const Function& function_;
    std::vector<uint8_t> written_;
    std::vector<Location> read_; // length 0: nothing reads it
};

// Compilers ask so for the lanes that are on, whatever the register holds.
bool compares_with_itself(const Instruction& instruction) {
    const std::vector<Operand>& operands = instruction.operands;
    return instruction.row->family == isa::Family::compare && operands.size() >= 2 &&
           operands.back().kind == OperandKind::general &&
           operands.back().same(operands[operands.size() - 2]);
}

void look_at(const Instruction& instruction, Storage& storage) {
    const bool reads = !compares_with_itself(instruction);
    for (size_t index = 0; index < instruction.operands.size(); ++index) {
        const Operand& operand = instruction.operands[index];
        const isa::Field& field = isa::field_of_operand(*instruction.row, index);
        const bool general = operand.kind == OperandKind::general || operand.kind == OperandKind::raw;
        const bool has_address =
            operand.kind == OperandKind::address_of && operand.klass == 0; // whoever writes there
        if (has_address || (general && is_destination(field.kind)))
            storage.write(operand.id);
        else if (general && reads)
            storage.read(operand.id, operand.where);
    }
}

} // namespace

std::vector<NeverWritten> never_written(const Function& function) {
    Storage storage(function);
    for (const Input& input : function.inputs)
        if (input.klass == InputClass::general)
            storage.write(input.id);
    for (const Instruction& instruction : function.code)
        if (instruction.row != nullptr)
            look_at(instruction, storage);
    return storage.never_written();
}

} // namespace visor::verify
