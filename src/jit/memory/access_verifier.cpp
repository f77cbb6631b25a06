// Verifies accesses: follows each pointer back over constant offsets, selects and phis to its origins:
//
//   a mark                          allows the bytes that it names, for the use that it names
//   an alloca, a global             allows its bytes
//   the kernel's first argument     allows one State of the engine's; others of the group surround it
//   a pointer that State holds      allows the engine's tables at constant offsets, and the register file up
//                                   to its end; never pointers that a Window holds
//   an array argument               allows the array's bytes (set_array_argument), verified at the caller
//
// Everything else is rejected: pointers from integers, variable offsets without a check, calls of functions
// that are not the engine's (RuntimeCall), and instructions that this file does not know.
#include "jit/memory/access_verifier.h"

#include "jit/engine/runtime_abi.h"
#include "jit/ir/array_argument.h"
#include "jit/ir/atomics.h"
#include "jit/ir/bounds.h"
#include "jit/ir/memory_intrinsics.h"
#include "jit/ir/runtime_call.h"
#include "jit/ir/state_pointer.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace visor::jit {

namespace {

using llvm::Value;

// Members of State that point to the engine's tables. Constant offsets into them are in range by
// construction.
constexpr std::array tables{
    offsetof(State, predicates),    offsetof(State, addresses),      offsetof(State, waiting),
    offsetof(State, surfaces),      offsetof(State, first_surfaces), offsetof(State, samplers),
    offsetof(State, windows),       offsetof(State, named_windows),  offsetof(State, handle_windows),
    offsetof(State, first_windows), offsetof(State, launch_windows), offsetof(State, sites),
    offsetof(State, group_ids),     offsetof(State, first_contents), offsetof(State, symbols),
    offsetof(State, stop),          offsetof(State, idle_atomics),   offsetof(State, lane_access_calls),
    offsetof(State, calls),         offsetof(State, images)};

struct Access {
    const llvm::Instruction* code = nullptr;
    const Value* pointer = nullptr;
    uint64_t bytes = 0;
    bool masked = false; // inactive lanes access nothing
};

uint64_t bytes_of(const llvm::Instruction& code, const llvm::Type* type) {
    return code.getModule()->getDataLayout().getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue();
}

std::string text_of(const Value& value) {
    std::string text;
    llvm::raw_string_ostream out(text);
    value.print(out);
    return text;
}

class Verifier {
public:
    Verifier(const llvm::Module& module, uint64_t register_bytes)
        : layout_(module.getDataLayout()), register_bytes_(register_bytes) {}

    // The violation; none if it is allowed.
    std::optional<std::string> verify(const llvm::Instruction& code) {
        if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&code);
            call != nullptr && !accesses_kernel_memory(*call))
            return std::nullopt;
        if (!code.mayReadOrWriteMemory() || llvm::isa<llvm::FenceInst>(code))
            return std::nullopt;
        const auto accesses = accesses_of(code);
        if (!accesses)
            return fmt::format("an instruction that the verifier of accesses does not know:{}",
                               text_of(code));
        for (const Access& access : *accesses)
            if (!is_allowed(access))
                return fmt::format("an access that nothing checked ({}):{}", why_, text_of(code));
        return std::nullopt;
    }

private:
    // The engine's functions check ranges themselves (engine/lane_access_calls.cpp). The pointer decides, not
    // only the name: no other may be called.
    bool calls_engine(const llvm::CallInst& call) {
        const auto* const runtime = llvm::dyn_cast<RuntimeCall>(&call);
        const auto* const callee = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand());
        if (runtime == nullptr || callee == nullptr)
            return false;
        const RuntimeFunction& function = function_of(runtime->entry());
        if (!function.by_lane)
            return member_of(*callee) == function.offset;
        const Origin origin = origin_of(*callee->getPointerOperand(), layout_);
        const auto* const table = llvm::dyn_cast<llvm::LoadInst>(origin.begin);
        return table != nullptr && origin.distance == static_cast<int64_t>(function.offset) &&
               member_of(*table) == offsetof(State, lane_access_calls);
    }

    // False for calls that cannot access the kernel's memory.
    bool accesses_kernel_memory(const llvm::CallInst& call) {
        if (marked(call) || call.onlyAccessesInaccessibleMemory() || calls_engine(call))
            return false;
        switch (call.getIntrinsicID()) {
        case llvm::Intrinsic::prefetch: // neither faults nor returns data
        case llvm::Intrinsic::lifetime_start:
        case llvm::Intrinsic::lifetime_end:
            return false;
        default:
            return true;
        }
    }

    // None: an unknown instruction.
    static std::optional<std::vector<Access>> accesses_of(const llvm::Instruction& code) {
        if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&code))
            return one(code, load->getPointerOperand(), load->getType());
        if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&code))
            return one(code, store->getPointerOperand(), store->getValueOperand()->getType());
        if (const auto* const update = llvm::dyn_cast<MemAtomic>(&code))
            return one(code, update->pointer(), update->value_type());
        const auto* const call = llvm::dyn_cast<llvm::CallInst>(&code);
        return call == nullptr ? std::nullopt : accesses_of_call(*call);
    }

    static std::vector<Access> one(const llvm::Instruction& code, const Value* pointer,
                                   const llvm::Type* type, bool masked = false) {
        return {{.code = &code, .pointer = pointer, .bytes = bytes_of(code, type), .masked = masked}};
    }

    static std::optional<std::vector<Access>> accesses_of_call(const llvm::CallInst& call) {
        const auto scalar = [](const Value* values) { return values->getType()->getScalarType(); };
        switch (call.getIntrinsicID()) {
        case llvm::Intrinsic::masked_load:
            return one(call, call.getArgOperand(0), call.getType(), true);
        case llvm::Intrinsic::masked_store:
            return one(call, call.getArgOperand(1), call.getArgOperand(0)->getType(), true);
        case llvm::Intrinsic::masked_gather:
            return one(call, call.getArgOperand(0), scalar(&call), true);
        case llvm::Intrinsic::masked_scatter:
            return one(call, call.getArgOperand(1), scalar(call.getArgOperand(0)), true);
        case llvm::Intrinsic::memcpy:
        case llvm::Intrinsic::memmove:
        case llvm::Intrinsic::memset:
            return accesses_of_copy(llvm::cast<llvm::MemIntrinsic>(call));
        case llvm::Intrinsic::not_intrinsic:
            return arrays_of(call);
        default:
            return std::nullopt;
        }
    }

    static std::optional<std::vector<Access>> accesses_of_copy(const llvm::MemIntrinsic& copy) {
        const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
        if (length == nullptr)
            return std::nullopt;
        std::vector<Access> both{{.code = &copy, .pointer = copy.getDest(), .bytes = length->getZExtValue()}};
        if (const auto* const from = llvm::dyn_cast<llvm::MemTransferInst>(&copy))
            both.push_back({.code = &copy, .pointer = from->getSource(), .bytes = length->getZExtValue()});
        return both;
    }

    // Array arguments of outlined functions. Other pointers in these functions have marks of their own.
    static std::optional<std::vector<Access>> arrays_of(const llvm::CallInst& call) {
        const llvm::Function* const callee = call.getCalledFunction();
        if (callee == nullptr || callee->isDeclaration())
            return std::nullopt; // also a memory intrinsic that was not lowered
        std::vector<Access> arrays;
        for (const llvm::Argument& argument : callee->args()) {
            const uint64_t bytes = array_argument_bytes(argument);
            const Value* const given = call.getArgOperand(argument.getArgNo());
            if (bytes != 0 && !llvm::isa<llvm::ConstantPointerNull>(given)) // null: faults at address 0
                arrays.push_back({.code = &call, .pointer = given, .bytes = bytes});
        }
        return arrays;
    }

    bool is_allowed(const Access& access) {
        std::vector<Origin> open;
        std::set<Origin> seen;
        const auto from = [&](const Value* pointer, int64_t distance) {
            Origin origin = origin_of(*pointer, layout_);
            origin.distance += distance;
            if (seen.insert(origin).second)
                open.push_back(origin);
        };
        from(access.pointer, 0);
        while (!open.empty()) {
            const Origin origin = open.back();
            open.pop_back();
            if (seen.size() > most_origins)
                return refuse("a pointer with too many origins");
            if (const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(origin.begin)) {
                from(choice->getTrueValue(), origin.distance);
                from(choice->getFalseValue(), origin.distance);
            } else if (const auto* const join = llvm::dyn_cast<llvm::PHINode>(origin.begin);
                       join != nullptr && !is_state(*join)) {
                for (const Value* const incoming : join->incoming_values())
                    from(incoming, origin.distance);
            } else if (!reaches(access, origin)) {
                return false;
            }
        }
        return true;
    }

    bool refuse(std::string_view why) {
        why_ = why;
        return false;
    }

    // True if the access is valid from this origin.
    bool reaches(const Access& access, const Origin& origin) {
        const auto within = [&](int64_t low, int64_t end, std::string_view why) {
            int64_t after = 0;
            const bool fits = origin.distance >= low && access.bytes <= INT64_MAX &&
                              !__builtin_add_overflow(origin.distance, access.bytes, &after) && after <= end;
            return fits || refuse(why);
        };
        if (const auto mark = marked(*origin.begin))
            return within(mark->span.low, mark->span.end, "beyond its mark") &&
                   (suits(mark->mark.use, access) || refuse("used otherwise than its mark allows"));
        if (const auto* const array = llvm::dyn_cast<llvm::AllocaInst>(origin.begin)) {
            const auto size = array->getAllocationSize(layout_);
            return size ? within(0, static_cast<int64_t>(size->getFixedValue()),
                                 "beyond an array on the stack")
                        : refuse("an array of unknown size");
        }
        if (const auto* const global = llvm::dyn_cast<llvm::GlobalVariable>(origin.begin))
            return within(
                0, static_cast<int64_t>(layout_.getTypeAllocSize(global->getValueType()).getFixedValue()),
                "beyond a constant");
        if (is_state(*origin.begin))
            return within(0, sizeof(State), "beyond State");
        if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(origin.begin)) {
            const auto bytes = static_cast<int64_t>(array_argument_bytes(*argument));
            return bytes != 0 ? within(0, bytes, "beyond an array argument") : refuse("an argument");
        }
        return reaches_table(origin, within);
    }

    bool reaches_table(const Origin& origin, auto within) {
        const auto* const load = llvm::dyn_cast<llvm::LoadInst>(origin.begin);
        if (load == nullptr || !load->getType()->isPointerTy())
            return refuse("a pointer from an integer");
        const std::optional<size_t> member = member_of(*load);
        if (!member)
            return refuse("a pointer out of memory");
        if (*member == offsetof(State, registers) || *member == offsetof(State, saved))
            return within(0, static_cast<int64_t>(register_bytes_), "beyond the register file");
        return std::ranges::find(tables, *member) != tables.end()
                   ? origin.distance >= 0 || refuse("in front of a table")
                   : refuse("a member of State that is no table");
    }

    // The member of State that a load reads.
    std::optional<size_t> member_of(const llvm::LoadInst& load) {
        const auto [known, is_new] = members_.try_emplace(&load);
        if (is_new)
            known->second = member_of_state(*load.getPointerOperand(), layout_);
        return known->second;
    }

    bool is_state(const Value& pointer) {
        const auto [known, is_new] = states_.try_emplace(&pointer, false);
        if (is_new)
            known->second = jit::is_state(pointer, layout_);
        return known->second;
    }

    static bool suits(Use use, const Access& access) {
        switch (use) {
        case Use::masked_row:
        case Use::block_tail:
        case Use::lanes:
            return access.masked;
        default:
            return true;
        }
    }

    static constexpr size_t most_origins = 1000;
    const llvm::DataLayout& layout_;
    uint64_t register_bytes_;
    std::string_view why_;
    std::map<const Value*, bool> states_;
    std::map<const llvm::LoadInst*, std::optional<size_t>> members_;
};

} // namespace

std::optional<std::string> unchecked_access(const llvm::Module& module, uint64_t register_bytes) {
    Verifier verifier(module, register_bytes);
    for (const llvm::Function& function : module)
        for (const llvm::Instruction& code : llvm::instructions(function))
            if (auto wrong = verifier.verify(code))
                return wrong;
    return std::nullopt;
}

} // namespace visor::jit
