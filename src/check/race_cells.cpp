#include "check/race_cells.h"

namespace visor::check {

Cells::Page& Cells::find(uint64_t number) {
    if (number == last_number_)
        return *last_;
    Page& page = pages_[number];
    if (page.cells.empty())
        page.cells.resize(page_bytes / page.granule);
    last_number_ = number;
    last_ = &page;
    return page;
}

void Cells::split(Page& page) {
    std::vector<Cell> fine;
    fine.reserve(page_bytes);
    for (const Cell& cell : page.cells)
        fine.insert(fine.end(), page.granule, cell);
    page.cells = std::move(fine);
    page.granule = 1;
}

void Cells::clear() {
    pages_.clear();
    last_number_ = UINT64_MAX;
    last_ = nullptr;
}

} // namespace visor::check
