// Which engine runs a launch. The JIT's module is opened when a launch first asks for it.
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
    bool watched = false; // somebody listens: the reference's work
    // Unless this is all that they want to hear of.
    std::optional<machine::WatchFilter> listening{};
    bool seeded = false; // the reference's work, too
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
        std::string why; // "the launch is small"; "" = it was asked for
    };
    // Thread-safe. Compiles when that is wanted and worth it. Error: the JIT was asked for and cannot be had.
    [[nodiscard]] virtual std::expected<Choice, Error> choose(const EngineRequest& wish) = 0;
    // So many instructions of such a launch were the reference's.
    virtual void interpreted(uint64_t instructions) = 0;
    struct Story {
        bool has_code = false;   // machine code was made
        double code_seconds = 0; // until there was some to begin with
        std::string text;        // for people; "" when the JIT did not run
        bool failed = false;     // the code generator made a mistake
    };
    // What the JIT has to tell of launches like the one chosen for last.
    [[nodiscard]] virtual Story story() const = 0;
};

[[nodiscard]] std::unique_ptr<Engines> make_engines(std::shared_ptr<const Linked> code);

} // namespace visor::vm
