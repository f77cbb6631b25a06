// The lowering of one memory intrinsic: state shared by the files that emit loads, stores and their range
// checks (memory/lowering.h is the interface).
#pragma once

#include "jit/analysis/base_index.h"
#include "jit/analysis/lane_affine.h"
#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace visor::jit {

class Lowering {
public:
    using Value = llvm::Value;

    // `gathers`: the CPU has fast gathers, and masks of bytes. `brief`: tier 1, with runtime calls instead of
    // long inline code.
    Lowering(llvm::Function& function, bool gathers, bool brief);

    void run();

private:
    // One memory intrinsic.
    struct Access {
        LaneIntrinsic* call = nullptr;
        Value* addresses = nullptr;
        Value* on = nullptr;
        Reach reach;
        int64_t displacement = 0;
        uint32_t bits = 0;
        Value* values = nullptr; // of a store
        [[nodiscard]] uint32_t lanes() const { return lanes_of(addresses); }
        [[nodiscard]] int64_t bytes() const { return bits / 8; }
        [[nodiscard]] bool flat() const { return reach.data == nullptr; }
    };

    struct Indices {
        BaseIndex addresses;
        Value* max_index; // i32: the largest index in range
        Value* any;       // i1: there is such an index
    };
    struct Indexed : Indices {
        Value* inside; // i1: all active lanes are in range
    };
    // Branch weights of the likely edge, to one: lanes are inside; an assumption holds.
    static constexpr uint32_t inside_odds = 1000;
    static constexpr uint32_t assumption_odds = 8;
    static uint32_t odds_of(const LaneAffine::Form& form) {
        return form.assumed ? assumption_odds : inside_odds;
    }

    // Wider vectors without a form may have forms by parts of this many lanes.
    static constexpr uint32_t part_lanes = 16;
    static constexpr uint32_t max_lanes = 32;
    static constexpr uint64_t bytes_on_stack = uint64_t{max_lanes} * 8; // see on_stack()

    // ---- memory/lowering.cpp

    void expand(MemoryIntrinsic& at);
    static Access access_of(LaneIntrinsic& at);
    Value* either(Value* condition, const std::function<Value*()>& then,
                  const std::function<Value*()>& otherwise, uint32_t odds = inside_odds);
    std::vector<Value*> either_all(Value* condition, llvm::function_ref<std::vector<Value*>()> then,
                                   llvm::function_ref<std::vector<Value*>()> otherwise,
                                   uint32_t odds = inside_odds);
    Value* all_of(llvm::ArrayRef<Value*> conditions);
    Value* every(Value* lanes);
    Value* any(Value* lanes);
    Value* expand_range_check(RangeCheck& at);
    Value* check_assumed(const Access& access, Value* inside, Value* low, Value* last);
    std::optional<Indices> indices_of(const Access& access, Value* low, Value* last);
    Value* check_indices(const Access& access, const Indices& indices);
    Value* check_unknown(const Access& access, Value* low, Value* last);
    Value* check_lanes(const Access& access, Value* low, Value* last);
    Value* extreme(const Access& access, bool largest);
    Value* expand_disjoint_check(DisjointCheck& at);
    Value* expand_extent_check(const ExtentCheck& at);

    // ---- memory/addresses.cpp

    std::optional<LaneAffine::Form> form_of(const Access& access);
    [[nodiscard]] static bool in_native_width(const Access& access);
    std::vector<LaneAffine::Form> forms_of_parts(const Access& access);
    [[nodiscard]] static bool is_row(const LaneAffine::Form& form, int64_t bytes);
    [[nodiscard]] static bool is_dense_extent(const LaneAffine::Form& form, const Access& access);
    [[nodiscard]] static Guard guard_of(const Access& access);
    [[nodiscard]] static Span span_of(const Access& access, const LaneAffine::Form& form);
    Value* first_of(const Access& access, const LaneAffine::Form& form, Value* first, Use use);
    Value* lane_address(Value* first, const LaneAffine::Form& form, size_t lane);
    [[nodiscard]] static bool can_mask(const Access& access);
    [[nodiscard]] bool masks_row(const Access& access) const;
    Value* slice(Value* vector, uint32_t part);
    Access part_of(const Access& access, uint32_t part);
    Value* joined(llvm::ArrayRef<Value*> parts);
    Value* masked(const Access& access, Value* addresses);
    Value* splat(Value* scalar, uint32_t lanes);
    Value* number(int64_t value);
    Value* form_inside(const Access& access, const LaneAffine::Form& form, Value*& first);
    Value* lanes_inside(const Access& access, Value* addresses);
    Value* inactive_store_slot();
    Value* is_row_at_run_time(const Access& access, Value* addresses);
    Value* are_consecutive(Value* addresses, uint64_t step);
    Value* row_inside(const Access& access, Value* addresses);
    Value* row_begin(const Access& access, Value* addresses, Use use);
    std::pair<Value*, Value*> vector_of_addresses(const Access& access);
    Value* lanes_at(const Access& access, Value* numbers);
    std::function<Value*(uint32_t)> addresses_or(const Access& access, Value* numbers, Value* in,
                                                 Value* instead);
    Value* on_stack();
    Value* lane_buffer(Value*& buffer);

    // ---- memory/load.cpp

    Value* load(const Access& access);
    Value* load_form(const Access& access, const LaneAffine::Form& form);
    Value* load_if(Value* condition, const Access& access, const LaneAffine::Form& form,
                   const std::function<Value*()>& known);
    Value* load_flat_form(const Access& access, const LaneAffine::Form& form);
    [[nodiscard]] bool has_vector_form(const Access& access, const LaneAffine::Form& form) const;
    Value* load_known(const Access& access, const LaneAffine::Form& form, Value* first);
    Value* load_at(llvm::Type* type, Value* from);
    Value* gathered(const Access& access, const std::function<Value*(uint32_t)>& address);
    Value* load_unknown(const Access& access);
    [[nodiscard]] bool depends_on_data(const Access& access) const {
        return dependent_.contains(access.call);
    }
    Value* are_equal(const Access& access, Value* addresses);
    Value* load_equal(const Access& access, Value* addresses);
    Value* gathered_from(const Access& access, Value* begin, Value* indices, unsigned shift);
    Value* load_clamped(const Access& access);
    Value* load_lanes(const Access& access);
    const Indexed* indexed_at(const Access& access);
    Value* load_indexed(const Access& access, const Indexed& indexed);
    Value* load_each(const Access& access);

    // ---- memory/strided.cpp

    [[nodiscard]] bool has_near_lanes(const Access& access, const LaneAffine::Form& form) const;
    Value* load_rows(const Access& access, const LaneAffine::Form& form, Value* first);

    // ---- memory/store.cpp

    void store(const Access& access);
    void store_form(const Access& access, const LaneAffine::Form& form);
    void store_if(Value* condition, const Access& access, const LaneAffine::Form& form, Value* first);
    void store_known(const Access& access, const LaneAffine::Form& form, Value* first);
    void store_row(const Access& access, llvm::function_ref<Value*(Use)> begin);
    static const Value* root_of(const Access& access);
    [[nodiscard]] bool is_only_stored(const Access& access) const;
    void store_unknown(const Access& access);
    void store_lanes(const Access& access);
    void scattered(const Access& access, const std::function<Value*(uint32_t)>& address);
    void if_all_on(const Access& access, const std::function<void(bool all)>& store);

    // ---- memory/interleaved.cpp

    size_t expand_interleaved(llvm::ArrayRef<MemoryIntrinsic*> calls);
    static uint32_t units_of(llvm::ArrayRef<MemoryIntrinsic*> calls);
    std::vector<LaneAffine::Form> forms_of(const Access& access);
    static Access whole_of(llvm::ArrayRef<Access> units);
    std::vector<Value*> interleaved_or(llvm::ArrayRef<Access> units, const LaneAffine::Form& form,
                                       llvm::function_ref<std::vector<Value*>(Value*)> together,
                                       llvm::function_ref<std::vector<Value*>()> apart);
    std::vector<Value*> load_interleaved(llvm::ArrayRef<Access> units, const LaneAffine::Form& form);
    std::vector<Value*> load_unassumed(llvm::ArrayRef<Access> units);
    std::vector<Value*> load_scattered(llvm::ArrayRef<Access> units);
    std::vector<Value*> load_separately(llvm::ArrayRef<Access> units);
    std::vector<Value*> load_transposed(llvm::ArrayRef<Access> units,
                                        const std::function<Value*(uint32_t)>& units_of_lane);
    static std::optional<int64_t> padded_offset(const Access& unit, const LaneAffine::Form& form,
                                                size_t lane);
    static bool can_pad(const Access& unit, llvm::ArrayRef<LaneAffine::Form> forms);
    std::vector<Value*> store_interleaved(llvm::ArrayRef<Access> units, const LaneAffine::Form& form);

    // ---- memory/cold_paths.cpp

    [[nodiscard]] bool is_worth_a_call(const Access& access) const;
    Value* call_load_lanes(const Access& access);
    void call_store_lanes(const Access& access);
    Value* call_check_lanes(const Access& access, Value* low, Value* last);
    Value* call_extreme(const Access& access, bool largest);
    std::vector<Value*> lanes_arguments(const Access& access);
    Access access_of_arguments(const Access& like, llvm::Function& function);
    Value* call_for(const std::string& name, llvm::Type* result, std::vector<Value*> arguments,
                    llvm::function_ref<Value*(Lowering&, llvm::Function&)> body);
    llvm::Function* new_function(const std::string& name, const std::vector<Value*>& arguments);

    // ---- memory/runtime_calls.cpp

    Value* lane_access_table();
    Value* store_to(Value* lanes, Value* buffer);
    Value* mask_of(const Access& access);
    void call_lane_access(const Access& access, bool stores);
    Value* call_runtime_load(const Access& access);
    void call_runtime_store(const Access& access);
    Value* values_on_stack();

    // Results of flat range checks, by site: whether all lanes are inside, including inactive ones, and the
    // base and index.
    std::map<uint32_t, Value*> inside_;
    std::map<uint32_t, Indexed> indexed_;
    std::set<const LaneIntrinsic*> dependent_; // whose addresses depend on loaded data
    std::set<const Value*> loaded_;            // roots of loads; null among them: one is unknown
    llvm::Function& function_;
    bool gathers_;
    bool brief_;
    LaneAffine whole_;
    LaneAffine parts_;
    llvm::IRBuilder<> ir_;
    Bounds bounds_;
    Value* inactive_store_slot_ = nullptr;
    Value* stack_ = nullptr;  // buffer of an access's addresses
    Value* values_ = nullptr; // buffer of its values
    Value* calls_ = nullptr;  // the engine's LaneAccessCalls
};

} // namespace visor::jit
