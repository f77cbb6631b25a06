// Atomic operations of one lane: the update that each opcode of the atomic messages does.
#pragma once

#include "jit/translate/atomic.h"

namespace visor::jit {

// Emits at the translator's insertion point.
class LaneAtomicOp {
public:
    using Value = llvm::Value;

    LaneAtomicOp(Translator& translator, AtomicOp update, uint32_t bits, bool bfloat)
        : translator_(translator), ir_(translator.ir()), update_(update), bits_(bits), bfloat_(bfloat) {}

    // Each returns the result. `plain`: shared local memory, which belongs to one CPU thread.
    Value* plain(Value* at, Value* first, Value* second);
    Value* atomic(Value* at, Value* first, Value* second);

private:
    [[nodiscard]] llvm::APInt sign() const;
    [[nodiscard]] llvm::APInt infinity() const;
    Value* magnitude(Value* value);
    Value* is_nan(Value* value);
    Value* rank(Value* value);
    Value* extreme(Value* old, Value* value, bool maximum);
    Value* equal(Value* a, Value* b);
    Value* sum(Value* a, Value* b);
    Value* single(Value* value);
    Value* number(uint64_t value);
    Value* updated(Value* old, Value* first, Value* second);
    Value* exchanged(Value* at, Value* first, Value* second);

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    AtomicOp update_;
    uint32_t bits_;
    bool bfloat_;
};

} // namespace visor::jit
