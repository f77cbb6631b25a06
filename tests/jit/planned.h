// A kernel's text as a program, for skl where nothing else is said, with its plan for 16 lanes.
#pragma once

#include "jit/program/function_info.h"

#include "text/text.h"

#include <gtest/gtest.h>

#include <string>

namespace visor::jit {

inline std::optional<Program> prepared(const std::string& code, const char* device_name = "skl") {
    const isa::Device& device = *isa::device_named(device_name);
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

inline Planned planned_text(const std::string& code, bool full = true, const char* device_name = "skl") {
    auto program = prepared(code, device_name);
    EXPECT_TRUE(program.has_value());
    FunctionInfo plan = analyze_function(*program, 16, full);
    return {std::move(*program), std::move(plan)};
}

} // namespace visor::jit
