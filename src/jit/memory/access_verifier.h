// What stands between a forgotten check and the host's memory: each access of a module, once messages have
// become code, has to reach what is fixed (the code's own arrays, the engine's state) or what a mark says was
// checked (bounds.h), and no byte beyond it. Read the rules in access_verifier.cpp.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>
#include <string>

namespace visor::jit {

// What is wrong with the first access that is not allowed; nothing: all are. `register_bytes`: of the
// register file, and as many as compiled code may read behind it. Linear in the module's instructions.
// Thread-safe for modules that nobody changes.
[[nodiscard]] std::optional<std::string> unchecked_access(const llvm::Module& module,
                                                          uint64_t register_bytes);

} // namespace visor::jit
