// Instructions of the lane-wise families, filled from their rows.
#include "maker.h"

#include <algorithm>
#include <fmt/format.h>

namespace visor::jit_fuzz {

using isa::Field;
using isa::FieldKind;
using isa::Type;

Maker::Execution Maker::execution(unsigned sizes) {
    Execution made;
    if ((sizes & setting_.simd) != 0 && chance(tame_ ? 85 : 50)) {
        made.size = setting_.simd;
        made.no_mask = chance(10);
        return made;
    }
    do
        made.size = 1U << random_.below(6);
    while ((sizes & made.size) == 0);
    const unsigned step = std::max(4U, made.size);
    made.offset = chance(50) ? 0 : random_.below(32 / step) * step;
    if (made.size > setting_.simd)
        made.offset = 0;
    made.no_mask = chance(made.size == 1 ? 70 : 20);
    return made;
}

std::string Maker::plain_guard(unsigned of_hundred) {
    if (!chance(of_hundred))
        return "";
    constexpr std::array controls{"", "", "", "", "", ".any", ".all"};
    return fmt::format("({}P{}{}) ", chance(40) ? "!" : "", 1 + random_.below(4), pick(controls));
}

std::string Maker::guard(const isa::Row& row) {
    if (isa::has(row, isa::predicate_selects) || isa::has(row, isa::writes_predicate))
        return fmt::format("({}P{}) ", isa::has(row, isa::predicate_selects) && chance(40) ? "!" : "",
                           1 + random_.below(4));
    return isa::has_predicate(row) ? plain_guard(25) : "";
}

std::string Maker::suffix(const isa::Row& row) {
    std::string text;
    for (const Field& field : row.format) {
        if (field.codec == isa::Codec::relation) {
            constexpr std::array relations{".eq", ".ne", ".gt", ".ge", ".lt", ".le"};
            text += pick(relations);
        } else if (field.codec == isa::Codec::hex_byte) {
            text += fmt::format(".x{:02x}", random_.below(256));
        }
    }
    return text;
}

Type Maker::type_among(isa::TypeSet set, Type wish) {
    set &= ~isa::types(Type::boolean, Type::v, Type::uv, Type::vf);
    if (!lsc_)
        set &= ~isa::types(Type::bf);
    if (isa::contains(set, wish) && chance(tame_ ? 85 : 65))
        return wish;
    for (unsigned tries = 0; tries < 8 && tame_; ++tries) {
        const Root& root = pick(roots_);
        if (isa::contains(set, root.type))
            return root.type;
    }
    std::array<Type, isa::type_count> list{};
    unsigned count = 0;
    for (unsigned code = 0; code < 16; ++code)
        if (isa::contains(set, static_cast<Type>(code)))
            list.at(count++) = static_cast<Type>(code);
    return count == 0 ? Type::ud : list.at(random_.below(count));
}

std::string Maker::at(const Root& root, Type type, uint32_t byte) const {
    return fmt::format("{}_{}({},{})", root.name, name_of(type), byte / grf_,
                       byte % grf_ / isa::size_of(type));
}

// Of this type when there is one.
const Maker::Root& Maker::root_for(Type type, uint32_t bytes) {
    for (unsigned tries = 0; tries < 24; ++tries) {
        const Root& root = pick(roots_);
        const bool rather_not = (root.tame && root.type != type) || &root == &roots_.back();
        if (root.bytes < bytes || (rather_not && tries < 20 && !chance(5)))
            continue;
        return root;
    }
    return roots_.back();
}

std::string Maker::general(Type type, unsigned lanes, bool result) {
    struct Shape {
        unsigned vertical, width, horizontal;
    };
    constexpr std::array odd{Shape{2, 1, 0}, Shape{8, 8, 1}, Shape{4, 4, 1},   Shape{8, 4, 2}, Shape{0, 4, 1},
                             Shape{0, 2, 1}, Shape{4, 1, 0}, Shape{16, 16, 1}, Shape{8, 4, 1}, Shape{2, 2, 1},
                             Shape{1, 2, 1}, Shape{4, 2, 2}, Shape{1, 4, 0}};
    const uint32_t size = isa::size_of(type);
    unsigned stride = 1;
    Shape shape{1, 1, 0};
    if (result && chance(tame_ ? 8 : 25))
        stride = chance(60) ? 2 : 4;
    if (!result && chance(20))
        shape = {0, 1, 0};
    else if (!result && chance(tame_ ? 8 : 30))
        shape = pick(odd);
    if (!result && (shape.width > lanes || lanes == 1))
        shape = lanes == 1 ? Shape{0, 1, 0} : Shape{1, 1, 0};
    const auto reach = [&] {
        if (result)
            return (lanes - 1) * stride + 1;
        return ((lanes - 1) / shape.width) * shape.vertical + (shape.width - 1) * shape.horizontal + 1;
    };
    if (reach() * size > 512) {
        stride = 1;
        shape = {1, 1, 0};
    }
    const uint32_t bytes = reach() * size;
    const Root& root = root_for(type, bytes);
    const uint32_t room = root.bytes - std::min(root.bytes, bytes);
    uint32_t byte = 0;
    if (!(root.tame && chance(92)) && chance(55))
        byte = chance(50) ? random_.below(room / grf_ + 1) * grf_ : random_.below(room / size + 1) * size;
    if (lanes == 1 && !result && chance(60))
        byte = random_.below(room / size + 1) * size;
    return result ? fmt::format("{}<{}>", at(root, type, byte), stride)
                  : fmt::format("{}<{};{},{}>", at(root, type, byte), shape.vertical, shape.width,
                                shape.horizontal);
}

// Through an address that is set just before; its bytes are inside the root: what lies behind it is said
// nowhere (ruling 96).
std::string Maker::indirect(Type type, unsigned lanes, bool result, std::vector<std::string>& before) {
    const uint32_t size = isa::size_of(type);
    const unsigned number = indirect_++ % 4; // none that another operand of the instruction uses
    const bool several = !result && lanes >= 2 && lanes <= 16 && chance(40);
    const Root& root = root_for(type, std::min(512U, several ? 128U : lanes * size));
    if (several) { // an address for each lane, or each two
        const unsigned width = chance(70) ? 1 : 2;
        const unsigned count = lanes / width;
        const uint32_t mask = (root.bytes / 2 - 1) & ~(size - 1) & ~(width * size - 1);
        before.push_back(fmt::format("and (M1_NM, {0}) OFFS_uw(0,0)<1> {1} 0x{2:x}:uw", count,
                                     general(Type::uw, count, false), mask));
        before.push_back(
            fmt::format("addr_add (M1_NM, {}) A{}(0)<1> &{} OFFS_uw(0,0)<1;1,0>", count, number, root.name));
        return fmt::format("r[A{}(0),{}]<{},{}>:{}", number, random_.below(4) * size, width,
                           width == 1 ? 0 : 1, name_of(type));
    }
    const uint32_t room = root.bytes - std::min(root.bytes, lanes * size);
    const uint32_t byte = random_.below(room / size + 1) * size;
    const uint32_t offset = std::min(byte, random_.below(3) * 8);
    if (chance(30)) {
        before.push_back(fmt::format("and (M1_NM, 1) OFFS_uw(0,0)<1> {} 0x{:x}:uw",
                                     general(Type::uw, 1, false), std::min(room, 31U) & ~(size - 1)));
        before.push_back(
            fmt::format("addr_add (M1_NM, 1) A{}(0)<1> &{} OFFS_uw(0,0)<0;1,0>", number, root.name));
        return result ? fmt::format("r[A{}(0),0]<1>:{}", number, name_of(type))
                      : fmt::format("r[A{}(0),0]<{};1,0>:{}", number, lanes > 1 ? 1 : 0, name_of(type));
    }
    before.push_back(
        fmt::format("addr_add (M1_NM, 1) A{}(0)<1> &{} 0x{:x}:uw", number, root.name, byte - offset));
    if (result)
        return fmt::format("r[A{}(0),{}]<1>:{}", number, offset, name_of(type));
    return fmt::format("r[A{}(0),{}]<{};1,0>:{}", number, offset, lanes == 1 || chance(15) ? 0 : 1,
                       name_of(type));
}

// An element of an array in registers, of one lane, as compilers store it: all lanes but that one are
// switched off by a predicate that is set just before. Now and then of two lanes.
Node Maker::element_of_lane() {
    constexpr std::array types{Type::ud, Type::d, Type::f, Type::uw, Type::hf, Type::ub, Type::df};
    const Type to = pick(types);
    const Type from = chance(80) ? to : pick(types);
    const unsigned size = std::min(setting_.simd, 16U);
    const unsigned first = setting_.simd == 32 && chance(50) ? 16 : 0;
    uint32_t lanes = 1U << random_.below(size) | (chance(10) ? 1U << random_.below(size) : 0U);
    const bool inverted = chance(20);
    lanes = inverted ? ~lanes : lanes;
    const bool whole = size < 8 || chance(60); // of all lanes, or of those alone
    const std::string predicate = fmt::format("P{}", 1 + random_.below(4));
    const char* const mask = first == 0 ? "M1" : "M5";
    Node node;
    indirect_ = 0;
    const std::string place = indirect(to, size, true, node.before);
    node.before.push_back(whole ? fmt::format("setp (M1_NM, 32) {} 0x{:x}:ud", predicate, lanes << first)
                                : fmt::format("setp ({}_NM, {}) {} 0x{:x}:ud", mask, size, predicate, lanes));
    node.before.push_back(fmt::format(
        "({}{}) mov ({}{}, {}) {} {}", inverted ? "!" : "", predicate, mask, chance(20) ? "_NM" : "", size,
        place, chance(15) ? immediate(from == Type::ub ? Type::ud : from) : general(from, size, false)));
    return node;
}

std::string Maker::immediate(Type type) {
    constexpr std::array kinds{oracle::Type::ud, oracle::Type::d, oracle::Type::uw, oracle::Type::w,
                               oracle::Type::ub, oracle::Type::b, oracle::Type::df, oracle::Type::f,
                               oracle::Type::uq, oracle::Type::q, oracle::Type::hf, oracle::Type::bf};
    const auto kind = std::ranges::find_if(
        kinds, [type](oracle::Type k) { return std::string_view(oracle::name(k)) == name_of(type); });
    uint64_t bits = kind == kinds.end() ? random_.next() : exec_test::sample(*kind, chance(50), random_);
    if (kind != kinds.end() && chance(20))
        bits = random_.next();
    const unsigned size = isa::size_of(type);
    if (size < 8)
        bits &= (uint64_t{1} << (8 * size)) - 1;
    if (type == Type::w)
        bits = static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(bits)));
    return fmt::format("0x{:x}:{}", bits, name_of(type));
}

std::string Maker::modifier(const isa::Row& row) {
    if (!chance(25))
        return "";
    if (isa::has(row, isa::logic_modifiers))
        return "(~)";
    constexpr std::array all{"(-)", "(abs)", "(-abs)"};
    return isa::has(row, isa::arithmetic_modifiers) ? pick(all) : "";
}

std::string Maker::vector(const isa::Row& row, const Field& field, Type type, unsigned lanes,
                          std::vector<std::string>& before) {
    const bool result = field.kind == FieldKind::vector_dst;
    const bool general_too = (field.classes & isa::class_general) != 0;
    if ((field.classes & isa::class_predicate) != 0 &&
        (!general_too || (result ? chance(70) : row.family == isa::Family::move && lanes == 1 && chance(30))))
        return fmt::format("P{}", 1 + random_.below(4));
    if (!result && (field.classes & isa::class_immediate) != 0 && chance(general_too ? 20 : 100)) {
        constexpr std::array packed{Type::v, Type::uv, Type::vf};
        const Type odd = pick(packed);
        if (isa::contains(field.types, odd) && chance(15))
            return fmt::format("0x{:x}:{}", static_cast<uint32_t>(random_.next()), name_of(odd));
        if (isa::size_of(type) > 1)
            return immediate(type);
    }
    const unsigned count = field.kind == FieldKind::scalar_src ? 1 : lanes;
    const std::string sign = result ? "" : modifier(row);
    // Others reach further than their lanes do.
    if ((field.classes & isa::class_indirect) != 0 && isa::has(row, isa::lane_wise) && chance(tame_ ? 2 : 6))
        return sign + indirect(type, count, result, before);
    return sign + general(type, count, result);
}

Node Maker::instruction() {
    const isa::Row& row = *pick(rows_);
    const Execution by = execution(row.exec_sizes);
    indirect_ = 0;
    std::vector<std::string> before;
    std::string operands;
    Type wish = pick(roots_).type;
    bool first = true;
    bool real = false; // the result is a float
    for (const Field& field : row.format) {
        if (field.kind != FieldKind::vector_dst && field.kind != FieldKind::vector_src &&
            field.kind != FieldKind::scalar_src)
            continue;
        const Type type = type_among(field.types, wish);
        if (first)
            real = isa::is_float(type);
        if (first || chance(20))
            wish = type;
        first = false;
        operands += " " + vector(row, field, type, by.size, before);
    }
    std::string text = guard(row) + row.mnemonic + suffix(row);
    if (isa::has(row, isa::can_saturate) && (real || !isa::has(row, isa::saturates_floats_only)) &&
        chance(12))
        text += ".sat";
    before.push_back(text + " " + by.text() + operands);
    return {.before = std::move(before)};
}

} // namespace visor::jit_fuzz
