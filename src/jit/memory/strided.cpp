// Strided loads: lanes a few units apart, as accesses to a member of small structures (points of three
// numbers, colors of three bytes). Loads whole rows that hold several lanes' units, and picks these with
// shuffles.
#include "jit/memory/lowering_state.h"

#include <llvm/Analysis/VectorUtils.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr int64_t max_row_bytes = 64;
constexpr int64_t min_row_bytes = 16;
// Limit on the ratio of loaded to requested bytes.
constexpr int64_t max_load_ratio = 4;
// Minimum average of lanes per row.
constexpr size_t min_lanes_per_row = 3;

// The row and element that hold a part of a lane's unit.
struct Pick {
    size_t row = 0;
    int64_t element = 0;
};

// Rows of some lanes, in elements from the lowest one of all.
struct Rows {
    std::vector<int64_t> starts;
    std::vector<Pick> picks;
};

// `offsets`: of the requested elements, in elements. No row extends past `end`.
Rows rows_of(llvm::ArrayRef<int64_t> offsets, int64_t length, int64_t end) {
    Rows rows;
    for (const int64_t offset : offsets) {
        const bool known =
            !rows.starts.empty() && offset >= rows.starts.back() && offset < rows.starts.back() + length;
        if (!known)
            rows.starts.push_back(std::min(offset, end - length));
        rows.picks.push_back({rows.starts.size() - 1, offset - rows.starts.back()});
    }
    return rows;
}

// Selects the element of each pick; combines rows pairwise until one remains.
Value* picked(llvm::IRBuilder<>& ir, std::vector<Value*> rows, std::vector<Pick> picks, uint32_t length) {
    do {
        std::vector<Value*> joined;
        for (size_t first = 0; first < rows.size(); first += 2) {
            const bool both = first + 1 < rows.size();
            std::vector<int> order(length, -1);
            for (size_t k = 0; k < picks.size(); ++k)
                if (picks[k].row / 2 == first / 2)
                    order[k] = static_cast<int>(picks[k].element + (picks[k].row % 2 == 0 ? 0 : length));
            joined.push_back(ir.CreateShuffleVector(
                rows[first], both ? rows[first + 1] : llvm::PoisonValue::get(rows[first]->getType()), order));
        }
        for (size_t k = 0; k < picks.size(); ++k)
            picks[k] = {picks[k].row / 2, static_cast<int64_t>(k)};
        rows = std::move(joined);
    } while (rows.size() > 1);
    return rows[0];
}

} // namespace

// Whether rows may hold several lanes, and the CPU has fast shuffles.
bool Lowering::has_near_lanes(const Access& access, const LaneAffine::Form& form) const {
    const int64_t span = form.highest() - form.lowest() + access.bytes();
    return gathers_ && !brief_ && span >= min_row_bytes &&
           span <= max_load_ratio * access.lanes() * access.bytes();
}

// Null: the stride is too large, or the CPU lacks fast shuffles. `first` is lane 0's address.
llvm::Value* Lowering::load_rows(const Access& access, const LaneAffine::Form& form, Value* first) {
    if (!has_near_lanes(access, form))
        return nullptr;
    const int64_t low = form.lowest();
    const int64_t span = form.highest() - low + access.bytes();
    int64_t grain = access.bytes();
    for (const int64_t step : form.steps)
        grain = std::gcd(grain, step);
    const int64_t row_bytes =
        std::min(max_row_bytes, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(span))));
    const auto length = static_cast<uint32_t>(row_bytes / grain);
    std::vector<int64_t> offsets;
    for (const int64_t step : form.steps)
        for (int64_t byte = 0; byte < access.bytes(); byte += grain)
            offsets.push_back((step - low + byte) / grain);
    std::vector<Rows> blocks;
    size_t count = 0;
    for (size_t at = 0; at < offsets.size(); at += length) {
        const llvm::ArrayRef<int64_t> all(offsets);
        blocks.push_back(
            rows_of(all.slice(at, std::min<size_t>(length, offsets.size() - at)), length, span / grain));
        count += blocks.back().starts.size();
    }
    if (count * min_lanes_per_row > access.lanes())
        return nullptr;
    auto* const element = ir_.getIntNTy(static_cast<unsigned>(grain * 8));
    llvm::SmallVector<Value*> parts;
    for (const Rows& block : blocks) {
        std::vector<Value*> rows;
        for (const int64_t start : block.starts)
            rows.push_back(load_at(
                llvm::FixedVectorType::get(element, length),
                ir_.CreateConstGEP1_64(ir_.getInt8Ty(), first, static_cast<uint64_t>(low + start * grain))));
        Value* const all = picked(ir_, std::move(rows), block.picks, length);
        const auto requested = static_cast<uint32_t>(block.picks.size());
        parts.push_back(requested == length
                            ? all
                            : ir_.CreateShuffleVector(all, llvm::createSequentialMask(0, requested, 0)));
    }
    return ir_.CreateBitCast(llvm::concatenateVectors(ir_, parts),
                             llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes()));
}

} // namespace visor::jit
