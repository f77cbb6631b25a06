// Selects the engine of a launch. Opens the JIT's module at the first launch that uses it.
#pragma once

#include "machine/dispatch.h"
#include "machine/watch_filter.h"
#include "vm/loaded.h"

#include <memory>
#include <optional>
#include <string>

namespace visor::vm {

struct EngineRequest {
    EngineKind kind = EngineKind::automatic;
    uint32_t simd = 16;   // lanes of a hardware thread
    uint64_t threads = 1; // hardware threads of the launch
    bool watched = false; // has a watcher: runs on the interpreter
    // Unless these events suffice for it.
    std::optional<machine::WatchFilter> watch_filter{};
    bool seeded = false; // runs on the interpreter, too
};

// The engines of one kernel.
class Engines {
public:
    virtual ~Engines() = default;
    Engines() = default;
    Engines(const Engines&) = delete;
    Engines& operator=(const Engines&) = delete;
    Engines(Engines&&) = delete;
    Engines& operator=(Engines&&) = delete;

    struct Choice {
        const machine::Engine* engine = nullptr;
        bool native = false;
        std::string why;      // "the launch is small"; "": requested
        bool refused = false; // no machine code although it would be worthwhile
    };
    // Thread-safe. Compiles if requested and worthwhile. Error: the JIT was requested and is not available.
    [[nodiscard]] virtual std::expected<Choice, Error> choose(const EngineRequest& request) = 0;
    // Records instructions that the interpreter executed for such a launch.
    virtual void interpreted(uint64_t instructions) = 0;
    struct Story {
        bool has_code = false;   // machine code exists
        double code_seconds = 0; // until the first code was ready
        std::string text;        // human-readable; "" when the JIT did not run
        std::string refused;     // functions without machine code, and why
        bool failed = false;     // a bug of the code generator
    };
    // Statistics of the engine that was chosen last.
    [[nodiscard]] virtual Story story() const = 0;
};

[[nodiscard]] std::unique_ptr<Engines> make_engines(std::shared_ptr<const Linked> code);

} // namespace visor::vm
