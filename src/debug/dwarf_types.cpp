#include "debug/dwarf_types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <dwarf.h>
#include <fmt/format.h>

namespace visor::debug {

namespace {

constexpr uint32_t deepest = 16;
constexpr size_t most_types = 20'000;
constexpr size_t most_children = 4'096;
constexpr size_t most_parts = 100'000;
constexpr size_t longest_name = 256;
constexpr uint64_t most_bytes = uint64_t{1} << 32U;

// Calls `visit` with each child of `entry`, up to a limit.
template <class Visit>
void each_child(Dwarf_Die& entry, const Visit& visit) {
    Dwarf_Die child;
    if (dwarf_child(&entry, &child) != 0)
        return;
    for (size_t seen = 0; seen < most_children; ++seen) {
        visit(child);
        Dwarf_Die next;
        if (dwarf_siblingof(&child, &next) != 0)
            return;
        child = next;
    }
}

std::string name_at(const std::vector<SourceType>& types, uint32_t type) {
    return type == no_type ? "void" : types[type].name;
}

uint64_t bytes_at(const std::vector<SourceType>& types, uint32_t type) {
    return type == no_type ? 0 : types[type].bytes;
}

// An array's extents, the outermost first.
std::vector<uint64_t> extents_of(Dwarf_Die& entry) {
    std::vector<uint64_t> extents;
    each_child(entry, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_subrange_type || extents.size() >= deepest)
            return;
        if (const auto count = number_of(child, DW_AT_count))
            extents.push_back(*count);
        else if (const auto last = number_of(child, DW_AT_upper_bound); last && *last != UINT64_MAX)
            extents.push_back(*last + 1);
        else
            extents.push_back(0);
    });
    return extents;
}

} // namespace

std::string name_of(Dwarf_Die& entry) {
    const char* const name = dwarf_diename(&entry);
    std::string text = name == nullptr ? "" : name;
    return text.size() <= longest_name ? text : "";
}

std::optional<uint64_t> number_of(Dwarf_Die& entry, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_attr_integrate(&entry, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
        return std::nullopt;
    return value;
}

uint32_t TypeReader::type_of(Dwarf_Die& entry, uint32_t depth) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (depth > deepest || dwarf_attr_integrate(&entry, DW_AT_type, &attribute) == nullptr ||
        dwarf_formref_die(&attribute, &type) == nullptr)
        return no_type;
    return read(type, depth);
}

uint32_t TypeReader::read(Dwarf_Die& entry, uint32_t depth) {
    const Dwarf_Off offset = dwarf_dieoffset(&entry);
    if (const auto known = known_.find(offset); known != known_.end())
        return known->second;
    if (types_.size() >= most_types)
        return no_type;
    // Known before its parts are, which may be pointers to it.
    const auto index = static_cast<uint32_t>(types_.size());
    known_[offset] = index;
    SourceType& placeholder = types_.emplace_back();
    placeholder.name = name_of(entry);
    if (dwarf_tag(&entry) == DW_TAG_structure_type)
        placeholder.name = "struct " + placeholder.name;
    SourceType type = described(entry, depth + 1);
    types_[index] = std::move(type);
    return index;
}

SourceType TypeReader::described(Dwarf_Die& entry, uint32_t depth) {
    switch (dwarf_tag(&entry)) {
    case DW_TAG_base_type:
        return base(entry);
    case DW_TAG_pointer_type:
        return pointer(entry, depth);
    case DW_TAG_array_type:
        return array(entry, depth);
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_class_type:
        return structure(entry, depth);
    case DW_TAG_enumeration_type:
        return enumeration(entry, depth);
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type: {
        const uint32_t target = type_of(entry, depth);
        SourceType type = copy_of(target);
        if (dwarf_tag(&entry) == DW_TAG_typedef)
            type.name = name_of(entry);
        else if (dwarf_tag(&entry) == DW_TAG_const_type)
            type.name = "const " + name_at(types_, target);
        return type;
    }
    default:
        return {.name = name_of(entry)};
    }
}

// Without its parts where those of all types are too many.
SourceType TypeReader::copy_of(uint32_t type) {
    if (type == no_type)
        return {};
    parts_ += types_[type].members.size() + types_[type].enumerators.size();
    return parts_ <= most_parts ? types_[type] : SourceType{.name = types_[type].name};
}

SourceType TypeReader::base(Dwarf_Die& entry) const {
    SourceType type{.name = name_of(entry), .bytes = number_of(entry, DW_AT_byte_size).value_or(0)};
    switch (number_of(entry, DW_AT_encoding).value_or(0)) {
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        type.kind = SourceType::Kind::signed_integer;
        break;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
        type.kind = SourceType::Kind::unsigned_integer;
        break;
    case DW_ATE_float:
        type.kind = SourceType::Kind::real;
        break;
    case DW_ATE_boolean:
        type.kind = SourceType::Kind::boolean;
        break;
    default:
        break;
    }
    constexpr std::array<uint64_t, 4> sizes{1, 2, 4, 8};
    if (std::ranges::find(sizes, type.bytes) == sizes.end())
        type.kind = SourceType::Kind::other;
    return type;
}

SourceType TypeReader::pointer(Dwarf_Die& entry, uint32_t depth) {
    SourceType type{.kind = SourceType::Kind::pointer};
    type.element = type_of(entry, depth);
    type.bytes = number_of(entry, DW_AT_byte_size).value_or(sizeof(uint64_t));
    type.is_local = number_of(entry, DW_AT_address_class).value_or(0) == 1;
    type.name = fmt::format("{}{}*", type.is_local ? "local " : "", name_at(types_, type.element));
    if (type.bytes != sizeof(uint64_t) && type.bytes != sizeof(uint32_t))
        type.kind = SourceType::Kind::other;
    return type;
}

SourceType TypeReader::array(Dwarf_Die& entry, uint32_t depth) {
    const uint32_t element = type_of(entry, depth);
    Dwarf_Attribute attribute;
    const bool is_vector = dwarf_attr(&entry, DW_AT_GNU_vector, &attribute) != nullptr;
    SourceType type;
    uint32_t inner = element;
    const std::vector<uint64_t> extents = extents_of(entry);
    for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
        if (extent != extents.rbegin()) {
            if (types_.size() >= most_types)
                return {};
            inner = static_cast<uint32_t>(types_.size());
            types_.push_back(std::move(type));
        }
        const uint64_t each = bytes_at(types_, inner);
        const uint64_t stored = is_vector && *extent == 3 ? 4 : *extent; // OpenCL C: as four
        type = {.kind = is_vector ? SourceType::Kind::vector : SourceType::Kind::array,
                .name = name_at(types_, element)};
        for (auto shown = extent; shown != extents.rbegin(); --shown)
            type.name += fmt::format("[{}]", *shown);
        type.name += fmt::format("[{}]", extents.back());
        type.element = inner;
        type.count = *extent;
        type.bytes = each == 0 || stored > most_bytes / each ? 0 : each * stored;
    }
    if (type.bytes == 0)
        type.kind = SourceType::Kind::other;
    return type;
}

SourceType TypeReader::structure(Dwarf_Die& entry, uint32_t depth) {
    SourceType type{.kind = SourceType::Kind::structure};
    const std::string name = name_of(entry);
    type.name = fmt::format("{}{}{}", dwarf_tag(&entry) == DW_TAG_union_type ? "union" : "struct",
                            name.empty() ? "" : " ", name);
    type.bytes = number_of(entry, DW_AT_byte_size).value_or(0);
    each_child(entry, [&](Dwarf_Die& child) {
        if (dwarf_tag(&child) != DW_TAG_member || ++parts_ > most_parts)
            return;
        type.members.push_back({.name = name_of(child),
                                .offset = number_of(child, DW_AT_data_member_location).value_or(0),
                                .type = type_of(child, depth),
                                .is_bit_field = number_of(child, DW_AT_bit_size).has_value()});
    });
    return type;
}

SourceType TypeReader::enumeration(Dwarf_Die& entry, uint32_t depth) {
    SourceType type{.kind = SourceType::Kind::enumeration, .name = "enum " + name_of(entry)};
    const uint32_t underlying = type_of(entry, depth);
    type.bytes = number_of(entry, DW_AT_byte_size).value_or(bytes_at(types_, underlying));
    each_child(entry, [&](Dwarf_Die& child) {
        Dwarf_Attribute attribute;
        Dwarf_Sword value = 0;
        if (dwarf_tag(&child) == DW_TAG_enumerator && ++parts_ <= most_parts &&
            dwarf_attr(&child, DW_AT_const_value, &attribute) != nullptr &&
            dwarf_formsdata(&attribute, &value) == 0)
            type.enumerators.push_back({name_of(child), value});
    });
    if (type.bytes == 0 || type.bytes > sizeof(uint64_t) || !std::has_single_bit(type.bytes))
        type.kind = SourceType::Kind::other;
    return type;
}

} // namespace visor::debug
