// Infers the device of hand-written vISA, when neither the user nor the file names one, from its instructions
// and register counts.
#pragma once

#include "isa/device.h"
#include "vm/units.h"

#include <optional>
#include <string>
#include <string_view>

namespace visor::vm {

struct Target {
    const isa::Device* device; // never nullptr
    std::string reason;        // "skl has no lsc_load"
    bool quieter = false;      // a check for this device finds less than one for any
};

// nullopt: the default device supports the unit, or no device does, or the unit is unreadable. Prefers the
// device with the fewest errors of profile igc, then the fewest findings, then the oldest. `unit` was read
// for any device. Reads and checks the unit once for each candidate.
[[nodiscard]] std::optional<Target> target_of(const Unit& unit);

// A hand-written vISA file, read for any device; nullopt: another kind of file.
[[nodiscard]] std::optional<Unit> read_by_hand(std::string_view name, std::string_view content);

inline constexpr std::string_view command_line_advice = "--device names another";

// As one line to print: "k.visaasm: note: taken as code for pvc: skl has no lsc_load; ADVICE"
[[nodiscard]] std::string taken_as(const Unit& unit, const Target& target, std::string_view advice);

// The device of a file if the user names none: the file's own, else the inferred one, else the default.
struct FoundDevice {
    const isa::Device* device; // never nullptr
    std::string remark;        // as taken_as() has it; "": the file names it, or it is the default
};
[[nodiscard]] FoundDevice find_device(std::string_view name, std::string_view content,
                                      std::string_view advice);

} // namespace visor::vm
