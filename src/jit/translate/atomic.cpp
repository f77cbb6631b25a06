#include "jit/translate/atomic.h"

#include "isa/codec.h"
#include "isa/opcode.h"
#include "isa/operand_order.h"
#include "jit/translate/atomic_ops.h"
#include "jit/translate/atomic_reduction.h"
#include "jit/translate/atomic_runtime.h"

namespace visor::jit {

namespace {

using llvm::Value;

namespace opcode = isa::opcode;
namespace svm_field = isa::operand_order::svm_atomic;
namespace dword_field = isa::operand_order::dword_atomic;

class Lowering {
public:
    Lowering(Translator& translator, const PreparedInstruction& instruction, const AtomicMessage& message)
        : translator_(translator), ir_(translator.ir()), messages_(translator, instruction),
          message_(message), update_(translator, message.update, message.bits, message.bfloat),
          lanes_(instruction.execution.size), mask_(translator.enabled(instruction)) {}

    void in_surface(const SurfaceWindow& window, Value* offsets) {
        if (window.scratch)
            translator_.mark_reads_scratch();
        Value* const on = translator_.lanes_on(mask_, lanes_);
        messages_.with_watch_guard(
            Messages::MessageKind::update, &window, offsets, on, message_.bits / 8, [&] {
                if (translator_.options().brief)
                    return called(&window, offsets);
                translator_.guarded(messages_.aligned(offsets, message_.bits / 8, on), [&] {
                    const bool is_short = window.local && lanes_ > 1 && !is_real(message_.update);
                    finish(is_short ? unrolled_or_loop(window, offsets, on)
                                    : reduced_or_loop(&window, offsets, inside(window, offsets, on)));
                });
            });
    }

    void flat(Value* addresses) {
        Value* const on = translator_.lanes_on(mask_, lanes_);
        messages_.with_range_check(addresses, on, 0, message_.bits / 8, [&] {
            if (translator_.options().brief)
                return called(nullptr, addresses);
            translator_.guarded(messages_.aligned(addresses, message_.bits / 8, on),
                                [&] { finish(reduced_or_loop(nullptr, addresses, on)); });
        });
    }

private:
    // One call for all lanes; if it returns false, an interpreter fallback.
    void called(const SurfaceWindow* window, Value* addresses) {
        const bool has_result = message_.result != nullptr && !message_.result->null;
        const auto [done, results] =
            call_atomic(translator_, messages_,
                        {.update = message_.update,
                         .bits = message_.bits,
                         .bfloat = message_.bfloat,
                         .window = window,
                         .lanes = lanes_,
                         .has_result = has_result,
                         .addresses = addresses,
                         .first = has_first(message_.update) ? datum_of(message_.first) : nullptr,
                         .second = has_second(message_.update) ? datum_of(message_.second) : nullptr,
                         .on = mask_.bits});
        auto* const type = translator_.vector(ir_.getIntNTy(message_.bits), lanes_);
        translator_.guarded(done, [&] {
            if (has_result)
                finish(ir_.CreateLoad(type, results));
        });
    }

    Value* inside(const SurfaceWindow& window, Value* offsets, Value* on) {
        return ir_.CreateAnd(on, messages_.inside(window, offsets, message_.bits / 8));
    }

    // A loop over the lanes in ascending order. Returns the results; zero for lanes that are inactive or out
    // of bounds.
    Value* loop(Value* pointers, Value* on, Guard guard) {
        auto* const datum = ir_.getIntNTy(message_.bits);
        auto* const vector = llvm::FixedVectorType::get(datum, lanes_);
        Bounds& bounds = messages_.bounds();
        Value* const lane_pointers = translator_.entry_alloca(pointers->getType());
        Value* const firsts = translator_.entry_alloca(vector);
        Value* const seconds = translator_.entry_alloca(vector);
        Value* const results = translator_.entry_alloca(vector);
        ir_.CreateStore(pointers, lane_pointers);
        ir_.CreateStore(source(message_.first), firsts);
        ir_.CreateStore(source(message_.second), seconds);
        ir_.CreateStore(llvm::Constant::getNullValue(vector), results);
        translator_.each_lane_on(on, [&](Value* lane) {
            Value* const at = bounds.kept({guard, Use::atomic}, lane_pointers, lane, span());
            Value* const first = ir_.CreateLoad(datum, bounds.element(firsts, datum, lane));
            Value* const second = ir_.CreateLoad(datum, bounds.element(seconds, datum, lane));
            Value* const result =
                guard == Guard::local ? update_.plain(at, first, second) : update_.atomic(at, first, second);
            ir_.CreateStore(result, bounds.element(results, datum, lane));
        });
        return ir_.CreateLoad(vector, results);
    }

    // One update where several lanes are active and all of them have one address; else a loop.
    // `window`: null for flat addresses.
    Value* reduced_or_loop(const SurfaceWindow* window, Value* addresses, Value* on) {
        const Guard guard = window == nullptr ? Guard::flat : window->guard();
        Value* const pointers = messages_.pointers(window == nullptr ? nullptr : window->data, addresses);
        if (lanes_ == 1 || !AtomicReduction::is_possible(message_.update))
            return loop(pointers, on, guard);
        llvm::BasicBlock* const reduces = translator_.block("reduces");
        llvm::BasicBlock* const separate = translator_.block("separate");
        llvm::BasicBlock* const done = translator_.block("done");
        const auto [hit, address] = one_place(addresses, on);
        ir_.CreateCondBr(hit, reduces, separate);
        translator_.begin(reduces);
        Value* const of_one = reduced(window, address, on);
        ir_.CreateBr(done);
        translator_.begin(separate);
        Value* const of_each = loop(pointers, on, guard);
        llvm::BasicBlock* const separate_end = ir_.GetInsertBlock();
        ir_.CreateBr(done);
        translator_.begin(done);
        llvm::PHINode* const results = ir_.CreatePHI(of_each->getType(), 2);
        results->addIncoming(of_one, reduces);
        results->addIncoming(of_each, separate_end);
        return results;
    }

    // Whether several lanes are active and have one address (i1), and the first one's address; any lane's
    // where none is active.
    struct Place {
        Value* hit;
        Value* address;
    };
    Place one_place(Value* addresses, Value* on) {
        Value* const bits = translator_.bits_of(on);
        const auto number = [&](uint64_t value) { return llvm::ConstantInt::get(bits->getType(), value); };
        Value* const first = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, ir_.getFalse());
        Value* const address = ir_.CreateExtractElement(addresses, ir_.CreateAnd(first, number(lanes_ - 1)));
        Value* const same = ir_.CreateICmpEQ(addresses, ir_.CreateVectorSplat(lanes_, address));
        Value* const others = ir_.CreateAnd(bits, ir_.CreateSub(bits, number(1)));
        return {ir_.CreateAnd(ir_.CreateICmpNE(others, number(0)),
                              translator_.every(ir_.CreateOr(same, ir_.CreateNot(on)))),
                address};
    }

    Value* reduced(const SurfaceWindow* window, Value* address, Value* on) {
        AtomicReduction reduction(translator_, message_.update, message_.bits, source(message_.first), on);
        auto* const datum = ir_.getIntNTy(message_.bits);
        Bounds& bounds = messages_.bounds();
        Value* const at = window == nullptr
                              ? bounds.at({Guard::flat, Use::atomic}, address, span())
                              : bounds.behind({window->guard(), Use::atomic}, window->data,
                                              ir_.CreateZExt(address, ir_.getInt64Ty()), span());
        LaneAtomicOp whole(translator_, reduction.update(), message_.bits, false);
        Value* const old = whole.atomic(at, reduction.total(), llvm::ConstantInt::get(datum, 0));
        const bool has_result = message_.result != nullptr && !message_.result->null;
        return has_result ? reduction.results(old)
                          : llvm::Constant::getNullValue(llvm::FixedVectorType::get(datum, lanes_));
    }

    // Short updates are unrolled over the lanes, where all lanes are active and in bounds; else a loop.
    Value* unrolled_or_loop(const SurfaceWindow& window, Value* offsets, Value* on) {
        llvm::BasicBlock* const check_lanes = translator_.block("check_lanes");
        llvm::BasicBlock* const unrolled = translator_.block("unrolled");
        llvm::BasicBlock* const some = translator_.block("some");
        llvm::BasicBlock* const done = translator_.block("done");
        Value* const in_extent = create_extent_check(ir_, offsets, window.bytes, message_.bits / 8);
        ir_.CreateCondBr(ir_.CreateAnd(translator_.every(on), in_extent), unrolled, check_lanes);
        translator_.begin(check_lanes);
        Value* const in = inside(window, offsets, on);
        ir_.CreateCondBr(translator_.every(in), unrolled, some);
        translator_.begin(unrolled);
        Value* const of_all = each(window.data, offsets);
        ir_.CreateBr(done);
        translator_.begin(some);
        Value* const of_some = loop(messages_.pointers(window.data, offsets), in, Guard::local);
        llvm::BasicBlock* const some_end = ir_.GetInsertBlock();
        ir_.CreateBr(done);
        translator_.begin(done);
        llvm::PHINode* const results = ir_.CreatePHI(of_all->getType(), 2);
        results->addIncoming(of_all, unrolled);
        results->addIncoming(of_some, some_end);
        return results;
    }

    // Extracts two offsets at a time: extracts that go through the stack stall on store forwarding.
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
            Value* const at = messages_.bounds().behind({Guard::local, Use::atomic}, data, offset, span());
            Value* const result = update_.plain(at, ir_.CreateExtractElement(firsts, lane),
                                                ir_.CreateExtractElement(seconds, lane));
            results = ir_.CreateInsertElement(results, result, lane);
        }
        return results;
    }

    void finish(Value* results) {
        if (message_.result == nullptr)
            return;
        auto* const slots = translator_.vector(ir_.getIntNTy(message_.slot_bits()), lanes_);
        translator_.store_raw(*message_.result, 0, ir_.CreateZExt(messages_.as_lanes(results), slots), mask_);
    }

    [[nodiscard]] Span span() const { return {0, message_.bits / 8}; }
    Value* source(const PreparedOperand* operand) { return messages_.as_vector(datum_of(operand)); }
    // Per lane; a scalar for one lane.
    Value* datum_of(const PreparedOperand* operand) {
        auto* const datum = translator_.vector(ir_.getIntNTy(message_.bits), lanes_);
        if (operand == nullptr)
            return llvm::Constant::getNullValue(datum);
        return ir_.CreateTrunc(translator_.load_raw(*operand, 0, message_.slot_bits(), lanes_), datum);
    }

    Translator& translator_;
    llvm::IRBuilder<>& ir_;
    Messages messages_;
    const AtomicMessage& message_;
    LaneAtomicOp update_;
    uint32_t lanes_;
    Mask mask_;
};

} // namespace

std::optional<AtomicOp> atomic_op_of_code(uint64_t code) {
    const auto op = isa::atomic_op(code);
    if (!op)
        return std::nullopt;
    switch (*op) {
    case isa::AtomicOp::add:
        return AtomicOp::add;
    case isa::AtomicOp::sub:
        return AtomicOp::sub;
    case isa::AtomicOp::inc:
        return AtomicOp::inc;
    case isa::AtomicOp::dec:
        return AtomicOp::dec;
    case isa::AtomicOp::umin:
        return AtomicOp::umin;
    case isa::AtomicOp::umax:
        return AtomicOp::umax;
    case isa::AtomicOp::xchg:
        return AtomicOp::exchange;
    case isa::AtomicOp::cmpxchg:
        return AtomicOp::compare_exchange;
    case isa::AtomicOp::bit_and:
        return AtomicOp::bit_and;
    case isa::AtomicOp::bit_or:
        return AtomicOp::bit_or;
    case isa::AtomicOp::bit_xor:
        return AtomicOp::bit_xor;
    case isa::AtomicOp::smin:
        return AtomicOp::smin;
    case isa::AtomicOp::smax:
        return AtomicOp::smax;
    case isa::AtomicOp::predec:
        return AtomicOp::predec;
    case isa::AtomicOp::fmax:
        return AtomicOp::fmax;
    case isa::AtomicOp::fmin:
        return AtomicOp::fmin;
    case isa::AtomicOp::fcmpwr:
        return AtomicOp::fcompare_exchange;
    case isa::AtomicOp::fadd:
        return AtomicOp::fadd;
    case isa::AtomicOp::fsub:
        return AtomicOp::fsub;
    }
    return std::nullopt;
}

bool can_lower(const Translator& translator, const AtomicMessage& message) {
    const bool is_half = message.bits == 16 && !message.bfloat;
    const bool adds = message.update == AtomicOp::fadd || message.update == AtomicOp::fsub;
    return !is_half || !adds || translator.options().half_convert;
}

bool lower_atomic(Translator& translator, const PreparedInstruction& instruction, const SurfaceWindow& window,
                  Value* offsets, const AtomicMessage& message) {
    Lowering(translator, instruction, message).in_surface(window, offsets);
    return true;
}

bool lower_atomic(Translator& translator, const PreparedInstruction& instruction, Value* addresses,
                  const AtomicMessage& message) {
    Lowering(translator, instruction, message).flat(addresses);
    return true;
}

bool lowering::atomic(Translator& translator, const PreparedInstruction& instruction) {
    const uint8_t code = instruction.row->opcode;
    const bool is_flat = code == opcode::svm;
    if (!is_flat && code != opcode::dword_atomic)
        return false;
    const uint64_t op =
        translator.literal(instruction, is_flat ? size_t{svm_field::op} : size_t{dword_field::op});
    const uint64_t width = op >> 5U; // 0, 1, 2 = 32, 16, 64 bits
    const auto update = atomic_op_of_code(op & 0x1fU);
    if (!update || width > 2)
        return false;
    const uint32_t lanes = instruction.execution.size;
    const size_t src0 = is_flat ? size_t{svm_field::src0} : size_t{dword_field::src0};
    Messages messages(translator, instruction);
    const AtomicMessage message{.update = *update,
                                .bits = width == 2   ? 64U
                                        : width == 1 ? 16U
                                                     : 32U,
                                .first = &translator.operand(instruction, src0),
                                .second = &translator.operand(instruction, src0 + 1),
                                .result = &translator.operand(instruction, src0 + 2)};
    if (!messages.has_bytes(src0 - 1, lanes * (is_flat ? 8 : 4)))
        return false;
    for (size_t k = src0; k < src0 + 3; ++k)
        if (!messages.has_bytes(k, lanes * message.slot_bits() / 8))
            return false;
    if (!can_lower(translator, message))
        return false;
    const PreparedOperand& addresses = translator.operand(instruction, src0 - 1);
    if (is_flat)
        return lower_atomic(translator, instruction, translator.load_raw(addresses, 0, 64, lanes), message);
    const PreparedOperand& surface = translator.operand(instruction, dword_field::surface);
    return messages.in_surface(surface, [&](const SurfaceWindow& window) {
        Value* const offsets = messages.masked_offsets(window, translator.load_raw(addresses, 0, 32, lanes));
        return lower_atomic(translator, instruction, window, offsets, message);
    });
}

} // namespace visor::jit
