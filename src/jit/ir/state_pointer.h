// Pointer provenance: which pointers of compiled code lead to the State (engine/runtime_abi.h) of a thread
// of the group.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Value.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace visor::jit {

// A pointer's base and its constant distance from it.
struct Origin {
    const llvm::Value* begin = nullptr;
    int64_t distance = 0;
    auto operator<=>(const Origin&) const = default;
};
[[nodiscard]] Origin origin_of(const llvm::Value& pointer, const llvm::DataLayout& layout);

// True if the pointer is the begin of a State on all paths: the kernel's argument, its neighbors, or the
// first State of its group.
[[nodiscard]] bool is_state(const llvm::Value& pointer, const llvm::DataLayout& layout);
// The byte of a State that a pointer leads to on all paths; none if it differs or is unknown.
[[nodiscard]] std::optional<size_t> member_of_state(const llvm::Value& pointer,
                                                    const llvm::DataLayout& layout);

// A load of the engine's data that may be speculated.
class SpeculatableLoad : public llvm::LoadInst {
public:
    SpeculatableLoad() = delete;
    static bool classof(const llvm::Value* value);
};
SpeculatableLoad* mark_speculatable(llvm::LoadInst& load);

} // namespace visor::jit
