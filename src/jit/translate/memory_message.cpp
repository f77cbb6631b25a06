#include "jit/translate/memory_message.h"

#include "isa/predefined.h"
#include "jit/ir/block_access.h"
#include "jit/ir/state_pointer.h"

#include <bit>

namespace visor::jit {

namespace {

using llvm::Value;

constexpr llvm::Align any_alignment;                        // any byte
constexpr uint64_t largest_window = Bounds::largest_window; // exclusive upper bound

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

bool Messages::has_bytes(size_t index, uint32_t bytes) const {
    const PreparedOperand& at = translator_.operand(instruction_, index);
    return at.null || (at.kind == OperandKind::raw && at.base <= at.limit && bytes <= at.limit - at.base);
}

// ---- windows

SurfaceWindow Messages::read_window(const Translator::WindowAddress& window) {
    const llvm::IRBuilder<>::InsertPointGuard guard(ir_);
    if (window.invariance == Translator::WindowAddress::per_call)
        ir_.SetInsertPoint(translator_.function_start());
    else if (window.invariance == Translator::WindowAddress::per_thread)
        ir_.SetInsertPoint(llvm::cast<llvm::Instruction>(window.address)->getNextNode());
    const auto read = [&](size_t offset, llvm::Type* type) {
        llvm::LoadInst* const value =
            ir_.CreateLoad(type, ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), window.address, offset));
        const bool invariant = window.invariance == Translator::WindowAddress::per_call ||
                               window.invariance == Translator::WindowAddress::invariant;
        return invariant ? translator_.mark_invariant(value) : value;
    };
    llvm::LoadInst* const bytes = read(offsetof(Window, bytes), ir_.getInt64Ty());
    if (window.scratch && translator_.options().scratch_bytes != 0)
        translator_.assume_range(Fact::scratch_bytes, *bytes, translator_.options().scratch_bytes,
                                 largest_window);
    return {.data = read(offsetof(Window, data), ir_.getPtrTy()),
            .bytes = bytes,
            .mask = window.local ? read(offsetof(Window, mask), ir_.getInt64Ty())
                                 : static_cast<Value*>(ir_.getInt64(UINT64_MAX)),
            .scratch = window.scratch};
}

SurfaceWindow Messages::window_of(const PreparedOperand& surface) {
    if (surface.base == translator_.program().surface_base[static_cast<size_t>(isa::PredefinedSurface::slm)])
        return shared_local();
    return read_window(translator_.window_of_element(surface.base));
}

SurfaceWindow Messages::window_of_index(uint32_t binding_table_index) {
    return read_window(translator_.window_of_index(binding_table_index));
}

bool Messages::in_surface(const PreparedOperand& surface, AtWindow body) {
    if (surface.kind != OperandKind::surface)
        return at_handle(surface, 0, body);
    if (!is_bindless(surface))
        return body(window_of(surface));
    if (const PreparedOperand* const given = translator_.given_to_bss())
        return at_handle(*given, 0, body);
    return where_known(translator_.look_up(ir_.CreateZExt(translator_.load_bss(), ir_.getInt64Ty())), body);
}

bool Messages::at_handle(const PreparedOperand& handle, uint32_t index, AtWindow body) {
    if (const auto window = translator_.window_of_given(handle, index))
        return body(read_window(*window));
    Value* const value = translator_.scalar(handle);
    return value != nullptr &&
           where_known(translator_.look_up(ir_.CreateAdd(value, ir_.getInt64(index))), body);
}

bool Messages::at_state(const PreparedOperand& handle, AtWindow body) {
    Value* const value = translator_.scalar(handle);
    if (value == nullptr)
        return false;
    Translator::LookedUp found = translator_.look_up(value);
    found.known = ir_.CreateAnd(found.known, ir_.CreateICmpNE(value, ir_.getInt64(0)));
    return where_known(found, body);
}

bool Messages::where_known(const Translator::LookedUp& found, AtWindow body) {
    translator_.guarded(found.known, [&] {
        if (!body(read_window(found.window)))
            translator_.leave_to_interpreter();
    });
    return true;
}

SurfaceWindow Messages::shared_local() {
    SurfaceWindow window = read_window({.address = translator_.first_member_address(offsetof(State, slm)),
                                        .invariance = Translator::WindowAddress::per_call,
                                        .local = false,
                                        .scratch = false});
    if (auto* const bytes = llvm::dyn_cast<llvm::LoadInst>(window.bytes);
        bytes != nullptr && translator_.options().slm_bytes != 0)
        translator_.assume_range(Fact::shared_local_bytes, *bytes, translator_.options().slm_bytes,
                                 largest_window);
    window.mask = ir_.getInt64(~(uint64_t{1} << 28U));
    window.local = true;
    return window;
}

Value* Messages::masked_offsets(const SurfaceWindow& window, Value* offsets) {
    Value* const mask = ir_.CreateTrunc(window.mask, ir_.getInt32Ty());
    return ir_.CreateAnd(offsets, translator_.splat(mask, Translator::lanes_of(offsets)));
}

// The engine guarantees that no window is larger than 2 GiB.
Value* Messages::inside(const SurfaceWindow& window, Value* offsets, uint32_t bytes) {
    return bounds_.lanes_in_window(offsets, window.bytes, bytes);
}

Value* Messages::aligned(Value* addresses, uint32_t bytes, Value* on) {
    const uint32_t bits = addresses->getType()->getScalarSizeInBits();
    const uint32_t lanes = Translator::lanes_of(addresses);
    Value* const low = ir_.CreateAnd(addresses, translator_.constant(bits, bytes - 1, lanes));
    Value* const even = ir_.CreateICmpEQ(low, translator_.constant(bits, 0, lanes));
    return translator_.every(ir_.CreateOr(even, ir_.CreateNot(on)));
}

// ---- vectors of one lane

Value* Messages::as_vector(Value* value) {
    if (value->getType()->isVectorTy())
        return value;
    auto* const type = llvm::FixedVectorType::get(value->getType(), 1);
    return ir_.CreateInsertElement(llvm::PoisonValue::get(type), value, uint64_t{0});
}
Value* Messages::as_lanes(Value* vector) {
    return vector->getType()->isVectorTy() && Translator::lanes_of(vector) == 1
               ? ir_.CreateExtractElement(vector, uint64_t{0})
               : vector;
}

// ---- units

// 32-bit offsets of active lanes are below 2 GiB; 64-bit addresses are used as they are.
Value* Messages::pointers(Value* base, Value* offsets) {
    if (Translator::lanes_of(offsets) == 1) { // LLVM 19 crashes on GEPs with <1 x iN> indices
        Value* const only = as_lanes(offsets);
        return as_vector(base == nullptr
                             ? ir_.CreateIntToPtr(only, ir_.getPtrTy())
                             : ir_.CreateGEP(ir_.getInt8Ty(), base, ir_.CreateSExt(only, ir_.getInt64Ty())));
    }
    Value* const vector = as_vector(offsets);
    if (base == nullptr)
        return ir_.CreateIntToPtr(vector,
                                  llvm::FixedVectorType::get(ir_.getPtrTy(), Translator::lanes_of(offsets)));
    auto* const wide = llvm::FixedVectorType::get(ir_.getInt64Ty(), Translator::lanes_of(offsets));
    return ir_.CreateGEP(ir_.getInt8Ty(), base, ir_.CreateSExt(vector, wide));
}

template <class Body>
void Messages::each_channel(const Shape& shape, Body body) {
    uint32_t slot_offset = 0;
    for (uint64_t left = shape.channels; left != 0; left &= left - 1, slot_offset += shape.unit_stride)
        body(static_cast<uint32_t>(std::countr_zero(left)) * shape.unit_bits / 8, slot_offset);
}

// ---- surfaces

Reach Messages::reach_of(const SurfaceWindow* window) const {
    if (window == nullptr)
        return {.site = site_};
    return {.data = window->data, .bytes = window->bytes, .mask = window->mask, .scratch = window->scratch};
}

void Messages::load_units(const SurfaceWindow* window, Value* addresses, Value* on, const Shape& shape,
                          const Mask& mask, const PreparedOperand& to) {
    auto* const slot_type = translator_.vector(translator_.integer(shape.slot_bits), shape.lanes);
    std::vector<Value*>
        values; // load all before the first write: a result may overwrite the address registers
    each_channel(shape, [&](uint32_t displacement, uint32_t) {
        values.push_back(as_lanes(create_load(ir_, as_vector(addresses), as_vector(on), reach_of(window),
                                              displacement, shape.unit_bits)));
    });
    size_t k = 0;
    each_channel(shape, [&](uint32_t, uint32_t slot_offset) {
        translator_.store_raw(to, slot_offset, ir_.CreateZExt(values[k++], slot_type), mask);
    });
}

bool Messages::load(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
                    const PreparedOperand& to) {
    Value* const on = translator_.lanes_on(mask, shape.lanes);
    with_watch_guard(MessageKind::read, &window, offsets, on, to.null ? 0 : shape.end(), [&] {
        if (!to.null && shape.channels != 0) // surface loads cannot fault
            load_units(&window, offsets, on, shape, mask, to);
    });
    return true;
}

// Unit by unit where the lanes' extents are disjoint, else lane by lane in ascending order.
void Messages::store_units(const SurfaceWindow* window, Value* addresses, Value* on, const Shape& shape,
                           const PreparedOperand& from) {
    std::vector<Unit> units;
    auto* const type = translator_.vector(translator_.integer(shape.unit_bits), shape.lanes);
    each_channel(shape, [&](uint32_t displacement, uint32_t slot_offset) {
        Value* const slots = translator_.load_raw(from, slot_offset, shape.slot_bits, shape.lanes);
        units.push_back({displacement, on, as_vector(ir_.CreateTrunc(slots, type))});
    });
    const auto all_lanes = [&] {
        for (const Unit& unit : units)
            create_store(ir_, as_vector(addresses), as_vector(on), reach_of(window), unit.displacement,
                         unit.values);
    };
    if (units.size() <= 1 || shape.lanes == 1)
        return all_lanes();
    llvm::BasicBlock* const fast = translator_.block("apart");
    llvm::BasicBlock* const slow = translator_.block("overlapping");
    llvm::BasicBlock* const done = translator_.block("done");
    Value* const mask = window == nullptr ? static_cast<Value*>(ir_.getInt64(UINT64_MAX)) : window->mask;
    ir_.CreateCondBr(create_disjoint_check(ir_, addresses, mask, shape.end()), fast, slow);
    translator_.begin(slow);
    Value* const at = window == nullptr ? addresses : masked_offsets(*window, addresses);
    if (window != nullptr)
        for (Unit& unit : units)
            unit.in = ir_.CreateAnd(on, inside(*window, at, unit.displacement + shape.unit_bits / 8));
    store_lanes_in_order(window, at, units);
    ir_.CreateBr(done);
    translator_.begin(fast);
    all_lanes();
    ir_.CreateBr(done);
    translator_.begin(done);
}

void Messages::store_lanes_in_order(const SurfaceWindow* window, Value* at, const std::vector<Unit>& units) {
    const auto spilled = [&](Value* value) {
        Value* const slot = translator_.entry_alloca(value->getType());
        ir_.CreateStore(value, slot);
        return slot;
    };
    const Mark mark{window == nullptr ? Guard::flat : window->guard(), Use::unit};
    Value* const lane_pointers = spilled(pointers(window == nullptr ? nullptr : window->data, at));
    std::vector<Value*> values;
    Value* any = units.front().in;
    for (const Unit& unit : units) {
        values.push_back(spilled(unit.values));
        any = ir_.CreateOr(any, unit.in);
    }
    translator_.each_lane_on(any, [&](Value* lane) {
        for (size_t k = 0; k < units.size(); ++k) {
            auto* const type = units[k].values->getType()->getScalarType();
            Value* const value = ir_.CreateLoad(type, bounds_.element(values[k], type, lane));
            llvm::BasicBlock* const writes = translator_.block("writes");
            llvm::BasicBlock* const after = translator_.block("after");
            ir_.CreateCondBr(ir_.CreateExtractElement(units[k].in, lane), writes, after);
            translator_.begin(writes);
            const int64_t begin = units[k].displacement;
            Value* const to =
                bounds_.kept(mark, lane_pointers, lane, {begin, begin + type->getScalarSizeInBits() / 8});
            ir_.CreateAlignedStore(value, ir_.CreateConstGEP1_64(ir_.getInt8Ty(), to, units[k].displacement),
                                   any_alignment);
            ir_.CreateBr(after);
            translator_.begin(after);
        }
    });
}

bool Messages::store(const SurfaceWindow& window, Value* offsets, const Mask& mask, const Shape& shape,
                     const PreparedOperand& from) {
    Value* const on = translator_.lanes_on(mask, shape.lanes);
    with_watch_guard(MessageKind::write, &window, offsets, on, shape.end(), [&] {
        if (shape.channels != 0)
            store_units(&window, offsets, on, shape, from);
    });
    return true;
}

// ---- flat memory

void Messages::with_range_check(Value* addresses, Value* on, uint32_t begin, uint32_t end,
                                const std::function<void()>& body) {
    const uint32_t number = translator_.new_site();
    auto* const qword = ir_.getInt64Ty();
    const auto read = [&](llvm::Type* type, Value* from, size_t offset) {
        llvm::LoadInst* const value =
            ir_.CreateLoad(type, ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), from, offset));
        mark_speculatable(*value);
        return value;
    };
    Value* const sites = read(ir_.getPtrTy(), translator_.member_address(offsetof(State, sites)), 0);
    Value* const low = read(qword, sites, sizeof(Site) * number);
    Value* const last = read(qword, sites, sizeof(Site) * number + offsetof(Site, last));

    llvm::BasicBlock* const known = translator_.block("known");
    llvm::BasicBlock* const check = translator_.block("check");
    llvm::BasicBlock* const fallback = translator_.block("fallback");
    llvm::BasicBlock* const done = translator_.block("done");
    ir_.CreateCondBr(
        create_range_check(ir_, as_vector(addresses), as_vector(on), low, last, begin, number, end - begin),
        known, check, llvm::MDBuilder(ir_.getContext()).createBranchWeights(1000, 1));
    translator_.begin(check);
    const auto passed = [&] {
        if (translator_.options().brief)
            return translator_.call_check_lanes(number, as_vector(addresses), as_vector(on), begin,
                                                end - begin);
        Value* const smallest = create_extreme(ir_, as_vector(addresses), as_vector(on), begin, false);
        Value* const largest = create_extreme(ir_, as_vector(addresses), as_vector(on), begin, true);
        return translator_.call_check_range(number, smallest, largest, end - begin);
    };
    ir_.CreateCondBr(passed(), known, fallback);
    translator_.begin(fallback);
    translator_.call_out();
    ir_.CreateBr(done);
    translator_.begin(known);
    site_ = number;
    body();
    ir_.CreateBr(done);
    translator_.begin(done);
}

bool Messages::load(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& to) {
    Value* const on = translator_.lanes_on(mask, shape.lanes);
    with_watch_guard(MessageKind::read, nullptr, addresses, on, to.null ? 0 : shape.end(), [&] {
        if (shape.channels != 0)
            with_range_check(addresses, on, shape.begin(), shape.end(),
                             [&] { load_units(nullptr, addresses, on, shape, mask, to); });
    });
    return true;
}

bool Messages::store(Value* addresses, const Mask& mask, const Shape& shape, const PreparedOperand& from) {
    Value* const on = translator_.lanes_on(mask, shape.lanes);
    with_watch_guard(MessageKind::write, nullptr, addresses, on, shape.end(), [&] {
        if (shape.channels != 0)
            with_range_check(addresses, on, shape.begin(), shape.end(),
                             [&] { store_units(nullptr, addresses, on, shape, from); });
    });
    return true;
}

// ---- blocks

Value* Messages::block_at(const SurfaceWindow& window, Value* offset, uint32_t bytes, Use use) {
    return bounds_.behind({window.guard(), use}, window.data, ir_.CreateSExt(offset, ir_.getInt64Ty()),
                          {0, bytes});
}

void Messages::where_inside(const SurfaceWindow& window, Value* offset, uint32_t bytes,
                            llvm::function_ref<void()> whole, llvm::function_ref<void()> partly) {
    llvm::BasicBlock* const all = translator_.block("whole");
    llvm::BasicBlock* const some = translator_.block("partly");
    llvm::BasicBlock* const done = translator_.block("done");
    ir_.CreateCondBr(inside(window, offset, bytes), all, some,
                     llvm::MDBuilder(ir_.getContext()).createBranchWeights(1000, 1));
    translator_.begin(all);
    whole();
    ir_.CreateBr(done);
    translator_.begin(some);
    partly();
    ir_.CreateBr(done);
    translator_.begin(done);
}

void Messages::load_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                          const PreparedOperand& to) {
    with_watch_guard(MessageKind::read, &window, offset, ir_.getTrue(), bytes,
                     [&] { load_bytes(window, offset, bytes, unit, to); });
}

void Messages::load_bytes(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                          const PreparedOperand& to) {
    const uint32_t count = bytes / unit;
    if (window.scratch)
        translator_.mark_reads_scratch();
    auto* const type = llvm::FixedVectorType::get(ir_.getIntNTy(unit * 8), count);
    const auto keep = [&](Value* values) {
        translator_.store_raw(to, 0, as_lanes(values), translator_.all_lanes(count));
    };
    where_inside(
        window, offset, bytes,
        [&] {
            Value* const from = block_at(window, offset, bytes, Use::block);
            keep(create_block_load(ir_, type, from));
        },
        [&] {
            Value* const in = as_vector(bounds_.units_in_window(offset, count, unit, window.bytes));
            Value* const from = block_at(window, offset, bytes, Use::block_tail);
            keep(create_block_load(ir_, type, from, in));
        });
}

void Messages::store_block(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                           const PreparedOperand& from) {
    with_watch_guard(MessageKind::write, &window, offset, ir_.getTrue(), bytes,
                     [&] { store_bytes(window, offset, bytes, unit, from); });
}

void Messages::store_bytes(const SurfaceWindow& window, Value* offset, uint32_t bytes, uint32_t unit,
                           const PreparedOperand& from) {
    const uint32_t count = bytes / unit;
    Value* const values = as_vector(translator_.load_raw(from, 0, unit * 8, count));
    where_inside(
        window, offset, bytes,
        [&] { create_block_store(ir_, values, block_at(window, offset, bytes, Use::block)); },
        [&] {
            Value* const in = as_vector(bounds_.units_in_window(offset, count, unit, window.bytes));
            Value* const to = block_at(window, offset, bytes, Use::block_tail);
            create_block_store(ir_, values, to, in);
        });
}

void Messages::load_block(Value* address, uint32_t bytes, const PreparedOperand& to) {
    const auto move = [&] {
        auto* const type = translator_.vector(ir_.getInt32Ty(), bytes / 4);
        Value* const from = bounds_.at({Guard::flat, Use::block}, address, {0, bytes});
        translator_.store_raw(to, 0, create_block_load(ir_, type, from), translator_.all_lanes(bytes / 4));
    };
    with_watch_guard(MessageKind::read, nullptr, address, ir_.getTrue(), bytes,
                     [&] { with_range_check(address, ir_.getTrue(), 0, bytes, move); });
}

void Messages::store_block(Value* address, uint32_t bytes, const PreparedOperand& from) {
    const auto move = [&] {
        Value* const to = bounds_.at({Guard::flat, Use::block}, address, {0, bytes});
        create_block_store(ir_, translator_.load_raw(from, 0, 32, bytes / 4), to);
    };
    with_watch_guard(MessageKind::write, nullptr, address, ir_.getTrue(), bytes,
                     [&] { with_range_check(address, ir_.getTrue(), 0, bytes, move); });
}

} // namespace visor::jit
