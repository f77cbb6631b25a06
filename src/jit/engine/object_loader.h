// Machine code in this process.
#pragma once

#include <expected>
#include <memory>
#include <string>

namespace visor::jit {

// An object file's code, linked; unmapped with it.
class Linked {
public:
    virtual ~Linked() = default;
    [[nodiscard]] virtual void* address() const = 0; // of the function that was asked for
};

// Links an ELF object, whose bytes are copied; what it does not define (memcpy, fmaf and their like) is this
// process's. Error: what is wrong with the object. Thread-safe.
[[nodiscard]] std::expected<std::unique_ptr<Linked>, std::string> link(const std::string& object,
                                                                       const char* function);

} // namespace visor::jit
