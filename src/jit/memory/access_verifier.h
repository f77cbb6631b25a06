// The last barrier between a missing range check and the host's memory. After lowering, each access of a
// module must stay within fixed memory (the code's own arrays, the engine's state) or within the bytes that a
// mark names as checked (bounds.h). access_verifier.cpp has the rules.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>
#include <string>

namespace visor::jit {

// The first violation; none if all accesses are valid. `register_bytes`: the size of the register file with
// its readable padding. Linear in the module's instructions. Thread-safe for unmodified modules.
[[nodiscard]] std::optional<std::string> unchecked_access(const llvm::Module& module,
                                                          uint64_t register_bytes);

} // namespace visor::jit
