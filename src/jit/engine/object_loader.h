// Loads object files into this process (LLVM's JIT linker).
#pragma once

#include <expected>
#include <memory>
#include <string>

namespace visor::jit {

// An object file's code, linked; unmapped with it.
class LoadedObject {
public:
    virtual ~LoadedObject() = default;
    [[nodiscard]] virtual void* address() const = 0; // of the function that was asked for
};

// Links an ELF object, whose bytes are copied; what it does not define (memcpy, fmaf and their like) is this
// process's. Error: what is wrong with the object. Thread-safe.
[[nodiscard]] std::expected<std::unique_ptr<LoadedObject>, std::string> link(const std::string& object,
                                                                             const char* function);

} // namespace visor::jit
