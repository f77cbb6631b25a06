#include "jit/message.h"

#include "isa/predefined.h"

#include <bit>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr llvm::Align any_alignment; // any byte

} // namespace

uint32_t Shape::begin() const {
    return static_cast<uint32_t>(std::countr_zero(channels)) * unit_bits / 8;
}
uint32_t Shape::end() const {
    return static_cast<uint32_t>(std::bit_width(channels)) * unit_bits / 8;
}
uint32_t Shape::count() const {
    return static_cast<uint32_t>(std::popcount(channels));
}
uint32_t Shape::register_bytes() const {
    return channels == 0 ? 0 : (count() - 1) * unit_stride + lanes * slot_bits / 8;
}

uint32_t payload_lanes(const Program& program, uint32_t exec_size) {
    return std::max<uint32_t>(exec_size, program.device->grf_bytes / 4U);
}

bool Messages::has_room(size_t index, uint32_t bytes) const {
    const PreparedOperand& at = emitter_.operand(instruction_, index);
    return at.null || (at.kind == OperandKind::raw && at.base <= at.limit && bytes <= at.limit - at.base);
}

// ---- windows

Value* Messages::member_of(Value* window, size_t offset, llvm::Type* type) {
    return ir_.CreateLoad(type, ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), window, offset));
}

SurfaceWindow Messages::read_window(Value* address) {
    return {.data = member_of(address, offsetof(Window, data), ir_.getPtrTy()),
            .bytes = member_of(address, offsetof(Window, bytes), ir_.getInt64Ty()),
            .mask = member_of(address, offsetof(Window, mask), ir_.getInt64Ty())};
}

SurfaceWindow Messages::window_of(const PreparedOperand& surface) {
    if (surface.base == emitter_.program().surface_base[static_cast<size_t>(isa::PredefinedSurface::slm)])
        return shared_local();
    emitter_.use_surface(surface.base);
    Value* const windows = emitter_.member(offsetof(State, windows), ir_.getPtrTy());
    return read_window(
        ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), windows, sizeof(Window) * surface.base));
}

SurfaceWindow Messages::shared_local() {
    SurfaceWindow window = read_window(emitter_.member_address(offsetof(State, slm)));
    window.mask = ir_.getInt64(~(uint64_t{1} << 28U));
    window.local = true;
    return window;
}

Value* Messages::masked_offsets(const SurfaceWindow& window, Value* offsets) {
    Value* const mask = ir_.CreateTrunc(window.mask, ir_.getInt32Ty());
    return ir_.CreateAnd(offsets, emitter_.splat(mask, Emitter::lanes_of(offsets)));
}

// No window is larger than 2 GiB: the engine sees to it.
Value* Messages::inside(const SurfaceWindow& window, Value* offsets, uint32_t bytes) {
    const uint32_t lanes = Emitter::lanes_of(offsets);
    Value* const fits = ir_.CreateICmpUGE(window.bytes, ir_.getInt64(bytes));
    Value* const last = ir_.CreateTrunc(ir_.CreateSub(window.bytes, ir_.getInt64(bytes)), ir_.getInt32Ty());
    Value* const in = ir_.CreateICmpULE(offsets, emitter_.splat(last, lanes));
    return ir_.CreateAnd(in, emitter_.splat(fits, lanes));
}

// ---- vectors of one lane

Value* Messages::as_vector(Value* value) {
    if (value->getType()->isVectorTy())
        return value;
    auto* const type = llvm::FixedVectorType::get(value->getType(), 1);
    return ir_.CreateInsertElement(llvm::PoisonValue::get(type), value, uint64_t{0});
}
Value* Messages::as_lanes(Value* vector) {
    return vector->getType()->isVectorTy() && Emitter::lanes_of(vector) == 1
               ? ir_.CreateExtractElement(vector, uint64_t{0})
               : vector;
}

// ---- units

Value* Messages::moved(Value* offsets, uint32_t bytes) {
    const auto bits = offsets->getType()->getScalarSizeInBits();
    return bytes == 0 ? offsets
                      : ir_.CreateAdd(offsets, emitter_.constant(bits, bytes, Emitter::lanes_of(offsets)));
}

// Offsets of 32 bits are below 2 GiB where a lane is on; addresses of 64 stand for themselves.
Value* Messages::pointers(Value* base, Value* offsets) {
    if (Emitter::lanes_of(offsets) == 1) { // LLVM 19 does not survive GEPs with vectors of one index
        Value* const only = as_lanes(offsets);
        return as_vector(base == nullptr
                             ? ir_.CreateIntToPtr(only, ir_.getPtrTy())
                             : ir_.CreateGEP(ir_.getInt8Ty(), base, ir_.CreateSExt(only, ir_.getInt64Ty())));
    }
    Value* const vector = as_vector(offsets);
    if (base == nullptr)
        return ir_.CreateIntToPtr(vector,
                                  llvm::FixedVectorType::get(ir_.getPtrTy(), Emitter::lanes_of(offsets)));
    auto* const wide = llvm::FixedVectorType::get(ir_.getInt64Ty(), Emitter::lanes_of(offsets));
    return ir_.CreateGEP(ir_.getInt8Ty(), base, ir_.CreateSExt(vector, wide));
}

// Whether lanes follow each other in memory, all of them, on or not.
Value* Messages::in_a_row(Value* offsets, uint32_t unit_bytes) {
    return emitter_.every(matches_row(offsets, unit_bytes));
}

Value* Messages::matches_row(Value* offsets, uint32_t unit_bytes) {
    const uint32_t lanes = Emitter::lanes_of(offsets);
    const auto bits = offsets->getType()->getScalarSizeInBits();
    std::vector<llvm::Constant*> steps;
    for (uint32_t k = 0; k < lanes; ++k)
        steps.push_back(llvm::ConstantInt::get(ir_.getIntNTy(bits), uint64_t{k} * unit_bytes));
    Value* const first = emitter_.splat(emitter_.lane(offsets, 0), lanes);
    Value* const expected = ir_.CreateAdd(first, llvm::ConstantVector::get(steps));
    return ir_.CreateICmpEQ(offsets, expected);
}

// Whether the lanes that are on do.
Value* Messages::consecutive(Value* offsets, Value* on, uint32_t unit_bytes) {
    return emitter_.every(ir_.CreateOr(matches_row(offsets, unit_bytes), ir_.CreateNot(on)));
}

// The stretch that begins where lane 0's does lies inside. No window is larger than 2 GiB.
Value* Messages::row_inside(const SurfaceWindow& window, Value* offsets, uint32_t unit_bytes) {
    Value* const first = ir_.CreateZExt(emitter_.lane(offsets, 0), ir_.getInt64Ty());
    Value* const end = ir_.CreateAdd(first, ir_.getInt64(uint64_t{unit_bytes} * Emitter::lanes_of(offsets)));
    return ir_.CreateICmpULE(end, window.bytes);
}

// The body once for lanes in a row that are all inside, which needs but one look, and once for the others.
void Messages::by_row(Value* row, llvm::function_ref<void(bool)> body) {
    llvm::BasicBlock* const fast = emitter_.block("row");
    llvm::BasicBlock* const slow = emitter_.block("lanes");
    llvm::BasicBlock* const done = emitter_.block("done");
    ir_.CreateCondBr(row, fast, slow);
    emitter_.begin(fast);
    body(true);
    ir_.CreateBr(done);
    emitter_.begin(slow);
    body(false);
    ir_.CreateBr(done);
    emitter_.begin(done);
}

bool Messages::may_be_row(const Shape& shape) {
    return shape.lanes >= 4 && shape.channels == 1;
}

Value* Messages::load_row(Value* base, Value* offsets, Value* on, uint32_t bits) {
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(bits), Emitter::lanes_of(offsets));
    return ir_.CreateMaskedLoad(type, pointer(base, emitter_.lane(offsets, 0)), any_alignment, on,
                                llvm::Constant::getNullValue(type));
}

void Messages::store_row(Value* base, Value* offsets, Value* on, Value* values) {
    ir_.CreateMaskedStore(values, pointer(base, emitter_.lane(offsets, 0)), any_alignment, on);
}

// Of one lane.
Value* Messages::pointer(Value* base, Value* offset) {
    return base == nullptr ? ir_.CreateIntToPtr(offset, ir_.getPtrTy())
                           : ir_.CreateGEP(ir_.getInt8Ty(), base, ir_.CreateSExt(offset, ir_.getInt64Ty()));
}

// Whether each lane's bytes end before the next one's begin, so that the order of the stores is all one.
Value* Messages::apart(Value* offsets, uint32_t bytes) {
    const uint32_t lanes = Emitter::lanes_of(offsets);
    if (lanes == 1)
        return ir_.getTrue();
    std::vector<int> lower(lanes - 1);
    std::vector<int> upper(lanes - 1);
    for (uint32_t k = 0; k + 1 < lanes; ++k) {
        lower[k] = static_cast<int>(k);
        upper[k] = static_cast<int>(k + 1);
    }
    Value* const below = emitter_.reshaped(offsets, lower);
    Value* const above = emitter_.reshaped(offsets, upper);
    const auto bits = offsets->getType()->getScalarSizeInBits();
    Value* const distance = ir_.CreateSub(above, below);
    Value* const far = ir_.CreateICmpUGE(distance, emitter_.constant(bits, bytes, lanes - 1));
    return emitter_.every(ir_.CreateAnd(far, ir_.CreateICmpUGT(above, below)));
}

// `base` null: addresses. Lanes that are off read zero.
Value* Messages::gather_any(Value* base, Value* offsets, Value* on, uint32_t bits) {
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(bits), Emitter::lanes_of(offsets));
    return as_lanes(ir_.CreateMaskedGather(type, pointers(base, offsets), any_alignment, as_vector(on),
                                           llvm::Constant::getNullValue(type)));
}

// Likewise, with a look whether the lanes follow each other.
Value* Messages::gather(Value* base, Value* offsets, Value* on, uint32_t bits) {
    const uint32_t lanes = Emitter::lanes_of(offsets);
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(bits), lanes);
    if (lanes < 4)
        return gather_any(base, offsets, on, bits);
    llvm::BasicBlock* const together = emitter_.block("together");
    llvm::BasicBlock* const scattered = emitter_.block("scattered");
    llvm::BasicBlock* const done = emitter_.block("done");
    ir_.CreateCondBr(consecutive(offsets, on, bits / 8), together, scattered);
    emitter_.begin(together);
    Value* const loaded = load_row(base, offsets, on, bits);
    ir_.CreateBr(done);
    emitter_.begin(scattered);
    Value* const gathered = gather_any(base, offsets, on, bits);
    ir_.CreateBr(done);
    emitter_.begin(done);
    llvm::PHINode* const value = ir_.CreatePHI(type, 2);
    value->addIncoming(loaded, together);
    value->addIncoming(gathered, scattered);
    return value;
}

void Messages::scatter(Value* base, Value* offsets, Value* on, Value* values) {
    const uint32_t lanes = Emitter::lanes_of(offsets);
    const auto at_random = [&] {
        ir_.CreateMaskedScatter(as_vector(values), pointers(base, offsets), any_alignment, as_vector(on));
    };
    if (lanes < 4)
        return at_random();
    llvm::BasicBlock* const together = emitter_.block("together");
    llvm::BasicBlock* const scattered = emitter_.block("scattered");
    llvm::BasicBlock* const done = emitter_.block("done");
    const uint32_t bytes = values->getType()->getScalarSizeInBits() / 8;
    ir_.CreateCondBr(consecutive(offsets, on, bytes), together, scattered);
    emitter_.begin(together);
    store_row(base, offsets, on, values);
    ir_.CreateBr(done);
    emitter_.begin(scattered);
    at_random();
    ir_.CreateBr(done);
    emitter_.begin(done);
}

template <class Body>
void Messages::each_channel(const Shape& shape, Body body) {
    uint32_t place = 0;
    for (uint64_t left = shape.channels; left != 0; left &= left - 1, place += shape.unit_stride)
        body(static_cast<uint32_t>(std::countr_zero(left)) * shape.unit_bits / 8, place);
}

// ---- surfaces

bool Messages::load(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
                    const PreparedOperand& to) {
    if (to.null || shape.channels == 0)
        return true; // nothing of a surface can go wrong
    Value* const on = emitter_.lanes_on(mask, shape.lanes);
    auto* const kept = emitter_.vector(emitter_.integer(shape.slot_bits), shape.lanes);
    if (may_be_row(shape)) {
        const uint32_t bytes = shape.unit_bits / 8;
        Value* const row = ir_.CreateAnd(in_a_row(offsets, bytes), row_inside(window, offsets, bytes));
        by_row(row, [&](bool is_row) {
            Value* const value =
                is_row ? load_row(window.data, offsets, on, shape.unit_bits)
                       : gather_any(window.data, offsets, ir_.CreateAnd(on, inside(window, offsets, bytes)),
                                    shape.unit_bits);
            emitter_.store_raw(to, 0, ir_.CreateZExt(value, kept), mask);
        });
        return true;
    }
    std::vector<Value*> values; // all of them before any result: they may overlap the offsets
    each_channel(shape, [&](uint32_t displacement, uint32_t) {
        Value* const at = moved(offsets, displacement);
        Value* const in = ir_.CreateAnd(on, inside(window, offsets, displacement + shape.unit_bits / 8));
        values.push_back(gather(window.data, at, in, shape.unit_bits));
    });
    size_t k = 0;
    each_channel(shape, [&](uint32_t, uint32_t place) {
        emitter_.store_raw(to, place, ir_.CreateZExt(values[k++], kept), mask);
    });
    return true;
}

// The units of a store, with the lanes that may be written.
std::vector<Messages::Unit> Messages::units_of(const SurfaceWindow* window, Value* at, Value* on,
                                               const Shape& shape, const PreparedOperand& from) {
    std::vector<Unit> units;
    auto* const type = emitter_.vector(emitter_.integer(shape.unit_bits), shape.lanes);
    each_channel(shape, [&](uint32_t displacement, uint32_t place) {
        Value* in = on;
        if (window != nullptr)
            in = ir_.CreateAnd(on, inside(*window, at, displacement + shape.unit_bits / 8));
        Value* const slots = emitter_.load_raw(from, place, shape.slot_bits, shape.lanes);
        units.push_back({displacement, in, ir_.CreateTrunc(slots, type)});
    });
    return units;
}

// Unit after unit where lanes keep apart, else lane after lane.
void Messages::store_units(Value* base, Value* at, const Shape& shape, const std::vector<Unit>& units) {
    const auto all_lanes = [&] {
        for (const Unit& unit : units)
            scatter(base, moved(at, unit.displacement), unit.in, unit.values);
    };
    if (units.size() <= 1 || shape.lanes == 1)
        return all_lanes();
    llvm::BasicBlock* const fast = emitter_.block("apart");
    llvm::BasicBlock* const slow = emitter_.block("overlapping");
    llvm::BasicBlock* const done = emitter_.block("done");
    ir_.CreateCondBr(apart(at, shape.end()), fast, slow);
    emitter_.begin(slow);
    store_in_turn(base, at, units);
    ir_.CreateBr(done);
    emitter_.begin(fast);
    all_lanes();
    ir_.CreateBr(done);
    emitter_.begin(done);
}

void Messages::store_in_turn(Value* base, Value* at, const std::vector<Unit>& units) {
    const auto kept = [&](Value* value) {
        Value* const place = emitter_.scratch_space(value->getType());
        ir_.CreateStore(value, place);
        return place;
    };
    Value* const places = kept(pointers(base, at));
    std::vector<Value*> values;
    Value* any = units.front().in;
    for (const Unit& unit : units) {
        values.push_back(kept(unit.values));
        any = ir_.CreateOr(any, unit.in);
    }
    emitter_.each_lane_on(any, [&](Value* lane) {
        Value* const to = ir_.CreateLoad(ir_.getPtrTy(), ir_.CreateGEP(ir_.getPtrTy(), places, lane));
        for (size_t k = 0; k < units.size(); ++k) {
            auto* const type = units[k].values->getType()->getScalarType();
            Value* const value = ir_.CreateLoad(type, ir_.CreateGEP(type, values[k], lane));
            llvm::BasicBlock* const writes = emitter_.block("writes");
            llvm::BasicBlock* const after = emitter_.block("after");
            ir_.CreateCondBr(ir_.CreateExtractElement(units[k].in, lane), writes, after);
            emitter_.begin(writes);
            ir_.CreateAlignedStore(value, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), to, units[k].displacement),
                                   any_alignment);
            ir_.CreateBr(after);
            emitter_.begin(after);
        }
    });
}

bool Messages::store(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
                     const PreparedOperand& from) {
    Value* const on = emitter_.lanes_on(mask, shape.lanes);
    const auto lane_by_lane = [&] {
        store_units(window.data, offsets, shape, units_of(&window, offsets, on, shape, from));
    };
    if (!may_be_row(shape)) {
        lane_by_lane();
        return true;
    }
    const uint32_t bytes = shape.unit_bits / 8;
    Value* const row = ir_.CreateAnd(in_a_row(offsets, bytes), row_inside(window, offsets, bytes));
    by_row(row, [&](bool is_row) {
        if (is_row)
            store_row(window.data, offsets, on, units_of(nullptr, offsets, on, shape, from).front().values);
        else
            lane_by_lane();
    });
    return true;
}

// ---- flat memory

// A stretch of lanes in a row, `bytes` each, all of it in the allocation that the site last hit.
Value* Messages::row_admitted(Value* addresses, uint32_t bytes, Value* low, Value* last) {
    const uint64_t behind = uint64_t{bytes} * (Emitter::lanes_of(addresses) - 1);
    Value* const first = emitter_.lane(addresses, 0);
    Value* const above = ir_.CreateAnd(ir_.CreateICmpUGE(first, low), ir_.CreateICmpULE(first, last));
    Value* const fits = ir_.CreateICmpUGE(ir_.CreateSub(last, first), ir_.getInt64(behind));
    return ir_.CreateAnd(ir_.CreateAnd(above, fits), in_a_row(addresses, bytes));
}

void Messages::admitted(Value* addresses, Value* on, uint32_t begin, uint32_t end,
                        const std::function<void()>& body, const std::function<void()>& row_body) {
    const uint32_t number = emitter_.new_site();
    auto* const qword = ir_.getInt64Ty();
    Value* const site = ir_.CreateConstInBoundsGEP1_64(
        ir_.getInt8Ty(), emitter_.member(offsetof(State, sites), ir_.getPtrTy()), sizeof(Site) * number);
    Value* const low = ir_.CreateLoad(qword, site);
    Value* const last =
        ir_.CreateLoad(qword, ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), site, offsetof(Site, last)));
    if (row_body) {
        by_row(row_admitted(addresses, end - begin, low, last), [&](bool is_row) {
            if (is_row)
                row_body();
            else
                admitted_lanes({number, low, last}, addresses, on, begin, end, body);
        });
        return;
    }
    admitted_lanes({number, low, last}, addresses, on, begin, end, body);
}

void Messages::admitted_lanes(const KnownSite& site, Value* addresses, Value* on, uint32_t begin,
                              uint32_t end, const std::function<void()>& body) {
    const uint32_t lanes = Emitter::lanes_of(addresses);
    Value* const first_bytes = moved(addresses, begin);
    Value* const above = ir_.CreateICmpUGE(first_bytes, emitter_.splat(site.low, lanes));
    Value* const below = ir_.CreateICmpULE(first_bytes, emitter_.splat(site.last, lanes));
    Value* const in = ir_.CreateOr(ir_.CreateAnd(above, below), ir_.CreateNot(on));

    llvm::BasicBlock* const known = emitter_.block("known");
    llvm::BasicBlock* const asks = emitter_.block("asks");
    llvm::BasicBlock* const refused = emitter_.block("refused");
    llvm::BasicBlock* const done = emitter_.block("done");
    ir_.CreateCondBr(emitter_.every(in), known, asks,
                     llvm::MDBuilder(ir_.getContext()).createBranchWeights(1000, 1));
    emitter_.begin(asks);
    Value* smallest = ir_.CreateSelect(on, first_bytes, emitter_.constant(64, UINT64_MAX, lanes));
    Value* largest = ir_.CreateSelect(on, first_bytes, emitter_.constant(64, 0, lanes));
    if (lanes > 1) {
        smallest = ir_.CreateIntMinReduce(smallest);
        largest = ir_.CreateIntMaxReduce(largest);
    }
    Value* const granted = emitter_.call_admit(site.number, smallest, largest, end - begin);
    ir_.CreateCondBr(granted, known, refused);
    emitter_.begin(refused);
    emitter_.call_out();
    ir_.CreateBr(done);
    emitter_.begin(known);
    body();
    ir_.CreateBr(done);
    emitter_.begin(done);
}

bool Messages::load(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& to) {
    if (shape.channels == 0)
        return true;
    Value* const on = emitter_.lanes_on(mask, shape.lanes);
    auto* const kept = emitter_.vector(emitter_.integer(shape.slot_bits), shape.lanes);
    std::function<void()> row;
    if (may_be_row(shape))
        row = [&] {
            Value* const value = load_row(nullptr, addresses, on, shape.unit_bits);
            emitter_.store_raw(to, 0, ir_.CreateZExt(value, kept), mask);
        };
    admitted(
        addresses, on, shape.begin(), shape.end(),
        [&] {
            std::vector<Value*> values;
            each_channel(shape, [&](uint32_t displacement, uint32_t) {
                values.push_back(gather(nullptr, moved(addresses, displacement), on, shape.unit_bits));
            });
            size_t k = 0;
            each_channel(shape, [&](uint32_t, uint32_t place) {
                emitter_.store_raw(to, place, ir_.CreateZExt(values[k++], kept), mask);
            });
        },
        row);
    return true;
}

bool Messages::store(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& from) {
    if (shape.channels == 0)
        return true;
    Value* const on = emitter_.lanes_on(mask, shape.lanes);
    std::function<void()> row;
    if (may_be_row(shape))
        row = [&] {
            store_row(nullptr, addresses, on, units_of(nullptr, addresses, on, shape, from).front().values);
        };
    admitted(
        addresses, on, shape.begin(), shape.end(),
        [&] { store_units(nullptr, addresses, shape, units_of(nullptr, addresses, on, shape, from)); }, row);
    return true;
}

// ---- blocks

Value* Messages::units_inside(const SurfaceWindow& window, Value* offset, uint32_t count, uint32_t unit) {
    std::vector<llvm::Constant*> ends;
    for (uint32_t k = 1; k <= count; ++k)
        ends.push_back(ir_.getInt64(uint64_t{k} * unit));
    Value* const first = emitter_.splat(ir_.CreateZExt(offset, ir_.getInt64Ty()), count);
    Value* const last = ir_.CreateAdd(first, count == 1 ? ends[0] : llvm::ConstantVector::get(ends));
    return ir_.CreateICmpULE(last, emitter_.splat(window.bytes, count));
}

void Messages::where_inside(const SurfaceWindow& window, Value* offset, uint32_t bytes,
                            llvm::function_ref<void()> whole, llvm::function_ref<void()> partly) {
    llvm::BasicBlock* const all = emitter_.block("whole");
    llvm::BasicBlock* const some = emitter_.block("partly");
    llvm::BasicBlock* const done = emitter_.block("done");
    ir_.CreateCondBr(inside(window, offset, bytes), all, some,
                     llvm::MDBuilder(ir_.getContext()).createBranchWeights(1000, 1));
    emitter_.begin(all);
    whole();
    ir_.CreateBr(done);
    emitter_.begin(some);
    partly();
    ir_.CreateBr(done);
    emitter_.begin(done);
}

void Messages::load_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                          const PreparedOperand& to) {
    const uint32_t count = bytes / unit;
    Value* const from = ir_.CreateGEP(ir_.getInt8Ty(), window.data, ir_.CreateSExt(offset, ir_.getInt64Ty()));
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(unit * 8), count);
    const auto keep = [&](Value* values) {
        emitter_.store_raw(to, 0, as_lanes(values), emitter_.all_lanes(count));
    };
    where_inside(
        window, offset, bytes, [&] { keep(ir_.CreateAlignedLoad(type, from, any_alignment)); },
        [&] {
            Value* const in = as_vector(units_inside(window, offset, count, unit));
            keep(ir_.CreateMaskedLoad(type, from, any_alignment, in, llvm::Constant::getNullValue(type)));
        });
}

void Messages::store_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                           const PreparedOperand& from) {
    const uint32_t count = bytes / unit;
    Value* const to = ir_.CreateGEP(ir_.getInt8Ty(), window.data, ir_.CreateSExt(offset, ir_.getInt64Ty()));
    Value* const values = as_vector(emitter_.load_raw(from, 0, unit * 8, count));
    where_inside(
        window, offset, bytes, [&] { ir_.CreateAlignedStore(values, to, any_alignment); },
        [&] {
            Value* const in = as_vector(units_inside(window, offset, count, unit));
            ir_.CreateMaskedStore(values, to, any_alignment, in);
        });
}

void Messages::load_block(Value* address, uint32_t bytes, const PreparedOperand& to) {
    admitted(address, ir_.getTrue(), 0, bytes, [&] {
        auto* const type = emitter_.vector(ir_.getInt32Ty(), bytes / 4);
        Value* const from = ir_.CreateIntToPtr(address, ir_.getPtrTy());
        emitter_.store_raw(to, 0, ir_.CreateAlignedLoad(type, from, any_alignment),
                           emitter_.all_lanes(bytes / 4));
    });
}

void Messages::store_block(Value* address, uint32_t bytes, const PreparedOperand& from) {
    admitted(address, ir_.getTrue(), 0, bytes, [&] {
        Value* const to = ir_.CreateIntToPtr(address, ir_.getPtrTy());
        ir_.CreateAlignedStore(emitter_.load_raw(from, 0, 32, bytes / 4), to, any_alignment);
    });
}

} // namespace visor::jit
