// Draws the messages that every device has: surfaces by lane and by block, flat memory, atomics.
#include "exec/message_maker.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace visor::exec_test {

using oracle::Space;
using oracle::Type;

namespace {

constexpr std::array operations{"add",     "sub",  "inc",    "dec",  "min",     "max",     "xchg",
                                "cmpxchg", "and",  "or",     "xor",  "minsint", "maxsint", "predec",
                                "fmax",    "fmin", "fcmpwr", "fadd", "fsub"};

unsigned sources_of(std::string_view op) {
    if (op == "inc" || op == "dec" || op == "predec")
        return 0;
    return op == "cmpxchg" || op == "fcmpwr" ? 2 : 1;
}

const char* type_of(std::string_view op, unsigned bits) {
    if (op.starts_with("f"))
        return bits == 64 ? "df" : "f";
    if (op.ends_with("sint"))
        return bits == 64 ? "q" : "d";
    return bits == 64 ? "uq" : "ud";
}

const char* any_of(std::span<const char* const> words, Random& random) {
    return words[random.below(static_cast<unsigned>(words.size()))];
}

constexpr std::array<const char*, 3> dword_types{"ud", "d", "f"};
constexpr std::array<const char*, 3> qword_types{"uq", "q", "df"};

std::string channel_word(unsigned channels) {
    std::string text;
    for (unsigned c = 0; c < 4; ++c) {
        if ((channels >> c & 1U) != 0)
            text += "RGBA"[c];
    }
    return text;
}

} // namespace

uint32_t MessageMaker::choose_offset() {
    switch (random_.below(5)) {
    case 0:
    case 1:
        return 0;
    case 2:
        return random_.below(64);
    case 3: // wraps
        return 0 - (1 + random_.below(64));
    default:
        return static_cast<uint32_t>(random_.next());
    }
}

// Now and then elements that make 2^32 bytes: their product does not wrap (ruling 52).
uint64_t MessageMaker::past_the_end(unsigned unit) {
    return unit > 1 && chance(5) ? (uint64_t{1} << 32U) / unit : 0;
}

// An element offset for each lane: what the global one leaves.
void MessageMaker::put_offsets(const std::vector<uint64_t>& at, unsigned unit) {
    const size_t bytes = size_t{4} * m_.lanes;
    m_.addresses = apart(bytes, world_.grf);
    std::vector<uint64_t> offsets;
    for (const uint64_t address : at)
        offsets.push_back(address / unit - m_.offset + past_the_end(unit));
    fill_targets(m_.addresses, 4, offsets);
}

// "surface offset element_offset"
std::string MessageMaker::surface_operands(const Surface& surface, const std::vector<uint64_t>& at,
                                           unsigned unit) {
    m_.offset = choose_offset();
    put_offsets(at, unit);
    const std::string offset = scalar("ud", 4, m_.offset, true);
    return fmt::format("{} {} {}", surface.name, offset, raw("ud", m_.addresses));
}

void MessageMaker::scaled() {
    m_.blocks = 1U << shape_.code;
    const Surface& surface = choose_surface();
    const std::string where = surface_operands(surface, targets({.end = m_.blocks, .unit = m_.blocks}), 1);
    const size_t bytes = size_t{4} * m_.lanes;
    const bool load = m_.mnemonic.starts_with("gather");
    m_.data = load ? destination(bytes, kept_[0]) : anywhere(bytes);
    finish(fmt::format("{}.{} {} {} {}", m_.mnemonic, m_.blocks, exec(), where,
                       raw(any_of(dword_types, random_), m_.data)));
}

void MessageMaker::scaled4() {
    m_.channels = shape_.code + 1;
    const auto first = static_cast<size_t>(std::countr_zero(m_.channels));
    const auto end = static_cast<size_t>(std::bit_width(m_.channels));
    const Surface& surface = choose_surface();
    const std::string where =
        surface_operands(surface, targets({.begin = 4 * first, .end = 4 * end, .unit = 4}), 1);
    const size_t pitch = std::max<size_t>(m_.lanes, world_.grf / 4);
    const size_t bytes = 4 * pitch * static_cast<size_t>(std::popcount(m_.channels));
    const bool load = m_.mnemonic.starts_with("gather");
    m_.data = load ? destination(bytes, kept_[0]) : anywhere(bytes);
    finish(fmt::format("{}.{} {} {} {}", m_.mnemonic, channel_word(m_.channels), exec(), where,
                       raw(any_of(dword_types, random_), m_.data)));
}

void MessageMaker::qwords() {
    m_.blocks = 1U << shape_.code;
    const Surface& surface = choose_surface();
    put_offsets(targets({.end = size_t{8} * m_.blocks, .unit = 8}), 1);
    const size_t pitch = std::max<size_t>(m_.lanes, world_.grf / 4);
    const size_t bytes = 8 * pitch * m_.blocks;
    const bool load = m_.mnemonic == "qw_gather";
    m_.data = load ? destination(bytes, kept_[0]) : anywhere(bytes);
    finish(fmt::format("{}.{} {} {} {} {}", m_.mnemonic, m_.blocks, exec(), surface.name,
                       raw("ud", m_.addresses), raw(any_of(qword_types, random_), m_.data)));
}

void MessageMaker::counted() {
    m_.block_bytes = 1U << shape_.code;
    const Surface& surface = choose_surface();
    const std::string where =
        surface_operands(surface, targets({.end = m_.block_bytes, .unit = m_.block_bytes}), m_.block_bytes);
    const size_t bytes = size_t{4} * m_.lanes;
    const bool load = m_.mnemonic == "gather";
    m_.data = load ? destination(bytes, kept_[0]) : anywhere(bytes);
    finish(fmt::format("{}.{} {} {} {}", m_.mnemonic, m_.block_bytes, exec(), where,
                       raw(any_of(dword_types, random_), m_.data)));
}

void MessageMaker::owords() {
    m_.blocks = 1U << shape_.code;
    const Surface& surface = choose_surface();
    const unsigned unit = m_.mnemonic == "oword_ld_unaligned" ? 1 : 16;
    const uint64_t at = surface_target(bytes_of(m_.place), {.end = size_t{16} * m_.blocks, .unit = 16});
    m_.offset = static_cast<uint32_t>(chance(10) ? random_.next() : at / unit + past_the_end(unit));
    const std::string offset = scalar("ud", 4, m_.offset, true);
    m_.data = anywhere(size_t{16} * m_.blocks);
    finish(fmt::format("{} ({}) {} {} {}", m_.mnemonic, m_.blocks, surface.name, offset,
                       raw(any_of(dword_types, random_), m_.data)));
}

void MessageMaker::flat_block() {
    m_.place.space = Space::flat;
    m_.blocks = 1U << shape_.code % 5;
    const bool unaligned = shape_.code >= 5;
    const size_t unit = unaligned ? 4 : 16;
    m_.offset = flat_target({.end = size_t{16} * m_.blocks, .unit = unit}, plan_.wants_fault);
    const std::string address = scalar("uq", 8, m_.offset, true);
    m_.data = anywhere(size_t{16} * m_.blocks);
    finish(fmt::format("{}{} ({}) {} {}", m_.mnemonic, unaligned ? ".unaligned" : "", m_.blocks, address,
                       raw(any_of(dword_types, random_), m_.data)));
}

void MessageMaker::flat_lanes() {
    constexpr std::array<unsigned, 3> sizes{1, 4, 8};
    m_.place.space = Space::flat;
    m_.block_bytes = sizes.at(shape_.code % 3);
    m_.blocks = 1U << shape_.code / 3;
    const size_t unit = m_.block_bytes;
    const auto at = targets({.end = unit * m_.blocks, .unit = unit});
    m_.addresses = apart(size_t{8} * m_.lanes, world_.grf);
    fill_targets(m_.addresses, 8, at);
    const size_t pitch = std::max<size_t>(m_.lanes, world_.grf / 4);
    const size_t bytes = unit == 1 ? std::max<size_t>(4, m_.blocks) * m_.lanes
                                   : unit * pitch * (m_.blocks - 1) + unit * m_.lanes;
    const bool load = m_.mnemonic == "svm_gather";
    m_.data = load ? destination(bytes, kept_[0]) : anywhere(bytes);
    const char* const type = unit == 8 ? "uq" : unit == 4 ? any_of(dword_types, random_) : "ub";
    finish(fmt::format("{}.{}.{} {} {} {}", m_.mnemonic, unit, m_.blocks, exec(), raw("uq", m_.addresses),
                       raw(type, m_.data)));
}

void MessageMaker::flat4() {
    m_.place.space = Space::flat;
    m_.channels = shape_.code + 1;
    const auto first = static_cast<size_t>(std::countr_zero(m_.channels));
    const auto end = static_cast<size_t>(std::bit_width(m_.channels));
    auto at = targets({.begin = 4 * first, .end = 4 * end, .unit = 4});
    m_.offset = chance(30) ? 0 : chance(50) ? random_.next() : world_.regions[0].address;
    for (uint64_t& address : at)
        address -= m_.offset;
    m_.addresses = apart(size_t{8} * m_.lanes, world_.grf);
    fill_targets(m_.addresses, 8, at);
    const std::string offset = scalar("uq", 8, m_.offset, true);
    const size_t pitch = std::max<size_t>(m_.lanes, world_.grf / 4);
    const size_t bytes = 4 * pitch * static_cast<size_t>(std::popcount(m_.channels));
    const bool load = m_.mnemonic.starts_with("svm_gather");
    m_.data = load ? destination(bytes, kept_[0]) : anywhere(bytes);
    finish(fmt::format("{}.{} {} {} {} {}", m_.mnemonic, channel_word(m_.channels), exec(), offset,
                       raw("uq", m_.addresses), raw(any_of(dword_types, random_), m_.data)));
}

void MessageMaker::choose_operation(unsigned op) {
    constexpr std::array<unsigned, 3> widths{32, 16, 64};
    m_.op = operations.at(op % operations.size());
    m_.bits = widths.at(op / operations.size());
}

// Sources are numbers of the type, or what memory holds; the result may lie on top of the addresses.
MessageMaker::AtomicOperands MessageMaker::atomic_operands(size_t slot, const char* type,
                                                           const std::vector<uint64_t>& at, unsigned sources,
                                                           Range addresses) {
    const size_t bytes = slot * m_.lanes;
    const bool real = m_.op.starts_with("f");
    const Type element = !real           ? m_.bits == 64 ? Type::uq : Type::ud
                         : m_.bits == 64 ? Type::df
                         : m_.bits == 16 ? Type::hf
                                         : Type::f;
    for (size_t* const operand : {&m_.data, &m_.second}) {
        if (sources == 0)
            break;
        --sources;
        *operand = chance(20) ? anywhere(bytes) : apart(bytes, world_.grf);
        if (std::ranges::find(kept_, Range{*operand, *operand + bytes}) == kept_.end())
            continue; // anything may lie there
        for (unsigned lane = 0; lane < m_.lanes; ++lane) {
            const size_t value = std::min<size_t>(m_.bits / 8, oracle::bytes(element));
            uint64_t bits = sample(element, false, random_);
            if (chance(40)) // equal, or for floats of the other sign
                bits = peek(at[lane], value) ^ (real && chance(30) ? uint64_t{1} << (8 * value - 1) : 0);
            set(*operand + slot * lane, value, bits);
        }
    }
    m_.result = chance(20) ? oracle::null : destination(bytes, addresses);
    return {raw(type, m_.data), raw(type, m_.second), raw(type, m_.result)};
}

void MessageMaker::atomic() {
    choose_operation(shape_.code);
    const bool flat = shape_.row->kind == MessageKind::flat_atomic;
    if (flat)
        m_.place.space = Space::flat;
    const std::string surface = flat ? "" : choose_surface().name;
    const size_t width = m_.bits / 8;
    const auto at = targets({.end = width, .unit = width});
    const size_t lane_bytes = flat ? 8 : 4;
    m_.addresses = apart(lane_bytes * m_.lanes, world_.grf);
    fill_targets(m_.addresses, lane_bytes, at);
    const auto operands =
        atomic_operands(m_.bits == 64 ? 8 : 4, type_of(m_.op, m_.bits), at, sources_of(m_.op), kept_[0]);
    const std::string word = m_.bits == 32 ? "" : fmt::format(".{}", m_.bits);
    if (flat)
        finish(fmt::format("svm_atomic.{}{} {} {} {} {} {}", m_.op, word, exec(), raw("uq", m_.addresses),
                           operands.result, operands.first, operands.second));
    else
        finish(fmt::format("dword_atomic.{}{} {} {} {} {} {} {}", m_.op, word, exec(), surface,
                           raw("ud", m_.addresses), operands.first, operands.second, operands.result));
}

} // namespace visor::exec_test
