// A captured launch as a folder that stands alone: docs/capture.md.
#pragma once

#include "capture/blocks.h"
#include "capture/launch.h"
#include "capture/launch_file.h"

#include <cstdint>
#include <expected>
#include <string>

namespace visor::capture {

// What the folder takes on disk, about: memory before and after.
[[nodiscard]] uint64_t size_of(const Launch& launch);

// Whether there is something in it, or it is no folder: launches of two runs are not to lie in one.
[[nodiscard]] bool is_in_use(const std::string& folder);

// It is there under its name when all that is known before the launch is in it. One thread at a time.
class Folder {
public:
    // Error: a sentence; then nothing is left behind. A folder of its name is an error.
    [[nodiscard]] static std::expected<Folder, std::string> create(const std::string& parent,
                                                                   const Launch& launch);
    // What the launch left, and how it ended. `launch` is the one that it was made of. Error: a sentence;
    // then the folder is as it was before.
    [[nodiscard]] std::expected<void, std::string> finish(const Launch& launch, const Outcome& outcome) const;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    Folder(std::string path, Blocks blocks) : path_(std::move(path)), blocks_(std::move(blocks)) {}

    std::string path_;
    Blocks blocks_;
};

} // namespace visor::capture
