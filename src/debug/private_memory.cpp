#include "debug/private_memory.h"

#include "isa/opcode.h"
#include "isa/predefined.h"
#include "module/extent.h"

#include <algorithm>
#include <string_view>

namespace visor::debug {

namespace {

namespace code = isa::opcode;

constexpr int64_t largest = int64_t{1} << 40U;
constexpr uint64_t lane_numbers = 0x76543210; // an immediate of type v

// constant + lane * LANE, plus bases.
struct Sum {
    enum Base : uint8_t { base = 1, offset = 2, frame = 4, unknown = 8 };

    int64_t constant = 0;
    int64_t lane = 0;
    uint8_t bases = 0;

    [[nodiscard]] bool is_constant() const { return lane == 0 && bases == 0; }
    [[nodiscard]] bool is_small() const {
        return constant > -largest && constant < largest && lane > -largest && lane < largest;
    }
    [[nodiscard]] bool is_private() const { return (bases & offset) != 0 && (bases & frame) == 0; }
    [[nodiscard]] bool is_stack() const { return (bases & frame) != 0 && (bases & offset) == 0; }
};

constexpr Sum not_known{.bases = Sum::unknown};

Sum plus(const Sum& left, const Sum& right) {
    const Sum sum{.constant = left.constant + right.constant,
                  .lane = left.lane + right.lane,
                  .bases = static_cast<uint8_t>(left.bases | right.bases)};
    return sum.is_small() ? sum : not_known;
}

Sum times(const Sum& left, const Sum& right) {
    const Sum& factor = right.is_constant() ? right : left;
    const Sum& other = right.is_constant() ? left : right;
    constexpr int64_t most = int64_t{1} << 30U;
    const auto is_tiny = [](int64_t value) { return value > -most && value < most; };
    if (!factor.is_constant() || other.bases != 0 || !is_tiny(factor.constant) || !is_tiny(other.constant) ||
        !is_tiny(other.lane))
        return not_known;
    const Sum product{.constant = other.constant * factor.constant, .lane = other.lane * factor.constant};
    return product.is_small() ? product : not_known;
}

int64_t signed_value(const Operand& operand) {
    const isa::TypeFacts& facts = isa::facts(operand.type);
    const uint32_t bits = 64 - 8U * std::clamp<uint32_t>(facts.bytes, 1, 8);
    const auto shifted = static_cast<int64_t>(operand.value << bits);
    return facts.is_signed ? shifted >> bits : static_cast<int64_t>(static_cast<uint64_t>(shifted) >> bits);
}

bool has_output_attribute(const GeneralVariable& variable) {
    return std::ranges::any_of(variable.attributes,
                               [](const Attribute& attribute) { return attribute.name == "Output"; });
}

} // namespace

// Walks the code once, in the order of its text, with the sums that it knows of variables.
class PrivateMemoryFinder {
public:
    PrivateMemoryFinder(PrivateMemory& to, const Function& function, uint32_t grf_bytes)
        : to_(to), function_(function), grf_bytes_(grf_bytes) {}

    void find() {
        find_bases();
        for (uint32_t at = 0; at < function_.code.size(); ++at) {
            const Instruction& instruction = function_.code[at];
            if (!isa_has_operands(instruction))
                continue;
            note_stores(instruction, at);
            follow(instruction, at);
        }
    }

private:
    // The variable that starts at a byte: its storage's root, and the byte there.
    using Key = std::pair<uint32_t, uint64_t>;

    static bool isa_has_operands(const Instruction& instruction) {
        return instruction.row != nullptr && !instruction.operands.empty();
    }

    // The compiler keeps both alive to the end of the code for debuggers: the base is an input of 64 bits,
    // the thread's offset is computed from its number.
    void find_bases() {
        std::optional<uint32_t> base;
        std::optional<uint32_t> offset;
        uint32_t others = 0;
        for (uint32_t k = 0; k < function_.general.size(); ++k) {
            const GeneralVariable& variable = function_.general[k];
            if (!has_output_attribute(variable) || variable.alias != 0)
                continue;
            const uint32_t id = isa::first_user_general + k;
            const bool is_input =
                std::ranges::find(function_.inputs, id, &Input::id) != function_.inputs.end();
            const uint32_t bytes = variable.elements * isa::size_of(variable.type);
            if (is_input && bytes == sizeof(uint64_t) && !base)
                base = id;
            else if (!is_input && bytes == sizeof(uint32_t) && !offset)
                offset = id;
            else
                ++others;
        }
        if (base && offset && others == 0)
            to_.bases_ = {*base, *offset};
    }

    [[nodiscard]] std::optional<Key> key_of(const Operand& operand) const {
        if (operand.kind != OperandKind::general && operand.kind != OperandKind::raw)
            return std::nullopt;
        const Root root = root_of(function_, operand.id);
        const uint64_t inner = operand.kind == OperandKind::raw
                                   ? static_cast<uint64_t>(std::max(operand.offset, 0))
                                   : general_offset(function_, operand, grf_bytes_);
        return Key{root.id, root.offset + inner};
    }

    [[nodiscard]] Sum sum_of(const Operand& operand) const {
        if (operand.modifier != SourceModifier::none)
            return not_known;
        if (operand.kind == OperandKind::immediate) {
            if (operand.type == isa::Type::v && operand.value == lane_numbers)
                return {.lane = 1};
            const bool is_whole = !isa::facts(operand.type).is_float && operand.type != isa::Type::v &&
                                  operand.type != isa::Type::uv;
            const Sum sum{.constant = is_whole ? signed_value(operand) : 0};
            return is_whole && sum.is_small() ? sum : not_known;
        }
        const auto key = key_of(operand);
        if (!key)
            return not_known;
        if (to_.bases_ && key->first == to_.bases_->base)
            return key->second == 0 ? Sum{.bases = Sum::base} : not_known;
        if (to_.bases_ && key->first == to_.bases_->offset)
            return {.bases = Sum::offset};
        if (key->first == isa::id(isa::Predefined::fp))
            return key->second == 0 ? Sum{.bases = Sum::frame} : not_known;
        const auto known = sums_.find(*key);
        return known == sums_.end() ? not_known : known->second;
    }

    // What an instruction without a predicate leaves in its first operand.
    [[nodiscard]] Sum result_of(const Instruction& instruction) const {
        const auto source = [&](size_t k) {
            return k < instruction.operands.size() ? sum_of(instruction.operands[k]) : not_known;
        };
        if (instruction.predicate.id != 0 || instruction.saturate || instruction.execution.offset != 0)
            return not_known;
        switch (instruction.row->opcode) {
        case code::mov:
            return source(1);
        case code::add:
            return plus(source(1), source(2));
        case code::add3:
            return plus(plus(source(1), source(2)), source(3));
        case code::addc:
            return plus(source(2), source(3));
        case code::mul:
            return times(source(1), source(2));
        case code::mad:
            return plus(times(source(1), source(2)), source(3));
        default:
            return not_known;
        }
    }

    void follow(const Instruction& instruction, uint32_t at) {
        const Operand& to = instruction.operands.front();
        const auto key = key_of(to);
        if (!key || (instruction.row->flags & isa::writes_memory) != 0)
            return;
        const Sum sum = result_of(instruction);
        if (to.kind == OperandKind::raw) // a message: more than one row
            sums_.erase(sums_.lower_bound({key->first, 0}), sums_.lower_bound({key->first + 1, 0}));
        if ((sum.bases & Sum::unknown) != 0 && sum.bases == Sum::unknown)
            sums_.erase(*key);
        else
            sums_.insert_or_assign(*key, sum);
        note_bases(*key, at);
        note_sum(sum, at, key->first);
    }

    void note_bases(const Key& key, uint32_t at) {
        if (to_.bases_ && key.first == to_.bases_->offset)
            to_.bases_from_ = to_.bases_from_ == UINT32_MAX ? at : UINT32_MAX - 1; // set twice: never known
        if (key.first != isa::id(isa::Predefined::fp))
            return;
        if (to_.frame_from_ == UINT32_MAX || function_.kind == FunctionKind::kernel)
            to_.frame_from_ = at;
        else if (to_.frame_until_ == UINT32_MAX)
            to_.frame_until_ = at; // a function gives its caller the frame back
    }

    [[nodiscard]] PrivateMemory::Accesses* accesses_of(const Sum& sum) {
        return sum.is_private() ? &to_.private_ : sum.is_stack() ? &to_.stack_ : nullptr;
    }

    void note_sum(const Sum& sum, uint32_t at, uint32_t root) {
        PrivateMemory::Accesses* const accesses = accesses_of(sum);
        if (accesses == nullptr || sum.lane == 0)
            return;
        if ((sum.bases & Sum::unknown) == 0)
            accesses->strides[sum.constant].insert(sum.lane);
        if (isa::is_predefined(root)) // an argument of a call
            accesses->stores.try_emplace(sum.constant, at);
    }

    // The address that an instruction writes to, and addresses that it writes: somebody may store there.
    void note_stores(const Instruction& instruction, uint32_t at) {
        if ((instruction.row->flags & isa::writes_memory) == 0)
            return;
        for (const Operand& operand : instruction.operands) {
            if (operand.kind != OperandKind::raw && operand.kind != OperandKind::general)
                continue;
            const Sum sum = sum_of(operand);
            if (PrivateMemory::Accesses* const accesses = accesses_of(sum); accesses != nullptr)
                accesses->stores.try_emplace(sum.constant, at);
        }
    }

    PrivateMemory& to_;
    const Function& function_;
    uint32_t grf_bytes_;
    std::map<Key, Sum> sums_;
};

PrivateMemory::PrivateMemory(const Function& function, uint32_t grf_bytes) {
    PrivateMemoryFinder(*this, function, grf_bytes).find();
}

bool PrivateMemory::has_base(Place::Kind kind, uint32_t instruction) const {
    if (kind == Place::Kind::private_memory)
        return bases_.has_value() && bases_from_ < instruction;
    return frame_from_ < instruction && instruction <= frame_until_;
}

std::optional<uint64_t> PrivateMemory::stride_of(const Place& place) const {
    const auto& strides = accesses(place.kind).strides;
    const auto found = strides.find(place.offset);
    if (found == strides.end() || found->second.size() != 1 || *found->second.begin() <= 0)
        return std::nullopt;
    return static_cast<uint64_t>(*found->second.begin());
}

std::optional<uint32_t> PrivateMemory::first_store(const Place& place, uint64_t bytes) const {
    const auto& stores = accesses(place.kind).stores;
    std::optional<uint32_t> first;
    const auto end =
        stores.lower_bound(place.offset + static_cast<int64_t>(std::min<uint64_t>(bytes, largest)));
    for (auto store = stores.lower_bound(place.offset); store != end; ++store)
        first = std::min(first.value_or(UINT32_MAX), store->second);
    return first;
}

} // namespace visor::debug
