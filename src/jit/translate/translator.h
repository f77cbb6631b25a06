// Translates one vISA function to LLVM IR: registers, predicates and masks as values, control flow, calls
// back into the engine. Each family file (arith.cpp, logic.cpp ...) lowers its instructions and returns false
// for a form that it does not lower. Such an instruction is an interpreter fallback, by a call-out.
#pragma once

#include "jit/engine/image_access.h"
#include "jit/engine/runtime_abi.h"
#include "jit/engine/surface_handle.h"
#include "jit/program/assumed_facts.h"
#include "jit/program/function_info.h"
#include "machine/thread_payload.h"
#include "machine/watch_filter.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace visor::jit {

struct CodeOptions {
    uint32_t simd = 16;
    bool full = true;                         // every lane of every thread was dispatched
    bool lowered = true;                      // false: all but control flow is a call-out
    bool brief = false;                       // tier 1: loops instead of unrolled code, to compile faster
    bool half_convert = true;                 // the target has half/single conversion instructions
    bool fma = true;                          // the target has fused multiplications
    bool rounds = false;                      // AVX-512: a rounding mode operand for eight doubles
    bool estimates = false;                   // AVX-512: reciprocal roots of 14 bits for singles
    std::vector<machine::LaneSteps> inputs;   // initial registers of full threads
    std::vector<machine::SharedInput> shared; // inputs that are uniform over all threads
    uint32_t slm_bytes = 0;                   // lower bound for a group
    uint32_t scratch_bytes = 0;               // lower bound for a thread
    machine::EventKinds reported;             // events that the code reports to listeners
    std::vector<ImageAccess> images;          // of image messages, ascending by instruction
};

// The active lanes of an instruction: an integer with one bit per lane.
struct Mask {
    llvm::Value* bits = nullptr;
    llvm::Value* predicate = nullptr; // the predicate without the execution mask
    [[nodiscard]] bool all() const;
    [[nodiscard]] Mask without_execution() const;
};

class Translator {
public:
    Translator(llvm::Module& module, const Program& program, const FunctionInfo& info,
               const CodeOptions& options);

    // Emits the function `name`, a Native.
    void emit(const char* name);

    [[nodiscard]] uint32_t sites() const { return sites_; }

    // ---- for the families
    // ----------------------------------------------------------------------------------
    using Value = llvm::Value;
    using Instruction = PreparedInstruction;

    [[nodiscard]] const PreparedOperand& operand(const Instruction& instruction, size_t index) const {
        return program_.operands[instruction.first_operand + index];
    }
    [[nodiscard]] uint64_t literal(const Instruction& instruction, size_t index) const {
        return operand(instruction, index).value;
    }
    llvm::IRBuilder<>& ir() { return ir_; }
    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] const CodeOptions& options() const { return options_; }
    [[nodiscard]] std::optional<uint32_t> float_mode() const { return info_.float_mode[index_]; }

    // A vector of `lanes` elements; the element type itself for one lane.
    llvm::Type* vector(llvm::Type* element, uint32_t lanes);
    llvm::IntegerType* integer(uint32_t bits) { return ir_.getIntNTy(bits); }
    Value* splat(Value* scalar, uint32_t lanes);
    Value* constant(uint32_t bits, uint64_t value, uint32_t lanes);
    Value* as(Value* value, llvm::Type* element); // bitcast, lane by lane
    static uint32_t lanes_of(Value* value);
    Value* lane(Value* value, uint32_t index);
    Value* reshaped(Value* value, llvm::ArrayRef<int> order); // a shuffle; also from or to a scalar

    // The bits of an operand's elements, without modifier; nullptr: not lowered.
    Value* load_bits(const PreparedOperand& operand, uint32_t lanes);
    // Writes the elements of active lanes; false: not lowered.
    bool store_bits(const PreparedOperand& operand, Value* values, const Mask& mask);
    // `lanes` elements of `bits` bits, `offset` bytes after the first byte of a raw operand.
    Value* load_raw(const PreparedOperand& operand, uint32_t offset, uint32_t bits, uint32_t lanes);
    void store_raw(const PreparedOperand& operand, uint32_t offset, Value* values, const Mask& mask);
    // A scalar source as 64 bits, with modifier; nullptr: not lowered.
    Value* scalar(const PreparedOperand& operand);

    // ---- masks
    Mask all_lanes(uint32_t lanes);
    Mask masked(const Execution& execution); // the execution mask alone
    Mask predicate(const Predicate& predicate, const Execution& execution);
    Mask enabled(const Instruction& instruction);      // both
    Value* lanes_on(const Mask& mask, uint32_t lanes); // i1 by lane
    Value* any(Value* lanes);                          // i1 by lane: whether any is set
    Value* every(Value* lanes);
    Value* bits_of(Value* lanes);       // i1 by lane as an integer
    Value* load_predicate(uint32_t id); // 32 bits
    void store_predicate(uint32_t id, const Execution& execution, const Mask& mask, Value* bits);
    Value* load_address(uint32_t element);
    // Lane k reads element `first + k % count`.
    Value* load_addresses(uint32_t first, uint32_t count, uint32_t lanes);
    void store_address(uint32_t element, Value* value);

    // ---- state and control
    Value* member(size_t offset, llvm::Type* type); // of the State
    void set_member(size_t offset, Value* value);
    Value* member_address(size_t offset);
    // Annotates a load with the range [first, end): a fact of the list (program/assumed_facts.h).
    void assume_range(Fact fact, llvm::LoadInst& value, uint64_t first, uint64_t end);
    // Insertion point of values that are uniform over all threads of a call: before the first thread.
    [[nodiscard]] llvm::Instruction* function_start() { return function_->getEntryBlock().getTerminator(); }
    Value* first_member_address(size_t offset); // at function_start()
    // Insertion point of values of one thread: before all of its code.
    [[nodiscard]] llvm::Instruction* thread_start() { return thread_start_->getNextNode(); }
    llvm::BasicBlock* block(const char* name);
    void begin(llvm::BasicBlock* block) { ir_.SetInsertPoint(block); }
    // Interpreter fallback for the current instruction.
    void call_out();
    // The same for a form that is not lowered: whenever control arrives there.
    void leave_to_interpreter();
    [[nodiscard]] const std::vector<uint32_t>& interpreted() const { return interpreted_; }
    // Emits `body` on the hot path, if `holds`. The cold path is an interpreter fallback.
    void guarded(Value* holds, llvm::function_ref<void()> body);
    // A loop over the active lanes in ascending order; `body` gets the lane's index in 64 bits.
    void each_lane_on(Value* on, llvm::function_ref<void(Value*)> body);
    uint32_t new_site() { return sites_++; }
    // The cold path of a range check: i1, whether one allocation holds [first, last + bytes). The site then
    // caches it.
    Value* call_check_range(uint32_t site, Value* first, Value* last, uint32_t bytes);
    // The same for active lanes, each at `displacement` bytes from its address. Compiles faster and runs
    // slower.
    Value* call_check_lanes(uint32_t site, Value* addresses, Value* on, uint32_t displacement,
                            uint32_t bytes);
    Value* entry_alloca(llvm::Type* type); // on the stack, for the whole function
    // Stack buffer with an element for each lane, numbered by `index`. Valid within one message only.
    Value* lane_buffer(size_t index);
    static constexpr uint32_t lane_buffer_lanes = 32;
    static constexpr uint64_t lane_buffer_bytes = uint64_t{lane_buffer_lanes} * 8;
    // The module's function `name`. If it does not exist, `body` emits it; ir() then inserts into it.
    llvm::Function* get_or_create_function(const std::string& name, llvm::FunctionType* type,
                                           llvm::function_ref<void(llvm::Function&)> body);
    // The address of a surface's Window: by variable element, binding-table index, or handle.
    // `local`: may be shared local memory, whose offsets have a mask. `scratch`: the thread's scratch block.
    // `invariance`: which loads from the window are equal.
    // varying: none; the window may change. invariant: all, but the address is computed here. per_thread: all
    // of one thread. per_call: all; the address is computed at function_start().
    struct WindowAddress {
        Value* address;
        enum : uint8_t { varying, invariant, per_thread, per_call } invariance;
        bool local;
        bool scratch;
    };
    // Marks the function: it reads scratch blocks by other means than lane messages
    // (ir/runtime_call.h).
    void mark_reads_scratch();
    WindowAddress window_of_element(uint32_t element);
    WindowAddress window_of_index(uint32_t binding_table_index);
    // Elements and binding-table indices whose windows the code reads, in order.
    [[nodiscard]] const std::vector<uint32_t>& surfaces() const { return surfaces_; }
    [[nodiscard]] const std::vector<uint32_t>& named_surfaces() const { return named_surfaces_; }
    [[nodiscard]] const std::vector<GivenHandle>& handles() const { return handles_; }
    [[nodiscard]] bool looks_up() const { return looks_up_; }
    [[nodiscard]] std::optional<NamedSurface> surface_named_here() const {
        return named_surface(program_, info_, index_, options_.full);
    }
    // From here on the element refers to this binding-table index.
    void set_surface(uint32_t element, uint32_t binding_table_index);
    // Lowers a move to %bss; false: not lowered.
    bool set_bss(const Instruction& instruction);
    // What is known of the image that the current instruction accesses; null: nothing.
    [[nodiscard]] const ImageAccess* image_access() const;
    // Lowers a move to a sampler variable; false: not lowered.
    bool set_sampler(const Instruction& instruction);
    // given_to_bss: the launch argument that this block moved to %bss; null if unknown. load_bss: the 32-bit
    // handle in %bss.
    [[nodiscard]] const PreparedOperand* given_to_bss() const { return given_to_bss_; }
    Value* load_bss();
    // The window of a launch argument's handle plus an index, which the engine resolves in advance. Nothing
    // if the operand is no launch argument.
    std::optional<WindowAddress> window_of_given(const PreparedOperand& handle, uint32_t index);
    [[nodiscard]] bool is_input(const PreparedOperand& operand) const {
        return is_given_input(program_, info_, operand);
    }
    // The window of any other 64-bit handle, looked up at run time. `known`: i1; false if the handle is
    // invalid or its window is not for compiled code.
    struct LookedUp {
        WindowAddress window;
        Value* known;
    };
    LookedUp look_up(Value* handle);
    // Marks a load as invariant: its memory never changes while the code runs.
    llvm::LoadInst* mark_invariant(llvm::LoadInst* load);

private:
    void find_looked_up();
    void forget_surfaces();
    [[nodiscard]] bool is_given(const PreparedOperand& operand) const;
    Value* bss_address();
    // The window of an element in one of State's lists.
    Value* element_window(size_t windows, uint32_t element);
    void copy_window(Value* from, Value* to);
    void restore_surfaces();
    // Stores pending surface numbers, before control leaves the block or the interpreter reads the thread.
    void flush_surfaces();
    void create_storage();
    void clear_storage();
    void clear_root(uint32_t root);
    void clear_locals(const Instruction& instruction);
    [[nodiscard]] bool waiting_as_values() const;
    void create_blocks();
    void emit_entry();
    void emit_dispatch();
    void emit_end(llvm::PHINode* state);
    [[nodiscard]] bool has_barrier() const;
    Value* next_state();
    void return_state();
    void clear_dead(uint32_t pc);
    void restore_pinned();
    void load_dispatched(bool constant);
    void load_inputs(bool constant);
    void load_shared();
    void begin_group();
    void emit_next_group(llvm::BasicBlock* last);
    void clear_memory();
    [[nodiscard]] bool may_reach_scratch(const Instruction& instruction) const;
    void emit_code();
    void emit_rematerialized(uint32_t leader);
    void emit_instruction(const Instruction& instruction);
    [[nodiscard]] bool always_reports(const Instruction& instruction) const;
    bool lower(const Instruction& instruction);
    bool lower_family(const Instruction& instruction);
    bool lower_indirect(const Instruction& instruction);
    Value* indirect_addresses(const PreparedOperand& operand, uint32_t lanes);
    Value* indirect_offsets(const PreparedOperand& operand, Value* addresses, uint32_t lanes);
    Value* indirect_fits(const PreparedOperand& operand, uint32_t lanes);
    Value* indirect_pointer(const PreparedOperand& operand, uint64_t bytes);
    Mask reading(const Instruction& instruction);
    Value* load_indirect(const PreparedOperand& operand, uint32_t lanes);
    void store_indirect(const PreparedOperand& operand, Value* values, const Mask& mask);
    void refresh_state(const Instruction& instruction);
    void fall_through(uint32_t next);
    void emit_join(uint32_t join);
    void emit_exit(size_t entry);
    void add_instructions(uint32_t count);
    // Counts the atomics and fences of the block [first, end) in State::idle_atomics, which detects spinning.
    void add_idle_atomics(uint32_t first, uint32_t end);
    void reset_idle_atomics();
    struct ItemPiece {
        Value* value;
        Value* memory;
        llvm::Type* type;
    };
    std::vector<ItemPiece> pieces_of(uint32_t item, bool saved);
    void mark_kept(llvm::Instruction* copy, uint32_t item, size_t piece, std::optional<size_t> entry);
    void store_item(uint32_t item, std::optional<size_t> entry = {});
    void load_item(uint32_t item, std::optional<size_t> entry = {});
    void store_control(uint32_t pc);
    void spill_operands(const Instruction& instruction, bool results);
    // After an instruction that may stop the thread.
    void continue_or_stop(Value* status, bool has_results);
    // After `index` no lane is active: branches to the next join with parked lanes, else to `last`. `last`
    // null: some lane is parked.
    llvm::BasicBlock* search_parked(uint32_t index, llvm::BasicBlock* last);
    [[nodiscard]] bool is_waited_for(size_t join) const { return info_.waited_from[join] != no_target; }
    llvm::BasicBlock* target_of(uint32_t index);
    void poll_and_branch(uint32_t target);

    bool lower_flow(const Instruction& instruction);
    void lower_goto(const Instruction& instruction);
    void lower_jump(const Instruction& instruction);
    bool lower_switch(const Instruction& instruction);
    bool lower_symbol_address(const Instruction& instruction);
    void lower_return(const Instruction& instruction);
    Value* taken_lanes(const Instruction& instruction);
    Value* uniform_condition(const Instruction& instruction);
    bool lower_sync(const Instruction& instruction);
    void meet(uint32_t actions);
    void lower_fence();
    void fence_host();
    [[nodiscard]] bool is_host_fence(size_t index) const;
    [[nodiscard]] bool is_deferred_fence(size_t index) const;
    [[nodiscard]] bool defers_fences();

    Value* current_mask();
    Value* root_address(uint32_t root, uint32_t byte);
    Value* load_register(uint32_t byte, llvm::Type* type);
    void store_register(uint32_t byte, Value* values);
    Value* load_elements(uint32_t byte, uint32_t size, llvm::ArrayRef<int> elements);
    void store_elements(uint32_t byte, uint32_t size, uint32_t stride, Value* values, const Mask& mask);

    llvm::Module& module_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> ir_;
    const Program& program_;
    const FunctionInfo& info_;
    CodeOptions options_;
    llvm::Function* function_ = nullptr;
    Value* state_ = nullptr;
    std::vector<Value*> lane_buffers_; // on the stack
    Value* registers_ = nullptr;
    std::vector<std::vector<Value*>> shared_; // by root: pieces of inputs that all threads share
    llvm::BasicBlock* group_ = nullptr;       // entry of a group
    bool fence_deferred_ = false;             // to the barrier that follows
    std::optional<bool> defers_fences_;       // anywhere
    llvm::StoreInst* thread_start_ = nullptr; // the first instruction of a thread
    std::array<Value*, 3> shared_ids_{};      // the group's ids
    Value* predicates_ = nullptr;
    Value* addresses_ = nullptr;
    Value* waiting_in_memory_ = nullptr;
    Value* dispatched_ = nullptr;
    std::vector<uint32_t> with_symbols_; // instructions (engine/symbol_table.h)
    std::vector<Value*> root_;           // allocas; nullptr: pinned
    std::vector<Value*> predicate_;      // allocas
    std::vector<Value*> address_;
    std::vector<Value*> waiting_;
    Value* mask_ = nullptr;    // alloca
    Value* counter_ = nullptr; // alloca
    Value* total_ = nullptr;   // alloca: instructions of threads that ended
    Value* more_ = nullptr;    // alloca: threads still to run in this phase
    Value* phase_ = nullptr;   // alloca: barriers that all threads have passed
    Value* stopped_ = nullptr; // alloca: threads that wait there
    Value* parks_ = nullptr;   // alloca: this thread is to wait there
    Value* passes_ = nullptr;  // alloca: this thread resumes at once
    Value* saved_ = nullptr;
    Value* surface_numbers_ = nullptr;    // binding-table indices
    std::vector<llvm::BasicBlock*> code_; // by leader
    // Searches for parked lanes, by their joins. The last join is not tested, unless SIZE_MAX follows: the
    // kernel's end.
    std::map<std::vector<size_t>, llvm::BasicBlock*> searches_;
    std::vector<llvm::BasicBlock*> exits_; // by entry; created on first use
    std::vector<llvm::BasicBlock*> again_; // by entry: where a thread resumes
    std::vector<bool> passes_at_;          // by entry: a thread can resume without a stop
    llvm::BasicBlock* leave_ = nullptr;    // nothing to keep: faulted
    llvm::BasicBlock* ended_ = nullptr;    // the kernel is over
    llvm::BasicBlock* arrived_ = nullptr;  // the thread is saved and waits at the group's barrier
    llvm::BasicBlock* past_end_ = nullptr;
    uint32_t index_ = 0;               // of the current instruction
    uint32_t leader_ = 0;              // of its block
    std::vector<uint32_t> cleared_in_; // by root: the last block that cleared it
    uint32_t sites_ = 0;
    std::vector<uint32_t> surfaces_;                // elements whose windows the code reads
    std::vector<uint32_t> named_surfaces_;          // binding-table indices whose windows the code reads
    std::map<uint32_t, uint32_t> known_surfaces_;   // by element: its index in this block
    std::map<uint32_t, uint32_t> pending_surfaces_; // those not yet stored in State::surfaces
    std::vector<uint32_t> looked_up_;               // elements used where their index is unknown
    std::vector<GivenHandle> handles_;              // arguments whose windows the code reads
    bool looks_up_ = false;                         // the code looks up handles at run time
    std::vector<uint32_t> interpreted_;             // instructions, by code index, that are not lowered
    const PreparedOperand* given_to_bss_ = nullptr;
};

// Lowering by family; false: this form is not lowered.
namespace lowering {
bool arith(Translator& translator, const PreparedInstruction& instruction);
bool math(Translator& translator, const PreparedInstruction& instruction);
bool division(Translator& translator, const PreparedInstruction& instruction);
bool logic(Translator& translator, const PreparedInstruction& instruction);
bool compare(Translator& translator, const PreparedInstruction& instruction);
bool move(Translator& translator, const PreparedInstruction& instruction);
bool scattered(Translator& translator, const PreparedInstruction& instruction);
bool block(Translator& translator, const PreparedInstruction& instruction);
bool svm(Translator& translator, const PreparedInstruction& instruction);
bool lsc(Translator& translator, const PreparedInstruction& instruction);
// For any instruction.
bool is_flat_lsc(const Translator& translator, const PreparedInstruction& instruction);
bool atomic(Translator& translator, const PreparedInstruction& instruction);
bool image(Translator& translator, const PreparedInstruction& instruction);
bool matrix(Translator& translator, const PreparedInstruction& instruction);
} // namespace lowering

} // namespace visor::jit
