// Two files compared by what their kernels do with the same drawn inputs. It can show that two kernels
// differ, and never that they are the same.
#pragma once

#include "vm/comparison.h"

#include <expected>

namespace visor::vm {

// As compare_files(), with `request.runs` launches of each kernel on the interpreter. A run that faults on
// both sides tells nothing. Error: a file cannot be loaded, or neither has the kernel.
[[nodiscard]] std::expected<ComparedFiles, Error> compare_by_running(const File& first, const File& second,
                                                                     const ComparisonRequest& request);

} // namespace visor::vm
