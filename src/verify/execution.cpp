// 3_execution_model: execution size, mask, predicate, and whether the device has the instruction at all.
#include "isa/codec.h"
#include "isa/field.h"
#include "isa/opcode.h"
#include "isa/table.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <bit>

namespace visor::verify {

namespace {

using isa::RowFlag;

void check_device(const Site& site) {
    const isa::Device* device = site.context.options.device;
    if (device == nullptr || isa::contains(site.row().devices, device->id))
        return;
    const std::string others = list_devices(site.row().devices);
    site.diag(rule("<instruction>-device"))
            .note(others.empty() ? "no device that is known here has it" : "available on: " + others)
        << site.row().mnemonic << " does not exist on " << device->name;
}

bool is_dpas(const Site& site) {
    return site.row().form == isa::TextForm::dpas &&
           (site.row().exec_sizes & isa::lanes_8_16) == isa::lanes_8_16;
}

bool is_madw(const Site& site) {
    return site.row().opcode == isa::opcode::madw;
}

// Typed LSC messages have 32 lanes from Xe2 on (IGC, IsaVerification.cpp). DPAS, DPASW: "Exec_size is 16 for
// PVC and 8 otherwise", and what came after PVC is as PVC.
uint8_t sizes_of(const Site& site) {
    const isa::Device* device = site.context.options.device;
    const uint8_t sizes = site.row().exec_sizes;
    if (device == nullptr)
        return sizes;
    if (is_dpas(site))
        return device->id >= isa::DeviceId::pvc ? isa::lanes_16 : isa::lanes_8;
    if (is_madw(site) && device->id >= isa::DeviceId::cri) // which IGC 2.40 compiles
        return isa::any_exec_size;
    const bool typed = site.row().opcode == isa::opcode::lsc_typed && sizes == isa::any_exec_size;
    return typed && device->id < isa::DeviceId::bmg ? isa::up_to_16 : sizes;
}

// The pages' sizes, except where a ruling or the implementation goes further: fewer lanes than a message has
// are a message with lanes off (ruling 4), more would be a message that does not exist.
Levels size_levels(const Site& site, uint32_t lanes) {
    const bool message =
        isa::has(site.row(), RowFlag::reads_memory) || isa::has(site.row(), RowFlag::writes_memory);
    if (site.row().form == isa::TextForm::lsc_block2d)
        return habitual; // compilers write the kernel's size; the message has one lane all the same (ruling
                         // 78)
    if (is_of_newest_device(site.row()) || is_dpas(site) || is_madw(site))
        return refused;
    const uint32_t largest = std::bit_floor(uint32_t{sizes_of(site)});
    if (!message || lanes < largest)
        return doubtful;
    const bool atomic_on_wide_grf = // ruling 20
        isa::has(site.row(), RowFlag::atomic_access) && lanes == 16 && site.context.grf_bytes == 64;
    return atomic_on_wide_grf ? habitual : refused;
}

bool check_size(const Site& site) {
    const uint32_t lanes = site.lanes();
    const bool possible = std::has_single_bit(lanes) && lanes <= 32;
    if (possible && (sizes_of(site) & lanes) != 0)
        return true;
    site.diag(rule("<instruction>-exec-size"), possible ? size_levels(site, lanes) : refused)
        << "the execution size of " << site.row().mnemonic << " is " << lanes
        << "; allowed: " << list_sizes(sizes_of(site));
    return possible;
}

// What text has for Xe3P alone: a third cache level, overfetch.
void check_newest_suffixes(const Site& site) {
    const isa::Device* device = site.context.options.device;
    if (device == nullptr || device->id >= isa::DeviceId::cri || site.row().family != isa::Family::lsc)
        return;
    for (size_t index = 0; index < site.instruction.operands.size(); ++index) {
        const OperandSite operand = site_of(site, index);
        const isa::Field& field = operand.field;
        if (field.text_only && field.place == isa::Place::suffix && operand.operand.value != 0)
            operand.diag(rule("<instruction>-device"), refused)
                << "the suffix `" << isa::spell(field.codec, operand.operand.value) << "` of "
                << site.row().mnemonic << " (" << field.name << ") does not exist on " << device->name;
    }
}

void check_mask(const Site& site) {
    const uint32_t first = site.instruction.execution.offset;
    const uint32_t end = first + site.lanes();
    const std::string mask = "M" + std::to_string(first / 4 + 1);
    if (end > 32) {
        site.diag(rule("mask-range")) << "mask " << mask << " with execution size " << site.lanes()
                                      << " means lanes " << first << " to " << end - 1 << "; there are 32";
        return;
    }
    if (first % site.lanes() != 0)
        site.diag(rule("mask-alignment")) << "mask " << mask << " begins at lane " << first
                                          << ", no multiple of the execution size " << site.lanes();
    // Ruling 31.
    const uint32_t width = site.context.simd_width;
    if (width != 0 && end > width)
        site.diag(rule("simd-width"))
            << "lanes " << first << " to " << end - 1 << " reach beyond the kernel's SimdSize of " << width
            << (site.instruction.execution.no_mask ? "; with NM they run" : "; those beyond are off");
}

void check_predicate(const Site& site) {
    const Predicate& predicate = site.instruction.predicate;
    if (predicate.id == 0)
        return;
    if (!isa::has_predicate(site.row())) {
        site.diag(rule("no-predicate"))
            << site.row().mnemonic << " cannot be predicated; a binary has no place for the predicate";
        return;
    }
    const std::vector<OtherVariable>& declared = site.context.function.predicates;
    const size_t index = predicate.id - isa::first_user_predicate;
    if (index >= declared.size()) {
        site.diag(rule("undeclared-variable")) << "predicate `P" << predicate.id << "` is not declared";
        return;
    }
    const uint32_t end = site.instruction.execution.offset + site.lanes();
    if (end > declared[index].elements)
        site.diag(rule("predicate-size")).note_at(declared[index].where, "declared here")
            << "predicate `" << declared[index].name << "` has " << declared[index].elements
            << " elements; the last lane's is " << end - 1;
}

} // namespace

void check_execution(const Site& site) {
    check_device(site);
    check_newest_suffixes(site);
    if (isa::has_exec(site.row()) && check_size(site))
        check_mask(site);
    check_predicate(site);
}

} // namespace visor::verify
