// Pointer provenance: which pointers of compiled code lead to the State (engine/runtime_abi.h) of a thread
// of the group.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace visor::jit {

// Where a pointer begins, and how far behind that it lies: constant distances are followed back.
struct Origin {
    const llvm::Value* begin = nullptr;
    int64_t distance = 0;
    auto operator<=>(const Origin&) const = default;
};
[[nodiscard]] Origin origin_of(const llvm::Value& pointer, const llvm::DataLayout& layout);

// Whether all ways to a pointer begin at a State: at the one that the kernel's code is given, at its
// neighbors, or where those of its group begin.
[[nodiscard]] bool is_state(const llvm::Value& pointer, const llvm::DataLayout& layout);
// Which byte of a State a pointer leads to on all ways; nothing: none, or not always the same.
[[nodiscard]] std::optional<size_t> member_of_state(const llvm::Value& pointer,
                                                    const llvm::DataLayout& layout);

} // namespace visor::jit
