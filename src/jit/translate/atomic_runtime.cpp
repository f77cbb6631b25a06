#include "jit/translate/atomic_runtime.h"

#include "jit/ir/array_argument.h"
#include "jit/translate/atomic_ops.h"

#include <fmt/format.h>

namespace visor::jit {

namespace {

using llvm::Value;

// Indices of the function's arguments.
namespace argument {
enum : unsigned { on, addresses, firsts, seconds, results, data, bytes };
}

class Body {
public:
    Body(Translator& translator, Messages& messages, const AtomicCall& call, llvm::Function& function)
        : translator_(translator), ir_(translator.ir()), messages_(messages), call_(call),
          function_(function) {}

    void emit() {
        llvm::BasicBlock* const aligned = translator_.block("aligned");
        llvm::BasicBlock* const misaligned = translator_.block("misaligned");
        Value* const on = translator_.lanes_on(
            {ir_.CreateTrunc(given(argument::on), ir_.getIntNTy(call_.lanes)), nullptr}, call_.lanes);
        Value* const addresses =
            ir_.CreateLoad(translator_.vector(address_type(), call_.lanes), given(argument::addresses));
        ir_.CreateCondBr(messages_.aligned(addresses, call_.bits / 8, on), aligned, misaligned);
        translator_.begin(misaligned);
        ir_.CreateRet(ir_.getInt32(0));
        translator_.begin(aligned);
        if (call_.has_result)
            ir_.CreateMemSet(given(argument::results), ir_.getInt8(0), call_.lanes * call_.bits / 8,
                             llvm::MaybeAlign());
        translator_.each_lane_on(call_.window == nullptr ? on : ir_.CreateAnd(on, inside(addresses)),
                                 [&](Value* lane) { update(pointer_of(lane), lane); });
        ir_.CreateRet(ir_.getInt32(1));
    }

private:
    [[nodiscard]] Value* given(unsigned index) const { return function_.getArg(index); }
    [[nodiscard]] llvm::IntegerType* address_type() {
        return ir_.getIntNTy(call_.window == nullptr ? 64 : 32);
    }
    Value* of_lane(unsigned index, llvm::Type* type, Value* lane) {
        return ir_.CreateLoad(type, messages_.bounds().element(given(index), type, lane));
    }
    Value* pointer_of(Value* lane) {
        Value* const at =
            ir_.CreateZExt(of_lane(argument::addresses, address_type(), lane), ir_.getInt64Ty());
        const Span span{0, call_.bits / 8};
        Bounds& bounds = messages_.bounds();
        return call_.window == nullptr
                   ? bounds.at({Guard::flat, Use::atomic}, at, span)
                   : bounds.behind({call_.window->guard(), Use::atomic}, given(argument::data), at, span);
    }

    Value* inside(Value* offsets) {
        return messages_.inside({.data = given(argument::data), .bytes = given(argument::bytes)}, offsets,
                                call_.bits / 8);
    }

    void update(Value* at, Value* lane) {
        auto* const datum = ir_.getIntNTy(call_.bits);
        const auto source = [&](const Value* values, unsigned index) -> Value* {
            return values == nullptr ? llvm::ConstantInt::get(datum, 0) : of_lane(index, datum, lane);
        };
        Value* const first = source(call_.first, argument::firsts);
        Value* const second = source(call_.second, argument::seconds);
        LaneAtomicOp own(translator_, call_.update, call_.bits, call_.bfloat);
        const bool local = call_.window != nullptr && call_.window->local;
        Value* const result = local ? own.plain(at, first, second) : own.atomic(at, first, second);
        if (call_.has_result)
            ir_.CreateStore(result, messages_.bounds().element(given(argument::results), datum, lane));
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    Messages& messages_;
    const AtomicCall& call_;
    llvm::Function& function_;
};

std::string name_of(const AtomicCall& call) {
    const char* const where = call.window == nullptr ? "flat" : call.window->local ? "local" : "surface";
    return fmt::format("visor_atomic_{}_{}{}_{}_{}{}", static_cast<unsigned>(call.update), call.bits,
                       call.bfloat ? "b" : "", where, call.lanes, call.has_result ? "_gives" : "");
}

} // namespace

AtomicResult call_atomic(Translator& translator, Messages& messages, const AtomicCall& call) {
    llvm::IRBuilder<>& ir = translator.ir();
    llvm::Constant* const null = llvm::ConstantPointerNull::get(ir.getPtrTy());
    const auto spilled = [&](unsigned index, Value* values) -> Value* {
        if (values == nullptr)
            return null;
        Value* const buffer = translator.lane_buffer(index);
        ir.CreateStore(values, buffer);
        return buffer;
    };
    Value* const results = call.has_result ? translator.lane_buffer(argument::results) : null;
    std::vector<Value*> arguments{ir.CreateZExt(call.on, ir.getInt32Ty()),
                                  spilled(argument::addresses, call.addresses),
                                  spilled(argument::firsts, call.first),
                                  spilled(argument::seconds, call.second),
                                  results,
                                  call.window == nullptr ? null : call.window->data,
                                  call.window == nullptr ? ir.getInt64(0) : call.window->bytes};
    std::vector<llvm::Type*> types;
    for (const Value* const one : arguments)
        types.push_back(one->getType());
    llvm::Function* const function = translator.get_or_create_function(
        name_of(call), llvm::FunctionType::get(ir.getInt32Ty(), types, false), [&](llvm::Function& created) {
            for (const unsigned index :
                 {argument::addresses, argument::firsts, argument::seconds, argument::results})
                set_array_argument(created, index, Translator::lane_buffer_bytes);
            Body(translator, messages, call, created).emit();
        });
    return {ir.CreateICmpNE(ir.CreateCall(function, arguments), ir.getInt32(0)), results};
}

} // namespace visor::jit
