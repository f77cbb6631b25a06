#include "jit/driver/pass.h"

#include <llvm/Analysis/TargetTransformInfo.h>

namespace visor::jit {

PassContext::PassContext(llvm::Function& function, llvm::TargetMachine& machine, const TargetCpu& cpu,
                         const CompileOptions& options, uint64_t register_bytes)
    : function_(function), machine_(machine), cpu_(cpu), options_(options), register_bytes_(register_bytes),
      builder_(&machine) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(graphs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, graphs_, modules_);
}

VectorRegisters PassContext::registers() const {
    const llvm::TargetTransformInfo target = machine_.getTargetTransformInfo(function_);
    return {.bits = static_cast<uint32_t>(
                target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue()),
            .count = target.getNumberOfRegisters(target.getRegisterClassForType(true))};
}

ThreadEntry* PassContext::thread_entry() {
    if (!thread_entry_)
        thread_entry_ = ThreadEntry::of(function_);
    return *thread_entry_ ? &**thread_entry_ : nullptr;
}

void PassContext::run(llvm::FunctionPassManager& passes) {
    functions_.invalidate(function_, llvm::PreservedAnalyses::none()); // our own passes report nothing
    functions_.invalidate(function_, passes.run(function_, functions_));
}

void PassContext::run(llvm::ModulePassManager& passes) {
    functions_.invalidate(function_, llvm::PreservedAnalyses::none());
    passes.run(module(), modules_);
}

std::string_view name_of(Tiers tiers) {
    switch (tiers) {
    case Tiers::tier1:
        return "tier 1";
    case Tiers::tier2:
        return "tier 2";
    case Tiers::both:
        return "both";
    }
    return "";
}

std::string_view name_of(Condition condition) {
    switch (condition) {
    case Condition::always:
        return "";
    case Condition::barriers:
        return "code with barriers";
    case Condition::no_barriers:
        return "code without barriers";
    case Condition::unreported_barriers:
        return "code with barriers; accesses outside are not reported";
    case Condition::avx512:
        return "AVX-512";
    }
    return "";
}

} // namespace visor::jit
