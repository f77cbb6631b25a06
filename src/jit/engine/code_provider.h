// The code provider interface: where the engine gets objects from.
#pragma once

#include "jit/engine/object.h"
#include "program/program.h"

#include <chrono>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace visor::jit {

// The object, or the error.
using ProvidedObject = std::expected<Object, std::string>;

// An asynchronous compilation; the destructor cancels it. Used by one thread at a time.
class Pending {
public:
    Pending() = default;
    virtual ~Pending() = default;
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;
    Pending(Pending&&) = delete;
    Pending& operator=(Pending&&) = delete;

    // Does not block; nothing: not finished. Not called again after it returned a result.
    virtual std::optional<ProvidedObject> take() = 0;
    // Likewise, but waits so long at most.
    virtual std::optional<ProvidedObject> take_within(std::chrono::milliseconds patience) = 0;
};

// When the engine starts tier 2 compilation.
struct TierUp {
    // Code is replaced between groups only. In a launch of fewer groups with loops the first group may take
    // most of the time, so it waits for tier 2 code.
    uint64_t groups = 16;
    // Executed instructions after which tier 2 compilation costs about as much as tier 1 execution has:
    // nanoseconds for each executed instruction, a fraction of a millisecond for each compiled one.
    uint64_t instructions = 2'000'000;
    uint64_t per_instruction = 20'000; // added for each instruction of the function
};

// Compiles functions to objects, or reads them from a cache. Thread-safe.
class CodeProvider {
public:
    CodeProvider() = default;
    virtual ~CodeProvider() = default;
    CodeProvider(const CodeProvider&) = delete;
    CodeProvider& operator=(const CodeProvider&) = delete;
    CodeProvider(CodeProvider&&) = delete;
    CodeProvider& operator=(CodeProvider&&) = delete;

    [[nodiscard]] virtual TierUp tier_up() const { return {}; }
    // Compiles. Does not cache tier 1 code yet, since that takes time, too.
    [[nodiscard]] virtual ProvidedObject make(const Program& program,
                                              const CompileOptions& options) const = 0;
    // The cached object of an earlier compilation.
    [[nodiscard]] virtual std::optional<Object> kept(const Program& /*program*/,
                                                     const CompileOptions& /*options*/) const {
        return std::nullopt;
    }
    // Caches tier 1 code of `make` with these options; `make` caches tier 2 code itself. May take long.
    virtual void keep(const Program& /*program*/, const CompileOptions& /*options*/,
                      const Object& /*object*/) const {}
    // Starts an asynchronous compilation; nullptr: it cannot, or need not.
    [[nodiscard]] virtual std::unique_ptr<Pending> start(const Program& /*program*/,
                                                         const CompileOptions& /*options*/) const {
        return nullptr;
    }
};

} // namespace visor::jit
