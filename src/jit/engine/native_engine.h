// The native engine: runs machine code, with the interpreter as fallback for functions without it. Results
// and faults equal the interpreter's bit for bit but for the transcendental functions; the dispatcher orders
// the threads. A watched launch runs on an engine whose code reports the watched events
// (CompileOptions::reported), else on the interpreter.
#pragma once

#include "jit/engine/code_provider.h"
#include "jit/engine/runtime_abi.h"
#include "machine/dispatch.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace visor::jit {

// The interpreter: an engine that can continue wherever generated code stops, and its handler of each
// instruction. Both outlive the native engine.
struct Reference {
    const machine::Engine* engine = nullptr;
    std::vector<std::span<const machine::Step>> steps; // by function and code index
};

struct EngineFacts {
    uint32_t functions = 0;                     // that have machine code
    std::map<std::string, uint64_t> called_out; // interpreter fallbacks so far, by mnemonic
    double compile_seconds = 0;                 // until the first code was ready
    bool tiered_up = false;                     // tier 2 code has replaced it
    std::vector<std::string> refused;           // functions without machine code, and why
};

class Engine : public machine::Engine {
public:
    [[nodiscard]] virtual EngineFacts facts() const = 0;
    // The listener's filter in later runs; outlives them. nullptr: every flat access is reported.
    virtual void set_flat_filter(const machine::FlatAccessFilter* silence) = 0;
};

// Calls `code(state, more)` in an environment of its own: tests take rights away from generated code.
using Enter = State* (*)(Native code, State* state, uint64_t more);

// The engine of a kernel, the first of the programs. `provider`, which outlives the engine, compiles it when
// a thread first runs it. `gate`: null calls generated code directly. Error: why the kernel is not compiled.
[[nodiscard]] std::expected<std::unique_ptr<Engine>, std::string>
make_engine(std::vector<std::shared_ptr<const Program>> programs, Reference reference,
            const CompileOptions& options, const CodeProvider& provider, Enter gate = nullptr);

} // namespace visor::jit
