// An LSC message under test: its literals and operands by name.
#pragma once

#include "isa/lsc_code.h"
#include "isa/opcode.h"
#include "isa/sub_opcode.h"
#include "isa/table.h"
#include "verify/context.h"

#include <optional>
#include <string_view>

namespace visor::verify {

struct LscMessage {
    const Site& site;

    // Nothing: the message has no such operand, or none that is a literal.
    [[nodiscard]] std::optional<uint64_t> value(std::string_view field) const {
        const auto found = operand(field);
        return found && found->operand.kind == OperandKind::literal ? std::optional(found->operand.value)
                                                                    : std::nullopt;
    }
    [[nodiscard]] std::optional<OperandSite> operand(std::string_view field) const {
        const int index = isa::operand_index(site.row(), field);
        if (index < 0 || static_cast<size_t>(index) >= site.instruction.operands.size())
            return std::nullopt;
        return site_of(site, static_cast<size_t>(index));
    }

    [[nodiscard]] bool is_atomic() const { return isa::has(site.row(), isa::atomic_access); }
    [[nodiscard]] bool is_load() const { return !isa::has(site.row(), isa::writes_memory); }
    [[nodiscard]] bool has_channels() const { return isa::sub_opcode::lsc::has_channels(site.row().sub); }
    [[nodiscard]] uint64_t unit() const {
        if (site.row().opcode == isa::opcode::lsc_typed)
            return isa::lsc::sfid_tgm;
        return value("lsc_sfid").value_or(0);
    }
    // Of no device in particular nothing is asked that only older ones ask for.
    [[nodiscard]] bool before(isa::DeviceId id) const {
        const isa::Device* device = site.context.options.device;
        return device != nullptr && device->id < id;
    }
    [[nodiscard]] bool since(isa::DeviceId id) const {
        const isa::Device* device = site.context.options.device;
        return device != nullptr && device->id >= id;
    }
};

// lsc_block.cpp: blocks of two dimensions.
void check_block(const LscMessage& message);

} // namespace visor::verify
