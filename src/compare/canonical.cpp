#include "compare/canonical.h"

#include "isa/marks.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace visor::compare {

namespace {

// In the source: of a lifetime the finalizer takes note.
bool is_place(const isa::Row& row) {
    return row.opcode == isa::opcode::file || row.opcode == isa::opcode::loc;
}

bool closes_block(const isa::Row& row) {
    return isa::is_mark(row) || isa::has(row, isa::ends_block);
}

// The class that `klass` of an operand means.
Space space_of(uint8_t klass) {
    constexpr std::array spaces{Space::general, Space::address, Space::predicate, Space::sampler,
                                Space::surface};
    return spaces[std::min<size_t>(klass, spaces.size() - 1)];
}

// Chains of aliases are followed once: an alias is declared after what it is an alias of.
std::vector<Root> roots_of(const Function& function) {
    std::vector<Root> roots;
    const auto count = static_cast<uint32_t>(isa::first_user_general + function.general.size());
    roots.reserve(count);
    for (uint32_t id = 0; id < count; ++id) {
        if (isa::is_predefined(id)) {
            roots.push_back({id, 0});
            continue;
        }
        const GeneralVariable& variable = function.general[id - isa::first_user_general];
        if (variable.alias != 0 && variable.alias < id)
            roots.push_back({roots[variable.alias].id, roots[variable.alias].offset + variable.alias_offset});
        else
            roots.push_back(root_of(function, id));
    }
    return roots;
}

uint64_t packed(const Operand& operand, isa::Type type) {
    uint64_t out = static_cast<uint8_t>(operand.kind);
    const auto add = [&out](uint64_t byte) { out = out << 8U | byte; };
    add(static_cast<uint8_t>(operand.modifier));
    add(static_cast<uint8_t>(type));
    add(operand.region.vertical);
    add(operand.region.width);
    add(operand.region.horizontal);
    add(operand.width);
    add(operand.klass);
    return out;
}

class Builder {
public:
    Builder(const Function& function, uint32_t grf_bytes) : function_(function) {
        out_.function = &function;
        out_.grf_bytes = grf_bytes;
        out_.roots = roots_of(function);
        number_strings();
    }

    Canonical build() {
        find_targets();
        uint32_t begin = 0;
        for (uint32_t i = 0; i < function_.code.size(); ++i) {
            const Instruction& instruction = function_.code[i];
            if (is_place(*instruction.row) || is_idle(instruction))
                continue;
            add(i, instruction);
            if (!closes_block(*instruction.row))
                continue;
            const auto end = static_cast<uint32_t>(out_.code.size());
            out_.blocks.push_back({begin, end, true});
            begin = end;
        }
        if (begin < out_.code.size())
            out_.blocks.push_back({begin, static_cast<uint32_t>(out_.code.size()), false});
        return std::move(out_);
    }

private:
    // The same text is the same string, wherever it stands in the table.
    void number_strings() {
        std::unordered_map<std::string_view, uint32_t> first_of;
        for (uint32_t i = 0; i < function_.strings.size(); ++i) {
            const std::string_view text = function_.strings[i];
            strings_.push_back(first_of.try_emplace(text, i).first->second);
            string_hashes_.push_back(std::hash<std::string_view>{}(text));
        }
    }

    void find_targets() {
        is_target_.resize(function_.labels.size());
        for (const Instruction& instruction : function_.code) {
            if (isa::is_mark(*instruction.row))
                continue;
            for (const Operand& operand : instruction.operands)
                if (operand.kind == OperandKind::label && operand.id < is_target_.size())
                    is_target_[operand.id] = true;
        }
    }

    // A label that nothing goes to.
    [[nodiscard]] bool is_idle(const Instruction& instruction) const {
        if (instruction.row->form != isa::TextForm::label || instruction.operands.empty())
            return false;
        const uint32_t label = instruction.operands.front().id;
        return label < is_target_.size() && !is_target_[label] &&
               function_.labels[label].kind == LabelKind::block;
    }

    void add(uint32_t index, const Instruction& instruction) {
        CanonicalInstruction made{.index = index,
                                  .words_begin = static_cast<uint32_t>(out_.words.size()),
                                  .names_begin = static_cast<uint32_t>(out_.names.size())};
        const isa::Row& row = *instruction.row;
        out_.words.push_back(uint64_t{row.opcode} << 32U | static_cast<uint16_t>(row.sub));
        const Execution& execution = instruction.execution;
        out_.words.push_back(uint64_t{execution.size} << 48U | uint64_t{execution.offset} << 40U |
                             uint64_t{execution.no_mask} << 32U | uint64_t{instruction.saturate} << 24U |
                             uint64_t{instruction.predicate.id != 0} << 16U |
                             uint64_t{static_cast<uint8_t>(instruction.predicate.control)} << 8U |
                             uint64_t{instruction.predicate.inverted});
        if (instruction.predicate.id != 0)
            out_.names.push_back({Space::predicate, instruction.predicate.id});
        for (const Operand& operand : instruction.operands)
            add(operand);
        made.words_end = static_cast<uint32_t>(out_.words.size());
        made.names_end = static_cast<uint32_t>(out_.names.size());
        out_.code.push_back(made);
        const auto at = static_cast<uint32_t>(out_.code.size() - 1);
        out_.code.back().hash = hash_of(at);
    }

    [[nodiscard]] uint64_t hash_of(uint32_t at) const {
        uint64_t hash = 0;
        for (const uint64_t word : out_.words_of(at))
            hash = mixed(hash, word);
        for (const Name name : out_.names_of(at)) {
            hash = mixed(hash, static_cast<uint64_t>(name.space));
            if (is_fixed(function_, name))
                hash = mixed(hash, name.id);
            else if (name.space == Space::string)
                hash = mixed(hash, string_hashes_[name.id]);
        }
        return hash;
    }

    void add(const Operand& operand) {
        switch (operand.kind) {
        case OperandKind::general:
        case OperandKind::raw:
            add_general(operand);
            break;
        case OperandKind::address:
        case OperandKind::indirect:
            add_words(operand, Space::address);
            break;
        case OperandKind::predicate:
            add_words(operand, Space::predicate);
            break;
        case OperandKind::state_surface:
        case OperandKind::surface:
            add_words(operand, Space::surface);
            break;
        case OperandKind::state_sampler:
        case OperandKind::sampler:
            add_words(operand, Space::sampler);
            break;
        case OperandKind::label:
            add_words(operand, Space::label);
            break;
        case OperandKind::string:
            add_words(operand, Space::string);
            if (uint32_t& id = out_.names.back().id; id < strings_.size())
                id = strings_[id];
            break;
        case OperandKind::address_of:
        case OperandKind::variable:
            if (space_of(operand.klass) == Space::general)
                add_general(operand);
            else
                add_words(operand, space_of(operand.klass));
            break;
        case OperandKind::absent:
        case OperandKind::immediate:
        case OperandKind::literal:
            out_.words.insert(out_.words.end(), {packed(operand, operand.type), place_of(operand),
                                                 static_cast<uint64_t>(operand.offset), operand.value});
            break;
        }
    }

    static uint64_t place_of(const Operand& operand) { return uint64_t{operand.row} << 8U | operand.column; }

    void add_words(const Operand& operand, Space space) {
        out_.words.insert(out_.words.end(), {packed(operand, operand.type), place_of(operand),
                                             static_cast<uint64_t>(operand.offset), operand.value});
        out_.names.push_back({space, operand.id});
    }

    // A root, and bytes from its first one: an alias is a place.
    void add_general(const Operand& operand) {
        const isa::Type type = general_type(function_, operand.id);
        const Root root = out_.root(operand.id);
        const uint64_t place =
            uint64_t{operand.row} * out_.grf_bytes + uint64_t{operand.column} * isa::size_of(type);
        const auto offset = static_cast<uint64_t>(int64_t{operand.offset} + int64_t{root.offset});
        // Only a lifetime is about the variable as a whole.
        const uint64_t elements = operand.kind == OperandKind::variable
                                      ? general_elements(function_, operand.id, out_.grf_bytes)
                                      : operand.value;
        out_.words.insert(out_.words.end(), {packed(operand, type), 0, offset + place, elements});
        out_.names.push_back({Space::general, root.id});
    }

    const Function& function_;
    std::vector<bool> is_target_;   // by label
    std::vector<uint32_t> strings_; // the first one of the same text, by string
    std::vector<uint64_t> string_hashes_;
    Canonical out_;
};

} // namespace

bool is_fixed(const Function& function, Name name) {
    switch (name.space) {
    case Space::general:
        return isa::is_predefined(name.id) || !general_exists(function, name.id);
    case Space::address:
        return name.id >= function.addresses.size();
    case Space::predicate:
        return name.id < isa::first_user_predicate ||
               name.id - isa::first_user_predicate >= function.predicates.size();
    case Space::sampler:
        return name.id >= function.samplers.size();
    case Space::surface:
        return name.id < isa::first_user_surface ||
               name.id - isa::first_user_surface >= function.surfaces.size();
    case Space::label:
        return name.id >= function.labels.size();
    case Space::string:
        return name.id >= function.strings.size();
    }
    return true;
}

Canonical canonical(const Function& function, uint32_t grf_bytes) {
    return Builder(function, grf_bytes).build();
}

} // namespace visor::compare
