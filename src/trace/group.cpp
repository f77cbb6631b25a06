#include "trace/group.h"

#include <fmt/format.h>

namespace visor::trace {

uint64_t group_number(const machine::Thread& thread) {
    const std::array<uint32_t, 3>& all = thread.launch->all_groups;
    const std::array<uint32_t, 3>& id = thread.group->id;
    return (uint64_t{id[2]} * all[1] + id[1]) * all[0] + id[0];
}

bool is_chosen(const GroupChoice& choice, const machine::Thread& thread) {
    if (const auto* id = std::get_if<std::array<uint32_t, 3>>(&choice))
        return *id == thread.group->id;
    return std::get<uint64_t>(choice) == group_number(thread);
}

std::string group_text(const GroupChoice& choice) {
    if (const auto* id = std::get_if<std::array<uint32_t, 3>>(&choice))
        return fmt::format("{},{},{}", (*id)[0], (*id)[1], (*id)[2]);
    return fmt::format("{}", std::get<uint64_t>(choice));
}

} // namespace visor::trace
