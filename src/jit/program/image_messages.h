// Which image and which sampler each image message names, as far as every launch decides it in advance:
// followed back from the message through `movs`, and through scalar `mov` and `or`, to numbers and launch
// arguments.
#pragma once

#include "jit/program/function_info.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace visor::jit {

// Where the number or handle of a surface or sampler state comes from.
struct StateSource {
    enum class Kind : uint8_t {
        value,  // `value` itself
        preset, // the initial value of element `value` of the surface or sampler variables
        input,  // 32 bits of the launch's arguments, at byte `value` of the register file, or `set_bits`
    };
    Kind kind = Kind::value;
    bool handle = false; // of a state, else an index
    uint32_t value = 0;
    uint32_t set_bits = 0;

    bool operator==(const StateSource&) const = default;
};

struct ImageMessage {
    uint32_t instruction = 0;
    uint32_t surface = 0;               // in ImageMessages::surfaces
    std::optional<StateSource> sampler; // of messages that have one
};

struct ImageMessages {
    std::vector<StateSource> surfaces; // each once
    std::vector<ImageMessage> messages;
};

// The operands of a message that reads or writes texels, or that asks for an image's sizes.
struct StateOperands {
    size_t surface = 0;
    std::optional<size_t> sampler;
};
// Nothing: another instruction, or a message whose surface is no state.
[[nodiscard]] std::optional<StateOperands> image_operands(const Program& program,
                                                          const PreparedInstruction& instruction);

// Of threads with all lanes dispatched. Messages whose states the launch does not decide are left out.
[[nodiscard]] ImageMessages image_messages(const Program& program, const FunctionInfo& info);

} // namespace visor::jit
