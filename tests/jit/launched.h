// Hand-written kernels on skl, through the facade.
#pragma once

#include "vm/vm.h"

#include <cstring>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace visor::vm {

template <class T>
launch::InputBytes bytes(const T& value) {
    launch::InputBytes out;
    out.content.resize(sizeof value);
    std::memcpy(out.content.data(), &value, sizeof value);
    return out;
}

inline std::shared_ptr<const Program> loaded(Context& context, const std::string& text) {
    std::string warnings;
    auto program = context.load("kernel.visaasm", text, {}, warnings);
    EXPECT_TRUE(program) << program.error().text;
    return *program;
}

// On the engine that the settings name, which has to be the one that runs it.
inline RunReport launched(Context& context, const Program& program,
                          const std::vector<launch::HandInput>& inputs, const std::array<uint32_t, 3>& groups,
                          uint32_t threads, const RunSettings& settings) {
    launch::HandGeometry geometry;
    geometry.in_threads = true;
    geometry.groups = groups;
    geometry.threads = threads;
    auto report = context.run(program, "", inputs, {}, geometry, settings);
    EXPECT_TRUE(report) << report.error().text;
    EXPECT_EQ(report->native, settings.engine == EngineKind::jit) << report->engine_story;
    return std::move(*report);
}

} // namespace visor::vm
