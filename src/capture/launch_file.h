// The launch file (docs/launch-files.md) of a captured launch.
#pragma once

#include "capture/blocks.h"
#include "capture/launch.h"

#include <string>

namespace visor::capture {

// How the launch ended.
struct Outcome {
    bool over = false;               // else it is going on, or was never seen to end
    std::string failure;             // a fault ...; "": it finished
    std::array<uint32_t, 3> local{}; // that it had
};

// What the launch file calls an argument's array, or a block that no argument is all of.
[[nodiscard]] std::string array_name(const Launch& launch, size_t argument);
[[nodiscard]] std::string block_name(const Launch& launch, const Blocks& blocks, size_t block);
// The file of a block or image, in Pre and in Post.
[[nodiscard]] std::string block_file(const Launch& launch, const Blocks& blocks, size_t block);
[[nodiscard]] std::string pixels_file(const Launch& launch, size_t argument);
inline constexpr const char* variables_file = "Variables.bin";
// The text that replaces a kernel's, by its place in Launch::texts.
[[nodiscard]] std::string replaced_text_file(size_t text);

// What of this launch a launch file cannot express; "": nothing.
[[nodiscard]] std::string untellable(const Launch& launch);

// Expectations are in it when the launch has finished.
[[nodiscard]] std::string launch_file_of(const Launch& launch, const Blocks& blocks, const Outcome& outcome);

} // namespace visor::capture
