#include "debug/location.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace visor::debug {

namespace {

// Operations of DWARF, and of Intel's (IGC/DebugInfo/DIE.hpp).
enum Operation : uint8_t {
    op_addr = 0x03,
    op_const1u = 0x08,
    op_const1s = 0x09,
    op_const2u = 0x0a,
    op_const2s = 0x0b,
    op_const4u = 0x0c,
    op_const4s = 0x0d,
    op_const8u = 0x0e,
    op_const8s = 0x0f,
    op_constu = 0x10,
    op_consts = 0x11,
    op_mul = 0x1e,
    op_plus = 0x22,
    op_plus_uconst = 0x23,
    op_lit0 = 0x30,
    op_lit31 = 0x4f,
    op_implicit_value = 0x9e,
    op_push_simd_lane = 0xed,
    op_regval_bits = 0xfe,
};

constexpr size_t deepest = 64;
constexpr int64_t largest = int64_t{1} << 40U; // beyond it no sum is a place in memory
constexpr int64_t local_window = 0x1000'0000;  // the compiler's tag of addresses in shared local memory

// constant + lane * LANE, plus the contents of machine registers.
struct Sum {
    int64_t constant = 0;
    int64_t lane = 0;
    uint32_t wide = 0;   // registers of 64 bits
    uint32_t narrow = 0; // of 32
    bool is_address = false;

    [[nodiscard]] bool is_constant() const { return lane == 0 && wide == 0 && narrow == 0; }
    [[nodiscard]] bool is_small() const {
        return constant > -largest && constant < largest && lane > -largest && lane < largest;
    }
};

class Evaluation {
public:
    explicit Evaluation(std::span<const std::byte> expression) : left_(expression) {}

    // Nothing: it is no sum.
    std::optional<Sum> sum() {
        while (!left_.empty() && stack_.size() <= deepest)
            if (!step() || (!stack_.empty() && !stack_.back().is_small()))
                return std::nullopt;
        return stack_.size() == 1 ? std::optional(stack_.back()) : std::nullopt;
    }

private:
    template <class T>
    bool push_constant() {
        if (left_.size() < sizeof(T))
            return false;
        T value{};
        std::memcpy(&value, left_.data(), sizeof value);
        left_ = left_.subspan(sizeof value);
        stack_.push_back({.constant = static_cast<int64_t>(value)});
        return true;
    }

    std::optional<uint64_t> leb128(bool is_signed) {
        uint64_t value = 0;
        for (uint32_t shift = 0; shift < 64 && !left_.empty(); shift += 7) {
            const auto byte = static_cast<uint8_t>(left_.front());
            left_ = left_.subspan(1);
            value |= uint64_t{byte & 0x7fU} << shift;
            if ((byte & 0x80U) != 0)
                continue;
            if (is_signed && (byte & 0x40U) != 0 && shift + 7 < 64)
                value |= UINT64_MAX << (shift + 7);
            return value;
        }
        return std::nullopt;
    }

    bool push_leb128(bool is_signed) {
        const auto value = leb128(is_signed);
        if (value)
            stack_.push_back({.constant = static_cast<int64_t>(*value)});
        return value.has_value();
    }

    std::optional<Sum> pop() {
        if (stack_.empty())
            return std::nullopt;
        const Sum top = stack_.back();
        stack_.pop_back();
        return top;
    }

    bool add(const Sum& right) {
        if (stack_.empty())
            return false;
        Sum& left = stack_.back();
        left.constant += right.constant;
        left.lane += right.lane;
        left.wide += right.wide;
        left.narrow += right.narrow;
        left.is_address = left.is_address || right.is_address;
        return true;
    }

    bool multiply() {
        const auto right = pop();
        const auto left = pop();
        constexpr int64_t most = int64_t{1} << 31U;
        if (!left || !right || !right->is_constant() || left->wide + left->narrow != 0 ||
            right->constant < -most || right->constant > most || left->constant < -most ||
            left->constant > most || left->lane < -most || left->lane > most)
            return false;
        stack_.push_back(
            {.constant = left->constant * right->constant, .lane = left->lane * right->constant});
        return true;
    }

    // The number of a register and an offset in bits become so many bits of it.
    bool read_register() {
        if (left_.empty())
            return false;
        const auto bits = static_cast<uint8_t>(left_.front());
        left_ = left_.subspan(1);
        const auto offset = pop();
        const auto number = pop();
        if (!offset || !number || !offset->is_constant() || !number->is_constant() ||
            (bits != 64 && bits != 32))
            return false;
        stack_.push_back({.wide = bits == 64 ? 1U : 0U, .narrow = bits == 32 ? 1U : 0U});
        return true;
    }

    bool step() {
        const auto operation = static_cast<uint8_t>(left_.front());
        left_ = left_.subspan(1);
        if (operation >= op_lit0 && operation <= op_lit31) {
            stack_.push_back({.constant = operation - op_lit0});
            return true;
        }
        switch (operation) {
        case op_addr: {
            const bool done = push_constant<uint64_t>();
            if (done)
                stack_.back().is_address = true;
            return done;
        }
        case op_const1u:
            return push_constant<uint8_t>();
        case op_const1s:
            return push_constant<int8_t>();
        case op_const2u:
            return push_constant<uint16_t>();
        case op_const2s:
            return push_constant<int16_t>();
        case op_const4u:
            return push_constant<uint32_t>();
        case op_const4s:
            return push_constant<int32_t>();
        case op_const8u:
            return push_constant<uint64_t>();
        case op_const8s:
            return push_constant<int64_t>();
        case op_constu:
            return push_leb128(false);
        case op_consts:
            return push_leb128(true);
        case op_mul:
            return multiply();
        case op_plus: {
            const auto right = pop();
            return right && add(*right);
        }
        case op_plus_uconst: {
            const auto value = leb128(false);
            return value && *value < static_cast<uint64_t>(largest) &&
                   add({.constant = static_cast<int64_t>(*value)});
        }
        case op_push_simd_lane:
            stack_.push_back({.lane = 1});
            return true;
        case op_regval_bits:
            return read_register();
        default:
            return false; // a value in registers, in parts, a constant of some instructions
        }
    }

    std::span<const std::byte> left_;
    std::vector<Sum> stack_;
};

std::optional<Place> place_of(const Sum& sum, bool in_local_memory) {
    if (sum.is_address && sum.is_constant() && in_local_memory && sum.constant >= local_window &&
        sum.constant < 2 * local_window)
        return Place{Place::Kind::local_memory, sum.constant - local_window};
    if (sum.is_address || sum.wide != 1 || sum.narrow > 1 || sum.lane == 0)
        return std::nullopt;
    return Place{sum.narrow == 1 ? Place::Kind::private_memory : Place::Kind::stack, sum.constant};
}

} // namespace

std::expected<Place, std::string> place_of(std::span<const std::vector<std::byte>> locations,
                                           bool in_local_memory) {
    if (locations.empty())
        return std::unexpected("optimized away: the compiler kept no location");
    const auto is_constant = [](const std::vector<std::byte>& expression) {
        return !expression.empty() && static_cast<uint8_t>(expression.front()) == op_implicit_value;
    };
    if (std::ranges::all_of(locations, is_constant))
        return std::unexpected(
            "not known here: it is a constant for some of the machine code, and the compiler does "
            "not say for which of the vISA code");
    std::optional<Place> found;
    for (const std::vector<std::byte>& expression : locations) {
        const auto sum = Evaluation(expression).sum();
        const auto place = sum ? place_of(*sum, in_local_memory) : std::nullopt;
        if (!place || (found && *found != *place))
            return std::unexpected(
                "not known here: the compiler has it in registers of the machine code, and "
                "does not say in which of the vISA code");
        found = place;
    }
    return *found;
}

} // namespace visor::debug
