#include "check/taint.h"

#include "isa/predefined.h"
#include "module/module.h"

#include <fmt/format.h>

namespace visor::check {

void Origins::clear() {
    known_.clear();
    origins_.clear();
    program_ = nullptr;
}

template <class Describe>
Taint Origins::intern(const Key& key, Describe describe, bool elsewhere, bool predicate) {
    const auto found = known_.find(key);
    if (found != known_.end())
        return found->second;
    if (origins_.size() == most_origins)
        return static_cast<Taint>(first_origin + most_origins);
    origins_.push_back({describe(), key.instruction, key.function, elsewhere, predicate});
    const auto taint = static_cast<Taint>(first_origin + origins_.size() - 1);
    known_.emplace(key, taint);
    return taint;
}

Taint Origins::of_variable(const Program& program, uint32_t register_byte, uint32_t instruction) {
    const Function& function = *program.function;
    if (program_ != &program) {
        program_ = &program;
        variables_.assign(program.register_bytes, UINT32_MAX);
        for (uint32_t id = 0; id < program.variables.size(); ++id) {
            const VariableSlot& slot = program.variables[id];
            if (!slot.used || root_of(function, id).id != id)
                continue;
            for (uint32_t at = slot.base; at < slot.base + slot.bytes && at < variables_.size(); ++at)
                variables_[at] = id;
        }
    }
    const uint32_t id = register_byte < variables_.size() ? variables_[register_byte] : UINT32_MAX;
    return intern({&function, &function, id, instruction}, [&] {
        if (id == UINT32_MAX)
            return std::string("a register outside every variable");
        return fmt::format("byte {} of `{}`", register_byte - program.variables[id].base,
                           general_name(function, id));
    });
}

Taint Origins::of_memory(const Program& program, const char* what, std::optional<uint64_t> address,
                         uint32_t instruction) {
    return intern({program.function.get(), what, 0, instruction},
                  [&] { return address ? fmt::format("{} + 0x{:x}", what, *address) : std::string(what); });
}

Taint Origins::of_predicate(const Program& program, uint32_t predicate, uint32_t instruction,
                            bool elsewhere) {
    const Function& function = *program.function;
    const uint64_t id = uint64_t{predicate} << 32U | (elsewhere ? 1U : 0U) << 31U;
    return intern(
        {&function, &function, id, instruction},
        [&] {
            const uint32_t index = predicate - isa::first_user_predicate;
            return fmt::format("predicate `{}`{}",
                               index < function.predicates.size() ? function.predicates[index].name
                                                                  : std::to_string(predicate),
                               elsewhere ? " with the bits of lanes that are off" : "");
        },
        elsewhere, true);
}

Origins::Origin Origins::describe(Taint taint) const {
    if (taint < first_origin || taint - first_origin >= origins_.size())
        return {"one of many places", UINT32_MAX, nullptr, false, false};
    return origins_[taint - first_origin];
}

bool Origins::began_with(Taint taint, const isa::Row* instruction) const {
    if (taint < first_origin || taint - first_origin >= origins_.size())
        return false;
    const Origin& origin = origins_[taint - first_origin];
    return !origin.predicate && origin.function != nullptr &&
           origin.instruction < origin.function->code.size() &&
           origin.function->code[origin.instruction].row == instruction;
}

} // namespace visor::check
