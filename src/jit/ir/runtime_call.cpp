#include "jit/ir/runtime_call.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr const char* whole_threads_mark = "visor.clear";
constexpr const char* reads_scratch_mark = "visor.reads_scratch"; // on calls; also an attribute

void mark(llvm::Instruction& instruction, const char* name) {
    instruction.setMetadata(name, llvm::MDNode::get(instruction.getContext(), {}));
}

// `table`: a State, or LaneAccessCalls. The pointer is loaded after the arguments.
llvm::CallInst* call(llvm::IRBuilder<>& ir, RuntimeEntry entry, llvm::Type* result, Value* table,
                     llvm::ArrayRef<Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (const Value* const argument : arguments)
        types.push_back(argument->getType());
    auto* const type = llvm::FunctionType::get(result, types, false);
    const RuntimeFunction& function = function_of(entry);
    Value* const callee =
        ir.CreateLoad(ir.getPtrTy(), ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), table, function.offset));
    llvm::CallInst* const made = ir.CreateCall(type, callee, arguments);
    llvm::LLVMContext& context = made->getContext();
    made->setMetadata(runtime_mark, llvm::MDNode::get(context, llvm::MDString::get(context, function.name)));
    return made;
}

llvm::CallInst* call(llvm::IRBuilder<>& ir, RuntimeEntry entry, llvm::ArrayRef<Value*> arguments) {
    return call(ir, entry, ir.getInt32Ty(), arguments.front(), arguments);
}

} // namespace

std::optional<RuntimeEntry> RuntimeCall::entry_of(const Value* value) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(value);
    const llvm::MDNode* const node = call == nullptr ? nullptr : call->getMetadata(runtime_mark);
    if (node == nullptr || node->getNumOperands() != 1)
        return std::nullopt;
    const auto* const name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0));
    if (name == nullptr)
        return std::nullopt;
    const auto* const found =
        std::ranges::find(runtime_functions, std::string_view(name->getString()), &RuntimeFunction::name);
    if (found == runtime_functions.end())
        return std::nullopt;
    return static_cast<RuntimeEntry>(found - runtime_functions.begin());
}

bool FallbackCall::may_read_scratch() const {
    return reads_scratch(*this);
}

bool ClearCall::follows_whole_threads() const {
    return getMetadata(whole_threads_mark) != nullptr;
}

FallbackCall* create_fallback(llvm::IRBuilder<>& ir, Value* state, uint32_t instruction,
                              bool may_read_scratch) {
    llvm::CallInst* const made = call(ir, RuntimeEntry::step, {state, ir.getInt32(instruction)});
    if (may_read_scratch)
        mark(*made, reads_scratch_mark);
    return llvm::cast<FallbackCall>(made);
}

PollCall* create_poll_call(llvm::IRBuilder<>& ir, Value* state, uint32_t instruction, bool can_yield) {
    return llvm::cast<PollCall>(
        call(ir, RuntimeEntry::poll, {state, ir.getInt32(instruction), ir.getInt32(can_yield ? 1 : 0)}));
}

BarrierCall* create_barrier_call(llvm::IRBuilder<>& ir, Value* state, uint32_t instruction,
                                 uint32_t actions) {
    return llvm::cast<BarrierCall>(
        call(ir, RuntimeEntry::meet, {state, ir.getInt32(instruction), ir.getInt32(actions)}));
}

CheckRangeCall* create_check_range_call(llvm::IRBuilder<>& ir, Value* state, const CheckedSite& site,
                                        Value* first, Value* last) {
    return llvm::cast<CheckRangeCall>(call(ir, RuntimeEntry::check_range,
                                           {state, ir.getInt32(site.site), ir.getInt32(site.instruction),
                                            first, last, ir.getInt64(site.bytes)}));
}

CheckLanesCall* create_check_lanes_call(llvm::IRBuilder<>& ir, Value* state, const CheckedSite& site,
                                        const StoredLanes& lanes) {
    return llvm::cast<CheckLanesCall>(
        call(ir, RuntimeEntry::check_lanes,
             {state, ir.getInt32(site.site), ir.getInt32(site.instruction), lanes.addresses, lanes.on,
              ir.getInt32(lanes.lanes), ir.getInt64(lanes.displacement), ir.getInt64(site.bytes)}));
}

ClearCall* create_clear_call(llvm::IRBuilder<>& ir, Value* state, uint32_t what, bool follows_whole_threads) {
    llvm::CallInst* const made = call(ir, RuntimeEntry::clear, {state, ir.getInt32(what)});
    if (follows_whole_threads)
        mark(*made, whole_threads_mark);
    return llvm::cast<ClearCall>(made);
}

LaneAccessCall* create_lane_access_call(llvm::IRBuilder<>& ir, Value* table, bool stores,
                                        const LaneAccess& access) {
    std::vector<Value*> arguments{access.addresses, access.values, access.on, ir.getInt32(access.shape),
                                  access.displacement};
    RuntimeEntry entry = stores ? RuntimeEntry::store_flat : RuntimeEntry::load_flat;
    if (access.data != nullptr) {
        arguments.insert(arguments.end(), {access.data, access.bytes, access.mask});
        entry = stores ? RuntimeEntry::store_surface : RuntimeEntry::load_surface;
    }
    return llvm::cast<LaneAccessCall>(call(ir, entry, ir.getVoidTy(), table, arguments));
}

void mark_reads_scratch(llvm::Function& function) {
    function.addFnAttr(reads_scratch_mark);
}
bool reads_scratch(const llvm::Function& function) {
    return function.hasFnAttribute(reads_scratch_mark);
}
bool reads_scratch(const llvm::Instruction& instruction) {
    return instruction.getMetadata(reads_scratch_mark) != nullptr;
}

} // namespace visor::jit
