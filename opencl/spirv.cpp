// Specialization of SPIR-V: the module is a list of instructions, each a word with length and opcode, then
// operands. Replaces values of constants with a SpecId in place.
#include "compile/spirv_words.h"
#include "opencl/program.h"

#include <cstring>
#include <optional>

namespace visor::opencl {

namespace {

using compile::spirv::Words;

constexpr uint32_t op_type_int = 21;
constexpr uint32_t op_type_float = 22;
constexpr uint32_t op_spec_constant_true = 48;
constexpr uint32_t op_spec_constant_false = 49;
constexpr uint32_t op_spec_constant = 50;
constexpr uint32_t op_decorate = 71;
constexpr uint32_t decoration_spec_id = 1;

struct Constant {
    size_t at = 0; // its instruction
    uint32_t opcode = 0;
    size_t bytes = 0;
};

std::optional<Constant> find(std::string_view module, cl_uint id) {
    const Words words(module);
    std::map<uint32_t, size_t> widths; // of types, in bytes
    uint32_t wanted = 0;
    std::optional<Constant> found;
    words.each([&](size_t i, uint32_t opcode, uint32_t length) {
        if (opcode == op_decorate && length == 4 && words.at(i + 2) == decoration_spec_id &&
            words.at(i + 3) == id)
            wanted = words.at(i + 1);
        if ((opcode == op_type_int || opcode == op_type_float) && length >= 3)
            widths[words.at(i + 1)] = words.at(i + 2) / 8;
        const bool is_truth = opcode == op_spec_constant_true || opcode == op_spec_constant_false;
        if ((!is_truth && opcode != op_spec_constant) || length < 3 || wanted == 0 ||
            words.at(i + 2) != wanted)
            return;
        const size_t bytes = is_truth ? 1 : widths[words.at(i + 1)];
        if (bytes > 0 && (is_truth || (size_t{length} - 3) * 4 >= bytes))
            found = Constant{i, opcode, bytes};
    });
    return found;
}

} // namespace

bool is_spirv(std::string_view module) {
    return compile::spirv::is_module(module);
}

size_t constant_bytes(std::string_view module, cl_uint id) {
    const auto found = find(module, id);
    return found ? found->bytes : 0;
}

std::string specialized(std::string_view module, const std::map<cl_uint, std::string>& constants) {
    std::string out(module);
    for (const auto& [id, value] : constants) {
        const auto found = find(out, id);
        if (!found || value.size() != found->bytes)
            continue;
        if (found->opcode == op_spec_constant) {
            std::memcpy(out.data() + (found->at + 3) * 4, value.data(), value.size());
        } else {
            const uint32_t opcode = value[0] != 0 ? op_spec_constant_true : op_spec_constant_false;
            const uint32_t word = (3U << 16U) | opcode;
            std::memcpy(out.data() + found->at * 4, &word, sizeof word);
        }
    }
    return out;
}

} // namespace visor::opencl
