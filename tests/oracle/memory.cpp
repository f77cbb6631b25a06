#include "oracle/memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace oracle {

namespace {

constexpr uint64_t escaped_bit = uint64_t{1} << 28U; // ruling 50
constexpr unsigned most_lanes = 32;

class Machine {
public:
    Machine(World& world, const Message& message) : world_(world), m_(message) {}

    Verdict run();

private:
    World& world_;
    const Message& m_;
    Verdict verdict_;

    // ---- bytes ----

    static uint64_t get(const Bytes& from, size_t at, size_t bytes) {
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; ++i)
            value |= std::to_integer<uint64_t>(from.at(at + i)) << 8 * i;
        return value;
    }
    static void put(Bytes& to, size_t at, size_t bytes, uint64_t value) {
        for (size_t i = 0; i < bytes; ++i)
            to.at(at + i) = static_cast<std::byte>(value >> 8 * i);
    }
    // V0 reads as zero and keeps nothing.
    uint64_t in_register(size_t operand, size_t at, size_t bytes) const {
        return operand == null ? 0 : get(world_.registers, operand + at, bytes);
    }
    void set_register(size_t operand, size_t at, size_t bytes, uint64_t value) {
        if (operand != null)
            put(world_.registers, operand + at, bytes, value);
    }

    // ---- memory ----

    // Of the surface. What lies outside is absent: reads are zero, writes dropped.
    Bytes* surface() {
        if (m_.place.space == Space::shared_local)
            return &world_.shared_local;
        return m_.place.space == Space::region ? &world_.regions.at(m_.place.region).bytes : nullptr;
    }
    uint64_t on_surface(uint64_t address) const {
        return m_.place.space == Space::shared_local ? address & ~escaped_bit : address;
    }
    bool flat() const { return m_.place.space == Space::flat; }

    Region* region_of(uint64_t address, size_t bytes) {
        for (Region& region : world_.regions) {
            if (address >= region.address && address - region.address <= region.bytes.size() &&
                bytes <= region.bytes.size() - (address - region.address))
                return &region;
        }
        return nullptr;
    }
    // Whole accesses only (ruling 9).
    uint64_t read(uint64_t address, size_t bytes) {
        if (flat()) {
            const Region& region = *region_of(address, bytes);
            return get(region.bytes, address - region.address, bytes);
        }
        const Bytes* from = surface();
        if (from == nullptr || address > from->size() || bytes > from->size() - address)
            return 0;
        return get(*from, address, bytes);
    }
    void write(uint64_t address, size_t bytes, uint64_t value) {
        if (flat()) {
            Region& region = *region_of(address, bytes);
            put(region.bytes, address - region.address, bytes, value);
            return;
        }
        Bytes* to = surface();
        if (to != nullptr && address <= to->size() && bytes <= to->size() - address)
            put(*to, address, bytes, value);
    }
    bool is_inside(uint64_t address, size_t bytes) {
        if (flat())
            return region_of(address, bytes) != nullptr;
        const Bytes* of = surface();
        return of != nullptr && address <= of->size() && bytes <= of->size() - address;
    }
    // Rulings 30, 54: a flat access outside is a fault; lanes before it have had theirs.
    bool faults(unsigned lane, uint64_t address, size_t bytes) {
        if (!flat() || region_of(address, bytes) != nullptr)
            return false;
        verdict_.fault = {static_cast<int>(m_.first_channel + lane), address};
        return true;
    }

    // ---- lanes ----

    bool on(unsigned lane) const { return (m_.enabled >> lane & 1U) != 0; }
    // "max(exec_size, GRF_SIZE / 4)"
    size_t pitch() const { return std::max<size_t>(m_.lanes, world_.grf / 4); }
    uint32_t dword_address(unsigned lane) const {
        return static_cast<uint32_t>(m_.offset + in_register(m_.addresses, size_t{4} * lane, 4));
    }
    uint64_t qword_address(unsigned lane) const { return in_register(m_.addresses, size_t{8} * lane, 8); }
    // Addresses are read before any result is written.
    template <class F>
    std::array<uint64_t, most_lanes> addresses(F of) const {
        std::array<uint64_t, most_lanes> out{};
        for (unsigned lane = 0; lane < m_.lanes; ++lane)
            out.at(lane) = of(lane);
        return out;
    }
    void move(bool load, uint64_t address, size_t memory_bytes, size_t at, size_t register_bytes) {
        if (load)
            set_register(m_.data, at, register_bytes, read(address, memory_bytes));
        else
            write(address, memory_bytes, in_register(m_.data, at, memory_bytes));
    }

    void scaled(bool load);
    void scaled4(bool load);
    void qwords(bool load);
    void counted(bool load);
    void owords(bool load, unsigned unit);
    void flat_block(bool load);
    void flat_blocks(bool load);
    void flat_bytes(bool load);
    void atomics(bool flat_addresses);
    void update(const std::array<uint64_t, most_lanes>& at, size_t slot);
    std::array<uint64_t, most_lanes> element_addresses() const;
    void elements(bool load);
    void element_atomics();
    void status();
};

// GATHER_SCALED, SCATTER_SCALED: `blocks` bytes; a dword of the register for each lane (rulings 5, 29).
void Machine::scaled(bool load) {
    const auto at = addresses([&](unsigned lane) { return on_surface(dword_address(lane)); });
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (on(i))
            move(load, at.at(i), m_.blocks, size_t{4} * i, 4);
    }
}

// GATHER4_SCALED, SCATTER4_SCALED and their SVM forms (rulings 1 to 3, 10, 51).
void Machine::scaled4(bool load) {
    const auto at = addresses([&](unsigned lane) {
        return flat() ? m_.offset + qword_address(lane) : on_surface(dword_address(lane)) & ~uint64_t{3};
    });
    const auto first = static_cast<unsigned>(std::countr_zero(m_.channels));
    const auto last = static_cast<unsigned>(std::bit_width(m_.channels)) - 1;
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (!on(i))
            continue;
        if (faults(i, at.at(i) + uint64_t{4} * first, size_t{4} * (last - first + 1)))
            return;
        size_t position = 0;
        for (unsigned c = 0; c < 4; ++c) {
            if ((m_.channels >> c & 1U) != 0)
                move(load, at.at(i) + uint64_t{4} * c, 4, 4 * (position++ * pitch() + i), 4);
        }
    }
}

// QW_GATHER, QW_SCATTER (ruling 11).
void Machine::qwords(bool load) {
    const auto at = addresses([&](unsigned lane) { return on_surface(dword_address(lane)); });
    for (unsigned i = 0; i < m_.lanes; ++i) {
        for (unsigned j = 0; on(i) && j < m_.blocks; ++j)
            move(load, at.at(i) + uint64_t{8} * j, 8, 8 * (j * pitch() + i), 8);
    }
}

// GATHER, SCATTER: offsets count elements (ruling 52).
void Machine::counted(bool load) {
    const auto at =
        addresses([&](unsigned lane) { return on_surface(uint64_t{dword_address(lane)} * m_.block_bytes); });
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (on(i))
            move(load, at.at(i), m_.block_bytes, size_t{4} * i, 4);
    }
}

// OWORD_LD, OWORD_ST, OWORD_LD_UNALIGNED: each dword is an access of its own (ruling 9).
void Machine::owords(bool load, unsigned unit) {
    const uint64_t at = on_surface(uint64_t{static_cast<uint32_t>(m_.offset)} * unit);
    for (size_t byte = 0; byte < size_t{16} * m_.blocks; byte += 4)
        move(load, at + byte, 4, byte, 4);
}

// SVM_BLOCK_LD, SVM_BLOCK_ST: NoMask, one access.
void Machine::flat_block(bool load) {
    if (region_of(m_.offset, size_t{16} * m_.blocks) == nullptr) {
        verdict_.fault = {-1, m_.offset};
        return;
    }
    for (size_t byte = 0; byte < size_t{16} * m_.blocks; byte += 8)
        move(load, m_.offset + byte, 8, byte, 8);
}

// SVM_GATHER, SVM_SCATTER with blocks of 4 or 8 bytes.
void Machine::flat_blocks(bool load) {
    const auto at = addresses([&](unsigned lane) { return qword_address(lane); });
    const size_t unit = m_.block_bytes;
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (on(i) && faults(i, at.at(i), unit * m_.blocks))
            return;
        for (unsigned j = 0; on(i) && j < m_.blocks; ++j)
            move(load, at.at(i) + unit * j, unit, unit * (j * pitch() + i), unit);
    }
}

// ... with blocks of 1 byte: "min_block_size = num_blocks < 4 ? 4 : num_blocks".
void Machine::flat_bytes(bool load) {
    const auto at = addresses([&](unsigned lane) { return qword_address(lane); });
    const size_t slot = std::max(4U, m_.blocks);
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (on(i) && faults(i, at.at(i), m_.blocks))
            return;
        if (on(i))
            move(load, at.at(i), m_.blocks, slot * i, slot);
    }
}

// SVM_ATOMIC, DWORD_ATOMIC: lanes take turns (ruling 27), 16 bits in dwords (ruling 24).
void Machine::atomics(bool flat_addresses) {
    const auto at = addresses([&](unsigned lane) {
        return flat_addresses ? qword_address(lane) : on_surface(dword_address(lane));
    });
    update(at, m_.bits == 64 ? 8 : 4);
}

void Machine::update(const std::array<uint64_t, most_lanes>& at, size_t slot) {
    const size_t bytes = m_.bits / 8;
    const auto first = addresses([&](unsigned lane) { return in_register(m_.data, slot * lane, bytes); });
    const auto second = addresses([&](unsigned lane) { return in_register(m_.second, slot * lane, bytes); });
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (!on(i))
            continue;
        if (faults(i, at.at(i), bytes))
            return;
        Updated updated;
        if (is_inside(at.at(i), bytes)) {
            updated = atomic(m_.op, m_.bits, read(at.at(i), bytes), first.at(i), second.at(i));
            write(at.at(i), bytes, updated.memory);
            verdict_.free_bits |= updated.free_bits;
        }
        set_register(m_.result, slot * i, slot, updated.returned);
    }
}

// LSC_UNTYPED: AddrScale * Src0Addrs[n] + AddrImmOffset, of strided messages + n * pitch (ruling 53).
std::array<uint64_t, most_lanes> Machine::element_addresses() const {
    const Element& element = m_.element;
    return addresses([&](unsigned lane) {
        const size_t at = element.pitch ? 0 : size_t{element.address_bytes} * lane;
        uint64_t address = element.scale * in_register(m_.addresses, at, element.address_bytes) +
                           static_cast<uint64_t>(element.displacement);
        if (element.pitch)
            address += lane * *element.pitch;
        if (element.address_bytes < 8)
            address &= UINT32_MAX;
        return on_surface(address);
    });
}

// Loads and stores: element v of all lanes in a block of whole registers; transposed, one lane's elements
// side by side.
void Machine::elements(bool load) {
    const Element& e = m_.element;
    if (load && m_.data == null)
        return; // a prefetch (ruling 55)
    const auto at = element_addresses();
    const size_t block = (size_t{m_.lanes} * e.register_bytes + world_.grf - 1) / world_.grf * world_.grf;
    const auto first = static_cast<unsigned>(std::countr_zero(e.elements));
    const auto end = static_cast<unsigned>(std::bit_width(e.elements));
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (on(i) &&
            faults(i, at.at(i) + size_t{first} * e.memory_bytes, size_t{end - first} * e.memory_bytes))
            return;
        size_t position = 0;
        for (unsigned v = 0; on(i) && v < end; ++v) {
            if ((e.elements >> v & 1U) == 0)
                continue;
            const size_t place =
                e.transposed ? position * e.register_bytes : position * block + size_t{i} * e.register_bytes;
            const uint64_t address = at.at(i) + uint64_t{v} * e.memory_bytes;
            ++position;
            if (load)
                set_register(m_.data, place, e.register_bytes, read(address, e.memory_bytes) << e.shift);
            else
                write(address, e.memory_bytes, in_register(m_.data, place, e.register_bytes) >> e.shift);
        }
    }
}

void Machine::element_atomics() {
    update(element_addresses(), m_.element.register_bytes);
}

// LOAD_STATUS: a bit for each lane, 0 of those that are off (ruling 56).
void Machine::status() {
    const auto at = element_addresses();
    const size_t bytes = static_cast<size_t>(std::popcount(m_.element.elements)) * m_.element.memory_bytes;
    uint32_t there = 0;
    for (unsigned i = 0; i < m_.lanes; ++i) {
        if (on(i) && is_inside(at.at(i), bytes))
            there |= 1U << i;
    }
    set_register(m_.data, 0, 4, there);
}

Verdict Machine::run() {
    const std::string& name = m_.mnemonic;
    if (name == "gather_scaled" || name == "scatter_scaled")
        scaled(name == "gather_scaled");
    else if (name.ends_with("gather4_scaled") || name.ends_with("scatter4_scaled") ||
             name.ends_with("gather4scaled") || name.ends_with("scatter4scaled"))
        scaled4(name.contains("gather"));
    else if (name == "qw_gather" || name == "qw_scatter")
        qwords(name == "qw_gather");
    else if (name == "gather" || name == "scatter")
        counted(name == "gather");
    else if (name == "oword_ld" || name == "oword_st")
        owords(name == "oword_ld", 16);
    else if (name == "oword_ld_unaligned")
        owords(true, 1);
    else if (name == "svm_block_ld" || name == "svm_block_st")
        flat_block(name == "svm_block_ld");
    else if (name == "svm_gather" || name == "svm_scatter")
        m_.block_bytes == 1 ? flat_bytes(name == "svm_gather") : flat_blocks(name == "svm_gather");
    else if (name == "svm_atomic" || name == "dword_atomic")
        atomics(name == "svm_atomic");
    else if (name.starts_with("lsc_atomic_"))
        element_atomics();
    else if (name == "lsc_load_status")
        status();
    else if (name.starts_with("lsc_load") || name.starts_with("lsc_store"))
        elements(name.starts_with("lsc_load"));
    else
        std::abort();
    return verdict_;
}

} // namespace

Verdict run(World& world, const Message& message) {
    return Machine(world, message).run();
}

uint32_t enabled(uint32_t execution_mask, bool no_mask, const Guard& guard, unsigned lanes,
                 unsigned first_channel) {
    const uint32_t all = lanes == 32 ? UINT32_MAX : (1U << lanes) - 1;
    const uint32_t channels = no_mask ? all : execution_mask >> first_channel & all;
    const uint32_t bits = guard.predicate >> first_channel & all;
    uint32_t chosen = all;
    if (guard.combine == Combine::each)
        chosen = bits;
    else if (guard.combine == Combine::any)
        chosen = bits != 0 ? all : 0;
    else if (guard.combine == Combine::all)
        chosen = bits == all ? all : 0;
    if (guard.inverted)
        chosen = ~chosen;
    return channels & chosen & all;
}

} // namespace oracle
