// Range checks, the sandbox of compiled code: this class makes all of them, and every pointer from a number
// that a kernel can choose. Such a pointer carries a mark, a call that stands for it until memory intrinsics
// are lowered and that says which bytes around it were checked. The verifier (memory/access_verifier.h)
// refuses code with an access that has none, or that goes beyond it. No other file makes checks or marks.
// Numbers wrap as addresses do, and each check holds whatever its operands are (tests/jit/ir/bounds_test.cpp
// has their edges); the one assumption is that the window of a surface has at most 2 GiB, since the engine
// makes windows (engine/surface_windows.h).
#pragma once

#include "jit/engine/access_mark.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace visor::jit {

// Bytes from place + low up to place + end.
struct Span {
    int64_t low = 0;
    int64_t end = 0;
};

// The mark that a call is, if it is one; its pointer is the first argument.
struct Marked {
    Mark mark;
    Span span;
};
[[nodiscard]] std::optional<Marked> marked(const llvm::Value& value);
// Takes marks away: all, or those of one kind. How many there were.
size_t remove_marks(llvm::Module& module);
size_t remove_marks(llvm::Module& module, Mark kind);
// The kinds that there are, in the order of their names.
[[nodiscard]] std::vector<std::string> names_of_marks(const llvm::Module& module);

// Of an IRBuilder, where that stands. Sizes, distances and numbers of 64 bits are i64; `lanes` are vectors,
// or the number itself where there is one.
class Bounds {
public:
    using Value = llvm::Value;
    static constexpr uint64_t largest_window = uint64_t{1} << 31U; // bytes

    explicit Bounds(llvm::IRBuilder<>& ir) : ir_(ir) {}

    // ---- windows of `bytes` bytes; offsets after their mask

    // By lane: [offset, offset + end) is inside. Offsets of 32 bits.
    Value* lanes_in_window(Value* offsets, Value* bytes, uint64_t end);
    // i1: the span around a first offset (i64, extended by zeros, or what was added to that) is inside.
    Value* span_in_window(Value* first, Span span, Value* bytes);
    // By unit: of `count` units from an offset (i32) on.
    Value* units_in_window(Value* offset, uint32_t count, uint32_t unit, Value* bytes);
    // Whether spans around any number that `base` (i32) can be are inside, whatever the launch.
    [[nodiscard]] static bool always_in_window(const Value* base, Span span, const Value* bytes);
    // i1: as far as the offsets' known bits tell, all lanes' [offset, offset + end) are inside.
    Value* known_in_window(Value* offsets, uint64_t end, Value* bytes);
    // What is left of a window from `displacement` (i64) on: 0 where it ends before.
    Value* remaining_bytes(Value* bytes, Value* displacement);
    // i1: an offset of 64 bits is one that a window can have.
    Value* is_offset(Value* offset);
    // The last offset (i32) that `end` bytes may begin at; 0, and `fits` false, where there is none.
    struct Last {
        Value* fits; // i1
        Value* offset;
    };
    Last last_in_window(Value* bytes, uint64_t end);

    // ---- intervals: places, addresses or offsets of 64 bits, at which something may begin

    struct Interval {
        Value* low = nullptr; // null: 0
        Value* last = nullptr;
    };
    // i1: `lowest` and what lies `span` behind it are places of it. Both unsigned.
    Value* span_in(Interval interval, Value* lowest, Value* span);
    // i1: the places of all lanes that are on are.
    Value* lanes_in(Interval interval, Value* addresses, Value* on);
    // Without its last `bytes` (no negative number) places. `fits`: i1, whether it has so many.
    struct Shorter {
        Value* fits;
        Interval interval;
    };
    Shorter shorter(Interval interval, uint64_t bytes);
    // Of a window: where `end` bytes may begin.
    Shorter offsets_in_window(Value* bytes, uint64_t end);

    // Of places that are `start` + (index << shift): i1, whether there are any, and the largest index, as
    // i64; `as_index` makes it one of 32 bits, which no index that was extended by its sign passes.
    struct Indices {
        Value* any;
        Value* max_index;
    };
    Indices indices_in(Interval interval, Value* start, unsigned shift);
    Value* as_index(Value* max_index);
    // By lane, or of one: index <= most. `tighten`: and not above another one that dominates it.
    Value* index_in(Value* index, Value* max_index);
    llvm::ICmpInst* index_check(Value* index, Value* max_index);
    static void tighten(llvm::ICmpInst& check, Value* max_index) { check.setOperand(1, max_index); }
    // By lane: the index, or the largest one.
    Value* clamped(Value* index, Value* max_index);

    // ---- the register file: byte offsets in it, and the variables [begin, end) whose address is taken

    struct Variables {
        uint32_t begin = 0;
        uint32_t end = 0;
    };
    // By lane: `size` bytes at `offsets`, which are `addresses` and less than 2^30 (all of 32 bits).
    Value* lanes_in_registers(Value* addresses, Value* offsets, uint32_t size, Variables variables);
    // i1: `bytes` bytes from `address` (32 bits) + `offset` on.
    Value* bytes_in_registers(Value* address, int64_t offset, uint64_t bytes, Variables variables);

    // ---- pointers to what was checked

    // At an address, or a vector of them.
    Value* at(Mark mark, Value* addresses, Span span);
    // `index` (i64, or a vector) elements of `type` behind `base`; of bytes.
    Value* behind(Mark mark, Value* base, Value* index, llvm::Type* type, Span span);
    Value* behind(Mark mark, Value* base, Value* offset, Span span);
    // One that lies in an array of pointers on the stack.
    Value* kept(Mark mark, Value* pointers, Value* lane, Span span);
    // An element of an array on the stack; who calls this knows that the index (i64) is one of the array's.
    Value* element(Value* array, llvm::Type* type, Value* index);
    // Several: what `reached` holds, from element `index` on.
    Value* elements(Value* array, llvm::Type* reached, llvm::Type* type, Value* index);
    // Of an array that has `count` elements (i64): i1, whether `which` is one's index; the index, else 0.
    struct Index {
        Value* known;
        Value* index;
    };
    Index index_of(Value* which, Value* count);
    // Of a table of `count` entries of `bytes` bytes: number `number`, where `known` (i1); else the first
    // one, which there always is.
    struct Entry {
        Value* known;
        Value* pointer;
    };
    Entry entry(Value* table, Value* count, Value* number, uint64_t bytes);

private:
    Value* with_mark(Mark mark, Value* pointers, Span span);
    Value* number(uint64_t value) { return ir_.getInt64(value); }
    Value* like(Value* scalar, const Value* shape); // for each lane that `shape` has

    llvm::IRBuilder<>& ir_;
};

} // namespace visor::jit
