// Translates the vISA of one function to LLVM IR: registers, predicates and masks as values, control flow,
// calls back into the engine. The meaning of each instruction stands in the family files (arith.cpp,
// logic.cpp ...), each of which answers false for a form that it does not lower; such an instruction is an
// interpreter fallback, by a call-out.
#pragma once

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
#include <vector>

namespace visor::jit {

struct CodeOptions {
    uint32_t simd = 16;
    bool full = true;         // every lane of every thread was dispatched
    bool lowered = true;      // false: every instruction by call-out, control flow apart
    bool brief = false;       // loops rather than long code, which is made quickly
    bool half_convert = true; // the target converts between half and single by itself
    bool rounds = false;      // vectors of eight doubles are rounded as an operand says
    bool estimates = false;   // vectors of up to sixteen singles have reciprocal roots of 14 bits
    std::vector<machine::LaneSteps> inputs;   // what full threads find in their registers
    std::vector<machine::SharedInput> shared; // what is the same in all threads
    uint32_t slm_bytes = 0;                   // a group has at least so many
    uint32_t scratch_bytes = 0;               // a thread, likewise
    machine::EventKinds reported;             // events that the code reports to listeners
};

// The lanes of an instruction that are on: an integer of as many bits.
struct Mask {
    llvm::Value* bits = nullptr;
    llvm::Value* predicate = nullptr; // the predicate's share alone
    [[nodiscard]] bool all() const;
    [[nodiscard]] Mask without_execution() const;
};

class Translator {
public:
    Translator(llvm::Module& module, const Program& program, const FunctionInfo& info,
               const CodeOptions& options);

    // The function `name`: a Native.
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

    // Types: a vector of `lanes` elements, or the element itself when there is one lane.
    llvm::Type* vector(llvm::Type* element, uint32_t lanes);
    llvm::IntegerType* integer(uint32_t bits) { return ir_.getIntNTy(bits); }
    Value* splat(Value* scalar, uint32_t lanes);
    Value* constant(uint32_t bits, uint64_t value, uint32_t lanes);
    Value* as(Value* value, llvm::Type* element); // bitcast, lane by lane
    static uint32_t lanes_of(Value* value);
    Value* lane(Value* value, uint32_t index);
    Value* reshaped(Value* value, llvm::ArrayRef<int> order); // also of and to a single element

    // Bits of an operand's elements, without modifier; nullptr: not lowered (indirect).
    Value* load_bits(const PreparedOperand& operand, uint32_t lanes);
    // Writes elements where the mask is on; false: not lowered.
    bool store_bits(const PreparedOperand& operand, Value* values, const Mask& mask);
    // `lanes` elements of `bits` bits, `offset` bytes behind a raw operand's first.
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
    Value* any(Value* lanes);                          // of i1 by lane: is one set
    Value* every(Value* lanes);
    Value* bits_of(Value* lanes);       // i1 by lane as an integer
    Value* load_predicate(uint32_t id); // 32 bits
    void store_predicate(uint32_t id, const Execution& execution, const Mask& mask, Value* bits);
    Value* load_address(uint32_t element);
    // Lane k has element `first + k % count`.
    Value* load_addresses(uint32_t first, uint32_t count, uint32_t lanes);
    void store_address(uint32_t element, Value* value);

    // ---- state and control
    Value* member(size_t offset, llvm::Type* type); // of the State
    void set_member(size_t offset, Value* value);
    Value* member_address(size_t offset);
    // What is loaded is in [first, end): a fact of the list (program/assumed_facts.h).
    void believe(Fact fact, llvm::LoadInst& value, uint64_t first, uint64_t end);
    // What is the same for all threads of a call stands in front of the first one.
    [[nodiscard]] llvm::Instruction* function_start() { return function_->getEntryBlock().getTerminator(); }
    Value* first_member_address(size_t offset); // there
    // What a thread has for itself, in front of all of its own code.
    [[nodiscard]] llvm::Instruction* thread_start() { return thread_start_->getNextNode(); }
    llvm::BasicBlock* block(const char* name);
    void begin(llvm::BasicBlock* block) { ir_.SetInsertPoint(block); }
    // The instruction at hand, by the reference.
    void call_out();
    // Runs `body` when `holds`; else the reference executes the instruction.
    void guarded(Value* holds, llvm::function_ref<void()> body);
    // A loop over the lanes that are on, in ascending order; `body` gets the lane's number in 64 bits.
    void each_lane_on(Value* on, llvm::function_ref<void(Value*)> body);
    uint32_t new_site() { return sites_++; }
    // Whether [first, last + bytes) lies in one allocation, which the site then remembers.
    Value* call_admit(uint32_t site, Value* first, Value* last, uint32_t bytes);
    // The same of lanes that are on, each `displacement` bytes behind its place; less to make, more to do.
    Value* call_admit_lanes(uint32_t site, Value* places, Value* on, uint32_t displacement, uint32_t bytes);
    Value* scratch_space(llvm::Type* type); // on the stack, for the whole function
    // There, too: room for all lanes, which is anyone's from one message to the next.
    Value* lane_room(size_t index);
    static constexpr uint32_t lane_room_lanes = 32;
    static constexpr uint64_t lane_room_bytes = uint64_t{lane_room_lanes} * 8;
    // A function that the kernel's can call, made by `body` when it is not there yet: ir() builds in it then.
    llvm::Function* function_beside(const std::string& name, llvm::FunctionType* type,
                                    llvm::function_ref<void(llvm::Function&)> body);
    // The address of a surface's Window: of a variable's element, by binding-table index, or by handle.
    // `same`: for how long nothing changes it; `fixed`: at all, where `here` leads. `local`: it may be shared
    // local memory, whose offsets have a mask. `scratch`: the thread's own.
    struct WindowPlace {
        Value* address;
        enum : uint8_t { here, fixed, for_thread, for_all } same;
        bool local;
        bool scratch;
    };
    // The code reads scratch blocks by other ways than messages of lanes (transform/eliminate_zero_init.h).
    void looks_at_scratch();
    WindowPlace window_of_element(uint32_t element);
    WindowPlace window_of_index(uint32_t binding_table_index);
    // The elements and indices whose windows the code wants, in order.
    [[nodiscard]] const std::vector<uint32_t>& surfaces() const { return surfaces_; }
    [[nodiscard]] const std::vector<uint32_t>& named_surfaces() const { return named_surfaces_; }
    [[nodiscard]] const std::vector<GivenHandle>& handles() const { return handles_; }
    [[nodiscard]] bool looks_up() const { return looks_up_; }
    [[nodiscard]] std::optional<NamedSurface> surface_named_here() const {
        return named_surface(program_, info_, index_, options_.full);
    }
    // The element stands for this binding-table index from here on.
    void set_surface(uint32_t element, uint32_t binding_table_index);
    // A move to %bss; false: not lowered.
    bool set_bss(const Instruction& instruction);
    // What %bss holds: where its handle stands, if the launch gave it and this block moved it there (else
    // null); the handle, 32 bits.
    [[nodiscard]] const PreparedOperand* given_to_bss() const { return given_to_bss_; }
    Value* load_bss();
    // Of a handle that the launch gave, plus an index: the engine resolves it before the code runs. Nothing:
    // it was not the launch.
    std::optional<WindowPlace> window_of_given(const PreparedOperand& handle, uint32_t index);
    [[nodiscard]] bool is_input(const PreparedOperand& operand) const {
        return is_given_input(program_, info_, operand);
    }
    // Of any other, 64 bits, when the message comes. `known`: i1; false where it names no window that the
    // code may use, be it that it names nothing.
    struct LookedUp {
        WindowPlace place;
        Value* known;
    };
    LookedUp look_up(Value* handle);
    // Of what never changes while the code runs.
    llvm::LoadInst* mark_fixed(llvm::LoadInst* load);

private:
    void find_looked_up();
    void forget_surfaces();
    [[nodiscard]] bool is_given(const PreparedOperand& operand) const;
    Value* bss_address();
    // Of an element, in one of State's lists.
    Value* element_window(size_t windows, uint32_t element);
    void copy_window(Value* from, Value* to);
    void restore_surfaces();
    // Before control leaves the block, or the reference looks at the thread.
    void tell_surfaces();
    void make_storage();
    void clear_storage();
    void clear_root(uint32_t root);
    void clear_locals(const Instruction& instruction);
    [[nodiscard]] bool waiting_as_values() const;
    void make_blocks();
    void emit_entry();
    void emit_dispatch();
    void emit_end(llvm::PHINode* state);
    [[nodiscard]] bool has_barrier() const;
    Value* next_state();
    void return_state();
    void restore_pinned();
    void load_dispatched(bool constant);
    void load_inputs(bool constant);
    void load_shared();
    void begin_group();
    void emit_next_group(llvm::BasicBlock* last);
    void clear_memory();
    [[nodiscard]] bool may_reach_scratch(const Instruction& instruction) const;
    void emit_code();
    void emit_remade(uint32_t leader);
    void emit_instruction(const Instruction& instruction);
    [[nodiscard]] bool is_told(const Instruction& instruction) const;
    bool lower(const Instruction& instruction);
    bool lower_family(const Instruction& instruction);
    bool lower_indirect(const Instruction& instruction);
    Value* indirect_addresses(const PreparedOperand& operand, uint32_t lanes);
    Value* indirect_places(const PreparedOperand& operand, Value* addresses, uint32_t lanes);
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
    // What a thread that waits for another does again and again, in the block of [first, end).
    void add_waits(uint32_t first, uint32_t end);
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
    Value* call_back(size_t offset, llvm::ArrayRef<Value*> arguments);
    // Behind an instruction that may stop the thread.
    void go_or_stop(Value* status, bool has_results);
    // No lane runs any more behind `index`: to the next join where some wait. `last`: what to do when there
    // is none.
    llvm::BasicBlock* search_parked(uint32_t index, llvm::BasicBlock* last);
    [[nodiscard]] bool is_waited_for(size_t join) const { return info_.waited_from[join] != no_target; }
    llvm::BasicBlock* target_of(uint32_t index);
    void poll_and_go(uint32_t target);

    bool lower_flow(const Instruction& instruction);
    void lower_goto(const Instruction& instruction);
    void lower_jump(const Instruction& instruction);
    bool lower_switch(const Instruction& instruction);
    bool lower_symbol_address(const Instruction& instruction);
    void lower_return(const Instruction& instruction);
    Value* taken_lanes(const Instruction& instruction);
    Value* all_go(const Instruction& instruction);
    bool lower_sync(const Instruction& instruction);
    void meet(uint32_t actions);
    void lower_fence(const Instruction& instruction);

    Value* current_mask();
    Value* root_address(uint32_t root, uint32_t byte);
    Value* load_kept(uint32_t byte, llvm::Type* type);
    void store_kept(uint32_t byte, Value* values);
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
    std::vector<Value*> lane_rooms_; // on the stack
    Value* registers_ = nullptr;
    std::vector<std::vector<Value*>> shared_; // by root: pieces of inputs that all threads share
    llvm::BasicBlock* group_ = nullptr;       // where a group begins
    llvm::StoreInst* thread_start_ = nullptr; // what a thread's turn begins with
    std::array<Value*, 3> shared_ids_{};      // its ids
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
    Value* more_ = nullptr;    // alloca: threads that may follow
    Value* phase_ = nullptr;   // alloca: how often all have come to a barrier
    Value* stopped_ = nullptr; // alloca: threads that wait there
    Value* parks_ = nullptr;   // alloca: this thread goes there
    Value* saved_ = nullptr;
    Value* surface_numbers_ = nullptr;    // binding-table indices
    std::vector<llvm::BasicBlock*> code_; // by leader
    // Searches for waiting lanes: the joins to look at, the last of all unless it is the kernel's end.
    std::map<std::vector<size_t>, llvm::BasicBlock*> searches_;
    std::vector<llvm::BasicBlock*> exits_; // by entry; made when used
    llvm::BasicBlock* leave_ = nullptr;    // nothing to keep: faulted
    llvm::BasicBlock* ended_ = nullptr;    // the kernel is over
    llvm::BasicBlock* arrived_ = nullptr;  // the thread waits at the group's barrier, and is kept
    llvm::BasicBlock* past_end_ = nullptr;
    uint32_t index_ = 0;               // of the instruction at hand
    uint32_t leader_ = 0;              // of its block
    std::vector<uint32_t> cleared_in_; // by root: the block that it was cleared in last
    uint32_t sites_ = 0;
    std::vector<uint32_t> surfaces_;               // elements that code reads windows of
    std::vector<uint32_t> named_surfaces_;         // binding-table indices, likewise
    std::map<uint32_t, uint32_t> known_surfaces_;  // what an element was set to in this block
    std::map<uint32_t, uint32_t> untold_surfaces_; // of these, what the thread's own list does not have yet
    std::vector<uint32_t> looked_up_;              // elements that are used where that is not known
    std::vector<GivenHandle> handles_;             // whose windows the code reads
    bool looks_up_ = false;                        // others, when messages come
    const PreparedOperand* given_to_bss_ = nullptr;
};

// The families. False: this form is not lowered.
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
// Of any instruction.
bool is_flat_lsc(const Translator& translator, const PreparedInstruction& instruction);
bool atomic(Translator& translator, const PreparedInstruction& instruction);
} // namespace lowering

} // namespace visor::jit
