#include "jit/atomic_called.h"

#include "jit/lane_update.h"

#include <fmt/format.h>

namespace visor::jit {

namespace {

using llvm::Value;

// What the function gets.
namespace argument {
enum : unsigned { on, places, firsts, seconds, results, idle, data, bytes };
}

class Body {
public:
    Body(Emitter& emitter, const AtomicCall& call, llvm::Function& function)
        : emitter_(emitter), ir_(emitter.ir()), call_(call), function_(function) {}

    void emit() {
        llvm::BasicBlock* const well = emitter_.block("well");
        llvm::BasicBlock* const misaligned = emitter_.block("misaligned");
        ir_.CreateCondBr(aligned(), well, misaligned);
        emitter_.begin(misaligned);
        ir_.CreateRet(ir_.getInt32(0));
        emitter_.begin(well);
        // Many in a row may be a thread that waits for another.
        Value* const idle = given(argument::idle);
        ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(ir_.getInt32Ty(), idle), ir_.getInt32(1)), idle);
        ir_.CreateMemSet(given(argument::results), ir_.getInt8(0), call_.lanes * call_.bits / 8,
                         llvm::MaybeAlign());
        emitter_.each_lane_on(given(argument::on), [&](Value* lane) { one(lane); });
        ir_.CreateRet(ir_.getInt32(1));
    }

private:
    [[nodiscard]] Value* given(unsigned index) const { return function_.getArg(index); }
    Value* of_lane(unsigned index, llvm::Type* type, Value* lane) {
        return ir_.CreateLoad(type, ir_.CreateGEP(type, given(index), lane));
    }
    Value* place(Value* lane) {
        auto* const type = ir_.getIntNTy(call_.window == nullptr ? 64 : 32);
        return ir_.CreateZExt(of_lane(argument::places, type, lane), ir_.getInt64Ty());
    }

    Value* aligned() {
        Value* const low = emitter_.scratch_space(ir_.getInt64Ty());
        ir_.CreateStore(ir_.getInt64(0), low);
        emitter_.each_lane_on(given(argument::on), [&](Value* lane) {
            ir_.CreateStore(ir_.CreateOr(ir_.CreateLoad(ir_.getInt64Ty(), low), place(lane)), low);
        });
        Value* const all = ir_.CreateLoad(ir_.getInt64Ty(), low);
        return ir_.CreateICmpEQ(ir_.CreateAnd(all, ir_.getInt64(call_.bits / 8 - 1)), ir_.getInt64(0));
    }

    void one(Value* lane) {
        Value* const at = place(lane);
        if (call_.window == nullptr)
            return update(ir_.CreateIntToPtr(at, ir_.getPtrTy()), lane);
        llvm::BasicBlock* const inside = emitter_.block("inside");
        llvm::BasicBlock* const past = emitter_.block("past");
        Value* const end = ir_.CreateAdd(at, ir_.getInt64(call_.bits / 8));
        ir_.CreateCondBr(ir_.CreateICmpULE(end, given(argument::bytes)), inside, past);
        emitter_.begin(inside);
        update(ir_.CreateGEP(ir_.getInt8Ty(), given(argument::data), at), lane);
        ir_.CreateBr(past);
        emitter_.begin(past);
    }

    void update(Value* at, Value* lane) {
        auto* const datum = ir_.getIntNTy(call_.bits);
        const auto source = [&](const Value* values, unsigned index) -> Value* {
            return values == nullptr ? llvm::ConstantInt::get(datum, 0) : of_lane(index, datum, lane);
        };
        Value* const first = source(call_.first, argument::firsts);
        Value* const second = source(call_.second, argument::seconds);
        LaneUpdate own(emitter_, call_.update, call_.bits, call_.bfloat);
        const bool local = call_.window != nullptr && call_.window->local;
        ir_.CreateStore(local ? own.plain(at, first, second) : own.atomic(at, first, second),
                        ir_.CreateGEP(datum, given(argument::results), lane));
    }

    Emitter& emitter_;
    llvm::IRBuilder<>& ir_;
    const AtomicCall& call_;
    llvm::Function& function_;
};

std::string name_of(const AtomicCall& call) {
    const char* const where = call.window == nullptr ? "flat" : call.window->local ? "local" : "surface";
    return fmt::format("visor_atomic_{}_{}{}_{}_{}", static_cast<unsigned>(call.update), call.bits,
                       call.bfloat ? "b" : "", where, call.lanes);
}

} // namespace

AtomicResult call_atomic(Emitter& emitter, const AtomicCall& call) {
    llvm::IRBuilder<>& ir = emitter.ir();
    llvm::Constant* const nowhere = llvm::ConstantPointerNull::get(ir.getPtrTy());
    const auto laid_down = [&](unsigned index, Value* values) -> Value* {
        if (values == nullptr)
            return nowhere;
        Value* const room = emitter.lane_room(index);
        ir.CreateStore(values, room);
        return room;
    };
    Value* const results = emitter.lane_room(argument::results);
    std::vector<Value*> arguments{ir.CreateZExt(call.on, ir.getInt32Ty()),
                                  laid_down(argument::places, call.places),
                                  laid_down(argument::firsts, call.first),
                                  laid_down(argument::seconds, call.second),
                                  results,
                                  emitter.member(offsetof(State, idle_atomics), ir.getPtrTy()),
                                  call.window == nullptr ? nowhere : call.window->data,
                                  call.window == nullptr ? ir.getInt64(0) : call.window->bytes};
    std::vector<llvm::Type*> types;
    for (const Value* const one : arguments)
        types.push_back(one->getType());
    llvm::Function* const function =
        emitter.function_beside(name_of(call), llvm::FunctionType::get(ir.getInt32Ty(), types, false),
                                [&](llvm::Function& made) { Body(emitter, call, made).emit(); });
    return {ir.CreateICmpNE(ir.CreateCall(function, arguments), ir.getInt32(0)), results};
}

} // namespace visor::jit
