// Who touched a place of memory last: the race checker's shadow memory. A cell keeps two writers and two
// readers. Two of a kind are enough: an access that comes before a kept one needs no cell of its own, and of
// accesses that nothing orders, those of two threads clash with any third one's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace visor::check {

// How many bytes of a cell a lane has: neighbouring lanes may share a cell.
enum class Share : uint8_t { whole, two_bytes, one_byte };

// Sixteen bytes, so that a cell is a cache line.
struct Access {
    uint32_t thread = 0; // group * threads of a group + thread + 1; 0 = nobody
    uint32_t clock = 0;  // the thread's own
    uint32_t value = 0;  // a write's bytes in this cell
    uint32_t what = 0;   // packed

    // Instruction in bits 31..9, lane + 1 in 8..3, its share in 2..1.
    [[nodiscard]] static uint32_t pack(uint32_t instruction, int lane, bool atomic,
                                       Share share = Share::whole) {
        return instruction << 9U | static_cast<uint32_t>(lane + 1) << 3U |
               static_cast<uint32_t>(share) << 1U | (atomic ? 1U : 0U);
    }
    [[nodiscard]] uint32_t instruction() const { return what >> 9U; }
    // The first one of the cell; -1: no single one.
    [[nodiscard]] int lane() const { return static_cast<int>(what >> 3U & 0x3fU) - 1; }
    [[nodiscard]] bool atomic() const { return (what & 1U) != 0; }
    // What it was to one byte of its cell.
    [[nodiscard]] Access of_byte(uint32_t byte) const {
        const auto share = static_cast<Share>(what >> 1U & 3U);
        const uint32_t lanes = share == Share::one_byte ? byte : share == Share::two_bytes ? byte / 2 : 0;
        Access access = *this;
        access.value = value >> 8U * byte & 0xffU;
        access.what = pack(instruction(), lane() + static_cast<int>(lanes), atomic());
        return access;
    }
};

struct alignas(64) Cell {
    std::array<Access, 2> writers;
    std::array<Access, 2> readers;
};

// Cells by address: one for four bytes, until somebody touches fewer of them; then one for each byte of that
// page. Linear in the memory that is touched: 16 bytes for every byte, 64 where bytes are told apart.
class Cells {
public:
    // Calls `visit(Cell&, first, bytes)` for every cell of [address, address + bytes): the cell stands for
    // `bytes` from byte `first` of the range on.
    template <class Visit>
    void each(uint64_t address, uint32_t bytes, Visit visit) {
        uint32_t done = 0;
        while (bytes != 0) {
            const uint64_t number = address / page_bytes;
            const auto offset = static_cast<uint32_t>(address % page_bytes);
            const uint32_t part = bytes < page_bytes - offset ? bytes : page_bytes - offset;
            Page& page = find(number);
            if (page.granule != 1 && (offset % page.granule != 0 || part % page.granule != 0))
                split(page);
            for (uint32_t at = offset; at < offset + part; at += page.granule)
                visit(page.cells[at / page.granule], done + at - offset, page.granule);
            address += part;
            done += part;
            bytes -= part;
        }
    }
    void clear();

private:
    static constexpr uint32_t page_bytes = 256;
    static constexpr uint32_t coarse = 4;
    struct Page {
        uint32_t granule = coarse;
        uint64_t age = 0; // what `clear` has made of no account
        std::vector<Cell> cells;
    };
    Page& find(uint64_t number);
    static void split(Page& page);

    std::unordered_map<uint64_t, Page> pages_;
    uint64_t age_ = 1;
    // The last pages, by the low bits of their numbers: buffers take turns.
    struct Known {
        uint64_t number = UINT64_MAX;
        Page* page = nullptr;
    };
    std::array<Known, 64> known_;
};

} // namespace visor::check
