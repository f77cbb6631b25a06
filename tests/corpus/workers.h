// Runs one piece of work after the other on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace visor::corpus {

// Calls `work` with each number below `count`. It may be called by several threads at once and may not throw.
void each_in_parallel(size_t count, const std::function<void(size_t)>& work);

} // namespace visor::corpus
