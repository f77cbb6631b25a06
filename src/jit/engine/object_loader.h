// Loads object files into this process (LLVM's JIT linker).
#pragma once

#include <expected>
#include <memory>
#include <string>

namespace visor::jit {

// An object file's linked code; the destructor unmaps it.
class LoadedObject {
public:
    virtual ~LoadedObject() = default;
    [[nodiscard]] virtual void* address() const = 0; // of the requested function
};

// Copies and links an ELF object; undefined symbols (memcpy, fmaf) resolve to this process. Error: why the
// object does not link. Thread-safe.
[[nodiscard]] std::expected<std::unique_ptr<LoadedObject>, std::string> link(const std::string& object,
                                                                             const char* function);

} // namespace visor::jit
