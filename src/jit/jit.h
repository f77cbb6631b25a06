// The fast engine: machine code for each function of a launch, and the reference for what it has none for. It
// gives the results of the reference bit for bit but for the transcendental functions, and faults where it
// does; the order of threads is the dispatcher's. Watchers are not served: a watched launch is the
// reference's.
#pragma once

#include "jit/object.h"
#include "machine/dispatch.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace visor::jit {

// What the reference brings along: an engine that can go on wherever the generated code stops, and its
// meaning of each instruction. Both outlive the engine that gets them.
struct Reference {
    const machine::Engine* engine = nullptr;
    std::vector<std::span<const machine::Step>> steps; // by function and code index
};

struct EngineFacts {
    uint32_t functions = 0;   // that have machine code
    uint32_t call_outs = 0;   // instructions that the code leaves to the reference
    uint64_t called_out = 0;  // how often it did, so far
    double compile_seconds = 0;
    std::vector<std::string> refused; // functions without machine code, and why
};

class Engine : public machine::Engine {
public:
    [[nodiscard]] virtual EngineFacts facts() const = 0;
};

// Compiles the kernel, which is the first of the programs. Thread-safe. Error: why there is no code for it.
[[nodiscard]] std::expected<std::unique_ptr<Engine>, std::string>
make_engine(std::vector<std::shared_ptr<const Program>> programs, Reference reference,
            const CompileOptions& options);

} // namespace visor::jit
