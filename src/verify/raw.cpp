// 5_operands, Raw Operands: contiguous, aligned, inside their variable.
#include "module/extent.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

namespace visor::verify {

namespace {

bool check_null(const OperandSite& site) {
    return site.field.nullable || site.diag(rule("<instruction>-<operand>-null"))
                                      << name(site) << " is the null variable, but is needed";
}

// Ruling 32: the pages want every raw operand aligned, the implementation those in variables of a register or
// more.
void check_alignment(const OperandSite& site, const Variable& variable) {
    const uint64_t grf = site.context().grf_bytes;
    const uint64_t begin = variable.root_offset + static_cast<uint64_t>(site.operand.offset);
    if (begin % grf == 0)
        return;
    const Level implementation = variable.root_bytes >= grf ? Level::error : Level::off;
    site.diag(rule("raw-alignment"), {Level::warning, implementation})
        << name(site) << " begins at byte " << begin << " of its storage, no multiple of a register's "
        << grf;
}

void check_bounds(const OperandSite& site, const Variable& variable) {
    const uint64_t begin = static_cast<uint64_t>(site.operand.offset);
    const uint64_t needed =
        std::max<uint64_t>(extent(site.site.instruction, site.index, site.context().grf_bytes), 1);
    if (begin + needed <= variable.bytes)
        return;
    // Compilers store a pointer of 8 bytes with a message of one oword.
    const bool part_of_oword = site.field.extent == isa::Extent::owords && needed == 16;
    site.diag(rule("raw-bounds"), part_of_oword ? habitual : doubtful)
        << name(site) << " takes " << needed << " bytes from byte " << begin << " of " << variable_name(site)
        << ", which has " << variable.bytes;
}

} // namespace

void check_raw(const OperandSite& site) {
    if (is_null(site.operand)) {
        static_cast<void>(check_null(site));
        return;
    }
    if (site.operand.offset < 0) {
        site.diag(rule("raw-bounds"), refused)
            << name(site) << " has the negative offset " << site.operand.offset;
        return;
    }
    const Variable& variable = site.context().variable(site.operand.id);
    check_alignment(site, variable);
    check_bounds(site, variable);
}

} // namespace visor::verify
