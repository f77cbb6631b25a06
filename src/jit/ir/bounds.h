// Range checks, the sandbox of compiled code: this class emits all of them, and every pointer from a number
// that a kernel can choose. A call, the mark, stands for such a pointer until memory intrinsics are lowered.
// It names the bytes around the pointer that were checked. The verifier (memory/access_verifier.h) rejects
// unmarked accesses and accesses beyond their mark. No other file emits checks or marks. Arithmetic wraps as
// addresses do, and each check holds for all operands (tests/jit/ir/bounds_test.cpp has the edge cases). The
// only assumption: a surface's window has at most 2 GiB, as the engine guarantees (engine/surface_windows.h).
#pragma once

#include "jit/engine/access_mark.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace visor::jit {

// Bytes [address + low, address + end).
struct Span {
    int64_t low = 0;
    int64_t end = 0;
};

// The mark that a call represents, if any; its pointer is the first argument.
struct Marked {
    Mark mark;
    Span span;
};
[[nodiscard]] std::optional<Marked> marked(const llvm::Value& value);
// Replaces marks by their pointers: all, or those of one kind. Returns their number.
size_t remove_marks(llvm::Module& module);
size_t remove_marks(llvm::Module& module, Mark kind);
// The kinds in use, sorted by name.
[[nodiscard]] std::vector<std::string> names_of_marks(const llvm::Module& module);

// Emits at the IRBuilder's insertion point. Sizes, distances and 64-bit numbers are i64; `lanes` are vectors,
// or scalars for one lane.
class Bounds {
public:
    using Value = llvm::Value;
    static constexpr uint64_t largest_window = uint64_t{1} << 31U; // bytes

    explicit Bounds(llvm::IRBuilder<>& ir) : ir_(ir) {}

    // ---- windows of `bytes` bytes; offsets after their mask

    // Per lane: [offset, offset + end) is inside. 32-bit offsets.
    Value* lanes_in_window(Value* offsets, Value* bytes, uint64_t end);
    // i1: the span around a first offset (i64, zero-extended, or derived from such) is inside.
    Value* span_in_window(Value* first, Span span, Value* bytes);
    // Per unit: `count` units from an offset (i32) on are inside.
    Value* units_in_window(Value* offset, uint32_t count, uint32_t unit, Value* bytes);
    // True if spans around every possible value of `base` (i32) are inside in every launch.
    [[nodiscard]] static bool always_in_window(const Value* base, Span span, const Value* bytes);
    // i1: by the offsets' known bits, [offset, offset + end) is inside for all lanes.
    Value* known_in_window(Value* offsets, uint64_t end, Value* bytes);
    // Bytes of a window from `displacement` (i64) on; 0 where the window ends earlier.
    Value* remaining_bytes(Value* bytes, Value* displacement);
    // i1: a 64-bit offset is valid in some window.
    Value* is_offset(Value* offset);
    // The last offset (i32) at which `end` bytes fit; 0, and `fits` false, where none exists.
    struct Last {
        Value* fits; // i1
        Value* offset;
    };
    Last last_in_window(Value* bytes, uint64_t end);

    // ---- intervals of 64-bit addresses or offsets

    struct Interval {
        Value* low = nullptr; // null: 0
        Value* last = nullptr;
    };
    // i1: [lowest, lowest + span] lies in the interval. Both unsigned.
    Value* span_in(Interval interval, Value* lowest, Value* span);
    // i1: the addresses of all active lanes lie in the interval.
    Value* lanes_in(Interval interval, Value* addresses, Value* on);
    // The interval shortened by `bytes` (not negative) at its end. `fits`: i1, whether it is long enough.
    struct Shorter {
        Value* fits;
        Interval interval;
    };
    Shorter shorter(Interval interval, uint64_t bytes);
    // The offsets of a window at which `end` bytes fit.
    Shorter offsets_in_window(Value* bytes, uint64_t end);

    // For addresses `start` + (index << shift): i1, whether any is inside, and the largest index (i64).
    // `as_index` clamps it to 32 bits; sign-extended indices never exceed it.
    struct Indices {
        Value* any;
        Value* max_index;
    };
    Indices indices_in(Interval interval, Value* start, unsigned shift);
    Value* as_index(Value* max_index);
    // Per lane, or scalar: index <= max_index. `tighten` replaces the limit by a smaller one that dominates
    // the check.
    Value* index_in(Value* index, Value* max_index);
    llvm::ICmpInst* index_check(Value* index, Value* max_index);
    static void tighten(llvm::ICmpInst& check, Value* max_index) { check.setOperand(1, max_index); }
    // Per lane: the smaller of index and limit.
    Value* clamped(Value* index, Value* max_index);

    // ---- the register file: byte offsets, and the variables [begin, end) whose address is taken

    struct Variables {
        uint32_t begin = 0;
        uint32_t end = 0;
    };
    // Per lane: `size` bytes at `offsets`, which equal `addresses` and are less than 2^30 (all 32-bit).
    Value* lanes_in_registers(Value* addresses, Value* offsets, uint32_t size, Variables variables);
    // i1: `bytes` bytes from `address` (i32) + `offset` on.
    Value* bytes_in_registers(Value* address, int64_t offset, uint64_t bytes, Variables variables);

    // ---- marked pointers

    // From an address, or a vector of addresses.
    Value* at(Mark mark, Value* addresses, Span span);
    // `base` plus `index` (i64, or a vector) elements of `type`; the second form counts bytes.
    Value* behind(Mark mark, Value* base, Value* index, llvm::Type* type, Span span);
    Value* behind(Mark mark, Value* base, Value* offset, Span span);
    // Loaded from an array of pointers on the stack.
    Value* kept(Mark mark, Value* pointers, Value* lane, Span span);
    // An element of an array on the stack; the caller guarantees that the index (i64) is inside.
    Value* element(Value* array, llvm::Type* type, Value* index);
    // A value of type `reached`, from element `index` on.
    Value* elements(Value* array, llvm::Type* reached, llvm::Type* type, Value* index);
    // For an array of `count` elements (i64): i1, whether `which` is a valid index; the index, else 0.
    struct Index {
        Value* known;
        Value* index;
    };
    Index index_of(Value* which, Value* count);
    // Entry `number` of a table of `count` entries of `bytes` bytes, where `known` (i1); else the first one,
    // which always exists.
    struct Entry {
        Value* known;
        Value* pointer;
    };
    Entry entry(Value* table, Value* count, Value* number, uint64_t bytes);

private:
    Value* with_mark(Mark mark, Value* pointers, Span span);
    Value* number(uint64_t value) { return ir_.getInt64(value); }
    Value* like(Value* scalar, const Value* shape); // splat to the lanes of `shape`

    llvm::IRBuilder<>& ir_;
};

} // namespace visor::jit
