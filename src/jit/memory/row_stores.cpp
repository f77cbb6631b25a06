#include "jit/memory/row_stores.h"

#include <algorithm>
#include <vector>

namespace visor::jit {

namespace {

using llvm::Value;

// Bytes [begin, begin + bytes), modulo 2^64.
struct Extent {
    Value* begin = nullptr;
    Value* bytes = nullptr;
};

class Comparison {
public:
    Comparison(llvm::IRBuilder<>& ir, const LaneRow& row, const BufferedLines& lines, const RowStore& store)
        : ir_(ir), row_(row), lines_(lines), store_(*store.store), check_(store.check), form_(store.form) {}

    Value* leaves_lines() {
        Value* leaves = ir_.getFalse();
        if (!same_surface()) {
            const auto [begin, bytes] = memory_of(ir_, store_, check_);
            leaves = apart({lines_.memory, lines_.memory_bytes}, {begin, bytes});
        }
        if (!form_ || !row_.form || (!same_surface() && check_ == nullptr))
            return leaves;
        Value* const first = first_of_store();
        Value* by_form = writes_elsewhere(first);
        if (form_->steps == row_.form->steps && lanes_are_far())
            by_form = ir_.CreateOr(by_form, writes_what_was_used(first));
        return ir_.CreateOr(leaves, ir_.CreateAnd(by_form, conditions_of(ir_, *form_)));
    }

private:
    Value* number(int64_t value) { return ir_.getInt64(static_cast<uint64_t>(value)); }
    [[nodiscard]] int64_t unit() const { return store_.unit_bits() / 8; }
    [[nodiscard]] bool same_surface() const {
        return check_ == nullptr && row_.check == nullptr && store_.data() == row_.load->data();
    }

    // The host's address of the store's lane 0.
    Value* first_of_store() {
        Value* const offset =
            ir_.CreateAdd(ir_.CreateZExt(form_->base, ir_.getInt64Ty()), number(store_.displacement()));
        return check_ != nullptr ? offset
                                 : ir_.CreateAdd(offset, ir_.CreatePtrToInt(store_.data(), ir_.getInt64Ty()));
    }

    Value* apart(const Extent& one, const Extent& other) {
        return ir_.CreateAnd(ir_.CreateICmpUGE(ir_.CreateSub(other.begin, one.begin), one.bytes),
                             ir_.CreateICmpUGE(ir_.CreateSub(one.begin, other.begin), other.bytes));
    }

    // All that lies between the store's lanes counts as written, all between the rows' lines as loaded.
    Value* writes_elsewhere(Value* first) {
        const LaneAffine::Form& row = *row_.form;
        const int64_t bytes = form_->highest() - form_->lowest() + unit();
        const Extent written{ir_.CreateAdd(first, number(form_->lowest())), number(bytes)};
        const Extent loaded{ir_.CreateAdd(lines_.first, number(row.lowest())),
                            number(row.highest() - row.lowest() + line_bytes)};
        Value* const elsewhere = apart(loaded, written);
        if (check_ != nullptr)
            return elsewhere;
        constexpr int64_t offsets = int64_t{1} << 32U;
        Value* const lowest =
            ir_.CreateAdd(ir_.CreateZExt(form_->base, ir_.getInt64Ty()), number(form_->lowest()));
        Value* const in_order = ir_.CreateICmpULE(lowest, number(std::max<int64_t>(offsets - bytes, 0)));
        return ir_.CreateAnd(elsewhere, in_order);
    }

    // No lane's store at most a line before its own row's next unit reaches another lane's line.
    [[nodiscard]] bool lanes_are_far() const {
        std::vector<int64_t> steps = row_.form->steps;
        std::ranges::sort(steps);
        for (size_t k = 1; k < steps.size(); ++k)
            if (steps[k] - steps[k - 1] < 3 * line_bytes)
                return false;
        return true;
    }

    Value* writes_what_was_used(Value* first) {
        Value* const ahead =
            ir_.CreateSub(first, ir_.CreateAdd(lines_.first, lines_.used)); // below 0: behind
        return ir_.CreateICmpULE(ir_.CreateAdd(ahead, number(line_bytes)), number(line_bytes - unit()));
    }

    llvm::IRBuilder<>& ir_;
    const LaneRow& row_;
    const BufferedLines& lines_;
    const MemStore& store_;
    const RangeCheck* check_;
    const std::optional<LaneAffine::Form>& form_;
};

} // namespace

std::pair<Value*, Value*> memory_of(llvm::IRBuilder<>& ir, const MemAccess& access, const RangeCheck* check) {
    if (check == nullptr)
        return {ir.CreatePtrToInt(access.data(), ir.getInt64Ty()), access.window_bytes()};
    return {check->low(),
            ir.CreateAdd(ir.CreateSub(check->last(), check->low()), ir.getInt64(check->bytes()))};
}

Value* leaves_lines(llvm::IRBuilder<>& ir, const LaneRow& row, const BufferedLines& lines,
                    const RowStore& store) {
    return Comparison(ir, row, lines, store).leaves_lines();
}

} // namespace visor::jit
