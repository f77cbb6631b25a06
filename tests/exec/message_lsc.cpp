// Draws LSC_UNTYPED messages: loads, stores, quads, strided ones and atomics, over flat memory, surfaces by
// index and shared local memory.
#include "exec/message_maker.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace visor::exec_test {

using oracle::Space;

namespace {

struct DataSize {
    const char* word;
    unsigned memory_bytes;
    unsigned register_bytes;
    unsigned shift;
};
constexpr std::array data_sizes{DataSize{"d8", 1, 1, 0},      DataSize{"d16", 2, 2, 0},
                                DataSize{"d32", 4, 4, 0},     DataSize{"d64", 8, 8, 0},
                                DataSize{"d8c32", 1, 4, 0},   DataSize{"d16c32", 2, 4, 0},
                                DataSize{"d16c32h", 2, 4, 16}};

struct Operation {
    const char* word;
    const char* op;
    unsigned sources;
};
constexpr std::array operations{
    Operation{"iinc", "inc", 0},     Operation{"idec", "dec", 0},     Operation{"load", "load", 0},
    Operation{"store", "xchg", 1},   Operation{"iadd", "add", 1},     Operation{"isub", "sub", 1},
    Operation{"smin", "minsint", 1}, Operation{"smax", "maxsint", 1}, Operation{"umin", "min", 1},
    Operation{"umax", "max", 1},     Operation{"icas", "cmpxchg", 2}, Operation{"fadd", "fadd", 1},
    Operation{"fsub", "fsub", 1},    Operation{"fmin", "fmin", 1},    Operation{"fmax", "fmax", 1},
    Operation{"fcas", "fcmpwr", 2},  Operation{"and", "and", 1},      Operation{"or", "or", 1},
    Operation{"xor", "xor", 1}};

// Which both loads and stores may have, and what atomics may.
using Cachings = std::array<const char*, 3>;
constexpr Cachings cachings{"", ".uc.uc", ".st.uc"};
constexpr Cachings atomic_cachings{"", ".uc.uc", ".uc.wb"};

} // namespace

MessageMaker::LscPlace MessageMaker::choose_lsc_place() {
    if (chance(40)) {
        m_.place.space = Space::flat;
        return {"flat[", "]", true};
    }
    const Surface& surface = choose_surface();
    if (surface.place.space == Space::shared_local)
        return {"flat[", "]"};
    if (chance(50))
        return {fmt::format("bti(0x{:x})[", surface.index), "]"};
    // An index in a register. Handle 0 of the surface states is scratch space: no surface of ours.
    const size_t at = apart(4, 4);
    set(at, 4, surface.index);
    const bool states = chance(50);
    if (states && surface.index == 0)
        m_.place.space = Space::nothing;
    return {fmt::format("{}({})[", states ? "ss" : "bss", place_of("ud", at)), "]"};
}

void MessageMaker::choose_data(unsigned code) {
    oracle::Element& element = m_.element;
    if (shape_.row->kind == MessageKind::lsc_quad) {
        element.elements = code + 1;
        std::string mask;
        for (unsigned c = 0; c < 4; ++c) {
            if ((element.elements >> c & 1U) != 0)
                mask += "xyzw"[c];
        }
        data_word_ = ":d32." + mask;
        return;
    }
    constexpr std::array<unsigned, 4> transposed_dwords{8, 16, 64, 4};
    const bool special = code >= 28;
    const unsigned size = special ? 2 + code % 2 : code % 7;
    const unsigned count = !special ? 1 + code / 7 : shape_.size == 1 ? transposed_dwords.at(code - 28) : 1;
    const DataSize& data = data_sizes.at(size);
    element.memory_bytes = data.memory_bytes;
    element.register_bytes = data.register_bytes;
    element.shift = data.shift;
    element.elements = count == 64 ? UINT64_MAX : (uint64_t{1} << count) - 1;
    element.transposed = special && shape_.size == 1;
    data_word_ = fmt::format(":{}{}{}", data.word, count > 1 ? fmt::format("x{}", count) : "",
                             element.transposed ? "t" : "");
}

// Bytes of the registers.
size_t MessageMaker::lsc_bytes() const {
    const oracle::Element& element = m_.element;
    const auto count = static_cast<size_t>(std::popcount(element.elements));
    const size_t lanes = size_t{element.register_bytes} * m_.lanes;
    return element.transposed ? count * element.register_bytes : count * whole_rows(lanes);
}

MessageMaker::Reach MessageMaker::lsc_reach() const {
    const oracle::Element& element = m_.element;
    return {.begin = static_cast<size_t>(std::countr_zero(element.elements)) * element.memory_bytes,
            .end = static_cast<size_t>(std::bit_width(element.elements)) * element.memory_bytes,
            .unit = element.memory_bytes};
}

// " scale * addresses + displacement ] : size"
std::string MessageMaker::lsc_address(const Reach& reach, const LscPlace& place, std::vector<uint64_t>& at) {
    oracle::Element& element = m_.element;
    constexpr std::array<unsigned, 3> sizes{4, 8, 2};
    element.address_bytes = place.flat ? 8 : sizes.at(random_.below(3));
    if (m_.place.space == Space::shared_local && element.address_bytes == 8)
        element.address_bytes = 4;
    element.scale = chance(30) ? reach.grain : 1;
    const unsigned displaced = random_.below(4);
    if (displaced == 1)
        element.displacement = static_cast<int64_t>(random_.below(16) * reach.grain);
    else if (displaced == 2)
        element.displacement = -static_cast<int64_t>(random_.below(16) * reach.grain);
    if (!element.pitch)
        at = targets(reach);
    else if (place.flat)
        at = {flat_target(reach, plan_.wants_fault)};
    else
        at = {surface_target(bytes_of(m_.place), reach)};
    const size_t bytes = element.address_bytes * at.size();
    m_.addresses = apart(bytes, world_.grf);
    std::vector<uint64_t> registers;
    for (const uint64_t address : at)
        registers.push_back((address - static_cast<uint64_t>(element.displacement)) / element.scale);
    fill_targets(m_.addresses, element.address_bytes, registers);
    std::string text = element.scale == 1 ? "" : fmt::format("{}*", element.scale);
    text += raw("ud", m_.addresses);
    if (element.displacement != 0)
        text += fmt::format("{}0x{:x}", element.displacement < 0 ? "-" : "+",
                            element.displacement < 0 ? -element.displacement : element.displacement);
    return text;
}

// A packed block without a pitch of its own.
std::string MessageMaker::lsc_pitch(Reach& reach) {
    constexpr std::array<unsigned, 5> pitches{0, 1, 4, 16, 24};
    oracle::Element& element = m_.element;
    const size_t packed = reach.end;
    const bool given = chance(70);
    const uint64_t pitch = given ? pitches.at(random_.below(5)) : packed;
    element.pitch = pitch;
    reach.end += pitch * (m_.lanes - 1);
    if (!given)
        return "";
    if (chance(50))
        return fmt::format(",0x{:x}", pitch);
    const size_t at = apart(4, 4);
    set(at, 4, pitch);
    return "," + place_of("ud", at);
}

std::string MessageMaker::lsc_head(const LscPlace& place) const {
    const bool local = m_.place.space == Space::shared_local;
    const bool global_caching = !local && !place.begin.empty();
    const Cachings& known = m_.mnemonic.starts_with("lsc_atomic") ? atomic_cachings : cachings;
    return fmt::format("{}.{}{} {}", m_.mnemonic, local ? "slm" : "ugm",
                       global_caching ? known.at(m_.enabled % known.size()) : "", exec());
}

void MessageMaker::lsc() {
    const bool load = m_.mnemonic.starts_with("lsc_load");
    const LscPlace place = choose_lsc_place();
    choose_data(shape_.code);
    Reach reach = lsc_reach();
    reach.grain = chance(50) ? 1 : std::min<size_t>(4, m_.element.memory_bytes);
    std::string pitch;
    if (shape_.row->kind == MessageKind::lsc_strided) {
        pitch = lsc_pitch(reach);
        reach.grain = 1;
    }
    std::vector<uint64_t> at;
    const std::string address = lsc_address(reach, place, at);
    const std::string where =
        fmt::format("{}{}{}{}:a{}", place.begin, address, pitch, place.end, 8 * m_.element.address_bytes);
    const Range addresses{m_.addresses, m_.addresses + m_.element.address_bytes * at.size()};
    const size_t bytes = lsc_bytes();
    if (load)
        m_.data = chance(5) ? oracle::null : destination(bytes, addresses);
    else
        m_.data = anywhere(bytes);
    const std::string data = (m_.data == oracle::null ? "%null" : raw("ud", m_.data)) + data_word_;
    if (load)
        finish(fmt::format("{} {} {}", lsc_head(place), data, where));
    else
        finish(fmt::format("{} {} {}", lsc_head(place), where, data));
}

void MessageMaker::lsc_status() {
    const LscPlace place = choose_lsc_place();
    choose_data(shape_.code);
    std::vector<uint64_t> at;
    const std::string address = lsc_address(lsc_reach(), place, at);
    m_.data = destination(4, {m_.addresses, m_.addresses + 4});
    finish(fmt::format("{} {}{} {}{}{}:a{}", lsc_head(place), raw("ud", m_.data), data_word_, place.begin,
                       address, place.end, 8 * m_.element.address_bytes));
}

void MessageMaker::lsc_atomic() {
    const Operation& operation = operations.at(shape_.code % operations.size());
    constexpr std::array<unsigned, 3> widths{32, 16, 64};
    m_.mnemonic = fmt::format("lsc_atomic_{}", operation.word);
    m_.op = operation.op;
    m_.bits = widths.at(shape_.code / operations.size());
    oracle::Element& element = m_.element;
    element.memory_bytes = m_.bits / 8;
    element.register_bytes = m_.bits == 64 ? 8 : 4;
    data_word_ = m_.bits == 32 ? ":d32" : m_.bits == 16 ? ":d16c32" : ":d64";
    const LscPlace place = choose_lsc_place();
    std::vector<uint64_t> at;
    const std::string address = lsc_address(lsc_reach(), place, at);
    const Range addresses{m_.addresses, m_.addresses + size_t{element.address_bytes} * m_.lanes};
    auto operands = atomic_operands(element.register_bytes, "ud", at, operation.sources, addresses);
    // src1 is what is compared with; of the older message's cmpxchg that is the second source.
    if (m_.op == "cmpxchg")
        std::swap(operands.first, operands.second);
    for (std::string* const word : {&operands.first, &operands.second, &operands.result}) {
        if (*word == "%null.0")
            *word = "%null";
    }
    finish(fmt::format("{} {}{} {}{}{}:a{} {} {}", lsc_head(place), operands.result, data_word_, place.begin,
                       address, place.end, 8 * element.address_bytes, operands.first, operands.second));
}

} // namespace visor::exec_test
