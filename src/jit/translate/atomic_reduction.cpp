#include "jit/translate/atomic_reduction.h"

namespace visor::jit {

using llvm::Intrinsic::ID;

namespace {

// Of one update and another; not_intrinsic: an operator of its own.
ID intrinsic_of(AtomicOp update) {
    switch (update) {
    case AtomicOp::umin:
        return llvm::Intrinsic::umin;
    case AtomicOp::umax:
        return llvm::Intrinsic::umax;
    case AtomicOp::smin:
        return llvm::Intrinsic::smin;
    case AtomicOp::smax:
        return llvm::Intrinsic::smax;
    default:
        return llvm::Intrinsic::not_intrinsic;
    }
}

} // namespace

bool AtomicReduction::is_possible(AtomicOp update) {
    return !is_real(update) && update != AtomicOp::exchange && update != AtomicOp::compare_exchange;
}

AtomicReduction::AtomicReduction(Translator& translator, AtomicOp update, uint32_t bits, Value* first,
                                 Value* on)
    : ir_(translator.ir()), update_(update), bits_(bits), on_(on) {
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(bits), Translator::lanes_of(on));
    Value* const brought = has_first(update) ? first : llvm::ConstantInt::get(type, 1);
    values_ = ir_.CreateSelect(on, brought, llvm::ConstantInt::get(type, identity()));
}

AtomicOp AtomicReduction::update() const {
    switch (update_) {
    case AtomicOp::inc:
        return AtomicOp::add;
    case AtomicOp::dec:
    case AtomicOp::predec:
        return AtomicOp::sub;
    default:
        return update_;
    }
}

llvm::APInt AtomicReduction::identity() const {
    switch (update_) {
    case AtomicOp::umin:
    case AtomicOp::bit_and:
        return llvm::APInt::getAllOnes(bits_);
    case AtomicOp::smin:
        return llvm::APInt::getSignedMaxValue(bits_);
    case AtomicOp::smax:
        return llvm::APInt::getSignedMinValue(bits_);
    default:
        return llvm::APInt::getZero(bits_);
    }
}

llvm::Value* AtomicReduction::merged(Value* a, Value* b) {
    if (const ID intrinsic = intrinsic_of(update_); intrinsic != llvm::Intrinsic::not_intrinsic)
        return ir_.CreateBinaryIntrinsic(intrinsic, a, b);
    switch (update_) {
    case AtomicOp::bit_and:
        return ir_.CreateAnd(a, b);
    case AtomicOp::bit_or:
        return ir_.CreateOr(a, b);
    case AtomicOp::bit_xor:
        return ir_.CreateXor(a, b);
    default:
        return ir_.CreateAdd(a, b);
    }
}

llvm::Value* AtomicReduction::total() {
    switch (update_) {
    case AtomicOp::umin:
        return ir_.CreateIntMinReduce(values_, false);
    case AtomicOp::umax:
        return ir_.CreateIntMaxReduce(values_, false);
    case AtomicOp::smin:
        return ir_.CreateIntMinReduce(values_, true);
    case AtomicOp::smax:
        return ir_.CreateIntMaxReduce(values_, true);
    case AtomicOp::bit_and:
        return ir_.CreateAndReduce(values_);
    case AtomicOp::bit_or:
        return ir_.CreateOrReduce(values_);
    case AtomicOp::bit_xor:
        return ir_.CreateXorReduce(values_);
    default:
        return ir_.CreateAddReduce(values_);
    }
}

// A prefix sum that leaves out the lane's own, in log2(lanes) steps.
llvm::Value* AtomicReduction::of_lanes_before() {
    const auto lanes = static_cast<int>(Translator::lanes_of(values_));
    Value* const nothing = llvm::ConstantInt::get(values_->getType(), identity());
    const auto shifted = [&](Value* values, int by) {
        llvm::SmallVector<int, 32> from;
        for (int lane = 0; lane < lanes; ++lane)
            from.push_back(lane < by ? lanes + lane : lane - by);
        return ir_.CreateShuffleVector(values, nothing, from);
    };
    Value* sums = shifted(values_, 1);
    for (int by = 1; by < lanes; by *= 2)
        sums = merged(sums, shifted(sums, by));
    return sums;
}

llvm::Value* AtomicReduction::results(Value* old) {
    auto* const type = values_->getType();
    Value* const olds = ir_.CreateVectorSplat(Translator::lanes_of(values_), old);
    Value* found = olds;
    switch (update_) {
    case AtomicOp::load:
        break;
    case AtomicOp::sub:
    case AtomicOp::dec:
        found = ir_.CreateSub(olds, of_lanes_before());
        break;
    case AtomicOp::predec: // the new value
        found = ir_.CreateSub(ir_.CreateSub(olds, of_lanes_before()), llvm::ConstantInt::get(type, 1));
        break;
    default:
        found = merged(olds, of_lanes_before());
    }
    return ir_.CreateSelect(on_, found, llvm::Constant::getNullValue(type));
}

} // namespace visor::jit
