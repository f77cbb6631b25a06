#include "check/race_cells.h"

namespace visor::check {

Cells::Page& Cells::find(uint64_t number) {
    // The middle bits, too: buffers begin at round addresses.
    Known& known = known_[(number ^ number >> 6U) % known_.size()];
    if (number == known.number)
        return *known.page;
    Page& page = pages_[number];
    if (page.age != age_) {
        page.age = age_;
        page.granule = coarse;
        page.cells.assign(page_bytes / coarse, {});
    }
    known = {number, &page};
    return page;
}

void Cells::split(Page& page) {
    std::vector<Cell> fine;
    fine.reserve(page_bytes);
    for (const Cell& cell : page.cells)
        for (uint32_t byte = 0; byte < coarse; ++byte)
            fine.push_back({{cell.writers[0].of_byte(byte), cell.writers[1].of_byte(byte)},
                            {cell.readers[0].of_byte(byte), cell.readers[1].of_byte(byte)}});
    page.cells = std::move(fine);
    page.granule = 1;
}

void Cells::clear() {
    // Groups come back to the same pages: their memory is kept.
    ++age_;
    known_.fill({});
}

} // namespace visor::check
