// A launch that is over.
#pragma once

#include "objects.h"

#include <string>

namespace visor::python {

struct RanLaunch {
    Launch handle;
    std::string trace;
};

void define_results(py::module_& m); // results.cpp

} // namespace visor::python
