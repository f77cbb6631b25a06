// Which messages there are: rows, execution sizes, literals, masks and predicates.
#include "exec/message_plan.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace visor::exec_test {

namespace {

using oracle::Combine;

constexpr unsigned up_to_16 = 0x1f;
constexpr unsigned up_to_32 = 0x3f;
constexpr unsigned one = 0x01;

constexpr std::array rows{
    MessageRow{"scatter_scaled", MessageKind::scaled, up_to_32, 3, true},
    MessageRow{"gather_scaled", MessageKind::scaled, up_to_32, 3},
    MessageRow{"scatter4_scaled", MessageKind::scaled4, up_to_16, 15, true},
    MessageRow{"gather4_scaled", MessageKind::scaled4, up_to_16, 15},
    MessageRow{"qw_gather", MessageKind::qwords, up_to_16, 4, true},
    MessageRow{"qw_scatter", MessageKind::qwords, up_to_16, 4},
    MessageRow{"gather", MessageKind::counted, 0x19, 3},
    MessageRow{"scatter", MessageKind::counted, 0x19, 3},
    MessageRow{"oword_ld", MessageKind::owords, one, 4},
    MessageRow{"oword_st", MessageKind::owords, one, 4},
    MessageRow{"oword_ld_unaligned", MessageKind::owords, one, 4},
    MessageRow{"svm_block_ld", MessageKind::flat_block, one, 10, true},
    MessageRow{"svm_block_st", MessageKind::flat_block, one, 5},
    MessageRow{"svm_gather", MessageKind::flat_lanes, up_to_16, 12},
    MessageRow{"svm_scatter", MessageKind::flat_lanes, up_to_16, 12},
    MessageRow{"svm_gather4scaled", MessageKind::flat4, 0x18, 15},
    MessageRow{"svm_scatter4scaled", MessageKind::flat4, 0x18, 15},
    MessageRow{"svm_atomic", MessageKind::flat_atomic, up_to_16, 57, true},
    MessageRow{"dword_atomic", MessageKind::atomic, up_to_16, 38},
    MessageRow{"lsc_load", MessageKind::lsc, up_to_32, 32},
    MessageRow{"lsc_store", MessageKind::lsc, up_to_32, 32},
    MessageRow{"lsc_store_uncompressed", MessageKind::lsc, up_to_32, 32},
    MessageRow{"lsc_load_status", MessageKind::lsc_status, up_to_32, 32},
    MessageRow{"lsc_load_quad", MessageKind::lsc_quad, up_to_32, 15},
    MessageRow{"lsc_store_quad", MessageKind::lsc_quad, up_to_32, 15},
    MessageRow{"lsc_load_strided", MessageKind::lsc_strided, up_to_32, 32},
    MessageRow{"lsc_store_strided", MessageKind::lsc_strided, up_to_32, 32},
    MessageRow{"lsc_atomic", MessageKind::lsc_atomic, up_to_32, 57},
};

// Ruling 20: 16 lanes of svm_atomic on registers of 64 bytes. Transposed LSC messages have one lane.
bool exists(const MessageRow& row, unsigned size, size_t grf) {
    if ((row.sizes & size) == 0)
        return false;
    return row.kind != MessageKind::flat_atomic || size <= 8 || grf == 64;
}

void add_guards(MessageShape shape, bool all, size_t turn, std::vector<MessageShape>& out) {
    constexpr std::array guards{std::pair{Combine::none, false}, std::pair{Combine::each, false},
                                std::pair{Combine::each, true},  std::pair{Combine::any, false},
                                std::pair{Combine::any, true},   std::pair{Combine::all, false},
                                std::pair{Combine::all, true}};
    const unsigned places = (32 - shape.size) / 4 + 1;
    const unsigned count = all ? 2 * guards.size() : 1;
    for (unsigned i = 0; i < count; ++i) {
        const size_t at = turn + i;
        std::tie(shape.combine, shape.inverted) = guards.at(at % guards.size());
        shape.no_mask = at / guards.size() % 2 != 0;
        shape.first_channel = static_cast<unsigned>(at % places) * 4;
        if (shape.row->kind == MessageKind::counted) // has no predicate
            std::tie(shape.combine, shape.inverted) = guards.front();
        out.push_back(shape);
    }
}

} // namespace

std::span<const MessageRow> message_rows() {
    return rows;
}

bool is_flat(MessageKind kind) {
    return kind == MessageKind::flat_block || kind == MessageKind::flat_lanes || kind == MessageKind::flat4 ||
           kind == MessageKind::flat_atomic;
}

bool is_swept(std::string_view mnemonic, unsigned sizes) {
    return std::ranges::any_of(rows, [&](const MessageRow& row) {
        const bool same = row.kind == MessageKind::lsc_atomic ? mnemonic.starts_with("lsc_atomic_")
                                                              : mnemonic == row.mnemonic;
        return same && (sizes & ~row.sizes) == 0;
    });
}

bool has_mask(MessageKind kind) {
    return kind != MessageKind::owords && kind != MessageKind::flat_block;
}

std::vector<MessageShape> every_shape(const MessageRow& row, size_t grf) {
    std::vector<MessageShape> out;
    for (unsigned size = 1; size <= 32; size *= 2) {
        if (!exists(row, size, grf))
            continue;
        for (unsigned code = 0; code < row.codes; ++code) {
            const MessageShape shape{.row = &row, .size = size, .code = code};
            if (has_mask(row.kind))
                add_guards(shape, row.core, out.size(), out);
            else
                out.push_back(shape);
        }
    }
    return out;
}

MessageShape random_shape(size_t grf, Random& random) {
    // The five take half of the draws.
    const MessageRow* row = nullptr;
    const bool core = random.below(2) != 0;
    do
        row = &rows.at(random.below(rows.size()));
    while (core && !row->core);
    MessageShape shape{.row = row};
    do
        shape.size = 1U << random.below(6);
    while (!exists(*row, shape.size, grf));
    shape.code = random.below(row->codes);
    if (!has_mask(row->kind))
        return shape;
    shape.first_channel = random.below((32 - shape.size) / 4 + 1) * 4;
    shape.no_mask = random.below(3) == 0;
    if (row->kind != MessageKind::counted && random.below(2) != 0) {
        shape.combine = static_cast<Combine>(1 + random.below(3));
        shape.inverted = random.below(2) != 0;
    }
    return shape;
}

} // namespace visor::exec_test
