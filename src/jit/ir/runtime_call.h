// Runtime calls: what generated code leaves to the engine, through the function pointers of
// engine/runtime_abi.h. Typed views of these calls, for llvm::isa, cast and dyn_cast: nobody else knows their
// arguments. README.md has the contract.
#pragma once

#include "jit/engine/runtime_abi.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>

namespace visor::jit {

// Metadata on each runtime call: the function's name in runtime_functions. A call without it may do anything.
inline constexpr const char* runtime_mark = "visor.runtime";

class RuntimeCall : public llvm::CallInst {
public:
    RuntimeCall() = delete;
    static bool classof(const llvm::Value* value) { return entry_of(value).has_value(); }

    [[nodiscard]] RuntimeEntry entry() const { return entry_of(this).value(); }

protected:
    static std::optional<RuntimeEntry> entry_of(const llvm::Value* value);
    [[nodiscard]] uint32_t constant(unsigned argument) const {
        return static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(getArgOperand(argument))->getZExtValue());
    }
};

// With a thread's State as first argument; i32.
class StateCall : public RuntimeCall {
public:
    static bool classof(const llvm::Value* value) {
        const auto entry = entry_of(value);
        return entry && !function_of(*entry).by_lane;
    }

    [[nodiscard]] llvm::Value* state() const { return getArgOperand(0); }
};

// Interpreter fallback: the interpreter executes one instruction. Returns the thread's status.
class FallbackCall : public StateCall {
public:
    static bool classof(const llvm::Value* value) { return entry_of(value) == RuntimeEntry::step; }

    [[nodiscard]] uint32_t instruction() const { return constant(1); }
    [[nodiscard]] bool may_read_scratch() const; // the thread's scratch block
};

// The cold path of a safepoint (safepoint.h). Returns the thread's status.
class PollCall : public StateCall {
public:
    static bool classof(const llvm::Value* value) { return entry_of(value) == RuntimeEntry::poll; }

    [[nodiscard]] uint32_t instruction() const { return constant(1); }
    [[nodiscard]] bool can_yield() const { return constant(2) != 0; }
};

// The group's barrier. Returns the thread's status.
class BarrierCall : public StateCall {
public:
    static bool classof(const llvm::Value* value) { return entry_of(value) == RuntimeEntry::meet; }

    [[nodiscard]] uint32_t instruction() const { return constant(1); }
    [[nodiscard]] uint32_t actions() const { return constant(2); } // meet_signal ...
};

// The cold path of a flat range check: nonzero if one allocation holds all, which the site then caches.
class CheckCall : public StateCall {
public:
    static bool classof(const llvm::Value* value) {
        const auto entry = entry_of(value);
        return entry == RuntimeEntry::check_range || entry == RuntimeEntry::check_lanes;
    }

    [[nodiscard]] uint32_t site() const { return constant(1); }
    [[nodiscard]] uint32_t instruction() const { return constant(2); }
    [[nodiscard]] uint32_t bytes() const { return constant(arg_size() - 1); } // from each address on
};

class CheckRangeCall : public CheckCall {
public:
    static bool classof(const llvm::Value* value) { return entry_of(value) == RuntimeEntry::check_range; }

    [[nodiscard]] llvm::Value* first() const { return getArgOperand(3); } // the smallest address
    [[nodiscard]] llvm::Value* last() const { return getArgOperand(4); }  // the largest one
};

class CheckLanesCall : public CheckCall {
public:
    static bool classof(const llvm::Value* value) { return entry_of(value) == RuntimeEntry::check_lanes; }

    [[nodiscard]] llvm::Value* addresses() const { return getArgOperand(3); } // a pointer to them
    [[nodiscard]] llvm::Value* on() const { return getArgOperand(4); }        // i32, bit k for lane k
    [[nodiscard]] uint32_t lanes() const { return constant(5); }
    [[nodiscard]] uint32_t displacement() const { return constant(6); }
};

// Clears memory between groups (engine/runtime_calls.h).
class ClearCall : public StateCall {
public:
    static bool classof(const llvm::Value* value) { return entry_of(value) == RuntimeEntry::clear; }

    [[nodiscard]] uint32_t what() const { return constant(1); } // clear_scratch ...
    void set_what(uint32_t what) {
        setArgOperand(1, llvm::ConstantInt::get(getArgOperand(1)->getType(), what));
    }
    // Each thread of the group has run to completion before the next one began.
    [[nodiscard]] bool follows_whole_threads() const;
};

// Gathers and scatters of tier 1 (engine/lane_access_calls.h).
class LaneAccessCall : public RuntimeCall {
public:
    static bool classof(const llvm::Value* value) {
        const auto entry = entry_of(value);
        return entry && function_of(*entry).by_lane;
    }

    [[nodiscard]] bool stores() const {
        return entry() == RuntimeEntry::store_surface || entry() == RuntimeEntry::store_flat;
    }
    [[nodiscard]] bool flat() const {
        return entry() == RuntimeEntry::load_flat || entry() == RuntimeEntry::store_flat;
    }
    [[nodiscard]] llvm::Value* addresses() const { return getArgOperand(0); } // pointers to an element
    [[nodiscard]] llvm::Value* values() const { return getArgOperand(1); }    // for each lane
    [[nodiscard]] llvm::Value* on() const { return getArgOperand(2); }        // i32, bit k for lane k
    [[nodiscard]] uint32_t shape() const { return constant(3); }              // lane_shape()
    [[nodiscard]] llvm::Value* displacement() const { return getArgOperand(4); }
    // Of surfaces, as MemAccess has them.
    [[nodiscard]] llvm::Value* data() const { return getArgOperand(5); }
    [[nodiscard]] llvm::Value* window_bytes() const { return getArgOperand(6); }
    [[nodiscard]] llvm::Value* offset_mask() const { return getArgOperand(7); }
};

FallbackCall* create_fallback(llvm::IRBuilder<>& ir, llvm::Value* state, uint32_t instruction,
                              bool may_read_scratch);
PollCall* create_poll_call(llvm::IRBuilder<>& ir, llvm::Value* state, uint32_t instruction, bool can_yield);
BarrierCall* create_barrier_call(llvm::IRBuilder<>& ir, llvm::Value* state, uint32_t instruction,
                                 uint32_t actions);
struct CheckedSite {
    uint32_t site = 0;
    uint32_t instruction = 0;
    uint32_t bytes = 0;
};
CheckRangeCall* create_check_range_call(llvm::IRBuilder<>& ir, llvm::Value* state, const CheckedSite& site,
                                        llvm::Value* first, llvm::Value* last);
struct StoredLanes {
    llvm::Value* addresses = nullptr; // a pointer to them
    llvm::Value* on = nullptr;        // i32, bit k for lane k
    uint32_t lanes = 1;
    uint32_t displacement = 0;
};
CheckLanesCall* create_check_lanes_call(llvm::IRBuilder<>& ir, llvm::Value* state, const CheckedSite& site,
                                        const StoredLanes& lanes);
ClearCall* create_clear_call(llvm::IRBuilder<>& ir, llvm::Value* state, uint32_t what,
                             bool follows_whole_threads);
struct LaneAccess {
    llvm::Value* addresses = nullptr;
    llvm::Value* values = nullptr;
    llvm::Value* on = nullptr;
    uint32_t shape = 0;
    llvm::Value* displacement = nullptr;
    llvm::Value* data = nullptr; // null: flat addresses
    llvm::Value* bytes = nullptr;
    llvm::Value* mask = nullptr;
};
// `table`: a pointer to LaneAccessCalls.
LaneAccessCall* create_lane_access_call(llvm::IRBuilder<>& ir, llvm::Value* table, bool stores,
                                        const LaneAccess& access);

// Marks functions that read scratch blocks by other means than memory messages.
void mark_reads_scratch(llvm::Function& function);
// By such means, or by a fallback.
[[nodiscard]] bool reads_scratch(const llvm::Function& function);
[[nodiscard]] bool reads_scratch(const llvm::Instruction& instruction);

} // namespace visor::jit
