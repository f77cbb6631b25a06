// FCVT, SRND: which floats become which, as the implementation's verifier has it (IGC, IsaVerification.cpp).
// The types of operands alone tell 8-bit floats and tf32.
#include "isa/opcode.h"
#include "verify/chapters.h"
#include "verify/spelling.h"

#include <algorithm>
#include <array>

namespace visor::verify {

namespace {

using isa::DeviceId;
using isa::Type;

struct Conversion {
    Type result;
    Type source;
    DeviceId first; // device that has it
};
constexpr std::array converted{
    Conversion{Type::ub, Type::hf, DeviceId::pvc}, Conversion{Type::hf, Type::ub, DeviceId::pvc},
    Conversion{Type::ud, Type::f, DeviceId::pvc}, Conversion{Type::b, Type::hf, DeviceId::ptl},
    Conversion{Type::hf, Type::b, DeviceId::ptl}};
constexpr std::array rounded{
    Conversion{Type::ub, Type::hf, DeviceId::pvc}, Conversion{Type::hf, Type::f, DeviceId::pvc},
    Conversion{Type::b, Type::hf, DeviceId::cri}, Conversion{Type::ub, Type::bf, DeviceId::cri},
    Conversion{Type::b, Type::bf, DeviceId::cri}};

void check_types_of(const Site& site, std::span<const Conversion> table) {
    const Type result = type_of(site_of(site, 0));
    const Type source = type_of(site_of(site, 1));
    const isa::Device* device = site.context.options.device;
    const bool exists = std::ranges::any_of(table, [&](const Conversion& one) {
        return one.result == result && one.source == source && (device == nullptr || device->id >= one.first);
    });
    if (!exists)
        site.diag(rule("conversion-types"))
            << site.row().mnemonic << " makes no " << isa::facts(result).name << " of "
            << isa::facts(source).name << (device == nullptr ? "" : std::string(" on ") + device->name);
}

void check_no_mask(const Site& site) {
    if (!site.instruction.execution.no_mask)
        site.diag(rule("conversion-mask"))
            << site.row().mnemonic << " of these types has a mask that ends with _NM";
}

} // namespace

void check_conversion(const Site& site) {
    const uint8_t code = site.row().opcode;
    const bool rounds = code == isa::opcode::srnd;
    if (!rounds && code != isa::opcode::fcvt)
        return;
    check_types_of(site, rounds ? std::span<const Conversion>(rounded) : converted);
    const Type result = type_of(site_of(site, 0));
    if (rounds || result == Type::ub || result == Type::b)
        check_no_mask(site);
}

} // namespace visor::verify
