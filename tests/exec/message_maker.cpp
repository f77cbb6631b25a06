#include "exec/message_maker.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace visor::exec_test {

using oracle::Combine;
using oracle::Space;

MessageMaker::MessageMaker(const MessageShape& shape, const Setting& setting, const oracle::World& world,
                           bool fault, Random& random)
    : shape_(shape), setting_(setting), world_(world), random_(random), m_(plan_.message) {
    plan_.wants_fault = fault;
    plan_.registers.resize(register_bytes);
    for (size_t at = 0; at < register_bytes; at += 8)
        set(at, 8, random_.next());
    m_.mnemonic = shape.row->mnemonic;
    m_.lanes = shape.size;
    m_.first_channel = shape.first_channel;
    set_guard();
}

// The predicate is drawn again while a fault is wanted and no lane is on.
void MessageMaker::set_guard() {
    const uint32_t slice = (shape_.size == 32 ? UINT32_MAX : (1U << shape_.size) - 1) << shape_.first_channel;
    for (unsigned tries = 0; tries < 20; ++tries) {
        auto bits = static_cast<uint32_t>(random_.next());
        if (chance(20)) // any and all are seldom decided by numbers without pattern
            bits = chance(50) ? bits | slice : bits & ~slice;
        const oracle::Guard guard{shape_.combine, shape_.inverted, bits};
        m_.enabled =
            oracle::enabled(setting_.active, shape_.no_mask, guard, shape_.size, shape_.first_channel);
        if (shape_.combine != Combine::none)
            before_ = fmt::format("    setp (M1_NM, 32) P1 0x{:x}:ud\n", bits);
        if (m_.enabled != 0 || !plan_.wants_fault)
            break;
    }
    if (!has_mask(shape_.row->kind))
        m_.enabled = 1;
    plan_.wants_fault = plan_.wants_fault && m_.enabled != 0;
    if (plan_.wants_fault) {
        do
            fault_lane_ = random_.below(m_.lanes);
        while ((m_.enabled >> fault_lane_ & 1U) == 0);
    }
    const char* const combine = shape_.combine == Combine::any   ? ".any"
                                : shape_.combine == Combine::all ? ".all"
                                                                 : "";
    if (shape_.combine != Combine::none)
        guard_ = fmt::format("({}P1{}) ", shape_.inverted ? "!" : "", combine);
}

std::string MessageMaker::exec() const {
    return fmt::format("(M{}{}, {})", 1 + shape_.first_channel / 4, shape_.no_mask ? "_NM" : "", shape_.size);
}

std::string MessageMaker::raw(const char* type, size_t at) {
    if (at == oracle::null)
        return "%null.0";
    return at >= alias_begin && chance(25) ? fmt::format("W{}.{}", type, at - alias_begin)
                                           : fmt::format("V{}.{}", type, at);
}

std::string MessageMaker::place_of(const char* type, size_t at) const {
    const size_t bytes = oracle::bytes(*oracle::type_named(type));
    return fmt::format("V{}({},{})", type, at / world_.grf, at % world_.grf / bytes);
}

std::string MessageMaker::general(const char* type, size_t at) const {
    return place_of(type, at) + "<0;1,0>";
}

void MessageMaker::finish(const std::string& line) {
    plan_.text = before_ + "    " + guard_ + line + "\n";
}

size_t MessageMaker::whole_rows(size_t bytes) const {
    return (bytes + world_.grf - 1) / world_.grf * world_.grf;
}

size_t MessageMaker::anywhere(size_t bytes) {
    const size_t places = (register_bytes - bytes) / world_.grf + 1;
    return random_.below(static_cast<unsigned>(places)) * world_.grf;
}

size_t MessageMaker::apart(size_t bytes, size_t alignment) {
    const size_t places = (register_bytes - bytes) / alignment + 1;
    const auto first = random_.below(static_cast<unsigned>(places));
    for (size_t i = 0; i < places; ++i) {
        const size_t at = (first + i) % places * alignment;
        const bool free = std::ranges::none_of(
            kept_, [&](const Range& range) { return at < range.second && range.first < at + bytes; });
        if (free) {
            kept_.emplace_back(at, at + bytes);
            return at;
        }
    }
    return oracle::null; // there is always room: operands take a quarter each at most, or a half and two
}

void MessageMaker::set(size_t at, size_t bytes, uint64_t value) {
    std::memcpy(plan_.registers.data() + at, &value, bytes);
}

uint64_t MessageMaker::get(size_t at, size_t bytes) const {
    uint64_t value = 0;
    std::memcpy(&value, plan_.registers.data() + at, bytes);
    return value;
}

size_t MessageMaker::destination(size_t bytes, Range addresses) {
    if (!chance(40))
        return anywhere(bytes);
    // Begins before, at or behind the addresses' first byte.
    const size_t rows = random_.below(3);
    const size_t back = whole_rows(bytes) - world_.grf;
    const size_t at = rows == 0   ? addresses.first
                      : rows == 1 ? addresses.first - std::min(back, addresses.first)
                                  : whole_rows(addresses.second) - world_.grf;
    return std::min(at, (register_bytes - bytes) / world_.grf * world_.grf);
}

std::string MessageMaker::scalar(const char* type, size_t bytes, uint64_t value, bool immediate) {
    if (immediate && chance(40))
        return fmt::format("0x{:x}:{}", value, type);
    const size_t at = apart(bytes, bytes);
    set(at, bytes, value);
    if (chance(70))
        return general(type, at);
    const size_t part = random_.below(256); // of an immediate offset behind the address register
    before_ += fmt::format("    addr_add (M1_NM, 1) A0(0)<1> &Vub 0x{:x}:uw\n", at >= part ? at - part : at);
    return fmt::format("r[A0(0),{}]<0;1,0>:{}", at >= part ? part : 0, type);
}

const Surface& MessageMaker::choose_surface() {
    const auto count = static_cast<unsigned>(setting_.surfaces.size());
    const Surface& surface = setting_.surfaces[random_.below(count)];
    m_.place = surface.place;
    return surface;
}

size_t MessageMaker::bytes_of(const oracle::Place& place) const {
    if (place.space == Space::shared_local)
        return world_.shared_local.size();
    return place.space == Space::region ? world_.regions.at(place.region).bytes.size() : 0;
}

// Where a message's bytes can begin in `size` bytes.
size_t MessageMaker::position(size_t size, const Reach& reach) {
    const size_t span = reach.end - reach.begin;
    if (size < span)
        return 0;
    const size_t last = size - span;
    size_t at = chance(25) ? last - std::min<size_t>(last, random_.below(3)) : random_.next() % (last + 1);
    if (chance(60))
        at -= at % reach.unit;
    return at - at % reach.grain;
}

uint64_t MessageMaker::surface_target(size_t size, const Reach& reach) {
    const uint64_t start = position(size, reach) - reach.begin;
    switch (random_.below(10)) {
    case 0: // over the end, or behind it
        return size - std::min(size, random_.below(16) * reach.grain) + reach.grain - size % reach.grain;
    case 1: // before the beginning
        return 0 - uint64_t{1 + random_.below(20)} * reach.grain;
    case 2:
        return chance(50) ? random_.next() << 3U : uint64_t{random_.below(8)} << 28U;
    case 3: // compiled code's mark of shared local memory
        return start | uint64_t{1} << 28U;
    default:
        return start;
    }
}

uint64_t MessageMaker::flat_target(const Reach& reach, bool outside) {
    const size_t span = reach.end - reach.begin;
    const oracle::Region* region = nullptr;
    do
        region = &world_.regions.at(random_.below(static_cast<unsigned>(world_.regions.size())));
    while (!outside && region->bytes.size() < span);
    if (!outside)
        return region->address + position(region->bytes.size(), reach) - reach.begin;
    const uint64_t end = region->address + region->bytes.size();
    switch (random_.below(6)) {
    case 0:
        return 0;
    case 1: // wraps
        return 0 - uint64_t{1 + random_.below(16)} * reach.grain;
    case 2: // over the beginning
        return region->address - uint64_t{1 + random_.below(8)} * reach.grain - reach.begin;
    case 3:
        return (random_.next() | uint64_t{1} << 62U) / reach.grain * reach.grain;
    default: // over the end by at least a byte
        return (end + reach.grain - end % reach.grain) - reach.begin -
               std::min<uint64_t>(random_.below(8), (span - 1) / reach.grain) * reach.grain;
    }
}

std::vector<uint64_t> MessageMaker::targets(const Reach& reach) {
    std::vector<uint64_t> out;
    const bool flat = m_.place.space == Space::flat;
    for (unsigned lane = 0; lane < m_.lanes; ++lane) {
        const bool on = (m_.enabled >> lane & 1U) != 0;
        if (flat)
            out.push_back(
                flat_target(reach, !on || (plan_.wants_fault && (lane == fault_lane_ || chance(5)))));
        else
            out.push_back(surface_target(bytes_of(m_.place), reach));
        // On top of another lane's.
        if (lane > 0 && chance(15) && (!flat || !on))
            out[lane] = out[random_.below(lane)] + random_.below(4) * reach.grain;
        if (lane > 0 && chance(15) && flat && on && !plan_.wants_fault) {
            const unsigned other = random_.below(lane);
            if ((m_.enabled >> other & 1U) != 0)
                out[lane] = out[other];
        }
    }
    return out;
}

void MessageMaker::fill_targets(size_t at, size_t bytes, const std::vector<uint64_t>& values) {
    for (size_t i = 0; i < values.size(); ++i)
        set(at + bytes * i, bytes, values[i]);
}

uint64_t MessageMaker::peek(uint64_t address, size_t bytes) const {
    const oracle::Bytes* from = nullptr;
    uint64_t at = address;
    if (m_.place.space == Space::shared_local)
        from = &world_.shared_local;
    else if (m_.place.space == Space::region)
        from = &world_.regions.at(m_.place.region).bytes;
    else {
        for (const oracle::Region& region : world_.regions) {
            if (address >= region.address && address - region.address < region.bytes.size()) {
                from = &region.bytes;
                at = address - region.address;
            }
        }
    }
    uint64_t value = 0;
    if (from != nullptr && at < from->size() && bytes <= from->size() - at)
        std::memcpy(&value, from->data() + at, bytes);
    return value;
}

MessagePlan MessageMaker::make() {
    switch (shape_.row->kind) {
    case MessageKind::scaled:
        scaled();
        break;
    case MessageKind::scaled4:
        scaled4();
        break;
    case MessageKind::qwords:
        qwords();
        break;
    case MessageKind::counted:
        counted();
        break;
    case MessageKind::owords:
        owords();
        break;
    case MessageKind::flat_block:
        flat_block();
        break;
    case MessageKind::flat_lanes:
        flat_lanes();
        break;
    case MessageKind::flat4:
        flat4();
        break;
    case MessageKind::atomic:
    case MessageKind::flat_atomic:
        atomic();
        break;
    case MessageKind::lsc:
    case MessageKind::lsc_quad:
    case MessageKind::lsc_strided:
        lsc();
        break;
    case MessageKind::lsc_atomic:
        lsc_atomic();
        break;
    case MessageKind::lsc_status:
        lsc_status();
        break;
    }
    return std::move(plan_);
}

MessagePlan plan_message(const MessageShape& shape, const Setting& setting, const oracle::World& world,
                         bool fault, Random& random) {
    return MessageMaker(shape, setting, world, fault, random).make();
}

} // namespace visor::exec_test
