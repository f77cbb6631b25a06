#include "vm/target.h"

#include "vm/vm.h"

#include <fmt/format.h>
#include <tuple>

namespace visor::vm {

namespace {

// Register counts of a hardware thread: 128 on every device, 256 from Xe-HP on, 512 from Xe3P on.
constexpr int64_t usual_registers = 128;
constexpr int64_t large_registers = 256;

isa::DeviceSet devices_with_registers(int64_t count) {
    if (count > large_registers)
        return isa::from(isa::DeviceId::cri);
    return count > usual_registers ? isa::from(isa::DeviceId::xehp) : isa::every_device;
}

struct Need {
    isa::DeviceSet devices = isa::every_device; // that support all of it
    std::string missing;                        // on the default device; "": nothing
};

Need need_of(const Module& module, const isa::Device& usual) {
    Need need;
    const auto narrow = [&](isa::DeviceSet to, auto&& missing) {
        need.devices &= to;
        if (need.missing.empty() && !isa::contains(to, usual.id))
            need.missing = missing();
    };
    for (const Function& function : module.functions) {
        const int64_t registers = function.attribute_number("NumGRF", 0);
        narrow(devices_with_registers(registers),
               [&] { return fmt::format("{} does not give {} registers", usual.name, registers); });
        for (const Instruction& instruction : function.code)
            narrow(instruction.row->devices,
                   [&] { return fmt::format("{} has no {}", usual.name, instruction.row->mnemonic); });
    }
    return need;
}

Unit read_again(const Unit& unit, const isa::Device* device) {
    return unit.binary ? read_binary(unit.name, unit.content, device)
                       : read_text(unit.name, unit.content, device);
}

// Errors, then all findings.
using Score = std::tuple<size_t, size_t>;

Score score_of(const Unit& unit, const isa::Device* device) {
    Diagnostics refused;
    Diagnostics pages;
    if (const Module* const module = readable(unit)) {
        verify::verify(*module, {.profile = verify::Profile::igc, .device = device, .counts_only = true},
                       refused);
        verify::verify(*module, {.profile = verify::Profile::spec, .device = device, .counts_only = true},
                       pages);
    }
    const auto errors = [](const Diagnostics& found) { return found.errors() + found.unsupported_count(); };
    const size_t fatal = errors(unit.diagnostics) + errors(refused);
    return {fatal,
            fatal + unit.diagnostics.warnings() + refused.warnings() + errors(pages) + pages.warnings()};
}

} // namespace

std::optional<Target> target_of(const Unit& unit) {
    const Module* const module = readable(unit);
    if (module == nullptr || unit.from_compiler)
        return std::nullopt;
    const Need need = need_of(*module, *isa::device_named(default_device));
    if (need.missing.empty())
        return std::nullopt;
    const Unit wide = read_again(unit, &isa::device(isa::DeviceId::pvc)); // registers of 64 bytes
    std::optional<Target> best;
    Score least;
    for (const isa::Device& device : isa::devices()) {
        if (!isa::contains(need.devices, device.id) || !device.executes || device.code != device.id)
            continue;
        const Score score = score_of(device.grf_bytes == grf_bytes(nullptr) ? unit : wide, &device);
        if (best && score >= least)
            continue;
        best = Target{&device, need.missing};
        least = score;
    }
    if (best)
        best->quieter = least < score_of(unit, nullptr);
    return best;
}

std::optional<Unit> read_by_hand(std::string_view name, std::string_view content) {
    switch (identify(content, name)) {
    case InputKind::visa_text: {
        Unit unit = read_text(name, content, nullptr);
        return unit.from_compiler ? std::nullopt : std::optional(std::move(unit));
    }
    case InputKind::visa_binary:
        return read_binary(name, content, nullptr);
    default:
        return std::nullopt;
    }
}

std::string taken_as(const Unit& unit, const Target& target, std::string_view advice) {
    return fmt::format("{}: note: taken as code for {}: {}; {}\n", unit.name, target.device->name,
                       target.reason, advice);
}

FoundDevice find_device(std::string_view name, std::string_view content, std::string_view advice) {
    if (const isa::Device* own = device_named_in(content))
        return {own, ""};
    const auto unit = read_by_hand(name, content);
    const auto target = unit ? target_of(*unit) : std::nullopt;
    if (!target)
        return {isa::device_named(default_device), ""};
    return {target->device, taken_as(*unit, *target, advice)};
}

} // namespace visor::vm
