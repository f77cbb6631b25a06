#include "jit/translate/atomic_runtime.h"

#include "jit/ir/atomics.h"
#include "jit/translate/atomic_ops.h"

#include <fmt/format.h>

namespace visor::jit {

namespace {

using llvm::Value;

// Lane buffers of the operands; call_check_lanes() has the one before.
namespace buffer {
enum : unsigned { addresses = 1, firsts, seconds, results };
}

class Body {
public:
    Body(Translator& translator, Messages& messages, const AtomicUpdate& call, llvm::Function& function)
        : translator_(translator), ir_(translator.ir()), messages_(messages), call_(call),
          given_(atomic_operands(function)) {}

    void emit() {
        llvm::BasicBlock* const aligned = translator_.block("aligned");
        llvm::BasicBlock* const misaligned = translator_.block("misaligned");
        Value* const on = translator_.lanes_on(
            {ir_.CreateTrunc(given_.on, ir_.getIntNTy(call_.lanes)), nullptr}, call_.lanes);
        Value* const addresses =
            ir_.CreateLoad(translator_.vector(address_type(), call_.lanes), given_.addresses);
        ir_.CreateCondBr(messages_.aligned(addresses, call_.bits / 8, on), aligned, misaligned);
        translator_.begin(misaligned);
        ir_.CreateRet(ir_.getInt32(0));
        translator_.begin(aligned);
        if (call_.has_result)
            ir_.CreateMemSet(given_.results, ir_.getInt8(0), call_.lanes * call_.bits / 8,
                             llvm::MaybeAlign());
        translator_.each_lane_on(call_.window == nullptr ? on : ir_.CreateAnd(on, inside(addresses)),
                                 [&](Value* lane) { update(pointer_of(lane), lane); });
        ir_.CreateRet(ir_.getInt32(1));
    }

private:
    [[nodiscard]] llvm::IntegerType* address_type() {
        return ir_.getIntNTy(call_.window == nullptr ? 64 : 32);
    }
    Value* of_lane(Value* array, llvm::Type* type, Value* lane) {
        return ir_.CreateLoad(type, messages_.bounds().element(array, type, lane));
    }
    Value* pointer_of(Value* lane) {
        Value* const at = ir_.CreateZExt(of_lane(given_.addresses, address_type(), lane), ir_.getInt64Ty());
        const Span span{0, call_.bits / 8};
        Bounds& bounds = messages_.bounds();
        return call_.window == nullptr
                   ? bounds.at({Guard::flat, Use::atomic}, at, span)
                   : bounds.behind({call_.window->guard(), Use::atomic}, given_.data, at, span);
    }

    Value* inside(Value* offsets) {
        return messages_.inside({.data = given_.data, .bytes = given_.bytes}, offsets, call_.bits / 8);
    }

    void update(Value* at, Value* lane) {
        auto* const datum = ir_.getIntNTy(call_.bits);
        const auto source = [&](const Value* values, Value* array) -> Value* {
            return values == nullptr ? llvm::ConstantInt::get(datum, 0) : of_lane(array, datum, lane);
        };
        Value* const first = source(call_.first, given_.firsts);
        Value* const second = source(call_.second, given_.seconds);
        LaneAtomicOp own(translator_, call_.update, call_.bits, call_.bfloat);
        const bool local = call_.window != nullptr && call_.window->local;
        Value* const result = local ? own.plain(at, first, second) : own.atomic(at, first, second);
        if (call_.has_result)
            ir_.CreateStore(result, messages_.bounds().element(given_.results, datum, lane));
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    Messages& messages_;
    const AtomicUpdate& call_;
    AtomicOperands given_;
};

std::string name_of(const AtomicUpdate& call) {
    const char* const where = call.window == nullptr ? "flat" : call.window->local ? "local" : "surface";
    return fmt::format("{}{}_{}{}_{}_{}{}", atomic_functions, static_cast<unsigned>(call.update), call.bits,
                       call.bfloat ? "b" : "", where, call.lanes, call.has_result ? "_gives" : "");
}

} // namespace

AtomicResult call_atomic(Translator& translator, Messages& messages, const AtomicUpdate& call) {
    llvm::IRBuilder<>& ir = translator.ir();
    llvm::Constant* const null = llvm::ConstantPointerNull::get(ir.getPtrTy());
    const auto spilled = [&](unsigned index, Value* values) -> Value* {
        if (values == nullptr)
            return null;
        Value* const buffer = translator.lane_buffer(index);
        ir.CreateStore(values, buffer);
        return buffer;
    };
    Value* const results = call.has_result ? translator.lane_buffer(buffer::results) : null;
    const AtomicOperands operands{.on = ir.CreateZExt(call.on, ir.getInt32Ty()),
                                  .addresses = spilled(buffer::addresses, call.addresses),
                                  .firsts = spilled(buffer::firsts, call.first),
                                  .seconds = spilled(buffer::seconds, call.second),
                                  .results = results,
                                  .data = call.window == nullptr ? null : call.window->data,
                                  .bytes = call.window == nullptr ? ir.getInt64(0) : call.window->bytes};
    llvm::Function* const function = translator.get_or_create_function(
        name_of(call), atomic_function_type(ir.getContext()), [&](llvm::Function& created) {
            set_atomic_arrays(created, Translator::lane_buffer_bytes);
            Body(translator, messages, call, created).emit();
        });
    return {ir.CreateICmpNE(create_atomic_call(ir, *function, operands), ir.getInt32(0)), results};
}

} // namespace visor::jit
