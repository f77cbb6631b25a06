#include "compile/spirv_builtins.h"

#include "compile/spirv_words.h"

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace visor::compile {

namespace {

enum Op : uint16_t {
    op_name = 5,
    op_ext_inst = 12,
    op_capability = 17,
    op_type_void = 19,
    op_type_int = 21,
    op_type_float = 22,
    op_type_vector = 23,
    op_type_array = 28,
    op_type_pointer = 32,
    op_type_forward_pointer = 39,
    op_constant = 43,
    op_constant_composite = 44,
    op_constant_null = 46,
    op_spec_constant = 50,
    op_spec_constant_op = 52,
    op_variable = 59,
    op_load = 61,
    op_store = 62,
    op_copy_memory = 63,
    op_access_chain = 65,
    op_in_bounds_access_chain = 66,
    op_ptr_access_chain = 67,
    op_in_bounds_ptr_access_chain = 70,
    op_decorate = 71,
    op_vector_shuffle = 79,
    op_composite_extract = 81,
    op_composite_insert = 82,
    op_copy_object = 83,
    op_ptr_cast_to_generic = 121,
    op_generic_cast_to_ptr = 122,
    op_generic_cast_to_ptr_explicit = 123,
    op_bitcast = 124,
    op_loop_merge = 246,
    op_switch = 251,
    op_lifetime_start = 256,
    op_lifetime_stop = 257,
    op_no_line = 317,
    op_decorate_id = 332,
    op_decorate_string = 5632,
};
constexpr uint32_t decoration_built_in = 11;

struct Instruction {
    const spirv::Words* words = nullptr;
    size_t at = 0;
    uint32_t opcode = 0;
    uint32_t length = 0;

    uint32_t operator[](uint32_t index) const { return index < length ? words->at(at + index) : 0; }
};

struct Type {
    uint64_t bytes = 0;
    uint32_t element = 0; // of a vector or an array
    uint32_t count = 0;
    bool is_int = false;
};

// A pointer into a built-in variable.
struct Pointer {
    uint32_t variable = 0;
    uint32_t pointee = 0; // a type
    uint64_t offset = 0;  // bytes; wraps, for indices may be negative
    uint32_t base = 0;    // the pointer that it is derived from
    size_t at = 0;        // its instruction
    size_t uses = 0;      // that are not rewritten
};

struct Load {
    size_t at = 0;
    uint32_t type = 0;
    uint32_t result = 0;
    uint32_t variable = 0;
    uint32_t variable_type = 0;
    std::optional<uint32_t> component; // absent: all of it
};

// The range of an instruction's operands that may be pointers.
std::pair<uint32_t, uint32_t> uses_in(const Instruction& instruction) {
    constexpr std::pair<uint32_t, uint32_t> none{0, 0};
    const uint32_t opcode = instruction.opcode;
    switch (opcode) {
    case op_ext_inst:
        return {5, instruction.length};
    case op_constant_composite:
        return {3, instruction.length};
    case op_load:
    case op_composite_extract:
        return {3, 4};
    case op_vector_shuffle:
    case op_composite_insert:
        return {3, 5};
    case op_store:
    case op_copy_memory:
        return {1, 3};
    case op_lifetime_start:
    case op_lifetime_stop:
        return {1, 2};
    case op_decorate_id:
        return {3, instruction.length};
    case op_decorate:
    case op_no_line:
    case op_decorate_string:
        return none;
    default:
        break;
    }
    const bool names = opcode > 1 && opcode <= op_capability;
    const bool types = opcode >= op_type_void && opcode <= op_type_forward_pointer;
    const bool constants = opcode > op_type_forward_pointer && opcode <= op_spec_constant;
    const bool branches = opcode >= op_loop_merge && opcode <= op_switch;
    return names || types || constants || branches ? none : std::pair(1U, instruction.length);
}

class Rewriter {
public:
    explicit Rewriter(std::string_view module)
        : module_(module), words_(module), bound_(words_.at(spirv::header_bound)) {}

    std::optional<std::string> rewritten() {
        const size_t end = words_.each(
            [this](size_t at, uint32_t opcode, uint32_t length) { look({&words_, at, opcode, length}); });
        const bool removes = find_removed();
        if (loads_.empty() && !removes)
            return std::nullopt;
        if (loads_.size() >= std::numeric_limits<uint32_t>::max() - bound_)
            return std::nullopt;
        return written(end);
    }

private:
    // ---- types and constants

    void look(const Instruction& instruction) {
        switch (instruction.opcode) {
        case op_decorate:
            if (instruction[2] == decoration_built_in)
                built_in_.insert(instruction[1]);
            return;
        case op_variable:
            return add_variable(instruction);
        case op_constant:
        case op_constant_null:
            return add_constant(instruction);
        case op_load:
            if (add_load(instruction))
                return;
            break;
        default:
            if (instruction.opcode >= op_type_int && instruction.opcode <= op_type_pointer)
                return add_type(instruction);
            if (add_pointer(instruction))
                return;
            break;
        }
        count_uses(instruction);
    }

    [[nodiscard]] const Type* type(uint32_t id) const {
        const auto found = types_.find(id);
        return found == types_.end() ? nullptr : &found->second;
    }

    void add_type(const Instruction& instruction) {
        constexpr uint32_t most = 1U << 16U; // elements: larger ones do not occur
        const Type* element = type(instruction[2]);
        Type made;
        switch (instruction.opcode) {
        case op_type_int:
        case op_type_float:
            made = {.bytes = instruction[2] / 8, .is_int = instruction.opcode == op_type_int};
            if (made.bytes > 8)
                return;
            break;
        case op_type_vector:
            if (element == nullptr || element->element != 0 || instruction[3] > 16)
                return;
            made = {.element = instruction[2], .count = instruction[3]};
            made.bytes = element->bytes * (made.count == 3 ? 4 : made.count);
            break;
        case op_type_array: {
            const auto length = constants_.find(instruction[3]);
            if (element == nullptr || length == constants_.end() || length->second > most ||
                element->bytes > most)
                return;
            made = {.element = instruction[2], .count = static_cast<uint32_t>(length->second)};
            made.bytes = element->bytes * made.count;
            break;
        }
        case op_type_pointer:
            pointees_.emplace(instruction[1], instruction[3]);
            return;
        default:
            return;
        }
        if (made.bytes != 0)
            types_.emplace(instruction[1], made);
    }

    void add_constant(const Instruction& instruction) {
        const Type* of = type(instruction[1]);
        if (of == nullptr || !of->is_int)
            return;
        uint64_t value = instruction[3];
        if (of->bytes == 8)
            value |= uint64_t{instruction[4]} << 32U;
        else // indices are signed
            value = static_cast<uint64_t>(int64_t{static_cast<int32_t>(instruction[3])});
        constants_.emplace(instruction[2], value);
    }

    void add_variable(const Instruction& instruction) {
        const auto pointee = pointees_.find(instruction[1]);
        const uint32_t id = instruction[2];
        if (built_in_.contains(id) && id < bound_ && pointee != pointees_.end() &&
            type(pointee->second) != nullptr)
            variables_.emplace(id, pointee->second);
    }

    // ---- pointers

    // The variable itself, or a pointer derived from it.
    [[nodiscard]] std::optional<Pointer> pointer(uint32_t id) const {
        if (const auto made = pointers_.find(id); made != pointers_.end())
            return made->second;
        const auto variable = variables_.find(id);
        if (variable == variables_.end())
            return std::nullopt;
        return Pointer{.variable = id, .pointee = variable->second};
    }

    bool add_pointer(const Instruction& instruction) {
        if (variables_.empty())
            return false;
        const bool is_constant = instruction.opcode == op_spec_constant_op;
        const uint32_t opcode = is_constant ? instruction[3] : instruction.opcode;
        const uint32_t first = is_constant ? 4 : 3; // operand
        const uint32_t id = instruction[2];
        const auto pointee = pointees_.find(instruction[1]);
        std::optional<Pointer> made = pointer(instruction[first]);
        if (!made || pointee == pointees_.end() || id >= bound_ || variables_.contains(id))
            return false;
        switch (opcode) {
        case op_bitcast:
        case op_copy_object:
        case op_ptr_cast_to_generic:
        case op_generic_cast_to_ptr:
        case op_generic_cast_to_ptr_explicit:
            made->pointee = pointee->second;
            break;
        case op_access_chain:
        case op_in_bounds_access_chain:
        case op_ptr_access_chain:
        case op_in_bounds_ptr_access_chain: {
            const bool counts = opcode == op_ptr_access_chain || opcode == op_in_bounds_ptr_access_chain;
            if (!walk(instruction, first + 1, counts, *made) || made->pointee != pointee->second)
                return false;
            break;
        }
        default:
            return false;
        }
        made->base = instruction[first];
        made->at = instruction.at;
        made->uses = 0;
        if (!pointers_.emplace(id, *made).second)
            return false;
        order_.push_back(id);
        return true;
    }

    // An access chain's indices from operand `next` on; the first one counts whole pointees when `counts`.
    [[nodiscard]] bool walk(const Instruction& instruction, uint32_t next, bool counts, Pointer& made) const {
        for (; next < instruction.length; ++next, counts = false) {
            const Type* whole = type(made.pointee);
            const auto index = constants_.find(instruction[next]);
            if (whole == nullptr || index == constants_.end())
                return false;
            if (!counts) {
                made.pointee = whole->element;
                whole = type(whole->element);
                if (whole == nullptr)
                    return false;
            }
            made.offset += index->second * whole->bytes;
        }
        return true;
    }

    bool add_load(const Instruction& instruction) {
        const auto found = pointers_.find(instruction[3]);
        if (found == pointers_.end() || instruction.length < 4)
            return false;
        const Pointer& from = found->second;
        const uint32_t all = variables_.at(from.variable);
        Load made{.at = instruction.at,
                  .type = instruction[1],
                  .result = instruction[2],
                  .variable = from.variable,
                  .variable_type = all,
                  .component = {}};
        if (made.type != all || from.offset != 0) {
            const Type& whole = types_.at(all);
            const Type* part = type(whole.element);
            if (part == nullptr || made.type != whole.element || from.offset % part->bytes != 0 ||
                from.offset / part->bytes >= whole.count)
                return false;
            made.component = static_cast<uint32_t>(from.offset / part->bytes);
        }
        loads_.push_back(made);
        return true;
    }

    void count_uses(const Instruction& instruction) {
        if (pointers_.empty())
            return;
        const auto [first, end] = uses_in(instruction);
        for (uint32_t i = first; i < end; ++i) {
            if (const auto used = pointers_.find(instruction[i]); used != pointers_.end())
                ++used->second.uses;
        }
    }

    // Removes dead pointers, which crash the compiler, too. False: there are none.
    bool find_removed() {
        for (auto id = order_.rbegin(); id != order_.rend(); ++id) {
            const Pointer& made = pointers_.at(*id);
            if (made.uses == 0)
                removed_.insert(*id);
            else if (const auto base = pointers_.find(made.base); base != pointers_.end())
                ++base->second.uses;
        }
        return !removed_.empty();
    }

    // ---- the new module

    static void append(std::string& out, std::initializer_list<uint32_t> words) {
        for (const uint32_t word : words)
            out.append(reinterpret_cast<const char*>(&word), sizeof word);
    }

    [[nodiscard]] bool is_removed(const Instruction& instruction) const {
        const bool names = instruction.opcode == op_name || instruction.opcode == op_decorate ||
                           instruction.opcode == op_decorate_id || instruction.opcode == op_decorate_string;
        if (names)
            return removed_.contains(instruction[1]);
        if (!removed_.contains(instruction[2]))
            return false;
        return pointers_.at(instruction[2]).at == instruction.at;
    }

    // Drops memory operands: they have no meaning for read-only variables.
    void write(const Load& load, uint32_t& next_id, std::string& out) const {
        constexpr uint32_t load_word = (4U << 16U) | op_load;
        if (!load.component)
            return append(out, {load_word, load.variable_type, load.result, load.variable});
        const uint32_t whole = next_id++;
        append(out, {load_word, load.variable_type, whole, load.variable});
        append(out, {(5U << 16U) | op_composite_extract, load.type, load.result, whole, *load.component});
    }

    [[nodiscard]] std::string written(size_t end) const {
        std::string out;
        out.reserve(module_.size() + loads_.size() * 5 * 4);
        out.append(module_.substr(0, spirv::header_words * 4));
        uint32_t next_id = bound_;
        auto load = loads_.begin();
        words_.each([&](size_t at, uint32_t opcode, uint32_t length) {
            if (load != loads_.end() && load->at == at)
                write(*load++, next_id, out);
            else if (!is_removed({&words_, at, opcode, length}))
                out.append(module_.substr(at * 4, size_t{length} * 4));
        });
        out.append(module_.substr(end * 4)); // trailing bytes
        std::memcpy(out.data() + size_t{spirv::header_bound} * 4, &next_id, sizeof next_id);
        return out;
    }

    std::string_view module_;
    spirv::Words words_;
    uint32_t bound_;
    // By id. Ordered maps: ids are untrusted, and could be chosen to collide in a hash.
    std::set<uint32_t> built_in_;
    std::map<uint32_t, Type> types_;
    std::map<uint32_t, uint32_t> pointees_; // of pointer types
    std::map<uint32_t, uint64_t> constants_;
    std::map<uint32_t, uint32_t> variables_; // built-in ones: their type
    std::map<uint32_t, Pointer> pointers_;
    std::vector<uint32_t> order_; // of pointers_
    std::vector<Load> loads_;     // in the order of the module
    std::set<uint32_t> removed_;
};

} // namespace

std::optional<std::string> with_builtins_loaded_whole(std::string_view module) {
    if (!spirv::is_module(module))
        return std::nullopt;
    return Rewriter(module).rewritten();
}

} // namespace visor::compile
