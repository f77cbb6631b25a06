// Block accesses: contiguous bytes of one message, for all lanes together. LLVM's loads and stores, masked
// ones where the window ends inside of the block; typed by the mark of their pointer (bounds.h), until the
// marks are removed.
#pragma once

#include "jit/engine/access_mark.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace visor::jit {

class BlockAccess : public llvm::Instruction {
public:
    BlockAccess() = delete;
    static bool classof(const llvm::Value* value);

    [[nodiscard]] const llvm::Value* pointer() const; // the mark
    [[nodiscard]] Guard guard() const;
    [[nodiscard]] uint32_t bytes() const; // of the whole block
    // i1 by unit: it is accessed. Null: all are.
    [[nodiscard]] const llvm::Value* on() const;
};

class BlockLoad : public BlockAccess {
public:
    static bool classof(const llvm::Value* value);
};

class BlockStore : public BlockAccess {
public:
    static bool classof(const llvm::Value* value);

    [[nodiscard]] const llvm::Value* values() const;
};

// `pointer`: marked for Use::block, or with `on` for Use::block_tail. Other units of a load are zero.
BlockLoad* create_block_load(llvm::IRBuilder<>& ir, llvm::Type* type, llvm::Value* pointer,
                             llvm::Value* on = nullptr);
BlockStore* create_block_store(llvm::IRBuilder<>& ir, llvm::Value* values, llvm::Value* pointer,
                               llvm::Value* on = nullptr);

} // namespace visor::jit
