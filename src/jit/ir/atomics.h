// Atomic updates of memory. In tier 2 code each is an instruction of LLVM's for one lane; tier 1 code calls
// one function for all lanes of a message, which contains them.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <string_view>

namespace visor::jit {

// The update of one lane, other than of shared local memory: that belongs to one CPU thread, and is updated
// by plain loads and stores.
class MemAtomic : public llvm::Instruction {
public:
    MemAtomic() = delete;
    static bool classof(const llvm::Value* value) {
        return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value);
    }

    [[nodiscard]] const llvm::Value* pointer() const;
    [[nodiscard]] llvm::Type* value_type() const; // of what is in memory
};

// Prefix of the names of tier 1's functions.
inline constexpr std::string_view atomic_functions = "visor_atomic_";

// What such a function takes. Pointers to an element for each lane; null for what the update lacks.
struct AtomicOperands {
    llvm::Value* on = nullptr; // i32, bit k for lane k
    llvm::Value* addresses = nullptr;
    llvm::Value* firsts = nullptr;
    llvm::Value* seconds = nullptr;
    llvm::Value* results = nullptr; // written
    llvm::Value* data = nullptr;    // of the surface; null: flat memory
    llvm::Value* bytes = nullptr;   // i64, of the surface
};

// Atomic updates of all lanes. i32: 0 if an active lane is misaligned, and no lane was updated.
class AtomicCall : public llvm::CallInst {
public:
    AtomicCall() = delete;
    static bool classof(const llvm::Value* value);

    [[nodiscard]] AtomicOperands operands() const;
};

[[nodiscard]] llvm::FunctionType* atomic_function_type(llvm::LLVMContext& context);
// The operands inside of such a function. `set_atomic_arrays`: each array has `bytes` bytes.
[[nodiscard]] AtomicOperands atomic_operands(llvm::Function& function);
void set_atomic_arrays(llvm::Function& function, uint64_t bytes);
// Of a function with a name and a type as above.
AtomicCall* create_atomic_call(llvm::IRBuilder<>& ir, llvm::Function& function,
                               const AtomicOperands& operands);

} // namespace visor::jit
