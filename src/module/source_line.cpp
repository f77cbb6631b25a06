#include "module/source_line.h"

#include "isa/opcode.h"

#include <algorithm>
#include <limits>

namespace visor {

namespace {

bool is(const Instruction& instruction, uint8_t opcode) {
    return instruction.row->opcode == opcode && !instruction.operands.empty();
}

// The string that FILE names; nullptr: a damaged one.
template <class Owner>
auto file_of(Owner& function, const Instruction& instruction) -> decltype(function.strings.data()) {
    const uint32_t id = instruction.operands.front().id;
    return id < function.strings.size() ? &function.strings[id] : nullptr;
}

} // namespace

std::vector<SourceLine> source_lines(const Function& function) {
    const bool any = std::ranges::any_of(
        function.code, [](const Instruction& instruction) { return is(instruction, isa::opcode::loc); });
    std::vector<SourceLine> lines;
    if (!any)
        return lines;
    lines.reserve(function.code.size());
    SourceLine now;
    for (const Instruction& instruction : function.code) {
        if (is(instruction, isa::opcode::file)) {
            const std::string* const file = file_of(function, instruction);
            now.file = file == nullptr ? std::string_view() : *file;
        } else if (is(instruction, isa::opcode::loc)) {
            const uint64_t line = instruction.operands.front().value;
            now.line = line > std::numeric_limits<uint32_t>::max() ? 0 : static_cast<uint32_t>(line);
        }
        lines.push_back(now);
    }
    return lines;
}

std::string text_of(const SourceLine& line) {
    return line.known() ? std::string(line.file) + ':' + std::to_string(line.line) : "";
}

void name_files(Function& function, std::string_view given, std::string_view folder) {
    for (const Instruction& instruction : function.code) {
        std::string* const file =
            is(instruction, isa::opcode::file) ? file_of(function, instruction) : nullptr;
        if (file == nullptr)
            continue;
        const std::string_view name = *file;
        const bool is_given = !given.empty() && name.ends_with(given) &&
                              (name.size() == given.size() || name[name.size() - given.size() - 1] == '/');
        const bool below = !folder.empty() && name.size() > folder.size() + 1 && name.starts_with(folder) &&
                           name[folder.size()] == '/';
        if (is_given)
            *file = given;
        else if (below)
            *file = std::string(name.substr(folder.size() + 1));
    }
}

} // namespace visor
