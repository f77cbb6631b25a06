// Runtime calls for memory messages (engine/lane_access_calls.h), in tier 1 code. Operands and results pass
// through the stack.
#include "jit/engine/lane_access_calls.h"
#include "jit/engine/runtime_abi.h"
#include "jit/memory/lowering_state.h"

namespace visor::jit {

// Calls a function of the engine; null for no result.
llvm::Value* Lowering::call_engine(size_t offset, llvm::Type* result, const std::vector<Value*>& arguments) {
    if (calls_ == nullptr) { // the same for all threads of a call
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
        calls_ = entry.CreateLoad(entry.getPtrTy(),
                                  entry.CreateConstInBoundsGEP1_64(entry.getInt8Ty(), function_.getArg(0),
                                                                   offsetof(State, lane_access_calls)));
    }
    std::vector<llvm::Type*> types;
    for (const Value* const argument : arguments)
        types.push_back(argument->getType());
    auto* const type = llvm::FunctionType::get(result == nullptr ? ir_.getVoidTy() : result, types, false);
    Value* const called =
        ir_.CreateLoad(ir_.getPtrTy(), ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), calls_, offset));
    return ir_.CreateCall(type, called, arguments);
}

// Stores an operand for a call.
llvm::Value* Lowering::store_to(Value* lanes, Value* buffer) {
    ir_.CreateAlignedStore(lanes, buffer, llvm::Align(64));
    return buffer;
}

llvm::Value* Lowering::mask_of(const Access& access) {
    return ir_.CreateZExt(mask_bits(ir_, access.on), ir_.getInt32Ty());
}

std::vector<llvm::Value*> Lowering::unit_arguments(const Access& access) {
    std::vector<Value*> arguments{store_to(access.addresses, on_stack()), values_on_stack(), mask_of(access),
                                  ir_.getInt32(lane_shape(access.lanes(), access.bits)),
                                  number(access.displacement)};
    if (!access.flat())
        arguments.insert(arguments.end(), {access.reach.data, access.reach.bytes, access.reach.mask});
    return arguments;
}

llvm::Value* Lowering::call_runtime_load(const Access& access) {
    call_engine(access.flat() ? offsetof(LaneAccessCalls, load_flat)
                              : offsetof(LaneAccessCalls, load_surface),
                nullptr, unit_arguments(access));
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
    return ir_.CreateAlignedLoad(type, values_on_stack(), llvm::Align(64));
}

void Lowering::call_runtime_store(const Access& access) {
    store_to(access.values, values_on_stack());
    call_engine(access.flat() ? offsetof(LaneAccessCalls, store_flat)
                              : offsetof(LaneAccessCalls, store_surface),
                nullptr, unit_arguments(access));
}

llvm::Value* Lowering::values_on_stack() {
    return lane_buffer(values_);
}

} // namespace visor::jit
