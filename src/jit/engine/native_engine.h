// The native engine: machine code for each function of a launch, and the interpreter as fallback for
// functions without. Results equal the interpreter's bit for bit but for the transcendental functions, and
// so do faults; the order of threads is the dispatcher's. A watched launch runs on an engine whose code
// reports what is watched (CompileOptions::told), else on the interpreter.
#pragma once

#include "jit/engine/code_provider.h"
#include "machine/dispatch.h"

#include <cstdint>
#include <map>
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
    uint32_t functions = 0;                     // that have machine code
    std::map<std::string, uint64_t> called_out; // how often it did, so far, by mnemonic
    double compile_seconds = 0;                 // until there was code to begin with
    bool rose = false;                          // to better code than that
    std::vector<std::string> refused;           // functions without machine code, and why
};

class Engine : public machine::Engine {
public:
    [[nodiscard]] virtual EngineFacts facts() const = 0;
    // Of the listener of the runs to come; outlives them. nullptr: each flat access is told.
    virtual void keep_silent(const machine::FlatSilence* silence) = 0;
};

// Of the kernel, which is the first of the programs; its code is made when a thread first runs it, by
// `maker`, which outlives the engine. Error: why there will be none.
[[nodiscard]] std::expected<std::unique_ptr<Engine>, std::string>
make_engine(std::vector<std::shared_ptr<const Program>> programs, Reference reference,
            const CompileOptions& options, const CodeProvider& maker);

} // namespace visor::jit
