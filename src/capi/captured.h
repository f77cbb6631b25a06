// A launch that goes into a folder (docs/capture.md).
#pragma once

#include "capi/binding.h"
#include "capture/folder.h"

#include <expected>
#include <optional>
#include <string>

namespace visor::capi {

class CapturedLaunch {
public:
    // Before the launch, under the context's lock. Refuses what cannot be written.
    CapturedLaunch(const KernelObject& kernel, const Binding& binding, const std::string& parent);

    // After it. What cannot be written, a sentence; "": nothing.
    [[nodiscard]] std::string finish(const std::expected<vm::RunReport, vm::Error>& report) const;

private:
    capture::Launch launch_;
    std::optional<capture::Folder> folder_;
};

} // namespace visor::capi
