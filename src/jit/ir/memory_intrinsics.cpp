#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/Module.h>

#include <string>

namespace visor::jit {

namespace {

using llvm::Value;

// One declaration for each combination of types, as LLVM mangles overloaded intrinsics.
llvm::CallInst* call(llvm::IRBuilder<>& ir, const char* name, llvm::Type* result,
                     llvm::ArrayRef<Value*> arguments) {
    llvm::Module& module = *ir.GetInsertBlock()->getModule();
    std::string mangled = name;
    std::vector<llvm::Type*> types;
    const auto add = [&](llvm::Type* type) {
        mangled += "." + std::to_string(type->isVectorTy()
                                            ? llvm::cast<llvm::FixedVectorType>(type)->getNumElements()
                                            : 0U);
        mangled += "x" + std::to_string(type->getScalarSizeInBits());
    };
    add(result);
    for (Value* const argument : arguments) {
        types.push_back(argument->getType());
        add(argument->getType());
    }
    const llvm::FunctionCallee callee =
        module.getOrInsertFunction(mangled, llvm::FunctionType::get(result, types, false));
    llvm::CallInst* const message = ir.CreateCall(callee, arguments);
    message->setDoesNotThrow();
    return message;
}

void mark_scratch(llvm::CallInst& message, const Reach& reach) {
    if (reach.scratch)
        message.setMetadata(scratch_mark, llvm::MDNode::get(message.getContext(), {}));
}

} // namespace

llvm::Constant* zeros(llvm::Module& module) {
    constexpr const char* name = "visor_zeros";
    if (llvm::GlobalVariable* const found = module.getNamedGlobal(name))
        return found;
    auto* const type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 64);
    return new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::PrivateLinkage,
                                    llvm::Constant::getNullValue(type), name);
}

// Masks as integers: LLVM scalarizes operations on i1 vectors.
llvm::Value* every_on(llvm::IRBuilder<>& ir, llvm::Value* lanes, llvm::Value* on) {
    auto* const type = ir.getIntNTy(lanes_of(on));
    Value* const off = ir.CreateNot(ir.CreateBitCast(on, type));
    return ir.CreateICmpEQ(ir.CreateOr(ir.CreateBitCast(lanes, type), off),
                           llvm::ConstantInt::getAllOnesValue(type));
}

llvm::Value* mask_bits(llvm::IRBuilder<>& ir, llvm::Value* lanes) {
    llvm::IntegerType* const type = ir.getIntNTy(lanes_of(lanes));
    if (const auto* const constant = llvm::dyn_cast<llvm::Constant>(lanes);
        constant != nullptr && constant->isAllOnesValue())
        return llvm::ConstantInt::getAllOnesValue(type);
    if (const auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(lanes);
        cast != nullptr && cast->getOperand(0)->getType() == type)
        return cast->getOperand(0);
    return ir.CreateBitCast(lanes, type);
}

Value* create_load(llvm::IRBuilder<>& ir, Value* addresses, Value* on, const Reach& reach,
                   uint32_t displacement, uint32_t bits) {
    auto* const type = llvm::FixedVectorType::get(ir.getIntNTy(bits), lanes_of(addresses));
    if (reach.data == nullptr)
        return call(ir, intrinsics::load_flat, type,
                    {addresses, on, ir.getInt32(displacement), ir.getInt32(reach.site)});
    llvm::CallInst* const message =
        call(ir, intrinsics::load_surface, type,
             {addresses, on, ir.getInt32(displacement), reach.data, reach.bytes, reach.mask});
    mark_scratch(*message, reach);
    return message;
}

void create_store(llvm::IRBuilder<>& ir, Value* addresses, Value* on, const Reach& reach,
                  uint32_t displacement, Value* values) {
    if (reach.data == nullptr)
        call(ir, intrinsics::store_flat, ir.getVoidTy(),
             {addresses, on, ir.getInt32(displacement), ir.getInt32(reach.site), values});
    else
        mark_scratch(
            *call(ir, intrinsics::store_surface, ir.getVoidTy(),
                  {addresses, on, ir.getInt32(displacement), reach.data, reach.bytes, reach.mask, values}),
            reach);
}

Value* create_range_check(llvm::IRBuilder<>& ir, Value* addresses, Value* on, Value* low, Value* last,
                          uint32_t displacement, uint32_t site, uint32_t bytes) {
    return call(ir, intrinsics::range_check, ir.getInt1Ty(),
                {addresses, on, ir.getInt32(displacement), low, last, ir.getInt32(site), ir.getInt32(bytes)});
}

Value* create_extreme(llvm::IRBuilder<>& ir, Value* addresses, Value* on, uint32_t displacement,
                      bool largest) {
    return call(ir, largest ? intrinsics::largest : intrinsics::smallest, ir.getInt64Ty(),
                {addresses, on, ir.getInt32(displacement)});
}

Value* create_disjoint_check(llvm::IRBuilder<>& ir, Value* addresses, Value* mask, uint32_t bytes) {
    return call(ir, intrinsics::disjoint, ir.getInt1Ty(), {addresses, ir.getInt32(bytes), mask});
}

Value* create_extent_check(llvm::IRBuilder<>& ir, Value* addresses, Value* bytes, uint32_t end) {
    return call(ir, intrinsics::in_extent, ir.getInt1Ty(), {addresses, ir.getInt32(end), bytes});
}

} // namespace visor::jit
