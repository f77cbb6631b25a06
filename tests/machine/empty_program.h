// A program without code: what a thread does is up to the test's engine.
#pragma once

#include "program/program.h"

#include <gtest/gtest.h>

#include <memory>

namespace visor::machine {

inline Program empty_program(const char* device = "skl") {
    Diagnostics diagnostics;
    auto program =
        program::prepare(std::make_shared<const Function>(), *isa::device_named(device), diagnostics);
    EXPECT_TRUE(program.has_value());
    return *program;
}

} // namespace visor::machine
