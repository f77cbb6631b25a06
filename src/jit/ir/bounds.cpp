#include "jit/ir/bounds.h"

#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/value_range.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr llvm::StringRef prefix = "checked."; // of marks' names; memory intrinsics have a different one

template <size_t count>
std::optional<size_t> index_of(const std::array<std::string_view, count>& names, std::string_view name) {
    for (size_t k = 0; k < count; ++k)
        if (names[k] == name)
            return k;
    return std::nullopt;
}

template <class Selected>
size_t remove_if(llvm::Module& module, const Selected& selected) {
    size_t count = 0;
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
        if (!function.isDeclaration() || !function.getName().starts_with(prefix))
            continue;
        for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
            auto* const call = llvm::cast<llvm::CallInst>(user);
            if (!selected(*call))
                continue;
            call->replaceAllUsesWith(call->getArgOperand(0));
            call->eraseFromParent();
            ++count;
        }
        if (function.use_empty())
            function.eraseFromParent();
    }
    return count;
}

} // namespace

std::optional<Marked> marked(const llvm::Value& value) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&value);
    const llvm::Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || !callee->getName().starts_with(prefix))
        return std::nullopt;
    const auto [guard_name, rest] = callee->getName().drop_front(prefix.size()).split('.');
    const auto guard = index_of(guard_names, std::string_view(guard_name));
    const auto use = index_of(use_names, std::string_view(rest.split('.').first));
    const auto* const low = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(1));
    const auto* const end = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
    if (!guard || !use || low == nullptr || end == nullptr)
        return std::nullopt;
    return Marked{{static_cast<Guard>(*guard), static_cast<Use>(*use)},
                  {low->getSExtValue(), end->getSExtValue()}};
}

size_t remove_marks(llvm::Module& module) {
    return remove_if(module, [](const llvm::CallInst&) { return true; });
}

size_t remove_marks(llvm::Module& module, Mark kind) {
    return remove_if(module, [&](const llvm::CallInst& call) {
        const auto found = marked(call);
        return found && found->mark == kind;
    });
}

std::vector<std::string> names_of_marks(const llvm::Module& module) {
    std::set<std::string> names; // marks of vectors have a length suffix
    for (const llvm::Function& function : module)
        for (const llvm::User* const user : function.users())
            if (const auto found = jit::marked(*user))
                names.insert(name_of(found->mark));
    return {names.begin(), names.end()};
}

// ---- windows

// No window exceeds 2 GiB: the difference fits 32 bits where the size check holds.
Value* Bounds::lanes_in_window(Value* offsets, Value* bytes, uint64_t end) {
    Value* const fits = ir_.CreateICmpUGE(bytes, number(end));
    Value* const last = ir_.CreateTrunc(ir_.CreateSub(bytes, number(end)), ir_.getInt32Ty());
    Value* const in = ir_.CreateICmpULE(offsets, like(last, offsets));
    return ir_.CreateAnd(in, like(fits, offsets));
}

// Signed comparison: the first offset (about 33 bits), the window and the span all stay below 62 bits.
Value* Bounds::span_in_window(Value* first, Span span, Value* bytes) {
    constexpr int64_t max_distance = int64_t{1} << 61U;
    if (span.low < -max_distance || span.end > max_distance)
        return ir_.getFalse();
    Value* const below =
        ir_.CreateICmpSLE(ir_.CreateAdd(first, number(static_cast<uint64_t>(span.end))), bytes);
    if (span.low >= 0)
        return below;
    return ir_.CreateAnd(below, ir_.CreateICmpSGE(first, number(static_cast<uint64_t>(-span.low))));
}

Value* Bounds::units_in_window(Value* offset, uint32_t count, uint32_t unit, Value* bytes) {
    std::vector<llvm::Constant*> ends;
    for (uint32_t k = 1; k <= count; ++k)
        ends.push_back(ir_.getInt64(uint64_t{k} * unit));
    Value* const wide = ir_.CreateZExt(offset, ir_.getInt64Ty());
    if (count == 1)
        return ir_.CreateICmpULE(ir_.CreateAdd(wide, ends[0]), bytes);
    Value* const first = ir_.CreateVectorSplat(count, wide);
    Value* const last = ir_.CreateAdd(first, llvm::ConstantVector::get(ends));
    return ir_.CreateICmpULE(last, ir_.CreateVectorSplat(count, bytes));
}

// Local ids and constants stay inside the memory of each group. The result stays below bit 28, which shared
// local memory masks, so that the mask has no effect.
bool Bounds::always_in_window(const Value* base, Span span, const Value* bytes) {
    constexpr uint64_t masked_bit = uint64_t{1} << 28U;
    const uint64_t largest = value_range(base).getUnsignedMax().getZExtValue();
    return span.low >= 0 && largest < masked_bit &&
           largest + static_cast<uint64_t>(span.end) <= value_range(bytes).getUnsignedMin().getZExtValue();
}

// Known bits cover scaled indices and bit fields.
Value* Bounds::known_in_window(Value* offsets, uint64_t end, Value* bytes) {
    const llvm::DataLayout& layout = ir_.GetInsertBlock()->getModule()->getDataLayout();
    const uint64_t largest = llvm::computeKnownBits(offsets, layout).getMaxValue().getZExtValue();
    if (largest > INT32_MAX)
        return ir_.getFalse();
    return ir_.CreateICmpULE(number(largest + end), bytes);
}

Value* Bounds::remaining_bytes(Value* bytes, Value* displacement) {
    return ir_.CreateSelect(ir_.CreateICmpUGE(bytes, displacement), ir_.CreateSub(bytes, displacement),
                            number(0));
}

Value* Bounds::is_offset(Value* offset) {
    return ir_.CreateICmpULE(offset, number(INT32_MAX));
}

Bounds::Last Bounds::last_in_window(Value* bytes, uint64_t end) {
    Value* const fits = ir_.CreateICmpUGE(bytes, number(end));
    Value* const last = ir_.CreateTrunc(ir_.CreateSub(bytes, number(end)), ir_.getInt32Ty());
    return {fits, ir_.CreateSelect(fits, last, ir_.getInt32(0))};
}

// ---- intervals

Value* Bounds::span_in(Interval interval, Value* lowest, Value* span) {
    Value* in = ir_.CreateICmpULE(lowest, interval.last);
    if (interval.low != nullptr)
        in = ir_.CreateAnd(ir_.CreateICmpUGE(lowest, interval.low), in);
    if (const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(span);
        known != nullptr && known->isZero())
        return in;
    return ir_.CreateAnd(in, ir_.CreateICmpUGE(ir_.CreateSub(interval.last, lowest), span));
}

Value* Bounds::lanes_in(Interval interval, Value* addresses, Value* on) {
    Value* in = ir_.CreateICmpULE(addresses, like(interval.last, addresses));
    if (interval.low != nullptr)
        in = ir_.CreateAnd(ir_.CreateICmpUGE(addresses, like(interval.low, addresses)), in);
    return every_on(ir_, in, on);
}

Bounds::Shorter Bounds::shorter(Interval interval, uint64_t bytes) {
    Value* const fits = ir_.CreateICmpUGE(interval.last, number(bytes));
    return {fits, {interval.low, ir_.CreateSub(interval.last, number(bytes))}};
}

Bounds::Shorter Bounds::offsets_in_window(Value* bytes, uint64_t end) {
    return shorter({.low = nullptr, .last = bytes}, end);
}

Bounds::Indices Bounds::indices_in(Interval interval, Value* start, unsigned shift) {
    Value* any = ir_.CreateICmpULE(start, interval.last);
    if (interval.low != nullptr)
        any = ir_.CreateAnd(ir_.CreateICmpUGE(start, interval.low), any);
    return {any, ir_.CreateLShr(ir_.CreateSub(interval.last, start), uint64_t{shift})};
}

Value* Bounds::as_index(Value* max_index) {
    return ir_.CreateTrunc(ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, max_index, number(INT32_MAX)),
                           ir_.getInt32Ty());
}

Value* Bounds::index_in(Value* index, Value* max_index) {
    return ir_.CreateICmpULE(index, like(max_index, index));
}

llvm::ICmpInst* Bounds::index_check(Value* index, Value* max_index) {
    return ir_.Insert(new llvm::ICmpInst(llvm::CmpInst::ICMP_ULE, index, max_index));
}

Value* Bounds::clamped(Value* index, Value* max_index) {
    return ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, like(max_index, index));
}

// ---- the register file

// The limit on addresses excludes a wrapped sum.
Value* Bounds::lanes_in_registers(Value* addresses, Value* offsets, uint32_t size, Variables variables) {
    const uint32_t bytes = variables.end - variables.begin;
    if (bytes < size)
        return llvm::Constant::getNullValue(addresses->getType()->getWithNewBitWidth(1));
    Value* const low = ir_.CreateICmpULT(addresses, like(ir_.getInt32(1U << 30U), addresses));
    Value* const distance = ir_.CreateSub(offsets, like(ir_.getInt32(variables.begin), offsets));
    return ir_.CreateAnd(low, ir_.CreateICmpULE(distance, like(ir_.getInt32(bytes - size), offsets)));
}

Value* Bounds::bytes_in_registers(Value* address, int64_t offset, uint64_t bytes, Variables variables) {
    const uint64_t size = variables.end - variables.begin;
    if (bytes > size)
        return ir_.getFalse();
    Value* const at = ir_.CreateAdd(ir_.CreateZExt(address, ir_.getInt64Ty()),
                                    number(static_cast<uint64_t>(offset - variables.begin)));
    return ir_.CreateICmpULE(at, number(size - bytes)); // negative values wrap to large ones
}

// ---- pointers

Value* Bounds::at(Mark mark, Value* addresses, Span span) {
    return with_mark(
        mark, ir_.CreateIntToPtr(addresses, addresses->getType()->getWithNewType(ir_.getPtrTy())), span);
}

Value* Bounds::behind(Mark mark, Value* base, Value* index, llvm::Type* type, Span span) {
    return with_mark(mark, ir_.CreateGEP(type, base, index), span);
}

Value* Bounds::behind(Mark mark, Value* base, Value* offset, Span span) {
    return behind(mark, base, offset, ir_.getInt8Ty(), span);
}

Value* Bounds::kept(Mark mark, Value* pointers, Value* lane, Span span) {
    return with_mark(mark, ir_.CreateLoad(ir_.getPtrTy(), element(pointers, ir_.getPtrTy(), lane)), span);
}

Value* Bounds::element(Value* array, llvm::Type* type, Value* index) {
    return elements(array, type, type, index);
}

Value* Bounds::elements(Value* array, llvm::Type* reached, llvm::Type* type, Value* index) {
    const llvm::DataLayout& layout = ir_.GetInsertBlock()->getModule()->getDataLayout();
    const auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(reached).getFixedValue());
    return behind({Guard::stack, Use::unit}, array, index, type, {0, bytes});
}

Bounds::Index Bounds::index_of(Value* which, Value* count) {
    Value* const known = ir_.CreateICmpULT(which, count);
    return {known, ir_.CreateSelect(known, which, number(0))};
}

Bounds::Entry Bounds::entry(Value* table, Value* count, Value* which, uint64_t bytes) {
    const Index own = index_of(which, count);
    Value* const offset = ir_.CreateMul(own.index, number(bytes));
    return {own.known, behind({Guard::windows, Use::unit}, table, offset, {0, static_cast<int64_t>(bytes)})};
}

Value* Bounds::like(Value* scalar, const Value* shape) {
    const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(shape->getType());
    return type == nullptr ? scalar : ir_.CreateVectorSplat(type->getNumElements(), scalar);
}

// `returned`: LLVM's pointer provenance queries look through the call.
Value* Bounds::with_mark(Mark mark, Value* pointers, Span span) {
    llvm::Module& module = *ir_.GetInsertBlock()->getModule();
    const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(pointers->getType());
    std::string name = prefix.str() + name_of(mark);
    if (vector != nullptr)
        name += fmt::format(".{}", vector->getNumElements());
    llvm::Function* callee = module.getFunction(name);
    if (callee == nullptr) {
        auto* const type = llvm::FunctionType::get(
            pointers->getType(), {pointers->getType(), ir_.getInt64Ty(), ir_.getInt64Ty()}, false);
        callee = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
        callee->setDoesNotAccessMemory();
        callee->setDoesNotThrow();
        callee->setWillReturn();
        callee->addParamAttr(0, llvm::Attribute::Returned);
    }
    return ir_.CreateCall(
        callee, {pointers, number(static_cast<uint64_t>(span.low)), number(static_cast<uint64_t>(span.end))});
}

} // namespace visor::jit
