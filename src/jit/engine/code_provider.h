// The code provider interface: where the engine gets objects from.
#pragma once

#include "jit/engine/object.h"
#include "program/program.h"

#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace visor::jit {

// The object, or why there is none.
using ProvidedObject = std::expected<Object, std::string>;

// An object that is being made elsewhere; gives it up when it goes. Of one thread at a time.
class Pending {
public:
    Pending() = default;
    virtual ~Pending() = default;
    Pending(const Pending&) = delete;
    Pending& operator=(const Pending&) = delete;
    Pending(Pending&&) = delete;
    Pending& operator=(Pending&&) = delete;

    // Does not wait; nothing: not yet. Once it gave something it is not asked again.
    virtual std::optional<ProvidedObject> take() = 0;
};

// When tier 2 code follows tier 1 code.
struct TierUp {
    // A group ends with the code that it began with: of a launch of fewer groups that loop, the first may be
    // most of it, and tier 2 code is waited for.
    uint64_t groups = 16;
    // Tier 1 code takes some nanoseconds an instruction, tier 2 code a fraction of a millisecond for
    // each that it has to make: when so many have run, making it costs about as much as has been spent.
    uint64_t instructions = 2'000'000;
    uint64_t for_each = 20'000; // more, an instruction of the function
};

// Makes objects of functions. Thread-safe.
class CodeProvider {
public:
    CodeProvider() = default;
    virtual ~CodeProvider() = default;
    CodeProvider(const CodeProvider&) = delete;
    CodeProvider& operator=(const CodeProvider&) = delete;
    CodeProvider(CodeProvider&&) = delete;
    CodeProvider& operator=(CodeProvider&&) = delete;

    [[nodiscard]] virtual TierUp tier_up() const { return {}; }
    // Tier 1 code is not kept yet, since that takes its time, too.
    [[nodiscard]] virtual ProvidedObject make(const Program& program,
                                              const CompileOptions& options) const = 0;
    // One that was made before and kept.
    [[nodiscard]] virtual std::optional<Object> kept(const Program& /*program*/,
                                                     const CompileOptions& /*options*/) const {
        return std::nullopt;
    }
    // For the next time; of `make` with these options, which keeps the best itself. May take a while.
    virtual void keep(const Program& /*program*/, const CompileOptions& /*options*/,
                      const Object& /*object*/) const {}
    // Begins to make one; nullptr: it cannot, or need not.
    [[nodiscard]] virtual std::unique_ptr<Pending> start(const Program& /*program*/,
                                                         const CompileOptions& /*options*/) const {
        return nullptr;
    }
};

} // namespace visor::jit
