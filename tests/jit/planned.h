// A kernel's text as a program for skl with its plan, for 16 lanes.
#pragma once

#include "jit/program/function_info.h"

#include "text/text.h"

#include <gtest/gtest.h>

#include <string>

namespace visor::jit {

inline std::optional<Program> prepared(const std::string& code) {
    const isa::Device& device = *isa::device_named("skl");
    Diagnostics diagnostics;
    auto module = text::parse(".version 4.1\n.kernel \"k\"\n" + code, {device.grf_bytes}, diagnostics);
    if (!module)
        return std::nullopt;
    return program::prepare(std::make_shared<const Function>(std::move(module->functions.front())), device,
                            diagnostics);
}

struct Planned {
    Program program;
    FunctionInfo plan;
    [[nodiscard]] uint32_t item(uint32_t variable) const {
        return plan.root_at(program.variables[variable].base);
    }
    [[nodiscard]] const Root& root(uint32_t variable) const { return plan.roots[item(variable)]; }
};

inline Planned planned_text(const std::string& code, bool full = true) {
    auto program = prepared(code);
    EXPECT_TRUE(program.has_value());
    FunctionInfo plan = analyze_function(*program, 16, full);
    return {std::move(*program), std::move(plan)};
}

} // namespace visor::jit
