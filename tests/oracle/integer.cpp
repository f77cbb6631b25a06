// Integer instructions, on numbers of 128 bits: what a page calls "extra precision" is never missing.
#include "oracle/oracle.h"

#include <bit>

namespace oracle {

namespace {

using Values = std::array<Wide, 4>;

uint32_t low32(Wide value) {
    return static_cast<uint32_t>(static_cast<uint64_t>(value & 0xffffffff));
}
Wide signed32(Wide value) {
    return static_cast<int32_t>(low32(value));
}

// The count of a shift: five bits, six where a qword is shifted or made (SHL page; ruling on qwords into
// dwords).
unsigned shift_count(const Question& question, Wide count) {
    const bool wide = bytes(question.to) == 8 || bytes(question.sources[0].type) == 8;
    return static_cast<unsigned>(static_cast<uint64_t>(count & (wide ? 63 : 31)));
}

Wide rotated(const Question& question, Wide value, Wide count, bool left) {
    const Type type = question.sources[0].type;
    const unsigned width = 8 * bytes(type);
    unsigned by = static_cast<unsigned>(static_cast<uint64_t>(count & (width - 1)));
    if (!left)
        by = (width - by) % width;
    const Wide bits = low_bits(type, value);
    return (by == 64 ? 0 : bits << by) | bits >> (width - by);
}

// DIV, MOD pages; a zero divisor by ruling.
Wide divided(const Question& question, Wide a, Wide b, bool remainder) {
    if (b != 0)
        return remainder ? a % b : a / b;
    bool all_unsigned = true;
    for (const Source& source : question.sources)
        all_unsigned = all_unsigned && !is_signed(source.type) && source.modifier == Modifier::none;
    if (all_unsigned)
        return greatest(Type::ud);
    return a < 0 ? least(Type::d) : greatest(Type::d);
}

Wide dot_of_bytes(const Question& question, const Values& v) {
    Wide sum = v[0];
    for (int k = 0; k < 4; ++k) {
        const auto byte = [&](int s) {
            const uint64_t bits = static_cast<uint64_t>(v[static_cast<size_t>(s)]) >> (8 * k);
            return integer_of(is_signed(question.sources[static_cast<size_t>(s)].type) ? Type::b : Type::ub,
                              bits);
        };
        sum += byte(1) * byte(2);
    }
    return sum;
}

Wide first_ones(uint32_t bits) {
    for (int at = 0; at < 32; ++at) {
        if ((bits << at & 0x80000000U) != 0)
            return at;
    }
    return -1;
}

// FBH page: of a signed number the length of the run of sign bits.
Wide leading_run(const Question& question, Wide value) {
    const uint32_t bits = low32(value);
    const bool inverted = is_signed(question.sources[0].type) && (bits >> 31U) != 0;
    return first_ones(inverted ? ~bits : bits);
}

Wide low_one(uint32_t bits) {
    for (int at = 0; at < 32; ++at) {
        if ((bits >> at & 1U) != 0)
            return at;
    }
    return -1;
}

Wide field_of(const Question& question, const Values& v) {
    const auto width = low32(v[0]) & 31U;
    const auto offset = low32(v[1]) & 31U;
    const bool with_sign = question.to == Type::d;
    const Wide value = with_sign ? signed32(v[2]) : Wide{low32(v[2])};
    Wide field = value >> offset & ((Wide{1} << width) - 1);
    if (with_sign && width != 0 && (field >> (width - 1) & 1) != 0)
        field -= Wide{1} << width;
    return field;
}

Wide with_field(const Values& v) {
    const auto width = low32(v[0]) & 31U;
    const auto offset = low32(v[1]) & 31U;
    Wide result = low32(v[3]);
    for (unsigned bit = 0; bit < width && bit + offset < 32; ++bit) {
        const Wide at = Wide{1} << (bit + offset);
        result = (low32(v[2]) >> bit & 1U) != 0 ? result | at : result & ~at;
    }
    return result;
}

Wide reversed(uint32_t bits) {
    Wide result = 0;
    for (unsigned at = 0; at < 32; ++at)
        result |= Wide{bits >> at & 1U} << (31 - at);
    return result;
}

Wide by_table(const Question& question, const Values& v) {
    const auto table = static_cast<unsigned>(std::stoul(question.suffix.substr(2), nullptr, 16));
    Wide result = 0;
    for (unsigned bit = 0; bit < 32; ++bit) {
        const auto digit = [&](size_t s) { return static_cast<unsigned>(v[s] >> bit & 1); };
        result |= Wide{table >> (digit(0) + 2 * digit(1) + 4 * digit(2)) & 1U} << bit;
    }
    return result;
}

bool holds(std::string_view relation, Wide a, Wide b) {
    return relation == ".eq"   ? a == b
           : relation == ".ne" ? a != b
           : relation == ".gt" ? a > b
           : relation == ".ge" ? a >= b
           : relation == ".lt" ? a < b
                               : a <= b;
}

// The exact result, or nothing when the mnemonic is not lane by lane.
std::optional<Wide> arithmetic(const Question& question, const Values& v) {
    const std::string_view is = question.mnemonic;
    if (is == "add")
        return v[0] + v[1];
    if (is == "add3" || is == "add3.o")
        return v[0] + v[1] + v[2];
    if (is == "addc")
        return v[0] + v[1];
    if (is == "subb")
        return v[0] - v[1];
    if (is == "avg")
        return (v[0] + v[1] + 1) >> 1;
    if (is == "mul")
        return v[0] * v[1];
    if (is == "mulh")
        return (v[0] * v[1]) >> 32;
    if (is == "mad" || is == "madw")
        return v[0] * v[1] + v[2];
    if (is == "div" || is == "mod")
        return divided(question, v[0], v[1], is == "mod");
    if (is == "dp4a")
        return dot_of_bytes(question, v);
    if (is == "min")
        return v[0] < v[1] ? v[0] : v[1];
    if (is == "max")
        return v[0] > v[1] ? v[0] : v[1];
    return std::nullopt;
}

std::optional<Wide> bitwise(const Question& question, const Values& v) {
    const std::string_view is = question.mnemonic;
    if (is == "and")
        return v[0] & v[1];
    if (is == "or")
        return v[0] | v[1];
    if (is == "xor")
        return v[0] ^ v[1];
    if (is == "not")
        return ~v[0];
    if (is == "shl")
        return v[0] << shift_count(question, v[1]);
    if (is == "asr")
        return v[0] >> shift_count(question, v[1]);
    if (is == "shr")
        return Wide{low_bits(question.sources[0].type, v[0])} >> shift_count(question, v[1]);
    if (is == "rol" || is == "ror")
        return rotated(question, v[0], v[1], is == "rol");
    if (is == "bfn")
        return by_table(question, v);
    return std::nullopt;
}

std::optional<Wide> counted(const Question& question, const Values& v) {
    const std::string_view is = question.mnemonic;
    if (is == "lzd")
        return v[0] == 0 ? Wide{32} : first_ones(low32(v[0]));
    if (is == "cbit") {
        Wide count = 0;
        for (unsigned bit = 0; bit < 32; ++bit)
            count += low32(v[0]) >> bit & 1U;
        return count;
    }
    if (is == "fbl")
        return low_one(low32(v[0]));
    if (is == "fbh")
        return leading_run(question, v[0]);
    if (is == "bfe")
        return field_of(question, v);
    if (is == "bfi")
        return with_field(v);
    if (is == "bfrev")
        return reversed(low32(v[0]));
    return std::nullopt;
}

uint64_t flag(const Question& question, const Values& v, Wide exact) {
    const std::string_view is = question.mnemonic;
    if (is == "addc")
        return exact > greatest(Type::ud) ? 1 : 0;
    if (is == "subb")
        return exact < 0 ? 1 : 0;
    if (is == "madw")
        return low32(exact >> 32);
    if (is == "add3.o")
        return exact < least(question.to) || exact > greatest(question.to) ? 1 : 0;
    return is == "cmp" && holds(question.suffix, v[0], v[1]) ? 1 : 0;
}

// SHL page: saturated, "the shifted result must be within 33 bits or the result is undefined".
bool within_33_bits(const Question& question, const Values& v) {
    const Wide limit = (Wide{1} << 32) >> shift_count(question, v[1]);
    return v[0] < limit && v[0] >= -limit;
}

// SAD2, SAD2ADD pages: even lanes; odd ones are undefined.
bool differences(const Question& question, Answer& out) {
    const bool adds = question.mnemonic == "sad2add";
    if (!adds && question.mnemonic != "sad2")
        return false;
    for (unsigned lane = 0; lane < question.lanes; ++lane) {
        Wide sum = adds ? integer_lane(question.sources[2], lane) : 0;
        for (unsigned i = lane; i < lane + 2 && i < question.lanes; ++i) {
            const Wide difference =
                integer_lane(question.sources[0], i) - integer_lane(question.sources[1], i);
            sum += difference < 0 ? -difference : difference;
        }
        // A single lane has no neighbour.
        out.first.at(lane).undefined = lane % 2 != 0 || question.lanes == 1;
        out.first.at(lane).bits = question.saturate ? clamped(question.to, sum) : low_bits(question.to, sum);
    }
    return true;
}

} // namespace

Wide integer_lane(const Source& source, unsigned lane) {
    const Wide value = integer_of(source.type, source.lanes.at(lane));
    const Wide magnitude = value < 0 ? -value : value;
    switch (source.modifier) {
    case Modifier::neg: // at the element's width
        return is_signed(source.type) ? integer_of(source.type, static_cast<uint64_t>(-value)) : -value;
    case Modifier::abs:
        return magnitude;
    case Modifier::neg_abs:
        return -magnitude;
    case Modifier::bit_not:
        return -value - 1;
    case Modifier::none:
        break;
    }
    return value;
}

bool answer_integer(const Question& question, Answer& out) {
    if (differences(question, out))
        return true;
    for (unsigned lane = 0; lane < question.lanes; ++lane) {
        Values v{};
        for (size_t s = 0; s < question.sources.size(); ++s)
            v.at(s) = integer_lane(question.sources[s], lane);
        Lane& result = out.first.at(lane);
        if (question.mnemonic == "cmp") {
            out.second.at(lane) = flag(question, v, 0);
            result.bits = out.second.at(lane) != 0 ? low_bits(question.to, -1) : 0;
            continue;
        }
        std::optional<Wide> exact = arithmetic(question, v);
        if (!exact)
            exact = bitwise(question, v);
        if (!exact)
            exact = counted(question, v);
        if (question.mnemonic == "mov")
            exact = v[0];
        if (question.mnemonic == "sel")
            exact = (question.chosen >> lane & 1U) != 0 ? v[0] : v[1];
        if (!exact)
            return false;
        result.bits = question.saturate ? clamped(question.to, *exact) : low_bits(question.to, *exact);
        result.undefined = question.mnemonic == "shl" && question.saturate && !within_33_bits(question, v);
        out.second.at(lane) = flag(question, v, *exact);
    }
    return true;
}

} // namespace oracle
