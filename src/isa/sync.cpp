// Rows of synchronisation and of what exists for debuggers and the register allocator. None of them has an
// exec size or a predicate.
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "isa/table.h"
#include "isa/well_formed.h"

namespace visor::isa::rows {

namespace {

using enum DeviceId;

constexpr TypeSet one_ub = types(Type::ub);

constexpr Field mode_field = byte_field("mode", Codec::signal, Place::suffix);
constexpr std::array sbarrier_format{mode_field};
// Text has as many operands as the mode needs: wait 1; signal 2 (baseline, mode 1) or 4 (general, mode 2).
constexpr std::array nbarrier_format{
    mode_field, scalar_field("id", one_ub), scalar_field("type", types(Type::uw)),
    scalar_field("num_producers", one_ub), scalar_field("num_consumers", one_ub)};
constexpr std::array wait_format{scalar_field("mask", one_ub)};
constexpr std::array fence_format{byte_field("mask", Codec::fence_mask, Place::form)};
constexpr std::array lifetime_format{byte_field("properties", Codec::lifetime, Place::suffix),
                                     Field{.kind = FieldKind::variable, .name = "variable"}};
constexpr std::array file_format{Field{.kind = FieldKind::string32, .name = "file_name"}};
constexpr std::array loc_format{
    literal_field(FieldKind::literal32, "line_number", Codec::plain, Place::operand)};

constexpr Row sync_row(uint8_t opcode, const char* mnemonic, std::span<const Field> format, Family family,
                       TextForm form, uint32_t flags, const char* page, const char* semantics,
                       DeviceSet devices = every_device) {
    return {.opcode = opcode,
            .mnemonic = mnemonic,
            .family = family,
            .format = format,
            .form = form,
            .exec_sizes = no_exec_size,
            .flags = flags,
            .devices = devices,
            .page = page,
            .semantics = semantics};
}

constexpr Row fence_row() {
    Row row = sync_row(opcode::fence, "fence_global", fence_format, Family::sync, TextForm::fence, 0, "FENCE",
                       "orders this thread's accesses to memory: global, shared local (local), or\n"
                       "for the compiler alone (sw). The letters name caches to flush");
    row.spellings = "fence_local fence_sw";
    return row;
}

constexpr std::array table{
    sync_row(opcode::file, "file", file_format, Family::debug, TextForm::file, 0, "FILE",
             "the instructions that follow come from the source file file_name"),
    sync_row(opcode::loc, "loc", loc_format, Family::debug, TextForm::loc, 0, "LOC",
             "the instructions that follow come from the source line line_number"),
    sync_row(opcode::barrier, "barrier", {}, Family::sync, TextForm::no_exec, group_sync, "BARRIER",
             "waits until every thread of the group has come here; what they wrote before\n"
             "is seen by all of them after"),
    sync_row(opcode::sampler_cache_flush, "sampler_cache_flush", {}, Family::sync, TextForm::no_exec, 0,
             "CACHE_FLUSH", "empties the sampler's caches"),
    sync_row(opcode::wait, "wait", wait_format, Family::sync, TextForm::no_exec, group_sync, "WAIT",
             "waits for the end of the threads that this one depends on, except those\n"
             "whose bit in mask is set"),
    fence_row(),
    sync_row(opcode::yield, "yield", {}, Family::sync, TextForm::no_exec, 0, "YIELD",
             "lets another thread run"),
    sync_row(opcode::nbarrier, "nbarrier", nbarrier_format, Family::sync, TextForm::nbarrier, group_sync,
             "NBARRIER",
             "signal: this thread has come to barrier id, as type (0 producer and consumer,\n"
             "1 producer, 2 consumer); wait: until all its threads have",
             from(pvc)),
    sync_row(opcode::lifetime, "lifetime", lifetime_format, Family::debug, TextForm::no_exec, 0, "LIFETIME",
             "start: from here on the value of variable matters; end: no longer"),
    sync_row(opcode::sbarrier, "sbarrier", sbarrier_format, Family::sync, TextForm::no_exec, group_sync,
             "SBARRIER", "signal: this thread has come; wait: until every thread of the group has"),
    sync_row(opcode::breakpoint, "breakpoint", {}, Family::debug, TextForm::no_exec, 0,
             "source: the compiler's instruction descriptors",
             "stops for a debugger; where none listens, nothing happens", from(cri)),
};
static_assert(well_formed(table));

static_assert(has_operands(nbarrier_format, {{operand_order::nbarrier::mode, "mode"},
                                             {operand_order::nbarrier::id, "id"},
                                             {operand_order::nbarrier::type, "type"},
                                             {operand_order::nbarrier::num_producers, "num_producers"},
                                             {operand_order::nbarrier::num_consumers, "num_consumers"}}));
static_assert(has_operands(sbarrier_format, {{operand_order::nbarrier::mode, "mode"}}));

} // namespace

std::span<const Row> sync() {
    return table;
}

} // namespace visor::isa::rows
