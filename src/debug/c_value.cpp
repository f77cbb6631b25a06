#include "debug/c_value.h"

#include "debug/variables.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace visor::debug {

namespace {

constexpr uint64_t most_elements = 64;
constexpr size_t most_members = 64;
constexpr uint32_t deepest = 4;
constexpr uint64_t most_bytes = 65'536;
constexpr size_t longest_text = 4'096;

std::string whole_text(const SourceType& type, std::span<const std::byte> bytes) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min<size_t>(bytes.size(), type.bytes));
    const uint64_t unused = 64 - 8 * std::min<uint64_t>(type.bytes, sizeof value);
    const int64_t with_sign = static_cast<int64_t>(value << unused) >> unused;
    switch (type.kind) {
    case SourceType::Kind::boolean:
        return value == 0 ? "false" : value == 1 ? "true" : fmt::format("{}", value);
    case SourceType::Kind::pointer: {
        constexpr uint64_t window = 0x1000'0000; // the compiler's tag of shared local memory
        return fmt::format("{:#x}",
                           type.is_local && value >= window && value < 2 * window ? value - window : value);
    }
    case SourceType::Kind::enumeration: {
        const auto named = std::ranges::find(type.enumerators, with_sign, &SourceType::Enumerator::value);
        return named == type.enumerators.end() ? fmt::format("{}", with_sign) : named->name;
    }
    case SourceType::Kind::signed_integer:
        return fmt::format("{}", with_sign);
    default:
        return fmt::format("{}", value);
    }
}

std::string real_text(const SourceType& type, std::span<const std::byte> bytes) {
    switch (type.bytes) {
    case 2:
        return text_of(read_number(bytes.data(), isa::Type::hf));
    case 4: {
        float value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        return fmt::format("{}", value);
    }
    case 8:
        return text_of(read_number(bytes.data(), isa::Type::df));
    default:
        return "?";
    }
}

class Writer {
public:
    explicit Writer(const std::vector<SourceType>& types) : types_(types) {}

    std::string text(uint32_t index, std::span<const std::byte> bytes, uint32_t depth) {
        if (index >= types_.size() || depth > deepest)
            return "...";
        const SourceType& type = types_[index];
        switch (type.kind) {
        case SourceType::Kind::vector:
        case SourceType::Kind::array:
            return elements(type, bytes, depth);
        case SourceType::Kind::structure:
            return members(type, bytes, depth);
        case SourceType::Kind::other:
            return "?";
        default:
            if (bytes.size() < type.bytes || type.bytes == 0 || type.bytes > sizeof(uint64_t))
                return "...";
            return type.kind == SourceType::Kind::real ? real_text(type, bytes) : whole_text(type, bytes);
        }
    }

private:
    std::string elements(const SourceType& type, std::span<const std::byte> bytes, uint32_t depth) {
        const uint64_t each = type.element < types_.size() ? types_[type.element].bytes : 0;
        std::string out = "{";
        for (uint64_t k = 0; k < type.count; ++k) {
            if (k == most_elements || each == 0 || written_ > longest_text || (k + 1) * each > bytes.size())
                return out + " ...}";
            const std::string one = text(type.element, bytes.subspan(k * each, each), depth + 1);
            out += (k == 0 ? "" : ", ") + one;
            written_ += one.size();
        }
        return out + "}";
    }

    std::string members(const SourceType& type, std::span<const std::byte> bytes, uint32_t depth) {
        std::string out = "{";
        for (size_t k = 0; k < type.members.size(); ++k) {
            const SourceType::Member& member = type.members[k];
            if (k == most_members || written_ > longest_text)
                return out + " ...}";
            const uint64_t size = member.type < types_.size() ? types_[member.type].bytes : 0;
            const bool is_inside = member.offset <= bytes.size() && size <= bytes.size() - member.offset;
            std::string one = member.is_bit_field ? "a bit field, which is not shown"
                              : is_inside ? text(member.type, bytes.subspan(member.offset, size), depth + 1)
                                          : "...";
            out += fmt::format("{}{} = {}", k == 0 ? "" : ", ", member.name, one);
            written_ += member.name.size() + one.size();
        }
        return out + "}";
    }

    const std::vector<SourceType>& types_;
    size_t written_ = 0;
};

} // namespace

uint64_t shown_bytes(const std::vector<SourceType>& types, uint32_t type) {
    if (type >= types.size())
        return 0;
    const SourceType& one = types[type];
    uint64_t bytes = one.bytes;
    if (one.kind == SourceType::Kind::array && one.count > most_elements)
        bytes = bytes / one.count * most_elements;
    return std::min(bytes, most_bytes);
}

std::string value_text(const std::vector<SourceType>& types, uint32_t type,
                       std::span<const std::byte> bytes) {
    return Writer(types).text(type, bytes, 0);
}

} // namespace visor::debug
