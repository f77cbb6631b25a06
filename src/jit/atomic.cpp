#include "jit/atomic.h"

#include "jit/rounding.h"

namespace visor::jit {

namespace {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;
using llvm::Value;

constexpr uint8_t opcode_svm = 0x4e;
constexpr uint8_t opcode_dword_atomic = 0x7d;

namespace svm_field {
enum : uint8_t { op, addresses, src0, src1, dst };
}
namespace dword_field {
enum : uint8_t { op, surface, element_offset, src0, src1, dst };
}

class Lowering {
public:
    Lowering(Emitter& emitter, const PreparedInstruction& instruction, const AtomicMessage& message)
        : emitter_(emitter), ir_(emitter.ir()), messages_(emitter, instruction), message_(message),
          lanes_(instruction.execution.size), mask_(emitter.enabled(instruction)) {}

    void in_surface(const SurfaceWindow& window, Value* offsets) {
        Value* const on = emitter_.lanes_on(mask_, lanes_);
        messages_.quietly(Messages::Use::update, &window, offsets, on, message_.bits / 8, [&] {
            emitter_.guarded(aligned(offsets, on), [&] {
                count_one();
                Value* const in = ir_.CreateAnd(on, messages_.inside(window, offsets, message_.bits / 8));
                Value* const pointers = messages_.pointers(window.data, offsets);
                const bool is_short =
                    window.local && lanes_ > 1 && !is_real(message_.update) && !emitter_.options().brief;
                finish(is_short ? straight_or_loop(window.data, offsets, pointers, in)
                                : loop(pointers, in, window.local));
            });
        });
    }

    void flat(Value* addresses) {
        Value* const on = emitter_.lanes_on(mask_, lanes_);
        messages_.admitted(addresses, on, 0, message_.bits / 8, [&] {
            emitter_.guarded(aligned(addresses, on), [&] {
                count_one();
                finish(loop(messages_.pointers(nullptr, addresses), on, false));
            });
        });
    }

private:
    Value* aligned(Value* addresses, Value* on) {
        const auto bits = addresses->getType()->getScalarSizeInBits();
        Value* const low = ir_.CreateAnd(addresses, emitter_.constant(bits, message_.bits / 8 - 1, lanes_));
        Value* const even = ir_.CreateICmpEQ(low, emitter_.constant(bits, 0, lanes_));
        return emitter_.every(ir_.CreateOr(even, ir_.CreateNot(on)));
    }

    // Many in a row may be a thread that waits for another.
    void count_one() {
        Value* const idle = emitter_.member(offsetof(State, idle_atomics), ir_.getPtrTy());
        ir_.CreateStore(ir_.CreateAdd(ir_.CreateLoad(ir_.getInt32Ty(), idle), ir_.getInt32(1)), idle);
    }

    // Lane by lane, in ascending order; the results. Lanes that are off, or outside, get zero.
    Value* loop(Value* pointers, Value* on, bool local) {
        auto* const datum = ir_.getIntNTy(message_.bits);
        auto* const vector = llvm::FixedVectorType::get(datum, lanes_);
        Value* const places = emitter_.scratch_space(pointers->getType());
        Value* const firsts = emitter_.scratch_space(vector);
        Value* const seconds = emitter_.scratch_space(vector);
        Value* const results = emitter_.scratch_space(vector);
        ir_.CreateStore(pointers, places);
        ir_.CreateStore(source(message_.first), firsts);
        ir_.CreateStore(source(message_.second), seconds);
        ir_.CreateStore(llvm::Constant::getNullValue(vector), results);
        emitter_.each_lane_on(on, [&](Value* lane) {
            Value* const at = ir_.CreateLoad(ir_.getPtrTy(), ir_.CreateGEP(ir_.getPtrTy(), places, lane));
            Value* const first = ir_.CreateLoad(datum, ir_.CreateGEP(datum, firsts, lane));
            Value* const second = ir_.CreateLoad(datum, ir_.CreateGEP(datum, seconds, lane));
            Value* const result = local ? plain(at, first, second) : atomic(at, first, second);
            ir_.CreateStore(result, ir_.CreateGEP(datum, results, lane));
        });
        return ir_.CreateLoad(vector, results);
    }

    // What is short for a lane stands there for each one, where all are on.
    Value* straight_or_loop(Value* data, Value* offsets, Value* pointers, Value* on) {
        llvm::BasicBlock* const straight = emitter_.block("straight");
        llvm::BasicBlock* const some = emitter_.block("some");
        llvm::BasicBlock* const done = emitter_.block("done");
        ir_.CreateCondBr(emitter_.every(on), straight, some);
        emitter_.begin(straight);
        Value* const of_all = each(data, offsets);
        ir_.CreateBr(done);
        emitter_.begin(some);
        Value* const of_some = loop(pointers, on, true);
        llvm::BasicBlock* const some_end = ir_.GetInsertBlock();
        ir_.CreateBr(done);
        emitter_.begin(done);
        llvm::PHINode* const results = ir_.CreatePHI(of_all->getType(), 2);
        results->addIncoming(of_all, straight);
        results->addIncoming(of_some, some_end);
        return results;
    }

    // Two offsets at a time: what goes out of vectors through the stack waits there.
    Value* each(Value* data, Value* offsets) {
        auto* const datum = ir_.getIntNTy(message_.bits);
        auto* const qword = ir_.getInt64Ty();
        Value* const pairs = ir_.CreateBitCast(offsets, llvm::FixedVectorType::get(qword, lanes_ / 2));
        Value* const firsts = source(message_.first);
        Value* const seconds = source(message_.second);
        Value* results = llvm::PoisonValue::get(llvm::FixedVectorType::get(datum, lanes_));
        Value* pair = nullptr;
        for (uint64_t lane = 0; lane < lanes_; ++lane) {
            if (lane % 2 == 0)
                pair = ir_.CreateExtractElement(pairs, lane / 2);
            Value* const offset = lane % 2 == 0 ? ir_.CreateAnd(pair, ir_.getInt64(UINT32_MAX))
                                                : ir_.CreateLShr(pair, ir_.getInt64(32));
            Value* const at = ir_.CreateGEP(ir_.getInt8Ty(), data, offset);
            Value* const result =
                plain(at, ir_.CreateExtractElement(firsts, lane), ir_.CreateExtractElement(seconds, lane));
            results = ir_.CreateInsertElement(results, result, lane);
        }
        return results;
    }

    void finish(Value* results) {
        if (message_.result == nullptr)
            return;
        auto* const slots = emitter_.vector(ir_.getIntNTy(message_.slot_bits()), lanes_);
        emitter_.store_raw(*message_.result, 0, ir_.CreateZExt(messages_.as_lanes(results), slots), mask_);
    }

    Value* source(const PreparedOperand* operand) {
        auto* const datum = emitter_.vector(ir_.getIntNTy(message_.bits), lanes_);
        if (operand == nullptr)
            return messages_.as_vector(llvm::Constant::getNullValue(datum));
        Value* const slots = emitter_.load_raw(*operand, 0, message_.slot_bits(), lanes_);
        return messages_.as_vector(ir_.CreateTrunc(slots, datum));
    }

    // ---- floats, as their bits

    [[nodiscard]] llvm::APInt sign() const { return llvm::APInt::getSignMask(message_.bits); }
    [[nodiscard]] llvm::APInt infinity() const {
        const uint32_t mantissa = message_.bits == 64   ? 52
                                  : message_.bits == 32 ? 23
                                  : message_.bfloat     ? 7
                                                        : 10;
        return llvm::APInt::getBitsSet(message_.bits, mantissa, message_.bits - 1);
    }
    Value* magnitude(Value* value) { return ir_.CreateAnd(value, ir_.getInt(~sign())); }
    Value* is_nan(Value* value) { return ir_.CreateICmpUGT(magnitude(value), ir_.getInt(infinity())); }
    // Ascends as the numbers do, -0 before +0 (ruling 25).
    Value* rank(Value* value) {
        Value* const negative = ir_.CreateICmpSLT(value, number(0));
        return ir_.CreateSelect(negative, ir_.CreateNot(value), ir_.CreateOr(value, ir_.getInt(sign())));
    }
    // A NaN gives way to a number.
    Value* extreme(Value* old, Value* value, bool maximum) {
        Value* const better =
            maximum ? ir_.CreateICmpUGT(rank(value), rank(old)) : ir_.CreateICmpULT(rank(value), rank(old));
        Value* const chosen = ir_.CreateSelect(ir_.CreateOr(is_nan(old), better), value, old);
        return ir_.CreateSelect(is_nan(value), old, chosen);
    }
    // A NaN equals nothing, the zeros equal each other.
    Value* equal(Value* a, Value* b) {
        Value* const zeros = ir_.CreateICmpEQ(magnitude(ir_.CreateOr(a, b)), number(0));
        Value* const same = ir_.CreateAnd(ir_.CreateICmpEQ(a, b), ir_.CreateNot(is_nan(a)));
        return ir_.CreateOr(zeros, same);
    }
    // Of two narrow floats in single precision: rounded once more that is the exact sum's rounding.
    Value* sum(Value* a, Value* b) {
        auto* const whole = ir_.getIntNTy(message_.bits);
        if (message_.bits == 64)
            return ir_.CreateBitCast(ir_.CreateFAdd(ir_.CreateBitCast(a, ir_.getDoubleTy()),
                                                    ir_.CreateBitCast(b, ir_.getDoubleTy())),
                                     whole);
        Value* const result = ir_.CreateFAdd(single(a), single(b));
        if (message_.bits == 32)
            return ir_.CreateBitCast(result, whole);
        if (!message_.bfloat)
            return ir_.CreateBitCast(ir_.CreateFPTrunc(result, ir_.getHalfTy()), whole);
        return Rounder(emitter_, 1, number::Rounding::nearest_even).bfloat(result);
    }
    Value* single(Value* value) {
        if (message_.bits == 32)
            return ir_.CreateBitCast(value, ir_.getFloatTy());
        if (!message_.bfloat)
            return ir_.CreateFPExt(ir_.CreateBitCast(value, ir_.getHalfTy()), ir_.getFloatTy());
        return ir_.CreateBitCast(ir_.CreateShl(ir_.CreateZExt(value, ir_.getInt32Ty()), 16),
                                 ir_.getFloatTy());
    }

    Value* number(uint64_t value) { return ir_.getIntN(message_.bits, value); }

    // What becomes of the old value.
    Value* updated(Value* old, Value* first, Value* second) {
        switch (message_.update) {
        case Update::add:
            return ir_.CreateAdd(old, first);
        case Update::sub:
            return ir_.CreateSub(old, first);
        case Update::inc:
            return ir_.CreateAdd(old, number(1));
        case Update::dec:
        case Update::predec:
            return ir_.CreateSub(old, number(1));
        case Update::umin:
            return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, old, first);
        case Update::umax:
            return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, old, first);
        case Update::smin:
            return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, old, first);
        case Update::smax:
            return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, old, first);
        case Update::exchange:
            return first;
        case Update::compare_exchange:
            return ir_.CreateSelect(ir_.CreateICmpEQ(old, second), first, old);
        case Update::bit_and:
            return ir_.CreateAnd(old, first);
        case Update::bit_or:
            return ir_.CreateOr(old, first);
        case Update::bit_xor:
            return ir_.CreateXor(old, first);
        case Update::load:
            return old;
        case Update::fadd:
            return sum(old, first);
        case Update::fsub:
            return sum(old, ir_.CreateXor(first, ir_.getInt(sign())));
        case Update::fmin:
            return extreme(old, first, false);
        case Update::fmax:
            return extreme(old, first, true);
        case Update::fcompare_exchange:
            return ir_.CreateSelect(equal(old, first), second, old);
        }
        return old;
    }

    // Until nobody else came in between.
    Value* exchanged(Value* at, Value* first, Value* second) {
        const llvm::Align alignment(message_.bits / 8);
        auto* const datum = ir_.getIntNTy(message_.bits);
        llvm::LoadInst* const guess = ir_.CreateAlignedLoad(datum, at, alignment);
        guess->setAtomic(AtomicOrdering::Monotonic);
        llvm::BasicBlock* const before = ir_.GetInsertBlock();
        llvm::BasicBlock* const tries = emitter_.block("tries");
        llvm::BasicBlock* const done = emitter_.block("exchanged");
        ir_.CreateBr(tries);
        emitter_.begin(tries);
        llvm::PHINode* const old = ir_.CreatePHI(datum, 2);
        old->addIncoming(guess, before);
        Value* const now = updated(old, first, second);
        Value* const found = ir_.CreateAtomicCmpXchg(
            at, old, now, alignment, AtomicOrdering::SequentiallyConsistent, AtomicOrdering::Monotonic);
        old->addIncoming(ir_.CreateExtractValue(found, 0), ir_.GetInsertBlock());
        ir_.CreateCondBr(ir_.CreateExtractValue(found, 1), done, tries);
        emitter_.begin(done);
        return old;
    }

    // Shared local memory belongs to one CPU thread.
    Value* plain(Value* at, Value* first, Value* second) {
        const llvm::Align alignment(message_.bits / 8);
        Value* const old = ir_.CreateAlignedLoad(ir_.getIntNTy(message_.bits), at, alignment);
        Value* const now = updated(old, first, second);
        ir_.CreateAlignedStore(now, at, alignment);
        return message_.update == Update::predec ? now : old;
    }

    Value* atomic(Value* at, Value* first, Value* second) {
        const llvm::MaybeAlign alignment(message_.bits / 8);
        const auto change = [&](AtomicRMWInst::BinOp op, Value* by) -> Value* {
            return ir_.CreateAtomicRMW(op, at, by, alignment, AtomicOrdering::SequentiallyConsistent);
        };
        switch (message_.update) {
        case Update::add:
            return change(AtomicRMWInst::Add, first);
        case Update::sub:
            return change(AtomicRMWInst::Sub, first);
        case Update::inc:
            return change(AtomicRMWInst::Add, number(1));
        case Update::dec:
            return change(AtomicRMWInst::Sub, number(1));
        case Update::predec:
            return ir_.CreateSub(change(AtomicRMWInst::Sub, number(1)), number(1));
        case Update::umin:
            return change(AtomicRMWInst::UMin, first);
        case Update::umax:
            return change(AtomicRMWInst::UMax, first);
        case Update::smin:
            return change(AtomicRMWInst::Min, first);
        case Update::smax:
            return change(AtomicRMWInst::Max, first);
        case Update::exchange:
            return change(AtomicRMWInst::Xchg, first);
        case Update::bit_and:
            return change(AtomicRMWInst::And, first);
        case Update::bit_or:
            return change(AtomicRMWInst::Or, first);
        case Update::bit_xor:
            return change(AtomicRMWInst::Xor, first);
        case Update::load:
            return change(AtomicRMWInst::Or, number(0));
        case Update::compare_exchange:
            return ir_.CreateExtractValue(ir_.CreateAtomicCmpXchg(at, second, first, alignment,
                                                                  AtomicOrdering::SequentiallyConsistent,
                                                                  AtomicOrdering::SequentiallyConsistent),
                                          0);
        default:
            return exchanged(at, first, second);
        }
    }

    Emitter& emitter_;
    llvm::IRBuilder<>& ir_;
    Messages messages_;
    const AtomicMessage& message_;
    uint32_t lanes_;
    Mask mask_;
};

} // namespace

std::optional<Update> update_of_code(uint64_t code) {
    constexpr std::array updates{Update::add,     Update::sub,    Update::inc,      Update::dec,
                                 Update::umin,    Update::umax,   Update::exchange, Update::compare_exchange,
                                 Update::bit_and, Update::bit_or, Update::bit_xor,  Update::smin,
                                 Update::smax,    Update::predec};
    constexpr std::array reals{Update::fmax, Update::fmin, Update::fcompare_exchange, Update::fadd,
                               Update::fsub}; // ruling 36
    constexpr uint64_t first_real = 0x10;
    if (code < updates.size())
        return updates[code];
    return code >= first_real && code - first_real < reals.size() ? std::optional(reals[code - first_real])
                                                                  : std::nullopt;
}

bool can_lower(const Emitter& emitter, const AtomicMessage& message) {
    const bool is_half = message.bits == 16 && !message.bfloat;
    const bool adds = message.update == Update::fadd || message.update == Update::fsub;
    return !is_half || !adds || emitter.options().half_convert;
}

bool lower_atomic(Emitter& emitter, const PreparedInstruction& instruction, const SurfaceWindow& window,
                  Value* offsets, const AtomicMessage& message) {
    Lowering(emitter, instruction, message).in_surface(window, offsets);
    return true;
}

bool lower_atomic(Emitter& emitter, const PreparedInstruction& instruction, Value* addresses,
                  const AtomicMessage& message) {
    Lowering(emitter, instruction, message).flat(addresses);
    return true;
}

bool lowering::atomic(Emitter& emitter, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    const bool is_flat = code == opcode_svm;
    if (!is_flat && code != opcode_dword_atomic)
        return false;
    const uint64_t op = emitter.literal(instruction, 0);
    const uint64_t width = op >> 5U; // 0, 1, 2 = 32, 16, 64 bits
    const auto update = update_of_code(op & 0x1fU);
    if (!update || width > 2)
        return false;
    const uint32_t lanes = instruction.execution.size;
    const size_t src0 = is_flat ? size_t{svm_field::src0} : size_t{dword_field::src0};
    Messages messages(emitter, instruction);
    const AtomicMessage message{.update = *update,
                                .bits = width == 2   ? 64U
                                        : width == 1 ? 16U
                                                     : 32U,
                                .first = &emitter.operand(instruction, src0),
                                .second = &emitter.operand(instruction, src0 + 1),
                                .result = &emitter.operand(instruction, src0 + 2)};
    if (!messages.has_room(src0 - 1, lanes * (is_flat ? 8 : 4)))
        return false;
    for (size_t k = src0; k < src0 + 3; ++k)
        if (!messages.has_room(k, lanes * message.slot_bits() / 8))
            return false;
    if (!can_lower(emitter, message))
        return false;
    const PreparedOperand& places = emitter.operand(instruction, src0 - 1);
    if (is_flat)
        return lower_atomic(emitter, instruction, emitter.load_raw(places, 0, 64, lanes), message);
    const SurfaceWindow window = messages.window_of(emitter.operand(instruction, dword_field::surface));
    Value* const offsets = messages.masked_offsets(window, emitter.load_raw(places, 0, 32, lanes));
    return lower_atomic(emitter, instruction, window, offsets, message);
}

} // namespace visor::jit
