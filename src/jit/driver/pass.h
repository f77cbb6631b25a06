// A pass as data: a row of the pass list (driver/pass_list.cpp), which the pipeline runs from the first row
// to the last, and from which the documentation's table is printed.
#pragma once

#include "jit/driver/target_cpu.h"
#include "jit/engine/object.h"
#include "jit/ir/thread_entry.h"
#include "jit/transform/unroll_and_jam_threads.h"

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace visor::jit {

// What passes work on: one function, the module that holds it and its cold paths, and LLVM's analyses.
class PassContext {
public:
    // All of these outlive the context. `register_bytes`: of the register file.
    PassContext(llvm::Function& function, llvm::TargetMachine& machine, const TargetCpu& cpu,
                const CompileOptions& options, uint64_t register_bytes);

    [[nodiscard]] llvm::Function& function() const { return function_; }
    [[nodiscard]] llvm::Module& module() const { return *function_.getParent(); }
    [[nodiscard]] const TargetCpu& cpu() const { return cpu_; }
    [[nodiscard]] const CompileOptions& options() const { return options_; }
    [[nodiscard]] uint64_t register_bytes() const { return register_bytes_; }
    // Vector registers of the CPU.
    [[nodiscard]] VectorRegisters registers() const;
    // Null in code without barriers. Found at the first call: passes insert code there.
    [[nodiscard]] ThreadEntry* thread_entry();

    // Run LLVM's passes, with analyses that are kept between calls.
    void run(llvm::FunctionPassManager& passes);
    void run(llvm::ModulePassManager& passes);
    [[nodiscard]] llvm::PassBuilder& builder() { return builder_; }

private:
    llvm::Function& function_;
    llvm::TargetMachine& machine_;
    const TargetCpu& cpu_;
    const CompileOptions& options_;
    uint64_t register_bytes_;
    std::optional<std::optional<ThreadEntry>> thread_entry_;
    llvm::LoopAnalysisManager loops_;
    llvm::FunctionAnalysisManager functions_;
    llvm::CGSCCAnalysisManager graphs_;
    llvm::ModuleAnalysisManager modules_;
    llvm::PassBuilder builder_;
};

enum class Tiers : uint8_t { tier1, tier2, both };

// On which code a pass runs.
enum class Condition : uint8_t {
    always,
    barriers,            // code with barriers
    no_barriers,         // code without
    unreported_barriers, // with, where accesses outside of surfaces are not reported: reports need each
                         // instruction's own
    avx512,              // the CPU has it
};

struct Pass {
    std::string_view name; // as VISOR_JIT_DISABLE has it
    Tiers tiers = Tiers::tier2;
    Condition condition = Condition::always;
    bool required = false;       // no code, or wrong code, without it
    std::string_view source;     // below src/jit; "LLVM"
    std::string_view applies_to; // as a phrase
    std::string_view effect;     // likewise
    // Error: why there is no code.
    std::optional<std::string> (*run)(PassContext& context) = nullptr;
};

// In order.
[[nodiscard]] std::span<const Pass> pass_list();

// Null if there is none of that name.
[[nodiscard]] const Pass* pass_named(std::string_view name);

// "tier 1", "tier 2" or "both".
[[nodiscard]] std::string_view name_of(Tiers tiers);
// "" for Condition::always.
[[nodiscard]] std::string_view name_of(Condition condition);

} // namespace visor::jit
