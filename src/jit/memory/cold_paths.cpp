// Cold paths: outlined functions, one for each shape, for lanes one by one, as this code is long. Their
// calling convention preserves all registers, including vectors; results return through the caller's stack.
// CPUs with gather instructions do not need them. Tier 1 code makes runtime calls for all messages with
// unknown addresses.
#include "jit/ir/array_argument.h"
#include "jit/memory/lowering_state.h"

#include <llvm/IR/Module.h>

#include <fmt/format.h>

namespace visor::jit {

namespace {

constexpr uint32_t min_lanes = 4;

} // namespace

bool Lowering::is_worth_a_call(const Access& access) const {
    return (brief_ || !gathers_) && access.lanes() >= min_lanes;
}

// An outlined load_lanes().
llvm::Value* Lowering::call_load_lanes(const Access& access) {
    if (!is_worth_a_call(access))
        return load_lanes(access);
    if (brief_)
        return call_runtime_load(access);
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(access.bits), access.lanes());
    std::vector<Value*> arguments = lanes_arguments(access);
    if (!access.flat())
        arguments.insert(arguments.end(), {access.reach.data, access.reach.bytes, access.reach.mask});
    const std::string name = fmt::format("visor_load_{}_{}_by_{}", access.flat() ? "flat" : "surface",
                                         access.lanes(), access.bits);
    return call_for(name, type, arguments, [&](Lowering& inner, llvm::Function& function) {
        return inner.load_lanes(inner.access_of_arguments(access, function));
    });
}

void Lowering::call_store_lanes(const Access& access) {
    if (!is_worth_a_call(access))
        return store_lanes(access);
    if (brief_)
        return call_runtime_store(access);
    std::vector<Value*> arguments = lanes_arguments(access);
    if (!access.flat())
        arguments.insert(arguments.end(), {access.reach.data, access.reach.bytes, access.reach.mask});
    arguments.push_back(access.values);
    const std::string name = fmt::format("visor_store_{}_{}_by_{}", access.flat() ? "flat" : "surface",
                                         access.lanes(), access.bits);
    call_for(name, nullptr, arguments, [&](Lowering& inner, llvm::Function& function) -> Value* {
        inner.store_lanes(inner.access_of_arguments(access, function));
        return nullptr;
    });
}

// An outlined check_lanes().
llvm::Value* Lowering::call_check_lanes(const Access& access, Value* low, Value* last) {
    if (!is_worth_a_call(access))
        return check_lanes(access, low, last);
    if (brief_) // the runtime call checks for itself
        return ir_.getFalse();
    std::vector<Value*> arguments = lanes_arguments(access);
    arguments.insert(arguments.end(), {low, last});
    Value* const all = call_for(fmt::format("visor_range_check_{}", access.lanes()), ir_.getInt32Ty(),
                                arguments, [&](Lowering& inner, llvm::Function& function) {
                                    const Access own = inner.access_of_arguments(access, function);
                                    Value* const yes =
                                        inner.check_lanes(own, function.getArg(3), function.getArg(4));
                                    return inner.ir_.CreateZExt(yes, inner.ir_.getInt32Ty());
                                });
    return ir_.CreateICmpNE(all, ir_.getInt32(0));
}

// An outlined extreme().
llvm::Value* Lowering::call_extreme(const Access& access, bool largest) {
    if (!is_worth_a_call(access))
        return extreme(access, largest);
    return call_for(fmt::format("visor_{}_{}", largest ? "largest" : "smallest", access.lanes()),
                    ir_.getInt64Ty(), lanes_arguments(access),
                    [&](Lowering& inner, llvm::Function& function) {
                        return inner.extreme(inner.access_of_arguments(access, function), largest);
                    });
}

// Addresses, active lanes, displacement.
std::vector<llvm::Value*> Lowering::lanes_arguments(const Access& access) {
    return {access.addresses, mask_bits(ir_, access.on), number(access.displacement)};
}

// In an outlined function: the access that its arguments describe.
Lowering::Access Lowering::access_of_arguments(const Access& like, llvm::Function& function) {
    auto* const lanes = llvm::FixedVectorType::get(ir_.getInt1Ty(), like.lanes());
    Access access{.addresses = function.getArg(0), .on = ir_.CreateBitCast(function.getArg(1), lanes)};
    access.bits = like.bits;
    Value* const displacement = function.getArg(2);
    unsigned next = 3;
    if (like.flat()) {
        access.addresses = ir_.CreateAdd(access.addresses, splat(displacement, like.lanes()));
    } else {
        Value* const bytes = function.getArg(4);
        access.reach.data = ir_.CreateGEP(ir_.getInt8Ty(), function.getArg(3), displacement);
        access.reach.bytes = bounds_.remaining_bytes(bytes, displacement);
        access.reach.mask = function.getArg(5);
        next = 6;
    }
    if (like.values != nullptr)
        access.values = function.getArg(next);
    return access;
}

// Calls the function of this name, which `body` defines at the first call. Returns its result; null without a
// type.
llvm::Value* Lowering::call_for(const std::string& name, llvm::Type* result, std::vector<Value*> arguments,
                                llvm::function_ref<Value*(Lowering&, llvm::Function&)> body) {
    if (result != nullptr)
        arguments.push_back(on_stack());
    llvm::Function* called = function_.getParent()->getFunction(name);
    if (called == nullptr) {
        called = new_function(name, arguments);
        if (result != nullptr)
            set_array_argument(*called, static_cast<unsigned>(arguments.size() - 1), bytes_on_stack);
        llvm::BasicBlock* const block = llvm::BasicBlock::Create(function_.getContext(), "", called);
        llvm::Instruction* const end = new llvm::UnreachableInst(function_.getContext(), block);
        Lowering inner(*called, gathers_, false);
        inner.ir_.SetInsertPoint(end);
        Value* const found = body(inner, *called);
        if (found != nullptr)
            inner.ir_.CreateAlignedStore(found, called->args().end() - 1, llvm::Align(64));
        inner.ir_.CreateRetVoid();
        end->eraseFromParent();
    }
    ir_.CreateCall(called, arguments)->setCallingConv(called->getCallingConv());
    return result == nullptr ? nullptr : ir_.CreateAlignedLoad(result, on_stack(), llvm::Align(64));
}

llvm::Function* Lowering::new_function(const std::string& name, const std::vector<Value*>& arguments) {
    std::vector<llvm::Type*> types;
    for (const Value* const argument : arguments)
        types.push_back(argument->getType());
    llvm::Function* const function =
        llvm::Function::Create(llvm::FunctionType::get(ir_.getVoidTy(), types, false),
                               llvm::Function::InternalLinkage, name, function_.getParent());
    function->addFnAttrs(llvm::AttrBuilder(function_.getContext(), function_.getAttributes().getFnAttrs()));
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::Cold);
    function->setCallingConv(llvm::CallingConv::PreserveAll);
    return function;
}

} // namespace visor::jit
