#include "jit/object.h"

#include "jit/access.h"
#include "jit/affine.h"
#include "jit/blend.h"
#include "jit/broadcast.h"
#include "jit/by_parts.h"
#include "jit/cold.h"
#include "jit/dividend.h"
#include "jit/early.h"
#include "jit/emitter.h"
#include "jit/fast_selection.h"
#include "jit/jam.h"
#include "jit/lane_apart.h"
#include "jit/lane_loop.h"
#include "jit/lines_ahead.h"
#include "jit/mask_rest.h"
#include "jit/memory/access_verifier.h"
#include "jit/memory/bounds.h"
#include "jit/narrow.h"
#include "jit/next_thread.h"
#include "jit/packing.h"
#include "jit/past_caches.h"
#include "jit/qwords.h"
#include "jit/rows_ahead.h"
#include "jit/shared_admission.h"
#include "jit/shared_sums.h"
#include "jit/split_vectors.h"
#include "jit/spread_fetches.h"
#include "jit/straighten.h"
#include "jit/sum_order.h"
#include "jit/ternary_logic.h"
#include "jit/touch.h"
#include "jit/uniform.h"
#include "jit/wide_compare.h"
#include "jit/written_first.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mutex>

namespace visor::jit {

void initialize_target() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
}

namespace {

struct Cpu {
    std::string name;
    std::string features;
    bool half_convert = false;
    PastCaches past_caches = PastCaches::no;
    bool avx512 =
        false; // with bytes and words: fast gathers, masks, rounding as an instruction says, estimates
};

Cpu cpu_of(Level level) {
    switch (level) {
    case Level::avx2:
        return {.name = "haswell", .half_convert = true};
    case Level::sse4:
        return {.name = "nehalem"};
    case Level::host:
        break;
    }
    llvm::SubtargetFeatures features;
    Cpu cpu{.name = llvm::sys::getHostCPUName().str()};
#if defined(__x86_64__)
    cpu.past_caches = PastCaches::large; // where launches find it the quicker way (past_trial.h)
#endif
    const auto host = llvm::sys::getHostCPUFeatures();
    for (const auto& feature : host)
        features.AddFeature(feature.first(), feature.second);
    cpu.avx512 = host.lookup("avx512bw") && host.lookup("avx512dq") && host.lookup("avx512vl");
    cpu.half_convert = host.lookup("f16c");
#if !defined(__x86_64__)
    cpu.half_convert = true;
#endif
    cpu.features = features.getString();
    return cpu;
}

std::expected<std::unique_ptr<llvm::TargetMachine>, std::string> target_machine(const Cpu& cpu, Tier tier) {
    const std::string triple = llvm::sys::getProcessTriple();
    std::string error;
    const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr)
        return std::unexpected(error);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // mad alone is fused
    std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
        triple, cpu.name, cpu.features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
        tier == Tier::quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default));
    if (machine == nullptr)
        return std::unexpected(fmt::format("LLVM has no code generator for {}", triple));
    return machine;
}

using Verdict = std::optional<std::string>; // what is wrong with the code

// What LLVM's passes know of a module while they work on it.
class Optimizer {
public:
    // `register_bytes`: of the register file.
    Optimizer(llvm::Module& module, llvm::TargetMachine& machine, uint64_t register_bytes)
        : module_(module), machine_(machine), register_bytes_(register_bytes), builder_(&machine) {
        builder_.registerModuleAnalyses(modules_);
        builder_.registerCGSCCAnalyses(graphs_);
        builder_.registerFunctionAnalyses(functions_);
        builder_.registerLoopAnalyses(loops_);
        builder_.crossRegisterProxies(loops_, functions_, graphs_, modules_);
    }

    // Registers become values; what nobody looks at goes.
    void promote_registers() {
        llvm::FunctionPassManager passes;
        passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
        passes.addPass(llvm::EarlyCSEPass());
        passes.addPass(llvm::ADCEPass());
        llvm::Function& function = *module_.getFunction(function_name);
        functions_.invalidate(function, passes.run(function, functions_));
    }

    // Messages become code that suits their addresses, and what they reach is looked at.
    Verdict expand(const Cpu& cpu, const CompileOptions& options) {
        expand_accesses(*module_.getFunction(function_name), cpu.avx512, options.tier == Tier::quick);
        if (options.unmarked && remove_marks(module_, *options.unmarked) == 0)
            return fmt::format("no pointer of that kind: {}", fmt::join(names_of_marks(module_), " "));
        if (Verdict wrong = unchecked_access(module_, register_bytes_))
            return wrong;
        remove_marks(module_);
        for (llvm::Function& other : module_)
            if (other.getCallingConv() == llvm::CallingConv::PreserveAll)
                preserve_vectors(other, cpu);
        return std::nullopt;
    }

    // So do they, and what is left suits LLVM's quick ways.
    Verdict expand_quickly(const Cpu& cpu, const CompileOptions& options) {
        if (Verdict wrong = expand(cpu, options))
            return wrong;
        llvm::Function& function = *module_.getFunction(function_name);
        split_vectors(function, register_bits(function));
        suit_fast_selection(function, register_bits(function));
        hide_dividends(function);
        return std::nullopt;
    }

    // So do they, and everything is done for speed; then LLVM's own passes.
    Verdict optimize(const Cpu& cpu, const CompileOptions& options) {
        llvm::Function& function = *module_.getFunction(function_name);
        keep_what_is_written_first(function, options.scratch_bytes);
        straighten(function);
        join_qwords(function);
        compute_once(function);
        run_lanes_by_themselves(function, options.simd);
        shorten_kept(function);
        if (auto turn = Turn::of(function)) {
            if (!options.told.outside)
                jam_threads(function, *turn, registers(function));
            touch_ahead(function, *turn);
        } else {
            fetch_rows_ahead(function, options.eager);
        }
        fetch_for_next_thread(function, options.simd, options.eager);
        if (cpu.avx512)
            read_lines_ahead(function, options.eager);
        if (!options.told.outside) // else sites are an instruction's own
            share_admission(function);
        if (Verdict wrong = expand(cpu, options))
            return wrong;
        improve_expanded(cpu, options);
        return std::nullopt;
    }

private:
    // Of a vector register.
    uint32_t register_bits(const llvm::Function& function) {
        return static_cast<uint32_t>(machine_.getTargetTransformInfo(function)
                                         .getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector)
                                         .getFixedValue());
    }
    VectorRegisters registers(const llvm::Function& function) {
        const llvm::TargetTransformInfo target = machine_.getTargetTransformInfo(function);
        return {.bits = register_bits(function),
                .count = target.getNumberOfRegisters(target.getRegisterClassForType(true))};
    }

    void improve_expanded(const Cpu& cpu, const CompileOptions& options) {
        llvm::Function& function = *module_.getFunction(function_name);
        share_sums(function);
        compute_early(function);
        sink_into_cold_blocks(function);
        functions_.invalidate(function, llvm::PreservedAnalyses::none());
        builder_.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1).run(module_, modules_);
        compare_whole(function);
        set_lanes_apart(function);
        pack_offsets(function);
        load_each_for_all(function);
        store_past_caches(function, options.eager ? PastCaches::any : cpu.past_caches);
        const VectorRegisters vectors = registers(function);
        compute_by_parts(function, vectors.bits, vectors.count, options.eager);
        spread_fetches(function);
        keep_order_of_sums(function);
        for (llvm::Function& made : module_) {
            if (cpu.avx512)
                join_logic(made);
            blend_as_floats(made);
            take_rests_by_and(made);
            hide_dividends(made);
        }
    }

    // LLVM would clear the upper halves of vector registers, kept or not, at the function's end.
    static void preserve_vectors(llvm::Function& function, const Cpu& cpu) {
#if defined(__x86_64__)
        function.addFnAttr("target-cpu", cpu.name);
        function.addFnAttr("target-features",
                           cpu.features + (cpu.features.empty() ? "" : ",") + "-vzeroupper");
#else
        (void)function, (void)cpu;
#endif
    }

    llvm::Module& module_;
    llvm::TargetMachine& machine_;
    uint64_t register_bytes_;
    llvm::LoopAnalysisManager loops_;
    llvm::FunctionAnalysisManager functions_;
    llvm::CGSCCAnalysisManager graphs_;
    llvm::ModuleAnalysisManager modules_;
    llvm::PassBuilder builder_;
};

// Some of LLVM's passes take more than linear time.
constexpr unsigned most_instructions(Tier tier) {
    return tier == Tier::quick ? 800'000 : 40'000;
}

struct Built {
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<llvm::Module> module;
    Object object;
};

std::expected<Built, std::string> build(llvm::LLVMContext& context, const Program& given,
                                        const CompileOptions& options) {
    initialize_target();
    const std::optional<Program> shorter = narrowed(given);
    const Program& program = shorter ? *shorter : given;
    const Cpu cpu = cpu_of(options.level);
    auto machine = target_machine(cpu, options.tier);
    if (!machine)
        return std::unexpected(machine.error());
    Built built{.machine = std::move(*machine),
                .module = std::make_unique<llvm::Module>("visor", context),
                .object = {}};
    built.module->setDataLayout(built.machine->createDataLayout());
    built.module->setTargetTriple(built.machine->getTargetTriple().str());
    const Plan plan = make_plan(program, options.simd, options.full);
    Emitter emitter(*built.module, program, plan,
                    {.simd = options.simd,
                     .full = options.full,
                     .lowered = options.lowered,
                     .brief = options.tier == Tier::quick,
                     .half_convert = cpu.half_convert,
                     .rounds = cpu.avx512 && options.tier == Tier::best,
                     .estimates = cpu.avx512,
                     .inputs = options.inputs,
                     .shared = options.shared,
                     .slm_bytes = options.slm_bytes,
                     .scratch_bytes = options.scratch_bytes,
                     .told = options.told});
    emitter.emit(function_name);
    std::string error;
    llvm::raw_string_ostream errors(error);
    if (llvm::verifyModule(*built.module, &errors))
        return std::unexpected(fmt::format("{}invalid code: {}", internal_error, error));
    Optimizer optimizer(*built.module, *built.machine, program.register_bytes);
    optimizer.promote_registers();
    const unsigned instructions = built.module->getInstructionCount();
    if (instructions > most_instructions(options.tier))
        return std::unexpected(fmt::format("its code is too long ({} instructions of LLVM)", instructions));
    built.object.sites = emitter.sites();
    built.object.surfaces = emitter.surfaces();
    built.object.named_surfaces = emitter.named_surfaces();
    built.object.handles = emitter.handles();
    built.object.looks_up = emitter.looks_up();
    for (const Root& root : plan.roots)
        if (root.pinned)
            built.object.pinned.insert(built.object.pinned.end(), {root.base, root.bytes});
    const Verdict wrong = options.tier == Tier::quick ? optimizer.expand_quickly(cpu, options)
                                                      : optimizer.optimize(cpu, options);
    if (wrong)
        return std::unexpected(fmt::format("{}{}", internal_error, *wrong));
    return built;
}

// LLVM's machine code would move arithmetic down again to the block that wants it (jit/early.h); and its pass
// that moves integers to mask registers loses extensions of 16 bits by zeros, so that lanes run that are none
// (LLVM 19; tests/jit/fuzz/found/mask_extended_by_zeros.visaasm). There is no other way to tell it, and this
// process is the worker's own.
void set_code_generator_options() {
    static std::once_flag once;
    std::call_once(once, [] {
        constexpr std::array words{"visor-jit-worker", "-disable-machine-sink",
#if defined(__x86_64__)
                                   "-disable-x86-domain-reassignment"
#endif
        };
        llvm::cl::ParseCommandLineOptions(static_cast<int>(words.size()), words.data());
    });
}

} // namespace

std::expected<Object, std::string> compile(const Program& program, const CompileOptions& options,
                                           const std::function<bool()>& gives_up) {
    set_code_generator_options();
    llvm::LLVMContext context;
    auto built = build(context, program, options);
    if (!built)
        return std::unexpected(built.error());
    if (gives_up && gives_up())
        return std::unexpected("nobody wants it any more");
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream out(bytes);
    llvm::legacy::PassManager passes;
    if (built->machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile))
        return std::unexpected("LLVM cannot write object files for this CPU");
    passes.run(*built->module);
    built->object.bytes.assign(bytes.begin(), bytes.end());
    return std::move(built->object);
}

} // namespace visor::jit
