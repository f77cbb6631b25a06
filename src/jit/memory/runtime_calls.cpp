// Runtime calls for memory messages (engine/lane_access_calls.h), in tier 1 code. Operands and results pass
// through the stack.
#include "jit/engine/lane_access_calls.h"
#include "jit/engine/runtime_abi.h"
#include "jit/ir/runtime_call.h"
#include "jit/memory/lowering_state.h"

namespace visor::jit {

// The engine's LaneAccessCalls, the same for all threads of a call.
llvm::Value* Lowering::lane_access_table() {
    if (calls_ == nullptr) {
        llvm::IRBuilder<> entry(&*function_.getEntryBlock().begin());
        calls_ = entry.CreateLoad(entry.getPtrTy(),
                                  entry.CreateConstInBoundsGEP1_64(entry.getInt8Ty(), function_.getArg(0),
                                                                   offsetof(State, lane_access_calls)));
    }
    return calls_;
}

// Stores an operand for a call.
llvm::Value* Lowering::store_to(Value* lanes, Value* buffer) {
    ir_.CreateAlignedStore(lanes, buffer, llvm::Align(64));
    return buffer;
}

llvm::Value* Lowering::mask_of(const Access& access) {
    return ir_.CreateZExt(mask_bits(ir_, access.on), ir_.getInt32Ty());
}

void Lowering::call_lane_access(const Access& access, bool stores) {
    const LaneAccess lanes{.addresses = store_to(access.addresses, on_stack()),
                           .values = values_on_stack(),
                           .on = mask_of(access),
                           .shape = lane_shape(access.lanes(), access.bits),
                           .displacement = number(access.displacement),
                           .data = access.reach.data,
                           .bytes = access.reach.bytes,
                           .mask = access.reach.mask};
    create_lane_access_call(ir_, lane_access_table(), stores, lanes);
}

llvm::Value* Lowering::call_runtime_load(const Access& access) {
    call_lane_access(access, false);
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
    return ir_.CreateAlignedLoad(type, values_on_stack(), llvm::Align(64));
}

void Lowering::call_runtime_store(const Access& access) {
    store_to(access.values, values_on_stack());
    call_lane_access(access, true);
}

llvm::Value* Lowering::values_on_stack() {
    return lane_buffer(values_);
}

} // namespace visor::jit
