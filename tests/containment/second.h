// The engine that the interpreter is compared with; none in builds without LLVM.
#pragma once

#include "interp/interp.h"

#include <memory>
#include <string>
#include <vector>

namespace visor::containment {

[[nodiscard]] bool has_second_engine();
// nullptr: it has no code for the program, or there is none.
[[nodiscard]] std::unique_ptr<machine::Engine> second_engine(const std::shared_ptr<const Program>& program,
                                                             const interp::Interpreter& reference,
                                                             uint32_t simd);

// The same for each tier and level of the CPU that code can be made for; empty in builds without LLVM.
struct CompiledEngine {
    std::string name;
    std::unique_ptr<machine::Engine> engine;
};
[[nodiscard]] std::vector<CompiledEngine> compiled_engines(const std::shared_ptr<const Program>& program,
                                                           const interp::Interpreter& reference,
                                                           uint32_t simd);
// Names of the facts that compiled code believes (src/jit/program/assumed_facts.h).
[[nodiscard]] std::vector<std::string> fact_names();

} // namespace visor::containment
