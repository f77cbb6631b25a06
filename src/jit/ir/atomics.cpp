#include "jit/ir/atomics.h"

#include "jit/ir/array_argument.h"

#include <llvm/IR/Function.h>

namespace visor::jit {

namespace {

using llvm::Value;

namespace argument {
enum : unsigned { on, addresses, firsts, seconds, results, data, bytes };
}

AtomicOperands operands_of(auto get) {
    return {.on = get(argument::on),
            .addresses = get(argument::addresses),
            .firsts = get(argument::firsts),
            .seconds = get(argument::seconds),
            .results = get(argument::results),
            .data = get(argument::data),
            .bytes = get(argument::bytes)};
}

} // namespace

const Value* MemAtomic::pointer() const {
    const llvm::Instruction* const code = this;
    if (const auto* const update = llvm::dyn_cast<llvm::AtomicRMWInst>(code))
        return update->getPointerOperand();
    return llvm::cast<llvm::AtomicCmpXchgInst>(code)->getPointerOperand();
}

llvm::Type* MemAtomic::value_type() const {
    const llvm::Instruction* const code = this;
    if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(code))
        return exchange->getNewValOperand()->getType();
    return getType();
}

bool AtomicCall::classof(const Value* value) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(value);
    const llvm::Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
    return callee != nullptr && callee->getName().starts_with(atomic_functions);
}

AtomicOperands AtomicCall::operands() const {
    return operands_of([&](unsigned index) { return getArgOperand(index); });
}

llvm::FunctionType* atomic_function_type(llvm::LLVMContext& context) {
    auto* const number = llvm::Type::getInt32Ty(context);
    auto* const pointer = llvm::PointerType::get(context, 0);
    return llvm::FunctionType::get(
        number, {number, pointer, pointer, pointer, pointer, pointer, llvm::Type::getInt64Ty(context)},
        false);
}

AtomicOperands atomic_operands(llvm::Function& function) {
    return operands_of([&](unsigned index) -> Value* { return function.getArg(index); });
}

void set_atomic_arrays(llvm::Function& function, uint64_t bytes) {
    for (const unsigned index : {argument::addresses, argument::firsts, argument::seconds, argument::results})
        set_array_argument(function, index, bytes);
}

AtomicCall* create_atomic_call(llvm::IRBuilder<>& ir, llvm::Function& function,
                               const AtomicOperands& operands) {
    return llvm::cast<AtomicCall>(
        ir.CreateCall(&function, {operands.on, operands.addresses, operands.firsts, operands.seconds,
                                  operands.results, operands.data, operands.bytes}));
}

} // namespace visor::jit
