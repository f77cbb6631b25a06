// Every range check at its edge cases. IRBuilder folds a check of constants to its result, which is compared
// with 128-bit arithmetic on the host.
#include "jit/ir/bounds.h"

#include "jit/ir/memory_intrinsics.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace visor::jit {
namespace {

__extension__ typedef __int128 Wide; // a keyword that only `typedef` lets through -Wpedantic
using llvm::Value;

constexpr uint64_t two31 = uint64_t{1} << 31U;
constexpr uint64_t two32 = uint64_t{1} << 32U;
constexpr uint64_t two63 = uint64_t{1} << 63U;

// Each number with its neighbors.
std::vector<uint64_t> around(const std::vector<uint64_t>& centers) {
    std::set<uint64_t> all;
    for (const uint64_t center : centers)
        for (const uint64_t step : {0U, 1U, 3U, 4U, 8U, 64U})
            all.insert({center - step, center + step});
    return {all.begin(), all.end()};
}

class BoundsTest : public testing::Test {
protected:
    BoundsTest() {
        auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_), false);
        auto* const function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module_);
        ir_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function));
    }

    Value* qword(uint64_t value) { return ir_.getInt64(value); }
    Value* dword(uint64_t value) { return ir_.getInt32(static_cast<uint32_t>(value)); }
    Value* lanes(const std::vector<uint64_t>& values, unsigned bits) {
        std::vector<llvm::Constant*> all;
        for (const uint64_t value : values)
            all.push_back(llvm::ConstantInt::get(ir_.getIntNTy(bits), value));
        return llvm::ConstantVector::get(all);
    }
    // IRBuilder does not fold intrinsics and their users.
    const llvm::Constant* folded(const Value* value) {
        if (const auto* const known = llvm::dyn_cast<llvm::Constant>(value))
            return llvm::ConstantFoldConstant(known, module_.getDataLayout());
        const auto* const code = llvm::cast<llvm::Instruction>(value);
        llvm::SmallVector<llvm::Constant*> operands;
        for (const Value* const operand : code->operands())
            operands.push_back(const_cast<llvm::Constant*>(folded(operand)));
        const llvm::Constant* const known = llvm::ConstantFoldInstOperands(
            const_cast<llvm::Instruction*>(code), operands, module_.getDataLayout());
        EXPECT_NE(known, nullptr) << "not folded";
        return known;
    }
    // Of an i1, or of an element of a vector of them.
    bool holds(const Value* answer) { return folded(answer)->isOneValue(); }
    bool holds(const Value* answer, unsigned lane) {
        return folded(answer)->getAggregateElement(lane)->isOneValue();
    }
    uint64_t number(const Value* answer) {
        return llvm::cast<llvm::ConstantInt>(folded(answer))->getZExtValue();
    }

    llvm::LLVMContext context_;
    llvm::Module module_{"bounds", context_};
    llvm::IRBuilder<> ir_{context_};
    Bounds bounds_{ir_};
    // What a surface's offset, a window's size and a span's end can be.
    const std::vector<uint64_t> offsets_ = [] {
        std::vector<uint64_t> all;
        for (const uint64_t offset : around({0, 100, 4096, two31, two32 - 64}))
            if (offset < two32)
                all.push_back(offset);
        return all;
    }();
    const std::vector<uint64_t> sizes_{0, 1, 3, 4, 63, 64, 100, 4095, 4096, two31 - 1, two31};
    const std::vector<uint64_t> ends_{1, 2, 4, 8, 64, 100, 4096, 4100};
};

TEST_F(BoundsTest, LanesInWindow) {
    for (const uint64_t size : sizes_)
        for (const uint64_t end : ends_)
            for (const uint64_t offset : offsets_) {
                const bool inside = Wide{offset} + end <= size;
                EXPECT_EQ(holds(bounds_.lanes_in_window(dword(offset), qword(size), end)), inside)
                    << offset << ' ' << end << ' ' << size;
                const Value* const both =
                    bounds_.lanes_in_window(lanes({offset, two32 - 1}, 32), qword(size), end);
                EXPECT_EQ(holds(both, 0), inside) << offset << ' ' << end << ' ' << size;
                EXPECT_FALSE(holds(both, 1)) << end << ' ' << size;
            }
}

TEST_F(BoundsTest, SpanInWindow) {
    const std::vector<int64_t> lows{0, 4, -4, -64, -4096, -static_cast<int64_t>(two32), INT64_MIN};
    const std::vector<int64_t> ends{
        4, 68, 4096, static_cast<int64_t>(two31), static_cast<int64_t>(two32), INT64_MAX};
    for (const uint64_t size : sizes_)
        for (const int64_t low : lows)
            for (const int64_t end : ends)
                for (const uint64_t offset : offsets_) {
                    const bool inside = Wide{offset} + low >= 0 && Wide{offset} + end <= size;
                    const bool said = holds(bounds_.span_in_window(qword(offset), {low, end}, qword(size)));
                    EXPECT_FALSE(said && !inside) << offset << ' ' << low << ' ' << end << ' ' << size;
                    if (low > INT64_MIN && end < INT64_MAX) {
                        EXPECT_EQ(said, inside) << offset << ' ' << low << ' ' << end << ' ' << size;
                    }
                }
}

TEST_F(BoundsTest, UnitsInWindow) {
    for (const uint64_t size : sizes_)
        for (const uint64_t offset : offsets_)
            for (const uint32_t unit : {1U, 4U, 8U}) {
                const Value* const units = bounds_.units_in_window(dword(offset), 4, unit, qword(size));
                for (unsigned k = 0; k < 4; ++k)
                    EXPECT_EQ(holds(units, k), Wide{offset} + (k + 1) * unit <= size)
                        << offset << ' ' << unit << ' ' << size;
                EXPECT_EQ(holds(bounds_.units_in_window(dword(offset), 1, unit, qword(size))),
                          Wide{offset} + unit <= size);
            }
}

TEST_F(BoundsTest, WhatIsKnownOfOffsetsStaysBelowTheWindow) {
    for (const uint64_t size : sizes_)
        for (const uint64_t end : ends_)
            for (const uint64_t offset : offsets_) {
                const bool inside = Wide{offset} + end <= size;
                const bool said = holds(bounds_.known_in_window(lanes({offset, 0}, 32), end, qword(size)));
                EXPECT_FALSE(said && !inside) << offset << ' ' << end << ' ' << size;
                if (offset <= INT32_MAX) {
                    EXPECT_EQ(said, inside) << offset << ' ' << end << ' ' << size;
                }
                for (const int64_t low : {int64_t{0}, int64_t{-4}}) {
                    const Span span{low, static_cast<int64_t>(end)};
                    EXPECT_FALSE(Bounds::always_in_window(dword(offset), span, qword(size)) &&
                                 !(inside && Wide{offset} + low >= 0))
                        << offset << ' ' << low << ' ' << end << ' ' << size;
                }
            }
    EXPECT_TRUE(Bounds::always_in_window(dword(60), {0, 4}, qword(64)));
    EXPECT_FALSE(Bounds::always_in_window(dword(61), {0, 4}, qword(64)));
    // What shared local memory's mask takes away says nothing of where the offset is.
    EXPECT_FALSE(Bounds::always_in_window(dword(uint64_t{1} << 28U), {0, 4}, qword(two31)));
}

TEST_F(BoundsTest, LastInWindow) {
    for (const uint64_t size : sizes_)
        for (const uint64_t end : ends_) {
            const Bounds::Last last = bounds_.last_in_window(qword(size), end);
            EXPECT_EQ(holds(last.fits), end <= size);
            EXPECT_EQ(number(last.offset), end <= size ? size - end : 0) << size << ' ' << end;
            for (const uint64_t offset : offsets_)
                EXPECT_LE(number(bounds_.clamped(dword(offset), last.offset)), number(last.offset));
        }
}

TEST_F(BoundsTest, WhatIsLeftOfAWindow) {
    for (const uint64_t size : sizes_)
        for (const uint64_t displacement : around({0, 64, two31, two63}))
            EXPECT_EQ(number(bounds_.remaining_bytes(qword(size), qword(displacement))),
                      displacement <= size ? size - displacement : 0);
    for (const uint64_t offset : around({0, two31, two32, two63}))
        EXPECT_EQ(holds(bounds_.is_offset(qword(offset))), offset < two31) << offset;
}

// Allocations at both ends of the address space, and a site without an allocation yet.
struct Allocation {
    uint64_t low;
    uint64_t last;
};
constexpr std::array allocations{Allocation{1, 0},
                                 Allocation{4096, 8188},
                                 Allocation{two31 - 4, two31 + 60},
                                 Allocation{two32 - 64, two32 + 64},
                                 Allocation{two63 - 64, two63 + 64},
                                 Allocation{UINT64_MAX - 128, UINT64_MAX - 4}};

std::vector<uint64_t> places_near(const Allocation& allocation) {
    return around({0, allocation.low, allocation.last, two31, two32, two63, UINT64_MAX});
}

TEST_F(BoundsTest, SpanInAnInterval) {
    for (const Allocation& one : allocations)
        for (const uint64_t place : places_near(one))
            for (const uint64_t span : around({0, 64, one.last - one.low, two32, two63, UINT64_MAX - 64})) {
                const bool inside = place >= one.low && Wide{place} + span <= one.last;
                EXPECT_EQ(
                    holds(bounds_.span_in({qword(one.low), qword(one.last)}, qword(place), qword(span))),
                    inside)
                    << place << '+' << span << " in " << one.low << ' ' << one.last;
                EXPECT_EQ(holds(bounds_.span_in({nullptr, qword(one.last)}, qword(place), qword(span))),
                          Wide{place} + span <= one.last);
            }
}

TEST_F(BoundsTest, LanesInAnInterval) {
    Value* const both = lanes({1, 1}, 1);
    Value* const first = lanes({1, 0}, 1);
    for (const Allocation& one : allocations)
        for (const uint64_t place : places_near(one)) {
            const Bounds::Interval interval{qword(one.low), qword(one.last)};
            const bool inside = one.low <= place && place <= one.last;
            const bool other = one.low <= 4096 && 4096 <= one.last;
            EXPECT_EQ(holds(bounds_.lanes_in(interval, lanes({place, 4096}, 64), both)), inside && other);
            EXPECT_EQ(holds(bounds_.lanes_in(interval, lanes({place, 4096}, 64), first)), inside);
        }
}

TEST_F(BoundsTest, ShorterIntervals) {
    for (const Allocation& one : allocations)
        for (const uint64_t bytes : around({64, two31, two63})) {
            const Bounds::Shorter less = bounds_.shorter({qword(one.low), qword(one.last)}, bytes);
            EXPECT_EQ(holds(less.fits), bytes <= one.last);
            for (const uint64_t place : places_near(one))
                EXPECT_EQ(holds(less.fits) && holds(bounds_.span_in(less.interval, qword(place), qword(0))),
                          place >= one.low && Wide{place} + bytes <= one.last)
                    << place << '+' << bytes << " in " << one.low << ' ' << one.last;
        }
    for (const uint64_t size : sizes_)
        for (const uint64_t end : ends_) {
            const Bounds::Shorter places = bounds_.offsets_in_window(qword(size), end);
            for (const uint64_t place : places_near({0, size}))
                EXPECT_EQ(holds(places.fits) &&
                              holds(bounds_.span_in(places.interval, qword(place), qword(0))),
                          Wide{place} + end <= size);
        }
}

// An address is start + (index << shift), modulo 2^64: no valid index wraps.
TEST_F(BoundsTest, Indices) {
    for (const Allocation& one : allocations)
        for (const uint64_t start : places_near(one))
            for (const unsigned shift : {0U, 2U, 3U}) {
                const Bounds::Indices indices =
                    bounds_.indices_in({qword(one.low), qword(one.last)}, qword(start), shift);
                EXPECT_EQ(holds(indices.any), one.low <= start && start <= one.last);
                if (!holds(indices.any))
                    continue;
                const uint64_t most = number(indices.max_index);
                EXPECT_LE(Wide{start} + (Wide{most} << shift), one.last);
                EXPECT_GT(Wide{start} + (Wide{most + 1} << shift), one.last);
                const uint64_t of32 = number(bounds_.as_index(indices.max_index));
                EXPECT_EQ(of32, std::min<uint64_t>(most, INT32_MAX));
                for (const uint64_t index : around({0, of32, two31, two32 - 64})) {
                    const bool in = static_cast<uint32_t>(index) <= of32;
                    EXPECT_EQ(holds(bounds_.index_in(dword(index), dword(of32))), in);
                    EXPECT_EQ(holds(bounds_.index_in(lanes({index, 0}, 32), dword(of32)), 0), in);
                }
            }
}

TEST_F(BoundsTest, RegisterVariables) {
    for (const Bounds::Variables variables :
         {Bounds::Variables{0, 0}, {64, 66}, {64, 320}, {0, 16U << 20U}}) {
        const auto is_inside = [&](Wide at, Wide bytes) {
            return at >= variables.begin && at + bytes <= variables.end;
        };
        for (const uint64_t address : around({0, variables.begin, variables.end, two31, two32 - 64}))
            for (const int64_t offset :
                 {int64_t{0}, int64_t{-64}, int64_t{4}, int64_t{INT32_MAX}, int64_t{INT32_MIN}})
                for (const uint32_t size : {1U, 2U, 8U, 64U}) {
                    const auto low = static_cast<uint32_t>(address);
                    EXPECT_EQ(holds(bounds_.bytes_in_registers(dword(low), offset, size, variables)),
                              is_inside(Wide{low} + offset, size))
                        << low << ' ' << offset << ' ' << size;
                    const uint32_t place = low + static_cast<uint32_t>(offset); // as the code adds them
                    const Value* const in = bounds_.lanes_in_registers(
                        lanes({low, 0}, 32), lanes({place, 0}, 32), size, variables);
                    const bool said = holds(in, 0);
                    EXPECT_FALSE(said && !is_inside(Wide{low} + offset, size)) << low << ' ' << offset;
                    if (low < (1U << 30U) && Wide{low} + offset >= 0) {
                        EXPECT_EQ(said, is_inside(Wide{low} + offset, size)) << low << ' ' << offset;
                    }
                }
    }
}

TEST_F(BoundsTest, EntriesOfATable) {
    Value* const table = ir_.CreateAlloca(ir_.getInt64Ty());
    for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{7}, two32})
        for (const uint64_t which : around({0, count, two32, two63})) {
            const Bounds::Entry entry = bounds_.entry(table, qword(count), qword(which), 24);
            EXPECT_EQ(holds(entry.known), which < count);
            const auto* const mark = llvm::cast<llvm::CallInst>(entry.pointer);
            const Value* const place = mark->getArgOperand(0);
            const auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(place);
            const uint64_t offset =
                step == nullptr ? 0 : number(step->getOperand(1)); // folded away: the first
            EXPECT_EQ(offset, which < count ? which * 24 : 0) << which << " of " << count;
        }
}

TEST_F(BoundsTest, MarksSayWhatWasChecked) {
    for (size_t guard = 0; guard < guards; ++guard)
        for (size_t use = 0; use < uses; ++use) {
            const Mark mark{static_cast<Guard>(guard), static_cast<Use>(use)};
            const auto one = marked(*bounds_.at(mark, qword(4096), {-8, 12}));
            ASSERT_TRUE(one) << name_of(mark);
            EXPECT_EQ(one->mark, mark);
            EXPECT_EQ(one->span.low, -8);
            EXPECT_EQ(one->span.end, 12);
            const auto several = marked(*bounds_.at(mark, lanes({4096, 8192}, 64), {0, 4}));
            ASSERT_TRUE(several);
            EXPECT_EQ(several->mark, mark);
        }
    EXPECT_EQ(name_of({Guard::local, Use::masked_row}), "local.masked_row");
    EXPECT_EQ(remove_marks(module_, {Guard::flat, Use::unit}), 2U);
    EXPECT_EQ(remove_marks(module_), 2 * guards * uses - 2);
    EXPECT_EQ(remove_marks(module_), 0U);
}

} // namespace
} // namespace visor::jit
