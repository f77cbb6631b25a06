#include "jit/translate/atomic_runtime.h"

#include "jit/ir/array_argument.h"
#include "jit/translate/atomic_ops.h"

#include <fmt/format.h>

namespace visor::jit {

namespace {

using llvm::Value;

// What the function gets.
namespace argument {
enum : unsigned { on, places, firsts, seconds, results, data, bytes };
}

class Body {
public:
    Body(Translator& translator, Messages& messages, const AtomicCall& call, llvm::Function& function)
        : translator_(translator), ir_(translator.ir()), messages_(messages), call_(call),
          function_(function) {}

    void emit() {
        llvm::BasicBlock* const well = translator_.block("well");
        llvm::BasicBlock* const misaligned = translator_.block("misaligned");
        Value* const on = translator_.lanes_on(
            {ir_.CreateTrunc(given(argument::on), ir_.getIntNTy(call_.lanes)), nullptr}, call_.lanes);
        Value* const places =
            ir_.CreateLoad(translator_.vector(place_type(), call_.lanes), given(argument::places));
        ir_.CreateCondBr(messages_.aligned(places, call_.bits / 8, on), well, misaligned);
        translator_.begin(misaligned);
        ir_.CreateRet(ir_.getInt32(0));
        translator_.begin(well);
        if (call_.gives)
            ir_.CreateMemSet(given(argument::results), ir_.getInt8(0), call_.lanes * call_.bits / 8,
                             llvm::MaybeAlign());
        translator_.each_lane_on(call_.window == nullptr ? on : ir_.CreateAnd(on, inside(places)),
                                 [&](Value* lane) { update(place(lane), lane); });
        ir_.CreateRet(ir_.getInt32(1));
    }

private:
    [[nodiscard]] Value* given(unsigned index) const { return function_.getArg(index); }
    [[nodiscard]] llvm::IntegerType* place_type() { return ir_.getIntNTy(call_.window == nullptr ? 64 : 32); }
    Value* of_lane(unsigned index, llvm::Type* type, Value* lane) {
        return ir_.CreateLoad(type, messages_.bounds().element(given(index), type, lane));
    }
    Value* place(Value* lane) {
        Value* const at = ir_.CreateZExt(of_lane(argument::places, place_type(), lane), ir_.getInt64Ty());
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
        if (call_.gives)
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
                       call.bfloat ? "b" : "", where, call.lanes, call.gives ? "_gives" : "");
}

} // namespace

AtomicResult call_atomic(Translator& translator, Messages& messages, const AtomicCall& call) {
    llvm::IRBuilder<>& ir = translator.ir();
    llvm::Constant* const nowhere = llvm::ConstantPointerNull::get(ir.getPtrTy());
    const auto laid_down = [&](unsigned index, Value* values) -> Value* {
        if (values == nullptr)
            return nowhere;
        Value* const room = translator.lane_room(index);
        ir.CreateStore(values, room);
        return room;
    };
    Value* const results = call.gives ? translator.lane_room(argument::results) : nowhere;
    std::vector<Value*> arguments{ir.CreateZExt(call.on, ir.getInt32Ty()),
                                  laid_down(argument::places, call.places),
                                  laid_down(argument::firsts, call.first),
                                  laid_down(argument::seconds, call.second),
                                  results,
                                  call.window == nullptr ? nowhere : call.window->data,
                                  call.window == nullptr ? ir.getInt64(0) : call.window->bytes};
    std::vector<llvm::Type*> types;
    for (const Value* const one : arguments)
        types.push_back(one->getType());
    llvm::Function* const function = translator.function_beside(
        name_of(call), llvm::FunctionType::get(ir.getInt32Ty(), types, false), [&](llvm::Function& made) {
            for (const unsigned index :
                 {argument::places, argument::firsts, argument::seconds, argument::results})
                set_array_argument(made, index, Translator::lane_room_bytes);
            Body(translator, messages, call, made).emit();
        });
    return {ir.CreateICmpNE(ir.CreateCall(function, arguments), ir.getInt32(0)), results};
}

} // namespace visor::jit
