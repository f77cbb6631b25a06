// Where objects come from, as the engine sees it.
#pragma once

#include "jit/engine/object.h"
#include "program/program.h"

#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace visor::jit {

// The object, or why there is none.
using Made = std::expected<Object, std::string>;

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
    virtual std::optional<Made> take() = 0;
};

// When well made code follows what was quickly made.
struct Rise {
    // A group ends with the code that it began with: of a launch of fewer groups that loop, the first may be
    // most of it, and well made code is waited for.
    uint64_t groups = 16;
    // Quickly made code takes some nanoseconds an instruction, well made code a fraction of a millisecond for
    // each that it has to make: when so many have run, making it costs about as much as has been spent.
    uint64_t instructions = 2'000'000;
    uint64_t for_each = 20'000; // more, an instruction of the function
};

// Makes objects of functions. Thread-safe.
class Maker {
public:
    Maker() = default;
    virtual ~Maker() = default;
    Maker(const Maker&) = delete;
    Maker& operator=(const Maker&) = delete;
    Maker(Maker&&) = delete;
    Maker& operator=(Maker&&) = delete;

    [[nodiscard]] virtual Rise rise() const { return {}; }
    // What is quickly made is not kept yet, since that takes its time, too.
    [[nodiscard]] virtual Made make(const Program& program, const CompileOptions& options) const = 0;
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
